//! Compiled queries, which find the matches in one paragraph.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::letters::same_text;
use super::options::{HitContext, Options};
use super::word_search::WordSearch;

/// A paragraph to search.
#[derive(Debug, Clone, Copy)]
pub struct SearchedParagraph<'a> {
    /// Number of the paragraph in the document: column `index`.
    pub index: u32,
    /// The text of the paragraph in NFC and in one line, in which hits are sought and shown.
    pub text: &'a str,
    /// The same text in as many bytes, with line feeds for some blanks of `text`: sentences and tokens are cut from it,
    /// and a sentence ends with its line.
    pub lines: &'a str,
    /// Language of the paragraph (ISO 639-3), by which it is chosen and which is shown; empty if unknown.
    pub language: &'a str,
    /// Language (ISO 639-3) by whose rules sentences and tokens are cut; empty for the general rules.
    pub rules: &'a str,
    /// Tokens of the paragraph in order; empty if the corpus is not tagged or the query does not need tokens.
    pub tokens: &'a [SearchedToken<'a>],
}

/// A token of a tagged paragraph that is searched. The tokens that formats write are `emit`'s `TaggedToken`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchedToken<'a> {
    /// Byte range in the paragraph.
    pub range: Range<usize>,
    /// The lemma of the token; empty if the tagger gives none.
    pub lemma: &'a str,
    /// The tag of the token; empty if the tagger gives none.
    pub tag: &'a str,
}

/// An occurrence of a form in a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Byte range in the paragraph; never empty.
    pub range: Range<usize>,
    /// Index of the form in [`Query::forms`].
    pub form: usize,
}

/// Why options are not a valid query.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// A regular expression is invalid.
    #[error("{option} {pattern}: {reason}")]
    Pattern { option: &'static str, pattern: String, reason: regex::Error },
    /// Options are missing or contradict each other; the text says which.
    #[error("{0}")]
    Refused(String),
}

/// A compiled query. One copy for each worker is faster than one for all.
#[derive(Debug, Clone)]
pub struct Query {
    forms: Vec<String>,
    search: Search,
    token: Option<TokenTest>,
    languages: Vec<String>,
}

#[derive(Debug, Clone)]
enum Search {
    Words(WordSearch),
    Patterns(Vec<Regex>),
    /// Every token that passes the test matches.
    Tokens,
}

#[derive(Debug, Clone)]
struct TokenTest {
    lemma: Option<String>,
    tag: Option<Regex>,
    case: bool,
}

impl Query {
    /// Compiles a query. The words and the lemma must be in NFC.
    ///
    /// # Errors
    /// [`QueryError`] if a regular expression is invalid or the options contradict each other.
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
            // Compiled by itself first, so that the error shows the expression as typed.
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
                Search::Words(WordSearch::new(&words, options.case).map_err(error)?)
            }
        };
        let tag = options.tag.as_ref().map(|tag| pattern("--tag", tag, true, true)).transpose()?;
        let lemma = options.lemma.clone();
        let token = (lemma.is_some() || tag.is_some()).then_some(TokenTest { lemma, tag, case: options.case });
        let asked = options.lemma.iter().chain(&options.tag).take(1).cloned();
        let forms = if words.is_empty() { asked.collect() } else { words };
        Ok(Query { forms, search, token, languages: options.language.clone() })
    }

    /// The name of the query: its first word, else its lemma, else its expression for tags.
    pub fn keyword(&self) -> &str {
        self.forms.first().map_or("", String::as_str)
    }

    /// The words of the query; the keyword if there are none.
    pub fn forms(&self) -> &[String] {
        &self.forms
    }

    /// Whether the query tests lemmas or tags, so that paragraphs without tokens cannot match.
    pub fn needs_tokens(&self) -> bool {
        self.token.is_some()
    }

    /// The matches in a paragraph, in order. Of overlapping matches the first is taken; of matches at the same place,
    /// the longest. If a word is combined with a lemma or tag, the token that contains its first character must have
    /// them.
    pub fn find(&self, paragraph: &SearchedParagraph<'_>) -> Vec<Match> {
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
                    find_bounded(pattern, text, |range| found.push(Match { range, form }));
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

/// Bytes up to which a match of a regular expression is surely found. A pattern such as `.*[^A-Z]|[A-Z]` looks at the whole
/// rest of the text for each of its matches: without a bound the time is quadratic.
const MAX_MATCH: usize = 4 << 10;

/// Gives the matches of a pattern that are not empty, in O(n · [`MAX_MATCH`]). Matches are sought in windows of twice
/// [`MAX_MATCH`], and those that begin in the first half of a window count: one that is longer than [`MAX_MATCH`] is given,
/// cut at its beginning, or left out, as its place has it.
fn find_bounded(pattern: &Regex, text: &str, mut each: impl FnMut(Range<usize>)) {
    let mut from = 0;
    while from < text.len() {
        let next = text.ceil_char_boundary(from + MAX_MATCH);
        let end = text.ceil_char_boundary(next.saturating_add(MAX_MATCH));
        let window = text.get(..end).unwrap_or(text);
        let place = pattern.find_at(window, from).filter(|place| place.start() < next);
        from = match place.map(|place| place.range()) {
            Some(range) if range.is_empty() => text.ceil_char_boundary(range.end + 1),
            // What ends with the window might go on, or match only because the window ends.
            Some(range) if range.end == end && end < text.len() => next,
            Some(range) => {
                let end = range.end;
                each(range);
                end
            }
            None => next,
        };
    }
}

impl TokenTest {
    fn holds(&self, token: &SearchedToken<'_>) -> bool {
        let same = |lemma: &str| if self.case { lemma == token.lemma } else { same_text(lemma, token.lemma) };
        self.lemma.as_deref().is_none_or(same) && self.tag.as_ref().is_none_or(|tag| tag.is_match(token.tag))
    }
}

/// The token that contains the byte at this offset of the paragraph.
fn token_at<'t, 'a>(tokens: &'t [SearchedToken<'a>], at: usize) -> Option<&'t SearchedToken<'a>> {
    tokens.get(tokens.partition_point(|token| token.range.end <= at)).filter(|token| token.range.start <= at)
}

/// Sorts matches and removes those that overlap an earlier one.
fn without_overlaps(found: &mut Vec<Match>) {
    found.sort_by_key(|hit| (hit.range.start, std::cmp::Reverse(hit.range.end), hit.form));
    let mut free = 0;
    found.retain(|hit| {
        let kept = hit.range.start >= free;
        free = if kept { hit.range.end } else { free };
        kept
    });
}

/// Most characters or tokens of context on each side: lines are padded to this width.
const MAX_WIDTH: usize = 10_000;

/// Checks combinations of options that the command line parser does not check.
fn check(options: &Options) -> Result<(), QueryError> {
    let refuse = |why: &str| Err(QueryError::Refused(why.into()));
    if options.width.is_some() && options.context() == HitContext::Sentence {
        return refuse(
            "--width applies to --format kwic and html only; json, xml and tsv always contain the whole sentence",
        );
    }
    for (name, width) in [("width", options.width), ("tokens", options.tokens)] {
        if width.is_some_and(|width| width > MAX_WIDTH) {
            return refuse(&format!("--{name} is at most {MAX_WIDTH}; --sentence shows whole sentences"));
        }
    }
    if options.sample.is_some() && options.limit().is_none() {
        return refuse("--sample needs --limit N, the size of the sample");
    }
    Ok(())
}
