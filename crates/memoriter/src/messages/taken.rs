//! What of a message becomes an attachment: bytes in base64, and results of tools that are too long.

use memoriter_core::attachment::MediaType;
use memoriter_core::message::media::{data_url, decode};
use memoriter_core::turn::{Encoding, Shape};
use serde_json::{Map, Value};

use crate::prepared::kind_of;

/// A result's text that is shorter stays: its note would save nothing.
pub(crate) const ATTACH_BYTES_MIN: usize = 2_048;

/// Names of what a model wrote or a tool gets: it is theirs, whatever it looks like.
const ARGUMENTS: [&str; 4] = ["input", "arguments", "tool_calls", "function_call"];

/// Something that was in a message.
pub(super) struct Taken {
    /// Where it stood: a JSON pointer.
    pub(super) at: String,
    pub(super) media_type: MediaType,
    pub(super) bytes: Vec<u8>,
    pub(super) encoding: Encoding,
}

/// Takes bytes in base64 out of a message; nothing stands in their place.
pub(super) fn media(message: &mut Value) -> Vec<Taken> {
    let mut taken = Vec::new();
    walk(message, "", &mut taken);
    for part in &taken {
        if let Some(place) = message.pointer_mut(&part.at) {
            *place = Value::from("");
        }
    }
    taken
}

