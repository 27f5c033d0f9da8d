//! Keeping what turns came to.

use memoriter_core::fold::Span;
use memoriter_core::id::ChangeNumber;
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use rusqlite::{OptionalExtension, params};

use super::super::spans::{encode, seal};
use super::{Transaction, find_scope, signed};
use crate::store::Outcome;

/// Whether a turn of a run has changed: its own, or one of the sessions that it goes on from.
const CHANGED: &str = "WITH RECURSIVE line (session, last) AS (SELECT ?1, ?3
    UNION ALL SELECT session.forked_from, min(line.last, session.forked_turns - 1) FROM line
    JOIN session ON session.row = line.session WHERE session.forked_from IS NOT NULL)
    SELECT EXISTS (SELECT 1 FROM line JOIN turn ON turn.session = line.session
    WHERE turn.position BETWEEN ?2 AND line.last AND turn.change > ?4)";

/// Drops the spans that a turn is in: of its session and of those that go on from it.
const DROP: &str = "WITH RECURSIVE line (session) AS (SELECT ?1
    UNION ALL SELECT session.row FROM line JOIN session ON session.forked_from = line.session
    WHERE session.forked_turns > ?2)
    DELETE FROM span WHERE session IN (SELECT session FROM line) AND first <= ?2 AND last >= ?2";

impl Transaction<'_> {
    pub(super) fn put_span(
        &self,
        (scope, session): (&Scope, &SessionName),
        span: &Span,
        read_at: ChangeNumber,
    ) -> rusqlite::Result<Outcome> {
        let Some(scope) = find_scope(self.connection, &scope.to_json())? else {
            return Ok(Outcome::Noted);
        };
        let session: Option<i64> = self
            .connection
            .prepare_cached("SELECT row FROM session WHERE scope = ?1 AND name = ?2")?
            .query_row(params![scope, session.as_str()], |row| row.get(0))
            .optional()?;
        let Some(session) = session else {
            return Ok(Outcome::Noted);
        };
        let has_changed: bool = self.connection.prepare_cached(CHANGED)?.query_row(
            params![session, span.run.from, span.run.to, signed(read_at)],
            |row| row.get(0),
        )?;
        if !has_changed {
            let items = encode(&span.items);
            let seal = seal(session, span, &items);
            self.connection
                .prepare_cached(
                    "INSERT OR REPLACE INTO span (session, first, last, made_by, checksum, items)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![
                    session,
                    span.run.from,
                    span.run.to,
                    span.made_by,
                    seal,
                    items
                ])?;
        }
        Ok(Outcome::Noted)
    }

    /// What a turn out of use came to is dropped with it.
    pub(super) fn drop_spans(&self, session: i64, position: u32) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached(DROP)?
            .execute(params![session, position])?;
        Ok(())
    }
}
