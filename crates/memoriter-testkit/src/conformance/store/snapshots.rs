use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::{Memory, State};
use memoriter_core::scope::Scope;
use memoriter_store::{MemoryQuery, Page, Snapshot, Store};

use super::{add, commit, get, snapshot, sound, update};
use crate::sample::Samples;

fn seen(view: &dyn Snapshot, scope: &Scope) -> Vec<Memory> {
    let page = Page {
        after: None,
        limit: 100,
    };
    sound(
        view.memories(MemoryQuery::Scope {
            scope,
            states: &[],
            page,
        })
        .expect("memories can be read"),
    )
}

pub(super) fn a_snapshot_stands_still(store: &dyn Store) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    let before = add(store, &samples.memory(&scope, "Likes tea."));
    let view = snapshot(store);
    let retired = Memory {
        state: State::Retracted,
        ..before.clone()
    };
    commit(store, vec![update(&retired, before.change)]);
    add(store, &samples.memory(&scope, "Likes coffee."));
    assert_eq!(seen(&*view, &scope), std::slice::from_ref(&before));
    assert_eq!(view.head().expect("the head can be read"), before.change);
    let changes = view
        .changes(&scope, ChangeNumber(0), 100)
        .expect("changes can be read");
    assert!(
        changes
            .iter()
            .map(|change| change.number)
            .eq([before.change])
    );
    drop(view);
    assert_eq!(seen(&*snapshot(store), &scope).len(), 2);
}

pub(super) fn what_was_committed_is_read(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    for round in 0..200 {
        let memory = add(
            store,
            &samples.memory(&scope, &format!("Statement {round}.")),
        );
        assert_eq!(store.head().expect("the head can be read"), memory.change);
        assert_eq!(get(store, &scope, memory.id), Some(memory));
    }
}
