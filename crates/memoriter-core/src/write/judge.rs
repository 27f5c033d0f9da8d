//! Where words cannot tell whether two statements mean the same: what a judge is asked, and what follows from its
//! verdict.
//!
//! Without a judge such a statement stands beside the known one, or waits for a person. A judge decides nothing by
//! itself: trust and times hold for what it says as for anything.

mod model;

pub use model::{ModelJudge, PROMPT, PURPOSE};

use super::decision::{DecisionKind, Reason, Resolution};
use super::meaning::{Content, Sameness, compare_values, is_near_copy};
use super::reconcile::{ask, history, insert, outranked, retired};
use super::restate::restate;
use crate::id::MemoryId;
use crate::memory::{Cardinality, FactKey, Kind, Memory, State};
use crate::provenance::words;
use crate::time::Timestamp;

/// Memories that a candidate is compared with by a judge: the nearest ones.
const COMPARED_MAX: usize = 4;
/// Share of common words among all from which two statements without key may be about one thing: half of the words of
/// each, where both are of one length.
const OVERLAP_MIN: f32 = 1.0 / 3.0;

words! {
    /// What a judge says of a new statement beside a known one.
    Verdict, "verdict", "same, updates, contradicts or unrelated" {
        /// It says the same.
        Same = "same",
        /// It is true instead, since something has changed.
        Updates = "updates",
        /// Both cannot be true.
        Contradicts = "contradicts",
        /// Both can be true beside each other.
        Unrelated = "unrelated",
    }
}

/// Of the memories that bear on a candidate the live ones that words cannot decide on, at most four.
#[must_use]
pub fn doubtful<'a>(candidate: &Memory, versions: &'a [Memory]) -> Vec<&'a Memory> {
    if candidate.origin.is_external() {
        return Vec::new();
    }
    let live = versions.iter().filter(|known| known.state == State::Live);
    let doubtful = live.filter(|known| is_doubtful(candidate, known));
    doubtful.take(COMPARED_MAX).collect()
}

fn is_doubtful(candidate: &Memory, known: &Memory) -> bool {
    let (new, old) = (candidate.value_or_statement(), known.value_or_statement());
    match candidate.fact_key() {
        Some(key) => compare_values(key.attribute(), new, old) == Sameness::Unsure,
        None => {
            known.key.is_none()
                && known.kind == candidate.kind
                && candidate.kind != Kind::Episodic
                && !is_near_copy(new, old)
                && Content::of(new).overlap(&Content::of(old)) >= OVERLAP_MIN
        }
    }
}

/// Decides by the verdicts on memories that are live; `None` where they leave everything as it is without a judge.
/// A verdict counts for the memory that it was given on: one that has changed since is not in `versions` as such.
#[must_use]
pub fn judged(
    candidate: &Memory,
    verdicts: &[(MemoryId, Verdict)],
    versions: &[Memory],
    now: Timestamp,
) -> Option<Resolution> {
    let on = |wanted: Verdict| {
        let (id, _) = verdicts.iter().find(|(_, verdict)| *verdict == wanted)?;
        let known = versions.iter().find(|known| known.id == *id);
        known.filter(|known| known.state == State::Live)
    };
    if let Some(known) = on(Verdict::Same) {
        return Some(same(candidate, known, versions, now));
    }
    if is_single(candidate) {
        return None;
    }
    if let Some(known) = on(Verdict::Updates) {
        return Some(update(candidate, known, versions, now));
    }
    on(Verdict::Contradicts).map(|_| ask(candidate.clone(), Reason::JudgedContradiction, versions))
}

/// Values under a single key take each other's place by their times; a judge has no say in it.
fn is_single(candidate: &Memory) -> bool {
    matches!(candidate.key, Some((_, Cardinality::Single)))
}

fn same(candidate: &Memory, known: &Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    let mut resolution = restate(candidate.clone(), known, versions, now);
    if resolution.decision.kind == DecisionKind::Skip {
        resolution.decision.reason = Reason::JudgedSame;
    }
    resolution
}

/// Takes the place of `known`, or becomes history where it is the older one.
fn update(candidate: &Memory, known: &Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    let candidate = candidate.clone();
    if let Some(reason) = outranked(&candidate, [known]) {
        return ask(candidate, reason, versions);
    }
    if candidate.valid_from < known.valid_from {
        let past = Memory {
            valid_to: Some(known.valid_from),
            superseded_by: Some(known.id),
            ..candidate
        };
        return history(past, Reason::EarlierValue, now);
    }
    let old = Memory {
        state: State::Superseded,
        valid_to: Some(candidate.valid_from),
        superseded_by: Some(candidate.id),
        ..retired(known, now)
    };
    let new = Memory {
        state: State::Live,
        supersedes: Some(known.id),
        version: known.version.saturating_add(1),
        ..candidate
    };
    let mut resolution = insert(new, DecisionKind::Update, Reason::JudgedUpdate);
    resolution.updates.push(old);
    resolution
}

/// What a judge compares.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// What somebody has said now.
    pub new: &'a Memory,
    /// What is known.
    pub known: &'a Memory,
}

impl Pair<'_> {
    /// What both are about, where that can be said.
    fn attribute(&self) -> Option<&str> {
        self.new.fact_key().map(FactKey::attribute)
    }
}

#[cfg(test)]
mod tests;
