//! What stands without being asked for: the facts that are known under a key, and what is pinned.

use memoriter_core::access::Right;
use memoriter_core::id::MemoryId;
use memoriter_core::memory::Memory;
use memoriter_store::index::{Listed, Listing};
use memoriter_store::{Damage, MemoryQuery};

use crate::error::Error;
use crate::handle::ScopedMemory;

/// The most important memories of a listing.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// What is pinned first, then by importance, of equals the latest.
    pub memories: Vec<Memory>,
    /// How many more there are.
    pub left_out: usize,
    /// Memories that are there and cannot be read.
    pub damaged: Vec<Damage>,
}

impl ScopedMemory {
    /// The live facts under a key and what is pinned, of this scope and the ones around it, at most `limit` of them: what a
    /// desk shows as its profile.
    ///
    /// ```
    /// use memoriter::{Memoriter, Note, Scope};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memoriter::open(folder.path().join("memory.db"))?;
    /// let priya = memory.scope(Scope::user("priya"));
    /// priya.remember(Note::new("I live in Berlin").key("user.city".parse()?).value("Berlin"))?;
    /// let profile = priya.profile(10)?;
    /// assert_eq!(profile.memories[0].value.as_deref(), Some("Berlin"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn profile(&self, limit: usize) -> Result<Profile, Error> {
        self.may(Right::Read)?;
        self.listed(Listing::Profile, limit)
    }

    pub(crate) fn listed(&self, listing: Listing, limit: usize) -> Result<Profile, Error> {
        let engine = &self.engine;
        let now = engine.clock.now();
        let mut listed: Vec<Listed> =
            engine
                .indexes
                .with(engine.store.as_ref(), &self.visible, |indexes| {
                    let listed = indexes.iter().flat_map(|index| index.list(listing, now));
                    listed.collect()
                })?;
        listed.sort_unstable_by(|a, b| b.cmp(a));
        let left_out = listed.len().saturating_sub(limit);
        listed.truncate(limit);
        let ids: Vec<MemoryId> = listed.iter().map(|listed| listed.id).collect();
        let rows = engine.store.snapshot()?.memories(MemoryQuery::Ids {
            scopes: &self.visible,
            ids: &ids,
        })?;
        Ok(Profile {
            memories: rows.rows,
            left_out,
            damaged: rows.damaged,
        })
    }
}
