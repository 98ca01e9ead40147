//! Text → language, as an ISO 639-3 code with a confidence, or `und`.
//!
//! `lingua` decides. It walks the n-grams of a text once for every candidate language, which makes
//! all 75 cost milliseconds; so it sees a bounded sample of a page, and for a paragraph that reads
//! like its document (by stop words), or is too short to tell 75 languages apart, only that language,
//! its near relatives and English.
//!
//! Lingua sums probabilities in the order of a randomly seeded hash map, so the last bits of a
//! confidence differ from run to run. Scores are rounded to a thousandth and ties go to the first
//! code in the alphabet; both are needed for byte-identical output.

use std::sync::LazyLock;

use fxhash::FxHashMap;
use lingua::Language::{self, *};
use lingua::{LanguageDetector, LanguageDetectorBuilder};

use crate::config;
use crate::text::words::is_unspaced;

/// The code of a text whose language is not determined.
pub const UNDETERMINED: &str = "und";

/// A language and how sure it is, 0 to 1; 0 for `und` decided by length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Identified {
    pub code: &'static str,
    pub score: f32,
}

/// Languages that are taken for one another. A language in none of them has no relative here.
const RELATIVES: &[&[Language]] = &[
    &[German, Dutch, Afrikaans],
    &[Danish, Swedish, Bokmal, Nynorsk, Icelandic],
    &[French, Spanish, Portuguese, Italian, Catalan, Romanian, Latin],
    &[Czech, Slovak, Polish, Slovene, Croatian, Bosnian],
    &[Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian, Kazakh, Mongolian],
    &[Latvian, Lithuanian],
    &[Finnish, Estonian],
    &[Indonesian, Malay, Tagalog],
    &[Turkish, Azerbaijani],
    &[Sotho, Tswana, Tsonga, Xhosa, Zulu, Shona, Swahili, Ganda],
    &[Arabic, Persian, Urdu],
    &[Hindi, Marathi],
    &[Chinese, Japanese],
];

static CODES: LazyLock<FxHashMap<Language, String>> =
    LazyLock::new(|| Language::all().into_iter().map(|l| (l, l.iso_code_639_3().to_string().to_lowercase())).collect());

fn code(language: Language) -> &'static str {
    CODES.get(&language).map_or(UNDETERMINED, String::as_str)
}

/// All codes that can be an answer, `und` excepted, sorted.
pub fn known_codes() -> Vec<&'static str> {
    let mut codes: Vec<&str> = CODES.values().map(String::as_str).collect();
    codes.sort_unstable();
    codes
}

/// Decides languages. Immutable; one serves all threads.
pub struct Identifier {
    all: LanguageDetector,
    related: FxHashMap<&'static str, LanguageDetector>,
    settings: config::Language,
}

impl Identifier {
    pub fn new(settings: &config::Language) -> Identifier {
        let related = Language::all().into_iter().map(|l| (code(l), detector_among(relatives(l)))).collect();
        Identifier { all: LanguageDetectorBuilder::from_all_languages().build(), related, settings: settings.clone() }
    }

    /// The language of a page, from the blocks that look most like running text.
    pub fn document<'a>(&self, blocks: impl Iterator<Item = Candidate<'a>>) -> Identified {
        self.identify(&self.all, &sample(blocks, self.settings.document_sample))
    }

    /// The language of a paragraph of a document in `document`. `typical`: only that language and its
    /// relatives are in question.
    pub fn paragraph(&self, text: &str, document: &str, typical: bool) -> Identified {
        let detector = self.related.get(document).filter(|_| typical).unwrap_or(&self.all);
        self.identify(detector, head(text, self.settings.paragraph_sample))
    }

    fn identify(&self, detector: &LanguageDetector, text: &str) -> Identified {
        let undetermined = |score| Identified { code: UNDETERMINED, score };
        if letters(text) < self.settings.min_letters {
            return undetermined(0.0);
        }
        let best = detector
            .compute_language_confidence_values(text)
            .into_iter()
            .map(|(language, confidence)| ((confidence * 1000.0).round() as i32, code(language)))
            .max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(a.1)));
        match best {
            Some((confidence, code)) if f64::from(confidence) >= self.settings.min_confidence * 1000.0 => {
                Identified { code, score: confidence as f32 / 1000.0 }
            }
            Some((confidence, _)) => undetermined(confidence as f32 / 1000.0),
            None => undetermined(0.0),
        }
    }
}

