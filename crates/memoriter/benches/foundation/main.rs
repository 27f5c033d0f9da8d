//! The figures that the foundation holds, measured over the public library.
//!
//! `cargo bench -p memoriter --bench foundation` runs everything but the scope of a million;
//! `-- million` adds it, `-- recall`, `-- write`, `-- open`, `-- scopes`, `-- desk`, `-- checkpoint` run a part. Prints medians and tails
//! of one run, with the machine's load beside them: repeat it, and compare ratios rather than times.
#![expect(clippy::print_stdout, reason = "the report is for people")]
#![expect(clippy::cast_precision_loss, reason = "figures for people")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench reads the clock and the process table"
)]

mod checkpoint;
mod corpus;
mod desk;
mod meter;
mod open;
mod recall;
mod scopes;
mod write;

use std::path::PathBuf;

use memoriter::{Memoriter, Scope};

/// Measures and prints.
type Part = fn(&Bench);

/// Parts in the order they run.
const PARTS: [(&str, Part); 6] = [
    ("recall", recall::run),
    ("scopes", scopes::run),
    ("desk", desk::run),
    ("checkpoint", checkpoint::run),
    ("write", write::run),
    ("open", open::run),
];

/// Where a run keeps its files.
struct Bench {
    folder: PathBuf,
    with_million: bool,
}

impl Bench {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A store with `count` memories of one scope.
    fn filled(&self, name: &str, count: usize) -> Memoriter {
        let memory = Memoriter::open(self.file(name)).expect("a new store opens");
        let scope = memory.scope(Scope::user("priya"));
        scope
            .remember_all(corpus::notes(count))
            .expect("the corpus is within every limit");
        memory
    }
}

fn main() {
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if let Some(path) = asked
        .strip_prefix(&["open-once".to_owned()])
        .and_then(|rest| rest.first())
    {
        open::once(path.as_ref());
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let with_million = asked.iter().any(|word| word == "million");
    let bench = Bench {
        folder: folder.path().to_owned(),
        with_million,
    };
    let parts: Vec<&String> = asked.iter().filter(|word| *word != "million").collect();
    println!("load {}", meter::load());
    for (name, run) in PARTS {
        if parts.is_empty() || parts.iter().any(|part| *part == name) {
            run(&bench);
        }
    }
    println!("load {}", meter::load());
}
