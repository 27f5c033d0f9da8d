//! One message of a conversation.

mod written;

use serde_json::Value;

use crate::attachment::ATTACHMENT_BYTES_MAX;
use crate::error::{InvalidInput, check_some_text, check_text};
use crate::id::{ChangeNumber, TurnId};
use crate::metadata::Metadata;
use crate::provenance::{Origin, words};
use crate::scope::Scope;
use crate::time::{Timestamp, ZonedTime};

pub use written::{
    ATTACHED_MAX, Attached, Encoding, JSON_DEPTH_MAX, Shape, WRITTEN_BYTES_MAX, Written,
};

/// Bytes of content a turn may have.
pub const TURN_BYTES_MAX: usize = 1024 * 1024;
/// Bytes a session's name, a speaker or a turn's own key may have.
pub const NAME_BYTES_MAX: usize = 256;

words! {
    /// Who speaks in a turn, as language models count it.
    Role, "role", "user, assistant, system or tool" {
        /// The person.
        User = "user",
        /// The model.
        Assistant = "assistant",
        /// Instructions of the application. Kept and shown, never recalled.
        System = "system",
        /// The result of a tool call.
        Tool = "tool",
    }
}

impl Role {
    /// Where a turn of this role comes from unless the call says otherwise.
    #[must_use]
    pub fn origin(self) -> Origin {
        match self {
            Self::User => Origin::User,
            Self::Assistant => Origin::Agent,
            Self::System => Origin::Operator,
            Self::Tool => Origin::Tool,
        }
    }
}

/// The name of a session inside its scope: some text without NUL, at most [`NAME_BYTES_MAX`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionName(String);

impl SessionName {
    /// Checks and wraps a name.
    ///
    /// # Errors
    /// [`InvalidInput`] when it is empty, over the limit or holds NUL.
    pub fn new(name: impl Into<String>) -> Result<Self, InvalidInput> {
        let name = name.into();
        check_some_text("session", &name, NAME_BYTES_MAX)?;
        Ok(Self(name))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What was said: the part of a turn that comes from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Who speaks, as models count it.
    pub role: Role,
    /// Who speaks, by name; `None` when the role says it all.
    pub speaker: Option<String>,
    /// The text, byte-exact. May be empty when there are tool calls, or it is a message of a provider.
    pub content: String,
    /// Calls the model made in this turn, as its provider wrote them.
    pub tool_calls: Option<Value>,
    /// The call that this turn answers.
    pub tool_call_id: Option<String>,
    /// Where the text comes from.
    pub origin: Origin,
    /// When it was said, with the zone it was said in.
    pub at: ZonedTime,
    /// The caller's own data.
    pub metadata: Metadata,
    /// How a provider wrote it, where it came in a provider's shape.
    pub written: Option<Written>,
}

impl Message {
    /// A message with the origin of its role and nothing else set.
    #[must_use]
    pub fn new(role: Role, content: impl Into<String>, at: ZonedTime) -> Self {
        Self {
            role,
            speaker: None,
            content: content.into(),
            tool_calls: None,
            tool_call_id: None,
            origin: role.origin(),
            at,
            metadata: Metadata::default(),
            written: None,
        }
    }

    /// Checks every limit.
    ///
    /// # Errors
    /// [`InvalidInput`] naming the field and the limit.
    pub fn check(&self) -> Result<(), InvalidInput> {
        self.check_within(TURN_BYTES_MAX)
    }

    /// Checks every limit of a message on its way in: the text of a tool's result may be as long as an attachment, which
    /// it becomes.
    ///
    /// # Errors
    /// [`InvalidInput`] naming the field and the limit.
    pub fn check_incoming(&self) -> Result<(), InvalidInput> {
        match self.role {
            Role::Tool => self.check_within(ATTACHMENT_BYTES_MAX),
            Role::User | Role::Assistant | Role::System => self.check(),
        }
    }

    fn check_within(&self, content_bytes_max: usize) -> Result<(), InvalidInput> {
        if self.tool_calls.is_some() || self.written.is_some() {
            check_text("content", &self.content, content_bytes_max)?;
        } else {
            check_some_text("content", &self.content, content_bytes_max)?;
        }
        if let Some(calls) = &self.tool_calls {
            written::check_json("tool_calls", calls, TURN_BYTES_MAX)?;
        }
        if let Some(written) = &self.written {
            written.check()?;
        }
        for (field, text) in [
            ("speaker", &self.speaker),
            ("tool_call_id", &self.tool_call_id),
        ] {
            if let Some(text) = text {
                check_some_text(field, text, NAME_BYTES_MAX)?;
            }
        }
        Ok(())
    }

    /// The name or role that the index knows the speaker by.
    #[must_use]
    pub fn speaker_or_role(&self) -> &str {
        self.speaker.as_deref().unwrap_or(self.role.as_str())
    }

    /// Whether a recall may find this turn: instructions and bare tool calls are kept but not recalled.
    #[must_use]
    pub fn is_recallable(&self) -> bool {
        self.role != Role::System && !self.content.trim().is_empty()
    }
}

/// A message as it lies in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Its id, derived from scope, session and its own key.
    pub id: TurnId,
    /// Who it belongs to.
    pub scope: Scope,
    /// The conversation it is part of.
    pub session: SessionName,
    /// Its place in the session, from 0, without gaps.
    pub position: u32,
    /// What was said.
    pub message: Message,
    /// When the store took it.
    pub recorded_at: Timestamp,
    /// When it was taken out of use: it stays in its session, and no recall finds it.
    pub retired_at: Option<Timestamp>,
    /// When in the order of everything; 0 before it is stored.
    pub change: ChangeNumber,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(content: &str) -> Message {
        Message::new(
            Role::User,
            content,
            ZonedTime::utc(Timestamp::from_micros(0)),
        )
    }

    #[test]
    fn limits_are_errors_with_the_number_in_them() {
        let error = message(&"x".repeat(TURN_BYTES_MAX + 1))
            .check()
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "content is 1048577 bytes, over the limit of 1048576 bytes"
        );
        assert!(message(&"x".repeat(TURN_BYTES_MAX)).check().is_ok());
        assert!(message(" \n").check().is_err());
        assert!(message("a\0").check().is_err());
    }

    #[test]
    fn a_tool_call_needs_no_words() {
        let mut call = message("");
        call.tool_calls = Some(serde_json::json!([{"id": "c1"}]));
        assert!(call.check().is_ok());
        assert!(!call.is_recallable());
    }
}
