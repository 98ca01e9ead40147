use super::super::MOST_NAMED;
use super::*;

#[test]
fn lists_of_words_are_read_by_the_names_of_their_files() {
    let words = |name: &str, text: &str, list| {
        let thresholds = Thresholds::parse_file(name, text).unwrap();
        assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
        let words = thresholds.words(list).into_iter();
        words.map(|(language, words)| format!("{language} {}", words.len())).collect::<Vec<_>>().join(", ")
    };
    let all = r#"{"cs": ["a", "na"], "en": ["the"], "xx": ["y"]}"#;
    assert_eq!(words("stopwords-all.json", all, WordList::RpsStopWords), "ces 2, eng 1");
    assert_eq!(words("de.json", r#"["der", "die", "das"]"#, WordList::RpsStopWords), "deu 3");
    assert_eq!(words("en", "bad word\nworse\n\n", WordList::Ldnoobw), "eng 2");
    assert_eq!(words("fr.txt", "bad", WordList::Ldnoobw), "fra 1");
    assert_eq!(words("kab", "bad\nworse", WordList::Ldnoobw), "kab 2");
    assert_eq!(words("fr-CA-u-sd-caqc", "bad", WordList::Ldnoobw), "fra 1");
    for unknown in ["fil", "tlh", "LICENSE", "README.md"] {
        assert_eq!(words(unknown, "bad word\n", WordList::Ldnoobw), "", "{unknown}");
    }
    assert_eq!(words("own", "[ces]\nrps_stop_words = ['a']", WordList::RpsStopWords), "ces 1");
    assert_eq!(words("own.toml", "[ces]\nrps_stop_words = ['a']", WordList::RpsStopWords), "ces 1");
    assert!(Thresholds::parse_file("limits", "gopher_long_dok = 3").is_err());
    assert!(Thresholds::parse_file("ces", "gopher_short_doc = 3").unwrap().words(WordList::Ldnoobw).is_empty());
    assert!(Thresholds::parse_file("x.json", "[1]").unwrap_err().contains("lists of stop words"));
}

#[test]
fn of_lists_of_one_language_that_of_the_language_itself_counts() {
    let mut files = Files::default();
    for (name, text) in [
        ("README.md", "# x"),
        ("fil", "a"),
        ("fr", "a\nb"),
        ("fr-CA-u-sd-caqc", "c"),
        ("own", "[ces]\nstop_words = ['a']"),
    ] {
        files.add(name, text).unwrap();
    }
    let Chosen { thresholds, others, unknown } = files.chosen();
    assert_eq!(thresholds.words(WordList::Ldnoobw)["fra"].len(), 2);
    assert!(thresholds.words(WordList::StopWords).contains_key("ces"));
    assert_eq!(others, ["fr-CA-u-sd-caqc (fr counts)"]);
    assert_eq!(unknown, ["README.md", "fil"]);
    let many: Vec<String> = (0..=MOST_NAMED).map(|_| "a\u{1b}b".into()).collect();
    assert!(listed(&many).ends_with(&format!("a b, … ({})", MOST_NAMED + 1)));
}

/// A configuration whose list of stop words is one word.
fn fineweb_2(stop_word: &str) -> String {
    format!(
        "dup_line_frac: 0.3\ndup_n_grams: [[5, 0.2]]\ntop_n_grams: [[2, 0.1]]\nline_punct_thr: 0.1\n\
         max_avg_word_length: 11\nmax_non_alpha_words_ratio: 0.8\nmin_avg_word_length: 2\nnew_line_ratio: 0.2\n\
         stopwords: [{stop_word}]\n"
    )
}

#[test]
fn of_configurations_of_one_language_the_usual_variety_and_script_counts() {
    let stop_words = |names: &[&str]| {
        let mut files = Files::default();
        names.iter().for_each(|name| files.add(&format!("{name}.yml"), &fineweb_2(name)).unwrap());
        let Chosen { thresholds, others, unknown } = files.chosen();
        let words = thresholds.words(WordList::StopWords).into_values().flatten().collect::<Vec<_>>();
        (words.join(" "), others.join(" "), unknown.join(" "))
    };
    for (names, counts) in [
        (["hin_Deva", "hin_Latn"], "hin_Deva"),
        (["srp_Cyrl", "srp_Latn"], "srp_Cyrl"),
        (["cmn_Hani", "yue_Hani"], "cmn_Hani"),
        (["arb_Arab", "arz_Arab"], "arb_Arab"),
        (["aeb_Arab", "arb_Latn"], "aeb_Arab"),
        (["uzn_Cyrl", "uzn_Latn"], "uzn_Latn"),
        (["als_Latn", "sqi_Latn"], "sqi_Latn"),
        (["aln_Latn", "als_Latn"], "als_Latn"),
        (["prs_Arab", "pes_Arab"], "pes_Arab"),
    ] {
        let [first, second] = names;
        let other = if first == counts { second } else { first };
        for order in [names, [second, first]] {
            let wanted = (counts.to_string(), format!("{other}.yml ({counts}.yml counts)"), String::new());
            assert_eq!(stop_words(&order), wanted);
        }
    }
    assert_eq!(stop_words(&["hin_Latn", "xho_Latn", "zzz_Latn"]).0, "hin_Latn xho_Latn");
    assert_eq!(stop_words(&["zzz_Latn"]).2, "zzz_Latn.yml");
}

#[test]
fn files_that_are_named_one_by_one_win_by_their_order() {
    let mut thresholds = Thresholds::default();
    for name in ["hin_Deva.yml", "hin_Latn.yml"] {
        let mut files = Files::default();
        files.add(name, &fineweb_2(name)).unwrap();
        thresholds.extend(files.thresholds());
    }
    assert!(thresholds.words(WordList::StopWords)["hin"].contains("hin_Latn.yml"));
}

#[test]
fn every_language_has_a_usual_script_and_standard_members_have_a_macrolanguage() {
    assert!(Language::all().all(|language| usual_script(language).is_some()));
    let all: Vec<_> = STANDARD.iter().map(|code| language_of_fineweb2(code)).collect();
    assert!(all.iter().all(Option::is_some) && STANDARD.iter().all(|code| Language::by_code(code).is_none()));
}

#[test]
fn the_list_of_cursed_substrings_is_read() {
    let list = "orem ipsum\n г\\.\n№\n(?i)xx\n[^ ] [^ ]$\n\\|\\s*$\na|b\n";
    let thresholds = Thresholds::parse_cursed(list).unwrap();
    let cursed = thresholds.cursed().unwrap().unwrap();
    for (sentence, found) in [
        ("Lorem ipsum", true),
        ("x г\\.", true),
        ("x г.", false),
        ("tXXt", true),
        ("t t", true),
        ("t t.", false),
        ("c|", true),
        ("c", false),
    ] {
        assert_eq!(cursed.is_match(sentence), found, "{sentence}");
    }
    assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
    assert!(!thresholds.is_empty());
    for wrong in ["a\nb\nc", "a\n\nb\nc\nd\ne", "a\nb\nc\n(\nd"] {
        assert!(Thresholds::parse_cursed(wrong).is_err(), "{wrong}");
    }
    assert!(Thresholds::parse("cursed_patterns = [3]").unwrap_err().contains("list of words"));
}

#[test]
fn configurations_of_fineweb_2_are_read_as_they_are() {
    let text = "dup_line_frac: 0.333\ndup_n_grams:\n- - 5\n  - 0.193\n- - 6\n  - 0.175\nlanguage_score: 0.88\n\
                line_punct_thr: 0.125\nmax_avg_word_length: 11\nmax_non_alpha_words_ratio: 0.781\n\
                min_avg_word_length: 0\nnew_line_ratio: 0.233\nstopwords:\n- v\n- a\ntop_n_grams:\n- - 2\n  - 0.095\n";
    let thresholds = Thresholds::parse_fineweb2("ces_Latn.yml", text).unwrap();
    let of = |rule| thresholds.of("ces", rule, rule);
    assert_eq!(of("dup_line_frac"), Some(Some(0.333)));
    assert_eq!(of("top_2_gram"), Some(Some(0.095)));
    assert_eq!(of("duplicated_6_n_grams"), Some(Some(0.175)));
    assert_eq!(of("gopher_below_avg_threshold"), Some(None));
    assert!(thresholds.words(WordList::StopWords)["ces"].contains("v"));
    assert!(Thresholds::parse_fineweb2("cmn_Hani.yml", text).unwrap().words(WordList::StopWords).contains_key("zho"));
    assert!(Thresholds::parse_fineweb2("xho_Latn.yml", text).is_ok());
    assert!(Thresholds::parse_fineweb2("ces_Latn.yml", "dup_line_frac: [").is_err());
    let unknown = text.replace("- - 6", "- - 60");
    assert_eq!(
        Thresholds::parse_fineweb2("ces_Latn.yml", &unknown),
        Err("no rule `duplicated_60_n_grams`".to_string())
    );
    assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
}
