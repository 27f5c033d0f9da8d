//! `Idempotency-Key`: a request that comes again gets the answer that it had, and is not carried out again.
//!
//! Answers are kept in memory, for a day and up to a number. After a restart a repeated request is carried out, and the
//! engine takes care: turns have identities that come of the key, what is known already is SKIP, what is gone stays gone.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use memoriter::core::time::Timestamp;

use crate::app::App;
use crate::caller::Caller;
use crate::input::whole;
use crate::problem::Problem;

/// The header.
const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Says that an answer is an earlier one.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Bytes of a key.
const KEY_BYTES_MAX: usize = 255;
/// Answers that are kept.
const ANSWERS_MAX: usize = 4_096;
/// Bytes of an answer that is kept; a longer one is not.
const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// Bytes of all answers that are kept.
const ANSWERS_BYTES_MAX: usize = 64 * 1024 * 1024;
/// How long: one day.
const KEPT_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// The key of a request, for what it makes.
#[derive(Clone)]
pub(crate) struct RepeatKey(pub(crate) String);

#[derive(Clone)]
enum Kept {
    Running,
    Done {
        body: blake3::Hash,
        status: StatusCode,
        headers: HeaderMap,
        bytes: axum::body::Bytes,
        at: Timestamp,
    },
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Of {
    tenant: String,
    caller: String,
    request: String,
    key: String,
}

#[derive(Default)]
struct Answers {
    kept: HashMap<Of, Kept>,
    /// Those that are done, oldest first.
    order: VecDeque<Of>,
    bytes: usize,
}

impl Answers {
    fn keep(&mut self, of: Of, answer: Kept) {
        self.bytes += answer.bytes();
        self.kept.insert(of.clone(), answer);
        self.order.push_back(of);
        while self.order.len() > ANSWERS_MAX || self.bytes > ANSWERS_BYTES_MAX {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            self.forget(&oldest);
        }
    }

    fn forget(&mut self, of: &Of) {
        if let Some(gone) = self.kept.remove(of) {
            self.bytes -= gone.bytes();
        }
    }
}

/// Answers by key.
#[derive(Default)]
pub(crate) struct Repeats(Mutex<Answers>);

impl Repeats {
    fn lock(&self) -> std::sync::MutexGuard<'_, Answers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a request; one that is not known is running from now on.
    fn begin(&self, of: &Of, now: Timestamp) -> Option<Kept> {
        let mut answers = self.lock();
        let known = answers.kept.get(of).filter(|kept| match kept {
            Kept::Running => true,
            Kept::Done { at, .. } => now.micros_since(*at) < KEPT_MICROS,
        });
        if let Some(known) = known {
            return Some(known.clone());
        }
        answers.order.retain(|other| other != of);
        answers.forget(of);
        answers.kept.insert(of.clone(), Kept::Running);
        None
    }

    fn end(&self, of: &Of, answer: Option<Kept>) {
        let mut answers = self.lock();
        // What was erased meanwhile takes its answer with it.
        let was_running = answers.kept.remove(of).is_some();
        if let (true, Some(answer)) = (was_running, answer) {
            answers.keep(of.clone(), answer);
        }
    }

    /// Lets go of the answers of a tenant: they may say what was erased.
    pub(crate) fn let_go(&self, tenant: &str) {
        let mut answers = self.lock();
        answers.order.retain(|of| of.tenant != tenant);
        answers.kept.retain(|of, _| of.tenant != tenant);
        answers.bytes = answers.kept.values().map(Kept::bytes).sum();
    }
}

/// Takes the request off the list if its answer never comes.
struct Running<'a> {
    repeats: &'a Repeats,
    of: Of,
    is_ended: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.is_ended {
            self.repeats.end(&self.of, None);
        }
    }
}

/// The layer; behind the one that knows the caller.
pub(crate) async fn repeat(
    State(app): State<App>,
    caller: Caller,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let Some(key) = key(&request)? else {
        return Ok(next.run(request).await);
    };
    let (mut parts, body) = request.into_parts();
    let bytes = whole(&app, body).await?;
    let hash = blake3::hash(&bytes);
    let of = Of {
        tenant: caller.tenant().to_owned(),
        caller: caller.name().to_owned(),
        request: format!("{} {}", parts.method, parts.uri),
        key: key.clone(),
    };
    match app.repeats.begin(&of, app.now()) {
        Some(known) => return known.answer(hash),
        None => parts.extensions.insert(RepeatKey(key)),
    };
    let mut running = Running {
        repeats: &app.repeats,
        of,
        is_ended: false,
    };
    let response = next
        .run(Request::from_parts(parts, Body::from(bytes)))
        .await;
    if response.status().is_server_error() || response.status() == StatusCode::TOO_MANY_REQUESTS {
        return Ok(response);
    }
    let (head, body) = response.into_parts();
    let answer = axum::body::to_bytes(body, usize::MAX).await;
    let answer = answer.map_err(|_| {
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "bug",
            "the answer broke off",
        )
    })?;
    if answer.len() <= ANSWER_BYTES_MAX {
        running.is_ended = true;
        let kept = Kept::Done {
            body: hash,
            status: head.status,
            headers: head.headers.clone(),
            bytes: answer.clone(),
            at: app.now(),
        };
        app.repeats.end(&running.of, Some(kept));
    }
    Ok(Response::from_parts(head, Body::from(answer)))
}

fn key(request: &Request) -> Result<Option<String>, Problem> {
    let Some(value) = request.headers().get(&KEY) else {
        return Ok(None);
    };
    if request.method() == Method::GET {
        return Ok(None);
    }
    let key = value.to_str().ok();
    let key = key.filter(|key| !key.is_empty() && key.len() <= KEY_BYTES_MAX);
    let wrong = || {
        let detail =
            format!("Idempotency-Key must be 1 to {KEY_BYTES_MAX} visible ASCII characters");
        Problem::invalid("malformed", detail).field("Idempotency-Key")
    };
    key.map(|key| Some(key.to_owned())).ok_or_else(wrong)
}

impl Kept {
    fn bytes(&self) -> usize {
        match self {
            Self::Running => 0,
            Self::Done { bytes, .. } => bytes.len(),
        }
    }

    fn answer(self, hash: blake3::Hash) -> Result<Response, Problem> {
        match self {
            Self::Running => Err(Problem::new(
                StatusCode::CONFLICT,
                "still_running",
                "a request with this Idempotency-Key is being carried out",
            )
            .field("Idempotency-Key")
            .retry_after(1)),
            Self::Done { body, .. } if body != hash => Err(Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "key_reused",
                "this Idempotency-Key came with another body before",
            )
            .field("Idempotency-Key")),
            Self::Done {
                status,
                mut headers,
                bytes,
                ..
            } => {
                headers.insert(REPLAYED, HeaderValue::from_static("true"));
                Ok((status, headers, bytes).into_response())
            }
        }
    }
}
