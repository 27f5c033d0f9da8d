//! Erasures that are more than one unit, that others meet, and that end badly: the receipt says what is so.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memoriter::core::memory::Memory;
use memoriter::core::port::Clock;
use memoriter::core::provenance::{Source, SourceRef};
use memoriter::core::time::Timestamp;
use memoriter::core::turn::{SessionName, Turn};
use memoriter::store::{
    Committed, Needles, Patience, Scrubbed, Snapshot, SqliteStore, Store, StoreError, Write,
};
use memoriter::{
    Diagnose, Memoriter, Note, ReceiptState, Scope, ScopedMemory, Selector, SystemClock,
};
use memoriter_testkit::FixedClock;
use memoriter_testkit::sample::Samples;
use serde_json::json;

use crate::erasing::{hits, open_raw, said, tokens, turn};

/// More than one unit takes.
const TURNS: usize = 12_500;
/// What the first unit with records takes; tombstones go before.
const UNIT: u64 = 8_000;

/// What happens at one of the commits that erase, or at a search.
type Happening = Box<dyn Fn(usize, &SqliteStore) -> Result<(), StoreError> + Send + Sync>;

/// A store to which something happens.
struct Eventful {
    store: SqliteStore,
    erasures: AtomicUsize,
    searches: AtomicUsize,
    before_erasure: Happening,
    before_search: Happening,
}

fn nothing() -> Happening {
    Box::new(|_, _| Ok(()))
}

impl Eventful {
    fn open(path: &Path, before_erasure: Happening, before_search: Happening) -> Memoriter {
        Memoriter::builder().over(Arc::new(Self {
            store: open_raw(path),
            erasures: AtomicUsize::new(0),
            searches: AtomicUsize::new(0),
            before_erasure,
            before_search,
        }))
    }
}

impl Store for Eventful {
    fn commit(&self, unit: Vec<Write>) -> Result<Committed, StoreError> {
        let erases = |write: &Write| matches!(write, Write::Erase(_));
        let count = if unit.iter().any(erases) {
            self.erasures.fetch_add(1, Ordering::SeqCst) + 1
        } else {
            self.erasures.load(Ordering::SeqCst)
        };
        (self.before_erasure)(count, &self.store)?;
        self.store.commit(unit)
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StoreError> {
        self.store.snapshot()
    }

    fn head(&self) -> Result<memoriter::core::id::ChangeNumber, StoreError> {
        self.store.head()
    }

    fn scrub(&self, needles: &Needles, patience: Patience) -> Result<Scrubbed, StoreError> {
        let count = self.searches.fetch_add(1, Ordering::SeqCst) + 1;
        (self.before_search)(count, &self.store)?;
        self.store.scrub(needles, patience)
    }

    fn secret(&self) -> &[u8; 32] {
        self.store.secret()
    }
}

fn full() -> StoreError {
    StoreError::Full {
        path: "disk".into(),
    }
}

/// A word that stands in turns of the first and of the last unit.
fn word() -> String {
    tokens(1).remove(0)
}

/// The store that another process was told to open by the name of a variable; `None` where this is no such process.
#[expect(
    clippy::disallowed_methods,
    reason = "how one process tells another what to do"
)]
pub(crate) fn store_told(variable: &str) -> Option<Memoriter> {
    let path = std::env::var(variable).ok()?;
    Some(Memoriter::open(path).unwrap())
}

/// Makes a store with a session of many turns.
pub(crate) fn fill(path: &Path, turns: usize) {
    let word = word();
    let priya = Memoriter::open(path).unwrap().scope(Scope::user("priya"));
    let said = (0..turns).map(|number| turn("long", number, &format!("{word} {number}")));
    for part in said.collect::<Vec<_>>().chunks(5_000) {
        priya.append(part.to_vec()).unwrap();
    }
}

fn long() -> Selector {
    Selector::Session(SessionName::new("long").unwrap())
}

fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

pub(crate) fn left(memory: &Memoriter) -> Vec<Turn> {
    let name = SessionName::new("long").unwrap();
    let turns = priya(memory).turns(&name, 0, 1_000_000);
    turns.map(|turns| turns.rows).unwrap_or_default()
}

fn at(clock: Timestamp, path: &Path) -> Memoriter {
    let builder = Memoriter::builder().clock(Arc::new(FixedClock(clock)));
    builder.open(path).unwrap()
}

