//! Values that are true for a time, from a later day on, or were true earlier: what is live, recalled and
//! listed, whatever the order in which it was told.

use std::collections::BTreeSet;
use std::sync::Arc;

use memoriter::core::id::MemoryId;
use memoriter::core::memory::{Kind, State};
use memoriter::core::port::Clock;
use memoriter::core::rank::gate::Gate;
use memoriter::core::time::{CalendarDay, DAY_MICROS, Timestamp, ZonedTime};
use memoriter::{DecisionKind, Memoriter, Note, Reason, Recall, Scope, ScopedMemory};
use memoriter_testkit::{SeededEntropy, StepClock};
use proptest::prelude::*;

/// A store on 1 June, and days from there.
struct World {
    folder: tempfile::TempDir,
    clock: Arc<StepClock>,
}

const VALUES: [&str; 4] = ["Berlin", "Munich", "Rome", "Oslo"];

impl World {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            clock: Arc::new(StepClock::new(day(0).instant, 1_000)),
        }
    }

    fn open(&self) -> ScopedMemory {
        let builder = Memoriter::builder()
            .clock(Arc::clone(&self.clock) as _)
            .entropy(Arc::new(SeededEntropy::new(11)));
        let memory = builder.open(self.folder.path().join("memory.db")).unwrap();
        memory.scope(Scope::user("priya"))
    }

    fn wait(&self, days: i64) {
        self.clock.leap(days * DAY_MICROS);
    }
}

/// So many days after 1 June 2023.
fn day(number: i64) -> ZonedTime {
    let june = CalendarDay {
        year: 2023,
        month: 6,
        day: 1,
    };
    let start = ZonedTime::from_day(june).unwrap().instant;
    ZonedTime::utc(start.plus_micros(number * DAY_MICROS))
}

fn city(value: &str) -> Note {
    Note::new(format!("I live in {value}"))
        .key("user.city".parse().unwrap())
        .value(value)
}

fn ids(recall: Recall<'_>) -> BTreeSet<MemoryId> {
    let recall = recall.top(200).gate(Gate::OPEN).without_marking();
    recall
        .run()
        .unwrap()
        .iter()
        .filter_map(memoriter::Recalled::memory_id)
        .collect()
}

fn listed(scope: &ScopedMemory, state: State) -> BTreeSet<MemoryId> {
    let page = scope.list(&[state], None, 1_000).unwrap();
    assert!(page.memories.iter().all(|memory| memory.state == state));
    page.memories.iter().map(|memory| memory.id).collect()
}

fn recalled(scope: &ScopedMemory, as_of: Option<Timestamp>) -> BTreeSet<MemoryId> {
    let recall = scope.recall("Where do I live?");
    ids(match as_of {
        Some(as_of) => recall.as_of(as_of),
        None => recall,
    })
}

#[test]
fn a_fact_of_a_later_day_changes_nothing_until_then() {
    let world = World::new();
    let scope = world.open();
    scope.remember(city("Berlin")).unwrap();
    let planned = scope.remember(city("Munich").valid_from(day(30))).unwrap()[0];
    assert_eq!(
        (planned.kind, planned.reason),
        (DecisionKind::Add, Reason::TrueLater)
    );
    let now = |scope: &ScopedMemory| {
        let hits = scope.recall("Which city do I live in?").run().unwrap();
        let texts: Vec<String> = hits.iter().map(|hit| hit.text().to_owned()).collect();
        texts
    };
    assert_eq!(now(&scope), ["I live in Berlin"]);
    assert_eq!(
        listed(&scope, State::Dormant),
        BTreeSet::from([planned.id.unwrap()])
    );
    assert_eq!(
        scope.get(planned.id.unwrap()).unwrap().state,
        State::Dormant
    );
    world.wait(31);
    assert_eq!(now(&scope), ["I live in Munich"]);
    assert_eq!(
        listed(&scope, State::Live),
        BTreeSet::from([planned.id.unwrap()])
    );
    // A correction of what was planned leaves one value, too.
    let corrected = memoriter::Correction {
        statement: "I live in Munich-Pasing".into(),
        ..memoriter::Correction::default()
    };
    let id = scope
        .update(planned.id.unwrap(), &corrected)
        .unwrap()
        .id
        .unwrap();
    assert_eq!(listed(&scope, State::Live), BTreeSet::from([id]));
    assert!(listed(&scope, State::Dormant).is_empty());
}

#[test]
fn what_is_past_its_time_is_listed_as_expired() {
    let world = World::new();
    let scope = world.open();
    let note = Note::new("The violin is at the workshop").expires_at(day(3).instant);
    let id = scope.remember(note).unwrap()[0].id.unwrap();
    assert_eq!(listed(&scope, State::Live), BTreeSet::from([id]));
    world.wait(3);
    assert!(listed(&scope, State::Live).is_empty());
    assert_eq!(listed(&scope, State::Expired), BTreeSet::from([id]));
    assert_eq!(scope.get(id).unwrap().state, State::Expired);
}

#[test]
fn an_event_is_recalled_before_and_after_its_day() {
    let world = World::new();
    let scope = world.open();
    let note = Note::new("Dentist appointment at nine")
        .kind(Kind::Episodic)
        .valid_from(day(10))
        .valid_to(day(11));
    scope.remember(note).unwrap();
    for _ in 0..3 {
        assert_eq!(scope.recall("When is the dentist?").run().unwrap().len(), 1);
        world.wait(10);
    }
}

#[derive(Clone, Debug)]
struct Telling {
    value: usize,
    from: Option<i64>,
    days: Option<i64>,
    wait: i64,
}

fn telling() -> impl Strategy<Value = Telling> {
    let from = prop::option::of(-40..60_i64);
    let days = prop::option::weighted(0.4, 1..30_i64);
    (0..VALUES.len(), from, days, 0..6_i64).prop_map(|(value, from, days, wait)| Telling {
        value,
        from,
        days,
        wait,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn one_value_is_live_at_any_time(tellings in prop::collection::vec(telling(), 1..16)) {
        let world = World::new();
        let scope = world.open();
        scope.remember("I play the violin").unwrap();
        for Telling { value, from, days, wait } in tellings {
            let mut note = city(VALUES[value]);
            if let Some(from) = from {
                note = note.valid_from(day(from));
                if let Some(days) = days {
                    note = note.valid_to(day(from + days));
                }
            }
            scope.remember(note).unwrap();
            world.wait(wait);
        }
        let fresh = world.open();
        for _ in 0..8 {
            let live = listed(&scope, State::Live);
            prop_assert!(live.len() <= 2, "the violin and one city");
            prop_assert_eq!(&recalled(&scope, None), &live);
            prop_assert_eq!(&recalled(&fresh, None), &live);
            // A question about now is the same as a question about this instant.
            prop_assert_eq!(&recalled(&scope, Some(world.clock.now())), &live);
            world.wait(15);
        }
        for number in (-45..130).step_by(7) {
            prop_assert!(recalled(&scope, Some(day(number).instant)).len() <= 2);
        }
    }
}
