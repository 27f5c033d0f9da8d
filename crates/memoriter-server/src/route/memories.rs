//! `/v1/memories`: remembering, and everything that is remembered.

use axum::Json;
use memoriter::core::memory::{Attempt, Confidence, FactKey, Importance, Kind, Outcome, State};
use memoriter::core::metadata::Metadata;
use memoriter::core::provenance::{Origin, Status};
use memoriter::{Learned, Note, ScopedMemory};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::filter::{Conditions, each, words};
use super::turns::shape;
use crate::caller::{Caller, Where};
use crate::input::{Body, Params, parsed, time};
use crate::problem::{Problem, ProblemWire};
use crate::repeat::RepeatKey;
use crate::wire::{self, Decided, LearnedWire, MemoriesWire};

/// Memories of a page, unless the call says how many.
const LIMIT_DEFAULT: usize = 50;

/// What to remember: exactly one of `text`, `messages` and `facts`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AddRequest {
    /// Whose memory; the one that the credential stands for, or `me`.
    user_id: Option<String>,
    /// The agent's own memory inside the user's.
    agent_id: Option<String>,
    /// The conversation that `messages` belong to; a new one where none is named.
    #[serde(alias = "run_id")]
    session_id: Option<String>,
    /// A sentence, read for facts.
    text: Option<String>,
    /// Messages in the form of OpenAI or Anthropic, kept as turns and read for facts.
    #[schema(value_type = Option<Vec<Object>>)]
    messages: Option<Value>,
    /// How the messages are written: `openai` (default) or `anthropic`.
    form: Option<String>,
    /// How many messages of the conversation stand before these: with it the same call adds nothing twice.
    from: Option<u64>,
    /// Facts as they are.
    facts: Option<Vec<FactRequest>>,
    /// Where `text` comes from: `user` (default), `operator`, `agent`, `tool`, `document`, `web` or `import`.
    origin: Option<String>,
    /// When it was said, RFC 3339; now where it is not told.
    at: Option<String>,
    /// Messages are read later, and the answer does not wait: `GET /v1/operations/{id}` tells how far it is.
    #[serde(default)]
    background: bool,
}

/// A fact, as `memoriter remember` takes it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FactRequest {
    /// One sentence.
    statement: String,
    /// What it is about: `user.city`.
    key: Option<String>,
    /// The value under the key.
    value: Option<String>,
    /// `semantic`, `episodic` or `procedural`.
    kind: Option<String>,
    /// 1 to 10.
    #[schema(minimum = 1, maximum = 10)]
    importance: Option<u8>,
    /// 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    confidence: Option<f32>,
    /// Where it comes from.
    origin: Option<String>,
    /// `stated`, `inferred` or `confirmed`.
    status: Option<String>,
    /// A grouping of your own.
    category: Option<String>,
    /// Who writes.
    actor: Option<String>,
    /// How an attempt went: `success`, `failure` or `unknown`.
    outcome: Option<String>,
    /// What the attempt was at.
    goal: Option<String>,
    /// What was learned from it.
    lesson: Option<String>,
    /// When it was said, RFC 3339.
    at: Option<String>,
    /// Since when it is true.
    valid_from: Option<String>,
    /// Until when it is true.
    valid_to: Option<String>,
    /// When to stop using it.
    expires_at: Option<String>,
    /// Data of your own.
    #[serde(default)]
    #[schema(value_type = Object)]
    metadata: Map<String, Value>,
}

/// Which memories.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ListParams {
    /// Whose memory.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// Only these kinds, with commas between.
    kind: Option<String>,
    /// Only these states, with commas between; `live` where none is named, `all` for every one.
    state: Option<String>,
    /// Only from these origins, with commas between.
    origin: Option<String>,
    /// Only attempts with these outcomes, with commas between.
    outcome: Option<String>,
    /// Only this category.
    category: Option<String>,
    /// Only what became true at this time or later, RFC 3339.
    since: Option<String>,
    /// Only what became true before this time.
    until: Option<String>,
    /// 1 to 1000; 50 where it is not told.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// What an earlier page ended with.
    cursor: Option<String>,
}

