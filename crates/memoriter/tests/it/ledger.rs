//! The ledger of decisions tells how every memory stands: read from the beginning, it rebuilds what the rows say.

use std::collections::BTreeMap;
use std::path::Path;

use memoriter::core::id::MemoryId;
use memoriter::core::memory::{Memory, State};
use memoriter::core::port::SeededEntropy;
use memoriter::core::provenance::Origin;
use memoriter::core::time::{DAY_MICROS, Timestamp, ZonedTime};
use memoriter::core::turn::Role;
use memoriter::store::{
    DecisionRecord, MemoryQuery, Page, SqliteOptions, SqliteStore, Standing, Store,
};
use memoriter::{Correction, DecisionKind, Diagnose, Error, Note, Scope};
use proptest::prelude::*;

use crate::learning::World;
use crate::talk;

/// What the books and the rows of a scope say, read from the file.
pub(crate) struct Books {
    pub(crate) lines: Vec<DecisionRecord>,
    pub(crate) rows: BTreeMap<MemoryId, Memory>,
}

pub(crate) fn read(path: &Path, scope: &Scope) -> Books {
    let (entropy, start) = (SeededEntropy::new(1), Timestamp::from_micros(0));
    let store = SqliteStore::open(path, &SqliteOptions::new(&entropy, start)).unwrap();
    let view = store.snapshot().unwrap();
    let lines = view.decisions(scope, None, usize::MAX).unwrap();
    let page = Page {
        after: None,
        limit: usize::MAX,
    };
    let all = MemoryQuery::Scope {
        scope,
        states: &[],
        page,
    };
    let rows = view.memories(all).unwrap();
    assert!(lines.damaged.is_empty() && rows.damaged.is_empty());
    Books {
        lines: lines.rows.into_iter().map(|(_, line)| line).collect(),
        rows: rows.rows.into_iter().map(|row| (row.id, row)).collect(),
    }
}

/// Replays the ledger line by line, holds each line against what it says it did, and compares the end with the rows.
#[track_caller]
pub(crate) fn check(path: &Path, scope: &Scope) {
    let Books { lines, rows } = read(path, scope);
    let mut standings: BTreeMap<MemoryId, Standing> = BTreeMap::new();
    for line in &lines {
        let mut added = Vec::new();
        for change in &line.changes {
            if standings.insert(change.memory, *change).is_none() {
                added.push(change.memory);
            }
        }
        assert!(added.len() <= 1, "a decision adds one memory: {line:?}");
        check_line(line, &standings, &added);
    }
    let told: BTreeMap<MemoryId, Standing> = rows
        .iter()
        .map(|(id, row)| (*id, Standing::from(row)))
        .collect();
    assert_eq!(standings, told);
}

#[track_caller]
fn check_line(line: &DecisionRecord, standings: &BTreeMap<MemoryId, Standing>, added: &[MemoryId]) {
    let id = line.decision.id;
    let about = id.and_then(|id| standings.get(&id));
    assert_eq!(id.is_some(), about.is_some(), "{line:?}");
    let state = about.map(|standing| standing.state);
    let fits = match line.decision.kind {
        DecisionKind::Refuse => line.changes.is_empty(),
        DecisionKind::Skip => added.is_empty(),
        DecisionKind::Add => state == Some(State::Live),
        DecisionKind::Ask => state == Some(State::Pending),
        DecisionKind::Quarantine => state == Some(State::Quarantined),
        // A request under whose words only turns were found names no memory.
        DecisionKind::Delete => id.is_none() || state == Some(State::Retracted),
        DecisionKind::Backfill => {
            matches!(state, Some(State::Superseded | State::Expired)) && !line.changes.is_empty()
        }
        // A correction of what waits waits, too; what has ended is history.
        DecisionKind::Update => state.is_some() && !line.changes.is_empty(),
    };
    assert!(fits, "{line:?}");
    let replaced = line.decision.supersedes.map(|old| standings[&old]);
    if let Some(old) = replaced {
        assert_eq!(old.superseded_by, id, "{line:?}");
    }
}

