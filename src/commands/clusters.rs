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
    let mut listed: BTreeMap<ClusterKey, (String, Vec<String>)> =
        largest.into_iter().map(|name| (name, (String::new(), Vec::new()))).collect();
    for_each_document(job, |document| {
        let Some((keeper, lines)) = cluster_of(document).and_then(|name| listed.get_mut(&name)) else { return };
        match (document.keeper, &document.keeper_url) {
            (None, _) => *keeper = printable(&document.url).into_owned() + &fate_of_keeper(document),
            (Some(_), url) => {
                url.iter().for_each(|url| *keeper = printable(url).into());
                if lines.len() < members {
                    let exact = document.drop_reason == DropReason::ExactDuplicate;
                    let likeness =
                        if exact { "exact".into() } else { format!("{:.3}", document.similarity.unwrap_or(0.0)) };
                    lines.push(format!("{likeness:>14}  {} {}", document.doc, printable(&document.url)));
                }
            }
        }
    })?;
    let mut out = String::new();
    for ((Reverse(size), corpus, doc), (keeper, lines)) in listed {
        let of = corpus.map(|corpus| format!(" of {corpus}")).unwrap_or_default();
        let _ = writeln!(out, "{size:>8} documents, keeper: {doc}{of} {keeper}");
        lines.iter().for_each(|line| out.extend([line.as_str(), "\n"]));
    }
    Ok(out)
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
