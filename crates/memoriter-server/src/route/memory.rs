//! `/v1/memories/{id}`: one memory.

use axum::Json;
use memoriter::core::id::MemoryId;
use memoriter::core::memory::Memory;
use memoriter::core::write::value_until;
use memoriter::store::StoreError;
use memoriter::{Correction, Error, ScopedMemory};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::memories::told;
use crate::caller::{Caller, Where};
use crate::input::{Body, Named, Params, time};
use crate::problem::{Problem, ProblemWire};
use crate::wire::{DecisionWire, DecisionsWire, MemoryWire, VersionsWire};

/// Whose memory.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct WhereParams {
    /// Whose memory.
    pub(super) user_id: Option<String>,
    /// The agent's own inside it.
    pub(super) agent_id: Option<String>,
}

impl WhereParams {
    pub(super) fn place(&self) -> Where {
        Where::new(self.user_id.as_ref(), self.agent_id.as_ref())
    }
}

/// A correction.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UpdateRequest {
    /// Whose memory.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// What is right, in one sentence.
    statement: String,
    /// The value under its key.
    value: Option<String>,
    /// The version that was read: where there is another, nothing is changed.
    expected_version: Option<u32>,
    /// When it was said.
    at: Option<String>,
}

/// An id; what is none names nothing.
pub(super) fn memory_id(text: &str) -> Result<MemoryId, Problem> {
    text.parse().map_err(|_| no_such_memory())
}

/// One answer for what is not there and what lies elsewhere.
pub(super) fn no_such_memory() -> Problem {
    Problem::not_found("no_such_memory", "there is no memory of this id").field("id")
}

/// The memory, if it is of this very scope: what lies around it is read and not changed here.
pub(super) fn own(scope: &ScopedMemory, id: &str) -> Result<Memory, Problem> {
    let memory = seen(scope, id)?;
    if memory.scope == *scope.scope() {
        Ok(memory)
    } else {
        Err(no_such_memory())
    }
}

fn seen(scope: &ScopedMemory, id: &str) -> Result<Memory, Problem> {
    scope.get(memory_id(id)?).map_err(missing)
}

pub(super) fn missing(error: Error) -> Problem {
    if matches!(error, Error::Store(StoreError::NoSuchMemory { .. })) {
        return no_such_memory();
    }
    error.into()
}

/// Shows
#[utoipa::path(get, path = "/v1/memories/{id}", tag = "memories",
    params(("id" = String, Path, description = "The memory"), WhereParams),
    responses((status = 200, body = MemoryWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn get(
    caller: Caller,
    Named(id): Named<String>,
    Params(params): Params<WhereParams>,
) -> Result<Json<MemoryWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let scope = caller.scope(&params.place())?;
        Ok(Json(MemoryWire::from(&seen(&scope, &id)?)))
    })
    .await
}

/// Corrects
///
/// A new version; the old one is kept as history.
#[utoipa::path(patch, path = "/v1/memories/{id}", tag = "memories", request_body = UpdateRequest,
    params(("id" = String, Path, description = "The memory")),
    responses((status = 200, body = DecisionWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn update(
    caller: Caller,
    Named(id): Named<String>,
    Body(request): Body<UpdateRequest>,
) -> Result<Json<DecisionWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let at = request.at.as_deref().map(|at| time("at", at));
        let correction = Correction {
            statement: request.statement,
            value: request.value,
            expected_version: request.expected_version,
            told_at: at.transpose()?,
            ..Correction::default()
        };
        let decision = scope
            .update(memory_id(&id)?, &correction)
            .map_err(missing)?;
        caller.app().metrics.decided(&[decision]);
        Ok(Json(told(&scope, decision)))
    })
    .await
}

/// Retires
///
/// It is no longer recalled, and stays as history. `POST /v1/erase` removes for good.
#[utoipa::path(delete, path = "/v1/memories/{id}", tag = "memories",
    params(("id" = String, Path, description = "The memory"), WhereParams),
    responses((status = 200, body = DecisionsWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn retire(
    caller: Caller,
    Named(id): Named<String>,
    Params(params): Params<WhereParams>,
) -> Result<Json<DecisionsWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let scope = caller.scope(&params.place())?;
        let decisions = scope.retire(&[memory_id(&id)?]).map_err(missing)?;
        caller.app().metrics.decided(&decisions);
        let decisions = decisions.into_iter();
        Ok(Json(DecisionsWire {
            decisions: decisions.map(|decision| told(&scope, decision)).collect(),
        }))
    })
    .await
}

/// Shows every version
///
/// Oldest first, each with the time in which it was the value. `id` may be a key such as `user.city`, too.
#[utoipa::path(get, path = "/v1/memories/{id}/history", tag = "memories",
    params(("id" = String, Path, description = "The memory, or its key"), WhereParams),
    responses((status = 200, body = VersionsWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn history(
    caller: Caller,
    Named(id): Named<String>,
    Params(params): Params<WhereParams>,
) -> Result<Json<VersionsWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let scope = caller.scope(&params.place())?;
        let versions = match id.parse::<MemoryId>() {
            Ok(id) => scope.history(id).map_err(missing)?,
            Err(_) => scope.history_of_key(&id.parse().map_err(|_| no_such_memory())?)?,
        };
        if versions.is_empty() {
            return Err(no_such_memory());
        }
        let told = versions
            .iter()
            .map(|version| MemoryWire::from(version).until(value_until(version, &versions)));
        Ok(Json(VersionsWire {
            versions: told.collect(),
        }))
    })
    .await
}
