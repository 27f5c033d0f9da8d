//! Attempts: what is another event, what is the same, what is news of it.

use super::{Book, city};
use crate::memory::{Attempt, Cardinality, FactKey, Kind, Memory, Outcome, State};
use crate::provenance::Origin;
use crate::write::{DecisionKind, Reason};

/// An attempt to deploy, on day 100.
fn tried(id: u8, outcome: Outcome, lesson: Option<&str>) -> Memory {
    Memory {
        kind: Kind::Episodic,
        key: None,
        value: None,
        statement: "We deployed the shop".into(),
        attempt: Some(Attempt {
            goal: "a new shop".into(),
            outcome,
            lesson: lesson.map(str::to_owned),
        }),
        ..city(id, "", 100)
    }
}

/// The same event, told without how it went.
fn told(id: u8) -> Memory {
    Memory {
        attempt: None,
        ..tried(id, Outcome::Unknown, None)
    }
}

/// What is live: how it went, and the lesson.
fn live(book: &Book) -> Vec<Option<(Outcome, Option<&str>)>> {
    let live = book.0.iter().filter(|memory| memory.state == State::Live);
    let attempts = live.map(|memory| memory.attempt.as_ref());
    attempts
        .map(|attempt| attempt.map(|attempt| (attempt.outcome, attempt.lesson.as_deref())))
        .collect()
}

#[test]
fn the_same_attempt_said_twice_is_known() {
    let mut book = Book::default();
    let failed = |id| tried(id, Outcome::Failure, Some("Warm the cache"));
    book.tell(failed(1), DecisionKind::Add, Reason::NewText);
    book.tell(failed(2), DecisionKind::Skip, Reason::KnownText);
    let less = tried(3, Outcome::Unknown, None);
    book.tell(less, DecisionKind::Skip, Reason::KnownText);
    book.tell(told(4), DecisionKind::Skip, Reason::KnownText);
    assert_eq!(book.0.len(), 1);
    assert_eq!(book.0[0].confirmations, 3);
}

#[test]
fn another_outcome_or_goal_is_another_event() {
    let mut book = Book::default();
    book.tell(
        tried(1, Outcome::Failure, None),
        DecisionKind::Add,
        Reason::NewText,
    );
    book.tell(
        tried(2, Outcome::Success, None),
        DecisionKind::Add,
        Reason::NewText,
    );
    let mut elsewhere = tried(3, Outcome::Failure, None);
    elsewhere.attempt.as_mut().unwrap().goal = "a new blog".into();
    book.tell(elsewhere, DecisionKind::Add, Reason::NewText);
    let places: Vec<_> = book.0.iter().map(Memory::place).collect();
    assert!(places[0] != places[1] && places[0] != places[2] && places[1] != places[2]);
    assert_eq!(book.0[0].place_of_event(), told(9).place());
    assert_eq!(book.0[0].place_of_event(), book.0[2].place_of_event());
}

#[test]
fn how_it_went_and_what_was_learnt_are_news() {
    let mut book = Book::default();
    book.tell(told(1), DecisionKind::Add, Reason::NewText);
    let mut news = |candidate| {
        book.tell(candidate, DecisionKind::Update, Reason::NewDetails);
        live(&book)
            .into_iter()
            .map(|told| told.map(|(outcome, lesson)| (outcome, lesson.map(str::to_owned))))
            .collect::<Vec<_>>()
    };
    let open = tried(2, Outcome::Unknown, None);
    assert_eq!(news(open), [Some((Outcome::Unknown, None))]);
    let failed = tried(3, Outcome::Failure, None);
    assert_eq!(news(failed), [Some((Outcome::Failure, None))]);
    let learnt = tried(4, Outcome::Unknown, Some("Warm the cache"));
    let lesson = Some("Warm the cache".to_owned());
    assert_eq!(news(learnt), [Some((Outcome::Failure, lesson))]);
}

#[test]
fn details_without_an_attempt_keep_the_one_there_is() {
    let mut book = Book::default();
    let failed = tried(1, Outcome::Failure, Some("Warm the cache"));
    book.tell(failed, DecisionKind::Add, Reason::NewText);
    let category = Memory {
        category: Some("work".into()),
        ..told(2)
    };
    book.tell(category, DecisionKind::Update, Reason::NewDetails);
    let expected = [Some((Outcome::Failure, Some("Warm the cache")))];
    assert_eq!(live(&book), expected);
}

/// Under a key the value says what is the same; who knows it as an attempt is not told otherwise by a fact.
#[test]
fn under_a_key_the_last_outcome_counts() {
    let mut book = Book::default();
    let key = FactKey::new("shop", "release").unwrap();
    let keyed = |memory: Memory| Memory {
        key: Some((key.clone(), Cardinality::Set)),
        value: Some("v2".into()),
        ..memory
    };
    let failed = keyed(tried(1, Outcome::Failure, None));
    book.tell(failed, DecisionKind::Add, Reason::NewValue);
    let worked = keyed(tried(2, Outcome::Success, None));
    book.tell(worked, DecisionKind::Update, Reason::NewDetails);
    assert_eq!(live(&book), [Some((Outcome::Success, None))]);
    let fact = Memory {
        kind: Kind::Semantic,
        category: Some("work".into()),
        ..keyed(told(3))
    };
    book.tell(fact, DecisionKind::Update, Reason::NewDetails);
    assert_eq!(live(&book), [Some((Outcome::Success, None))]);
    assert!(book.0.iter().all(|memory| memory.check().is_ok()));
}

#[test]
fn the_same_attempt_waits_once_and_another_waits_too() {
    let mut book = Book::default();
    let read = |memory: Memory| Memory {
        origin: Origin::Web,
        trust: Origin::Web.trust(),
        ..memory
    };
    let failed = |id| read(tried(id, Outcome::Failure, None));
    book.tell(failed(1), DecisionKind::Ask, Reason::UntrustedOrigin);
    book.tell(failed(2), DecisionKind::Skip, Reason::KnownPending);
    let worked = read(tried(3, Outcome::Success, None));
    book.tell(worked, DecisionKind::Ask, Reason::UntrustedOrigin);
}
