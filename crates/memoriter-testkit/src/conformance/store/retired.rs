use memoriter_core::id::{ChangeNumber, TurnId};
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{SessionName, Turn};
use memoriter_store::{
    Changed, ExtractionQuery, IndexChange, NewTurn, Outcome, RecordRef, Store, TurnQuery, Write,
};

use super::{commit, snapshot, sound, turns};
use crate::sample::Samples;

const AT: i64 = 1_800_000_000_000_000;

fn append(turn: &NewTurn) -> Write {
    Write::AppendTurn(Box::new(turn.clone()))
}

fn retire(scope: &Scope, ids: &[TurnId]) -> Write {
    Write::RetireTurns {
        scope: scope.clone(),
        ids: ids.to_vec(),
        at: Timestamp::from_micros(AT),
    }
}

/// Three turns of session "monday", as they are stored.
#[track_caller]
fn three_turns(store: &dyn Store, scope: &Scope) -> [Turn; 3] {
    let samples = Samples::new(8);
    let new = ["one", "two", "three"].map(|text| NewTurn {
        vector: Some(samples.vector("m")),
        ..samples.turn(store.secret(), (scope, "monday"), text, text)
    });
    commit(store, new.iter().map(append).collect());
    session(store, scope)
        .try_into()
        .expect("three turns were appended")
}

#[track_caller]
fn session(store: &dyn Store, scope: &Scope) -> Vec<Turn> {
    let session = SessionName::new("monday").expect("the session's name is valid");
    let query = TurnQuery::Session {
        scope,
        session: &session,
        from: 0,
        limit: usize::MAX,
    };
    turns(store, query)
}

pub(super) fn retired_turns_stay_in_their_session(store: &dyn Store) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    let mut expected = three_turns(store, &scope);
    let [first, second, third] = expected.each_ref().map(|turn| turn.id);
    let committed = commit(store, vec![retire(&scope, &[third, first])]);
    assert_eq!(committed.outcomes, [Outcome::Changed(committed.head)]);
    for (turn, change) in expected.iter_mut().zip([Some(5), None, Some(4)]) {
        if let Some(change) = change {
            turn.retired_at = Some(Timestamp::from_micros(AT));
            turn.change = ChangeNumber(change);
        }
    }
    assert_eq!(session(store, &scope), expected);
    let query = TurnQuery::Ids {
        scopes: std::slice::from_ref(&scope),
        ids: &[first, second],
    };
    assert_eq!(turns(store, query), expected[..2]);
    // Who appends it again finds it as it is, and positions count on.
    let again = samples.turn(store.secret(), (&scope, "monday"), "three", "three");
    let next = samples.turn(store.secret(), (&scope, "monday"), "four", "four");
    commit(store, vec![append(&again), append(&next)]);
    let mut now = session(store, &scope);
    assert_eq!(now.pop().map(|last| last.position), Some(3));
    assert_eq!(now, expected);
    let summary = snapshot(store)
        .sessions(&scope)
        .expect("sessions can be read");
    assert!(summary.iter().map(|session| session.turns).eq([4]));
}

/// The records that an index holds after it took the changes after `after`, given those that it held.
#[track_caller]
pub(super) fn fed(store: &dyn Store, scope: &Scope, after: ChangeNumber) -> Vec<(RecordRef, bool)> {
    let mut told = Vec::new();
    let mut take = |change: IndexChange<'_>| match change {
        IndexChange::Put(row) => told.push((row.record, true)),
        IndexChange::Remove(record) => told.push((record, false)),
        IndexChange::Anew => told.clear(),
    };
    snapshot(store)
        .index_changes(scope, &ModelName::new("m"), after, &mut take)
        .expect("the index can be fed");
    told
}

pub(super) fn retired_turns_leave_the_index(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    let ids = three_turns(store, &scope).map(|turn| turn.id);
    let [first, second, third] = ids.map(RecordRef::Turn);
    let before = store.head().expect("the head can be read");
    commit(store, vec![retire(&scope, &ids[1..2])]);
    let after = store.head().expect("the head can be read");
    assert_eq!(after.0, before.0 + 1);
    let removed = [(second, false)];
    assert_eq!(fed(store, &scope, before), removed);
    assert_eq!(fed(store, &scope, after), []);
    let rest = [(first, true), (third, true)];
    assert_eq!(fed(store, &scope, ChangeNumber(0)), rest);
    let changes = snapshot(store)
        .changes(&scope, before, 9)
        .expect("changes can be read");
    assert!(
        changes
            .iter()
            .map(|change| (change.number, change.what.clone()))
            .eq([(after, Changed::Record(second))])
    );
    // Another vector does not bring it back.
    let vector = Write::PutVectors(vec![(second, samples.vector("m"))]);
    commit(store, vec![vector]);
    assert_eq!(fed(store, &scope, after), removed);
    assert_eq!(fed(store, &scope, ChangeNumber(0)), rest);
}

pub(super) fn turns_are_retired_once_and_in_their_scope(store: &dyn Store) {
    let (mine, theirs) = (Scope::user("1"), Scope::user("12"));
    let (my_turns, their_turns) = (three_turns(store, &mine), three_turns(store, &theirs));
    let ghost = TurnId::from_bytes([9; 16]);
    let foreign = their_turns[0].id;
    let head = commit(store, vec![retire(&mine, &[my_turns[0].id])]).head;
    for unit in [
        retire(&mine, &[my_turns[0].id, ghost, foreign]),
        retire(&Scope::user("nobody"), &[my_turns[1].id]),
        retire(&mine, &[]),
    ] {
        let committed = commit(store, vec![unit]);
        assert_eq!(
            (committed.outcomes.as_slice(), committed.head),
            ([Outcome::Noted].as_slice(), head)
        );
    }
    assert_eq!(session(store, &theirs), their_turns);
    assert_eq!(session(store, &mine).get(1..), Some(&my_turns[1..]));
    let twice = [my_turns[1].id; 2];
    assert_eq!(
        commit(store, vec![retire(&mine, &twice)]).head.0,
        head.0 + 1
    );
}

pub(super) fn retired_turns_are_not_queued(store: &dyn Store) {
    let scope = Scope::user("priya");
    let ids = three_turns(store, &scope).map(|turn| turn.id);
    let queue = |ids: &[TurnId]| Write::QueueExtraction {
        turns: ids.to_vec(),
        due_at: Timestamp::MIN,
    };
    commit(store, vec![queue(&ids[..1]), retire(&scope, &ids[..2])]);
    commit(store, vec![queue(&ids)]);
    let query = ExtractionQuery::Due {
        now: Timestamp::MIN,
        limit: 9,
    };
    let due = sound(
        snapshot(store)
            .extractions(query)
            .expect("the queue can be read"),
    );
    // What was queued before stays: whoever takes it sees that the turn is retired.
    assert!(
        due.iter().map(|entry| entry.turn).eq([ids[0], ids[2]]),
        "{due:?}"
    );
}
