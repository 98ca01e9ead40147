//! Site templates: menus, footers and notices that recur on many distinct pages of a host. This module has the
//! keys to count by, the counters, and the decision about the blocks of a page from the counts; stages gather
//! the counts over a corpus. Repeated-block detection after Bar-Yossef and Rajagopalan, "Template
//! Detection via Data Mining", WWW 2002.

use serde::{Deserialize, Serialize};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::hash::text_hash;
use crate::text::char_classes::{is_alphanumeric, push_lowercase};
use crate::text::swar;

/// Makes keys of blocks. It keeps its buffers from block to block.
#[derive(Debug, Default)]
pub struct BlockKeys {
    form: Vec<u8>,
    lower: String,
}

impl BlockKeys {
    /// Key of a block's text, blind to case, punctuation and spacing; none for a text without letters and digits. Texts that
    /// differ in a number differ: rows of a table, prices, paragraphs of a statute.
    pub fn key(&mut self, text: &str) -> Option<u64> {
        let is_normal = text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes;
        self.form.clear();
        if is_normal {
            normal_form(text, &mut self.form, &mut self.lower);
        } else {
            normal_form(&text.nfkc().collect::<String>(), &mut self.form, &mut self.lower);
        }
        (!self.form.is_empty()).then(|| text_hash(&self.form))
    }
}

/// Appends letters in lower case and digits, words apart by one space.
fn normal_form(text: &str, form: &mut Vec<u8>, lower: &mut String) {
    form.reserve(text.len() + 8);
    let (mut at, mut space) = (0, false);
    loop {
        let eight = swar::load(text.as_bytes(), at);
        let letters = swar::before(swar::others(swar::letters(eight)));
        if letters > 0 {
            if std::mem::take(&mut space) {
                form.push(b' ');
            }
            // All eight and back: a copy of a length that the compiler knows.
            let end = form.len() + letters;
            form.extend_from_slice(&swar::lower_case(eight).to_le_bytes());
            form.truncate(end);
            at += letters;
        }
        if letters == 8 {
            continue;
        }
        // In ASCII this is white space, a digit or nothing.
        if let Some(&byte) = text.as_bytes().get(at).filter(|byte| byte.is_ascii()) {
            at += 1;
            match byte {
                b' ' | b'\t'..=b'\r' => space = !form.is_empty(),
                b'0'..=b'9' => {
                    if std::mem::take(&mut space) {
                        form.push(b' ');
                    }
                    form.push(byte);
                }
                _ => {}
            }
            continue;
        }
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { return };
        at += c.len_utf8();
        if c.is_whitespace() {
            space = !form.is_empty();
        } else if is_alphanumeric(c) {
            if std::mem::take(&mut space) {
                form.push(b' ');
            }
            lower.clear();
            push_lowercase(c, lower);
            // İ becomes a letter and a mark.
            if lower.ends_with(|c| !is_alphanumeric(c)) {
                lower.pop();
            }
            form.extend_from_slice(lower.as_bytes());
        }
    }
}

/// Whether a text begins as speech does, with a quotation mark or a dash.
pub fn is_speech(text: &str) -> bool {
    const BEGINNINGS: [char; 13] = ['"', '“', '„', '«', '»', '‹', '‘', '‚', '「', '『', '—', '–', '―'];
    text.starts_with(BEGINNINGS)
}

/// Key of a host, in lower case as URL parsers give it; `www.` makes no difference.
pub fn host_key(host: &str) -> u64 {
    text_hash(host.strip_prefix("www.").unwrap_or(host).as_bytes())
}

/// Number of smallest values that are kept: 8 KiB, and a standard error of 1 / √(K − 2) = 3.1 %.
const K: usize = 1024;

/// Counts distinct values in bounded memory. The values must be uniform over
/// 64 bits, as hashes are. Neither order nor repetition makes a difference.
///
/// Up to 1024 of them it is exact. Beyond, it is the unbiased estimate from the K smallest values (Bar-Yossef
/// et al., "Counting Distinct Elements in a Data Stream", RANDOM 2002; Beyer et al., "On Synopses for
/// Distinct-Value Estimation Under Multiset Operations", SIGMOD 2007).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DistinctCounter {
    /// Ascending, at most K.
    smallest: Vec<u64>,
    /// Whether larger values were left out.
    more: bool,
}

