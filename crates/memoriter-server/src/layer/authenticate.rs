//! Who calls, and how much that may take. A request without a credential that is taken goes no further.

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;
use crate::caller::Caller;
use crate::problem::Problem;

/// The layer.
pub(crate) async fn authenticate(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let bearer = bearer(request.headers())?;
    let granted = app.authenticate(bearer)?;
    let _place = app.meter.take(&granted.name)?;
    let caller = Caller::new(app.clone(), granted);
    request.extensions_mut().insert(caller.clone());
    let mut response = next.run(request).await;
    response.extensions_mut().insert(caller);
    Ok(response)
}

/// The credential; `None` where none is sent. One that is sent in another way is not none.
fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = given.next() else {
        return Ok(None);
    };
    let text = value.to_str().ok().filter(|_| given.next().is_none());
    let (scheme, credential) = text
        .and_then(|text| text.split_once(' '))
        .unwrap_or_default();
    if scheme.eq_ignore_ascii_case("bearer") && !credential.trim().is_empty() {
        Ok(Some(credential.trim()))
    } else {
        Err(Problem::unauthenticated())
    }
}
