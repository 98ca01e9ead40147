use super::*;

fn documents(texts: &[&str]) -> Vec<String> {
    let document = |(i, text): (usize, &&str)| {
        let tokens: String = text.split(' ').map(|token| format!("{token}\n")).collect();
        format!("<doc id=\"{i}\">\n<s>\n{tokens}</s>\n</doc>\n")
    };
    texts.iter().enumerate().map(document).collect()
}

/// Seconds without an answer: long enough for a busy machine to start a program.
const PATIENCE: u64 = 5;

fn tag(command: &str, texts: &[&str]) -> Result<Vec<std::result::Result<Tags, Failure>>> {
    let patience = Duration::from_secs(PATIENCE);
    let tagger = Tagger { command: command.into(), columns: 2, patience, ..Tagger::default() };
    tagger.tag("ces", &documents(texts), &CancelToken::default())
}

const TAGS: &str = r#"awk '/^<./ { print; next } { print $0 "\tX\t" tolower($0) }'"#;

#[test]
fn columns_come_back_for_every_token() {
    let tags = tag(TAGS, &["Ahoj světe", "<"]).unwrap();
    assert_eq!(tags, [Ok("X\tahoj\nX\tsvěte\n".into()), Ok("X\t<\n".into())]);
    let exact = r#"awk '/^<[A-Za-z\/]/ { print; next } { print $0 "\tX\t-" }'"#;
    assert_eq!(tag(exact, &["< <3 <> <=> << <\u{200B}b>"]).unwrap(), [Ok("X\t-\n".repeat(6))]);
    let language = tag(
        r#"awk -v l={lang} '/^<./ { print; next } { print $0 "\t" l "\t" ENVIRON["WARCORPUS_LANGUAGE"] }'"#,
        &["a"],
    );
    assert_eq!(language.unwrap(), [Ok("ces\tces\n".into())]);
}

#[test]
fn lost_tokens_cost_their_document_alone() {
    let tags = tag(&format!("grep -v lost | {TAGS}"), &["a", "b lost c", "d"]).unwrap();
    assert_eq!(tags[0], Ok("X\ta\n".into()));
    assert_eq!(tags[1], Err(Failure::Differs { asked: "lost".into(), got: "c\tX\tc".into() }));
    assert_eq!(tags[2], Ok("X\td\n".into()));
    let tags = tag("sed 's/$/\tX/'", &["a"]).unwrap();
    assert_eq!(tags[0].as_ref().unwrap_err().name(), "differs");
    let tags = tag("sed '/^</!s/$/\tX/'", &["a"]).unwrap();
    assert_eq!(tags[0], Err(Failure::Columns { asked: "a".into(), got: 1, columns: 2 }));
}

#[test]
fn a_program_that_dies_or_hangs_is_started_again() {
    let dies =
        r#"awk '/poison/ { print "too much" > "/dev/stderr"; exit 3 } /^</ { print; next } { print $0 "\tX\tY" }'"#;
    let tags = tag(dies, &["a", "b", "poison", "d"]).unwrap();
    let ok = |text: &str| Ok(text.to_string());
    assert_eq!(tags[..2], [ok("X\tY\n"), ok("X\tY\n")]);
    assert_eq!(tags[2], Err(Failure::Died("exit code 3: too much".into())));
    assert_eq!(tags[3], ok("X\tY\n"));
    let hangs = r#"awk '/poison/ { while (1) system("sleep 9") } /^</ { print; fflush(); next } { print $0 "\tX\tY"; fflush() }'"#;
    let tags = tag(hangs, &["a", "poison", "c"]).unwrap();
    assert_eq!(tags, [ok("X\tY\n"), Err(Failure::Silent(PATIENCE)), ok("X\tY\n")]);
}

#[test]
fn a_program_that_hangs_at_all_documents_ends_the_job() {
    let patience = Duration::from_millis(300);
    let tagger = Tagger { command: "sleep 100".into(), columns: 2, patience, ..Tagger::default() };
    let refused = tagger.tag("ces", &documents(&["a"; 30]), &CancelToken::default());
    assert!(refused.unwrap_err().to_string().contains("8 times in a row"));
}

#[test]
fn a_program_that_writes_without_end_is_stopped() {
    let writes = r#"awk '/poison/ { while (1) print "y" } /^</ { print; next } { print $0 "\tX\tY" }'"#;
    let tags = tag(writes, &["a", "poison", "c"]).unwrap();
    let ok = |text: &str| Ok(text.to_string());
    assert_eq!([&tags[0], &tags[2]], [&ok("X\tY\n"), &ok("X\tY\n")]);
    assert_eq!(tags[1].as_ref().unwrap_err().name(), "endless");

    let cancelled = CancelToken::default();
    cancelled.cancel();
    let tagger = Tagger { command: "yes".into(), patience: Duration::from_secs(PATIENCE), ..Tagger::default() };
    assert!(matches!(tagger.tag("ces", &documents(&["a"]), &cancelled), Err(Error::Interrupted)));
}

