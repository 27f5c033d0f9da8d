//! How a provider wrote a message: kept so that it can be given back as it came.

use serde_json::{Map, Value, json};

use super::TURN_BYTES_MAX;
use crate::attachment::AttachmentId;
use crate::error::{InvalidInput, check_text};
use crate::metadata::holds_nul;
use crate::provenance::words;

/// Bytes of JSON that what is kept of a written message may have: a turn's text, escaped and with room for the rest.
pub const WRITTEN_BYTES_MAX: usize = 2 * TURN_BYTES_MAX;
/// Levels of nesting that JSON in a turn may have: a reader of JSON that guards its stack takes 128.
pub const JSON_DEPTH_MAX: usize = 100;
/// Parts of one message that may be attachments.
pub const ATTACHED_MAX: usize = 256;

words! {
    /// The provider's shape of a message.
    Shape, "format", "openai or anthropic" {
        /// Messages of OpenAI's chat completions.
        OpenAi = "openai",
        /// Messages of Anthropic's API.
        Anthropic = "anthropic",
    }
}

/// What a turn keeps of the message that it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// Whose shape it came in.
    pub shape: Shape,
    /// The message, where the turn's other fields do not say all of it; of one that became several turns, the part
    /// that this turn is.
    pub message: Option<Value>,
    /// Whether it is of the same message as the turn before it.
    pub continues: bool,
    /// What stands elsewhere.
    pub attached: Vec<Attached>,
}

/// A text inside a message that is kept as an attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    /// Where in the message it stands: a JSON pointer (RFC 6901).
    pub at: String,
    /// The attachment.
    pub id: AttachmentId,
    /// Bytes of the attachment.
    pub bytes: usize,
    /// How the text is made of the bytes.
    pub encoding: Encoding,
}

/// How bytes stand in JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// They are the text.
    Text,
    /// In base64, behind a beginning such as `data:image/png;base64,`.
    Base64 {
        /// What stands before it; often nothing.
        before: String,
    },
}

impl Written {
    /// A message that the turn's other fields say all of.
    #[must_use]
    pub fn plain(shape: Shape) -> Self {
        Self {
            shape,
            message: None,
            continues: false,
            attached: Vec::new(),
        }
    }

    /// As JSON, for a store.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("shape".into(), self.shape.as_str().into());
        if let Some(message) = &self.message {
            fields.insert("message".into(), message.clone());
        }
        if self.continues {
            fields.insert("continues".into(), true.into());
        }
        if !self.attached.is_empty() {
            let attached = self.attached.iter().map(Attached::to_json);
            fields.insert("attached".into(), attached.collect());
        }
        Value::Object(fields)
    }

    /// Reads [`Written::to_json`].
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] when it is other JSON.
    pub fn from_json(json: &Value) -> Result<Self, InvalidInput> {
        Self::read(json).ok_or_else(|| {
            InvalidInput::malformed("written", "what a turn keeps of a message", "other JSON")
        })
    }

    fn read(json: &Value) -> Option<Self> {
        let attached = match json.get("attached") {
            None => Vec::new(),
            Some(list) => list
                .as_array()?
                .iter()
                .map(Attached::read)
                .collect::<Option<_>>()?,
        };
        Some(Self {
            shape: Shape::parse(json.get("shape")?.as_str()?).ok()?,
            message: json.get("message").cloned(),
            continues: match json.get("continues") {
                None => false,
                Some(flag) => flag.as_bool()?,
            },
            attached,
        })
    }

    /// Checks every limit.
    ///
    /// # Errors
    /// [`InvalidInput`] naming the field and the limit.
    pub fn check(&self) -> Result<(), InvalidInput> {
        if self.attached.len() > ATTACHED_MAX {
            return Err(InvalidInput::OverLimit {
                field: "attached",
                got: self.attached.len(),
                limit: ATTACHED_MAX,
                unit: "attachments",
            });
        }
        match &self.message {
            Some(message) => check_json("message", message, WRITTEN_BYTES_MAX),
            None => Ok(()),
        }
    }
}

impl Attached {
    fn to_json(&self) -> Value {
        let mut json = json!({"at": self.at, "id": self.id.to_string(), "bytes": self.bytes});
        if let (Encoding::Base64 { before }, Some(fields)) = (&self.encoding, json.as_object_mut())
        {
            fields.insert("base64".into(), before.as_str().into());
        }
        json
    }

    fn read(json: &Value) -> Option<Self> {
        Some(Self {
            at: json.get("at")?.as_str()?.to_owned(),
            id: json.get("id")?.as_str()?.parse().ok()?,
            bytes: usize::try_from(json.get("bytes")?.as_u64()?).ok()?,
            encoding: match json.get("base64") {
                None => Encoding::Text,
                Some(before) => Encoding::Base64 {
                    before: before.as_str()?.to_owned(),
                },
            },
        })
    }
}

/// Checks that JSON fits a number of bytes, can be read back and holds no NUL.
pub(super) fn check_json(
    field: &'static str,
    json: &Value,
    bytes_max: usize,
) -> Result<(), InvalidInput> {
    // Before anything walks down it: writing it out does so as well.
    if is_deeper_than(json, JSON_DEPTH_MAX) {
        return Err(InvalidInput::OverLimit {
            field,
            got: JSON_DEPTH_MAX + 1,
            limit: JSON_DEPTH_MAX,
            unit: "levels",
        });
    }
    check_text(field, &json.to_string(), bytes_max)?;
    if holds_nul(json) {
        return Err(InvalidInput::Nul { field, at: 0 });
    }
    Ok(())
}

fn is_deeper_than(json: &Value, levels: usize) -> bool {
    match json {
        Value::Array(items) => {
            levels == 0 || items.iter().any(|item| is_deeper_than(item, levels - 1))
        }
        Value::Object(fields) => {
            levels == 0
                || fields
                    .values()
                    .any(|value| is_deeper_than(value, levels - 1))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_reads_back() {
        let attached = |encoding| Attached {
            at: "/content/0/text".into(),
            id: AttachmentId::from_bytes([7; 16]),
            bytes: 12,
            encoding,
        };
        let before = "data:image/png;base64,".to_owned();
        let full = Written {
            shape: Shape::Anthropic,
            message: Some(json!({"role": "user", "content": [null, 1.5]})),
            continues: true,
            attached: vec![
                attached(Encoding::Text),
                attached(Encoding::Base64 { before }),
            ],
        };
        for written in [full, Written::plain(Shape::OpenAi)] {
            assert_eq!(Written::from_json(&written.to_json()), Ok(written));
        }
        for other in [
            json!(null),
            json!({"shape": "mine"}),
            json!({"shape": "openai", "attached": [1]}),
        ] {
            assert!(Written::from_json(&other).is_err(), "{other}");
        }
    }

    #[test]
    fn json_that_could_not_be_read_back_is_over_a_limit() {
        let nested = |levels| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        assert!(check_json("message", &nested(JSON_DEPTH_MAX), 1_000).is_ok());
        let error = check_json("message", &nested(JSON_DEPTH_MAX + 1), 1_000).unwrap_err();
        assert_eq!(
            error.to_string(),
            "message is 101 levels, over the limit of 100 levels"
        );
        assert!(check_json("message", &json!("a\0"), 1_000).is_err());
        assert!(check_json("message", &json!("abc"), 4).is_err());
    }
}
