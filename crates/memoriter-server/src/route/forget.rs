//! `/v1/forget`: takes memories out of use.

use axum::Json;
use axum::http::StatusCode;
use memoriter::core::id::MemoryId;
use memoriter::core::memory::{FactKey, Memory};
use memoriter::core::time::ZonedTime;
use memoriter::{DecisionKind, ScopedMemory};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::memory::own;
use crate::caller::{Caller, Where};
use crate::input::{Body, time};
use crate::problem::{Problem, ProblemWire};
use crate::wire::{self, MemoryWire};

/// What to forget: exactly one of `ids`, `key` and `about`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ForgetRequest {
    /// Whose memory.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// These memories.
    ids: Option<Vec<String>>,
    /// Every value under a key.
    key: Option<String>,
    /// The memory that this describes: one clear match goes, several are an error that names none of them.
    about: Option<String>,
    /// Several matches of `about` go, too.
    #[serde(default)]
    yes: bool,
    /// Nothing happens; the answer lists what would go.
    #[serde(default)]
    dry_run: bool,
    /// When it was asked for.
    at: Option<String>,
}

/// What was taken out of use.
#[derive(Serialize, ToSchema)]
pub(super) struct ForgetWire {
    retired: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    would_retire: Option<Vec<MemoryWire>>,
}

/// Forgets
///
/// Memories are no longer recalled and stay as history. `POST /v1/erase` removes for good.
#[utoipa::path(post, path = "/v1/forget", tag = "forgetting", request_body = ForgetRequest,
    responses((status = 200, body = ForgetWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn forget(
    caller: Caller,
    Body(request): Body<ForgetRequest>,
) -> Result<Json<ForgetWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let told_at = match &request.at {
            Some(at) => time("at", at)?,
            None => ZonedTime::utc(caller.app().now()),
        };
        let key = request
            .key
            .as_deref()
            .map(str::parse::<FactKey>)
            .transpose()?;
        if let (Some(key), None, None, false) =
            (&key, &request.ids, &request.about, request.dry_run)
        {
            let decisions = scope.forget_key(key, told_at)?;
            caller.app().metrics.decided(&decisions);
            if decisions.is_empty() {
                return Err(no_such_key());
            }
            return Ok(Json(retired(&decisions)));
        }
        let chosen = chosen(&scope, &request, key.as_ref())?;
        if request.dry_run {
            return Ok(Json(ForgetWire {
                retired: Vec::new(),
                would_retire: Some(wire::all(&chosen)),
            }));
        }
        if request.about.is_some() && chosen.len() > 1 && !request.yes {
            let detail = format!(
                "{} memories match, and none was retired: name their ids, or say yes",
                chosen.len()
            );
            return Err(
                Problem::new(StatusCode::CONFLICT, "several_matches", detail).field("about"),
            );
        }
        let ids: Vec<MemoryId> = chosen.iter().map(|memory| memory.id).collect();
        let decisions = scope.retire_told(&ids, told_at)?;
        caller.app().metrics.decided(&decisions);
        Ok(Json(retired(&decisions)))
    })
    .await
}

fn retired(decisions: &[memoriter::Decision]) -> ForgetWire {
    let gone = decisions
        .iter()
        .filter(|decision| decision.kind == DecisionKind::Delete);
    ForgetWire {
        retired: gone
            .filter_map(|decision| decision.id.map(|id| id.to_string()))
            .collect(),
        would_retire: None,
    }
}

fn chosen(
    scope: &ScopedMemory,
    request: &ForgetRequest,
    key: Option<&FactKey>,
) -> Result<Vec<Memory>, Problem> {
    match (&request.ids, key, &request.about) {
        (Some(ids), None, None) => {
            let mut ids = ids.clone();
            ids.sort();
            ids.dedup();
            ids.iter().map(|id| own(scope, id)).collect()
        }
        (None, Some(key), None) => {
            let live = scope.live_under(key)?;
            if live.is_empty() {
                Err(no_such_key())
            } else {
                Ok(live)
            }
        }
        (None, None, Some(about)) => Ok(scope.about(about)?),
        _ => Err(Problem::invalid(
            "malformed",
            "exactly one of ids, key and about says what to forget",
        )
        .field("ids")),
    }
}

fn no_such_key() -> Problem {
    Problem::not_found("no_such_key", "there is no memory under this key").field("key")
}
