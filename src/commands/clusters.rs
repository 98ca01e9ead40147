//! `clusters`: lists the largest clusters of duplicates.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use super::lookup::fate_of_keeper;
use super::{Exit, open_corpus, print};
use crate::document::{Document, DropReason};
use crate::error::Result;
use crate::stages::Job;
use crate::store::tables;
use crate::text::printable;

pub const EXAMPLES: &str = "Examples:
  warcorpus clusters corpus
  warcorpus clusters corpus --limit 5 --members 10";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    /// Clusters to list
    #[arg(long, default_value_t = 20)]
    limit: usize,
    /// Dropped documents to list of each
    #[arg(long, default_value_t = 3)]
    members: usize,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    print(&clusters(&open_corpus(arguments.corpus.clone())?, arguments.limit, arguments.members)?)?;
    Ok(Exit::Done)
}

/// The sort key of a cluster: its size, largest first, the reference corpus of its representative if it is in one, and
/// the representative.
type ClusterKey = (Reverse<u32>, Option<String>, u64);

/// A cluster as it is listed.
#[derive(Default)]
struct Listed {
    keeper: String,
    /// `text_digest` of the representative; empty if it is in a reference corpus.
    digest: String,
    dropped: Vec<Document>,
}

/// Lists the `limit` largest clusters, each with up to `members` of its dropped documents.
fn clusters(job: &Job, limit: usize, members: usize) -> Result<String> {
    let mut largest: BTreeSet<ClusterKey> = BTreeSet::new();
    for_each_document(job, |document| {
        if let Some(name) = cluster_of(document) {
            largest.insert(name);
            if largest.len() > limit {
                largest.pop_last();
            }
        }
    })?;
    let mut listed: BTreeMap<ClusterKey, Listed> = largest.into_iter().map(|name| (name, Listed::default())).collect();
    for_each_document(job, |document| {
        let Some(cluster) = cluster_of(document).and_then(|name| listed.get_mut(&name)) else { return };
        if document.keeper.is_none() {
            cluster.keeper = printable(&document.url).into_owned() + &fate_of_keeper(document);
            cluster.digest.clone_from(&document.text_digest);
            return;
        }
        document.keeper_url.iter().for_each(|url| cluster.keeper = printable(url).into());
        if cluster.dropped.len() < members {
            cluster.dropped.push(document.clone());
        }
    })?;
    let mut out = String::new();
    for ((Reverse(size), corpus, doc), Listed { keeper, digest, dropped }) in listed {
        let of = corpus.map(|corpus| format!(" of {corpus}")).unwrap_or_default();
        let _ = writeln!(out, "{size:>8} documents, keeper: {doc}{of} {keeper}");
        for document in dropped {
            let likeness = likeness(&document, &digest);
            let _ = writeln!(out, "{likeness:>14}  {} {}", document.doc, printable(&document.url));
        }
    }
    Ok(out)
}

/// How similar a document is to its representative, which has this digest. The drop reason does not tell of documents
/// that are only marked, and a similarity of 1 is no equal text: the order of its shingles may be another.
fn likeness(document: &Document, digest: &str) -> String {
    if document.drop_reason == DropReason::ExactDuplicate || document.text_digest == digest {
        return "exact".into();
    }
    format!("{:.3}", document.similarity.unwrap_or(0.0))
}

/// The cluster of a document; `None` if it has no duplicates.
fn cluster_of(document: &Document) -> Option<ClusterKey> {
    let keeper = document.keeper.unwrap_or(document.doc);
    (document.cluster_size > 1).then(|| (Reverse(document.cluster_size), document.keeper_corpus.clone(), keeper))
}

fn for_each_document(job: &Job, mut each: impl FnMut(&Document)) -> Result<()> {
    for shard in job.shards() {
        tables::Reader::<Document>::open(&job.layout.documents(shard))?
            .try_for_each(|row| row.map(|row| each(&row)))?;
    }
    Ok(())
}
