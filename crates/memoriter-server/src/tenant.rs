//! The stores of the tenants, opened when somebody first comes for one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use memoriter::{Memoriter, Worker};

use crate::problem::Problem;

/// Why a store could not be opened: told in the log, and to callers not.
pub type OpenError = Box<dyn std::error::Error + Send + Sync>;
/// How a tenant's store is opened, or made: the command knows folders and settings, the server does not.
pub type OpenTenant = dyn Fn(&str) -> Result<Memoriter, OpenError> + Send + Sync;

/// Bytes a tenant's name may have.
pub const TENANT_BYTES_MAX: usize = 64;

/// Whether a text can be a tenant's name: 1 to [`TENANT_BYTES_MAX`] of `a-z`, `0-9`, `_` and `-`.
#[must_use]
pub fn is_tenant_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
    !name.is_empty() && name.len() <= TENANT_BYTES_MAX && name.chars().all(is_plain)
}

/// Open stores by name.
pub(crate) struct Tenants {
    open: Box<OpenTenant>,
    stores: Mutex<HashMap<String, Arc<Tenant>>>,
}

/// One store, with the thread that reads what waits in it.
struct Tenant {
    memory: Memoriter,
    _worker: Option<Worker>,
}

impl Tenants {
    pub(crate) fn new(open: Box<OpenTenant>) -> Self {
        Self {
            open,
            stores: Mutex::default(),
        }
    }

    /// The tenant's store with every right. Blocks where it has to be opened.
    pub(crate) fn get(&self, name: &str) -> Result<Memoriter, Problem> {
        let mut stores = self.lock();
        if let Some(tenant) = stores.get(name) {
            return Ok(tenant.memory.clone());
        }
        let memory = (self.open)(name).map_err(|error| {
            tracing::error!(tenant = name, error, "a store cannot be opened");
            let detail = "the store cannot be opened; the log of the server says more";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "no_store", detail)
        })?;
        let worker = memory.start_worker()?;
        let tenant = Arc::new(Tenant {
            memory: memory.clone(),
            _worker: Some(worker),
        });
        stores.insert(name.to_owned(), tenant);
        Ok(memory)
    }

    /// The store, if it is open.
    pub(crate) fn opened(&self, name: &str) -> Option<Memoriter> {
        self.lock().get(name).map(|tenant| tenant.memory.clone())
    }

    /// Lets go of every store: workers end, and what is noted in memory is written down.
    pub(crate) fn close(&self) {
        let stores: Vec<Arc<Tenant>> = self.lock().drain().map(|(_, tenant)| tenant).collect();
        for tenant in &stores {
            tenant.memory.flush();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Tenant>>> {
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
