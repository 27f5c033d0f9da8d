//! `/mcp`: the tools of the Model Context Protocol.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use serde::Deserialize;

use crate::app::App;
use crate::caller::{Caller, Where};
use crate::input::Params;
use crate::mcp::{Connection, HttpOptions, http_service};
use crate::problem::Problem;

/// Whose memory a connection reaches: part of its address, never an argument of a tool.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConnectionParams {
    user_id: Option<String>,
    agent_id: Option<String>,
}

/// The service behind what connects it to a memory.
pub(super) fn router(app: &App) -> Router<App> {
    let service = http_service(HttpOptions {
        allowed_hosts: app.hosts.names().to_vec(),
        allowed_origins: app.hosts.origins().to_vec(),
    });
    Router::new()
        .nest_service("/mcp", service)
        .layer(from_fn(connected))
}

/// The layer; behind the one that knows the caller.
async fn connected(
    caller: Option<axum::Extension<Caller>>,
    Params(params): Params<ConnectionParams>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let axum::Extension(caller) = caller.ok_or_else(Problem::unauthenticated)?;
    let place = Where::new(params.user_id.as_ref(), params.agent_id.as_ref());
    let app = caller.app().clone();
    let memory = app.call(move || caller.scope(&place)).await?;
    request.extensions_mut().insert(Connection::new(memory));
    Ok(next.run(request).await)
}
