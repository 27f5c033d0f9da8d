//! What of a file is believed.

use std::sync::Arc;

use memoriter_core::attachment::check_bytes;
use memoriter_core::board::Field;
use memoriter_core::error::InvalidInput;
use memoriter_core::guard::Guard;
use memoriter_core::memory::{Memory, State};
use memoriter_core::provenance::{Origin, Status};
use memoriter_core::turn::{Message, Turn};
use memoriter_store::{NewAttachment, NewCheckpoint};

use super::source::{Record, TurnRecord};
use crate::engine::Engine;
use crate::guarded::{masked, masked_attempt, masked_json, masked_message, masked_metadata};

/// How far what a file says of its records is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Belief {
    /// The store has written it, and nobody changed it since: everything, and the guard has seen it.
    Own,
    /// The caller vouches for it: origin, trust and state. The guard looks at every text.
    Vouched,
    /// Nothing: what it says was read in a file. Memories wait for a person as those of documents do.
    Foreign,
}

/// What becomes of a record before the store is asked.
pub(super) enum Believed {
    /// It may be taken in, as it is now.
    Record(Record),
    /// It says nothing without a secret that may not be kept.
    Refused,
    /// It is a claim about decisions of another store.
    LeftOut,
}

impl Belief {
    /// The record as it may be taken in.
    pub(super) fn apply(self, engine: &Engine, record: Record) -> Result<Believed, InvalidInput> {
        let guard = &engine.guard;
        Ok(Believed::Record(match (self, record) {
            (Self::Own, record)
            | (Self::Vouched, record @ Record::Decision(_))
            | (_, record @ (Record::Scope(_) | Record::Session(_) | Record::Gap(_))) => record,
            (Self::Foreign, Record::Decision(_)) => return Ok(Believed::LeftOut),
            (_, Record::Turn(record)) => Record::Turn(Box::new(self.turn(guard, *record)?)),
            (_, Record::Field(field, is_past)) => {
                Record::Field(Box::new(masked_field(guard, *field)), is_past)
            }
            (_, Record::Checkpoint(checkpoint)) => {
                Record::Checkpoint(Box::new(masked_checkpoint(guard, *checkpoint)))
            }
            (_, Record::Memory(memory)) => {
                let memory = masked_memory(guard, *memory)?;
                let screening = engine.screening(&memory);
                if screening.needs_secret {
                    return Ok(Believed::Refused);
                }
                let memory = match self {
                    Self::Own | Self::Vouched => memory,
                    Self::Foreign => foreign(memory, screening.is_instruction),
                };
                memory.check()?;
                Record::Memory(Box::new(memory))
            }
        }))
    }

    fn turn(self, guard: &Guard, record: TurnRecord) -> Result<TurnRecord, InvalidInput> {
        let TurnRecord { turn, reading, .. } = record;
        let origin = match self {
            Self::Own | Self::Vouched => turn.message.origin,
            Self::Foreign => Origin::Import,
        };
        let message = Message {
            origin,
            ..masked_message(guard, turn.message)?
        };
        message.check()?;
        let attachments = record.attachments.into_iter();
        Ok(TurnRecord {
            turn: Turn { message, ..turn },
            // Nobody asked for a foreign file to be read for memories.
            reading: reading.filter(|_| self == Self::Vouched),
            attachments: attachments
                .map(|new| masked_attachment(guard, new))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// As if it had been read in a document: it waits, is held back where it reads like an instruction, and nobody has
/// confirmed it.
fn foreign(memory: Memory, is_instruction: bool) -> Memory {
    let state = match memory.state {
        State::Live | State::Pending if is_instruction => State::Quarantined,
        State::Live => State::Pending,
        state @ (State::Dormant
        | State::Pending
        | State::Quarantined
        | State::Superseded
        | State::Retracted
        | State::Expired) => state,
    };
    Memory {
        state,
        origin: Origin::Import,
        trust: Origin::Import.trust(),
        status: memory.status.min(Status::Stated),
        ..memory
    }
}

fn masked_attachment(guard: &Guard, new: NewAttachment) -> Result<NewAttachment, InvalidInput> {
    let bytes = match std::str::from_utf8(&new.bytes) {
        Ok(text) => Arc::from(masked(guard, text).into_bytes()),
        Err(_) => new.bytes,
    };
    // A mask may be longer than what it stands for.
    check_bytes(bytes.len())?;
    Ok(NewAttachment {
        name: new.name.map(|name| masked(guard, &name)),
        bytes,
        ..new
    })
}

fn masked_memory(guard: &Guard, memory: Memory) -> Result<Memory, InvalidInput> {
    let mask = |text: String| masked(guard, &text);
    let mut sources = memory.sources;
    for source in &mut sources {
        source.quote = masked(guard, &source.quote);
    }
    Ok(Memory {
        statement: mask(memory.statement),
        value: memory.value.map(mask),
        attempt: memory.attempt.map(|attempt| masked_attempt(guard, attempt)),
        category: memory.category.map(mask),
        actor: memory.actor.map(mask),
        metadata: masked_metadata(guard, &memory.metadata)?,
        sources,
        ..memory
    })
}

fn masked_field(guard: &Guard, field: Field) -> Field {
    Field {
        value: field.value.map(|value| masked_json(guard, &value)),
        ..field
    }
}

fn masked_checkpoint(guard: &Guard, mut new: NewCheckpoint) -> NewCheckpoint {
    let checkpoint = &mut new.checkpoint;
    checkpoint.label = checkpoint.label.take().map(|label| masked(guard, &label));
    if let Some(approval) = &mut checkpoint.approval {
        approval.question = masked(guard, &approval.question);
        approval.asked_for = approval
            .asked_for
            .take()
            .map(|what| masked_json(guard, &what));
    }
    new
}
