//! The verdicts on pages: jusText's classes, the decision of the cleaner, and over it the rule of the site.

use super::justext::{self, Class, JusTextResult, Params, classify_by};
use super::stoplist::Stoplist;
use super::stopwords::StopwordShares;
use super::{
    Cleaner, CleanerInput, Decision, Neighbour, Options, PageProfile, Reason, RuleName, Verdict, Weights, site_rule,
};
use crate::page::blocks::{Block, Page};
use crate::page::rules::Rule;
use crate::text::words;

/// Gives verdicts on the blocks of pages. Made once from options; immutable, so that one serves all threads.
///
/// ```
/// use warcorpus::clean::{Classifier, Options, PageProfile};
/// use warcorpus::page::blocks;
///
/// let sentence = "There is a text on this page, and it is long. ";
/// let html = format!("<nav><a href=/>Home</a></nav><p>{}</p>", sentence.repeat(9));
/// let page = blocks::page(&html, &blocks::Options::default());
/// let classifier = Classifier::new(&Options::default());
/// let verdicts = classifier.html(&page, &PageProfile::of(&page), classifier.stoplist("eng"), None);
/// assert_eq!(verdicts.len(), page.blocks.len());
/// ```
#[derive(Debug)]
pub struct Classifier {
    cleaner: Box<dyn Cleaner>,
    justext: Params,
    adapts_to_script: bool,
    stoplist: StoplistChoice,
}

/// The stop list that counts for a page.
#[derive(Debug)]
enum StoplistChoice {
    /// All lists together for languages that have one.
    Auto,
    /// That of the page's language.
    Own,
    /// One list for all pages, or none.
    Fixed(Option<&'static Stoplist>),
}

impl Classifier {
    /// A classifier with these options.
    pub fn new(options: &Options) -> Classifier {
        Classifier {
            cleaner: options.cleaner.make(options),
            justext: options.justext.clone(),
            adapts_to_script: !options.compat,
            stoplist: match options.stoplist.as_str() {
                "auto" => StoplistChoice::Auto,
                "own" => StoplistChoice::Own,
                "none" => StoplistChoice::Fixed(None),
                name => StoplistChoice::Fixed(Stoplist::by_name(name)),
            },
        }
    }

    /// The stop list for a page in a language, by its ISO 639-3 code; none if pages of that language are classified
    /// without stop words.
    pub fn stoplist(&self, language: &str) -> Option<&'static Stoplist> {
        match self.stoplist {
            StoplistChoice::Auto => Stoplist::has_code(language).then(Stoplist::all),
            StoplistChoice::Own => Stoplist::by_code(language),
            StoplistChoice::Fixed(list) => list,
        }
    }

    /// Verdicts on the blocks of an HTML page, by the stop list of its language if there is one, and by the rule of its
    /// site if it was read by one.
    pub fn html(
        &self,
        page: &Page<'_>,
        profile: &PageProfile,
        list: Option<&Stoplist>,
        rule: Option<&Rule>,
    ) -> Vec<Verdict> {
        let shares = StopwordShares::of(&page.blocks, list);
        let (params, justext_results) = self.classify(&page.blocks, list.is_some(), &shares);
        let input = CleanerInput {
            page,
            profile,
            stopword_shares: &shares,
            justext_results: &justext_results,
            params: &params,
        };
        let mut decisions = self.cleaner.decide(&input);
        if let Some(rule) = rule {
            apply_rule(rule, page, &mut decisions);
        }
        verdicts(decisions, justext_results)
    }

    /// See [`Cleaner::weights`].
    pub fn weights(&self, page: &Page<'_>) -> Vec<Weights> {
        let shares = StopwordShares::of(&page.blocks, None);
        let (params, results) = self.classify(&page.blocks, false, &shares);
        self.cleaner.weights(&CleanerInput {
            page,
            profile: &PageProfile::of(page),
            stopword_shares: &shares,
            justext_results: &results,
            params: &params,
        })
    }

    /// Verdicts on the blocks of plain text, which has no markup to go by: the decisions of jusText. Except with the cleaner
    /// `justext`, a text that is prose as a whole has no template around it.
    pub fn plain_text(&self, blocks: &[Block], list: Option<&Stoplist>) -> Vec<Verdict> {
        let shares = StopwordShares::of(blocks, list);
        let (params, justext_results) = self.classify(blocks, list.is_some(), &shares);
        let is_whole = list.is_some() && !self.cleaner.uses_neighbours() && is_prose(blocks, &shares, &params);
        let as_prose = is_whole.then(|| justext::as_prose(blocks, &justext_results, &params));
        let decisions = justext::decisions(blocks, as_prose.as_ref().unwrap_or(&justext_results), &params);
        verdicts(decisions, justext_results)
    }

    /// Verdicts on the blocks of a WET record, to which no cleaner is applied: every line is content.
    pub fn wet(&self, blocks: &[Block]) -> Vec<Verdict> {
        let decision = Decision { boilerplate: false, score: None, reason: Reason::Wet };
        let (class, context_free) = (Class::Good, Class::Good);
        let justext_result = JusTextResult { class, context_free, link_density: 0.0, stopword_density: 0.0 };
        vec![Verdict::new(decision, justext_result); blocks.len()]
    }

    /// See [`Cleaner::uses_neighbours`].
    pub fn uses_neighbours(&self) -> bool {
        self.cleaner.uses_neighbours()
    }

    /// See [`Cleaner::revise`].
    pub fn revise(&self, blocks: &[Neighbour], templates: &[bool]) -> Vec<u32> {
        self.cleaner.revise(blocks, templates)
    }

