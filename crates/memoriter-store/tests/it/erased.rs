//! Damaged rows go like others, and whoever changes the audit log is found out.

use std::path::Path;

use memoriter_core::audit::link;
use memoriter_core::forget::{Progress, Receipt, Remains};
use memoriter_core::memory::Memory;
use memoriter_core::provenance::{Source, SourceRef};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{
    DamagedRow, Erasure, NewReceipt, Outcome, RowKind, SqliteStore, Store, Write,
};
use memoriter_testkit::sample::Samples;

use crate::support::{add, assert_sound, open, read};

fn priya() -> Scope {
    Scope::user("priya")
}

fn raw(path: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(path).unwrap()
}

/// Writes three memories, each with a vector and a turn that it rests on.
fn fill(store: &SqliteStore, scope: &Scope, seed: u64) -> Vec<Memory> {
    let samples = Samples::new(seed);
    let made = (0..3).map(|number| {
        let turn = samples.turn(
            store.secret(),
            (scope, "s1"),
            &number.to_string(),
            "I say it.",
        );
        let memory = Memory {
            sources: vec![Source {
                of: SourceRef::Turn(turn.id),
                quote: "say it".into(),
            }],
            ..samples.memory(scope, &format!("It is number {number}."))
        };
        let unit = vec![
            Write::AppendTurn(Box::new(turn)),
            Write::InsertMemory {
                memory: Box::new(memory.clone()),
                vector: Some(samples.vector("m")),
            },
        ];
        store.commit(unit).unwrap();
        memory
    });
    made.collect()
}

fn erase(store: &SqliteStore, scope: &Scope, damaged: &[DamagedRow]) -> u64 {
    let mut erasure = Erasure::of(scope.clone(), store.head().unwrap());
    erasure.damaged = damaged.to_vec();
    let done = store.commit(vec![Write::Erase(Box::new(erasure))]).unwrap();
    match done.outcomes.into_iter().next() {
        Some(Outcome::Erased(erased)) => erased.counts.records(),
        other => panic!("{other:?}"),
    }
}

fn damaged(store: &SqliteStore, scope: &Scope) -> Vec<(DamagedRow, Remains)> {
    store.snapshot().unwrap().damaged(scope).unwrap()
}

/// Damages a row of Priya's by a statement and removes it.
#[track_caller]
fn check_row(kind: RowKind, sql: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    let mei = Scope::user("mei");
    fill(&store, &priya(), 1);
    fill(&store, &mei, 2);
    assert_eq!(damaged(&store, &priya()), []);
    drop(store);
    let changed = raw(&path).execute(sql, []).unwrap();
    assert_eq!(changed, 1, "{sql}");
    let store = open(&path);
    let found = damaged(&store, &priya());
    let [(row, _)] = &found[..] else {
        panic!("{sql}: {found:?}");
    };
    assert_eq!(row.kind, kind);
    // It is not mei's, and what is sound is not damaged.
    assert_eq!(erase(&store, &mei, &[*row]), 0);
    let sound = DamagedRow {
        row: row.row + 1,
        ..*row
    };
    assert_eq!(erase(&store, &priya(), &[sound]), 0);
    assert_eq!(erase(&store, &priya(), &[*row, *row]), 1, "{sql}");
    assert_eq!(damaged(&store, &priya()), []);
    assert_sound(&store);
    assert_eq!(read(&store, &mei).unwrap().memories.len(), 3);
}

#[test]
fn a_damaged_row_goes_with_everything_beside_it() {
    let memory = RowKind::Memory;
    check_row(
        memory,
        "UPDATE memory SET statement = 'other' WHERE row = 1",
    );
    check_row(memory, "UPDATE memory SET kind = 'nonsense' WHERE row = 1");
    check_row(memory, "UPDATE memory SET id = x'00' WHERE row = 1");
    check_row(memory, "UPDATE source SET kind = 9 WHERE memory = 1");
    check_row(
        RowKind::Turn,
        "UPDATE turn SET content = 'other' WHERE row = 1",
    );
    check_row(
        RowKind::Turn,
        "UPDATE turn SET role = 'nobody' WHERE row = 1",
    );
}

#[test]
fn a_row_that_its_index_does_not_know_goes_too() {
    for place in 0..2 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let store = open(&path);
        let memory = fill(&store, &priya(), 1).remove(0);
        drop(store);
        // The id stands in the row and in the index over ids.
        let mut bytes = fs_err::read(&path).unwrap();
        let id = memory.id.as_bytes();
        let places: Vec<usize> = (0..bytes.len() - 16)
            .filter(|at| bytes[*at..at + 16] == *id)
            .collect();
        assert_eq!(places.len(), 2);
        bytes[places[place]] ^= 1;
        fs_err::write(&path, bytes).unwrap();
        let store = open(&path);
        let rows: Vec<DamagedRow> = damaged(&store, &priya())
            .into_iter()
            .map(|(row, _)| row)
            .collect();
        // Where the index is what is damaged, the row is whole.
        let is_row = !rows.is_empty();
        assert_eq!(erase(&store, &priya(), &rows), u64::from(is_row));
        if is_row {
            assert_sound(&store);
        }
    }
}

