use memoriter_core::board::{BOARD_FIELDS_MAX, Field, FieldType, MergeRule, Terms};
use memoriter_core::id::{ChangeNumber, MemoryId};
use memoriter_core::provenance::SourceRef;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::SessionName;
use memoriter_store::{Change, Changed, FieldQuery, Store, StoreError, Write};
use serde_json::json;

use super::{change_of, commit, refused, snapshot, sound};

/// The name of a sample's session.
pub(super) fn session(name: &str) -> SessionName {
    SessionName::new(name).expect("a sample's session is valid")
}

/// A field of Priya's session `s1`.
pub(super) fn field(name: &str, value: serde_json::Value) -> Field {
    Field {
        scope: Scope::user("priya"),
        session: session("s1"),
        name: name.to_owned(),
        terms: Terms::default(),
        value: Some(value),
        revision: 1,
        source: None,
        actor: None,
        at: Timestamp::from_micros(1_772_323_200_000_000),
        change: ChangeNumber(0),
    }
}

/// Writes a field that was read as `read_at`, and returns it as it is kept.
#[track_caller]
pub(super) fn put(store: &dyn Store, field: &Field, read_at: Option<ChangeNumber>) -> Field {
    let committed = commit(store, vec![write(field, read_at)]);
    let change = committed.outcomes.first().map(change_of);
    Field {
        change: change.expect("one write has one outcome"),
        ..field.clone()
    }
}

fn write(field: &Field, read_at: Option<ChangeNumber>) -> Write {
    Write::PutField {
        field: Box::new(field.clone()),
        read_at,
    }
}

#[track_caller]
pub(super) fn fields(store: &dyn Store, query: FieldQuery<'_>) -> Vec<Field> {
    sound(snapshot(store).fields(query).expect("fields can be read"))
}

#[track_caller]
pub(super) fn board(store: &dyn Store, scope: &Scope, name: &str) -> Vec<Field> {
    let session = &session(name);
    fields(store, FieldQuery::Board { scope, session })
}

pub(super) fn fields_are_read_back_whole(store: &dyn Store) {
    let whole = Field {
        terms: Terms {
            kind: FieldType::Object,
            rule: MergeRule::Union,
            owner: Some("planner".into()),
            is_protected: true,
        },
        revision: 7,
        source: Some(SourceRef::Memory(MemoryId::from_bytes([3; 16]))),
        actor: Some("tutor é".into()),
        ..field("order '%", json!({"a": [1.5, null, u64::MAX], "b": "é\n"}))
    };
    let whole = put(store, &whole, None);
    let plain = put(store, &field("a", json!("text")), None);
    let scope = Scope::user("priya");
    assert_eq!(
        board(store, &scope, "s1"),
        [plain.clone(), whole.clone()],
        "by name"
    );
    let removed = Field {
        value: None,
        revision: 8,
        ..whole.clone()
    };
    let removed = put(store, &removed, Some(whole.change));
    assert_eq!(board(store, &scope, "s1"), [plain]);
    let named = FieldQuery::Named {
        scope: &scope,
        session: &whole.session,
        name: "order '%",
    };
    assert_eq!(fields(store, named), [removed], "its revision is known");
}

pub(super) fn a_stale_field_is_a_conflict(store: &dyn Store) {
    let first = put(store, &field("steps", json!(1)), None);
    let second = put(store, &field("steps", json!(2)), Some(first.change));
    for read_at in [None, Some(first.change), Some(ChangeNumber(99))] {
        let error = refused(store, vec![write(&field("steps", json!(3)), read_at)]);
        assert!(
            matches!(&error, StoreError::FieldConflict { session, field } if session == "s1" && field == "steps"),
            "{error}"
        );
    }
    let nothing_read = Some(ChangeNumber(1));
    refused(store, vec![write(&field("other", json!(1)), nothing_read)]);
    assert_eq!(board(store, &Scope::user("priya"), "s1"), [second]);
}

