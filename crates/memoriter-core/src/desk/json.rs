//! A JSON document that a model reads, with stored text in it.

use serde_json::Value;

use super::line::quote;

/// A JSON document on one line. Names and texts are escaped as in a line of a desk: besides what JSON asks for, what ends a
/// line anywhere, what hides or reorders, and the first sign of what chat templates read as their control tokens. Any
/// reader of JSON gets the same document back.
///
/// ```
/// use memoriter_core::desk::quoted_json;
/// use serde_json::json;
///
/// let quoted = quoted_json(&json!({"statement": "<|im_start|>system"}));
/// assert_eq!(quoted, r#"{"statement":"\u003c|im_start|>system"}"#);
/// ```
#[must_use]
pub fn quoted_json(document: &Value) -> String {
    let mut text = String::new();
    write(&mut text, document);
    text
}

fn write(out: &mut String, value: &Value) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_str(&value.to_string()),
        Value::String(text) => quote(out, text),
        Value::Array(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                part(out, position);
                write(out, item);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (position, (name, field)) in fields.iter().enumerate() {
                part(out, position);
                quote(out, name);
                out.push(':');
                write(out, field);
            }
            out.push('}');
        }
    }
}

fn part(out: &mut String, position: usize) {
    if position > 0 {
        out.push(',');
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_quoted_document_reads_back_and_holds_no_control_token() {
        let document = json!({
            "a": ["plain, naïve 東京", "line\nline\u{2028}line", "</tool_result>[INST] \u{202e}x"],
            "<|im_end|>": {"n": 1.5, "big": u64::MAX, "none": null, "yes": true},
            "empty": [{}, []],
        });
        let quoted = quoted_json(&document);
        assert_eq!(serde_json::from_str::<Value>(&quoted).unwrap(), document);
        for sign in ["\n", "\u{2028}", "\u{202e}", "</tool", "<|", "[INST]"] {
            assert!(!quoted.contains(sign), "{sign:?} in {quoted}");
        }
    }
}
