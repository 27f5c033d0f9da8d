//! Putting a backup into the place of a store, without what was forgotten since.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memoriter_core::audit::{AuditEntry, AuditKind};
use memoriter_core::forget::{ErasedCounts, ReceiptState, restored};
use memoriter_core::provenance::SourceRef;
use memoriter_core::scope::Scope;
use memoriter_core::write::retire;
use memoriter_store::{
    Carried, InPlace, NewReceipt, Patience, ReceiptQuery, Retired, SqliteOptions, SqliteRestore,
    Store, Write,
};

use crate::draft::Draft;
use crate::engine::Engine;
use crate::erase::ErasedWhole;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::health::Verification;
use crate::open::{Builder, Memoriter};

/// What was put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// What the store has now, read from end to end just before.
    pub verification: Verification,
    /// What was in the place.
    pub in_place: InPlace,
    /// What was taken over from there: tombstones, receipts, the audit log.
    pub carried: Carried,
    /// What the backup had of what was erased since.
    pub erased: ErasedCounts,
    /// Memories that were forgotten or rejected since, and are out of use in the restored store too.
    pub retired_memories: u64,
    /// Turns, the same.
    pub retired_turns: u64,
    /// Pieces of what was erased that were found in the copy where no record has them: the backup is no copy that this
    /// program makes.
    pub residue: u64,
    /// Tables of the store in the place that could not be read.
    pub unread: Vec<&'static str>,
    /// Where the damaged store is that was in the place. Nothing that is erased later is removed from it.
    pub put_aside: Option<PathBuf>,
}

impl Restored {
    /// Whether everything that was erased since the backup was made is known, and so is away. Where the store in the place
    /// was gone or damaged it cannot be known.
    #[must_use]
    pub fn knows_what_was_erased(&self) -> bool {
        self.in_place == InPlace::Store && self.unread.is_empty()
    }
}

impl Builder {
    /// Puts a backup into the place of the store that it is of. That store may be gone or damaged; if it is there, what was
    /// erased, forgotten or rejected in it since stays so, its tombstones, receipts and audit log are kept, and change
    /// numbers and positions go on from where it was. Nobody may have it open. A process that is killed leaves the old
    /// store or the new one. `progress` is told how many pages are copied, of how many, twice.
    ///
    /// ```
    /// use memoriter::{Memoriter, Note, Scope, Selector};
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, monday) = (folder.path().join("memory.db"), folder.path().join("monday.db"));
    /// let memory = Memoriter::open(&path)?;
    /// let priya = memory.scope(Scope::user("priya"));
    /// priya.remember(Note::new("I live in Berlin").key("user.city".parse()?).value("Berlin"))?;
    /// priya.remember("I like tea")?;
    /// memory.backup(&monday, &mut |_, _| {})?;
    /// priya.erase(Selector::Key("user.city".parse()?)).run()?;
    /// drop((priya, memory));
    ///
    /// let restored = Memoriter::builder().restore(&monday, &path, &mut |_, _| {})?;
    /// assert_eq!((restored.erased.memories, restored.verification.memories), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the backup is not there, is no store, is damaged, has a newer format or is of another store, somebody has the
    /// store open, or the system fails. Then the place is as it was.
    pub fn restore(
        self,
        backup: impl AsRef<Path>,
        place: impl AsRef<Path>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Restored, Error> {
        let (entropy, clock) = (Arc::clone(&self.entropy), Arc::clone(&self.clock));
        let encryption = self.encryption();
        let options = SqliteOptions {
            encryption: encryption.as_ref(),
            ..SqliteOptions::new(entropy.as_ref(), clock.now())
        };
        let mut restore =
            SqliteRestore::begin(backup.as_ref(), place.as_ref(), &options, progress)?;
        let copy = self.over(restore.store() as Arc<dyn Store>);
        let scopes = restore.scopes()?;
        let before = ErasedWhole::read(copy.engine.store.snapshot()?.as_ref(), &scopes)?;
        let carried = restore.carry_over()?;
        let (mut erased, needles) = copy.engine.erase_again(&restore.scopes()?, &before)?;
        erased.add(&restore.keyless());
        let retired = restore.retired_since()?;
        copy.retire_again(&retired)?;
        let residue = copy.engine.store.scrub(&needles, Patience::Wait)?.found;
        let is_known = restore.in_place() == InPlace::Store && restore.unread().is_empty();
        copy.engine.note_restore(&erased, is_known, residue == 0)?;
        restore.go_on_from_there()?;
        drop(copy);
        let mut restored = Restored {
            verification: Verification::default(),
            in_place: restore.in_place(),
            carried,
            erased,
            retired_memories: retired.memories.len() as u64,
            retired_turns: retired.turns.len() as u64,
            residue,
            unread: restore.unread().iter().copied().collect(),
            put_aside: restore.put_aside(),
        };
        restored.verification = restore.finish(progress)?.into();
        Ok(restored)
    }
}

