//! The HTML pages that the program writes, in a real browser: headless Chromium. Without Chromium these tests are passed
//! over with a notice; `WARCORPUS_REQUIRE_CHROMIUM` turns that into a failure. If `WARCORPUS_AXE` names the file
//! `axe.min.js` of axe-core, accessibility is checked too.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{Corpus, expect, said, sample};

/// What strangers write who want a page to run something. Whatever runs sets the title to this word.
const CANARY: &str = "PWNED";
const ATTACKS: [&str; 6] = [
    "<script>document.title='PWNED'</script>",
    "</title></style></script><script>document.title='PWNED'</script>",
    "\"'><img src=x onerror=\"document.title='PWNED'\">",
    "javascript:document.title='PWNED'",
    "<svg onload=\"document.title='PWNED'\"><style>*{display:none}</style>",
    "\u{202e}reversed\u{2066} <a href=\"javascript:document.title='PWNED'\">link</a>",
];

/// Whether there is a Chromium; if not, a notice.
pub fn chromium() -> bool {
    let found = Command::new("chromium").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        assert!(env::var_os("WARCORPUS_REQUIRE_CHROMIUM").is_none(), "there is no chromium");
        println!("skipped: there is no chromium");
    }
    found
}

/// The page's document after its scripts ran, and what Chromium wrote to its log.
fn load(page: &Path, width: u32, dark: bool) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let mut command = Command::new("chromium");
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]);
    command.args(["--virtual-time-budget=30000", "--enable-logging=stderr"]);
    command.arg(format!("--window-size={width},900")).arg(format!("--user-data-dir={}", profile.path().display()));
    command.arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)));
    let output = command.arg(format!("file://{}", page.display())).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (out.into_owned(), err.into_owned())
}

/// What a page looks like from inside. The probe is added to a copy without the policy that would forbid it; all
/// `details` are open. Windows are at least 500 px wide, so the page itself is made narrower.
fn probe(page: &Path, width: u32, dark: bool) -> Value {
    let text = fs::read_to_string(page).unwrap();
    let (before, rest) = text.split_once("<meta http-equiv=\"Content-Security-Policy\"").unwrap();
    let after = rest.split_once('>').unwrap().1;
    let axe =
        env::var_os("WARCORPUS_AXE").map(|path| fs::read_to_string(path).unwrap().replace("</script", "<\\/script"));
    let script = "window.addEventListener('load', async () => {
        document.querySelectorAll('details').forEach(d => d.open = true);
        document.documentElement.style.width = 'WIDTHpx';
        const wide = [...document.querySelectorAll('body *')].filter(e =>
            !e.closest('.scroll') && !e.closest('svg') && e.getBoundingClientRect().right > WIDTH + 1);
        const result = {
            requests: performance.getEntriesByType('resource').length,
            wide: wide.slice(0, 3).map(e => e.outerHTML.slice(0, 200)),
            background: getComputedStyle(document.body).backgroundColor,
            unreachable: [...document.querySelectorAll('a[href],button,summary,[tabindex]')].filter(e => e.tabIndex < 0).length,
            headings: document.querySelectorAll('h1').length,
            unnamed: document.querySelectorAll('svg:not([aria-label],[aria-hidden=true])').length + document.querySelectorAll('table:not(:has(caption))').length,
            links: [...document.querySelectorAll('a')].map(a => a.getAttribute('href')).filter(href => !href.startsWith('#')),
            lost: [...document.querySelectorAll('a')].map(a => a.getAttribute('href').slice(1)).filter(id => !document.getElementById(id)),
            title: document.title,
            axe: typeof axe === 'undefined' ? [] : (await axe.run()).violations
                .filter(v => v.impact === 'serious' || v.impact === 'critical').map(v => v.id + ': ' + v.nodes[0].html.slice(0, 200)),
        };
        const pre = document.createElement('pre');
        pre.id = 'probe';
        pre.textContent = JSON.stringify(result);
        document.body.replaceChildren(pre);
    });"
    .replace("WIDTH", &width.to_string());
    let (body, end) = after.rsplit_once("</body>").unwrap();
    let copy = page.with_extension("probe.html");
    let axe = axe.unwrap_or_default();
    fs::write(&copy, format!("{before}{body}<script>{axe}</script><script>{script}</script></body>{end}")).unwrap();
    let (dom, log) = load(&copy, width.max(500), dark);
    let errors: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let (_, result) = dom.split_once("<pre id=\"probe\">").unwrap_or_else(|| panic!("no result: {log}"));
    let result = result.split_once("</pre>").unwrap().0;
    serde_json::from_str(&htmlize::unescape(result)).unwrap()
}

