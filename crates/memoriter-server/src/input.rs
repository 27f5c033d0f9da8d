//! What comes in: bodies and parameters, read strictly.

use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use memoriter::core::error::InvalidInput;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::import::{json_depth, parse_exact_json};
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::problem::Problem;

/// Levels that a body may be nested.
pub(crate) const DEPTH_MAX: usize = 64;

/// A JSON body without unknown fields, repeated fields or numbers that would lose digits.
pub(crate) struct Body<T>(pub(crate) T);

/// The parameters of an address, without unknown ones.
pub(crate) struct Params<T>(pub(crate) T);

/// A part of the path.
pub(crate) struct Named<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        check_media_type(request.headers().get(CONTENT_TYPE))?;
        let bytes = whole(app, request.into_body()).await?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let at = error.valid_up_to();
            Problem::invalid("not_utf8", format!("byte {at} of the body is not UTF-8"))
        })?;
        read_json(text).map(Self)
    }
}

/// A whole body, inside the limits of size and time.
pub(crate) async fn whole(app: &App, body: axum::body::Body) -> Result<Bytes, Problem> {
    let limit = app.limits().body_bytes;
    let read = axum::body::to_bytes(body, limit);
    let read = tokio::time::timeout(app.limits().read_time, read).await;
    read.map_err(|_| slow_body())?
        .map_err(|_| over_limit(limit))
}

pub(crate) fn slow_body() -> Problem {
    Problem::new(
        StatusCode::REQUEST_TIMEOUT,
        "slow_body",
        "the body did not come in time",
    )
}

/// Reads a body's text.
pub(crate) fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    if json_depth(text.as_bytes()) > DEPTH_MAX {
        let detail = format!("the body is nested more than {DEPTH_MAX} levels");
        return Err(Problem::invalid("over_limit", detail));
    }
    let value = parse_exact_json(text)
        .map_err(|error| Problem::invalid("not_json", format!("the body: {error}")))?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner().to_string();
        let problem = Problem::invalid("malformed", format!("the body: {inner}"));
        match field(&path, &inner) {
            Some(field) => problem.field(field),
            None => problem,
        }
    })
}

/// The field that a message is about: the path, with the name that the message quotes where the path ends before it.
fn field(path: &str, message: &str) -> Option<String> {
    let named = ["unknown field `", "missing field `", "duplicate field `"]
        .iter()
        .find_map(|start| message.strip_prefix(start)?.split('`').next());
    match (path, named) {
        ("." | "", None) => None,
        ("." | "", Some(name)) => Some(name.to_owned()),
        (path, None) => Some(path.to_owned()),
        (path, Some(name)) if path.ends_with(name) => Some(path.to_owned()),
        (path, Some(name)) => Some(format!("{path}.{name}")),
    }
}

fn check_media_type(given: Option<&axum::http::HeaderValue>) -> Result<(), Problem> {
    let named = given.and_then(|value| value.to_str().ok());
    let essence = named.and_then(|value| value.split(';').next());
    if essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json")) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "media_type",
        "the body must be application/json",
    )
    .field("Content-Type"))
}

pub(crate) fn over_limit(limit: usize) -> Problem {
    Problem::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "over_limit",
        format!("the body is over the limit of {limit} bytes"),
    )
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        read.map(|query| Self(query.0)).map_err(|error| {
            let message = match &error {
                QueryRejection::FailedToDeserializeQueryString(inner) => {
                    std::error::Error::source(inner).map_or(inner.to_string(), ToString::to_string)
                }
                other => other.to_string(),
            };
            let problem = Problem::invalid("malformed", format!("the parameters: {message}"));
            let (path, inner) = message.split_once(": ").unwrap_or(("", &message));
            match field(path, inner).or_else(|| field("", &message)) {
                Some(field) => problem.field(field),
                None => problem,
            }
        })
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = Path::<T>::from_request_parts(parts, state).await;
        read.map(|path| Self(path.0))
            .map_err(|_| Problem::invalid("malformed", "a part of the path is not UTF-8 text"))
    }
}

/// A time as the fields of the interface write it.
pub(crate) fn time(field: &'static str, text: &str) -> Result<ZonedTime, InvalidInput> {
    ZonedTime::parse(field, text)
}

/// The same where only the instant counts.
pub(crate) fn instant(
    field: &'static str,
    text: Option<&str>,
) -> Result<Option<Timestamp>, InvalidInput> {
    text.map(|text| time(field, text).map(|time| time.instant))
        .transpose()
}

/// A word of the vocabulary or an id.
pub(crate) fn parsed<T>(
    field: &'static str,
    expected: &'static str,
    text: &str,
) -> Result<T, InvalidInput>
where
    T: std::str::FromStr,
{
    text.parse()
        .map_err(|_| InvalidInput::malformed(field, expected, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[expect(dead_code, reason = "only read")]
        inner: Vec<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        #[expect(dead_code, reason = "only read")]
        count: u32,
    }

    #[track_caller]
    fn check(text: &str, code: &str, field: Option<&str>) {
        let problem = read_json::<Outer>(text).unwrap_err();
        assert_eq!(problem.code(), code, "{problem:?}");
        assert_eq!(problem.field_name(), field, "{problem:?}");
    }

    #[test]
    fn an_error_names_the_field_inside_the_body() {
        check(
            r#"{"inner":[{"count":"a"}]}"#,
            "malformed",
            Some("inner[0].count"),
        );
        check(
            r#"{"inner":[{"counts":1}]}"#,
            "malformed",
            Some("inner[0].counts"),
        );
        check(r#"{"inner":[{}]}"#, "malformed", Some("inner[0].count"));
        check("{}", "malformed", Some("inner"));
        check(r#"{"inner":[],"inner":[]}"#, "not_json", None);
        check("{", "not_json", None);
    }

    #[test]
    fn nesting_is_limited() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(read_json::<serde_json::Value>(&deep(64)).is_ok());
        assert_eq!(
            read_json::<serde_json::Value>(&deep(65))
                .unwrap_err()
                .code(),
            "over_limit"
        );
    }
}
