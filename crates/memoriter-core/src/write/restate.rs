//! The same again: a confirmation, and what came with it.

use super::correct::correct;
use super::decision::{DecisionKind, Reason, Resolution};
use super::meaning::leaves_out_detail;
use super::reconcile::{ask, outranked, skip};
use crate::memory::{Importance, Kind, Memory, SOURCES_MAX};
use crate::provenance::Source;
use crate::time::Timestamp;

/// Decides on a candidate that says what `known`, which is live, says already.
pub(super) fn restate(
    candidate: Memory,
    known: &Memory,
    versions: &[Memory],
    now: Timestamp,
) -> Resolution {
    if !brings_details(&candidate, known) {
        return confirm(&candidate, known, now);
    }
    match outranked(&candidate, [known]) {
        Some(reason) => ask(candidate, reason, versions),
        None => take_details(candidate, known, versions, now),
    }
}

/// Whether something comes with the candidate that `known` does not have: an earlier start, an end, an
/// expiry, another category, importance or metadata, how it went or what was learnt.
fn brings_details(candidate: &Memory, known: &Memory) -> bool {
    let differs = [
        candidate.valid_from.instant < known.valid_from.instant,
        candidate.valid_to.is_some() && candidate.valid_to != known.valid_to,
        candidate.expires_at.is_some() && candidate.expires_at != known.expires_at,
        candidate.category.is_some() && candidate.category != known.category,
        candidate.importance != Importance::DEFAULT && candidate.importance != known.importance,
        !candidate.metadata.is_empty() && candidate.metadata != known.metadata,
        tells_of_attempt(candidate, known),
    ];
    differs.contains(&true)
}

fn tells_of_attempt(candidate: &Memory, known: &Memory) -> bool {
    match (&candidate.attempt, &known.attempt) {
        (Some(said), Some(known)) => said.adds_to(known),
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// Counted, if it comes from an origin trusted at least as much. A conclusion that the user states himself
/// becomes stated.
fn confirm(candidate: &Memory, known: &Memory, now: Timestamp) -> Resolution {
    let reason = if known.key.is_some() {
        Reason::KnownValue
    } else {
        Reason::KnownText
    };
    let mut resolution = skip(known, reason);
    if candidate.trust >= known.trust {
        resolution.updates.push(Memory {
            confirmations: counted(known, &candidate.sources),
            last_confirmed_at: Some(now),
            status: known.status.max(candidate.status),
            sources: joined(&known.sources, &candidate.sources),
            ..known.clone()
        });
    }
    resolution
}

/// Decides on a candidate that says what `known`, which is history, said at that time: that it was said then is kept,
/// for what comes later may turn on it.
pub(super) fn heard_again(candidate: &Memory, known: &Memory, now: Timestamp) -> Resolution {
    let confirmed = confirm(candidate, known, now);
    let decision = skip(known, Reason::KnownThen).decision;
    Resolution {
        decision,
        ..confirmed
    }
}

/// A new version with what came along: what is said anew wins, what is not said stays.
fn take_details(
    candidate: Memory,
    known: &Memory,
    versions: &[Memory],
    now: Timestamp,
) -> Resolution {
    let (statement, value) = if tells_less(&candidate, known) {
        (known.statement.clone(), known.value.clone())
    } else {
        (candidate.statement.clone(), candidate.value.clone())
    };
    let attempt = match (&candidate.attempt, &known.attempt) {
        (Some(said), Some(known)) => Some(said.clone().over(known)),
        (said, known) => said.as_ref().or(known.as_ref()).cloned(),
    };
    let merged = Memory {
        statement,
        value,
        kind: match attempt {
            Some(_) => Kind::Episodic,
            None => candidate.kind,
        },
        attempt,
        category: candidate.category.or_else(|| known.category.clone()),
        importance: match candidate.importance {
            Importance::DEFAULT => known.importance,
            said => said,
        },
        status: known.status.max(candidate.status),
        confirmations: counted(known, &candidate.sources),
        sources: joined(&known.sources, &candidate.sources),
        valid_from: known.valid_from.min(candidate.valid_from),
        valid_to: candidate.valid_to.or(known.valid_to),
        expires_at: candidate.expires_at.or(known.expires_at),
        last_recalled_at: known.last_recalled_at,
        recall_count: known.recall_count,
        last_confirmed_at: Some(now),
        metadata: if candidate.metadata.is_empty() {
            known.metadata.clone()
        } else {
            candidate.metadata
        },
        ..candidate
    };
    let mut resolution = correct(known, merged, versions, now);
    resolution.decision.kind = DecisionKind::Update;
    resolution.decision.reason = Reason::NewDetails;
    resolution
}

/// Whether the candidate leaves out a detail that is known: "dog" beside "dog named Rex".
fn tells_less(candidate: &Memory, known: &Memory) -> bool {
    let (new, old) = (candidate.value_or_statement(), known.value_or_statement());
    candidate.key.is_some() && leaves_out_detail(new, old)
}

/// How often somebody said it again, once for each turn or memory that says it, however often it does.
fn counted(known: &Memory, new: &[Source]) -> u32 {
    let is_known = |source: &Source| known.sources.iter().any(|other| other.of == source.of);
    let says_again = new.is_empty() || !new.iter().all(is_known);
    known.confirmations.saturating_add(u32::from(says_again))
}

/// Both lists of sources without repeats, as many as a memory may name.
fn joined(known: &[Source], new: &[Source]) -> Vec<Source> {
    let mut all = known.to_vec();
    for source in new {
        if all.len() < SOURCES_MAX && !all.contains(source) {
            all.push(source.clone());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TurnId;
    use crate::memory::State;
    use crate::provenance::SourceRef;
    use crate::write::reconcile::samples::{city, day};

    fn told(id: u8, turn: u8, quote: &str) -> Memory {
        let source = Source {
            of: SourceRef::Turn(TurnId::from_bytes([turn; 16])),
            quote: quote.into(),
        };
        Memory {
            state: State::Live,
            sources: vec![source],
            ..city(id, "Berlin", 1)
        }
    }

    #[test]
    fn a_turn_that_says_the_same_twice_confirms_once() {
        let mut known = told(1, 1, "in Berlin");
        for (turn, quote, confirmations) in [
            (1, "Berlin it is", 0),
            (2, "in Berlin", 1),
            (2, "Berlin again", 1),
            (3, "in Berlin", 2),
        ] {
            let again = restate(told(2, turn, quote), &known, &[], day(200));
            known = again.updates[0].clone();
            assert_eq!(known.confirmations, confirmations, "{quote}");
        }
        assert_eq!(known.sources.len(), 5);
    }

    #[test]
    fn a_detail_that_is_known_is_kept_where_it_is_left_out() {
        let dog = |id: u8, value: &str, since: i64| Memory {
            value: Some(value.into()),
            statement: format!("I have a {value}"),
            ..city(id, "", since)
        };
        let known = dog(1, "dog named Rex", 20);
        let earlier = restate(dog(2, "dog", 10), &known, &[], day(200));
        let merged = earlier.insert.unwrap();
        assert_eq!(merged.value.as_deref(), Some("dog named Rex"));
        assert_eq!(merged.statement, "I have a dog named Rex");
        assert_eq!(merged.valid_from, dog(2, "dog", 10).valid_from);
    }
}