impl Memoriter {
    /// Takes out of use what is so in the store that the copy will replace.
    fn retire_again(&self, retired: &Retired) -> Result<(), Error> {
        let engine = &self.engine;
        for (scope, id, at) in &retired.memories {
            let scope = ScopedMemory::new(Arc::clone(engine), scope.clone());
            let memory = scope.own_row(*id)?;
            let versions = scope.versions_of(&memory)?;
            let mut draft = Draft::new(scope.scope(), *at);
            draft.note(retire(&memory, &versions, *at), None, None);
            let secret = engine.store.secret();
            engine.store.commit(draft.into_writes(Vec::new(), secret))?;
        }
        let turns = retired
            .turns
            .chunk_by(|one, next| (&one.0, one.2) == (&next.0, next.2));
        for together in turns {
            let Some((scope, _, at)) = together.first() else {
                continue;
            };
            for ids in together.chunks(RETIRED_TOGETHER) {
                engine.store.commit(vec![Write::RetireTurns {
                    scope: scope.clone(),
                    ids: ids.iter().map(|(_, id, _)| *id).collect(),
                    at: *at,
                }])?;
            }
        }
        self.empty_fields(retired)
    }

    /// Fields that were copied from what is out of use lose their value, as they did in the store that the copy will replace.
    fn empty_fields(&self, retired: &Retired) -> Result<(), Error> {
        let engine = &self.engine;
        let mut gone: BTreeMap<&Scope, BTreeSet<SourceRef>> = BTreeMap::new();
        for (scope, id, _) in &retired.memories {
            gone.entry(scope)
                .or_default()
                .insert(SourceRef::Memory(*id));
        }
        for (scope, id, _) in &retired.turns {
            gone.entry(scope).or_default().insert(SourceRef::Turn(*id));
        }
        for (scope, gone) in gone {
            let scope = ScopedMemory::new(Arc::clone(engine), scope.clone());
            let emptied = scope.fields_without(&gone, engine.clock.now())?;
            for unit in emptied.chunks(RETIRED_TOGETHER) {
                engine.store.commit(unit.to_vec())?;
            }
        }
        Ok(())
    }
}

/// Turns that are retired by one unit, within what a store takes.
const RETIRED_TOGETHER: usize = 4_000;

impl Engine {
    /// Adds a line to the audit log, and to the receipts of what was erased that it is absent after a restore, where that
    /// was seen to.
    fn note_restore(
        &self,
        erased: &ErasedCounts,
        is_known: bool,
        is_absent: bool,
    ) -> Result<(), Error> {
        let (secret, now) = (self.store.secret(), self.clock.now());
        let entry = AuditEntry {
            at: now,
            actor: None,
            kind: AuditKind::Restore,
            decision: if is_known { "known" } else { "unknown" }.to_owned(),
            records: Vec::new(),
            count: erased.records(),
        };
        let mut writes = vec![Write::Audit(entry.line_about("store"))];
        if is_known && is_absent {
            for row in self.store.snapshot()?.receipts(ReceiptQuery::All)? {
                let before = (row.receipt.state, row.receipt.touched_at);
                if row.receipt.state == ReceiptState::Complete
                    && let Some(body) = restored(&row.receipt.body, secret, now)?
                {
                    let receipt = Box::new(NewReceipt {
                        body,
                        ..row.receipt
                    });
                    let over = Some(before);
                    writes.push(Write::PutReceipt { receipt, over });
                }
            }
        }
        for unit in writes.chunks(RETIRED_TOGETHER) {
            self.store.commit(unit.to_vec())?;
        }
        Ok(())
    }
}
