//! Statements that come late, again or with another weight: what is known by then decides.

use memoriter::core::provenance::Origin;
use memoriter::core::time::ZonedTime;
use memoriter::core::write::value_until;
use memoriter::{DecisionKind, Note, Reason};

use crate::learning::{World, day, kinds};

#[test]
fn a_late_statement_does_not_beat_what_was_confirmed_after_it() {
    let world = World::new();
    world.wait_for(60);
    let note = |number: i64, text: &str| Note::new(text).told_at(day(number));
    let keyed = |number: i64, city: &str| {
        let key = "user.city".parse().unwrap();
        note(number, &format!("I live in {city}"))
            .key(key)
            .value(city)
    };
    for (first, again, late) in [
        (
            note(1, "I live in Berlin"),
            note(20, "I live in Berlin"),
            note(10, "I live in Oslo"),
        ),
        (keyed(1, "Berlin"), keyed(20, "Berlin"), keyed(10, "Oslo")),
        (
            note(1, "I live in Berlin and I have a cat"),
            note(20, "I live in Berlin and I have a cat"),
            note(10, "I live in Oslo and I have a dog"),
        ),
    ] {
        let world = World::new();
        world.wait_for(60);
        for said in [first, again, late] {
            world.priya.remember(said).unwrap();
        }
        assert_eq!(world.live("user.city"), ["Berlin"]);
    }
}

#[test]
fn how_much_a_rule_thinks_it_matters_is_no_news() {
    let world = World::new();
    let diet = Note::new("vegetarian").key("user.diet".parse().unwrap());
    world.priya.remember(diet).unwrap();
    let again = world.priya.remember("I don't eat meat").unwrap();
    assert_eq!(kinds(&again), [(DecisionKind::Skip, Reason::KnownValue)]);
    let known = world.priya.get(again[0].id.unwrap()).unwrap();
    assert_eq!(known.confirmations, 1);
    let new = World::new().priya.remember("I don't eat meat").unwrap();
    assert_eq!(new[0].kind, DecisionKind::Add);
    let weighed = Note::new("I don't eat meat")
        .importance(memoriter::core::memory::Importance::new(9).unwrap());
    let weighed = world.priya.remember(weighed).unwrap();
    assert_eq!(
        kinds(&weighed),
        [(DecisionKind::Update, Reason::NewDetails)]
    );
}

/// Lists, single memories and histories tell one end of a value, also where values arrive in any order.
#[test]
fn a_list_and_a_history_agree_on_when_a_value_ended() {
    let world = World::new();
    world.wait_for(100);
    for (number, city) in [(0, "Berlin"), (60, "Munich"), (30, "Rome"), (10, "Oslo")] {
        let note = Note::new(format!("I live in {city}"))
            .key("user.city".parse().unwrap())
            .value(city)
            .told_at(day(number));
        world.priya.remember(note).unwrap();
    }
    let history = world.priya.history_of_key(&"user.city".parse().unwrap());
    let history = history.unwrap();
    let listed = world.priya.list(&[], None, 10).unwrap().memories;
    assert_eq!(history.len(), 4);
    for version in &history {
        let until = value_until(version, &history);
        let in_list = listed
            .iter()
            .find(|memory| memory.id == version.id)
            .unwrap();
        assert_eq!(in_list.valid_to, until, "{:?}", version.value);
        assert_eq!(world.priya.get(version.id).unwrap().valid_to, until);
    }
    let berlin = history
        .iter()
        .find(|one| one.value.as_deref() == Some("Berlin"));
    let berlin = listed
        .iter()
        .find(|one| one.id == berlin.unwrap().id)
        .unwrap();
    assert_eq!(berlin.valid_to.map(ZonedTime::day), Some(day(10).day()));
}

