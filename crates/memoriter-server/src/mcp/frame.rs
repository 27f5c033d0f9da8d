//! Messages as clients send them.
//!
//! What is sloppy and plain is mended before the SDK reads it: parameters that are `null` or left out, arguments that are
//! `null`, an empty list or JSON in a string, an `initialize` without capabilities or a name. What cannot be read gets an
//! error with the id of the request, so that no client waits for an answer that never comes.

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, ClientJsonRpcMessage, CompleteRequestParams, GetPromptRequestParams,
    InitializeRequestParams, JsonRpcMessage, ReadResourceRequestParams, RequestId,
    ServerJsonRpcMessage,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A frame that was read.
pub(super) enum Frame {
    Message(Box<ClientJsonRpcMessage>),
    /// What the client is told instead.
    Refused(Box<ServerJsonRpcMessage>),
}

/// Reads a line: a message, or several in a list, as revision 2025-03-26 allows. Each is answered by itself.
pub(super) fn read(line: &[u8]) -> Vec<Frame> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return Vec::new();
    }
    match serde_json::from_slice(line) {
        Ok(Value::Array(messages)) if !messages.is_empty() => {
            messages.into_iter().map(message).collect()
        }
        Ok(value) => vec![message(value)],
        Err(error) => {
            let message = format!("the line is not JSON: {error}");
            vec![refused(None, ErrorData::parse_error(message, None))]
        }
    }
}

/// The same message without what is sloppy in it.
pub(super) fn mend(value: &mut Value) {
    let Some(message) = value.as_object_mut() else {
        return;
    };
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        return;
    };
    let method = method.to_owned();
    if message.get("params").is_none_or(Value::is_null) {
        message.insert("params".to_owned(), json!({}));
    }
    let Some(params) = message.get_mut("params").and_then(Value::as_object_mut) else {
        return;
    };
    drop_null(params, "_meta");
    drop_null(params, "cursor");
    match method.as_str() {
        "tools/call" | "prompts/get" => mend_arguments(params),
        "initialize" => mend_initialize(params),
        _ => {}
    }
}

/// What is wrong with the parameters of a request that the SDK took for one that it does not know; `None` for a method
/// that really is another.
pub(super) fn unread(method: &str, params: Option<&Value>) -> Option<ErrorData> {
    let why = match method {
        "tools/call" => why::<CallToolRequestParams>(params),
        "prompts/get" => why::<GetPromptRequestParams>(params),
        "resources/read" => why::<ReadResourceRequestParams>(params),
        "completion/complete" => why::<CompleteRequestParams>(params),
        "initialize" => why::<InitializeRequestParams>(params),
        "tools/list"
        | "prompts/list"
        | "resources/list"
        | "resources/templates/list"
        | "ping"
        | "server/discover" => "they must be an object, and a cursor a text".to_owned(),
        _ => return None,
    };
    Some(ErrorData::invalid_params(
        format!("the params of {method} are wrong: {why}"),
        None,
    ))
}

fn why<T: DeserializeOwned>(params: Option<&Value>) -> String {
    let params = params.cloned().unwrap_or_default();
    match serde_json::from_value::<T>(params) {
        Err(error) => error.to_string(),
        Ok(_) => "they cannot be read".to_owned(),
    }
}

fn message(mut value: Value) -> Frame {
    mend(&mut value);
    let id = value.get("id").cloned();
    let is_notification = id.is_none() && value.get("method").is_some();
    if let Ok(message) = serde_json::from_value(value) {
        return Frame::Message(Box::new(message));
    }
    let id = id.and_then(|id| serde_json::from_value::<RequestId>(id).ok());
    let what = if is_notification {
        "the notification is none of JSON-RPC 2.0"
    } else {
        "the message is none of JSON-RPC 2.0: jsonrpc must be \"2.0\", id a text or whole number, method a text"
    };
    refused(id, ErrorData::invalid_request(what, None))
}

fn refused(id: Option<RequestId>, error: ErrorData) -> Frame {
    Frame::Refused(Box::new(JsonRpcMessage::error(error, id)))
}