/// Remembers
///
/// Everything goes through the same write path: secrets are masked, what is known already is SKIP, a newer value takes the
/// place of an older one. The answer says what was decided and why.
#[utoipa::path(post, path = "/v1/memories", tag = "memories", request_body = AddRequest,
    responses((status = 200, body = LearnedWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn add(
    caller: Caller,
    repeat: Option<axum::Extension<RepeatKey>>,
    Body(request): Body<AddRequest>,
) -> Result<Json<LearnedWire>, Problem> {
    let repeat = repeat.map(|axum::Extension(RepeatKey(key))| key);
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let learned = remember(&scope, request, repeat)?;
        caller.app().metrics.decided(&learned.1.decisions);
        Ok(Json(LearnedWire::new(&scope, learned.0, &learned.1)))
    })
    .await
}

impl AddRequest {
    /// What goes with one of the three is an error beside another: nothing is passed over.
    fn check_beside(&self) -> Result<(), Problem> {
        let of_messages = [
            ("session_id", self.session_id.is_some()),
            ("form", self.form.is_some()),
            ("from", self.from.is_some()),
            ("background", self.background),
        ];
        if self.messages.is_none() {
            beside(&of_messages, "messages")?;
        }
        if self.text.is_none() {
            beside(&[("origin", self.origin.is_some())], "text")?;
        }
        if self.facts.is_some() {
            beside(&[("at", self.at.is_some())], "text and messages")?;
        }
        Ok(())
    }
}

