//! `memoriter show`: one record with everything that is known about it.

use clap::Args;
use memoriter::ScopedMemory;
use memoriter::core::id::{MemoryId, TurnId};
use memoriter::core::memory::Memory;
use memoriter::core::metadata::Metadata;
use memoriter::core::provenance::{Source, SourceRef};
use memoriter::core::time::Timestamp;
use memoriter::core::turn::Turn;
use memoriter::store::{DecisionRecord, StoreError};
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::layout::Fields;
use crate::output::Answer;
use memoriter_server::wire::{MemoryWire, TurnWire};

use super::attempt::goal;

/// See one memory or turn with everything that is known about it
#[derive(Args)]
#[command(after_help = "Example: memoriter show 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11")]
pub(super) struct ShowArgs {
    /// The id, as recall and list print it
    #[arg(value_name = "ID")]
    id: MemoryId,
}

/// A memory and the decisions on it.
#[derive(Serialize)]
struct ShownWire {
    #[serde(flatten)]
    memory: MemoryWire,
    /// In the order in which they were made.
    decisions: Vec<LedgerWire>,
}

/// A line of the ledger.
#[derive(Serialize)]
struct LedgerWire {
    at: String,
    decision: &'static str,
    reason: &'static str,
    /// The rule or prompt that found it; `null` for what a caller asked for.
    made_by: Option<String>,
}

impl From<&DecisionRecord> for LedgerWire {
    fn from(record: &DecisionRecord) -> Self {
        Self {
            at: record.at.to_string(),
            decision: record.decision.kind.as_str(),
            reason: record.decision.reason.as_str(),
            made_by: record.made_by.clone(),
        }
    }
}

pub(super) fn run(context: &Context, args: &ShowArgs) -> Result<Answer, Failure> {
    let scope = context.own_scope(&context.open_existing()?)?;
    match scope.get(args.id) {
        Ok(memory) => {
            let decided = scope.decisions_on(memory.id)?;
            let wire = ShownWire {
                memory: MemoryWire::from(&memory),
                decisions: decided.iter().map(LedgerWire::from).collect(),
            };
            let text = format!("{}{}", memory_text(&memory), decided_text(&decided));
            Ok(Answer::new(&wire, text))
        }
        Err(memoriter::Error::Store(StoreError::NoSuchMemory { id })) => match turn_of(&scope, id)?
        {
            Some(turn) => Ok(Answer::new(&TurnWire::from(&turn), turn_text(&turn))),
            None => Err(StoreError::NoSuchMemory { id }.into()),
        },
        Err(error) => Err(error.into()),
    }
}

/// The turn with this id. Turns and memories share one form of id, so that one command shows both.
pub(super) fn turn_of(scope: &ScopedMemory, id: MemoryId) -> Result<Option<Turn>, Failure> {
    Ok(scope.turn(TurnId::from_bytes(*id.as_bytes()))?)
}

/// A memory, a field a line.
fn memory_text(memory: &Memory) -> String {
    let attempt = memory.attempt.as_ref();
    let fields = Fields::below(&memory.statement)
        .with("id", memory.id)
        .with_some("key", memory.fact_key())
        .with_some("value", memory.value.as_ref())
        .with_some("outcome", attempt.map(|attempt| attempt.outcome))
        .with_some("goal", goal(memory))
        .with_some(
            "lesson",
            attempt.and_then(|attempt| attempt.lesson.as_ref()),
        )
        .with(
            "state",
            format!("{}, version {}", memory.state, memory.version),
        )
        .with("kind", memory.kind)
        .with(
            "said",
            format!(
                "{} by {}, trust {} of 3",
                memory.status,
                memory.origin,
                memory.trust.level()
            ),
        )
        .with("importance", format!("{} of 10", memory.importance.get()))
        .with("confidence", memory.confidence.get())
        .with("true since", memory.valid_from)
        .with_some("true until", memory.valid_to)
        .with("scope", &memory.scope)
        .with("recorded", memory.recorded_at)
        .with_some("retired", memory.retired_at)
        .with_some("expires", memory.expires_at)
        .with_some(
            "last recalled",
            memory
                .last_recalled_at
                .map(|time| times(time, memory.recall_count)),
        )
        .with_some(
            "last confirmed",
            memory
                .last_confirmed_at
                .map(|time| times(time, memory.confirmations)),
        )
        .with_some("pinned", memory.pinned_at)
        .with_some("replaces", memory.supersedes)
        .with_some("replaced by", memory.superseded_by)
        .with_some("category", memory.category.as_ref())
        .with_some("actor", memory.actor.as_ref())
        .with_some("metadata", metadata_text(&memory.metadata));
    let with_source = |fields: Fields, source| fields.with("source", source_text(source));
    memory.sources.iter().fold(fields, with_source).text()
}

/// The decisions on a memory, one a line.
fn decided_text(decided: &[DecisionRecord]) -> String {
    let line = |record: &DecisionRecord| {
        let DecisionRecord { at, decision, .. } = record;
        let by = record
            .made_by
            .as_ref()
            .map_or(String::new(), |by| format!(", found by {by}"));
        format!(
            "\n{} on {at}: {}{by}",
            decision.kind,
            decision.reason.sentence()
        )
    };
    decided.iter().map(line).collect()
}

fn times(last: Timestamp, count: u32) -> String {
    format!("{last}, {count} in all")
}

fn metadata_text(metadata: &Metadata) -> Option<String> {
    (!metadata.is_empty()).then(|| metadata.to_json())
}

fn source_text(source: &Source) -> String {
    let of = match source.of {
        SourceRef::Turn(id) => format!("turn {id}"),
        SourceRef::Memory(id) => format!("memory {id}"),
    };
    format!("{of} {}", source.quote).trim_end().to_owned()
}

/// A turn, a field a line.
fn turn_text(turn: &Turn) -> String {
    let message = &turn.message;
    Fields::below(&message.content)
        .with("id", turn.id)
        .with(
            "session",
            format!("{}, turn {}", turn.session.as_str(), turn.position),
        )
        .with("role", message.role)
        .with_some("speaker", message.speaker.as_ref())
        .with("origin", message.origin)
        .with("said", message.at)
        .with("recorded", turn.recorded_at)
        .with("scope", &turn.scope)
        .with_some("tool calls", message.tool_calls.as_ref())
        .with_some("answers call", message.tool_call_id.as_ref())
        .with_some("metadata", metadata_text(&message.metadata))
        .text()
}
