//! The `main` cleaner: which blocks of a page a careful reader would mark as its main content. It is the learned
//! cleaner and the default one; the other, `justext`, follows published rules.
//!
//! Two stages of boosted trees over features of a block. The first stage scores each block by itself, its containers
//! and the page; the second scores it again, with the first stage's scores of the blocks around it. The parameters were
//! learned from labelled pages (`model`); there is no threshold to set. All arithmetic is additions, comparisons and
//! divisions in a fixed order, so that all machines agree.
//!
//! Files in the order of the flow: `text_features` (a text → counts), `container_names` and `lexicon` (names of
//! containers → traits and weights), `page_context` (the page as a whole), `page_features`, `features`, `context`
//! (features of both stages), `feature_columns`, `forest`, `model`, `threshold` (scores → content), `feature_groups`
//! (reasons), `completion` (holes in lists, headings of sections), `no_text`.

mod completion;
pub mod container_names;
pub mod context;
pub mod feature_columns;
mod feature_groups;
pub mod features;
mod forest;
pub mod lexicon;
mod model;
mod no_text;
pub mod page_context;
mod page_features;
mod text_features;
pub mod threshold;

use std::cell::RefCell;

use context::ScoreContext;
use feature_columns::{FeatureColumns, LANES};
use feature_groups::FeatureGroup;
use features::Features;
use forest::{BinColumns, EARLY_EXIT_SCORE, Prediction};
use model::Model;
use page_context::PageContext;

use super::{Cleaner, CleanerInput, Decision, PageProfile, Reason, Weights};
use crate::page::blocks::{BlockKind, Page};

/// The `main` cleaner. Its model is part of the program; it has no options.
#[derive(Debug, Clone, Copy, Default)]
pub struct MainContent;

impl Cleaner for MainContent {
    fn decide(&self, input: &CleanerInput<'_>) -> Vec<Decision> {
        let scores = score_blocks(input.page, input.profile, &stopwords(input));
        let mut decisions: Vec<Decision> = scores.into_iter().map(Decision::from).collect();
        completion::complete(input.page, &mut decisions);
        no_text::drop_no_text(&input.page.blocks, &mut decisions);
        decisions
    }

    fn weights(&self, input: &CleanerInput<'_>) -> Vec<Weights> {
        let scored = ScoredPage::new(input.page, input.profile, &stopwords(input));
        scored.scores.iter().map(|scores| scores.weights(scored.model)).collect()
    }
}

/// The share of stop words of each block. The model was trained with those of all languages.
fn stopwords(input: &CleanerInput<'_>) -> Vec<f32> {
    input.stopword_shares.iter().map(|shares| shares.any_language as f32).collect()
}

/// The score of a block and the reason for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockScore {
    /// Log-odds that the block is content, less the threshold of the page: content if above 0.
    pub score: f32,
    /// The group of features that contributed most to the decision.
    pub reason: Reason,
}

impl BlockScore {
    /// Whether the block is boilerplate.
    pub fn is_boilerplate(&self) -> bool {
        self.score <= 0.0
    }
}

impl From<BlockScore> for Decision {
    fn from(block: BlockScore) -> Decision {
        Decision { boilerplate: block.is_boilerplate(), score: Some(block.score), reason: block.reason }
    }
}

/// The predictions of both stages for a block.
struct TwoStageScore {
    first: Prediction,
    /// None if the first stage's score is below [`EARLY_EXIT_SCORE`].
    second: Option<Prediction>,
}

impl TwoStageScore {
    fn score(&self) -> f32 {
        self.second.map_or(self.first.score, |second| second.score)
    }

    /// The group that contributed most to a decision. If that is the first stage's score of the block itself, or there
    /// is no second stage, the strongest group of the first stage.
    fn strongest(&self, model: &Model, content: bool) -> FeatureGroup {
        let second = self.second.map(|second| model.second.early.contributions(&second).strongest(content));
        let second = second.filter(|&group| group != FeatureGroup::Own);
        second.unwrap_or_else(|| model.first.early.contributions(&self.first).strongest(content))
    }

    fn weights(&self, model: &Model) -> Weights {
        Weights {
            by_itself: model.first.early.contributions(&self.first).ranked(),
            in_context: self.second.map_or(Vec::new(), |second| model.second.early.contributions(&second).ranked()),
        }
    }
}

