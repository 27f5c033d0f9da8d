//! `/v1/sessions/{id}/state`: the board of a session.

use axum::Json;
use memoriter::core::board::{FieldType, FieldWrite, Guarded, MergeRule};
use memoriter::{Board, ScopedMemory};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::memory::WhereParams;
use crate::caller::{Caller, Where};
use crate::input::{Body, Named, Params};
use crate::problem::{Problem, ProblemWire};
use crate::wire::{self, BoardWire};

/// Fields that one call may write.
const WRITES_MAX: usize = 100;

/// Writes, in order. Each is a unit of its own: those before one that fails stay.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeRequest {
    /// Whose session.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// Who writes; the agent of the scope where it is not told.
    actor: Option<String>,
    /// What to write, at most 100.
    fields: Vec<FieldRequest>,
}

/// A write to one field.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldRequest {
    /// Its name.
    name: String,
    /// The value; with the rule `append` an item.
    #[serde(default)]
    value: Value,
    /// Takes the field away instead.
    #[serde(default)]
    remove: bool,
    /// `replace`, `append`, `max` or `union`; the field's own rule where it is not told.
    rule: Option<String>,
    /// What the field may hold; declared with its first write.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// Who alone may write from now on.
    owner: Option<String>,
    /// Whether a desk always shows it.
    protected: Option<bool>,
    /// The revision that was read: where there is another, nothing is written.
    expected_revision: Option<u64>,
}

/// Shows the state
#[utoipa::path(get, path = "/v1/sessions/{id}/state", tag = "sessions",
    params(("id" = String, Path, description = "The session"), WhereParams),
    responses((status = 200, body = BoardWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn get(
    caller: Caller,
    Named(id): Named<String>,
    Params(params): Params<WhereParams>,
) -> Result<Json<BoardWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let scope = caller.scope(&params.place())?;
        shown(&scope, &id).map(Json)
    })
    .await
}

fn shown(scope: &ScopedMemory, session: &str) -> Result<BoardWire, Problem> {
    let rows = scope.session(session).state().list()?;
    Ok(BoardWire {
        session: session.to_owned(),
        fields: wire::all(&rows.rows),
        damaged: wire::all(&rows.damaged),
    })
}

/// Writes state
///
/// A write names the revision it read or merges by a rule; where another was faster, nothing is lost silently.
#[utoipa::path(patch, path = "/v1/sessions/{id}/state", tag = "sessions", request_body = ChangeRequest,
    params(("id" = String, Path, description = "The session; made when it is not there")),
    responses((status = 200, body = BoardWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn change(
    caller: Caller,
    Named(id): Named<String>,
    Body(request): Body<ChangeRequest>,
) -> Result<Json<BoardWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        if request.fields.is_empty() || request.fields.len() > WRITES_MAX {
            let detail = format!("fields must be 1 to {WRITES_MAX} writes");
            return Err(Problem::invalid("over_limit", detail).field("fields"));
        }
        let mut board = scope.session(&id).state();
        if let Some(actor) = &request.actor {
            board = board.by(actor);
        }
        let mut written = Vec::new();
        for field in request.fields {
            written.push(field.write(&board)?);
        }
        // Who may not read gets back what was written, and nothing else of the board.
        shown(&scope, &id)
            .or_else(|problem| match problem.code() {
                "right_denied" => Ok(BoardWire {
                    session: id,
                    fields: wire::all(&written),
                    damaged: Vec::new(),
                }),
                _ => Err(problem),
            })
            .map(Json)
    })
    .await
}

impl FieldRequest {
    fn write(self, board: &Board) -> Result<memoriter::core::board::Field, Problem> {
        if self.remove {
            let removed = board.remove(&self.name, self.expected_revision);
            return removed.map_err(Problem::from);
        }
        let rule = self.rule.as_deref().map(MergeRule::parse).transpose()?;
        let kind = self.kind.as_deref().map(FieldType::parse).transpose()?;
        let written = board.write(FieldWrite {
            rule,
            kind,
            owner: self.owner,
            is_protected: self.protected,
            guarded: Guarded {
                actor: None,
                expected_revision: self.expected_revision,
            },
            ..FieldWrite::new(&self.name, self.value)
        });
        written.map_err(Problem::from)
    }
}
