//! Everything that was held about somebody, taken in from a file.

use std::collections::BTreeSet;
use std::io::{Read, Seek, SeekFrom};

use memoriter_core::access::Right;
use memoriter_core::error::InvalidInput;

use super::belief::{Belief, Believed};
use super::error::TransferError;
use super::form::RecordCounts;
use super::seal;
use super::source::{Destination, Record, Records};
use super::take::Taker;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::names::{of_field, of_message, of_scope};

/// What was taken in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Whether the file is this store's own export of this scope, unchanged.
    pub is_own: bool,
    /// Records that are new.
    pub added: RecordCounts,
    /// Records that are there already and equal.
    pub known: RecordCounts,
    /// Records that somebody asked to forget since: memories that stay away, turns that came out of use.
    pub forgotten: u64,
    /// Memories that say nothing without a secret, which is not kept.
    pub refused: u64,
    /// Lines of the ledger of another store, which are not believed, and those about records that belong to another scope of
    /// this one.
    pub left_out: u64,
    /// Records that are there already and say something else, or whose place is taken. What is there stays.
    pub conflicts: u64,
    /// The first of these, at most [`Imported::CLASHES_MAX`].
    pub clashes: Vec<Clash>,
}

impl Imported {
    /// Conflicts that are told one by one.
    pub const CLASHES_MAX: usize = 100;
}

/// A record of the file that the store has no room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// Its line, from 1.
    pub line: u64,
    /// What it is: `memory 0190b2c4-…`.
    pub record: String,
    /// What is in the way.
    pub why: String,
}

/// How a file is taken in. Nothing is written before the whole file was read and found in order.
#[must_use = "an import does nothing until it is given a file"]
pub struct Import<'a> {
    memory: &'a ScopedMemory,
    is_trusted: bool,
    is_mapped: bool,
    progress: Option<Progress<'a>>,
}

/// Is told how many records are done, of how many.
pub(super) type Progress<'a> = &'a mut dyn FnMut(u64, u64);

impl ScopedMemory {
    /// Takes in what [`ScopedMemory::export`] wrote. Ids are kept; what is there already stays as it is, so that a file
    /// that is taken in twice adds nothing the second time. What somebody asked to forget stays forgotten.
    ///
    /// A file that this store wrote of this scope is taken as it is. Any other was only read: its memories wait for
    /// review, with the origin `import`, and its ledger is left out; see [`Import::trusting`].
    ///
    /// ```
    /// # use memoriter::{Memoriter, Scope};
    /// # use std::io::Cursor;
    /// # let folder = tempfile::tempdir()?;
    /// # let memory = Memoriter::open(folder.path().join("memory.db"))?;
    /// # let priya = memory.scope(Scope::user("priya"));
    /// # priya.remember("I live in Munich")?;
    /// # let mut file = Vec::new();
    /// # priya.export(&mut file, &mut |_, _| {})?;
    /// let other = Memoriter::open(folder.path().join("other.db"))?;
    /// let priya = other.scope(Scope::user("priya"));
    /// let imported = priya.import().trusting().read(&mut Cursor::new(&file))?;
    /// assert_eq!(imported.added.memories, 1);
    /// let again = priya.import().trusting().read(&mut Cursor::new(&file))?;
    /// assert_eq!(again.added.total(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import(&self) -> Import<'_> {
        Import {
            memory: self,
            is_trusted: false,
            is_mapped: false,
            progress: None,
        }
    }
}

impl<'a> Import<'a> {
    /// Believes what the file says of origin, trust and state: the caller knows where it comes from. Secrets are masked
    /// all the same.
    pub fn trusting(mut self) -> Self {
        self.is_trusted = true;
        self
    }

    /// Takes a file about another scope as one about this. Scopes inside it keep their names.
    pub fn mapped(mut self) -> Self {
        self.is_mapped = true;
        self
    }

