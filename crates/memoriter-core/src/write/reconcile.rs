//! One candidate against what is known.

use super::decision::{Decision, DecisionKind, Reason, Resolution};
use super::meaning::{Sameness, compare_values, is_near_copy};
use super::restate::restate;
use super::single;
use crate::memory::{Cardinality, Importance, Kind, Memory, State};
use crate::provenance::Status;
use crate::text::normalise;
use crate::time::Timestamp;

/// How sure the writer of a conclusion is at least, for it to be believed before a person has looked at it. What is
/// stated needs none.
const CONFIDENCE_MIN: f32 = 0.7;

/// Decides what becomes of `candidate`.
///
/// `versions` are all memories under the candidate's key, whatever their state, or, for a candidate without
/// key, the live memory that holds its place and those that come near to its statement. `candidate.state` is ignored: the decision sets it.
///
/// First match decides: the same is live, so [`DecisionKind::Skip`], or [`DecisionKind::Update`] when it comes
/// with an end, an expiry, metadata, an outcome or the like that are new; it is believed less than what stands against
/// it, so [`DecisionKind::Ask`]; its time is over, so [`DecisionKind::Backfill`]; it takes the place of the
/// present value, for good or for a time, so [`DecisionKind::Update`]; else [`DecisionKind::Add`]. Whatever
/// was read rather than told is [`DecisionKind::Ask`].
#[must_use]
pub fn reconcile(candidate: Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    match candidate.key {
        Some((_, Cardinality::Single)) => single::decide(candidate, versions, now),
        Some((_, Cardinality::Set)) => by_place(candidate, versions, Reason::NewValue, now),
        None => by_place(candidate, versions, Reason::NewText, now),
    }
}

/// [`reconcile`] of what an extractor found: how much it matters is the extractor's guess, so that alone is no news.
#[must_use]
pub fn reconcile_found(candidate: Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    let importance = candidate.importance;
    let unweighted = Memory {
        importance: Importance::DEFAULT,
        ..candidate
    };
    let mut resolution = reconcile(unweighted, versions, now);
    if let Some(new) = &mut resolution.insert
        && resolution.decision.reason != Reason::NewDetails
    {
        new.importance = importance;
    }
    resolution
}

/// Members of sets and texts without key stand against nothing but themselves.
fn by_place(candidate: Memory, versions: &[Memory], reason: Reason, now: Timestamp) -> Resolution {
    let place = candidate.place();
    let live = || versions.iter().filter(|memory| memory.state == State::Live);
    let same_place = live().find(|memory| memory.place() == place);
    let same_meaning = || live().find(|memory| means_the_same(&candidate, memory));
    let holder = same_place.or_else(same_meaning);
    match holder {
        Some(holder) if !is_over(holder, now) => restate(candidate, holder, versions, now),
        _ if is_untrusted(&candidate) => ask(candidate, Reason::UntrustedOrigin, versions),
        _ if is_guess(&candidate) => ask(candidate, Reason::LowConfidence, versions),
        _ if is_over(&candidate, now) => history(candidate, Reason::Over, now),
        Some(past) => {
            let mut resolution = add(candidate, Reason::LastExpired);
            resolution.updates.push(expired(past, now));
            resolution
        }
        None => add(candidate, reason),
    }
}

/// A member of a set or a statement that is there in other words. Events are told apart by their day, attempts by
/// how they went as well.
fn means_the_same(candidate: &Memory, known: &Memory) -> bool {
    let is_same_event =
        candidate.kind != Kind::Episodic || candidate.valid_from.day() == known.valid_from.day();
    candidate.kind == known.kind && is_same_event && says_the_same(candidate, known)
}

/// Whether a candidate under a key says what `known` says under it; without a key, in nearly the same words.
pub(super) fn says_the_same(candidate: &Memory, known: &Memory) -> bool {
    let (new, old) = (candidate.value_or_statement(), known.value_or_statement());
    match candidate.fact_key() {
        Some(key) => compare_values(key.attribute(), new, old) == Sameness::Same,
        None => {
            candidate.went_as(known) && (normalise(new) == normalise(old) || is_near_copy(new, old))
        }
    }
}

/// Whether the time of a memory has passed.
pub(super) fn is_over(memory: &Memory, now: Timestamp) -> bool {
    memory
        .validity()
        .usable_until()
        .is_some_and(|end| end <= now)
}

/// What was read rather than told, until a person has confirmed it.
pub(super) fn is_untrusted(memory: &Memory) -> bool {
    memory.origin.is_external() && memory.status != Status::Confirmed
}

