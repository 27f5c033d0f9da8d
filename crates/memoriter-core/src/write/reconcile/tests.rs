mod attempts;
mod trust;

use super::samples::{TODAY, city, day};
use super::*;
use crate::id::MemoryId;
use crate::memory::{FactKey, Importance, Kind};
use crate::provenance::Origin;
use crate::time::ZonedTime;
use crate::write::{state_at, value_until};

/// Applies resolutions one after another, as the engine does.
#[derive(Default)]
struct Book(Vec<Memory>);

impl Book {
    #[track_caller]
    fn tell(&mut self, candidate: Memory, kind: DecisionKind, reason: Reason) -> Decision {
        let resolution = reconcile(candidate, &self.0, day(TODAY));
        assert_eq!(
            (resolution.decision.kind, resolution.decision.reason),
            (kind, reason)
        );
        for update in resolution.updates {
            let place = self
                .0
                .iter()
                .position(|memory| memory.id == update.id)
                .unwrap();
            self.0[place] = update;
        }
        self.0.extend(resolution.insert);
        resolution.decision
    }

    /// Values that are live when it is day `number`.
    fn live_on(&self, number: i64) -> Vec<&str> {
        self.0
            .iter()
            .filter(|memory| state_at(memory, &self.0, day(number)) == State::Live)
            .map(Memory::value_or_statement)
            .collect()
    }

    fn live(&self) -> Vec<&str> {
        self.live_on(TODAY)
    }

    /// The value that was true on day `number`, by what is known at the end.
    fn true_at(&self, number: i64) -> Option<&str> {
        self.0
            .iter()
            .filter(|memory| memory.was_true(day(number), day(400)))
            .max_by_key(|memory| memory.precedence())
            .map(Memory::value_or_statement)
    }
}

#[test]
fn a_newer_value_takes_the_place_of_the_old_one() {
    let mut book = Book::default();
    book.tell(city(1, "Berlin", 1), DecisionKind::Add, Reason::NewKey);
    let decision = book.tell(
        city(2, "Munich", 33),
        DecisionKind::Update,
        Reason::NewerValue,
    );
    assert_eq!(decision.supersedes, Some(MemoryId::from_bytes([1; 16])));
    assert_eq!(book.live(), ["Munich"]);
    assert_eq!(book.true_at(32), Some("Berlin"));
    assert_eq!(book.true_at(33), Some("Munich"));
    assert_eq!(book.0[1].version, 2);
    assert_eq!(book.0[0].superseded_by, Some(book.0[1].id));
}

#[test]
fn the_same_value_is_a_confirmation() {
    let mut book = Book::default();
    book.tell(city(1, "Berlin", 1), DecisionKind::Add, Reason::NewKey);
    book.tell(
        city(2, " berlin. ", 5),
        DecisionKind::Skip,
        Reason::KnownValue,
    );
    assert_eq!((book.0.len(), book.0[0].confirmations), (1, 1));
    let heard = Memory {
        origin: Origin::Agent,
        trust: Origin::Agent.trust(),
        ..city(3, "Berlin", 6)
    };
    book.tell(heard, DecisionKind::Skip, Reason::KnownValue);
    assert_eq!(
        book.0[0].confirmations, 1,
        "an agent does not confirm what the user said"
    );
}

/// Files of format 1 do not say apart from it which end was told.
#[test]
fn a_bounded_value_that_is_corrected_at_its_start_keeps_the_end_that_was_known() {
    let trip = Memory {
        state: State::Live,
        valid_to: Some(ZonedTime::utc(day(30))),
        recorded_at: day(5),
        ..city(1, "Rome", 10)
    };
    let instead = Memory {
        valid_to: Some(ZonedTime::utc(day(40))),
        recorded_at: day(12),
        ..city(2, "Oslo", 10)
    };
    let replaced = reconcile(instead.clone(), std::slice::from_ref(&trip), day(12));
    let corrected = crate::write::correct(&trip, instead, &[], day(12));
    for resolution in [replaced, corrected] {
        let past = &resolution.updates[0];
        assert_eq!(past.valid_to, Some(trip.valid_from), "it was never true");
        assert!(past.was_true(day(29), day(11)), "as it was known then");
        assert!(!past.was_true(day(30), day(11)), "with its end");
        assert!(!past.was_true(day(29), day(12)), "as it is known now");
        assert_eq!(past.clone().as_known_at(day(11)).valid_to, trip.valid_to);
    }
}

