//! An encrypted store answers like any other, and its files say nothing.

use std::io::Cursor;
use std::path::Path;

use memoriter::core::error::Diagnose;
use memoriter::core::memory::{Attempt, Outcome};
use memoriter::core::time::Timestamp;
use memoriter::core::turn::SessionName;
use memoriter::store::{Encryption, SqliteOptions, SqliteStore};
use memoriter::{
    MasterKey, Memoriter, Note, ReceiptState, Scope, ScopedMemory, SeededEntropy, Selector,
    SystemEntropy,
};
use serde_json::json;

use crate::erasing::{hits, plant, said, tokens, turn, vectors};

fn key(byte: u8) -> MasterKey {
    MasterKey::new([byte; 32])
}

fn open(path: &Path) -> Memoriter {
    Memoriter::builder().encrypted(key(1)).open(path).unwrap()
}

/// The store below, to read what an index is fed with.
fn open_raw(path: &Path) -> SqliteStore {
    let entropy = SeededEntropy::new(1);
    let encryption = Encryption {
        master: key(1),
        entropy: std::sync::Arc::new(SystemEntropy),
        is_wanted: true,
    };
    let options = SqliteOptions {
        encryption: Some(&encryption),
        ..SqliteOptions::new(&entropy, Timestamp::from_micros(0))
    };
    SqliteStore::open(path, &options).unwrap()
}

/// What rules find in a turn has its words as a quote; an event has a goal and a lesson.
fn plant_more(priya: &ScopedMemory, tokens: &[String]) {
    let said = tokens.iter().enumerate();
    let said =
        said.map(|(number, token)| turn("more", number, &format!("I'm allergic to {token}")));
    priya.learn(said).unwrap();
    for token in tokens {
        let note = Note::new(format!("Tried {token} once.")).attempt(Attempt {
            goal: format!("try {token}"),
            outcome: Outcome::Failure,
            lesson: Some(format!("never {token} again")),
        });
        priya.remember(note).unwrap();
    }
}

fn users(memory: &Memoriter) -> [ScopedMemory; 2] {
    ["priya", "mei"].map(|name| memory.scope(Scope::user(name)))
}

fn has(priya: &ScopedMemory, token: &str) -> bool {
    let found = priya.recall(&format!("What about {token}?")).run().unwrap();
    found.iter().any(|hit| hit.text().contains(token))
}

#[test]
fn no_word_and_no_vector_is_in_a_file_and_everything_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let tokens = tokens(1_000);
    let memory = open(&path);
    let priya = memory.scope(Scope::user("priya"));
    plant(&priya, &tokens);
    plant_more(&priya, &tokens[..20]);
    let all = vectors(&open_raw(&path), priya.scope());
    assert!(all.len() > 2_050, "{} vectors", all.len());
    // While it is open there is a log, too.
    assert_eq!(hits(folder.path(), &tokens, &all), 0);
    for token in tokens.iter().step_by(50) {
        assert!(has(&priya, token), "{token}");
        let facts = priya
            .live_under(&format!("{token}.word").parse().unwrap())
            .unwrap();
        assert_eq!(facts[0].value.as_deref(), Some(token.as_str()));
    }
    assert_eq!(memory.verify().unwrap().problems, []);
    assert!(memory.statistics().unwrap().is_encrypted);
    drop((priya, memory));
    assert_eq!(hits(folder.path(), &tokens, &all), 0);
    // The search finds what is not encrypted.
    let open_path = folder.path().join("open.db");
    plant(
        &Memoriter::open(&open_path)
            .unwrap()
            .scope(Scope::user("priya")),
        &tokens[..1],
    );
    assert!(hits(folder.path(), &tokens[..1], &[]) > 0);
}

