//! What else than rows can be changed in a file by other means.

use memoriter_core::error::Diagnose;
use memoriter_store::Store;

use crate::support::{assert_sound, open, try_open};

/// Changes an empty store with SQL and returns what `verify` says.
fn told(sql: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    drop(open(&path));
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(sql).unwrap();
    drop(connection);
    let report = open(&path).snapshot().unwrap().verify().unwrap();
    let problems = report.problems.iter();
    problems
        .map(|damage| format!("{} {}", damage.record, damage.why))
        .collect()
}

#[test]
fn what_is_missing_from_the_schema_is_noticed() {
    for index in [
        "memory_place",
        "memory_key",
        "source_record",
        "extraction_due",
        "extraction_state",
        "decision_scope",
        "field_source",
        "field_past_source",
        "checkpoint_session",
        "checkpoint_held",
        "attachment_turn",
    ] {
        assert_eq!(
            told(&format!("DROP INDEX {index}")),
            [format!("index {index} is missing")]
        );
    }
    for table in [
        "extraction",
        "decision",
        "decision_change",
        "tombstone",
        "usage",
        "field_past",
        "checkpoint",
        "attachment",
        "attachment_part",
    ] {
        let lost = told(&format!("DROP TABLE {table}"));
        assert!(
            lost.contains(&format!("table {table} is missing")),
            "{lost:?}"
        );
    }
    let lost = told("DROP TABLE source");
    for missing in ["table source is missing", "index source_record is missing"] {
        assert!(lost.contains(&missing.to_owned()), "{lost:?}");
    }
}

#[test]
fn what_does_not_belong_into_the_schema_is_noticed() {
    for (sql, expected) in [
        (
            "CREATE TABLE other (x)",
            "table other does not belong in a store",
        ),
        (
            "CREATE VIEW other AS SELECT statement FROM memory",
            "view other does not belong in a store",
        ),
        (
            "CREATE INDEX other ON memory (statement)",
            "index other does not belong in a store",
        ),
        (
            "CREATE TRIGGER other AFTER INSERT ON memory BEGIN DELETE FROM memory; END",
            "trigger other does not belong in a store",
        ),
        (
            "DROP INDEX memory_place; CREATE INDEX memory_place ON memory (scope, place)",
            "index memory_place is another than this program makes",
        ),
        (
            "ALTER TABLE memory ADD COLUMN other TEXT",
            "table memory is another than this program makes",
        ),
    ] {
        assert_eq!(told(sql), [expected], "{sql}");
    }
}

#[test]
fn a_store_without_its_first_tables_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    drop(open(&path));
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("DROP TABLE store").unwrap();
    drop(connection);
    let error = try_open(&path).err().unwrap();
    assert_eq!(error.code(), "damaged", "{error}");
    assert!(error.to_string().contains("no such table"), "{error}");
}

#[test]
fn statistics_of_the_planner_do_no_harm() {
    assert_eq!(told("ANALYZE"), [""; 0]);
    let folder = tempfile::tempdir().unwrap();
    assert_sound(&open(&folder.path().join("store.db")));
}
