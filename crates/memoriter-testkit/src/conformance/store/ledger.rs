use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::State;
use memoriter_core::provenance::SourceRef;
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::write::{Decision, DecisionKind, Reason};
use memoriter_store::{DecisionRecord, Outcome, Standing, Store, UsageRow, Write};

use super::{commit, insert, refused, snapshot, sound};
use crate::sample::Samples;

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

fn log(record: &DecisionRecord) -> Write {
    Write::LogDecision(Box::new(record.clone()))
}

#[track_caller]
fn decisions(
    store: &dyn Store,
    scope: &Scope,
    after: Option<u64>,
    limit: usize,
) -> Vec<(u64, DecisionRecord)> {
    sound(
        snapshot(store)
            .decisions(scope, after, limit)
            .expect("the ledger can be read"),
    )
}

/// One line for every reason there is, with and without everything that a line may name.
fn records(samples: &Samples, scopes: [&Scope; 2]) -> Vec<DecisionRecord> {
    let kinds = DecisionKind::ALL.iter().cycle();
    let reasons = Reason::ALL.iter().zip(kinds).zip(scopes.iter().cycle());
    let id = |number: u8| MemoryId::from_bytes([number; 16]);
    (0..)
        .zip(reasons)
        .map(|(number, ((reason, kind), scope))| DecisionRecord {
            scope: Scope::clone(scope),
            at: samples.memory(scope, "x").recorded_at,
            decision: Decision {
                kind: *kind,
                reason: *reason,
                id: (number % 2 == 0).then(|| id(number)),
                supersedes: (number % 3 == 0).then(|| id(number + 100)),
            },
            source: match number % 4 {
                0 => Some(SourceRef::Turn(TurnId::from_bytes([number; 16]))),
                1 => Some(SourceRef::Memory(id(number))),
                _ => None,
            },
            made_by: (number % 5 == 0).then(|| format!("rules-1/é{number}")),
            changes: (0..number % 3)
                .map(|change| standing(samples, scope, number, change))
                .collect(),
        })
        .collect()
}

/// With and without each field that may be empty.
fn standing(samples: &Samples, scope: &Scope, number: u8, change: u8) -> Standing {
    let is_set = |bit: u8| number.wrapping_add(change) & bit != 0;
    let other = MemoryId::from_bytes([number; 16]);
    Standing {
        memory: MemoryId::from_bytes([change + 1; 16]),
        state: *State::STORED
            .iter()
            .cycle()
            .nth(usize::from(number))
            .unwrap_or(&State::Live),
        valid_to: is_set(1).then(|| ZonedTime::utc(at(i64::from(number)))),
        retired_at: is_set(2).then(|| at(9)),
        supersedes: is_set(4).then_some(other),
        superseded_by: is_set(8).then_some(other),
        last_confirmed_at: is_set(16).then(|| at(7)),
        confirmations: u32::from(number),
        ..Standing::from(&samples.memory(scope, "x"))
    }
}

pub(super) fn decisions_are_read_back_in_order(store: &dyn Store) {
    let samples = Samples::new(1);
    let (mine, theirs) = (Scope::user("1"), Scope::user("12"));
    let records = records(&samples, [&mine, &theirs]);
    for unit in records.chunks(5) {
        commit(store, unit.iter().map(log).collect());
    }
    for scope in [&mine, &theirs] {
        let read = decisions(store, scope, None, usize::MAX);
        assert!(read.is_sorted_by(|(a, _), (b, _)| a < b));
        let told = records.iter().filter(|record| record.scope == *scope);
        assert!(read.iter().map(|(_, record)| record).eq(told), "{scope}");
        let mut walked: Vec<(u64, DecisionRecord)> = Vec::new();
        loop {
            let after = walked.last().map(|(number, _)| *number);
            let page = decisions(store, scope, after, 3);
            assert!(page.len() <= 3);
            if page.is_empty() {
                break;
            }
            walked.extend(page);
        }
        assert_eq!(walked, read);
        assert_eq!(decisions(store, scope, Some(u64::MAX), 3), []);
    }
    assert_eq!(decisions(store, &Scope::user("nobody"), None, 9), []);
    // A unit that is refused leaves no line.
    let twice = insert(&samples.memory(&mine, "Likes tea."));
    let unit = records
        .iter()
        .take(1)
        .map(log)
        .chain([twice.clone(), twice]);
    refused(store, unit.collect());
    let lines = [&mine, &theirs].map(|scope| decisions(store, scope, None, usize::MAX).len());
    assert_eq!(lines.iter().sum::<usize>(), records.len());
}

fn forget(scope: &Scope, marks: &[&[u8]], micros: i64) -> Write {
    Write::Forget {
        scope: scope.clone(),
        marks: marks.iter().map(|mark| mark.to_vec()).collect(),
        at: at(micros),
    }
}

