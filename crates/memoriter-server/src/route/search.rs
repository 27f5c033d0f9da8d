//! `/v1/memories/search`: what bears on a question.

use axum::Json;
use memoriter::TOP_MAX;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::filter::{Conditions, records};
use crate::caller::{Caller, Where};
use crate::input::{Body, instant};
use crate::problem::{Problem, ProblemWire};
use crate::wire::RecollectionWire;

/// Results, unless the call says how many.
const K_DEFAULT: usize = 10;

/// A question with its conditions.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchRequest {
    /// A question or some words.
    query: String,
    /// Whose memory.
    user_id: Option<String>,
    /// The agent's own inside it, which also reads the user's.
    agent_id: Option<String>,
    /// At most so many results.
    #[schema(minimum = 1, maximum = 200, default = 10)]
    k: Option<usize>,
    /// Only these kinds: `semantic`, `episodic`, `procedural`.
    #[serde(default)]
    kind: Vec<String>,
    /// Only from these origins.
    #[serde(default)]
    origin: Vec<String>,
    /// Only attempts that went like this.
    #[serde(default)]
    outcome: Vec<String>,
    /// Only this category.
    category: Option<String>,
    /// Only what happened, or became true, at this time or later, RFC 3339.
    since: Option<String>,
    /// Only what happened, or became true, before this time.
    until: Option<String>,
    /// Only with these data.
    #[schema(value_type = Option<Object>)]
    metadata: Option<Map<String, Value>>,
    /// `all`, `memories` or `turns`.
    records: Option<String>,
    /// What was true at this time, instead of now.
    as_of: Option<String>,
    /// By what had been written down up to this time.
    known_at: Option<String>,
    /// Only results of at least this relevance.
    #[schema(minimum = 0, maximum = 1)]
    min_relevance: Option<f32>,
    /// Turns before and after each turn.
    neighbours: Option<usize>,
    /// Also memories that lie in the archive.
    #[serde(default)]
    archived: bool,
}

/// Recalls
///
/// Facts and turns that bear on the question, best first; nothing when nothing does.
#[utoipa::path(post, path = "/v1/memories/search", tag = "memories", request_body = SearchRequest,
    responses((status = 200, body = RecollectionWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn search(
    caller: Caller,
    Body(request): Body<SearchRequest>,
) -> Result<Json<RecollectionWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let filter = Conditions {
            kinds: &request.kind,
            origins: &request.origin,
            outcomes: &request.outcome,
            category: request.category.as_deref(),
            since: request.since.as_deref(),
            until: request.until.as_deref(),
            metadata: request.metadata.as_ref(),
            records: records(request.records.as_deref())?,
        }
        .filter()?;
        let k = request.k.unwrap_or(K_DEFAULT);
        if !(1..=TOP_MAX).contains(&k) {
            let detail = format!("k must be a whole number from 1 to {TOP_MAX}");
            return Err(Problem::invalid("malformed", detail).field("k"));
        }
        let mut recall = scope
            .recall(&request.query)
            .top(k)
            .filter(filter)
            .neighbours(request.neighbours.unwrap_or(0));
        if let Some(time) = instant("as_of", request.as_of.as_deref())? {
            recall = recall.as_of(time);
        }
        if let Some(time) = instant("known_at", request.known_at.as_deref())? {
            recall = recall.known_at(time);
        }
        if let Some(relevance) = request.min_relevance {
            recall = recall.min_relevance(relevance);
        }
        if request.archived {
            recall = recall.archived();
        }
        Ok(Json(RecollectionWire::from(&recall.recollect()?)))
    })
    .await
}
