//! Sessions: their mode, turns, boards and checkpoints.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use memoriter_core::board::{Field, FieldType, MergeRule, Terms};
use memoriter_core::checkpoint::{Answer, Answered, Approval, Checkpoint};
use memoriter_core::error::{InvalidInput, check_some_text};
use memoriter_core::id::{ChangeNumber, TurnId};
use memoriter_core::provenance::Origin;
use memoriter_core::scope::Scope;
use memoriter_core::session::{ForkPoint, Mode};
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Message, Role, SessionName, Turn, Written};
use memoriter_store::{
    EXTRACTION_ERROR_BYTES_MAX, Extraction, ExtractionState, NewCheckpoint, SessionRow,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::value::{
    Json, Maybe, MetadataLine, SourceLine, Text, borrowed, is_false, is_zero, maybe_checkpoint,
    maybe_time, maybe_word, owned, time, word, zoned,
};

/// A session besides what is in it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct SessionLine<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    mode: Text<'a>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    forked_from: Option<ForkLine<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ForkLine<'a> {
    #[serde(borrow)]
    session: Text<'a>,
    turns: u32,
    #[serde(borrow)]
    checkpoint: Text<'a>,
}

/// A session as its line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct SessionHead {
    pub(in super::super) scope: Scope,
    pub(in super::super) name: SessionName,
    pub(in super::super) mode: Mode,
    pub(in super::super) forked_from: Option<ForkPoint>,
}

impl<'a> SessionLine<'a> {
    pub(in super::super) fn new(name: &'a SessionName, row: &'a SessionRow) -> Self {
        let fork = |from: &'a ForkPoint| ForkLine {
            session: Cow::Borrowed(from.session.as_str()),
            turns: from.turns,
            checkpoint: word(&from.checkpoint),
        };
        Self {
            name: Cow::Borrowed(name.as_str()),
            mode: Cow::Borrowed(row.mode.as_str()),
            forked_from: row.forked_from.as_ref().map(fork),
        }
    }

    /// The session, in a scope.
    pub(in super::super) fn read(self, scope: &Scope) -> Result<SessionHead, InvalidInput> {
        let fork = |from: ForkLine<'_>| {
            Ok::<_, InvalidInput>(ForkPoint {
                session: SessionName::new(from.session)?,
                turns: from.turns,
                checkpoint: from.checkpoint.parse()?,
            })
        };
        Ok(SessionHead {
            scope: scope.clone(),
            name: SessionName::new(self.name)?,
            mode: Mode::parse(&self.mode)?,
            forked_from: self.forked_from.map(fork).transpose()?,
        })
    }
}

/// Positions whose turns were erased.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct GapLine {
    pub(in super::super) from: u32,
    pub(in super::super) turns: u32,
}

/// A turn with all its fields but its scope, session and change number.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct TurnLine<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    position: u32,
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    speaker: Maybe<'a>,
    #[serde(borrow)]
    content: Text<'a>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "some"
    )]
    tool_calls: Option<Json<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_call_id: Maybe<'a>,
    #[serde(borrow)]
    origin: Text<'a>,
    #[serde(borrow)]
    at: Text<'a>,
    #[serde(borrow)]
    recorded_at: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retired_at: Maybe<'a>,
    #[serde(default, skip_serializing_if = "MetadataLine::is_empty")]
    metadata: MetadataLine<'a>,
    /// How its provider wrote it: [`Written::to_json`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    written: Option<Json<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    extraction: Option<ExtractionLine<'a>>,
}

/// How far the reading of a turn for memories is.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct ExtractionLine<'a> {
    #[serde(borrow)]
    state: Text<'a>,
    #[serde(borrow)]
    due_at: Text<'a>,
    #[serde(default, skip_serializing_if = "is_zero")]
    attempts: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    finished_at: Maybe<'a>,
}

/// How far the reading of a turn is, apart from the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct ReadingState {
    pub(in super::super) state: ExtractionState,
    pub(in super::super) due_at: Timestamp,
    pub(in super::super) attempts: u32,
    pub(in super::super) error: Option<String>,
    pub(in super::super) finished_at: Option<Timestamp>,
}

