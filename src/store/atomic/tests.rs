use super::*;

#[test]
fn a_file_appears_when_committed_and_not_before() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sub/a.txt");
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"half").unwrap();
    assert!(!path.exists());
    drop(file);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
    write(&path, "whole").unwrap();
    assert_eq!(read(&path).unwrap().as_deref(), Some("whole"));
    assert_eq!(read(&dir.path().join("none")).unwrap(), None);
}

#[cfg(unix)]
#[test]
fn what_a_user_names_stays_what_it_is() {
    use std::os::unix::fs::FileTypeExt;

    let dir = tempfile::tempdir().unwrap();
    let [file, link, new] = ["file", "link", "new"].map(|name| dir.path().join(name));
    write(&file, "before").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    for path in [&link, &new] {
        write_named(path, "after").unwrap();
        assert_eq!(read(path).unwrap().as_deref(), Some("after"));
    }
    assert!(link.is_symlink());
    assert_eq!(read(&file).unwrap().as_deref(), Some("after"));
    // Another name for the device: a failure must not harm that of the system.
    let device = dir.path().join("null");
    std::os::unix::fs::symlink("/dev/null", &device).unwrap();
    write_named(&device, "gone").unwrap();
    assert!(fs::metadata(&device).unwrap().file_type().is_char_device());
}

#[test]
fn an_error_names_the_disk_that_is_full() {
    let (dir, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = dir.path().join("a");
    let (beside, elsewhere) = (dir.path().join("b"), scratch.path().join("b"));
    for (temporary, named) in [(&elsewhere, &elsewhere), (&beside, &path)] {
        // Another name for the device, because the unfinished file is removed.
        std::os::unix::fs::symlink("/dev/full", temporary).unwrap();
        let mut file = AtomicFile::create_by_way_of(temporary, &path).unwrap();
        file.write_all(b"x").unwrap();
        let error = file.persist_unsynced().unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}: No space left", named.display())), "{error}");
        assert!(!path.exists() && !temporary.is_symlink());
    }
}

#[test]
fn a_folder_is_made_with_those_above_it() {
    let dir = tempfile::tempdir().unwrap();
    let inner = dir.path().join("a/b/c");
    for _ in 0..2 {
        create_folder(&inner).unwrap();
        assert!(inner.is_dir());
    }
    // The current folder.
    create_folder(Path::new("")).unwrap();
    let file = inner.join("file");
    write(&file, "").unwrap();
    let error = create_folder(&file.join("d")).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot create folder {}: ", file.join("d").display())), "{error}");
}

#[test]
fn files_of_a_folder_that_is_gone_are_not_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    write_unsynced(&dir.path().join("a/b"), "").unwrap();
    let [there, gone] = ["a", "c"].map(|name| dir.path().join(name));
    sync_all_in(&[there.clone(), there.clone()]).unwrap();
    sync_each(&there).unwrap();
    // Also where the file system is written out already.
    let error = sync_all_in(&[there, gone.clone()]).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot write {}: ", gone.display())), "{error}");
}

#[test]
fn two_writers_of_one_file_do_not_meet() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.txt");
    let (mut one, mut two) = (AtomicFile::create(&path).unwrap(), AtomicFile::create(&path).unwrap());
    one.write_all(b"same").unwrap();
    two.write_all(b"same").unwrap();
    one.commit().unwrap();
    assert_eq!(read(&path).unwrap().as_deref(), Some("same"));
    two.commit().unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn what_a_kill_leaves_is_swept_away() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sub/a.txt");
    std::mem::forget(AtomicFile::create(&path).unwrap());
    write(&path, "whole").unwrap();
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
    sweep(dir.path()).unwrap();
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    sweep(&dir.path().join("none")).unwrap();
    assert!(!is_temporary(Path::new("notes.tmp")) && !is_temporary(Path::new("a.0123.tmp")));
}

#[test]
fn a_folder_that_cannot_be_listed_is_not_an_empty_one() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing");
    assert!(entries(&missing).unwrap().is_empty() && files(&missing).unwrap().is_empty());
    // Nobody may list a file; a superuser may list any folder.
    let file = dir.path().join("file");
    write(&file, "").unwrap();
    for error in [entries(&file).unwrap_err(), files(&file).unwrap_err(), sweep(&file).unwrap_err()] {
        assert!(error.to_string().starts_with("cannot list "), "{error}");
    }
    assert_eq!(files(dir.path()).unwrap(), [file]);
}
