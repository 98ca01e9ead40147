//! The inspection of a page as HTML: its blocks beside its markup.

use maud::{Markup, html};
use std::borrow::Cow;

use super::{Comparison, InspectedBlock, Inspection};
use crate::clean::{Reason, Weights};
use crate::document::timestamp_of;
use crate::html::{self, number, quoted, word_diff};
use crate::text::is_obeyed;

/// Most bytes of markup that are shown.
const MOST_MARKUP: usize = 4 << 20;

/// The whole page.
pub fn page(inspection: &Inspection) -> String {
    let document = &inspection.document;
    let kept = inspection.blocks.iter().filter(|block| block.row.kept).count();
    let fate = if document.kept { "kept".to_string() } else { format!("dropped: {}", document.drop_reason) };
    let title = document.title.clone().unwrap_or_else(|| document.url.clone());
    let body = html! {
        h1 { (quoted(&title)) }
        p { (quoted(&document.url)) }
        p { strong { (fate) } ", " (number(kept as u64)) " of " (number(inspection.blocks.len() as u64)) " blocks kept" }
        (facts(inspection))
        (evidence(inspection))
        @if let Some(keeper) = &inspection.keeper { (comparison(keeper)) }
        section {
            h2 { "Blocks and markup" }
            p.soft { "Point at a block, or move to it with the Tab key, to see where it stands; click to bring the other side into view." }
            ul.legend {
                li { span.b2 {} "kept" } li { span.b4 {} "content, dropped" } li { span.b1 {} "boilerplate" }
            }
            @if let Some(why) = &inspection.without_markup { p.bad { "The markup is not shown: " (quoted(why)) } }
            div.sides {
                ol.blocks start="0" { @for block in &inspection.blocks { (self::block(document.site_pages, block)) } }
                (markup(inspection))
            }
        }
    };
    html::page(&format!("Inspection of {title}"), &body)
}

fn facts(inspection: &Inspection) -> Markup {
    let document = &inspection.document;
    let captured = timestamp_of(document.captured);
    html! {
        dl.facts {
            dt { "Document" } dd { (document.doc) }
            dt { "Archive" } dd { (quoted(&document.archive)) " at byte " (document.offset) }
            dt { "Record" } dd { (quoted(&document.record_id)) }
            dt { "Captured" } dd { (captured.map_or("unknown".to_string(), |time| time.to_string())) }
            @if let Some(rule) = &inspection.rule { dt { "Site rule" } dd { (quoted(rule)) } }
            @if document.cluster_size > 1 { dt { "Cluster" } dd { (document.cluster_size) " documents" } }
            @if let (Some(corpus), Some(url)) = (&document.keeper_corpus, &document.keeper_url) {
                dt { "In favour of" } dd { (quoted(url)) " of the corpus " (quoted(corpus)) }
            }
            @if let (Some(container), Some(share)) = (document.contained_in, document.contained_share) {
                dt { "Contained in" } dd { "document " (container) " (" (format!("{:.1}", share * 100.0)) " %)" }
            }
            @if let Some(pages) = document.site_pages { dt { "Pages of the host" } dd { (number(pages.into())) } }
        }
    }
}

/// What each value was chosen from.
fn evidence(inspection: &Inspection) -> Markup {
    html! {
        section {
            h2 { "Where values come from" }
            @for one in &inspection.evidence {
                details.sample {
                    summary { strong { (one.column) } " " @if one.value.is_empty() { "none" } @else { (quoted(&one.value)) } }
                    @if one.statements.is_empty() { p.none { "The page says nothing about it." } }
                    dl.facts { @for (place, text) in &one.statements { dt { (quoted(place)) } dd { (quoted(text)) } } }
                }
            }
        }
    }
}

/// The document that stands for this one, and the difference.
fn comparison(keeper: &Comparison) -> Markup {
    html! {
        section {
            h2 { "The document that stands for it" }
            dl.facts {
                dt { "Document" } dd { (keeper.doc) " " (quoted(&keeper.url)) }
                dt { "Shared shingles" }
                dd {
                    (number(keeper.shared as u64)) " of " (number(keeper.union as u64)) " distinct sequences of "
                    (keeper.shingle) " words (" (html::percentage(keeper.shared as u64, keeper.union as u64)) ")"
                }
            }
            details.sample { summary { "Some of them" } ul { @for shingle in &keeper.examples { li { (quoted(shingle)) } } } }
            details.sample open { summary { "What this document lacks and has more" } (word_diff(&keeper.text, &keeper.other_text)) }
            details.sample {
                summary { "Both texts" }
                div.sides {
                    div { h3 { "The document that stands for it" } (paragraphs(&keeper.text)) }
                    div { h3 { "This document" } (paragraphs(&keeper.other_text)) }
                }
            }
        }
    }
}

