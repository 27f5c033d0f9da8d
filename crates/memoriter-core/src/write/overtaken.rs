//! A late statement under a single-valued key beside values of which it is known when they were said: what was said
//! last is so, whatever arrives last.

use std::collections::BTreeMap;

use super::decision::{Reason, Resolution};
use super::reconcile::{history, is_untrusted, says_the_same, skip};
use super::restate::heard_again;
use super::timeline::{Timeline, is_believed};
use crate::id::MemoryId;
use crate::memory::{Cardinality, Memory, State};
use crate::time::{Timestamp, ZonedTime};

/// Decides on a candidate, said at `said_at`, where it is known to be over by what was said after it: it is history
/// from the start. `None` leaves it to [`reconcile`](super::reconcile()).
///
/// `times` tells when those of `versions` were said that were said after the candidate, in order.
#[must_use]
pub fn overtaken(
    candidate: &Memory,
    said_at: Timestamp,
    times: &BTreeMap<MemoryId, Vec<Timestamp>>,
    versions: &[Memory],
    now: Timestamp,
) -> Option<Resolution> {
    let is_single = matches!(candidate.key, Some((_, Cardinality::Single)));
    if !is_single || is_untrusted(candidate) {
        return None;
    }
    let line = Timeline::of(versions);
    let start = candidate.valid_from.instant;
    let late = Late {
        candidate,
        said_at,
        times,
    };
    if let Some(known) = versions.iter().find(|other| late.is_heard_in(other)) {
        return Some(skip(known, Reason::KnownThen));
    }
    let over = versions.iter().find_map(|other| late.end_by(other));
    let is_corrected = |other: &&Memory| {
        other.state == State::Superseded
            && !is_believed(other)
            && other.valid_from.instant == start
            && says_the_same(candidate, other)
    };
    let corrected = versions.iter().find(is_corrected);
    let repeated = line
        .first_after(start)
        .filter(|next| late.is_said_again_by(next))
        .map(|next| (next.valid_from, next));
    // Where two say something at one time, the order is the one in which they came first.
    if over.is_none() && versions.iter().any(|other| late.is_at_once_with(other)) {
        return corrected.map(|known| skip(known, Reason::KnownThen));
    }
    let (end, by) = over.or(repeated)?;
    let held = |other: &&Memory| {
        is_believed(other) && other.validity().holds_at(start) && says_the_same(candidate, other)
    };
    if let Some(known) = versions.iter().find(held) {
        return Some(heard_again(candidate, known, now));
    }
    if let Some(known) = corrected {
        return Some(skip(known, Reason::KnownThen));
    }
    let next = line.successor(start, now);
    let (end, by) = match next {
        Some(next) if next.valid_from < end => (next.valid_from, next),
        Some(_) | None => (end, by),
    };
    let past = Memory {
        valid_to: Some(end),
        superseded_by: Some(by.id),
        ..candidate.clone()
    };
    Some(history(past, Reason::EarlierValue, now))
}

struct Late<'a> {
    candidate: &'a Memory,
    said_at: Timestamp,
    times: &'a BTreeMap<MemoryId, Vec<Timestamp>>,
}

impl Late<'_> {
    /// When `other` shows the candidate to be over: at once where both began together and `other` was said later;
    /// where `other` was so before, when it was said again.
    fn end_by<'m>(&self, other: &'m Memory) -> Option<(ZonedTime, &'m Memory)> {
        let candidate = self.candidate;
        let is_same_kind = other.told_to.is_some() == candidate.valid_to.is_some();
        let may_overtake = is_believed(other) && is_same_kind && candidate.trust <= other.trust;
        if !may_overtake || says_the_same(candidate, other) {
            return None;
        }
        let times = self.times.get(&other.id)?;
        let (start, began) = (candidate.valid_from, other.valid_from.instant);
        let again = *times.iter().find(|time| **time > self.said_at)?;
        if began == start.instant {
            return Some((start, other));
        }
        let was_said_before = times.first().is_some_and(|first| *first <= self.said_at);
        let held_still = other.valid_to.is_none_or(|end| again < end.instant);
        let is_again = was_said_before && held_still && start.instant < again;
        (began < start.instant && is_again && candidate.valid_to.is_none())
            .then_some((ZonedTime::utc(again), other))
    }

    /// Whether the very statement, read from elsewhere, is part of `other`, which is over by now.
    fn is_heard_in(&self, other: &Memory) -> bool {
        let is_over = matches!(
            other.state,
            State::Superseded | State::Expired | State::Retracted
        );
        let times = self.times.get(&other.id);
        is_over
            && times.is_some_and(|times| times.contains(&self.said_at))
            && says_the_same(self.candidate, other)
    }

    /// Whether `other` began together with the candidate and was said at the same time.
    fn is_at_once_with(&self, other: &Memory) -> bool {
        let times = self.times.get(&other.id);
        is_believed(other)
            && other.valid_from.instant == self.candidate.valid_from.instant
            && !says_the_same(self.candidate, other)
            && times.is_some_and(|times| times.contains(&self.said_at))
    }

    /// Whether a value that began later is the candidate's, which then says nothing of the time between.
    fn is_said_again_by(&self, next: &Memory) -> bool {
        let times = self.times.get(&next.id);
        let is_later = times.and_then(|times| times.first()) > Some(&self.said_at);
        is_later
            && self.said_at < next.valid_from.instant
            && next.state == State::Live
            && self.candidate.valid_to.is_none()
            && next.told_to.is_none()
            && self.candidate.trust <= next.trust
            && says_the_same(self.candidate, next)
    }
}
