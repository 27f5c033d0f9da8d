//! Pinning: a memory that stays in the profile of every desk and never sinks.

use memoriter_core::access::Right;
use memoriter_core::id::MemoryId;
use memoriter_core::memory::Memory;
use memoriter_core::time::Timestamp;
use memoriter_store::Write;

use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::memories::check_open;
use crate::remember::attempt_often;

impl ScopedMemory {
    /// Pins a memory of this scope: it stays in the profile section of the desk before all others, as far as the share of
    /// the section goes, and what takes its place is pinned too. Pinning again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMemory`](memoriter_store::StoreError::NoSuchMemory), also for one of a scope around this one;
    /// [`Error::WrongState`] for history; or when the store fails.
    pub fn pin(&self, id: MemoryId) -> Result<Memory, Error> {
        self.may(Right::Write)?;
        let now = self.engine.clock.now();
        self.set_pin(id, |pinned| pinned.or(Some(now)))
    }

    /// Takes the pin away. Where there is none, nothing changes.
    ///
    /// # Errors
    /// As [`ScopedMemory::pin`].
    pub fn unpin(&self, id: MemoryId) -> Result<Memory, Error> {
        self.may(Right::Write)?;
        self.set_pin(id, |_| None)
    }

    fn set_pin(
        &self,
        id: MemoryId,
        pin: impl Fn(Option<Timestamp>) -> Option<Timestamp>,
    ) -> Result<Memory, Error> {
        attempt_often(|| {
            let old = self.own_row(id)?;
            check_open(&old, "pinned or unpinned")?;
            let pinned_at = pin(old.pinned_at);
            if pinned_at == old.pinned_at {
                return Ok(old);
            }
            let read_at = old.change;
            let new = Memory { pinned_at, ..old };
            let write = Write::UpdateMemory {
                memory: Box::new(new.clone()),
                read_at,
            };
            let change = self.engine.commit(vec![write])?.head;
            Ok(Memory { change, ..new })
        })
    }
}
