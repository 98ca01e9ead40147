//! The rules of the languages: small TOML files, embedded, read when a language is first asked for.

use std::sync::{LazyLock, OnceLock};

use compact_str::CompactString;
use fxhash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::Scheme;
use super::chars::is_apostrophe;
use super::embedded::{FILES, GENERAL};
use crate::text::char_classes::is_uppercase;
use crate::text::lower_case::LowerCase;

/// Whether the full stop of an abbreviation ends the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abbreviation {
    /// The stop of the abbreviation never ends a sentence: `Mr.`, `e.g.`
    NeverEnds,
    /// The stop of the abbreviation ends a sentence before a capital letter: `etc.`
    MayEnd,
    /// The same behind a number, else it never ends one: `в 2018 г.`, but `в г. Москве`
    AfterNumber,
    /// The stop of the abbreviation ends a sentence before a starter only: `5 milj. Eesti`
    BeforeStarter,
    /// An abbreviation only before a number, else an ordinary word: `No. 5`, but `No.`
    BeforeNumber,
}

impl Abbreviation {
    /// Whether its stop may end a sentence.
    pub fn may_end(self) -> bool {
        matches!(self, Abbreviation::MayEnd | Abbreviation::AfterNumber | Abbreviation::BeforeStarter)
    }
}

/// The word list by which a language without spaces is tokenised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WordList {
    Jpn,
    Zho,
}

/// The keys of section `[users_way]`: what [`Scheme::UsersWay`] changes.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct UsersWayOverrides {
    cut_stop: Option<bool>,
    cut_hyphens: Option<bool>,
    cut_ranges: Option<bool>,
    clitics_after: Option<Vec<String>>,
    endings: Option<Vec<Ending>>,
}

/// A pair, `left+right`: a word that ends with both is cut between them.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct Ending {
    pub left: String,
    pub right: String,
}

impl TryFrom<String> for Ending {
    type Error = String;

    fn try_from(pair: String) -> Result<Ending, String> {
        let parts = pair.split_once('+').map(|(left, right)| (left.to_owned(), right.to_owned()));
        parts.map(|(left, right)| Ending { left, right }).ok_or_else(|| format!("`{pair}` is no pair with + between"))
    }
}

/// The rules of one language: the keys of its file, which `docs/segmentation.md` explains, and what is made of them. Words
/// are in lower case.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LanguageRules {
    #[serde(skip)]
    casing: LowerCase,
    /// Abbreviations without their final stop: those of the next five lists and of the general file.
    #[serde(skip)]
    abbreviations: FxHashMap<String, Abbreviation>,
    nosplit: Vec<String>,
    maybe: Vec<String>,
    after_number: Vec<String>,
    before_starters: Vec<String>,
    number: Vec<String>,
    users_way: Option<UsersWayOverrides>,
    /// [`Abbreviation::MayEnd`] ends a sentence before a starter only: nouns are capitalised as well.
    pub maybe_before_starters: bool,
    /// Words before which `a.m.` and `p.m.` end no sentence: `6 p.m. EST`.
    pub after_hours: FxHashSet<String>,
    pub months: FxHashSet<String>,
    pub starters: FxHashSet<String>,
    /// Endings of verbs: a capitalised word that has one is no name, and begins a sentence before a word in lower case.
    pub starter_endings: Vec<String>,
    /// A starter before a capitalised word begins a sentence if one of these verbs follows.
    pub finite_verbs: FxHashSet<String>,
    /// Starters that are capitalised within sentences as well: after a word they begin none.
    pub inner_starters: FxHashSet<String>,
    pub never_last: FxHashSet<String>,
    /// Digits with a stop are an ordinal number.
    pub ordinal_dot: bool,
    /// Digits with a stop are an ordinal number before a capital letter as well: the language capitalises nouns.
    pub ordinal_before_capital: bool,
    /// Dates are written with the year first and a stop behind each number: `2020. 3. 15.`
    pub year_first: bool,
    /// Endings of compounds that are shortened before a number: `Bahnhofstr. 12`.
    number_endings: Vec<String>,
    /// Initials of more than one character: `Gy`.
    initials: FxHashSet<String>,
    /// Words of one letter that may end a sentence and are no initials.
    pub last_words: FxHashSet<String>,
    /// Currencies that are written to the number behind them, in any spelling that occurs: `Rp50.000`.
    pub currencies: Vec<String>,
    /// Further characters that end a sentence.
    pub marks: String,
    /// A sentence may begin with a small letter.
    pub split_before_lower: bool,
    /// A capitalised starter begins a sentence behind a word that has no mark.
    pub starters_after_words: bool,
    /// A capitalised starter begins a sentence behind a colon, if enough stands before it.
    pub starters_after_colon: bool,
    /// A capitalised starter begins a sentence behind these characters.
    pub starters_after_marks: String,
    /// Words before a comma after which a letter begins: `Regards, Ann`.
    pub salutations: FxHashSet<String>,
    /// An apostrophe attaches small letters to the stop of an abbreviation: `T.C.'nin`.
    pub endings_after_stop: bool,
    /// An apostrophe stands for the century of a year: `'90`.
    pub short_years: bool,
    /// Texts hold messages: dates with a time of day, headers and list numbers begin their lines.
    pub stamps: bool,
    /// The stop of an abbreviation or ordinal is a token of its own.
    pub cut_stop: bool,
    /// An abbreviation keeps its stop at the end of a sentence as well.
    pub keep_last_stop: bool,
    /// A hyphen before white space belongs to its word.
    pub keep_last_hyphen: bool,
    pub cut_hyphens: bool,
    /// `1904-1905` is three tokens.
    pub cut_ranges: bool,
    /// A colon before small letters attaches an ending: `EU:n`, `5:e`.
    pub colon_endings: bool,
    pub gender_marks: bool,
    /// First parts that keep their hyphen where hyphens are cut.
    pub kept_prefixes: FxHashSet<String>,
    pub clitics_before: Vec<String>,
    pub clitics_after: Vec<String>,
    pub endings: Vec<Ending>,
    /// Last letters of all `endings`.
    #[serde(skip)]
    pub last_letters: Vec<char>,
    pub exceptions: FxHashSet<String>,
    /// Words that may have an apostrophe before them, and beginnings of words with a hyphen; a hyphen alone for any word.
    pub apostrophes_before: Vec<String>,
    /// Words that may have an apostrophe behind them; a hyphen for any word.
    pub apostrophes_after: Vec<String>,
    /// Characters of an unspaced script that are one token with the digits behind them.
    pub number_heads: String,
    /// Characters that are one token with the digits before them.
    pub number_tails: String,
    /// Scripts without spaces are cut into syllables: neither a word list nor ICU knows the language.
    pub syllables: bool,
    pub words: Option<WordList>,
    /// Words that are written together with the next one and make one word with it.
    pub joined_prefixes: Vec<String>,
    /// A space may end a sentence.
    pub spaces_end: bool,
    /// Words that begin or end no sentence where spaces end them.
    pub inner_words: Vec<String>,
}

