//! The versions under one key as a line in time.

use crate::memory::{Cardinality, Memory, State};
use crate::time::{Timestamp, ZonedTime};

/// Believed versions of a single-valued key, by the time they began to be true. Versions that were corrected
/// away (empty interval) or retracted are no part of it.
pub(super) struct Timeline<'a>(Vec<&'a Memory>);

impl<'a> Timeline<'a> {
    pub(super) fn of(versions: &'a [Memory]) -> Self {
        let mut line: Vec<&Memory> = versions
            .iter()
            .filter(|memory| is_believed(memory))
            .collect();
        line.sort_by_key(|memory| memory.precedence());
        Self(line)
    }

    /// The version that was true at `at`: of those that hold then, the one of greatest precedence.
    pub(super) fn at(&self, at: Timestamp) -> Option<&'a Memory> {
        self.0
            .iter()
            .rev()
            .find(|memory| memory.validity().holds_at(at))
            .copied()
    }

    /// The first version that began after `at`.
    pub(super) fn first_after(&self, at: Timestamp) -> Option<&'a Memory> {
        self.0
            .iter()
            .find(|memory| memory.valid_from.instant > at)
            .copied()
    }

    /// The first version that began after `at` and by `now` and was not for a time: what was true before it did
    /// not come back.
    pub(super) fn successor(&self, at: Timestamp, now: Timestamp) -> Option<&'a Memory> {
        let ended_by_itself = |memory: &Memory| {
            memory.told_to.is_some() || memory.valid_to.is_some() && memory.superseded_by.is_none()
        };
        self.0
            .iter()
            .find(|memory| {
                let start = memory.valid_from.instant;
                start > at && start <= now && !ended_by_itself(memory)
            })
            .copied()
    }
}

pub(super) fn is_believed(memory: &Memory) -> bool {
    match memory.state {
        State::Live | State::Dormant => true,
        State::Superseded | State::Expired => {
            memory.valid_to.is_none_or(|end| memory.valid_from < end)
        }
        State::Pending | State::Quarantined | State::Retracted => false,
    }
}

/// Until when `memory` was the value of its single-valued key, for showing the versions as a list: its own end, or
/// the start of the version that took its place before that. `None` while it is, and for other memories their own end.
#[must_use]
pub fn value_until(memory: &Memory, versions: &[Memory]) -> Option<ZonedTime> {
    let own = memory.valid_to;
    if !matches!(memory.key, Some((_, Cardinality::Single))) || !is_believed(memory) {
        return own;
    }
    let takes_place = |other: &&Memory| {
        is_believed(other)
            && other.scope == memory.scope
            && other.told_to.is_none()
            && other.precedence() > memory.precedence()
    };
    let next = versions
        .iter()
        .filter(takes_place)
        .map(|other| other.valid_from);
    own.into_iter().chain(next).min()
}

/// The state of `memory` as of `now`, which its row need not say yet: a live one whose time has passed is
/// expired; one whose time has not come, or that another value of its single-valued key covers, is dormant.
///
/// `versions` are the memories under its key; they matter for a live one under a single-valued key alone.
#[must_use]
pub fn state_at(memory: &Memory, versions: &[Memory], now: Timestamp) -> State {
    if memory.state != State::Live {
        return memory.state;
    }
    if memory
        .validity()
        .usable_until()
        .is_some_and(|end| end <= now)
    {
        return State::Expired;
    }
    let is_covered = || {
        let rivals = versions
            .iter()
            .filter(|other| other.state == State::Live && other.validity().holds_at(now));
        rivals.map(Memory::precedence).max() > Some(memory.precedence())
    };
    let holds_one = matches!(memory.key, Some((_, Cardinality::Single)));
    if now < memory.validity().usable_from() || holds_one && is_covered() {
        State::Dormant
    } else {
        State::Live
    }
}
