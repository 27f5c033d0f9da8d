use memoriter_core::provenance::Origin;
use memoriter_core::turn::Role;

use super::*;

#[test]
fn system_text_comes_first() {
    for system in [
        r#""Be kind""#,
        r#"[{"type":"text","text":"Be kind","cache_control":{"type":"ephemeral"}}]"#,
    ] {
        check_turns(
            Format::Anthropic,
            &format!(
                r#"{{"system":{system},"messages":[{{"role":"user","content":"Hi"}}],"model":"m"}}"#
            ),
            &["file #0 system: Be kind", "file #1 user: Hi"],
        );
    }
}

#[test]
fn a_tool_result_is_a_turn_of_its_own() {
    let file = r#"[
        {"role":"assistant","content":[
            {"type":"thinking","thinking":"They want the weather","signature":"x"},
            {"type":"text","text":"Let me look."},
            {"type":"tool_use","id":"tu1","name":"weather","input":{"city":"Oslo"}}]},
        {"role":"user","content":[
            {"type":"tool_result","tool_use_id":"tu1","content":[{"type":"text","text":"Rain"},{"type":"image","source":{}}]},
            {"type":"tool_result","tool_use_id":"tu2","is_error":true},
            {"type":"text","text":"And tomorrow?"}]}]"#;
    let (turns, error, left_out) = read_all(Format::Anthropic, file);
    assert!(error.is_none());
    assert_eq!(
        left_out,
        LeftOut {
            wordless_messages: 0,
            thinking_blocks: 1
        }
    );
    let briefs: Vec<String> = turns.iter().map(brief).collect();
    assert_eq!(
        briefs,
        [
            "file #0 assistant: Let me look.",
            "file #1 tool: Rain\n[image]",
            "file #2 tool: [no output]",
            "file #3 user: And tomorrow?",
        ]
    );
    assert_eq!(
        turns[0].draft.message.tool_calls.as_ref().unwrap()[0]["input"]["city"],
        "Oslo"
    );
    assert_eq!(turns[1].draft.message.tool_call_id.as_deref(), Some("tu1"));
    assert_eq!(
        turns[2].draft.message.metadata.to_json(),
        r#"{"is_error":true}"#
    );
}

#[test]
fn what_was_handed_over_was_not_said() {
    let file = r#"[{"role":"user","content":[
        {"type":"document","title":"Lease","source":{"type":"text","media_type":"text/plain","data":"Rent: 900"}},
        {"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"}},
        {"type":"text","text":"What is my rent?"}]}]"#;
    let turns = read_good(Format::Anthropic, file);
    assert_eq!(brief(&turns[0]), "file #0 user: Lease\nRent: 900");
    assert_eq!(turns[0].draft.message.origin, Origin::Document);
    assert_eq!(
        brief(&turns[1]),
        "file #1 user: [document]\nWhat is my rent?"
    );
    assert_eq!(turns[1].draft.message.origin, Origin::User);
}

#[test]
fn pages_from_a_search_are_of_the_web() {
    let file = r#"[{"role":"assistant","content":[
        {"type":"server_tool_use","id":"st1","name":"web_search","input":{"query":"tram"}},
        {"type":"web_search_tool_result","tool_use_id":"st1","content":[
            {"type":"web_search_result","title":"Tram times","url":"https://tram.example","encrypted_content":"Zm9v"}]},
        {"type":"text","text":"The tram leaves at nine."}]}]"#;
    let turns = read_good(Format::Anthropic, file);
    assert_eq!(
        turns[1].draft.message.content,
        "[web_search_result: Tram times https://tram.example]"
    );
    assert_eq!(
        (turns[1].draft.message.role, turns[1].draft.message.origin),
        (Role::Tool, Origin::Web)
    );
    assert_eq!(
        brief(&turns[2]),
        "file #2 assistant: The tram leaves at nine."
    );
}

#[test]
fn a_message_of_thoughts_alone_is_counted() {
    let file = r#"[{"role":"assistant","content":[{"type":"redacted_thinking","data":"x"}]}]"#;
    let (turns, error, left_out) = read_all(Format::Anthropic, file);
    assert!(turns.is_empty() && error.is_none());
    assert_eq!(
        left_out,
        LeftOut {
            wordless_messages: 1,
            thinking_blocks: 1
        }
    );
}

#[test]
fn mistakes_are_named_with_their_place() {
    check_error(
        Format::Anthropic,
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"image_url"}]}]}"#,
        "line 1, messages[0].content[1].type: expected a block of type text, image, document, thinking, tool_use or \
         tool_result, got `image_url`",
    );
    check_error(
        Format::Anthropic,
        r#"[{"role":"user","content":[{"type":"tool_result","content":"x"}]}]"#,
        "line 1, [0].content[0]: field `tool_use_id` is missing",
    );
    check_error(
        Format::Anthropic,
        r#"[{"role":"tool","content":"x"}]"#,
        "line 1, [0].role: expected user, assistant or system, got `tool`",
    );
    check_error(
        Format::Anthropic,
        r#"[{"role":"user"}]"#,
        "line 1, [0]: field `content` is missing",
    );
}
