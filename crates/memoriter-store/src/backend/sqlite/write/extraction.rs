//! The queue of extractions.

use memoriter_core::id::TurnId;
use memoriter_core::time::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::super::extraction::cover_error;
use super::super::fault::Failure;
use super::Transaction;
use crate::error::StoreError;
use crate::store::{ExtractionUpdate, Outcome};

const QUEUE: &str = "INSERT INTO extraction (turn, scope, session, state, due_at, attempts)
    SELECT turn.row, session.scope, session.row, 'queued', ?2, 0 FROM turn
    JOIN session ON session.row = turn.session WHERE turn.id = ?1 AND turn.retired_at IS NULL
    ON CONFLICT (turn) DO UPDATE SET state = 'queued', due_at = excluded.due_at, attempts = 0, error = NULL,
    cipher = NULL, finished_at = NULL WHERE extraction.state = 'dead'";

const SET: &str = "UPDATE extraction SET state = ?3, due_at = ?4, attempts = ?5, error = ?6, finished_at = ?7, cipher = ?8
    WHERE turn = (SELECT row FROM turn WHERE id = ?1) AND attempts = ?2 AND state IN ('queued', 'dead')";

const SCOPE: &str = "SELECT path FROM turn JOIN session ON session.row = turn.session
    JOIN scope ON scope.row = session.scope WHERE turn.id = ?1";

impl Transaction<'_> {
    pub(super) fn queue_extraction(
        &self,
        turns: &[TurnId],
        due_at: Timestamp,
    ) -> rusqlite::Result<Outcome> {
        let mut statement = self.connection.prepare_cached(QUEUE)?;
        for turn in turns {
            statement.execute(params![turn.as_bytes(), due_at.as_micros()])?;
        }
        Ok(Outcome::Noted)
    }

    pub(super) fn set_extraction(&self, update: &ExtractionUpdate) -> Result<Outcome, Failure> {
        let scope: Option<String> = self
            .connection
            .prepare_cached(SCOPE)?
            .query_row([update.turn.as_bytes()], |row| row.get(0))
            .optional()?;
        let Some(scope) = scope else {
            return Err(StoreError::Taken { turn: update.turn }.into());
        };
        let cover = self.keys.of_or_new(&scope);
        let error = update.error.as_deref();
        let covered = cover_error(&cover, update.turn.as_bytes(), error);
        let [error] = covered.shown;
        let found = self.connection.prepare_cached(SET)?.execute(params![
            update.turn.as_bytes(),
            update.read_attempts,
            update.state.as_str(),
            update.due_at.as_micros(),
            update.attempts,
            error,
            update.finished_at.map(Timestamp::as_micros),
            covered.cipher,
        ])?;
        if found == 0 {
            return Err(StoreError::Taken { turn: update.turn }.into());
        }
        Ok(Outcome::Noted)
    }
}
