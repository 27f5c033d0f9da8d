//! Clocks that go wrong: nothing is out of use early, lists stay whole, numbers stay finite.

use std::collections::BTreeSet;
use std::sync::Arc;

use memoriter::core::id::MemoryId;
use memoriter::core::memory::{Kind, State};
use memoriter::core::port::Clock;
use memoriter::core::time::{DAY_MICROS, Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Memoriter, Note, Scope, ScopedMemory, TurnDraft, TurnKey};
use memoriter_testkit::StepClock;
use proptest::prelude::*;

/// Noon of 1 June 2026.
const START: i64 = 1_780_315_200_000_000;
const HOUR: i64 = 3_600_000_000;
/// Memories of a world.
const FACTS: usize = 120;

struct World {
    folder: tempfile::TempDir,
    clock: Arc<StepClock>,
    memory: Memoriter,
}

impl World {
    /// A store whose clock moves by `step` with each look at it.
    fn new(step: i64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(StepClock::new(Timestamp::from_micros(START), step));
        let builder = Memoriter::builder().clock(Arc::clone(&clock) as Arc<dyn Clock>);
        let memory = builder.open(folder.path().join("memory.db")).unwrap();
        Self {
            folder,
            clock,
            memory,
        }
    }

    fn priya(&self) -> ScopedMemory {
        self.memory.scope(Scope::user("priya"))
    }

    /// Facts of all kinds, some of which expire in a month, and a talk.
    fn fill(&self) -> BTreeSet<MemoryId> {
        let priya = self.priya();
        let month = Timestamp::from_micros(START + 30 * DAY_MICROS);
        let mut ids = BTreeSet::new();
        for number in 0..FACTS {
            let kind = if number % 2 == 0 {
                Kind::Episodic
            } else {
                Kind::Semantic
            };
            let mut note = Note::new(format!("Parcel {number} went to the harbour")).kind(kind);
            if number % 5 == 0 {
                note = note.expires_at(month);
            }
            ids.extend(priya.remember(note).unwrap()[0].id);
        }
        let talk = (0..6_u64).map(|number| said("talk", number, START));
        priya.append(talk).unwrap();
        ids
    }
}

fn said(session: &str, number: u64, micros: i64) -> TurnDraft {
    let at = ZonedTime::utc(Timestamp::from_micros(micros));
    TurnDraft {
        session: SessionName::new(session).unwrap(),
        key: TurnKey::At(number),
        message: Message::new(Role::User, format!("Parcel {number} is on its way"), at),
    }
}

/// Every page of a list.
fn pages(priya: &ScopedMemory, states: &[State], size: usize) -> Vec<MemoryId> {
    let (mut ids, mut after) = (Vec::new(), None);
    loop {
        let page = priya.list(states, after, size).unwrap();
        ids.extend(page.memories.iter().map(|memory| memory.id));
        after = page.next;
        if after.is_none() {
            return ids;
        }
    }
}

/// What holds at any time: each id once, scores and parts between their bounds, a desk inside its budget.
#[track_caller]
fn check(world: &World, ids: &BTreeSet<MemoryId>) {
    let priya = world.priya();
    for size in [1, 7, 100] {
        let listed = pages(&priya, State::ALL, size);
        assert_eq!(listed.len(), ids.len(), "pages of {size}");
        assert_eq!(&listed.into_iter().collect::<BTreeSet<_>>(), ids);
    }
    let hits = priya
        .recall("Which parcel went to the harbour?")
        .top(50)
        .run();
    let hits = hits.unwrap();
    let scores: Vec<f32> = hits.iter().map(|hit| hit.score).collect();
    assert!(
        scores.iter().all(|score| (0.0..=1.0).contains(score)),
        "{scores:?}"
    );
    assert!(scores.is_sorted_by(|one, next| one >= next));
    for hit in &hits {
        let recency = hit.parts.recency;
        assert!((0.0..=1.0).contains(&recency), "an age below 0: {recency}");
    }
    let session = priya.session("talk");
    let desk = session.assemble("Where is parcel 3?").budget_tokens(600);
    let desk = desk.run().unwrap();
    assert!(desk.report.total_tokens <= 600);
    assert_eq!(world.memory.verify().unwrap().problems, []);
}

fn expired(priya: &ScopedMemory) -> usize {
    pages(priya, &[State::Expired], 1_000).len()
}

#[test]
fn a_clock_that_goes_back_expires_nothing_early_and_one_that_leaps_expires_what_is_over() {
    let world = World::new(1_000);
    let ids = world.fill();
    let priya = world.priya();
    for (days, over) in [
        (0, 0),
        (-1, 0),
        // Back where it was, and on to the last day.
        (1, 0),
        (29, 0),
        (2, FACTS / 5),
        // Who set the clock back has them again: expiry is told by it.
        (-5, 0),
        (3_650, FACTS / 5),
        (-3_650, 0),
    ] {
        world.clock.leap(days * DAY_MICROS);
        assert_eq!(expired(&priya), over, "after {days} days");
        check(&world, &ids);
    }
}

