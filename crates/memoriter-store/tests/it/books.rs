//! Damage in the books stops nobody who comes after it.

use std::path::Path;

use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::write::{Decision, DecisionKind, Reason};
use memoriter_store::{
    DecisionRecord, ExtractionQuery, ExtractionState, NewTurn, Rows, Store, Write,
};
use memoriter_testkit::sample::Samples;

use crate::support::{open, read};

fn scope() -> Scope {
    Scope::user("priya")
}

/// A store with three turns in the queue and three lines in the ledger.
fn fill(path: &Path) {
    let (store, samples) = (open(path), Samples::new(1));
    for key in ["1", "2", "3"] {
        let turn = NewTurn {
            extract_at: Some(Timestamp::from_micros(5)),
            ..samples.turn(store.secret(), (&scope(), "monday"), key, "I moved.")
        };
        let record = DecisionRecord {
            scope: scope(),
            at: turn.recorded_at,
            decision: Decision {
                kind: DecisionKind::Add,
                reason: Reason::NewText,
                id: None,
                supersedes: None,
            },
            source: None,
            changes: Vec::new(),
            made_by: None,
        };
        let log = Write::LogDecision(Box::new(record));
        store
            .commit(vec![Write::AppendTurn(Box::new(turn)), log])
            .unwrap();
    }
}

fn change(path: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(path).unwrap();
    assert_eq!(connection.execute(sql, []).unwrap(), 1);
}

#[track_caller]
fn check<T>(found: &Rows<T>, rows: usize, damaged: &[&str]) {
    assert_eq!(found.rows.len(), rows);
    let named = found.damaged.iter().map(|damage| damage.record.as_str());
    assert!(named.eq(damaged.iter().copied()), "{:?}", found.damaged);
}

#[test]
fn a_damaged_entry_of_the_queue_takes_nobodys_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fill(&path);
    change(&path, "UPDATE extraction SET attempts = -1 WHERE turn = 1");
    let store = open(&path);
    let view = store.snapshot().unwrap();
    let now = Timestamp::from_micros(5);
    let due = |limit| {
        view.extractions(ExtractionQuery::Due { now, limit })
            .unwrap()
    };
    check(&due(1), 1, &["extraction in row 1"]);
    check(&due(9), 2, &["extraction in row 1"]);
    check(&due(0), 0, &[]);
    let scope = scope();
    let state = ExtractionState::Queued;
    let query = ExtractionQuery::InState {
        scope: &scope,
        state,
        limit: 1,
    };
    check(
        &view.extractions(query).unwrap(),
        1,
        &["extraction in row 1"],
    );
}

#[test]
fn a_damaged_line_of_the_ledger_ends_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fill(&path);
    change(&path, "UPDATE decision SET kind = 'x' WHERE row = 2");
    let store = open(&path);
    let view = store.snapshot().unwrap();
    let page = view.decisions(&scope(), Some(1), 1).unwrap();
    check(&page, 1, &["decision in row 2"]);
    assert_eq!(page.rows[0].0, 3);
}

/// A new checksum would make what is damaged look sound.
#[test]
fn a_damaged_turn_is_not_retired() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fill(&path);
    let ids = read(&open(&path), &scope())
        .unwrap()
        .turns
        .iter()
        .map(|turn| turn.id)
        .collect();
    change(&path, "UPDATE turn SET content = 'I stayed.' WHERE row = 2");
    let store = open(&path);
    let at = Timestamp::from_micros(7);
    let retire = Write::RetireTurns {
        scope: scope(),
        ids,
        at,
    };
    let error = store.commit(vec![retire]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "turn in row 2 is damaged: the checksum does not fit"
    );
    let content = read(&store, &scope()).unwrap();
    assert!(content.turns.iter().all(|turn| turn.retired_at.is_none()));
    assert_eq!((content.turns.len(), content.damaged.len()), (2, 1));
}
