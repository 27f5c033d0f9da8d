//! Streamable HTTP, without sessions: each request is answered by itself, on its own credential.
//!
//! The protocol lets a server give sessions to clients of the older revisions. This one gives none: there is nothing to
//! keep between requests, and an id of a session that proves nothing cannot be taken for a proof.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT, CONTENT_LENGTH};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;

use super::frame;
use super::handler::Handler;

/// Bytes that a request may have: a text of every field at its limit, and some space.
const REQUEST_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Where requests may come from. Whoever mounts the service checks the same before; this is the second lock.
#[derive(Clone, Debug, Default)]
pub struct HttpOptions {
    /// Names, with or without port, that `Host` may have. Empty: any.
    pub allowed_hosts: Vec<String>,
    /// Origins, with scheme and port (`:*` for any), that `Origin` may have where a browser sends one. Empty: none may.
    pub allowed_origins: Vec<String>,
}

/// The service of one address, to be mounted with [`Router::nest_service`] behind what puts a
/// [`Connection`](super::Connection) into the extensions of each request. Without one every request fails.
pub fn http_service(options: HttpOptions) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(REQUEST_BYTES_MAX)
        .with_allowed_hosts(options.allowed_hosts)
        .with_allowed_origins(options.allowed_origins)
        .enforce_origin_validation();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(|| Ok(Handler::by_request()), sessions, config);
    Router::new()
        .fallback_service(service)
        .layer(from_fn(mended))
}

/// Mends what is sloppy in a message before the SDK reads it.
async fn mended(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    accept_json(&mut parts.headers);
    let Ok(bytes) = to_bytes(body, REQUEST_BYTES_MAX).await else {
        let message = format!("the request is over the limit of {REQUEST_BYTES_MAX} bytes");
        return (StatusCode::PAYLOAD_TOO_LARGE, message).into_response();
    };
    let body = match serde_json::from_slice::<Value>(&bytes) {
        Ok(mut message) => {
            frame::mend(&mut message);
            Body::from(message.to_string())
        }
        Err(_) => Body::from(bytes),
    };
    parts.headers.remove(CONTENT_LENGTH);
    next.run(Request::from_parts(parts, body)).await
}

/// A client that takes JSON gets JSON: the protocol wants it to name event streams, too, which it is never sent here.
fn accept_json(headers: &mut HeaderMap) {
    let takes_json = |value: &HeaderValue| {
        let value = value.to_str().unwrap_or_default().to_ascii_lowercase();
        value.contains("application/json") || value.contains("*/*")
    };
    let mut accepted = headers.get_all(ACCEPT).iter().peekable();
    if accepted.peek().is_none() || accepted.any(takes_json) {
        let both = HeaderValue::from_static("application/json, text/event-stream");
        headers.insert(ACCEPT, both);
    }
}
