//! What the SQLite store costs: `cargo bench -p memoriter-store --bench durable`.
//!
//! Prints wall clock and CPU time of durable single writes, of 64 callers at once, of a bulk load of 100,000
//! memories with 256-component vectors, the bytes on disk, and the time to feed an index from it.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a bench looks at the clock and prints"
)]

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use memoriter_core::id::ChangeNumber;
use memoriter_core::port::ModelName;
use memoriter_core::provenance::{Source, SourceRef};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{IndexChange, SqliteOptions, SqliteStore, Store, Write};
use memoriter_testkit::SeededEntropy;
use memoriter_testkit::sample::Samples;

const BULK: u64 = 100_000;
const UNIT: u64 = 1_000;
const SINGLES: u64 = 1_000;
const CALLERS: u64 = 64;
const PER_CALLER: u64 = 200;

fn main() {
    let folder =
        tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder can be made");
    let path = |name: &str| folder.path().join(name);
    if wanted("single") {
        let store = open(&path("single.db"));
        report("single writes", SINGLES, || one_after_another(&store));
    }
    if wanted("callers") {
        let store = open(&path("callers.db"));
        report("64 callers", CALLERS * PER_CALLER, || all_at_once(&store));
    }
    if wanted("bulk") {
        bulk(&path("bulk.db"));
    }
}

/// Whether this part was asked for by name; without a name all are.
fn wanted(part: &str) -> bool {
    let mut names = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .peekable();
    names.peek().is_none() || names.any(|name| name == part)
}

fn bulk(path: &Path) {
    report("bulk load", BULK, || load(&open(path)));
    let bytes = path.metadata().expect("the file is there").len();
    println!("disk: {} B a memory", bytes / BULK);
    report("open and close", 1, || drop(open(path)));
    let store = open(path);
    for _ in 0..3 {
        report("index feed", BULK, || feed(&store));
    }
    report("head", 100_000, || {
        (0..100_000).for_each(|_| assert!(store.head().is_ok()));
    });
    report("snapshot", 10_000, || {
        (0..10_000).for_each(|_| assert!(store.snapshot().is_ok()));
    });
    report("verify", BULK, || {
        let report = store
            .snapshot()
            .and_then(|view| view.verify())
            .expect("the store can be verified");
        assert_eq!(report.problems, []);
    });
}

fn open(path: &Path) -> SqliteStore {
    let entropy = SeededEntropy::new(1);
    SqliteStore::open(
        path,
        &SqliteOptions::new(&entropy, Timestamp::from_micros(0)),
    )
    .expect("the store opens")
}

fn write(samples: &Samples, scope: &Scope, number: u64) -> Write {
    let statement = format!(
        "Priya said on day {number} that the train from Oslo was late and she took the bus."
    );
    let mut memory = samples.memory(scope, &statement);
    memory.sources = vec![Source {
        of: SourceRef::Memory(memory.id),
        quote: "the train was late".into(),
    }];
    Write::InsertMemory {
        memory: Box::new(memory),
        vector: Some(samples.vector("static-256-v1")),
    }
}

fn one_after_another(store: &SqliteStore) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    for number in 0..SINGLES {
        store
            .commit(vec![write(&samples, &scope, number)])
            .expect("the write is in order");
    }
}

fn all_at_once(store: &SqliteStore) {
    let slowest = AtomicU64::new(0);
    std::thread::scope(|threads| {
        for caller in 0..CALLERS {
            let slowest = &slowest;
            threads.spawn(move || {
                let (samples, scope) = (Samples::new(caller), Scope::user(&caller.to_string()));
                for number in 0..PER_CALLER {
                    let begin = Instant::now();
                    store
                        .commit(vec![write(&samples, &scope, number)])
                        .expect("the write is in order");
                    let micros = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX);
                    slowest.fetch_max(micros, Ordering::Relaxed);
                }
            });
        }
    });
    println!(
        "slowest of the next: {:?}",
        Duration::from_micros(slowest.into_inner())
    );
}

fn load(store: &SqliteStore) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    for unit in 0..BULK / UNIT {
        let writes = (0..UNIT)
            .map(|number| write(&samples, &scope, unit * UNIT + number))
            .collect();
        store.commit(writes).expect("the unit is in order");
    }
}

fn feed(store: &SqliteStore) {
    let (mut rows, mut bytes) = (0, 0);
    let mut take = |change: IndexChange<'_>| {
        if let IndexChange::Put(row) = change {
            rows += 1;
            bytes += row.text.len() + row.vector.map_or(0, |(_, codes)| codes.len());
        }
    };
    let view = store.snapshot().expect("a snapshot can be taken");
    view.index_changes(
        &Scope::user("priya"),
        &ModelName::new("static-256-v1"),
        ChangeNumber(0),
        &mut take,
    )
    .expect("the index can be fed");
    assert_eq!(rows, BULK);
    assert!(bytes > 0);
}

/// Runs `work`, which does `count` things, and prints what it took.
fn report(name: &str, count: u64, work: impl FnOnce()) {
    let (begin, cpu) = (Instant::now(), cpu_time());
    work();
    let (wall, cpu) = (begin.elapsed(), cpu_time().saturating_sub(cpu));
    let each = |time: Duration| time.as_secs_f64() * 1e6 / per(count);
    println!(
        "{name}: {wall:.3?}, {:.0}/s; each {:.1} us wall, {:.1} us CPU",
        per(count) / wall.as_secs_f64(),
        each(wall),
        each(cpu)
    );
}

#[expect(clippy::cast_precision_loss, reason = "counts of a bench are small")]
fn per(count: u64) -> f64 {
    count as f64
}

/// CPU time of this process, user and system, in steps of 10 ms; zero where there is no `/proc`.
fn cpu_time() -> Duration {
    let stat = fs_err::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u64 = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}