impl LanguageRules {
    /// A word in lower case, for look-ups: without an allocation if it is short and ASCII.
    pub fn lower_case(&self, word: &str) -> CompactString {
        if word.is_ascii() && self.casing == LowerCase::Usual {
            let mut lower = CompactString::from(word);
            lower.make_ascii_lowercase();
            lower
        } else {
            self.casing.text(word).into()
        }
    }

    /// How a word, in lower case and without its stop, is abbreviated; none for an ordinary word.
    pub fn abbreviation(&self, lower: &str) -> Option<Abbreviation> {
        let listed = self.abbreviations.get(lower).copied();
        let is_compound = || self.number_endings.iter().any(|ending| lower.ends_with(ending.as_str()));
        listed.or_else(|| is_compound().then_some(Abbreviation::BeforeNumber))
    }

    /// The kind of a word that is written as it stands, if it is an abbreviation.
    pub fn abbreviation_of(&self, written: &str) -> Option<Abbreviation> {
        self.abbreviation(&straight(written, self))
    }

    /// Whether a part of a name is shortened to its first letter, which is a capital one and may be written with two characters.
    pub fn is_initial(&self, part: &str) -> bool {
        let mut letters = part.chars();
        letters.next().is_some_and(is_uppercase)
            && (letters.next().is_none()
                || !self.initials.is_empty() && self.initials.contains(straight(part, self).as_str()))
    }

    /// Parses the rule file of languages that share their letters. One that does not parse counts as empty; a test parses
    /// them all.
    fn new(text: &str, scheme: Scheme, casing: LowerCase) -> LanguageRules {
        let general: LanguageRules = toml::from_str(GENERAL).unwrap_or_default();
        let mut rules: LanguageRules = toml::from_str(text).unwrap_or_default();
        let mut abbreviations = FxHashMap::default();
        for from in [&general, &rules] {
            for (words, kind) in [
                (&from.number, Abbreviation::BeforeNumber),
                (&from.maybe, Abbreviation::MayEnd),
                (&from.after_number, Abbreviation::AfterNumber),
                (&from.before_starters, Abbreviation::BeforeStarter),
                (&from.nosplit, Abbreviation::NeverEnds),
            ] {
                abbreviations
                    .extend(words.iter().map(|word| (casing.text(word.trim_end_matches('.')).into_owned(), kind)));
            }
        }
        if let Some(others) = rules.users_way.take().filter(|_| scheme == Scheme::UsersWay) {
            replace(&mut rules.cut_stop, others.cut_stop);
            replace(&mut rules.cut_hyphens, others.cut_hyphens);
            replace(&mut rules.cut_ranges, others.cut_ranges);
            replace(&mut rules.clitics_after, others.clitics_after);
            replace(&mut rules.endings, others.endings);
        }
        let last_letters = rules.endings.iter().filter_map(|ending| ending.right.chars().next_back());
        rules.last_letters = last_letters.collect::<FxHashSet<_>>().into_iter().collect();
        LanguageRules { casing, abbreviations, ..rules }
    }
}

/// A word in lower case with straight apostrophes, as the lists have it.
pub fn straight(word: &str, rules: &LanguageRules) -> CompactString {
    let lower = rules.lower_case(word);
    if lower.is_ascii() || !lower.contains(is_apostrophe) {
        return lower;
    }
    lower.chars().map(|c| if is_apostrophe(c) { '\'' } else { c }).collect()
}

