//! The figures of writing: what it costs to decide, to read for facts, to look for secrets, and to learn a turn.
//!
//! `cargo bench -p memoriter --bench writing -- reconcile` decides among ten thousand live memories;
//! `-- CONVERSATIONS.jsonl` (the normalised form of `memoriter eval jsonl`) measures the rest on what it holds.
//! Prints medians and tails of one run, with the machine's load beside them: repeat it, and compare ratios rather
//! than times.
#![expect(clippy::print_stdout, reason = "the report is for people")]
#![expect(clippy::cast_precision_loss, reason = "figures for people")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench reads the clock and the process table"
)]

#[path = "../foundation/corpus.rs"]
#[expect(dead_code, reason = "the other bench uses all of it")]
mod corpus;
#[path = "../foundation/meter.rs"]
#[expect(dead_code, reason = "the other bench uses all of it")]
mod meter;
mod reconcile;
mod talk;

fn main() {
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    println!("load {}", meter::load());
    let (parts, files): (Vec<&String>, Vec<&String>) =
        asked.iter().partition(|word| *word == "reconcile");
    if files.is_empty() || !parts.is_empty() {
        reconcile::run();
    }
    for file in files {
        talk::run(file.as_ref());
    }
    println!("load {}", meter::load());
}
