//! A long-term record.

mod attempt;
mod key;
mod place;
mod validity;

use crate::error::{InvalidInput, check_some_text};
use crate::id::{ChangeNumber, MemoryId};
use crate::metadata::Metadata;
use crate::provenance::{Origin, Source, Status, Trust, words};
use crate::scope::Scope;
use crate::time::{Timestamp, ZonedTime};

pub use attempt::{Attempt, AttemptRef, Outcome};
pub use key::FactKey;
pub use validity::{Precedence, Validity};

/// Bytes a statement or value may have.
pub const STATEMENT_BYTES_MAX: usize = 8 * 1024;
/// Bytes an entity, attribute, category or actor may have.
pub const LABEL_BYTES_MAX: usize = 128;
/// Sources a memory may name.
pub const SOURCES_MAX: usize = 64;

words! {
    /// What kind of thing is remembered.
    Kind, "kind", "semantic, episodic or procedural" {
        /// A timeless fact or preference.
        Semantic = "semantic",
        /// Something that happened.
        Episodic = "episodic",
        /// How to do something.
        Procedural = "procedural",
    }
}

words! {
    /// Where a memory is in its life. Only live ones are recalled.
    State, "state", "live, dormant, pending, quarantined, superseded, retracted or expired" {
        /// Believed and recalled.
        Live = "live",
        /// Believed, and true at another time than now: from a later day on, or again once another value's
        /// time is over. Told from the dates when somebody looks; rows say live.
        Dormant = "dormant",
        /// Waits for a person.
        Pending = "pending",
        /// Held back as untrusted.
        Quarantined = "quarantined",
        /// Was true, or was believed, and something else has its place: history.
        Superseded = "superseded",
        /// Taken out of use on request; kept as history.
        Retracted = "retracted",
        /// Past its time. Readers tell it from the dates; rows say so once the next write has noticed.
        Expired = "expired",
    }
}

impl State {
    /// The states that rows say; readers tell the others from the dates.
    pub const STORED: &[Self] = &[
        Self::Live,
        Self::Pending,
        Self::Quarantined,
        Self::Superseded,
        Self::Retracted,
        Self::Expired,
    ];
}

words! {
    /// How near at hand a memory is kept.
    Tier, "tier", "hot, cold or archive" {
        /// In use.
        Hot = "hot",
        /// Not used for a while.
        Cold = "cold",
        /// Not used for long.
        Archive = "archive",
    }
}

/// How much a memory matters, `1..=10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Importance(u8);

impl Importance {
    /// What a memory has unless somebody says otherwise.
    pub const DEFAULT: Self = Self(5);

    /// An importance.
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] outside `1..=10`.
    pub fn new(importance: u8) -> Result<Self, InvalidInput> {
        if (1..=10).contains(&importance) {
            Ok(Self(importance))
        } else {
            Err(InvalidInput::malformed(
                "importance",
                "a whole number from 1 to 10",
                &importance.to_string(),
            ))
        }
    }

    /// The number, `1..=10`.
    #[must_use]
    pub fn get(self) -> u8 {
        self.0
    }
}

/// How sure the writer was, `0..=1`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Confidence(f32);

impl Confidence {
    /// Certain.
    pub const FULL: Self = Self(1.0);

    /// A confidence.
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] outside `0..=1` or not a number.
    pub fn new(confidence: f32) -> Result<Self, InvalidInput> {
        if (0.0..=1.0).contains(&confidence) {
            Ok(Self(confidence))
        } else {
            Err(InvalidInput::malformed(
                "confidence",
                "a number from 0 to 1",
                &confidence.to_string(),
            ))
        }
    }

    /// The number, `0..=1`.
    #[must_use]
    pub fn get(self) -> f32 {
        self.0
    }
}

/// Whether an attribute has one value at a time or a set of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// At most one live value, as a home city.
    Single,
    /// Any number of live values, as allergies.
    Set,
}