#[test]
fn what_is_written_with_the_clock_a_day_back_is_whole_and_in_order_of_arrival() {
    let world = World::new(1_000);
    let mut ids = world.fill();
    let before: Vec<MemoryId> = pages(&world.priya(), State::ALL, 50);
    world.clock.leap(-DAY_MICROS);
    let priya = world.priya();
    let late = priya.remember("Parcel 500 went to the airport").unwrap()[0].id;
    ids.extend(late);
    let listed = pages(&priya, State::ALL, 50);
    assert_eq!(listed[..before.len()], before);
    assert_eq!(listed.last().copied(), late);
    priya
        .append([said("talk", 6, START - 2 * DAY_MICROS)])
        .unwrap();
    let turns = priya
        .turns(&SessionName::new("talk").unwrap(), 0, 10)
        .unwrap();
    let positions: Vec<u32> = turns.rows.iter().map(|turn| turn.position).collect();
    assert_eq!(positions, [0, 1, 2, 3, 4, 5, 6]);
    check(&world, &ids);
    // A newer value that comes with an older time is still the one that was said last.
    for value in ["Berlin", "Munich"] {
        let note = Note::new(format!("I live in {value}"));
        let note = note.key("user.city".parse().unwrap()).value(value);
        priya.remember(note).unwrap();
        world.clock.leap(-HOUR);
    }
    let live = priya.live_under(&"user.city".parse().unwrap()).unwrap();
    assert_eq!(live.len(), 1);
    drop(priya);
    let folder = world.folder;
    drop(world.memory);
    let again = Memoriter::open(folder.path().join("memory.db")).unwrap();
    assert_eq!(again.verify().unwrap().problems, []);
}

#[test]
fn a_clock_that_stands_still_or_runs_backwards_keeps_ids_apart() {
    for step in [0, -1, -1_000_000] {
        let world = World::new(step);
        let ids = world.fill();
        assert_eq!(ids.len(), FACTS);
        check(&world, &ids);
        let receipt = world
            .priya()
            .erase(memoriter::Selector::Matching("harbour".into()))
            .run()
            .unwrap();
        assert_eq!(receipt.state, memoriter::ReceiptState::Complete);
        assert_eq!(world.memory.verify().unwrap().problems, []);
    }
}

#[test]
fn an_instant_is_the_same_wherever_it_is_told() {
    // Each names 1 June 2026, 12:00 UTC; some on another day.
    for told in [
        "2026-06-01T12:00:00Z",
        "2026-06-01T01:00:00-11:00",
        "2026-06-01T17:45:00+05:45",
        "2026-06-02T02:00:00+14:00",
        "2026-06-01T14:00:00+02:00",
        "2026-05-31T12:00:01-23:59:59",
    ] {
        let time = ZonedTime::parse("expires", told).unwrap();
        assert_eq!(time.instant, Timestamp::from_micros(START), "{told}");
        let world = World::new(0);
        let priya = world.priya();
        world.clock.leap(-2 * HOUR);
        let note = Note::new("The gate is open").expires_at(time.instant);
        priya.remember(note).unwrap();
        for (micros, over) in [(2 * HOUR - 1, 0), (1, 1)] {
            world.clock.leap(micros);
            assert_eq!(expired(&priya), over, "{told}");
        }
    }
}

#[test]
fn an_hour_that_comes_twice_or_never_is_told_by_its_offset() {
    let instant = |told: &str| ZonedTime::parse("at", told).unwrap().instant;
    // Clocks go back: 02:30 comes twice, an hour apart.
    let twice = ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"];
    let [first, second] = twice.map(instant);
    assert_eq!(second.micros_since(first), HOUR);
    // Clocks go forward: the minute after 01:59 is 03:00.
    let [before, after] = ["2026-03-29T01:59:00+01:00", "2026-03-29T03:00:00+02:00"].map(instant);
    assert_eq!(after.micros_since(before), 60_000_000);
    // An hour that is not there names an instant all the same.
    assert_eq!(
        instant("2026-03-29T02:30:00+01:00"),
        instant("2026-03-29T03:30:00+02:00")
    );
    let world = World::new(1);
    world.clock.leap(400 * DAY_MICROS);
    let priya = world.priya();
    for (number, told) in twice.into_iter().enumerate() {
        let mut turn = said("night", number as u64, 0);
        turn.message.at = ZonedTime::parse("ts", told).unwrap();
        priya.append([turn]).unwrap();
    }
    let turns = priya
        .turns(&SessionName::new("night").unwrap(), 0, 9)
        .unwrap()
        .rows;
    assert!(turns[0].message.at.instant < turns[1].message.at.instant);
    assert_eq!(turns[0].message.at.to_exact(), "2026-10-25T02:30:00+02:00");
    for (value, told) in ["tea", "coffee"].into_iter().zip(twice) {
        let note = Note::new(format!("I drink {value}"));
        let note = note.key("user.drink".parse().unwrap()).value(value);
        let from = ZonedTime::parse("valid_from", told).unwrap();
        priya.remember(note.valid_from(from)).unwrap();
    }
    let live = priya.live_under(&"user.drink".parse().unwrap()).unwrap();
    assert_eq!(live[0].value.as_deref(), Some("coffee"));
}

/// What may happen to a clock, in minutes.
fn leaps() -> impl Strategy<Value = Vec<i64>> {
    let leap = prop_oneof![
        -90_i64..90,
        Just(-24 * 60),
        Just(24 * 60),
        Just(10 * 365 * 24 * 60),
        Just(-10 * 365 * 24 * 60),
    ];
    prop::collection::vec(leap, 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_clock_does_lists_are_whole_and_numbers_finite(leaps in leaps(), step in -2_000_i64..2_000) {
        let world = World::new(step);
        let mut ids = world.fill();
        for (number, minutes) in leaps.into_iter().enumerate() {
            world.clock.leap(minutes * 60_000_000);
            let note = Note::new(format!("Crate {number} went to the harbour"));
            ids.extend(world.priya().remember(note).unwrap()[0].id);
        }
        check(&world, &ids);
    }
}
