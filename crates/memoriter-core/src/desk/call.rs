//! Calls of tools, as different providers write them.

use serde_json::{Value, json};

/// A call that a model made in a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// Its id, which the result names.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What it was called with: an object, or the text that the model wrote where that was no JSON.
    pub arguments: Value,
    /// As it was stored.
    raw: Value,
}

impl ToolCall {
    /// The calls of a turn that can be told: `{"id", "function": {"name", "arguments"}}` as OpenAI writes them, or
    /// `{"id", "name", "input"}` as Anthropic does. Others are left out.
    #[must_use]
    pub fn of(calls: &Value) -> Vec<Self> {
        let calls = calls.as_array().map(Vec::as_slice).unwrap_or_default();
        calls.iter().filter_map(Self::read).collect()
    }

    fn read(call: &Value) -> Option<Self> {
        let id = call.get("id")?.as_str()?;
        let (name, arguments) = match call.get("function") {
            Some(function) => {
                let written = function.get("arguments").unwrap_or(&Value::Null);
                let arguments = match written.as_str() {
                    Some(text) => serde_json::from_str(text).unwrap_or_else(|_| written.clone()),
                    None => written.clone(),
                };
                (function.get("name")?, arguments)
            }
            None => (
                call.get("name")?,
                call.get("input").cloned().unwrap_or_default(),
            ),
        };
        Some(Self {
            id: id.to_owned(),
            name: name.as_str()?.to_owned(),
            arguments,
            raw: call.clone(),
        })
    }

    /// As OpenAI writes it; what came so is given back unchanged.
    #[must_use]
    pub fn to_openai(&self) -> Value {
        if self.raw.get("function").is_some() {
            return self.raw.clone();
        }
        let arguments = match self.arguments.as_str() {
            Some(text) => text.to_owned(),
            None => self.arguments.to_string(),
        };
        json!({"id": self.id, "type": "function", "function": {"name": self.name, "arguments": arguments}})
    }

    /// As Anthropic writes it; what came so is given back unchanged.
    #[must_use]
    pub fn to_anthropic(&self) -> Value {
        if self.raw.get("function").is_none() {
            return self.raw.clone();
        }
        let input = if self.arguments.is_object() {
            self.arguments.clone()
        } else if self.arguments.is_null() {
            json!({})
        } else {
            json!({"arguments": self.arguments})
        };
        json!({"type": "tool_use", "id": self.id, "name": self.name, "input": input})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing_are_read_and_given_back() {
        let openai = json!([{"id": "c1", "type": "function",
            "function": {"name": "search", "arguments": "{\"q\": \"tea\"}"}}]);
        let anthropic =
            json!([{"type": "tool_use", "id": "c1", "name": "search", "input": {"q": "tea"}}]);
        let (from_openai, from_anthropic) = (ToolCall::of(&openai), ToolCall::of(&anthropic));
        assert_eq!(from_openai[0].to_openai(), openai[0]);
        assert_eq!(from_openai[0].to_anthropic(), anthropic[0]);
        assert_eq!(from_anthropic[0].to_anthropic(), anthropic[0]);
        assert_eq!(
            from_anthropic[0].to_openai()["function"]["arguments"],
            "{\"q\":\"tea\"}"
        );
    }

    #[test]
    fn what_a_model_wrote_wrongly_is_kept_as_text() {
        let calls =
            ToolCall::of(&json!([{"id": "c", "function": {"name": "f", "arguments": "{q: tea"}}]));
        assert_eq!(calls[0].arguments, "{q: tea");
        assert_eq!(calls[0].to_anthropic()["input"]["arguments"], "{q: tea");
    }

    #[test]
    fn what_is_no_call_is_left_out() {
        for calls in [
            json!(null),
            json!({}),
            json!([1, {"id": "c"}, {"name": "f"}, {"id": 3, "name": "f"}]),
        ] {
            assert!(ToolCall::of(&calls).is_empty(), "{calls}");
        }
    }
}
