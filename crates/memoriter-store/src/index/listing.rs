//! What stands without being asked for: facts under a key, and procedures.

use memoriter_core::id::MemoryId;
use memoriter_core::memory::{Importance, Kind};
use memoriter_core::time::Timestamp;

use super::scope_index::ScopeIndex;
use super::traits::Flags;
use crate::store::RecordRef;

/// Memories that a call is about whatever it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// Facts under a key, and what is pinned; no procedures.
    Profile,
    /// Procedures.
    Procedures,
}

/// A memory of a [`Listing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// Whether it stays whatever else there is.
    pub pinned: bool,
    /// How much it matters.
    pub importance: Importance,
    /// Which one; of two the later written has the greater id.
    pub id: MemoryId,
}

impl ScopeIndex {
    /// The memories of a listing that answer at `now`, in no order that means anything.
    #[must_use]
    pub fn list(&self, listing: Listing, now: Timestamp) -> Vec<Listed> {
        let slots = self.live_slots();
        let listed = slots.filter_map(|slot| {
            let (traits, entry) = self.record(slot)?;
            let RecordRef::Memory(id) = entry.record else {
                return None;
            };
            let pinned = self.is_pinned(slot);
            let is_profile = traits.flags.has(Flags::KEYED) || pinned;
            let is_wanted = match listing {
                Listing::Profile => is_profile && entry.kind != Kind::Procedural,
                Listing::Procedures => entry.kind == Kind::Procedural,
            };
            let importance = entry.importance;
            (is_wanted && self.answers_at(slot, now)).then_some(Listed {
                pinned,
                importance,
                id,
            })
        });
        listed.collect()
    }
}
