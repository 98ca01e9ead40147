//! What hostile pages and archives cost when they are twice as long: `cargo bench --bench doubling [-- NAME...]`.
//!
//! Each kind of page is read by the pipeline and cut into tokens, each kind of archive is read record by record, in two
//! lengths. The ratio of their CPU times is 2 where time is linear. The lengths stay below the limits that cut pages, so
//! that the passes themselves are measured. The exit code is 1 if a ratio is above 2.3 in three attempts.

#![allow(clippy::print_stdout, reason = "a table is what it is for")]

use std::fs;
use std::hint::black_box;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use warcorpus::archive::{Event, Limits, records};
use warcorpus::text::segments::Segmenter;
use warcorpus::{Outcome, Pipeline, PipelineOptions};

const MOST: f64 = 2.3;
const ATTEMPTS: usize = 3;
/// Bytes of the shorter page, and of the shorter archive.
const PAGE: usize = 150_000;
const ARCHIVE: usize = 1 << 20;
/// CPU time that a batch of runs takes at least, in nanoseconds.
const BATCH: u64 = 100_000_000;
const BATCHES: usize = 3;

type Make = fn(usize) -> Vec<u8>;

const PAGES: &[(&str, Make)] = &[
    ("paragraphs", |n| fill(n, "<p>x")),
    ("list items", |n| fill(n, "<li>x")),
    ("cells", |n| fill(n, "<td>x")),
    ("tables", |n| fill(n, "<table><tr><td>x")),
    ("line breaks", |n| fill(n, "<br>x")),
    ("headings", |n| fill(n, "<h2>x")),
    ("a heading and empty blocks", |n| [b"<h1>x</h1>".to_vec(), fill(n, "<p>&#1;")].concat()),
    ("links", |n| fill(n, "<a href=x>x</a>")),
    ("pieces of text in a link of many attributes", |n| {
        [b"<p><a ".to_vec(), fill(n / 2, "a "), b">".to_vec(), fill(n / 2, "#<b></b>")].concat()
    }),
    ("empty containers", |n| fill(n, "<div></div>")),
    ("open containers", |n| fill(n, "<div>")),
    ("misnested items", |n| fill(n, "<ul><li><p><b></ul>x")),
    ("formatting", |n| fill(n, "<b><i><a>x")),
    ("comments that do not end", |n| fill(n, "<!--x")),
    ("scripts that do not end", |n| fill(n, "<script>x</scrip")),
    ("attributes", |n| [b"<p ".to_vec(), fill(n, "a=b ")].concat()),
    ("references", |n| fill(n, "&amp;&#65;&x;")),
    ("classes", |n| fill(n, "<p class='a b c sidebar'>x")),
    ("meta elements", |n| fill(n, "<meta name=author content='A. B.'>")),
    ("JSON-LD", |n| [b"<script type=application/ld+json>".to_vec(), fill(n, "[{\"a\":")].concat()),
    ("references of JSON-LD to a blank name", |n| {
        let begin =
            br#"<script type=application/ld+json>{"@context":"http://schema.org","@graph":[{"@id":"a","name":""#;
        // So long that those of both lengths are looked at.
        let article = r#"{"@type":"Article","author":{"@id":"a"},"creator":{"@id":"a"},"publisher":{"@id":"a"}},"#;
        [begin.to_vec(), fill(n / 2, " "), br#""},"#.to_vec(), fill(n / 2, article), b"{}]}</script>".to_vec()].concat()
    }),
    ("a title and labels", |n| {
        [b"<title>".to_vec(), fill(10_000, "title "), b"</title>".to_vec(), fill(n, "<p>t")].concat()
    }),
    ("dates", |n| text(n, |_| "2020-01-01 ".into())),
    ("addresses", |n| text(n, |_| "http://a.example/b?c ".into())),
    ("initials", |n| text(n, |_| "M. ".into())),
    ("abbreviations", |n| text(n, |_| "A.M. ".into())),
    ("capitals", |n| text(n, |_| "ABC".into())),
    ("letters without spaces", |n| text(n, |i| letter(i, 'a', 26).into())),
    ("new words", |n| text(n, |i| format!("word{i} "))),
    ("the same word", |n| text(n, |_| "word ".into())),
    ("the same sentence", |n| text(n, |_| "This is what it says. ".into())),
    ("full stops", |n| text(n, |_| ".".into())),
    ("quotation marks", |n| text(n, |_| "\"'".into())),
    ("combining marks", |n| text(n, |_| "\u{301}".into())),
    ("spaces in a preformatted block", |n| [b"<pre>A".to_vec(), fill(n, " "), b"B</pre>".to_vec()].concat()),
    ("Chinese", |n| text(n, |i| letter(i, '\u{4e00}', 5000).into())),
    ("Japanese", |n| text(n, |i| letter(i, 'ぁ', 160).into())),
    ("Thai", |n| text(n, |i| letter(i, 'ก', 46).into())),
    ("Lao", |n| text(n, |i| letter(i, 'ກ', 40).into())),
    ("Khmer", |n| text(n, |i| letter(i, 'ក', 30).into())),
    ("Burmese", |n| text(n, |i| letter(i, 'က', 30).into())),
];

const ARCHIVES: &[(&str, Make)] = &[
    ("empty gzip members", |n| many(n, &gzip(b""))),
    ("headers of gzip members", |n| [gzip(&record(b"x", 1)), many(n, &[0x1f, 0x8b, 8, 0])].concat()),
    ("headers of gzip members with names", |n| {
        [gzip(&record(b"x", 1)), many(n, &[0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3, 1])].concat()
    }),
    ("gzip members of a byte", |n| many(n, &gzip(b"x"))),
    ("broken gzip members", |n| many(n, gzip(&record(b"some page", 9)).split_last().map_or(&[], |(_, rest)| rest))),
    ("stored gzip members in one cut off", |n| {
        let inner = record(&many(n, &gzip(&record(b"x", 1))), n);
        [gzip(&record(b"x", 1)), stored(&inner).get(..n).unwrap_or_default().to_vec()].concat()
    }),
    ("skippable zstd frames", |n| [zstd(&record(b"x", 1)), many(n, &[0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0])].concat()),
    ("headers of zstd frames", |n| [zstd(&record(b"x", 1)), many(n, &[0x28, 0xb5, 0x2f, 0xfd, 0, 0x58])].concat()),
    ("magic numbers", |n| many(n, b"\nWARC/1.0\r\n")),
    ("headers", |n| many(n, b"\nWARC/1.0\r\nWARC-Type: x\r\nContent-Length: 99999999\r\n\r\n")),
    ("records that claim too much", |n| many(n, &record(b"x", 1000))),
    ("records that claim too little", |n| many(n, &record(b"xxxx", 1))),
    ("lines of ARC", |n| [arc(), many(n, b"http://a.b/ 1.1.1.1 20080430204825 text/html 999999\n")].concat()),
];

fn fill(bytes: usize, piece: &str) -> Vec<u8> {
    piece.repeat(bytes / piece.len()).into_bytes()
}

fn many(bytes: usize, piece: &[u8]) -> Vec<u8> {
    piece.repeat(bytes / piece.len().max(1))
}

/// One paragraph.
fn text(bytes: usize, piece: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = String::from("<p>");
    (0..)
        .map(piece)
        .take_while(|piece| {
            text.push_str(piece);
            text.len() < bytes
        })
        .for_each(drop);
    text.into_bytes()
}

/// A letter of an alphabet, without order.
fn letter(number: usize, first: char, letters: u32) -> char {
    let mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    char::from_u32(first as u32 + mixed as u32 % letters).unwrap_or(first)
}

fn record(block: &[u8], claimed: usize) -> Vec<u8> {
    let head = format!("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {claimed}\r\n\r\n");
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn arc() -> Vec<u8> {
    b"filedesc://a.arc 0.0.0.0 20080430204825 text/plain 14\n1 0 Alexa\nURL\n\n".to_vec()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    compress(bytes, Compression::default())
}

fn stored(bytes: &[u8]) -> Vec<u8> {
    compress(bytes, Compression::none())
}

fn compress(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory can be written")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("memory can be written")
}

/// CPU time of this thread, in nanoseconds.
fn cpu_time() -> u64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells the CPU time of a thread");
    stat.split(' ').next().and_then(|time| time.parse().ok()).expect("its first number is the time in nanoseconds")
}

/// Nanoseconds of CPU time of a run, the least mean of some batches. The system counts the time in steps of milliseconds.
fn measure(run: &dyn Fn()) -> f64 {
    let batch = || {
        let (begun, mut runs) = (cpu_time(), 0.0);
        while cpu_time() - begun < BATCH {
            run();
            runs += 1.0;
        }
        (cpu_time() - begun) as f64 / runs
    };
    (0..BATCHES).map(|_| batch()).fold(f64::MAX, f64::min)
}

fn read_page(pipeline: &Pipeline, segmenter: &Segmenter, html: &[u8]) {
    let http = [b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n", html].concat();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: {}\r\n\r\n",
        http.len()
    );
    let bytes = [head.as_bytes(), &http, b"\r\n\r\n"].concat();
    for event in records(&bytes, 0..u64::MAX, &Limits::default()).expect("memory can be read") {
        let Ok(Event::Record(record)) = event else { continue };
        let Outcome::Page(page) = pipeline.read(&record) else { continue };
        let segmenter = segmenter.language(page.document.language.code());
        for paragraph in &page.paragraphs {
            let mut tokens = Vec::new();
            let sentences = segmenter.sentences(&paragraph.text);
            sentences.into_iter().for_each(|sentence| segmenter.tokens(&paragraph.text, sentence, &mut tokens));
            black_box(tokens);
        }
    }
}

fn read_archive(bytes: &[u8]) {
    records(&bytes, 0..u64::MAX, &Limits::default())
        .expect("memory can be read")
        .for_each(|event| drop(black_box(event)));
}

/// Prints the times for both lengths; whether their ratio is that of linear time.
fn is_linear(name: &str, bytes: usize, make: Make, read: &dyn Fn(&[u8])) -> bool {
    let (short, long) = (make(bytes), make(2 * bytes));
    let mut last = 0.0;
    for _ in 0..ATTEMPTS {
        let (once, twice) = (measure(&|| read(&short)), measure(&|| read(&long)));
        last = twice / once;
        if last <= MOST {
            println!("{name:36} {:8.3} ms {:8.3} ms  {last:.2}", once / 1e6, twice / 1e6);
            return true;
        }
    }
    println!("{name:36} {last:.2}: more than {MOST}");
    false
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let (pipeline, segmenter) = (Pipeline::new(PipelineOptions::default()), Segmenter::default());
    let page = |html: &[u8]| read_page(&pipeline, &segmenter, html);
    // Word lists and tables are loaded when they are first used.
    PAGES.iter().for_each(|(_, make)| page(&make(1000)));
    let pages = PAGES.iter().map(|(name, make)| (name, PAGE, make, &page as &dyn Fn(&[u8])));
    let archives = ARCHIVES.iter().map(|(name, make)| (name, ARCHIVE, make, &read_archive as &dyn Fn(&[u8])));
    let failed = pages
        .chain(archives)
        .filter(|(name, ..)| is_wanted(name))
        .filter(|(name, bytes, make, read)| !is_linear(name, *bytes, **make, *read))
        .count();
    std::process::exit(i32::from(failed > 0));
}
