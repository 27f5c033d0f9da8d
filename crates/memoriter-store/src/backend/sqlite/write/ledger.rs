//! Decisions, tombstones and the use of language models.

use memoriter_core::id::MemoryId;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::super::{books, seal};
use super::Transaction;
use super::memory::source_columns;
use crate::store::{DecisionRecord, Outcome, Standing, UsageRow};

impl Transaction<'_> {
    pub(super) fn log_decision(&self, record: &DecisionRecord) -> rusqlite::Result<Outcome> {
        let scope = self.scope_row(&record.scope)?;
        let decision = &record.decision;
        let source = record.source.as_ref().map(source_columns);
        self.connection
            .prepare_cached(
                "INSERT INTO decision (scope, at, kind, reason, memory, supersedes, source_kind, source, made_by)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                scope,
                record.at.as_micros(),
                decision.kind.as_str(),
                decision.reason.as_str(),
                decision.id.as_ref().map(MemoryId::as_bytes),
                decision.supersedes.as_ref().map(MemoryId::as_bytes),
                source.map(|(kind, _)| kind.code()),
                source.map(|(_, id)| id),
                record.made_by,
            ])?;
        let line = self.connection.last_insert_rowid();
        for change in &record.changes {
            self.log_change(line, change)?;
        }
        Ok(Outcome::Noted)
    }

    fn log_change(&self, line: i64, change: &Standing) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO decision_change (decision, memory, state, status, trust, valid_to, valid_to_offset,
                retired_at, supersedes, superseded_by, version, last_confirmed_at, confirmations)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            )?
            .execute(params![
                line,
                change.memory.as_bytes(),
                change.state.as_str(),
                change.status.as_str(),
                change.trust.level(),
                change.valid_to.map(|end| end.instant.as_micros()),
                change.valid_to.map(|end| end.offset_seconds),
                change.retired_at.map(Timestamp::as_micros),
                change.supersedes.as_ref().map(MemoryId::as_bytes),
                change.superseded_by.as_ref().map(MemoryId::as_bytes),
                change.version,
                change.last_confirmed_at.map(Timestamp::as_micros),
                change.confirmations,
            ])?;
        Ok(())
    }

    pub(super) fn forget(
        &self,
        scope: &Scope,
        marks: &[Vec<u8>],
        at: Timestamp,
    ) -> rusqlite::Result<Outcome> {
        if marks.is_empty() {
            return Ok(Outcome::Noted);
        }
        let scope = self.scope_row(scope)?;
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO tombstone (scope, mark, at) VALUES (?1, ?2, ?3)
            ON CONFLICT (scope, mark) DO UPDATE SET at = max(at, excluded.at)",
        )?;
        for mark in marks {
            statement.execute(params![
                scope,
                seal::of_mark(self.keys.secret(), mark),
                at.as_micros()
            ])?;
        }
        Ok(Outcome::Noted)
    }

    pub(super) fn count_usage(&self, more: &UsageRow) -> rusqlite::Result<Outcome> {
        let counted = self
            .connection
            .prepare_cached(&format!("{} WHERE day = ?1 AND purpose = ?2", books::USAGE))?
            .query_row(params![more.day, more.purpose], books::read_usage)
            .optional()?;
        let mut sum = counted.unwrap_or_else(|| UsageRow::empty(more.day, more.purpose.clone()));
        sum.add(more);
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO usage (day, purpose, calls, input_tokens, output_tokens)
                VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                sum.day,
                sum.purpose,
                sum.calls,
                sum.input_tokens,
                sum.output_tokens
            ])?;
        Ok(Outcome::Noted)
    }
}
