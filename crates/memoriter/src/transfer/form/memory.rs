//! Memories.

use std::borrow::Cow;

use memoriter_core::error::InvalidInput;
use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::{
    Attempt, Cardinality, Confidence, FactKey, Importance, Kind, Memory, Outcome, State, Tier,
};
use memoriter_core::provenance::{Origin, Source, Status, Trust};
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};
use serde::{Deserialize, Serialize};

use super::value::{
    Maybe, MetadataLine, SourceLine, Text, borrowed, is_zero, maybe_memory, maybe_time, maybe_word,
    maybe_zoned, owned, time, word, zoned,
};

/// A memory with all its fields but its scope and change number.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct MemoryLine<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    kind: Text<'a>,
    #[serde(borrow)]
    state: Text<'a>,
    #[serde(borrow)]
    tier: Text<'a>,
    #[serde(borrow)]
    statement: Text<'a>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    key: Option<KeyLine<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Maybe<'a>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    attempt: Option<AttemptLine<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    category: Maybe<'a>,
    importance: u8,
    confidence: f32,
    #[serde(borrow)]
    status: Text<'a>,
    #[serde(borrow)]
    origin: Text<'a>,
    trust: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actor: Maybe<'a>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    sources: Vec<SupportLine<'a>>,
    #[serde(borrow)]
    valid_from: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_to: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    told_to: Maybe<'a>,
    #[serde(borrow)]
    recorded_at: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retired_at: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pinned_at: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_recalled_at: Maybe<'a>,
    #[serde(default, skip_serializing_if = "is_zero")]
    recall_count: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_confirmed_at: Maybe<'a>,
    #[serde(default, skip_serializing_if = "is_zero")]
    confirmations: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    supersedes: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    superseded_by: Maybe<'a>,
    version: u32,
    #[serde(default, skip_serializing_if = "MetadataLine::is_empty")]
    metadata: MetadataLine<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyLine<'a> {
    #[serde(borrow)]
    entity: Text<'a>,
    #[serde(borrow)]
    attribute: Text<'a>,
    holds: Holds,
}

/// How many values a key holds.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Holds {
    One,
    Set,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AttemptLine<'a> {
    #[serde(borrow)]
    goal: Text<'a>,
    #[serde(borrow)]
    outcome: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lesson: Maybe<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SupportLine<'a> {
    #[serde(borrow)]
    of: SourceLine<'a>,
    #[serde(borrow)]
    quote: Text<'a>,
}

impl<'a> From<&'a Memory> for MemoryLine<'a> {
    fn from(memory: &'a Memory) -> Self {
        Self {
            id: word(&memory.id),
            kind: Cow::Borrowed(memory.kind.as_str()),
            state: Cow::Borrowed(memory.state.as_str()),
            tier: Cow::Borrowed(memory.tier.as_str()),
            statement: Cow::Borrowed(&memory.statement),
            key: memory.key.as_ref().map(KeyLine::from),
            value: borrowed(memory.value.as_ref()),
            attempt: memory.attempt.as_ref().map(AttemptLine::from),
            category: borrowed(memory.category.as_ref()),
            importance: memory.importance.get(),
            confidence: memory.confidence.get(),
            status: Cow::Borrowed(memory.status.as_str()),
            origin: Cow::Borrowed(memory.origin.as_str()),
            trust: memory.trust.level(),
            actor: borrowed(memory.actor.as_ref()),
            sources: memory.sources.iter().map(SupportLine::from).collect(),
            valid_from: zoned(memory.valid_from),
            valid_to: memory.valid_to.map(zoned),
            told_to: memory.told_to.map(zoned),
            recorded_at: word(&memory.recorded_at),
            retired_at: maybe_word(memory.retired_at.as_ref()),
            expires_at: maybe_word(memory.expires_at.as_ref()),
            pinned_at: maybe_word(memory.pinned_at.as_ref()),
            last_recalled_at: maybe_word(memory.last_recalled_at.as_ref()),
            recall_count: memory.recall_count,
            last_confirmed_at: maybe_word(memory.last_confirmed_at.as_ref()),
            confirmations: memory.confirmations,
            supersedes: maybe_word(memory.supersedes.as_ref()),
            superseded_by: maybe_word(memory.superseded_by.as_ref()),
            version: memory.version,
            metadata: MetadataLine::from(&memory.metadata),
        }
    }
}