#[test]
fn a_late_report_of_an_earlier_value_is_history() {
    let mut book = Book::default();
    book.tell(city(1, "Berlin", 10), DecisionKind::Add, Reason::NewKey);
    book.tell(
        city(2, "Munich", 40),
        DecisionKind::Update,
        Reason::NewerValue,
    );
    book.tell(
        city(3, "Hamburg", 20),
        DecisionKind::Backfill,
        Reason::EarlierValue,
    );
    book.tell(
        city(4, "Rome", 5),
        DecisionKind::Backfill,
        Reason::EarlierValue,
    );
    assert_eq!(book.live(), ["Munich"]);
    for (number, expected) in [
        (4, None),
        (7, Some("Rome")),
        (15, Some("Berlin")),
        (30, Some("Hamburg")),
        (50, Some("Munich")),
    ] {
        assert_eq!(book.true_at(number), expected, "day {number}");
    }
    book.tell(
        city(5, "Hamburg", 25),
        DecisionKind::Skip,
        Reason::KnownThen,
    );
}

#[test]
fn every_order_of_arrival_gives_the_same_timeline() {
    let told = [("Berlin", 10), ("Hamburg", 20), ("Munich", 30)];
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let mut book = Book::default();
        for index in order {
            let (value, since) = told[index];
            let resolution = reconcile(
                city(u8::try_from(index).unwrap(), value, since),
                &book.0,
                day(200),
            );
            let decision = resolution.decision;
            book.tell(
                city(u8::try_from(index).unwrap(), value, since),
                decision.kind,
                decision.reason,
            );
        }
        assert_eq!(book.live(), ["Munich"], "{order:?}");
        assert_eq!(
            [book.true_at(15), book.true_at(25), book.true_at(35)],
            [Some("Berlin"), Some("Hamburg"), Some("Munich")],
            "{order:?}"
        );
    }
}

#[test]
fn sets_hold_many_values_and_each_once() {
    let set = |id, value: &str| Memory {
        key: Some((FactKey::new("user", "allergy").unwrap(), Cardinality::Set)),
        ..city(id, value, 1)
    };
    let mut book = Book::default();
    book.tell(set(1, "peanuts"), DecisionKind::Add, Reason::NewValue);
    book.tell(set(2, "shellfish"), DecisionKind::Add, Reason::NewValue);
    book.tell(set(3, "Peanuts"), DecisionKind::Skip, Reason::KnownValue);
    assert_eq!(book.live(), ["peanuts", "shellfish"]);
}

#[test]
fn text_without_key_is_known_word_for_word_only() {
    let text = |id, statement: &str| Memory {
        key: None,
        value: None,
        statement: statement.into(),
        ..city(id, "", 1)
    };
    let mut book = Book::default();
    book.tell(
        text(1, "My exam is on 14 March"),
        DecisionKind::Add,
        Reason::NewText,
    );
    book.tell(
        text(2, "my exam is on 14 march."),
        DecisionKind::Skip,
        Reason::KnownText,
    );
    book.tell(
        text(3, "My exam is on 15 March"),
        DecisionKind::Add,
        Reason::NewText,
    );
}

#[test]
fn an_expired_value_makes_room() {
    let mut book = Book::default();
    book.0.push(Memory {
        state: State::Live,
        expires_at: Some(day(150)),
        ..city(1, "Berlin", 1)
    });
    book.tell(
        city(2, "Berlin", 160),
        DecisionKind::Add,
        Reason::LastExpired,
    );
    assert_eq!(book.0[0].state, State::Expired);
    assert_eq!(book.live(), ["Berlin"]);
}

fn until(memory: Memory, end: i64) -> Memory {
    Memory {
        valid_to: Some(ZonedTime::utc(day(end))),
        told_to: Some(ZonedTime::utc(day(end))),
        ..memory
    }
}

