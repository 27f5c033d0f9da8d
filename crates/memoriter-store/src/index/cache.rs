//! Indexes of many scopes, loaded when they are asked for.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use memoriter_core::id::ChangeNumber;
use memoriter_core::port::{ModelName, WordVectors};
use memoriter_core::scope::Scope;

use super::ScopeIndex;
use super::known_words::KnownWords;
use crate::error::StoreError;
use crate::store::{IndexChange, Snapshot, Store};

/// Indexes by scope, each brought up to the store's newest change before it answers, so that what another
/// process wrote is found at once. The least recently used give way at a memory budget.
pub struct IndexCache {
    model: ModelName,
    dimensions: usize,
    words: Arc<KnownWords>,
    budget_bytes: usize,
    scopes: Mutex<HashMap<Scope, Arc<Cached>>>,
    /// Counts uses, to tell which is the least recent.
    uses: AtomicU64,
}

struct Cached {
    index: RwLock<ScopeIndex>,
    last_use: AtomicU64,
    bytes: AtomicUsize,
}

impl IndexCache {
    /// A cache for vectors of one model, within `budget_bytes` where more than one scope is loaded.
    #[must_use]
    pub fn new(
        model: ModelName,
        dimensions: usize,
        words: Arc<dyn WordVectors>,
        budget_bytes: usize,
    ) -> Self {
        Self {
            model,
            dimensions,
            words: Arc::new(KnownWords::new(words)),
            budget_bytes,
            scopes: Mutex::default(),
            uses: AtomicU64::new(0),
        }
    }

    /// Calls `read` with the indexes of `scopes`, in that order, each holding everything committed before
    /// the call.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn with<R>(
        &self,
        store: &dyn Store,
        scopes: &[Scope],
        read: impl FnOnce(&[&ScopeIndex]) -> R,
    ) -> Result<R, StoreError> {
        let head = store.head()?;
        let cached: Vec<Arc<Cached>> = scopes.iter().map(|scope| self.cell(scope)).collect();
        let mut snapshot = None;
        for (scope, cell) in scopes.iter().zip(&cached) {
            if cell.read().seen() < head {
                let snapshot = match &mut snapshot {
                    Some(snapshot) => snapshot,
                    None => snapshot.insert(store.snapshot()?),
                };
                self.catch_up(scope, cell, snapshot.as_ref())?;
            }
        }
        drop(snapshot);
        let guards: Vec<RwLockReadGuard<'_, ScopeIndex>> =
            cached.iter().map(|cell| cell.read()).collect();
        let indexes: Vec<&ScopeIndex> = guards.iter().map(|guard| &**guard).collect();
        let result = read(&indexes);
        drop(guards);
        self.make_room(scopes);
        Ok(result)
    }

    /// Forgets every index; each is built anew when it is asked for.
    pub fn clear(&self) {
        self.words.clear();
        self.lock().clear();
    }

    /// Forgets the indexes of some scopes at once, so that nothing of what is gone stays in memory.
    pub fn let_go(&self, scopes: &[Scope]) {
        self.words.clear();
        let mut cached = self.lock();
        for scope in scopes {
            cached.remove(scope);
        }
    }

    /// Bytes that the loaded indexes take together.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lock()
            .values()
            .map(|cell| cell.bytes.load(Ordering::Relaxed))
            .sum()
    }

    /// How many scopes are loaded.
    #[must_use]
    pub fn loaded(&self) -> usize {
        self.lock().len()
    }

    fn cell(&self, scope: &Scope) -> Arc<Cached> {
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        let mut scopes = self.lock();
        if let Some(cell) = scopes.get(scope) {
            cell.last_use.store(now, Ordering::Relaxed);
            return Arc::clone(cell);
        }
        let index = RwLock::new(self.empty());
        let cell = Arc::new(Cached {
            index,
            last_use: AtomicU64::new(now),
            bytes: AtomicUsize::new(0),
        });
        scopes.insert(scope.clone(), Arc::clone(&cell));
        cell
    }

    /// Applies what the feed holds beyond the index; builds it anew when it is worn, or something is gone for good.
    fn catch_up(
        &self,
        scope: &Scope,
        cell: &Cached,
        snapshot: &dyn Snapshot,
    ) -> Result<(), StoreError> {
        let mut index = cell.index.write().unwrap_or_else(PoisonError::into_inner);
        let head = snapshot.head()?;
        if index.seen() >= head {
            return Ok(());
        }
        let first_load = index.seen() == ChangeNumber::default();
        self.apply(scope, &mut index, snapshot)?;
        let is_anew = !first_load && index.seen() == ChangeNumber::default();
        if is_anew || index.is_worn() {
            index.set_seen(ChangeNumber::default());
            self.apply(scope, &mut index, snapshot)?;
        }
        if first_load {
            index.shrink();
        }
        index.set_seen(head);
        cell.bytes.store(index.bytes(), Ordering::Relaxed);
        Ok(())
    }

    fn apply(
        &self,
        scope: &Scope,
        index: &mut ScopeIndex,
        snapshot: &dyn Snapshot,
    ) -> Result<(), StoreError> {
        let after = index.seen();
        let read = |sink: &mut dyn FnMut(IndexChange<'_>)| {
            snapshot.index_changes(scope, &self.model, after, sink)
        };
        if after == ChangeNumber::default() {
            // A load that failed half way may have left something.
            *index = self.empty();
            index.load(read)
        } else {
            read(&mut |change| index.apply(&change))
        }
    }

    fn empty(&self) -> ScopeIndex {
        ScopeIndex::new(self.dimensions, Arc::clone(&self.words) as _)
    }

    /// Lets go of the least recently used indexes until the rest fits; those in `keep` stay.
    fn make_room(&self, keep: &[Scope]) {
        let mut scopes = self.lock();
        let mut bytes: usize = scopes
            .values()
            .map(|cell| cell.bytes.load(Ordering::Relaxed))
            .sum();
        if bytes <= self.budget_bytes {
            return;
        }
        let mut by_use: Vec<(u64, Scope)> = scopes
            .iter()
            .map(|(scope, cell)| (cell.last_use.load(Ordering::Relaxed), scope.clone()))
            .collect();
        by_use.sort_unstable();
        for (_, scope) in by_use {
            if bytes <= self.budget_bytes {
                break;
            }
            if !keep.contains(&scope)
                && let Some(gone) = scopes.remove(&scope)
            {
                bytes -= gone.bytes.load(Ordering::Relaxed);
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Scope, Arc<Cached>>> {
        self.scopes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cached {
    fn read(&self) -> RwLockReadGuard<'_, ScopeIndex> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }
}
