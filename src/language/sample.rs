//! Which part of a page its language is read from.

/// A block as a candidate for the sample: its text, length and linked length in characters.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    pub text: &'a str,
    pub characters: u32,
    pub link_characters: u32,
}

impl Candidate<'_> {
    /// 2 running text, 1 anything else that is no link, 0 links.
    fn rank(&self) -> u8 {
        match (self.link_characters * 5 <= self.characters, self.characters >= 70) {
            (true, true) => 2,
            (true, false) => 1,
            _ => 0,
        }
    }
}

/// At most `limit` characters from the four longest blocks of the best rank there is, in page order.
pub fn sample<'a>(blocks: impl Iterator<Item = Candidate<'a>>, limit: usize) -> String {
    const BLOCKS: usize = 4;
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
    match text.char_indices().nth(limit) {
        None => text,
        Some((end, _)) => {
            let cut = text.get(..end).unwrap_or(text);
            cut.rfind(char::is_whitespace).filter(|&i| i * 2 > end).and_then(|i| cut.get(..i)).unwrap_or(cut)
        }
    }
}
