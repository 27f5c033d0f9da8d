//! `/v1/sessions/{id}/state/watch`: changes of a board as they come.

use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Extension;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use memoriter::core::board::Field;
use memoriter::core::id::ChangeNumber;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use crate::caller::{Caller, Where};
use crate::input::{Named, Params};
use crate::layer::authenticate::Watching;
use crate::problem::{Problem, ProblemWire};
use crate::wire::FieldWire;

/// How often it is looked for changes, which another process may have made.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Changes of one look.
const CHANGES_MAX: usize = 100;
/// Events that wait for a slow reader.
const WAITING_MAX: usize = 16;

/// From where on.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct WatchParams {
    /// Whose session.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// The `id` of the last event that was seen; from now on where it is not told, 0 for everything.
    after: Option<u64>,
}

/// Watches the state
///
/// Server-sent events: `event: field`, `id:` the number of the change, `data:` the field as `GET …/state` has it. Whoever
/// comes again with `after` set to the last id misses nothing.
#[utoipa::path(get, path = "/v1/sessions/{id}/state/watch", tag = "sessions",
    params(("id" = String, Path, description = "The session"), WatchParams),
    responses((status = 200, content_type = "text/event-stream", body = String),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn watch(
    caller: Caller,
    Named(id): Named<String>,
    Params(params): Params<WatchParams>,
) -> Result<
    (
        Extension<Watching>,
        Sse<impl Stream<Item = Result<Event, Infallible>>>,
    ),
    Problem,
> {
    let place = Where::new(params.user_id.as_ref(), params.agent_id.as_ref());
    let app = caller.app().clone();
    let watched = (caller.clone(), place.clone(), id.clone());
    // The first look says whether the caller may look at all.
    let start = app
        .call(move || {
            let (caller, place, id) = watched;
            let scope = caller.scope(&place)?;
            scope.session(&id).state().changes(ChangeNumber(0), 1)?;
            let head = caller.memory()?.head()?;
            Ok(params.after.map_or(head, ChangeNumber))
        })
        .await?;
    let counted = app.meter.take_watch(caller.name())?;
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    tokio::spawn(async move {
        look(caller, place, id, start, sender).await;
        drop(counted);
    });
    let events = Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default());
    Ok((Extension(Watching), events))
}

/// Looks until the reader leaves or the server stops.
async fn look(
    caller: Caller,
    place: Where,
    session: String,
    mut after: ChangeNumber,
    sender: mpsc::Sender<Result<Event, Infallible>>,
) {
    let app = caller.app().clone();
    while !sender.is_closed() && !app.is_ending.load(Ordering::Relaxed) {
        let (its, at, name) = (caller.clone(), place.clone(), session.clone());
        let changed = app.call(move || {
            // A key that was revoked ends what it began.
            its.renewed()?;
            let rows = its.scope(&at)?.session(&name).state();
            Ok(rows.changes(after, CHANGES_MAX)?.rows)
        });
        let Ok(fields) = changed.await else {
            return;
        };
        for field in &fields {
            after = field.change;
            if sender.send(Ok(event(field))).await.is_err() {
                return;
            }
        }
        if fields.is_empty() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

fn event(field: &Field) -> Event {
    let event = Event::default()
        .event("field")
        .id(field.change.0.to_string());
    // A field is written as JSON wherever it is shown.
    event
        .json_data(FieldWire::from(field))
        .unwrap_or_else(|_| Event::default())
}
