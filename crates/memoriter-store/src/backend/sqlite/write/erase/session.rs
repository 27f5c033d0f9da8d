//! What goes of sessions besides turns, and the gaps that turns leave.

use memoriter_core::id::CheckpointId;
use rusqlite::{OptionalExtension, params};

use super::super::signed;
use super::Removal;

/// Counts a turn that goes, and sees to it that its position is not given again. What is above it is not known any more
/// once it is gone.
const LEAVE_GAP: &str = "UPDATE session SET erased_turns = coalesce(erased_turns, 0) + 1,
    next_position = max(coalesce(next_position, 0), (SELECT max(position) + 1 FROM turn WHERE turn.session = session.row))
    WHERE row = ?1";

/// What no checkpoint of the session needs any more.
const LET_PAST_GO: &str = "DELETE FROM field_past WHERE field IN (SELECT row FROM field WHERE session = ?1)
    AND NOT EXISTS (SELECT 1 FROM checkpoint WHERE checkpoint.session = ?1 AND as_of >= field_past.change
    AND as_of < field_past.until) RETURNING owner, actor, value, cipher";

/// Spans of a turn's session, and of those that go on from it, that the turn is in.
const DROP_SPANS: &str = "WITH RECURSIVE line (session) AS (SELECT ?1
    UNION ALL SELECT session.row FROM line JOIN session ON session.forked_from = line.session
    WHERE session.forked_turns > ?2)
    DELETE FROM span WHERE session IN (SELECT session FROM line) AND first <= ?2 AND last >= ?2 RETURNING items, cipher";

impl Removal<'_, '_> {
    /// Before a turn goes: its session remembers that there was one, and what turns came to is dropped with it.
    pub(super) fn leave_gap(&mut self, turn: i64) -> rusqlite::Result<()> {
        let connection = self.tables.connection;
        let (session, position): (i64, i64) = connection
            .prepare_cached("SELECT session, position FROM turn WHERE row = ?1")?
            .query_row([turn], |row| Ok((row.get(0)?, row.get(1)?)))?;
        self.counts.spans += self.take(DROP_SPANS, params![session, position])?;
        connection.prepare_cached(LEAVE_GAP)?.execute([session])?;
        Ok(())
    }

    pub(super) fn remove_fields(&mut self) -> rusqlite::Result<()> {
        let erasure = self.erasure;
        for version in &erasure.fields {
            let found: Option<(i64, i64)> = self
                .tables
                .connection
                .prepare_cached(
                    "SELECT field.row, field.change FROM field JOIN session ON session.row = field.session
                    WHERE session.scope = ?1 AND session.name = ?2 AND field.name = ?3",
                )?
                .query_row(
                    params![self.scope, version.session.as_str(), version.name],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )
                .optional()?;
            let Some((row, change)) = found else { continue };
            if signed(version.change) == change {
                self.remove_field(row, change)?;
            } else {
                let sql = "DELETE FROM field_past WHERE field = ?1 AND change = ?2 RETURNING owner, actor, value, cipher";
                let past = signed(version.change);
                self.counts.fields += self.take(sql, params![row, past])?;
            }
        }
        Ok(())
    }

    pub(super) fn remove_field(&mut self, row: i64, change: i64) -> rusqlite::Result<()> {
        let past = "DELETE FROM field_past WHERE field = ?1 RETURNING owner, actor, value, cipher";
        self.counts.fields += self.take(past, [row])?;
        let field = "DELETE FROM field WHERE row = ?1 RETURNING name, owner, actor, value, cipher";
        self.counts.fields += self.take(field, [row])?;
        self.leave_feed(change)
    }

    fn leave_feed(&self, change: i64) -> rusqlite::Result<()> {
        self.tables
            .connection
            .prepare_cached("DELETE FROM feed WHERE scope = ?1 AND change = ?2")?
            .execute(params![self.scope, change])?;
        Ok(())
    }

