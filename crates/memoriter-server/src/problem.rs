//! What goes wrong, as RFC 9457 problem documents.

use axum::Json;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use memoriter::{Diagnose, Fault};
use serde::Serialize;
use utoipa::ToSchema;

/// A failure on its way out. It holds what the caller sent at most where an error of the engine quotes it; logs
/// have the code and the field alone.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: Box<str>,
    field: Option<Box<str>>,
    retry_after_secs: Option<u32>,
    challenge: Option<Box<HeaderValue>>,
}

/// What is wrong, as `application/problem+json` (RFC 9457). `code` is stable, and for programs.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemWire {
    /// Always `about:blank`: `code` says more.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The words of the status.
    title: String,
    status: u16,
    /// A stable name of what is wrong.
    code: &'static str,
    /// A sentence for people.
    detail: String,
    /// The field at fault, where it is a single one.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

/// What the log says of a failure. Not the field: a caller may call one what it likes.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    pub(crate) code: &'static str,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self {
            status,
            code,
            detail: detail.into().into(),
            field: None,
            retry_after_secs: None,
            challenge: None,
        }
    }

    /// A request that breaks a rule.
    pub(crate) fn invalid(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// What is named is not there, or not for this credential: nobody can tell which.
    pub(crate) fn not_found(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, detail)
    }

    /// No credential, or none that is taken: nobody is told which.
    pub(crate) fn unauthenticated() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "unauthenticated",
            "this needs a valid key: Authorization: Bearer KEY",
        )
        .challenge("Bearer")
    }

    pub(crate) fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into().into());
        self
    }

    pub(crate) fn retry_after(mut self, secs: u64) -> Self {
        self.retry_after_secs = Some(u32::try_from(secs.max(1)).unwrap_or(u32::MAX));
        self
    }

    /// Says how to authenticate (RFC 6750, RFC 9728).
    pub(crate) fn challenge(mut self, challenge: &str) -> Self {
        self.challenge = HeaderValue::from_str(challenge).ok().map(Box::new);
        self
    }

    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    #[cfg(test)]
    pub(crate) fn field_name(&self) -> Option<&str> {
        self.field.as_deref()
    }
}

/// The status of an error of the engine: one table, by its code where that says more than whose fault it is.
fn status(error: &dyn Diagnose) -> StatusCode {
    match (error.code(), error.fault()) {
        ("scope_denied" | "right_denied", _) => StatusCode::FORBIDDEN,
        ("disk_full", _) => StatusCode::INSUFFICIENT_STORAGE,
        (_, Fault::Caller) => StatusCode::BAD_REQUEST,
        (_, Fault::NotFound) => StatusCode::NOT_FOUND,
        (_, Fault::Refused) => StatusCode::CONFLICT,
        (_, Fault::Environment) => StatusCode::SERVICE_UNAVAILABLE,
        (_, Fault::Bug) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl<E: Diagnose> From<E> for Problem {
    fn from(error: E) -> Self {
        let status = status(&error);
        let detail = told_outside(&error);
        Self {
            field: error.field().map(Box::from),
            ..Self::new(status, error.code(), detail)
        }
    }
}

/// What a caller is told of an error. What failed in the world may name files: that is for the log of who runs the server.
pub(crate) fn told_outside(error: &impl Diagnose) -> String {
    match error.fault() {
        Fault::Environment | Fault::Bug => {
            tracing::error!(code = error.code(), error = %chain(error), "a call failed");
            "the store failed; the log of the server says more".to_owned()
        }
        Fault::Caller | Fault::NotFound | Fault::Refused => error.to_string(),
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        told = format!("{told}: {cause}");
        source = cause.source();
    }
    told
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let wire = ProblemWire {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.status.as_u16(),
            code: self.code,
            detail: self.detail.into(),
            field: self.field.map(String::from),
        };
        let mut response = (self.status, Json(wire)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some(secs) = self.retry_after_secs {
            headers.insert(RETRY_AFTER, HeaderValue::from(secs));
        }
        if let Some(challenge) = self.challenge {
            headers.insert(WWW_AUTHENTICATE, *challenge);
        }
        response.extensions_mut().insert(Failed { code: self.code });
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memoriter::{AccessDenied, Error, InvalidInput, Right};

    #[track_caller]
    fn check(error: impl Into<Error>, status: u16, code: &str) {
        let problem = Problem::from(error.into());
        assert_eq!((problem.status.as_u16(), problem.code), (status, code));
    }

    #[test]
    fn each_kind_of_error_has_its_status() {
        check(InvalidInput::Empty { field: "text" }, 400, "empty");
        check(
            AccessDenied::Right { right: Right::Read },
            403,
            "right_denied",
        );
        check(
            Error::NoSuchSession { name: "s".into() },
            404,
            "no_such_session",
        );
        let id = "0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11".parse().unwrap();
        check(Error::AlreadySaid { id }, 409, "already_said");
    }
}
