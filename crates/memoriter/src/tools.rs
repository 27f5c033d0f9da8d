//! Tools by which a model pages its own context: it searches, fetches what was said or is too long to show, pins, and
//! rewrites blocks of its profile.
//!
//! [`definitions`] are offered to a model, and [`Tools::call`] carries out what it asks for. Each tool has a typed request
//! and answer. Everything happens in the scope of the handle that the tools are made of, and nothing a model says changes
//! that; what it writes has origin agent and passes the guard and the rules of trust. Errors are sentences that a
//! model can act on.

mod answer;
mod request;
#[cfg(test)]
mod tests;

use std::str::FromStr;

use memoriter_core::attachment::Handle;
use memoriter_core::error::{Diagnose, Fault, InvalidInput};
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::Kind;
use memoriter_core::provenance::Origin;
use memoriter_core::query::Records;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{SessionName, Shape, Turn};
use memoriter_store::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::error::Error;
use crate::handle::ScopedMemory;

pub use answer::{
    BlockAnswer, FoundAnswer, PinAnswer, SearchAnswer, StretchAnswer, TurnAnswer, TurnsAnswer,
};
pub use request::{EditBlock, FetchAttachment, FetchTurns, Pin, Search};

/// Results, and turns, that one call gives at most: what a model can read at a time.
pub const ITEMS_MAX: usize = 50;
/// Bytes of an attachment that one call gives at most.
pub const STRETCH_BYTES_MAX: usize = 64 * 1024;
/// Bytes of one text in an answer; of a longer one comes the beginning, with a handle.
pub const TEXT_BYTES_MAX: usize = 8 * 1024;
/// Bytes of a text in a result of a search.
const FOUND_BYTES_MAX: usize = 1_200;
/// A stretch that is shorter might hold no whole character.
const STRETCH_BYTES_MIN: usize = 4;

/// The tools as JSON: an array of objects with `name`, `description`, `read_only` and `parameters`, which is a JSON schema.
///
/// # Panics
/// Never: the text is part of the program, and a test reads it.
#[must_use]
pub fn definitions() -> Value {
    serde_json::from_str(include_str!("../data/tools.json")).expect("the definitions are JSON")
}

/// The tools in the shape in which a provider's API takes them.
#[must_use]
pub fn definitions_for(shape: Shape) -> Value {
    let definitions = definitions();
    let tools = definitions.as_array().into_iter().flatten();
    let shaped = tools.map(|tool| {
        let (name, description, schema) =
            (&tool["name"], &tool["description"], &tool["parameters"]);
        match shape {
            Shape::OpenAi => json!({"type": "function", "function": {
                "name": name, "description": description, "parameters": schema}}),
            Shape::Anthropic => {
                json!({"name": name, "description": description, "input_schema": schema})
            }
        }
    });
    shaped.collect()
}

/// The tools of one scope. Cheap to make.
#[derive(Clone)]
pub struct Tools {
    memory: ScopedMemory,
}

impl ScopedMemory {
    /// The tools that a model may call in this scope.
    #[must_use]
    pub fn tools(&self) -> Tools {
        Tools {
            memory: self.clone(),
        }
    }
}

/// Why a tool did nothing. As JSON it is `{"error": {"code", "message", "field"?}}`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// There is no tool of this name.
    #[error(
        "there is no tool {name}: the tools are search, fetch_turns, fetch_attachment, pin, unpin and edit_block"
    )]
    NoSuchTool {
        /// The name.
        name: String,
    },
    /// The arguments are not as the schema has them.
    #[error("the arguments of {tool} are wrong: {why}")]
    Arguments {
        /// The tool.
        tool: &'static str,
        /// What is wrong.
        why: String,
    },
    /// It could not be done.
    #[error(transparent)]
    Engine(#[from] Error),
}

impl ToolError {
    /// For a model.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut error = json!({"code": self.code(), "message": self.to_string()});
        if let (Some(field), Some(fields)) = (self.field(), error.as_object_mut()) {
            fields.insert("field".into(), field.into());
        }
        json!({"error": error})
    }
}

impl From<InvalidInput> for ToolError {
    fn from(error: InvalidInput) -> Self {
        Self::Engine(error.into())
    }
}

