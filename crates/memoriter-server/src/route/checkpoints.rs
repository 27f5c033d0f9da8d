//! `/v1/sessions/{id}/checkpoints`: states of a run.

use axum::Json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use memoriter::core::checkpoint::Answer;
use memoriter::core::id::CheckpointId;
use memoriter::{NewState, Resumed};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::memory::WhereParams;
use crate::caller::{Caller, Where};
use crate::input::{Body, Named, Params};
use crate::problem::{Problem, ProblemWire};
use crate::wire::{self, CheckpointWire, DamageWire, FieldWire};

/// Checkpoints of a list, unless the call says how many.
const LIMIT_DEFAULT: usize = 20;

/// A state to save.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SaveRequest {
    /// Whose session.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// A word for the form of the bytes.
    #[serde(rename = "type", default = "json_type")]
    kind: String,
    /// The bytes, in base64.
    #[serde(default)]
    data: String,
    /// What people call it.
    label: Option<String>,
    /// The checkpoint that it goes on from.
    parent: Option<String>,
    /// A question that waits for a person.
    question: Option<String>,
    /// What is asked for.
    asked_for: Option<Value>,
}

fn json_type() -> String {
    "json".to_owned()
}

/// How many.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckpointsParams {
    /// Whose session.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// At most so many of the newest; 20 where it is not told.
    limit: Option<usize>,
}

/// Checkpoints, newest first.
#[derive(Serialize, ToSchema)]
pub(super) struct CheckpointsWire {
    session: String,
    checkpoints: Vec<CheckpointWire>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<DamageWire>,
}

/// What a run goes on from.
#[derive(Serialize, ToSchema)]
pub(super) struct ResumedWire {
    checkpoint: CheckpointWire,
    /// The board as it was then.
    board: Vec<FieldWire>,
    /// The bytes, in base64.
    data: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<DamageWire>,
}

/// What a person says to the question of a checkpoint.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswerRequest {
    /// Whose session.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// Whether it may go on.
    approve: bool,
    /// Who says so.
    by: Option<String>,
}

/// Saves a checkpoint
#[utoipa::path(post, path = "/v1/sessions/{id}/checkpoints", tag = "sessions", request_body = SaveRequest,
    params(("id" = String, Path, description = "The session")),
    responses((status = 200, body = CheckpointWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn save(
    caller: Caller,
    Named(id): Named<String>,
    Body(request): Body<SaveRequest>,
) -> Result<Json<CheckpointWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let data = STANDARD.decode(&request.data).map_err(|_| {
            Problem::invalid("malformed", "data must be base64 with padding").field("data")
        })?;
        let mut state = NewState::new(request.kind, data);
        if let Some(label) = request.label {
            state = state.label(label);
        }
        if let Some(parent) = &request.parent {
            state = state.parent(checkpoint_id(parent)?);
        }
        if let Some(question) = request.question {
            state = state.asks(question);
        }
        if let Some(what) = request.asked_for {
            state = state.asked_for(what);
        }
        let saved = scope.session(&id).checkpoints().save(state)?;
        Ok(Json(CheckpointWire::from(&saved)))
    })
    .await
}

/// Lists checkpoints
#[utoipa::path(get, path = "/v1/sessions/{id}/checkpoints", tag = "sessions",
    params(("id" = String, Path, description = "The session"), CheckpointsParams),
    responses((status = 200, body = CheckpointsWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn list(
    caller: Caller,
    Named(id): Named<String>,
    Params(params): Params<CheckpointsParams>,
) -> Result<Json<CheckpointsWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(params.user_id.as_ref(), params.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let limit = params.limit.unwrap_or(LIMIT_DEFAULT);
        let rows = scope.session(&id).checkpoints().list(limit)?;
        Ok(Json(CheckpointsWire {
            session: id,
            checkpoints: wire::all(&rows.rows),
            damaged: wire::all(&rows.damaged),
        }))
    })
    .await
}

/// Resumes
///
/// The bytes and the board as they were; `latest` stands for the newest.
#[utoipa::path(get, path = "/v1/sessions/{id}/checkpoints/{checkpoint}", tag = "sessions",
    params(("id" = String, Path, description = "The session"),
        ("checkpoint" = String, Path, description = "The checkpoint, or latest"), WhereParams),
    responses((status = 200, body = ResumedWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn resume(
    caller: Caller,
    Named((id, checkpoint)): Named<(String, String)>,
    Params(params): Params<WhereParams>,
) -> Result<Json<ResumedWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let scope = caller.scope(&params.place())?;
        let wanted = match checkpoint.as_str() {
            "latest" => None,
            text => Some(checkpoint_id(text)?),
        };
        let resumed = scope.session(&id).checkpoints().resume(wanted)?;
        let Resumed {
            checkpoint,
            data,
            board,
        } = &resumed;
        Ok(Json(ResumedWire {
            checkpoint: CheckpointWire::from(checkpoint),
            board: wire::all(&board.rows),
            data: STANDARD.encode(data),
            damaged: wire::all(&board.damaged),
        }))
    })
    .await
}

/// Answers the question of a checkpoint
#[utoipa::path(post, path = "/v1/sessions/{id}/checkpoints/{checkpoint}", tag = "sessions",
    request_body = AnswerRequest,
    params(("id" = String, Path, description = "The session"),
        ("checkpoint" = String, Path, description = "The checkpoint")),
    responses((status = 200, body = CheckpointWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn answer(
    caller: Caller,
    Named((id, checkpoint)): Named<(String, String)>,
    Body(request): Body<AnswerRequest>,
) -> Result<Json<CheckpointWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let said = if request.approve {
            Answer::Approved
        } else {
            Answer::Rejected
        };
        let checkpoints = scope.session(&id).checkpoints();
        let answered =
            checkpoints.answer(checkpoint_id(&checkpoint)?, said, request.by.as_deref())?;
        Ok(Json(CheckpointWire::from(&answered)))
    })
    .await
}

fn checkpoint_id(text: &str) -> Result<CheckpointId, Problem> {
    text.parse().map_err(|_| {
        Problem::not_found("no_such_checkpoint", "there is no checkpoint of this id")
            .field("checkpoint")
    })
}
