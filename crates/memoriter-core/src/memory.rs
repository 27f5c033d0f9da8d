//! A long-term record.

use std::fmt;
use std::str::FromStr;

use crate::error::{InvalidInput, check_some_text};
use crate::id::{ChangeNumber, MemoryId};
use crate::metadata::Metadata;
use crate::provenance::{Origin, Source, Status, Trust, words};
use crate::scope::Scope;
use crate::text::normalise;
use crate::time::{Timestamp, ZonedTime};

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
    State, "state", "live, pending, quarantined, superseded, retracted or expired" {
        /// Believed and recalled.
        Live = "live",
        /// Waits for a person.
        Pending = "pending",
        /// Held back as untrusted.
        Quarantined = "quarantined",
        /// Was true, or was believed, and something else has its place: history.
        Superseded = "superseded",
        /// Taken out of use on request; kept as history.
        Retracted = "retracted",
        /// Past its time.
        Expired = "expired",
    }
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

/// What a fact is about: an entity and one of its attributes, as `user.city`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactKey {
    entity: String,
    attribute: String,
}

impl FactKey {
    /// A key from its parts.
    ///
    /// # Errors
    /// [`InvalidInput`] when a part is empty, over [`LABEL_BYTES_MAX`] or holds NUL.
    pub fn new(
        entity: impl Into<String>,
        attribute: impl Into<String>,
    ) -> Result<Self, InvalidInput> {
        let (entity, attribute) = (entity.into(), attribute.into());
        check_some_text("entity", &entity, LABEL_BYTES_MAX)?;
        check_some_text("attribute", &attribute, LABEL_BYTES_MAX)?;
        Ok(Self { entity, attribute })
    }

    /// The thing the fact is about.
    #[must_use]
    pub fn entity(&self) -> &str {
        &self.entity
    }

    /// Which of its properties.
    #[must_use]
    pub fn attribute(&self) -> &str {
        &self.attribute
    }
}

impl FromStr for FactKey {
    type Err = InvalidInput;

    /// Reads `entity.attribute`; the last dot parts them.
    fn from_str(text: &str) -> Result<Self, InvalidInput> {
        match text.rsplit_once('.') {
            Some((entity, attribute)) => Self::new(entity, attribute),
            None => Err(InvalidInput::malformed(
                "key",
                "entity.attribute such as user.city",
                text,
            )),
        }
    }
}

impl fmt::Display for FactKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.entity, self.attribute)
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

    /// What at most one live memory of a scope may hold: a single-valued key; a key with its normalised value
    /// where the key holds a set; kind and normalised statement where there is no key. Equal bytes mean the
    /// same place.
    #[must_use]
    pub fn place(&self) -> Vec<u8> {
        let parts = match &self.key {
            Some((key, Cardinality::Single)) => vec!["single", key.entity(), key.attribute()],
            Some((key, Cardinality::Set)) => vec!["set", key.entity(), key.attribute()],
            None => vec!["text", self.kind.as_str()],
        };
        let mut place = parts.join("\0").into_bytes();
        match &self.key {
            Some((_, Cardinality::Single)) => {}
            Some((_, Cardinality::Set)) | None => {
                place.push(0);
                place.extend_from_slice(normalise(self.value_or_statement()).as_bytes());
            }
        }
        place
    }

    /// Whether the memory answers a recall at `now`: live, not expired, and not over.
    #[must_use]
    pub fn is_current(&self, now: Timestamp) -> bool {
        self.state == State::Live && self.usable_until().is_none_or(|end| now < end)
    }

    /// The instant from which a live memory no longer answers recalls.
    #[must_use]
    pub fn usable_until(&self) -> Option<Timestamp> {
        [self.expires_at, self.valid_to.map(|end| end.instant)]
            .into_iter()
            .flatten()
            .min()
    }

    /// Whether, by what the store held at `known_at`, this was true at `as_of`.
    ///
    /// A memory that was retired after `known_at` counts with its end open, as it stood then. Pending and
    /// quarantined memories were never believed; retracted ones are believed until their retraction.
    #[must_use]
    pub fn was_true(&self, as_of: Timestamp, known_at: Timestamp) -> bool {
        let retired_later = self
            .retired_at
            .is_some_and(|retired_at| known_at < retired_at);
        let believed = match self.state {
            State::Live | State::Superseded | State::Expired => true,
            State::Retracted => retired_later,
            State::Pending | State::Quarantined => false,
        };
        let end = if retired_later { None } else { self.valid_to };
        believed
            && self.recorded_at <= known_at
            && self.valid_from.instant <= as_of
            && end.is_none_or(|end| as_of < end.instant)
            && self.expires_at.is_none_or(|expires_at| as_of < expires_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_dot_parts_a_key() {
        let key: FactKey = "dr. smith.phone".parse().unwrap();
        assert_eq!((key.entity(), key.attribute()), ("dr. smith", "phone"));
        for broken in ["", "user", ".city", "user.", "."] {
            assert!(broken.parse::<FactKey>().is_err(), "{broken}");
        }
    }

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
