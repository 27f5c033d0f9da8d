use std::collections::BTreeMap;

use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::{Attempt, Cardinality, Memory, Outcome, State};
use memoriter_core::metadata::Metadata;
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Role, SessionName};
use memoriter_store::{Change, Changed, Erasure, IndexChange, RecordRef, Store, TurnQuery, Write};

use super::{add, all, commit, get, snapshot, turns, update};
use crate::sample::Samples;

/// An index as a map: what each record looks like in it.
type Index = BTreeMap<RecordRef, String>;

fn feed(
    store: &dyn Store,
    (scope, model): (&Scope, &str),
    after: ChangeNumber,
    index: &mut Index,
) -> ChangeNumber {
    let view = snapshot(store);
    let mut begins_anew = false;
    let mut take = |change: IndexChange<'_>| match change {
        IndexChange::Put(row) => {
            index.insert(row.record, format!("{row:?}"));
        }
        IndexChange::Remove(record) => {
            assert!(
                after > ChangeNumber(0),
                "nothing is removed from an empty index"
            );
            index.remove(&record);
        }
        IndexChange::Anew => begins_anew = true,
    };
    view.index_changes(scope, &ModelName::new(model), after, &mut take)
        .expect("the index can be fed");
    if begins_anew {
        index.clear();
        return feed(store, (scope, model), ChangeNumber(0), index);
    }
    view.head().expect("the head can be read")
}

/// One random step; what it does depends on the samples' seed alone.
fn step(store: &dyn Store, samples: &Samples, scopes: &[Scope; 2]) {
    let chance = samples.entropy();
    let [first, second] = scopes;
    let scope = if chance.below(3) == 0 { second } else { first };
    let live = || {
        all(store, scope)
            .into_iter()
            .filter(|memory| memory.state == State::Live)
            .collect::<Vec<_>>()
    };
    let pick = |memories: Vec<Memory>| {
        let count = memories.len() as u64;
        memories
            .into_iter()
            .nth(usize::try_from(chance.below(count.max(1))).unwrap_or(0))
    };
    match chance.below(8) {
        0 => {
            let key = chance.below(1_000).to_string();
            let turn = samples.turn(store.secret(), (scope, "monday"), &key, "Hello.");
            commit(store, vec![Write::AppendTurn(Box::new(turn))]);
        }
        1 | 2 => {
            let memory = samples.memory(scope, &format!("Statement {}.", chance.below(u64::MAX)));
            let vector = (chance.below(2) == 0)
                .then(|| samples.vector(if chance.below(3) == 0 { "other" } else { "m" }));
            commit(
                store,
                vec![Write::InsertMemory {
                    memory: Box::new(memory),
                    vector,
                }],
            );
        }
        3 => {
            if let Some(memory) = pick(live()) {
                let changed = Memory {
                    statement: format!("{} Really.", memory.statement),
                    ..memory.clone()
                };
                commit(store, vec![update(&changed, memory.change)]);
            }
        }
        4 => {
            if let Some(memory) = pick(live()) {
                let retired = Memory {
                    state: State::Superseded,
                    ..memory.clone()
                };
                commit(store, vec![update(&retired, memory.change)]);
            }
        }
        5 => retire_some(store, samples, scope),
        6 => {
            let gone = pick(live()).filter(|_| chance.below(8) == 0);
            erase_one(store, scope, gone);
        }
        _ => {
            if let Some(memory) = pick(live()) {
                commit(
                    store,
                    vec![Write::PutVectors(vec![(
                        RecordRef::Memory(memory.id),
                        samples.vector("m"),
                    )])],
                );
            }
        }
    }
}

fn erase_one(store: &dyn Store, scope: &Scope, gone: Option<Memory>) {
    let head = store.head().expect("the head can be read");
    let mut erasure = Erasure::of(scope.clone(), head);
    erasure.memories.extend(gone.map(|memory| memory.id));
    commit(store, vec![Write::Erase(Box::new(erasure))]);
}

