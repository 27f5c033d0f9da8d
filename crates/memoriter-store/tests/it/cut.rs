//! Files of which a part is gone.

use std::path::{Path, PathBuf};

use memoriter_core::error::{Diagnose, Fault};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{SqliteOptions, SqliteStore, StoreError};
use memoriter_testkit::SeededEntropy;
use memoriter_testkit::sample::Samples;

use crate::support::{add, assert_sound, open, read, try_open};

const PAGE: usize = 4_096;

fn fill(store: &SqliteStore) {
    let samples = Samples::new(1);
    for number in 0..200 {
        add(
            store,
            &samples.memory(&Scope::user("priya"), &format!("Tea number {number}.")),
        );
    }
}

fn error_of(opened: Result<SqliteStore, StoreError>) -> StoreError {
    match opened {
        Ok(_) => panic!("what is cut off must be refused"),
        Err(error) => error,
    }
}

/// Expects damage, also where only reading is asked for, and everything left as it is.
#[track_caller]
fn check_damaged(path: &Path, expected: &str) {
    let companions = |suffix: &str| fs_err::read(companion(path, suffix)).ok();
    let before = ["", "-wal", "-shm"].map(companions);
    let entropy = SeededEntropy::new(1);
    let options = SqliteOptions::new(&entropy, Timestamp::from_micros(0));
    for opened in [try_open(path), SqliteStore::open_existing(path, &options)] {
        let error = error_of(opened);
        assert_eq!(
            (error.code(), error.fault()),
            ("damaged", Fault::Environment),
            "{error}"
        );
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert_eq!(["", "-wal", "-shm"].map(companions), before);
}

fn companion(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[test]
fn a_file_that_was_cut_off_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    fill(&store);
    drop(store);
    let whole = fs_err::read(&path).unwrap();
    let lengths = [72, 99, 100, 511, 512, PAGE - 1, PAGE, PAGE + 1, 5_000];
    let ends = [whole.len() / 2, whole.len() - PAGE, whole.len() - 1];
    for length in lengths.into_iter().chain(ends) {
        fs_err::write(&path, &whole[..length]).unwrap();
        check_damaged(
            &path,
            &format!("it is cut off after {length} of {} bytes", whole.len()),
        );
    }
    for length in [16, 50, 71] {
        fs_err::write(&path, &whole[..length]).unwrap();
        check_damaged(&path, &format!("it is cut off after {length} bytes"));
    }
}

#[test]
fn a_log_without_its_file_is_damage_and_not_a_new_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fs_err::write(companion(&path, "-wal"), b"something").unwrap();
    check_damaged(&path, "the file is missing beside its log store.db-wal");
    fs_err::write(&path, b"").unwrap();
    check_damaged(&path, "the file is empty beside its log store.db-wal");
    fs_err::write(companion(&path, "-wal"), b"").unwrap();
    assert_sound(&open(&path));
}

/// A checkpoint writes the first page, which says how long the file is, before it writes the last.
#[test]
fn a_checkpoint_that_was_cut_off_is_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (
        folder.path().join("store.db"),
        folder.path().join("copy.db"),
    );
    let store = open(&path);
    fill(&store);
    let log = fs_err::read(companion(&path, "-wal")).unwrap();
    fs_err::write(companion(&copy, "-wal"), &log).unwrap();
    let mut frames = log[32..].chunks_exact(24 + PAGE);
    let first_page = frames
        .rfind(|frame| frame[..4] == 1_u32.to_be_bytes())
        .unwrap();
    let mut bytes = fs_err::read(&path).unwrap();
    bytes[..PAGE].copy_from_slice(&first_page[24..]);
    fs_err::write(&copy, bytes).unwrap();
    let scope = Scope::user("priya");
    assert_eq!(
        read(&open(&copy), &scope).unwrap(),
        read(&store, &scope).unwrap()
    );
}
