//! Removing records for good.
//!
//! Rows go in the order in which others lead to them: what is beside a record first, then the record. What is removed is
//! read as it goes, so that it can be counted and looked for in the files afterwards.

mod damaged;
mod ledger;
mod session;

use std::collections::BTreeMap;

use memoriter_core::forget::ErasedCounts;
use memoriter_core::memory::Memory;
use memoriter_core::provenance::SourceRef;
use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, Params, params};

use super::super::fault::Failure;
use super::super::fetch::fetch;
use super::{FeedEntry, RecordKind, Transaction, find_scope};
use crate::error::StoreError;
use crate::store::{Erased, Erasure, Needles, Outcome};

/// An erasure on its way.
struct Removal<'t, 'c> {
    tables: &'t mut Transaction<'c>,
    scope: i64,
    erasure: &'t Erasure,
    gone: Gone,
    counts: ErasedCounts,
    needles: Needles,
}

/// What goes, by id.
#[derive(Default)]
struct Gone {
    memories: BTreeMap<[u8; 16], Row>,
    turns: BTreeMap<[u8; 16], Row>,
}

/// Where a record lies.
#[derive(Clone, Copy)]
struct Row {
    row: i64,
    change: i64,
}

impl Gone {
    fn has(&self, of: &SourceRef) -> bool {
        match of {
            SourceRef::Memory(id) => self.has_memory(id.as_bytes()),
            SourceRef::Turn(id) => self.turns.contains_key(id.as_bytes()),
        }
    }

    fn has_memory(&self, id: &[u8; 16]) -> bool {
        self.memories.contains_key(id)
    }
}

impl Transaction<'_> {
    pub(super) fn erase(&mut self, erasure: &Erasure) -> Result<Outcome, Failure> {
        let mut erased = Erased {
            counts: ErasedCounts::default(),
            needles: Needles::default(),
        };
        if let Some(scope) = find_scope(self.connection, &erasure.scope.to_json())? {
            let mut removal = Removal {
                tables: self,
                scope,
                erasure,
                gone: Gone::default(),
                counts: ErasedCounts::default(),
                needles: Needles::default(),
            };
            removal.run()?;
            (erased.counts, erased.needles) = (removal.counts, removal.needles);
        }
        if let Some(request) = erasure.request {
            self.count_erased(request, &erased.counts)?;
        }
        Ok(Outcome::Erased(Box::new(erased)))
    }
}

impl Removal<'_, '_> {
    fn run(&mut self) -> Result<(), Failure> {
        self.find_records()?;
        self.find_damaged()?;
        self.let_go()?;
        self.clear_ledger()?;
        self.remove_memories()?;
        self.remove_turns()?;
        self.remove_fields()?;
        self.remove_checkpoints(&self.erasure.checkpoints)?;
        self.remove_sessions()?;
        self.remove_damaged()?;
        if self.counts != ErasedCounts::default() {
            self.tell_feed()?;
        }
        Ok(())
    }

    /// Looks for what is named, and for the turns of sessions that go as a whole.
    fn find_records(&mut self) -> rusqlite::Result<()> {
        let connection = self.tables.connection;
        let mut memory = connection
            .prepare_cached("SELECT row, change FROM memory WHERE id = ?1 AND scope = ?2")?;
        for id in &self.erasure.memories {
            let found = memory
                .query_row(params![id.as_bytes(), self.scope], read_row)
                .optional()?;
            self.gone
                .memories
                .extend(found.map(|row| (*id.as_bytes(), row)));
        }
        let mut turn = connection.prepare_cached(
            "SELECT turn.row, turn.change FROM turn JOIN session ON session.row = turn.session
            WHERE turn.id = ?1 AND session.scope = ?2",
        )?;
        for id in &self.erasure.turns {
            let found = turn
                .query_row(params![id.as_bytes(), self.scope], read_row)
                .optional()?;
            self.gone
                .turns
                .extend(found.map(|row| (*id.as_bytes(), row)));
        }
        let mut of_session = connection.prepare_cached(
            "SELECT turn.row, turn.change, turn.id FROM turn JOIN session ON session.row = turn.session
            WHERE session.scope = ?1 AND session.name = ?2",
        )?;
        for session in &self.erasure.sessions {
            let rows = of_session.query_map(params![self.scope, session.name.as_str()], |row| {
                Ok((row.get(2)?, read_row(row)?))
            })?;
            for found in rows {
                let (id, row) = found?;
                self.gone.turns.insert(id, row);
            }
        }
        Ok(())
    }