fn walk(value: &Value, at: &str, taken: &mut Vec<Taken>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if ARGUMENTS.contains(&name.as_str()) {
                    continue;
                }
                let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                match value.as_str().and_then(|text| bytes_in(fields, name, text)) {
                    Some((media_type, bytes, encoding)) => taken.push(Taken {
                        at,
                        media_type,
                        bytes,
                        encoding,
                    }),
                    None => walk(value, &at, taken),
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &format!("{at}/{index}"), taken);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The bytes in a field, where that is one for them: `data` beside a type of base64 or a format of sound, or an address that
/// holds its data. A text that a person wrote is none.
fn bytes_in(
    fields: &Map<String, Value>,
    name: &str,
    text: &str,
) -> Option<(MediaType, Vec<u8>, Encoding)> {
    let beside = |name: &str| fields.get(name).and_then(Value::as_str);
    if matches!(name, "url" | "image_url" | "file_data")
        && let Some((before, media_type, data)) = data_url(text)
    {
        let before = before.to_owned();
        return Some((media_type, decode(data)?, Encoding::Base64 { before }));
    }
    if name != "data" && name != "file_data" {
        return None;
    }
    let before = String::new();
    let is_said = beside("type") == Some("base64")
        || beside("format").is_some()
        || beside("transcript").is_some()
        || name == "file_data";
    let bytes = is_said.then(|| decode(text)).flatten()?;
    let said = beside("media_type").and_then(|kind| MediaType::new(kind).ok());
    let sound = beside("format").and_then(|kind| MediaType::new(&format!("audio/{kind}")).ok());
    let media_type = said.or(sound).unwrap_or_else(|| kind_of(&bytes));
    Some((media_type, bytes, Encoding::Base64 { before }))
}

/// Places of the texts of tools' results that are to be attachments, so that no result has more than `over` bytes left:
/// of each result the longest texts.
pub(super) fn long_results(message: &Value, shape: Shape, over: usize) -> Vec<String> {
    let mut places = Vec::new();
    for content_at in results(message, shape) {
        let Some(content) = message.pointer(&content_at) else {
            continue;
        };
        let mut texts: Vec<(usize, String)> = match content {
            Value::String(text) => vec![(text.len(), content_at)],
            Value::Array(parts) => {
                let texts = parts.iter().enumerate().filter_map(|(index, part)| {
                    let text = part.get("text")?.as_str()?;
                    Some((text.len(), format!("{content_at}/{index}/text")))
                });
                texts.collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
        };
        let mut left: usize = texts.iter().map(|(length, _)| length).sum();
        texts.sort_by(|a, b| b.cmp(a));
        for (length, at) in texts {
            if left <= over || length < ATTACH_BYTES_MIN {
                break;
            }
            left -= length;
            places.push(at);
        }
    }
    places
}

/// Where the content of tools' results stands.
fn results(message: &Value, shape: Shape) -> Vec<String> {
    let kind = |value: &Value, name: &str| {
        let word = value.get(name).and_then(Value::as_str);
        word.unwrap_or_default().to_owned()
    };
    match shape {
        Shape::OpenAi if matches!(&*kind(message, "role"), "tool" | "function") => {
            vec!["/content".to_owned()]
        }
        Shape::OpenAi => Vec::new(),
        Shape::Anthropic => {
            let blocks = message.get("content").and_then(Value::as_array);
            let blocks = blocks.into_iter().flatten().enumerate();
            let results = blocks.filter(|(_, block)| kind(block, "type").ends_with("tool_result"));
            results
                .map(|(index, _)| format!("/content/{index}/content"))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn finds(mut message: Value, expected: &[(&str, &str, &str)]) {
        let whole = message.clone();
        let taken = media(&mut message);
        let found: Vec<(&str, &str, &str)> = taken
            .iter()
            .map(|part| {
                let Encoding::Base64 { before } = &part.encoding else {
                    panic!("{}", part.at)
                };
                (&*part.at, part.media_type.as_str(), &**before)
            })
            .collect();
        assert_eq!(found, expected, "{whole}");
        for part in &taken {
            assert_eq!(message.pointer(&part.at), Some(&json!("")));
        }
    }

    #[test]
    fn bytes_in_base64_are_found_in_every_shape() {
        let url = "data:image/png;base64,AA==";
        finds(
            json!({"content": [
                {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "AA=="}},
                {"type": "image_url", "image_url": {"url": url}},
                {"type": "input_image", "image_url": url},
                {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}},
                {"type": "file", "file": {"file_data": url, "filename": "a/b"}},
                {"type": "tool_result", "content": [{"source": {"type": "base64", "data": "AA=="}}]}]}),
            &[
                ("/content/0/source/data", "image/gif", ""),
                (
                    "/content/1/image_url/url",
                    "image/png",
                    "data:image/png;base64,",
                ),
                (
                    "/content/2/image_url",
                    "image/png",
                    "data:image/png;base64,",
                ),
                ("/content/3/input_audio/data", "audio/wav", ""),
                (
                    "/content/4/file/file_data",
                    "image/png",
                    "data:image/png;base64,",
                ),
                ("/content/5/content/0/source/data", "text/plain", ""),
            ],
        );
        // A text, arguments of a tool, a plain address, data that would not come back the same.
        finds(
            json!({"content": [
                {"type": "text", "text": url, "data": "AA=="},
                {"type": "tool_use", "input": {"url": url}},
                {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
                {"source": {"type": "base64", "data": "AB=="}}]}),
            &[],
        );
    }

    #[test]
    fn of_a_long_result_the_longest_texts_are_attached() {
        let long = |length: usize| "x".repeat(length);
        let openai = json!({"role": "tool", "content": long(5_000)});
        assert_eq!(long_results(&openai, Shape::OpenAi, 4_999), ["/content"]);
        assert!(long_results(&openai, Shape::OpenAi, 5_000).is_empty());
        let parts = json!({"role": "tool", "content": [
            {"text": long(3_000)}, {"text": long(9_000)}, {"text": long(100)}]});
        assert_eq!(
            long_results(&parts, Shape::OpenAi, 4_000),
            ["/content/1/text"]
        );
        assert_eq!(
            long_results(&parts, Shape::OpenAi, 0),
            ["/content/1/text", "/content/0/text"]
        );
        let said = json!({"role": "user", "content": long(5_000)});
        assert!(long_results(&said, Shape::OpenAi, 0).is_empty());
        let anthropic = json!({"role": "user", "content": [
            {"type": "text", "text": long(5_000)},
            {"type": "tool_result", "content": long(5_000)}]});
        assert_eq!(
            long_results(&anthropic, Shape::Anthropic, 0),
            ["/content/1/content"]
        );
    }
}
