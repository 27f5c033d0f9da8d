//! From what is decided to a unit of writes.

use memoriter_core::time::Timestamp;
use memoriter_core::turn::Message;
use memoriter_store::{ExtractionUpdate, NewAnswer, NewFork, NewTurn, StoredVector, Write};

use super::{Fate, Planner};
use crate::engine::{indexed_memory, indexed_message};
use crate::error::Error;
use crate::transfer::form::SessionHead;
use crate::transfer::source::{Record, TurnRecord};

impl Planner<'_> {
    /// The writes of the records that are new, with the vectors that recall needs.
    pub(in super::super) fn into_writes(
        self,
        batch: &[(u64, Record)],
        fates: &[Fate],
    ) -> Result<Vec<Write>, Error> {
        let new: Vec<(&Record, Option<Timestamp>)> = batch
            .iter()
            .zip(fates)
            .filter_map(|((_, record), fate)| match fate {
                Fate::New => Some((record, None)),
                Fate::NewRetired(at) => Some((record, Some(*at))),
                Fate::Known | Fate::Forgotten | Fate::Clash(_) => None,
            })
            .collect();
        let texts: Vec<String> = new
            .iter()
            .filter_map(|(record, at)| spoken(record, *at))
            .collect();
        let mut vectors = self.engine.embed(&texts)?.into_iter();
        let mut writes = Vec::with_capacity(new.len());
        for (record, retired_at) in new {
            let vector = spoken(record, retired_at).and_then(|_| vectors.next().flatten());
            self.write(record, retired_at, vector, &mut writes);
        }
        Ok(writes)
    }

    fn write(
        &self,
        record: &Record,
        retired_at: Option<Timestamp>,
        vector: Option<StoredVector>,
        writes: &mut Vec<Write>,
    ) {
        match record {
            Record::Scope(_) => {}
            Record::Session(head) => writes.push(make_session(head)),
            Record::Gap(gap) => writes.push(Write::SkipPositions {
                scope: gap.scope.clone(),
                session: gap.session.clone(),
                turns: gap.turns,
            }),
            Record::Turn(record) => {
                let retired_at = record.turn.retired_at.or(retired_at);
                append(record, retired_at, vector, writes);
            }
            Record::Field(field, _) => writes.push(Write::PutField {
                field: field.clone(),
                read_at: self.read_at.get(&field.name).copied(),
            }),
            Record::Checkpoint(new) => {
                let mut new = new.clone();
                let asks = new.checkpoint.approval.as_mut();
                let answered = asks.and_then(|asks| asks.answered.take());
                let (scope, checkpoint) = (new.checkpoint.scope.clone(), new.checkpoint.id);
                writes.push(Write::SaveCheckpoint(new));
                writes.extend(answered.map(|answered| {
                    Write::Answer(NewAnswer {
                        scope,
                        checkpoint,
                        answered,
                    })
                }));
            }
            Record::Memory(memory) => writes.push(Write::InsertMemory {
                memory: memory.clone(),
                vector,
            }),
            Record::Decision(decision) => writes.push(Write::LogDecision(decision.clone())),
        }
    }
}

/// The text that gets a vector: none for what no recall can find.
fn spoken(record: &Record, retired_at: Option<Timestamp>) -> Option<String> {
    match record {
        Record::Memory(memory) => Some(indexed_memory(memory).spoken()),
        Record::Turn(record) => {
            let turn = &record.turn;
            let is_found = turn.message.is_recallable() && turn.retired_at.or(retired_at).is_none();
            is_found.then(|| indexed_message(&turn.message).spoken())
        }
        Record::Scope(_)
        | Record::Session(_)
        | Record::Gap(_)
        | Record::Field(..)
        | Record::Checkpoint(_)
        | Record::Decision(_) => None,
    }
}

fn make_session(head: &SessionHead) -> Write {
    let (scope, session, mode) = (head.scope.clone(), head.name.clone(), head.mode);
    match head.forked_from.clone() {
        Some(from) => Write::ForkSession(Box::new(NewFork {
            scope,
            session,
            from,
            mode,
        })),
        None => Write::SetMode {
            scope,
            session,
            mode,
        },
    }
}

/// A turn, how far its reading is, and that it is out of use: what is out of use cannot be queued.
fn append(
    record: &TurnRecord,
    retired_at: Option<Timestamp>,
    vector: Option<StoredVector>,
    writes: &mut Vec<Write>,
) {
    let TurnRecord {
        turn,
        reading,
        attachments,
    } = record;
    let reading = reading.as_ref();
    writes.push(Write::AppendTurn(Box::new(NewTurn {
        id: turn.id,
        scope: turn.scope.clone(),
        session: turn.session.clone(),
        message: Message::clone(&turn.message),
        recorded_at: turn.recorded_at,
        vector,
        extract_at: reading.map(|reading| reading.due_at),
        attachments: attachments.clone(),
    })));
    writes.extend(reading.map(|reading| {
        Write::SetExtraction(ExtractionUpdate {
            turn: turn.id,
            read_attempts: 0,
            state: reading.state,
            due_at: reading.due_at,
            attempts: reading.attempts,
            error: reading.error.clone(),
            finished_at: reading.finished_at,
        })
    }));
    writes.extend(retired_at.map(|at| Write::RetireTurns {
        scope: turn.scope.clone(),
        ids: vec![turn.id],
        at,
    }));
}
