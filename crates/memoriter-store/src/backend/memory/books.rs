//! The books of a store without a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use memoriter_core::audit::{Kept, link};
use memoriter_core::forget::{ErasedCounts, ReceiptState};
use memoriter_core::id::TurnId;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::Turn;

use super::view::View;
use super::{Content, Held};
use crate::error::StoreError;
use crate::store::{
    AuditEnd, AuditLine, Books, DecisionRecord, Extraction, ExtractionQuery, ExtractionState,
    ExtractionUpdate, NewReceipt, Outcome, ReceiptQuery, ReceiptRow, Rows, UsageRow,
};

/// What is kept beside records. Marks of tombstones lie here as they are: there is no file to read them from.
#[derive(Clone, Default)]
pub(super) struct BookEntries {
    pub(super) extractions: BTreeMap<TurnId, Arc<Extraction>>,
    pub(super) decisions: Vec<Arc<DecisionRecord>>,
    tombstones: BTreeMap<(Scope, Vec<u8>), Timestamp>,
    usage: BTreeMap<(i64, String), UsageRow>,
    receipts: Vec<ReceiptRow>,
    audit: Vec<AuditLine>,
}

impl BookEntries {
    /// The scopes of the ledger and of tombstones.
    pub(super) fn scopes(&self) -> impl Iterator<Item = &Scope> {
        let of_decisions = self.decisions.iter().map(|record| &record.scope);
        of_decisions.chain(self.tombstones.keys().map(|(scope, _)| scope))
    }

    pub(super) fn decision_count(&self, scope: &Scope) -> u64 {
        let of_scope = self
            .decisions
            .iter()
            .filter(|record| record.scope == *scope);
        of_scope.count() as u64
    }
}

impl Content {
    pub(super) fn queue_extraction(&mut self, turns: &[TurnId], due_at: Timestamp) {
        for held in turns
            .iter()
            .filter_map(|id| self.turns.iter().find(|held| held.record.id == *id))
        {
            let turn = &held.record;
            let known = self.books.extractions.get(&turn.id);
            let is_known = known.is_some_and(|entry| entry.state != ExtractionState::Dead);
            if is_known || turn.retired_at.is_some() {
                continue;
            }
            let entry = Extraction {
                turn: turn.id,
                scope: turn.scope.clone(),
                session: turn.session.clone(),
                position: turn.position,
                state: ExtractionState::Queued,
                due_at,
                attempts: 0,
                error: None,
                finished_at: None,
            };
            self.books.extractions.insert(turn.id, Arc::new(entry));
        }
    }

    pub(super) fn set_extraction(&mut self, update: &ExtractionUpdate) -> Result<(), StoreError> {
        let known = self.books.extractions.get_mut(&update.turn);
        let as_read = known.filter(|entry| {
            entry.attempts == update.read_attempts && entry.state != ExtractionState::Done
        });
        let Some(entry) = as_read else {
            return Err(StoreError::Taken { turn: update.turn });
        };
        *Arc::make_mut(entry) = Extraction {
            state: update.state,
            due_at: update.due_at,
            attempts: update.attempts,
            error: update.error.clone(),
            finished_at: update.finished_at,
            ..Extraction::clone(entry)
        };
        Ok(())
    }

    pub(super) fn log_decision(&mut self, record: &DecisionRecord) {
        self.books.decisions.push(Arc::new(record.clone()));
    }

    pub(super) fn forget(&mut self, scope: &Scope, marks: &[Vec<u8>], at: Timestamp) {
        for mark in marks {
            let key = (scope.clone(), mark.clone());
            let latest = self.books.tombstones.entry(key).or_insert(at);
            *latest = at.max(*latest);
        }
    }

    pub(super) fn put_receipt(
        &mut self,
        receipt: &NewReceipt,
        over: Option<(ReceiptState, Timestamp)>,
    ) -> Result<Outcome, StoreError> {
        let receipts = &mut self.books.receipts;
        let known = receipts
            .iter_mut()
            .find(|known| known.receipt.id == receipt.id);
        let found = known
            .as_ref()
            .map(|known| (known.receipt.state, known.receipt.touched_at));
        if over.is_some() && over != found {
            return Err(StoreError::ReceiptChanged);
        }
        match known {
            Some(known) => known.receipt.clone_from(receipt),
            None => receipts.push(ReceiptRow {
                receipt: receipt.clone(),
                counts: ErasedCounts::default(),
            }),
        }
        Ok(Outcome::Noted)
    }

    /// Counts what an erasure removed into the receipt of its request.
    pub(super) fn count_erased(&mut self, request: ([u8; 16], Timestamp), counts: &ErasedCounts) {
        let (id, at) = request;
        let mut receipts = self.books.receipts.iter_mut();
        if let Some(known) = receipts.find(|known| known.receipt.id == id) {
            known.counts.add(counts);
            known.receipt.touched_at = at;
        }
    }

