//! What becomes of the blocks of a page: the classes of jusText, the verdict of the cleaner that is asked for, and over it
//! the rule of the site.

use std::borrow::Cow;

use crate::clean::justext::{self, Class, ListWords, Params, Verdict, classify_by};
use crate::clean::main::{Judgement, MOST_BLOCKS, judge};
use crate::clean::ruled::ruled;
use crate::clean::stoplist::Stoplist;
use crate::config::{Clean, Cleaner};
use crate::page::blocks::{Block, Page};
use crate::page::rules::Rule;
use crate::text::words;

/// What the reason begins with where a site rule decided.
pub const RULE: &str = "rule:";

/// What becomes of a block.
pub struct Decided {
    /// By jusText, whoever decides.
    pub class: Verdict,
    pub boilerplate: bool,
    /// Of the main cleaner.
    pub score: Option<f32>,
    pub reason: Cow<'static, str>,
}

/// Of an HTML page; without a list of stop words its language does not count. Pages of very many blocks keep the verdict of jusText.
pub fn html(clean: &Clean, page: &Page<'_>, list: Option<&Stoplist>, rule: Option<&Rule>) -> Vec<Decided> {
    let shares = shares(&page.blocks, list);
    let mut decided = by_classes(clean, &page.blocks, list.is_some(), &shares);
    if clean.cleaner == Cleaner::Main && page.blocks.len() <= MOST_BLOCKS {
        // What the main cleaner was trained with: stop words of any language.
        let stopwords: Vec<f32> = shares.iter().map(|[_, all]| *all as f32).collect();
        let judged = judge(page, &stopwords);
        decided.iter_mut().zip(judged).for_each(|(decided, judgement)| decided.judged(judgement));
    }
    for (decided, block) in decided.iter_mut().zip(&page.blocks) {
        let ruled = rule.and_then(|rule| Some((rule, ruled(block.ruling, rule, &page.rule_findings.matched)?)));
        if let Some((rule, boilerplate)) = ruled {
            (decided.boilerplate, decided.score) = (boilerplate, None);
            decided.reason = [RULE, &rule.name].concat().into();
        }
    }
    decided
}

/// Of plain text, which has nothing but words to go by.
pub fn text(clean: &Clean, blocks: &[Block], list: Option<&Stoplist>) -> Vec<Decided> {
    by_classes(clean, blocks, list.is_some(), &shares(blocks, list))
}

/// Share of stop words of each block: by the list (0 without one), and by all lists together.
fn shares(blocks: &[Block], list: Option<&Stoplist>) -> Vec<[f64; 2]> {
    let all = Stoplist::all();
    let mut words = ListWords::default();
    let share = |block: &Block| {
        let words = words.read(&block.text);
        let any = words.share_in(all);
        [list.map_or(0.0, |list| if std::ptr::eq(list, all) { any } else { words.share_in(list) }), any]
    };
    blocks.iter().map(share).collect()
}

/// `listed`: whether there is a list of stop words for the language.
fn by_classes(clean: &Clean, blocks: &[Block], listed: bool, shares: &[[f64; 2]]) -> Vec<Decided> {
    let dense = !clean.compat && words::is_dense(blocks.iter().map(|b| b.text.as_str()));
    let params = if dense { clean.justext.for_dense_script() } else { clean.justext.clone() };
    let by = if listed { params.clone() } else { params.without_stoplist() };
    let classes = classify_by(blocks, shares.iter().map(|[own, _]| *own), &by);
    blocks.iter().zip(classes).map(|(block, class)| Decided::by_class(block, class, &params)).collect()
}

/// Of WET records: they are clean text already.
pub fn wet(blocks: &[Block]) -> Vec<Decided> {
    let class = Verdict {
        class: Class::Good,
        context_free: Class::Good,
        boilerplate: false,
        link_density: 0.0,
        stopword_density: 0.0,
    };
    blocks.iter().map(|_| Decided { class, boilerplate: false, score: None, reason: "wet".into() }).collect()
}

impl Decided {
    fn by_class(block: &Block, class: Verdict, params: &Params) -> Decided {
        let reason = justext::reason(block, &class, params).into();
        Decided { class, boilerplate: class.boilerplate, score: None, reason }
    }

    fn judged(&mut self, judgement: Judgement) {
        self.boilerplate = judgement.boilerplate();
        self.score = Some(judgement.score);
        self.reason = judgement.reason.name().into();
    }
}

/// The list that counts for a document; `None` for the language-independent mode.
pub fn stoplist_for(setting: &str, language: &str) -> Option<&'static Stoplist> {
    match setting {
        "auto" => Stoplist::by_code(language).map(|_| Stoplist::all()),
        "own" => Stoplist::by_code(language),
        "none" => None,
        name => Stoplist::by_name(name),
    }
}
