//! `/v1/export` and `/v1/import`: everything that is held about somebody.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use super::memory::WhereParams;
use crate::caller::{Caller, Where};
use crate::input::{Params, over_limit, slow_body};
use crate::problem::{Problem, ProblemWire};
use crate::wire::ImportedWire;

/// Bytes that are sent at once.
const PIECE_BYTES: usize = 64 * 1024;
/// Pieces that wait for a slow reader.
const WAITING_MAX: usize = 4;

/// How to take a file in.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ImportParams {
    /// Whose memory it becomes; with it a file about somebody else is taken in as theirs.
    user_id: Option<String>,
    /// The agent's own inside it.
    agent_id: Option<String>,
    /// Facts are believed as the file has them, though another store wrote it.
    #[serde(default)]
    trust: bool,
}

/// Sends pieces to whoever reads the answer.
struct Pieces {
    sender: mpsc::Sender<Result<Bytes, io::Error>>,
    /// How long a reader may take for a piece: a thread waits for it.
    patience: Duration,
    handle: Handle,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = Bytes::copy_from_slice(bytes);
        let sent = self.sender.send_timeout(Ok(piece), self.patience);
        // Who left, or reads no more, gets no more.
        let sent = self.handle.block_on(sent);
        sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Exports
///
/// JSON lines with a manifest at the beginning and the end (`docs/export.md`); an answer that breaks off has no end.
#[utoipa::path(get, path = "/v1/export", tag = "transfer", params(WhereParams),
    responses((status = 200, content_type = "application/x-ndjson", body = String),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn export(
    caller: Caller,
    Params(params): Params<WhereParams>,
) -> Result<Response, Problem> {
    let app = caller.app().clone();
    let place = params.place();
    let scope = app
        .call(move || {
            let scope = caller.scope(&place)?;
            // What is refused is refused before the head of the answer has gone.
            caller
                .access()
                .check(memoriter::Right::Export)
                .map_err(memoriter::Error::from)?;
            Ok(scope)
        })
        .await?;
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    let pieces = Pieces {
        sender: sender.clone(),
        patience: app.limits().read_time,
        handle: Handle::current(),
    };
    tokio::task::spawn_blocking(move || {
        let mut to = BufWriter::with_capacity(PIECE_BYTES, pieces);
        let exported = scope.export(&mut to, &mut |_, _| {});
        let done = exported.map_err(|error| error.to_string());
        if done
            .and_then(|_| to.flush().map_err(|error| error.to_string()))
            .is_err()
        {
            let _ = sender.try_send(Err(io::Error::other("the export broke off")));
        }
    });
    let body = Body::from_stream(ReceiverStream::new(receiver));
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// Imports
///
/// The file of an export. What is here already stays, what was forgotten stays away, and the same file twice adds nothing.
#[utoipa::path(post, path = "/v1/import", tag = "transfer", params(ImportParams),
    request_body(content = String, content_type = "application/x-ndjson"),
    responses((status = 200, body = ImportedWire),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn import(
    caller: Caller,
    Params(params): Params<ImportParams>,
    request: Request,
) -> Result<Json<ImportedWire>, Problem> {
    let app = caller.app().clone();
    let place = Where::new(params.user_id.as_ref(), params.agent_id.as_ref());
    let checked = caller.clone();
    // Nobody without the right fills the disk.
    let scope = app
        .call(move || {
            let scope = checked.scope(&place)?;
            checked
                .access()
                .check(memoriter::Right::Export)
                .map_err(memoriter::Error::from)?;
            Ok(scope)
        })
        .await?;
    let file = spooled(&caller, request.into_body()).await?;
    let time = app.limits().call_time * 60;
    app.call_within(time, move || {
        let mut file = file;
        file.rewind().map_err(|error| failed(&error))?;
        let mut import = scope.import();
        if params.trust {
            import = import.trusting();
        }
        if params.user_id.is_some() {
            import = import.mapped();
        }
        Ok(Json(ImportedWire::from(&import.read(&mut file)?)))
    })
    .await
}

/// The body in a file without a name, which is gone when it is closed: an import is read twice.
async fn spooled(caller: &Caller, mut body: Body) -> Result<File, Problem> {
    let limits = caller.app().limits();
    let folder = caller.app().keys.folder().to_owned();
    let mut file = tempfile::tempfile_in(folder).map_err(|error| failed(&error))?;
    let mut bytes = 0_u64;
    loop {
        let next =
            std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context));
        let frame = tokio::time::timeout(limits.read_time, next).await;
        let Some(frame) = frame.map_err(|_| slow_body())? else {
            return Ok(file);
        };
        let frame = frame.map_err(|_| Problem::invalid("broken_body", "the body broke off"))?;
        let Ok(piece) = frame.into_data() else {
            continue;
        };
        bytes += piece.len() as u64;
        if bytes > limits.import_bytes {
            return Err(over_limit(
                usize::try_from(limits.import_bytes).unwrap_or(usize::MAX),
            ));
        }
        let written = tokio::task::spawn_blocking(move || {
            file.write_all(&piece)?;
            Ok::<File, io::Error>(file)
        });
        let written = written
            .await
            .map_err(|_| Problem::invalid("bug", "writing broke off"))?;
        file = written.map_err(|error| failed(&error))?;
    }
}

fn failed(error: &io::Error) -> Problem {
    tracing::error!(%error, "an import could not be kept");
    let status = axum::http::StatusCode::INSUFFICIENT_STORAGE;
    Problem::new(
        status,
        "file",
        "the file could not be kept while it was read",
    )
}
