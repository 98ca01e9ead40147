//! What recurs on many distinct pages of a host is template: menus, footers, notices. Here are the
//! keys to count by, the counters, and what the counts say about the blocks of a page; gathering them
//! over a corpus is the job's. Repeated-block detection after Bar-Yossef and Rajagopalan, "Template
//! Detection via Data Mining", WWW 2002.

use serde::{Deserialize, Serialize};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::hash::hash64;
use crate::text::char_classes::{is_alphabetic, is_alphanumeric, push_lowercase};
use crate::text::swar;

/// Key of a block's text, blind to case, punctuation, spacing and the value of numbers; none for a
/// text without letters and digits.
pub fn block_key(text: &str) -> Option<u64> {
    let is_normal = text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes;
    let form = if is_normal { normal_form(text) } else { normal_form(&text.nfkc().collect::<String>()) };
    (!form.is_empty()).then(|| hash64(&form))
}

/// Letters in lower case, each run of digits as one 0, words apart by one space. What is left out in
/// between does not end a run: 7, 1,024 and 12:30 are all 0.
fn normal_form(text: &str) -> Vec<u8> {
    let mut form = Vec::with_capacity(text.len() + 8);
    let (mut at, mut space, mut lower) = (0, false, String::new());
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
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { return form };
        at += c.len_utf8();
        if c.is_whitespace() {
            space = !form.is_empty();
        } else if is_alphanumeric(c) {
            if std::mem::take(&mut space) {
                form.push(b' ');
            }
            if is_alphabetic(c) {
                lower.clear();
                push_lowercase(c, &mut lower);
                // İ becomes a letter and a mark.
                if lower.ends_with(|c| !is_alphabetic(c)) {
                    lower.pop();
                }
                form.extend_from_slice(lower.as_bytes());
            } else if form.last() != Some(&b'0') {
                form.push(b'0');
            }
        }
    }
}

/// Key of a host, in lower case as URL parsers give it; `www.` makes no difference.
pub fn host_key(host: &str) -> u64 {
    hash64(host.strip_prefix("www.").unwrap_or(host).as_bytes())
}

/// Values of which the smallest are kept: 8 KiB, and a standard error of 1 / √(K − 2) = 3.1 %.
const K: usize = 1024;

/// Number of distinct values among those inserted, in bounded memory. The values must be uniform over
/// 64 bits, as hashes are. Neither order nor repetition makes a difference.
///
/// Up to 1024 of them it is exact. Beyond, it is the unbiased estimate from the K smallest values (Bar-Yossef
/// et al., "Counting Distinct Elements in a Data Stream", RANDOM 2002; Beyer et al., "On Synopses for
/// Distinct-Value Estimation Under Multiset Operations", SIGMOD 2007).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distinct {
    /// Ascending, at most K.
    smallest: Vec<u64>,
    /// Whether there were others.
    more: bool,
}

impl Distinct {
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

/// Distinct pages: captures of one address are one page, and so are copies of one text under many
/// addresses, as session ids make them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pages {
    urls: Distinct,
    texts: Distinct,
}

impl Pages {
    /// Hashes of the page's normalised address and of its whole normalised text.
    pub fn see(&mut self, url: u64, text: u64) {
        self.urls.insert(url);
        self.texts.insert(text);
    }

    /// Whichever is fewer, addresses or texts: no smaller than any set of pages that differ in both.
    pub fn count(&self) -> u32 {
        u32::try_from(self.urls.count().min(self.texts.count())).unwrap_or(u32::MAX)
    }
}

/// From which counts on a block is template. All values are this project's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Pages of a host below which nothing is decided.
    pub min_pages: u32,
    /// Pages with the block below which it is none.
    pub min_repeats: u32,
    /// Characters below which a block is short.
    pub length_low: u32,
    /// Characters from which a block is long.
    pub length_high: u32,
    /// Share of the host's pages from which a short block is template.
    pub share_short: f64,
    /// The same for blocks in between.
    pub share_medium: f64,
    /// The same for long blocks. A long text on fewer pages is a repeat, of which one copy is to stay.
    pub share_long: f64,
    /// Pages from which a short block is template on any host, however many templates it has.
    pub many: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            min_pages: 5,
            min_repeats: 3,
            length_low: 70,
            length_high: 200,
            share_short: 0.10,
            share_medium: 0.20,
            share_long: 0.50,
            many: 50,
        }
    }
}

/// Whether a block of so many `characters` that stands `on` so many `of` a host's pages is template.
pub fn is_template(on: u32, of: u32, characters: u32, settings: &Settings) -> bool {
    let share = match characters {
        n if n < settings.length_low => settings.share_short,
        n if n < settings.length_high => settings.share_medium,
        _ => settings.share_long,
    };
    // Only short blocks by their number alone: a whole sentence that 50 of a million pages quote is
    // content, while a short line lost costs little.
    let many = characters < settings.length_low && on >= settings.many;
    of >= settings.min_pages && on >= settings.min_repeats && (many || f64::from(on) / f64::from(of) >= share)
}

/// A block of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub characters: u32,
    /// Pages of the host that have it; 0 if unknown.
    pub on: u32,
    /// What the page's own cleaner says.
    pub boilerplate: bool,
    /// The main heading or the same as the title, which stays even where many pages share it.
    pub protected: bool,
}

/// What the host says about a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Of each block whether it is template, boilerplate or not.
    pub template: Vec<bool>,
    /// Nearly all of the page's content is on other pages too. Then it is no template but a copy, and
    /// no block of it is called template.
    pub repeated_page: bool,
}

/// Share of the characters that are no boilerplate, in percent, of which more is never taken.
const MAX_TAKEN: u64 = 80;

/// Templates among the blocks of a page of a host that has `of` pages.
pub fn templates(blocks: &[Block], of: u32, settings: &Settings) -> Page {
    let is_one = |block: &Block| !block.protected && is_template(block.on, of, block.characters, settings);
    let template: Vec<bool> = blocks.iter().map(is_one).collect();
    let (mut content, mut taken) = (0, 0);
    for (block, &template) in blocks.iter().zip(&template).filter(|(block, _)| !block.boilerplate) {
        let characters = u64::from(block.characters);
        content += characters;
        taken += if template { characters } else { 0 };
    }
    if taken * 100 > content * MAX_TAKEN {
        return Page { template: vec![false; blocks.len()], repeated_page: true };
    }
    Page { template, repeated_page: false }
}

#[cfg(test)]
mod tests;
