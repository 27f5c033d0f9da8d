//! Words that nothing else says, planted wherever a text can be: none is in any file after it was erased.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use memoriter::core::extract::{Candidate, Heard};
use memoriter::core::metadata::Metadata;
use memoriter::core::port::{Clock, Extractor, ModelError};
use memoriter::core::provenance::Origin;
use memoriter::core::time::Timestamp;
use memoriter::store::Store;
use memoriter::{
    BUDGET_TOKENS_DEFAULT, KeptReceipt, Memoriter, NewState, Note, ReceiptState, Scope,
    ScopedMemory, Selector,
};
use memoriter_testkit::StepClock;
use serde_json::json;

use crate::erasing::{hits, open_raw, said, tokens, turn, vectors};

const WORDS: usize = 1_000;
/// What is erased one by one, and what together after that.
const SINGLE: usize = 5;
const TOGETHER: std::ops::Range<usize> = 5..205;
/// Turns that are given up with an error that quotes them: each takes five failures.
const DEAD: usize = 40;
/// Names the store to the process that reads an old state.
const STORE: &str = "MEMORITER_TEST_CANARY_STORE";

/// Fails with the words of the turn in the error.
struct Quoting;

impl Extractor for Quoting {
    fn name(&self) -> &'static str {
        "quoting-1"
    }

    fn batch_turns(&self) -> usize {
        1
    }

    fn extract(&self, turns: &[Heard<'_>]) -> Result<Vec<Candidate>, ModelError> {
        Err(ModelError::Answer {
            why: turns[0].text.to_owned(),
        })
    }
}

/// What a text says: the word, and for some of them words that they have in common.
fn text(number: usize, word: &str) -> String {
    let common = if TOGETHER.contains(&number) {
        "of the northern harbour"
    } else {
        "of the town"
    };
    format!("The decision {common} is {word}, number {number}")
}

fn open(path: &Path, clock: &Arc<StepClock>) -> Memoriter {
    let builder = Memoriter::builder().clock(Arc::clone(clock) as Arc<dyn Clock>);
    let builder = builder.extractor(Arc::new(Quoting));
    builder.open(path).unwrap()
}

/// Facts with their key, value, metadata and category; what waits for review; turns.
fn plant_records(priya: &ScopedMemory, words: &[String]) {
    let notes = words.iter().enumerate().flat_map(|(number, word)| {
        let said = text(number, word);
        let metadata = Metadata::from_json(&json!({"note": said}).to_string()).unwrap();
        let fact = Note::new(&said)
            .key(format!("{word}.word").parse().unwrap())
            .value(&said)
            .category(word)
            .metadata(metadata);
        let read = Note::new(format!("{said}, says a page")).origin(Origin::Web);
        [fact, read]
    });
    priya.remember_all(notes).unwrap();
    let turns = words.iter().enumerate();
    priya
        .append(turns.map(|(number, word)| turn("work", number, &text(number, word))))
        .unwrap();
}

/// What stands beside records: attachments, boards and what checkpoints need of their past, checkpoints, spans.
fn plant_beside(priya: &ScopedMemory, words: &[String]) {
    for (number, word) in words.iter().enumerate() {
        let said = text(number, word);
        let session = priya.session(format!("files{}", number / 100));
        session
            .attach(
                format!("the log says: {said}").into_bytes(),
                None,
                Some(&said),
            )
            .unwrap();
        let board = session.state();
        board.set(&format!("field{number}"), json!([said])).unwrap();
        let state = NewState::new("json", json!({"at": said}).to_string());
        session.checkpoints().save(state.label(&said)).unwrap();
        if number % 10 == 0 {
            // What it was is kept for the checkpoint.
            board
                .set(&format!("field{number}"), json!([said, 2]))
                .unwrap();
        }
    }
    let talk = priya.session("work");
    let folded = talk
        .assemble("What was decided?")
        .budget_tokens(BUDGET_TOKENS_DEFAULT)
        .fold()
        .unwrap();
    assert!(!folded.made.is_empty());
}