impl<'a> TurnLine<'a> {
    pub(in super::super) fn new(turn: &'a Turn, extraction: Option<&'a Extraction>) -> Self {
        let message = &turn.message;
        Self {
            id: word(&turn.id),
            position: turn.position,
            role: Cow::Borrowed(message.role.as_str()),
            speaker: borrowed(message.speaker.as_ref()),
            content: Cow::Borrowed(&message.content),
            tool_calls: message
                .tool_calls
                .as_ref()
                .map(|calls| Json(Cow::Borrowed(calls))),
            tool_call_id: borrowed(message.tool_call_id.as_ref()),
            origin: Cow::Borrowed(message.origin.as_str()),
            at: zoned(message.at),
            recorded_at: word(&turn.recorded_at),
            retired_at: maybe_word(turn.retired_at.as_ref()),
            metadata: MetadataLine::from(&message.metadata),
            written: message
                .written
                .as_ref()
                .map(|written| Json(Cow::Owned(written.to_json()))),
            extraction: extraction.map(|entry| ExtractionLine {
                state: Cow::Borrowed(entry.state.as_str()),
                due_at: word(&entry.due_at),
                attempts: entry.attempts,
                error: borrowed(entry.error.as_ref()),
                finished_at: maybe_word(entry.finished_at.as_ref()),
            }),
        }
    }

    /// The turn, in a session, within every limit, and how far its reading is.
    pub(in super::super) fn into_turn(
        self,
        (scope, session): (&Scope, &SessionName),
    ) -> Result<(Turn, Option<ReadingState>), InvalidInput> {
        let turn = Turn {
            id: self.id.parse::<TurnId>()?,
            scope: scope.clone(),
            session: session.clone(),
            position: self.position,
            message: Message {
                role: Role::parse(&self.role)?,
                speaker: owned(self.speaker),
                content: self.content.into_owned(),
                tool_calls: self.tool_calls.map(|calls| calls.0.into_owned()),
                tool_call_id: owned(self.tool_call_id),
                origin: Origin::parse(&self.origin)?,
                at: ZonedTime::parse("at", &self.at)?,
                metadata: self.metadata.into_metadata(),
                written: self
                    .written
                    .map(|written| read_written(&written.0))
                    .transpose()?,
            },
            recorded_at: time("recorded_at", &self.recorded_at)?,
            retired_at: maybe_time("retired_at", &self.retired_at)?,
            change: ChangeNumber::default(),
        };
        turn.message.check()?;
        let extraction = self.extraction.map(ExtractionLine::read).transpose()?;
        Ok((turn, extraction))
    }
}

/// What a turn keeps of a message, and nothing besides.
fn read_written(json: &Value) -> Result<Written, InvalidInput> {
    let written = Written::from_json(json)?;
    if written.to_json() != *json {
        let expected = "what a turn keeps of a message, with no field that is not known";
        return Err(InvalidInput::malformed("written", expected, "other JSON"));
    }
    Ok(written)
}

impl ExtractionLine<'_> {
    fn read(self) -> Result<ReadingState, InvalidInput> {
        if let Some(error) = &self.error {
            check_some_text("error", error, EXTRACTION_ERROR_BYTES_MAX)?;
        }
        Ok(ReadingState {
            state: ExtractionState::parse(&self.state)?,
            due_at: time("due_at", &self.due_at)?,
            attempts: self.attempts,
            error: owned(self.error),
            finished_at: maybe_time("finished_at", &self.finished_at)?,
        })
    }
}

/// A field with all that it has but its scope, session and change number.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct FieldLine<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    rule: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Maybe<'a>,
    #[serde(default, skip_serializing_if = "is_false")]
    protected: bool,
    /// Whether it was removed; then there is no value. Null is a value.
    #[serde(default, skip_serializing_if = "is_false")]
    removed: bool,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "some"
    )]
    value: Option<Json<'a>>,
    revision: u64,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    source: Option<SourceLine<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actor: Maybe<'a>,
    #[serde(borrow)]
    at: Text<'a>,
    /// Whether it was overwritten since: a checkpoint that follows needs it.
    #[serde(default, skip_serializing_if = "is_false")]
    past: bool,
}

/// Reads null as a value, not as nothing.
fn some<'de, 'a, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Json<'a>>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

impl<'a> FieldLine<'a> {
    pub(in super::super) fn new(field: &'a Field, is_past: bool) -> Self {
        Self {
            name: Cow::Borrowed(&field.name),
            kind: Cow::Borrowed(field.terms.kind.as_str()),
            rule: Cow::Borrowed(field.terms.rule.as_str()),
            owner: borrowed(field.terms.owner.as_ref()),
            protected: field.terms.is_protected,
            removed: field.value.is_none(),
            value: field.value.as_ref().map(|value| Json(Cow::Borrowed(value))),
            revision: field.revision,
            source: field.source.as_ref().map(SourceLine::from),
            actor: borrowed(field.actor.as_ref()),
            at: word(&field.at),
            past: is_past,
        }
    }

