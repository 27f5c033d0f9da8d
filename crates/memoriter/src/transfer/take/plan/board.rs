//! Sessions, fields and checkpoints.

use memoriter_core::board::Field;
use memoriter_core::forget::{checkpoint_mark, field_mark, version_mark};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{CheckpointQuery, FieldQuery, NewCheckpoint, StoreError};

use super::{Fate, Planner, clash};
use crate::draft::sound;
use crate::error::Error;
use crate::transfer::form::{FieldLine, Line, SessionHead};
use crate::transfer::take::books::of_line;
use crate::transfer::take::session::SessionProgress;

impl Planner<'_> {
    pub(super) fn session(
        &self,
        head: &SessionHead,
        session: &mut SessionProgress,
    ) -> Result<Fate, Error> {
        *session = SessionProgress::default();
        let row = self.snapshot.session(&head.scope, &head.name)?;
        if let Some(row) = row {
            session.turns = row.turns;
            let is_equal = (row.mode, &row.forked_from) == (head.mode, &head.forked_from);
            return Ok(if is_equal {
                Fate::Known
            } else {
                clash("it is there, with another mode or origin")
            });
        }
        let Some(from) = &head.forked_from else {
            return Ok(Fate::New);
        };
        let parent = self.snapshot.session(&head.scope, &from.session)?;
        if parent.is_none_or(|parent| parent.turns < from.turns) {
            // Its turns would begin after a gap.
            session.turns = u32::MAX;
            return Ok(clash(
                "the session that it goes on from has not so many turns",
            ));
        }
        session.turns = from.turns;
        Ok(Fate::New)
    }

    /// A field is written where there is none, or where the store's is what this file wrote before. What was overwritten
    /// later is needed for checkpoints alone, and passed over where the board has gone on.
    pub(super) fn field(
        &mut self,
        field: &Field,
        is_past: bool,
        session: &mut SessionProgress,
    ) -> Result<Fate, Error> {
        let known = sound(self.snapshot.fields(FieldQuery::Named {
            scope: &field.scope,
            session: &field.session,
            name: &field.name,
        })?)?
        .pop();
        if self.is_erased(
            &field.scope,
            &[field_mark(field), version_mark(field)],
            Some(field.at),
        )? {
            return Ok(Fate::Forgotten);
        }
        let print = fingerprint(field);
        let Some(known) = known else {
            session.told.insert(field.name.clone(), print);
            return Ok(Fate::New);
        };
        let known_print = fingerprint(&known);
        if known_print == print {
            session.told.insert(field.name.clone(), print);
            return Ok(Fate::Known);
        }
        if session.told.get(&field.name) == Some(&known_print) {
            self.read_at.insert(field.name.clone(), known.change);
            session.told.insert(field.name.clone(), print);
            return Ok(Fate::New);
        }
        session.has_gone_on = true;
        Ok(if is_past && known.revision >= field.revision {
            Fate::Known
        } else {
            clash("it is there, and holds something else")
        })
    }

    pub(super) fn checkpoint(
        &mut self,
        new: &NewCheckpoint,
        session: &SessionProgress,
    ) -> Result<Fate, Error> {
        let id = new.checkpoint.id;
        let scope = &new.checkpoint.scope;
        let known = sound(
            self.snapshot
                .checkpoints(CheckpointQuery::Id { scope, id })?,
        )?
        .pop();
        if let Some(known) = known {
            let as_in_file = memoriter_core::checkpoint::Checkpoint {
                as_of: new.checkpoint.as_of,
                ..known
            };
            let is_equal = as_in_file == new.checkpoint && self.has_bytes(new)?;
            return Ok(if is_equal {
                Fate::Known
            } else {
                clash("it is there, and says or holds something else")
            });
        }
        if self.is_erased(scope, &[checkpoint_mark(id)], None)? {
            return Ok(Fate::Forgotten);
        }
        if session.has_gone_on || session.turns != new.checkpoint.turns {
            return Ok(clash(
                "the board or the turns of its session have gone on since",
            ));
        }
        Ok(Fate::New)
    }

    /// Whether a tombstone keeps away what the mark stands for; one of what a record says, only where it was said before.
    fn is_erased(
        &mut self,
        scope: &Scope,
        marks: &[Vec<u8>],
        said_at: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        if !self.has_forgotten(scope)? {
            return Ok(false);
        }
        let at = self.snapshot.forgotten_at(scope, marks)?;
        Ok(at.is_some_and(|at| said_at.is_none_or(|said_at| said_at <= at)))
    }

    fn has_bytes(&self, new: &NewCheckpoint) -> Result<bool, StoreError> {
        let checkpoint = &new.checkpoint;
        let bytes = self
            .snapshot
            .checkpoint_data(&checkpoint.scope, checkpoint.id)?;
        Ok(sound(bytes)?.pop().as_ref() == Some(&new.data))
    }
}

/// What a field is known by: all that it says.
fn fingerprint(field: &Field) -> [u8; 16] {
    of_line(&Line::Field(Box::new(FieldLine::new(field, false))))
}
