//! What stands in place of personal data.

use super::*;
use crate::text::segments::Segmenter;

#[test]
fn a_mask_is_one_token_and_is_not_found_again() {
    let text = "Write to ann@example.org, 8.8.8.8.";
    let mut spans = find(text, &Kind::ALL, "eng");
    let masked = mask(text, &mut spans);
    assert_eq!(masked, "Write to EMAIL_ADDRESS, IP_ADDRESS.");
    assert!(spans.iter().all(|span| masked[span.range.clone()] == *span.kind.replacement()));
    let segmenter = Segmenter::default();
    for kind in Kind::ALL {
        let sentence = format!("See {}, please.", kind.replacement());
        assert!(find(&sentence, &Kind::ALL, "eng").is_empty());
        for language in ["eng", "deu", "ces", "zho", "jpn", "tha", "ara"] {
            assert!(tokens(&segmenter, language, &sentence).contains(&kind.replacement()), "{language}: {sentence}");
        }
    }
}

fn tokens<'t>(segmenter: &Segmenter, language: &str, text: &'t str) -> Vec<&'t str> {
    let tokenizer = segmenter.language(language);
    let mut tokens = Vec::new();
    tokenizer.sentences(text).into_iter().for_each(|sentence| tokenizer.tokens(text, sentence, &mut tokens));
    tokens.into_iter().map(|token| &text[token.range]).collect()
}

#[test]
fn a_mask_is_one_token_beside_any_character() {
    let segmenter = Segmenter::default();
    let beside: Vec<char> = (' '..='~').chain("ž汉「」“”«»„…–—¿¡§№ก".chars()).collect();
    let pairs = || beside.iter().flat_map(|before| beside.iter().map(move |after| (before, after)));
    for language in ["eng", "ces", "zho", "tha"] {
        for (before, after) in pairs() {
            let text = format!("Write {before}\0{after} now.");
            let at = text.find('\0').unwrap();
            let masked = mask(&text, &mut [Span { range: at..at + 1, kind: Kind::Email }]);
            assert!(tokens(&segmenter, language, &masked).contains(&"EMAIL_ADDRESS"), "{language}: {masked}");
        }
    }
}

#[test]
fn a_mask_does_not_merge_over_a_point() {
    let segmenter = Segmenter::default();
    for (text, masked) in [
        ("Tel: 01904 624447.TAKE the tour", "Tel: PHONE_NUMBER. TAKE the tour"),
        ("Fax:+12127365000.Tel:+12127365001", "Fax:PHONE_NUMBER. Tel:PHONE_NUMBER"),
        ("Tel.+12127365000 is ours.", "Tel. PHONE_NUMBER is ours."),
        ("Call +12127365000. Then wait.", "Call PHONE_NUMBER. Then wait."),
        ("Call +12127365000.", "Call PHONE_NUMBER."),
    ] {
        let mut spans = find(text, &Kind::ALL, "eng");
        let shown = mask(text, &mut spans);
        assert_eq!(shown, masked);
        for span in spans {
            assert_eq!(shown[span.range], *span.kind.replacement());
            assert!(tokens(&segmenter, "eng", &shown).contains(&span.kind.replacement()), "{shown}");
        }
    }
}
