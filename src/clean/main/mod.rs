//! The `main` cleaner: which blocks of a page a careful reader would mark as its text.
//!
//! Two rounds of boosted trees over what is known of a block. The first judges each block by itself, its containers and
//! the page; the second again, knowing what the first said about the blocks around. Parameters were learned from
//! labelled pages (`model`); there is no threshold
//! to set. Everything is additions, comparisons and divisions in a
//! fixed order, so that all machines agree.
//!
//! Files in the order of the flow: `surface` (a text → counts), `names` and `lexicon` (what containers are called),
//! `scene` (the page as a whole), `whole`, `features`, `context` (numbers for the trees), `row`, `forest`, `model`, `verdict` (scores → what stays), `reason`.

pub mod context;
pub mod features;
mod forest;
pub mod lexicon;
mod model;
pub mod names;
mod reason;
pub mod row;
pub mod scene;
mod surface;
mod verdict;
mod whole;

use context::Context;
use features::Features;
use forest::{HOPELESS, Opinion};
use model::Model;
use reason::Group;
use row::Row;
use scene::Scene;

use crate::page::blocks::Page;

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

/// Blocks of a page from which it is not judged: nobody writes such pages by hand, and what is held for each block adds up.
pub const MOST_BLOCKS: usize = 100_000;
/// Blocks whose features are held at a time.
const CHUNK: usize = 64;

/// What both rounds think of a block.
struct Opinions {
    first: Opinion,
    second: Option<Opinion>,
}

impl Opinions {
    fn score(&self) -> f32 {
        self.second.map_or(self.first.score, |second| second.score)
    }

    /// What spoke loudest for a verdict. The second round leans on what the first said of the block itself; where it does,
    /// or was not asked, the first round's reason counts.
    fn reason(&self, content: bool) -> Group {
        let second = self.second.map(|second| second.parts.loudest(content)).filter(|&group| group != Group::Own);
        second.unwrap_or_else(|| self.first.parts.loudest(content))
    }
}

/// Judges the blocks of a page. `stopwords` has each block's share of stop words, 0 to 1.
pub fn judge(page: &Page<'_>, stopwords: &[f32]) -> Vec<Judgement> {
    let model = Model::shipped();
    let scene = Scene::new(page, stopwords, &model.lexica);
    let features = Features::new(&scene);
    let mut opinions = first_round(model, &features, page.blocks.len());
    second_round(model, &scene, &features, &mut opinions);
    let lengths = scene.own.iter().map(|own| own.length);
    let bar = verdict::bar(opinions.iter().map(Opinions::score).zip(lengths));
    let judgement = |opinions: &Opinions| Judgement {
        score: opinions.score() - bar,
        reason: opinions.reason(opinions.score() > bar),
    };
    opinions.iter().map(judgement).collect()
}

fn first_round(model: &Model, features: &Features<'_>, blocks: usize) -> Vec<Opinions> {
    let mut opinions = Vec::with_capacity(blocks);
    let mut rows = vec![Row::default(); CHUNK.min(blocks)];
    for from in (0..blocks).step_by(CHUNK) {
        let chunk = from..blocks.min(from + CHUNK);
        for (block, row) in chunk.clone().zip(&mut rows) {
            row.clear();
            features.describe(block, row);
        }
        let said = model.first.opinions(rows.get(..chunk.len()).unwrap_or_default());
        opinions.extend(said.into_iter().map(|first| Opinions { first, second: None }));
    }
    opinions
}

fn second_round(model: &Model, scene: &Scene<'_>, features: &Features<'_>, opinions: &mut [Opinions]) {
    let first: Vec<f32> = opinions.iter().map(|opinions| opinions.first.score).collect();
    let context = Context::new(scene, &first);
    let asked = |(_, opinions): &(usize, &mut Opinions)| opinions.first.score >= HOPELESS;
    let mut asked: Vec<(usize, &mut Opinions)> = opinions.iter_mut().enumerate().filter(asked).collect();
    let mut rows = vec![Row::default(); CHUNK.min(asked.len())];
    for asked in asked.chunks_mut(CHUNK) {
        for ((block, _), row) in asked.iter().zip(&mut rows) {
            row.clear();
            features.describe(*block, row);
            context.describe(*block, row);
        }
        let said = model.second.opinions(rows.get(..asked.len()).unwrap_or_default());
        asked.iter_mut().zip(said).for_each(|((_, opinions), said)| opinions.second = Some(said));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clean::justext::stopword_densities;
    use crate::clean::stoplist::Stoplist;
    use crate::page::blocks::{Options, page};

    fn judged(html: &str) -> (Page<'_>, Vec<Judgement>) {
        let page = page(html, &Options::default());
        let stopwords = stopword_densities(&page.blocks, Stoplist::all());
        let judgements = judge(&page, &stopwords);
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