    /// Tells how many records are done, of how many, while it works.
    pub fn progress(mut self, progress: &'a mut dyn FnMut(u64, u64)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Takes in a file, which is read twice from its beginning. What comes from a pipe has to be kept somewhere first; the
    /// store's own folder is a place where it already may lie.
    ///
    /// # Errors
    /// [`TransferError`] for what is not an export as a whole, or is about another scope; when the store or the embedder
    /// fails. What was written by then stays, and the file can be taken in again.
    pub fn read(self, file: &mut (impl Read + Seek)) -> Result<Imported, Error> {
        self.memory.may(Right::Export)?;
        let destination = Destination {
            scope: self.memory.scope.clone(),
            is_mapped: self.is_mapped,
        };
        rewind(file)?;
        let (belief, total) = self.check(&mut *file, destination.clone())?;
        rewind(file)?;
        self.take(Records::open(file, destination)?, belief, total)
    }

    /// Reads the whole file, and says how far it is believed and how many records it has.
    fn check(&self, file: impl Read, destination: Destination) -> Result<(Belief, u64), Error> {
        let mut records = Records::open(file, destination)?;
        let is_same_scope = records.opening().scope == self.memory.scope;
        while let Some(record) = records.next()? {
            self.memory.engine.refuse_secrets(names_in(&record))?;
        }
        let Some(closing) = records.into_closing() else {
            return Err(TransferError::CutOff { line: 0 }.into());
        };
        let own = seal(self.memory.engine.store.secret(), &closing.checksum);
        // Hashes are compared in constant time.
        let is_own = closing.seal == Some(own) && is_same_scope;
        let belief = match (is_own, self.is_trusted) {
            (true, _) => Belief::Own,
            (false, true) => Belief::Vouched,
            (false, false) => Belief::Foreign,
        };
        Ok((belief, closing.counts.total()))
    }

    fn take(
        self,
        mut records: Records<impl Read>,
        belief: Belief,
        total: u64,
    ) -> Result<Imported, Error> {
        let taken_at = records.opening().at;
        let is_mapped = records.opening().scope != self.memory.scope;
        let mut taker = Taker::new(self.memory, belief == Belief::Own, taken_at).mapped(is_mapped);
        let mut progress = self.progress;
        let mut done = 0;
        while let Some(record) = next(&mut records)? {
            let line = records.line();
            done += 1;
            let believed = belief
                .apply(&self.memory.engine, record)
                .map_err(|invalid: InvalidInput| TransferError::Invalid { line, invalid })?;
            match believed {
                Believed::Record(record) => taker.add(line, record)?,
                Believed::Refused => taker.imported.refused += 1,
                Believed::LeftOut => taker.imported.left_out += 1,
            }
            if let Some(progress) = &mut progress
                && taker.is_between_batches()
            {
                progress(done, total);
            }
        }
        let imported = taker.finish()?;
        if let Some(progress) = &mut progress {
            progress(total, total);
        }
        Ok(imported)
    }
}

/// The names in a record, each with the field that it stands in.
fn names_in(record: &Record) -> BTreeSet<(&str, &str)> {
    match record {
        Record::Scope(scope) => of_scope(scope).into_iter().collect(),
        Record::Session(head) => BTreeSet::from([("session", head.name.as_str())]),
        Record::Turn(record) => of_message(&record.turn.message).collect(),
        Record::Field(field, _) => of_field(field).collect(),
        Record::Checkpoint(new) => BTreeSet::from([("kind", new.checkpoint.kind.as_str())]),
        Record::Gap(_) | Record::Memory(_) | Record::Decision(_) => BTreeSet::new(),
    }
}

/// The next record of a file that was in order when it was checked.
fn next(records: &mut Records<impl Read>) -> Result<Option<Record>, TransferError> {
    let next = records.next();
    next.map_err(|error| {
        if matches!(error, TransferError::Io { .. }) {
            return error;
        }
        TransferError::Changed {
            line: records.line(),
        }
    })
}

fn rewind(file: &mut impl Seek) -> Result<(), TransferError> {
    file.seek(SeekFrom::Start(0))
        .map_err(TransferError::io("reading the file"))?;
    Ok(())
}
