//! How long embedding takes: `cargo bench -p memoriter-provider`, and with a model folder
//! `cargo bench -p memoriter-provider --features minilm -- FOLDER`.
//!
//! Prints the median and the fastest of several runs for each case, on one thread.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench measures time and prints it"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use memoriter_core::port::embedder::{Embedder, TextRole};
use memoriter_provider::embed::StaticTable;

/// Enough runs for a median that a busy neighbour does not move.
const RUNS: usize = 15;

const QUESTION: &str = "What did Caroline realize after her charity race?";

/// Turns of a talk, 70 to 200 bytes each.
const TURNS: [&str; 6] = [
    "[2024-05-08 13:56] Priya: I finally signed the lease for the flat in Oslo, we move in at the end of June!",
    "[2024-05-08 13:57] Assistant: Congratulations! Do you already know which school Mira will go to in autumn?",
    "[2024-05-08 14:02] Priya: Not yet. She'd like one with a good orchestra — she plays the cello, you remember.",
    "[2024-05-09 09:15] Priya: Could you book the vet for Biscuit before we leave? He needs his rabies shot by June 3.",
    "[2024-05-09 09:16] Assistant: Booked: Thursday, May 16, 10:30 at Dr. Hansen's. I've added the address to your list.",
    "[2024-05-11 20:40] Priya: Thanks. And please don't order from that pizza place again, I'm allergic to their nuts.",
];

fn main() {
    measure("table: construct", 20, || {
        black_box(StaticTable::new());
    });
    let table = StaticTable::new();
    measure("table: one question", 2_000, || {
        black_box(embed(&table, &[black_box(QUESTION)]));
    });
    let turns: Vec<&str> = TURNS.into_iter().cycle().take(600).collect();
    measure("table: 600 turns", 1, || {
        black_box(embed(&table, black_box(&turns)));
    });
    let mebibyte = TURNS.join(" ").repeat(1_700);
    measure(
        &format!("table: {} bytes of prose", mebibyte.len()),
        1,
        || {
            black_box(embed(&table, &[black_box(mebibyte.as_str())]));
        },
    );
    measure_minilm();
}

#[cfg(feature = "minilm")]
fn measure_minilm() {
    use memoriter_provider::embed::MiniLm;

    let Some(folder) = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with("--"))
    else {
        println!("minilm: no model folder given");
        return;
    };
    measure("minilm: open", 1, || {
        black_box(MiniLm::open(folder.as_ref()).expect("the folder holds the model"));
    });
    let model = MiniLm::open(folder.as_ref()).expect("the folder holds the model");
    measure("minilm: one question", 5, || {
        black_box(embed(&model, &[black_box(QUESTION)]));
    });
    measure("minilm: 6 turns", 1, || {
        black_box(embed(&model, black_box(&TURNS)));
    });
    let turns: Vec<&str> = TURNS.into_iter().cycle().take(60).collect();
    measure("minilm: 60 turns", 1, || {
        black_box(embed(&model, black_box(&turns)));
    });
}

#[cfg(not(feature = "minilm"))]
fn measure_minilm() {}

fn embed(embedder: &dyn Embedder, texts: &[&str]) -> usize {
    let vectors = embedder
        .embed(texts, TextRole::Record)
        .expect("a model in memory does not fail");
    vectors.iter().flatten().count()
}

/// Prints what one call of `work` takes: the median and the fastest of [`RUNS`] runs of `calls` calls.
fn measure(name: &str, calls: u32, mut work: impl FnMut()) {
    let mut runs: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(|_| work());
            start.elapsed() / calls
        })
        .collect();
    runs.sort_unstable();
    let (fastest, median) = (
        runs.first().copied().unwrap_or_default(),
        runs.get(RUNS / 2).copied().unwrap_or_default(),
    );
    println!("{name:<40} median {median:>12.2?}   fastest {fastest:>12.2?}");
}
