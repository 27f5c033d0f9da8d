//! Erasing a user with ten thousand memories, search of the files included, and what others notice of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use memoriter::{Memoriter, ReceiptState, Scope, ScopedMemory, Selector};

use crate::corpus::{notes, question};
use crate::meter::{Times, cost};

/// Memories of the user who goes, and of the one who asks meanwhile.
const MEMORIES: usize = 10_000;
const QUESTIONS: usize = 1_000;
const ROUNDS: usize = 5;
/// Between questions: an agent thinks, and on two cores there is somebody else.
const PAUSE: Duration = Duration::from_millis(1);

struct Round {
    seconds: f64,
    cpu_seconds: f64,
    quiet_ms: f64,
    meanwhile_ms: f64,
}

pub(crate) fn run() {
    let rounds: Vec<Round> = (0..ROUNDS).map(|_| round()).collect();
    for round in &rounds {
        println!(
            "erase {MEMORIES}: {:.2} s, {:.2} CPU s; recall p99 of another user {:.3} ms before, {:.3} ms meanwhile",
            round.seconds, round.cpu_seconds, round.quiet_ms, round.meanwhile_ms
        );
    }
    println!(
        "median: erase {:.2} s, {:.2} CPU s; p99 meanwhile / before {:.2}",
        median(&rounds, |round| round.seconds),
        median(&rounds, |round| round.cpu_seconds),
        median(&rounds, |round| round.meanwhile_ms / round.quiet_ms)
    );
}

fn median(rounds: &[Round], figure: impl Fn(&Round) -> f64) -> f64 {
    let mut figures: Vec<f64> = rounds.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(0.0)
}

fn round() -> Round {
    let folder = tempfile::tempdir().expect("the system has room for a folder");
    let memory = Memoriter::open(folder.path().join("memory.db")).expect("a new store opens");
    let (priya, mei) = (
        memory.scope(Scope::user("priya")),
        memory.scope(Scope::user("mei")),
    );
    for scope in [&priya, &mei] {
        scope
            .remember_all(notes(MEMORIES))
            .expect("the corpus is within every limit");
    }
    ask(&mei, 0);
    let quiet = Times::of(QUESTIONS, |number| ask(&mei, number));
    let is_over = AtomicBool::new(false);
    let (meanwhile, (seconds, cpu_seconds)) = std::thread::scope(|threads| {
        let others = threads.spawn(|| {
            let mut times = Vec::new();
            let mut number = 0;
            while !is_over.load(Ordering::Relaxed) {
                let start = Instant::now();
                ask(&mei, number);
                times.push(start.elapsed());
                std::thread::sleep(PAUSE);
                number += 1;
            }
            times.into_iter().collect::<Times>()
        });
        let (receipt, seconds, cpu_seconds) = cost(|| priya.erase(Selector::Everything).run());
        is_over.store(true, Ordering::Relaxed);
        let receipt = receipt.expect("the store can be written");
        assert!(
            receipt.state == ReceiptState::Complete,
            "{}",
            receipt.document
        );
        let meanwhile = others.join().expect("asking does not fail");
        (meanwhile, (seconds, cpu_seconds))
    });
    Round {
        seconds,
        cpu_seconds,
        quiet_ms: quiet.at(99),
        meanwhile_ms: meanwhile.at(99),
    }
}

fn ask(scope: &ScopedMemory, number: usize) {
    let text = question(number);
    let hits = scope.recall(&text).top(10).without_marking().run();
    assert!(!hits.expect("the store answers").is_empty());
}