    /// jusText's classes, and the thresholds for the script of the page. `listed` tells whether there is a stop list.
    fn classify(&self, blocks: &[Block], listed: bool, shares: &[StopwordShares]) -> (Params, Vec<JusTextResult>) {
        let dense = self.adapts_to_script && words::is_dense(blocks.iter().map(|block| block.text.as_str()));
        let params = if dense { self.justext.for_dense_script() } else { self.justext.clone() };
        let params = if listed { params } else { params.without_stoplist() };
        let justext_results = classify_by(blocks, shares.iter().map(|shares| shares.language), &params);
        (params, justext_results)
    }
}

/// Whether a text as a whole would be a good block.
fn is_prose(blocks: &[Block], shares: &[StopwordShares], params: &Params) -> bool {
    let characters: f64 = blocks.iter().map(|block| f64::from(block.characters)).sum();
    let stopwords: f64 =
        blocks.iter().zip(shares).map(|(block, share)| f64::from(block.characters) * share.language).sum();
    characters > f64::from(params.length_high) && stopwords >= params.stopwords_high * characters
}

/// Replaces the decisions about the blocks that a site rule decides about.
fn apply_rule(rule: &Rule, page: &Page<'_>, decisions: &mut [Decision]) {
    let reason = Reason::Rule(RuleName::intern(&rule.name).unwrap_or_default());
    for (decision, block) in decisions.iter_mut().zip(&page.blocks) {
        if let Some(boilerplate) = site_rule::is_boilerplate(block.rule_match, rule, &page.rule_findings.matched) {
            *decision = Decision { boilerplate, score: None, reason };
        }
    }
}

fn verdicts(decisions: Vec<Decision>, justext_results: Vec<JusTextResult>) -> Vec<Verdict> {
    let both = decisions.into_iter().zip(justext_results);
    both.map(|(decision, justext_result)| Verdict::new(decision, justext_result)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::CleanerName;
    use crate::page::blocks::{self, page_with_rule};
    use crate::page::rules::SiteRules;

    fn classifier(cleaner: &str) -> Classifier {
        let cleaner = CleanerName::by_name(cleaner).unwrap();
        Classifier::new(&Options { cleaner, ..Options::default() })
    }

    fn html() -> String {
        let text =
            "The ferry left the harbour a little after six, with the lamps still burning along the quay. ".repeat(4);
        format!("<ul><li><a href=/>Home</a></ul><div class=text><p>{text}</div><p>Short")
    }

    #[test]
    fn every_cleaner_fills_the_columns_of_justext() {
        let html = html();
        let page = blocks::page(&html, &blocks::Options::default());
        let [main, justext] = ["main", "justext"].map(|name| {
            let classifier = classifier(name);
            classifier.html(&page, &PageProfile::of(&page), classifier.stoplist("eng"), None)
        });
        let columns =
            |verdict: &Verdict| (verdict.class, verdict.context_free, verdict.link_density, verdict.stopword_density);
        assert!(main.iter().map(columns).eq(justext.iter().map(columns)));
        assert!(main.iter().all(|verdict| verdict.score.is_some_and(|score| (score > 0.0) != verdict.boilerplate)));
        assert!(justext.iter().all(|verdict| verdict.score.is_none()));
        assert!(justext.iter().all(|verdict| verdict.boilerplate == (verdict.class == Class::Bad)));
        assert_eq!(
            justext.iter().map(|v| v.reason).collect::<Vec<_>>(),
            [Reason::Links, Reason::StopWords, Reason::Neighbours]
        );
    }

    #[test]
    fn site_rules_win_over_cleaners() {
        let rules =
            SiteRules::parse("r", "[[rule]]\nname = \"ferry\"\nhost = \"a.example\"\ncontent = \"li\"").unwrap();
        let (html, rule) = (html(), rules.iter().next());
        let page = page_with_rule(&html, &blocks::Options::default(), rule);
        for cleaner in ["main", "justext"] {
            let verdicts = classifier(cleaner).html(&page, &PageProfile::of(&page), None, rule);
            assert_eq!(verdicts.iter().map(|v| v.boilerplate).collect::<Vec<_>>(), [false, true, true]);
            assert!(verdicts.iter().all(|v| v.reason.name() == "rule:ferry" && v.score.is_none()));
        }
    }

    #[test]
    fn lists_go_by_the_setting() {
        let with = |stoplist: &str| Classifier::new(&Options { stoplist: stoplist.into(), ..Options::default() });
        let size = |stoplist, language| with(stoplist).stoplist(language).map(Stoplist::len);
        assert_eq!(size("auto", "eng"), Some(Stoplist::all().len()));
        assert_eq!((size("auto", "und"), size("none", "eng"), size("own", "eng")), (None, None, Some(453)));
        assert_eq!(size("Czech", "eng"), Some(2935));
    }

    #[test]
    fn plain_text_and_wet_records_need_no_markup() {
        let block = Block { text: "Short".into(), characters: 5, ..Block::default() };
        let main = classifier("main");
        let [text, wet] = [main.plain_text(std::slice::from_ref(&block), None), main.wet(std::slice::from_ref(&block))];
        assert_eq!((text[0].boilerplate, text[0].reason), (true, Reason::Neighbours));
        let lines: Vec<Block> = ["Shall I compare thee to a summer's day?", "Thou art more lovely and more temperate:"]
            .repeat(6)
            .iter()
            .map(|line| Block { text: (*line).into(), characters: line.len() as u32, ..Block::default() })
            .collect();
        let dropped = |name: &str| {
            let list = classifier(name).stoplist("eng");
            classifier(name).plain_text(&lines, list).iter().filter(|verdict| verdict.boilerplate).count()
        };
        assert_eq!((dropped("main"), dropped("justext")), (0, 12));
        assert_eq!((wet[0].boilerplate, wet[0].reason), (false, Reason::Wet));
    }
}
