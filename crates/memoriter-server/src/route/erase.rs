//! `/v1/erase`: removes for good.

use axum::Json;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use memoriter::Selector;
use memoriter::core::memory::FactKey;
use memoriter::core::provenance::Origin;
use memoriter::core::turn::SessionName;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::caller::{Caller, Where};
use crate::input::{Body, parsed, time};
use crate::problem::{Problem, ProblemWire};
use crate::wire::ErasePlanWire;

/// What to erase: exactly one of `id`, `key`, `turn`, `session`, `all_of_user`, `origin` (with `since`) and `matching`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EraseRequest {
    /// Whose memory.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// A memory with every version.
    id: Option<String>,
    /// Everything under a key.
    key: Option<String>,
    /// A turn.
    turn: Option<String>,
    /// A session with its board and checkpoints.
    session: Option<String>,
    /// The whole scope, and every one inside it.
    #[serde(default)]
    all_of_user: bool,
    /// What came from here since `since`, and what was made from that.
    origin: Option<String>,
    /// From when on, RFC 3339.
    since: Option<String>,
    /// Whatever holds these words.
    matching: Option<String>,
    /// Nothing happens; the answer lists what would go.
    #[serde(default)]
    dry_run: bool,
}

/// Erases
///
/// Rows, versions, turns, vectors, queues and what was derived go, and the files are searched for what is left. The answer
/// is a signed receipt; with `dry_run` what would go.
#[utoipa::path(post, path = "/v1/erase", tag = "forgetting", request_body = EraseRequest,
    responses((status = 200, body = Object, description = "The receipt, or the plan of a dry run"),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn erase(
    caller: Caller,
    Body(request): Body<EraseRequest>,
) -> Result<Response, Problem> {
    let app = caller.app().clone();
    // An erasure of a large subject takes longer than another call, and has to come to its end.
    let time = app.limits().call_time * 6;
    app.call_within(time, move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let erasing = scope.erase(selector(&request)?);
        if request.dry_run {
            let plan = erasing.dry_run()?;
            return Ok(Json(ErasePlanWire::from(&plan)).into_response());
        }
        let done = erasing.run();
        // What was kept to answer faster may say what was erased, also by an erasure that failed on its way.
        caller.app().repeats.let_go(caller.tenant());
        caller.app().desks.let_go(caller.tenant());
        Ok(receipt(done?.document))
    })
    .await
}

/// A receipt as it was signed, byte for byte.
pub(super) fn receipt(document: String) -> Response {
    ([(CONTENT_TYPE, "application/json")], document).into_response()
}

fn selector(request: &EraseRequest) -> Result<Selector, Problem> {
    let mut named = Vec::new();
    if let Some(id) = &request.id {
        named.push(Selector::Memory(parsed("id", "the id of a memory", id)?));
    }
    if let Some(key) = &request.key {
        named.push(Selector::Key(key.parse::<FactKey>()?));
    }
    if let Some(turn) = &request.turn {
        named.push(Selector::Turn(parsed("turn", "the id of a turn", turn)?));
    }
    if let Some(session) = &request.session {
        named.push(Selector::Session(SessionName::new(session.as_str())?));
    }
    if request.all_of_user {
        named.push(Selector::Everything);
    }
    match (&request.origin, &request.since) {
        (Some(origin), Some(since)) => named.push(Selector::Learned {
            origin: Origin::parse(origin)?,
            since: time("since", since)?.instant,
        }),
        (None, None) => {}
        (Some(_), None) => return Err(alone("since")),
        (None, Some(_)) => return Err(alone("origin")),
    }
    if let Some(text) = &request.matching {
        named.push(Selector::Matching(text.clone()));
    }
    match (named.pop(), named.is_empty()) {
        (Some(selector), true) => Ok(selector),
        _ => Err(Problem::invalid(
            "malformed",
            "exactly one of id, key, turn, session, all_of_user, origin and matching says what to erase",
        )
        .field("id")),
    }
}

fn alone(missing: &'static str) -> Problem {
    Problem::invalid("empty", "origin and since go together").field(missing)
}
