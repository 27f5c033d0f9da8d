//! What a model reads in one call.

use std::sync::Arc;

use memoriter::core::desk::{Section, Why};
use memoriter::core::memory::Kind;
use memoriter::core::provenance::Origin;
use memoriter::core::time::{CalendarDay, ZonedTime};
use memoriter::core::turn::{Message, Role};
use memoriter::{Desk, Error, Form, Memoriter, Mode, Note, Scope, ScopedMemory, Session, TurnKey};
use memoriter_testkit::FixedClock;

fn day() -> ZonedTime {
    ZonedTime::from_day(CalendarDay {
        year: 2026,
        month: 8,
        day: 1,
    })
    .unwrap()
}

fn store() -> (tempfile::TempDir, Memoriter) {
    let folder = tempfile::tempdir().unwrap();
    let builder = Memoriter::builder().clock(Arc::new(FixedClock(day().instant)));
    let memory = builder.open(folder.path().join("memory.db")).unwrap();
    (folder, memory)
}

fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

/// Says things in turn, as user and assistant.
fn say<'t>(session: &Session, texts: impl IntoIterator<Item = &'t str>) {
    let turns = (0_u64..).zip(texts).map(|(number, text)| {
        let role = if number % 2 == 0 {
            Role::User
        } else {
            Role::Assistant
        };
        (TurnKey::At(number), Message::new(role, text, day()))
    });
    session.append(turns).unwrap();
}

fn text(desk: &Desk) -> String {
    desk.rendering.to_json().as_str().unwrap().to_owned()
}

#[test]
fn facts_turns_and_what_bears_on_the_message_are_on_the_desk() {
    let (_folder, memory) = store();
    let priya = priya(&memory);
    let city = Note::new("I live in Munich")
        .key("user.city".parse().unwrap())
        .value("Munich");
    priya.remember(city).unwrap();
    priya
        .remember("Professor Bauer handed out a long reading list")
        .unwrap();
    priya
        .remember(Note::new("Answer in metric units").kind(Kind::Procedural))
        .unwrap();
    let session = priya.session("s1");
    say(&session, ["Hello, a quick question.", "Sure, go ahead."]);
    let desk = session
        .assemble("What did Professor Bauer hand out?")
        .system("You are a tutor.")
        .budget_tokens(2_000)
        .run()
        .unwrap();
    let text = text(&desk);
    let order = [
        "You are a tutor.",
        "metric units",
        "\"user.city\"",
        "a quick question",
        "a long reading list",
        "What did Professor Bauer hand out?",
    ];
    let places: Vec<usize> = order
        .iter()
        .map(|part| {
            text.find(part)
                .unwrap_or_else(|| panic!("{part} in {text}"))
        })
        .collect();
    assert!(places.is_sorted(), "{text}");
    assert!(desk.report.total_tokens <= 2_000);
}

#[test]
fn a_session_without_memory_reads_and_writes_none() {
    let (_folder, memory) = store();
    let priya = priya(&memory);
    priya
        .remember(
            Note::new("I live in Munich")
                .key("user.city".parse().unwrap())
                .value("Munich"),
        )
        .unwrap();
    let before = priya.list(&[], None, 100).unwrap().memories.len();
    for (mode, reads, writes) in [
        (Mode::NoMemory, false, false),
        (Mode::ReadOnly, true, false),
        (Mode::Full, true, true),
    ] {
        let session = priya.session(format!("{mode:?}")).mode(mode);
        say(&session, ["My favourite colour is green."]);
        let desk = session.assemble("Where do I live?").run().unwrap();
        assert_eq!(text(&desk).contains("Munich"), reads, "{mode:?}");
        assert!(
            text(&desk).contains("green"),
            "{mode:?}: its own turns are there"
        );
        let after = priya.list(&[], None, 100).unwrap().memories.len();
        assert_eq!(after > before, writes, "{mode:?}");
    }
}

