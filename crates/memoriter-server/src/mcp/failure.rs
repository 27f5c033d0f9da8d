//! Why a tool did nothing, in words that a model can act on.

use std::borrow::Cow;

use memoriter::{Diagnose, Fault};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use super::tool::text_of;
use crate::problem::told_outside;

/// A failure as a model reads it: `{"error": {"code", "message", "field"?, "hint"?}}`.
#[derive(Debug)]
pub(super) struct Failure {
    code: &'static str,
    message: String,
    field: Option<Cow<'static, str>>,
    hint: Option<&'static str>,
}

impl Failure {
    /// A request that cannot be served as it is.
    pub(super) fn caller(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            field: None,
            hint: None,
        }
    }

    /// Names the argument at fault.
    pub(super) fn field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Says what to do about it.
    pub(super) fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn document(&self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        for (name, text) in [("field", self.field.as_deref()), ("hint", self.hint)] {
            if let (Some(text), Some(fields)) = (text, error.as_object_mut()) {
                fields.insert(name.to_owned(), text.into());
            }
        }
        json!({ "error": error })
    }

    /// The result of a tool that failed. It has no structured content: that would have to be of the tool's schema.
    pub(super) fn result(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(text_of(&self.document()))])
    }
}

impl<E: Diagnose> From<E> for Failure {
    fn from(error: E) -> Self {
        let code = error.code();
        Self {
            code,
            message: told_outside(&error),
            field: error.field().map(|field| field.to_owned().into()),
            hint: hint(code).or(hint_of_fault(error.fault())),
        }
    }
}

/// What to do next, where the message does not say it.
fn hint(code: &str) -> Option<&'static str> {
    Some(match code {
        "no_such_memory" | "no_such_handle" => {
            "search_memory gives the ids and handles that there are"
        }
        "version_conflict" => {
            "get_memory shows what it says now and its version; decide again with that"
        }
        "wrong_state" => "it is history; search_memory finds what is known now",
        "already_said" => "nothing is to be done",
        "right_denied" => "this connection may not do it; tell the user instead of trying again",
        "scope_denied" => {
            "this connection does not reach that; tell the user instead of trying again"
        }
        "over_limit" => "send less",
        "secret_name" => "use a name without secrets",
        _ => return None,
    })
}

fn hint_of_fault(fault: Fault) -> Option<&'static str> {
    match fault {
        Fault::Environment => {
            Some("nothing was saved; it may work later, and the user should know")
        }
        Fault::Bug => Some("nothing was saved; the user should know"),
        Fault::Caller | Fault::NotFound | Fault::Refused => None,
    }
}
