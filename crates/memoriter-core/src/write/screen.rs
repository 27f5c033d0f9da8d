//! What is decided about a candidate before anything is known of its subject.

use super::decision::{Reason, Resolution};
use super::reconcile::{quarantine, refuse, skip_unknown};
use crate::memory::Memory;
use crate::provenance::{Status, Trust};
use crate::time::Timestamp;

/// What the guard and the tombstones say about a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screening {
    /// What it says cannot be told without something that was masked: a secret, or what the operator blocks.
    pub needs_secret: bool,
    /// It reads like an instruction to a model.
    pub is_instruction: bool,
    /// When somebody last asked to forget this; `None` for never.
    pub forgotten_at: Option<Timestamp>,
    /// When a person rejected the same from a source that is not the user's own word; `None` for never.
    pub rejected_at: Option<Timestamp>,
}

/// Whether a candidate would have to wait for a person for what it is, whatever is known: it was read rather than
/// told, or it is a conclusion. What a person rejected once does not wait again; the user's own word is new.
#[must_use]
pub fn is_for_review(candidate: &Memory) -> bool {
    candidate.origin.trust() < Trust::FULL || candidate.status == Status::Inferred
}

/// Decides on a candidate that was said at `said_at`, where the screening alone can: refused, rejected before,
/// quarantined, or
/// forgotten on request after it was said. `None` leaves it to [`reconcile`](super::reconcile()).
///
/// `versions` are what [`reconcile`](super::reconcile()) would see; the same text is quarantined once.
#[must_use]
pub fn screen(
    candidate: &Memory,
    screening: Screening,
    said_at: Timestamp,
    versions: &[Memory],
) -> Option<Resolution> {
    if screening.needs_secret {
        return Some(refuse(Reason::Secret));
    }
    if screening.rejected_at.is_some() && is_for_review(candidate) {
        return Some(skip_unknown(Reason::RejectedBefore));
    }
    if screening.is_instruction && !candidate.origin.may_instruct() {
        return Some(quarantine(candidate.clone(), versions));
    }
    screening
        .forgotten_at
        .is_some_and(|request| said_at < request)
        .then(|| skip_unknown(Reason::Forgotten))
}