#[track_caller]
fn forgotten(store: &dyn Store, scope: &Scope, marks: &[&[u8]]) -> Option<i64> {
    let marks: Vec<Vec<u8>> = marks.iter().map(|mark| mark.to_vec()).collect();
    snapshot(store)
        .forgotten_at(scope, &marks)
        .expect("tombstones can be read")
        .map(Timestamp::as_micros)
}

pub(super) fn tombstones_keep_the_latest_request(store: &dyn Store) {
    let (mine, theirs) = (Scope::user("1"), Scope::user("12"));
    commit(store, vec![forget(&mine, &[b"city", b"dog"], 10)]);
    let has_forgotten = |scope| snapshot(store).has_forgotten(scope);
    assert!(has_forgotten(&mine).expect("tombstones can be read"));
    assert!(!has_forgotten(&theirs).expect("tombstones can be read"));
    commit(
        store,
        vec![
            forget(&mine, &[b"dog", b"cat", b"dog"], 30),
            forget(&mine, &[b"dog"], 20),
            forget(&theirs, &[b"tea"], 40),
        ],
    );
    for (marks, expected) in [
        (&[b"city".as_slice()][..], Some(10)),
        (&[b"dog"], Some(30)),
        (&[b"city", b"cat", b"none"], Some(30)),
        (&[b"none"], None),
        (&[b"tea"], None),
        (&[], None),
    ] {
        assert_eq!(forgotten(store, &mine, marks), expected, "{marks:?}");
    }
    assert_eq!(forgotten(store, &theirs, &[b"city", b"tea"]), Some(40));
    assert_eq!(forgotten(store, &Scope::user("nobody"), &[b"tea"]), None);
}

pub(super) fn marks_are_whole_bytes(store: &dyn Store) {
    let scope = Scope::user("priya");
    let long = vec![b'x'; 10_000];
    let marks: [&[u8]; 5] = [b"", b"\0", b"a\0b", b"\xff\xfe", &long];
    for (micros, mark) in (1..).zip(marks) {
        assert_eq!(forgotten(store, &scope, &[mark]), None, "{mark:?}");
        commit(store, vec![forget(&scope, &[mark], micros)]);
        assert_eq!(forgotten(store, &scope, &[mark]), Some(micros));
    }
    assert_eq!(forgotten(store, &scope, &[b"a", b"a\0", b"\0\0"]), None);
}

pub(super) fn usage_adds_up(store: &dyn Store) {
    let row = |day, purpose: &str, counts: [u64; 3]| {
        let [calls, input_tokens, output_tokens] = counts;
        UsageRow {
            day,
            purpose: purpose.to_owned(),
            calls,
            input_tokens,
            output_tokens,
        }
    };
    let usage = |day| snapshot(store).usage(day).expect("the usage can be read");
    let count = |row| commit(store, vec![Write::CountUsage(row)]);
    for _ in 0..3 {
        count(row(20_000, "judge", [1, 200, 3]));
        count(row(20_000, "extract", [2, 1_000, 50]));
        count(row(-1, "extract", [0, 0, 7]));
    }
    let of_day = [
        row(20_000, "extract", [6, 3_000, 150]),
        row(20_000, "judge", [3, 600, 9]),
    ];
    assert_eq!(usage(20_000), of_day, "in the order of the purposes");
    assert_eq!(usage(-1), [row(-1, "extract", [0, 0, 21])]);
    assert_eq!(usage(20_001), []);
    count(row(1, "é", [u64::MAX, UsageRow::MAX, 1]));
    count(row(1, "é", [1, 1, 1]));
    assert_eq!(
        usage(1),
        [row(1, "é", [UsageRow::MAX, UsageRow::MAX, 2])],
        "sums end"
    );
}

pub(super) fn the_books_make_no_scope_and_no_change(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    let record = DecisionRecord {
        scope: scope.clone(),
        at: at(1),
        decision: Decision {
            kind: DecisionKind::Refuse,
            reason: Reason::Secret,
            id: None,
            supersedes: None,
        },
        source: None,
        made_by: None,
        changes: Vec::new(),
    };
    let committed = commit(store, vec![log(&record), forget(&scope, &[b"x"], 1)]);
    assert_eq!(committed.outcomes, [Outcome::Noted, Outcome::Noted]);
    assert_eq!(committed.head.0, 0);
    let scopes = || snapshot(store).scopes().expect("scopes can be read").len();
    assert_eq!(scopes(), 0, "a scope without records is not listed");
    commit(store, vec![insert(&samples.memory(&scope, "Likes tea."))]);
    assert_eq!(scopes(), 1);
}