#[test]
fn nothing_is_stored_by_looking() {
    let (_folder, memory) = store();
    let session = priya(&memory).session("s1");
    say(&session, ["Hello", "Hi"]);
    let head = memory.head().unwrap();
    let first = session.assemble("What now?").run().unwrap();
    assert_eq!(session.assemble("What now?").run().unwrap(), first);
    assert_eq!(memory.head().unwrap(), head);
    let new = priya(&memory).session("new");
    let desk = new.assemble("What about Norway?").run().unwrap();
    assert_eq!(desk.report.sections.len(), 1, "a session need not be there");
}

#[test]
fn another_user_sees_nothing_of_it() {
    let (_folder, memory) = store();
    let session = priya(&memory).session("s1");
    say(&session, ["My dog is called Biscuit."]);
    let ben = memory.scope(Scope::user("ben"));
    let desk = ben
        .session("s1")
        .assemble("What is my dog called?")
        .run()
        .unwrap();
    assert!(!text(&desk).contains("Biscuit"));
    assert_ne!(
        desk.boundary,
        session.assemble("Hi").run().unwrap().boundary
    );
}

#[test]
fn a_long_session_keeps_its_instructions_and_its_end() {
    let (_folder, memory) = store();
    let session = priya(&memory).session("s1").mode(Mode::ReadOnly);
    let instruction = Message::new(Role::System, "Speak plainly.", day());
    session
        .append([(TurnKey::Given("system".to_owned()), instruction)])
        .unwrap();
    let texts: Vec<String> = (0..600)
        .map(|number| format!("This is thing number {number}, and it says no more than that."))
        .collect();
    say(&session, texts.iter().map(String::as_str));
    let assembly = session
        .assemble("And now?")
        .budget_tokens(3_000)
        .form(Form::OpenAi);
    let desk = assembly.run().unwrap();
    let messages = desk.rendering.to_json();
    assert!(
        messages[0]["content"]
            .as_str()
            .unwrap()
            .contains("Speak plainly.")
    );
    let messages = messages.as_array().unwrap();
    assert!(
        messages[messages.len() - 2]["content"]
            .as_str()
            .unwrap()
            .contains("number 599")
    );
    assert!(
        desk.report
            .dropped
            .iter()
            .any(|dropped| dropped.why == Why::InASpan && dropped.what.starts_with("turns 0-"))
    );
    let full = assembly.full_history_tokens().unwrap();
    assert!(full > 4 * desk.report.total_tokens, "{full}");
}

#[test]
fn too_small_a_budget_is_an_error_with_the_number() {
    let (_folder, memory) = store();
    let session = priya(&memory).session("s1");
    let Err(Error::Desk(error)) = session.assemble("What now?").budget_tokens(5).run() else {
        panic!("five tokens are too few");
    };
    assert!(
        error
            .to_string()
            .starts_with("a budget of 5 tokens is too small"),
        "{error}"
    );
    assert!(session.assemble(" ").run().is_err());
}

#[test]
fn what_was_read_is_a_fifth_of_what_is_recalled() {
    let (_folder, memory) = store();
    let priya = priya(&memory);
    for number in 0..80 {
        let mut message = Message::new(
            Role::Tool,
            format!("The boiler report number {number} says it is broken."),
            day(),
        );
        message.tool_call_id = Some(format!("c{number}"));
        priya
            .session("other")
            .append([(TurnKey::At(number), message)])
            .unwrap();
    }
    for number in 0..10 {
        priya
            .remember(format!("The boiler in flat {number} was repaired by Sam").as_str())
            .unwrap();
    }
    let desk = priya
        .session("s1")
        .assemble("What about the boiler?")
        .budget_tokens(2_000)
        .run()
        .unwrap();
    let pieces = desk
        .rendering
        .pieces(&desk.boundary, &memoriter::provider::tokens::Estimate)
        .unwrap();
    let recalled: Vec<_> = pieces
        .iter()
        .filter(|piece| piece.section == Section::Recalled)
        .collect();
    let of_tools = recalled
        .iter()
        .filter(|piece| piece.get("origin") == Some(Origin::Tool.as_str()));
    let tokens: usize = of_tools.map(|piece| piece.tokens).sum();
    assert!(tokens > 0 && tokens * 5 <= 2_000, "{tokens}");
    assert!(
        recalled
            .iter()
            .any(|piece| piece.get("origin") == Some("user"))
    );
}
