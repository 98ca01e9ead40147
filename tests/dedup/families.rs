//! Archives full of relatives: families of near copies, large enough to crowd their buckets, over one,
//! two or three archives; copies; paragraphs that stand in other documents; texts of a few words.

use crate::crawl::Random;

use super::{Page, word};

/// In which of the three archives the members of each family stand.
const WHERE: [&[usize]; 7] = [&[0, 1, 2], &[0, 1, 2], &[0, 1], &[0, 1], &[0], &[1, 2], &[1, 2]];

struct Maker {
    random: Random,
    /// Numbers of words that nobody else has.
    fresh: u64,
    texts: Vec<String>,
}

/// Three archives of `documents` in all, about half of them members of families.
pub(super) fn archives(seed: u64, documents: u64) -> [Vec<Page>; 3] {
    let mut maker = Maker { random: Random(seed), fresh: 20_000, texts: Vec::new() };
    let mut archives = [Vec::new(), Vec::new(), Vec::new()];
    for number in 0..documents {
        let (text, places) = maker.text();
        let archive = places[maker.random.below(places.len() as u64) as usize];
        let host = ["a", "b", "c"][archive];
        archives[archive].push(Page::new(format!("https://{host}.example/{number}"), text.clone()));
        maker.texts.push(text);
    }
    archives
}

impl Maker {
    /// A text, and where it may stand.
    fn text(&mut self) -> (String, &'static [usize]) {
        let kind = self.random.below(10);
        let anywhere: &[usize] = &[0, 1, 2];
        let earlier = match self.texts.len() as u64 {
            0 => String::new(),
            n => self.texts[self.random.below(n) as usize].clone(),
        };
        match kind {
            0..5 => {
                let family = self.random.below(WHERE.len() as u64);
                (self.member(family), WHERE[family as usize])
            }
            5..7 => (self.own(), anywhere),
            7..9 => (format!("{}\n{}", self.own(), earlier.lines().next().unwrap_or_default()), anywhere),
            _ if earlier.is_empty() => (self.own(), anywhere),
            _ => (earlier, anywhere),
        }
    }

    /// Members of even families are so like each other that most share a bucket; those of odd ones are
    /// about as like each other as the threshold asks.
    fn member(&mut self, family: u64) -> String {
        let even = family.is_multiple_of(2);
        let length = if even { 300 } else { 100 };
        let mut text: Vec<String> = (family * 1000..family * 1000 + length).map(word).collect();
        let changes = if even { 1 + self.random.below(2) } else { self.random.below(6) };
        for _ in 0..changes {
            text[self.random.below(length) as usize] = self.fresh(1).concat();
        }
        lines(&text)
    }

    fn own(&mut self) -> String {
        let length = 10 + self.random.below(90);
        lines(&self.fresh(length))
    }

    fn fresh(&mut self, n: u64) -> Vec<String> {
        self.fresh += n;
        (self.fresh - n..self.fresh).map(word).collect()
    }
}

fn lines(words: &[String]) -> String {
    words.chunks(25).map(|line| line.join(" ")).collect::<Vec<_>>().join("\n")
}
