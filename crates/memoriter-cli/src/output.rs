//! Everything that is printed: data on standard output, talk on standard error.
//!
//! A command returns an [`Answer`] or a [`Failure`]; it is printed once, here, as text for people or as
//! exactly one JSON document. With `--json` a failure is a document on standard output too:
//! `{"error": {"code", "message", "field"?, "hint"?}}`.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use memoriter::Fault;
use serde::Serialize;
use serde_json::{Value, json};

use crate::config::GlobalArgs;
use crate::failure::Failure;
use crate::layout;

/// How the answer is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For people.
    Text,
    /// One JSON document.
    Json,
}

impl Form {
    /// The form that was asked for.
    pub(crate) fn of(global: &GlobalArgs) -> Self {
        if global.json { Self::Json } else { Self::Text }
    }
}

/// What a command found, in both forms.
pub(crate) struct Answer {
    document: Value,
    text: String,
    /// Set when the command ran and what it found is bad news.
    fault: Option<Fault>,
}

impl Answer {
    /// An answer from its JSON shape and its text.
    pub(crate) fn new(document: &impl Serialize, text: impl Into<String>) -> Self {
        let document = serde_json::to_value(document)
            .expect("wire structs have string keys and finite numbers");
        Self {
            document,
            text: text.into(),
            fault: None,
        }
    }

    /// The same answer with the exit code of a fault.
    pub(crate) fn with_fault(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }
}

/// Prints what came of a command and gives its exit code.
pub(crate) fn print(form: Form, outcome: Result<Answer, Failure>) -> ExitCode {
    match outcome {
        Ok(answer) => {
            let printed = match form {
                Form::Text => write_out(&layout::printable(&answer.text)),
                Form::Json => write_out(&answer.document.to_string()),
            };
            match (printed, answer.fault) {
                (Err(error), _) if error.kind() != io::ErrorKind::BrokenPipe => {
                    talk(&format!("error: writing the output failed: {error}"));
                    exit_code(Fault::Environment)
                }
                (Ok(()) | Err(_), Some(fault)) => exit_code(fault),
                (Ok(()) | Err(_), None) => ExitCode::SUCCESS,
            }
        }
        Err(failure) => print_failure(form, &failure),
    }
}

fn print_failure(form: Form, failure: &Failure) -> ExitCode {
    talk(&failure.text());
    if form == Form::Json {
        // Where even this cannot be written, the exit code still tells.
        let _ = write_out(&failure.document().to_string());
    }
    exit_code(failure.fault())
}

/// Prints help where it was asked for, else what is wrong with the command line.
pub(crate) fn print_usage(error: &clap::Error) -> ExitCode {
    match escaped_value(error) {
        Some(told) => talk(&told),
        None => {
            let _ = error.print();
        }
    }
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    if std::env::args_os().any(|argument| argument == OsStr::new("--json")) {
        let _ = write_out(&json!({ "error": usage(error) }).to_string());
    }
    exit_code(Fault::Caller)
}

/// What is wrong with a value that cannot be quoted as it is: it would steer the terminal, or not be seen.
fn escaped_value(error: &clap::Error) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        Some(_) | None => None,
    };
    let value = context(ContextKind::InvalidValue)?;
    let shown = layout::escaped(value);
    if shown == *value {
        return None;
    }
    let argument = context(ContextKind::InvalidArg)?;
    let why = std::error::Error::source(error).map_or_else(String::new, |why| {
        format!(": {}", layout::escaped(&why.to_string()))
    });
    Some(format!(
        "error: invalid value '{shown}' for '{argument}'{why}"
    ))
}

fn usage(error: &clap::Error) -> Value {
    let rendered = error.render().to_string();
    let paragraph: Vec<&str> = rendered
        .lines()
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    let message = paragraph.join(" ");
    let mut usage = json!({
        "code": "usage",
        "message": message.strip_prefix("error: ").unwrap_or(&message),
    });
    if let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg)
        && let Some(object) = usage.as_object_mut()
    {
        let name = argument.split_whitespace().next().unwrap_or_default();
        let name = name.trim_matches(|c| matches!(c, '-' | '<' | '>' | '[' | ']'));
        object.insert(
            "field".to_owned(),
            json!(name.to_lowercase().replace('-', "_")),
        );
    }
    usage
}

/// The one table from faults to exit codes.
fn exit_code(fault: Fault) -> ExitCode {
    ExitCode::from(match fault {
        Fault::Environment | Fault::Bug => 1,
        Fault::Caller => 2,
        Fault::NotFound => 3,
        Fault::Refused => 4,
    })
}

fn write_out(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.is_empty() && !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Says something to the person at the terminal.
pub(crate) fn talk(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", layout::printable(text));
}
