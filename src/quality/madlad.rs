//! The rules of MADLAD-400 about questionable sentences (Kudugunta et al. 2023, section 2.3). Reference: datamap-rs,
//! `src/map_fxn.rs` (`Madlad400SentenceAnnotator`, `Madlad400RuleFilter`). A sentence ends with a run of `.`, `!` or `?` and white
//! space behind it, line ends included; the marks and the white space are not part of it.
//!
//! The reference counts bytes where the paper counts characters: sentences in other scripts than Latin are too long for it
//! with a third of the letters. `madlad_abnormal_len`, `madlad_technical_characters` and `madlad_questionable` do so,
//! `madlad_questionable_characters` does not. The first rule of the paper, about sentences in another language than the document,
//! is a group of its own, since every sentence has to be identified for it.

use std::ops::Range;

use memchr::memchr3;
use regex::Regex;

use super::characters::{self, UPPER, WORD, is};
use super::recipe::{Step, below, least};
use super::{Signals, Text, number, share};
use crate::language::{Identifier, Language};

/// Fewest words of a sentence that can be in list case.
const LIST_WORDS: usize = 12;
/// Lengths of usual sentences.
const LENGTHS: std::ops::RangeInclusive<usize> = 20..=500;

/// Rules over the share of questionable sentences that a signal holds.
pub(super) fn steps(questionable: &'static str) -> Vec<Step> {
    vec![least("too_short", "madlad_num_sentences", 5.0), below("too_many_sus_sentences", questionable, 0.2)]
}

/// Numbers of sentences: of all, and of those that a rule finds questionable.
#[derive(Debug, Default)]
struct SentenceCounts {
    all: usize,
    list_case: usize,
    abnormal: usize,
    technical: usize,
    cursed: usize,
    /// Those of any rule, and of any rule with lengths in characters.
    questionable: usize,
    questionable_characters: usize,
    list_case_or_cursed: usize,
    other_language: usize,
    /// Those of any rule, lengths in characters, or in another language.
    questionable_paper: usize,
}

/// Tells the languages of sentences.
#[derive(Debug, Clone, Copy)]
pub struct Languages<'l> {
    pub identifier: &'l Identifier,
    /// The language of the document.
    pub document: Language,
}

impl Languages<'_> {
    fn is_other(&self, sentence: &str) -> bool {
        let language = self.identifier.paragraph(sentence, self.document).language;
        language != Language::UNDETERMINED && language != self.document
    }
}

/// `cursed` matches what no sound sentence has, if there is a list of that. Without `languages` those of sentences are not told.
pub fn measure(text: &Text, cursed: Option<&Regex>, languages: Option<Languages<'_>>, signals: &mut Signals) {
    let languages = languages.filter(|languages| languages.document != Language::UNDETERMINED);
    let mut counts = SentenceCounts::default();
    for range in sentences(&text.text) {
        let sentence = text.text.get(range.clone()).unwrap_or_default();
        if !sentence.trim().is_empty() {
            let is_questionable = counts.add(
                sentence,
                is_list_case(text, &range),
                cursed.is_some_and(|cursed| cursed.is_match(sentence)),
            );
            let is_other = languages.is_some_and(|languages| languages.is_other(sentence));
            counts.other_language += usize::from(is_other);
            counts.questionable_paper += usize::from(is_other || is_questionable);
        }
    }
    let of = |count: usize| share(count, counts.all);
    signals.madlad_num_sentences = number(counts.all);
    signals.madlad_list_case = of(counts.list_case);
    signals.madlad_abnormal_len = of(counts.abnormal);
    signals.madlad_technical_characters = of(counts.technical);
    signals.madlad_cursed = cursed.and_then(|_| of(counts.cursed));
    signals.madlad_questionable = of(counts.questionable);
    signals.madlad_questionable_characters = of(counts.questionable_characters);
    signals.madlad_list_case_or_cursed = of(counts.list_case_or_cursed);
    signals.madlad_other_language = languages.and_then(|_| of(counts.other_language));
    signals.madlad_questionable_paper = languages.and_then(|_| of(counts.questionable_paper));
}

impl SentenceCounts {
    /// Returns whether the sentence is questionable, lengths in characters.
    fn add(&mut self, sentence: &str, list_case: bool, cursed: bool) -> bool {
        let characters = characters::count(sentence);
        let marks = sentence.bytes().filter(|byte| is_technical(*byte)).count();
        let is_abnormal = |length: usize| !LENGTHS.contains(&length);
        // More than a fifth.
        let has_technical = |length: usize| marks * 5 > length;
        let add = |count: &mut usize, is: bool| *count += usize::from(is);
        self.all += 1;
        add(&mut self.list_case, list_case);
        add(&mut self.cursed, cursed);
        add(&mut self.list_case_or_cursed, list_case || cursed);
        add(&mut self.abnormal, is_abnormal(sentence.len()));
        add(&mut self.technical, has_technical(sentence.len()));
        let is_questionable = |length: usize| list_case || cursed || is_abnormal(length) || has_technical(length);
        add(&mut self.questionable, is_questionable(sentence.len()));
        add(&mut self.questionable_characters, is_questionable(characters));
        is_questionable(characters)
    }
}

