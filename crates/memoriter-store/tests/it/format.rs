//! Files of released formats open and say what they said.

use std::path::{Path, PathBuf};

use memoriter_core::memory::{Cardinality, Memory, State};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::{Source, SourceRef};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{SqliteStore, Store, Write};
use memoriter_testkit::sample::Samples;

use crate::support::{Content, add, assert_sound, open, read, setting, update};

fn scopes() -> [Scope; 2] {
    [
        Scope::user("priya"),
        Scope::user("priya").within("agent", "tutor/é").unwrap(),
    ]
}

/// Writes one of everything.
fn fill(store: &SqliteStore) {
    let samples = Samples::new(1);
    for scope in scopes() {
        let turn = samples.turn(store.secret(), (&scope, "monday"), "1", "I moved to Oslo.");
        let old = Memory {
            category: Some("place".into()),
            actor: Some("tutor".into()),
            sources: vec![Source {
                of: SourceRef::Turn(turn.id),
                quote: "to Oslo".into(),
            }],
            metadata: Metadata::from_json(r#"{"a":[1.5,null],"b":"é"}"#).unwrap(),
            ..samples.fact(&scope, "user.city", Cardinality::Single, "Oslo")
        };
        let unit = vec![
            Write::AppendTurn(Box::new(turn)),
            Write::InsertMemory {
                memory: Box::new(old.clone()),
                vector: Some(samples.vector("static-256-v1")),
            },
        ];
        let change = store.commit(unit).unwrap().head;
        update(
            store,
            &Memory {
                state: State::Superseded,
                version: 2,
                ..old
            },
            change,
        )
        .unwrap();
        let new = add(
            store,
            &samples.fact(&scope, "user.city", Cardinality::Single, "Bergen"),
        );
        let at = Timestamp::from_micros(1_800_000_000_000_000);
        store
            .commit(vec![Write::MarkRecalled {
                ids: vec![new.id],
                at,
            }])
            .unwrap();
    }
}

fn content(store: &SqliteStore) -> [Content; 2] {
    scopes().map(|scope| read(store, &scope).unwrap())
}

fn fixture(format: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/v{format:04}.db"))
}

/// A release with a new format adds its file once: `MEMORITER_TEST_NEW_FIXTURE=1` makes this test write it.
#[test]
fn format_1_opens_and_says_what_it_said() {
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("fresh.db");
    let store = open(&fresh);
    fill(&store);
    let expected = content(&store);
    drop(store);
    if setting("MEMORITER_TEST_NEW_FIXTURE").is_some() {
        fs_err::copy(&fresh, fixture(1)).unwrap();
    }
    let old = folder.path().join("old.db");
    fs_err::copy(fixture(1), &old).unwrap();
    let store = open(&old);
    assert_eq!(content(&store), expected);
    assert_sound(&store);
    add(
        &store,
        &Samples::new(2).memory(&Scope::user("priya"), "It takes writes."),
    );
    assert_sound(&store);
}

/// The migration is one transaction: a process that dies in it leaves a file that is migrated anew.
#[test]
fn a_file_without_tables_is_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let half_made = rusqlite::Connection::open(&path).unwrap();
    half_made
        .pragma_update(None, "application_id", 0x6d65_6d6f)
        .unwrap();
    drop(half_made);
    let store = open(&path);
    fill(&store);
    assert_sound(&store);
}
