//! Taking everything along: out of a store, into a file, into another store.

mod erased;
mod refused;
mod round;
mod taken;

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use memoriter::core::time::Timestamp;
use memoriter::{Imported, Memoriter, Scope, ScopedMemory, SeededEntropy};
use memoriter_testkit::FixedClock;

/// A store in `folder`. Stores of one seed have the same secret, as a backup has that of its original.
fn store(folder: &Path, name: &str, seed: u64) -> Memoriter {
    let now = Timestamp::from_micros(1_780_000_000_000_000);
    let builder = Memoriter::builder()
        .clock(Arc::new(FixedClock(now)))
        .entropy(Arc::new(SeededEntropy::new(seed)));
    builder.open(folder.join(name)).unwrap()
}

fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

fn export(memory: &ScopedMemory) -> String {
    let mut file = Vec::new();
    let exported = memory.export(&mut file, &mut |_, _| {}).unwrap();
    assert_eq!(exported.damaged, []);
    String::from_utf8(file).unwrap()
}

#[track_caller]
fn import(memory: &ScopedMemory, file: &str) -> Imported {
    memory.import().read(&mut Cursor::new(file)).unwrap()
}

#[track_caller]
fn trust(memory: &ScopedMemory, file: &str) -> Imported {
    let import = memory.import().trusting();
    import.read(&mut Cursor::new(file)).unwrap()
}

/// A file as an export would have written it: with the right counts and checksum, and no seal.
fn signed(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut counts = std::collections::BTreeMap::new();
    for line in lines {
        text.push_str(line);
        text.push('\n');
        for (kind, name) in [
            ("scope", "scopes"),
            ("session", "sessions"),
            ("turn", "turns"),
            ("attachment", "attachments"),
            ("field", "fields"),
            ("checkpoint", "checkpoints"),
            ("memory", "memories"),
            ("decision", "decisions"),
        ] {
            let is_of_kind = line.starts_with(&format!("{{\"{kind}\":"));
            *counts.entry(name).or_insert(0) += u64::from(is_of_kind);
        }
    }
    let counts = serde_json::to_string(&counts).unwrap();
    let checksum = blake3::hash(text.as_bytes()).to_hex();
    text + &format!(
        "{{\"end\":{{\"counts\":{counts},\"damaged\":0,\"blake3\":\"{checksum}\",\"seal\":\"\"}}}}\n"
    )
}
