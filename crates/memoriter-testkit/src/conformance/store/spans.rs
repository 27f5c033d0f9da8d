use memoriter_core::fold::{ItemKind, Run, Span, SpanItem};
use memoriter_core::id::{ChangeNumber, CheckpointId, TurnId};
use memoriter_core::scope::Scope;
use memoriter_core::session::{ForkPoint, Mode};
use memoriter_core::time::Timestamp;
use memoriter_core::turn::SessionName;
use memoriter_store::{NewFork, NewTurn, Outcome, Store, Write};

use super::{commit, snapshot, sound};
use crate::sample::Samples;

const FIRST: Run = Run { from: 0, to: 1 };
const SECOND: Run = Run { from: 2, to: 3 };

fn session() -> SessionName {
    SessionName::new("monday").expect("the session's name is valid")
}

/// The ids of four turns of session "monday".
fn four_turns(store: &dyn Store, scope: &Scope) -> [TurnId; 4] {
    let samples = Samples::new(8);
    let new: [NewTurn; 4] = ["one", "two", "three", "four"]
        .map(|text| samples.turn(store.secret(), (scope, "monday"), text, text));
    let writes = new
        .iter()
        .map(|turn| Write::AppendTurn(Box::new(turn.clone())));
    commit(store, writes.collect());
    new.map(|turn| turn.id)
}

fn span(run: Run, text: &str, ids: &[TurnId; 4]) -> Span {
    let named = (0..)
        .zip(ids)
        .filter(|(position, _)| (run.from..=run.to).contains(position));
    Span {
        run,
        made_by: "cues-1".to_owned(),
        items: vec![SpanItem {
            kind: ItemKind::Constraint,
            text: text.to_owned(),
            turns: named.map(|(position, id)| (position, *id)).collect(),
        }],
    }
}

#[track_caller]
fn put(store: &dyn Store, scope: &Scope, span: &Span, read_at: ChangeNumber) {
    let write = Write::PutSpan {
        scope: scope.clone(),
        session: session(),
        span: Box::new(span.clone()),
        read_at,
    };
    let before = store.head().expect("the head can be read");
    let committed = commit(store, vec![write]);
    assert_eq!(committed.outcomes, [Outcome::Noted]);
    assert_eq!(
        committed.head, before,
        "a span is derived: it changes no record"
    );
}

#[track_caller]
fn kept(store: &dyn Store, scope: &Scope, runs: &[Run]) -> Vec<Span> {
    let spans = snapshot(store).spans(scope, &session(), runs);
    sound(spans.expect("spans can be read"))
}

fn head(store: &dyn Store) -> ChangeNumber {
    store.head().expect("the head can be read")
}

pub(super) fn spans_are_kept_by_run(store: &dyn Store) {
    let scope = Scope::user("priya");
    let ids = four_turns(store, &scope);
    let (first, second) = (
        span(FIRST, "one \" \u{1f44d}", &ids),
        span(SECOND, "three", &ids),
    );
    let whole = Run { from: 0, to: 3 };
    put(store, &scope, &first, head(store));
    put(store, &scope, &second, head(store));
    assert_eq!(
        kept(store, &scope, &[SECOND, whole, FIRST]),
        [second.clone(), first]
    );
    let again = Span {
        made_by: "fold-1 m".to_owned(),
        items: Vec::new(),
        run: FIRST,
    };
    put(store, &scope, &again, head(store));
    assert_eq!(kept(store, &scope, &[FIRST, SECOND]), [again, second]);
    assert_eq!(kept(store, &Scope::user("pri"), &[FIRST]), []);
}

pub(super) fn a_span_goes_with_its_turns(store: &dyn Store) {
    let scope = Scope::user("priya");
    let ids = four_turns(store, &scope);
    let (first, second) = (span(FIRST, "one", &ids), span(SECOND, "three", &ids));
    let [_, in_first, ..] = ids;
    let read_at = head(store);
    put(store, &scope, &first, read_at);
    put(store, &scope, &second, read_at);
    commit(store, vec![retire(&scope, in_first)]);
    assert_eq!(kept(store, &scope, &[FIRST, SECOND]), [second]);
    // What was read before may say what was forgotten.
    put(store, &scope, &first, read_at);
    assert_eq!(kept(store, &scope, &[FIRST]), []);
    put(store, &scope, &first, head(store));
    assert_eq!(kept(store, &scope, &[FIRST]), [first]);
}

pub(super) fn a_span_of_a_fork_goes_with_turns_before_it(store: &dyn Store) {
    let scope = Scope::user("priya");
    let ids = four_turns(store, &scope);
    let fork = SessionName::new("tuesday").expect("the session's name is valid");
    let from = ForkPoint {
        session: session(),
        turns: 2,
        checkpoint: CheckpointId::from_bytes([4; 16]),
    };
    commit(
        store,
        vec![Write::ForkSession(Box::new(NewFork {
            scope: scope.clone(),
            session: fork.clone(),
            from,
            mode: Mode::Full,
        }))],
    );
    let of_fork = |read_at| Write::PutSpan {
        scope: scope.clone(),
        session: fork.clone(),
        span: Box::new(span(FIRST, "one", &ids)),
        read_at,
    };
    let kept = || {
        let spans = snapshot(store).spans(&scope, &fork, &[FIRST]);
        sound(spans.expect("spans can be read")).len()
    };
    let [first, _, behind, _] = ids;
    let read_at = head(store);
    commit(store, vec![of_fork(read_at)]);
    commit(store, vec![retire(&scope, behind)]);
    assert_eq!(kept(), 1, "the fork has no such turn");
    commit(store, vec![retire(&scope, first)]);
    assert_eq!(kept(), 0);
    commit(store, vec![of_fork(read_at)]);
    assert_eq!(kept(), 0);
}

fn retire(scope: &Scope, id: TurnId) -> Write {
    Write::RetireTurns {
        scope: scope.clone(),
        ids: vec![id],
        at: Timestamp::from_micros(1_800_000_000_000_000),
    }
}

pub(super) fn a_session_that_is_not_there_keeps_no_span(store: &dyn Store) {
    let scope = Scope::user("priya");
    let ids = [TurnId::from_bytes([1; 16]); 4];
    put(store, &scope, &span(FIRST, "one", &ids), head(store));
    assert_eq!(kept(store, &scope, &[FIRST]), []);
}
