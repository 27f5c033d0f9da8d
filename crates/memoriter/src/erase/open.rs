//! What a process knows of erasures that are not done yet.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use memoriter_core::time::Timestamp;
use memoriter_store::Needles;

/// Erasures of this process.
pub(crate) struct Erasures(Mutex<Known>);

struct Known {
    /// Requests that are on their way: nobody else of this process goes on with them.
    running: BTreeSet<[u8; 16]>,
    /// What to look for in the files, by request, where a search has still to be done.
    unsearched: BTreeMap<[u8; 16], Needles>,
    /// Since when, as far as is known, erasures wait.
    waiting_since: Option<Timestamp>,
}

/// A request that is on its way, until it is dropped.
pub(super) struct Running<'e> {
    erasures: &'e Erasures,
    id: [u8; 16],
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.erasures.lock().running.remove(&self.id);
    }
}

impl Default for Erasures {
    fn default() -> Self {
        Self(Mutex::new(Known {
            running: BTreeSet::new(),
            unsearched: BTreeMap::new(),
            // A process before this one may have left some.
            waiting_since: Some(Timestamp::MIN),
        }))
    }
}

impl Erasures {
    pub(super) fn begin(&self, id: [u8; 16]) -> Running<'_> {
        self.lock().running.insert(id);
        Running { erasures: self, id }
    }

    pub(super) fn is_running(&self, id: &[u8; 16]) -> bool {
        self.lock().running.contains(id)
    }

    pub(super) fn needles(&self, id: &[u8; 16]) -> Option<Needles> {
        self.lock().unsearched.get(id).cloned()
    }

    pub(super) fn keep(&self, id: [u8; 16], needles: Needles) {
        self.lock().unsearched.insert(id, needles);
    }

    pub(super) fn let_go(&self, id: &[u8; 16]) {
        self.lock().unsearched.remove(id);
    }

    pub(super) fn waiting_since(&self) -> Option<Timestamp> {
        self.lock().waiting_since
    }

    pub(super) fn wait_since(&self, since: Option<Timestamp>) {
        self.lock().waiting_since = since;
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
