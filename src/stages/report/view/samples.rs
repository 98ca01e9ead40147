//! Samples to judge by: paragraphs of each outcome, pages near to a decision, duplicates.

use maud::{Markup, html};

use super::super::data::{ClusterTexts, ReportData};
use super::super::meanings::meaning;
use super::fragment;
use crate::figures::{Edge, KEPT, Least, Sample};
use crate::html::{number, quoted, word_diff};

/// All samples, in sections.
pub fn sections(data: &ReportData) -> Markup {
    let figures = &data.counters.figures;
    let kept = figures.samples.get_key_value(KEPT);
    let dropped = figures.samples.iter().filter(|(outcome, _)| *outcome != KEPT);
    html! {
        section {
            h2 { "Samples to judge by" }
            p.soft {
                "Paragraphs chosen by a hash, the same in every run. In the folder of the corpus, "
                code { "warcorpus explain . KEY" } " shows all about a document."
            }
            @for (outcome, samples) in kept.into_iter().chain(dropped) { (paragraphs(outcome, samples)) }
        }
        section {
            h2 { "Near to the decision" }
            p.soft { "Pages whose best block has a score next to 0, where the cleaner decides between content and boilerplate." }
            (edges("Barely content", &figures.barely_content))
            (edges("Barely boilerplate: no block of the page is content", &figures.barely_boilerplate))
        }
        section {
            h2 { "The largest clusters of duplicates" }
            @if data.clusters.is_empty() { p.none { "No document has a duplicate." } }
            @for cluster in &data.clusters { (duplicates(cluster)) }
        }
    }
}

fn paragraphs(outcome: &str, samples: &Least<Sample>) -> Markup {
    html! {
        details.sample open[outcome == KEPT] {
            summary { strong { (outcome) } }
            @if outcome != KEPT { p { a href={ "#" (fragment(outcome)) } { (meaning(outcome)) } } }
            ol {
                @for sample in samples.values() {
                    li {
                        blockquote { (quoted(&sample.text)) }
                        p.soft {
                            code { (sample.doc) } " paragraph " (sample.index) " of " (quoted(&sample.url))
                            @if !sample.reason.is_empty() { ", by " (quoted(&sample.reason)) }
                            @if let Some(score) = sample.score { ", score " (format!("{score:+.1}")) }
                            @if let Some(share) = sample.seen_share.filter(|share| *share > 0.0) { ", " (format!("{:.0}", share * 100.0)) " % seen before" }
                            @if let Some(similarity) = sample.similarity { ", similarity " (format!("{similarity:.2}")) }
                        }
                    }
                }
            }
        }
    }
}

fn edges(title: &str, edges: &Least<Edge>) -> Markup {
    html! {
        details.sample {
            summary { strong { (title) } }
            @if edges.values().next().is_none() { p.none { "There is none." } }
            ol {
                @for edge in edges.values() {
                    li {
                        blockquote { (quoted(&edge.text)) }
                        p.soft { code { (edge.doc) } " " (quoted(&edge.url)) ", score " (format!("{:+.2}", edge.score)) }
                    }
                }
            }
        }
    }
}

/// A cluster: what a duplicate lacks (deleted) and has more (inserted) than its representative.
fn duplicates(cluster: &ClusterTexts) -> Markup {
    html! {
        details.sample {
            summary { (number(cluster.documents.into())) " documents: " (quoted(&cluster.url)) }
            dl.facts {
                dt { "Stands for all" }
                dd { code { (cluster.keeper) } " " (quoted(&cluster.url)) @if let Some(corpus) = &cluster.corpus { " of the corpus " (quoted(corpus)) } }
                dt { "One of the others" } dd { code { (cluster.other) } " " (quoted(&cluster.other_url)) }
            }
            @if cluster.corpus.is_some() {
                p.none { "The text is in the other corpus." }
            } @else {
                (word_diff(&cluster.text, &cluster.other_text))
            }
        }
    }
}
