//! `/openapi.json`, `/docs` and what says how to authenticate: the same for everybody, without a key.

use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};

use crate::app::App;
use crate::problem::Problem;

/// The page that shows the description: no script or style from elsewhere.
const PAGE: &str = include_str!("../../data/docs.html");
/// Headers of every answer: a browser shall not guess, frame, keep or load more.
const SAFE_HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        HeaderName::from_static("x-content-type-options"),
        HeaderValue::from_static("nosniff"),
    ),
    (
        HeaderName::from_static("x-frame-options"),
        HeaderValue::from_static("DENY"),
    ),
    (
        HeaderName::from_static("referrer-policy"),
        HeaderValue::from_static("no-referrer"),
    ),
    (
        HeaderName::from_static("cache-control"),
        HeaderValue::from_static("no-store"),
    ),
    (
        HeaderName::from_static("content-security-policy"),
        HeaderValue::from_static(
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
        ),
    ),
];

pub(super) fn router(_: &App) -> Router<App> {
    Router::new()
        .route("/openapi.json", get(openapi))
        .route("/docs", get(page))
        .route("/docs.js", get(script))
        .route("/.well-known/oauth-protected-resource", get(resource))
        .route("/.well-known/oauth-protected-resource/mcp", get(resource))
}

async fn openapi() -> Response {
    let text = super::document().to_json();
    let text = text.unwrap_or_default();
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

async fn page() -> Html<&'static str> {
    Html(PAGE)
}

async fn script() -> Response {
    let script = include_str!("../../data/docs.js");
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], script).into_response()
}

/// RFC 9728, where there is an authorization server.
async fn resource(State(app): State<App>) -> Result<Json<serde_json::Value>, Problem> {
    let policy = app.tokens.as_ref();
    policy.map(|policy| Json(policy.metadata())).ok_or_else(|| {
        Problem::not_found("no_such_route", "this server has no authorization server")
    })
}

/// The layer.
pub(super) async fn safe_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in SAFE_HEADERS {
        response.headers_mut().entry(name).or_insert(value);
    }
    response
}
