//! Saving the state of a run: time, and what it adds to the file against what changed.

use memoriter::{Memoriter, NewState, Scope};
use serde_json::{Value, json};

use crate::Bench;
use crate::corpus::sentence;
use crate::meter::{Times, cost};

const PUTS: usize = 500;
/// Fields of the board, of which each put changes one.
const FIELDS: usize = 100;
/// Bytes of a field.
const FIELD_BYTES: usize = 512;
/// Bytes of a run's own state, all of them new.
const DATA_BYTES: [usize; 3] = [512, 4_096, 65_536];

pub(crate) fn run(bench: &Bench) {
    for bytes in DATA_BYTES {
        measure(bench, bytes);
    }
}

fn measure(bench: &Bench, data_bytes: usize) {
    let path = bench.file(&format!("checkpoint-{data_bytes}.db"));
    let fill = |puts: usize| {
        let memory = Memoriter::open(&path).expect("the store opens");
        let session = memory.scope(Scope::user("priya")).session("run");
        let (state, checkpoints) = (session.state(), session.checkpoints());
        let data = |number| text(number, data_bytes).into_bytes();
        let write = |field: usize, number| {
            let name = format!("field{field}");
            let value = Value::from(text(number, FIELD_BYTES));
            state
                .set(&name, value)
                .expect("the value is within every limit");
        };
        if puts == 0 {
            (0..FIELDS).for_each(|field| write(field, field));
            let first = NewState::new("json", json!({}).to_string());
            checkpoints
                .save(first)
                .expect("the state is within every limit");
        }
        cost(|| {
            Times::of(puts, |number| {
                let new = NewState::new("json", data(number));
                checkpoints
                    .save(new)
                    .expect("the state is within every limit");
                write(number % FIELDS, number + FIELDS);
            })
        })
    };
    // Only a closed file has everything in it.
    let size = || fs_err::metadata(&path).expect("the file is there").len() as f64;
    fill(0);
    let before = size();
    let (times, _, cpu) = fill(PUTS);
    let grown = (size() - before) / PUTS as f64;
    let changed = (data_bytes + FIELD_BYTES) as f64;
    println!(
        "checkpoint of {data_bytes} B and a changed field of {FIELD_BYTES} B of {FIELDS}: both writes {}  CPU {:.3} ms  \
        {grown:.0} B in the file, {:.2} x what changed",
        times.summary(),
        cpu * 1e3 / PUTS as f64,
        grown / changed
    );
}

/// So many bytes that no other number has.
fn text(number: usize, bytes: usize) -> String {
    let mut text = String::new();
    while text.len() < bytes {
        let length = text.len().to_string();
        text.extend([length.as_str(), " ", &sentence(number), " "]);
    }
    text.truncate(text.floor_char_boundary(bytes));
    text
}
