//! What is looked for, ready to look: the hits of one paragraph.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::letters::same_text;
use super::options::{Context, Options};
use super::words::Words;

/// A paragraph to look into.
#[derive(Debug, Clone, Copy)]
pub struct Paragraph<'a> {
    /// Its place in the document: column `index`.
    pub index: u32,
    /// In NFC, as the corpus has it.
    pub text: &'a str,
    /// ISO 639-3: its own, or the document's if it has none. Empty if nothing is known.
    pub language: &'a str,
    /// In order; empty if the corpus is not tagged or the query does not ask for tokens.
    pub tokens: &'a [Token<'a>],
}

/// A token of a tagged corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// Bytes of the paragraph.
    pub range: Range<usize>,
    pub lemma: &'a str,
    pub tag: &'a str,
}

/// Where a hit is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Bytes of the paragraph; never empty.
    pub range: Range<usize>,
    /// Number of the WORD among [`Query::forms`].
    pub form: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    #[error("{option} {pattern}: {reason}")]
    Pattern { option: &'static str, pattern: String, reason: regex::Error },
    #[error("{0}")]
    Refused(String),
}

/// What is looked for. A copy for each worker is faster than one for all.
#[derive(Debug, Clone)]
pub struct Query {
    forms: Vec<String>,
    search: Search,
    token: Option<TokenTest>,
    languages: Vec<String>,
}

#[derive(Debug, Clone)]
enum Search {
    Words(Words),
    Patterns(Vec<Regex>),
    /// Every token that passes the test is a hit.
    Tokens,
}

#[derive(Debug, Clone)]
struct TokenTest {
    lemma: Option<String>,
    tag: Option<Regex>,
    case: bool,
}

impl Query {
    /// The WORDs and the lemma must be in NFC.
    pub fn new(options: &Options) -> Result<Query, QueryError> {
        check(options)?;
        let words: Vec<String> = match options.regex {
            true => options.words.clone(),
            false => options.words.iter().map(|word| word.split_whitespace().collect::<Vec<_>>().join(" ")).collect(),
        };
        if words.iter().any(String::is_empty) {
            return Err(QueryError::Refused("WORD is empty".into()));
        }
        let pattern = |option: &'static str, pattern: &String, case: bool, whole: bool| {
            let anchored = if whole { format!("^(?:{pattern})$") } else { pattern.clone() };
            let error = |reason| QueryError::Pattern { option, pattern: pattern.clone(), reason };
            // By itself first, so that what is wrong is shown in what was typed.
            Regex::new(pattern).map_err(error)?;
            RegexBuilder::new(&anchored).case_insensitive(!case).build().map_err(error)
        };
        let search = match (words.is_empty(), options.regex) {
            (true, _) => Search::Tokens,
            (_, true) => {
                let patterns = words.iter().map(|word| pattern("--regex", word, options.case, false));
                Search::Patterns(patterns.collect::<Result<_, _>>()?)
            }
            (_, false) => {
                let error = |reason| QueryError::Pattern { option: "WORD", pattern: words.join(" "), reason };
                Search::Words(Words::new(&words, options.case).map_err(error)?)
            }
        };
        let tag = options.tag.as_ref().map(|tag| pattern("--tag", tag, true, true)).transpose()?;
        let lemma = options.lemma.clone();
        let token = (lemma.is_some() || tag.is_some()).then_some(TokenTest { lemma, tag, case: options.case });
        let asked = options.lemma.iter().chain(&options.tag).take(1).cloned();
        let forms = if words.is_empty() { asked.collect() } else { words };
        Ok(Query { forms, search, token, languages: options.language.clone() })
    }

    /// What was asked for: the first WORD, or else the lemma, or else the expression for tags.
    pub fn keyword(&self) -> &str {
        self.forms.first().map_or("", String::as_str)
    }

    /// The WORDs; without any the keyword alone.
    pub fn forms(&self) -> &[String] {
        &self.forms
    }

    /// Whether nothing can be found in a paragraph without tokens.
    pub fn needs_tokens(&self) -> bool {
        self.token.is_some()
    }

    /// The hits of a paragraph in order. Of hits that overlap the first counts, of those at one
    /// place the longest. A WORD asked for together with a lemma or tag is a hit if the token with
    /// its first character is of them.
    pub fn find(&self, paragraph: &Paragraph<'_>) -> Vec<Match> {
        let mut found = Vec::new();
        let foreign = !self.languages.is_empty() && !self.languages.iter().any(|l| l == paragraph.language);
        if foreign || self.needs_tokens() && paragraph.tokens.is_empty() {
            return found;
        }
        let text = paragraph.text;
        match &self.search {
            Search::Words(words) => words.find(text, &mut found),
            Search::Patterns(patterns) => {
                for (form, pattern) in patterns.iter().enumerate() {
                    let places = pattern.find_iter(text).filter(|place| !place.is_empty());
                    found.extend(places.map(|place| Match { range: place.range(), form }));
                }
            }
            Search::Tokens => {
                let places = paragraph.tokens.iter().map(|token| token.range.clone());
                let real = places.filter(|range| text.get(range.clone()).is_some_and(|form| !form.is_empty()));
                found.extend(real.map(|range| Match { range, form: 0 }));
            }
        }
        if let Some(test) = &self.token {
            found.retain(|hit| token_at(paragraph.tokens, hit.range.start).is_some_and(|token| test.holds(token)));
        }
        without_overlaps(&mut found);
        found
    }
}

impl TokenTest {
    fn holds(&self, token: &Token<'_>) -> bool {
        let same = |lemma: &str| if self.case { lemma == token.lemma } else { same_text(lemma, token.lemma) };
        self.lemma.as_deref().is_none_or(same) && self.tag.as_ref().is_none_or(|tag| tag.is_match(token.tag))
    }
}

/// The token that has the byte at this place of the paragraph.
fn token_at<'t, 'a>(tokens: &'t [Token<'a>], at: usize) -> Option<&'t Token<'a>> {
    tokens.get(tokens.partition_point(|token| token.range.end <= at)).filter(|token| token.range.start <= at)
}

fn without_overlaps(found: &mut Vec<Match>) {
    found.sort_by_key(|hit| (hit.range.start, std::cmp::Reverse(hit.range.end), hit.form));
    let mut free = 0;
    found.retain(|hit| {
        let kept = hit.range.start >= free;
        free = if kept { hit.range.end } else { free };
        kept
    });
}

/// What the command line's own rules do not refuse.
fn check(options: &Options) -> Result<(), QueryError> {
    let refuse = |why: &str| Err(QueryError::Refused(why.into()));
    if options.words.is_empty() && options.lemma.is_none() && options.tag.is_none() {
        return refuse("nothing to look for: give a WORD, --lemma or --tag");
    }
    if options.width.is_some() && options.context() == Context::Sentence {
        return refuse("--width is for --format kwic and html; json, xml and tsv have the sentence");
    }
    if options.sample.is_some() && options.limit().is_none() {
        return refuse("--sample takes a sample of --limit hits; give --limit as well");
    }
    Ok(())
}
