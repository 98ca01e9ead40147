//! Any text in any language: identified, cut into sentences and tokens, which together are the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warcorpus::language::{Identifier, Language, Options};
use warcorpus::text::segments::Segmenter;

fuzz_target!(|data: (u8, &str)| {
    let (number, text) = data;
    let languages: Vec<Language> = Language::all().collect();
    let language = languages.get(usize::from(number) % languages.len()).copied().unwrap_or_default();
    let code = language.code();
    Identifier::new(&Options::default()).paragraph(text, language);
    let segmenter = Segmenter::default();
    let cutter = segmenter.language(code);
    let mut tokens = Vec::new();
    for sentence in cutter.sentences(text) {
        cutter.tokens(text, sentence, &mut tokens);
    }
    let cut: String = tokens.into_iter().filter_map(|token| text.get(token.range)).collect();
    assert_eq!(cut, text.split_whitespace().collect::<String>());
});
