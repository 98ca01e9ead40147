//! Builds against earlier corpora: the same decisions as if all had been built at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use warcorpus::document::Paragraph;

use crate::common::{Corpus, expect, read_format, run};

use super::families::archives;
use super::tools::figures;
use super::{Form, Page, by_url, dedup_count, options, paragraphs, write};

/// Earlier documents come first then, as they do in a corpus of all archives. What a site repeats is
/// counted in each corpus for itself.
const SETS: [&str; 2] = ["near.keeper=first", "sites.enabled=false"];

/// Archives in a folder of their own.
struct Archives {
    dir: tempfile::TempDir,
}

impl Archives {
    fn write(all: &[Vec<Page>]) -> Archives {
        let archives = Archives { dir: tempfile::tempdir().unwrap() };
        all.iter().enumerate().for_each(|(i, pages)| write(&archives.path(i), Form::Wet, pages));
        archives
    }

    fn path(&self, archive: usize) -> PathBuf {
        self.dir.path().join(format!("{archive}.warc"))
    }

    /// A corpus of some of them.
    fn build(&self, which: &[usize], sets: &[&str], against: &[&Path]) -> Corpus {
        let inputs: Vec<String> = which.iter().map(|&i| self.path(i).display().to_string()).collect();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let indexes: Vec<String> = against.iter().map(|index| index.display().to_string()).collect();
        let indexes: Vec<&str> = indexes.iter().flat_map(|index| ["--against", index.as_str()]).collect();
        Corpus::build(0, &inputs, &[options(&SETS), options(sets), indexes].concat())
    }
}

/// Makes the index of a corpus, beside it.
fn index(corpus: &Corpus) -> PathBuf {
    let index = corpus.dir.path().join("index");
    expect(0, &["index", &corpus.out(), "--out", &index.display().to_string()]);
    index
}

/// What became of a document, told without keys.
#[derive(Debug, Clone, PartialEq)]
struct Fate {
    kept: bool,
    reason: String,
    similarity: Option<f32>,
    /// Its address.
    keeper: Option<String>,
    /// Of each paragraph its seen share, whether it is kept, and why not.
    paragraphs: Vec<(Option<f32>, bool, String)>,
}

/// By address.
fn fates(corpus: &Corpus) -> BTreeMap<String, Fate> {
    let paragraphs = paragraphs(corpus);
    let documents = by_url(corpus);
    let urls: BTreeMap<u64, &String> = documents.values().map(|document| (document.doc, &document.url)).collect();
    let fate = |url: &String| {
        let document = &documents[url];
        let keeper = document.keeper.map(|key| match &document.keeper_corpus {
            Some(_) => document.keeper_url.clone().unwrap(),
            None => urls[&key].clone(),
        });
        let of = |p: &Paragraph| (p.seen_share, p.kept, p.drop_reason.to_string());
        Fate {
            kept: document.kept,
            reason: document.drop_reason.to_string(),
            similarity: document.similarity,
            keeper,
            paragraphs: paragraphs[&document.doc].iter().map(of).collect(),
        }
    };
    documents.keys().map(|url| (url.clone(), fate(url))).collect()
}

/// What the fates hold of each kind that matters: enough of it that equality says something.
fn assert_rich(fates: &BTreeMap<String, Fate>, earlier: &str) {
    let count = |wanted: &dyn Fn(&Fate) -> bool| fates.values().filter(|fate| wanted(fate)).count();
    for reason in ["near_duplicate", "exact_duplicate", "overlap"] {
        assert!(count(&|fate| fate.reason == reason) >= 3, "{reason}");
    }
    assert!(count(&|fate| fate.paragraphs.iter().any(|(.., reason)| reason == "stub")) >= 3);
    assert!(count(&|fate| fate.keeper.as_ref().is_some_and(|url| url.contains(earlier))) >= 50);
    assert!(count(&|fate| fate.keeper.as_ref().is_some_and(|url| !url.contains(earlier))) >= 20);
    assert!(count(&|fate| fate.kept && fate.paragraphs.iter().any(|(share, ..)| *share > Some(0.0))) >= 10);
}

