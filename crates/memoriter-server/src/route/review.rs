//! `/v1/review`: what waits for a person.

use axum::Json;
use memoriter::Correction;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::memories::{beside, cursor, read_cursor, told};
use super::memory::{memory_id, missing};
use crate::caller::{Caller, Where};
use crate::input::{Body, Named, Params};
use crate::problem::{Problem, ProblemWire};
use crate::wire::{self, DamageWire, DecisionWire, MemoryWire};

/// Memories of a page, unless the call says how many.
const LIMIT_DEFAULT: usize = 50;

/// Which page.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewParams {
    /// Whose memory.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// 1 to 1000; 50 where it is not told.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// What an earlier page ended with.
    cursor: Option<String>,
}

/// Pending and quarantined memories.
#[derive(Serialize, ToSchema)]
pub(super) struct PendingWire {
    pending: Vec<MemoryWire>,
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<DamageWire>,
}

/// What a person decided.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewRequest {
    /// Whose memory.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// Whether it is believed from now on.
    action: ReviewAction,
    /// With `edit`: what is right.
    statement: Option<String>,
    /// With `edit`: the value under its key.
    value: Option<String>,
}

/// What becomes of it.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReviewAction {
    /// It is believed.
    Approve,
    /// It is not, and stays as history.
    Reject,
    /// Something else is believed in its place.
    Edit,
}

/// Lists what waits
#[utoipa::path(get, path = "/v1/review", tag = "review", params(ReviewParams),
    responses((status = 200, body = PendingWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn list(
    caller: Caller,
    Params(params): Params<ReviewParams>,
) -> Result<Json<PendingWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(params.user_id.as_ref(), params.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let after = params.cursor.as_deref().map(read_cursor).transpose()?;
        let page = scope.pending(after, params.limit.unwrap_or(LIMIT_DEFAULT))?;
        Ok(Json(PendingWire {
            pending: wire::all(&page.memories),
            next_cursor: page.next.map(cursor),
            damaged: wire::all(&page.damaged),
        }))
    })
    .await
}

/// Decides
#[utoipa::path(post, path = "/v1/review/{id}", tag = "review", request_body = ReviewRequest,
    params(("id" = String, Path, description = "The memory")),
    responses((status = 200, body = DecisionWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn decide(
    caller: Caller,
    Named(id): Named<String>,
    Body(request): Body<ReviewRequest>,
) -> Result<Json<DecisionWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let id = memory_id(&id)?;
        if request.action != ReviewAction::Edit {
            let of_edit = [
                ("statement", request.statement.is_some()),
                ("value", request.value.is_some()),
            ];
            beside(&of_edit, "the action edit")?;
        }
        let decision = match request.action {
            ReviewAction::Approve => scope.approve(id),
            ReviewAction::Reject => scope.reject(id),
            ReviewAction::Edit => {
                let correction = Correction {
                    statement: request.statement.unwrap_or_default(),
                    value: request.value,
                    ..Correction::default()
                };
                scope.approve_as(id, &correction)
            }
        };
        let decision = decision.map_err(missing)?;
        caller.app().metrics.decided(&[decision]);
        Ok(Json(told(&scope, decision)))
    })
    .await
}
