//! Checking, counting and rebuilding.

use memoriter_core::access::Right;
use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::State;
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_store::index::ScopeIndex;
use memoriter_store::{Damage, IndexChange, RecordRef, Snapshot, VerifyReport, Write};

use crate::engine::Engine;
use crate::error::Error;
use crate::memories::{PAGE_MAX, RowPages, as_of_now};
use crate::open::Memoriter;

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Memories that were read.
    pub memories: u64,
    /// Turns that were read.
    pub turns: u64,
    /// Attachments that were read, all of their bytes.
    pub attachments: u64,
    /// Fields of boards that were read, with what checkpoints hold of them.
    pub fields: u64,
    /// Checkpoints that were read.
    pub checkpoints: u64,
    /// Everything that does not fit; empty when all is sound.
    pub problems: Vec<Damage>,
}

impl From<VerifyReport> for Verification {
    fn from(report: VerifyReport) -> Self {
        Self {
            memories: report.memories,
            turns: report.turns,
            attachments: report.attachments,
            fields: report.fields,
            checkpoints: report.checkpoints,
            problems: report.problems,
        }
    }
}

/// How much is in a store and in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The newest change number.
    pub head: ChangeNumber,
    /// Memories by the state that readers see now, every state listed.
    pub memories: Vec<(State, u64)>,
    /// Turns.
    pub turns: u64,
    /// Attachments.
    pub attachments: u64,
    /// Sessions.
    pub sessions: u64,
    /// Fields on boards.
    pub fields: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// Scopes.
    pub scopes: u64,
    /// Records with a vector of the embedder in use.
    pub embedded: u64,
    /// The embedder in use.
    pub model: ModelName,
    /// Scopes whose index is loaded.
    pub indexes_loaded: u64,
    /// Bytes that the loaded indexes take.
    pub index_bytes: u64,
    /// Whether the store is encrypted.
    pub is_encrypted: bool,
}

/// What the loaded indexes of a store take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexUsage {
    /// Scopes whose index is loaded.
    pub loaded: u64,
    /// Bytes.
    pub bytes: u64,
}

/// What a rebuild did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rebuilt {
    /// Records that now have a vector of the embedder in use.
    pub embedded: u64,
    /// Records that no vector can be made of.
    pub without_vector: u64,
}

impl Memoriter {
    /// Reads everything: the file's structure, every checksum, every reference; and compares each scope's
    /// index with a new one built from the rows.
    ///
    /// # Errors
    /// When the store cannot be read at all; what is wrong with it is in the result.
    pub fn verify(&self) -> Result<Verification, Error> {
        self.may(Right::Admin)?;
        let engine = &self.engine;
        let snapshot = engine.store.snapshot()?;
        let report = snapshot.verify()?;
        let mut verification = Verification::from(report);
        match engine.compare_indexes(snapshot.as_ref()) {
            Ok(differences) => verification.problems.extend(differences),
            // What cannot be read for the reason that is found already adds nothing to it.
            Err(_) if !verification.problems.is_empty() => {}
            Err(error) => return Err(error),
        }
        Ok(verification)
    }