    /// Takes the edges to what goes from the memories that stay.
    fn let_go(&mut self) -> Result<(), Failure> {
        for row in self.resting_on_what_goes()? {
            match fetch(self.tables.view(), row, |_: &Memory| true) {
                Ok(memory) => self.let_go_of(memory)?,
                // It is damaged with the edges and without them.
                Err(_) => self.cut_edges(row)?,
            }
        }
        Ok(())
    }

    fn let_go_of(&mut self, mut memory: Memory) -> Result<(), Failure> {
        if memory.change > self.erasure.read_at {
            return Err(StoreError::Conflict { id: memory.id }.into());
        }
        let is_gone = |id: &Option<_>| {
            id.as_ref()
                .is_some_and(|id: &memoriter_core::id::MemoryId| {
                    self.gone.has_memory(id.as_bytes())
                })
        };
        if is_gone(&memory.supersedes) {
            memory.supersedes = None;
        }
        if is_gone(&memory.superseded_by) {
            memory.superseded_by = None;
        }
        let (lost, kept): (Vec<_>, Vec<_>) = memory
            .sources
            .into_iter()
            .partition(|source| self.gone.has(&source.of));
        memory.sources = kept;
        self.counts.sources += lost.len() as u64;
        for source in lost {
            self.needles.add_text(&source.quote);
        }
        self.tables.update_memory(&memory, memory.change)?;
        Ok(())
    }

    fn cut_edges(&mut self, row: i64) -> rusqlite::Result<()> {
        let ids: Vec<[u8; 16]> = self
            .gone
            .memories
            .keys()
            .chain(self.gone.turns.keys())
            .copied()
            .collect();
        for id in ids {
            let sql = "DELETE FROM source WHERE memory = ?1 AND record = ?2 RETURNING quote";
            self.counts.sources += self.take(sql, params![row, id])?;
            self.tables
                .connection
                .prepare_cached(
                    "UPDATE memory SET supersedes = nullif(supersedes, ?2), superseded_by = nullif(superseded_by, ?2)
                    WHERE row = ?1",
                )?
                .execute(params![row, id])?;
        }
        Ok(())
    }

    /// Rows of memories that stay and name something that goes: as a source, or as what came before or after.
    fn resting_on_what_goes(&self) -> rusqlite::Result<Vec<i64>> {
        let connection = self.tables.connection;
        let mut rows = Vec::new();
        let mut by_source = connection
            .prepare_cached("SELECT memory FROM source WHERE record = ?1 AND kind = ?2")?;
        let kinds = [
            (&self.gone.memories, RecordKind::Memory),
            (&self.gone.turns, RecordKind::Turn),
        ];
        for (ids, kind) in kinds {
            for id in ids.keys() {
                let found = by_source.query_map(params![id, kind.code()], |row| row.get(0))?;
                for row in found {
                    rows.push(row?);
                }
            }
        }
        if !self.gone.memories.is_empty() {
            let mut chained = connection.prepare_cached(
                "SELECT memory.row, memory.supersedes, memory.superseded_by FROM embedding
                CROSS JOIN memory ON memory.row = embedding.record WHERE embedding.scope = ?1 AND embedding.kind = 0
                AND (memory.supersedes IS NOT NULL OR memory.superseded_by IS NOT NULL)",
            )?;
            let mut found = chained.query([self.scope])?;
            while let Some(row) = found.next()? {
                let (before, after): (Option<[u8; 16]>, Option<[u8; 16]>) =
                    (row.get(1)?, row.get(2)?);
                let is_gone = |id: Option<[u8; 16]>| id.is_some_and(|id| self.gone.has_memory(&id));
                if is_gone(before) || is_gone(after) {
                    rows.push(row.get(0)?);
                }
            }
        }
        rows.sort_unstable();
        rows.dedup();
        let mut going: Vec<i64> = self.gone.memories.values().map(|row| row.row).collect();
        going.sort_unstable();
        rows.retain(|row| going.binary_search(row).is_err());
        Ok(rows)
    }

