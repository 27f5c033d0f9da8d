//! Who calls, and how much that may take. A request without a credential that is taken goes no further.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use crate::app::App;
use crate::caller::Caller;
use crate::limit::Place;
use crate::problem::Problem;

/// The layer.
pub(crate) async fn authenticate(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let bearer = bearer(request.headers())?;
    let granted = app.authenticate(bearer)?;
    let place = app.meter.take(&granted.name)?;
    let caller = Caller::new(app.clone(), granted);
    request.extensions_mut().insert(caller.clone());
    let mut response = next.run(request).await;
    response.extensions_mut().insert(caller);
    if response.extensions().get::<Watching>().is_some() {
        // It has a place of its own.
        return Ok(response);
    }
    Ok(response.map(|body| {
        Body::new(Held {
            body,
            _place: place,
        })
    }))
}

/// Marks an answer that counts as a watch.
#[derive(Clone)]
pub(crate) struct Watching;

/// A body that counts as a request in flight until it is read: what streams takes a place as long as it streams.
struct Held {
    body: Body,
    _place: Place,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
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
