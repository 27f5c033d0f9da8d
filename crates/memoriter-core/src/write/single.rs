//! A candidate under a single-valued key against the line of its values.

use super::decision::{DecisionKind, Reason, Resolution};
use super::meaning::{Sameness, compare_values};
use super::reconcile::{ask, expired, history, insert, is_over, outranked, retired, says_the_same};
use super::restate::{heard_again, restate};
use super::timeline::Timeline;
use crate::memory::{FactKey, Memory, State};
use crate::provenance::Status;
use crate::time::Timestamp;

pub(super) fn decide(candidate: Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    let line = Timeline::of(versions);
    let (present, then) = (line.at(now), line.at(candidate.valid_from.instant));
    if let Some(known) = known_as_such(&candidate, &line, now) {
        return restated(candidate, known, versions, now);
    }
    if let Some(known) = then.filter(|known| says_the_same(&candidate, known)) {
        return heard_again(&candidate, known, now);
    }
    if let Some(reason) = outranked(&candidate, present.into_iter().chain(then)) {
        return ask(candidate, reason, versions);
    }
    if then.is_some_and(|then| cannot_tell(&candidate, then)) {
        return ask(candidate, Reason::Unclear, versions);
    }
    let next = line.successor(candidate.valid_from.instant, now);
    if next.is_some() || is_over(&candidate, now) {
        return backfill(candidate, next, now);
    }
    establish(candidate, versions, present, now)
}

/// Whether the candidate may mean the same as a value that is true since the same time: then it is no news
/// that this one has changed.
fn cannot_tell(candidate: &Memory, then: &Memory) -> bool {
    let attribute = candidate.fact_key().map_or("", FactKey::attribute);
    candidate.status != Status::Confirmed
        && candidate.valid_from.instant == then.valid_from.instant
        && compare_values(
            attribute,
            candidate.value_or_statement(),
            then.value_or_statement(),
        ) == Sameness::Unsure
}

/// The live value that the candidate says again: the one of its own time, or the present one where the
/// candidate only puts its start earlier.
fn known_as_such<'a>(
    candidate: &Memory,
    line: &Timeline<'a>,
    now: Timestamp,
) -> Option<&'a Memory> {
    if is_over(candidate, now) {
        return None;
    }
    let start = candidate.valid_from.instant;
    let from_earlier = line.at(now).filter(|present| {
        let first_after = line.first_after(start);
        first_after.is_some_and(|first| first.id == present.id)
    });
    [line.at(start), from_earlier]
        .into_iter()
        .flatten()
        .find(|known| known.state == State::Live && says_the_same(candidate, known))
}

/// The same again. What it covers for good becomes history, if nobody has written that down yet.
fn restated(candidate: Memory, known: &Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    let mut resolution = restate(candidate, known, versions, now);
    if resolution.decision.kind == DecisionKind::Skip {
        let others = versions.iter().filter(|other| other.id != known.id);
        resolution.updates.extend(settle(others, known, now));
    }
    resolution
}

/// History from the start: true until `next` began, or until its own end. What was thought true before stays as
/// it is: the one that began last prevails.
fn backfill(candidate: Memory, next: Option<&Memory>, now: Timestamp) -> Resolution {
    let by_itself = candidate.valid_to;
    let replaced = next.filter(|next| by_itself.is_none_or(|end| next.valid_from < end));
    let reason = if next.is_some() {
        Reason::EarlierValue
    } else {
        Reason::Over
    };
    let past = Memory {
        valid_to: replaced.map(|next| next.valid_from).or(by_itself),
        superseded_by: replaced.map(|next| next.id),
        ..candidate
    };
    history(past, reason, now)
}

/// A live value: the present one, or one whose time comes.
fn establish(
    candidate: Memory,
    versions: &[Memory],
    present: Option<&Memory>,
    now: Timestamp,
) -> Resolution {
    let mut live = Memory {
        state: State::Live,
        ..candidate
    };
    let settled = settle(versions, &live, now);
    let replaced = settled
        .iter()
        .filter(|memory| memory.superseded_by == Some(live.id))
        .max_by_key(|memory| memory.precedence());
    let prevails =
        live.validity().holds_at(now) && present.is_none_or(|present| is_preferred(&live, present));
    let reason = match (present, replaced) {
        _ if !prevails => Reason::TrueLater,
        (Some(present), _) if settled.iter().all(|memory| memory.id != present.id) => {
            Reason::ForATime
        }
        (_, Some(_)) => Reason::NewerValue,
        (_, None) if settled.is_empty() => Reason::NewKey,
        (_, None) => Reason::LastExpired,
    };
    let kind = if replaced.is_some() || reason == Reason::ForATime {
        DecisionKind::Update
    } else {
        DecisionKind::Add
    };
    if let Some(old) = replaced {
        live.supersedes = Some(old.id);
        live.version = old.version.saturating_add(1);
    }
    let mut resolution = insert(live, kind, reason);
    resolution.updates = settled;
    resolution
}

/// The live versions that will never be the value again now that `new` is live, as their rows shall say.
pub(super) fn settle<'a>(
    versions: impl IntoIterator<Item = &'a Memory>,
    new: &Memory,
    now: Timestamp,
) -> Vec<Memory> {
    let versions = versions.into_iter();
    let live: Vec<&Memory> = versions
        .filter(|memory| memory.state == State::Live)
        .collect();
    let settled = live.iter().filter_map(|old| {
        if is_over(old, now) {
            return Some(expired(old, now));
        }
        if old.place() == new.place() || lasts(new, now) && is_preferred(new, old) {
            return Some(superseded(old, new, now));
        }
        live.iter()
            .filter(|other| lasts(other, now) && other.precedence() > old.precedence())
            .min_by_key(|other| other.precedence())
            .map(|other| superseded(old, other, now))
    });
    settled.collect()
}

/// Whether a value has begun and does not end by itself.
fn lasts(memory: &Memory, now: Timestamp) -> bool {
    memory.valid_from.instant <= now && memory.validity().usable_until().is_none()
}

/// [`Memory::precedence`] where the newcomer wins over what began together with it.
pub(super) fn is_preferred(new: &Memory, old: &Memory) -> bool {
    let rank = |memory: &Memory| {
        (
            memory.valid_from.instant,
            memory.validity().usable_until().is_some(),
        )
    };
    rank(new) >= rank(old)
}

fn superseded(old: &Memory, by: &Memory, now: Timestamp) -> Memory {
    let end = match old.valid_to {
        Some(end) if end < by.valid_from => end,
        Some(_) | None => by.valid_from,
    };
    Memory {
        state: State::Superseded,
        valid_to: Some(end),
        superseded_by: Some(by.id),
        ..retired(old, now)
    }
}
