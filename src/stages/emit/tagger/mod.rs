//! External taggers: a user's program reads documents as vertical text and adds columns to their tokens.
//!
//! The program reads one token per line, with structure tags on lines of their own. It must write the same lines in the
//! same order and add its columns to each token after a TAB. The output is compared with the input line by line. A
//! document whose lines differ stays untagged, and so does a document on which the program exits or hangs. Other
//! documents are not affected.
//!
//! A program that answers before its input ends is kept for further documents of its language; so it is started once
//! for each language and thread. One that buffers its output is started for each batch.

mod session;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use session::{Answer, Session};

use crate::config::{Config, EmitSection};
use crate::error::{Error, Result};
use crate::threads::CancelToken;

/// A tagger program, with its processes that wait for documents.
#[derive(Debug, Default)]
pub struct Tagger {
    /// Shell command. `{lang}` is replaced by the language code.
    pub command: String,
    /// Number of columns that the program adds to every token.
    pub columns: usize,
    /// Timeout: the longest time for which the program may neither read nor write.
    pub patience: Duration,
    /// Running programs without work, with their languages; the one that waits longest is the first.
    idle: Mutex<Vec<(String, Session)>>,
    /// Whether the program answers only after the end of its input.
    buffers: AtomicBool,
    /// How often the program has hung since it last answered.
    hangs: AtomicUsize,
}

/// The added columns of a document's tokens, one line per token.
pub type Tags = String;

/// Why a document is not tagged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("the tagger ended ({0}) before the document did")]
    Died(String),
    #[error("the tagger neither read nor wrote for {0} s")]
    Silent(u64),
    #[error("the tagger answered `{got}` to `{asked}`")]
    Differs { asked: String, got: String },
    #[error("the tagger gave {got} columns to `{asked}` instead of {columns}")]
    Columns { asked: String, got: usize, columns: usize },
    #[error("the tagger wrote {0} lines for a document and did not end it")]
    Endless(usize),
    #[error("the tagger's answer to `{asked}` is not UTF-8")]
    NotUtf8 { asked: String },
    #[error("the tagger failed too often on the documents before")]
    GivenUp,
}

impl Failure {
    /// Name of the failure in the counters.
    pub fn name(&self) -> &'static str {
        match self {
            Failure::Died(_) => "died",
            Failure::Silent(_) => "silent",
            Failure::Differs { .. } => "differs",
            Failure::Columns { .. } => "columns",
            Failure::Endless(_) => "endless",
            Failure::NotUtf8 { .. } => "not_utf8",
            Failure::GivenUp => "given_up",
        }
    }
}

/// Number of times that the program may exit or hang in one batch. After that, the rest of the batch stays untagged.
const MAX_FAILURES: usize = 20;

/// Number of times in a row that the program may hang. A document may make it hang, and is given to it twice; a program that
/// hangs at all of them would take days.
const MAX_HANGS: usize = 8;

/// Most programs that wait for documents; each may hold a large model in memory.
const MAX_IDLE: usize = 32;

/// Exit codes of a shell if a command is not executable (126) or not found (127).
const NOT_RUNNABLE: [i32; 2] = [126, 127];

impl Tagger {
    /// The tagger of a configuration; `None` if it names none.
    pub fn of(emit: &EmitSection) -> Option<Tagger> {
        let tagger = Tagger {
            command: emit.tagger.clone(),
            columns: emit.tagger_columns.len(),
            patience: Duration::from_secs(emit.tagger_seconds),
            ..Tagger::default()
        };
        Some(tagger).filter(|tagger| !tagger.command.is_empty())
    }

    /// Tags a sentence, so that a tagger that cannot work is known before a job begins. A failure in a language that
    /// the configuration does not name is only a warning.
    ///
    /// # Errors
    /// [`Error::Usage`] if the program cannot be run, does not answer, or answers in another form.
    pub fn try_out(&self, config: &Config, cancel: &CancelToken) -> Result<()> {
        let named = config.emit.tagger_languages.first().or(config.language.keep.first());
        let language = named.map_or("eng", String::as_str);
        let document = "<doc>\n<p>\n<s>\nThis\nworks\n.\n</s>\n</p>\n</doc>\n".to_string();
        let answers = self.tag(language, &[document], cancel).map_err(|error| match error {
            Error::Refused(message) => Error::Usage(message),
            other => other,
        })?;
        let Some(Err(failure)) = answers.into_iter().next() else { return Ok(()) };
        let message = format!("emit.tagger failed on a trial sentence (English, tagged as {language}): {failure}");
        if named.is_some() {
            return Err(Error::Usage(message));
        }
        tracing::warn!("{message}");
        Ok(())
    }

