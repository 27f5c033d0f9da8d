//! Whom to believe, and how far.

use super::*;
use crate::memory::Confidence;

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
fn a_conclusion_that_is_not_sure_waits_for_a_person() {
    for (confidence, kind, reason) in [
        (0.69, DecisionKind::Ask, Reason::LowConfidence),
        (0.7, DecisionKind::Add, Reason::NewKey),
    ] {
        let guess = Memory {
            status: Status::Inferred,
            confidence: Confidence::new(confidence).unwrap(),
            ..city(1, "Berlin", 1)
        };
        Book::default().tell(guess.clone(), kind, reason);
        let hobby = Memory {
            key: Some((FactKey::new("user", "hobby").unwrap(), Cardinality::Set)),
            ..guess
        };
        let decided = reconcile(hobby, &[], day(TODAY)).decision.kind;
        assert_eq!(decided, kind, "in a set as well");
    }
    let unsure = Memory {
        confidence: Confidence::new(0.1).unwrap(),
        ..city(1, "Berlin", 1)
    };
    Book::default().tell(unsure, DecisionKind::Add, Reason::NewKey);
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
            ..city(3, "Paris", 50)
        },
        DecisionKind::Ask,
        Reason::InferredAgainstStated,
    );
    let web = Memory {
        origin: Origin::Web,
        trust: Origin::Web.trust(),
        ..city(4, "Oslo", 50)
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