#[test]
fn a_build_against_an_index_decides_as_a_joint_one() {
    let archives = Archives::write(&archives(3, 900));
    // Shards of other sizes: keys of the corpora have nothing in common.
    let a = archives.build(&[0], &["output.name=alpha", "plan.shard_bytes=200000"], &[]);
    let index_a = index(&a);
    let b = archives.build(&[1], &["output.name=beta", "plan.shard_bytes=130000"], &[&index_a]);
    let joint = archives.build(&[0, 1], &[], &[]);
    assert!(dedup_count(&a, "crowded_buckets") > 0 && dedup_count(&joint, "crowded_buckets") > 20);
    let (fates_b, fates_joint) = (fates(&b), fates(&joint));
    assert_rich(&fates_b, "//a.example/");
    for (url, fate) in &fates_b {
        assert_eq!(fate, &fates_joint[url], "{url}");
    }
    let documents_a = by_url(&a);
    for document in b.documents() {
        let of_a = document.keeper_url.as_ref().is_some_and(|url| url.contains("//a.example/"));
        assert_eq!(document.keeper_corpus.as_deref(), of_a.then_some("alpha"), "{}", document.url);
        if let Some(url) = &document.keeper_url {
            assert_eq!(document.keeper, Some(documents_a[url].doc), "the key is that of the earlier corpus");
        }
    }
    let index_b = index(&b);
    let c = archives.build(&[2], &["output.name=gamma"], &[&index_a, &index_b]);
    let all = archives.build(&[0, 1, 2], &[], &[]);
    let (fates_c, fates_all) = (fates(&c), fates(&all));
    for (url, fate) in &fates_c {
        assert_eq!(fate, &fates_all[url], "{url}");
    }
    let named = |name: &str| c.documents().iter().filter(|d| d.keeper_corpus.as_deref() == Some(name)).count();
    assert!(named("alpha") >= 20 && named("beta") >= 20);
}

/// Two small archives, the corpus of the first and its index.
fn small() -> (Archives, Corpus, PathBuf) {
    let archives = Archives::write(&archives(4, 200)[..2]);
    let corpus = archives.build(&[0], &[], &[]);
    let index = index(&corpus);
    (archives, corpus, index)
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let (archives, corpus, index) = small();
    let (archive, index) = (archives.path(1).display().to_string(), index.display().to_string());
    let out = archives.dir.path().join("out").display().to_string();
    let against = |index: &str, sets: &[&str]| {
        let arguments = ["build", &archive, "--out", &out, "--against", index];
        expect(2, &[&arguments[..], &options(&SETS)[..], &options(sets)[..]].concat()).1
    };
    for (set, key) in [("near.shingle=4", "near.shingle"), ("near.bands=20 near.rows=5", "near.bands")] {
        let err = against(&index, &set.split(' ').collect::<Vec<_>>());
        assert!(err.contains(key), "{set}: {err}");
    }
    // Two corpora of one name.
    let other = archives.dir.path().join("other").display().to_string();
    expect(0, &["index", &corpus.out(), "--out", &other]);
    let err = expect(
        2,
        &[&["build", &archive, "--out", &out, "--against", &index, "--against", &other], &options(&SETS)[..]].concat(),
    )
    .1;
    assert!(err.contains("both of a corpus named"), "{err}");
    // A corpus is no index of one.
    assert!(against(&corpus.out(), &[]).contains("index"));
    let planned = archives.dir.path().join("planned").display().to_string();
    let plan = ["plan", &archive, "--out", &planned, "--against", &index];
    let (_, err) = expect(0, &[&plan[..], &options(&SETS)[..]].concat());
    assert!(err.contains("is of a corpus that is named warcorpus, too"), "{err}");
    let own = archives.dir.path().join("index").display().to_string();
    let (_, err) = expect(2, &["index", &planned, "--out", &own]);
    assert!(err.contains("is not finished"), "{err}");
    assert!(!Path::new(&own).join("index.json").exists());
    // Nothing of the user is overwritten, whatever its name.
    let mine = archives.dir.path().join("mine/texts/a.txt");
    fs::create_dir_all(mine.parent().unwrap()).unwrap();
    fs::write(&mine, "mine").unwrap();
    let folder = archives.dir.path().join("mine").display().to_string();
    let (_, err) = expect(2, &["index", &corpus.out(), "--out", &folder]);
    assert!(err.contains("is not empty") && mine.exists(), "{err}");
}

