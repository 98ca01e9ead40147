//! Drives `lol_html` and turns what it reports into tags and text.
//!
//! The parser reports start tags, text and comments with their places in the page; end tags it
//! reports only for elements it holds open itself, which are not the ones we hold open. So we read
//! them where they must stand: in what lies between two reports.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use lol_html::errors::RewritingError;
use lol_html::html_content::{Comment, Element, TextChunk, TextType};
use lol_html::{ElementContentHandlers, HtmlRewriter, MemorySettings, Settings, doc_comments, doc_text, element};

use super::Options;
use super::builder::Builder;
use super::scan::{Scanner, StartTag, Token};

struct Reader<'a, 'b> {
    html: &'a str,
    builder: &'b mut Builder<'a>,
    /// Everything before is with the builder or in `text`.
    done: usize,
    text: Range<usize>,
    text_type: TextType,
}

/// Reads the page into the builder, unless the parser refuses it.
pub fn read<'a>(html: &'a str, options: &Options, builder: &mut Builder<'a>) -> Result<(), RewritingError> {
    let reader = RefCell::new(Reader { html, builder, done: 0, text: 0..0, text_type: TextType::Data });
    parse(html, options, &reader)?;
    let mut reader = reader.into_inner();
    reader.flush_text();
    reader.end_tags(html.len());
    Ok(())
}

fn parse(html: &str, options: &Options, reader: &RefCell<Reader<'_, '_>>) -> Result<(), RewritingError> {
    let memory = MemorySettings::new().with_max_allowed_memory_usage(options.max_memory);
    let settings =
        Settings::new().with_strict(false).with_memory_settings(memory.with_preallocated_parsing_buffer_size(0));
    let settings = watching(settings, reader)
        .append_element_content_handler(element!("*", |element: &mut Element<'_, '_>| {
            reader.borrow_mut().start(element);
            Ok(())
        }))
        .append_document_content_handler(doc_text!(|chunk: &mut TextChunk<'_>| {
            reader.borrow_mut().text(chunk);
            Ok(())
        }))
        .append_document_content_handler(doc_comments!(|comment: &mut Comment<'_>| {
            reader.borrow_mut().upto(comment.source_location().bytes());
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(html.as_bytes())?;
    rewriter.end()
}

/// Adds the selectors of the rule. The parser calls handlers in the order of their registration, so these
/// speak before the one that opens the element.
fn watching<'h, 'a>(settings: Settings<'h, 'h>, reader: &'h RefCell<Reader<'a, '_>>) -> Settings<'h, 'h>
where
    'a: 'h,
{
    let rule = reader.borrow().builder.watch.rule();
    let selectors = rule.map(|rule| rule.selectors()).unwrap_or_default();
    selectors.iter().enumerate().fold(settings, |settings, (at, selector)| {
        let note = move |_: &mut Element<'_, '_>| {
            reader.borrow_mut().builder.watch.note(at);
            Ok(())
        };
        settings.append_element_content_handler((
            Cow::Borrowed(&selector.css),
            ElementContentHandlers::default().element(note),
        ))
    })
}

impl<'a> Reader<'a, '_> {
    fn start(&mut self, element: &Element<'_, '_>) {
        let place = element.source_location().bytes();
        let source = self.html.get(place.clone()).unwrap_or_default();
        self.upto(place);
        if let Some(tag) = StartTag::read(source, &mut self.builder.attributes) {
            self.builder.start(tag);
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

    /// Something else than text stands at `place`: all before it goes to the builder.
    fn upto(&mut self, place: Range<usize>) {
        self.flush_text();
        self.end_tags(place.start);
        self.done = place.end;
    }

    fn flush_text(&mut self) {
        let place = std::mem::replace(&mut self.text, 0..0);
        let Some(raw) = self.html.get(place).filter(|raw| !raw.is_empty()) else { return };
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
        let mut scanner = Scanner::new(between);
        while let Some(token) = scanner.next(&mut self.builder.attributes) {
            if let Token::End(tag, name) = token {
                self.builder.end(tag, name);
            }
        }
    }
}
