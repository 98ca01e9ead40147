//! `rejects.jsonl`: the records and stretches of archives that extract could not read, then the documents that emit passed
//! over because processes died at them.

use crate::document::{Document, DropReason};
use crate::error::{Error, Result};
use crate::stages::Job;
use crate::stages::counters::{Counters, POISON};
use crate::stages::emit::Emit;
use crate::stages::extract::{Extract, Reject};
use crate::store::atomic::AtomicFile;
use crate::store::tables;

/// Writes the file of a job whose counters add up to `counters`.
pub fn write(job: &Job, counters: &Counters) -> Result<()> {
    job.shards().try_for_each(|shard| check(job, shard))?;
    let mut all = AtomicFile::create(&job.layout.rejects())?;
    job.shards().try_for_each(|shard| all.put_file(&job.layout.extracted(shard).rejects()))?;
    // Nearly no job has such documents, and the tables are not read again for nothing.
    if counters.documents.contains_key(POISON) {
        job.shards().try_for_each(|shard| put_poisoned(job, shard, &mut all))?;
    }
    all.commit()
}

/// Compares the list of rejects of a shard with the marker of its task. The list has no checksum of its own, so that damage
/// would be copied.
fn check(job: &Job, shard: u32) -> Result<()> {
    let (root, path) = (job.layout.root(), job.layout.extracted(shard).rejects());
    let Some(mut marker) = job.marker(&Extract, shard)? else { return Ok(()) };
    marker.files.retain(|file| root.join(&file.path) == path);
    marker.damage(root)?.map_or(Ok(()), |damage| Err(Error::damaged(&path, damage)))
}

fn put_poisoned(job: &Job, shard: u32, all: &mut AtomicFile) -> Result<()> {
    if !job.counters(&Emit, shard)?.documents.contains_key(POISON) {
        return Ok(());
    }
    for document in tables::Reader::<Document>::open(&job.layout.documents(shard))? {
        let document = document?;
        if document.drop_reason == DropReason::Poison {
            let Document { archive, offset, length, record_id, url, .. } = &document;
            let reject = Reject { archive, offset: *offset, length: *length, reason: POISON, record_id, url };
            all.put(reject.line().as_bytes())?;
        }
    }
    Ok(())
}