#[test]
fn that_something_has_ended_waits_where_an_agent_says_so() {
    let world = World::new();
    world.priya.remember("I have a dog named Rex").unwrap();
    let said = Note::new("I no longer have a dog").origin(Origin::Agent);
    let asked = world.priya.remember(said).unwrap();
    assert_eq!(kinds(&asked), [(DecisionKind::Ask, Reason::LowerTrust)]);
    assert_eq!(world.live("user.pet"), ["dog named Rex"]);
    let waiting = world.priya.pending(None, 10).unwrap().memories;
    assert_eq!(waiting[0].statement, "I no longer have a dog");
    world.priya.approve(waiting[0].id).unwrap();
    assert_eq!(world.live("user.pet"), [""; 0]);
    assert_eq!(world.priya.pending(None, 10).unwrap().memories, []);
}

/// What is known, what is said then, and what is left under a key.
const CHANGES: &[(&str, &str, &str, &[&str])] = &[
    ("I have a dog named Rex", "Rex died", "user.pet", &[]),
    (
        "I have a dog named Rex",
        "Actually my dog's name is Max, not Rex",
        "user.pet",
        &["dog named Max"],
    ),
    (
        "I have a dog named Rex",
        "I no longer have any pets",
        "user.pet",
        &[],
    ),
    ("I work at Siemens", "I quit", "user.employer", &[]),
    (
        "I work at BMW",
        "I left BMW in March 2025",
        "user.employer",
        &[],
    ),
    (
        "My wife is called Anna",
        "We got divorced",
        "user.wife",
        &[],
    ),
    (
        "My wife is called Anna",
        "Anna and I split up",
        "user.wife",
        &[],
    ),
    (
        "My husband is called Tom",
        "Anna and I split up",
        "user.husband",
        &["Tom"],
    ),
    (
        "I'm allergic to nuts",
        "I have no allergies",
        "user.allergy",
        &[],
    ),
    (
        "My phone number is +49 170 1111111",
        "My new phone number is +49 170 2222222",
        "user.phone",
        &["+49 170 2222222"],
    ),
    (
        "Never use emojis",
        "You can use emojis again",
        "user.instruction",
        &[],
    ),
    (
        "Always use metric units",
        "You can use emojis again",
        "user.instruction",
        &["Always use metric units"],
    ),
    (
        "Please call me Al",
        "Don't call me Al",
        "user.nickname",
        &[],
    ),
    (
        "I live in Berlin",
        "I left Berlin for Munich",
        "user.city",
        &["Munich"],
    ),
    (
        "My car is a Fiat",
        "I sold the Fiat and bought a Tesla",
        "user.car",
        &["Tesla"],
    ),
];

#[test]
fn a_plain_change_ends_what_was_so() {
    for (known, change, key, left) in CHANGES {
        let world = World::new();
        world.priya.remember(*known).unwrap();
        world.wait_for(1);
        world.priya.remember(*change).unwrap();
        assert_eq!(world.live(key), *left, "{change}");
    }
}

#[test]
fn a_move_that_is_off_leaves_the_city_as_it_was() {
    for change in [
        "I'm not moving to Rome after all",
        "The move to Rome is cancelled",
    ] {
        let world = World::new();
        world.priya.remember("I live in Berlin").unwrap();
        world
            .priya
            .remember("I'm moving to Rome next month")
            .unwrap();
        world.wait_for(1);
        world.priya.remember(change).unwrap();
        assert_eq!(world.live("user.city"), ["Berlin"]);
        world.wait_for(90);
        assert_eq!(world.live("user.city"), ["Berlin"], "{change}");
    }
}

/// A friend may have the name of a dog that nobody has told of.
#[test]
fn what_is_only_concluded_ends_what_is_known_and_keeps_nothing() {
    let world = World::new();
    world.wait_for(60);
    let said = Note::new("Rex died").told_at(day(20));
    let decided = world.priya.remember(said).unwrap();
    assert!(
        decided
            .iter()
            .all(|decided| decided.reason != Reason::NothingToEnd),
        "{decided:?}"
    );
    let earlier = Note::new("I have a dog named Rex").told_at(day(10));
    world.priya.remember(earlier).unwrap();
    assert_eq!(world.live("user.pet"), ["dog named Rex"]);
}
