//! Recall over one scope, by size.

use memoriter::core::port::{Embedder, TextRole};
use memoriter::core::vector::QuantisedVector;
use memoriter::provider::embed::StaticTable;
use memoriter::{Memoriter, Scope, ScopedMemory};

use crate::Bench;
use crate::corpus::question;
use crate::meter::Times;

const QUESTIONS: usize = 400;

pub(crate) fn run(bench: &Bench) {
    let mut sizes = vec![10_000, 100_000];
    if bench.with_million {
        sizes.push(1_000_000);
    }
    for size in sizes {
        let memory = bench.filled(&format!("recall-{size}.db"), size);
        measure(&memory, size);
    }
}

fn measure(memory: &Memoriter, size: usize) {
    let scope = memory.scope(Scope::user("priya"));
    let table = StaticTable::new();
    let vectors: Vec<Option<QuantisedVector>> = (0..QUESTIONS)
        .map(|number| vector(&table, &question(number)))
        .collect();
    // Once for all: whichever is measured first would pay for reading the rows into SQLite's cache.
    (0..QUESTIONS).for_each(|number| ask(&scope, number, None));
    let given = Times::of(QUESTIONS, |number| {
        ask(&scope, number, vectors.get(number).cloned().flatten());
    });
    let embedded = Times::of(QUESTIONS, |number| ask(&scope, number, None));
    println!(
        "recall top 10 of {size}, vector given:   {}",
        given.summary()
    );
    println!(
        "recall top 10 of {size}, text embedded:  {}",
        embedded.summary()
    );
}

fn vector(table: &StaticTable, text: &str) -> Option<QuantisedVector> {
    let vectors = table
        .embed(&[text], TextRole::Query)
        .expect("the table cannot fail");
    vectors
        .first()
        .and_then(|vector| vector.as_ref().map(QuantisedVector::quantise))
}

fn ask(scope: &ScopedMemory, number: usize, vector: Option<QuantisedVector>) {
    let text = question(number);
    let mut recall = scope.recall(&text).top(10).without_marking();
    if let Some(vector) = vector {
        recall = recall.vector(vector);
    }
    assert!(
        !recall.run().expect("the store answers").is_empty(),
        "{text}"
    );
}
