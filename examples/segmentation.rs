//! Prints token F1 and sentence F1 per language, for ours and three baselines; or the errors of one language.
//! cargo run --release --example segmentation -- DATA_DIR [LANG tokens|sentences [N] | speed]
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing)]
use std::{
    collections::{BTreeSet, HashMap},
    io::Read,
    ops::Range,
    time::Instant,
};
use unicode_segmentation::UnicodeSegmentation;
use warcorpus::text::segments::{Options, Scheme, Segmenter};

struct Row {
    text: String,
    sentences: Vec<Range<usize>>,
    tokens: Vec<Range<usize>>,
}

fn rows(dir: &str, lang: &str) -> Vec<Row> {
    let file = std::fs::File::open(format!("{dir}/{lang}.jsonl.gz")).unwrap();
    let mut s = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut s).unwrap();
    s.lines()
        .map(|l| {
            let v: serde_json::Value = serde_json::from_str(l).unwrap();
            let text = v["text"].as_str().unwrap().to_string();
            let mut at: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
            at.push(text.len());
            let spans = |k: &str| {
                v[k].as_array()
                    .unwrap()
                    .iter()
                    .map(|p| at[p[0].as_u64().unwrap() as usize]..at[p[1].as_u64().unwrap() as usize])
                    .collect()
            };
            Row { sentences: spans("sentences"), tokens: spans("tokens"), text }
        })
        .collect()
}

type Cut = (Vec<Range<usize>>, Vec<Range<usize>>);

fn trims(text: &str, r: Range<usize>) -> Option<Range<usize>> {
    let p = &text[r.clone()];
    let s = r.start + p.len() - p.trim_start().len();
    let e = s + p.trim().len();
    (s < e).then_some(s..e)
}
fn breaks(text: &str, b: Vec<usize>) -> Vec<Range<usize>> {
    b.windows(2).filter_map(|w| trims(text, w[0]..w[1])).collect()
}

fn naive(text: &str) -> Cut {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let mut word: Option<usize> = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() {
            word.get_or_insert(i);
            continue;
        }
        if let Some(s) = word.take() {
            tokens.push(s..i)
        }
        if !c.is_whitespace() {
            tokens.push(i..i + c.len_utf8())
        }
    }
    let mut b = vec![0];
    let cs: Vec<(usize, char)> = text.char_indices().collect();
    for w in cs.windows(2) {
        if ".!?".contains(w[0].1) && w[1].1.is_whitespace() {
            b.push(w[1].0)
        }
    }
    b.push(text.len());
    (breaks(text, b), tokens)
}
fn icu(text: &str) -> Cut {
    let s = icu_segmenter::SentenceSegmenter::new(Default::default());
    let w = icu_segmenter::WordSegmenter::new_auto(Default::default());
    (breaks(text, s.segment_str(text).collect()), breaks(text, w.segment_str(text).collect()))
}
fn unicode(text: &str) -> Cut {
    let s = text.split_sentence_bound_indices().map(|(i, _)| i).chain([text.len()]).collect();
    let w = text.split_word_bound_indices().map(|(i, _)| i).chain([text.len()]).collect();
    (breaks(text, s), breaks(text, w))
}
fn ours(seg: &Segmenter, lang: &str, text: &str) -> Cut {
    let cutter = seg.language(lang);
    let sentences = cutter.sentences(text);
    let mut tokens = Vec::new();
    for s in &sentences {
        cutter.tokens(text, s.clone(), &mut tokens);
    }
    (sentences, tokens.into_iter().map(|t| t.range).collect())
}
fn bare(text: &str, spans: &[Range<usize>]) -> BTreeSet<(usize, usize)> {
    let mut index = HashMap::new();
    let mut n = 0;
    for (i, c) in text.char_indices() {
        index.insert(i, n);
        n += usize::from(!c.is_whitespace());
    }
    index.insert(text.len(), n);
    spans.iter().map(|s| (index[&s.start], index[&s.end])).collect()
}
fn score(rows: &[Row], cut: impl Fn(&str) -> Cut) -> (f64, f64) {
    let (mut t, mut tp, mut s, mut sp) = (0, 0, 0, 0);
    for r in rows {
        let (sents, toks) = cut(&r.text);
        let (gs, gt, ps, pt) =
            (bare(&r.text, &r.sentences), bare(&r.text, &r.tokens), bare(&r.text, &sents), bare(&r.text, &toks));
        t += gt.intersection(&pt).count();
        tp += gt.len() + pt.len();
        s += gs.intersection(&ps).count();
        sp += gs.len() + ps.len();
    }
    (200. * t as f64 / tp as f64, 200. * s as f64 / sp as f64)
}
const LANGS: [&str; 12] = ["ara", "ces", "deu", "eng", "fra", "hun", "jpn", "pol", "rus", "tha", "tur", "zho"];

