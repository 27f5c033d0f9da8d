use memoriter_core::board::Field;
use memoriter_core::checkpoint::{Answer, Answered, Approval, Checkpoint};
use memoriter_core::id::{ChangeNumber, CheckpointId};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{
    CheckpointQuery, FieldQuery, NewAnswer, NewCheckpoint, Outcome, Store, StoreError, Write,
};
use serde_json::json;

use super::boards::{field, fields, put, session};
use super::{commit, refused, snapshot, sound};
use crate::sample::Samples;

/// A checkpoint of Priya's session `s1`, its id made of `number`.
pub(super) fn checkpoint(number: u8, data: &[u8]) -> NewCheckpoint {
    NewCheckpoint {
        checkpoint: Checkpoint {
            id: CheckpointId::from_bytes([number; 16]),
            scope: Scope::user("priya"),
            session: session("s1"),
            as_of: ChangeNumber(0),
            turns: 0,
            kind: "json".into(),
            data_bytes: 0,
            parent: None,
            label: None,
            approval: None,
            at: Timestamp::from_micros(1_772_323_200_000_000 + i64::from(number)),
        },
        data: data.to_vec(),
    }
}

fn asking(number: u8) -> NewCheckpoint {
    let mut new = checkpoint(number, b"{}");
    new.checkpoint.approval = Some(Approval {
        question: "Deploy?".into(),
        asked_for: Some(json!({"to": "prod"})),
        answered: None,
    });
    new
}

/// Saves a checkpoint and returns it as it is kept.
#[track_caller]
pub(super) fn save(store: &dyn Store, new: &NewCheckpoint) -> Checkpoint {
    let committed = commit(store, vec![Write::SaveCheckpoint(Box::new(new.clone()))]);
    match committed.outcomes.into_iter().next() {
        Some(Outcome::Saved(checkpoint)) => *checkpoint,
        other => panic!("{other:?} is no checkpoint"),
    }
}

#[track_caller]
fn newest(store: &dyn Store, limit: usize) -> Vec<Checkpoint> {
    let query = CheckpointQuery::Newest {
        scope: &Scope::user("priya"),
        session: &session("s1"),
        limit,
    };
    sound(
        snapshot(store)
            .checkpoints(query)
            .expect("checkpoints can be read"),
    )
}

#[track_caller]
fn data(store: &dyn Store, scope: &Scope, id: CheckpointId) -> Vec<Vec<u8>> {
    sound(
        snapshot(store)
            .checkpoint_data(scope, id)
            .expect("bytes can be read"),
    )
}

#[track_caller]
fn board_as_of(store: &dyn Store, change: ChangeNumber) -> Vec<Field> {
    let query = FieldQuery::AsOf {
        scope: &Scope::user("priya"),
        session: &session("s1"),
        change,
    };
    fields(store, query)
}

pub(super) fn checkpoints_are_read_back_whole(store: &dyn Store) {
    let scope = Scope::user("priya");
    let turn = Samples::new(1).turn(store.secret(), (&scope, "s1"), "1", "Hello.");
    commit(store, vec![Write::AppendTurn(Box::new(turn))]);
    let mut new = asking(1);
    new.checkpoint.label = Some("before é".into());
    new.checkpoint.parent = Some(CheckpointId::from_bytes([9; 16]));
    new.data = (0..=255).collect();
    let head = store.head().expect("the head can be read");
    let kept = save(store, &new);
    assert_eq!((kept.as_of, kept.turns, kept.data_bytes), (head, 1, 256));
    assert_eq!(newest(store, 9), std::slice::from_ref(&kept));
    assert_eq!(data(store, &scope, kept.id), [new.data]);
    let empty = save(store, &checkpoint(2, b""));
    assert_eq!(data(store, &scope, empty.id), [Vec::<u8>::new()]);
    assert_eq!(
        store.head().expect("the head can be read"),
        head,
        "no change number"
    );
}

pub(super) fn a_checkpoint_keeps_the_board_it_means(store: &dyn Store) {
    let first = put(store, &field("a", json!(1)), None);
    let other = put(store, &field("b", json!("stays")), None);
    let one = save(store, &checkpoint(1, b"1"));
    let second = put(store, &field("a", json!(2)), Some(first.change));
    let third = put(store, &field("a", json!(3)), Some(second.change));
    let late = put(store, &field("c", json!("later")), None);
    let two = save(store, &checkpoint(2, b"2"));
    let removed = Field {
        value: None,
        ..field("a", json!(0))
    };
    let removed = put(store, &removed, Some(third.change));
    let three = save(store, &checkpoint(3, b"3"));
    put(store, &field("a", json!(4)), Some(removed.change));
    assert_eq!(board_as_of(store, one.as_of), [first, other.clone()]);
    assert_eq!(
        board_as_of(store, two.as_of),
        [third, other.clone(), late.clone()]
    );
    assert_eq!(board_as_of(store, three.as_of), [other, late]);
}

