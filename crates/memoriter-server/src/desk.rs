//! The desks that were given out last, so that each tells how much of its beginning is that of the one before: what a
//! provider's prompt cache can use again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use memoriter::core::desk::{Boundary, Difference, Rendering};
use memoriter::core::port::TokenCounter;
use memoriter::{Desk, Form};

/// Sessions whose last desk is kept.
const DESKS_MAX: usize = 256;

/// A session in a form.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct DeskKey {
    pub(crate) tenant: String,
    pub(crate) scope: String,
    pub(crate) session: String,
    pub(crate) form: &'static str,
}

impl DeskKey {
    pub(crate) fn new(tenant: &str, scope: &memoriter::Scope, session: &str, form: Form) -> Self {
        Self {
            tenant: tenant.to_owned(),
            scope: scope.to_json(),
            session: session.to_owned(),
            form: form.as_str(),
        }
    }
}

#[derive(Default)]
struct Kept {
    desks: HashMap<DeskKey, (Boundary, Rendering)>,
    order: VecDeque<DeskKey>,
}

/// The last desk of some sessions.
#[derive(Default)]
pub(crate) struct LastDesks(Mutex<Kept>);

impl LastDesks {
    /// Keeps a desk, and compares it with the one before.
    pub(crate) fn follow(
        &self,
        key: DeskKey,
        desk: &Desk,
        counter: &dyn TokenCounter,
    ) -> Option<Difference> {
        let before = {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let now = (desk.boundary.clone(), desk.rendering.clone());
            let before = kept.desks.insert(key.clone(), now);
            if before.is_none() {
                kept.order.push_back(key);
                if kept.order.len() > DESKS_MAX
                    && let Some(oldest) = kept.order.pop_front()
                {
                    kept.desks.remove(&oldest);
                }
            }
            before
        };
        let (boundary, rendering) = before?;
        (boundary == desk.boundary)
            .then(|| desk.rendering.compare(&rendering, &desk.boundary, counter))
            .flatten()
    }

    /// Lets go of what was kept for a tenant: something of it was erased.
    pub(crate) fn let_go(&self, tenant: &str) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.order.retain(|key| key.tenant != tenant);
        kept.desks.retain(|key, _| key.tenant != tenant);
    }
}