fn is_technical(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'{' | b'}' | b'+' | b'/' | b'(' | b')' | b'>')
}

/// Whether most of twelve words or more begin with a capital letter. Marks are no words.
fn is_list_case(text: &Text, sentence: &Range<usize>) -> bool {
    let (mut words, mut capitals) = (0, 0);
    for word in text.words_in(sentence).iter().map(|place| text.word(*place)) {
        if word.chars().any(|c| is(c, WORD) && c != '_') {
            words += 1;
            capitals += usize::from(word.chars().next().is_some_and(|c| is(c, UPPER)));
        }
    }
    words >= LIST_WORDS && capitals * 2 > words
}

/// The parts of a text between matches of `[.!?]+\s+`; some may be empty.
fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut begin = Some(0);
    std::iter::from_fn(move || {
        let start = begin?;
        let mut from = start;
        loop {
            let tail = text.get(from..).unwrap_or_default();
            let Some(found) = memchr3(b'.', b'!', b'?', tail.as_bytes()) else {
                begin = None;
                return Some(start..text.len());
            };
            let mark = from + found;
            let behind = tail.get(found..).unwrap_or_default().trim_start_matches(['.', '!', '?']);
            let next = behind.trim_start();
            from = text.len() - behind.len();
            if next.len() < behind.len() {
                begin = Some(text.len() - next.len());
                return Some(start..mark);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::quality::thresholds::Thresholds;
    use crate::quality::{Group, Meter, Recipe};

    /// A text whose words are those between blanks.
    fn text(text: &str) -> Text {
        let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        let words: Vec<_> =
            characters::split(text).map(|word| (place(word) as u32, (place(word) + word.len()) as u32)).collect();
        Text::given(text, &words, &[])
    }

    fn measured(content: &str, cursed: Option<&str>) -> Signals {
        let mut signals = Signals::default();
        measure(&text(content), cursed.map(|cursed| Regex::new(cursed).unwrap()).as_ref(), None, &mut signals);
        signals
    }

    fn failed(name: &str, content: &str) -> Option<String> {
        let list = "cursed_substrings = [\"Ep\\\\.\"]\ncursed_patterns = [\"nr$\"]";
        let recipe = Recipe::new(name, Thresholds::parse(list).unwrap(), &[], &[], &[]).unwrap();
        recipe.measure(1, "eng", &text(content), &[], &mut Meter::default()).1.failed.map(Into::into)
    }

    proptest! {
        #[test]
        fn as_the_expression_parts(content in "[a.!? \n\u{a0}\u{2028}\u{1f}é]{0,60}") {
            let parted: Vec<&str> = Regex::new(r"[.!?]+\s+").unwrap().split(&content).collect();
            let own: Vec<&str> = sentences(&content).map(|range| &content[range]).collect();
            prop_assert_eq!(own, parted);
        }

        #[test]
        fn as_the_slow_definitions_say(
            parts in prop::collection::vec("[A-C]?[a-d0-9(é ]{0,30}|([A-B]?[ab] ){10,14}|[é]{9,11}|[a-z]{499,501}", 0..12),
        ) {
            let content = parts.join(". ");
            let all: Vec<&str> = Regex::new(r"[.!?]+\s+").unwrap().split(&content).collect();
            let all: Vec<&str> = all.into_iter().filter(|sentence| !sentence.trim().is_empty()).collect();
            let technical = |sentence: &str| sentence.chars().filter(|c| "0123456789{}+/()>".contains(*c)).count();
            let listed = |sentence: &str| {
                let words: Vec<&str> =
                    sentence.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).collect();
                let capitals = words.iter().filter(|word| word.starts_with(char::is_uppercase)).count();
                words.len() >= 12 && capitals as f32 > words.len() as f32 * 0.5
            };
            let questionable = |sentence: &str, length: usize| {
                listed(sentence) || !(20..=500).contains(&length) || technical(sentence) as f32 > length as f32 * 0.2
            };
            let of = |is: &dyn Fn(&str) -> bool| {
                let count = all.iter().filter(|sentence| is(sentence)).count();
                (!all.is_empty()).then(|| count as f64 / all.len() as f64)
            };
            let signals = measured(&content, None);
            prop_assert_eq!(signals.madlad_num_sentences, Some(all.len() as u32));
            prop_assert_eq!(signals.madlad_list_case, of(&listed));
            prop_assert_eq!(signals.madlad_questionable, of(&|sentence| questionable(sentence, sentence.len())));
            let in_characters = of(&|sentence| questionable(sentence, sentence.chars().count()));
            prop_assert_eq!(signals.madlad_questionable_characters, in_characters);
            prop_assert_eq!(signals.madlad_cursed, None);
        }
    }

    const SOUND: &str = "This is a sentence of some usual length.";

    #[test]
    fn a_fifth_of_questionable_sentences_is_too_much() {
        let content = |sound: usize, more: &[&str]| [[SOUND].repeat(sound).as_slice(), more].concat().join("\n");
        assert_eq!(failed("madlad", &content(4, &[])).as_deref(), Some("too_short"));
        assert_eq!(failed("madlad", &content(5, &[])), None);
        assert_eq!(failed("madlad", &content(4, &["Short."])).as_deref(), Some("too_many_sus_sentences"));
        assert_eq!(failed("madlad", &content(5, &["Short."])), None);
        // This one has no rule about lengths.
        assert_eq!(failed("madlad.all_dressed", &content(4, &["Short."])), None);
        assert_eq!(
            failed("madlad.all_dressed", &content(4, &[r"See Ep\.3 of it, it is worth it"])).as_deref(),
            Some("too_many_sus_sentences")
        );
        assert_eq!(
            failed("madlad.all_dressed", &content(4, &["It ends in a nr"])).as_deref(),
            Some("too_many_sus_sentences")
        );
        assert_eq!(failed("madlad.all_dressed", &content(4, &["The nr is not at its end, and so it is well"])), None);
        let missing = Recipe::new("madlad.all_dressed", Thresholds::default(), &[], &[], &[]).unwrap_err();
        assert!(missing.contains("cursed"), "{missing}");
    }

    #[test]
    fn bytes_are_not_characters() {
        let sentence = "б".repeat(300);
        let content = [sentence.as_str(); 5].join(". ");
        assert_eq!(failed("madlad.datamap", &content).as_deref(), Some("too_many_sus_sentences"));
        assert_eq!(failed("madlad.characters", &content), None);
    }

    #[test]
    fn hard_texts() {
        for (content, sentences) in [
            ("", 0),
            ("\n\n\n", 0),
            ("!!! ... ??? ", 0),
            ("One line without an end", 1),
            ("a.\u{2028}b!\u{2029}c", 3),
            ("a.\u{1f}b", 1),
            ("ประเทศไทยเป็นประเทศที่ตั้งอยู่ในภูมิภาคเอเชียตะวันออกเฉียงใต้", 1),
        ] {
            assert_eq!(measured(content, Some("x")).madlad_num_sentences, Some(sentences), "{content}");
        }
        assert_eq!(measured("", Some("x")).madlad_cursed, None);
        // Neither many marks without white space nor many of one kind take more than linear time.
        assert_eq!(measured(&"a.".repeat(1 << 20), None).madlad_abnormal_len, Some(1.0));
        assert_eq!(measured(&".".repeat(1 << 21), None).madlad_num_sentences, Some(1));
        assert_eq!(measured(&"a. ".repeat(1 << 19), None).madlad_num_sentences, Some(1 << 19));
    }

    #[test]
    fn the_group_alone_needs_no_list() {
        let recipe = Recipe::new("", Thresholds::default(), &[], &[Group::Madlad], &[]).unwrap();
        let (signals, _) = recipe.measure(1, "eng", &text(SOUND), &[], &mut Meter::default());
        assert_eq!((signals.madlad_num_sentences, signals.madlad_cursed), (Some(1), None));
    }

    #[test]
    fn sentences_in_another_language_are_questionable() {
        let identifier = Identifier::new(&crate::language::Options::default());
        let content = "Knihovna byla založena v roce 1897 a slouží obyvatelům celého okolí. The library has been open to \
            everybody since it was founded. Otevřeno má každý den kromě neděle a svátků. Ano. Knihy si lze půjčit na měsíc.";
        let of = |language: &str, meter: &mut Meter<'_>| {
            let recipe = Recipe::new("", Thresholds::default(), &[], &[Group::MadladLanguage], &[]).unwrap();
            let signals = recipe.measure(1, language, &text(content), &[], meter).0;
            (signals.madlad_other_language, signals.madlad_questionable_paper)
        };
        let mut meter = Meter::with(&identifier);
        // `Ano` is too short.
        assert_eq!(of("ces", &mut meter), (Some(0.2), Some(0.4)));
        assert_eq!(of("und", &mut meter), (None, None));
        assert_eq!(of("ces", &mut Meter::default()), (None, None));
    }
}
