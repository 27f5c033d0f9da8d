//! Each request gets a name, a line in the log and a place in the metrics. No content: not the path's own parts, not a
//! header, not a body.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::app::App;
use crate::caller::Caller;
use crate::problem::Failed;

/// The header that names a request.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Bytes of a name that a caller may give.
const REQUEST_ID_BYTES_MAX: usize = 64;

/// The layer.
pub(crate) async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = tokio::time::Instant::now();
    let id = given_id(&request).unwrap_or_else(|| app.request_id());
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("none", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let span = tracing::info_span!("request", id, method = %method, route);
    let mut response = next.run(request).instrument(span.clone()).await;
    let took = begun.elapsed();
    let status = response.status();
    app.metrics
        .request(&route, known_method(method.as_str()), status.as_u16(), took);
    let failed = response.extensions().get::<Failed>();
    let code = failed.map(|failed| failed.code);
    if let Some(code) = code {
        app.metrics.refusal(code);
    }
    let caller = response.extensions().get::<Caller>().map(Caller::name);
    span.in_scope(|| {
        tracing::info!(
            status = status.as_u16(),
            micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            caller,
            code,
            "answered"
        );
    });
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// A name from the caller, if it is one.
fn given_id(request: &Request) -> Option<String> {
    let id = request.headers().get(&REQUEST_ID)?.to_str().ok()?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_name = !id.is_empty() && id.len() <= REQUEST_ID_BYTES_MAX && id.bytes().all(is_plain);
    is_name.then(|| id.to_owned())
}

/// A method that makes no label of its own.
fn known_method(method: &str) -> &str {
    match method {
        "GET" | "POST" | "PATCH" | "DELETE" | "PUT" | "HEAD" | "OPTIONS" => method,
        _ => "other",
    }
}
