//! `memory://profile` and `memory://session/{id}`: what a person can attach to a conversation.

use memoriter::core::turn::SessionName;
use memoriter::tools::{ITEMS_MAX, TurnAnswer};
use memoriter::{Error, InvalidInput, ScopedMemory};
use rmcp::ErrorData;
use rmcp::model::{Resource, ResourceTemplate};
use serde::Serialize;
use serde_json::json;

use super::failure::Failure;
use super::tool::{NOTE, json_of, text_of};
use crate::wire::{self, DamageWire, MemoryWire};

pub(super) const PROFILE: &str = "memory://profile";
pub(super) const SESSION: &str = "memory://session/{id}";
pub(super) const MIME_TYPE: &str = "application/json";

/// Facts that the profile shows at most; the most important ones.
const FACTS_MAX: usize = 200;
/// Names of sessions that are offered at a time.
const NAMES_MAX: usize = 100;

#[derive(Serialize)]
struct ProfileWire {
    note: &'static str,
    memories: Vec<MemoryWire>,
    left_out: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<DamageWire>,
}

#[derive(Serialize)]
struct StretchWire {
    note: &'static str,
    session: String,
    turns: Vec<TurnAnswer>,
    /// Where the turns before these are; nothing at the beginning.
    before: Option<String>,
}

pub(super) fn listed() -> Resource {
    Resource::new(PROFILE, "profile")
        .with_title("What is known about the user")
        .with_description(
            "The facts that are known under a key and what is pinned, the most important first",
        )
        .with_mime_type(MIME_TYPE)
}

pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(SESSION, "session")
        .with_title("A conversation")
        .with_description("The latest 50 turns of a session, word for word; its field before leads to the ones before them")
        .with_mime_type(MIME_TYPE)
}

/// Reads a resource as JSON text. Blocks.
pub(super) fn read(memory: &ScopedMemory, uri: &str) -> Result<String, ErrorData> {
    if uri == PROFILE {
        return profile(memory).map_err(|failure| refused(&failure));
    }
    let unknown = || {
        let shown: String = uri.chars().take(200).collect();
        let message = format!("there is no resource {shown}: there are {PROFILE} and {SESSION}");
        not_found(message, uri)
    };
    let rest = uri.strip_prefix("memory://session/").ok_or_else(unknown)?;
    let (name, query) = rest
        .split_once('?')
        .map_or((rest, None), |(name, query)| (name, Some(query)));
    let to = match query.map(|query| query.strip_prefix("before=").map(str::parse)) {
        None => u32::MAX,
        Some(Some(Ok(to))) => to,
        Some(Some(Err(_)) | None) => return Err(unknown()),
    };
    let name = decoded(name).ok_or_else(unknown)?;
    session(memory, &name, to).map_err(|failure| match failure {
        Unread::NoSession(message) => not_found(message, uri),
        Unread::Failed(failure) => refused(&failure),
    })
}

fn not_found(message: String, uri: &str) -> ErrorData {
    ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
}

/// Names of sessions that begin with a text, the latest first, and how many there are in all.
pub(super) fn names(memory: &ScopedMemory, begin: &str) -> Result<(Vec<String>, usize), ErrorData> {
    let sessions = memory.sessions().map_err(|error| refused(&error.into()))?;
    let names = sessions.iter().rev().map(|session| session.name.as_str());
    let names: Vec<&str> = names.filter(|name| name.starts_with(begin)).collect();
    let offered = names.iter().take(NAMES_MAX).map(|name| (*name).to_owned());
    Ok((offered.collect(), names.len()))
}

fn profile(memory: &ScopedMemory) -> Result<String, Failure> {
    let profile = memory.profile(FACTS_MAX)?;
    Ok(text_of(&json_of(&ProfileWire {
        note: NOTE,
        memories: wire::all(&profile.memories),
        left_out: profile.left_out,
        damaged: wire::all(&profile.damaged),
    })))
}

enum Unread {
    NoSession(String),
    Failed(Failure),
}

impl From<Error> for Unread {
    fn from(error: Error) -> Self {
        if matches!(error, Error::NoSuchSession { .. }) {
            Self::NoSession(error.to_string())
        } else {
            Self::Failed(error.into())
        }
    }
}

impl From<InvalidInput> for Unread {
    fn from(error: InvalidInput) -> Self {
        Self::NoSession(error.to_string())
    }
}

/// The turns of a session before a position.
fn session(memory: &ScopedMemory, name: &str, to: u32) -> Result<String, Unread> {
    let name = SessionName::new(name)?;
    let turns = memory.turns_up_to(&name, to, ITEMS_MAX)?;
    let first = turns.rows.first().map_or(0, |turn| turn.position);
    let before =
        (first > 0).then(|| format!("memory://session/{}?before={first}", encoded(name.as_str())));
    Ok(text_of(&json_of(&StretchWire {
        note: NOTE,
        session: name.as_str().to_owned(),
        turns: turns.rows.iter().map(TurnAnswer::from).collect(),
        before,
    })))
}

/// A resource has no results that could say what is wrong: it is an error of the protocol.
fn refused(failure: &Failure) -> ErrorData {
    ErrorData::internal_error(failure.message().to_owned(), Some(failure.document()))
}

/// Percent signs back to what they stand for.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = rest.get(2..)?;
    }
    String::from_utf8(bytes).ok()
}

fn encoded(text: &str) -> String {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    let parts = text.bytes().map(|byte| {
        if plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sessions_go_through_an_address() {
        for name in ["work", "a/b c?d", "東京 100%"] {
            assert_eq!(decoded(&encoded(name)).as_deref(), Some(name));
        }
        for broken in ["%", "%4", "%zz", "%ff"] {
            assert_eq!(decoded(broken), None, "{broken}");
        }
    }
}
