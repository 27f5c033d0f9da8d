//! The figures of taking along and letting go.
//!
//! `cargo bench -p memoriter --bench forgetting -- export` writes everything about somebody into a file and takes it
//! into an empty store; `-- erase` removes a user for good while another asks, five times; `-- encrypt` writes into and
//! asks an encrypted store and one that is not, turn about. Prints each run, with the machine's load beside it: repeat it, and compare ratios rather than times.
#![expect(clippy::print_stdout, reason = "the report is for people")]
#![expect(clippy::cast_precision_loss, reason = "figures for people")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench reads the clock and the process table"
)]

#[path = "../foundation/corpus.rs"]
mod corpus;
mod encrypt;
mod erase;
mod export;
#[path = "../foundation/meter.rs"]
#[expect(dead_code, reason = "the other bench uses all of it")]
mod meter;

fn main() {
    println!("load {}", meter::load());
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if asked.is_empty() || asked.iter().any(|word| word == "export") {
        export::run();
    }
    if asked.is_empty() || asked.iter().any(|word| word == "erase") {
        erase::run();
    }
    if asked.is_empty() || asked.iter().any(|word| word == "encrypt") {
        encrypt::run();
    }
    println!("load {}", meter::load());
}
