//! Asking a language model for JSON: one call, and again with the error where the answer does not fit.
//!
//! Services that enforce a schema answer in form; others wrap the JSON in prose, leave it open, or answer something
//! else. What cannot be read is shown to the model with what is wrong with it.

use serde_json::Value;

use crate::port::language_model::{
    AnswerForm, LanguageModel, ModelError, ModelMessage, ModelRequest, ModelRole,
};

/// How often a model is asked for one thing: once, and twice more with its error. What it does not mend then it
/// hardly ever does.
const ASKS_MAX: usize = 3;
/// Bytes of a useless answer that are shown to the model again.
const SHOWN_BYTES_MAX: usize = 4 * 1024;
/// Places in a text at which an object is looked for: prose has few braces.
const OBJECT_STARTS_MAX: usize = 64;

/// What to ask.
pub(crate) struct Question<'a> {
    pub(crate) purpose: &'a str,
    pub(crate) system: &'a str,
    pub(crate) material: String,
    pub(crate) form: &'a AnswerForm,
    pub(crate) output_tokens_max: u32,
}

/// Asks until `read` takes the answer; it says in a sentence for the model what is wrong with one.
///
/// # Errors
/// As [`LanguageModel::answer`], and [`ModelError::Answer`] with the last complaint.
pub(crate) fn ask<T>(
    model: &dyn LanguageModel,
    question: Question<'_>,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Result<T, ModelError> {
    let mut messages = vec![message(ModelRole::Application, question.material)];
    let mut complaint = String::new();
    for _ in 0..ASKS_MAX {
        let answered = model.answer(&ModelRequest {
            purpose: question.purpose,
            system: question.system,
            messages: &messages,
            form: question.form,
            output_tokens_max: question.output_tokens_max,
        });
        let text = match answered {
            Ok(answer) => answer.text,
            // Empty or cut off: there is nothing to show, and it can be mended like any other.
            Err(ModelError::Answer { why }) => {
                complaint = why;
                String::new()
            }
            Err(error) => return Err(error),
        };
        if !text.is_empty() {
            match object_in(&text).and_then(|object| read(&object)) {
                Ok(read) => return Ok(read),
                Err(wrong) => complaint = wrong,
            }
        }
        messages.truncate(1);
        messages.push(message(ModelRole::Model, beginning(&text)));
        messages.push(message(
            ModelRole::Application,
            format!("That cannot be used: {complaint}. Answer again: one JSON object in the form asked for, nothing else."),
        ));
    }
    Err(ModelError::Answer { why: complaint })
}

fn message(from: ModelRole, text: String) -> ModelMessage {
    ModelMessage { from, text }
}

/// The first JSON object in a text, whatever stands around it; what a model thinks aloud before its answer is none.
fn object_in(text: &str) -> Result<Value, String> {
    let text = text
        .rsplit_once("</think>")
        .map_or(text, |(_, answer)| answer);
    let starts = text.match_indices('{').take(OBJECT_STARTS_MAX);
    let mut first_error = None;
    for (start, _) in starts {
        let rest = text.get(start..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(object)) => return Ok(object),
            Some(Err(error)) => {
                first_error.get_or_insert(error);
            }
            None => {}
        }
    }
    Err(match first_error {
        Some(error) => format!("it is not JSON: {error}"),
        None => "there is no JSON object in it".to_owned(),
    })
}

/// What of a text is shown again; models need a text that is not empty.
fn beginning(text: &str) -> String {
    let end = text.floor_char_boundary(SHOWN_BYTES_MAX);
    match text.get(..end) {
        None | Some("") => "(nothing)".to_owned(),
        Some(text) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let found = object_in(text).ok().map(|object| object.to_string());
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn an_object_is_found_in_whatever_stands_around_it() {
        check(r#"{"facts":[]}"#, Some(r#"{"facts":[]}"#));
        check(
            "Sure!\n```json\n{\"a\": 1}\n```\nAnything else?",
            Some(r#"{"a":1}"#),
        );
        check(
            "The set {x, y} gives {\"a\":{\"b\":2}} here",
            Some(r#"{"a":{"b":2}}"#),
        );
        check(
            "<think>maybe {\"a\":1}</think>{\"a\":2}",
            Some(r#"{"a":2}"#),
        );
        check(r#"{"a": 1"#, None);
        check("I cannot do that.", None);
        check("", None);
    }
}