fn replace<T>(value: &mut T, other: Option<T>) {
    if let Some(other) = other {
        *value = other;
    }
}

/// Position in [`FILES`] by ISO 639-3 code.
static FILE_OF_CODE: LazyLock<FxHashMap<&str, usize>> = LazyLock::new(|| {
    let codes = FILES.iter().enumerate().flat_map(|(at, (codes, _))| codes.iter().map(move |code| (*code, at)));
    codes.collect()
});

static TREEBANK: LazyLock<RuleTable> = LazyLock::new(|| RuleTable::new(Scheme::Treebank));
static USERS_WAY: LazyLock<RuleTable> = LazyLock::new(|| RuleTable::new(Scheme::UsersWay));

/// The rules of all languages; each file is parsed when its language is first asked for.
#[derive(Debug)]
pub struct RuleTable {
    scheme: Scheme,
    general: OnceLock<LanguageRules>,
    languages: Vec<OnceLock<LanguageRules>>,
}

impl RuleTable {
    /// The table of a scheme, of which the program has one.
    pub fn of(scheme: Scheme) -> &'static RuleTable {
        match scheme {
            Scheme::Treebank => &TREEBANK,
            Scheme::UsersWay => &USERS_WAY,
        }
    }

    fn new(scheme: Scheme) -> RuleTable {
        RuleTable { scheme, general: OnceLock::new(), languages: FILES.iter().map(|_| OnceLock::new()).collect() }
    }

    /// The rules of a language by its ISO 639-3 code, the general ones for a code without a file.
    pub fn get(&self, code: &str) -> &LanguageRules {
        let at = FILE_OF_CODE.get(code);
        match at.and_then(|&at| FILES.get(at).zip(self.languages.get(at))) {
            Some(((codes, text), cell)) => cell.get_or_init(|| self.compiled(codes, text)),
            None => self.general.get_or_init(|| self.compiled(&[], "")),
        }
    }

    fn compiled(&self, codes: &[&str], text: &str) -> LanguageRules {
        LanguageRules::new(text, self.scheme, LowerCase::of(codes.first().copied().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_parses_and_its_words_are_in_lower_case() {
        for (codes, text) in FILES.iter().chain([&(&["general"][..], GENERAL)]) {
            let file: LanguageRules = toml::from_str(text).unwrap_or_else(|e| panic!("{codes:?}: {e}"));
            assert!(text.starts_with("# "), "{codes:?}: the first line says where the rules come from");
            let sets = [
                &file.months,
                &file.starters,
                &file.inner_starters,
                &file.never_last,
                &file.finite_verbs,
                &file.salutations,
                &file.kept_prefixes,
                &file.exceptions,
                &file.last_words,
                &file.initials,
            ];
            let lists = [
                &file.starter_endings,
                &file.number_endings,
                &file.clitics_before,
                &file.clitics_after,
                &file.apostrophes_before,
                &file.apostrophes_after,
            ];
            let endings = file.endings.iter().flat_map(|ending| [&ending.left, &ending.right]);
            for word in sets.into_iter().flatten().chain(lists.into_iter().flatten()).chain(endings) {
                assert_eq!(*word, word.to_lowercase(), "{codes:?}");
            }
            let stops = [&file.nosplit, &file.maybe, &file.after_number, &file.before_starters, &file.number];
            for word in stops.into_iter().flatten() {
                assert!(!word.is_empty() && !word.contains(char::is_whitespace), "{codes:?}: {word:?} is not one word");
                assert!(!file.last_words.contains(word), "{codes:?}: {word:?} may end a sentence");
            }
        }
    }

    #[test]
    fn capitalised_starters_of_every_language_are_found() {
        let table = RuleTable::of(Scheme::Treebank);
        for (codes, _) in FILES {
            let rules = table.get(codes[0]);
            for starter in &rules.starters {
                let mut letters = starter.chars();
                let first = letters.next().unwrap();
                // Capital letters of a starter with an apostrophe or of a script without them are the same.
                let capital = match (rules.casing, first) {
                    (LowerCase::Dotless, 'i') => "İ".to_owned(),
                    _ => first.to_uppercase().to_string(),
                };
                assert_eq!(rules.lower_case(&(capital + letters.as_str())), starter.as_str(), "{codes:?}");
            }
        }
    }

    #[test]
    fn unknown_keys_are_refused() {
        assert!(toml::from_str::<LanguageRules>("nosplits = []").is_err());
        assert!(toml::from_str::<LanguageRules>("abbreviations = {}").is_err());
        assert!(toml::from_str::<LanguageRules>("endings = [\"da\"]").is_err());
    }

    #[test]
    fn unknown_codes_get_the_general_rules() {
        let table = RuleTable::of(Scheme::Treebank);
        assert!(!table.get("xyz").ordinal_dot);
        assert!(table.get("ces").ordinal_dot);
        assert_eq!(table.get("ces").abbreviation("např"), Some(Abbreviation::NeverEnds));
    }
}