/// Blocks that all trees of the first stage have scored, as the second stage needs them.
struct Group {
    /// The block of each lane.
    blocks: Vec<usize>,
    /// Their features.
    bins: BinColumns,
}

/// Scores the blocks of a page. `stopwords` has each block's share of stop words, 0 to 1.
pub fn score_blocks(page: &Page<'_>, profile: &PageProfile, stopwords: &[f32]) -> Vec<BlockScore> {
    let ScoredPage { model, scores, threshold } = ScoredPage::new(page, profile, stopwords);
    let block_score = |scores: &TwoStageScore| BlockScore {
        score: scores.score() - threshold,
        reason: scores.strongest(model, scores.score() > threshold).into(),
    };
    scores.iter().map(block_score).collect()
}

/// A page with the scores of its blocks.
struct ScoredPage {
    model: &'static Model,
    scores: Vec<TwoStageScore>,
    /// The score above which blocks are content.
    threshold: f32,
}

impl ScoredPage {
    fn new(page: &Page<'_>, profile: &PageProfile, stopwords: &[f32]) -> ScoredPage {
        let model = Model::shipped();
        let page_context = PageContext::new(page, profile, stopwords, &model.lexica);
        let features = Features::new(&page_context);
        let mut scores = Vec::with_capacity(page.blocks.len());
        COLUMNS.with_borrow_mut(|[columns, waiting]| {
            let groups = first_stage(model, &features, page.blocks.len(), columns, waiting, &mut scores);
            second_stage(model, &page_context, groups, columns, &mut scores);
        });
        let lengths = page_context.block_sums.iter().map(|sums| sums.length);
        let threshold = threshold::decision_threshold(scores.iter().map(TwoStageScore::score).zip(lengths));
        ScoredPage { model, scores, threshold }
    }
}

thread_local! {
    /// Columns that are used again for every page: what an earlier one left is written over, or is in lanes that do not count.
    static COLUMNS: RefCell<[FeatureColumns; 2]> = RefCell::default();
}

/// Appends the first stage's predictions. Returns the blocks that the early trees let go on.
fn first_stage(
    model: &Model,
    features: &Features<'_>,
    blocks: usize,
    columns: &mut FeatureColumns,
    waiting: &mut FeatureColumns,
    scores: &mut Vec<TwoStageScore>,
) -> Vec<Group> {
    features.describe_page(columns);
    let [mut of_page, mut late_of_page] = <[BinColumns; 2]>::default();
    model.early_bins.of_page.add(columns, &mut of_page);
    model.own_bins.of_page.add(columns, &mut late_of_page);
    let mut bins = BinColumns::default();
    let mut groups = vec![];
    let mut lanes = Vec::with_capacity(LANES);
    for from in (0..blocks).step_by(LANES) {
        let chunk = from..blocks.min(from + LANES);
        chunk.clone().enumerate().for_each(|(lane, block)| features.describe(block, &mut columns.row(lane, 0)));
        bins.copy(&of_page);
        model.early_bins.of_block.add(columns, &mut bins);
        for ((lane, block), first) in chunk.enumerate().zip(model.first.early.predict(&bins)) {
            scores.push(TwoStageScore { first, second: None });
            if first.score >= EARLY_EXIT_SCORE {
                waiting.copy_row(lanes.len(), columns, lane, model.own_features);
                lanes.push(block);
            }
            if lanes.len() == LANES {
                groups.push(late_trees(model, waiting, &late_of_page, std::mem::take(&mut lanes), scores));
            }
        }
    }
    if !lanes.is_empty() {
        groups.push(late_trees(model, waiting, &late_of_page, lanes, scores));
    }
    groups
}

/// Adds the values of the first stage's late trees for some blocks, which stand side by side in `columns`. `of_page`: the bins of
/// the features of the page.
fn late_trees(
    model: &Model,
    columns: &FeatureColumns,
    of_page: &BinColumns,
    blocks: Vec<usize>,
    scores: &mut [TwoStageScore],
) -> Group {
    let mut bins = of_page.clone();
    model.own_bins.of_block.add(columns, &mut bins);
    for (&block, late) in blocks.iter().zip(model.first.late.predict(&bins)) {
        scores.get_mut(block).into_iter().for_each(|scores| scores.first.score += late.score);
    }
    Group { blocks, bins }
}

