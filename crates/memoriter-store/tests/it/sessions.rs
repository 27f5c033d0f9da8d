//! Damage to boards and checkpoints is noticed, and what is damaged is never served.

use memoriter_core::id::{ChangeNumber, CheckpointId};
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use memoriter_store::{CheckpointQuery, FieldQuery, Snapshot, Store};

use crate::format::fill_sessions;
use crate::support::open;

/// How many of what a checkpoint of Monday needs cannot be read: its row, its bytes, fields then and now.
fn unreadable(view: &dyn Snapshot) -> usize {
    let (scope, session) = (Scope::user("priya"), SessionName::new("monday").unwrap());
    let (scope, session) = (&scope, &session);
    let id = CheckpointId::from_bytes([1; 16]);
    let checkpoint = view.checkpoints(CheckpointQuery::Id { scope, id }).unwrap();
    let data = view.checkpoint_data(scope, id).unwrap();
    let then = FieldQuery::AsOf {
        scope,
        session,
        change: ChangeNumber(1),
    };
    let changed = FieldQuery::Changed {
        scope,
        session,
        after: ChangeNumber(0),
        limit: 9,
    };
    let fields = [then, changed].map(|query| view.fields(query).unwrap().damaged.len());
    let of_checkpoint = checkpoint.damaged.len().max(data.damaged.len());
    of_checkpoint + fields.iter().sum::<usize>()
}

/// Changes a store with SQL: reads tell of it, and so does `verify`.
#[track_caller]
fn check(sql: &str, read: usize, record: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    fill_sessions(&store);
    assert_eq!(unreadable(store.snapshot().unwrap().as_ref()), 0);
    drop(store);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(sql).unwrap();
    drop(connection);
    let store = open(&path);
    let view = store.snapshot().unwrap();
    assert_eq!(unreadable(view.as_ref()), read, "{sql}");
    let problems = view.verify().unwrap().problems;
    assert!(
        problems
            .iter()
            .any(|problem| problem.record.starts_with(record)),
        "{sql}: {problems:?}"
    );
}

#[test]
fn what_is_changed_by_other_means_is_noticed() {
    let all = [
        ("UPDATE field SET actor = 'tutor'", 1, "field in row"),
        ("UPDATE field SET revision = 3", 1, "field in row"),
        ("UPDATE field_past SET value = '[]'", 1, "field_past in row"),
        ("UPDATE field_past SET value = '['", 1, "field_past in row"),
        (
            "UPDATE field_past SET until = until + 1",
            1,
            "field_past in row",
        ),
        ("UPDATE checkpoint SET turns = 5", 1, "checkpoint in row"),
        (
            "UPDATE checkpoint SET answer = 'rejected'",
            1,
            "checkpoint in row",
        ),
        (
            "UPDATE checkpoint SET answered_at = NULL",
            1,
            "checkpoint in row",
        ),
        (
            "UPDATE checkpoint_data SET bytes = x'00'",
            1,
            "checkpoint_data in row",
        ),
    ];
    for (sql, read, record) in all {
        check(sql, read, record);
    }
}

#[test]
fn what_leads_nowhere_is_noticed() {
    let all = [
        ("UPDATE session SET mode = 'loud'", "session in row"),
        ("UPDATE session SET forked_at = NULL", "session in row"),
        (
            "UPDATE session SET forked_from = row WHERE forked_from IS NOT NULL",
            "session in row",
        ),
        ("DELETE FROM feed WHERE kind = 3", "session in row"),
        ("DELETE FROM feed WHERE kind = 2", "field in row"),
        ("INSERT INTO feed VALUES (1, 999, 2, 77)", "feed in row"),
        (
            "INSERT INTO checkpoint_data (scope, hash, bytes) VALUES (1, x'00', x'')",
            "checkpoint_data in row",
        ),
    ];
    for (sql, record) in all {
        check(sql, 0, record);
    }
}