#[test]
fn a_value_of_a_later_day_waits_for_it() {
    let mut book = Book::default();
    book.tell(city(1, "Berlin", 1), DecisionKind::Add, Reason::NewKey);
    book.tell(
        city(2, "Hamburg", 300),
        DecisionKind::Add,
        Reason::TrueLater,
    );
    assert_eq!(book.live_on(299), ["Berlin"]);
    assert_eq!(book.live_on(300), ["Hamburg"]);
    assert_eq!(book.true_at(299), Some("Berlin"));
    assert_eq!(book.true_at(301), Some("Hamburg"));
    // What is told now is the present value, and what was planned stays planned.
    book.tell(
        city(3, "Munich", 150),
        DecisionKind::Update,
        Reason::NewerValue,
    );
    assert_eq!(
        (book.live(), book.live_on(300)),
        (vec!["Munich"], vec!["Hamburg"])
    );
    book.tell(
        city(4, "Kiel", 300),
        DecisionKind::Update,
        Reason::TrueLater,
    );
    assert_eq!(
        (book.live(), book.live_on(300)),
        (vec!["Munich"], vec!["Kiel"])
    );
}

#[test]
fn a_day_that_has_come_is_history_for_what_follows() {
    let mut book = Book::default();
    book.tell(city(1, "Berlin", 1), DecisionKind::Add, Reason::NewKey);
    book.tell(
        city(2, "Hamburg", 300),
        DecisionKind::Add,
        Reason::TrueLater,
    );
    let late = Memory {
        recorded_at: day(350),
        ..city(3, "Kiel", 340)
    };
    let resolution = reconcile(late, &book.0, day(350));
    let decision = resolution.decision;
    assert_eq!(
        (decision.kind, decision.supersedes),
        (DecisionKind::Update, Some(book.0[1].id))
    );
    let states: Vec<State> = resolution.updates.iter().map(|row| row.state).collect();
    assert_eq!(states, [State::Superseded, State::Superseded]);
}

#[test]
fn a_value_for_a_time_covers_the_one_before_it() {
    let mut book = Book::default();
    book.tell(city(1, "Berlin", 1), DecisionKind::Add, Reason::NewKey);
    book.tell(
        until(city(2, "Rome", 190), 210),
        DecisionKind::Update,
        Reason::ForATime,
    );
    assert_eq!(
        (book.live(), book.live_on(210)),
        (vec!["Rome"], vec!["Berlin"])
    );
    assert_eq!(state_at(&book.0[0], &book.0, day(TODAY)), State::Dormant);
    assert_eq!(state_at(&book.0[1], &book.0, day(210)), State::Expired);
    for (number, value) in [
        (189, "Berlin"),
        (190, "Rome"),
        (209, "Rome"),
        (210, "Berlin"),
    ] {
        assert_eq!(book.true_at(number), Some(value), "day {number}");
    }
    // Moving ends both.
    book.tell(
        city(3, "Munich", 195),
        DecisionKind::Update,
        Reason::NewerValue,
    );
    assert_eq!(
        (book.live(), book.live_on(210)),
        (vec!["Munich"], vec!["Munich"])
    );
}

#[test]
fn a_late_report_of_a_bounded_time_cuts_nothing_off() {
    let mut book = Book::default();
    book.tell(city(1, "Berlin", 1), DecisionKind::Add, Reason::NewKey);
    book.tell(
        until(city(2, "Rome", 50), 80),
        DecisionKind::Backfill,
        Reason::Over,
    );
    for (number, value) in [(49, "Berlin"), (50, "Rome"), (79, "Rome"), (80, "Berlin")] {
        assert_eq!(book.true_at(number), Some(value), "day {number}");
    }
    assert_eq!(book.live(), ["Berlin"]);
    book.tell(
        until(city(3, "Rome", 55), 60),
        DecisionKind::Skip,
        Reason::KnownThen,
    );
}

#[test]
fn versions_are_shown_one_after_the_other() {
    let mut book = Book::default();
    book.tell(city(1, "Berlin", 10), DecisionKind::Add, Reason::NewKey);
    book.tell(
        city(2, "Munich", 40),
        DecisionKind::Update,
        Reason::NewerValue,
    );
    book.tell(
        city(3, "Hamburg", 20),
        DecisionKind::Backfill,
        Reason::EarlierValue,
    );
    book.tell(
        until(city(4, "Rome", 50), 80),
        DecisionKind::Backfill,
        Reason::Over,
    );
    let ends: Vec<_> = book
        .0
        .iter()
        .map(|memory| value_until(memory, &book.0).map(|end| end.instant))
        .collect();
    assert_eq!(
        ends,
        [Some(day(20)), None, Some(day(40)), Some(day(80))],
        "Berlin until Hamburg, Munich still, Hamburg until Munich, the trip by itself"
    );
}

