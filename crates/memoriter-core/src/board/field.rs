//! A field and what may be written to it.

use serde_json::Value;

use crate::error::{InvalidInput, check_some_text};
use crate::id::ChangeNumber;
use crate::metadata::{depth, holds_nul, sorted};
use crate::provenance::{SourceRef, words};
use crate::scope::Scope;
use crate::time::Timestamp;
use crate::turn::{NAME_BYTES_MAX, SessionName};

/// Bytes of canonical JSON that a value may have: state that code reads at a glance. Larger things are turns,
/// memories or the bytes of a checkpoint.
pub const FIELD_VALUE_BYTES_MAX: usize = 64 * 1024;
/// Levels of nesting that a value may have, as metadata has; a list of scalars has one.
pub const FIELD_DEPTH_MAX: usize = 8;
/// Fields of a board: it is read as a whole for every desk.
pub const BOARD_FIELDS_MAX: usize = 1_000;
/// Names that fields of a board ever had: a removed field leaves its revision, so that it goes on where it is written
/// again.
pub const BOARD_NAMES_MAX: usize = 10_000;

words! {
    /// What a field may hold.
    FieldType, "type", "any, string, number, bool, list or object" {
        /// Any JSON value.
        Any = "any",
        /// A text.
        String = "string",
        /// A number.
        Number = "number",
        /// True or false.
        Bool = "bool",
        /// A list.
        List = "list",
        /// An object.
        Object = "object",
    }
}

impl FieldType {
    /// The type of a value; [`FieldType::Any`] for null.
    #[must_use]
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Any,
            Value::Bool(_) => Self::Bool,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }

    /// Whether a field of this type may hold the value.
    #[must_use]
    pub fn accepts(self, value: &Value) -> bool {
        self == Self::Any || self == Self::of(value)
    }

    /// The type with its article.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Any => "null",
            Self::String => "a string",
            Self::Number => "a number",
            Self::Bool => "a bool",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }
}

words! {
    /// How a write meets what a field holds.
    MergeRule, "rule", "replace, append, max or union" {
        /// The new value takes the place of the old one.
        Replace = "replace",
        /// The new value becomes the last item of the list.
        Append = "append",
        /// The greater of two numbers stays.
        Max = "max",
        /// Items of the new list that the old one lacks are added, in order of first arrival.
        Union = "union",
    }
}

/// What was agreed about a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What it may hold.
    pub kind: FieldType,
    /// How writes meet that do not say otherwise.
    pub rule: MergeRule,
    /// Who alone may write; anybody where it is `None`.
    pub owner: Option<String>,
    /// Whether a desk always shows it, such as a goal or a constraint.
    pub is_protected: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            kind: FieldType::Any,
            rule: MergeRule::Replace,
            owner: None,
            is_protected: false,
        }
    }
}

/// A named value of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Who the board belongs to.
    pub scope: Scope,
    /// The board, by the name of its session.
    pub session: SessionName,
    /// Its name.
    pub name: String,
    /// What was agreed about it.
    pub terms: Terms,
    /// What it holds, with the keys of objects in order; `None` once it was removed.
    pub value: Option<Value>,
    /// How often it was written or removed, from 1.
    pub revision: u64,
    /// What the value was taken from.
    pub source: Option<SourceRef>,
    /// Who wrote it, if that was said.
    pub actor: Option<String>,
    /// When it was written.
    pub at: Timestamp,
    /// When in the order of everything; 0 before it is stored.
    pub change: ChangeNumber,
}

impl Field {
    /// Checks every limit.
    ///
    /// # Errors
    /// [`InvalidInput`] naming the limit.
    pub fn check(&self) -> Result<(), InvalidInput> {
        check_name(&self.name)?;
        for (field, text) in [("owner", &self.terms.owner), ("actor", &self.actor)] {
            if let Some(text) = text {
                check_some_text(field, text, NAME_BYTES_MAX)?;
            }
        }
        self.value.iter().try_for_each(check_value)
    }

    /// The value as canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> Option<String> {
        self.value.as_ref().map(ToString::to_string)
    }
}

/// A value with the keys of its objects in order: equal values have one spelling.
pub(super) fn canonical(value: Value) -> Value {
    sorted(value)
}

pub(super) fn check_name(name: &str) -> Result<(), InvalidInput> {
    check_some_text("field", name, NAME_BYTES_MAX)
}

pub(super) fn check_value(value: &Value) -> Result<(), InvalidInput> {
    let over = |got, limit, unit| {
        Err(InvalidInput::OverLimit {
            field: "value",
            got,
            limit,
            unit,
        })
    };
    let levels = depth(value);
    if levels > FIELD_DEPTH_MAX {
        return over(levels, FIELD_DEPTH_MAX, "levels");
    }
    let bytes = value.to_string().len();
    if bytes > FIELD_VALUE_BYTES_MAX {
        return over(bytes, FIELD_VALUE_BYTES_MAX, "bytes");
    }
    if holds_nul(value) {
        return Err(InvalidInput::Nul {
            field: "value",
            at: 0,
        });
    }
    Ok(())
}