/// Checks a page as it is and as the probe sees it, at three widths, light and dark.
pub fn check(page: &Path) {
    let (dom, log) = load(page, 1280, false);
    assert!(!dom.contains(&format!("<title>{CANARY}")), "something ran");
    let errors: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let mut backgrounds = Vec::new();
    for (width, dark) in [(390, false), (1280, true), (1920, false)] {
        let seen = probe(page, width, dark);
        for what in ["wide", "links", "lost", "axe"] {
            assert_eq!(seen[what].as_array().unwrap().len(), 0, "{what} at {width}: {seen}");
        }
        let numbers = ["requests", "unreachable", "unnamed", "headings"].map(|what| seen[what].as_u64().unwrap());
        assert_eq!(numbers, [0, 0, 0, 1], "{seen}");
        assert_ne!(seen["title"], CANARY);
        backgrounds.push(seen["background"].as_str().unwrap().to_string());
    }
    assert!(backgrounds[0] == backgrounds[2] && backgrounds[0] != backgrounds[1], "{backgrounds:?}");
}

/// Pages whose title, text, host, address and names attack whoever shows them; two of them alike.
fn hostile_archive() -> Vec<u8> {
    let mut warc = Vec::new();
    for (number, attack) in ATTACKS.iter().chain(&ATTACKS[..1]).enumerate() {
        let escaped = attack.replace('&', "&amp;").replace('<', "&lt;");
        // Words of their own, so that only the last page resembles another.
        let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
        let name = |n: usize| [letter(n), 'a', letter(n / 26), 'o', letter(n / 676), 'n'].iter().collect::<String>();
        let first = number % ATTACKS.len() * 60;
        let words: String = (first..first + 60).map(|n| format!("the tide lifted the {} and ", name(n * 37))).collect();
        let paragraphs: String =
            (0..4).map(|part| format!("<p>{escaped} Part {part}: {words}{escaped}.</p>")).collect();
        let html = format!(
            "<html><head><title>{escaped}</title><meta name=author content=\"{}\"></head><body class=\"{}\">\
             <nav><a href=\"/\">{escaped}</a></nav><h1>{escaped}</h1>{paragraphs}</body></html>",
            escaped.replace('"', "&quot;"),
            escaped.replace('"', "&quot;")
        );
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
        let address = format!("http://h{number}.example/{}", attack.replace([' ', '\u{202e}', '\u{2066}'], "_"));
        warc.extend(format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000{number}>\r\n\
             WARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: {address}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        ).into_bytes());
    }
    warc
}

fn hostile() -> Corpus {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("<img src=x onerror=alert(1)>\u{202e}.warc");
    fs::write(&archive, hostile_archive()).unwrap();
    let corpus = Corpus::build(0, &[&archive.display().to_string()], &[]);
    assert!(corpus.documents().iter().filter(|document| document.kept).count() >= 2);
    corpus
}

#[test]
fn the_report_works_in_a_browser() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let page = corpus.layout().report();
    let size = fs::metadata(&page).unwrap().len();
    assert!(size < 2_000_000, "{size}");
    if chromium() {
        check(&page);
    }
}

/// The report of a job does not depend on the machine; the command adds the times while the job's markers are there.
#[test]
fn a_report_made_again_has_the_times_of_the_job() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let page = corpus.dir.path().join("with-times.html");
    let times = "Seconds of the stages";
    let report = || {
        expect(0, &["report", &corpus.out(), "--out", &page.display().to_string()]);
        fs::read_to_string(&page).unwrap()
    };
    assert!(report().contains(times));
    if chromium() {
        check(&page);
    }
    let plain = fs::read_to_string(corpus.layout().report()).unwrap();
    assert!(!plain.contains(times));
    fs::remove_dir_all(corpus.layout().work()).unwrap();
    assert_eq!(report(), plain);
}

