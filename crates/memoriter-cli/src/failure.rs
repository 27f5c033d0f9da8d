//! Why a command failed: what every error of the project becomes on its way to the user.

use memoriter::{Diagnose, Fault};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::layout;

/// The code of a store that cannot be read because of damage.
const DAMAGED: &str = "damaged";

/// A failure as it is told: code for programs, message and hint for people.
#[derive(Debug)]
pub(crate) struct Failure {
    code: &'static str,
    fault: Fault,
    message: String,
    /// More for people, below the message.
    below: Option<Box<str>>,
    field: Option<Box<str>>,
    hint: Option<Box<str>>,
    /// More fields of the JSON document, beside `error`.
    beside: Vec<(&'static str, Value)>,
}

#[derive(Serialize)]
struct ErrorWire<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

impl Failure {
    /// A failure that the command line itself finds.
    pub(crate) fn new(fault: Fault, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            fault,
            message: message.into(),
            below: None,
            field: None,
            hint: None,
            beside: Vec::new(),
        }
    }

    /// An argument or setting that cannot be used.
    pub(crate) fn usage(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: Some(field.into()),
            ..Self::new(Fault::Caller, "usage", message)
        }
    }

    /// A file or folder that the system does not let us use.
    pub(crate) fn file(error: &std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::NotFound {
            Self::new(Fault::NotFound, "no_such_file", error.to_string())
        } else {
            Self::new(Fault::Environment, "file", error.to_string())
        }
    }

    /// Names the field at fault.
    pub(crate) fn field(mut self, field: &str) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Says what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into().into());
        self
    }

    /// Shows people more, on lines of its own.
    pub(crate) fn below(mut self, lines: impl Into<String>) -> Self {
        self.below = Some(lines.into().into());
        self
    }

    /// Says where it happened, before the message.
    pub(crate) fn within(mut self, place: &str) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }

    /// Adds a field to the JSON document, beside `error`.
    pub(crate) fn beside(mut self, name: &'static str, value: Value) -> Self {
        self.beside.push((name, value));
        self
    }

    /// Whose move it is.
    pub(crate) fn fault(&self) -> Fault {
        self.fault
    }

    /// For people. Message and hint may quote what others wrote: each stays on its line.
    pub(crate) fn text(&self) -> String {
        let message = format!("error: {}", layout::escaped(&self.message));
        let hint = self
            .hint
            .as_ref()
            .map(|hint| format!("hint: {}", layout::escaped(hint)));
        let below = self.below.as_deref().map(str::to_owned);
        let lines = [Some(message), below, hint];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    /// For programs.
    pub(crate) fn document(&self) -> Value {
        let error = ErrorWire {
            code: self.code,
            message: &self.message,
            field: self.field.as_deref(),
            hint: self.hint.as_deref(),
        };
        let beside = self.beside.iter();
        let mut document: Map<String, Value> = beside
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        if self.code == DAMAGED {
            // The whole file, beside the records that other answers name here.
            let damaged = json!([{ "record": "file", "why": self.message }]);
            document.insert("damaged".to_owned(), damaged);
        }
        document.insert("error".to_owned(), json!(error));
        Value::Object(document)
    }
}

impl<E: Diagnose> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            let cause_text = cause.to_string();
            if !message.contains(&cause_text) {
                message = format!("{message}: {cause_text}");
            }
            source = cause.source();
        }
        Self {
            field: error.field().map(Box::from),
            ..Self::new(error.fault(), error.code(), message)
        }
    }
}
