//! `/healthz` and `/metrics`.

use axum::Json;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use memoriter::{AccessDenied, Error, Right};
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::metrics::MEDIA_TYPE;
use crate::problem::{Problem, ProblemWire};

/// That it runs, and no more: anybody may ask.
#[derive(Serialize, ToSchema)]
pub(super) struct HealthWire {
    ok: bool,
}

/// Tells whether the server runs
#[utoipa::path(get, path = "/healthz", tag = "care", security(()),
    responses((status = 200, body = HealthWire)))]
pub(super) async fn health() -> Json<HealthWire> {
    Json(HealthWire { ok: true })
}

/// Metrics
///
/// In the text form of Prometheus, for who has the right `admin` over a whole tenant. No content, no names of users.
#[utoipa::path(get, path = "/metrics", tag = "care",
    responses((status = 200, content_type = "application/openmetrics-text", body = String),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn metrics(caller: Caller) -> Result<Response, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let access = caller.access();
        access.check(Right::Admin).map_err(Error::from)?;
        if let Some(within) = access.within() {
            let scope = within.clone();
            return Err(Error::from(AccessDenied::Store { scope }).into());
        }
        // Another tenant's numbers are its own.
        let app = caller.app();
        let stores = app.tenants().opened(caller.tenant());
        let stores: Vec<_> = stores
            .map(|memory| (caller.tenant().to_owned(), memory))
            .into_iter()
            .collect();
        let text = app.metrics.text(&stores);
        Ok(([(CONTENT_TYPE, MEDIA_TYPE)], text).into_response())
    })
    .await
}