#[test]
fn erasing_a_user_takes_what_copies_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let tokens = tokens(40);
    let memory = open(&path);
    let [priya, mei] = users(&memory);
    plant(&priya, &tokens);
    let agent = Scope::user("priya").within("agent", "tutor").unwrap();
    memory.scope(agent).remember("She learns Czech.").unwrap();
    mei.remember("I live in Berlin").unwrap();
    drop((priya, mei, memory));
    let copy = fs_err::read(&path).unwrap();

    let memory = open(&path);
    let [priya, mei] = users(&memory);
    let some = priya
        .erase(Selector::Matching(tokens[0].clone()))
        .run()
        .unwrap();
    assert_eq!(said(&some)["levels"], json!(["V1", "V2", "V3"]));
    assert_eq!(
        said(&some)["keys"],
        json!({"all": false, "destroyed": [], "why": null})
    );
    let everything = priya.erase(Selector::Everything).run().unwrap();
    assert_eq!(everything.state, ReceiptState::Complete);
    let receipt = said(&everything);
    assert_eq!(
        receipt["levels"],
        json!(["V1", "V2", "V3", "V4"]),
        "{receipt}"
    );
    assert_eq!(
        receipt["keys"]["destroyed"].as_array().unwrap().len(),
        2,
        "hers and the tutor's"
    );
    assert_eq!(memory.verify().unwrap().problems, []);
    assert_eq!(memory.receipts().unwrap()[1].document, everything.document);
    drop((priya, mei, memory));
    // The file as it was, with the keys of today.
    fs_err::write(&path, copy).unwrap();
    check_copy(&path, &tokens);
}

/// A copy from before says nothing of who was erased, and everything of the others.
fn check_copy(path: &Path, tokens: &[String]) {
    let all = vectors(&open_raw(path), &Scope::user("priya"));
    assert_eq!(all.len(), 0, "no index sees her");
    assert_eq!(hits(path.parent().unwrap(), tokens, &[]), 0);
    let memory = open(path);
    let [priya, mei] = users(&memory);
    assert_eq!(priya.list(&[], None, 50).unwrap().memories, []);
    assert_eq!(
        priya
            .turns(&SessionName::new("work").unwrap(), 0, 50)
            .unwrap()
            .rows,
        []
    );
    for token in tokens {
        assert!(!has(&priya, token));
        assert_eq!(
            priya
                .live_under(&format!("{token}.word").parse().unwrap())
                .unwrap(),
            []
        );
    }
    assert_eq!(mei.list(&[], None, 50).unwrap().memories.len(), 1);
    assert!(!memory.verify().unwrap().problems.is_empty(), "it is told");
    // She comes back.
    priya.remember("I play the piano").unwrap();
    assert_eq!(priya.list(&[], None, 50).unwrap().memories.len(), 1);
}

#[test]
fn the_last_memory_takes_the_key_along() {
    let folder = tempfile::tempdir().unwrap();
    let memory = open(&folder.path().join("memory.db"));
    let priya = memory.scope(Scope::user("priya"));
    let first = priya.remember("I play the piano").unwrap();
    let second = priya.remember("I play the flute").unwrap();
    let levels = |id| said(&priya.erase(Selector::Memory(id)).run().unwrap())["levels"].clone();
    assert_eq!(levels(first[0].id.unwrap()), json!(["V1", "V2", "V3"]));
    assert_eq!(
        levels(second[0].id.unwrap()),
        json!(["V1", "V2", "V3", "V4"])
    );
}

#[test]
fn a_store_without_a_key_says_nothing_of_keys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = Memoriter::builder().key(key(1)).open(&path).unwrap();
    assert!(!memory.is_encrypted());
    let priya = memory.scope(Scope::user("priya"));
    priya.remember("I play the piano").unwrap();
    let receipt = said(&priya.erase(Selector::Everything).run().unwrap());
    assert_eq!(receipt.get("keys"), None);
    drop((priya, memory));
    let error = Memoriter::builder()
        .encrypted(key(1))
        .open(&path)
        .err()
        .unwrap();
    assert_eq!(error.code(), "not_encrypted");
}

