//! `/v1/sessions/{id}/context`: what a model should read to answer a message.

use axum::Json;
use memoriter::provider::tokens::Estimate;
use memoriter::{BUDGET_TOKENS_DEFAULT, Form, Mode};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::caller::{Caller, Where};
use crate::desk::DeskKey;
use crate::input::{Body, Named};
use crate::problem::{Problem, ProblemWire};
use crate::wire::DeskWire;

/// A message, and what its desk shall be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextRequest {
    /// Whose conversation.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// What the user says now.
    message: String,
    /// Tokens that all of it may have.
    #[schema(default = 8000)]
    budget_tokens: Option<usize>,
    /// `text`, `openai` or `anthropic`.
    form: Option<String>,
    /// Instructions of the application, which come first and are not quoted.
    #[serde(default)]
    system: String,
    /// Without long-term memory.
    #[serde(default)]
    no_memory: bool,
}

/// Lays out the desk
///
/// What a model reads to answer: instructions, memory, state, what older turns came to, the end of the conversation, and
/// the message; inside the budget. `report.prefix` compares it with the last desk of the session that this server gave.
#[utoipa::path(post, path = "/v1/sessions/{id}/context", tag = "sessions", request_body = ContextRequest,
    params(("id" = String, Path, description = "The session")),
    responses((status = 200, body = DeskWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn context(
    caller: Caller,
    Named(id): Named<String>,
    Body(request): Body<ContextRequest>,
) -> Result<Json<DeskWire>, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let place = Where::new(request.user_id.as_ref(), request.agent_id.as_ref());
        let scope = caller.scope(&place)?;
        let form = request
            .form
            .as_deref()
            .map_or(Ok(Form::Text), Form::parse)?;
        let mode = if request.no_memory {
            Mode::NoMemory
        } else {
            Mode::ReadOnly
        };
        let session = scope.session(&id).mode(mode);
        let assembly = session
            .assemble(&request.message)
            .budget_tokens(request.budget_tokens.unwrap_or(BUDGET_TOKENS_DEFAULT))
            .form(form)
            .system(&request.system);
        let desk = assembly.run()?;
        let full_history_tokens = assembly.full_history_tokens()?;
        let key = DeskKey::new(caller.tenant(), scope.scope(), &id, form);
        let app = caller.app();
        let difference = app.desks.follow(key, &desk, &Estimate);
        let prefix = difference.map(|difference| difference.prefix);
        app.metrics
            .desk(&desk, prefix.as_ref().map(|prefix| prefix.stable_tokens));
        let wire = DeskWire::new(&desk, full_history_tokens);
        Ok(Json(match prefix {
            Some(prefix) => wire.with_prefix(&prefix),
            None => wire,
        }))
    })
    .await
}
