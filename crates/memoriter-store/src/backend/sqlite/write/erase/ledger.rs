//! What lines of the ledger name: a line stays with its time, kind, reason and rule, and loses the ids of what is gone.

use rusqlite::params;

use super::Removal;

/// An id in a line, or none.
type Id = Option<[u8; 16]>;

impl Removal<'_, '_> {
    pub(super) fn clear_ledger(&mut self) -> rusqlite::Result<()> {
        let connection = self.tables.connection;
        if self.erasure.takes_ledger {
            connection
                .prepare_cached(
                    "DELETE FROM decision_change WHERE decision IN (SELECT row FROM decision WHERE scope = ?1)",
                )?
                .execute([self.scope])?;
            let lines = connection
                .prepare_cached("DELETE FROM decision WHERE scope = ?1")?
                .execute([self.scope])?;
            self.counts.ledger += lines as u64;
        } else if !self.gone.memories.is_empty() || !self.gone.turns.is_empty() {
            self.clear_changes()?;
            self.clear_lines()?;
        }
        Ok(())
    }

    fn clear_lines(&mut self) -> rusqlite::Result<()> {
        let connection = self.tables.connection;
        let mut lines = connection.prepare_cached(
            "SELECT row, memory, supersedes, source, source_kind FROM decision WHERE scope = ?1",
        )?;
        let mut rows = lines.query([self.scope])?;
        let mut named: Vec<(i64, Id, Id, Id)> = Vec::new();
        let is_memory = |id: Id| id.is_some_and(|id| self.gone.has_memory(&id));
        let is_turn = |id: Id| id.is_some_and(|id| self.gone.turns.contains_key(&id));
        while let Some(row) = rows.next()? {
            let (memory, supersedes, source): (Id, Id, Id) =
                (row.get(1)?, row.get(2)?, row.get(3)?);
            let is_of_turn = row.get::<_, Option<i64>>(4)? == Some(1);
            let loses_source = if is_of_turn {
                is_turn(source)
            } else {
                is_memory(source)
            };
            if loses_source || is_memory(memory) || is_memory(supersedes) {
                named.push((
                    row.get(0)?,
                    memory.filter(|id| !self.gone.has_memory(id)),
                    supersedes.filter(|id| !self.gone.has_memory(id)),
                    source.filter(|_| !loses_source),
                ));
            }
        }
        drop(rows);
        let mut cleared = connection.prepare_cached(
            "UPDATE decision SET memory = ?2, supersedes = ?3, source = ?4,
            source_kind = CASE WHEN ?4 IS NULL THEN NULL ELSE source_kind END WHERE row = ?1",
        )?;
        self.counts.ledger += named.len() as u64;
        for (line, memory, supersedes, source) in named {
            cleared.execute(params![line, memory, supersedes, source])?;
        }
        Ok(())
    }

    fn clear_changes(&mut self) -> rusqlite::Result<()> {
        let connection = self.tables.connection;
        let mut changes = connection.prepare_cached(
            "SELECT decision_change.decision, decision_change.memory, decision_change.supersedes, superseded_by
            FROM decision CROSS JOIN decision_change ON decision_change.decision = decision.row
            WHERE decision.scope = ?1",
        )?;
        let mut rows = changes.query([self.scope])?;
        let mut gone: Vec<(i64, [u8; 16])> = Vec::new();
        let mut named: Vec<(i64, [u8; 16], Id, Id)> = Vec::new();
        let kept = |id: Id| id.filter(|id| !self.gone.has_memory(id));
        while let Some(row) = rows.next()? {
            let (line, memory): (i64, [u8; 16]) = (row.get(0)?, row.get(1)?);
            let (before, after): (Id, Id) = (row.get(2)?, row.get(3)?);
            if self.gone.has_memory(&memory) {
                gone.push((line, memory));
            } else if kept(before) != before || kept(after) != after {
                named.push((line, memory, kept(before), kept(after)));
            }
        }
        drop(rows);
        let mut remove = connection
            .prepare_cached("DELETE FROM decision_change WHERE decision = ?1 AND memory = ?2")?;
        for (line, memory) in gone {
            remove.execute(params![line, memory])?;
        }
        let mut clear = connection.prepare_cached(
            "UPDATE decision_change SET supersedes = ?3, superseded_by = ?4 WHERE decision = ?1 AND memory = ?2",
        )?;
        for (line, memory, before, after) in named {
            clear.execute(params![line, memory, before, after])?;
        }
        Ok(())
    }
}