/// Refuses the first field that is there and has no place.
pub(super) fn beside(fields: &[(&'static str, bool)], with: &str) -> Result<(), Problem> {
    match fields.iter().find(|(_, is_there)| *is_there) {
        Some((field, _)) => {
            let detail = format!("{field} goes with {with} alone");
            Err(Problem::invalid("malformed", detail).field(*field))
        }
        None => Ok(()),
    }
}

/// Carries out the one of three; with the session, where there is one.
fn remember(
    scope: &ScopedMemory,
    request: AddRequest,
    repeat: Option<String>,
) -> Result<(Option<String>, Learned), Problem> {
    request.check_beside()?;
    let at = request.at.as_deref().map(|at| time("at", at)).transpose()?;
    match (request.text, request.messages, request.facts) {
        (Some(text), None, None) => {
            let mut note = Note::new(text);
            if let Some(origin) = &request.origin {
                note = note.origin(Origin::parse(origin)?);
            }
            if let Some(at) = at {
                note = note.told_at(at);
            }
            let decisions = scope.remember(note)?;
            Ok((None, of_decisions(decisions)))
        }
        (None, Some(messages), None) => {
            let name = request
                .session_id
                .or(repeat)
                .unwrap_or_else(|| scope.new_id());
            let session = scope.session(&name);
            let shape = shape(request.form.as_deref())?;
            let mut incoming = session.incoming(shape, &messages);
            if let Some(from) = request.from {
                incoming = incoming.from(from);
            }
            if let Some(at) = at {
                incoming = incoming.at(at);
            }
            if request.background {
                incoming = incoming.read_later();
            }
            let learned = incoming.run()?;
            Ok((Some(name), learned))
        }
        (None, None, Some(facts)) => {
            let notes = facts.into_iter().map(FactRequest::note);
            let notes = notes.collect::<Result<Vec<Note>, Problem>>()?;
            let decisions = scope.remember_all(notes)?;
            Ok((None, of_decisions(decisions)))
        }
        _ => Err(Problem::invalid(
            "malformed",
            "exactly one of text, messages and facts says what to remember",
        )
        .field("text")),
    }
}

fn of_decisions(decisions: Vec<memoriter::Decision>) -> Learned {
    Learned {
        decisions,
        ..Learned::default()
    }
}

impl FactRequest {
    fn note(self) -> Result<Note, Problem> {
        let mut note = Note::new(&self.statement).metadata(Metadata::new(self.metadata)?);
        if let Some(key) = &self.key {
            note = note.key(key.parse::<FactKey>()?);
        }
        if let Some(kind) = &self.kind {
            note = note.kind(Kind::parse(kind)?);
        }
        if let Some(importance) = self.importance {
            note = note.importance(Importance::new(importance)?);
        }
        if let Some(confidence) = self.confidence {
            note = note.confidence(Confidence::new(confidence)?);
        }
        if let Some(origin) = &self.origin {
            note = note.origin(Origin::parse(origin)?);
        }
        if let Some(status) = &self.status {
            note = note.status(Status::parse(status)?);
        }
        if let Some(outcome) = &self.outcome {
            note = note.attempt(Attempt {
                goal: self.goal.clone().unwrap_or_else(|| self.statement.clone()),
                outcome: Outcome::parse(outcome)?,
                lesson: self.lesson.clone(),
            });
        } else if self.goal.is_some() || self.lesson.is_some() {
            let detail = "goal and lesson are those of an attempt, which has an outcome";
            return Err(Problem::invalid("empty", detail).field("outcome"));
        }
        for (text, with) in [
            (self.value, Note::value as fn(Note, String) -> Note),
            (self.category, Note::category),
            (self.actor, Note::actor),
        ] {
            if let Some(text) = text {
                note = with(note, text);
            }
        }
        if let Some(at) = &self.at {
            note = note.told_at(time("at", at)?);
        }
        if let Some(from) = &self.valid_from {
            note = note.valid_from(time("valid_from", from)?);
        }
        if let Some(to) = &self.valid_to {
            note = note.valid_to(time("valid_to", to)?);
        }
        if let Some(end) = &self.expires_at {
            note = note.expires_at(time("expires_at", end)?.instant);
        }
        Ok(note)
    }
}

/// Lists
///
/// Oldest first. Where there is more, `next_cursor` goes on.
#[utoipa::path(get, path = "/v1/memories", tag = "memories", params(ListParams),
    responses((status = 200, body = MemoriesWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn list(
    caller: Caller,
    Params(params): Params<ListParams>,
) -> Result<Json<MemoriesWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(params.user_id.as_ref(), params.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let filter = Conditions {
            kinds: &words(params.kind.as_ref()),
            origins: &words(params.origin.as_ref()),
            outcomes: &words(params.outcome.as_ref()),
            category: params.category.as_deref(),
            since: params.since.as_deref(),
            until: params.until.as_deref(),
            ..Conditions::default()
        }
        .filter()?;
        let states = match params.state.as_deref() {
            None => vec![State::Live],
            Some("all") => Vec::new(),
            Some(_) => each(&words(params.state.as_ref()), State::parse)?,
        };
        let after = params.cursor.as_deref().map(read_cursor).transpose()?;
        let limit = params.limit.unwrap_or(LIMIT_DEFAULT);
        let page = scope.list_matching(&filter, &states, after, limit)?;
        Ok(Json(MemoriesWire {
            memories: wire::all(&page.memories),
            next_cursor: page.next.map(cursor),
            damaged: wire::all(&page.damaged),
        }))
    })
    .await
}

/// What a page ends with, as the command writes it, too.
pub(super) fn cursor(last: memoriter::core::id::MemoryId) -> String {
    format!("m-{last}")
}

pub(super) fn read_cursor(
    text: &str,
) -> Result<memoriter::core::id::MemoryId, memoriter::InvalidInput> {
    let id = text.strip_prefix("m-").unwrap_or_default();
    parsed("cursor", "what an earlier page ended with", id)
}

/// The decision with what it is about.
pub(super) fn told(scope: &ScopedMemory, decision: memoriter::Decision) -> wire::DecisionWire {
    Decided::of(scope, decision).wire()
}
