//! The `main` cleaner: which blocks of a page a careful reader would mark as its text.
//!
//! Two rounds of boosted trees over what is known of a block. The first judges each block by itself, its containers and
//! the page; the second again, knowing what the first said about the blocks around. Parameters were learned from
//! labelled pages (`model`); there is no threshold
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
use scene::Scene;

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
    let rows: Vec<&[f32]> = rows.chunks_exact(width.max(1)).collect();
    let first = model.first.scores(rows.iter().copied());
    let wider = with_context(&scene, &rows, &first);
    let mut second = model.second.scores(wider.iter().flatten().map(Vec::as_slice)).into_iter();
    let again = |(row, first): (&Option<_>, f32)| row.as_ref().and_then(|_| second.next()).unwrap_or(first);
    let scores: Vec<f32> = wider.iter().zip(first).map(again).collect();
    let bar = verdict::bar(scores.iter().copied().zip(scene.own.iter().map(|own| own.length)));
    let judged = scores.into_iter().zip(rows).zip(&wider);
    judged
        .map(|((score, row), wider)| Judgement {
            score: score - bar,
            reason: model.reason(row, wider.as_deref(), score > bar),
        })
        .collect()
}

/// Features and context of the blocks that there is hope for; the others are not judged again.
fn with_context(scene: &Scene<'_>, rows: &[&[f32]], first: &[f32]) -> Vec<Option<Vec<f32>>> {
    let mut wider = Vec::with_capacity(rows.len());
    let mut rows = rows.iter().zip(first);
    context::rows(scene, first, |context| {
        let hopeful = rows.next().filter(|(_, first)| **first >= forest::HOPELESS);
        wider.push(hopeful.map(|(row, _)| [row, context].concat()));
    });
    wider
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clean::justext::stopword_density;
    use crate::clean::stoplist::Stoplist;
    use crate::page::blocks::{Options, page};

    fn judged(html: &str) -> (Page, Vec<Judgement>) {
        let page = page(html, &Options::default());
        let mut lower = String::new();
        let stopwords: Vec<f32> =
            page.blocks.iter().map(|b| stopword_density(&b.text, Stoplist::all(), &mut lower) as f32).collect();
        let judgements = judge(&page, "https://example.org/2024/a-page", &stopwords);
        (page, judgements)
    }

    fn kept(html: &str) -> String {
        let (page, judgements) = judged(html);
        let kept = page.blocks.iter().zip(judgements).filter(|(_, judgement)| !judgement.boilerplate());
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
        fn every_block_of_any_page_gets_a_judgement(html in "(<(p|div|li|td|h1|a|/div|nav class=nav)>|[a-z. ]{0,30}|.{0,5}){0,40}") {
            let (page, judgements) = judged(&html);
            prop_assert_eq!(page.blocks.len(), judgements.len());
            prop_assert!(judgements.iter().all(|judgement| judgement.score.is_finite()));
            prop_assert_eq!(judged(&html).1, judgements);
        }
    }
}