pub(super) fn a_removed_checkpoint_takes_what_only_it_held(store: &dyn Store) {
    let scope = Scope::user("priya");
    let first = put(store, &field("a", json!(1)), None);
    let ids: Vec<CheckpointId> = [(1, "same"), (2, "same"), (3, "other")]
        .map(|(number, data)| save(store, &checkpoint(number, data.as_bytes())).id)
        .to_vec();
    let as_of = newest(store, 1)
        .first()
        .map(|checkpoint| checkpoint.as_of)
        .unwrap_or_default();
    let second = put(store, &field("a", json!(2)), Some(first.change));
    let four = save(store, &checkpoint(4, b"four"));
    let remove = |ids: &[CheckpointId]| {
        let (scope, session) = (scope.clone(), session("s1"));
        commit(
            store,
            vec![Write::RemoveCheckpoints {
                scope,
                session,
                ids: ids.to_vec(),
            }],
        );
        let report = snapshot(store).verify().expect("a store can be verified");
        assert_eq!(report.problems, []);
        (report.fields, report.checkpoints)
    };
    assert_eq!(remove(ids.get(..1).unwrap_or_default()), (2, 3));
    assert_eq!(
        data(store, &scope, CheckpointId::from_bytes([2; 16])),
        [b"same".to_vec()]
    );
    assert_eq!(board_as_of(store, as_of), [first], "others need it");
    assert_eq!(remove(&ids), (1, 1), "nobody needs what the field was");
    assert_eq!(
        data(store, &scope, CheckpointId::from_bytes([2; 16])),
        [[0_u8; 0]; 0]
    );
    assert_eq!(board_as_of(store, four.as_of), [second]);
}

pub(super) fn an_answer_is_recorded_once(store: &dyn Store) {
    let (scope, kept) = (Scope::user("priya"), save(store, &asking(1)));
    let plain = save(store, &checkpoint(2, b""));
    let answer = |scope: &Scope, checkpoint, answer| {
        Write::Answer(NewAnswer {
            scope: scope.clone(),
            checkpoint,
            answered: Answered {
                answer,
                by: Some("priya".into()),
                at: Timestamp::from_micros(5),
            },
        })
    };
    let no_such = refused(
        store,
        vec![answer(&Scope::user("other"), kept.id, Answer::Approved)],
    );
    assert!(
        matches!(no_such, StoreError::NoSuchCheckpoint { id } if id == kept.id),
        "{no_such}"
    );
    commit(store, vec![answer(&scope, kept.id, Answer::Rejected)]);
    for id in [kept.id, plain.id] {
        let error = refused(store, vec![answer(&scope, id, Answer::Approved)]);
        assert!(
            matches!(error, StoreError::NotAsked { id: of } if of == id),
            "{error}"
        );
    }
    let told = newest(store, 2)
        .first()
        .and_then(|kept| kept.approval.clone()?.answered);
    assert_eq!(
        told.map(|told| (told.answer, told.by, told.at.as_micros())),
        Some((Answer::Rejected, Some("priya".into()), 5))
    );
}

pub(super) fn a_checkpoint_is_of_one_scope(store: &dyn Store) {
    let kept = save(store, &checkpoint(1, b"secret"));
    let other = Scope::user("other");
    let query = CheckpointQuery::Id {
        scope: &other,
        id: kept.id,
    };
    assert_eq!(
        sound(
            snapshot(store)
                .checkpoints(query)
                .expect("checkpoints can be read")
        ),
        []
    );
    assert_eq!(data(store, &other, kept.id), [[0_u8; 0]; 0]);
    let mut double = checkpoint(1, b"x");
    double.checkpoint.scope = other.clone();
    let error = refused(store, vec![Write::SaveCheckpoint(Box::new(double.clone()))]);
    assert!(
        matches!(error, StoreError::CheckpointExists { id } if id == kept.id),
        "{error}"
    );
    let same_bytes = NewCheckpoint {
        data: b"secret".to_vec(),
        checkpoint: Checkpoint {
            id: CheckpointId::from_bytes([2; 16]),
            ..double.checkpoint
        },
    };
    let theirs = save(store, &same_bytes);
    assert_eq!(data(store, &other, theirs.id), [b"secret".to_vec()]);
    assert_eq!(newest(store, 9), [kept]);
}

pub(super) fn checkpoints_come_newest_last(store: &dyn Store) {
    let kept: Vec<Checkpoint> = [5, 1, 3]
        .map(|number| save(store, &checkpoint(number, &[number])))
        .to_vec();
    put(store, &field("a", json!(1)), None);
    let last = save(store, &checkpoint(2, b""));
    let expected: Vec<Checkpoint> = kept.into_iter().chain([last]).collect();
    assert_eq!(newest(store, 9), expected);
    assert_eq!(newest(store, 2), expected.get(2..).unwrap_or_default());
    assert_eq!(newest(store, 0), []);
}
