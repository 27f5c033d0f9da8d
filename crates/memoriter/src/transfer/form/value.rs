//! Values that JSON has no type for, and JSON with one meaning.

use std::borrow::Cow;

use memoriter_core::error::InvalidInput;
use memoriter_core::id::{CheckpointId, MemoryId, TurnId};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::SourceRef;
use memoriter_core::time::{Timestamp, ZonedTime};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::import::Unambiguous;

/// A word or text that is borrowed where it can be.
pub(super) type Text<'a> = Cow<'a, str>;
/// The same, where it may be missing.
pub(super) type Maybe<'a> = Option<Cow<'a, str>>;

/// Any JSON; an object that names a field twice is none.
pub(super) struct Json<'a>(pub(super) Cow<'a, Value>);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Unambiguous(value) = Unambiguous::deserialize(deserializer)?;
        Ok(Self(Cow::Owned(value)))
    }
}

/// Metadata.
#[derive(Default)]
pub(super) struct MetadataLine<'a>(Cow<'a, Metadata>);

impl MetadataLine<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn into_metadata(self) -> Metadata {
        self.0.into_owned()
    }
}

impl<'a> From<&'a Metadata> for MetadataLine<'a> {
    fn from(metadata: &'a Metadata) -> Self {
        Self(Cow::Borrowed(metadata))
    }
}

impl Serialize for MetadataLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_object().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MetadataLine<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let error = |invalid: &dyn std::fmt::Display| serde::de::Error::custom(invalid);
        match Unambiguous::deserialize(deserializer)? {
            Unambiguous(Value::Object(object)) => match Metadata::new(object) {
                Ok(metadata) => Ok(Self(Cow::Owned(metadata))),
                Err(invalid) => Err(error(&invalid)),
            },
            Unambiguous(
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_),
            ) => Err(error(&"metadata must be an object")),
        }
    }
}

/// What something rests on: `{"turn":"…"}` or `{"memory":"…"}`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SourceLine<'a> {
    #[serde(borrow)]
    Turn(Text<'a>),
    #[serde(borrow)]
    Memory(Text<'a>),
}

impl From<&SourceRef> for SourceLine<'_> {
    fn from(source: &SourceRef) -> Self {
        match source {
            SourceRef::Turn(id) => Self::Turn(word(id)),
            SourceRef::Memory(id) => Self::Memory(word(id)),
        }
    }
}

impl SourceLine<'_> {
    pub(super) fn read(&self) -> Result<SourceRef, InvalidInput> {
        Ok(match self {
            Self::Turn(id) => SourceRef::Turn(id.parse::<TurnId>()?),
            Self::Memory(id) => SourceRef::Memory(id.parse::<MemoryId>()?),
        })
    }
}

/// An id, a time or another thing that is written as a text.
pub(super) fn word(value: &impl ToString) -> Text<'static> {
    Cow::Owned(value.to_string())
}

pub(super) fn maybe_word<T: ToString>(value: Option<&T>) -> Maybe<'static> {
    value.map(word)
}

/// A zoned time to the second of its offset.
pub(super) fn zoned(time: ZonedTime) -> Text<'static> {
    Cow::Owned(time.to_exact())
}

pub(super) fn borrowed(text: Option<&String>) -> Maybe<'_> {
    text.map(|text| Cow::Borrowed(text.as_str()))
}

pub(super) fn owned(text: Maybe<'_>) -> Option<String> {
    text.map(Cow::into_owned)
}

/// Reads an instant, which stands in UTC.
pub(super) fn time(field: &'static str, text: &str) -> Result<Timestamp, InvalidInput> {
    Ok(ZonedTime::parse(field, text)?.instant)
}

pub(super) fn maybe_time(
    field: &'static str,
    text: &Maybe<'_>,
) -> Result<Option<Timestamp>, InvalidInput> {
    text.as_deref().map(|text| time(field, text)).transpose()
}

pub(super) fn maybe_zoned(
    field: &'static str,
    text: &Maybe<'_>,
) -> Result<Option<ZonedTime>, InvalidInput> {
    let read = |text| ZonedTime::parse(field, text);
    text.as_deref().map(read).transpose()
}

pub(super) fn maybe_memory(text: &Maybe<'_>) -> Result<Option<MemoryId>, InvalidInput> {
    text.as_deref().map(str::parse).transpose()
}

pub(super) fn maybe_checkpoint(text: &Maybe<'_>) -> Result<Option<CheckpointId>, InvalidInput> {
    text.as_deref().map(str::parse).transpose()
}

/// For fields that are left out at nothing.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over references"
)]
pub(super) fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// For fields that are left out where they do not hold.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over references"
)]
pub(super) fn is_false(flag: &bool) -> bool {
    !*flag
}