impl DistinctCounter {
    /// Counts a value; one that was counted before makes no difference.
    pub fn insert(&mut self, value: u64) {
        let Err(at) = self.smallest.binary_search(&value) else { return };
        if self.smallest.len() == K {
            self.more = true;
            if at == K {
                return;
            }
            self.smallest.pop();
        }
        self.smallest.insert(at, value);
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.smallest.clear();
        self.more = false;
    }

    /// Number of distinct values so far, or an estimate of it.
    pub fn count(&self) -> u64 {
        match self.smallest.last() {
            Some(&largest) if self.more => {
                let share_below = (largest as f64 + 1.0) / 2f64.powi(64);
                (((K - 1) as f64 / share_below).round() as u64).max(K as u64 + 1)
            }
            _ => self.smallest.len() as u64,
        }
    }
}

/// Counts distinct pages. Captures of one URL are one page, and so are copies of one text under many URLs,
/// as session ids make them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageCounter {
    urls: DistinctCounter,
    texts: DistinctCounter,
}

impl PageCounter {
    /// Counts a page by the hashes of its normalised URL and of its whole normalised text.
    pub fn insert(&mut self, url: u64, text: u64) {
        self.urls.insert(url);
        self.texts.insert(text);
    }

    /// Forgets all pages.
    pub fn clear(&mut self) {
        self.urls.clear();
        self.texts.clear();
    }

    /// Number of distinct URLs or of distinct texts, whichever is smaller: at least the size of any set of pages
    /// that differ in both.
    pub fn count(&self) -> u32 {
        u32::try_from(self.urls.count().min(self.texts.count())).unwrap_or(u32::MAX)
    }
}

/// Characters below which a block is short, by default. Boilerplate so short is counted too: what the cleaner takes for content on
/// a few pages is template if it stands on many. Of longer texts only those are counted that are content, since an article's
/// first paragraph may stand beside many others.
pub const SHORT: u32 = 70;

/// Thresholds from which a block is template. All values are this project's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Fewest pages of a host with templates: on a host with fewer pages no block is template.
    pub min_pages: u32,
    /// Fewest pages that have a template: a block on fewer pages is none.
    pub min_repeats: u32,
    /// Length in characters below which a block is short.
    pub length_low: u32,
    /// Length in characters from which a block is long.
    pub length_high: u32,
    /// Share of the host's pages from which a short block is template if it stands on `many` pages.
    pub share_short: f64,
    /// Share of the host's pages from which a block of medium length is template if it stands on `many` pages.
    pub share_medium: f64,
    /// Share of the host's pages from which any block is template, a long one of the content only if it stands on `many` pages or
    /// on nearly all, one of medium length only if it stands on ten or on nearly all.
    pub share_long: f64,
    /// Number of pages from which the smaller shares hold: a tenth of thirty pages is three, and a value in a table stands on
    /// three pages by chance. A long text on fewer pages is a repeat, of which the overlap step leaves one copy.
    pub many: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            min_pages: 5,
            min_repeats: 3,
            length_low: SHORT,
            length_high: 200,
            share_short: 0.10,
            share_medium: 0.20,
            share_long: 0.50,
            many: 50,
        }
    }
}

/// Whether a block of `characters` characters is template that stands on `pages` of the `host_pages` pages of its
/// host. One on more pages than the host has was counted wrong, and is none: an estimate of a part is never above that of
/// the whole.
pub fn is_template(pages: u32, host_pages: u32, characters: u32, options: &Options) -> bool {
    let share = match characters {
        _ if pages < options.many => options.share_long,
        n if n < options.length_low => options.share_short,
        n if n < options.length_high => options.share_medium,
        _ => options.share_long,
    };
    let often = f64::from(pages) / f64::from(host_pages) >= share;
    host_pages >= options.min_pages && (options.min_repeats..=host_pages).contains(&pages) && often
}

/// What a block is to those beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Part {
    /// A text of its own.
    #[default]
    Text,
    /// A heading belongs to what follows it.
    Heading,
    /// A cell of the table with this number.
    Cell(u32),
    /// An item of a list.
    Item,
}

