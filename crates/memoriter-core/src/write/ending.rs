//! What is true no longer. That something has ended is a statement with a time: it holds against what was said
//! before it, whatever arrives first.
//!
//! It is kept as a version under the key that was true at no time (it ends where it begins) and that nothing
//! replaced. What it ended names it as what took its place.

use super::decision::{Decision, DecisionKind, Reason, Resolution};
use super::meaning::names_value;
use super::reconcile::{history, insert, is_untrusted, retired, says_the_same, skip, skip_unknown};
use super::request::{Target, one};
use super::single::{is_preferred, settle};
use super::timeline::{Timeline, is_believed};
use crate::memory::{Cardinality, FactKey, Memory, State};
use crate::provenance::{Status, Trust};
use crate::text::normalise;
use crate::time::{Timestamp, ZonedTime};

/// What is live and meant becomes history from `since` on: one decision each, or one that there is nothing.
///
/// `said` is the request as a memory, kept so that older texts that come later are held against it; `None` keeps
/// nothing, as for what has no key.
#[must_use]
pub fn end(
    target: &Target,
    versions: &[Memory],
    since: ZonedTime,
    said: Option<Memory>,
    now: Timestamp,
) -> Vec<Resolution> {
    let mark = said.map(|said| mark(said, target, since));
    let known = mark
        .as_ref()
        .and_then(|mark| versions.iter().find(|known| is_same_mark(mark, known)));
    let by = known.or(mark.as_ref()).map(|mark| mark.id);
    let ended = versions
        .iter()
        .filter(|memory| memory.state == State::Live && target.means(memory))
        .map(|memory| {
            let end = since.max(memory.valid_from);
            let past = Memory {
                state: State::Superseded,
                valid_to: Some(memory.valid_to.map_or(end, |known| known.min(end))),
                superseded_by: by,
                ..retired(memory, now)
            };
            one(memory, DecisionKind::Update, Reason::Ended, past)
        });
    let mut ended: Vec<Resolution> = ended.collect();
    match (ended.first_mut(), known, mark) {
        (Some(_), Some(_), _) | (Some(_), None, None) => {}
        (Some(first), None, mark) => first.insert = mark,
        (None, Some(known), _) => ended.push(skip(known, Reason::NothingToEnd)),
        (None, None, Some(mark)) => {
            ended.push(insert(mark, DecisionKind::Backfill, Reason::NothingToEnd));
        }
        (None, None, None) => ended.push(skip_unknown(Reason::NothingToEnd)),
    }
    ended
}

/// Where what shall end is believed more than who says so, it waits for a person; `None` where it need not.
///
/// `said` is the request as a memory. It waits as a version that was true at no time.
#[must_use]
pub fn ask_to_end(
    target: &Target,
    versions: &[Memory],
    since: ZonedTime,
    said: &Memory,
) -> Option<Resolution> {
    let believer = Target {
        trust: Trust::FULL,
        ..target.clone()
    };
    let is_meant = |memory: &&Memory| memory.state == State::Live && believer.means(memory);
    let is_outranked = versions
        .iter()
        .filter(is_meant)
        .any(|memory| target.trust < memory.trust);
    if !is_outranked
        || versions
            .iter()
            .any(|memory| memory.state == State::Live && target.means(memory))
    {
        return None;
    }
    let waiting = Memory {
        state: State::Pending,
        last_confirmed_at: None,
        ..mark(said.clone(), target, since)
    };
    let is_known = |known: &&Memory| waits_to_end(known) && known.value == waiting.value;
    Some(match versions.iter().find(is_known) {
        Some(known) => skip(known, Reason::KnownPending),
        None => insert(waiting, DecisionKind::Ask, Reason::LowerTrust),
    })
}

/// Whether a memory that waits says that something has ended.
pub(super) fn waits_to_end(memory: &Memory) -> bool {
    memory.state == State::Pending && memory.valid_to == Some(memory.valid_from)
}

/// A person approved `waiting`, which says that something has ended.
pub(super) fn approve_end(waiting: &Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    let target = Target {
        key: waiting.fact_key().cloned(),
        value: waiting.value.clone(),
        statement: waiting.statement.clone(),
        trust: Trust::FULL,
        asked_at: now,
        is_all: false,
    };
    let mut approved = Resolution {
        decision: Decision {
            kind: DecisionKind::Update,
            reason: Reason::Ended,
            id: Some(waiting.id),
            supersedes: None,
        },
        insert: None,
        updates: Vec::new(),
    };
    for ended in end(&target, versions, waiting.valid_from, None, now) {
        let by = |past: Memory| Memory {
            superseded_by: Some(waiting.id),
            ..past
        };
        approved.updates.extend(ended.updates.into_iter().map(by));
    }
    approved.updates.push(Memory {
        state: State::Superseded,
        status: Status::Confirmed,
        trust: Trust::FULL,
        last_confirmed_at: Some(now),
        ..waiting.clone()
    });
    approved
}

