//! `memoriter show`: one record with everything that is known about it.

use clap::Args;
use memoriter::ScopedMemory;
use memoriter::core::id::{MemoryId, TurnId};
use memoriter::core::memory::Memory;
use memoriter::core::provenance::SourceRef;
use memoriter::core::turn::Turn;
use memoriter::store::StoreError;

use crate::context::Context;
use crate::failure::Failure;
use crate::layout;
use crate::output::Answer;
use crate::wire::{MemoryWire, TurnWire};

/// See one memory, or one turn of a conversation, with everything that is known about it.
#[derive(Args)]
#[command(after_help = "Example: memoriter show 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11")]
pub(super) struct ShowArgs {
    /// The id, as recall and list print it
    #[arg(value_name = "ID")]
    id: MemoryId,
}

pub(super) fn run(context: &Context, args: &ShowArgs) -> Result<Answer, Failure> {
    let scope = context.open_scope()?;
    match scope.get(args.id) {
        Ok(memory) => Ok(Answer::new(
            &MemoryWire::from(&memory),
            memory_text(&memory),
        )),
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
pub(super) fn memory_text(memory: &Memory) -> String {
    let mut lines = vec![layout::printable(&memory.statement), String::new()];
    let mut line =
        |name: &str, value: String| lines.push(format!("{name:<15}{}", layout::printable(&value)));
    line("id", memory.id.to_string());
    if let Some(key) = memory.fact_key() {
        line("key", key.to_string());
        line("value", memory.value.clone().unwrap_or_default());
    }
    line(
        "state",
        format!("{}, version {}", memory.state, memory.version),
    );
    line("kind", memory.kind.to_string());
    line(
        "said",
        format!(
            "{} by {}, trust {} of 3",
            memory.status,
            memory.origin,
            memory.trust.level()
        ),
    );
    line(
        "importance",
        format!(
            "{} of 10, confidence {}",
            memory.importance.get(),
            memory.confidence.get()
        ),
    );
    line("true since", memory.valid_from.to_string());
    line("scope", memory.scope.to_string());
    line("recorded", memory.recorded_at.to_string());
    let optional = [
        ("true until", memory.valid_to.map(|time| time.to_string())),
        ("retired", memory.retired_at.map(|time| time.to_string())),
        ("expires", memory.expires_at.map(|time| time.to_string())),
        (
            "last recalled",
            memory
                .last_recalled_at
                .map(|time| format!("{time}, {} in all", memory.recall_count)),
        ),
        (
            "last confirmed",
            memory
                .last_confirmed_at
                .map(|time| format!("{time}, {} in all", memory.confirmations)),
        ),
        ("replaces", memory.supersedes.map(|id| id.to_string())),
        ("replaced by", memory.superseded_by.map(|id| id.to_string())),
        ("category", memory.category.clone()),
        ("actor", memory.actor.clone()),
        (
            "metadata",
            (!memory.metadata.is_empty()).then(|| memory.metadata.to_json()),
        ),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            line(name, value);
        }
    }
    for source in &memory.sources {
        let of = match source.of {
            SourceRef::Turn(id) => format!("turn {id}"),
            SourceRef::Memory(id) => format!("memory {id}"),
        };
        line(
            "source",
            format!("{of} {}", source.quote).trim_end().to_owned(),
        );
    }
    lines.join("\n")
}

fn turn_text(turn: &Turn) -> String {
    let message = &turn.message;
    let mut lines = vec![layout::printable(&message.content), String::new()];
    let mut line =
        |name: &str, value: String| lines.push(format!("{name:<15}{}", layout::printable(&value)));
    line("id", turn.id.to_string());
    line(
        "session",
        format!("{}, turn {}", turn.session.as_str(), turn.position),
    );
    line("role", message.role.to_string());
    line("origin", message.origin.to_string());
    line("said", message.at.to_string());
    line("recorded", turn.recorded_at.to_string());
    line("scope", turn.scope.to_string());
    let optional = [
        ("speaker", message.speaker.clone()),
        (
            "tool calls",
            message.tool_calls.as_ref().map(ToString::to_string),
        ),
        ("answers call", message.tool_call_id.clone()),
        (
            "metadata",
            (!message.metadata.is_empty()).then(|| message.metadata.to_json()),
        ),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            line(name, value);
        }
    }
    lines.join("\n")
}