impl Diagnose for ToolError {
    fn code(&self) -> &'static str {
        match self {
            Self::NoSuchTool { .. } => "no_such_tool",
            Self::Arguments { .. } => "arguments",
            Self::Engine(error) => error.code(),
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::NoSuchTool { .. } => Fault::NotFound,
            Self::Arguments { .. } => Fault::Caller,
            Self::Engine(error) => error.fault(),
        }
    }

    fn field(&self) -> Option<&str> {
        match self {
            Self::NoSuchTool { .. } => Some("name"),
            Self::Arguments { .. } => None,
            Self::Engine(error) => error.field(),
        }
    }
}

impl Tools {
    /// Carries out a call by the name of the tool and its arguments.
    ///
    /// # Errors
    /// [`ToolError`]; nothing was written then.
    pub fn call(&self, name: &str, arguments: &Value) -> Result<Value, ToolError> {
        match name {
            "search" => answer(self.search(&read("search", arguments)?)?),
            "fetch_turns" => answer(self.fetch_turns(&read("fetch_turns", arguments)?)?),
            "fetch_attachment" => {
                answer(self.fetch_attachment(&read("fetch_attachment", arguments)?)?)
            }
            "pin" => answer(self.pin(&read("pin", arguments)?)?),
            "unpin" => answer(self.unpin(&read("unpin", arguments)?)?),
            "edit_block" => answer(self.edit_block(&read("edit_block", arguments)?)?),
            other => Err(ToolError::NoSuchTool {
                name: other.to_owned(),
            }),
        }
    }

    /// What bears on a question.
    ///
    /// # Errors
    /// As [`Recall::run`](crate::Recall::run), or when an argument is none.
    pub fn search(&self, request: &Search) -> Result<SearchAnswer, ToolError> {
        let top = within("k", request.k, 10, (1, ITEMS_MAX))?;
        let mut recall = self.memory.recall(&request.query).top(top);
        if let Some(kind) = &request.kind {
            recall = recall.kind(Kind::parse(kind)?);
        }
        if let Some(origin) = &request.origin {
            recall = recall.origin(Origin::parse(origin)?);
        }
        if let Some(since) = &request.since {
            recall = recall.since(instant("since", since)?);
        }
        if let Some(until) = &request.until {
            recall = recall.until(instant("until", until)?);
        }
        recall = match request.records.as_deref() {
            None => recall,
            Some("memories") => recall.records(Records::Memories),
            Some("turns") => recall.records(Records::Turns),
            Some(other) => {
                return Err(InvalidInput::malformed("records", "memories or turns", other).into());
            }
        };
        let found = recall.recollect()?;
        Ok(SearchAnswer {
            results: found.results.iter().map(FoundAnswer::from).collect(),
            considered: found.considered,
        })
    }

    /// Turns word for word.
    ///
    /// # Errors
    /// [`Error::NoSuchSession`], or when neither or both of ids and session are given, one of them is none, or the store
    /// cannot be read.
    pub fn fetch_turns(&self, request: &FetchTurns) -> Result<TurnsAnswer, ToolError> {
        match (&request.ids, &request.session) {
            (Some(ids), None) if request.from.is_none() && request.limit.is_none() => {
                self.turns_by_id(ids)
            }
            (None, Some(session)) => {
                let limit = within("limit", request.limit, 20, (1, ITEMS_MAX))?;
                let from = request.from.unwrap_or(0);
                let session = SessionName::new(session.as_str())?;
                let rows = self.memory.turns(&session, from, limit + 1)?;
                let rows = crate::draft::sound(rows).map_err(Error::from)?;
                Ok(TurnsAnswer {
                    turns: rows.iter().take(limit).map(TurnAnswer::from).collect(),
                    next_from: rows.get(limit).map(|turn| turn.position),
                    missing: Vec::new(),
                })
            }
            _ => Err(ToolError::Arguments {
                tool: "fetch_turns",
                why: "give ids alone, or session with from and limit".to_owned(),
            }),
        }
    }

