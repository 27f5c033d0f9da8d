//! The memory of one scope.

use std::sync::Arc;

use memoriter_core::scope::Scope;

use crate::engine::Engine;

/// Everything a caller in one scope can do. Reads see the scope and the ones around it (an agent of a user
/// sees what is known about the user), writes go into the scope itself; nothing else can be reached from
/// here. Cheap to clone.
#[derive(Clone)]
pub struct ScopedMemory {
    pub(crate) engine: Arc<Engine>,
    pub(crate) scope: Scope,
    /// The scope and the ones around it, innermost first.
    pub(crate) visible: Vec<Scope>,
}

impl ScopedMemory {
    pub(crate) fn new(engine: Arc<Engine>, scope: Scope) -> Self {
        let visible = scope.with_enclosing();
        Self {
            engine,
            scope,
            visible,
        }
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