/// A long-term record: one statable fact, event or rule, with where it comes from and when it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Its id.
    pub id: MemoryId,
    /// Who it belongs to.
    pub scope: Scope,
    /// Fact, event or procedure.
    pub kind: Kind,
    /// The caller's own grouping.
    pub category: Option<String>,
    /// What it is about, where that can be said, and whether that holds one value or a set.
    pub key: Option<(FactKey, Cardinality)>,
    /// The value under the key.
    pub value: Option<String>,
    /// One sentence, byte-exact.
    pub statement: String,
    /// What the event was an attempt at, and how it went; only where the kind is episodic.
    pub attempt: Option<Attempt>,
    /// Where it is in its life.
    pub state: State,
    /// How near at hand.
    pub tier: Tier,
    /// How much it matters.
    pub importance: Importance,
    /// How sure the writer was.
    pub confidence: Confidence,
    /// Stated, inferred or confirmed.
    pub status: Status,
    /// Where it comes from.
    pub origin: Origin,
    /// How far that is believed.
    pub trust: Trust,
    /// Who wrote it: the user, agent or process by name.
    pub actor: Option<String>,
    /// What supports it, best first.
    pub sources: Vec<Source>,
    /// Since when it is true in the world.
    pub valid_from: ZonedTime,
    /// Until when it was true; `None` while it is.
    pub valid_to: Option<ZonedTime>,
    /// The end that was told with it. `valid_to` may be earlier since it was retired.
    pub told_to: Option<ZonedTime>,
    /// When the store took it.
    pub recorded_at: Timestamp,
    /// When it stopped being believed as it stands.
    pub retired_at: Option<Timestamp>,
    /// When it goes out of use by itself.
    pub expires_at: Option<Timestamp>,
    /// When a recall last returned it.
    pub last_recalled_at: Option<Timestamp>,
    /// How many recalls returned it.
    pub recall_count: u32,
    /// When somebody last said it again.
    pub last_confirmed_at: Option<Timestamp>,
    /// How often somebody said it again.
    pub confirmations: u32,
    /// What it took the place of.
    pub supersedes: Option<MemoryId>,
    /// What took its place.
    pub superseded_by: Option<MemoryId>,
    /// Grows by one with each replacement, from 1; callers compare it before they change a memory.
    pub version: u32,
    /// The caller's own data.
    pub metadata: Metadata,
    /// Since when it is pinned: it stays in the profile of every desk and never sinks.
    pub pinned_at: Option<Timestamp>,
    /// When in the order of everything it last changed; 0 before it is stored.
    pub change: ChangeNumber,
}

impl Memory {
    /// Checks every limit that the field types do not hold by themselves.
    ///
    /// # Errors
    /// [`InvalidInput`] naming the field and the limit.
    pub fn check(&self) -> Result<(), InvalidInput> {
        check_some_text("statement", &self.statement, STATEMENT_BYTES_MAX)?;
        if let Some(value) = &self.value {
            check_some_text("value", value, STATEMENT_BYTES_MAX)?;
        }
        if let Some(attempt) = &self.attempt {
            attempt.check(self.kind)?;
        }
        for (field, label) in [("category", &self.category), ("actor", &self.actor)] {
            if let Some(label) = label {
                check_some_text(field, label, LABEL_BYTES_MAX)?;
            }
        }
        if self.sources.len() > SOURCES_MAX {
            return Err(InvalidInput::OverLimit {
                field: "sources",
                got: self.sources.len(),
                limit: SOURCES_MAX,
                unit: "sources",
            });
        }
        self.sources.iter().try_for_each(|source| {
            crate::error::check_text("quote", &source.quote, STATEMENT_BYTES_MAX)
        })
    }

    /// The key without its cardinality.
    #[must_use]
    pub fn fact_key(&self) -> Option<&FactKey> {
        self.key.as_ref().map(|(key, _)| key)
    }

    /// The value, or the statement where there is none: what two memories under one key are compared by.
    #[must_use]
    pub fn value_or_statement(&self) -> &str {
        self.value.as_deref().unwrap_or(&self.statement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_have_bounds() {
        assert!(
            Importance::new(0).is_err()
                && Importance::new(11).is_err()
                && Importance::new(10).is_ok()
        );
        assert!(
            Confidence::new(-0.1).is_err()
                && Confidence::new(f32::NAN).is_err()
                && Confidence::new(1.0).is_ok()
        );
    }
}
