//! Erasing that is killed: the receipt counts what is gone and claims no more, and running it again does the rest.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use memoriter::core::port::SeededEntropy;
use memoriter::{Memoriter, ReceiptState, Selector};
use serde_json::json;

use crate::erasing::{hits, priya, said, tokens};
use crate::erasing_parts::{fill, left, store_told};

/// Kills in a run, of seconds each: `MEMORITER_TEST_KILLS` asks for more.
const KILLS: u64 = 6;
/// Two units.
const TURNS: usize = 12_500;
/// Names the store to the process that is killed.
const STORE: &str = "MEMORITER_TEST_ERASING_STORE";

/// Run by [`killed_erasing_claims_nothing_and_goes_on`] as another process, which is killed.
#[test]
fn process_that_erases() {
    let Some(memory) = store_told(STORE) else {
        return;
    };
    println!("begins");
    priya(&memory).erase(Selector::Everything).run().unwrap();
}

/// Erases in another process and kills it after a while; says whether there was a process to kill.
fn erase_and_kill(path: &Path, pause: Duration) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "erasing_killed::process_that_erases",
            "--nocapture",
        ])
        .env(STORE, path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(pause);
    child.kill().unwrap();
    child.wait().unwrap().code().is_none()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a setting of the test run")]
fn killed_erasing_claims_nothing_and_goes_on() {
    let asked = std::env::var("MEMORITER_TEST_KILLS");
    let kills = asked.map_or(KILLS, |kills| kills.parse().unwrap());
    let chance = SeededEntropy::new(kills);
    let folder = tempfile::tempdir().unwrap();
    let original = folder.path().join("original.db");
    fill(&original, TURNS);
    let (mut killed, mut in_the_middle) = (0, 0);
    for kill in 0..kills {
        let place = folder.path().join(kill.to_string());
        fs_err::create_dir(&place).unwrap();
        let path = place.join("memory.db");
        fs_err::copy(&original, &path).unwrap();
        let pause = Duration::from_millis(20 + chance.below(LONGEST_MS));
        killed += u64::from(erase_and_kill(&path, pause));
        in_the_middle += u64::from(check(&place, &path));
        fs_err::remove_dir_all(&place).unwrap();
    }
    println!("{kills} times, {killed} killed, {in_the_middle} of them between units");
    assert!(
        killed > 0,
        "the processes were done before they were killed"
    );
}

/// About as long as the other process needs.
const LONGEST_MS: u64 = 4_000;

/// Looks at what a killed process left, and erases the rest; says whether it was killed between units.
#[track_caller]
fn check(folder: &Path, path: &Path) -> bool {
    let memory = Memoriter::open(path).unwrap();
    assert_eq!(memory.verify().unwrap().problems, []);
    let left = left(&memory).len();
    let receipts = memory.receipts().unwrap();
    let mut is_between = false;
    if let Some(receipt) = receipts.first() {
        let told = said(receipt);
        assert_eq!(told["erased"]["turns"], TURNS - left, "{told}");
        is_between = receipt.state == ReceiptState::Begun;
        assert_eq!(is_between, left > 0);
        if is_between {
            assert_eq!(told["levels"], json!([]));
        }
    } else {
        assert_eq!(left, TURNS);
    }
    let receipt = priya(&memory).erase(Selector::Everything).run().unwrap();
    assert_eq!(said(&receipt)["erased"]["turns"], left);
    assert_eq!(said(&receipt)["levels"], json!(["V1", "V2", "V3"]));
    assert_eq!(memory.verify().unwrap().problems, []);
    assert_eq!(priya(&memory).sessions().unwrap(), []);
    drop(memory);
    assert_eq!(hits(folder, &tokens(1), &[]), 0);
    is_between
}
