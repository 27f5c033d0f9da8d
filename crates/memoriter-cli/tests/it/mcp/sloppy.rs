//! Clients that do not keep to the letter, and those that keep to nothing.

use serde_json::{Value, json};

use super::Client;
use crate::support::{Home, text};

#[test]
fn sloppy_clients_are_understood() {
    let home = Home::new();
    let mut client = Client::start(&home, &[]);
    // Before the handshake: a notification, and a handshake without what it should have.
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    client.line(r#"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#);
    assert_eq!(client.hear()["result"]["protocolVersion"], "2025-06-18");
    for line in [
        r#"{"jsonrpc":"2.0","id":"b","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":"b","method":"tools/list","params":null}"#,
        r#"{"jsonrpc":"2.0","id":"b","method":"tools/list","params":{"cursor":null,"_meta":{"vendor/x":[1],"progressToken":"t"}}}"#,
        "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"prompts/list\"}\r",
    ] {
        client.line("");
        client.line(line);
        let answer = client.hear();
        assert!(
            answer["result"].is_object() && answer["id"] == "b",
            "{answer}"
        );
    }
    let packed =
        r#"{"name":"save_memory","arguments":"{\"text\":\"I like tea\",\"importance\":\"7\"}"}"#;
    client.line(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{packed}}}"#
    ));
    assert_ne!(client.hear()["result"]["isError"], true);
    let found = client.done(
        "search_memory",
        &json!({
        "query": "what does the user like?", "k": "3", "kind": "semantic", "origin": "[\"agent\"]",
        "min_relevance": "0.01", "since": null}),
    );
    assert_eq!(text(&found["results"][0]["statement"]), "I like tea");
    client.line(
        r#"[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"ping"}]"#,
    );
    let mut both = [client.hear()["id"].clone(), client.hear()["id"].clone()];
    both.sort_by_key(Value::to_string);
    assert_eq!(both, [json!(2), json!(3)]);
}

#[test]
fn what_cannot_be_read_gets_an_error_and_the_server_goes_on() {
    let home = Home::new();
    let mut client = Client::open(&home, &[], "2025-11-25");
    for (line, code, id) in [
        ("not json", -32700, json!(null)),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600, json!(1)),
        (
            r#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#,
            -32600,
            json!("x"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call"}"#,
            -32602,
            json!(2),
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"save_memory","arguments":[1]}}"#,
            -32602,
            json!(3),
        ),
        (
            r#"{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{}}"#,
            -32602,
            json!(4),
        ),
        (
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/shout"}"#,
            -32601,
            json!(5),
        ),
        (
            r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"erase_everything"}}"#,
            -32602,
            json!(6),
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#,
            -32002,
            json!(7),
        ),
        (
            r#"{"jsonrpc":"2.0","id":8,"method":"resources/read","params":{"uri":"memory://session/nobody"}}"#,
            -32002,
            json!(8),
        ),
        (
            r#"{"jsonrpc":"2.0","id":9,"method":"prompts/get","params":{"name":"other"}}"#,
            -32602,
            json!(9),
        ),
    ] {
        client.line(line);
        let answer = client.hear();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &id),
            "{line}: {answer}"
        );
    }
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":10,"method":"ping","params":{{"x":"{}"}}}}"#,
        "a".repeat(17 << 20)
    );
    client.line(&long);
    assert!(
        client.hear()["error"]["message"]
            .to_string()
            .contains("16777216 bytes")
    );
    assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
}

/// Nested lists, numbers that are none, keys twice, half characters: never a panic, always one answer.
#[test]
fn hostile_frames_do_not_end_the_server() {
    let home = Home::new();
    let mut client = Client::open(&home, &[], "2025-11-25");
    let deep = "[".repeat(100_000);
    for arguments in [
        format!(r#"{{"text":{deep}}}"#),
        r#"{"text":"\ud800"}"#.to_owned(),
        r#"{"text":"a","text":"b","importance":1e400}"#.to_owned(),
        r#"{"text":"nul \u0000 inside"}"#.to_owned(),
        r#"{"query":""}"#.to_owned(),
        format!(r#"{{"text":"{}"}}"#, "x".repeat(9_000)),
        format!(
            r#"{{"text":"a","metadata":{}1{}}}"#,
            r#"{"a":"#.repeat(60),
            "}".repeat(60)
        ),
    ] {
        client.line(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"save_memory","arguments":{arguments}}}}}"#
        ));
        let answer = client.hear();
        let is_refused = answer["error"].is_object() || answer["result"]["isError"] == true;
        assert!(is_refused, "{answer}");
    }
    assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
    let (_, code, told) = client.end();
    assert_eq!((code, told.as_str()), (0, ""));
}
