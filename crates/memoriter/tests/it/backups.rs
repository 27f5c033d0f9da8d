//! A backup is of one moment, whole and sound, whatever others write meanwhile.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use memoriter::core::turn::SessionName;
use memoriter::store::StoreError;
use memoriter::{Error, Memoriter, Note, Scope, ScopedMemory};

use crate::erasing::turn;

/// Backups that are made: `MEMORITER_TEST_CYCLES` asks for more.
const CYCLES: u64 = 25;
const WRITERS: usize = 3;

fn writer(memory: &Memoriter, number: usize) -> ScopedMemory {
    memory.scope(Scope::user(&format!("user{number}")))
}

/// Appends turns until it is told to stop, and a fact that says how many; tells how many are acknowledged.
fn write(memory: &Memoriter, number: usize, acknowledged: &AtomicU64, is_over: &AtomicBool) {
    let scope = writer(memory, number);
    let mut count = 0;
    while !is_over.load(Ordering::SeqCst) {
        let text = format!("line {count}");
        scope.append([turn("log", count, &text)]).unwrap();
        let told = Note::new(text)
            .key("log.end".parse().unwrap())
            .value(count.to_string());
        scope.remember(told).unwrap();
        count += 1;
        acknowledged.store(count as u64, Ordering::SeqCst);
    }
}

/// Turns in a copy, which are the first ones and all of them up to one.
#[track_caller]
fn lines(copy: &Memoriter, number: usize) -> u64 {
    let scope = writer(copy, number);
    let turns = scope.turns(&SessionName::new("log").unwrap(), 0, 1_000_000);
    let rows = turns.map_or_else(|_| Vec::new(), |turns| turns.rows);
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(row.message.content, format!("line {at}"));
    }
    // A fact comes after its turn.
    let live = scope.live_under(&"log.end".parse().unwrap()).unwrap();
    let told = live
        .first()
        .map_or(0, |fact| fact.value.as_deref().unwrap().parse().unwrap());
    assert!(live.len() <= 1 && told <= rows.len());
    rows.len() as u64
}

#[track_caller]
fn check(memory: &Memoriter, path: &Path, acknowledged: &[AtomicU64]) {
    let count = |count: &AtomicU64| count.load(Ordering::SeqCst);
    let before: Vec<u64> = acknowledged.iter().map(count).collect();
    let made = memory.backup(path, &mut |done, of| assert!(done <= of));
    let made = made.unwrap();
    let after: Vec<u64> = acknowledged.iter().map(count).collect();
    assert_eq!(made.verification.problems, []);
    let rights = fs_err::metadata(path).unwrap().permissions();
    assert_eq!(rights.mode() & 0o777, 0o600);
    let copy = Memoriter::open(path).unwrap();
    assert_eq!(copy.head().unwrap(), made.change);
    for number in 0..WRITERS {
        let lines = lines(&copy, number);
        // One turn may be in the store and not acknowledged yet.
        let span = before[number]..=after[number] + 1;
        assert!(span.contains(&lines), "{lines} of {span:?}");
    }
    assert_eq!(copy.verify().unwrap().problems, []);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a setting of the test run")]
fn a_backup_under_load_is_of_one_moment() {
    let asked = std::env::var("MEMORITER_TEST_CYCLES");
    let cycles = asked.map_or(CYCLES, |cycles| cycles.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
    let acknowledged: [AtomicU64; WRITERS] = Default::default();
    let is_over = AtomicBool::new(false);
    let stop = Stop(&is_over);
    std::thread::scope(|threads| {
        for (number, count) in acknowledged.iter().enumerate() {
            let (memory, is_over) = (&memory, &is_over);
            threads.spawn(move || write(memory, number, count, is_over));
        }
        for cycle in 0..cycles {
            let path = folder.path().join(format!("{cycle}.db"));
            check(&memory, &path, &acknowledged);
            fs_err::remove_file(path).unwrap();
        }
        drop(stop);
    });
    let written = |count: &AtomicU64| count.load(Ordering::SeqCst);
    println!(
        "{cycles} backups of {} lines",
        acknowledged.iter().map(written).sum::<u64>()
    );
    assert!(acknowledged.iter().all(|count| written(count) > 0));
    assert_eq!(memory.verify().unwrap().problems, []);
}

/// Ends the writers also where a check fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_backup_takes_the_place_of_nothing_and_leaves_nothing_half_made() {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
    let backup = |name: &str| memory.backup(folder.path().join(name), &mut |_, _| {});
    let is_there = |result| matches!(result, Err(Error::Store(StoreError::FileExists { .. })));
    assert!(is_there(backup("memory.db")));
    fs_err::write(folder.path().join("other"), "mine").unwrap();
    assert!(is_there(backup("other")));
    assert_eq!(fs_err::read(folder.path().join("other")).unwrap(), b"mine");
    std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
    assert!(is_there(backup("link")));
    assert!(backup("no/such/folder.db").is_err());
    backup("copy.db").unwrap();
    let mut names: Vec<_> = fs_err::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("memory.db"))
        .collect();
    names.sort();
    assert_eq!(names, ["copy.db", "link", "other"]);
    let in_memory = Memoriter::builder().over(std::sync::Arc::new(
        memoriter::store::MemoryStore::new([3; 32]),
    ));
    let refused = in_memory.backup(folder.path().join("none"), &mut |_, _| {});
    assert!(matches!(refused, Err(Error::Store(StoreError::NoFile))));
}