    /// The field, on a board, within every limit, and whether it was overwritten since.
    pub(in super::super) fn into_field(
        self,
        (scope, session): (&Scope, &SessionName),
    ) -> Result<(Field, bool), InvalidInput> {
        if self.removed == self.value.is_some() {
            let expected = "there, unless the field is removed";
            return Err(InvalidInput::malformed("value", expected, ""));
        }
        let field = Field {
            scope: scope.clone(),
            session: session.clone(),
            name: self.name.into_owned(),
            terms: Terms {
                kind: FieldType::parse(&self.kind)?,
                rule: MergeRule::parse(&self.rule)?,
                owner: owned(self.owner),
                is_protected: self.protected,
            },
            value: self.value.map(|value| {
                let mut value = value.0.into_owned();
                value.sort_all_objects();
                value
            }),
            revision: self.revision,
            source: self.source.map(|source| source.read()).transpose()?,
            actor: owned(self.actor),
            at: time("at", &self.at)?,
            change: ChangeNumber::default(),
        };
        field.check()?;
        Ok((field, self.past))
    }
}

/// A checkpoint with its bytes.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct CheckpointLine<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    turns: u32,
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Maybe<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    approval: Option<ApprovalLine<'a>>,
    #[serde(borrow)]
    at: Text<'a>,
    /// In base64 with padding, RFC 4648.
    #[serde(borrow)]
    data: Text<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ApprovalLine<'a> {
    question: Text<'a>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "some"
    )]
    asked_for: Option<Json<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered: Option<AnsweredLine<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnsweredLine<'a> {
    answer: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Maybe<'a>,
    at: Text<'a>,
}

impl<'a> CheckpointLine<'a> {
    pub(in super::super) fn new(checkpoint: &'a Checkpoint, data: &[u8]) -> Self {
        let answered = |answered: &'a Answered| AnsweredLine {
            answer: Cow::Borrowed(answered.answer.as_str()),
            by: borrowed(answered.by.as_ref()),
            at: word(&answered.at),
        };
        let approval = |asks: &'a Approval| ApprovalLine {
            question: Cow::Borrowed(&asks.question),
            asked_for: asks
                .asked_for
                .as_ref()
                .map(|what| Json(Cow::Borrowed(what))),
            answered: asks.answered.as_ref().map(answered),
        };
        Self {
            id: word(&checkpoint.id),
            turns: checkpoint.turns,
            kind: Cow::Borrowed(&checkpoint.kind),
            parent: maybe_word(checkpoint.parent.as_ref()),
            label: borrowed(checkpoint.label.as_ref()),
            approval: checkpoint.approval.as_ref().map(approval),
            at: word(&checkpoint.at),
            data: Cow::Owned(STANDARD.encode(data)),
        }
    }

    /// The checkpoint, in a session, within every limit.
    pub(in super::super) fn into_checkpoint(
        self,
        (scope, session): (&Scope, &SessionName),
    ) -> Result<NewCheckpoint, InvalidInput> {
        let data = STANDARD
            .decode(self.data.as_bytes())
            .map_err(|_| InvalidInput::malformed("data", "base64 with padding", &self.data))?;
        let checkpoint = Checkpoint {
            id: self.id.parse()?,
            scope: scope.clone(),
            session: session.clone(),
            as_of: ChangeNumber::default(),
            turns: self.turns,
            kind: self.kind.into_owned(),
            data_bytes: data.len() as u64,
            parent: maybe_checkpoint(&self.parent)?,
            label: owned(self.label),
            approval: self.approval.map(ApprovalLine::read).transpose()?,
            at: time("at", &self.at)?,
        };
        checkpoint.check()?;
        Ok(NewCheckpoint { checkpoint, data })
    }
}

impl ApprovalLine<'_> {
    fn read(self) -> Result<Approval, InvalidInput> {
        let answered = |line: AnsweredLine<'_>| {
            Ok::<_, InvalidInput>(Answered {
                answer: Answer::parse(&line.answer)?,
                by: owned(line.by),
                at: time("at", &line.at)?,
            })
        };
        Ok(Approval {
            question: self.question.into_owned(),
            asked_for: self.asked_for.map(|what| what.0.into_owned()),
            answered: self.answered.map(answered).transpose()?,
        })
    }
}
