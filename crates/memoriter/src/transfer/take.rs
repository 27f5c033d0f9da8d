//! Records of a file, written into a store.
//!
//! Records are gathered and committed together, in the order of the file. A unit is first made as if nothing were in
//! its way, which is so in most stores; if something is, it is made once more with a look at every place and id, and if
//! even that meets another writer, record by record.

mod books;
mod plan;
mod session;

use std::collections::BTreeSet;

use memoriter_core::forget::{scope_mark, session_mark};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{DecisionRecord, StoreError, Write};

use self::books::{KnownDecisions, names_records, without_gone};
use self::plan::{Care, Fate, Planner};
use self::session::SessionProgress;
use super::BATCH_RECORDS;
use super::form::RecordCounts;
use super::import::{Clash, Imported};
use super::source::Record;
use crate::error::Error;
use crate::handle::ScopedMemory;

/// Bytes of content that are gathered before they are committed, at least.
const BATCH_BYTES: usize = 4 * 1024 * 1024;

/// What was erased as a whole after a file was taken: it is not taken in again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Erased {
    Scope,
    Session,
}

/// Takes records in, in the order of a file.
pub(super) struct Taker<'m> {
    memory: &'m ScopedMemory,
    pub(super) imported: Imported,
    /// When the file was taken.
    taken_at: Timestamp,
    /// What was erased as a whole since then, of what the file is at.
    erased: Option<Erased>,
    scope: Option<Scope>,
    session: SessionProgress,
    decisions: Option<KnownDecisions>,
    /// Whether the file is about another scope.
    is_mapped: bool,
    /// Whether anything of the scope that the file is at was taken in or known, besides its ledger.
    has_taken: bool,
    /// The session that the file is at, until something that is in it is gathered: both are decided on together.
    head: Option<(u64, Record)>,
    batch: Vec<(u64, Record)>,
    bytes: usize,
    /// Fields in the batch: a field can be written once in a unit.
    fields: BTreeSet<String>,
}

impl<'m> Taker<'m> {
    /// For a file of which it is known whether it is the store's own, and when it was taken.
    pub(super) fn new(memory: &'m ScopedMemory, is_own: bool, taken_at: Timestamp) -> Self {
        Self {
            memory,
            imported: Imported {
                is_own,
                ..Imported::default()
            },
            taken_at,
            erased: None,
            scope: None,
            session: SessionProgress::default(),
            decisions: None,
            is_mapped: false,
            has_taken: false,
            head: None,
            batch: Vec::new(),
            bytes: 0,
            fields: BTreeSet::new(),
        }
    }

    /// The file is about another scope: what it tells of records that belong to that is not taken in.
    pub(super) fn mapped(mut self, is_mapped: bool) -> Self {
        self.is_mapped = is_mapped;
        self
    }

    pub(super) fn is_between_batches(&self) -> bool {
        self.batch.is_empty()
    }

    /// Takes a record in, sooner or later.
    pub(super) fn add(&mut self, line: u64, record: Record) -> Result<(), Error> {
        if self.was_erased(&record)? {
            self.imported.forgotten += 1;
            return Ok(());
        }
        if !is_of_session(&record) {
            // A session with nothing in it.
            self.batch.extend(self.head.take());
        }
        let record = if let Record::Decision(decision) = record {
            let Some(decision) = self.news(*decision)? else {
                return Ok(());
            };
            Record::Decision(Box::new(decision))
        } else {
            record
        };
        match &record {
            Record::Scope(scope) => {
                self.flush()?;
                self.scope = Some(scope.clone());
                self.decisions = None;
                self.has_taken = false;
                let is_erased = self.is_erased_since(scope, scope_mark())?;
                self.erased = is_erased.then_some(Erased::Scope);
                self.imported.known.scopes += 1;
                return Ok(());
            }
            Record::Session(head) => {
                if head.forked_from.is_some() {
                    self.flush()?;
                }
                self.fields.clear();
                self.head = Some((line, record));
                return Ok(());
            }
            Record::Field(field, _) if !self.fields.insert(field.name.clone()) => {
                self.flush()?;
                self.fields.insert(field.name.clone());
            }
            Record::Gap(_)
            | Record::Turn(_)
            | Record::Field(..)
            | Record::Checkpoint(_)
            | Record::Memory(_)
            | Record::Decision(_) => {}
        }
        self.bytes += size(&record);
        self.batch.extend(self.head.take());
        self.batch.push((line, record));
        if self.batch.len() >= BATCH_RECORDS || self.bytes >= BATCH_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Imported, Error> {
        self.batch.extend(self.head.take());
        self.flush()?;
        Ok(self.imported)
    }

    /// Whether a record went with everything of its scope or session, after the file was taken.
    fn was_erased(&mut self, record: &Record) -> Result<bool, Error> {
        if let (Some(Erased::Session) | None, Record::Session(head)) = (self.erased, record) {
            let is_erased = self.is_erased_since(&head.scope, session_mark(&head.name))?;
            self.erased = is_erased.then_some(Erased::Session);
        }
        Ok(match self.erased {
            None => false,
            Some(Erased::Scope) => !matches!(record, Record::Scope(_)),
            Some(Erased::Session) => is_of_session(record) || matches!(record, Record::Session(_)),
        })
    }

    fn is_erased_since(&self, scope: &Scope, mark: Vec<u8>) -> Result<bool, Error> {
        let snapshot = self.memory.engine.store.snapshot()?;
        let asked_at = snapshot.forgotten_at(scope, &[mark])?;
        Ok(asked_at >= Some(self.taken_at))
    }

    /// A line of the ledger as it may be written; `None` where it is known, or is about what belongs to another scope.
    fn news(&mut self, mut decision: DecisionRecord) -> Result<Option<DecisionRecord>, Error> {
        if self.decisions.is_none() {
            // What the lines name is in the store from here on.
            self.flush()?;
        }
        let snapshot = self.memory.engine.store.snapshot()?;
        let snapshot = snapshot.as_ref();
        let known = match &mut self.decisions {
            Some(known) => known,
            none => none.insert(KnownDecisions::read(snapshot, &decision.scope)?),
        };
        let names_something = names_records(&decision);
        if known.has_gaps() || self.is_mapped {
            decision = without_gone(snapshot, decision)?;
        }
        if known.take(&decision) {
            self.imported.known.decisions += 1;
            return Ok(None);
        }
        let is_of_others = if names_something {
            !names_records(&decision)
        } else {
            !self.has_taken
        };
        if self.is_mapped && is_of_others {
            self.imported.left_out += 1;
            return Ok(None);
        }
        Ok(Some(decision))
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.fields.clear();
        self.bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return Ok(());
        }
        for care in [Care::Hopeful, Care::Careful] {
            if self.commit(&batch, care)? {
                return Ok(());
            }
        }
        for record in batch.chunks(1) {
            if !self.commit(record, Care::Careful)? {
                let fates = vec![Fate::Clash("another writer was faster".to_owned())];
                self.count(record, fates);
            }
        }
        Ok(())
    }

