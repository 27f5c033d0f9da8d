//! The stores of the tenants, opened when somebody first comes for one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use memoriter::{Memoriter, Worker};

use crate::problem::Problem;

/// Why a store could not be opened: told in the log, and to callers not.
pub type OpenError = Box<dyn std::error::Error + Send + Sync>;
/// How a tenant's store is opened, or made: the command knows folders and settings, the server does not.
pub type OpenTenant = dyn Fn(&str) -> Result<Memoriter, OpenError> + Send + Sync;

/// Bytes a tenant's name may have.
pub const TENANT_BYTES_MAX: usize = 64;
/// Stores that are open at a time, each with two threads. One more closes the one that nobody came for longest.
pub const TENANTS_OPEN_MAX: usize = 256;

/// Whether a text can be a tenant's name: 1 to [`TENANT_BYTES_MAX`] of `a-z`, `0-9`, `_` and `-`.
#[must_use]
pub fn is_tenant_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
    !name.is_empty() && name.len() <= TENANT_BYTES_MAX && name.chars().all(is_plain)
}

/// Open stores by name.
pub(crate) struct Tenants {
    open: Box<OpenTenant>,
    open_max: usize,
    slots: Mutex<HashMap<String, Arc<Slot>>>,
    calls: AtomicU64,
}

/// The place of a store. Who opens it holds the place, and keeps nobody from another.
#[derive(Default)]
struct Slot {
    tenant: Mutex<Option<Tenant>>,
    /// The number of the last call that came for it.
    used: AtomicU64,
}

/// One store, with the thread that reads what waits in it.
struct Tenant {
    memory: Memoriter,
    _worker: Worker,
}

impl Tenants {
    pub(crate) fn new(open: Box<OpenTenant>, open_max: usize) -> Self {
        Self {
            open,
            open_max,
            slots: Mutex::default(),
            calls: AtomicU64::new(0),
        }
    }

    /// The tenant's store with every right. Blocks where it has to be opened.
    pub(crate) fn get(&self, name: &str) -> Result<Memoriter, Problem> {
        let slot = self.slot(name);
        let mut tenant = lock(&slot.tenant);
        if let Some(tenant) = tenant.as_ref() {
            return Ok(tenant.memory.clone());
        }
        let opened = (self.open)(name).and_then(|memory| {
            let worker = memory.start_worker()?;
            Ok((memory, worker))
        });
        let (memory, worker) = opened.map_err(|error| {
            tracing::error!(tenant = name, error, "a store cannot be opened");
            let detail = "the store cannot be opened; the log of the server says more";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "no_store", detail)
        })?;
        *tenant = Some(Tenant {
            memory: memory.clone(),
            _worker: worker,
        });
        drop(tenant);
        self.close_one_too_many();
        Ok(memory)
    }

    fn slot(&self, name: &str) -> Arc<Slot> {
        let mut slots = lock(&self.slots);
        let slot = slots.entry(name.to_owned()).or_default();
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        slot.used.store(call, Ordering::Relaxed);
        Arc::clone(slot)
    }

    /// Lets go of the store that nobody came for longest. Calls that are in it still end, and whoever comes for it opens
    /// it again.
    fn close_one_too_many(&self) {
        let closed = {
            let mut slots = lock(&self.slots);
            if slots.len() <= self.open_max {
                return;
            }
            let used = |slot: &Arc<Slot>| slot.used.load(Ordering::Relaxed);
            let oldest = slots.iter().min_by_key(|(_, slot)| used(slot));
            let oldest = oldest.map(|(name, _)| name.clone());
            oldest.and_then(|name| slots.remove(&name))
        };
        close(closed);
    }

    /// The store, if it is open.
    pub(crate) fn opened(&self, name: &str) -> Option<Memoriter> {
        let slot = lock(&self.slots).get(name).cloned()?;
        let tenant = lock(&slot.tenant);
        tenant.as_ref().map(|tenant| tenant.memory.clone())
    }

    /// Lets go of every store: workers end, and what is noted in memory is written down.
    pub(crate) fn close(&self) {
        let slots: Vec<Arc<Slot>> = lock(&self.slots).drain().map(|(_, slot)| slot).collect();
        close(slots);
    }
}

fn close(slots: impl IntoIterator<Item = Arc<Slot>>) {
    for slot in slots {
        if let Some(tenant) = lock(&slot.tenant).take() {
            tenant.memory.flush();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use memoriter::Scope;

    #[test]
    fn one_store_too_many_closes_the_one_that_rested_longest() {
        let folder = tempfile::tempdir().unwrap();
        let opened = Arc::new(Mutex::new(Vec::new()));
        let (path, told) = (folder.path().to_owned(), Arc::clone(&opened));
        let open = move |name: &str| {
            lock(&told).push(name.to_owned());
            Ok(Memoriter::open(path.join(format!("{name}.db")))?)
        };
        let tenants = Tenants::new(Box::new(open), 2);
        let say = |name: &str| {
            let memory = tenants.get(name).unwrap().scope(Scope::user("priya"));
            memory.remember(format!("I am of {name}")).unwrap();
        };
        for name in ["a", "b", "a", "c", "a", "b"] {
            say(name);
        }
        assert_eq!(*lock(&opened), ["a", "b", "c", "b"]);
        assert!(tenants.opened("c").is_none() && tenants.opened("b").is_some());
        let again = tenants.get("c").unwrap().scope(Scope::user("priya"));
        assert_eq!(again.recall("Who am I?").run().unwrap().len(), 1);
    }
}
