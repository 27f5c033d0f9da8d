//! Everything that is held about somebody, written to a file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

use memoriter_core::access::Right;
use memoriter_core::attachment::Attachment;
use memoriter_core::id::TurnId;
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use memoriter_store::{
    AttachmentQuery, CheckpointQuery, Damage, Extraction, ExtractionQuery, FORMAT, MemoryQuery,
    Page, Rows, SessionSummary, Snapshot, StoreError, TurnQuery,
};

use super::board::{BoardReplay, Told};
use super::form::{
    AttachmentLine, CheckpointLine, DecisionLine, FieldLine, GapLine, Line, Manifest, MemoryLine,
    RecordCounts, SessionLine, TurnLine,
};
use super::sink::Sink;
use super::{BATCH_RECORDS, EXPORT_VERSION};
use crate::error::Error;
use crate::handle::ScopedMemory;

/// What a store holds besides, and why it is not in the file.
const LEFT_OUT: [&str; 7] = [
    "vectors: made again by the embedder of the store that takes the file in",
    "spans: made again from their turns",
    "change numbers: given by each store; the order of the lines keeps their order",
    "tombstones: hashes under a key that does not leave the store; what was forgotten is not here, or here as history",
    "receipts and the audit log: they prove what this store did",
    "use of language models: counted for the whole store, not for somebody",
    "what only a checkpoint that is gone knew of a board",
];

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// How many records of each kind.
    pub counts: RecordCounts,
    /// Records that are there and could not be read; they are not in the file.
    pub damaged: Vec<Damage>,
}

impl ScopedMemory {
    /// Writes everything that is held about this scope and the scopes inside it: memories of every state with their
    /// provenance, sessions with turns, boards and checkpoints, and the ledger. One snapshot, a few records at a time:
    /// memory does not grow with what is held. `progress` is told how many records are written, of how many.
    ///
    /// ```
    /// # use memoriter::{Memoriter, Scope};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memoriter::open(folder.path().join("memory.db"))?;
    /// let priya = memory.scope(Scope::user("priya"));
    /// priya.remember("I live in Munich")?;
    ///
    /// let mut file = Vec::new();
    /// let exported = priya.export(&mut file, &mut |_, _| {})?;
    /// assert_eq!(exported.counts.memories, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the store cannot be read or `to` not be written; what was written by then has no last line, and no import
    /// takes it.
    pub fn export(
        &self,
        to: &mut dyn Write,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Exported, Error> {
        self.may(Right::Export)?;
        let engine = &self.engine;
        engine.flush_marks();
        let snapshot = engine.store.snapshot()?;
        let export = Export {
            snapshot: snapshot.as_ref(),
            damaged: Vec::new(),
        };
        let (scopes, counts) = export.count(snapshot.scopes_within(&self.scope)?)?;
        let now = engine.clock.now().to_string();
        let mut sink = Sink::new(to, progress, counts.total());
        sink.put(&Line::MemoriterExport(Manifest {
            version: EXPORT_VERSION,
            store_format: FORMAT,
            scope: segments(&self.scope),
            at: Cow::Owned(now),
            counts,
            left_out: LEFT_OUT.into_iter().map(Cow::Borrowed).collect(),
        }))?;
        let damaged = export.write(&scopes, &mut sink)?;
        let counts = sink.finish(engine.store.secret(), damaged.len() as u64)?;
        Ok(Exported { counts, damaged })
    }
}

fn segments(scope: &Scope) -> Vec<Cow<'_, str>> {
    scope.segments().map(Cow::Borrowed).collect()
}

/// An export under way.
struct Export<'s> {
    snapshot: &'s dyn Snapshot,
    damaged: Vec<Damage>,
}

