//! `/v1/sessions`: conversations and their turns.

use axum::{Extension, Json};
use memoriter::core::metadata::Metadata;
use memoriter::core::provenance::Origin;
use memoriter::core::time::ZonedTime;
use memoriter::core::turn::{Message, Role, SessionName, Shape};
use memoriter::{Mode, ScopedMemory, Session, TurnDraft, TurnKey};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::memories::beside;
use super::memory::WhereParams;
use crate::caller::{Caller, Where};
use crate::input::{Body, Named, Params, time};
use crate::problem::{Problem, ProblemWire};
use crate::repeat::RepeatKey;
use crate::wire::{self, LearnedWire, SessionWire, SessionsWire};

/// Turns of a page, unless the call says how many.
const LIMIT_DEFAULT: usize = 50;
/// Turns that a page may have.
const LIMIT_MAX: usize = 1_000;

/// Turns to append: exactly one of `turns` and `messages`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AppendRequest {
    /// Whose conversation.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// Turns, one after the other.
    turns: Option<Vec<TurnRequest>>,
    /// Messages as a provider writes them, with every part, call and result.
    #[schema(value_type = Option<Vec<Object>>)]
    messages: Option<Value>,
    /// How the messages are written: `openai` (default) or `anthropic`.
    form: Option<String>,
    /// How many messages of the conversation stand before these: with it the same call adds nothing twice.
    from: Option<u64>,
    /// `now` (default) reads them for facts, `later` leaves that to the background, `none` keeps them as they are.
    #[serde(default)]
    extract: When,
    /// What the session does with memory from now on: `full`, `read-only` or `no-memory`.
    mode: Option<String>,
}

/// When turns are read for facts.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum When {
    /// Before the answer.
    #[default]
    Now,
    /// After it.
    Later,
    /// Never.
    None,
}

/// A turn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TurnRequest {
    /// `user`, `assistant`, `system` or `tool`.
    role: String,
    /// The text.
    content: String,
    /// Who speaks, by name.
    speaker: Option<String>,
    /// The caller's own id: with it the same turn is added once.
    id: Option<String>,
    /// When it was said, RFC 3339; now where it is not told.
    ts: Option<String>,
    /// Where the text comes from, where the role does not say it all.
    origin: Option<String>,
    /// Calls that the model made, as its provider wrote them.
    tool_calls: Option<Value>,
    /// The call that this turn answers.
    tool_call_id: Option<String>,
    /// Data of your own.
    #[serde(default)]
    #[schema(value_type = Object)]
    metadata: Map<String, Value>,
}

/// Which turns.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct TurnsParams {
    /// Whose conversation.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// The position of the first one.
    from: Option<u32>,
    /// 1 to 1000; 50 where it is not told.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// Lists sessions
#[utoipa::path(get, path = "/v1/sessions", tag = "sessions", params(WhereParams),
    responses((status = 200, body = SessionsWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn sessions(
    caller: Caller,
    Params(params): Params<WhereParams>,
) -> Result<Json<SessionsWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let sessions = caller.scope(&params.place())?.sessions()?;
        Ok(Json(SessionsWire {
            sessions: wire::all(&sessions),
        }))
    })
    .await
}

/// Appends turns
///
/// Durable when the answer comes. What they say goes through the write path, now or later.
#[utoipa::path(post, path = "/v1/sessions/{id}/turns", tag = "sessions", request_body = AppendRequest,
    params(("id" = String, Path, description = "The session; made when it is not there")),
    responses((status = 200, body = LearnedWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn append(
    caller: Caller,
    Named(id): Named<String>,
    repeat: Option<Extension<RepeatKey>>,
    Body(request): Body<AppendRequest>,
) -> Result<Json<LearnedWire>, Problem> {
    let repeat = repeat.map(|Extension(RepeatKey(key))| key);
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let session = scope.session(&id);
        if let Some(mode) = &request.mode {
            session.set_mode(Mode::parse(mode)?)?;
        }
        let learned = match (request.turns, request.messages) {
            (Some(turns), None) => {
                let of_messages = [
                    ("form", request.form.is_some()),
                    ("from", request.from.is_some()),
                ];
                beside(&of_messages, "messages")?;
                let drafts = turns.into_iter().enumerate().map(|(number, turn)| {
                    turn.draft(
                        &caller,
                        &scope,
                        &id,
                        repeat.as_ref().map(|key| (key, number)),
                    )
                });
                let drafts = drafts.collect::<Result<Vec<TurnDraft>, Problem>>()?;
                match request.extract {
                    When::Now => scope.learn(drafts)?,
                    When::Later => scope.append_to_learn(drafts).map(appended)?,
                    When::None => scope.append(drafts).map(appended)?,
                }
            }
            (None, Some(messages)) => {
                let shape = shape(request.form.as_deref())?;
                messages_appended(&session, shape, &messages, (request.from, request.extract))?
            }
            _ => {
                let detail = "exactly one of turns and messages says what to append";
                return Err(Problem::invalid("malformed", detail).field("turns"));
            }
        };
        caller.app().metrics.decided(&learned.decisions);
        Ok(Json(LearnedWire::new(&scope, Some(id), &learned)))
    })
    .await
}

