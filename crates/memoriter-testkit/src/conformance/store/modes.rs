use memoriter_core::id::{ChangeNumber, CheckpointId};
use memoriter_core::scope::Scope;
use memoriter_core::session::{ForkPoint, Mode};
use memoriter_core::turn::{Role, Turn};
use memoriter_store::{
    Changed, NewFork, RecordRef, SessionRow, Store, StoreError, TurnQuery, Write,
};

use super::boards::session;
use super::retired::fed;
use super::{commit, refused, snapshot, turns};
use crate::sample::Samples;

fn set_mode(store: &dyn Store, name: &str, mode: Mode) {
    let (scope, session) = (Scope::user("priya"), session(name));
    commit(
        store,
        vec![Write::SetMode {
            scope,
            session,
            mode,
        }],
    );
}

fn row(store: &dyn Store, name: &str) -> Option<SessionRow> {
    let row = snapshot(store).session(&Scope::user("priya"), &session(name));
    row.expect("a session can be read")
}

pub(super) fn a_mode_is_kept_with_its_session(store: &dyn Store) {
    assert_eq!(row(store, "s1"), None);
    let before = store.head().expect("the head can be read");
    set_mode(store, "s1", Mode::ReadOnly);
    set_mode(store, "s1", Mode::NoMemory);
    let mode = row(store, "s1").map(|row| (row.mode, row.turns));
    assert_eq!(mode, Some((Mode::NoMemory, 0)));
    let scope = Scope::user("priya");
    let changes = snapshot(store)
        .changes(&scope, before, 9)
        .expect("changes can be read");
    let what: Vec<_> = changes.iter().map(|change| change.what.clone()).collect();
    assert!(what.ends_with(&[Changed::Mode(session("s1"))]), "{what:?}");
    let summaries = snapshot(store)
        .sessions(&scope)
        .expect("sessions can be read");
    let told: Vec<_> = summaries
        .iter()
        .map(|told| (told.mode, told.turns, told.first_at))
        .collect();
    assert_eq!(told, [(Mode::NoMemory, 0, None)]);
}

fn say(store: &dyn Store, name: &str, key: &str) -> RecordRef {
    let scope = Scope::user("priya");
    let turn = Samples::new(9).turn(
        store.secret(),
        (&scope, name),
        key,
        &format!("I say {key}."),
    );
    let id = turn.id;
    commit(store, vec![Write::AppendTurn(Box::new(turn))]);
    RecordRef::Turn(id)
}

pub(super) fn turns_of_a_session_without_memory_leave_the_index(store: &dyn Store) {
    let scope = Scope::user("priya");
    let (first, other) = (say(store, "s1", "1"), say(store, "s2", "1"));
    let before = store.head().expect("the head can be read");
    set_mode(store, "s1", Mode::NoMemory);
    let hidden = store.head().expect("the head can be read");
    let second = say(store, "s1", "2");
    let mut told = fed(store, &scope, before);
    told.sort_unstable();
    told.dedup();
    let mut expected = [(first, false), (second, false)];
    expected.sort_unstable();
    assert_eq!(told, expected);
    assert_eq!(fed(store, &scope, ChangeNumber(0)), [(other, true)]);
    set_mode(store, "s1", Mode::ReadOnly);
    let mut told = fed(store, &scope, hidden);
    told.sort_unstable();
    told.dedup();
    let mut expected = [(first, true), (second, true)];
    expected.sort_unstable();
    assert_eq!(told, expected, "they come back");
}

fn fork(name: &str, from: &str, turns: u32) -> Write {
    Write::ForkSession(Box::new(NewFork {
        scope: Scope::user("priya"),
        session: session(name),
        from: ForkPoint {
            session: session(from),
            turns,
            checkpoint: CheckpointId::from_bytes([4; 16]),
        },
        mode: Mode::ReadOnly,
    }))
}

fn said(turns: &[Turn]) -> Vec<(&str, u32, &str)> {
    let said = |turn: &'_ Turn| turn.message.content.len();
    assert!(turns.iter().all(|turn| said(turn) > 0));
    turns
        .iter()
        .map(|turn| {
            (
                turn.session.as_str(),
                turn.position,
                turn.message.content.as_str(),
            )
        })
        .collect()
}

pub(super) fn a_fork_goes_on_from_where_it_is_told(store: &dyn Store) {
    let scope = Scope::user("priya");
    for key in ["1", "2", "3"] {
        say(store, "s1", key);
    }
    commit(store, vec![fork("s2", "s1", 2)]);
    assert_eq!(row(store, "s2").map(|row| row.turns), Some(2));
    say(store, "s2", "a");
    say(store, "s2", "b");
    commit(store, vec![fork("s3", "s2", 3)]);
    commit(store, vec![fork("s4", "s2", 1)]);
    say(store, "s3", "x");
    say(store, "s1", "4");
    let name = session("s3");
    let all = TurnQuery::Session {
        scope: &scope,
        session: &name,
        from: 0,
        limit: 99,
    };
    let expected = [
        ("s1", 0, "I say 1."),
        ("s1", 1, "I say 2."),
        ("s2", 2, "I say a."),
        ("s3", 3, "I say x."),
    ];
    assert_eq!(said(&turns(store, all)), expected);
    let session_of = |from, limit| TurnQuery::Session {
        scope: &scope,
        session: &name,
        from,
        limit,
    };
    assert_eq!(
        said(&turns(store, session_of(1, 2))),
        expected.get(1..3).unwrap_or_default()
    );
    let last = |limit| TurnQuery::Last {
        scope: &scope,
        session: &name,
        limit,
    };
    assert_eq!(
        said(&turns(store, last(3))),
        expected.get(1..).unwrap_or_default()
    );
    assert_eq!(said(&turns(store, last(99))), expected);
    let by_users = TurnQuery::InRole {
        scope: &scope,
        session: &name,
        role: Role::User,
    };
    assert_eq!(said(&turns(store, by_users)), expected);
    assert_eq!(row(store, "s4").map(|row| row.turns), Some(1));
    let forked = row(store, "s3").and_then(|row| row.forked_from);
    assert_eq!(
        forked.map(|from| (from.session, from.turns)),
        Some((session("s2"), 3))
    );
}

pub(super) fn a_fork_takes_no_name_that_is_there(store: &dyn Store) {
    say(store, "s1", "1");
    for name in ["s1", "s2"] {
        let error = match name {
            "s1" => refused(store, vec![fork("s1", "s1", 1)]),
            _ => refused(store, vec![fork("s2", "s1", 1), fork("s2", "s1", 1)]),
        };
        assert!(
            matches!(&error, StoreError::SessionExists { name: of } if of == name),
            "{error}"
        );
    }
    assert_eq!(row(store, "s2"), None);
}
