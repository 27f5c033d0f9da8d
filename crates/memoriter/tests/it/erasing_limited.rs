//! Erasing where the system lets no file grow: the error is clear, nothing is lost, and it goes through once it may.

use std::path::Path;
use std::process::{Command, Stdio};

use memoriter::{Diagnose, Memoriter, ReceiptState, Selector};
use serde_json::json;

use crate::erasing::{hits, priya, said, tokens};
use crate::erasing_parts::{fill, left, store_told};

const TURNS: usize = 3_000;
/// Names the store to the process with the limit.
const STORE: &str = "MEMORITER_TEST_LIMITED_STORE";

/// Run by [`a_limit_on_the_size_of_files_is_an_error_and_loses_nothing`] as another process, with the limit.
#[test]
fn process_that_erases_within_a_limit() {
    let Some(memory) = store_told(STORE) else {
        return;
    };
    match priya(&memory).erase(Selector::Everything).run() {
        Ok(receipt) => println!("told: {}", receipt.state.as_str()),
        Err(error) => println!("told: {} {error}", error.code()),
    }
}

/// Erases in a process in which no file may grow over so many blocks, and returns what it tells.
fn erase_within(path: &Path, blocks: u32) -> String {
    // A process that ignores the signal gets an error where it would be ended.
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limited])
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "erasing_limited::process_that_erases_within_a_limit",
            "--nocapture",
        ])
        .env(STORE, path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let told = out.lines().find_map(|line| line.split("told: ").nth(1));
    told.unwrap_or_else(|| panic!("{out}{}", String::from_utf8_lossy(&output.stderr)))
        .to_owned()
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    fill(&path, TURNS);
    let told = erase_within(&path, 64);
    assert!(
        told.contains("failed") || told.contains("no space"),
        "{told}"
    );
    println!("{told}");
    let memory = Memoriter::open(&path).unwrap();
    assert_eq!(memory.verify().unwrap().problems, []);
    let there = left(&memory).len();
    for receipt in memory.receipts().unwrap() {
        let counted = &said(&receipt)["erased"]["turns"];
        assert_eq!(*counted, TURNS - there, "{}", receipt.document);
        assert_ne!(receipt.state, ReceiptState::Complete);
    }
    // With the limit lifted it runs to its end.
    let receipt = priya(&memory).erase(Selector::Everything).run().unwrap();
    assert_eq!(said(&receipt)["levels"], json!(["V1", "V2", "V3"]));
    assert_eq!(
        (left(&memory).len(), memory.verify().unwrap().problems),
        (0, vec![])
    );
    drop(memory);
    assert_eq!(hits(folder.path(), &tokens(1), &[]), 0);
}