#[test]
fn what_is_exported_is_imported_into_an_encrypted_store() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = tokens(30);
    let plain = Memoriter::open(folder.path().join("plain.db")).unwrap();
    plant(&plain.scope(Scope::user("priya")), &tokens);
    let export = |memory: &Memoriter| {
        let mut file = Vec::new();
        let priya = memory.scope(Scope::user("priya"));
        priya.export(&mut file, &mut |_, _| {}).unwrap();
        file
    };
    let place = folder.path().join("encrypted");
    let memory = open(&place.join("memory.db"));
    let priya = memory.scope(Scope::user("priya"));
    let file = export(&plain);
    priya.import().read(&mut Cursor::new(file)).unwrap();
    assert!(has(&priya, &tokens[3]));
    assert_eq!(hits(&place, &tokens, &[]), 0);
    let again = String::from_utf8(export(&memory)).unwrap();
    assert!(
        tokens.iter().all(|token| again.contains(token)),
        "an export is plain"
    );
    assert_eq!(memory.reindex(&mut |_, _| {}).unwrap().without_vector, 0);
    assert!(has(&priya, &tokens[3]));
    assert_eq!(memory.verify().unwrap().problems, []);
}

#[test]
fn a_backup_is_restored_without_who_was_erased_and_has_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let backup = folder.path().join("backup.db");
    let memory = open(&path);
    let [priya, mei] = users(&memory);
    priya.learn([turn("chat", 0, "I live in Rome")]).unwrap();
    mei.remember("I live in Berlin").unwrap();
    memory.backup(&backup, &mut |_, _| {}).unwrap();
    priya.erase(Selector::Everything).run().unwrap();
    priya.remember("I live in Oslo").unwrap();
    drop((priya, mei, memory));

    let builder = Memoriter::builder().key(key(1));
    builder.restore(&backup, &path, &mut |_, _| {}).unwrap();
    let memory = open(&path);
    let [priya, mei] = users(&memory);
    assert_eq!(priya.list(&[], None, 50).unwrap().memories, []);
    assert!(has(&mei, "Berlin"));
    assert_eq!(memory.verify().unwrap().problems, []);
    priya.remember("I live in Bergen").unwrap();
    assert!(has(&priya, "Bergen"));
}

#[test]
fn a_backup_is_restored_without_who_was_erased_since() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let backup = folder.path().join("backup.db");
    let tokens = tokens(40);
    let memory = open(&path);
    let [priya, mei] = users(&memory);
    plant(&priya, &tokens);
    mei.remember("I live in Berlin").unwrap();
    memory.backup(&backup, &mut |_, _| {}).unwrap();
    assert_eq!(hits(folder.path(), &tokens, &[]), 0);
    let receipt = said(&priya.erase(Selector::Everything).run().unwrap());
    mei.remember("I play the flute").unwrap();
    drop((priya, mei, memory));

    let builder = Memoriter::builder().key(key(2));
    let refused = builder
        .restore(&backup, &path, &mut |_, _| {})
        .err()
        .unwrap();
    assert_eq!(refused.code(), "wrong_key");
    let builder = Memoriter::builder().key(key(1));
    let restored = builder.restore(&backup, &path, &mut |_, _| {}).unwrap();
    assert_eq!(restored.verification.problems, []);
    // What went with the key counts as what went by its tombstones does.
    let counts = restored.erased;
    assert!(counts.memories > 0 && counts.turns > 0);
    for (name, count) in counts.listed() {
        if ["memories", "turns", "fields", "checkpoints"].contains(&name) {
            assert_eq!(receipt["erased"][name], count, "{name}");
        }
    }
    let memory = open(&path);
    let [priya, mei] = users(&memory);
    assert_eq!(priya.list(&[], None, 50).unwrap().memories, []);
    let left = mei.list(&[], None, 50).unwrap().memories;
    assert_eq!(left.len(), 1, "as it was then");
    assert_eq!(memory.verify().unwrap().problems, []);
    assert!(has(&mei, "Berlin"));
}
