//! Damage is no shelter: a record that cannot be read goes with what it belongs to, and keeps nothing else from going.

use std::path::Path;

use memoriter::core::turn::SessionName;
use memoriter::{
    Memoriter, NewState, Note, Planned, ReceiptState, Scope, ScopedMemory, Selector, TurnDraft,
};
use serde_json::{Value, json};

use crate::erasing::{hits, said, tokens, turn};

fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

/// Remembers and says two things, keeps one of them in a session besides, and something of somebody else.
fn fill(path: &Path, words: &[String]) {
    let memory = Memoriter::open(path).unwrap();
    for (number, word) in words[..2].iter().enumerate() {
        let note = Note::new(format!("It is {word} and nothing else"))
            .key(format!("{word}.word").parse().unwrap())
            .value(word);
        priya(&memory).remember(note).unwrap();
        let said: TurnDraft = turn("work", number, &format!("I say {word} now"));
        priya(&memory).append([said]).unwrap();
    }
    let session = priya(&memory).session("work");
    session
        .state()
        .set("word", Value::from(format!("I keep {}", words[2])))
        .unwrap();
    let state = NewState::new("json", format!("I save {}", words[2])).label(&words[3]);
    session.checkpoints().save(state).unwrap();
    let mei = memory.scope(Scope::user("mei"));
    mei.remember(Note::new(format!("It is {}", words[4])))
        .unwrap();
}

/// Changes a byte of each place in the file where `text` stands.
#[track_caller]
fn damage(path: &Path, text: &str) {
    let mut bytes = fs_err::read(path).unwrap();
    let places: Vec<usize> = bytes
        .windows(text.len())
        .enumerate()
        .filter(|(_, part)| *part == text.as_bytes())
        .map(|(at, _)| at)
        .collect();
    assert!(!places.is_empty(), "{text} is not in the file");
    for place in places {
        bytes[place] ^= 1;
    }
    fs_err::write(path, bytes).unwrap();
}

/// Damages one of the two memories and turns, and erases; tells what is left of the words in the files.
#[track_caller]
fn check(selector: impl Fn(&[String]) -> Selector, gone: &[usize]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let words = tokens(5);
    fill(&path, &words);
    damage(&path, &format!("It is {} and", words[0]));
    damage(&path, &format!("I say {}", words[0]));
    damage(&path, &format!("It is {}", words[4]));
    let memory = Memoriter::open(&path).unwrap();
    let scope = priya(&memory);
    let erasing = scope.erase(selector(&words));
    let plan = erasing.dry_run().unwrap();
    let is_damaged =
        |planned: &&memoriter::PlannedRecord| matches!(planned.record, Planned::Damaged(_));
    assert!(plan.records.iter().any(|planned| is_damaged(&planned)));
    let receipt = erasing.run().unwrap();
    assert_eq!(
        receipt.state,
        ReceiptState::Complete,
        "{}",
        receipt.document
    );
    let problems = memory.verify().unwrap().problems;
    assert_eq!(
        problems.len(),
        1,
        "mei's is damaged as before: {problems:?}"
    );
    assert_eq!(said(&receipt)["levels"], json!(["V1", "V2", "V3"]));
    drop(memory);
    for (number, word) in words.iter().enumerate() {
        let left = hits(folder.path(), std::slice::from_ref(word), &[]);
        assert_eq!(
            left == 0,
            gone.contains(&number),
            "word {number}: {left} times"
        );
    }
}

#[test]
fn a_user_goes_with_what_is_damaged() {
    check(|_| Selector::Everything, &[0, 1, 2, 3]);
}

#[test]
fn a_text_is_looked_for_and_what_cannot_be_read_may_hold_it() {
    check(|words| Selector::Matching(words[1].clone()), &[0, 1]);
}

#[test]
fn a_session_goes_with_what_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let words = tokens(5);
    fill(&path, &words);
    damage(&path, &format!("I say {}", words[0]));
    damage(&path, &format!("I keep {}", words[2]));
    damage(&path, &words[3]);
    let memory = Memoriter::open(&path).unwrap();
    let work = Selector::Session(SessionName::new("work").unwrap());
    let receipt = priya(&memory).erase(work).run().unwrap();
    assert_eq!(receipt.state, ReceiptState::Complete);
    let erased = &said(&receipt)["erased"];
    assert_eq!(
        (&erased["turns"], &erased["fields"], &erased["checkpoints"]),
        (&json!(2), &json!(1), &json!(1))
    );
    assert_eq!(memory.verify().unwrap().problems, []);
    drop(memory);
    assert_eq!(hits(folder.path(), &words[2..4], &[]), 0);
}

#[test]
fn what_is_named_goes_where_it_is_damaged_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let words = tokens(5);
    fill(&path, &words);
    damage(&path, &format!("It is {} and", words[0]));
    let memory = Memoriter::open(&path).unwrap();
    let key = Selector::Key(format!("{}.word", words[0]).parse().unwrap());
    let receipt = priya(&memory).erase(key.clone()).run().unwrap();
    assert_eq!(said(&receipt)["erased"]["memories"], 1);
    assert_eq!(memory.verify().unwrap().problems, []);
    assert!(priya(&memory).erase(key).run().is_err(), "it is gone");
    assert_eq!(priya(&memory).list(&[], None, 9).unwrap().memories.len(), 1);
}
