//! Changes that a caller asks for by id.

use super::decision::{Decision, DecisionKind, Reason, Resolution};
use super::reconcile::retired;
use super::single::settle;
use crate::memory::{Cardinality, Memory, State};
use crate::time::Timestamp;

/// A correction: `new` takes the place of `old`, which, as we now know, was never true.
///
/// `new` is `old` with another id, statement and value; its version, links and times are set here. `versions`
/// are the memories under its key; they matter where that holds one value.
#[must_use]
pub fn correct(old: &Memory, new: Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    let corrected = Memory {
        state: State::Superseded,
        valid_to: Some(old.valid_from),
        superseded_by: Some(new.id),
        ..retired(old, now)
    };
    let new = Memory {
        state: old.state,
        supersedes: Some(old.id),
        superseded_by: None,
        version: old.version.saturating_add(1),
        recorded_at: now,
        told_to: new.valid_to,
        ..new
    };
    let decision = Decision {
        kind: DecisionKind::Update,
        reason: Reason::Correction,
        id: Some(new.id),
        supersedes: Some(old.id),
    };
    let mut updates = vec![corrected];
    if new.state == State::Live && matches!(new.key, Some((_, Cardinality::Single))) {
        let others = versions.iter().filter(|version| version.id != old.id);
        updates.extend(settle(others, &new, now));
    }
    Resolution {
        decision,
        insert: Some(new),
        updates,
    }
}

/// Takes a memory out of use; it stays as history. `versions` are the memories under its key where that holds one
/// value: what it had covered for good does not come back.
#[must_use]
pub fn retire(memory: &Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    let gone = Memory {
        state: State::Retracted,
        ..retired(memory, now)
    };
    let mut updates = vec![gone];
    if memory.state == State::Live {
        let others = versions.iter().filter(|version| version.id != memory.id);
        updates.extend(settle(others, memory, now));
    }
    let decision = Decision {
        kind: DecisionKind::Delete,
        reason: Reason::Requested,
        id: Some(memory.id),
        supersedes: None,
    };
    Resolution {
        decision,
        insert: None,
        updates,
    }
}
