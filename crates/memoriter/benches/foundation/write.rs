//! Durable writes: one by one, from many callers, and in bulk.

use memoriter::{Memoriter, Note, Scope};

use crate::Bench;
use crate::corpus::{notes, sentence};
use crate::meter::{Times, cost};

const SINGLE: usize = 500;
const CALLERS: usize = 64;
const EACH: usize = 200;
const BULK: usize = 100_000;

pub(crate) fn run(bench: &Bench) {
    single(bench);
    callers(bench);
    bulk(bench);
}

fn single(bench: &Bench) {
    let memory = Memoriter::open(bench.file("single.db")).expect("a new store opens");
    let scope = memory.scope(Scope::user("priya"));
    let write = |number: usize| {
        scope
            .remember(sentence(number))
            .expect("the sentence is within every limit");
    };
    // The rules of extraction are made for the first text.
    let ((), wall, cpu) = cost(|| write(SINGLE));
    println!(
        "first text of a process:               {:.1} ms  CPU {:.1} ms",
        wall * 1e3,
        cpu * 1e3
    );
    tell("one caller:            ", cost(|| Times::of(SINGLE, write)));
    let keyed = |number: usize| {
        let key = format!("thing.n{number}").parse().expect("a key");
        scope
            .remember(Note::new(sentence(number)).key(key))
            .expect("the sentence is within every limit");
    };
    tell("one caller, with a key:", cost(|| Times::of(SINGLE, keyed)));
}

fn tell(what: &str, (times, _, cpu): (Times, f64, f64)) {
    println!(
        "durable write, {what} {}  CPU {:.3} ms each",
        times.summary(),
        cpu * 1e3 / SINGLE as f64
    );
}

fn callers(bench: &Bench) {
    let memory = Memoriter::open(bench.file("callers.db")).expect("a new store opens");
    let ((), wall, cpu) = cost(|| {
        std::thread::scope(|threads| {
            for caller in 0..CALLERS {
                let scope = memory.scope(Scope::user("priya"));
                threads.spawn(move || {
                    for number in 0..EACH {
                        scope
                            .remember(sentence(caller * EACH + number))
                            .expect("the sentence is within every limit");
                    }
                });
            }
        });
    });
    let count = (CALLERS * EACH) as f64;
    println!(
        "durable writes, {CALLERS} callers:            {:.0}/s  CPU {:.3} ms each",
        count / wall,
        cpu * 1e3 / count
    );
}

fn bulk(bench: &Bench) {
    let path = bench.file("bulk.db");
    let memory = Memoriter::open(&path).expect("a new store opens");
    let scope = memory.scope(Scope::user("priya"));
    let ((), wall, cpu) = cost(|| {
        scope
            .remember_all(notes(BULK))
            .expect("the corpus is within every limit");
        scope
            .recall("piano in Berlin")
            .without_marking()
            .run()
            .expect("the store answers");
    });
    let count = BULK as f64;
    println!(
        "bulk load of {BULK}, indexed:           {:.0}/s  CPU {:.3} ms each",
        count / wall,
        cpu * 1e3 / count
    );
    drop((scope, memory));
    disk(bench);
}

fn disk(bench: &Bench) {
    const COUNT: usize = 10_000;
    let path = bench.file("disk.db");
    drop(bench.filled("disk.db", COUNT));
    let bytes = fs_err::metadata(&path).expect("the file is there").len();
    println!(
        "disk per memory, {COUNT}:               {} bytes",
        bytes / COUNT as u64
    );
}