    fn turns_by_id(&self, ids: &[String]) -> Result<TurnsAnswer, ToolError> {
        within("ids", Some(ids.len()), 0, (1, ITEMS_MAX))?;
        let mut found = TurnsAnswer {
            turns: Vec::new(),
            next_from: None,
            missing: Vec::new(),
        };
        for text in ids {
            let id = TurnId::from_str(text)?;
            match self.memory.turn(id)? {
                Some(turn) => found.turns.push(TurnAnswer::from(&turn)),
                None => found.missing.push(id.to_string()),
            }
        }
        Ok(found)
    }

    /// A part of a long text or a file.
    ///
    /// # Errors
    /// As [`ScopedMemory::read_handle`], or when an argument is out of range.
    pub fn fetch_attachment(&self, request: &FetchAttachment) -> Result<StretchAnswer, ToolError> {
        let handle = Handle::from_str(&request.handle)?;
        let bounds = (STRETCH_BYTES_MIN, STRETCH_BYTES_MAX);
        let length = within("length", request.length, TEXT_BYTES_MAX, bounds)?;
        let offset = request.offset.unwrap_or(0);
        let stretch = self.memory.read_handle(handle, offset, length)?;
        Ok(StretchAnswer::new(handle, &stretch))
    }

    /// Keeps a memory in view.
    ///
    /// # Errors
    /// As [`ScopedMemory::pin`].
    pub fn pin(&self, request: &Pin) -> Result<PinAnswer, ToolError> {
        let memory = self.memory.pin(request.id()?)?;
        Ok(PinAnswer::from(&memory))
    }

    /// Takes the pin from a memory.
    ///
    /// # Errors
    /// As [`ScopedMemory::unpin`].
    pub fn unpin(&self, request: &Pin) -> Result<PinAnswer, ToolError> {
        let memory = self.memory.unpin(request.id()?)?;
        Ok(PinAnswer::from(&memory))
    }

    /// Writes a block of the profile, as an agent.
    ///
    /// # Errors
    /// As [`ScopedMemory::edit_block`].
    pub fn edit_block(&self, request: &EditBlock) -> Result<BlockAnswer, ToolError> {
        let EditBlock {
            name,
            text,
            expected_version,
        } = request;
        let edit = self
            .memory
            .edit_block(name, text, *expected_version, Origin::Agent)?;
        Ok(BlockAnswer::new(name, &edit))
    }
}

impl Pin {
    fn id(&self) -> Result<MemoryId, InvalidInput> {
        MemoryId::from_str(&self.id)
    }
}

fn read<T: DeserializeOwned>(tool: &'static str, arguments: &Value) -> Result<T, ToolError> {
    let wrong = |why: String| ToolError::Arguments { tool, why };
    if !arguments.is_object() {
        return Err(wrong("they must be an object".to_owned()));
    }
    serde_json::from_value(arguments.clone()).map_err(|error| wrong(error.to_string()))
}

fn answer(answer: impl Serialize) -> Result<Value, ToolError> {
    serde_json::to_value(answer).map_err(|error| {
        ToolError::Engine(
            StoreError::System {
                doing: "writing the answer".to_owned(),
                why: error.to_string(),
            }
            .into(),
        )
    })
}

/// A number inside its bounds.
fn within(
    field: &'static str,
    given: Option<usize>,
    default: usize,
    (least, most): (usize, usize),
) -> Result<usize, InvalidInput> {
    let number = given.unwrap_or(default);
    if number > most {
        return Err(InvalidInput::OverLimit {
            field,
            got: number,
            limit: most,
            unit: "at a time",
        });
    }
    if number < least {
        let expected = if least == 1 { "1 or more" } else { "4 or more" };
        return Err(InvalidInput::malformed(
            field,
            expected,
            &number.to_string(),
        ));
    }
    Ok(number)
}

fn instant(field: &'static str, text: &str) -> Result<Timestamp, InvalidInput> {
    Ok(ZonedTime::parse(field, text)?.instant)
}

/// A text by its beginning where it is long, with the handle that reads all of it.
fn begun(text: &str, turn: Option<&Turn>, bytes_max: usize) -> (String, Option<String>) {
    if text.len() <= bytes_max {
        return (text.to_owned(), None);
    }
    let end = text.floor_char_boundary(bytes_max);
    let begins = text.get(..end).unwrap_or_default();
    let handle = turn.map(|turn| Handle::Turn(turn.id).to_string());
    (begins.to_owned(), handle)
}