/// A log of six lines, and a receipt that names where it was after four.
fn logged(path: &Path) {
    let store = open(path);
    add(&store, &Samples::new(1).memory(&priya(), "It is so."));
    let lines = |numbers: std::ops::Range<u8>| {
        let lines = numbers.map(|number| Write::Audit(format!("line {number}")));
        store.commit(lines.collect()).unwrap();
    };
    lines(1..5);
    let end = store.snapshot().unwrap().audit_end().unwrap();
    let receipt = Receipt {
        id: [1; 16],
        at: Timestamp::MIN,
        subject: "somebody".into(),
        selector: "key".into(),
        progress: Progress::begun(),
        audit: (end.lines, end.hash),
        unmarked: 0,
        engine: "memoriter".into(),
    };
    let receipt = NewReceipt {
        id: [1; 16],
        at: Timestamp::MIN,
        state: memoriter_core::forget::ReceiptState::Complete,
        touched_at: Timestamp::MIN,
        body: receipt.signed(store.secret()),
    };
    let put = Write::PutReceipt {
        receipt: Box::new(receipt),
        over: None,
    };
    store.commit(vec![put]).unwrap();
    lines(5..7);
    assert_sound(&store);
}

/// What `verify` says after somebody changed the log.
#[track_caller]
fn check_log(tamper: impl FnOnce(&rusqlite::Connection), expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    logged(&path);
    tamper(&raw(&path));
    let problems = open(&path).snapshot().unwrap().verify().unwrap().problems;
    let said: Vec<String> = problems
        .iter()
        .map(|problem| format!("{}: {}", problem.record, problem.why))
        .collect();
    assert!(said.iter().any(|line| line == expected), "{said:?}");
}

/// Binds the lines from a number on anew, as somebody would who knows how the log is made.
fn bind_anew(connection: &rusqlite::Connection) {
    let mut statement = connection
        .prepare("SELECT row, line FROM audit ORDER BY row")
        .unwrap();
    let lines: Vec<(i64, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut hash = [0; 32];
    for (row, line) in &lines {
        hash = link(&hash, line);
        connection
            .execute(
                "UPDATE audit SET hash = ?2 WHERE row = ?1",
                rusqlite::params![row, hash],
            )
            .unwrap();
    }
    connection
        .execute(
            "UPDATE audit_end SET lines = ?1, hash = ?2",
            rusqlite::params![lines.len(), hash],
        )
        .unwrap();
}

#[test]
fn a_change_of_the_audit_log_shows() {
    let run = |sql: &'static str| move |log: &rusqlite::Connection| log.execute_batch(sql).unwrap();
    let unbound = "audit in row 3: it does not follow the line before it";
    check_log(
        run("UPDATE audit SET line = 'other' WHERE row = 3"),
        unbound,
    );
    check_log(
        run("UPDATE audit SET hash = zeroblob(32) WHERE row = 3"),
        unbound,
    );
    let missing = "audit in row 4: the line before it is missing";
    check_log(run("DELETE FROM audit WHERE row = 3"), missing);
    let elsewhere = "audit: the log ends elsewhere than it says";
    check_log(run("DELETE FROM audit WHERE row = 6"), elsewhere);
    check_log(run("UPDATE audit_end SET lines = 7"), elsewhere);
    // Two lines change places, or one is put between others.
    let swap = "UPDATE audit SET row = 100 WHERE row = 3; UPDATE audit SET row = 3 WHERE row = 4;
        UPDATE audit SET row = 4 WHERE row = 100";
    check_log(run(swap), unbound);
    let put_in = "UPDATE audit SET row = row + 100 WHERE row > 2; UPDATE audit SET row = row - 99 WHERE row > 100;
        INSERT INTO audit (row, line, hash) VALUES (3, 'between', zeroblob(32))";
    check_log(run(put_in), unbound);
}

#[test]
fn a_log_that_is_made_anew_does_not_fit_a_receipt() {
    let differs = "receipt in row 1: it names another line 4 than the audit log has";
    let change = |log: &rusqlite::Connection| {
        log.execute_batch("UPDATE audit SET line = 'other' WHERE row = 2")
            .unwrap();
        bind_anew(log);
    };
    check_log(change, differs);
    let cut = |log: &rusqlite::Connection| {
        log.execute_batch("DELETE FROM audit WHERE row > 3")
            .unwrap();
        bind_anew(log);
    };
    check_log(cut, differs);
}

/// What `verify` says after somebody removed something from a store with three tombstones and two receipts.
#[track_caller]
fn check_kept(tamper: &str, expected: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    add(&store, &Samples::new(1).memory(&priya(), "It is so."));
    for number in 1..=2 {
        let receipt = NewReceipt {
            id: [number; 16],
            at: Timestamp::MIN,
            state: memoriter_core::forget::ReceiptState::Complete,
            touched_at: Timestamp::MIN,
            body: "{}".into(),
        };
        let unit = vec![
            Write::PutReceipt {
                receipt: Box::new(receipt),
                over: None,
            },
            Write::Forget {
                scope: priya(),
                marks: vec![vec![number], b"both".to_vec()],
                at: Timestamp::MIN,
            },
            Write::Audit("{}".into()),
            // A line of an older program does not say.
            Write::Audit("older".into()),
        ];
        store.commit(unit).unwrap();
    }
    drop(store);
    raw(&path).execute_batch(tamper).unwrap();
    let problems = open(&path).snapshot().unwrap().verify().unwrap().problems;
    let said: Vec<String> = problems
        .iter()
        .map(|problem| format!("{}: {}", problem.record, problem.why))
        .collect();
    assert_eq!(said, expected, "{tamper}");
}

#[test]
fn a_tombstone_or_receipt_that_is_removed_is_missed() {
    check_kept("", &[]);
    check_kept(
        "DELETE FROM tombstone WHERE mark = (SELECT min(mark) FROM tombstone)",
        &["tombstone: there are 2, and the audit log says that there were 3"],
    );
    check_kept(
        "DELETE FROM receipt WHERE row = 1",
        &["receipt: there are 1, and the audit log says that there were 2"],
    );
    check_kept(
        "DELETE FROM receipt; DELETE FROM tombstone",
        &[
            "tombstone: there are 0, and the audit log says that there were 3",
            "receipt: there are 0, and the audit log says that there were 2",
        ],
    );
}