/// Takes every fourth turn or so out of use.
fn retire_some(store: &dyn Store, samples: &Samples, scope: &Scope) {
    let session = SessionName::new("monday").expect("the session's name is valid");
    let query = TurnQuery::Session {
        scope,
        session: &session,
        from: 0,
        limit: usize::MAX,
    };
    let said = turns(store, query);
    let ids = said.iter().map(|turn| turn.id);
    let retire = Write::RetireTurns {
        scope: scope.clone(),
        ids: ids.filter(|_| samples.entropy().below(4) == 0).collect(),
        at: Timestamp::MIN,
    };
    commit(store, vec![retire]);
}

pub(super) fn an_index_fed_in_steps_equals_one_fed_at_once(store: &dyn Store) {
    let samples = Samples::new(1);
    let scopes = [Scope::user("1"), Scope::user("12")];
    let mut stepwise: [(Index, ChangeNumber); 2] = Default::default();
    for round in 0..500 {
        step(store, &samples, &scopes);
        if round % 7 != 0 {
            continue;
        }
        for (scope, (index, after)) in scopes.iter().zip(&mut stepwise) {
            *after = feed(store, (scope, "m"), *after, index);
            let mut at_once = Index::new();
            feed(store, (scope, "m"), ChangeNumber(0), &mut at_once);
            assert_eq!(*index, at_once, "round {round}, {scope}");
            let live = all(store, scope)
                .iter()
                .filter(|memory| memory.state == State::Live)
                .count();
            let memories = at_once
                .keys()
                .filter(|record| matches!(record, RecordRef::Memory(_)))
                .count();
            assert_eq!(memories, live);
        }
    }
    assert!(
        stepwise.iter().all(|(index, _)| index.len() > 10),
        "the steps did something"
    );
}

pub(super) fn the_feed_lists_each_record_at_its_last_change(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    let turn = samples.turn(store.secret(), (&scope, "monday"), "1", "Hello.");
    let first = add(store, &samples.memory(&scope, "Likes tea."));
    commit(store, vec![Write::AppendTurn(Box::new(turn.clone()))]);
    let second = add(store, &samples.memory(&scope, "Likes coffee."));
    commit(
        store,
        vec![update(
            &Memory {
                version: 2,
                ..first.clone()
            },
            first.change,
        )],
    );
    let changes = |after, limit| {
        snapshot(store)
            .changes(&scope, after, limit)
            .expect("changes can be read")
    };
    let listed = changes(ChangeNumber(0), 100);
    assert!(listed.is_sorted_by(|a, b| a.number < b.number));
    let last_of = |record| {
        listed
            .iter()
            .rfind(|change| change.what == Changed::Record(record))
            .map(|change| change.number)
    };
    let now = get(store, &scope, first.id).map(|memory| memory.change);
    assert_eq!(last_of(RecordRef::Memory(first.id)), now);
    assert_eq!(last_of(RecordRef::Memory(second.id)), Some(second.change));
    assert!(last_of(RecordRef::Turn(turn.id)).is_some());
    let mut walked: Vec<Change> = Vec::new();
    while let [next] = changes(
        walked
            .last()
            .map_or(ChangeNumber(0), |change| change.number),
        1,
    )
    .as_slice()
    {
        walked.push(next.clone());
    }
    assert_eq!(walked, listed);
    assert_eq!(
        changes(store.head().expect("the head can be read"), 100),
        []
    );
    assert_eq!(
        snapshot(store)
            .changes(&Scope::user("nobody"), ChangeNumber(0), 9)
            .expect("changes can be read"),
        []
    );
}

pub(super) fn vectors_of_other_models_are_left_out(store: &dyn Store) {
    let (samples, scope) = (Samples::new(3), Scope::user("priya"));
    for model in ["m", "n"] {
        let memory = samples.memory(&scope, &format!("Of {model}."));
        commit(
            store,
            vec![Write::InsertMemory {
                memory: Box::new(memory),
                vector: Some(samples.vector(model)),
            }],
        );
    }
    for (model, expected) in [("m", 1), ("n", 1), ("unheard of", 0)] {
        let (mut rows, mut vectors) = (0, 0);
        let mut count = |change: IndexChange<'_>| {
            if let IndexChange::Put(row) = change {
                rows += 1;
                vectors += usize::from(row.vector.is_some());
            }
        };
        snapshot(store)
            .index_changes(&scope, &ModelName::new(model), ChangeNumber(0), &mut count)
            .expect("the index can be fed");
        assert_eq!((rows, vectors), (2, expected), "{model}");
    }
}