fn messages_appended(
    session: &Session,
    shape: Shape,
    messages: &Value,
    (from, extract): (Option<u64>, When),
) -> Result<memoriter::Learned, Problem> {
    let mut incoming = session.incoming(shape, messages);
    if let Some(from) = from {
        incoming = incoming.from(from);
    }
    incoming = match extract {
        When::Now => incoming,
        When::Later => incoming.read_later(),
        When::None => incoming.unread(),
    };
    Ok(incoming.run()?)
}

fn appended(turns: Vec<memoriter::AppendedTurn>) -> memoriter::Learned {
    memoriter::Learned {
        turns,
        ..memoriter::Learned::default()
    }
}

/// The provider whose messages they are.
pub(super) fn shape(form: Option<&str>) -> Result<Shape, Problem> {
    match form {
        None | Some("openai") => Ok(Shape::OpenAi),
        Some("anthropic") => Ok(Shape::Anthropic),
        Some(_) => {
            Err(Problem::invalid("malformed", "form must be openai or anthropic").field("form"))
        }
    }
}

impl TurnRequest {
    fn draft(
        self,
        caller: &Caller,
        scope: &ScopedMemory,
        session: &str,
        repeat: Option<(&String, usize)>,
    ) -> Result<TurnDraft, Problem> {
        let at = match &self.ts {
            Some(ts) => time("ts", ts)?,
            None => ZonedTime::utc(caller.app().now()),
        };
        let role = Role::parse(&self.role)?;
        let key = match (self.id, repeat) {
            (Some(id), _) => id,
            (None, Some((key, number))) => format!("{key}/{number}"),
            (None, None) => scope.new_id(),
        };
        let mut message = Message::new(role, self.content, at);
        message.speaker = self.speaker;
        message.tool_calls = self.tool_calls;
        message.tool_call_id = self.tool_call_id;
        message.metadata = Metadata::new(self.metadata)?;
        if let Some(origin) = &self.origin {
            message.origin = Origin::parse(origin)?;
        }
        Ok(TurnDraft {
            session: SessionName::new(session)?,
            key: TurnKey::Given(key),
            message,
        })
    }
}

/// Lists turns
///
/// In order. Where there is more, `next_from` goes on.
#[utoipa::path(get, path = "/v1/sessions/{id}/turns", tag = "sessions",
    params(("id" = String, Path, description = "The session"), TurnsParams),
    responses((status = 200, body = SessionWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn list(
    caller: Caller,
    Named(id): Named<String>,
    Params(params): Params<TurnsParams>,
) -> Result<Json<SessionWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(params.user_id.as_ref(), params.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let limit = params.limit.unwrap_or(LIMIT_DEFAULT);
        if !(1..=LIMIT_MAX).contains(&limit) {
            let detail = format!("limit must be a whole number from 1 to {LIMIT_MAX}");
            return Err(Problem::invalid("malformed", detail).field("limit"));
        }
        let name = SessionName::new(&id)?;
        let mut rows = scope.turns(&name, params.from.unwrap_or(0), limit + 1)?;
        let next_from = rows.rows.get(limit).map(|turn| turn.position);
        rows.rows.truncate(limit);
        let attachments = scope.attachments(&name)?;
        let of_these = attachments
            .iter()
            .filter(|kept| rows.rows.iter().any(|turn| turn.id == kept.turn));
        Ok(Json(SessionWire {
            session: id,
            attachments: wire::all(of_these),
            turns: wire::all(&rows.rows),
            next_from,
            damaged: wire::all(&rows.damaged),
        }))
    })
    .await
}
