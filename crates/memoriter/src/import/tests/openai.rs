use super::*;

#[test]
fn all_shapes_of_a_file_read_the_same() {
    let messages =
        r#"[{"role":"user","content":"I moved to Oslo"},{"role":"assistant","content":"Nice!"}]"#;
    let expected = ["file #0 user: I moved to Oslo", "file #1 assistant: Nice!"];
    check_turns(Format::OpenAi, messages, &expected);
    check_turns(
        Format::OpenAi,
        &format!("{{\"messages\":\n{messages}}}"),
        &expected,
    );
    check_turns(
        Format::OpenAi,
        &format!("[{{\"messages\":{messages}}}]"),
        &expected,
    );
}

#[test]
fn conversations_of_one_file_are_numbered() {
    let line = r#"{"messages":[{"role":"developer","content":"Be brief"},{"role":"user","content":"Hi"}],"tools":[]}"#;
    check_turns(
        Format::OpenAi,
        &format!("{line}\n{line}\n"),
        &[
            "file #0 system: Be brief",
            "file #1 user: Hi",
            "file/2 #0 system: Be brief",
            "file/2 #1 user: Hi",
        ],
    );
}

#[test]
fn parts_that_are_not_text_leave_a_note() {
    let file = r#"[{"role":"user","name":"Tomás","content":[
        {"type":"text","text":"What is this?"},
        {"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},
        {"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},
        {"type":"file","file":{"filename":"lease.pdf"}}]},
        {"role":"assistant","content":null,"refusal":"I cannot see it"},
        {"role":"assistant","content":null,"audio":{"id":"a1","transcript":"A lease"}}]"#;
    check_turns(
        Format::OpenAi,
        file,
        &[
            "file #0 Tomás: What is this?\n[image]\n[audio]\n[file: lease.pdf]",
            "file #1 assistant: I cannot see it",
            "file #2 assistant: [audio: A lease]",
        ],
    );
}

#[test]
fn tool_calls_and_their_results_stay_together() {
    let file = r#"[
        {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"weather","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"c1","content":"Rain"},
        {"role":"assistant","content":"","function_call":{"name":"old","arguments":"{}"}},
        {"role":"function","name":"old","content":"done"}]"#;
    let turns = read_good(Format::OpenAi, file);
    assert_eq!(
        turns[0].draft.message.tool_calls.as_ref().unwrap()[0]["id"],
        "c1"
    );
    assert_eq!(turns[1].draft.message.tool_call_id.as_deref(), Some("c1"));
    assert_eq!(
        turns[2].draft.message.tool_calls.as_ref().unwrap()[0]["function"]["name"],
        "old"
    );
    assert_eq!(brief(&turns[3]), "file #3 old: done");
}

#[test]
fn times_are_read_where_there_are_any() {
    let file = r#"{"created":1767225600,"messages":[
        {"role":"user","content":"then"},
        {"role":"user","content":"later","ts":"2026-01-02T03:04:05+09:00"}]}"#;
    let turns = read_good(Format::OpenAi, file);
    assert_eq!(
        turns[0].draft.message.at.to_string(),
        "2026-01-01T00:00:00+00:00"
    );
    assert_eq!(
        turns[1].draft.message.at.to_string(),
        "2026-01-02T03:04:05+09:00"
    );
    check_error(
        Format::OpenAi,
        r#"[{"role":"user","content":"x","created":1e15}]"#,
        "line 1, [0].created: expected seconds since 1970, before the year 9999, got 1000000000000000.0",
    );
}

#[test]
fn an_answer_without_words_is_counted() {
    let file = r#"[{"role":"user","content":"Hello?"},{"role":"assistant","content":""}]"#;
    let (turns, error, left_out) = read_all(Format::OpenAi, file);
    assert_eq!((turns.len(), left_out.wordless_messages), (1, 1));
    assert!(error.is_none());
}

#[test]
fn mistakes_are_named_with_their_place() {
    check_error(
        Format::OpenAi,
        "{\"messages\":[]}\n\n{\"messages\":[{\"role\":\"user\",\"content\":\"x\"},{\"role\":\"robot\"}]}",
        "line 3, messages[1].role: expected user, assistant, system, developer, tool or function, got `robot`",
    );
    check_error(
        Format::OpenAi,
        r#"[{"role":"user","content":[{"type":"tool_result"}]}]"#,
        "line 1, [0].content[0].type: expected a part of type text, refusal, image_url, input_audio or file, got \
         `tool_result`",
    );
    check_error(
        Format::OpenAi,
        r#"[{"role":"user"}]"#,
        "line 1, [0]: field `content` is missing",
    );
    check_error(
        Format::OpenAi,
        r#"{"role":"user","content":"alone"}"#,
        "line 1: field `messages` is missing",
    );
}
