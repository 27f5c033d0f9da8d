//! A JSON value that knows its place, so that every complaint about it can name one.

use std::fmt;

use memoriter_core::error::{InvalidInput, check_some_text};
use memoriter_core::turn::{Message, SessionName};
use serde_json::Value;

use super::error::{ImportError, Place};

/// A value together with the way to it. Cheap to copy: the way is written out only for an error.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    value: &'a Value,
    line: u64,
    path: Path<'a>,
}

#[derive(Clone, Copy)]
enum Path<'a> {
    Root,
    Field(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl<'a> Node<'a> {
    /// A value that stands by itself on `line`, or as element `index` of the array that the file is.
    pub(crate) fn root(value: &'a Value, line: u64, index: Option<usize>) -> Self {
        let path = index.map_or(Path::Root, |index| Path::Index(&Path::Root, index));
        Self { value, line, path }
    }

    pub(crate) fn value(&self) -> &'a Value {
        self.value
    }

    /// Whether the file is an array and this is one of its elements.
    pub(crate) fn is_element_of_file(&self) -> bool {
        matches!(self.path, Path::Index(Path::Root, _))
    }

    /// The field, unless it is absent or null.
    pub(crate) fn get<'b>(&'b self, name: &'b str) -> Result<Option<Node<'b>>, ImportError> {
        let Value::Object(fields) = self.value else {
            return Err(self.unexpected("an object"));
        };
        Ok(fields
            .get(name)
            .filter(|value| !value.is_null())
            .map(|value| Node {
                value,
                line: self.line,
                path: Path::Field(&self.path, name),
            }))
    }

    /// The field, which must be there and not null.
    pub(crate) fn need<'b>(&'b self, name: &'b str) -> Result<Node<'b>, ImportError> {
        self.get(name)?.ok_or_else(|| self.missing(name))
    }

    /// The field's text, if it is there.
    pub(crate) fn get_text<'b>(&'b self, name: &'b str) -> Result<Option<&'b str>, ImportError> {
        self.get(name)?.map(|node| node.text()).transpose()
    }

    /// The field's text, which must be there.
    pub(crate) fn need_text<'b>(&'b self, name: &'b str) -> Result<&'b str, ImportError> {
        self.need(name)?.text()
    }

    /// The names of an object's fields, sorted.
    pub(crate) fn names(&self) -> Result<impl Iterator<Item = &'a str> + use<'a>, ImportError> {
        match self.value {
            Value::Object(fields) => Ok(fields.keys().map(String::as_str)),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Err(self.unexpected("an object")),
        }
    }

    /// An object may hold these fields and no others.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), ImportError> {
        match self.names()?.find(|name| !known.contains(name)) {
            None => Ok(()),
            Some(name) => Err(ImportError::UnknownField {
                place: self.place(),
                field: name.to_owned(),
                known: known.join(", "),
            }),
        }
    }

    /// The elements of an array.
    pub(crate) fn items(&self) -> Result<impl ExactSizeIterator<Item = Node<'_>>, ImportError> {
        let Value::Array(items) = self.value else {
            return Err(self.unexpected("an array"));
        };
        Ok(items.iter().enumerate().map(|(index, value)| Node {
            value,
            line: self.line,
            path: Path::Index(&self.path, index),
        }))
    }

    pub(crate) fn text(&self) -> Result<&'a str, ImportError> {
        self.value
            .as_str()
            .ok_or_else(|| self.unexpected("a string"))
    }

    pub(crate) fn flag(&self) -> Result<bool, ImportError> {
        self.value
            .as_bool()
            .ok_or_else(|| self.unexpected("true or false"))
    }

    /// The text as the name of a session.
    pub(crate) fn session(&self) -> Result<SessionName, ImportError> {
        self.valid(SessionName::new(self.text()?))
    }

    /// The text as a name: some text of at most `limit` bytes.
    pub(crate) fn name(&self, field: &'static str, limit: usize) -> Result<String, ImportError> {
        let text = self.text()?;
        self.valid(check_some_text(field, text, limit))?;
        Ok(text.to_owned())
    }

    /// A message that was read from here, within every limit of what comes in.
    pub(crate) fn checked(&self, message: Message) -> Result<Message, ImportError> {
        self.valid(message.check_incoming())?;
        Ok(message)
    }

    /// Gives a broken rule its place.
    pub(crate) fn valid<T>(&self, result: Result<T, InvalidInput>) -> Result<T, ImportError> {
        result.map_err(|invalid| ImportError::Invalid {
            place: self.place(),
            invalid,
        })
    }

    pub(crate) fn missing(&self, field: &str) -> ImportError {
        ImportError::Missing {
            place: self.place(),
            field: field.to_owned(),
        }
    }

    pub(crate) fn unexpected(&self, expected: impl Into<String>) -> ImportError {
        ImportError::Unexpected {
            place: self.place(),
            expected: expected.into(),
            got: describe(self.value),
        }
    }

    pub(crate) fn place(&self) -> Place {
        let path = self.path.to_string();
        Place {
            line: self.line,
            path: path.trim_start_matches('.').to_owned(),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(parent, name) => write!(f, "{parent}.{name}"),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// A scalar, or the start of it, or the type of a value, for the end of a sentence.
fn describe(value: &Value) -> String {
    const QUOTED_CHARS_MAX: usize = 60;
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.chars().nth(QUOTED_CHARS_MAX).is_none() => format!("`{text}`"),
        Value::String(text) => {
            let start: String = text.chars().take(QUOTED_CHARS_MAX).collect();
            format!("`{start}…`")
        }
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