    /// Tags documents of one language. Each is vertical text that ends with `</doc>`. Returns one result per document.
    ///
    /// # Errors
    /// [`Error::Refused`] if the program cannot be run or hangs at all documents, [`Error::Interrupted`] if the job was
    /// cancelled.
    pub fn tag(
        &self,
        language: &str,
        documents: &[String],
        cancel: &CancelToken,
    ) -> Result<Vec<std::result::Result<Tags, Failure>>> {
        let mut answers = Vec::with_capacity(documents.len());
        let mut failures = 0;
        while let Some(rest) = documents.get(answers.len()..).filter(|rest| !rest.is_empty()) {
            if failures == MAX_FAILURES {
                answers.extend(rest.iter().map(|_| Err(Failure::GivenUp)));
                break;
            }
            let run = self.run(language, rest, cancel)?;
            answers.extend(run.answers);
            let Some(failure) = run.ended_by else { continue };
            failures += 1;
            // The program may have lost output for a document that is not the cause of the failure. A run with the next
            // document alone tells whether that one is the cause.
            let Some(next) = documents.get(answers.len()..answers.len() + 1).filter(|_| rest.len() > 1) else {
                answers.extend(documents.get(answers.len()..).into_iter().flatten().map(|_| Err(failure.clone())));
                continue;
            };
            let mut alone = self.exchange(self.start(language)?, language, next, cancel)?;
            answers.push(alone.answers.pop().unwrap_or(Err(failure)));
        }
        Ok(answers)
    }

    /// Gives documents to a program until all are answered or the program fails.
    fn run(&self, language: &str, documents: &[String], cancel: &CancelToken) -> Result<TaggerRun> {
        if let Some(waiting) = self.take(language) {
            let run = self.exchange(waiting, language, documents, cancel)?;
            // A program that ended while it waited failed on none of the documents.
            if run.ended_by.is_none() || !run.answers.is_empty() {
                return Ok(run);
            }
        }
        self.exchange(self.start(language)?, language, documents, cancel)
    }

    fn start(&self, language: &str) -> Result<Session> {
        Session::start(&self.command.replace("{lang}", language), language)
    }

    fn exchange(
        &self,
        mut session: Session,
        language: &str,
        documents: &[String],
        cancel: &CancelToken,
    ) -> Result<TaggerRun> {
        session.send(documents, self.buffers.load(Ordering::Relaxed));
        let mut answers = Vec::with_capacity(documents.len());
        for document in documents {
            match session.answer(document, self, cancel)? {
                Answer::Complete(answer) => {
                    self.hangs.store(0, Ordering::Relaxed);
                    answers.push(answer);
                }
                Answer::Missing(failure) => {
                    let status = session.kill();
                    if status.and_then(|s| s.code()).is_some_and(|code| NOT_RUNNABLE.contains(&code)) {
                        let message = session.stderr_text();
                        return Err(Error::Refused(format!("emit.tagger cannot be run: {}", message.trim())));
                    }
                    if let Failure::Silent(seconds) = failure
                        && self.hangs.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_HANGS
                    {
                        return Err(Error::Refused(format!(
                            "emit.tagger neither read nor wrote for {seconds} s, {MAX_HANGS} times in a row; mend it or raise \
                             emit.tagger_seconds"
                        )));
                    }
                    let failure = match failure {
                        Failure::Died(_) => Failure::Died(session::describe_exit(status, &session.stderr_text())),
                        failure => failure,
                    };
                    return Ok(TaggerRun { answers, ended_by: Some(failure) });
                }
            }
        }
        self.put(language, session);
        Ok(TaggerRun { answers, ended_by: None })
    }

    /// A program that waits for documents of the language.
    fn take(&self, language: &str) -> Option<Session> {
        let mut idle = self.idle.lock().ok()?;
        let last = idle.iter().rposition(|(known, _)| known == language)?;
        Some(idle.remove(last).1)
    }

    /// Keeps a program that has answered all its documents.
    fn put(&self, language: &str, session: Session) {
        if session.held_back() {
            self.buffers.store(true, Ordering::Relaxed);
        }
        let Ok(mut idle) = self.idle.lock() else { return };
        if session.takes_more() {
            idle.push((language.to_string(), session));
        }
        let surplus = idle.len().saturating_sub(MAX_IDLE);
        idle.drain(..surplus);
    }
}

/// The result of a run: answers for the first documents, and the failure if the others have none.
struct TaggerRun {
    answers: Vec<std::result::Result<Tags, Failure>>,
    ended_by: Option<Failure>,
}

#[cfg(test)]
mod tests {
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
        assert!(
            tag("warcorpus-has-no-such-tagger", &["a"]).is_err_and(|error| error.to_string().contains("emit.tagger"))
        );
    }

    #[test]
    fn a_program_that_always_dies_is_given_up() {
        let tags = tag("exit 1", &["a"; 30]).unwrap();
        assert_eq!(tags.len(), 30);
        assert_eq!(tags[0].as_ref().unwrap_err().name(), "died");
        assert_eq!(tags[29], Err(Failure::GivenUp));
    }
}