fn relatives(language: Language) -> Vec<Language> {
    let family = RELATIVES.iter().find(|family| family.contains(&language));
    let mut languages = family.map_or(vec![language], |family| family.to_vec());
    languages.push(English);
    if language == English {
        languages.extend([German, Dutch, French, Spanish]);
    }
    languages
}

fn detector_among(languages: Vec<Language>) -> LanguageDetector {
    LanguageDetectorBuilder::from_languages(&languages).build()
}

/// Letters of a text; one of a dense script says as much as three of an alphabet.
fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).map(|c| if is_unspaced(c) { 3 } else { 1 }).sum()
}

/// A block as a candidate for the sample: its text, length and linked length in characters.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    pub text: &'a str,
    pub characters: u32,
    pub link_characters: u32,
}

impl Candidate<'_> {
    /// 2 running text, 1 anything else that is no link, 0 links.
    fn rank(&self) -> u8 {
        match (self.link_characters * 5 <= self.characters, self.characters >= 70) {
            (true, true) => 2,
            (true, false) => 1,
            _ => 0,
        }
    }
}

/// At most `limit` characters from the four longest blocks of the best rank there is, in page order.
fn sample<'a>(blocks: impl Iterator<Item = Candidate<'a>>, limit: usize) -> String {
    const BLOCKS: usize = 4;
    let all: Vec<Candidate> = blocks.collect();
    let best = all.iter().map(Candidate::rank).max().unwrap_or(0);
    let mut chosen: Vec<(usize, &Candidate)> = all.iter().enumerate().filter(|(_, c)| c.rank() == best).collect();
    // Short blocks alone say little each: all of them are the sample.
    if best == 2 {
        chosen.sort_by_key(|(i, c)| (std::cmp::Reverse(c.characters), *i));
        chosen.truncate(BLOCKS);
        chosen.sort_by_key(|(i, _)| *i);
    }
    let share = if best == 2 { limit / chosen.len().max(1) } else { limit };
    let mut text = String::new();
    for (_, candidate) in chosen {
        text.push_str(head(candidate.text, share));
        text.push('\n');
        if text.len() >= limit * 4 {
            break;
        }
    }
    head(&text, limit + BLOCKS).to_string()
}

/// The first `limit` characters, cut at a word where there is one.
fn head(text: &str, limit: usize) -> &str {
    match text.char_indices().nth(limit) {
        None => text,
        Some((end, _)) => {
            let cut = text.get(..end).unwrap_or(text);
            cut.rfind(char::is_whitespace).filter(|&i| i * 2 > end).and_then(|i| cut.get(..i)).unwrap_or(cut)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn candidate(text: &str, links: u32) -> Candidate<'_> {
        Candidate { text, characters: text.chars().count() as u32, link_characters: links }
    }

    #[test]
    fn the_sample_prefers_running_text() {
        let prose = "a ".repeat(60);
        let blocks = [candidate("Home News Contact", 17), candidate(&prose, 0), candidate("short", 0)];
        assert_eq!(sample(blocks.into_iter(), 50).trim(), "a ".repeat(25).trim());
        assert_eq!(sample([candidate("Home", 4)].into_iter(), 50).trim(), "Home");
        assert_eq!(sample([].into_iter(), 50), "");
    }

    #[test]
    fn pages_and_paragraphs() {
        let identifier = Identifier::new(&Config::default().language);
        let czech = "Knihovna byla založena v roce 1897 a od té doby slouží obyvatelům celého okolí. Čtenáři si mohou půjčovat knihy.";
        let slovak = "Knižnica bola založená v roku 1897 a odvtedy slúži obyvateľom celého okolia. Čitatelia si môžu požičiavať knihy.";
        assert_eq!(identifier.document([candidate(czech, 0)].into_iter()).code, "ces");
        assert_eq!(identifier.paragraph(slovak, "ces", true).code, "slk");
        assert_eq!(
            identifier
                .paragraph("The library was founded in 1897 and serves everybody who lives nearby.", "ces", false)
                .code,
            "eng"
        );
        assert_eq!(
            identifier.paragraph("これは日本語の文章です。図書館は百年前に建てられました。", "jpn", true).code,
            "jpn"
        );
        assert_eq!(identifier.paragraph("OK 12", "ces", true).code, UNDETERMINED);
    }

    #[test]
    fn codes_are_iso_639_3() {
        let codes = known_codes();
        assert_eq!(codes.len(), 75);
        assert!(["ces", "eng", "zho", "nob"].iter().all(|c| codes.contains(c)));
    }
}
