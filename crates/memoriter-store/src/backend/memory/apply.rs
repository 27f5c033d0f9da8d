//! What each write does to the lists.

use std::sync::Arc;

use memoriter_core::forget::turn_mark;
use memoriter_core::id::{ChangeNumber, MemoryId, TurnId};
use memoriter_core::memory::{Memory, State};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::Turn;

use super::super::check::wrong_dimensions;
use super::{Content, Held};
use crate::error::StoreError;
use crate::store::{Appended, NewAttachment, NewTurn, Outcome, RecordRef, StoredVector, Write};

impl Content {
    pub(super) fn apply(&mut self, write: &Write) -> Result<Outcome, StoreError> {
        match write {
            Write::AppendTurn(turn) => self.append_turn(turn).map(Outcome::Turn),
            Write::InsertMemory { memory, vector } => {
                self.insert(memory, vector.as_ref()).map(Outcome::Changed)
            }
            Write::UpdateMemory { memory, read_at } => {
                self.update(memory, *read_at).map(Outcome::Changed)
            }
            Write::PutVectors(vectors) => self.put_vectors(vectors),
            Write::MarkRecalled { ids, at } => {
                self.mark_recalled(ids, *at);
                Ok(Outcome::Noted)
            }
            Write::RetireTurns { scope, ids, at } => Ok(self.retire_turns(scope, ids, *at)),
            Write::SetExtraction(update) => self.set_extraction(update).map(|()| Outcome::Noted),
            Write::QueueExtraction { turns, due_at } => {
                self.queue_extraction(turns, *due_at);
                Ok(Outcome::Noted)
            }
            Write::LogDecision(record) => {
                self.log_decision(record);
                Ok(Outcome::Noted)
            }
            Write::Forget { scope, marks, at } => {
                self.forget(scope, marks, *at);
                Ok(Outcome::Noted)
            }
            Write::PutSpan {
                scope,
                session,
                span,
                read_at,
            } => {
                self.put_span((scope, session), span, *read_at);
                Ok(Outcome::Noted)
            }
            Write::CountUsage(row) => {
                self.count_usage(row);
                Ok(Outcome::Noted)
            }
            Write::PutField { field, read_at } => self.put_field(field, *read_at),
            Write::SetMode {
                scope,
                session,
                mode,
            } => Ok(self.set_mode(scope, session, *mode)),
            Write::SkipPositions {
                scope,
                session,
                turns,
            } => Ok(self.skip_positions(scope, session, *turns)),
            Write::ForkSession(new) => self.fork(new),
            Write::SaveCheckpoint(new) => self.save(new),
            Write::Answer(new) => self.answer(new),
            Write::RemoveCheckpoints {
                scope,
                session,
                ids,
            } => {
                self.remove_checkpoints(scope, session, ids);
                Ok(Outcome::Noted)
            }
            Write::Erase(erasure) => self.erase(erasure),
            Write::PutReceipt { receipt, over } => self.put_receipt(receipt, *over),
            Write::Audit(line) => Ok(self.audit(line)),
        }
    }

    pub(super) fn next_change(&mut self) -> ChangeNumber {
        self.head = ChangeNumber(self.head.0 + 1);
        self.head
    }

    fn append_turn(&mut self, new: &NewTurn) -> Result<Appended, StoreError> {
        if let Some(known) = self.turns.iter().find(|held| held.record.id == new.id) {
            let Turn {
                scope,
                session,
                message,
                ..
            } = &*known.record;
            let same = (scope, session, message.role, &message.content)
                == (
                    &new.scope,
                    &new.session,
                    new.message.role,
                    &new.message.content,
                );
            let has = |new: &NewAttachment| self.has_attachment(&known.record, new);
            return if same && new.attachments.iter().all(has) {
                Ok(Appended::Known)
            } else {
                Err(StoreError::TurnConflict {
                    id: new.id,
                    session: new.session.as_str().to_owned(),
                })
            };
        }
        if self.is_forgotten(&new.scope, turn_mark(new.id)) {
            return Ok(Appended::Erased);
        }
        self.session_entry(&new.scope, &new.session);
        let vector = self.take_vector(new.vector.as_ref())?;
        let position = self.turn_count(&new.scope, &new.session);
        let change = self.next_change();
        let turn = Turn {
            id: new.id,
            scope: new.scope.clone(),
            session: new.session.clone(),
            position,
            message: new.message.clone(),
            recorded_at: new.recorded_at,
            retired_at: None,
            change,
        };
        self.add_attachments(&turn, &new.attachments);
        self.turns.push(Held {
            record: Arc::new(turn),
            vector,
        });
        if let Some(due_at) = new.extract_at {
            self.queue_extraction(&[new.id], due_at);
        }
        Ok(Appended::New { position, change })
    }

