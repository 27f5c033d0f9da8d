//! The versions under one key as a line in time.

use crate::memory::{Memory, State};
use crate::time::Timestamp;

/// Believed versions of a single-valued key, by the time they began to be true. Versions that were corrected
/// away (empty interval) or retracted are no part of it.
pub(super) struct Timeline<'a>(Vec<&'a Memory>);

impl<'a> Timeline<'a> {
    pub(super) fn of(versions: &'a [Memory]) -> Self {
        let mut line: Vec<&Memory> = versions
            .iter()
            .filter(|memory| is_believed(memory))
            .collect();
        line.sort_by_key(|memory| (memory.valid_from.instant, memory.id));
        Self(line)
    }

    /// The version that was true at `at`.
    pub(super) fn at(&self, at: Timestamp) -> Option<&'a Memory> {
        self.0
            .iter()
            .rev()
            .find(|memory| {
                memory.valid_from.instant <= at
                    && memory.valid_to.is_none_or(|end| at < end.instant)
            })
            .copied()
    }

    /// The first version that began after `at`.
    pub(super) fn next_after(&self, at: Timestamp) -> Option<&'a Memory> {
        self.0
            .iter()
            .find(|memory| memory.valid_from.instant > at)
            .copied()
    }
}

fn is_believed(memory: &Memory) -> bool {
    match memory.state {
        State::Live => true,
        State::Superseded | State::Expired => {
            memory.valid_to.is_none_or(|end| memory.valid_from < end)
        }
        State::Pending | State::Quarantined | State::Retracted => false,
    }
}
