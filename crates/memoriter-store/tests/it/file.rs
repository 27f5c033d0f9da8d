//! What stands at the path, and what a store makes of it.

use std::path::Path;

use memoriter_core::error::Diagnose;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{SqliteOptions, SqliteStore, Store, StoreError};
use memoriter_testkit::SeededEntropy;
use memoriter_testkit::sample::Samples;

use crate::support::{add, assert_sound, open, read, try_open};

fn error_of(path: &Path) -> StoreError {
    match try_open(path) {
        Ok(_) => panic!("{} must be refused", path.display()),
        Err(error) => error,
    }
}

#[test]
fn a_store_is_made_where_nothing_is() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.db");
    fs_err::write(&empty, b"").unwrap();
    for path in [folder.path().join("a/b/new.db"), empty] {
        let store = open(&path);
        let memory = add(
            &store,
            &Samples::new(1).memory(&Scope::user("priya"), "Likes tea."),
        );
        assert_eq!(store.path(), path);
        drop(store);
        assert!(
            !companion(&path, "-wal").exists(),
            "a closed store is one file"
        );
        let again = open(&path);
        assert_eq!(
            read(&again, &Scope::user("priya")).unwrap().memories,
            [memory]
        );
    }
}

#[test]
fn the_secret_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let secret = *open(&path).secret();
    let entropy = SeededEntropy::new(2);
    let again = SqliteStore::open(&path, &SqliteOptions::new(&entropy, Timestamp::MAX)).unwrap();
    assert_eq!(*again.secret(), secret);
    assert_ne!(*open(&folder.path().join("other.db")).secret(), [0; 32]);
}

#[test]
fn odd_file_names_are_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "a b",
        "%41?x=1#y",
        ":memory:",
        "file:x",
        "é🦀",
        "'\"\\",
        "-wal",
    ] {
        let path = folder.path().join(name);
        drop(open(&path));
        assert!(path.metadata().unwrap().len() > 0, "{name}");
        assert_sound(&open(&path));
    }
}

#[test]
fn what_is_no_store_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for length in [1, 50, 99, 100, 511, 512, 5_000, 100_000] {
        fs_err::write(path(&format!("text-{length}")), vec![b'x'; length]).unwrap();
    }
    for mode in ["delete", "wal"] {
        let foreign = rusqlite::Connection::open(path(&format!("sqlite-{mode}"))).unwrap();
        foreign
            .query_row(&format!("PRAGMA journal_mode = {mode}"), [], |_| Ok(()))
            .unwrap();
        foreign
            .execute_batch("CREATE TABLE memory (x); INSERT INTO memory VALUES (1)")
            .unwrap();
    }
    let named = rusqlite::Connection::open(path("sqlite-empty")).unwrap();
    named.pragma_update(None, "application_id", 7).unwrap();
    drop(named);
    let before = listing(folder.path());
    for (name, _) in &before {
        let error = error_of(&path(name));
        assert!(
            matches!(&error, StoreError::NotAStore { path: named } if *named == path(name)),
            "{name}: {error}"
        );
    }
    assert_eq!(listing(folder.path()), before);
    assert_eq!(error_of(folder.path()).code(), "not_a_store");
}

/// Names and bytes of everything in a folder.
fn listing(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs_err::read_dir(folder).unwrap().map(Result::unwrap);
    let mut files: Vec<_> = entries
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                fs_err::read(entry.path()).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_newer_format_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    drop(open(&path));
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 6).unwrap();
    drop(connection);
    let before = fs_err::read(&path).unwrap();
    let error = error_of(&path);
    assert!(
        matches!(
            error,
            StoreError::NewerFormat {
                found: 6,
                supported: 5,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(fs_err::read(&path).unwrap(), before);
}

fn companion(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn only_the_owner_may_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/store.db");
        let store = open(&path);
        add(
            &store,
            &Samples::new(1).memory(&Scope::user("priya"), "Likes tea."),
        );
        for suffix in ["", "-wal", "-shm"] {
            assert_eq!(mode(&companion(&path, suffix)), 0o600, "{suffix}");
        }
        assert_eq!(mode(&folder.path().join("a")), 0o700);
        assert_eq!(mode(&folder.path().join("a/b")), 0o700);
        drop(store);
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let store = open(&path);
        add(
            &store,
            &Samples::new(2).memory(&Scope::user("priya"), "Likes coffee."),
        );
        for suffix in ["", "-wal", "-shm"] {
            assert_eq!(
                mode(&companion(&path, suffix)),
                0o600,
                "after opening again, {suffix}"
            );
        }
    }

    #[test]
    fn a_file_of_many_names_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        drop(open(&path));
        let link = folder.path().join("link.db");
        symlink(&path, &link).unwrap();
        assert_eq!(error_of(&link).code(), "linked_file");
        drop(open(&path));
        fs_err::hard_link(&path, folder.path().join("hard.db")).unwrap();
        let said = error_of(&path).to_string();
        assert_eq!(
            said,
            format!(
                "{} is a hard link; open the store by its own and only name",
                path.display()
            )
        );
        let dangling = folder.path().join("dangling.db");
        symlink(folder.path().join("nowhere"), &dangling).unwrap();
        assert_eq!(error_of(&dangling).code(), "linked_file");
    }

    #[test]
    fn a_folder_may_be_a_link_and_a_name_need_not_be_text() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::create_dir(folder.path().join("real")).unwrap();
        symlink(folder.path().join("real"), folder.path().join("link")).unwrap();
        drop(open(&folder.path().join("link/store.db")));
        assert!(folder.path().join("real/store.db").exists());
        let odd = folder.path().join(OsStr::from_bytes(b"\xff\xfe.db"));
        drop(open(&odd));
        assert_sound(&open(&odd));
    }
}
