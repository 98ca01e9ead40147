//! The kind of file system that a path is on, as far as Linux tells, and files mapped into memory.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use memmap2::{Mmap, MmapOptions};

/// File systems whose files another machine can cut short while they are mapped here.
const NETWORK: [&str; 13] =
    ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "gpfs", "beegfs", "orangefs", "virtiofs"];

/// Whether `path` is on a network file system, as far as can be told.
pub fn is_network(path: &Path) -> bool {
    let (Ok(path), Ok(mounts)) = (fs::canonicalize(path), fs::read_to_string("/proc/self/mountinfo")) else {
        return false;
    };
    // A FUSE file system may be remote: sshfs, s3fs, glusterfs.
    kind(&mounts, &path).is_some_and(|kind| NETWORK.contains(&kind) || kind.starts_with("fuse"))
}

/// Maps `length` bytes of a file for reading, no more than it has.
#[expect(unsafe_code, reason = "memmap2 cannot promise that nobody truncates the file")]
pub(super) fn map(file: &File, offset: u64, length: usize) -> io::Result<Mmap> {
    // SAFETY: the map is read-only. A file that shrinks meanwhile raises SIGBUS, which no program can rule out: files on
    // network file systems are not mapped, and users whose files shrink set `archive.mmap = false`.
    unsafe { MmapOptions::new().offset(offset).len(length).map(file) }
}

/// The kind of the file system that holds `path`, from the lines of proc(5)'s mountinfo.
fn kind<'m>(mounts: &'m str, path: &Path) -> Option<&'m str> {
    let mut nearest: Option<(usize, &str)> = None;
    for line in mounts.lines() {
        let (Some(point), Some((_, rest))) = (line.split(' ').nth(4), line.split_once(" - ")) else { continue };
        let (point, kind) = (unescaped(point), rest.split(' ').next().unwrap_or_default());
        let depth = point.components().count();
        // Of two mounts on one point the later one hides the earlier.
        if path.starts_with(&point) && nearest.is_none_or(|(deepest, _)| depth >= deepest) {
            nearest = Some((depth, kind));
        }
    }
    nearest.map(|(_, kind)| kind)
}

/// A mount point whose blanks and backslashes are written as octal numbers.
fn unescaped(point: &str) -> PathBuf {
    let known = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    PathBuf::from(known.iter().fold(point.to_string(), |text, (code, sign)| text.replace(code, sign)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_mount_decides() {
        let mounts = "21 1 8:1 / / rw,relatime - ext4 /dev/vda rw\n\
                      30 21 0:40 / /data rw - nfs4 server:/export rw\n\
                      31 30 0:41 / /data/my\\040disk rw shared:1 - xfs /dev/sdb rw\n\
                      nonsense\n";
        for (path, want) in [("/usr/x", "ext4"), ("/data/a", "nfs4"), ("/database", "ext4"), ("/data/my disk/a", "xfs")]
        {
            assert_eq!(kind(mounts, Path::new(path)), Some(want), "{path}");
        }
        assert_eq!(kind("", Path::new("/")), None);
        assert!(!is_network(Path::new("/no/such/file")));
    }
}