impl MemoryLine<'_> {
    /// The memory, in a scope, within every limit.
    pub(in super::super) fn into_memory(self, scope: &Scope) -> Result<Memory, InvalidInput> {
        let memory = Memory {
            id: self.id.parse()?,
            scope: scope.clone(),
            kind: Kind::parse(&self.kind)?,
            category: owned(self.category),
            key: self.key.map(KeyLine::read).transpose()?,
            value: owned(self.value),
            statement: self.statement.into_owned(),
            attempt: self.attempt.map(AttemptLine::read).transpose()?,
            state: stored_state(&self.state)?,
            tier: Tier::parse(&self.tier)?,
            importance: Importance::new(self.importance)?,
            confidence: Confidence::new(self.confidence)?,
            status: Status::parse(&self.status)?,
            origin: Origin::parse(&self.origin)?,
            trust: Trust::new(self.trust)?,
            actor: owned(self.actor),
            sources: self
                .sources
                .into_iter()
                .map(SupportLine::read)
                .collect::<Result<_, _>>()?,
            valid_from: ZonedTime::parse("valid_from", &self.valid_from)?,
            valid_to: maybe_zoned("valid_to", &self.valid_to)?,
            told_to: maybe_zoned("told_to", &self.told_to)?,
            recorded_at: time("recorded_at", &self.recorded_at)?,
            retired_at: maybe_time("retired_at", &self.retired_at)?,
            expires_at: maybe_time("expires_at", &self.expires_at)?,
            pinned_at: maybe_time("pinned_at", &self.pinned_at)?,
            last_recalled_at: maybe_time("last_recalled_at", &self.last_recalled_at)?,
            recall_count: self.recall_count,
            last_confirmed_at: maybe_time("last_confirmed_at", &self.last_confirmed_at)?,
            confirmations: self.confirmations,
            supersedes: maybe_memory(&self.supersedes)?,
            superseded_by: maybe_memory(&self.superseded_by)?,
            version: self.version,
            metadata: self.metadata.into_metadata(),
            change: ChangeNumber::default(),
        };
        memory.check()?;
        Ok(memory)
    }
}

/// A state that a row can say.
fn stored_state(text: &str) -> Result<State, InvalidInput> {
    let state = State::parse(text)?;
    if State::STORED.contains(&state) {
        return Ok(state);
    }
    let expected = "live, pending, quarantined, superseded, retracted or expired";
    Err(InvalidInput::malformed("state", expected, text))
}

impl<'a> From<&'a (FactKey, Cardinality)> for KeyLine<'a> {
    fn from((key, cardinality): &'a (FactKey, Cardinality)) -> Self {
        Self {
            entity: Cow::Borrowed(key.entity()),
            attribute: Cow::Borrowed(key.attribute()),
            holds: match cardinality {
                Cardinality::Single => Holds::One,
                Cardinality::Set => Holds::Set,
            },
        }
    }
}

impl KeyLine<'_> {
    /// The key as a store may hold it: see [`FactKey::kept`].
    fn read(self) -> Result<(FactKey, Cardinality), InvalidInput> {
        let cardinality = match self.holds {
            Holds::One => Cardinality::Single,
            Holds::Set => Cardinality::Set,
        };
        Ok((FactKey::kept(&self.entity, &self.attribute)?, cardinality))
    }
}

impl<'a> From<&'a Attempt> for AttemptLine<'a> {
    fn from(attempt: &'a Attempt) -> Self {
        Self {
            goal: Cow::Borrowed(&attempt.goal),
            outcome: Cow::Borrowed(attempt.outcome.as_str()),
            lesson: borrowed(attempt.lesson.as_ref()),
        }
    }
}

impl AttemptLine<'_> {
    fn read(self) -> Result<Attempt, InvalidInput> {
        Ok(Attempt {
            goal: self.goal.into_owned(),
            outcome: Outcome::parse(&self.outcome)?,
            lesson: owned(self.lesson),
        })
    }
}

impl<'a> From<&'a Source> for SupportLine<'a> {
    fn from(source: &'a Source) -> Self {
        Self {
            of: SourceLine::from(&source.of),
            quote: Cow::Borrowed(&source.quote),
        }
    }
}

impl SupportLine<'_> {
    fn read(self) -> Result<Source, InvalidInput> {
        Ok(Source {
            of: self.of.read()?,
            quote: self.quote.into_owned(),
        })
    }
}

/// The fields that use changes and content does not: two memories that differ in these alone are equal.
pub(in super::super) fn without_use(memory: &Memory) -> Memory {
    Memory {
        tier: Tier::Hot,
        last_recalled_at: None::<Timestamp>,
        recall_count: 0,
        change: ChangeNumber::default(),
        ..memory.clone()
    }
}
