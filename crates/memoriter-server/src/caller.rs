//! Who calls, and the memory that is in reach.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use memoriter::{Access, InvalidInput, Memoriter, Scope, ScopedMemory};

use crate::app::App;
use crate::credential::Granted;
use crate::problem::Problem;

/// The user where neither the call nor the credential names one, as in the command.
pub(crate) const USER_DEFAULT: &str = "me";

/// A caller whose credential was checked.
#[derive(Clone)]
pub(crate) struct Caller {
    app: App,
    granted: Arc<Granted>,
}

/// Where a call wants to act: what it says of `user_id` and `agent_id`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Where {
    pub(crate) user_id: Option<String>,
    pub(crate) agent_id: Option<String>,
}

impl Where {
    pub(crate) fn new(user_id: Option<&String>, agent_id: Option<&String>) -> Self {
        Self {
            user_id: user_id.cloned(),
            agent_id: agent_id.cloned(),
        }
    }

    /// The scope that is meant by a credential: what it names itself, or else where the credential lies.
    fn scope(&self, access: &Access) -> Result<Scope, InvalidInput> {
        let user = match (&self.user_id, access.within()) {
            (Some(user), _) => Scope::from_segments(["user", user.as_str()])?,
            (None, None) => Scope::user(USER_DEFAULT),
            (None, Some(within)) if self.agent_id.is_none() => return Ok(within.clone()),
            // An agent is named beside a user, also by the credential of an agent.
            (None, Some(within)) => Scope::from_segments(within.segments().take(2))?,
        };
        match &self.agent_id {
            Some(agent) => user.within("agent", agent),
            None => Ok(user),
        }
    }
}

impl Caller {
    pub(crate) fn new(app: App, granted: Granted) -> Self {
        Self {
            app,
            granted: Arc::new(granted),
        }
    }

    /// A name for limits and logs.
    pub(crate) fn name(&self) -> &str {
        &self.granted.name
    }

    pub(crate) fn tenant(&self) -> &str {
        &self.granted.tenant
    }

    pub(crate) fn access(&self) -> &Access {
        &self.granted.access
    }

    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// Whether the credential still holds: for what goes on after its request.
    pub(crate) fn renewed(&self) -> Result<(), Problem> {
        self.app.still_holds(&self.granted)
    }

    /// The tenant's store as this caller may use it. May block, where it is not open yet.
    pub(crate) fn memory(&self) -> Result<Memoriter, Problem> {
        let memory = self.app.tenants().get(&self.granted.tenant)?;
        Ok(memory.granted(self.granted.access.clone()))
    }

    /// The memory that a call wants to act in. What is outside the credential is refused here, whether it is there or not.
    pub(crate) fn scope(&self, place: &Where) -> Result<ScopedMemory, Problem> {
        let scope = place.scope(&self.granted.access)?;
        self.granted
            .access
            .check_scope(&scope)
            .map_err(memoriter::Error::from)?;
        Ok(self.memory()?.scope(scope))
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        // Every route that asks for a caller lies behind the layer that puts one there.
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(Problem::unauthenticated)
    }
}
