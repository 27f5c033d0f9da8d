use memoriter_core::id::{ChangeNumber, TurnId};
use memoriter_core::memory::{Attempt, Cardinality, Kind, Memory, Outcome as Went};
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{IndexChange, Outcome, RecordRef, Store, StoreError, Write};

use super::{add, change_of, commit, get, insert, refused, snapshot, update};
use crate::sample::Samples;

pub(super) fn an_update_replaces_all_but_id_scope_and_recorded_time(store: &dyn Store) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    let old = add(store, &samples.memory(&scope, "Likes tea."));
    let other = samples.fact(&scope, "user.drink", Cardinality::Set, "coffee");
    let wanted = Memory {
        id: old.id,
        kind: Kind::Procedural,
        version: 2,
        ..other
    };
    assert_ne!(wanted.recorded_at, old.recorded_at);
    let committed = commit(store, vec![update(&wanted, old.change)]);
    let change = committed
        .outcomes
        .first()
        .map(change_of)
        .expect("one write has one outcome");
    assert!(change > old.change);
    let expected = Memory {
        recorded_at: old.recorded_at,
        change,
        ..wanted
    };
    assert_eq!(get(store, &scope, old.id), Some(expected));
}

pub(super) fn a_stale_update_is_a_conflict(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    let old = add(store, &samples.memory(&scope, "Likes tea."));
    let first = Memory {
        version: 2,
        ..old.clone()
    };
    commit(store, vec![update(&first, old.change)]);
    for read_at in [old.change, ChangeNumber(0), ChangeNumber(u64::MAX)] {
        let error = refused(
            store,
            vec![update(
                &Memory {
                    version: 3,
                    ..old.clone()
                },
                read_at,
            )],
        );
        assert!(
            matches!(error, StoreError::Conflict { id } if id == old.id),
            "{error}"
        );
    }
    assert_eq!(
        get(store, &scope, old.id).map(|memory| memory.version),
        Some(2)
    );
}

pub(super) fn what_is_not_there_cannot_be_updated(store: &dyn Store) {
    let (samples, scope) = (Samples::new(3), Scope::user("priya"));
    let ghost = samples.memory(&scope, "Likes tea.");
    let error = refused(store, vec![update(&ghost, ChangeNumber(0))]);
    assert!(
        matches!(error, StoreError::NoSuchMemory { id } if id == ghost.id),
        "{error}"
    );
    let there = add(store, &samples.memory(&scope, "Likes tea."));
    add(store, &samples.memory(&Scope::user("other"), "Likes tea."));
    let foreign = Memory {
        scope: Scope::user("other"),
        ..there.clone()
    };
    let error = refused(store, vec![update(&foreign, there.change)]);
    assert!(
        matches!(error, StoreError::NoSuchMemory { id } if id == there.id),
        "{error}"
    );
    assert_eq!(get(store, &scope, there.id), Some(there));
}

pub(super) fn the_losers_of_a_race_are_told(store: &dyn Store) {
    const WRITERS: u64 = 8;
    const ROUNDS: u64 = 25;
    let (samples, scope) = (Samples::new(4), Scope::user("priya"));
    let counter = add(
        store,
        &Memory {
            confirmations: 0,
            ..samples.memory(&scope, "Counts.")
        },
    );
    let successes: u64 = std::thread::scope(|threads| {
        let count_up = || {
            (0..ROUNDS)
                .filter(|_| {
                    let read = get(store, &scope, counter.id).expect("the counter is there");
                    let next = Memory {
                        confirmations: read.confirmations + 1,
                        ..read.clone()
                    };
                    match store.commit(vec![update(&next, read.change)]) {
                        Ok(_) => true,
                        Err(StoreError::Conflict { id }) if id == counter.id => false,
                        Err(error) => panic!("{error}"),
                    }
                })
                .count() as u64
        };
        let writers: Vec<_> = (0..WRITERS).map(|_| threads.spawn(count_up)).collect();
        writers
            .into_iter()
            .map(|writer| writer.join().expect("the writer ends well"))
            .sum()
    });
    let total = get(store, &scope, counter.id).map(|memory| u64::from(memory.confirmations));
    assert_eq!(total, Some(successes));
    assert!(successes >= ROUNDS, "somebody wins each round");
}

fn vector_of(store: &dyn Store, scope: &Scope, model: &str, wanted: RecordRef) -> Option<usize> {
    let mut found = None;
    let mut look = |change: IndexChange<'_>| {
        if let IndexChange::Put(row) = change
            && row.record == wanted
        {
            found = row.vector.map(|(_, codes)| codes.len());
        }
    };
    snapshot(store)
        .index_changes(scope, &ModelName::new(model), ChangeNumber(0), &mut look)
        .expect("the index can be fed");
    found
}

