//! Reads a page with `lol_html` and turns what it reports into tags and text.
//!
//! `lol_html` reports start tags, text and comments with their positions in the page. End tags it reports only for
//! elements that it holds open itself, which are not those that we hold open. End tags are therefore read by our own
//! tokeniser from what lies between two reports.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use lol_html::errors::RewritingError;
use lol_html::html_content::{Comment, Element, TextChunk, TextType};
use lol_html::{ElementContentHandlers, HtmlRewriter, MemorySettings, Settings, doc_comments, doc_text, element};

use super::Options;
use super::builder::Builder;
use super::tokenizer::{HtmlToken, HtmlTokenizer, StartTag};

/// Passes what `lol_html` reports to the builder.
struct RewriterAdapter<'a, 'b> {
    html: &'a str,
    builder: &'b mut Builder<'a>,
    /// The part of the page before this offset is with the builder or in `text`.
    done: usize,
    /// Where the text stands that the builder does not have yet: pieces are joined.
    text: Range<usize>,
    text_type: TextType,
}

/// Reads the page into the builder.
///
/// # Errors
///
/// `lol_html` needs more memory than `Limits::rule_memory`.
pub fn read<'a>(html: &'a str, options: &Options, builder: &mut Builder<'a>) -> Result<(), RewritingError> {
    let adapter = RefCell::new(RewriterAdapter { html, builder, done: 0, text: 0..0, text_type: TextType::Data });
    parse(html, options, &adapter)?;
    let mut adapter = adapter.into_inner();
    adapter.flush_text();
    adapter.end_tags(html.len());
    Ok(())
}

fn parse(html: &str, options: &Options, adapter: &RefCell<RewriterAdapter<'_, '_>>) -> Result<(), RewritingError> {
    let memory = MemorySettings::new().with_max_allowed_memory_usage(options.limits.rule_memory);
    let settings =
        Settings::new().with_strict(false).with_memory_settings(memory.with_preallocated_parsing_buffer_size(0));
    let settings = with_rule(settings, adapter)
        .append_element_content_handler(element!("*", |element: &mut Element<'_, '_>| {
            adapter.borrow_mut().start(element);
            Ok(())
        }))
        .append_document_content_handler(doc_text!(|chunk: &mut TextChunk<'_>| {
            adapter.borrow_mut().text(chunk);
            Ok(())
        }))
        .append_document_content_handler(doc_comments!(|comment: &mut Comment<'_>| {
            adapter.borrow_mut().upto(comment.source_location().bytes());
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(html.as_bytes())?;
    rewriter.end()
}

/// Adds the selectors of the rule. `lol_html` calls handlers in the order of their registration, so that these report
/// their matches before the start tag is taken.
fn with_rule<'h, 'a>(settings: Settings<'h, 'h>, adapter: &'h RefCell<RewriterAdapter<'a, '_>>) -> Settings<'h, 'h>
where
    'a: 'h,
{
    let rule = adapter.borrow().builder.rule_matcher.rule();
    let selectors = rule.map(|rule| rule.selectors()).unwrap_or_default();
    selectors.iter().enumerate().fold(settings, |settings, (at, selector)| {
        let report = move |_: &mut Element<'_, '_>| {
            adapter.borrow_mut().builder.rule_matcher.selector_matches(at);
            Ok(())
        };
        settings.append_element_content_handler((
            Cow::Borrowed(&selector.css),
            ElementContentHandlers::default().element(report),
        ))
    })
}

impl<'a> RewriterAdapter<'a, '_> {
    fn start(&mut self, element: &Element<'_, '_>) {
        let place = element.source_location().bytes();
        let source = self.html.get(place.clone()).unwrap_or_default();
        let rest = self.html.get(place.end..).unwrap_or_default();
        self.upto(place);
        if self.builder.is_full() {
            return;
        }
        if let Some(tag) = StartTag::read(source, &mut self.builder.attributes) {
            self.builder.start(tag, rest);
        }
    }

    fn text(&mut self, chunk: &TextChunk<'_>) {
        let place = chunk.source_location().bytes();
        if place.is_empty() {
            return;
        }
        if place.start == self.text.end && chunk.text_type() == self.text_type && !self.text.is_empty() {
            self.text.end = place.end;
            self.done = place.end;
            return;
        }
        self.upto(place.clone());
        self.text = place;
        self.text_type = chunk.text_type();
    }

    /// Passes everything before `place`, where no text stands, to the builder.
    fn upto(&mut self, place: Range<usize>) {
        self.flush_text();
        self.end_tags(place.start);
        self.done = place.end;
    }

    fn flush_text(&mut self) {
        let place = std::mem::replace(&mut self.text, 0..0);
        let Some(raw) = self.html.get(place).filter(|raw| !raw.is_empty()) else { return };
        if self.builder.is_full() {
            return;
        }
        match self.text_type {
            TextType::Data => self.builder.text(raw, true),
            TextType::CDataSection => self.builder.text(raw, false),
            TextType::RCData => self.builder.raw_text(raw, true),
            TextType::PlainText | TextType::RawText | TextType::ScriptData => self.builder.raw_text(raw, false),
        }
    }

    fn end_tags(&mut self, until: usize) {
        let between = self.html.get(self.done..until).unwrap_or_default();
        if between.is_empty() {
            return;
        }
        let mut tokenizer = HtmlTokenizer::new(between);
        while !self.builder.is_full()
            && let Some(token) = tokenizer.next(&mut self.builder.attributes)
        {
            if let HtmlToken::End(tag, name) = token {
                self.builder.end(tag, name);
            }
        }
    }
}
