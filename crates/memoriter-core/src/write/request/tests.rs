use super::*;
use crate::memory::Cardinality;
use crate::provenance::Origin;
use crate::time::ZonedTime;
use crate::write::end;
use crate::write::reconcile::samples::{city, day};

fn allergy(id: u8, value: &str) -> Memory {
    Memory {
        key: Some((key("user.allergy"), Cardinality::Set)),
        state: State::Live,
        ..city(id, value, 1)
    }
}

fn key(text: &str) -> FactKey {
    text.parse().unwrap()
}

fn target(of: &str, value: Option<&str>) -> Target {
    Target {
        key: Some(key(of)),
        value: value.map(str::to_owned),
        statement: "Please forget it".into(),
        trust: Origin::User.trust(),
        asked_at: day(200),
        is_all: false,
    }
}

fn reasons(resolutions: &[Resolution]) -> Vec<Reason> {
    resolutions.iter().map(|of| of.decision.reason).collect()
}

#[test]
fn forgetting_takes_what_is_named() {
    let known = [allergy(1, "nuts"), allergy(2, "shellfish")];
    let gone = forget(&target("user.allergy", Some("nut")), &known, day(200));
    assert_eq!(reasons(&gone), [Reason::Requested]);
    assert_eq!(
        (gone[0].decision.id, gone[0].updates[0].state),
        (Some(known[0].id), State::Retracted)
    );
    let all = forget(&target("user.allergy", None), &known, day(200));
    assert_eq!(reasons(&all), [Reason::Requested, Reason::Requested]);
    let nothing = forget(&target("user.allergy", Some("milk")), &known, day(200));
    assert_eq!(reasons(&nothing), [Reason::NothingToForget]);
}

#[test]
fn an_agent_does_not_forget_for_its_user() {
    let agent = Target {
        trust: Origin::Agent.trust(),
        ..target("user.allergy", None)
    };
    let nothing = forget(&agent, &[allergy(1, "nuts")], day(200));
    assert_eq!(reasons(&nothing), [Reason::NothingToForget]);
    assert!(
        marks_of_request(&agent, &[]).is_empty(),
        "nor does it keep older texts of the user out"
    );
}

#[test]
fn what_was_said_after_the_request_is_not_meant() {
    let later = Memory {
        recorded_at: day(210),
        valid_from: ZonedTime::utc(day(205)),
        ..allergy(1, "nuts")
    };
    let nothing = forget(
        &target("user.allergy", None),
        std::slice::from_ref(&later),
        day(220),
    );
    assert_eq!(reasons(&nothing), [Reason::NothingToForget]);
    // A plan that was known when the request was made goes.
    let plan = Memory {
        recorded_at: day(190),
        ..later
    };
    let gone = forget(&target("user.allergy", None), &[plan], day(220));
    assert_eq!(reasons(&gone), [Reason::Requested]);
}

#[test]
fn what_ended_is_history_from_then_on() {
    let since = ZonedTime::utc(day(150));
    let ended = end(
        &target("user.allergy", Some("nuts")),
        &[allergy(1, "nuts")],
        since,
        None,
        day(200),
    );
    let past = &ended[0].updates[0];
    assert_eq!(
        (past.state, past.valid_to),
        (State::Superseded, Some(since))
    );
    assert!(past.was_true(day(149), day(300)) && !past.was_true(day(150), day(300)));
    let nothing = end(&target("user.pet", None), &[], since, None, day(200));
    assert_eq!(reasons(&nothing), [Reason::NothingToEnd]);
}

#[test]
fn a_tombstone_matches_what_was_named_and_what_went() {
    let request = target("user.allergy", Some("nut"));
    let stones = marks_of_request(&request, &[allergy(1, "peanuts")]);
    let is_matched = |memory: &Memory| marks(memory).iter().any(|mark| stones.contains(mark));
    assert!(is_matched(&allergy(2, "Nuts")) && is_matched(&allergy(3, "peanuts")));
    assert!(!is_matched(&allergy(4, "shellfish")));
    let whole_key = marks_of_request(&target("user.allergy", None), &[]);
    assert!(
        marks(&allergy(5, "milk"))
            .iter()
            .any(|mark| whole_key.contains(mark))
    );
}

fn about(value: Option<&str>) -> Target {
    Target {
        key: None,
        ..target("user.pet", value)
    }
}

fn fact(id: u8, of: &str, value: &str) -> Memory {
    Memory {
        key: Some((key(of), Cardinality::Set)),
        statement: format!("It is {value}"),
        state: State::Live,
        ..city(id, value, 1)
    }
}

#[test]
fn a_topic_takes_what_has_its_words_and_what_is_about_its_bearer() {
    let rex = [
        fact(1, "user.pet", "dog named Rex"),
        fact(2, "dog:rex.age", "3"),
        fact(3, "user.like", "sushi"),
    ];
    let gone = forget(&about(Some("Rex")), &rex, day(200));
    let ids: Vec<_> = gone.iter().map(|one| one.decision.id).collect();
    assert_eq!(ids, [Some(rex[0].id), Some(rex[1].id)]);
}

#[test]
fn what_is_not_clear_stays_and_is_named() {
    let two = [
        fact(1, "user.pet", "dog named Rex"),
        fact(2, "friend:rex.city", "Rome"),
    ];
    let asked = forget(&about(Some("Rex")), &two, day(200));
    assert_eq!(reasons(&asked), [Reason::UnclearRequest; 2]);
    assert!(asked.iter().all(|one| one.updates.is_empty()));
    let many: Vec<Memory> = (1..=21)
        .map(|id| fact(id, "user.like", "red wine"))
        .collect();
    let asked = forget(&about(Some("wine")), &many, day(200));
    assert_eq!(asked.len(), 21);
    assert_eq!(asked[0].decision.kind, DecisionKind::Ask);
    let nothing_named = forget(&about(None), &two, day(200));
    assert_eq!(reasons(&nothing_named), [Reason::UnclearRequest]);
}