    /// Commits what can be of a batch; `false` where something is in the way.
    fn commit(&mut self, batch: &[(u64, Record)], care: Care) -> Result<bool, Error> {
        let engine = &self.memory.engine;
        let snapshot = engine.store.snapshot()?;
        let mut session = self.session.clone();
        let mut planner = Planner::new(engine, snapshot.as_ref(), care);
        let fates = planner.plan(batch, &mut session)?;
        let writes: Vec<Write> = planner.into_writes(batch, &fates)?;
        drop(snapshot);
        if !writes.is_empty()
            && let Err(error) = engine.store.commit(writes)
        {
            return if is_clash(&error) {
                Ok(false)
            } else {
                Err(error.into())
            };
        }
        self.session = session;
        self.count(batch, fates);
        Ok(true)
    }

    fn count(&mut self, batch: &[(u64, Record)], fates: Vec<Fate>) {
        for ((line, record), fate) in batch.iter().zip(fates) {
            let is_there = matches!(fate, Fate::New | Fate::NewRetired(_) | Fate::Known);
            self.has_taken |=
                is_there && !matches!(record, Record::Session(_) | Record::Decision(_));
            match fate {
                Fate::New => count_in(record, &mut self.imported.added),
                Fate::NewRetired(_) => {
                    count_in(record, &mut self.imported.added);
                    self.imported.forgotten += 1;
                }
                Fate::Known => count_in(record, &mut self.imported.known),
                Fate::Forgotten => self.imported.forgotten += 1,
                Fate::Clash(why) => {
                    self.imported.conflicts += 1;
                    if self.imported.clashes.len() < Imported::CLASHES_MAX {
                        self.imported.clashes.push(Clash {
                            line: *line,
                            record: name(record),
                            why,
                        });
                    }
                }
            }
        }
    }
}

/// Whether a unit was refused for what is in the store by now.
fn is_clash(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Conflict { .. }
            | StoreError::TurnConflict { .. }
            | StoreError::FieldConflict { .. }
            | StoreError::SessionExists { .. }
            | StoreError::CheckpointExists { .. }
            | StoreError::Taken { .. }
    )
}

/// Whether a record is a part of the session before it.
fn is_of_session(record: &Record) -> bool {
    match record {
        Record::Gap(_) | Record::Turn(_) | Record::Field(..) | Record::Checkpoint(_) => true,
        Record::Scope(_) | Record::Session(_) | Record::Memory(_) | Record::Decision(_) => false,
    }
}

/// About how many bytes a record takes.
fn size(record: &Record) -> usize {
    match record {
        Record::Turn(record) => {
            let beside = record.attachments.iter().map(|new| new.bytes.len());
            record.turn.message.content.len() + beside.sum::<usize>()
        }
        Record::Checkpoint(new) => new.data.len(),
        Record::Memory(memory) => memory.statement.len(),
        Record::Field(field, _) => field
            .value
            .as_ref()
            .map_or(0, |value| value.to_string().len()),
        Record::Scope(_) | Record::Session(_) | Record::Gap(_) | Record::Decision(_) => 0,
    }
}

fn count_in(record: &Record, counts: &mut RecordCounts) {
    let count = match record {
        Record::Scope(_) => &mut counts.scopes,
        Record::Session(_) => &mut counts.sessions,
        Record::Gap(_) => return,
        Record::Turn(record) => {
            counts.attachments += record.attachments.len() as u64;
            &mut counts.turns
        }
        Record::Field(..) => &mut counts.fields,
        Record::Checkpoint(_) => &mut counts.checkpoints,
        Record::Memory(_) => &mut counts.memories,
        Record::Decision(_) => &mut counts.decisions,
    };
    *count += 1;
}

fn name(record: &Record) -> String {
    match record {
        Record::Scope(scope) => format!("scope {scope}"),
        Record::Session(head) => format!("session {}", head.name.as_str()),
        Record::Gap(gap) => format!("gap at {}", gap.from),
        Record::Turn(record) => format!("turn {}", record.turn.id),
        Record::Field(field, _) => format!("field {}", field.name),
        Record::Checkpoint(new) => format!("checkpoint {}", new.checkpoint.id),
        Record::Memory(memory) => format!("memory {}", memory.id),
        Record::Decision(_) => "decision".to_owned(),
    }
}
