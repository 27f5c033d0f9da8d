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