#[test]
fn the_report_shows_what_strangers_wrote_and_runs_nothing() {
    let corpus = hostile();
    let text = fs::read_to_string(corpus.layout().report()).unwrap();
    assert!(text.contains("&lt;script&gt;document.title='PWNED'&lt;/script&gt;"), "the text is not shown");
    assert!(!text.contains('\u{202e}') && !text.contains("<img"));
    assert_eq!(text.matches("<script").count(), 1);
    if chromium() {
        check(&corpus.layout().report());
    }
}

/// The inspections of all documents of a corpus that a filter chooses, as files in its folder.
fn inspections(corpus: &Corpus, wanted: impl Fn(&warcorpus::Document) -> bool) -> Vec<std::path::PathBuf> {
    let inspect = |document: warcorpus::Document| {
        let page = corpus.dir.path().join(format!("{}.html", document.doc));
        let (key, out) = (document.doc.to_string(), page.display().to_string());
        expect(0, &["inspect", &corpus.out(), &key, "--out", &out]);
        page
    };
    corpus.documents().into_iter().filter(wanted).map(inspect).collect()
}

#[test]
fn inspections_work_in_a_browser() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let near = inspections(&corpus, |document| document.drop_reason.name() == "near_duplicate");
    let text = fs::read_to_string(&near[0]).unwrap();
    for part in [
        "The document that stands for it",
        "distinct sequences of",
        "<del>",
        "data-block=\"0\"",
        "<mark class=\"dropped\"",
    ] {
        assert!(text.contains(part), "{part}");
    }
    if chromium() {
        check(&near[0]);
    }
}

#[test]
fn inspections_show_what_strangers_wrote_and_run_nothing() {
    let corpus = hostile();
    for page in inspections(&corpus, |document| document.kept || document.doc == 1) {
        let text = fs::read_to_string(&page).unwrap();
        assert!(!text.contains('\u{202e}') && !text.contains("<img") && !text.contains("<a href"));
        assert_eq!(text.matches("<script").count(), 1);
        if chromium() {
            check(&page);
        }
    }
}

#[test]
fn every_block_is_marked_in_the_markup() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let (mut blocks, mut alike) = (0, 0);
    for document in corpus.documents() {
        let (json, _) = expect(0, &["inspect", &corpus.out(), &document.doc.to_string(), "--json"]);
        let page: Value = serde_json::from_str(&json).unwrap();
        let markup = page["markup"].as_str().unwrap();
        // As in the tables.
        let [captured, reason] = ["captured", "drop_reason"].map(|column| page["document"][column].as_str().unwrap());
        assert!(captured.ends_with('Z') && reason == document.drop_reason.name(), "{}", page["document"]);
        let mut end = 0;
        for block in page["blocks"].as_array().unwrap() {
            let [begin, until] = [0, 1].map(|at| block["source"][at].as_u64().unwrap() as usize);
            assert!(end <= begin && begin < until, "{} {block}", document.url);
            end = until;
            // Without markup inside and character references, the source is the text.
            let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
            let weighed = !block["weights"]["by_itself"].as_array().unwrap().is_empty();
            assert_eq!(weighed, !block["score"].is_null(), "{block}");
            assert_eq!(block["kept"].as_bool(), block["drop_reason"].as_str().map(str::is_empty), "{block}");
            assert!(block["kind"].as_str().unwrap().bytes().all(|byte| !byte.is_ascii_uppercase()), "{block}");
            blocks += 1;
            alike += usize::from(words(&markup[begin..until]) == words(block["text"].as_str().unwrap()));
        }
    }
    assert!(blocks > 2000 && alike * 10 > blocks * 7, "{alike} of {blocks}");
}

