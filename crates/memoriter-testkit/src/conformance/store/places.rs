use memoriter_core::memory::{Attempt, Cardinality, Kind, Memory, Outcome, State};
use memoriter_core::scope::Scope;
use memoriter_store::{MemoryQuery, Store, StoreError};

use super::{add, commit, insert, refused, snapshot, sound, update};
use crate::sample::Samples;

#[track_caller]
fn taken(store: &dyn Store, memory: &Memory, by: &Memory) {
    let error = refused(store, vec![insert(memory)]);
    assert!(
        matches!(error, StoreError::Conflict { id } if id == by.id),
        "{error}"
    );
    assert_eq!(holder(store, memory), Some(by.clone()));
}

#[track_caller]
fn holder(store: &dyn Store, memory: &Memory) -> Option<Memory> {
    let mut found = sound(
        snapshot(store)
            .memories(MemoryQuery::SamePlace(memory))
            .expect("memories can be read"),
    );
    assert!(found.len() <= 1, "a place has one holder");
    found.pop()
}

pub(super) fn a_single_valued_key_has_one_live_memory(store: &dyn Store) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    let city = |value| samples.fact(&scope, "user.city", Cardinality::Single, value);
    assert_eq!(holder(store, &city("Oslo")), None);
    let oslo = add(store, &city("Oslo"));
    taken(store, &city("Bergen"), &oslo);
    taken(store, &city("Oslo"), &oslo);
    add(
        store,
        &samples.fact(&scope, "user.country", Cardinality::Single, "Norway"),
    );
    add(
        store,
        &samples.fact(&scope, "friend.city", Cardinality::Single, "Oslo"),
    );
    add(
        store,
        &samples.fact(
            &Scope::user("other"),
            "user.city",
            Cardinality::Single,
            "Oslo",
        ),
    );
}

pub(super) fn a_set_has_each_value_once(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    let allergy = |value| samples.fact(&scope, "user.allergy", Cardinality::Set, value);
    let nuts = add(store, &allergy("Nuts"));
    add(store, &allergy("Pollen"));
    taken(store, &allergy(" nuts "), &nuts);
}

pub(super) fn a_statement_has_one_live_memory(store: &dyn Store) {
    let (samples, scope) = (Samples::new(3), Scope::user("priya"));
    let tea = add(store, &samples.memory(&scope, "I like tea."));
    taken(store, &samples.memory(&scope, "i  like TEA"), &tea);
    add(store, &samples.memory(&scope, "I liked tea."));
    add(
        store,
        &Memory {
            kind: Kind::Episodic,
            ..samples.memory(&scope, "I like tea.")
        },
    );
    add(store, &samples.memory(&Scope::user("other"), "I like tea."));
}

pub(super) fn an_attempt_has_one_live_memory_an_outcome(store: &dyn Store) {
    let (samples, scope) = (Samples::new(9), Scope::user("priya"));
    let failed = add(
        store,
        &samples.attempt(&scope, "deploy the shop", Outcome::Failure),
    );
    let again = Memory {
        attempt: failed.attempt.clone().map(|attempt| Attempt {
            lesson: None,
            ..attempt
        }),
        ..samples.attempt(&scope, "Deploy the shop", Outcome::Failure)
    };
    taken(store, &again, &failed);
    let told = Memory {
        attempt: None,
        ..again
    };
    add(store, &told);
    for (goal, outcome) in [
        ("deploy the shop", Outcome::Success),
        ("deploy the shop", Outcome::Unknown),
        ("deploy the blog", Outcome::Failure),
    ] {
        add(store, &samples.attempt(&scope, goal, outcome));
    }
}

pub(super) fn retiring_frees_the_place(store: &dyn Store) {
    let (samples, scope) = (Samples::new(4), Scope::user("priya"));
    for state in [
        State::Superseded,
        State::Retracted,
        State::Expired,
        State::Pending,
        State::Quarantined,
    ] {
        let old = add(
            store,
            &samples.fact(&scope, "user.city", Cardinality::Single, "Oslo"),
        );
        commit(
            store,
            vec![update(
                &Memory {
                    state,
                    ..old.clone()
                },
                old.change,
            )],
        );
        assert_eq!(holder(store, &old), None);
    }
    add(
        store,
        &samples.fact(&scope, "user.city", Cardinality::Single, "Bergen"),
    );
}

pub(super) fn a_place_is_taken_over_within_one_unit(store: &dyn Store) {
    let (samples, scope) = (Samples::new(5), Scope::user("priya"));
    let old = add(
        store,
        &samples.fact(&scope, "user.city", Cardinality::Single, "Oslo"),
    );
    let new = samples.fact(&scope, "user.city", Cardinality::Single, "Bergen");
    let retired = Memory {
        state: State::Superseded,
        superseded_by: Some(new.id),
        ..old.clone()
    };
    commit(store, vec![update(&retired, old.change), insert(&new)]);
    assert_eq!(holder(store, &old).map(|memory| memory.id), Some(new.id));
    // The other way round the place is still held when the new one comes.
    let newer = samples.fact(&scope, "user.city", Cardinality::Single, "Rome");
    let held = holder(store, &old).expect("the place is held");
    let unit = vec![
        insert(&newer),
        update(
            &Memory {
                state: State::Superseded,
                ..held.clone()
            },
            held.change,
        ),
    ];
    let error = refused(store, unit);
    assert!(
        matches!(error, StoreError::Conflict { id } if id == new.id),
        "{error}"
    );
}

pub(super) fn an_update_into_a_taken_place_is_a_conflict(store: &dyn Store) {
    let (samples, scope) = (Samples::new(6), Scope::user("priya"));
    let tea = add(store, &samples.memory(&scope, "Likes tea."));
    let coffee = add(store, &samples.memory(&scope, "Likes coffee."));
    let moved = Memory {
        statement: "LIKES TEA".into(),
        ..coffee.clone()
    };
    let error = refused(store, vec![update(&moved, coffee.change)]);
    assert!(
        matches!(error, StoreError::Conflict { id } if id == tea.id),
        "{error}"
    );
    let same = Memory {
        statement: "LIKES COFFEE".into(),
        ..coffee.clone()
    };
    commit(store, vec![update(&same, coffee.change)]);
}

pub(super) fn only_live_memories_hold_a_place(store: &dyn Store) {
    let (samples, scope) = (Samples::new(7), Scope::user("priya"));
    for state in State::STORED.iter().filter(|state| **state != State::Live) {
        let memory = Memory {
            state: *state,
            ..samples.memory(&scope, "Likes tea.")
        };
        add(store, &memory);
        assert_eq!(holder(store, &memory), None);
    }
    let live = add(store, &samples.memory(&scope, "Likes tea."));
    let pending = add(
        store,
        &Memory {
            state: State::Pending,
            ..samples.memory(&scope, "Likes tea.")
        },
    );
    let error = refused(
        store,
        vec![update(
            &Memory {
                state: State::Live,
                ..pending.clone()
            },
            pending.change,
        )],
    );
    assert!(
        matches!(error, StoreError::Conflict { id } if id == live.id),
        "{error}"
    );
}
