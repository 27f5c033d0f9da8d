use super::*;
use crate::id::{ChangeNumber, MemoryId};
use crate::memory::{Confidence, FactKey, Importance, Kind, Tier};
use crate::metadata::Metadata;
use crate::provenance::Origin;
use crate::scope::Scope;
use crate::time::{DAY_MICROS, ZonedTime};

fn day(number: i64) -> Timestamp {
    Timestamp::from_micros(number * DAY_MICROS)
}

/// A candidate for `user.city`, stated by the user.
fn city(id: u8, value: &str, since: i64) -> Memory {
    Memory {
        id: MemoryId::from_bytes([id; 16]),
        scope: Scope::user("priya"),
        kind: Kind::Semantic,
        category: None,
        key: Some((FactKey::new("user", "city").unwrap(), Cardinality::Single)),
        value: Some(value.into()),
        statement: format!("I live in {value}"),
        state: State::Pending,
        tier: Tier::Hot,
        importance: Importance::DEFAULT,
        confidence: Confidence::FULL,
        status: Status::Stated,
        origin: Origin::User,
        trust: Origin::User.trust(),
        actor: None,
        sources: Vec::new(),
        valid_from: ZonedTime::utc(day(since)),
        valid_to: None,
        recorded_at: day(100),
        retired_at: None,
        expires_at: None,
        last_recalled_at: None,
        recall_count: 0,
        last_confirmed_at: None,
        confirmations: 0,
        supersedes: None,
        superseded_by: None,
        version: 1,
        metadata: Metadata::default(),
        change: ChangeNumber(0),
    }
}

/// Applies resolutions one after another, as the engine does.
#[derive(Default)]
struct Book(Vec<Memory>);

impl Book {
    #[track_caller]
    fn tell(&mut self, candidate: Memory, kind: DecisionKind, reason: Reason) -> Decision {
        let resolution = reconcile(candidate, &self.0, day(200));
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

    fn live(&self) -> Vec<&str> {
        self.0
            .iter()
            .filter(|memory| memory.state == State::Live)
            .map(Memory::value_or_statement)
            .collect()
    }

    fn true_at(&self, number: i64) -> Vec<&str> {
        self.0
            .iter()
            .filter(|memory| memory.was_true(day(number), day(300)))
            .map(Memory::value_or_statement)
            .collect()
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
    assert_eq!(book.true_at(32), ["Berlin"]);
    assert_eq!(book.true_at(33), ["Munich"]);
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

#[test]
fn a_conclusion_that_the_user_states_is_stated() {
    let mut book = Book::default();
    book.tell(
        Memory {
            status: Status::Inferred,
            ..city(1, "Berlin", 1)
        },
        DecisionKind::Add,
        Reason::NewKey,
    );
    book.tell(city(2, "Berlin", 5), DecisionKind::Skip, Reason::KnownValue);
    assert_eq!(book.0[0].status, Status::Stated);
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
        (4, vec![]),
        (7, vec!["Rome"]),
        (15, vec!["Berlin"]),
        (30, vec!["Hamburg"]),
        (50, vec!["Munich"]),
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
            [["Berlin"], ["Hamburg"], ["Munich"]],
            "{order:?}"
        );
    }
}

#[test]
fn less_trusted_and_inferred_values_wait_for_a_person() {
    let mut book = Book::default();
    book.tell(city(1, "Berlin", 1), DecisionKind::Add, Reason::NewKey);
    let agent = Memory {
        origin: Origin::Agent,
        trust: Origin::Agent.trust(),
        ..city(2, "Rome", 50)
    };
    book.tell(agent, DecisionKind::Ask, Reason::LowerTrust);
    book.tell(
        Memory {
            status: Status::Inferred,
            ..city(3, "Rome", 50)
        },
        DecisionKind::Ask,
        Reason::InferredAgainstStated,
    );
    let web = Memory {
        origin: Origin::Web,
        trust: Origin::Web.trust(),
        ..city(4, "Rome", 50)
    };
    book.tell(web.clone(), DecisionKind::Ask, Reason::UntrustedOrigin);
    assert_eq!(book.live(), ["Berlin"]);
    let key = Some((
        FactKey::new("user", "employer").unwrap(),
        Cardinality::Single,
    ));
    assert_eq!(
        reconcile(Memory { key, ..web }, &[], day(200))
            .decision
            .kind,
        DecisionKind::Ask
    );
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
    book.tell(
        Memory {
            expires_at: Some(day(150)),
            ..city(1, "Berlin", 1)
        },
        DecisionKind::Add,
        Reason::NewKey,
    );
    book.tell(
        city(2, "Berlin", 160),
        DecisionKind::Add,
        Reason::LastExpired,
    );
    assert_eq!(book.0[0].state, State::Expired);
    assert_eq!(book.live(), ["Berlin"]);
}

#[test]
fn a_correction_was_always_so() {
    let old = Memory {
        state: State::Live,
        ..city(1, "Berlin", 1)
    };
    let resolution = super::super::correct(&old, city(2, "Bern", 1), day(200));
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
