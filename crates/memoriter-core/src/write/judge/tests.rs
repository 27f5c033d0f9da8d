use super::*;
use crate::memory::Importance;
use crate::write::reconcile::samples::{TODAY, city, day};

fn text(id: u8, statement: &str, since: i64) -> Memory {
    Memory {
        key: None,
        value: None,
        statement: statement.into(),
        ..city(id, "x", since)
    }
}

fn live(memory: Memory) -> Memory {
    Memory {
        state: State::Live,
        ..memory
    }
}

fn decide(candidate: &Memory, verdict: Verdict, known: &Memory) -> Option<Resolution> {
    judged(
        candidate,
        &[(known.id, verdict)],
        std::slice::from_ref(known),
        day(TODAY),
    )
}

#[test]
fn only_what_words_cannot_tell_is_asked_about() {
    let known = [
        live(text(1, "The team meets on Mondays in room four", 10)),
        live(text(2, "The cat likes tuna", 10)),
        text(3, "The team meets on Mondays in room five", 10),
        live(city(4, "Berlin", 10)),
    ];
    let new = text(9, "The team meets on Mondays in the large hall", 20);
    let asked: Vec<MemoryId> = doubtful(&new, &known)
        .iter()
        .map(|known| known.id)
        .collect();
    assert_eq!(asked, [known[0].id], "live, without key, half of its words");
    let copy = text(9, "The team meets on Mondays in room four!", 20);
    assert!(
        doubtful(&copy, &known).is_empty(),
        "a near copy needs no judge"
    );
    let read = Memory {
        origin: crate::provenance::Origin::Web,
        ..new
    };
    assert!(
        doubtful(&read, &known).is_empty(),
        "what was read has no say"
    );
    let york = [live(city(5, "New York", 10))];
    assert_eq!(doubtful(&city(9, "York", 20), &york).len(), 1);
}

#[test]
fn the_same_is_a_confirmation_by_a_judge() {
    let known = live(text(1, "The team meets on Mondays in room four", 10));
    let new = text(9, "Every Monday the team is in room four", 20);
    let resolution = decide(&new, Verdict::Same, &known).unwrap();
    assert_eq!(resolution.decision.kind, DecisionKind::Skip);
    assert_eq!(resolution.decision.reason, Reason::JudgedSame);
    assert_eq!(resolution.updates[0].confirmations, 1);
}

#[test]
fn what_comes_with_the_same_is_taken_as_ever() {
    let known = live(text(1, "The team meets on Mondays in room four", 10));
    let new = Memory {
        importance: Importance::new(9).unwrap(),
        ..text(9, "Every Monday the team is in room four", 20)
    };
    let resolution = decide(&new, Verdict::Same, &known).unwrap();
    assert_eq!(resolution.decision.kind, DecisionKind::Update);
    assert_eq!(resolution.decision.reason, Reason::NewDetails);
}

#[test]
fn an_update_takes_the_place_by_time_and_trust() {
    let known = live(text(1, "The team meets on Mondays in room four", 10));
    let new = text(9, "The team meets on Mondays in the large hall", 20);
    let resolution = decide(&new, Verdict::Updates, &known).unwrap();
    assert_eq!(resolution.decision.reason, Reason::JudgedUpdate);
    assert_eq!(
        resolution.insert.as_ref().unwrap().supersedes,
        Some(known.id)
    );
    let old = &resolution.updates[0];
    assert_eq!(
        (old.state, old.superseded_by),
        (State::Superseded, Some(new.id))
    );
    assert_eq!(old.valid_to, Some(new.valid_from));

    let earlier = text(9, "The team meets on Mondays in the large hall", 5);
    let resolution = decide(&earlier, Verdict::Updates, &known).unwrap();
    assert_eq!(resolution.decision.kind, DecisionKind::Backfill);
    assert!(resolution.updates.is_empty());

    let agent = crate::provenance::Origin::Agent;
    let less = Memory {
        origin: agent,
        trust: agent.trust(),
        ..new
    };
    let resolution = decide(&less, Verdict::Updates, &known).unwrap();
    assert_eq!(resolution.decision.reason, Reason::LowerTrust);
}

#[test]
fn a_contradiction_waits_for_a_person() {
    let known = live(text(1, "The team meets on Mondays in room four", 10));
    let new = text(9, "The team never meets on Mondays in room four", 20);
    let resolution = decide(&new, Verdict::Contradicts, &known).unwrap();
    assert_eq!(resolution.decision.kind, DecisionKind::Ask);
    assert_eq!(resolution.insert.unwrap().state, State::Pending);
}

#[test]
fn what_is_unrelated_or_single_or_gone_is_decided_without_a_judge() {
    let known = live(text(1, "The team meets on Mondays in room four", 10));
    let new = text(9, "The team meets on Mondays in the large hall", 20);
    assert_eq!(decide(&new, Verdict::Unrelated, &known), None);
    assert_eq!(
        decide(&new, Verdict::Updates, &text(1, "gone by now", 10)),
        None
    );
    let york = live(city(1, "New York", 10));
    for verdict in [Verdict::Updates, Verdict::Contradicts] {
        assert_eq!(decide(&city(9, "York", 20), verdict, &york), None);
    }
}
