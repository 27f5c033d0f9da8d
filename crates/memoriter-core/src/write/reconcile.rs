//! One candidate against what is known.

use super::decision::{Decision, DecisionKind, Reason, Resolution};
use super::timeline::Timeline;
use crate::memory::{Cardinality, Memory, State};
use crate::provenance::Status;
use crate::text::normalise;
use crate::time::Timestamp;

/// Decides what becomes of `candidate`.
///
/// `versions` are all memories under the candidate's key, whatever their state, or, for a candidate without
/// key, the live memory that holds its place. `candidate.state` is ignored: the decision sets it.
///
/// First match decides: the same content is live, so [`DecisionKind::Skip`]; nothing live stands against
/// it, so [`DecisionKind::Add`]; it is believed less than what stands, so [`DecisionKind::Ask`]; it is true
/// from the same time or later, so [`DecisionKind::Update`]; it was true earlier, so
/// [`DecisionKind::Backfill`]. Whatever was read rather than told is [`DecisionKind::Ask`].
#[must_use]
pub fn reconcile(candidate: Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    let holder = versions
        .iter()
        .find(|memory| memory.state == State::Live && memory.place() == candidate.place());
    match holder {
        Some(holder) if !holder.is_current(now) => after_expiry(candidate, holder, now),
        Some(holder) if says_the_same(&candidate, holder) => confirm(&candidate, holder, now),
        Some(holder) => against(candidate, holder, versions, now),
        None => without_holder(candidate, versions),
    }
}

fn says_the_same(candidate: &Memory, known: &Memory) -> bool {
    normalise(candidate.value_or_statement()) == normalise(known.value_or_statement())
}

/// The place is free; an earlier time than all of the key's history still makes it history.
fn without_holder(candidate: Memory, versions: &[Memory]) -> Resolution {
    let reason = match &candidate.key {
        Some((_, Cardinality::Single)) => {
            if let Some(next) = Timeline::of(versions).next_after(candidate.valid_from.instant) {
                return backfill(candidate, next, versions);
            }
            Reason::NewKey
        }
        Some((_, Cardinality::Set)) => Reason::NewValue,
        None => Reason::NewText,
    };
    add(candidate, reason)
}

fn add(candidate: Memory, reason: Reason) -> Resolution {
    if candidate.origin.is_external() {
        return ask(candidate, Reason::UntrustedOrigin);
    }
    insert(
        Memory {
            state: State::Live,
            ..candidate
        },
        DecisionKind::Add,
        reason,
    )
}

fn ask(candidate: Memory, reason: Reason) -> Resolution {
    insert(
        Memory {
            state: State::Pending,
            ..candidate
        },
        DecisionKind::Ask,
        reason,
    )
}

fn insert(memory: Memory, kind: DecisionKind, reason: Reason) -> Resolution {
    let decision = Decision {
        kind,
        reason,
        id: memory.id,
        supersedes: memory.supersedes,
    };
    Resolution {
        decision,
        insert: Some(memory),
        updates: Vec::new(),
    }
}

/// The holder of the place is past its time: it becomes history, and the candidate is new.
fn after_expiry(candidate: Memory, holder: &Memory, now: Timestamp) -> Resolution {
    let mut resolution = add(candidate, Reason::LastExpired);
    if resolution.decision.kind == DecisionKind::Add {
        resolution.updates.push(Memory {
            state: State::Expired,
            retired_at: Some(now),
            ..holder.clone()
        });
    }
    resolution
}

/// The same again: counted, if it comes from an origin trusted at least as much. A conclusion that the user
/// states himself becomes stated.
fn confirm(candidate: &Memory, holder: &Memory, now: Timestamp) -> Resolution {
    let reason = if holder.key.is_some() {
        Reason::KnownValue
    } else {
        Reason::KnownText
    };
    let decision = Decision {
        kind: DecisionKind::Skip,
        reason,
        id: holder.id,
        supersedes: None,
    };
    let mut updates = Vec::new();
    if candidate.trust >= holder.trust {
        updates.push(Memory {
            confirmations: holder.confirmations.saturating_add(1),
            last_confirmed_at: Some(now),
            status: holder.status.max(candidate.status),
            ..holder.clone()
        });
    }
    Resolution {
        decision,
        insert: None,
        updates,
    }
}

/// Another value under a single-valued key.
fn against(candidate: Memory, holder: &Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    if candidate.origin.is_external() {
        return ask(candidate, Reason::UntrustedOrigin);
    }
    if candidate.trust < holder.trust {
        return ask(candidate, Reason::LowerTrust);
    }
    if candidate.status == Status::Inferred && holder.status > Status::Inferred {
        return ask(candidate, Reason::InferredAgainstStated);
    }
    if candidate.valid_from.instant < holder.valid_from.instant {
        let next = Timeline::of(versions).next_after(candidate.valid_from.instant);
        return backfill(candidate, next.unwrap_or(holder), versions);
    }
    update(candidate, holder, now)
}

fn update(candidate: Memory, holder: &Memory, now: Timestamp) -> Resolution {
    let retired = Memory {
        state: State::Superseded,
        valid_to: Some(candidate.valid_from),
        retired_at: Some(now),
        superseded_by: Some(candidate.id),
        ..holder.clone()
    };
    let live = Memory {
        state: State::Live,
        supersedes: Some(holder.id),
        version: holder.version.saturating_add(1),
        ..candidate
    };
    let mut resolution = insert(live, DecisionKind::Update, Reason::NewerValue);
    resolution.updates.push(retired);
    resolution
}

/// A value that was true before `next` began: history from the start. The version that was thought true at
/// that time ends where this one begins.
fn backfill(candidate: Memory, next: &Memory, versions: &[Memory]) -> Resolution {
    if candidate.origin.is_external() {
        return ask(candidate, Reason::UntrustedOrigin);
    }
    let then = Timeline::of(versions).at(candidate.valid_from.instant);
    if let Some(known) = then.filter(|known| says_the_same(&candidate, known)) {
        let decision = Decision {
            kind: DecisionKind::Skip,
            reason: Reason::KnownThen,
            id: known.id,
            supersedes: None,
        };
        return Resolution {
            decision,
            insert: None,
            updates: Vec::new(),
        };
    }
    let end = match candidate.valid_to {
        Some(end) if end.instant < next.valid_from.instant => end,
        Some(_) | None => next.valid_from,
    };
    let cut = then.map(|before| Memory {
        valid_to: Some(candidate.valid_from),
        ..before.clone()
    });
    let history = Memory {
        state: State::Superseded,
        valid_to: Some(end),
        superseded_by: Some(next.id),
        ..candidate
    };
    let mut resolution = insert(history, DecisionKind::Backfill, Reason::EarlierValue);
    resolution.updates.extend(cut);
    resolution
}

#[cfg(test)]
mod tests;