/// The queue: turns that wait, and turns that were given up with an error that quotes them.
fn plant_queue(memory: &Memoriter, priya: &ScopedMemory, words: &[String], clock: &StepClock) {
    let dead = words.iter().enumerate().take(DEAD);
    priya
        .append_to_learn(dead.map(|(number, word)| turn("dead", number, &text(number, word))))
        .unwrap();
    for _ in 0..6 {
        clock.leap(86_400_000_000);
        memory.work(10_000).unwrap();
    }
    let dead = priya.dead_letters(1_000).unwrap();
    assert_eq!(dead.len(), DEAD);
    assert!(
        dead.iter()
            .all(|letter| letter.error.as_deref().unwrap().contains("decision"))
    );
    let waiting = words.iter().enumerate();
    priya
        .append_to_learn(waiting.map(|(number, word)| turn("jobs", number, &text(number, word))))
        .unwrap();
}

#[track_caller]
fn check_complete(receipt: &KeptReceipt) {
    let told = said(receipt);
    assert_eq!(told["levels"], json!(["V1", "V2", "V3"]), "{told}");
}

#[test]
fn no_file_has_a_canary_that_was_erased() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let clock = Arc::new(StepClock::new(
        Timestamp::from_micros(1_780_000_000_000_000),
        1_000,
    ));
    let memory = open(&path, &clock);
    let priya = memory.scope(Scope::user("priya"));
    let words = tokens(WORDS);
    plant_records(&priya, &words);
    plant_beside(&priya, &words);
    plant_queue(&memory, &priya, &words, &clock);
    let codes = vectors(&open_raw(&path), priya.scope());
    assert!(codes.len() > 4 * WORDS, "{}", codes.len());
    for word in &words[..SINGLE] {
        check_complete(&priya.erase(Selector::Matching(word.clone())).run().unwrap());
    }
    assert_eq!(hits(folder.path(), &words[..SINGLE], &[]), 0);
    let harbour = Selector::Matching("of the northern harbour".to_owned());
    let receipt = priya.erase(harbour).run().unwrap();
    check_complete(&receipt);
    assert_eq!(hits(folder.path(), &words[..TOGETHER.end], &[]), 0);
    assert!(hits(folder.path(), &words[TOGETHER.end..=TOGETHER.end], &[]) > 0);
    assert_eq!(memory.verify().unwrap().problems, []);
    check_complete(&priya.erase(Selector::Everything).run().unwrap());
    assert_eq!(hits(folder.path(), &words, &codes), 0);
    assert_eq!(memory.verify().unwrap().problems, []);
    drop((priya, memory));
    assert_eq!(hits(folder.path(), &words, &codes), 0);
}

/// Run by [`an_erasure_that_a_reader_keeps_is_done_within_a_minute_of_its_leaving`] as another process.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "how one process tells another what to do"
)]
fn process_that_reads_an_old_state() {
    let Ok(path) = std::env::var(STORE) else {
        return;
    };
    let store = open_raw(path.as_ref());
    let view = store.snapshot().unwrap();
    println!("reads as of {}", view.head().unwrap().0);
    // Until the other process closes its end.
    let _ = std::io::stdin().read_line(&mut String::new());
    drop(view);
}

fn start_reader(path: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "canaries::process_that_reads_an_old_state",
            "--nocapture",
        ])
        .env(STORE, path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(told.any(|line| line.unwrap().contains("reads as of")));
    // What it says at its end has to go somewhere.
    std::thread::spawn(move || told.count());
    child
}

#[test]
#[expect(clippy::disallowed_methods, reason = "it is a time that is measured")]
fn an_erasure_that_a_reader_keeps_is_done_within_a_minute_of_its_leaving() {
    const BOUND: Duration = Duration::from_mins(1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = Memoriter::open(&path).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    let words = tokens(20);
    plant_records(&priya, &words);
    let mut reader = start_reader(&path);
    let receipt = priya.erase(Selector::Everything).run().unwrap();
    assert_eq!(receipt.state, ReceiptState::Pending);
    assert_eq!(said(&receipt)["why"], "reader");
    let worker = memory.start_worker().unwrap();
    drop(reader.stdin.take());
    assert!(reader.wait().unwrap().success());
    let left = std::time::Instant::now();
    let complete = loop {
        let receipts = memory.receipts().unwrap();
        if receipts[0].state == ReceiptState::Complete {
            break receipts[0].clone();
        }
        assert!(left.elapsed() < BOUND, "{}", receipts[0].document);
        std::thread::sleep(Duration::from_millis(20));
    };
    println!(
        "complete {} ms after the reader left",
        left.elapsed().as_millis()
    );
    worker.stop();
    check_complete(&complete);
    // Read once nobody has the store open: to open and close a file of it drops the locks of this process.
    drop((priya, memory));
    assert_eq!(hits(folder.path(), &words, &[]), 0);
}
