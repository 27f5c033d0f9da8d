//! What was erased does not come back with an export that is older.

use std::sync::Arc;

use memoriter::core::attachment::Handle;
use memoriter::core::forget::Selector;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName, Shape};
use memoriter::{Memoriter, NewState, Note, Scope, ScopedMemory, SeededEntropy, TurnKey};
use memoriter_testkit::StepClock;
use serde_json::json;

use super::{export, import, trust};

/// A store whose clock goes on a millisecond with each look.
fn ticking(folder: &std::path::Path, name: &str, seed: u64) -> Memoriter {
    let clock = StepClock::new(Timestamp::from_micros(1_780_000_000_000_000), 1_000);
    let builder = Memoriter::builder().clock(Arc::new(clock));
    let builder = builder.entropy(Arc::new(SeededEntropy::new(seed)));
    builder.open(folder.join(name)).unwrap()
}

fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

/// A session of ten turns with a board and a checkpoint, an attachment beside another session, and facts.
fn fill(memory: &ScopedMemory) {
    let at = ZonedTime::utc(Timestamp::from_micros(1_779_000_000_000_000));
    let turns = (0..10_u64).map(|number| {
        let text = format!("In town {number} I ate dish {number}.");
        (TurnKey::At(number), Message::new(Role::User, text, at))
    });
    memory.session("trip").append(turns).unwrap();
    memory
        .session("trip")
        .state()
        .set("goal", json!("see the sea"))
        .unwrap();
    memory
        .session("files")
        .attach(b"a long log".to_vec(), None, Some("build.log"))
        .unwrap();
    for (statement, key, value) in [
        ("I live in Munich", "user.city", "Munich"),
        ("I play the cello", "user.skill", "cello"),
    ] {
        let note = Note::new(statement).key(key.parse().unwrap()).value(value);
        memory.remember(note).unwrap();
    }
}

#[test]
fn an_old_export_brings_nothing_back_that_was_erased() {
    let folder = tempfile::tempdir().unwrap();
    let store = ticking(folder.path(), "memory.db", 1);
    let priya = priya(&store);
    fill(&priya);
    let old = export(&priya);
    let trip = SessionName::new("trip").unwrap();
    let turns = priya.turns(&trip, 0, 10).unwrap();
    for selector in [
        Selector::Key("user.city".parse().unwrap()),
        Selector::Turn(turns.rows[3].id),
        Selector::Session(SessionName::new("files").unwrap()),
    ] {
        priya.erase(selector).run().unwrap();
    }
    let after = export(&priya);
    let imported = import(&priya, &old);
    assert!(imported.is_own);
    assert_eq!(
        (imported.added.total(), imported.conflicts),
        (0, 0),
        "{:?}",
        imported.clashes
    );
    assert!(imported.forgotten >= 4, "{imported:?}");
    let body = |file: &str| file.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let [before, now] = [&after, &export(&priya)].map(|file| body(file));
    assert_eq!(before[..before.len() - 1], now[..now.len() - 1]);
    assert!(
        after.contains("\"gap\":{\"from\":3,\"turns\":1}"),
        "{after}"
    );
    assert!(!after.contains("build.log") && !after.contains("Munich"));
}

#[test]
fn after_everything_was_erased_an_old_export_is_empty_and_a_new_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let store = ticking(folder.path(), "memory.db", 1);
    let priya = priya(&store);
    fill(&priya);
    let old = export(&priya);
    priya.erase(Selector::Everything).run().unwrap();
    for imported in [import(&priya, &old), trust(&priya, &old)] {
        assert_eq!((imported.added.total(), imported.conflicts), (0, 0));
        assert!(imported.forgotten > 14, "{imported:?}");
    }
    assert!(priya.sessions().unwrap().is_empty());
    priya.session("home").state().set("goal", json!(1)).unwrap();
    priya.remember("I keep bees").unwrap();
    let new = export(&priya);
    let imported = import(&priya, &new);
    assert_eq!((imported.forgotten, imported.conflicts), (0, 0));
    assert!(imported.known.memories > 0);
}

#[test]
fn five_hundred_erased_facts_stay_away() {
    let folder = tempfile::tempdir().unwrap();
    let store = ticking(folder.path(), "memory.db", 1);
    let priya = priya(&store);
    for number in 0..500 {
        priya
            .remember(Note::new(format!(
                "Locker {number} holds {} buttons",
                number * 7919
            )))
            .unwrap();
    }
    let old = export(&priya);
    priya
        .erase(Selector::Matching("Locker".into()))
        .run()
        .unwrap();
    for imported in [import(&priya, &old), trust(&priya, &old)] {
        assert_eq!(imported.added.memories, 0);
        assert_eq!(imported.forgotten, 500);
    }
    assert!(
        priya
            .recall("How many buttons does locker 7 hold?")
            .run()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn an_old_export_brings_no_erased_field_or_checkpoint_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = ticking(folder.path(), "memory.db", 1);
    let priya = priya(&store);
    let session = priya.session("trip");
    let board = session.state();
    board.set("route", json!("by way of Lisbon")).unwrap();
    board.set("seats", json!(2)).unwrap();
    let state = NewState::new("json", r#"{"city":"Lisbon"}"#);
    session.checkpoints().save(state).unwrap();
    let kept = session
        .checkpoints()
        .save(NewState::new("json", "{}"))
        .unwrap();
    // What only checkpoints need any more.
    board.set("hotel", json!("Lisbon Inn")).unwrap();
    session
        .checkpoints()
        .save(NewState::new("json", "{}"))
        .unwrap();
    board.set("hotel", json!("Harbour Inn")).unwrap();
    let old = export(&priya);
    priya
        .erase(Selector::Matching("Lisbon".into()))
        .run()
        .unwrap();
    for imported in [import(&priya, &old), trust(&priya, &old)] {
        assert_eq!(imported.added.total(), 0, "{imported:?}");
        assert!(imported.forgotten >= 3, "{imported:?}");
    }
    let names = |board: &memoriter::Board| {
        let rows = board.list().unwrap().rows;
        rows.into_iter().map(|field| field.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&board), ["hotel", "seats"]);
    let checkpoints = session.checkpoints().list(9).unwrap().rows;
    assert!(checkpoints.len() == 2 && checkpoints[0].id == kept.id);
    assert!(!export(&priya).contains("Lisbon"));
    // Who writes it again means it.
    board.set("route", json!("by way of Lisbon")).unwrap();
    let imported = import(&priya, &export(&priya));
    assert_eq!((imported.forgotten, imported.conflicts), (0, 0));
}

#[test]
fn attachments_and_messages_go_from_store_to_store() {
    let folder = tempfile::tempdir().unwrap();
    let [source, target] =
        [("source.db", 1), ("target.db", 2)].map(|(name, seed)| ticking(folder.path(), name, seed));
    let message = json!({"role": "user", "content": [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==", "detail": "low"}}
    ]});
    let session = priya(&source).session("pictures");
    session.append_openai(&json!([message])).unwrap();
    let file = export(&priya(&source));
    let imported = trust(&priya(&target), &file);
    assert_eq!(
        (imported.added.turns, imported.added.attachments),
        (1, 1),
        "{imported:?}"
    );
    let session = priya(&target).session("pictures");
    assert_eq!(
        session.messages(Shape::OpenAi).unwrap().to_json(),
        json!([message])
    );
    let [attachment] = <[_; 1]>::try_from(session.attachments().unwrap()).unwrap();
    let handle = Handle::Attachment(attachment.id);
    let read = priya(&target).read_handle(handle, 0, 4).unwrap();
    assert_eq!(read.bytes, b"\x89PNG");
}