#[test]
fn a_marked_duplicate_names_the_corpus_of_its_original() {
    let (archives, _earlier, index) = small();
    let sets = ["near.action=mark", "output.name=later", "output.formats=vertical,tei,jsonl"];
    let corpus = archives.build(&[1], &sets, &[&index]);
    let documents = corpus.documents();
    let marked = documents.iter().find(|document| document.kept && document.keeper_corpus.is_some()).unwrap();
    let name = format!("warcorpus:{}", marked.keeper.unwrap());
    assert!(corpus.vertical().contains(&format!(" dup_cluster=\"{name}\"")));
    let read = |format: &str| read_format(&corpus.out(), format);
    assert!(read("tei").contains(&format!("<idno type=\"duplicate-of\">{name}</idno>")));
    assert!(read("jsonl").contains(&format!("\"duplicate_of\":\"{name}\"")));
}

#[test]
fn the_report_counts_clusters_of_earlier_documents() {
    let (archives, _earlier, index) = small();
    let corpus = archives.build(&[1], &["output.name=later"], &[&index]);
    let documents = corpus.documents();
    assert!(documents.iter().any(|document| document.keeper_corpus.is_some()));
    let clusters: BTreeSet<_> = documents
        .iter()
        .filter(|document| document.cluster_size > 1)
        .map(|document| (&document.keeper_corpus, document.keeper.unwrap_or(document.doc), document.cluster_size))
        .collect();
    let mut sizes: BTreeMap<String, u64> = BTreeMap::new();
    clusters.iter().for_each(|(.., size)| *sizes.entry(size.ilog2().to_string()).or_default() += 1);
    let near = documents.iter().filter(|document| document.drop_reason.name() == "near_duplicate").count() as u64;
    let (similarities, counted) = figures(&corpus);
    assert_eq!((similarities, counted.into_iter().collect()), (near, sizes));
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.sort();
    found
}

#[test]
fn a_damaged_index_is_noticed_or_makes_no_difference() {
    let (archives, corpus, index) = small();
    let earlier = corpus.out();
    let whole = archives.build(&[1], &[], &[&index]).files();
    let (archive, folder) = (archives.path(1).display().to_string(), index.display().to_string());
    let files = files(&index);
    assert!(files.len() >= 7, "{files:?}");
    for path in files {
        let sound = fs::read(&path).unwrap();
        let mut noticed = 0;
        for place in [0, sound.len() / 2, sound.len() - 1] {
            let mut bytes = sound.clone();
            bytes[place] ^= 0x10;
            fs::write(&path, bytes).unwrap();
            let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
            // What `compare` needs is not looked at by a build.
            let output = if path.starts_with(index.join("pages")) {
                run(&["compare", &folder, &earlier, "--out", &corpus.out()])
            } else {
                let arguments = ["build", &archive, "--out", &corpus.out(), "--quiet", "--against", &folder];
                run(&[&arguments[..], &options(&SETS)[..]].concat())
            };
            let err = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => assert!(corpus.files() == whole, "{} at {place}", path.display()),
                Some(1 | 2) => {
                    assert!(err.contains("index"), "{} at {place}: {err}", path.display());
                    noticed += 1;
                }
                other => panic!("{other:?}, {} at {place}: {err}", path.display()),
            }
        }
        assert!(noticed > 0, "{} may be anything", path.display());
        fs::write(&path, sound).unwrap();
    }
    assert!(archives.build(&[1], &[], &[&index]).files() == whole);
}
