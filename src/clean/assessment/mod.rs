//! A page and the verdicts on its blocks → what kind of page it is, and how far the verdicts can be trusted.
//!
//! Small boosted trees over features of the address, the head, the containers and the blocks. One feature for each type is
//! the sum of a linear model over tokens (`tokens`): words of address, title, names and short blocks. All arithmetic is
//! additions, comparisons, divisions and square roots in a fixed order, so that all machines agree. `training/assess.py`
//! learns the parameters from labelled pages; `docs/cleaning.md` has the quality.
//!
//! Files in the order of the flow: `address`, `word_groups`, `tokens`, `assessment_row`, `head`, `kept`, `repeated` (features),
//! `model`, `page_type`. The trees are `clean::trees`.

mod address;
mod assessment_row;
mod head;
mod kept;
mod model;
mod page_type;
mod repeated;
mod tokens;
mod word_groups;

use address::Address;
use assessment_row::AssessmentRow;
use kept::Judged;
use model::Model;
pub use page_type::PageType;
use tokens::TYPES;

use super::{PageProfile, Verdict};
use crate::page::blocks::Page;

/// What is said about a page as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assessment {
    pub page_type: PageType,
    /// Probability, 0 to 1, that the F1 of the kept words is at least .8. None if the decisions have no scores.
    pub confidence: Option<f32>,
}

/// Assesses a page by its address and by the verdicts on its blocks.
pub fn assess(page: &Page<'_>, profile: &PageProfile, verdicts: &[Verdict], url: &str) -> Assessment {
    let judged = page.blocks.iter().zip(verdicts).map(|(block, verdict)| Judged {
        block,
        kept: !verdict.boilerplate,
        margin: verdict.score,
        stopwords: verdict.stopword_density,
    });
    let judged: Vec<Judged<'_>> = judged.collect();
    let model = Model::shipped();
    let (address, types) = (Address::of(url), head::types_of(&page.head));
    let sums = model.tokens.sums(page, profile, &address, &types);
    let row = features(AssessmentRow::default(), page, profile, &judged, &address, &types, sums);
    let is_scored = !judged.is_empty() && judged.iter().all(|judged| judged.margin.is_some());
    Assessment { page_type: model.page_type(&row), confidence: is_scored.then(|| model.confidence(&row)) }
}

/// Appends all features of a page to a row.
fn features(
    mut row: AssessmentRow,
    page: &Page<'_>,
    profile: &PageProfile,
    judged: &[Judged<'_>],
    address: &Address<'_>,
    types: &[&str],
    sums: [f32; TYPES],
) -> AssessmentRow {
    row.all("tokens", PageType::ALL.iter().map(|page_type| page_type.name()), &sums);
    head::push_address(&mut row, address);
    head::push_head(&mut row, &page.head, types);
    head::push_containers(&mut row, page, profile);
    kept::push(&mut row, judged, profile);
    repeated::push(&mut row, page, judged, profile.recurrences());
    kept::push_margins(&mut row, judged);
    row
}

/// Number of features.
fn width() -> usize {
    let (page, address) = (Page::default(), Address::default());
    features(AssessmentRow::default(), &page, &PageProfile::default(), &[], &address, &[], [0.0; TYPES]).values.len()
}

/// What training reads of a page: the names and values of its features, the sums of tokens being 0, and its tokens, each
/// once. `margins` are the decisions of a model that was not trained with the page.
#[cfg(any(test, feature = "internals"))]
pub fn described(page: &Page<'_>, margins: &[f32], stopwords: &[f32], url: &str) -> (Vec<String>, Vec<f32>, Vec<u64>) {
    let blocks = page.blocks.iter().zip(margins).zip(stopwords);
    let judged = blocks.map(|((block, &margin), &stopwords)| Judged {
        block,
        kept: margin > 0.0,
        margin: Some(margin),
        stopwords,
    });
    let (address, types) = (Address::of(url), head::types_of(&page.head));
    let mut found = std::collections::BTreeSet::new();
    let profile = PageProfile::of(page);
    tokens::tokens(page, &profile, &address, &types, |token| {
        found.insert(token);
    });
    let named = AssessmentRow { names: Some(Vec::new()), ..AssessmentRow::default() };
    let row = features(named, page, &profile, &judged.collect::<Vec<_>>(), &address, &types, [0.0; TYPES]);
    (row.names.unwrap_or_default(), row.values, found.into_iter().collect())
}
