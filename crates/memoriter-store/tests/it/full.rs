//! A full disk is an error like any other: nothing is lost, and it goes on when there is space.

use std::path::Path;

use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{SqliteOptions, SqliteStore, Store, StoreError, Write};
use memoriter_testkit::SeededEntropy;
use memoriter_testkit::sample::Samples;

use crate::support::{assert_sound, open, read, setting};

fn scope() -> Scope {
    Scope::user("priya")
}

/// Writes until there is no space, and returns how many memories were acknowledged.
fn fill(store: &SqliteStore) -> usize {
    let samples = Samples::new(1);
    for number in 0..1_000_000 {
        let memory = Box::new(samples.memory(&scope(), &format!("{number} {}", "x".repeat(2_000))));
        match store.commit(vec![Write::InsertMemory {
            memory,
            vector: None,
        }]) {
            Ok(_) => {}
            Err(StoreError::Full { .. }) => return number,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("there is space for a million");
}

fn check(store: &SqliteStore, acknowledged: usize) {
    assert!(acknowledged > 10, "only {acknowledged} fit");
    assert_eq!(read(store, &scope()).unwrap().memories.len(), acknowledged);
    assert_sound(store);
}

#[test]
fn a_full_file_refuses_writes_and_serves_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let entropy = SeededEntropy::new(1);
    let options = SqliteOptions {
        pages_max: Some(150),
        ..SqliteOptions::new(&entropy, Timestamp::MIN)
    };
    let store = SqliteStore::open(&path, &options).unwrap();
    let acknowledged = fill(&store);
    check(&store, acknowledged);
    // Not poisoned: what needs no new page goes on.
    let ids = read(&store, &scope())
        .unwrap()
        .memories
        .iter()
        .map(|memory| memory.id)
        .collect();
    store
        .commit(vec![Write::MarkRecalled {
            ids,
            at: Timestamp::MIN,
        }])
        .unwrap();
    drop(store);
    let store = open(&path);
    check(&store, acknowledged);
    store
        .commit(vec![Write::InsertMemory {
            memory: Box::new(Samples::new(2).memory(&scope(), "x")),
            vector: None,
        }])
        .unwrap();
}

/// Runs where `MEMORITER_TEST_SMALL_DISK` names a folder on a disk of a few megabytes, such as one made by
/// `mount -t tmpfs -o size=8m tmpfs FOLDER`.
#[test]
fn a_full_disk_refuses_writes_and_serves_reads() {
    let Some(disk) = setting("MEMORITER_TEST_SMALL_DISK") else {
        return;
    };
    let path = Path::new(&disk).join("store.db");
    let ballast = Path::new(&disk).join("ballast");
    fs_err::write(&ballast, vec![1; 1024 * 1024]).unwrap();
    let store = open(&path);
    let acknowledged = fill(&store);
    check(&store, acknowledged);
    fs_err::remove_file(&ballast).unwrap();
    let memory = Box::new(Samples::new(2).memory(&scope(), "There is space again."));
    store
        .commit(vec![Write::InsertMemory {
            memory,
            vector: None,
        }])
        .unwrap();
    check(&store, acknowledged + 1);
    drop(store);
    check(&open(&path), acknowledged + 1);
    println!("{acknowledged} memories fit");
}
