use std::sync::Arc;

use memoriter_core::attachment::{ATTACHMENT_BYTES_MAX, Attachment, AttachmentId, MediaType};
use memoriter_core::error::InvalidInput;
use memoriter_core::id::CheckpointId;
use memoriter_core::scope::Scope;
use memoriter_core::session::{ForkPoint, Mode};
use memoriter_core::turn::SessionName;
use memoriter_store::{
    ATTACHMENT_PART_BYTES, AttachmentQuery, NewAttachment, NewFork, NewTurn, Store, StoreError,
    Write,
};

use super::{commit, refused, snapshot, sound};
use crate::sample::Samples;

fn attachment(number: u8, bytes: Vec<u8>) -> NewAttachment {
    NewAttachment {
        id: AttachmentId::from_bytes([number; 16]),
        media_type: MediaType::text(),
        name: Some(format!("{number}.log")),
        bytes: Arc::from(bytes),
    }
}

/// Bytes that differ from their neighbours and from those a part away.
fn pattern(length: usize) -> Vec<u8> {
    let byte = |at: usize| u8::try_from(at * 31 % 251).unwrap_or_default();
    (0..length).map(byte).collect()
}

fn turn_with(
    store: &dyn Store,
    (scope, key): (&Scope, &str),
    attachments: Vec<NewAttachment>,
) -> NewTurn {
    let turn = Samples::new(7).turn(store.secret(), (scope, "monday"), key, "See the log.");
    NewTurn {
        attachments,
        ..turn
    }
}

fn append(store: &dyn Store, turn: &NewTurn) {
    commit(store, vec![Write::AppendTurn(Box::new(turn.clone()))]);
}

#[track_caller]
fn bytes(
    store: &dyn Store,
    scope: &Scope,
    number: u8,
    (offset, length): (usize, usize),
) -> Option<Vec<u8>> {
    let scopes = std::slice::from_ref(scope);
    let id = AttachmentId::from_bytes([number; 16]);
    snapshot(store)
        .attachment_bytes(scopes, id, offset, length)
        .expect("attachments can be read")
}

fn of_session(store: &dyn Store, scope: &Scope, session: &str) -> Vec<Attachment> {
    let session = &SessionName::new(session).expect("the session's name is valid");
    let query = AttachmentQuery::Session { scope, session };
    sound(
        snapshot(store)
            .attachments(query)
            .expect("attachments can be read"),
    )
}

pub(super) fn attachments_are_read_in_stretches(store: &dyn Store) {
    let scope = Scope::user("priya");
    let length = 2 * ATTACHMENT_PART_BYTES + 10;
    let all = pattern(length);
    let lengths = [1, ATTACHMENT_PART_BYTES, length];
    let new = (1_u8..).zip(lengths);
    let new = new.map(|(number, length)| attachment(number, pattern(length)));
    append(store, &turn_with(store, (&scope, "1"), new.collect()));
    for (number, length) in (1_u8..).zip(lengths) {
        assert_eq!(
            bytes(store, &scope, number, (0, usize::MAX)).as_deref(),
            all.get(..length),
            "{length}"
        );
    }
    let edges = [
        0,
        1,
        ATTACHMENT_PART_BYTES - 1,
        ATTACHMENT_PART_BYTES,
        ATTACHMENT_PART_BYTES + 1,
        length - 1,
        length,
        length + 1,
        usize::MAX,
    ];
    for offset in edges {
        for count in edges {
            let end = offset.saturating_add(count).min(length);
            let expected = all.get(offset..end).unwrap_or_default();
            let read = bytes(store, &scope, 3, (offset, count));
            assert_eq!(read.as_deref(), Some(expected), "{offset} {count}");
        }
    }
    assert_eq!(bytes(store, &scope, 9, (0, 1)), None);
}