/// Adds the second stage's predictions for the blocks that may be content by the first.
fn second_stage(
    model: &Model,
    page_context: &PageContext<'_>,
    groups: Vec<Group>,
    columns: &mut FeatureColumns,
    scores: &mut [TwoStageScore],
) {
    let first: Vec<f32> = scores.iter().map(|scores| scores.first.score).collect();
    let goes_on = |block: usize| first.get(block).is_some_and(|&score| score >= EARLY_EXIT_SCORE);
    let context = ScoreContext::new(page_context, &first);
    for mut group in groups {
        for (lane, &block) in group.blocks.iter().enumerate().filter(|&(_, &block)| goes_on(block)) {
            context.describe(block, &mut columns.row(lane, model.own_features));
        }
        model.context_bins.add(columns, &mut group.bins);
        let mut predictions = model.second.early.predict(&group.bins);
        if predictions.iter().any(|prediction| prediction.score >= EARLY_EXIT_SCORE) {
            let late = predictions.iter_mut().zip(model.second.late.predict(&group.bins));
            late.filter(|(early, _)| early.score >= EARLY_EXIT_SCORE)
                .for_each(|(early, late)| early.score += late.score);
        }
        for (&block, prediction) in group.blocks.iter().zip(predictions).filter(|&(&block, _)| goes_on(block)) {
            scores.get_mut(block).into_iter().for_each(|scores| scores.second = Some(prediction));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clean::stoplist::Stoplist;
    use crate::clean::stopwords::stopword_shares;
    use crate::page::blocks::{Options, page};

    fn scored(html: &str) -> (Page<'_>, Vec<BlockScore>) {
        let page = page(html, &Options::default());
        let stopwords = stopword_shares(&page.blocks, Stoplist::all());
        let scores = score_blocks(&page, &PageProfile::of(&page), &stopwords);
        (page, scores)
    }

    fn kept(html: &str) -> String {
        let (page, scores) = scored(html);
        let kept = page.blocks.iter().zip(scores).filter(|(_, score)| !score.is_boilerplate());
        kept.map(|(block, _)| block.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    const SENTENCES: [&str; 4] = [
        "The ferry left the harbour a little after six, with the lamps still burning along the quay.",
        "Nobody on board had slept, and the coffee, which was free that morning, was gone by the first bend.",
        "What the captain said to the harbour master was later told in three ways, none of them flattering.",
        "By noon the wind had turned, as it does on that coast, and the boat came home with the post unread.",
    ];

    /// An article among what stands around articles.
    fn article() -> String {
        let links = |n: usize| (0..n).map(|i| format!("<li><a href=/{i}>Section {i}</a></li>")).collect::<String>();
        let text: String = SENTENCES.iter().map(|sentence| format!("<p>{sentence} {sentence}</p>")).collect();
        format!(
            "<html><head><title>A ferry</title></head><body><nav class=menu><ul>{}</ul></nav>\
             <article class=post><h1>A ferry</h1>{text}</article>\
             <div class=related><h3>Related stories</h3><ul>{}</ul></div>\
             <footer><p>Copyright 2024 The Paper. All rights reserved.</p></footer></body></html>",
            links(12),
            links(6)
        )
    }

    #[test]
    fn an_article_is_told_from_what_stands_around_it() {
        let kept = kept(&article());
        assert!(SENTENCES.iter().all(|sentence| kept.contains(sentence)), "{kept}");
        assert!(!kept.contains("Section") && !kept.contains("Copyright"), "{kept}");
    }

    #[test]
    fn a_dense_script_is_not_punished_for_its_length() {
        let sentence = "朝六時を少し過ぎたころ、船は港を出た。岸壁の灯りはまだ消えていなかった。";
        let text: String = (0..4).map(|_| format!("<p>{sentence}{sentence}</p>")).collect();
        let html = article().replacen("<h1>A ferry</h1>", &format!("<h1>渡し船</h1>{text}"), 1);
        assert!(kept(&html).contains(sentence));
    }

    proptest! {
        #[test]
        fn every_block_of_any_page_gets_a_score(html in "(<(p|div|li|td|h1|a|/div|nav class=nav)>|[a-z. ]{0,30}|.{0,5}){0,40}") {
            let (page, scores) = scored(&html);
            prop_assert_eq!(page.blocks.len(), scores.len());
            prop_assert!(scores.iter().all(|block| block.score.is_finite()));
            prop_assert_eq!(scored(&html).1, scores);
        }
    }
}