    pub(super) fn remove_checkpoints(&mut self, ids: &[CheckpointId]) -> rusqlite::Result<()> {
        for id in ids {
            let row: Option<i64> = self
                .tables
                .connection
                .prepare_cached(
                    "SELECT checkpoint.row FROM checkpoint JOIN session ON session.row = checkpoint.session
                    WHERE checkpoint.id = ?1 AND session.scope = ?2",
                )?
                .query_row(params![id.as_bytes(), self.scope], |row| row.get(0))
                .optional()?;
            if let Some(row) = row {
                self.remove_checkpoint(row)?;
            }
        }
        Ok(())
    }

    pub(super) fn remove_checkpoint(&mut self, row: i64) -> rusqlite::Result<()> {
        let session: i64 = self
            .tables
            .connection
            .prepare_cached("SELECT session FROM checkpoint WHERE row = ?1")?
            .query_row([row], |row| row.get(0))?;
        self.counts.checkpoints += self.take(
            "DELETE FROM checkpoint WHERE row = ?1
            RETURNING kind, label, question, asked_for, answer, answered_by, cipher",
            [row],
        )?;
        self.let_past_go(session)?;
        self.let_data_go()
    }

    fn let_past_go(&mut self, session: i64) -> rusqlite::Result<()> {
        self.counts.fields += self.take(LET_PAST_GO, [session])?;
        Ok(())
    }

    /// Bytes that no checkpoint holds any more.
    fn let_data_go(&mut self) -> rusqlite::Result<()> {
        self.take(
            "DELETE FROM checkpoint_data WHERE scope = ?1
            AND NOT EXISTS (SELECT 1 FROM checkpoint WHERE data = checkpoint_data.row) RETURNING bytes",
            [self.scope],
        )?;
        Ok(())
    }

    pub(super) fn remove_sessions(&mut self) -> rusqlite::Result<()> {
        let erasure = self.erasure;
        for session in &erasure.sessions {
            let row: Option<i64> = self
                .tables
                .connection
                .prepare_cached("SELECT row FROM session WHERE scope = ?1 AND name = ?2")?
                .query_row(params![self.scope, session.name.as_str()], |row| row.get(0))
                .optional()?;
            if let Some(row) = row {
                self.needles.add_text(session.name.as_str());
                self.remove_session(row, session.renamed.as_str())?;
            }
        }
        Ok(())
    }

    /// Its turns are gone by now.
    pub(super) fn remove_session(&mut self, row: i64, renamed: &str) -> rusqlite::Result<()> {
        self.counts.spans += self.take(
            "DELETE FROM span WHERE session = ?1 RETURNING items, cipher",
            [row],
        )?;
        self.counts.checkpoints += self.take(
            "DELETE FROM checkpoint WHERE session = ?1
            RETURNING kind, label, question, asked_for, answer, answered_by, cipher",
            [row],
        )?;
        self.let_data_go()?;
        for (field, change) in
            self.rows_of("SELECT row, change FROM field WHERE session = ?1", row)?
        {
            self.remove_field(field, change)?;
        }
        let set = "SELECT row, change FROM session WHERE row = ?1 AND change IS NOT NULL";
        for (_, change) in self.rows_of(set, row)? {
            self.leave_feed(change)?;
        }
        self.counts.sessions += 1;
        let connection = self.tables.connection;
        let is_needed: bool = connection
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM session WHERE forked_from = ?1)")?
            .query_row([row], |row| row.get(0))?;
        if is_needed {
            connection
                .prepare_cached(
                    "UPDATE session SET name = ?2, mode = NULL, change = NULL WHERE row = ?1",
                )?
                .execute(params![row, renamed])?;
        } else {
            connection
                .prepare_cached("DELETE FROM session WHERE row = ?1")?
                .execute([row])?;
        }
        Ok(())
    }

    fn rows_of(&self, sql: &str, of: i64) -> rusqlite::Result<Vec<(i64, i64)>> {
        let mut statement = self.tables.connection.prepare_cached(sql)?;
        let rows = statement.query_map([of], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    }
}