/// Decides on a candidate, said at `said_at`, whose end is known because somebody told it later: it is history
/// from the start. `None` leaves it to [`reconcile`](super::reconcile()).
///
/// `versions` are what [`reconcile`](super::reconcile()) would see.
#[must_use]
pub fn ended(
    candidate: &Memory,
    said_at: Timestamp,
    versions: &[Memory],
    now: Timestamp,
) -> Option<Resolution> {
    let (key, cardinality) = candidate.key.as_ref()?;
    if is_untrusted(candidate) {
        return None;
    }
    let means = |mark: &&Memory| {
        is_mark(mark)
            && asked_at(mark) > said_at
            && candidate.trust <= mark.trust
            && is_named(key, mark, candidate)
    };
    let mark = versions
        .iter()
        .filter(means)
        .min_by_key(|mark| asked_at(mark))?;
    let is_known = |known: &&Memory| {
        is_believed(known)
            && known.validity().holds_at(candidate.valid_from.instant)
            && says_the_same(candidate, known)
    };
    if let Some(known) = versions.iter().find(is_known) {
        return Some(skip(known, Reason::KnownThen));
    }
    let past = cut(candidate, mark.valid_from.max(candidate.valid_from), mark);
    Some(match cardinality {
        Cardinality::Set => history(past, Reason::Ended, now),
        Cardinality::Single => place_in_line(candidate, past, versions, now),
    })
}

/// A value that has ended, among the others of its key: a later one may have ended it before that, and what it
/// replaced does not come back.
fn place_in_line(
    candidate: &Memory,
    past: Memory,
    versions: &[Memory],
    now: Timestamp,
) -> Resolution {
    let next = Timeline::of(versions).successor(candidate.valid_from.instant, now);
    let past = match next {
        Some(next) => cut(&past, next.valid_from, next),
        None => past,
    };
    let mut replaced = Vec::new();
    if candidate.valid_to.is_none() && candidate.valid_from.instant <= now {
        let before = versions.iter().filter(|old| is_preferred(candidate, old));
        replaced = settle(before, candidate, now);
    }
    let mut resolution = history(past, Reason::Ended, now);
    resolution.updates = replaced;
    resolution
}

/// The memory with an end, unless it ends before that already.
fn cut(memory: &Memory, end: ZonedTime, by: &Memory) -> Memory {
    if memory.valid_to.is_some_and(|own| own <= end) {
        return memory.clone();
    }
    Memory {
        valid_to: Some(end),
        superseded_by: Some(by.id),
        ..memory.clone()
    }
}

/// The request as it is kept.
fn mark(said: Memory, target: &Target, since: ZonedTime) -> Memory {
    Memory {
        state: State::Superseded,
        value: target.value.clone(),
        valid_from: since,
        valid_to: Some(since),
        told_to: Some(since),
        last_confirmed_at: Some(target.asked_at),
        ..said
    }
}

fn is_mark(memory: &Memory) -> bool {
    memory.state == State::Superseded
        && memory.valid_to == Some(memory.valid_from)
        && memory.superseded_by.is_none()
}

fn asked_at(mark: &Memory) -> Timestamp {
    mark.last_confirmed_at.unwrap_or(mark.recorded_at)
}

fn is_named(key: &FactKey, mark: &Memory, candidate: &Memory) -> bool {
    let said = candidate.value_or_statement();
    mark.value
        .as_deref()
        .is_none_or(|value| names_value(key.attribute(), value, said))
}

fn is_same_mark(mark: &Memory, known: &Memory) -> bool {
    let value = |mark: &Memory| mark.value.as_deref().map(normalise);
    is_mark(known)
        && (asked_at(mark), mark.valid_from.instant) == (asked_at(known), known.valid_from.instant)
        && value(mark) == value(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provenance::Origin;
    use crate::write::approve;
    use crate::write::reconcile::samples::{city, day};

    #[test]
    fn an_agent_asks_before_it_ends_what_the_user_said() {
        let home = Memory {
            state: State::Live,
            ..city(1, "Berlin", 1)
        };
        let agent = Origin::Agent.trust();
        let said = Memory {
            origin: Origin::Agent,
            trust: agent,
            statement: "I no longer live in Berlin".into(),
            ..city(2, "Berlin", 50)
        };
        let target = Target {
            key: said.fact_key().cloned(),
            value: said.value.clone(),
            statement: said.statement.clone(),
            trust: agent,
            asked_at: day(50),
            is_all: false,
        };
        let since = ZonedTime::utc(day(50));
        let known = [home.clone()];
        let asked = ask_to_end(&target, &known, since, &said).unwrap();
        assert_eq!(
            (asked.decision.kind, asked.decision.reason),
            (DecisionKind::Ask, Reason::LowerTrust)
        );
        let waiting = asked.insert.unwrap();
        assert_eq!(waiting.state, State::Pending);
        let both = [home.clone(), waiting.clone()];
        let again = ask_to_end(&target, &both, since, &said).unwrap();
        assert_eq!(again.decision.reason, Reason::KnownPending);
        let approved = approve(&waiting, &both, day(60));
        let (past, mark) = (&approved.updates[0], &approved.updates[1]);
        assert_eq!(
            (past.id, past.state, past.valid_to, past.superseded_by),
            (home.id, State::Superseded, Some(since), Some(waiting.id))
        );
        assert!(is_mark(mark) && mark.id == waiting.id);
        let own = Target {
            trust: Origin::User.trust(),
            ..target
        };
        assert!(ask_to_end(&own, &known, since, &said).is_none());
    }
}
