//! Keyed facts, corrections and retirement, also from many callers at once.

use memoriter::core::memory::State;
use memoriter::{Correction, DecisionKind, Diagnose, Memoriter, Note, Reason, Scope, ScopedMemory};

fn store() -> (tempfile::TempDir, Memoriter, ScopedMemory) {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
    let scope = memory.scope(Scope::user("priya"));
    (folder, memory, scope)
}

fn city(value: &str) -> Note {
    Note::new(format!("I live in {value}"))
        .key("user.city".parse().unwrap())
        .value(value)
}

#[test]
fn notes_of_one_batch_see_each_other() {
    let (_folder, _memory, scope) = store();
    let notes = [
        city("Berlin"),
        city("Munich"),
        city("Munich"),
        Note::new("Hi"),
        Note::new("hi."),
    ];
    let decided: Vec<_> = scope
        .remember_all(notes)
        .unwrap()
        .iter()
        .map(|decision| (decision.kind, decision.reason))
        .collect();
    assert_eq!(
        decided,
        [
            (DecisionKind::Add, Reason::NewKey),
            (DecisionKind::Update, Reason::NewerValue),
            (DecisionKind::Skip, Reason::KnownValue),
            (DecisionKind::Add, Reason::NewText),
            (DecisionKind::Skip, Reason::KnownText),
        ]
    );
    let history = scope.history_of_key(&"user.city".parse().unwrap()).unwrap();
    let states: Vec<_> = history
        .iter()
        .map(|memory| {
            (
                memory.value.as_deref().unwrap(),
                memory.state,
                memory.confirmations,
            )
        })
        .collect();
    assert_eq!(
        states,
        [("Berlin", State::Superseded, 0), ("Munich", State::Live, 1)]
    );
}

#[test]
fn many_callers_leave_one_live_value() {
    let (_folder, memory, scope) = store();
    std::thread::scope(|threads| {
        for caller in 0..8 {
            let scope = memory.scope(Scope::user("priya"));
            threads.spawn(move || {
                for number in 0..25 {
                    scope
                        .remember(city(&format!("city {caller}-{number}")))
                        .unwrap();
                }
            });
        }
    });
    let versions = scope.history_of_key(&"user.city".parse().unwrap()).unwrap();
    assert_eq!(versions.len(), 200);
    assert_eq!(
        versions
            .iter()
            .filter(|memory| memory.state == State::Live)
            .count(),
        1
    );
    assert!(memory.verify().unwrap().problems.is_empty());
}

#[test]
fn a_correction_is_a_new_version_and_an_old_view_of_it_is_refused() {
    let (_folder, _memory, scope) = store();
    let first = scope.remember("My exam is on 14 March").unwrap()[0]
        .id
        .unwrap();
    let correction = |expected_version| Correction {
        statement: "My exam is on 15 March".into(),
        expected_version,
        ..Correction::default()
    };
    let refused = scope.update(first, &correction(Some(2))).unwrap_err();
    assert_eq!(refused.code(), "version_conflict");
    let second = scope
        .update(first, &correction(Some(1)))
        .unwrap()
        .id
        .unwrap();
    let refused = scope.update(first, &correction(None)).unwrap_err();
    assert_eq!(refused.code(), "wrong_state");
    let versions = scope.history(second).unwrap();
    assert_eq!(
        versions
            .iter()
            .map(|memory| memory.version)
            .collect::<Vec<_>>(),
        [1, 2]
    );
    assert_eq!(scope.history(first).unwrap(), versions);
}

#[test]
fn a_correction_cannot_say_what_another_memory_says() {
    let (_folder, _memory, scope) = store();
    let first = scope.remember("The harp is in the attic").unwrap()[0]
        .id
        .unwrap();
    scope.remember("The violin is in the attic").unwrap();
    let correction = Correction {
        statement: "The violin is in the attic.".into(),
        ..Correction::default()
    };
    assert_eq!(
        scope.update(first, &correction).unwrap_err().code(),
        "already_said"
    );
}

#[test]
fn what_is_retired_is_history_and_can_be_said_again() {
    let (_folder, _memory, scope) = store();
    let id = scope.remember(city("Berlin")).unwrap()[0].id.unwrap();
    scope.retire(&[id]).unwrap();
    assert!(
        scope
            .recall("Which city do I live in?")
            .run()
            .unwrap()
            .is_empty()
    );
    assert_eq!(scope.get(id).unwrap().state, State::Retracted);
    assert_eq!(scope.retire(&[id]).unwrap_err().code(), "wrong_state");
    assert_eq!(
        scope.remember(city("Berlin")).unwrap()[0].kind,
        DecisionKind::Add
    );
}

#[test]
fn a_memory_of_another_scope_is_not_there() {
    let (_folder, memory, scope) = store();
    let id = scope.remember(city("Berlin")).unwrap()[0].id.unwrap();
    let other = memory.scope(Scope::user("priya2"));
    let (foreign, missing) = (other.get(id).unwrap_err(), other.retire(&[id]).unwrap_err());
    assert_eq!(
        (foreign.code(), missing.code()),
        ("no_such_memory", "no_such_memory")
    );
}

#[test]
fn an_agent_reads_what_its_user_wrote_and_cannot_change_it() {
    let (_folder, memory, scope) = store();
    let id = scope.remember(city("Berlin")).unwrap()[0].id.unwrap();
    let agent = memory.scope(Scope::user("priya").within("agent", "tutor").unwrap());
    assert_eq!(agent.get(id).unwrap().id, id);
    assert_eq!(agent.retire(&[id]).unwrap_err().code(), "no_such_memory");
    let correction = Correction {
        statement: "I live in Rome".into(),
        ..Correction::default()
    };
    assert_eq!(
        agent.update(id, &correction).unwrap_err().code(),
        "no_such_memory"
    );
    assert_eq!(scope.get(id).unwrap().state, State::Live);
}
