//! Repeated paragraphs, on documents small enough to work out by hand.

use warcorpus::document::{Document, Paragraph};

use super::{Form, Page, build, paragraphs, words};

/// Why a document is dropped, and what becomes of each of its paragraphs.
type Fate = (String, Vec<String>);

fn fates(pages: &[Page], sets: &[&str]) -> Vec<Fate> {
    let corpus = build(Form::Wet, pages, sets);
    let paragraphs = paragraphs(&corpus);
    let of_paragraph = |p: &Paragraph| match (p.kept, p.repeated) {
        (true, false) => "kept".to_string(),
        (true, true) => "marked".to_string(),
        (false, _) => p.drop_reason.to_string(),
    };
    let of = |d: Document| (d.drop_reason.to_string(), paragraphs[&d.doc].iter().map(of_paragraph).collect());
    corpus.documents().into_iter().map(of).collect()
}

/// Thirty words from this one on.
fn thirty(first: u64) -> String {
    words(first..first + 30)
}

fn pages() -> [Page; 7] {
    let paragraphs = [
        vec![thirty(0), thirty(100), thirty(200), thirty(300)],
        // Three of four.
        vec![thirty(0), thirty(1000), thirty(100), thirty(200)],
        // One of three, at the edge.
        vec![thirty(0), thirty(2000), thirty(3000)],
        // All of it, from two documents.
        vec![thirty(300), thirty(1000)],
        // Too short to stay beside what is repeated; it is alone.
        vec![words(4000..4015)],
        // One of three, in the middle.
        vec![thirty(5000), thirty(100), thirty(6000)],
        // The short one, and more.
        vec![words(4000..4015), thirty(7000)],
    ];
    let mut number = 0;
    paragraphs.map(|lines| {
        number += 1;
        Page::new(format!("https://{number}.example/"), lines.join("\n"))
    })
}

fn assert_fates(sets: &[&str], want: [(&str, &[&str]); 7]) {
    let want: Vec<Fate> =
        want.iter().map(|(reason, of)| (reason.to_string(), of.iter().map(ToString::to_string).collect())).collect();
    assert_eq!(fates(&pages(), sets), want, "{sets:?}");
}

/// What may be too short to stay owns nothing: its words are new where the last document has them.
#[test]
fn stubs_go_with_what_is_repeated() {
    assert_fates(
        &[],
        [
            ("", &["kept", "kept", "kept", "kept"]),
            ("", &["overlap", "kept", "overlap", "overlap"]),
            ("", &["overlap", "kept", "kept"]),
            ("overlap", &["overlap", "overlap"]),
            ("", &["kept"]),
            ("", &["kept", "overlap", "kept"]),
            ("", &["kept", "kept"]),
        ],
    );
}

#[test]
fn bridges_stay() {
    let without_bridge: [(&str, &[&str]); 7] = [
        ("", &["kept", "kept", "kept", "kept"]),
        ("", &["overlap", "kept", "overlap", "overlap"]),
        ("", &["overlap", "kept", "kept"]),
        ("overlap", &["overlap", "overlap"]),
        ("", &["kept"]),
        ("", &["kept", "overlap", "kept"]),
        ("", &["overlap", "kept"]),
    ];
    assert_fates(&["overlap.smoothing=none"], without_bridge);
    let mut with_bridge = without_bridge;
    with_bridge[5].1 = &["kept", "kept", "kept"];
    assert_fates(&["overlap.smoothing=bridge"], with_bridge);
}

#[test]
fn documents_can_be_judged_as_wholes() {
    assert_fates(
        &["overlap.level=document"],
        [
            ("", &["kept", "kept", "kept", "kept"]),
            ("overlap", &["overlap", "overlap", "overlap", "overlap"]),
            ("", &["kept", "kept", "kept"]),
            ("overlap", &["overlap", "overlap"]),
            ("", &["kept"]),
            ("", &["kept", "kept", "kept"]),
            ("", &["kept", "kept"]),
        ],
    );
    let corpus = build(Form::Wet, &pages(), &["overlap.level=document"]);
    let (documents, paragraphs) = (corpus.documents(), paragraphs(&corpus));
    let shares = [0.0, 0.75, 1.0 / 3.0, 1.0, 0.0, 1.0 / 3.0, 0.0];
    for (document, share) in documents.iter().zip(shares) {
        assert!(paragraphs[&document.doc].iter().all(|p| p.seen_share == Some(share)), "{}", document.url);
    }
}

/// Nothing goes, so the short document owns its words.
#[test]
fn repetitions_can_be_marked_only() {
    assert_fates(
        &["overlap.action=mark"],
        [
            ("", &["kept", "kept", "kept", "kept"]),
            ("", &["marked", "kept", "marked", "marked"]),
            ("", &["marked", "kept", "kept"]),
            ("", &["marked", "marked"]),
            ("", &["kept"]),
            ("", &["kept", "marked", "kept"]),
            ("", &["marked", "kept"]),
        ],
    );
}

/// Two sentences in another order are repeated; a part of one inside another sentence is not, however
/// many n-grams of it are.
#[test]
fn sentences_are_repeated_whole_or_not_at_all() {
    let sentence = |text: String| text[..1].to_uppercase() + &text[1..] + ".";
    let [one, two, three] = [thirty(0), thirty(100), thirty(200)].map(sentence);
    let quoting = sentence(format!("{} {} {}", words(300..320), words(205..225), words(320..340)));
    let pages = [
        Page::new("https://a.example/", format!("{one} {two}\n{three}")),
        Page::new("https://b.example/", format!("{two} {one}\n{quoting}\n{}", sentence(thirty(400)))),
    ];
    for (unit, quoted) in [("sentence", 0.0), ("ngram", 20.0 / 60.0)] {
        let corpus = build(Form::Wet, &pages, &[&format!("overlap.unit={unit}")]);
        let (documents, paragraphs) = (corpus.documents(), paragraphs(&corpus));
        assert!(documents.iter().all(|document| document.kept), "{unit}");
        assert!(paragraphs[&documents[0].doc].iter().all(|p| p.kept && p.seen_share == Some(0.0)), "{unit}");
        let second = &paragraphs[&documents[1].doc];
        let shares: Vec<Option<f32>> = second.iter().map(|p| p.seen_share).collect();
        assert_eq!(shares, [Some(1.0), Some(quoted), Some(0.0)], "{unit}");
        let reasons: Vec<&str> = second.iter().map(|p| p.drop_reason.name()).collect();
        assert_eq!(reasons, ["overlap", "", ""], "{unit}");
    }
}
