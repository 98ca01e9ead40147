//! Any bytes as a payload: decoded, cut into blocks, classed, judged, its metadata read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warcorpus::clean::justext::{Params, classify};
use warcorpus::clean::main_content::score_blocks;
use warcorpus::clean::stoplist::Stoplist;
use warcorpus::page::{blocks, charset, metadata};

fuzz_target!(|data: &[u8]| {
    let Ok(decoded) = charset::decode(data, None, Some("cz"), None, false) else { return };
    let page = blocks::page(&decoded.text, &blocks::Options::default());
    let verdicts = classify(&page.blocks, Some(Stoplist::all()), &Params::default());
    assert_eq!(verdicts.len(), page.blocks.len());
    let stopwords: Vec<f32> = verdicts.iter().map(|verdict| verdict.stopword_density).collect();
    let scores = score_blocks(&page, &stopwords);
    assert_eq!(scores.len(), page.blocks.len());
    assert!(scores.iter().all(|block| block.score.is_finite()));
    metadata::metadata(&page.head, "http://example.org/2024/05/06/a", None, &[], None);
});
