use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::{Cardinality, Memory, State};
use memoriter_core::scope::Scope;
use memoriter_store::{Store, StoreError, TurnQuery, Write};

use super::{add, all, change_of, commit, get, insert, refused, snapshot, turns, update};
use crate::sample::Samples;

pub(super) fn a_unit_is_whole_or_not_at_all(store: &dyn Store) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    let held = add(
        store,
        &samples.fact(&scope, "user.city", Cardinality::Single, "Oslo"),
    );
    let turn = samples.turn(store.secret(), (&scope, "monday"), "1", "I moved.");
    let unit = vec![
        Write::AppendTurn(Box::new(turn.clone())),
        insert(&samples.memory(&scope, "Likes tea.")),
        update(
            &Memory {
                state: State::Superseded,
                ..held.clone()
            },
            held.change,
        ),
        insert(&samples.fact(
            &Scope::user("other"),
            "user.city",
            Cardinality::Single,
            "Bergen",
        )),
        insert(&samples.memory(&scope, "Likes tea!")),
    ];
    let error = refused(store, unit);
    assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
    assert_eq!(all(store, &scope), [held]);
    assert_eq!(all(store, &Scope::user("other")), []);
    let query = TurnQuery::Session {
        scope: &scope,
        session: &turn.session,
        from: 0,
        limit: 10,
    };
    assert_eq!(turns(store, query), []);
    let scopes = snapshot(store).scopes().expect("scopes can be read");
    assert_eq!(scopes.len(), 1, "a refused unit leaves no scope behind");
}

pub(super) fn a_unit_sees_its_own_writes(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    let old = samples.fact(&scope, "user.city", Cardinality::Single, "Oslo");
    let next = ChangeNumber(store.head().expect("the head can be read").0 + 1);
    let unit = vec![
        insert(&old),
        update(
            &Memory {
                state: State::Retracted,
                ..old.clone()
            },
            next,
        ),
    ];
    commit(store, unit);
    assert_eq!(
        get(store, &scope, old.id).map(|memory| memory.state),
        Some(State::Retracted)
    );
}

pub(super) fn an_empty_unit_changes_nothing(store: &dyn Store) {
    let head = store.head().expect("the head can be read");
    let committed = commit(store, Vec::new());
    assert_eq!((committed.outcomes.len(), committed.head), (0, head));
}

pub(super) fn change_numbers_only_grow(store: &dyn Store) {
    let samples = Samples::new(3);
    let mut newest = ChangeNumber(0);
    for round in 0..5 {
        let scope = Scope::user(if round % 2 == 0 { "a" } else { "b" });
        let turn = samples.turn(store.secret(), (&scope, "s"), &round.to_string(), "Hello.");
        let memory = samples.memory(&scope, &format!("Statement {round}."));
        let committed = commit(
            store,
            vec![Write::AppendTurn(Box::new(turn)), insert(&memory)],
        );
        for change in committed.outcomes.iter().map(change_of) {
            assert!(change > newest, "{change} after {newest}");
            newest = change;
        }
        assert_eq!(committed.head, newest);
        assert_eq!(store.head().expect("the head can be read"), newest);
        assert_eq!(
            snapshot(store).head().expect("the head can be read"),
            newest
        );
    }
}

pub(super) fn an_id_is_taken_once(store: &dyn Store) {
    let (samples, scope) = (Samples::new(4), Scope::user("priya"));
    let memory = add(store, &samples.memory(&scope, "Likes tea."));
    for other in [scope.clone(), Scope::user("other")] {
        let double = Memory {
            id: memory.id,
            ..samples.memory(&other, "Likes coffee.")
        };
        let error = refused(store, vec![insert(&double)]);
        assert!(
            matches!(error, StoreError::Conflict { id } if id == memory.id),
            "{error}"
        );
    }
    assert_eq!(all(store, &scope), [memory]);
}

pub(super) fn writers_on_many_threads_lose_nothing(store: &dyn Store) {
    const WRITERS: u64 = 8;
    const UNITS: u64 = 25;
    let scope = Scope::user("priya");
    std::thread::scope(|threads| {
        for writer in 0..WRITERS {
            let scope = &scope;
            threads.spawn(move || {
                let samples = Samples::new(100 + writer);
                for unit in 0..UNITS {
                    let memory = samples.memory(scope, &format!("Statement {unit} of {writer}."));
                    // Every second unit is refused after its first write, in the same groups as the others.
                    let lost = samples.memory(scope, &format!("Lost {unit} of {writer}."));
                    let double = samples.memory(scope, &format!("statement {unit} of {writer}"));
                    let stored = add(store, &memory);
                    assert_eq!(
                        get(store, scope, memory.id),
                        Some(stored),
                        "read your own write"
                    );
                    let error = store
                        .commit(vec![insert(&lost), insert(&double)])
                        .expect_err("the place is taken");
                    assert!(
                        matches!(error, StoreError::Conflict { id } if id == memory.id),
                        "{error}"
                    );
                }
            });
        }
    });
    let memories = all(store, &scope);
    assert_eq!(memories.len() as u64, WRITERS * UNITS);
    let head = store.head().expect("the head can be read");
    assert_eq!(head.0, WRITERS * UNITS, "refused units leave no gap");
    assert!(
        memories.is_sorted_by(|a, b| a.change < b.change),
        "order of arrival is order of change"
    );
}
