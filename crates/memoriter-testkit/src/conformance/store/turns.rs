use memoriter_core::metadata::Metadata;
use memoriter_core::scope::Scope;
use memoriter_core::turn::{Message, Role, SessionName, Turn};
use memoriter_store::{Appended, NewTurn, Outcome, Store, StoreError, TurnQuery, Write};

use super::{commit, refused, turns};
use crate::sample::Samples;

fn append(turn: &NewTurn) -> Write {
    Write::AppendTurn(Box::new(turn.clone()))
}

#[track_caller]
fn appended(store: &dyn Store, turn: &NewTurn) -> Appended {
    match commit(store, vec![append(turn)]).outcomes.as_slice() {
        [Outcome::Turn(appended)] => *appended,
        other => panic!("appending one turn ends in {other:?}"),
    }
}

#[track_caller]
fn session(store: &dyn Store, scope: &Scope, name: &str) -> Vec<Turn> {
    let session = SessionName::new(name).expect("the session's name is valid");
    turns(
        store,
        TurnQuery::Session {
            scope,
            session: &session,
            from: 0,
            limit: usize::MAX,
        },
    )
}

pub(super) fn the_end_of_a_session_is_read_in_order(store: &dyn Store) {
    let (samples, scope) = (Samples::new(6), Scope::user("priya"));
    for (name, count) in [("monday", 5), ("tuesday", 2)] {
        for number in 0..count {
            let (key, text) = (number.to_string(), format!("{name} {number}"));
            appended(
                store,
                &samples.turn(store.secret(), (&scope, name), &key, &text),
            );
        }
    }
    let monday = session(store, &scope, "monday");
    let name = SessionName::new("monday").expect("the session's name is valid");
    for limit in [0, 1, 3, 5, usize::MAX] {
        let query = TurnQuery::Last {
            scope: &scope,
            session: &name,
            limit,
        };
        let mut last = monday.clone();
        let last = last.split_off(monday.len().saturating_sub(limit));
        assert_eq!(turns(store, query), last, "the last {limit}");
    }
    for role in Role::ALL {
        let query = TurnQuery::InRole {
            scope: &scope,
            session: &name,
            role: *role,
        };
        let said = monday.iter().filter(|turn| turn.message.role == *role);
        let said: Vec<Turn> = said.cloned().collect();
        assert_eq!(turns(store, query), said, "{role}");
    }
    let nobody = SessionName::new("nobody").expect("the session's name is valid");
    let query = TurnQuery::Last {
        scope: &scope,
        session: &nobody,
        limit: 1,
    };
    assert!(turns(store, query).is_empty());
}

pub(super) fn appending_again_finds_the_first(store: &dyn Store) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    let turn = samples.turn(store.secret(), (&scope, "monday"), "1", "Hello.");
    assert!(matches!(
        appended(store, &turn),
        Appended::New { position: 0, .. }
    ));
    let head = store.head().expect("the head can be read");
    // Another time of arrival is no other turn.
    let again = samples.turn(store.secret(), (&scope, "monday"), "1", "Hello.");
    assert_eq!(appended(store, &again), Appended::Known);
    let twice = samples.turn(store.secret(), (&scope, "monday"), "2", "Well?");
    let outcomes = commit(store, vec![append(&twice), append(&twice)]).outcomes;
    assert!(matches!(
        outcomes.as_slice(),
        [
            Outcome::Turn(Appended::New { position: 1, .. }),
            Outcome::Turn(Appended::Known)
        ]
    ));
    assert_eq!(store.head().expect("the head can be read").0, head.0 + 1);
    assert_eq!(session(store, &scope, "monday").len(), 2);
}

pub(super) fn another_text_under_the_same_id_is_a_conflict(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    let turn = samples.turn(store.secret(), (&scope, "monday"), "1", "Hello.");
    appended(store, &turn);
    let mut other_text = turn.clone();
    other_text.message.content.push(' ');
    let mut other_role = turn.clone();
    other_role.message.role = Role::Assistant;
    let other_scope = NewTurn {
        scope: Scope::user("other"),
        ..turn.clone()
    };
    for other in [other_text, other_role, other_scope] {
        let error = refused(store, vec![append(&other)]);
        assert!(
            matches!(&error, StoreError::TurnConflict { id, session } if *id == turn.id && session == "monday"),
            "{error}"
        );
    }
    assert_eq!(session(store, &scope, "monday").len(), 1);
}

pub(super) fn positions_count_up_within_a_session(store: &dyn Store) {
    let samples = Samples::new(3);
    let (priya, other) = (Scope::user("priya"), Scope::user("other"));
    let places = [(&priya, "monday"), (&priya, "tuesday"), (&other, "monday")];
    for round in 0..4_u32 {
        for place in places {
            let turn = samples.turn(
                store.secret(),
                place,
                &round.to_string(),
                &format!("Line {round}."),
            );
            assert!(
                matches!(appended(store, &turn), Appended::New { position, .. } if position == round)
            );
        }
    }
    for (scope, name) in places {
        let told = session(store, scope, name);
        assert!(told.iter().map(|turn| turn.position).eq(0..4));
        assert!(
            told.iter()
                .all(|turn| turn.scope == *scope && turn.session.as_str() == name)
        );
    }
}

pub(super) fn turns_come_as_asked_for(store: &dyn Store) {
    let (samples, scope) = (Samples::new(4), Scope::user("priya"));
    let new: Vec<NewTurn> = (0..5)
        .map(|key| {
            samples.turn(
                store.secret(),
                (&scope, "monday"),
                &key.to_string(),
                &format!("Line {key}."),
            )
        })
        .collect();
    commit(store, new.iter().map(append).collect());
    let name = SessionName::new("monday").expect("the session's name is valid");
    let some = turns(
        store,
        TurnQuery::Session {
            scope: &scope,
            session: &name,
            from: 1,
            limit: 3,
        },
    );
    assert!(some.iter().map(|turn| turn.position).eq(1..4));
    let mut ids: Vec<_> = new.iter().map(|turn| turn.id).collect();
    ids.reverse();
    let scopes = [scope.clone()];
    let found = turns(
        store,
        TurnQuery::Ids {
            scopes: &scopes,
            ids: &ids,
        },
    );
    assert!(found.iter().map(|turn| turn.id).eq(ids.iter().copied()));
    let elsewhere = [Scope::user("other")];
    assert_eq!(
        turns(
            store,
            TurnQuery::Ids {
                scopes: &elsewhere,
                ids: &ids
            }
        ),
        []
    );
}

pub(super) fn turns_are_read_back_whole(store: &dyn Store) {
    let (samples, scope) = (Samples::new(5), Scope::user("priya"));
    let mut call = samples.turn(store.secret(), (&scope, "monday"), "call", "");
    call.message = Message {
        role: Role::Assistant,
        speaker: Some("tutor".into()),
        tool_calls: Some(serde_json::json!([{"id": "c1", "arguments": {"b": 1.5, "a": [null]}}])),
        tool_call_id: Some("c0".into()),
        metadata: Metadata::from_json(r#"{"page":7}"#).expect("the metadata is valid"),
        ..call.message
    };
    let appended = appended(store, &call);
    let Appended::New { position, change } = appended else {
        panic!("{appended:?}")
    };
    let expected = Turn {
        id: call.id,
        scope: call.scope,
        session: call.session,
        position,
        message: call.message,
        recorded_at: call.recorded_at,
        retired_at: None,
        change,
    };
    assert_eq!(session(store, &scope, "monday"), [expected]);
}
