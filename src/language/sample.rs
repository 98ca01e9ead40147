//! Which part of a page its language is read from.

/// A block as a candidate for the sample: its text, length and linked length in characters, and whether it is
/// preformatted: code, mostly.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    pub text: &'a str,
    pub characters: u32,
    pub link_characters: u32,
    pub preformatted: bool,
}

/// Characters from which a block may be running text.
const RUNNING: u32 = 70;

impl Candidate<'_> {
    /// 2 running text, 1 what is shorter, 0 links, code and encoded data.
    fn rank(&self) -> u8 {
        let linked = self.link_characters * 5 > self.characters;
        match self.characters {
            _ if linked || self.preformatted => 0,
            ..RUNNING => 1,
            _ if self.has_words() => 2,
            _ => 0,
        }
    }

    /// Encoded data has no blanks; text of scripts without blanks is not ASCII.
    fn has_words(&self) -> bool {
        self.text.chars().take(RUNNING as usize).any(|c| c.is_whitespace() || !c.is_ascii())
    }
}

/// At most `limit` characters from the six longest blocks of the best rank there is, in page order.
pub fn sample<'a>(blocks: impl Iterator<Item = Candidate<'a>>, limit: usize) -> String {
    const BLOCKS: usize = 6;
    let all: Vec<Candidate> = blocks.collect();
    let best = all.iter().map(Candidate::rank).max().unwrap_or(0);
    let mut chosen: Vec<(usize, &Candidate)> = all.iter().enumerate().filter(|(_, c)| c.rank() == best).collect();
    // Short blocks alone say little each: all of them are the sample.
    if best == 2 {
        chosen.sort_by_key(|(i, c)| (std::cmp::Reverse(c.characters), *i));
        chosen.truncate(BLOCKS);
        chosen.sort_by_key(|(i, _)| *i);
    }
    let share = if best == 2 { limit / chosen.len().max(1) } else { limit };
    let mut text = String::new();
    for (_, candidate) in chosen {
        text.push_str(head(candidate.text, share));
        text.push('\n');
        if text.len() >= limit * 4 {
            break;
        }
    }
    head(&text, limit + BLOCKS).to_string()
}

/// The first `limit` characters, cut at a word where there is one.
pub fn head(text: &str, limit: usize) -> &str {
    let end = match text.as_bytes().get(..limit) {
        // So many bytes are no more characters, and of ASCII as many.
        None => None,
        Some(bytes) if bytes.is_ascii() => Some(limit),
        Some(_) => text.char_indices().nth(limit).map(|(end, _)| end),
    };
    let Some(cut) = end.and_then(|end| text.get(..end)).filter(|cut| cut.len() < text.len()) else { return text };
    cut.rfind(char::is_whitespace).filter(|&i| i * 2 > cut.len()).and_then(|i| cut.get(..i)).unwrap_or(cut)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn heads_are_counted_in_characters(text in "([a-z]{0,9} ?|[éж山]{1,3}){0,12}", limit in 0usize..30) {
            let whole: String = text.chars().take(limit).collect();
            let cut = match whole.rfind(' ').filter(|&at| at * 2 > whole.len() && whole.len() < text.len()) {
                Some(at) => &whole[..at],
                None => &whole,
            };
            prop_assert_eq!(head(&text, limit), cut);
        }
    }
}
