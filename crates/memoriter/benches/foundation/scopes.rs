//! Many scopes, each touched in turn.

use memoriter::{Memoriter, Scope};

use crate::Bench;
use crate::corpus::{notes, question};
use crate::meter::Times;

const SCOPES: usize = 100;
const EACH: usize = 1_000;

pub(crate) fn run(bench: &Bench) {
    let path = bench.file("scopes.db");
    let memory = Memoriter::open(&path).expect("a new store opens");
    for number in 0..SCOPES {
        memory
            .scope(user(number))
            .remember_all(notes(EACH))
            .expect("the corpus is within every limit");
    }
    drop(memory);
    let memory = Memoriter::open(&path).expect("the store opens again");
    let touch = |number: usize| {
        let text = question(number);
        let hits = memory
            .scope(user(number % SCOPES))
            .recall(&text)
            .top(10)
            .without_marking()
            .run();
        assert!(!hits.expect("the store answers").is_empty());
    };
    println!(
        "{SCOPES} scopes of {EACH}, first touch:       {}",
        Times::of(SCOPES, touch).summary()
    );
    println!(
        "{SCOPES} scopes of {EACH}, in turn, warm:     {}",
        Times::of(SCOPES * 10, touch).summary()
    );
}

fn user(number: usize) -> Scope {
    Scope::user(&format!("user{number}"))
}