fn levels(receipt: &memoriter::KeptReceipt) -> serde_json::Value {
    said(receipt)["levels"].clone()
}

#[test]
fn an_erasure_of_several_units_takes_everything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    fill(&path, TURNS);
    let memory = Memoriter::open(&path).unwrap();
    let receipt = priya(&memory).erase(long()).run().unwrap();
    assert_eq!(receipt.state, ReceiptState::Complete);
    let said = said(&receipt);
    assert_eq!(said["erased"]["turns"], TURNS);
    assert_eq!(said["erased"]["sessions"], 1);
    assert_eq!(said["levels"], json!(["V1", "V2", "V3"]));
    assert_eq!(memory.receipts().unwrap(), [receipt]);
    assert_eq!(left(&memory), []);
    assert_eq!(memory.verify().unwrap().problems, []);
    drop(memory);
    assert_eq!(hits(folder.path(), &[word()], &[]), 0);
}

#[test]
fn an_erasure_that_fails_in_the_middle_counts_what_is_gone_and_goes_on_when_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    fill(&path, TURNS);
    let fails = |count, _: &SqliteStore| if count == 2 { Err(full()) } else { Ok(()) };
    // Everything fails from the second unit on: it is as if the process had died there.
    let memory = Eventful::open(&path, Box::new(fails), nothing());
    let error = priya(&memory).erase(long()).run().unwrap_err();
    assert_eq!(error.code(), "disk_full");
    let receipts = memory.receipts().unwrap();
    assert_eq!(receipts[0].state, ReceiptState::Begun);
    assert_eq!(said(&receipts[0])["erased"]["turns"], UNIT);
    assert_eq!(levels(&receipts[0]), json!([]));
    drop(memory);
    // Another process calls it neither complete nor stopped while it may go on.
    let memory = Memoriter::open(&path).unwrap();
    assert_eq!(left(&memory).len() as u64, TURNS as u64 - UNIT);
    let done = memory.complete_erasures().unwrap();
    assert_eq!((done.receipts.len(), done.pending), (0, 1));
    assert_eq!(memory.receipts().unwrap()[0].state, ReceiptState::Begun);
    drop(memory);
    let later = at(SystemClock.now().plus_micros(120_000_000), &path);
    let done = later.complete_erasures().unwrap();
    assert_eq!((done.receipts.len(), done.pending), (1, 0));
    let stopped = said(&done.receipts[0]);
    assert_eq!(
        (&stopped["state"], &stopped["why"], &stopped["levels"]),
        (&json!("interrupted"), &json!("stopped"), &json!([]))
    );
    assert_eq!(stopped["erased"]["turns"], UNIT);
    let receipt = priya(&later).erase(long()).run().unwrap();
    assert_eq!(said(&receipt)["erased"]["turns"], TURNS as u64 - UNIT);
    assert_eq!(levels(&receipt), json!(["V1", "V2", "V3"]));
    assert_eq!(left(&later), []);
    assert_eq!(later.verify().unwrap().problems, []);
    drop(later);
    assert_eq!(hits(folder.path(), &[word()], &[]), 0);
}

#[test]
fn an_erasure_that_fails_once_in_the_middle_says_so_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    fill(&path, TURNS);
    let failed = AtomicUsize::new(0);
    let fails_once = move |count, _: &SqliteStore| {
        let is_first = count == 2 && failed.fetch_add(1, Ordering::SeqCst) == 0;
        if is_first { Err(full()) } else { Ok(()) }
    };
    let memory = Eventful::open(&path, Box::new(fails_once), nothing());
    priya(&memory).erase(long()).run().unwrap_err();
    let stopped = memory.receipts().unwrap().remove(0);
    assert_eq!(stopped.state, ReceiptState::Interrupted);
    assert_eq!(said(&stopped)["erased"]["turns"], UNIT);
    assert_eq!(memory.complete_erasures().unwrap().pending, 0);
}

/// A memory that rests on a turn.
fn resting(on: &Turn) -> Memory {
    Memory {
        sources: vec![Source {
            of: SourceRef::Turn(on.id),
            quote: on.message.content.clone(),
        }],
        ..Samples::new(9).memory(&on.scope, "Somebody made this of it meanwhile.")
    }
}