#[test]
fn what_was_known_then_does_not_know_what_came_later() {
    let mut book = Book::default();
    book.0.push(Memory {
        state: State::Live,
        recorded_at: day(100),
        ..city(1, "Berlin", 10)
    });
    book.0.push(Memory {
        state: State::Live,
        recorded_at: day(110),
        ..until(city(2, "Rome", 105), 130)
    });
    book.tell(
        city(3, "Munich", 150),
        DecisionKind::Update,
        Reason::NewerValue,
    );
    let value = |as_of, known_at| {
        let believed = book
            .0
            .iter()
            .filter(|memory| memory.was_true(day(as_of), day(known_at)));
        believed
            .max_by_key(|memory| memory.precedence())
            .map(Memory::value_or_statement)
    };
    assert_eq!(
        value(140, 140),
        Some("Berlin"),
        "the trip was over by its own end"
    );
    assert_eq!(value(120, 140), Some("Rome"));
    assert_eq!(value(160, 160), Some("Berlin"), "nobody knew of Munich yet");
    assert_eq!(value(160, 250), Some("Munich"));
    let then = book.0[0].clone().as_known_at(day(140));
    assert_eq!(
        (then.state, then.valid_to, then.superseded_by),
        (State::Live, None, None)
    );
}

#[test]
fn what_comes_with_a_known_value_is_kept() {
    let mut book = Book::default();
    book.tell(city(1, "Berlin", 10), DecisionKind::Add, Reason::NewKey);
    let ending = Memory {
        expires_at: Some(day(250)),
        importance: Importance::new(9).unwrap(),
        category: Some("home".into()),
        ..city(2, "Berlin", 20)
    };
    let decision = book.tell(ending, DecisionKind::Update, Reason::NewDetails);
    assert_eq!(decision.supersedes, Some(book.0[0].id));
    let new = &book.0[1];
    assert_eq!(
        (
            new.expires_at,
            new.importance.get(),
            new.category.as_deref()
        ),
        (Some(day(250)), 9, Some("home"))
    );
    assert_eq!((new.valid_from.instant, new.confirmations), (day(10), 1));
    assert_eq!(book.live(), ["Berlin"]);
    book.tell(
        city(3, "Berlin", 30),
        DecisionKind::Skip,
        Reason::KnownValue,
    );
    // An earlier start is a detail too.
    book.tell(
        city(4, "Berlin", 5),
        DecisionKind::Update,
        Reason::NewDetails,
    );
    assert_eq!((book.true_at(6), book.true_at(4)), (Some("Berlin"), None));
    let agent = Memory {
        origin: Origin::Agent,
        trust: Origin::Agent.trust(),
        expires_at: Some(day(201)),
        ..city(5, "Berlin", 40)
    };
    book.tell(agent.clone(), DecisionKind::Ask, Reason::LowerTrust);
    let again = Memory {
        id: MemoryId::from_bytes([6; 16]),
        ..agent
    };
    book.tell(again, DecisionKind::Skip, Reason::KnownPending);
}

#[test]
fn an_event_is_the_same_on_the_same_day_only() {
    let run = |id, on| Memory {
        kind: Kind::Episodic,
        key: None,
        value: None,
        statement: "Ran along the river".into(),
        ..city(id, "", on)
    };
    let mut book = Book::default();
    book.tell(run(1, 20), DecisionKind::Add, Reason::NewText);
    book.tell(run(2, 21), DecisionKind::Add, Reason::NewText);
    book.tell(run(3, 21), DecisionKind::Skip, Reason::KnownText);
    assert_eq!(book.live().len(), 2);
    // A plan is known before its day, and an event is not forgotten when it is over.
    book.tell(until(run(4, 300), 301), DecisionKind::Add, Reason::NewText);
    assert_eq!((book.live().len(), book.live_on(390).len()), (3, 3));
}

#[test]
fn a_correction_was_always_so() {
    let old = Memory {
        state: State::Live,
        recorded_at: day(100),
        ..city(1, "Berlin", 1)
    };
    let resolution = super::super::correct(&old, city(2, "Bern", 1), &[], day(200));
    let (new, old) = (resolution.insert.unwrap(), &resolution.updates[0]);
    assert_eq!(
        (new.version, new.state, new.supersedes),
        (2, State::Live, Some(old.id))
    );
    assert!(new.was_true(day(5), day(300)) && !old.was_true(day(5), day(300)));
    assert!(
        old.was_true(day(150), day(199)),
        "what we believed before the correction"
    );
}
