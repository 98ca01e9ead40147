//! Any text in any language: identified, cut into sentences and tokens, which together are the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warcorpus::config::Config;
use warcorpus::language::{Identifier, known_codes};
use warcorpus::text::segments::Segmenter;

fuzz_target!(|data: (u8, &str)| {
    let (number, text) = data;
    let codes = known_codes();
    let code = codes.get(usize::from(number) % codes.len()).copied().unwrap_or_default();
    Identifier::new(&Config::default().language).paragraph(text, code);
    let segmenter = Segmenter::default();
    let cutter = segmenter.language(code);
    let mut tokens = Vec::new();
    for sentence in cutter.sentences(text) {
        cutter.tokens(text, sentence, &mut tokens);
    }
    let cut: String = tokens.into_iter().filter_map(|token| text.get(token.range)).collect();
    assert_eq!(cut, text.split_whitespace().collect::<String>());
});