    /// Counts.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn statistics(&self) -> Result<Statistics, Error> {
        self.may(Right::Admin)?;
        let engine = &self.engine;
        let snapshot = engine.store.snapshot()?;
        let scopes = snapshot.scopes()?;
        let model = engine.embedder.model();
        let in_state = |state| {
            let counts = scopes.iter().flat_map(|scope| &scope.memories);
            counts
                .filter(|(of, _)| *of == state)
                .map(|(_, count)| count)
                .sum()
        };
        let mut memories: Vec<(State, u64)> = State::ALL
            .iter()
            .map(|state| (*state, in_state(*state)))
            .collect();
        for scope in &scopes {
            engine.tell_by_dates(snapshot.as_ref(), &scope.scope, &mut memories)?;
        }
        let vectors = scopes.iter().flat_map(|scope| &scope.vectors);
        let (mut fields, mut checkpoints) = (0, 0);
        for scope in &scopes {
            for session in snapshot.sessions(&scope.scope)? {
                fields += session.fields;
                checkpoints += session.checkpoints;
            }
        }
        Ok(Statistics {
            head: snapshot.head()?,
            memories,
            turns: scopes.iter().map(|scope| scope.turns).sum(),
            attachments: scopes.iter().map(|scope| scope.attachments).sum(),
            sessions: scopes.iter().map(|scope| scope.sessions).sum(),
            fields,
            checkpoints,
            scopes: scopes.len() as u64,
            embedded: vectors
                .filter(|(of, _)| of == model)
                .map(|(_, count)| count)
                .sum(),
            model: model.clone(),
            indexes_loaded: engine.indexes.loaded() as u64,
            index_bytes: engine.indexes.bytes() as u64,
            is_encrypted: engine.store.is_encrypted(),
        })
    }

    /// Gives every record without a vector of the embedder in use one, and builds the indexes anew when they
    /// are next asked for. `progress` is told how many records are done, of how many.
    ///
    /// # Errors
    /// When the store or the embedder fails; what was embedded by then stays.
    pub fn reindex(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Rebuilt, Error> {
        self.may(Right::Admin)?;
        let engine = &self.engine;
        let mut missing = Vec::new();
        for scope in self.scopes()? {
            missing.extend(engine.without_vector(&scope.scope)?);
        }
        let mut rebuilt = Rebuilt::default();
        let total = missing.len() as u64;
        for batch in missing.chunks(PAGE_MAX) {
            let texts: Vec<String> = batch.iter().map(|(_, text)| text.clone()).collect();
            let vectors = engine.embed(&texts)?;
            let put: Vec<_> = batch
                .iter()
                .zip(vectors)
                .filter_map(|((record, _), vector)| Some((*record, vector?)))
                .collect();
            rebuilt.embedded += put.len() as u64;
            rebuilt.without_vector += (batch.len() - put.len()) as u64;
            if !put.is_empty() {
                engine.store.commit(vec![Write::PutVectors(put)])?;
            }
            progress(rebuilt.embedded + rebuilt.without_vector, total);
        }
        engine.indexes.clear();
        Ok(rebuilt)
    }

    /// What the loaded indexes take at the moment, without a look at the store.
    #[must_use]
    pub fn index_usage(&self) -> IndexUsage {
        IndexUsage {
            loaded: self.engine.indexes.loaded() as u64,
            bytes: self.engine.indexes.bytes() as u64,
        }
    }

    /// Waits until everything that was noted in the background (which memories were recalled) is on disk.
    pub fn flush(&self) {
        self.engine.flush_marks();
    }
}

impl Engine {
    /// Moves the memories of a scope that rows call live to the state that they have by their dates. What
    /// cannot be read stays where its row says.
    fn tell_by_dates(
        &self,
        snapshot: &dyn Snapshot,
        scope: &Scope,
        memories: &mut [(State, u64)],
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let mut rows = RowPages::new(snapshot, scope, &[State::Live], None);
        while let Some(page) = rows.next(PAGE_MAX)? {
            for row in page.rows {
                let told = as_of_now(snapshot, row, now)?.state;
                for (state, count) in memories.iter_mut() {
                    if *state == State::Live {
                        *count = count.saturating_sub(1);
                    }
                    if *state == told {
                        *count += 1;
                    }
                }
            }
        }
        Ok(())
    }

    fn compare_indexes(&self, snapshot: &dyn Snapshot) -> Result<Vec<Damage>, Error> {
        let mut differences = Vec::new();
        for summary in snapshot.scopes()? {
            differences.extend(self.compare_index(snapshot, &summary.scope)?);
        }
        Ok(differences)
    }

    /// What the loaded index of a scope has and lacks against one built from the rows.
    fn compare_index(&self, snapshot: &dyn Snapshot, scope: &Scope) -> Result<Vec<Damage>, Error> {
        let built = self.build_index(snapshot, scope)?.records();
        let scopes = std::slice::from_ref(scope);
        let loaded = self.indexes.with(self.store.as_ref(), scopes, |indexes| {
            indexes
                .first()
                .map(|index| index.records())
                .unwrap_or_default()
        })?;
        if built == loaded || snapshot.head()? < self.store.head()? {
            return Ok(Vec::new());
        }
        let why = format!(
            "the index holds {} records, the rows {}",
            loaded.len(),
            built.len()
        );
        Ok(vec![Damage {
            record: format!("index of {scope}"),
            why,
        }])
    }

    fn build_index(&self, snapshot: &dyn Snapshot, scope: &Scope) -> Result<ScopeIndex, Error> {
        let mut index = ScopeIndex::new(
            self.embedder.dimensions(),
            std::sync::Arc::clone(&self.words),
        );
        let mut take = |change: IndexChange<'_>| index.apply(&change);
        snapshot.index_changes(
            scope,
            self.embedder.model(),
            ChangeNumber::default(),
            &mut take,
        )?;
        Ok(index)
    }

    /// Live records that have no vector of the embedder in use, with the text to embed.
    fn without_vector(&self, scope: &Scope) -> Result<Vec<(RecordRef, String)>, Error> {
        let snapshot = self.store.snapshot()?;
        let mut missing = Vec::new();
        let mut take = |change: IndexChange<'_>| {
            if let IndexChange::Put(row) = change
                && row.vector.is_none()
                && row.is_recallable()
            {
                missing.push((row.record, row.indexed_text().spoken()));
            }
        };
        snapshot.index_changes(
            scope,
            self.embedder.model(),
            ChangeNumber::default(),
            &mut take,
        )?;
        Ok(missing)
    }
}