#[test]
fn a_file_is_inspected_by_a_rule() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let words = "the tide came in and the boats were lifted from the mud one after the other. ".repeat(5);
    fs::write(
        path("page.html"),
        format!("<title>T</title><div class=story><p>{words}</div><div class=more><p>{words}more</div>"),
    )
    .unwrap();
    fs::write(path("rule.toml"), "[[rule]]\nname = \"one\"\nhost = \"news.example\"\ncontent = [\".more\"]\n").unwrap();
    let url = "http://news.example/a";
    let raw = ["inspect", "--raw", &path("page.html"), "--url", url, "--json"];
    let verdicts = |arguments: &[&str]| {
        let page: Value = serde_json::from_str(&expect(0, arguments).0).unwrap();
        let blocks = page["blocks"].as_array().unwrap();
        let containers = blocks[1]["containers"].as_array().unwrap().last().unwrap().as_str().unwrap().to_string();
        assert!(containers.contains("p"), "{containers}");
        (
            page["rule"].as_str().map(str::to_string),
            blocks.iter().map(|block| block["kept"].as_bool().unwrap()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(verdicts(&raw), (None, vec![true, true]));
    let (rule, kept) = verdicts(&[&raw[..], &["--rules", &path("rule.toml")]].concat());
    assert_eq!((rule.as_deref(), kept), (Some("one"), vec![false, true]));
    fs::write(path("empty.toml"), "").unwrap();
    fs::write(path("none.toml"), "[[rule]]\nname = \"none\"\nhost = \"news.example\"\ncontent = [\".no\"]\n").unwrap();
    let told = |code, rules: &str, url: &[&str]| {
        expect(code, &[&["inspect", "--raw", &path("page.html"), "--rules", &path(rules)][..], url].concat()).1
    };
    said(
        &told(0, "rule.toml", &[]),
        &["no rule of", "rule.toml applies to http://localhost/; give the address with --url"],
    );
    said(&told(0, "rule.toml", &["--url", "http://other.example/"]), &["applies to http://other.example/; compare"]);
    said(&told(0, "empty.toml", &["--url", url]), &["no rule of"]);
    said(&told(0, "none.toml", &["--url", url]), &["the rule none applies to", "none of its selectors"]);
    said(&told(2, "rule.toml", &["--url", "news.example/a"]), &["--url news.example/a is no web address"]);
    assert_eq!(told(0, "rule.toml", &["--url", url]), "");
}

#[test]
fn the_tag_dictionary_works_in_a_browser() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let (page, rule) = (corpus.dir.path().join("tags.html"), corpus.dir.path().join("rule.toml"));
    expect(0, &["tags", &corpus.out(), "--out", &page.display().to_string()]);
    if chromium() {
        check(&page);
    }
    let (tsv, _) = expect(0, &["tags", &corpus.out(), "--host", "world.example.org"]);
    let lines: Vec<Vec<&str>> = tsv.lines().map(|line| line.split('\t').collect()).collect();
    assert!(lines.len() > 20 && lines.iter().all(|line| line.len() == lines[0].len()), "{tsv}");
    let (json, _) = expect(0, &["tags", &corpus.out(), "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let blocks = corpus.blocks();
    let characters: u64 = blocks.iter().map(|block| u64::from(block.characters)).sum();
    let sum =
        |of: &str| json["hosts"].as_object().unwrap().values().map(|host| host[of].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("characters"), characters);
    let html = json["hosts"]["world.example.org"]["paths"]["html"].clone();
    assert_eq!(html["characters"], json["hosts"]["world.example.org"]["characters"]);
    // The drafts are rules that a job can use.
    expect(0, &["tags", &corpus.out(), "--suggest-rule", "--out", &rule.display().to_string()]);
    assert!(fs::read_to_string(&rule).unwrap().contains("[[rule]]"));
    let again = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", &format!("clean.rules={}", rule.display())]);
    assert!(again.blocks().iter().any(|block| block.reason.is_rule()));
    let (_, err) = expect(0, &["tags", &corpus.out(), "--host", "nowhere.example"]);
    assert!(err.contains("the corpus has no documents of the host nowhere.example"), "{err}");
}

/// Whatever the number of tasks and threads, the report has the same bytes; identity of all files is tested elsewhere.
#[test]
fn the_report_does_not_depend_on_threads() {
    let reports: Vec<_> = ["1", "3"]
        .iter()
        .map(|threads| {
            let more = ["--threads", threads, "--set", "plan.shard_bytes=64K"];
            let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &more);
            (fs::read(corpus.layout().report()).unwrap(), fs::read(corpus.layout().report_data()).unwrap())
        })
        .collect();
    assert!(reports[0] == reports[1]);
}
