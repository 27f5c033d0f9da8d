//! `/v1/operations/{id}`: how far work in the background is.

use axum::Json;
use memoriter::store::Extraction;
use serde::Serialize;
use utoipa::ToSchema;

use super::memory::WhereParams;
use crate::caller::Caller;
use crate::input::{Named, Params};
use crate::problem::{Problem, ProblemWire};

/// How far reading a turn is.
#[derive(Serialize, ToSchema)]
pub(super) struct OperationWire {
    /// The turn.
    id: String,
    session: String,
    /// `queued`, `done` or `dead` (given up after too many attempts).
    state: &'static str,
    /// From when on it may be taken.
    due_at: String,
    attempts: u32,
    /// Why the last attempt failed.
    error: Option<String>,
    finished_at: Option<String>,
}

impl From<&Extraction> for OperationWire {
    fn from(extraction: &Extraction) -> Self {
        Self {
            id: extraction.turn.to_string(),
            session: extraction.session.as_str().to_owned(),
            state: extraction.state.as_str(),
            due_at: extraction.due_at.to_string(),
            attempts: extraction.attempts,
            error: extraction.error.clone(),
            finished_at: extraction.finished_at.map(|at| at.to_string()),
        }
    }
}

/// Tells how far reading a turn is
#[utoipa::path(get, path = "/v1/operations/{id}", tag = "sessions",
    params(("id" = String, Path, description = "The turn"), WhereParams),
    responses((status = 200, body = OperationWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn get(
    caller: Caller,
    Named(id): Named<String>,
    Params(params): Params<WhereParams>,
) -> Result<Json<OperationWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let missing = || {
            let detail = "there is no turn of this id that is, or was, to be read";
            Problem::not_found("no_such_operation", detail).field("id")
        };
        let scope = caller.scope(&params.place())?;
        let turn = id.parse().map_err(|_| missing())?;
        let extraction = scope.extraction_of(turn)?.ok_or_else(missing)?;
        Ok(Json(OperationWire::from(&extraction)))
    })
    .await
}
