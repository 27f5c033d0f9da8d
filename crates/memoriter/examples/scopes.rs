//! Scopes are the wall: a handle reads its scope and the ones around it, and writes into its own.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use memoriter::{Memoriter, Scope, ScopedMemory};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let memory = Memoriter::open(folder.path().join("memory.db"))?;
    let priya = memory.scope(Scope::user("priya"));
    let tutor = memory.scope(Scope::user("priya").within("agent", "tutor")?);
    let ben = memory.scope(Scope::user("ben"));

    priya.remember("I learn best in the morning")?;
    tutor.remember("She mixes up sine and cosine; start there")?;
    ben.remember("I learn best at night")?;

    for (name, handle) in [("priya", &priya), ("priya's tutor", &tutor), ("ben", &ben)] {
        println!("{name}: {}", found(handle)?.join(" | "));
    }
    Ok(())
}

/// What a handle knows about learning.
fn found(handle: &ScopedMemory) -> Result<Vec<String>, memoriter::Error> {
    let hits = handle.recall("When does she learn best?").run()?;
    Ok(hits.iter().map(|hit| hit.text().to_owned()).collect())
}
