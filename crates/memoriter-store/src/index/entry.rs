//! What the index knows of a record besides its text, vector and traits.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};

use memoriter_core::memory::{Importance, Kind, Outcome, Precedence};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::Origin;
use memoriter_core::query::Records;
use memoriter_core::time::{CalendarDay, Timestamp};

use super::slot::Slot;
use crate::store::{IndexRow, RecordRef};

/// The fixed-size part, read for candidates only.
pub(super) struct Entry {
    pub(super) record: RecordRef,
    /// When it happened or began to be true.
    pub(super) event_at: Timestamp,
    /// The same as a day, where it was told.
    pub(super) event_day: CalendarDay,
    /// When the store took it.
    recorded_at: Timestamp,
    /// Last recall or confirmation, microseconds; `i64::MIN` for never. Recalls write it while others read.
    last_used_at: AtomicI64,
    /// When it begins to answer; `None` for as soon as it is there.
    pub(super) usable_from: Option<Timestamp>,
    /// When it stops answering; `None` for never.
    pub(super) usable_until: Option<Timestamp>,
    pub(super) kind: Kind,
    pub(super) origin: Origin,
    pub(super) importance: Importance,
    /// Equal for texts that are equal after normalising, and for attempts with the same goal and outcome.
    pub(super) text_hash: u64,
    /// The next record under the same single-valued key, round in a ring; [`Slot::NONE`] without such a key.
    pub(super) rival: Slot,
}

impl Entry {
    pub(super) fn of(row: &IndexRow<'_>, text_hash: u64) -> Self {
        Self {
            record: row.record,
            event_at: row.event_at.instant,
            event_day: row.event_at.day(),
            recorded_at: row.recorded_at,
            last_used_at: AtomicI64::new(row.last_used_at.map_or(i64::MIN, Timestamp::as_micros)),
            usable_from: row.usable_from,
            usable_until: row.usable_until,
            kind: row.kind,
            origin: row.origin,
            importance: row.importance,
            text_hash,
            rival: Slot::NONE,
        }
    }

    /// Whether a filter for turns or memories lets the record through.
    pub(super) fn is_among(&self, records: Records) -> bool {
        match (records, self.record) {
            (Records::All, _)
            | (Records::Memories, RecordRef::Memory(_))
            | (Records::Turns, RecordRef::Turn(_)) => true,
            (Records::Memories, RecordRef::Turn(_)) | (Records::Turns, RecordRef::Memory(_)) => {
                false
            }
        }
    }

    /// Whether, by its dates, the record answers at `now`.
    pub(super) fn holds_at(&self, now: Timestamp) -> bool {
        self.usable_from.is_none_or(|start| start <= now)
            && self.usable_until.is_none_or(|end| now < end)
    }

    /// Where the record ranks among the values of a key that holds one, as [`Precedence`] has it; `None` for
    /// a turn.
    pub(super) fn precedence(&self) -> Option<Precedence> {
        let RecordRef::Memory(id) = self.record else {
            return None;
        };
        Some(Precedence {
            began: self.event_at,
            ends: self.usable_until.is_some(),
            id,
        })
    }

    /// When the record was last used; its event where it never was.
    pub(super) fn fresh_at(&self) -> Timestamp {
        let used = self.last_used_at.load(Ordering::Relaxed);
        if used == i64::MIN {
            self.event_at
        } else {
            self.event_at.max(Timestamp::from_micros(used))
        }
    }

    /// Microseconds since the record was last used, or came into the store.
    pub(super) fn idle_micros(&self, now: Timestamp) -> i64 {
        now.micros_since(self.fresh_at().max(self.recorded_at))
    }

    /// Notes a use; an earlier one does not undo a later one.
    pub(super) fn mark_used(&self, at: Timestamp) {
        self.last_used_at
            .fetch_max(at.as_micros(), Ordering::Relaxed);
    }
}

/// What few records have.
#[derive(Default)]
pub(super) struct Extra {
    pub(super) outcome: Option<Outcome>,
    pub(super) category: Option<Box<str>>,
    pub(super) metadata: Metadata,
    pub(super) pinned: bool,
}

impl Extra {
    /// The rare fields of a row; `None` when it has none of them. Metadata that cannot be read counts as
    /// empty here: the record is reported as damaged when it is served.
    pub(super) fn of(row: &IndexRow<'_>) -> Option<Self> {
        let outcome = row.attempt.map(|attempt| attempt.outcome);
        let has_labels = row.category.is_some() || !row.metadata.is_empty();
        if outcome.is_none() && !has_labels && !row.pinned {
            return None;
        }
        Some(Self {
            outcome,
            category: row.category.map(Into::into),
            metadata: Metadata::from_json(row.metadata).unwrap_or_default(),
            pinned: row.pinned,
        })
    }
}

/// Names by number, for compact columns.
#[derive(Default)]
pub(super) struct Names {
    numbers: HashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
}

impl Names {
    pub(super) const NONE: u32 = u32::MAX;

    pub(super) fn number(&mut self, name: Option<&str>) -> u32 {
        let Some(name) = name else { return Self::NONE };
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(Self::NONE);
        self.names.push(name.into());
        self.numbers.insert(name.into(), number);
        number
    }

    /// Every name with its number, in order of arrival.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        (0..).zip(self.names.iter().map(AsRef::as_ref))
    }
}