/// A block of a page, as far as template detection looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HostBlock {
    /// Position among the blocks of the page.
    pub index: u32,
    pub part: Part,
    /// Length in characters.
    pub characters: u32,
    /// Number of the host's pages that have the block; 0 if unknown.
    pub pages: u32,
    /// Whether the cleaner calls the block boilerplate.
    pub boilerplate: bool,
    /// Whether the block is the main heading or equals the title: it stays even where many pages share it.
    pub protected: bool,
}

/// What the counts of the host say about a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPage {
    /// For each block of the page, boilerplate or not, whether it is template.
    pub template: Vec<bool>,
    /// Whether nearly all of the page's content is on other pages too. Then the page is a copy, and
    /// no block of it is called template.
    pub repeated_page: bool,
}

/// Share of the host's pages, in percent, from which a text that is not short is template on fewer than `many` pages: a notice
/// stands on nearly all pages, an essay has three addresses on a site of six pages.
const NEARLY_ALL: u64 = 80;
/// Number of pages from which a text of medium length is template on fewer than nearly all pages: no story stands on so many
/// lists of stories, and a notice does.
const LISTS: u32 = 10;
/// Share of the characters that are no boilerplate, in percent, of which more is never taken.
const MAX_TAKEN: u64 = 80;

/// Templates among the blocks of a page, on a host of `host_pages` pages. A table or a list is template if all of it is:
/// without the cells that other pages have too, it could not be read. A heading stays with what follows it. A text that is not
/// short on few pages, and not on nearly all, is a repeat, of which one copy is to stay: the first paragraph of a story stands
/// in lists of stories, too.
pub fn templates(blocks: &[HostBlock], host_pages: u32, options: &Options) -> HostPage {
    let recurs =
        |block: &HostBlock| !block.protected && is_template(block.pages, host_pages, block.characters, options);
    let recurrent = with_neighbours(blocks, recurs);
    let (mut content, mut taken) = (0, 0);
    for (block, &recurrent) in blocks.iter().zip(&recurrent).filter(|(block, _)| !block.boilerplate) {
        let characters = u64::from(block.characters);
        content += characters;
        taken += if recurrent { characters } else { 0 };
    }
    if taken * 100 > content * MAX_TAKEN {
        return HostPage { template: vec![false; blocks.len()], repeated_page: true };
    }
    let is_repeat = |block: &HostBlock| {
        let nearly_all = u64::from(block.pages) * 100 >= u64::from(host_pages) * NEARLY_ALL;
        let most = match block.characters {
            n if n < options.length_low => 0,
            n if n < options.length_high => options.many.min(LISTS),
            _ => options.many,
        };
        !block.boilerplate && block.pages < most && !nearly_all
    };
    let template = with_neighbours(blocks, |block| recurs(block) && !is_repeat(block));
    HostPage { template, repeated_page: false }
}

/// What is true of each block and of those that it cannot be parted from.
fn with_neighbours(blocks: &[HostBlock], is_one: impl Fn(&HostBlock) -> bool) -> Vec<bool> {
    let mut template: Vec<bool> = blocks.iter().map(is_one).collect();
    keep_whole(blocks, &mut template);
    keep_headings(blocks, &mut template);
    template
}

/// Takes nothing from tables and lists of which something stays.
fn keep_whole(blocks: &[HostBlock], template: &mut [bool]) {
    let belong = |a: &HostBlock, b: &HostBlock| {
        matches!(a.part, Part::Cell(_) | Part::Item) && a.part == b.part && a.index.checked_add(1) == Some(b.index)
    };
    let mut rest = template;
    for run in blocks.chunk_by(belong) {
        let Some((of_run, after)) = rest.split_at_mut_checked(run.len()) else { return };
        if of_run.contains(&false) {
            of_run.fill(false);
        }
        rest = after;
    }
}

/// Takes no heading directly before a block that stays.
fn keep_headings(blocks: &[HostBlock], template: &mut [bool]) {
    let mut next_kept = None;
    for (block, template) in blocks.iter().zip(template).rev() {
        if block.part == Part::Heading && next_kept.is_some() && next_kept == block.index.checked_add(1) {
            *template = false;
        }
        next_kept = Some(block.index).filter(|_| !*template && !block.boilerplate);
    }
}

#[cfg(test)]
mod tests;
