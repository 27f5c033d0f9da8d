//! Opening a store and asking it the first question, in a process of its own.

use std::path::Path;
use std::process::Command;

use memoriter::{Memoriter, Scope};

use crate::Bench;
use crate::meter::{cost, resident_mib};

const RUNS: usize = 5;

pub(crate) fn run(bench: &Bench) {
    for size in [10_000, 100_000] {
        let name = format!("open-{size}.db");
        drop(bench.filled(&name, size));
        for _ in 0..RUNS {
            let this = std::env::current_exe().expect("a running program has a file");
            let child = Command::new(this)
                .arg("open-once")
                .arg(bench.file(&name))
                .output()
                .expect("this program starts");
            print!(
                "cold open + first recall, {size}: {}",
                String::from_utf8_lossy(&child.stdout)
            );
        }
    }
}

/// Opens, asks once and reports.
pub(crate) fn once(path: &Path) {
    let ((), wall, cpu) = cost(|| {
        let memory = Memoriter::open(path).expect("the store opens");
        let scope = memory.scope(Scope::user("priya"));
        let hits = scope
            .recall("piano in Berlin")
            .top(10)
            .without_marking()
            .run()
            .expect("the store answers");
        assert_eq!(hits.len(), 10);
        print!("{:.0} MiB resident, ", resident_mib());
    });
    println!("{:.0} ms, CPU {:.0} ms", wall * 1e3, cpu * 1e3);
}