pub(super) fn rows_of_the_feed_say_what_the_records_say(store: &dyn Store) {
    let (samples, scope) = (Samples::new(4), Scope::user("priya"));
    let at = |micros| Timestamp::from_micros(micros);
    let memory = Memory {
        category: Some("food".into()),
        metadata: Metadata::from_json(r#"{"b":1.5,"a":"x"}"#).expect("the metadata is valid"),
        valid_from: ZonedTime {
            instant: at(5),
            offset_seconds: -3_600,
        },
        valid_to: Some(ZonedTime::utc(at(70))),
        expires_at: Some(at(60)),
        last_recalled_at: Some(at(30)),
        last_confirmed_at: Some(at(40)),
        ..samples.fact(&scope, "user.allergy", Cardinality::Set, "nuts")
    };
    let vector = samples.vector("m");
    commit(
        store,
        vec![Write::InsertMemory {
            memory: Box::new(memory.clone()),
            vector: Some(vector.clone()),
        }],
    );
    let mut turn = samples.turn(store.secret(), (&scope, "monday"), "1", "Hello.");
    turn.message.role = Role::Assistant;
    turn.message.speaker = Some("tutor".into());
    commit(store, vec![Write::AppendTurn(Box::new(turn.clone()))]);
    let mut seen = 0;
    let mut look = |change: IndexChange<'_>| {
        let IndexChange::Put(row) = change else {
            panic!("nothing is removed")
        };
        seen += 1;
        if row.record == RecordRef::Memory(memory.id) {
            assert_eq!(
                (row.text, row.key, row.value),
                (&*memory.statement, Some(("user", "allergy")), Some("nuts"))
            );
            assert_eq!(
                (row.category, row.metadata),
                (Some("food"), r#"{"a":"x","b":1.5}"#)
            );
            assert_eq!(
                (row.event_at, row.recorded_at),
                (memory.valid_from, memory.recorded_at)
            );
            assert_eq!(
                (row.last_used_at, row.usable_until),
                (Some(at(40)), Some(at(60)))
            );
            assert_eq!((row.role, row.speaker, row.session), (None, None, None));
            assert_eq!(
                row.vector,
                Some((vector.vector.scale, &*vector.vector.codes))
            );
        } else {
            assert_eq!(row.record, RecordRef::Turn(turn.id));
            assert_eq!(
                (row.text, row.role, row.speaker),
                ("Hello.", Some(Role::Assistant), Some("tutor"))
            );
            assert_eq!((row.event_at, row.metadata), (turn.message.at, ""));
            assert_eq!(row.session.map(|(_, position)| position), Some(0));
            assert_eq!((row.key, row.vector), (None, None));
        }
    };
    snapshot(store)
        .index_changes(&scope, &ModelName::new("m"), ChangeNumber(0), &mut look)
        .expect("the index can be fed");
    assert_eq!(seen, 2);
}

pub(super) fn rows_of_the_feed_say_what_was_tried(store: &dyn Store) {
    let (samples, scope) = (Samples::new(5), Scope::user("priya"));
    let failed = add(
        store,
        &samples.attempt(&scope, "deploy the shop", Outcome::Failure),
    );
    let plain = add(store, &samples.memory(&scope, "Likes tea."));
    for after in [ChangeNumber(0), ChangeNumber(failed.change.0 - 1)] {
        let mut seen = Vec::new();
        let mut look = |change: IndexChange<'_>| {
            let IndexChange::Put(row) = change else {
                panic!("nothing is removed")
            };
            let of = [&failed, &plain]
                .into_iter()
                .find(|memory| row.record == RecordRef::Memory(memory.id));
            let kept = of.and_then(|memory| memory.attempt.as_ref());
            assert_eq!(row.attempt, kept.map(Attempt::borrowed));
            assert_eq!(row.indexed_text().attempt, row.attempt);
            seen.push(row.attempt.map(|attempt| attempt.outcome));
        };
        snapshot(store)
            .index_changes(&scope, &ModelName::new("m"), after, &mut look)
            .expect("the index can be fed");
        assert_eq!(seen, [Some(Outcome::Failure), None]);
    }
}
