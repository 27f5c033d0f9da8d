//! Lines of the ledger.

use std::borrow::Cow;

use memoriter_core::error::{InvalidInput, check_some_text};
use memoriter_core::memory::State;
use memoriter_core::provenance::{Status, Trust};
use memoriter_core::scope::Scope;
use memoriter_core::turn::NAME_BYTES_MAX;
use memoriter_core::write::{Decision, DecisionKind, Reason};
use memoriter_store::{DecisionRecord, Standing};
use serde::{Deserialize, Serialize};

use super::value::{
    Maybe, SourceLine, Text, borrowed, is_zero, maybe_memory, maybe_time, maybe_word, maybe_zoned,
    owned, time, word, zoned,
};

/// A decision and what it made of memories.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct DecisionLine<'a> {
    #[serde(borrow)]
    at: Text<'a>,
    #[serde(borrow)]
    decision: Text<'a>,
    #[serde(borrow)]
    reason: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    supersedes: Maybe<'a>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    source: Option<SourceLine<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made_by: Maybe<'a>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    changes: Vec<StandingLine<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StandingLine<'a> {
    #[serde(borrow)]
    memory: Text<'a>,
    #[serde(borrow)]
    state: Text<'a>,
    #[serde(borrow)]
    status: Text<'a>,
    trust: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_to: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retired_at: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    supersedes: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    superseded_by: Maybe<'a>,
    version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_confirmed_at: Maybe<'a>,
    #[serde(default, skip_serializing_if = "is_zero")]
    confirmations: u32,
}

impl<'a> From<&'a DecisionRecord> for DecisionLine<'a> {
    fn from(record: &'a DecisionRecord) -> Self {
        let decision = &record.decision;
        Self {
            at: word(&record.at),
            decision: Cow::Borrowed(decision.kind.as_str()),
            reason: Cow::Borrowed(decision.reason.as_str()),
            id: maybe_word(decision.id.as_ref()),
            supersedes: maybe_word(decision.supersedes.as_ref()),
            source: record.source.as_ref().map(SourceLine::from),
            made_by: borrowed(record.made_by.as_ref()),
            changes: record.changes.iter().map(StandingLine::from).collect(),
        }
    }
}

impl From<&Standing> for StandingLine<'_> {
    fn from(standing: &Standing) -> Self {
        Self {
            memory: word(&standing.memory),
            state: Cow::Borrowed(standing.state.as_str()),
            status: Cow::Borrowed(standing.status.as_str()),
            trust: standing.trust.level(),
            valid_to: standing.valid_to.map(zoned),
            retired_at: maybe_word(standing.retired_at.as_ref()),
            supersedes: maybe_word(standing.supersedes.as_ref()),
            superseded_by: maybe_word(standing.superseded_by.as_ref()),
            version: standing.version,
            last_confirmed_at: maybe_word(standing.last_confirmed_at.as_ref()),
            confirmations: standing.confirmations,
        }
    }
}

impl DecisionLine<'_> {
    /// The line of the ledger of a scope, within every limit.
    pub(in super::super) fn into_record(
        self,
        scope: &Scope,
    ) -> Result<DecisionRecord, InvalidInput> {
        if let Some(name) = &self.made_by {
            check_some_text("made_by", name, NAME_BYTES_MAX)?;
        }
        let mut changes: Vec<Standing> = self
            .changes
            .into_iter()
            .map(StandingLine::read)
            .collect::<Result<_, _>>()?;
        changes.sort_by_key(|standing| standing.memory);
        if changes
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.memory == b.memory))
        {
            let expected = "a list that names each memory once";
            return Err(InvalidInput::malformed("changes", expected, ""));
        }
        Ok(DecisionRecord {
            scope: scope.clone(),
            at: time("at", &self.at)?,
            decision: Decision {
                kind: DecisionKind::parse(&self.decision)?,
                reason: Reason::parse(&self.reason)?,
                id: maybe_memory(&self.id)?,
                supersedes: maybe_memory(&self.supersedes)?,
            },
            source: self.source.map(|source| source.read()).transpose()?,
            made_by: owned(self.made_by),
            changes,
        })
    }
}

impl StandingLine<'_> {
    fn read(self) -> Result<Standing, InvalidInput> {
        Ok(Standing {
            memory: self.memory.parse()?,
            state: State::parse(&self.state)?,
            status: Status::parse(&self.status)?,
            trust: Trust::new(self.trust)?,
            valid_to: maybe_zoned("valid_to", &self.valid_to)?,
            retired_at: maybe_time("retired_at", &self.retired_at)?,
            supersedes: maybe_memory(&self.supersedes)?,
            superseded_by: maybe_memory(&self.superseded_by)?,
            version: self.version,
            last_confirmed_at: maybe_time("last_confirmed_at", &self.last_confirmed_at)?,
            confirmations: self.confirmations,
        })
    }
}
