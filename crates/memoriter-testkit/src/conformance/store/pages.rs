use memoriter_core::id::MemoryId;
use memoriter_core::memory::{Cardinality, Memory, State};
use memoriter_core::scope::Scope;
use memoriter_store::{MemoryQuery, Page, Store, StoreError};

use super::{add, commit, insert, snapshot, sound, update};
use crate::sample::Samples;

fn walk(
    store: &dyn Store,
    (scope, states): (&Scope, &[State]),
    limit: usize,
    mut between: impl FnMut(),
) -> Vec<Memory> {
    let mut walked: Vec<Memory> = Vec::new();
    loop {
        let page = Page {
            after: walked.last().map(|memory| memory.id),
            limit,
        };
        let query = MemoryQuery::Scope {
            scope,
            states,
            page,
        };
        let rows = sound(
            snapshot(store)
                .memories(query)
                .expect("memories can be read"),
        );
        assert!(rows.len() <= limit, "a page has at most {limit}");
        if rows.is_empty() {
            return walked;
        }
        walked.extend(rows);
        between();
    }
}

pub(super) fn pages_give_each_memory_once(store: &dyn Store) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    let memories: Vec<Memory> = (0..60)
        .map(|number| samples.memory(&scope, &format!("Statement {number}.")))
        .collect();
    for unit in memories.chunks(7) {
        commit(store, unit.iter().map(insert).collect());
        // Others write in between.
        add(
            store,
            &samples.memory(
                &Scope::user("other"),
                &format!(
                    "{}",
                    unit.len()
                        + store
                            .head()
                            .map_or(0, |head| usize::try_from(head.0).unwrap_or(0))
                ),
            ),
        );
    }
    let ids = |memories: &[Memory]| {
        memories
            .iter()
            .map(|memory| memory.id)
            .collect::<Vec<MemoryId>>()
    };
    for limit in [1, 2, 7, 60, 100] {
        assert_eq!(
            ids(&walk(store, (&scope, &[]), limit, || {})),
            ids(&memories),
            "pages of {limit}"
        );
    }
    // What changes while one walks does not move, and what arrives comes at the end.
    let mut round = 0;
    let walked = walk(store, (&scope, &[]), 7, || {
        round += 1;
        if let (true, Some(memory)) = (round < 4, memories.get(round)) {
            let read = super::get(store, &scope, memory.id).expect("the memory is there");
            commit(
                store,
                vec![update(
                    &Memory {
                        state: State::Retracted,
                        ..read.clone()
                    },
                    read.change,
                )],
            );
            add(store, &samples.memory(&scope, &format!("Late {round}.")));
        }
    });
    assert_eq!(walked.len(), 63);
    assert_eq!(ids(&walked).get(..60), Some(ids(&memories).as_slice()));
}

pub(super) fn pages_keep_to_the_states(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    for (number, state) in (0..60).zip(State::STORED.iter().cycle()) {
        add(
            store,
            &Memory {
                state: *state,
                ..samples.memory(&scope, &format!("Statement {number}."))
            },
        );
    }
    for states in [
        &[State::Pending][..],
        &[State::Live, State::Expired],
        State::STORED,
    ] {
        let walked = walk(store, (&scope, states), 4, || {});
        assert_eq!(walked.len(), states.len() * 10);
        assert!(walked.iter().all(|memory| states.contains(&memory.state)));
        assert!(walked.is_sorted_by(|a, b| a.change < b.change));
    }
}

pub(super) fn a_page_after_nothing_known_is_an_error(store: &dyn Store) {
    let (samples, scope) = (Samples::new(3), Scope::user("priya"));
    add(store, &samples.memory(&scope, "Likes tea."));
    let foreign = add(store, &samples.memory(&Scope::user("other"), "Likes tea."));
    for id in [foreign.id, MemoryId::from_bytes([0; 16])] {
        let page = Page {
            after: Some(id),
            limit: 10,
        };
        let answer = snapshot(store).memories(MemoryQuery::Scope {
            scope: &scope,
            states: &[],
            page,
        });
        assert!(matches!(answer, Err(StoreError::NoSuchMemory { id: named }) if named == id));
    }
}

pub(super) fn history_under_a_key_is_in_order(store: &dyn Store) {
    let (samples, scope) = (Samples::new(4), Scope::user("priya"));
    let mut told = Vec::new();
    for city in ["Oslo", "Bergen", "Rome"] {
        let memory = add(
            store,
            &samples.fact(&scope, "user.city", Cardinality::Single, city),
        );
        let retired = Memory {
            state: State::Superseded,
            ..memory.clone()
        };
        commit(store, vec![update(&retired, memory.change)]);
        add(
            store,
            &samples.fact(&scope, "user.country", Cardinality::Set, city),
        );
        told.push(memory);
    }
    let key = told
        .first()
        .and_then(Memory::fact_key)
        .cloned()
        .expect("the memory has a key");
    let rows = sound(
        snapshot(store)
            .memories(MemoryQuery::Key {
                scope: &scope,
                key: &key,
            })
            .expect("memories can be read"),
    );
    assert!(
        rows.iter()
            .map(|memory| memory.id)
            .eq(told.iter().map(|memory| memory.id))
    );
    let elsewhere = Scope::user("other");
    let rows = sound(
        snapshot(store)
            .memories(MemoryQuery::Key {
                scope: &elsewhere,
                key: &key,
            })
            .expect("memories can be read"),
    );
    assert_eq!(rows, []);
}