    pub(super) fn audit(&mut self, line: &str) -> Outcome {
        let end = self.audit_end();
        let kept = Kept {
            tombstones: self.books.tombstones.len() as u64,
            receipts: self.books.receipts.len() as u64,
        };
        let line = kept.told_in(line);
        self.books.audit.push(AuditLine {
            number: end.lines + 1,
            hash: link(&end.hash, &line),
            line,
        });
        Outcome::Noted
    }

    fn audit_end(&self) -> AuditEnd {
        let last = self.books.audit.last();
        last.map_or_else(AuditEnd::default, |last| AuditEnd {
            lines: last.number,
            hash: last.hash,
        })
    }

    pub(super) fn is_forgotten(&self, scope: &Scope, mark: Vec<u8>) -> bool {
        self.books.tombstones.contains_key(&(scope.clone(), mark))
    }

    pub(super) fn count_usage(&mut self, more: &UsageRow) {
        let (day, purpose) = (more.day, more.purpose.clone());
        self.books
            .usage
            .entry((day, purpose.clone()))
            .or_insert_with(|| UsageRow::empty(day, purpose))
            .add(more);
    }

    fn session_number(&self, entry: &Extraction) -> Option<usize> {
        let mut sessions = self.kept.sessions.iter();
        sessions
            .position(|session| (&session.scope, &session.name) == (&entry.scope, &entry.session))
    }

    fn entry_of(&self, turn: TurnId) -> Option<&Arc<Extraction>> {
        self.books.extractions.get(&turn)
    }

    fn due(&self, now: Timestamp, limit: usize) -> Vec<Extraction> {
        let entries = self.books.extractions.values();
        let mut due: Vec<&Arc<Extraction>> = entries
            .filter(|entry| entry.state == ExtractionState::Queued && entry.due_at <= now)
            .collect();
        due.sort_by_key(|entry| (entry.due_at, self.session_number(entry), entry.position));
        due.into_iter()
            .take(limit)
            .map(|entry| Extraction::clone(entry))
            .collect()
    }
}

impl Books for View {
    fn extractions(&self, query: ExtractionQuery<'_>) -> Result<Rows<Extraction>, StoreError> {
        let content = &self.0;
        let rows = match query {
            ExtractionQuery::Due { now, limit } => content.due(now, limit),
            ExtractionQuery::Turns { scopes, ids } => ids
                .iter()
                .filter_map(|id| content.entry_of(*id))
                .filter(|entry| scopes.contains(&entry.scope))
                .map(|entry| Extraction::clone(entry))
                .collect(),
            ExtractionQuery::InState {
                scope,
                state,
                limit,
            } => {
                let arrived = content.turns.iter();
                arrived
                    .filter_map(|held: &Held<Turn>| content.entry_of(held.record.id))
                    .filter(|entry| entry.scope == *scope && entry.state == state)
                    .take(limit)
                    .map(|entry| Extraction::clone(entry))
                    .collect()
            }
        };
        Ok(Rows {
            rows,
            ..Rows::default()
        })
    }

    fn decisions(
        &self,
        scope: &Scope,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Rows<(u64, DecisionRecord)>, StoreError> {
        let rows = (1..)
            .zip(&self.0.books.decisions)
            .filter(|(number, record)| Some(*number) > after && record.scope == *scope)
            .take(limit)
            .map(|(number, record)| (number, DecisionRecord::clone(record)))
            .collect();
        Ok(Rows {
            rows,
            ..Rows::default()
        })
    }

    fn has_forgotten(&self, scope: &Scope) -> Result<bool, StoreError> {
        let mut scopes = self.0.books.tombstones.keys().map(|(scope, _)| scope);
        Ok(scopes.any(|known| known == scope))
    }

    fn forgotten_at(
        &self,
        scope: &Scope,
        marks: &[Vec<u8>],
    ) -> Result<Option<Timestamp>, StoreError> {
        let at_of = |mark: &Vec<u8>| {
            let key = (scope.clone(), mark.clone());
            self.0.books.tombstones.get(&key).copied()
        };
        Ok(marks.iter().filter_map(at_of).max())
    }

    fn usage(&self, day: i64) -> Result<Vec<UsageRow>, StoreError> {
        let rows = self.0.books.usage.values();
        Ok(rows.filter(|row| row.day == day).cloned().collect())
    }

    fn receipts(&self, query: ReceiptQuery) -> Result<Vec<ReceiptRow>, StoreError> {
        let receipts = self.0.books.receipts.iter();
        let wanted = receipts.filter(|row| match query {
            ReceiptQuery::All => true,
            ReceiptQuery::Open => row.receipt.state.is_open(),
            ReceiptQuery::Id(id) => row.receipt.id == id,
        });
        Ok(wanted.cloned().collect())
    }

    fn audit_lines(&self, after: u64, limit: usize) -> Result<Vec<AuditLine>, StoreError> {
        let lines = self.0.books.audit.iter();
        let wanted = lines.filter(|line| line.number > after).take(limit);
        Ok(wanted.cloned().collect())
    }

    fn audit_end(&self) -> Result<AuditEnd, StoreError> {
        Ok(self.0.audit_end())
    }
}