fn drop_null(fields: &mut Map<String, Value>, name: &str) {
    if fields.get(name).is_some_and(Value::is_null) {
        fields.remove(name);
    }
}

/// Some languages have one empty value for lists and objects, and some clients send arguments as models write them.
fn mend_arguments(params: &mut Map<String, Value>) {
    const NAME: &str = "arguments";
    match params.get(NAME) {
        Some(Value::Null) => {
            params.remove(NAME);
        }
        Some(Value::Array(items)) if items.is_empty() => {
            params.remove(NAME);
        }
        Some(Value::String(text)) if text.trim().is_empty() => {
            params.remove(NAME);
        }
        Some(Value::String(text)) => {
            if let Ok(object @ Value::Object(_)) = serde_json::from_str(text) {
                params.insert(NAME.to_owned(), object);
            }
        }
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) | None => {}
    }
}

fn mend_initialize(params: &mut Map<String, Value>) {
    if params.get("capabilities").is_none_or(Value::is_null) {
        params.insert("capabilities".to_owned(), json!({}));
    }
    if params.get("clientInfo").is_none_or(Value::is_null) {
        params.insert("clientInfo".to_owned(), json!({}));
    }
    let client = params.get_mut("clientInfo").and_then(Value::as_object_mut);
    let Some(client) = client else { return };
    for (name, unknown) in [("name", "unknown"), ("version", "unknown")] {
        if client.get(name).is_none_or(Value::is_null) {
            client.insert(name.to_owned(), unknown.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::ClientRequest;

    use super::*;

    fn call(params: &str) -> Option<CallToolRequestParams> {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let mut frames = read(line.as_bytes());
        assert_eq!(frames.len(), 1);
        let Some(Frame::Message(message)) = frames.pop() else {
            return None;
        };
        let JsonRpcMessage::Request(request) = *message else {
            return None;
        };
        let ClientRequest::CallToolRequest(call) = request.request else {
            return None;
        };
        Some(call.params)
    }

    #[test]
    fn sloppy_arguments_are_mended() {
        for sloppy in [
            r#"{"name":"x"}"#,
            r#"{"name":"x","arguments":null}"#,
            r#"{"name":"x","arguments":[]}"#,
            r#"{"name":"x","arguments":"","_meta":null}"#,
        ] {
            assert_eq!(call(sloppy).unwrap().arguments, None, "{sloppy}");
        }
        let packed = call(r#"{"name":"x","arguments":"{\"k\":5}"}"#).unwrap();
        assert_eq!(packed.arguments.unwrap()["k"], 5);
        assert!(call(r#"{"name":"x","arguments":[1]}"#).is_none());
    }

    #[test]
    fn what_cannot_be_read_is_refused_by_its_id() {
        for (line, id) in [
            ("{", None),
            (
                r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
                Some(RequestId::Number(7)),
            ),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, None),
            ("[]", None),
            ("7", None),
        ] {
            let mut frames = read(line.as_bytes());
            let Some(Frame::Refused(refused)) = frames.pop() else {
                panic!("{line} is taken");
            };
            let JsonRpcMessage::Error(error) = *refused else {
                panic!("a refusal is an error");
            };
            assert_eq!(error.id, id, "{line}");
        }
        assert!(read(b"  \r\n").is_empty());
    }

    #[test]
    fn a_list_of_messages_is_taken_apart() {
        let list = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list","params":null}]"#;
        let frames = read(list);
        assert!(
            frames
                .iter()
                .all(|frame| matches!(frame, Frame::Message(_)))
        );
        assert_eq!(frames.len(), 2);
    }

    #[test]
    fn wrong_params_are_told_apart_from_unknown_methods() {
        let nameless = unread("tools/call", Some(&json!({"arguments": {}}))).unwrap();
        assert!(
            nameless.message.contains("missing field `name`"),
            "{}",
            nameless.message
        );
        assert!(unread("tools/list", Some(&json!({"cursor": 5}))).is_some());
        assert!(unread("tools/shout", None).is_none());
    }
}