impl Export<'_> {
    /// Counts what there is, without reading turns and memories, and leaves out scopes in which there is nothing.
    fn count(&self, all: Vec<Scope>) -> Result<(Vec<Scope>, RecordCounts), Error> {
        let mut scopes = Vec::new();
        let mut counts = RecordCounts::default();
        for scope in all {
            let before = counts;
            self.count_scope(&scope, &mut counts)?;
            if counts != before {
                counts.scopes += 1;
                scopes.push(scope);
            }
        }
        Ok((scopes, counts))
    }

    fn count_scope(&self, scope: &Scope, counts: &mut RecordCounts) -> Result<(), Error> {
        let totals = self.snapshot.totals(scope)?;
        counts.memories += totals.memories;
        counts.decisions += totals.decisions;
        for session in self.snapshot.sessions(scope)? {
            counts.sessions += 1;
            counts.turns += session.turns;
            counts.checkpoints += session.checkpoints;
            counts.attachments += self.attachments(scope, &session.name)?.rows.len() as u64;
            counts.fields += self.count_fields(scope, &session.name)?;
        }
        Ok(())
    }

    fn count_fields(&self, scope: &Scope, session: &SessionName) -> Result<u64, Error> {
        let mut replay = BoardReplay::new(self.snapshot, scope, session)?;
        let mut fields = 0;
        for checkpoint in self.snapshot.checkpoints(all_of(scope, session))?.rows {
            fields += replay.up_to(&checkpoint)?.rows.len() as u64;
        }
        Ok(fields + replay.rest()?.rows.len() as u64)
    }

    /// Writes every record, and tells which could not be read.
    fn write(mut self, scopes: &[Scope], sink: &mut Sink<'_>) -> Result<Vec<Damage>, Error> {
        for scope in scopes {
            sink.put(&Line::Scope(segments(scope)))?;
            for session in self.snapshot.sessions(scope)? {
                self.write_session(scope, &session, sink)?;
            }
            self.write_memories(scope, sink)?;
            self.write_decisions(scope, sink)?;
        }
        Ok(self.damaged)
    }

    /// The turns and fields before each checkpoint, the checkpoint, and what comes after the last.
    fn write_session(
        &mut self,
        scope: &Scope,
        session: &SessionSummary,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let name = &session.name;
        let Some(row) = self.snapshot.session(scope, name)? else {
            return Ok(());
        };
        sink.put(&Line::Session(Box::new(SessionLine::new(name, &row))))?;
        let attachments = self.attachments(scope, name)?;
        self.damaged.extend(attachments.damaged);
        let mut turns = TurnsAhead {
            place: (scope, name),
            next: row.forked_from.as_ref().map_or(0, |from| from.turns),
            attachments: by_turn(attachments.rows),
        };
        let mut board = BoardReplay::new(self.snapshot, scope, name)?;
        let checkpoints = self.snapshot.checkpoints(all_of(scope, name))?;
        self.damaged.extend(checkpoints.damaged);
        for checkpoint in checkpoints.rows {
            self.write_turns(&mut turns, checkpoint.turns, sink)?;
            let fields = board.up_to(&checkpoint)?;
            self.write_fields(fields, sink)?;
            let data = self.snapshot.checkpoint_data(scope, checkpoint.id)?;
            self.damaged.extend(data.damaged);
            for bytes in data.rows {
                let line = CheckpointLine::new(&checkpoint, &bytes);
                sink.put(&Line::Checkpoint(Box::new(line)))?;
            }
        }
        self.write_turns(&mut turns, row.turns, sink)?;
        let fields = board.rest()?;
        self.write_fields(fields, sink)
    }

    fn write_fields(&mut self, fields: Rows<Told>, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.damaged.extend(fields.damaged);
        for told in fields.rows {
            let line = FieldLine::new(&told.field, told.is_past);
            sink.put(&Line::Field(Box::new(line)))?;
        }
        Ok(())
    }

    /// The turns up to a position, with what is kept beside them, and the gaps that others have left.
    fn write_turns(
        &mut self,
        turns: &mut TurnsAhead<'_>,
        end: u32,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let (scope, session) = turns.place;
        let mut from = turns.next;
        while from < end {
            let page = self.snapshot.turns(TurnQuery::Session {
                scope,
                session,
                from,
                limit: BATCH_RECORDS,
            })?;
            let damaged = page.damaged.len();
            self.tell_damaged(page.damaged);
            let ids: Vec<TurnId> = page.rows.iter().map(|turn| turn.id).collect();
            let entries = self.extractions(scope, &ids)?;
            let of_page = page.rows.iter().take_while(|turn| turn.position < end);
            for turn in of_page {
                leave_gap(turns, turn.position, sink)?;
                for attachment in turns.attachments.remove(&turn.id).unwrap_or_default() {
                    self.write_attachment(&attachment, sink)?;
                }
                let line = TurnLine::new(turn, entries.get(&turn.id));
                sink.put(&Line::Turn(Box::new(line)))?;
                turns.next = turn.position.saturating_add(1);
            }
            match page.rows.last() {
                Some(last) => from = last.position.saturating_add(1),
                None if damaged == 0 => break,
                // No row says where these stand: at least as far on as there are of them.
                None => from = from.saturating_add(u32::try_from(damaged).unwrap_or(u32::MAX)),
            }
        }
        leave_gap(turns, end, sink)
    }

    fn write_attachment(
        &mut self,
        attachment: &Attachment,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let scopes = std::slice::from_ref(&attachment.scope);
        let read = self
            .snapshot
            .attachment_bytes(scopes, attachment.id, 0, attachment.bytes);
        match read {
            Ok(bytes) => {
                let bytes = bytes.unwrap_or_default();
                let line = AttachmentLine::new(attachment, &bytes);
                Ok(sink.put(&Line::Attachment(Box::new(line)))?)
            }
            Err(StoreError::Damaged { place, why }) => {
                self.tell_damaged([Damage { record: place, why }]);
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Tells of each record once: a page may begin before what was damaged on the last.
    fn tell_damaged(&mut self, damaged: impl IntoIterator<Item = Damage>) {
        for damage in damaged {
            if !self.damaged.contains(&damage) {
                self.damaged.push(damage);
            }
        }
    }

    /// The attachments of a session's own turns.
    fn attachments(
        &self,
        scope: &Scope,
        session: &SessionName,
    ) -> Result<Rows<Attachment>, StoreError> {
        let query = AttachmentQuery::Session { scope, session };
        let mut rows = self.snapshot.attachments(query)?;
        rows.rows
            .retain(|attachment| attachment.session == *session);
        Ok(rows)
    }

    /// How far the reading of these turns is.
    fn extractions(
        &mut self,
        scope: &Scope,
        ids: &[TurnId],
    ) -> Result<BTreeMap<TurnId, Extraction>, Error> {
        let entries = self.snapshot.extractions(ExtractionQuery::Turns {
            scopes: std::slice::from_ref(scope),
            ids,
        })?;
        self.damaged.extend(entries.damaged);
        let entries = entries.rows.into_iter();
        Ok(entries.map(|entry| (entry.turn, entry)).collect())
    }

    fn write_memories(&mut self, scope: &Scope, sink: &mut Sink<'_>) -> Result<(), Error> {
        let mut after = None;
        loop {
            let page = Page {
                after,
                limit: BATCH_RECORDS,
            };
            let rows = self.snapshot.memories(MemoryQuery::Scope {
                scope,
                states: &[],
                page,
            })?;
            self.damaged.extend(rows.damaged);
            for memory in &rows.rows {
                sink.put(&Line::Memory(Box::new(MemoryLine::from(memory))))?;
            }
            match rows.rows.last() {
                Some(last) => after = Some(last.id),
                None => return Ok(()),
            }
        }
    }

    fn write_decisions(&mut self, scope: &Scope, sink: &mut Sink<'_>) -> Result<(), Error> {
        let mut after = None;
        loop {
            let lines = self.snapshot.decisions(scope, after, BATCH_RECORDS)?;
            self.damaged.extend(lines.damaged);
            for (_, record) in &lines.rows {
                sink.put(&Line::Decision(Box::new(DecisionLine::from(record))))?;
            }
            match lines.rows.last() {
                Some((number, _)) => after = Some(*number),
                None => return Ok(()),
            }
        }
    }
}

/// How far the turns of a session are written.
struct TurnsAhead<'a> {
    place: (&'a Scope, &'a SessionName),
    /// The position of the next one.
    next: u32,
    attachments: BTreeMap<TurnId, Vec<Attachment>>,
}

fn by_turn(attachments: Vec<Attachment>) -> BTreeMap<TurnId, Vec<Attachment>> {
    let mut of_turns: BTreeMap<TurnId, Vec<Attachment>> = BTreeMap::new();
    for attachment in attachments {
        of_turns
            .entry(attachment.turn)
            .or_default()
            .push(attachment);
    }
    of_turns
}

/// Says that turns before a position are not there any more.
fn leave_gap(turns: &mut TurnsAhead<'_>, end: u32, sink: &mut Sink<'_>) -> Result<(), Error> {
    let from = turns.next;
    if end > from {
        let turns = end - from;
        sink.put(&Line::Gap(GapLine { from, turns }))?;
    }
    turns.next = from.max(end);
    Ok(())
}

/// Every checkpoint of a session, oldest first.
fn all_of<'a>(scope: &'a Scope, session: &'a SessionName) -> CheckpointQuery<'a> {
    CheckpointQuery::Newest {
        scope,
        session,
        limit: usize::MAX,
    }
}