    fn remove_memories(&mut self) -> rusqlite::Result<()> {
        let rows: Vec<Row> = self.gone.memories.values().copied().collect();
        for row in rows {
            self.counts.sources += self.take(
                "DELETE FROM source WHERE memory = ?1 RETURNING quote",
                [row.row],
            )?;
            self.remove_beside(RecordKind::Memory, row)?;
            let sql = "DELETE FROM memory WHERE row = ?1
                RETURNING category, entity, attribute, value, statement, goal, lesson, actor, metadata, cipher";
            self.counts.memories += self.take(sql, [row.row])?;
        }
        Ok(())
    }

    /// Turns, with what stands beside each.
    fn remove_turns(&mut self) -> rusqlite::Result<()> {
        let rows: Vec<Row> = self.gone.turns.values().copied().collect();
        for row in rows {
            self.leave_gap(row.row)?;
            self.counts.queued += self.take(
                "DELETE FROM extraction WHERE turn = ?1 RETURNING error, cipher",
                [row.row],
            )?;
            self.remove_beside(RecordKind::Turn, row)?;
            self.take(
                "DELETE FROM attachment_part WHERE attachment IN (SELECT row FROM attachment WHERE turn = ?1)
                RETURNING bytes",
                [row.row],
            )?;
            self.counts.attachments += self.take(
                "DELETE FROM attachment WHERE turn = ?1 RETURNING name, cipher",
                [row.row],
            )?;
            let sql = "DELETE FROM turn WHERE row = ?1
                RETURNING speaker, content, tool_calls, tool_call_id, metadata, written, cipher";
            self.counts.turns += self.take(sql, [row.row])?;
        }
        Ok(())
    }

    /// The vector of a record and its line of the feed.
    fn remove_beside(&mut self, kind: RecordKind, row: Row) -> rusqlite::Result<()> {
        let connection = self.tables.connection;
        let codes: Option<Option<Vec<u8>>> = connection
            .prepare_cached(
                "DELETE FROM embedding WHERE scope = ?1 AND kind = ?2 AND record = ?3 RETURNING codes",
            )?
            .query_row(params![self.scope, kind.code(), row.row], |row| row.get(0))
            .optional()?;
        if let Some(codes) = codes.flatten() {
            self.counts.vectors += 1;
            self.needles.add_bytes(&codes);
        }
        connection
            .prepare_cached("DELETE FROM feed WHERE scope = ?1 AND change = ?2")?
            .execute(params![self.scope, row.change])?;
        Ok(())
    }

    /// Says in the feed that something is gone, at the end and once.
    fn tell_feed(&mut self) -> rusqlite::Result<()> {
        self.tables
            .connection
            .prepare_cached("DELETE FROM feed WHERE scope = ?1 AND kind = ?2")?
            .execute(params![self.scope, RecordKind::Erased.code()])?;
        let entry = FeedEntry {
            scope: self.scope,
            change: self.tables.next_change(),
            kind: RecordKind::Erased,
            row: 0,
        };
        self.tables.add_to_feed(entry)
    }

    /// Runs a statement that removes rows and returns their content, and says how many they were.
    fn take(&mut self, sql: &str, parameters: impl Params) -> rusqlite::Result<u64> {
        let mut statement = self.tables.connection.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(parameters)?;
        let mut count = 0;
        while let Some(row) = rows.next()? {
            count += 1;
            for column in 0..columns {
                match row.get_ref(column)? {
                    ValueRef::Text(text) => self.needles.add_text(&String::from_utf8_lossy(text)),
                    ValueRef::Blob(bytes) => self.needles.add_bytes(bytes),
                    ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => {}
                }
            }
        }
        Ok(count)
    }
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        row: row.get(0)?,
        change: row.get(1)?,
    })
}
