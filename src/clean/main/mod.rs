//! The `main` cleaner: which blocks of a page a careful reader would mark as its text.
//!
//! Two rounds of boosted trees over what is known of a block. The first judges each block by itself, its containers and
//! the page; the second again, knowing what the first said about the blocks around. Parameters were learned from
//! labelled pages ([`model`]); there is no threshold
//! to set. Everything is additions, comparisons and divisions in a
//! fixed order, so that all machines agree.
//!
//! Files in the order of the flow: `surface` (a text → counts), `names` and `lexicon` (what containers are called),
//! `scene` (the page as a whole), `whole`, `features`, `context` (numbers for the trees), `forest`, `model`, `verdict` (scores → what stays), `reason`.

pub mod context;
pub mod features;
mod forest;
pub mod lexicon;
mod model;
pub mod names;
mod reason;
pub mod scene;
mod surface;
mod verdict;
mod whole;

use model::Model;
use reason::Group;
use scene::{Scene, at};

use crate::page::blocks::Page;

pub use reason::GROUPS;

/// What is thought of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// Log-odds that it is content, less what this page asks for: content when above 0.
    pub score: f32,
    /// What spoke loudest for the verdict.
    pub reason: Group,
}

impl Judgement {
    /// Whether the block is to be left out.
    pub fn boilerplate(&self) -> bool {
        self.score <= 0.0
    }
}

/// Judges the blocks of a page. `stopwords` has each block's share of stop words, 0 to 1; `url` is where the page was.
pub fn judge(page: &Page, url: &str, stopwords: &[f32]) -> Vec<Judgement> {
    let model = Model::shipped();
    let scene = Scene::new(page, stopwords, &model.lexica);
    let (rows, width) = features::rows(&scene, url);
    let first = model.first.scores(rows.chunks_exact(width.max(1)));
    let (mut asked, mut again) = (Vec::new(), Vec::new());
    context::rows(&scene, &first, |block, context| {
        if at(&first, block) >= forest::HOPELESS {
            asked.push(block);
            again.extend(rows.get(block * width..(block + 1) * width).unwrap_or_default());
            again.extend(context);
        }
    });
    let wide = again.len() / asked.len().max(1);
    let mut scores = first.clone();
    for (&block, score) in asked.iter().zip(model.second.scores(again.chunks_exact(wide.max(1)))) {
        scores.iter_mut().skip(block).take(1).for_each(|slot| *slot = score);
    }
    let bar = verdict::bar(scores.iter().copied().zip(scene.own.iter().map(|own| own.length)));
    let mut second = asked.iter().zip(again.chunks_exact(wide.max(1))).peekable();
    let judge = |(block, (&score, row)): (usize, (&f32, &[f32]))| {
        let again = second.next_if(|(asked, _)| **asked == block).map(|(_, row)| row);
        let score = score - bar;
        Judgement { score, reason: model.reason(row, again, score > 0.0) }
    };
    scores.iter().zip(rows.chunks_exact(width.max(1))).enumerate().map(judge).collect()
}
