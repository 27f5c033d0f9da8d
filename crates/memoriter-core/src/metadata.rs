//! Typed JSON that travels with a record and can be filtered by.

use serde_json::{Map, Value};

use crate::error::InvalidInput;

/// Bytes of canonical JSON that metadata may have.
pub const METADATA_BYTES_MAX: usize = 16 * 1024;
/// Levels of nesting that metadata may have; an object of scalars has one.
pub const METADATA_DEPTH_MAX: usize = 8;

/// A JSON object with sorted keys, within [`METADATA_BYTES_MAX`] and [`METADATA_DEPTH_MAX`], without NUL.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata(Map<String, Value>);

impl Metadata {
    /// Checks and wraps an object.
    ///
    /// # Errors
    /// [`InvalidInput`] when it is over a limit or a text in it holds NUL.
    pub fn new(object: Map<String, Value>) -> Result<Self, InvalidInput> {
        let depth = object.values().map(depth).max().unwrap_or(0) + 1;
        if depth > METADATA_DEPTH_MAX {
            return Err(InvalidInput::OverLimit {
                field: "metadata",
                got: depth,
                limit: METADATA_DEPTH_MAX,
                unit: "levels",
            });
        }
        let fields = object
            .into_iter()
            .map(|(name, value)| (name, sorted(value)));
        let mut object: Map<String, Value> = fields.collect();
        object.sort_keys();
        let metadata = Self(object);
        let json = metadata.to_json();
        if json.len() > METADATA_BYTES_MAX {
            return Err(InvalidInput::OverLimit {
                field: "metadata",
                got: json.len(),
                limit: METADATA_BYTES_MAX,
                unit: "bytes",
            });
        }
        if metadata
            .0
            .iter()
            .any(|(name, value)| name.contains('\0') || holds_nul(value))
        {
            return Err(InvalidInput::Nul {
                field: "metadata",
                at: 0,
            });
        }
        Ok(metadata)
    }

    /// The object.
    #[must_use]
    pub fn as_object(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Canonical JSON: sorted keys, no white space.
    ///
    /// # Panics
    /// Never: every JSON object can be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.0).expect("every JSON object can be written")
    }

    /// Reads canonical JSON; the empty text is empty metadata.
    ///
    /// # Errors
    /// [`InvalidInput`] when the text is not a JSON object within the limits.
    pub fn from_json(text: &str) -> Result<Self, InvalidInput> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        match serde_json::from_str(text) {
            Ok(Value::Object(object)) => Self::new(object),
            Ok(_) | Err(_) => Err(InvalidInput::malformed("metadata", "a JSON object", text)),
        }
    }
}

/// A value with the keys of its objects in order, so that equal values have one spelling: `serde_json` keeps the
/// order of arrival where any crate of a program asks for it.
pub(crate) fn sorted(mut value: Value) -> Value {
    value.sort_all_objects();
    value
}

/// Whether a text in a JSON value holds U+0000.
pub(crate) fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(holds_nul),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, value)| name.contains('\0') || holds_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Levels of nesting of a value; 0 for a scalar.
pub(crate) fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_named() {
        let deep = (0..8).fold(Value::from(1), |inner, _| serde_json::json!([inner]));
        let error = Metadata::new(Map::from_iter([("k".into(), deep)])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "metadata is 9 levels, over the limit of 8 levels"
        );
        let long = Value::from("x".repeat(METADATA_BYTES_MAX));
        assert!(Metadata::new(Map::from_iter([("k".into(), long)])).is_err());
        assert!(Metadata::new(Map::from_iter([("k".into(), Value::from("a\0"))])).is_err());
        assert!(Metadata::new(Map::from_iter([("k".into(), Value::from("a\\u0000"))])).is_ok());
    }

    #[test]
    fn json_is_canonical() {
        let metadata = Metadata::from_json(r#"{ "b": 1, "a": [true, null] }"#).unwrap();
        assert_eq!(metadata.to_json(), r#"{"a":[true,null],"b":1}"#);
        assert_eq!(Metadata::from_json(&metadata.to_json()), Ok(metadata));
    }
}
