//! Which files of a folder are archives, as far as their names tell.

/// Whether a file of a folder is an archive by its name. Hidden files are copies that are not complete.
pub fn is_archive_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let is_beside = BESIDE_ARCHIVES.iter().any(|end| name.strip_suffix(".gz").unwrap_or(&name).ends_with(end));
    !name.starts_with('.') && !is_beside && [".warc", ".wet", ".arc"].iter().any(|kind| name.contains(kind))
}

/// Ends of the names of checksums, signatures, indices, reports and parts of downloads, which have the names of archives.
const BESIDE_ARCHIVES: [&str; 22] = [
    ".md5",
    ".md5sum",
    ".sha1",
    ".sha1sum",
    ".sha256",
    ".sha256sum",
    ".sha512",
    ".sha512sum",
    ".asc",
    ".sig",
    ".txt",
    ".log",
    ".json",
    ".cdx",
    ".cdxj",
    ".idx",
    ".part",
    ".partial",
    ".aria2",
    ".filepart",
    ".tmp",
    ".crdownload",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_told_from_what_stands_beside_them() {
        for name in ["a.warc", "a/b.WARC.gz", "a.warc.wet.gz", "a.arc.gz", "a.warc.gz.1", "a.warc.zst"] {
            assert!(is_archive_name(name), "{name}");
        }
        for name in ["a.txt", ".a.warc.gz.x1", "a.warc.gz.md5", "a.warc.os.cdx.gz", "a.warc.gz.part", "a.warc/b.gz"] {
            assert!(!is_archive_name(name), "{name}");
        }
    }
}