pub(super) fn another_statement_drops_the_vector(store: &dyn Store) {
    let (samples, scope) = (Samples::new(5), Scope::user("priya"));
    let memory = samples.memory(&scope, "Likes tea.");
    let unit = vec![Write::InsertMemory {
        memory: Box::new(memory.clone()),
        vector: Some(samples.vector("m")),
    }];
    let first = commit(store, unit).head;
    let same_words = Memory {
        version: 2,
        ..memory.clone()
    };
    let second = commit(store, vec![update(&same_words, first)]).head;
    let record = RecordRef::Memory(memory.id);
    assert_eq!(vector_of(store, &scope, "m", record), Some(256));
    let other_words = Memory {
        statement: "Likes coffee.".into(),
        ..same_words
    };
    let third = commit(store, vec![update(&other_words, second)]).head;
    assert_eq!(vector_of(store, &scope, "m", record), None);
    let committed = commit(
        store,
        vec![Write::PutVectors(vec![(record, samples.vector("m"))])],
    );
    assert_eq!(committed.outcomes, [Outcome::Changed(committed.head)]);
    assert!(committed.head > third);
    assert_eq!(vector_of(store, &scope, "m", record), Some(256));
    assert_eq!(
        get(store, &scope, memory.id).map(|memory| memory.change),
        Some(committed.head)
    );
}

pub(super) fn another_attempt_drops_the_vector(store: &dyn Store) {
    let (samples, scope) = (Samples::new(8), Scope::user("priya"));
    let tried = |outcome| samples.attempt(&scope, "deploy the shop", outcome);
    let failed = tried(Went::Failure);
    let record = RecordRef::Memory(failed.id);
    let mut change = commit(store, vec![insert(&failed)]).head;
    let lesson = |lesson: Option<&str>| Attempt {
        goal: "deploy the shop".into(),
        outcome: Went::Success,
        lesson: lesson.map(str::to_owned),
    };
    for attempt in [
        Some(lesson(Some("Warm the cache first."))),
        Some(lesson(Some("Warm it twice."))),
        Some(lesson(None)),
        None,
    ] {
        let vectors = vec![(record, samples.vector("m"))];
        change = commit(store, vec![Write::PutVectors(vectors)])
            .head
            .max(change);
        assert_eq!(vector_of(store, &scope, "m", record), Some(256));
        let changed = Memory {
            attempt,
            ..failed.clone()
        };
        change = commit(store, vec![update(&changed, change)]).head;
        assert_eq!(vector_of(store, &scope, "m", record), None);
        let stored = Memory { change, ..changed };
        let expected = Memory {
            recorded_at: failed.recorded_at,
            ..stored
        };
        assert_eq!(get(store, &scope, failed.id), Some(expected));
    }
}

pub(super) fn marks_of_recall_get_no_change_number(store: &dyn Store) {
    let (samples, scope) = (Samples::new(6), Scope::user("priya"));
    let memory = add(store, &samples.memory(&scope, "Likes tea."));
    let ghost = samples.memory(&scope, "Not there.").id;
    let at = Timestamp::from_micros(1_800_000_000_000_000);
    for _ in 0..2 {
        let committed = commit(
            store,
            vec![Write::MarkRecalled {
                ids: vec![memory.id, ghost],
                at,
            }],
        );
        assert_eq!(
            (committed.outcomes.as_slice(), committed.head),
            ([Outcome::Noted].as_slice(), memory.change)
        );
    }
    let expected = Memory {
        last_recalled_at: Some(at),
        recall_count: 2,
        ..memory.clone()
    };
    assert_eq!(get(store, &scope, memory.id), Some(expected));
}

pub(super) fn vectors_of_what_is_gone_are_passed_over(store: &dyn Store) {
    let (samples, scope) = (Samples::new(7), Scope::user("priya"));
    let turn = samples.turn(store.secret(), (&scope, "monday"), "1", "Hello.");
    let first = commit(
        store,
        vec![
            Write::AppendTurn(Box::new(turn.clone())),
            insert(&samples.memory(&scope, "x")),
        ],
    );
    let ghosts = vec![
        (
            RecordRef::Memory(samples.memory(&scope, "Not there.").id),
            samples.vector("m"),
        ),
        (
            RecordRef::Turn(TurnId::from_bytes([9; 16])),
            samples.vector("m"),
        ),
    ];
    let committed = commit(store, vec![Write::PutVectors(ghosts)]);
    assert_eq!(
        (committed.outcomes.as_slice(), committed.head),
        ([Outcome::Noted].as_slice(), first.head)
    );
    commit(
        store,
        vec![Write::PutVectors(vec![(
            RecordRef::Turn(turn.id),
            samples.vector("m"),
        )])],
    );
    assert_eq!(
        vector_of(store, &scope, "m", RecordRef::Turn(turn.id)),
        Some(256)
    );
}
