//! Keeping what turns came to.

use memoriter_core::fold::Span;
use memoriter_core::id::ChangeNumber;
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use rusqlite::params;

use super::super::locate::stretches;
use super::super::spans::{cover_items, encode, seal};
use super::{Transaction, find_session, signed};
use crate::store::Outcome;

/// Whether a turn of a stretch has changed, between two positions.
const CHANGED: &str = "SELECT EXISTS (SELECT 1 FROM turn
    WHERE session = ?1 AND position >= ?2 AND position <= ?3 AND position < ?4 AND change > ?5)";

/// Drops the spans that a turn is in: of its session and of those that go on from it. `UNION` ends also where a damaged
/// file leads in a circle.
const DROP: &str = "WITH RECURSIVE line (session) AS (SELECT ?1
    UNION SELECT session.row FROM line JOIN session ON session.forked_from = line.session
    WHERE session.forked_turns > ?2)
    DELETE FROM span WHERE session IN (SELECT session FROM line) AND first <= ?2 AND last >= ?2";

impl Transaction<'_> {
    pub(super) fn put_span(
        &self,
        (scope, name): (&Scope, &SessionName),
        span: &Span,
        read_at: ChangeNumber,
    ) -> rusqlite::Result<Outcome> {
        let Some(session) = find_session(self.connection, scope, name)? else {
            return Ok(Outcome::Noted);
        };
        let mut changed = self.connection.prepare_cached(CHANGED)?;
        for stretch in stretches(self.connection, scope, name)? {
            let (run, until) = (span.run, stretch.until);
            let bounds = params![stretch.session, run.from, run.to, until, signed(read_at)];
            if changed.query_row(bounds, |row| row.get(0))? {
                return Ok(Outcome::Noted);
            }
        }
        let items = encode(&span.items);
        let cover = self.cover(scope);
        let seal = cover.fingerprint(seal(session, span, &items));
        let covered = cover_items(&cover, (session, span.run), &items);
        let [items] = covered.shown;
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO span (session, first, last, made_by, checksum, items, cipher)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                session,
                span.run.from,
                span.run.to,
                span.made_by,
                seal,
                items,
                covered.cipher,
            ])?;
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
