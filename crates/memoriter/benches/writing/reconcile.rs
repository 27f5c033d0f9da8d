//! One candidate among ten thousand live memories: everything from the call to the decided unit, without committing it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use memoriter::core::id::ChangeNumber;
use memoriter::core::time::Timestamp;
use memoriter::store::{Committed, Snapshot, SqliteOptions, SqliteStore, Store, StoreError, Write};
use memoriter::{Memoriter, Note, Scope, ScopedMemory, SystemEntropy};

use crate::corpus::sentence;
use crate::meter::cpu_seconds;

/// Live memories of each kind, under a key and without.
const EACH: usize = 5_000;
const CALLS: usize = 1_000;

/// A store that tells how long it took to commit, disk included.
struct Stopwatch {
    store: SqliteStore,
    commit_nanos: AtomicU64,
}

impl Store for Stopwatch {
    fn commit(&self, unit: Vec<Write>) -> Result<Committed, StoreError> {
        let start = Instant::now();
        let committed = self.store.commit(unit);
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.commit_nanos.fetch_add(nanos, Ordering::Relaxed);
        committed
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StoreError> {
        self.store.snapshot()
    }

    fn head(&self) -> Result<ChangeNumber, StoreError> {
        self.store.head()
    }

    fn scrub(
        &self,
        needles: &memoriter::store::Needles,
        patience: memoriter::store::Patience,
    ) -> Result<memoriter::store::Scrubbed, memoriter::store::StoreError> {
        self.store.scrub(needles, patience)
    }

    fn secret(&self) -> &[u8; 32] {
        self.store.secret()
    }
}

pub(crate) fn run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let entropy = SystemEntropy;
    let options = SqliteOptions::new(&entropy, Timestamp::from_micros(0));
    let store = SqliteStore::open(&folder.path().join("memory.db"), &options);
    let watch = Arc::new(Stopwatch {
        store: store.expect("a new store opens"),
        commit_nanos: AtomicU64::new(0),
    });
    let memory = Memoriter::builder()
        .without_extractor()
        .over(Arc::clone(&watch) as _);
    let scope = memory.scope(Scope::user("priya"));
    let known = (0..EACH).flat_map(|number| [keyed(number, "old"), Note::new(sentence(number))]);
    scope.remember_all(known).expect("within every limit");
    println!(
        "one candidate among {} live memories, without committing:",
        2 * EACH
    );
    let measure = |what: &str, note: &dyn Fn(usize) -> Note| measure(what, &scope, &watch, note);
    measure("a new key        ", &|number| keyed(EACH + number, "new"));
    measure("another value    ", &|number| keyed(number, "new"));
    measure("the same value   ", &|number| keyed(number, "new"));
    measure("a new text       ", &|number| {
        Note::new(sentence(EACH + number))
    });
    measure("the same text    ", &|number| Note::new(sentence(number)));
}

fn keyed(number: usize, value: &str) -> Note {
    let key = format!("thing.n{number}").parse().expect("a key");
    Note::new(format!("Thing {number} is {value}"))
        .key(key)
        .value(value)
}

fn measure(what: &str, scope: &ScopedMemory, watch: &Stopwatch, note: &dyn Fn(usize) -> Note) {
    let cpu = cpu_seconds();
    let mut times: Vec<Duration> = (0..CALLS)
        .map(|number| {
            let note = note(number);
            watch.commit_nanos.store(0, Ordering::Relaxed);
            let start = Instant::now();
            scope.remember(note).expect("the store takes it");
            let commit = Duration::from_nanos(watch.commit_nanos.load(Ordering::Relaxed));
            start.elapsed().saturating_sub(commit)
        })
        .collect();
    let cpu = (cpu_seconds() - cpu) * 1e3 / CALLS as f64;
    times.sort_unstable();
    let at = |percent: usize| {
        let time = times.get(CALLS * percent / 100).copied();
        time.unwrap_or_default().as_secs_f64() * 1e3
    };
    println!(
        "  {what} p50 {:.3} ms  p99 {:.3} ms  CPU {cpu:.3} ms each, its commit included",
        at(50),
        at(99)
    );
}
