//! The part of a page that its language is decided on.

/// A block that may become part of the sample.
#[derive(Debug, Clone, Copy)]
pub struct SampleBlock<'a> {
    pub text: &'a str,
    /// Length of the text.
    pub characters: u32,
    /// Characters in links.
    pub link_characters: u32,
    /// Whether white space is kept as written: mostly code.
    pub preformatted: bool,
}

/// Characters from which a block may be running text.
const RUNNING_TEXT: u32 = 70;

impl SampleBlock<'_> {
    /// 2 for running text, 1 for shorter text, 0 for links, code and encoded data.
    fn rank(&self) -> u8 {
        let linked = self.link_characters * 5 > self.characters;
        match self.characters {
            _ if linked || self.preformatted => 0,
            ..RUNNING_TEXT => 1,
            _ if self.has_words() => 2,
            _ => 0,
        }
    }

    /// Whether the text has words: encoded data has no white space; text of scripts without white space is not ASCII.
    fn has_words(&self) -> bool {
        self.text.chars().take(RUNNING_TEXT as usize).any(|c| c.is_whitespace() || !c.is_ascii())
    }
}

/// At most `limit` characters of a page, and a line feed behind each block: from its six longest blocks of running text, or
/// without one from all blocks of the best rank there is; in page order.
pub fn sample<'a>(blocks: impl Iterator<Item = SampleBlock<'a>>, limit: usize) -> String {
    const BLOCKS: usize = 6;
    let all: Vec<(u8, SampleBlock)> = blocks.map(|block| (block.rank(), block)).collect();
    let best = all.iter().map(|(rank, _)| *rank).max().unwrap_or(0);
    let of_best = all.iter().enumerate().filter(|(_, (rank, _))| *rank == best);
    let mut chosen: Vec<(usize, &SampleBlock)> = of_best.map(|(i, (_, block))| (i, block)).collect();
    // Short blocks say little each, so all of them become the sample.
    if best == 2 {
        chosen.sort_by_key(|(i, c)| (std::cmp::Reverse(c.characters), *i));
        chosen.truncate(BLOCKS);
        chosen.sort_by_key(|(i, _)| *i);
    }
    let share = if best == 2 { limit / chosen.len().max(1) } else { limit };
    let mut text = String::new();
    for (_, candidate) in chosen {
        text.push_str(truncate(candidate.text, share));
        text.push('\n');
        if text.len() >= limit * 4 {
            break;
        }
    }
    truncate(&text, limit + BLOCKS).to_string()
}

/// The first `limit` characters of a text, cut between words where that leaves more than half.
pub fn truncate(text: &str, limit: usize) -> &str {
    let end = match text.as_bytes().get(..limit) {
        // A text has no more characters than bytes, and ASCII as many.
        None => None,
        Some(bytes) if bytes.is_ascii() => Some(limit),
        Some(_) => end_of_characters(text, limit),
    };
    let Some(cut) = end.and_then(|end| text.get(..end)).filter(|cut| cut.len() < text.len()) else { return text };
    cut.rfind(char::is_whitespace).filter(|&i| i * 2 > cut.len()).and_then(|i| cut.get(..i)).unwrap_or(cut)
}

/// Offset behind the first `count` characters of a text; none if it has fewer.
fn end_of_characters(text: &str, count: usize) -> Option<usize> {
    let mut characters = text.chars();
    // Of `Chars`, and not of `CharIndices`, the standard library skips many at once.
    count.checked_sub(1).map_or(Some(()), |last| characters.nth(last).map(|_| ()))?;
    Some(text.len() - characters.as_str().len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_are_truncated_by_characters(text in "([a-z]{0,9} ?|[éж山]{1,3}){0,12}", limit in 0usize..30) {
            let whole: String = text.chars().take(limit).collect();
            let cut = match whole.rfind(' ').filter(|&at| at * 2 > whole.len() && whole.len() < text.len()) {
                Some(at) => &whole[..at],
                None => &whole,
            };
            prop_assert_eq!(truncate(&text, limit), cut);
        }
    }
}
