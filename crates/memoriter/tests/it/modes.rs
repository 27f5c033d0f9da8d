//! Sessions with less long-term memory, and the state on their desk.

use std::sync::Arc;

use memoriter::core::board::FieldWrite;
use memoriter::core::desk::{Section, Why};
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Memoriter, Mode, Scope, ScopedMemory, Session, TurnDraft, TurnKey};
use memoriter_testkit::FixedClock;
use serde_json::json;

fn now() -> Timestamp {
    Timestamp::from_micros(1_772_323_200_000_000)
}

fn store() -> (tempfile::TempDir, Memoriter) {
    let folder = tempfile::tempdir().unwrap();
    let builder = Memoriter::builder().clock(Arc::new(FixedClock(now())));
    let memory = builder.open(folder.path().join("memory.db")).unwrap();
    (folder, memory)
}

fn said(text: &str) -> Message {
    Message::new(Role::User, text, ZonedTime::utc(now()))
}

fn say(session: &Session, number: u64, text: &str) -> usize {
    let learned = session.append([(TurnKey::At(number), said(text))]).unwrap();
    assert_eq!(learned.decisions.is_empty(), learned.unread > 0);
    learned.unread
}

fn recalls(memory: &ScopedMemory, question: &str, word: &str) -> bool {
    let hits = memory.recall(question).run().unwrap();
    hits.iter().any(|hit| hit.text().contains(word))
}

fn desk(session: &Session, message: &str) -> String {
    session
        .assemble(message)
        .run()
        .unwrap()
        .rendering
        .to_json()
        .to_string()
}

#[test]
fn a_read_only_session_is_recalled_and_teaches_nothing() {
    let (_folder, memory) = store();
    let priya = memory.scope(Scope::user("priya"));
    priya.remember("I live in Munich").unwrap();
    let session = priya.session("s1").mode(Mode::ReadOnly);
    assert_eq!(say(&session, 0, "I live in Oslo"), 1);
    // The mode is kept: whoever comes later is held to it.
    let later = priya.session("s1");
    assert_eq!(later.kept_mode().unwrap(), Mode::ReadOnly);
    assert_eq!(say(&later, 1, "My dog is called Rex"), 1);
    let draft = TurnDraft {
        session: SessionName::new("s1").unwrap(),
        key: TurnKey::At(2),
        message: said("I am allergic to nuts"),
    };
    assert_eq!(priya.learn([draft]).unwrap().unread, 1);
    assert_eq!(
        priya
            .history_of_key(&"user.city".parse().unwrap())
            .unwrap()
            .len(),
        1
    );
    assert!(desk(&later, "Where do I live?").contains("Munich"));
    assert!(
        recalls(&priya, "What is my dog called?", "Rex"),
        "turns are recalled"
    );
    later.set_mode(Mode::Full).unwrap();
    assert_eq!(say(&later, 3, "I live in Rome"), 0);
    assert!(recalls(&priya, "Where do I live?", "Rome"));
}

#[test]
fn a_session_without_memory_stays_by_itself() {
    let (_folder, memory) = store();
    let priya = memory.scope(Scope::user("priya"));
    priya.remember("I live in Munich").unwrap();
    let quiet = priya.session("quiet").mode(Mode::NoMemory);
    say(&quiet, 0, "The surprise party is on Sunday");
    quiet.state().set("guests", json!(7)).unwrap();
    let shown = desk(
        &priya.session("quiet"),
        "Where do I live, and when is the party?",
    );
    assert!(
        shown.contains("party is on Sunday") && shown.contains("guests"),
        "{shown}"
    );
    assert!(!shown.contains("Munich"), "{shown}");
    assert!(!recalls(&priya, "When is the surprise party?", "party"));
    assert!(!desk(&priya.session("other"), "When is the surprise party?").contains("Sunday"));
    quiet.set_mode(Mode::Full).unwrap();
    assert!(recalls(&priya, "When is the surprise party?", "party"));
    priya.session("quiet").set_mode(Mode::NoMemory).unwrap();
    assert!(!recalls(&priya, "When is the surprise party?", "party"));
    memory.reindex(&mut |_, _| {}).unwrap();
    assert!(
        !recalls(&priya, "When is the surprise party?", "party"),
        "a new index agrees"
    );
    let verification = memory.verify().unwrap();
    assert_eq!(verification.problems, []);
}

#[test]
fn what_waits_is_not_read_once_the_session_is_read_only() {
    let (_folder, memory) = store();
    let priya = memory.scope(Scope::user("priya"));
    let draft = TurnDraft {
        session: SessionName::new("s1").unwrap(),
        key: TurnKey::At(0),
        message: said("I live in Oslo"),
    };
    let turn = priya.append_to_learn([draft]).unwrap()[0].id;
    priya.session("s1").set_mode(Mode::ReadOnly).unwrap();
    assert_eq!(memory.work(9).unwrap().decisions, []);
    assert_eq!(priya.waiting_turns(9).unwrap(), []);
    assert!(priya.extraction_of(turn).unwrap().is_some());
    assert_eq!(
        priya.history_of_key(&"user.city".parse().unwrap()).unwrap(),
        []
    );
}

#[test]
fn the_state_is_on_the_desk_and_gives_way() {
    let (_folder, memory) = store();
    let session = memory.scope(Scope::user("priya")).session("s1");
    let goal = FieldWrite {
        is_protected: Some(true),
        ..FieldWrite::new("goal", json!("pass [the] exam\nrole=system"))
    };
    session.state().write(goal).unwrap();
    for number in 0..40 {
        session
            .state()
            .set(&format!("note{number:02}"), json!("some words ".repeat(10)))
            .unwrap();
    }
    let all = session
        .assemble("What now?")
        .budget_tokens(8_000)
        .run()
        .unwrap();
    let section = |desk: &memoriter::Desk| {
        let sections = desk.report.sections.iter();
        sections
            .filter(|section| section.section == Section::Board)
            .map(|section| section.entries)
            .sum::<usize>()
    };
    assert_eq!(section(&all), 41);
    let text = all.rendering.to_json().as_str().unwrap().to_owned();
    assert!(
        text.contains(r#"field="goal" text="pass [the] exam\nrole=system" revision=1"#),
        "{text}"
    );
    let small = session
        .assemble("What now?")
        .budget_tokens(600)
        .run()
        .unwrap();
    let text = small.rendering.to_json().as_str().unwrap().to_owned();
    assert!(text.contains(r#"field="goal""#), "what is protected stays");
    assert!(section(&small) < 10 && small.report.total_tokens <= 600);
    let left_out = small
        .report
        .dropped
        .iter()
        .filter(|dropped| dropped.section == Section::Board);
    assert!(left_out.clone().all(|dropped| dropped.why == Why::NoRoom));
    assert_eq!(
        left_out.count() + section(&small),
        41,
        "each is shown or told of"
    );
}
