//! Messages of providers, attachments and tools: what one process keeps, another gives back.

use serde_json::{Value, json};

use crate::support::{Home, text};

fn messages() -> Value {
    json!([
        {"role": "user", "content": [{"type": "text", "text": "Look at it"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{\"deep\": [1]}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "a long result é ".repeat(300)}])
}

fn shown(home: &Home, form: &str) -> Value {
    home.run(&["session", "show", "work", "--form", form])
        .done()
        .json()
}

/// Keeps the messages; again, nothing is new.
fn append(home: &Home) -> Value {
    let file = home.file("messages.json", messages().to_string());
    let append = [
        "session",
        "append",
        "work",
        file.to_str().unwrap(),
        "--format",
        "openai",
        "--from",
        "0",
        "--attach-over",
        "2048",
    ];
    home.json(&append)
}

#[test]
fn messages_come_back_from_another_process() {
    let home = Home::new();
    let added = append(&home);
    assert_eq!(
        (&added["new_turns"], &added["attachments"]),
        (&json!(3), &json!(2))
    );
    assert_eq!(append(&home)["new_turns"], 0);
    assert_eq!(shown(&home, "openai"), messages());
    let anthropic = shown(&home, "anthropic");
    assert_eq!(anthropic["messages"][1]["content"][0]["type"], "tool_use");
    let given =
        json!({"system": "Be brief.", "messages": [{"role": "user", "content": "And now?"}]});
    home.run_with(
        &["session", "append", "chat", "-", "--format", "anthropic"],
        given.to_string(),
    )
    .done();
    assert_eq!(
        home.run(&["session", "show", "chat", "--form", "anthropic"])
            .done()
            .json(),
        given
    );
    let lines = home
        .run(&["session", "show", "chat", "--form", "jsonl"])
        .done()
        .out;
    home.file("again.jsonl", &lines);
    let read = home.json(&["ingest", "again.jsonl", "--user", "noor"]);
    assert_eq!(read["turns"], 2);
    home.run(&[
        "session",
        "append",
        "x",
        "messages.json",
        "--format",
        "openai",
        "--role",
        "user",
    ])
    .failed(2, "cannot be used with");
    home.file(
        "wrong.json",
        r#"[{"role": "user", "content": [{"text": 1}]}]"#,
    );
    home.run(&["session", "append", "x", "wrong.json", "--format", "openai"])
        .failed(2, "[0].content[0]: field `type` is missing");
    home.file("wrong.json", r#"{"a": 1, "a": 2}"#);
    home.run(&["session", "append", "x", "wrong.json", "--format", "openai"])
        .failed(2, "stands here twice");
}

#[test]
fn messages_are_read_for_facts() {
    let home = Home::new();
    let said = home.file(
        "said.json",
        r#"{"role": "user", "content": "I live in Munich."}"#,
    );
    let add = [
        "session",
        "append",
        "talk",
        said.to_str().unwrap(),
        "--format",
        "openai",
    ];
    let unread = home.json(&[&add[..], &["--extract", "none"]].concat());
    assert_eq!(unread["decisions"], json!([]));
    let read = home.json(&add);
    assert_eq!(read["decisions"][0]["decision"], "ADD", "{read}");
    let sessions = home.json(&["session", "list"]);
    assert_eq!(sessions["sessions"][0]["mode"], "full", "{sessions}");
}

#[test]
fn what_a_part_leaves_out_is_told() {
    let home = Home::new();
    append(&home);
    let part = [
        "session", "show", "work", "--form", "jsonl", "--from", "1", "--limit", "1",
    ];
    let shown = home.run(&part).done();
    assert_eq!(shown.out.lines().count(), 1);
    assert!(shown.out.contains("look"), "{}", shown.out);
    assert!(shown.err.contains("more: --from 2"), "{}", shown.err);
    let shown = home
        .run(&["session", "show", "work", "--form", "jsonl"])
        .done();
    assert!(
        shown
            .err
            .contains("left out: 2 attachments, for which notes stand"),
        "{}",
        shown.err
    );
    for form in ["openai", "anthropic"] {
        home.run(&["session", "show", "work", "--form", form, "--limit", "5"])
            .failed(2, "--limit has no place beside --form");
    }
    let checked = home.json(&["verify"]);
    assert_eq!(
        (&checked["ok"], &checked["attachments"]),
        (&json!(true), &json!(2))
    );
    assert_eq!(home.json(&["stats"])["attachments"], 2);
}

#[test]
fn files_are_attached_and_read_in_parts() {
    let home = Home::new();
    let lines: Vec<String> = (0..2_000).map(|line| format!("step {line} é\n")).collect();
    let log = lines.concat();
    let file = home.file("build.log", &log);
    let kept = home.json(&["session", "attach", "work", file.to_str().unwrap()]);
    assert_eq!(
        (&kept["bytes"], &kept["media_type"]),
        (&json!(log.len()), &json!("text/plain"))
    );
    let handle = text(&kept["handle"]);
    let told = home.run(&["session", "show", "work"]).done().out;
    assert!(
        told.contains(&format!(
            "attached build.log, text/plain, {} bytes, {handle}",
            log.len()
        )),
        "{told}"
    );
    let part = home.json(&[
        "session",
        "attachment",
        &handle,
        "--offset",
        "7",
        "--length",
        "9",
    ]);
    assert_eq!(
        (&part["text"], &part["next_offset"]),
        (&json!("é\nstep 1"), &json!(16))
    );
    home.run(&["session", "attachment", &handle, "--out", "copy.log"])
        .done();
    assert_eq!(
        fs_err::read_to_string(home.path().join("copy.log")).unwrap(),
        log
    );
    home.run(&["session", "attachment", &handle, "--out", "copy.log"])
        .failed(1, "copy.log");
    home.run(&[
        "session",
        "attachment",
        "attachment:0190b2c4-7d3e-8c5a-9b1f-2a6d8e4f0c11",
    ])
    .failed(3, "there is nothing with the handle");
    home.run(&["session", "attachment", "x"])
        .failed(2, "handle must be attachment:ID");
    let bytes = home.file("picture", [0xff, 0xd8, 0xff, 0]);
    let picture = home.json(&["session", "attach", "work", bytes.to_str().unwrap()]);
    assert_eq!(picture["media_type"], "image/jpeg");
    let told = home
        .run(&["session", "attachment", picture["handle"].as_str().unwrap()])
        .done();
    assert!(told.out.contains("--out FILE writes them"), "{}", told.out);
    home.run(&["verify"]).done();
}

#[test]
fn a_model_calls_tools() {
    let home = Home::new();
    home.remember(&["My exam is on 14 March"]);
    let listed = home.json(&["tools", "list", "--format", "openai"]);
    assert_eq!(listed["tools"][0]["function"]["name"], "search");
    let call =
        |name: &str, arguments: Value| home.run(&["tools", "call", name, &arguments.to_string()]);
    let found = call("search", json!({"query": "When is the exam?"}))
        .done()
        .json();
    let id = found["results"][0]["memory"].clone();
    assert_eq!(call("pin", json!({"id": id})).done().json()["pinned"], true);
    let told = home.run(&["show", id.as_str().unwrap()]).done().out;
    assert!(told.contains("pinned"), "{told}");
    let desk = home.run(&["context", "Hello", "--session", "s"]).done().out;
    assert!(desk.contains("pinned=true"), "{desk}");
    let block = json!({"name": "persona", "text": "A patient tutor", "expected_version": 0});
    assert_eq!(
        call("edit_block", block.clone()).done().json()["version"],
        1
    );
    call("edit_block", block).failed(4, "has version 1, not 0");
    call("nothing", json!({})).failed(3, "there is no tool nothing");
    call("search", json!({"q": 1})).failed(2, "unknown field `q`");
    home.run(&["tools", "call", "search", "{"])
        .failed(2, "arguments:");
}

#[test]
fn what_is_written_for_programs_is_json_whatever_it_says() {
    let home = Home::new();
    let said = "a\u{200b}b \u{202e}c \u{7f} \u{e0041}";
    home.run(&["session", "append", "s", said]).done();
    for form in ["jsonl", "openai", "anthropic"] {
        let shown = home.run(&["session", "show", "s", "--form", form]).done();
        let read: serde_json::Value = serde_json::from_str(shown.out.trim()).unwrap();
        assert!(read.to_string().contains(said), "{form}: {}", shown.out);
        assert!(!shown.out.contains('\u{202e}'), "{form}");
    }
}