    fn retire_turns(&mut self, scope: &Scope, ids: &[TurnId], at: Timestamp) -> Outcome {
        let mut outcome = Outcome::Noted;
        for id in ids {
            let in_use = self.turns.iter().position(|held| {
                let turn = &held.record;
                turn.id == *id && turn.scope == *scope && turn.retired_at.is_none()
            });
            let change = ChangeNumber(self.head.0 + 1);
            if let Some(held) = in_use.and_then(|index| self.turns.get_mut(index)) {
                let turn = Arc::make_mut(&mut held.record);
                turn.retired_at = Some(at);
                turn.change = change;
                self.head = change;
                self.drop_spans(*id);
                outcome = Outcome::Changed(change);
            }
        }
        outcome
    }

    fn insert(
        &mut self,
        memory: &Memory,
        vector: Option<&StoredVector>,
    ) -> Result<ChangeNumber, StoreError> {
        if self.memories.iter().any(|held| held.record.id == memory.id) {
            return Err(StoreError::Conflict { id: memory.id });
        }
        self.check_place(memory)?;
        let vector = self.take_vector(vector)?;
        let change = self.next_change();
        let record = Arc::new(Memory {
            change,
            ..memory.clone()
        });
        self.memories.push(Held { record, vector });
        Ok(change)
    }

    pub(super) fn update(
        &mut self,
        memory: &Memory,
        read_at: ChangeNumber,
    ) -> Result<ChangeNumber, StoreError> {
        let missing = StoreError::NoSuchMemory { id: memory.id };
        let current = self
            .memories
            .iter()
            .position(|held| held.record.id == memory.id && held.record.scope == memory.scope);
        let Some(index) = current else {
            return Err(missing);
        };
        let Some(Held { record, .. }) = self.memories.get(index) else {
            return Err(missing);
        };
        if record.change != read_at {
            return Err(StoreError::Conflict { id: memory.id });
        }
        self.check_place(memory)?;
        let change = self.next_change();
        if let Some(held) = self.memories.get_mut(index) {
            if held.record.statement != memory.statement || held.record.attempt != memory.attempt {
                held.vector = None;
            }
            let recorded_at = held.record.recorded_at;
            held.record = Arc::new(Memory {
                change,
                recorded_at,
                ..memory.clone()
            });
        }
        Ok(change)
    }

    fn check_place(&self, memory: &Memory) -> Result<(), StoreError> {
        if memory.state != State::Live {
            return Ok(());
        }
        match self.holder(memory) {
            Some(holder) if holder.id != memory.id => Err(StoreError::Conflict { id: holder.id }),
            Some(_) | None => Ok(()),
        }
    }

    /// The live memory in the place that `memory` would take.
    pub(super) fn holder(&self, memory: &Memory) -> Option<&Arc<Memory>> {
        let place = memory.place();
        self.memories.iter().map(|held| &held.record).find(|other| {
            other.state == State::Live && other.scope == memory.scope && other.place() == place
        })
    }

    fn take_vector(
        &mut self,
        vector: Option<&StoredVector>,
    ) -> Result<Option<Arc<StoredVector>>, StoreError> {
        let Some(vector) = vector else {
            return Ok(None);
        };
        let got = vector.vector.codes.len();
        let expected = *self.dimensions.entry(vector.model.clone()).or_insert(got);
        if expected == got {
            Ok(Some(Arc::new(vector.clone())))
        } else {
            Err(wrong_dimensions(expected, got))
        }
    }

    fn put_vectors(
        &mut self,
        vectors: &[(RecordRef, StoredVector)],
    ) -> Result<Outcome, StoreError> {
        let mut outcome = Outcome::Noted;
        for (record, vector) in vectors {
            if !self.holds(*record) {
                continue;
            }
            let vector = self.take_vector(Some(vector))?;
            let change = self.next_change();
            match record {
                RecordRef::Memory(id) => {
                    for held in self
                        .memories
                        .iter_mut()
                        .filter(|held| held.record.id == *id)
                    {
                        Arc::make_mut(&mut held.record).change = change;
                        held.vector.clone_from(&vector);
                    }
                }
                RecordRef::Turn(id) => {
                    for held in self.turns.iter_mut().filter(|held| held.record.id == *id) {
                        Arc::make_mut(&mut held.record).change = change;
                        held.vector.clone_from(&vector);
                    }
                }
            }
            outcome = Outcome::Changed(change);
        }
        Ok(outcome)
    }

    fn holds(&self, record: RecordRef) -> bool {
        match record {
            RecordRef::Memory(id) => self.memories.iter().any(|held| held.record.id == id),
            RecordRef::Turn(id) => self.turns.iter().any(|held| held.record.id == id),
        }
    }

    fn mark_recalled(&mut self, ids: &[MemoryId], at: Timestamp) {
        for id in ids {
            for held in self
                .memories
                .iter_mut()
                .filter(|held| held.record.id == *id)
            {
                let memory = Arc::make_mut(&mut held.record);
                memory.last_recalled_at = Some(at);
                memory.recall_count = memory.recall_count.saturating_add(1);
            }
        }
    }
}