pub(super) fn the_losers_of_a_race_for_a_field_are_told(store: &dyn Store) {
    const WRITERS: usize = 8;
    let read = put(store, &field("steps", json!(0)), None).change;
    let won: Vec<bool> = std::thread::scope(|threads| {
        let racing: Vec<_> = (0..WRITERS)
            .map(|writer| {
                threads.spawn(move || {
                    let unit = vec![write(&field("steps", json!(writer)), Some(read))];
                    store.commit(unit).is_ok()
                })
            })
            .collect();
        racing
            .into_iter()
            .map(|racer| racer.join().expect("no writer panics"))
            .collect()
    });
    assert_eq!(won.iter().filter(|won| **won).count(), 1, "{won:?}");
    let winner = won.iter().position(|won| *won);
    let held = board(store, &Scope::user("priya"), "s1");
    assert_eq!(
        held.first().and_then(|field| field.value.clone()),
        Some(json!(winner))
    );
}

pub(super) fn every_change_of_a_field_is_in_the_feed(store: &dyn Store) {
    let scope = Scope::user("priya");
    let first = put(store, &field("a", json!(1)), None);
    let second = put(store, &field("b", json!(1)), None);
    let again = put(store, &field("a", json!(2)), Some(first.change));
    let changes = |after| {
        snapshot(store)
            .changes(&scope, after, 9)
            .expect("changes can be read")
    };
    let line = |field: &Field| Change {
        number: field.change,
        what: Changed::Field {
            session: session("s1"),
            name: field.name.clone(),
        },
    };
    assert_eq!(changes(second.change), [line(&again)]);
    assert!(changes(ChangeNumber(0)).ends_with(&[line(&second), line(&again)]));
    let name = session("s1");
    let watched = |after, limit| {
        let query = FieldQuery::Changed {
            scope: &scope,
            session: &name,
            after,
            limit,
        };
        fields(store, query)
    };
    assert_eq!(watched(ChangeNumber(0), 9), [second.clone(), again.clone()]);
    assert_eq!(watched(ChangeNumber(0), 1), std::slice::from_ref(&second));
    assert_eq!(watched(second.change, 9), std::slice::from_ref(&again));
    assert_eq!(watched(again.change, 9), []);
}

pub(super) fn boards_are_apart_by_scope_and_session(store: &dyn Store) {
    let (scope, inner) = (
        Scope::user("priya"),
        Scope::user("priya").within("agent", "a").expect("a scope"),
    );
    let mine = put(store, &field("a", json!(1)), None);
    let other = Field {
        scope: inner.clone(),
        ..field("a", json!(2))
    };
    let other = put(store, &other, None);
    let next = Field {
        session: session("s1/x"),
        ..field("a", json!(3))
    };
    let next = put(store, &next, None);
    assert_eq!(board(store, &scope, "s1"), [mine]);
    assert_eq!(board(store, &inner, "s1"), [other]);
    assert_eq!(board(store, &scope, "s1/x"), [next]);
    assert_eq!(board(store, &Scope::user("pri"), "s1"), []);
}

pub(super) fn a_board_is_bounded(store: &dyn Store) {
    let unit =
        (0..BOARD_FIELDS_MAX).map(|number| write(&field(&format!("f{number}"), json!(1)), None));
    commit(store, unit.collect());
    let error = refused(store, vec![write(&field("more", json!(1)), None)]);
    assert_eq!(
        error.to_string(),
        "board is 1001 fields, over the limit of 1000 fields"
    );
    let name = session("s1");
    let known = FieldQuery::Named {
        scope: &Scope::user("priya"),
        session: &name,
        name: "f0",
    };
    let read_at = fields(store, known).first().map(|field| field.change);
    commit(store, vec![write(&field("f0", json!(2)), read_at)]);
    let long = field("f0", json!("x".repeat(65_536)));
    refused(store, vec![write(&long, None)]);
}