fn paragraphs(text: &str) -> Markup {
    html! { @for line in text.lines() { p { (quoted(line)) } } }
}

/// The class of a block in the style sheet.
fn verdict(block: &InspectedBlock) -> &'static str {
    match (block.row.kept, block.row.boilerplate) {
        (true, _) => "kept",
        (false, false) => "dropped",
        (false, true) => "boilerplate",
    }
}

fn block(site_pages: Option<u32>, block: &InspectedBlock) -> Markup {
    let row = &block.row;
    let fate = if row.kept { Cow::Borrowed("kept") } else { Cow::Borrowed(row.drop_reason.name()) };
    html! {
        li.block.(verdict(block)) data-block=(row.index) tabindex="0" {
            p { (quoted(&row.text)) }
            p.soft {
                strong { (fate) } " by " (quoted(row.reason.name()))
                @if let Some(score) = row.score { " (" (format!("{score:+.1}")) ")" }
                ", class " (row.class.name())
                @if row.class != row.context_free { " (" (row.context_free.name()) " by itself)" }
                ", " (row.kind.name()) ", " (row.characters) " characters"
                ", links " (format!("{:.2}", row.link_density)) ", stop words " (format!("{:.2}", row.stopword_density))
                @if let Some(language) = row.language { ", " (language.to_string()) }
                @if let (Some(pages), Some(of)) = (row.site_pages, site_pages) { ", on " (pages) " of " (of) " pages of the host" }
                @if let Some(share) = row.seen_share.filter(|share| *share > 0.0) { ", " (format!("{:.0}", share * 100.0)) " % seen before" }
            }
            (weights(&block.weights))
            @if !block.containers.is_empty() { p.soft { code { (quoted(&block.containers.join(" > "))) } } }
        }
    }
}

/// Most kinds of evidence that are shown, and the least weight of them.
const MOST_WEIGHTS: usize = 5;
const LEAST_WEIGHT: f32 = 0.05;

fn weights(weights: &Weights) -> Markup {
    let list = |weights: &[(Reason, f32)]| {
        let weight = |(reason, weight): &(Reason, f32)| format!("{} {weight:+.1}", reason.name());
        weights
            .iter()
            .filter(|(_, weight)| weight.abs() >= LEAST_WEIGHT)
            .take(MOST_WEIGHTS)
            .map(weight)
            .collect::<Vec<_>>()
            .join(", ")
    };
    html! {
        @if !weights.by_itself.is_empty() { p.soft { "evidence by itself: " (list(&weights.by_itself)) } }
        @if !weights.in_context.is_empty() { p.soft { "among the other blocks: " (list(&weights.in_context)) } }
    }
}

/// The markup as text, with the blocks' ranges marked. Where ranges overlap, the first has the bytes.
fn markup(inspection: &Inspection) -> Markup {
    let text = &inspection.markup;
    let end = text.floor_char_boundary(MOST_MARKUP);
    let mut blocks: Vec<&InspectedBlock> =
        inspection.blocks.iter().filter(|block| block.source.0 < block.source.1).collect();
    blocks.sort_by_key(|block| block.source.0);
    let mut pieces = Vec::new();
    let mut done = 0;
    for block in blocks {
        let (begin, until) = (block.source.0, block.source.1.min(end));
        let (Some(before), Some(own)) = (text.get(done..begin), text.get(begin..until)) else { continue };
        pieces.push(html! { (lines(before)) mark.(verdict(block)) data-block=(block.row.index) { (lines(own)) } });
        done = until;
    }
    html! {
        div.markup tabindex="0" role="region" aria-label="Markup" {
            pre { @for piece in &pieces { (piece) } (lines(text.get(done..end).unwrap_or_default())) }
            @if end < text.len() { p.none { (number((text.len() - end) as u64)) " more bytes are not shown." } }
        }
    }
}

/// Markup with a space for each character that is obeyed and not shown, but for the ends of lines.
fn lines(text: &str) -> String {
    text.replace(|c| is_obeyed(c) && c != '\n' && c != '\t', " ")
}
