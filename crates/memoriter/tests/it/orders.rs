//! Texts that arrive in any order: what is true in the end does not depend on it.

use std::collections::BTreeSet;

use memoriter::core::turn::Role;
use memoriter::{Note, Scope};

use crate::learning::{World, day};

/// Every order of a few things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(count - 1);
    let with_last = |order: Vec<usize>| {
        (0..count).map(move |place| {
            let mut order = order.clone();
            order.insert(place, count - 1);
            order
        })
    };
    shorter.into_iter().flat_map(with_last).collect()
}

type Told<'a> = &'a [(i64, &'a str)];

/// Tells everything in every order, each to a user of his own on day 60, and looks what has become of it.
#[track_caller]
fn check(told: Told<'_>, look: impl Fn(&World, &[usize])) {
    let mut world = World::new();
    world.wait_for(60);
    for order in orders(told.len()) {
        world.priya = world.memory.scope(Scope::user(&format!("{order:?}")));
        for index in &order {
            let (number, text) = told[*index];
            world.hear(&[(Role::User, number, text)]);
            let live = world.live("user.city");
            assert!(live.len() <= 1, "{order:?} after {index}: {live:?}");
        }
        look(&world, &order);
    }
}

#[test]
fn the_order_in_which_turns_arrive_does_not_matter() {
    let told = [
        (1, "I live in Berlin"),
        (10, "I moved to Munich"),
        (20, "Forget where I live"),
        (30, "I moved to Oslo"),
    ];
    check(&told, |world, order| {
        assert_eq!(world.live("user.city"), ["Oslo"], "{order:?}");
        // All of it again, in one piece and in its own order, brings nothing back.
        let all = told.map(|(day, text)| (Role::User, day, text));
        assert!(world.hear(&all).is_empty(), "{order:?}");
        assert_eq!(world.live("user.city"), ["Oslo"], "{order:?}");
    });
}

#[test]
fn that_something_has_ended_holds_against_older_texts_that_come_later() {
    let told = [
        (1, "I have a dog named Rex"),
        (5, "I have a dog"),
        (9, "I no longer have a dog"),
        (12, "I have a cat"),
        (20, "I have a dog named Max"),
    ];
    check(&told, |world, order| {
        assert_eq!(
            world.live("user.pet"),
            ["cat", "dog named Max"],
            "{order:?}"
        );
    });
}

#[test]
fn that_a_single_value_has_ended_holds_in_any_order() {
    let told = [
        (1, "I live in Oslo"),
        (5, "I live in Berlin"),
        (9, "I no longer live in Berlin"),
    ];
    check(&told, |world, order| {
        assert_eq!(world.live("user.city"), [""; 0], "{order:?}");
        let recall = world.priya.recall("Where do I live?").as_of(day(6).instant);
        let hits = recall.run().unwrap();
        let facts = hits.iter().filter(|hit| hit.memory_id().is_some());
        let then: BTreeSet<&str> = facts.map(memoriter::Recalled::text).collect();
        assert_eq!(then, BTreeSet::from(["I live in Berlin"]), "{order:?}");
    });
}

/// What is said anew after an end is true, also where the older texts and the end come after it.
#[test]
fn what_is_said_after_an_end_is_not_ended_by_it() {
    let told = [
        (3, "I'm allergic to nuts"),
        (9, "I'm not allergic to nuts any more"),
        (12, "I have been allergic to nuts since 2010"),
    ];
    check(&told, |world, order| {
        assert_eq!(world.live("user.allergy"), ["nuts"], "{order:?}");
    });
}

#[test]
fn what_is_said_again_after_another_value_is_so() {
    let told = [
        (0, "I moved to Oslo"),
        (8, "I live in Berlin"),
        (28, "I moved to Oslo"),
    ];
    check(&told, |world, order| {
        assert_eq!(world.live("user.city"), ["Oslo"], "{order:?}");
    });
}

#[test]
fn of_values_that_began_together_the_one_said_last_is_so() {
    let told = [(27, "I live in Berlin"), (34, "I moved to Rome last week")];
    check(&told, |world, order| {
        assert_eq!(world.live("user.city"), ["Rome"], "{order:?}");
    });
}

#[test]
fn what_is_said_after_a_request_is_not_meant_though_it_began_before() {
    let told = [(1, "Forget where I live"), (7, "I moved to Rome last week")];
    check(&told, |world, order| {
        assert_eq!(world.live("user.city"), ["Rome"], "{order:?}");
    });
}

/// A value that was said again between two others is known to have been true then, whatever came in first.
#[test]
fn a_value_of_the_past_that_is_said_again_stays_in_its_place() {
    let told = [
        (31, "I'm vegan"),
        (1, "I'm vegetarian"),
        (15, "I'm vegetarian"),
        (2, "I'm vegan"),
    ];
    let world = World::new();
    world.wait_for(60);
    for (number, text) in told {
        world.hear(&[(Role::User, number, text)]);
    }
    let values = || {
        let versions = world.priya.history_of_key(&"user.diet".parse().unwrap());
        versions.unwrap().len()
    };
    let before = values();
    let copy = |(number, text)| Note::new(text).told_at(day(number));
    for said in told.map(copy) {
        world.priya.remember(said).unwrap();
    }
    assert_eq!(values(), before, "the same words say nothing new");
}

/// What is said after a request is not meant by it, though it is history by then.
#[test]
fn a_request_that_is_read_again_leaves_what_was_said_after_it() {
    let world = World::new();
    world.wait_for(60);
    let told = [
        (10, "Forget where I live"),
        (12, "I live in Berlin"),
        (13, "I moved to Rome last week"),
    ];
    for (number, text) in told {
        world.hear(&[(Role::User, number, text)]);
    }
    let states = || {
        let versions = world.priya.history_of_key(&"user.city".parse().unwrap());
        let versions = versions.unwrap();
        versions.iter().map(|one| one.state).collect::<Vec<_>>()
    };
    let before = states();
    let again = Note::new("Forget where I live").told_at(day(10));
    world.priya.remember(again).unwrap();
    assert_eq!(states(), before);
}
