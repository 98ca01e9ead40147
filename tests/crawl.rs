//! A made-up crawl: as large as wanted, cheap to read, the same for the same seed. Pages of several
//! hosts with English-like text, some of them copies or near copies of earlier ones; a large script on
//! each, so that archives grow faster than the work; a damaged member now and then.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

/// What `build` ends with on such a crawl: done, with damage listed.
pub const DONE: i32 = 3;

/// Bytes of script on a page: random characters of base64, which hardly compress.
const SCRIPT: usize = 100_000;

/// One page in so many stands in a member that breaks off.
const DAMAGED: u64 = 97;

const WORDS: &str = "the of and to in a is that it was for on are with as be at by this had not but from or have \
    an they which one were all we when there can more if out so said what up its about than into them time \
    river stone bridge winter harbour letter garden market island music window mountain history paper \
    silver village captain morning question teacher journey forest painting bread lantern weather";

/// SplitMix64, by Sebastiano Vigna (public domain).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// Writes one archive of `pages` pages.
pub fn write(path: &Path, seed: u64, pages: u64) {
    write_hosts(path, seed, pages, 12);
}

/// [`write`] with another number of hosts.
pub fn write_hosts(path: &Path, seed: u64, pages: u64, hosts: u64) {
    write_texts(path, seed, (pages, hosts), text);
}

/// Writes one archive of pages that all resemble each other.
pub fn write_alike(path: &Path, seed: u64, pages: u64) {
    write_texts(path, seed, (pages, 12), |random, earlier| {
        let Some(first) = earlier.first() else { return (0..6).map(|_| paragraph(random)).collect() };
        let mut copy = first.clone();
        copy[0].push_str(&format!(" Indeed {}.", earlier.len()));
        copy
    });
}

/// Writes one archive of pages whose paragraphs `text` makes, knowing those of the pages before.
fn write_texts(
    path: &Path,
    seed: u64,
    (pages, hosts): (u64, u64),
    text: impl Fn(&mut Random, &[Vec<String>]) -> Vec<String>,
) {
    let mut random = Random(seed);
    let mut file = BufWriter::new(File::create(path).unwrap());
    let mut texts: Vec<Vec<String>> = Vec::new();
    for number in 0..pages {
        let text = text(&mut random, &texts);
        let member = member(&record(&mut random, seed, (number, hosts), &text));
        let whole = if number % DAMAGED == DAMAGED / 2 { member.len() * 2 / 3 } else { member.len() };
        file.write_all(&member[..whole]).unwrap();
        texts.push(text);
    }
    file.flush().unwrap();
}

/// The paragraphs of a page: its own, or those of an earlier page with one word more, or the same.
fn text(random: &mut Random, earlier: &[Vec<String>]) -> Vec<String> {
    let own = (0..3 + random.below(4)).map(|_| paragraph(random)).collect();
    if earlier.is_empty() {
        return own;
    }
    let mut copy = earlier[random.below(earlier.len() as u64) as usize].clone();
    match random.below(10) {
        0 => copy,
        1 => {
            copy[0].push_str(" Indeed.");
            copy
        }
        2 => [own, copy].concat(),
        _ => own,
    }
}

fn paragraph(random: &mut Random) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let sentence = |random: &mut Random| {
        let chosen: Vec<&str> =
            (0..8 + random.below(12)).map(|_| words[random.below(words.len() as u64) as usize]).collect();
        format!("So {}.", chosen.join(" "))
    };
    (0..3 + random.below(4)).map(|_| sentence(random)).collect::<Vec<_>>().join(" ")
}

fn record(random: &mut Random, seed: u64, (number, hosts): (u64, u64), text: &[String]) -> Vec<u8> {
    let url = format!("https://host-{}.example/{seed}/{number}", random.below(hosts));
    let id = format!("{seed:08x}-0000-4000-8000-{number:012x}");
    let body = text.iter().map(|paragraph| format!("<p>{paragraph}</p>\n")).collect::<String>();
    let page = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><title>Page {number}</title><script>\"{}\"</script></head>\
         <body><h1>From a made-up crawl</h1>\n{body}</body></html>",
        base64(random)
    );
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{page}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nWARC-Date: 2025-01-01T00:00:00Z\r\n\
         WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n\
         {http}\r\n\r\n",
        http.len()
    )
    .into_bytes()
}

fn base64(random: &mut Random) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(SCRIPT);
    while text.len() < SCRIPT {
        let bits = random.next();
        text.extend((0..10).map(|i| char::from(DIGITS[(bits >> (6 * i)) as usize % 64])));
    }
    text
}

fn member(record: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(record).unwrap();
    encoder.finish().unwrap()
}