#[derive(Clone, Debug)]
enum Step {
    Hear(usize),
    Say(usize),
    Plan {
        value: usize,
        from: i64,
        days: Option<i64>,
    },
    Read(usize),
    Correct(u64),
    Retire(u64),
    Approve(u64),
    Reject(u64),
    Wait(i64),
}

fn step() -> impl Strategy<Value = Step> {
    let sentence = 0..talk::SENTENCES.len();
    let plan = (
        0..talk::CITIES.len(),
        -20..40_i64,
        prop::option::of(1..20_i64),
    );
    prop_oneof![
        4 => sentence.clone().prop_map(Step::Hear),
        2 => sentence.clone().prop_map(Step::Say),
        3 => plan.prop_map(|(value, from, days)| Step::Plan { value, from, days }),
        2 => sentence.prop_map(Step::Read),
        1 => any::<u64>().prop_map(Step::Correct),
        1 => any::<u64>().prop_map(Step::Retire),
        2 => any::<u64>().prop_map(Step::Approve),
        1 => any::<u64>().prop_map(Step::Reject),
        2 => (1..9_i64).prop_map(Step::Wait),
    ]
}

/// Takes a step; what the state of things does not allow is no failure.
fn take(world: &World, number: usize, step: &Step) -> Result<(), Error> {
    let priya = &world.priya;
    let one_of = |states: &[State], choice: u64| {
        let found = priya.list(states, None, 1_000).unwrap().memories;
        let index = choice.checked_rem(found.len() as u64)?;
        Some(found[usize::try_from(index).unwrap()].id)
    };
    let waiting = [State::Pending, State::Quarantined];
    match *step {
        Step::Hear(sentence) => {
            let turn = talk::turn("chat", number, Role::User, world.now(), sentence);
            priya.learn([turn])?;
        }
        Step::Say(sentence) => {
            priya.remember(talk::SENTENCES[sentence])?;
        }
        Step::Plan { value, from, days } => {
            let from = |days: i64| {
                ZonedTime::utc(
                    world
                        .now()
                        .instant
                        .plus_micros(days * DAY_MICROS + from * DAY_MICROS),
                )
            };
            let mut note = talk::city(value).valid_from(from(0));
            if let Some(days) = days {
                note = note.valid_to(from(days));
            }
            priya.remember(note)?;
        }
        Step::Read(sentence) => {
            let note = Note::new(talk::SENTENCES[sentence]).origin(Origin::Web);
            priya.remember(note)?;
            priya.remember(talk::city(sentence % talk::CITIES.len()).origin(Origin::Web))?;
        }
        Step::Correct(choice) => {
            if let Some(id) = one_of(&[State::Live, State::Pending], choice) {
                let correction = Correction {
                    statement: format!("Corrected for the {number}th time"),
                    value: priya.get(id)?.value,
                    ..Correction::default()
                };
                priya.update(id, &correction)?;
            }
        }
        Step::Retire(choice) => {
            if let Some(id) = one_of(&[State::Live, State::Dormant], choice) {
                priya.retire(&[id])?;
            }
        }
        Step::Approve(choice) => {
            if let Some(id) = one_of(&waiting, choice) {
                priya.approve(id)?;
            }
        }
        Step::Reject(choice) => {
            if let Some(id) = one_of(&waiting, choice) {
                priya.reject(id)?;
            }
        }
        Step::Wait(days) => world.wait(days),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn replaying_the_ledger_rebuilds_the_state(steps in prop::collection::vec(step(), 1..40)) {
        let world = World::new();
        for (number, step) in steps.iter().enumerate() {
            if let Err(error) = take(&world, number, step) {
                let refused = ["already_said", "wrong_state"].contains(&error.code());
                prop_assert!(refused, "{}: {error}", error.code());
            }
        }
        check(&world.path(), &Scope::user("priya"));
    }
}

#[test]
fn a_ledger_of_many_decisions_replays() {
    let world = World::new();
    let chance = SeededEntropy::new(3);
    let pick = |count: usize| usize::try_from(chance.below(count as u64)).unwrap();
    for number in 0..150 {
        let sentence = pick(talk::SENTENCES.len());
        take(&world, number, &Step::Hear(sentence)).unwrap();
    }
    check(&world.path(), &Scope::user("priya"));
}