pub(super) fn attachments_come_with_their_turn_once(store: &dyn Store) {
    let scope = Scope::user("priya");
    let first = turn_with(store, (&scope, "1"), vec![attachment(1, b"one".to_vec())]);
    append(store, &first);
    append(store, &first);
    // The turn is known; with another attachment it is another.
    let changed = turn_with(store, (&scope, "1"), vec![attachment(2, b"two".to_vec())]);
    let error = refused(store, vec![Write::AppendTurn(Box::new(changed))]);
    assert!(matches!(error, StoreError::TurnConflict { .. }), "{error}");
    // Another turn with the same attachment leaves it with the first.
    append(
        store,
        &turn_with(
            store,
            (&scope, "2"),
            vec![
                attachment(1, b"one".to_vec()),
                attachment(3, b"three".to_vec()),
            ],
        ),
    );
    let kept = of_session(store, &scope, "monday");
    let numbers: Vec<Option<&str>> = kept.iter().map(|kept| kept.name.as_deref()).collect();
    assert_eq!(numbers, [Some("1.log"), Some("3.log")]);
    let one = kept.first().expect("there are two");
    assert_eq!(
        (&one.scope, one.turn, one.bytes, one.recorded_at),
        (&scope, first.id, 3, first.recorded_at)
    );
    assert_eq!(one.media_type, MediaType::text());
    assert!(of_session(store, &scope, "tuesday").is_empty());
    let scopes = [scope];
    let ids = [3, 2, 1].map(|number| AttachmentId::from_bytes([number; 16]));
    let query = AttachmentQuery::Ids {
        scopes: &scopes,
        ids: &ids,
    };
    let read = sound(
        snapshot(store)
            .attachments(query)
            .expect("attachments can be read"),
    );
    let expected: Vec<Attachment> = kept.into_iter().rev().collect();
    assert_eq!(read, expected, "in the order asked for");
}

pub(super) fn attachments_are_read_only_in_allowed_scopes(store: &dyn Store) {
    let (mine, theirs) = (Scope::user("priya"), Scope::user("priya2"));
    append(
        store,
        &turn_with(store, (&mine, "1"), vec![attachment(1, b"mine".to_vec())]),
    );
    assert_eq!(bytes(store, &mine, 1, (0, 9)), Some(b"mine".to_vec()));
    assert_eq!(bytes(store, &theirs, 1, (0, 9)), None);
    assert!(of_session(store, &theirs, "monday").is_empty());
    let ids = [AttachmentId::from_bytes([1; 16])];
    for scopes in [&[][..], &[theirs]] {
        let query = AttachmentQuery::Ids { scopes, ids: &ids };
        let read = snapshot(store).attachments(query);
        assert!(sound(read.expect("attachments can be read")).is_empty());
    }
}

pub(super) fn attachments_are_within_limits(store: &dyn Store) {
    let scope = Scope::user("priya");
    let new = |length| turn_with(store, (&scope, "1"), vec![attachment(1, vec![7; length])]);
    for length in [0, ATTACHMENT_BYTES_MAX + 1] {
        let unit = vec![Write::AppendTurn(Box::new(new(length)))];
        let error = refused(store, unit);
        assert!(
            matches!(
                error,
                StoreError::Invalid(
                    InvalidInput::Empty { .. }
                        | InvalidInput::OverLimit {
                            limit: ATTACHMENT_BYTES_MAX,
                            ..
                        }
                )
            ),
            "{error}"
        );
    }
    append(store, &new(ATTACHMENT_BYTES_MAX));
    let end = (ATTACHMENT_BYTES_MAX - 2, 9);
    assert_eq!(bytes(store, &scope, 1, end), Some(vec![7, 7]));
}

pub(super) fn a_fork_has_the_attachments_of_the_turns_it_goes_on_from(store: &dyn Store) {
    let scope = Scope::user("priya");
    let name = |name| SessionName::new(name).expect("the session's name is valid");
    for number in [1, 2] {
        let key = number.to_string();
        let new = vec![attachment(number, pattern(3))];
        append(store, &turn_with(store, (&scope, &key), new));
    }
    let from = ForkPoint {
        session: name("monday"),
        turns: 1,
        checkpoint: CheckpointId::from_bytes([1; 16]),
    };
    let fork = NewFork {
        scope: scope.clone(),
        session: name("tuesday"),
        from,
        mode: Mode::NoMemory,
    };
    commit(store, vec![Write::ForkSession(Box::new(fork))]);
    let mut own = turn_with(store, (&scope, "3"), vec![attachment(3, pattern(3))]);
    own.session = name("tuesday");
    append(store, &own);
    let names = |session| -> Vec<Option<String>> {
        let kept = of_session(store, &scope, session);
        kept.into_iter().map(|kept| kept.name).collect()
    };
    let log = |number| Some(format!("{number}.log"));
    assert_eq!(names("tuesday"), [log(1), log(3)]);
    assert_eq!(names("monday"), [log(1), log(2)]);
    assert_eq!(of_session(store, &Scope::user("noor"), "tuesday"), []);
}
