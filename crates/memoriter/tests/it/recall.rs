//! What a recall returns, and what it leaves out.

use std::sync::Arc;

use memoriter::core::memory::{Importance, Kind};
use memoriter::core::metadata::Metadata;
use memoriter::core::provenance::Origin;
use memoriter::core::query::Records;
use memoriter::core::time::{CalendarDay, Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Memoriter, Note, Scope, ScopedMemory, TurnDraft, TurnKey};
use memoriter_testkit::FixedClock;

fn day(month: i8, day: i8) -> ZonedTime {
    ZonedTime::from_day(CalendarDay {
        year: 2026,
        month,
        day,
    })
    .unwrap()
}

fn store() -> (tempfile::TempDir, Memoriter) {
    let folder = tempfile::tempdir().unwrap();
    let builder = Memoriter::builder().clock(Arc::new(FixedClock(day(8, 1).instant)));
    let memory = builder.open(folder.path().join("memory.db")).unwrap();
    (folder, memory)
}

fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

fn say(scope: &ScopedMemory, lines: &[(Role, &str)]) {
    let turns = (0_u64..)
        .zip(lines)
        .map(|(number, (role, text))| TurnDraft {
            session: SessionName::new("s1").unwrap(),
            key: TurnKey::At(number),
            message: Message::new(*role, *text, day(5, 8)),
        });
    scope.append(turns).unwrap();
}

fn texts(scope: &ScopedMemory, question: &str) -> Vec<String> {
    scope
        .recall(question)
        .run()
        .unwrap()
        .iter()
        .map(|hit| hit.text().to_owned())
        .collect()
}

#[test]
fn an_episode_brings_its_neighbours() {
    let (_folder, memory) = store();
    let scope = priya(&memory);
    say(
        &scope,
        &[
            (Role::User, "Hello there"),
            (Role::Assistant, "Which instrument do you play?"),
            (Role::User, "The violin, since I was six"),
            (Role::Assistant, "Lovely!"),
        ],
    );
    let hits = scope.recall("violin").top(1).neighbours(1).run().unwrap();
    let around: Vec<&str> = hits[0]
        .neighbours
        .iter()
        .map(|turn| turn.message.content.as_str())
        .collect();
    assert_eq!(around, ["Which instrument do you play?", "Lovely!"]);
}

#[test]
fn instructions_are_kept_and_not_recalled() {
    let (_folder, memory) = store();
    let scope = priya(&memory);
    say(
        &scope,
        &[
            (Role::System, "You are a violin teacher"),
            (Role::User, "I play the violin"),
        ],
    );
    assert_eq!(texts(&scope, "violin"), ["I play the violin"]);
    assert_eq!(
        scope
            .turns(&SessionName::new("s1").unwrap(), 0, 10)
            .unwrap()
            .rows
            .len(),
        2
    );
}

