//! A full disk keeps nothing from being erased.

use std::path::Path;

use memoriter::store::{Store, StoreError};
use memoriter::{Error, Memoriter, Note, ReceiptState, Scope, ScopedMemory, Selector};

use crate::erasing::{hits, said, tokens};

const USERS: usize = 100;
/// Users who are erased while a reader holds an old state.
const WITH_READER: usize = 2;

fn user(memory: &Memoriter, number: usize) -> ScopedMemory {
    memory.scope(Scope::user(&format!("user{number}")))
}

/// Remembers something of everybody in turn until there is no space.
fn fill(memory: &Memoriter, words: &[String]) -> usize {
    for number in 0..1_000_000 {
        let word = &words[number % USERS];
        let note = Note::new(format!("{word} {number} {}", "x ".repeat(700)));
        match user(memory, number % USERS).remember(note) {
            Ok(_) => {}
            Err(Error::Store(StoreError::Full { .. })) => return number,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("there is space for a million");
}

/// Writes a file until there is no space at all.
fn fill_up(file: &Path) {
    use std::io::Write as _;
    let mut file = fs_err::File::create(file).unwrap();
    for bytes in [65_536, 4_096, 1] {
        while file.write_all(&vec![1; bytes]).is_ok() {}
    }
}

/// Fills a folder, erases one user after the other, and leaves the rest of the disk full all the while.
#[track_caller]
fn check(folder: &Path) -> usize {
    let path = folder.join("memory.db");
    let words = tokens(USERS);
    let memory = Memoriter::open(&path).unwrap();
    let written = fill(&memory, &words);
    assert!(written > USERS, "only {written} fit");
    let other = crate::erasing::open_raw(&path);
    // A reader keeps the log as it is for the first of them.
    let mut view = Some(other.snapshot().unwrap());
    // The store was refused for want of a step of its reserve; somebody else takes what is left.
    fill_up(&folder.join("ballast"));
    let (mut complete, mut pending) = (0, 0);
    for number in 0..USERS {
        if number == WITH_READER {
            drop(view.take());
        }
        let receipt = user(&memory, number).erase(Selector::Everything).run();
        let receipt = receipt.unwrap_or_else(|error| panic!("user {number}: {error}"));
        assert!(said(&receipt)["erased"]["memories"].as_u64() > Some(0));
        if receipt.state == ReceiptState::Complete {
            complete += 1;
        } else {
            pending += 1;
        }
        let left = user(&memory, number).list(&[], None, 9).unwrap();
        assert_eq!(left.memories, []);
    }
    drop(view);
    drop(other);
    assert_eq!((complete, pending), (USERS - WITH_READER, WITH_READER));
    let done = memory.complete_erasures().unwrap();
    assert_eq!((done.receipts.len(), done.pending), (pending, 0));
    assert_eq!(memory.verify().unwrap().problems, []);
    drop(memory);
    assert_eq!(hits(folder, &words, &[]), 0);
    written
}

/// Runs where `MEMORITER_TEST_SMALL_DISK` names a folder on a disk of a few megabytes, such as one made by
/// `mount -t tmpfs -o size=8m tmpfs FOLDER`.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "tests are told by the environment"
)]
fn a_full_disk_keeps_nothing_from_being_erased() {
    let Ok(disk) = std::env::var("MEMORITER_TEST_SMALL_DISK") else {
        return;
    };
    let folder = tempfile::tempdir_in(&disk).unwrap();
    println!("{} memories fit", check(folder.path()));
}
