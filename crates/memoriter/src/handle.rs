//! The memory of one scope.

use std::sync::Arc;

use memoriter_core::access::{Access, Right};
use memoriter_core::scope::Scope;
use memoriter_core::time::ZonedTime;

use crate::engine::Engine;
use crate::error::Error;

/// Everything a caller in one scope can do. Reads see the scope and the ones around it (an agent of a user
/// sees what is known about the user), writes go into the scope itself; nothing else can be reached from
/// here. Every call checks what the handle may do first (see [`Memoriter::granted`](crate::Memoriter::granted)). Cheap to
/// clone.
#[derive(Clone)]
pub struct ScopedMemory {
    pub(crate) engine: Arc<Engine>,
    pub(crate) scope: Scope,
    /// The scope and the ones around it, innermost first.
    pub(crate) visible: Vec<Scope>,
    access: Access,
}

impl ScopedMemory {
    /// With every right: for the engine's own work.
    pub(crate) fn new(engine: Arc<Engine>, scope: Scope) -> Self {
        Self::granted(engine, scope, Access::FULL)
    }

    pub(crate) fn granted(engine: Arc<Engine>, scope: Scope, access: Access) -> Self {
        let mut visible = scope.with_enclosing();
        visible.retain(|scope| access.reaches(scope));
        Self {
            engine,
            scope,
            visible,
            access,
        }
    }

    /// Whether the handle may do a kind of thing in its scope. First in every public call; what the engine calls itself on
    /// the way has no second check, see [`Self::within_call`].
    pub(crate) fn may(&self, right: Right) -> Result<(), Error> {
        self.access.check_scope(&self.scope)?;
        self.access.check(right)?;
        Ok(())
    }

    /// The same place for what a call does after it was checked: a write has to read, whoever may only write.
    pub(crate) fn within_call(&self) -> Self {
        Self {
            access: Access::FULL,
            ..self.clone()
        }
    }

    /// What the handle may do.
    #[must_use]
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// The present by the store's clock, as a time that something is said at.
    #[must_use]
    pub fn now(&self) -> ZonedTime {
        ZonedTime::utc(self.engine.clock.now())
    }

    /// The scope that is written to.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The scopes that are read, innermost first.
    #[must_use]
    pub fn visible(&self) -> &[Scope] {
        &self.visible
    }
}