#[test]
fn what_is_made_of_it_between_units_goes_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    fill(&path, TURNS);
    let last = left(&Memoriter::open(&path).unwrap()).remove(0);
    let made = AtomicUsize::new(0);
    let meanwhile = move |count, store: &SqliteStore| {
        if count == 2 && made.fetch_add(1, Ordering::SeqCst) == 0 {
            store.commit(vec![Write::InsertMemory {
                memory: Box::new(resting(&last)),
                vector: None,
            }])?;
        }
        Ok(())
    };
    let memory = Eventful::open(&path, Box::new(meanwhile), nothing());
    let receipt = priya(&memory).erase(long()).run().unwrap();
    let erased = said(&receipt)["erased"].clone();
    assert_eq!(
        (&erased["turns"], &erased["memories"]),
        (&json!(TURNS), &json!(1))
    );
    assert_eq!(levels(&receipt), json!(["V1", "V2", "V3"]));
    assert_eq!(priya(&memory).list(&[], None, 9).unwrap().memories, []);
    assert_eq!(memory.verify().unwrap().problems, []);
}

/// A store with one memory.
fn one(path: &Path) -> String {
    let word = word();
    let memory = Memoriter::open(path).unwrap();
    priya(&memory)
        .remember(Note::new(format!("The word is {word}")))
        .unwrap();
    word
}

#[test]
fn a_search_that_fails_leaves_it_pending_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let word = one(&path);
    let fails = |count, _: &SqliteStore| if count == 1 { Err(full()) } else { Ok(()) };
    let memory = Eventful::open(&path, nothing(), Box::new(fails));
    let receipt = priya(&memory).erase(Selector::Everything).run().unwrap();
    let told = said(&receipt);
    assert_eq!(
        (&told["state"], &told["why"], &told["levels"]),
        (&json!("pending"), &json!("disk_full"), &json!(["V1", "V2"]))
    );
    let done = memory.complete_erasures().unwrap();
    assert_eq!(levels(&done.receipts[0]), json!(["V1", "V2", "V3"]));
    drop(memory);
    assert_eq!(hits(folder.path(), &[word], &[]), 0);
}

#[test]
fn what_is_found_in_a_file_is_a_failure_until_it_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let word = one(&path);
    let memory = Memoriter::open(&path).unwrap();
    // A journal that begins with zeros is one that SQLite is done with.
    let journal = folder.path().join("memory.db-journal");
    fs_err::write(&journal, format!("{}The word is {word}", "\0".repeat(64))).unwrap();
    let receipt = priya(&memory).erase(Selector::Everything).run().unwrap();
    let told = said(&receipt);
    assert_eq!(
        (&told["state"], &told["why"], &told["levels"]),
        (&json!("failed"), &json!("residue"), &json!(["V1", "V2"]))
    );
    assert!(told["search"]["found"].as_u64() > Some(0), "{told}");
    // Neither this process nor one that does not know what to look for calls it complete.
    for process in [memory.clone(), Memoriter::open(&path).unwrap()] {
        let done = process.complete_erasures().unwrap();
        assert_eq!((done.receipts.len(), done.pending), (0, 1));
    }
    fs_err::remove_file(&journal).unwrap();
    let done = memory.complete_erasures().unwrap();
    assert_eq!(done.receipts[0].state, ReceiptState::Complete);
    assert_eq!(levels(&done.receipts[0]), json!(["V1", "V2", "V3"]));
    assert_eq!(memory.receipts().unwrap(), done.receipts);
}

#[test]
fn who_knows_what_to_look_for_has_the_last_word() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    one(&path);
    let elsewhere = path.clone();
    // Another process, which knows only that rows are gone, completes it while this one begins to search.
    let meanwhile = move |count, _: &SqliteStore| {
        if count == 1 {
            let other = Memoriter::open(&elsewhere).unwrap();
            let done = other.complete_erasures().unwrap();
            assert_eq!(levels(&done.receipts[0]), json!(["V1", "V2"]));
        }
        Ok(())
    };
    let memory = Eventful::open(&path, nothing(), Box::new(meanwhile));
    let receipt = priya(&memory).erase(Selector::Everything).run().unwrap();
    assert_eq!(levels(&receipt), json!(["V1", "V2", "V3"]));
    assert_eq!(memory.receipts().unwrap(), [receipt]);
}