/// A program that flushes each line, and does `at_end` after a document. `awk` may buffer its input, too.
fn line_by_line(at_end: &str) -> String {
    let lines = r#"while IFS= read -r line; do case "$line" in"#;
    let document = format!(r#""</doc>") printf '%s\n' "$line"; {at_end};;"#);
    let other = r#""<"?*) printf '%s\n' "$line";; *) printf '%s\tX\t%s\n' "$line" "$line";; esac; done"#;
    [lines, &document, other].join(" ")
}

/// Starts of a program that tags two batches in each of two languages, in turn.
fn starts(program: &str) -> usize {
    let log = tempfile::NamedTempFile::new().unwrap();
    let command = format!("echo {{lang}} >>{}; {program}", log.path().display());
    let tagger = Tagger { command, columns: 2, patience: Duration::from_secs(9), ..Tagger::default() };
    for language in ["ces", "deu", "ces", "deu"] {
        let tags = tagger.tag(language, &documents(&["a b", "c"]), &CancelToken::default()).unwrap();
        assert_eq!(tags[1], Ok("X\tc\n".into()));
    }
    std::fs::read_to_string(log.path()).unwrap().lines().count()
}

#[test]
fn a_program_is_kept_if_it_answers_before_its_input_ends() {
    assert_eq!(starts(&line_by_line("")), 2);
    assert_eq!(starts(TAGS), 4);
}

#[test]
fn a_program_may_end_while_it_waits() {
    let once = line_by_line("exit");
    let tagger = Tagger { command: once, columns: 2, patience: Duration::from_secs(9), ..Tagger::default() };
    for _ in 0..3 {
        let tags = tagger.tag("ces", &documents(&["a"]), &CancelToken::default()).unwrap();
        assert_eq!(tags, [Ok("X\ta\n".into())]);
    }
}

#[test]
fn a_program_that_is_not_there_is_refused() {
    assert!(tag("warcorpus-has-no-such-tagger", &["a"]).is_err_and(|error| error.to_string().contains("emit.tagger")));
}

#[test]
fn a_program_that_always_dies_is_given_up() {
    let tags = tag("exit 1", &["a"; 30]).unwrap();
    assert_eq!(tags.len(), 30);
    assert_eq!(tags[0].as_ref().unwrap_err().name(), "died");
    assert_eq!(tags[29], Err(Failure::GivenUp));
}

/// A program that flushes each line, and does `end` in place of writing the end of a document with the word `poison`.
fn faulty(end: &str) -> Tagger {
    let token = r#"printf '%s\tX\t%s\n' "$line" "$line""#;
    let cases = [
        format!("poison) bad=1; {token};;"),
        format!(r#""</doc>") if [ "$bad" ]; then {end}; else echo "$line"; fi; bad=;;"#),
        format!(r#""<"?*) echo "$line";; *) {token};;"#),
    ];
    let command = format!(r#"while IFS= read -r line; do case "$line" in {} esac; done"#, cases.join(" "));
    Tagger { command, columns: 2, patience: Duration::from_secs(9), ..Tagger::default() }
}

#[test]
fn what_a_document_lacks_or_has_too_much_costs_no_other_its_tags() {
    let texts = ["a", "poison", "b", "c"];
    // A document with more lines behind its end has all its tags.
    let ends = [
        (":", false),
        (r"printf '</doc>\n</doc>\n'", true),
        (r"printf '</doc>\n\n'", true),
        (r#"printf '</doc>\n<doc id="9">\nx\n</doc>\n'"#, true),
        (r"printf 'x\n<s>\n</doc>\n</doc>\n'", false),
    ];
    for (end, has_tags) in ends {
        let tagger = faulty(end);
        let expected: Vec<bool> = texts.iter().map(|text| has_tags || *text != "poison").collect();
        for batch in [1, 3, 4] {
            let batches = documents(&texts);
            let tags = batches.chunks(batch).map(|batch| tagger.tag("ces", batch, &CancelToken::default()).unwrap());
            let tagged: Vec<bool> = tags.flatten().map(|tags| tags.is_ok()).collect();
            assert_eq!(tagged, expected, "{end}, {batch} at a time");
        }
    }
}

#[test]
fn lines_before_a_document_are_passed_over() {
    let ok = |text: &str| Ok(text.to_string());
    let tags = tag(&format!("echo ready; {TAGS}"), &["a", "b"]).unwrap();
    assert_eq!(tags, [ok("X\ta\n"), ok("X\tb\n")]);
    let tags = tag(&format!("grep -v 'id=\"1\"' | {TAGS}"), &["a", "b", "c"]).unwrap();
    let differs = Failure::Differs { asked: "<doc id=\"1\">".into(), got: "<s>".into() };
    assert_eq!(tags, [ok("X\ta\n"), Err(differs), ok("X\tc\n")]);
}

#[test]
fn half_a_line_of_a_program_that_died_is_no_answer() {
    let dies = r#"awk '/poison/ { printf "%s", substr(held, 1, 20); held = ""; exit 3 }
        { held = held (/^<./ ? $0 : $0 "\tX\tY") "\n" } END { printf "%s", held }'"#;
    let tags = tag(dies, &["a", "poison"]).unwrap();
    assert_eq!(tags, [Ok("X\tY\n".into()), Err(Failure::Died("exit code 3".into()))]);
    // The last line may lack its end.
    let tags = tag(&format!("{TAGS} | awk 'NR > 1 {{ printf \"\\n\" }} {{ printf \"%s\", $0 }}'"), &["a"]).unwrap();
    assert_eq!(tags, [Ok("X\ta\n".into())]);
}

#[test]
fn failures_show_the_beginning_of_a_line() {
    let long = "é\u{1b}\t".repeat(500);
    let told = Failure::Differs { asked: long.clone(), got: "short".into() }.to_string();
    assert!(told.starts_with("the tagger answered `short` to `é  é"), "{told}");
    assert!(told.ends_with("é…`") && told.chars().count() < 150, "{told}");
}