#[test]
fn filters_hold_for_every_result() {
    let (_folder, memory) = store();
    let scope = priya(&memory);
    let tagged = Metadata::from_json(r#"{"team":"blue"}"#).unwrap();
    scope
        .remember(
            Note::new("The violin is old")
                .metadata(tagged)
                .category("music"),
        )
        .unwrap();
    scope
        .remember(
            Note::new("Tune the violin with a fork")
                .kind(Kind::Procedural)
                .valid_from(day(3, 1)),
        )
        .unwrap();
    say(&scope, &[(Role::User, "My violin broke")]);
    let ask = || scope.recall("violin").without_marking();
    let found = |recall: memoriter::Recall<'_>| {
        recall
            .run()
            .unwrap()
            .iter()
            .map(|hit| hit.text().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found(ask()).len(), 3);
    assert_eq!(
        found(ask().kind(Kind::Procedural)),
        ["Tune the violin with a fork"]
    );
    assert_eq!(
        found(ask().metadata("team", "blue".into())),
        ["The violin is old"]
    );
    assert_eq!(found(ask().category("music")), ["The violin is old"]);
    assert_eq!(found(ask().records(Records::Turns)), ["My violin broke"]);
    assert_eq!(
        found(ask().until(day(4, 1).instant)),
        ["Tune the violin with a fork"]
    );
    assert_eq!(
        found(ask().since(day(5, 1).instant).until(day(6, 1).instant)),
        ["My violin broke"]
    );
    assert_eq!(
        ask().kind(Kind::Procedural).recollect().unwrap().considered,
        1
    );
}

#[test]
fn the_past_is_asked_as_it_was_true() {
    let (_folder, memory) = store();
    let scope = priya(&memory);
    let city = |value: &str, since| {
        Note::new(format!("I live in {value}"))
            .key("user.city".parse().unwrap())
            .value(value)
            .valid_from(since)
    };
    scope.remember(city("Berlin", day(1, 1))).unwrap();
    scope.remember(city("Munich", day(4, 1))).unwrap();
    let ask = |as_of: Timestamp| {
        let hits = scope
            .recall("Which city do I live in?")
            .as_of(as_of)
            .run()
            .unwrap();
        hits.iter()
            .map(|hit| hit.text().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ask(day(2, 1).instant), ["I live in Berlin"]);
    assert_eq!(ask(day(5, 1).instant), ["I live in Munich"]);
    assert!(ask(day(1, 1).instant.plus_micros(-1)).is_empty());
    assert_eq!(
        texts(&scope, "Which city do I live in?"),
        ["I live in Munich"]
    );
    let before_everything = scope
        .recall("city")
        .known_at(day(7, 1).instant)
        .run()
        .unwrap();
    assert!(
        before_everything.is_empty(),
        "nothing was known before it was recorded"
    );
}

#[test]
fn what_is_past_its_time_is_not_recalled() {
    let (_folder, memory) = store();
    let scope = priya(&memory);
    scope
        .remember(Note::new("The violin is at the workshop").expires_at(day(7, 1).instant))
        .unwrap();
    scope
        .remember(Note::new("The violin costs much").expires_at(day(9, 1).instant))
        .unwrap();
    assert_eq!(texts(&scope, "violin"), ["The violin costs much"]);
}

#[test]
fn what_was_read_fills_a_fifth_at_most() {
    let (_folder, memory) = store();
    let scope = priya(&memory);
    let turns = (0..20_u64).map(|number| {
        let mut message = Message::new(Role::Tool, format!("violin page {number}"), day(5, 8));
        message.origin = Origin::Web;
        TurnDraft {
            session: SessionName::new("web").unwrap(),
            key: TurnKey::At(number),
            message,
        }
    });
    scope.append(turns).unwrap();
    say(&scope, &[(Role::User, "My violin is red")]);
    let hits = scope.recall("violin").top(10).run().unwrap();
    let external = hits
        .iter()
        .filter(|hit| hit.text().starts_with("violin page"))
        .count();
    assert_eq!((hits.len(), external), (3, 2));
    assert_eq!(
        scope
            .recall("violin")
            .top(10)
            .origin(Origin::Web)
            .run()
            .unwrap()
            .len(),
        10
    );
}

#[test]
fn the_same_words_are_returned_once() {
    let (_folder, memory) = store();
    let scope = priya(&memory);
    let again = [
        "I love the violin",
        "i love the violin.",
        "I love the violin",
        "And the harp",
    ];
    say(&scope, &again.map(|text| (Role::User, text)));
    let hits = texts(&scope, "violin love");
    assert_eq!(
        hits.iter()
            .filter(|text| text.to_lowercase().starts_with("i love"))
            .count(),
        1,
        "{hits:?}"
    );
}

#[test]
fn importance_raises_the_score_a_little() {
    let score = |importance| {
        let (_folder, memory) = store();
        let scope = priya(&memory);
        scope
            .remember(Note::new("A violin lesson").importance(Importance::new(importance).unwrap()))
            .unwrap();
        scope.recall("violin lesson").run().unwrap()[0].score
    };
    let raise = score(10) - score(1);
    assert!(raise > 0.001 && raise < 0.01, "{raise}");
}

#[test]
fn an_agent_sees_its_user_and_a_user_not_the_agent() {
    let (_folder, memory) = store();
    let user = priya(&memory);
    let agent = memory.scope(Scope::user("priya").within("agent", "tutor").unwrap());
    user.remember("My violin is red").unwrap();
    agent.remember("Priya learns the violin slowly").unwrap();
    assert_eq!(texts(&agent, "violin").len(), 2);
    assert_eq!(texts(&user, "violin"), ["My violin is red"]);
}

#[test]
fn numbers_out_of_range_are_named() {
    let (_folder, memory) = store();
    let scope = priya(&memory);
    for top in [0, 201] {
        let error = scope.recall("violin").top(top).run().unwrap_err();
        assert!(
            error
                .to_string()
                .contains("top must be a whole number from 1 to 200"),
            "{error}"
        );
    }
    assert!(scope.recall("violin").min_relevance(1.5).run().is_err());
}

#[test]
fn a_recall_is_counted_and_one_without_marking_is_not() {
    let (_folder, memory) = store();
    let scope = priya(&memory);
    let id = scope.remember("My violin is red").unwrap()[0].id.unwrap();
    scope.recall("violin").run().unwrap();
    scope.recall("violin").without_marking().run().unwrap();
    memory.flush();
    let remembered = scope.get(id).unwrap();
    assert_eq!(
        (remembered.recall_count, remembered.last_recalled_at),
        (1, Some(day(8, 1).instant))
    );
}
