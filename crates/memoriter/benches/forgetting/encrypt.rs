//! What encryption costs: the same writes and the same questions in a store with a key and in one without, turn about.

use memoriter::{MasterKey, Memoriter, Scope, ScopedMemory};

use crate::corpus::{notes, question, sentence};
use crate::meter::{Times, cost};

/// Rounds of each part; ratios are of the sums and medians over all of them.
const ROUNDS: usize = 7;
/// Durable writes in a round, one by one.
const SINGLE: usize = 300;
/// Memories of a round of bulk loads.
const BULK: usize = 10_000;
const RECALLED: usize = 10_000;
const QUESTIONS: usize = 400;

pub(crate) fn run() {
    single();
    bulk();
    recalls();
}

/// A store without a key, and one with.
fn stores(folder: &std::path::Path, name: &str) -> [Memoriter; 2] {
    let key = MasterKey::new([7; 32]);
    let [plain, encrypted] =
        ["plain", "encrypted"].map(|kind| folder.join(format!("{name}-{kind}.db")));
    let opened = [
        Memoriter::builder().without_extractor().open(plain),
        Memoriter::builder()
            .without_extractor()
            .encrypted(key)
            .open(encrypted),
    ];
    opened.map(|store| store.expect("a new store opens"))
}

fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

fn single() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stores = stores(folder.path(), "single");
    let mut cpu = [0.0; 2];
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        for (at, memory) in stores.iter().enumerate() {
            let scope = priya(memory);
            let (took, _, used) = cost(|| {
                Times::of(SINGLE, |number| {
                    scope
                        .remember(sentence(round * SINGLE + number))
                        .expect("the sentence is within every limit");
                })
            });
            if let (Some(cpu), Some(times)) = (cpu.get_mut(at), times.get_mut(at)) {
                *cpu += used;
                times.push(took.at(50));
            }
        }
    }
    let each = cpu.map(|cpu| cpu * 1e3 / (ROUNDS * SINGLE) as f64);
    tell("durable write, CPU ms each", each);
    tell("durable write, p50 ms", times.map(median));
}

fn bulk() {
    let mut cpu = [0.0; 2];
    for round in 0..ROUNDS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let stores = stores(folder.path(), &round.to_string());
        for (cpu, memory) in cpu.iter_mut().zip(&stores) {
            let scope = priya(memory);
            let ((), _, used) = cost(|| {
                scope
                    .remember_all(notes(BULK))
                    .map(drop)
                    .expect("the sentences are within every limit");
            });
            *cpu += used;
        }
    }
    let each = cpu.map(|cpu| cpu * 1e3 / (ROUNDS * BULK) as f64);
    tell("bulk write, CPU ms each", each);
}

fn recalls() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stores = stores(folder.path(), "recall");
    let path = |kind: &str| folder.path().join(format!("recall-{kind}.db"));
    for memory in &stores {
        let filled = priya(memory).remember_all(notes(RECALLED));
        filled
            .map(drop)
            .expect("the sentences are within every limit");
    }
    // Closed, a store is one file.
    drop(stores);
    let bytes = ["plain", "encrypted"].map(|kind| {
        let file = fs_err::metadata(path(kind)).expect("the file is there");
        file.len() as f64 / RECALLED as f64
    });
    let mut firsts = [Vec::new(), Vec::new()];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        let stores = reopened(&path);
        for (at, memory) in stores.iter().enumerate() {
            let scope = priya(memory);
            let first = Times::of(1, |number| ask(&scope, number));
            // Once for all, so that rows are in SQLite's cache.
            (0..QUESTIONS).for_each(|number| ask(&scope, number));
            let took = Times::of(QUESTIONS, |number| ask(&scope, number));
            if let (Some(firsts), Some(times)) = (firsts.get_mut(at), times.get_mut(at)) {
                firsts.push(first.at(50));
                times.push(took.at(50));
            }
        }
    }
    tell("recall top 10 of 10000, p50 ms", times.map(median));
    tell("first recall of 10000, ms", firsts.map(median));
    tell("bytes of the file, per memory", bytes);
}

fn reopened(path: &impl Fn(&str) -> std::path::PathBuf) -> [Memoriter; 2] {
    let key = MasterKey::new([7; 32]);
    let opened = [
        Memoriter::builder().open(path("plain")),
        Memoriter::builder().key(key).open(path("encrypted")),
    ];
    opened.map(|store| store.expect("the store opens again"))
}

fn ask(scope: &ScopedMemory, number: usize) {
    scope
        .recall(&question(number))
        .top(10)
        .without_marking()
        .run()
        .expect("the store can be read");
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

fn tell(what: &str, [plain, encrypted]: [f64; 2]) {
    println!(
        "{what:<32} plain {plain:>9.3}  encrypted {encrypted:>9.3}  {:.2} x",
        encrypted / plain
    );
}
