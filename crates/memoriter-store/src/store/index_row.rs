//! What an index learns about a record.

use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::{
    Attempt, AttemptRef, Cardinality, Importance, Kind, Memory, Validity,
};
use memoriter_core::provenance::Origin;
use memoriter_core::text::IndexedText;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::Role;

use super::write::RecordRef;

/// What an index learns about one record.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "borrowed from a row and gone with it; never kept"
)]
pub enum IndexChange<'a> {
    /// It is searchable as this; an earlier form of it is not.
    Put(IndexRow<'a>),
    /// It is not searchable any more.
    Remove(RecordRef),
    /// Something is gone for good: let go of everything, and ask for everything from the beginning.
    Anew,
}

/// The searchable form of a record.
#[derive(Clone, Copy, Debug)]
pub struct IndexRow<'a> {
    /// The record.
    pub record: RecordRef,
    /// Its change number.
    pub change: ChangeNumber,
    /// The kind of memory; a turn is episodic.
    pub kind: Kind,
    /// Where it comes from.
    pub origin: Origin,
    /// Who spoke, as models count it; `None` for a memory.
    pub role: Option<Role>,
    /// The speaker's name; `None` for a memory and for a turn whose role says it all.
    pub speaker: Option<&'a str>,
    /// Statement or content.
    pub text: &'a str,
    /// What it was an attempt at.
    pub attempt: Option<AttemptRef<'a>>,
    /// Entity and attribute of the fact key.
    pub key: Option<(&'a str, &'a str)>,
    /// The value under the key.
    pub value: Option<&'a str>,
    /// The caller's grouping.
    pub category: Option<&'a str>,
    /// The caller's data: canonical JSON, or empty.
    pub metadata: &'a str,
    /// How much it matters.
    pub importance: Importance,
    /// Whether it stays in the profile whatever else there is.
    pub pinned: bool,
    /// When it happened or began to be true.
    pub event_at: ZonedTime,
    /// When the store took it.
    pub recorded_at: Timestamp,
    /// When it was last recalled or said again.
    pub last_used_at: Option<Timestamp>,
    /// Whether its key holds one value at a time: of those that answer, the one of greatest precedence does.
    pub holds_one: bool,
    /// From when on it answers recalls, when that is later than it was recorded.
    pub usable_from: Option<Timestamp>,
    /// From when on it answers no recall.
    pub usable_until: Option<Timestamp>,
    /// For a turn: a number for its session, the same for all turns of the session, and its position.
    pub session: Option<(u64, u32)>,
    /// Its vector, when it has one of the asked model: scale and codes.
    pub vector: Option<(f32, &'a [i8])>,
}

impl<'a> IndexRow<'a> {
    /// A memory as an index takes it in, whatever its state; `metadata` is its canonical JSON, or empty.
    #[must_use]
    pub fn of_memory(
        memory: &'a Memory,
        metadata: &'a str,
        vector: Option<(f32, &'a [i8])>,
    ) -> Self {
        Self {
            record: RecordRef::Memory(memory.id),
            change: memory.change,
            kind: memory.kind,
            origin: memory.origin,
            role: None,
            speaker: None,
            text: &memory.statement,
            attempt: memory.attempt.as_ref().map(Attempt::borrowed),
            key: memory.fact_key().map(|key| (key.entity(), key.attribute())),
            value: memory.value.as_deref(),
            category: memory.category.as_deref(),
            metadata,
            importance: memory.importance,
            pinned: memory.pinned_at.is_some(),
            event_at: memory.valid_from,
            recorded_at: memory.recorded_at,
            last_used_at: memory.last_recalled_at.max(memory.last_confirmed_at),
            holds_one: matches!(memory.key, Some((_, Cardinality::Single))),
            usable_from: later_start(memory.validity()),
            usable_until: memory.validity().usable_until(),
            session: None,
            vector,
        }
    }

    /// The text as the index reads it.
    #[must_use]
    pub fn indexed_text(&self) -> IndexedText<'a> {
        IndexedText {
            day: self.event_at.day(),
            speaker: self.speaker.or(self.role.map(Role::as_str)),
            text: self.text,
            key: self
                .key
                .map(|(_, attribute)| (attribute, self.value.unwrap_or_default())),
            attempt: self.attempt,
        }
    }

    /// Whether a recall may find it: instructions and bare tool calls are kept but not recalled.
    #[must_use]
    pub fn is_recallable(&self) -> bool {
        self.role != Some(Role::System) && !self.text.trim().is_empty()
    }
}

/// When a record begins to answer, where it does not from the moment it is recorded.
pub(crate) fn later_start(validity: Validity) -> Option<Timestamp> {
    Some(validity.usable_from()).filter(|start| *start > validity.recorded_at)
}