fn table(dir: &str, seg: &Segmenter) {
    println!("lang   ours tok  sent | icu tok  sent | unicode tok  sent | split tok  sent");
    for lang in LANGS {
        let rows = rows(dir, lang);
        let (a, b, c, d) =
            (score(&rows, |t| ours(seg, lang, t)), score(&rows, icu), score(&rows, unicode), score(&rows, naive));
        println!(
            "{lang} {:9.2} {:6.2} |{:7.2} {:6.2} |{:10.2} {:6.2} |{:9.2} {:6.2}",
            a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1
        );
    }
}
fn errors(dir: &str, seg: &Segmenter, lang: &str, what: &str, n: usize) {
    let mut count: HashMap<String, usize> = HashMap::new();
    for r in rows(dir, lang) {
        let (sents, toks) = ours(seg, lang, &r.text);
        if what == "sentences" {
            let g: BTreeSet<usize> = r.sentences.iter().map(|s| s.end).collect();
            let p: BTreeSet<usize> = sents.iter().map(|s| s.end).collect();
            let show = |at: usize| {
                let l: String = r.text[..at].chars().rev().take(35).collect::<Vec<_>>().into_iter().rev().collect();
                let t: String = r.text[at..].chars().take(25).collect();
                format!("{l}|{t}")
            };
            for x in g.difference(&p) {
                println!("MISSED {}", show(*x))
            }
            for x in p.difference(&g) {
                println!("EXTRA  {}", show(*x))
            }
        } else {
            let g: BTreeSet<(usize, usize)> = r.tokens.iter().map(|t| (t.start, t.end)).collect();
            for t in toks {
                if !g.contains(&(t.start, t.end)) {
                    let inner: Vec<&str> =
                        g.iter().filter(|(a, b)| *a < t.end && *b > t.start).map(|(a, b)| &r.text[*a..*b]).collect();
                    *count.entry(format!("{} => {}", &r.text[t], inner.join("|"))).or_default() += 1;
                }
            }
        }
    }
    let mut c: Vec<_> = count.into_iter().collect();
    c.sort_by_key(|(k, v)| (std::cmp::Reverse(*v), k.clone()));
    println!("{} kinds, {} in all", c.len(), c.iter().map(|x| x.1).sum::<usize>());
    for (k, v) in c.into_iter().take(n) {
        println!("{v:4} {k}")
    }
}
fn speed(dir: &str, seg: &Segmenter) {
    for lang in LANGS {
        let texts: Vec<String> = rows(dir, lang).into_iter().map(|r| r.text).collect();
        let bytes: usize = texts.iter().map(String::len).sum();
        let rounds = if matches!(lang, "jpn" | "zho" | "tha") { 4 } else { 40 };
        let mut best = f64::MAX;
        let (mut n, mut tokens) = (0, Vec::new());
        for _ in 0..5 {
            let start = Instant::now();
            for _ in 0..rounds {
                for t in &texts {
                    let cutter = seg.language(lang);
                    tokens.clear();
                    for s in cutter.sentences(t) {
                        cutter.tokens(t, s, &mut tokens);
                    }
                    n += tokens.len();
                }
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{lang} {:.1} MB/s ({n})", (bytes * rounds) as f64 / best / 1e6);
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let start = Instant::now();
    let scheme = if std::env::var("USERS").is_ok() { Scheme::UsersWay } else { Scheme::Treebank };
    let seg = Segmenter::new(Options { scheme });
    if a.get(2).map(String::as_str) == Some("speed") {
        println!("start {:?}", start.elapsed());
        return speed(&a[1], &seg);
    }
    if a.len() > 3 {
        return errors(&a[1], &seg, &a[2], &a[3], a.get(4).map_or(40, |n| n.parse().unwrap()));
    }
    table(&a[1], &seg)
}