/// A conclusion that whoever drew it is not sure of.
fn is_guess(memory: &Memory) -> bool {
    memory.status == Status::Inferred && memory.confidence.get() < CONFIDENCE_MIN
}

/// Why the candidate may not stand against what is known, if so.
pub(super) fn outranked<'a>(
    candidate: &Memory,
    known: impl IntoIterator<Item = &'a Memory>,
) -> Option<Reason> {
    if is_untrusted(candidate) {
        return Some(Reason::UntrustedOrigin);
    }
    if is_guess(candidate) {
        return Some(Reason::LowConfidence);
    }
    known.into_iter().find_map(|known| {
        if candidate.trust < known.trust {
            Some(Reason::LowerTrust)
        } else if candidate.status == Status::Inferred && known.status > Status::Inferred {
            Some(Reason::InferredAgainstStated)
        } else {
            None
        }
    })
}

pub(super) fn add(candidate: Memory, reason: Reason) -> Resolution {
    let live = Memory {
        state: State::Live,
        ..candidate
    };
    insert(live, DecisionKind::Add, reason)
}

/// Leaves the candidate to a person; the same one does not wait twice.
pub(super) fn ask(candidate: Memory, reason: Reason, versions: &[Memory]) -> Resolution {
    let waiting = versions
        .iter()
        .find(|known| known.state == State::Pending && says_the_same(&candidate, known));
    if let Some(waiting) = waiting {
        return skip(waiting, Reason::KnownPending);
    }
    let pending = Memory {
        state: State::Pending,
        ..candidate
    };
    insert(pending, DecisionKind::Ask, reason)
}

/// Holds the candidate back as untrusted; the same one is held once.
pub(super) fn quarantine(candidate: Memory, versions: &[Memory]) -> Resolution {
    let held = versions
        .iter()
        .find(|known| known.state == State::Quarantined && says_the_same(&candidate, known));
    if let Some(held) = held {
        return skip(held, Reason::KnownPending);
    }
    let quarantined = Memory {
        state: State::Quarantined,
        ..candidate
    };
    insert(
        quarantined,
        DecisionKind::Quarantine,
        Reason::InstructionLike,
    )
}

/// Nothing of it is stored.
#[must_use]
pub fn refuse(reason: Reason) -> Resolution {
    without_memory(DecisionKind::Refuse, reason)
}

/// Nothing to do, and no memory that it is about.
pub(super) fn skip_unknown(reason: Reason) -> Resolution {
    without_memory(DecisionKind::Skip, reason)
}

fn without_memory(kind: DecisionKind, reason: Reason) -> Resolution {
    Resolution {
        decision: Decision {
            kind,
            reason,
            id: None,
            supersedes: None,
        },
        insert: None,
        updates: Vec::new(),
    }
}

/// Stores what was true and is not any more.
pub(super) fn history(candidate: Memory, reason: Reason, now: Timestamp) -> Resolution {
    let has_expired = candidate.expires_at.is_some_and(|end| end <= now);
    let past = Memory {
        state: if has_expired {
            State::Expired
        } else {
            State::Superseded
        },
        ..candidate
    };
    insert(past, DecisionKind::Backfill, reason)
}

pub(super) fn skip(known: &Memory, reason: Reason) -> Resolution {
    Resolution {
        decision: Decision {
            kind: DecisionKind::Skip,
            reason,
            id: Some(known.id),
            supersedes: None,
        },
        insert: None,
        updates: Vec::new(),
    }
}

pub(super) fn insert(memory: Memory, kind: DecisionKind, reason: Reason) -> Resolution {
    let decision = Decision {
        kind,
        reason,
        id: Some(memory.id),
        supersedes: memory.supersedes,
    };
    Resolution {
        decision,
        insert: Some(memory),
        updates: Vec::new(),
    }
}

/// A live memory whose time has passed, as its row shall say.
pub(super) fn expired(memory: &Memory, now: Timestamp) -> Memory {
    Memory {
        state: State::Expired,
        ..retired(memory, now)
    }
}

/// A memory that is believed as it stands no longer. The end that a live one has is the one that was told: files of
/// format 1 do not say it twice.
pub(super) fn retired(memory: &Memory, now: Timestamp) -> Memory {
    let told_to = match memory.state {
        State::Live => memory.told_to.or(memory.valid_to),
        State::Dormant
        | State::Pending
        | State::Quarantined
        | State::Superseded
        | State::Retracted
        | State::Expired => memory.told_to,
    };
    Memory {
        retired_at: Some(now),
        told_to,
        ..memory.clone()
    }
}

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
