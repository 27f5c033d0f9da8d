//! The routes. To add one: a file in `route/` with its requests and handlers, and a line in [`routes`].

mod checkpoints;
mod context;
mod document;
mod erase;
mod filter;
mod forget;
mod health;
mod mcp;
mod memories;
mod memory;
mod operations;
mod receipts;
mod review;
mod search;
mod state;
mod transfer;
mod turns;
mod watch;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::layer::{authenticate, cors, host, observe};
use crate::problem::Problem;
use crate::repeat;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Memoriter",
        description = "Memory for AI agents: what is written down, recalled, rewritten and forgotten."
    ),
    modifiers(&Keyed),
    security(("key" = [])),
)]
struct Document;

/// Says how callers authenticate.
struct Keyed;

impl utoipa::Modify for Keyed {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let mut http = Http::new(HttpAuthScheme::Bearer);
        http.description = Some(
            "A key of `memoriter key new`, or a token of the authorization server. On a loopback address none is needed \
             until there is a key."
                .to_owned(),
        );
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("key", SecurityScheme::Http(http));
    }
}

/// The routes that act for a caller, with their description.
fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(memories::add, memories::list))
        .routes(routes!(search::search))
        .routes(routes!(memory::get, memory::update, memory::retire))
        .routes(routes!(memory::history))
        .routes(routes!(forget::forget))
        .routes(routes!(erase::erase))
        .routes(routes!(receipts::get))
        .routes(routes!(review::list))
        .routes(routes!(review::decide))
        .routes(routes!(turns::sessions))
        .routes(routes!(turns::append, turns::list))
        .routes(routes!(context::context))
        .routes(routes!(state::get, state::change))
        .routes(routes!(watch::watch))
        .routes(routes!(checkpoints::save, checkpoints::list))
        .routes(routes!(checkpoints::resume, checkpoints::answer))
        .routes(routes!(operations::get))
}

/// The same that stream, which have limits of their own and no answer that could be given twice.
fn streams() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(transfer::export))
        .routes(routes!(transfer::import))
        .routes(routes!(health::metrics))
}

/// The description alone, for the file in the documentation.
pub(crate) fn document() -> utoipa::openapi::OpenApi {
    let (_, document) = all().split_for_parts();
    document
}

fn all() -> OpenApiRouter<App> {
    routes().merge(streams()).routes(routes!(health::health))
}

/// Every route behind its layers.
pub(crate) fn router(app: &App) -> Router {
    let (calls, _) = routes().split_for_parts();
    let (streams, _) = streams().split_for_parts();
    let calls = calls.layer(from_fn_with_state(app.clone(), repeat::repeat));
    let guarded = calls
        .merge(streams)
        .merge(mcp::router(app))
        .fallback(nothing_here)
        .method_not_allowed_fallback(other_method)
        .layer(from_fn_with_state(app.clone(), authenticate::authenticate));
    let (open, _) = OpenApiRouter::new()
        .routes(routes!(health::health))
        .split_for_parts();
    open.merge(document::router(app))
        .merge(guarded)
        .layer(cors::cors(&app.hosts))
        .layer(from_fn_with_state(app.clone(), host::check))
        .layer(from_fn(document::safe_headers))
        .layer(from_fn_with_state(app.clone(), observe::observe))
        .with_state(app.clone())
}

async fn nothing_here() -> Problem {
    Problem::not_found("no_such_route", "there is nothing at this address")
}

async fn other_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "this address has other methods",
    )
}
