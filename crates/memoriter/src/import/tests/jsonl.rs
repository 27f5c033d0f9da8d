use memoriter_core::provenance::Origin;
use memoriter_core::turn::Role;

use super::*;

fn check_line(line: &str, expected: &str) {
    check_error(Format::Jsonl, line, expected);
}

#[test]
fn every_field_of_a_line_arrives() {
    let file = r#"{"session":"s1","role":"tool","content":"18 °C","ts":"2026-03-01T18:30:00-05:00","user":"priya","speaker":"weather","id":"t-7","tool_calls":[{"id":"c2"}],"tool_call_id":"c1","origin":"web"}"#;
    let turns = read_good(Format::Jsonl, file);
    let turn = &turns[0];
    assert_eq!(turn.draft.session.as_str(), "s1");
    assert_eq!(turn.user.as_deref(), Some("priya"));
    assert_eq!(turn.draft.key, TurnKey::Given("t-7".into()));
    assert_eq!(turn.draft.message.role, Role::Tool);
    assert_eq!(turn.draft.message.content, "18 °C");
    assert_eq!(
        turn.draft.message.at.to_string(),
        "2026-03-01T18:30:00-05:00"
    );
    assert_eq!(turn.draft.message.speaker.as_deref(), Some("weather"));
    assert_eq!(
        turn.draft.message.tool_calls,
        Some(serde_json::json!([{"id": "c2"}]))
    );
    assert_eq!(turn.draft.message.tool_call_id.as_deref(), Some("c1"));
    assert_eq!(turn.draft.message.origin, Origin::Web);
}

#[test]
fn what_is_left_out_has_a_default() {
    let turns = read_good(
        Format::Jsonl,
        r#"{"session":"s","role":"assistant","content":"Noted.","id":null}"#,
    );
    let turn = &turns[0];
    assert_eq!(turn.draft.key, TurnKey::At(0));
    assert_eq!(turn.draft.message.at, defaults().now);
    assert_eq!(turn.draft.message.origin, Origin::Agent);
    assert_eq!((&turn.user, &turn.draft.message.tool_calls), (&None, &None));
}

#[test]
fn positions_count_within_user_and_session() {
    let file = [
        r#"{"session":"a","role":"user","content":"one"}"#,
        r#"{"session":"b","role":"user","content":"two"}"#,
        r#"{"session":"a","role":"user","content":"three","id":"own"}"#,
        r#"{"session":"a","role":"user","content":"four"}"#,
        r#"{"session":"a","role":"user","content":"five","user":"noor"}"#,
    ];
    check_turns(
        Format::Jsonl,
        &file.join("\n"),
        &[
            "a #0 user: one",
            "b #0 user: two",
            "a own user: three",
            "a #2 user: four",
            "a #0 user: five",
        ],
    );
}

#[test]
fn marks_blank_lines_and_windows_line_ends_mean_nothing() {
    let line = r#"{"session":"s","role":"user","content":"Grüße"}"#;
    let file = format!("\u{FEFF}{line}\r\n\r\n  \n{line}\r\n\n");
    check_turns(
        Format::Jsonl,
        &file,
        &["s #0 user: Grüße", "s #1 user: Grüße"],
    );
    let places: Vec<u64> = read_good(Format::Jsonl, &file)
        .iter()
        .map(|turn| turn.place.line)
        .collect();
    assert_eq!(places, [1, 4]);
}

#[test]
fn a_call_needs_no_words() {
    let file = r#"{"session":"s","role":"assistant","tool_calls":[{"id":"c1"}]}"#;
    assert_eq!(read_good(Format::Jsonl, file)[0].draft.message.content, "");
    check_line(
        r#"{"session":"s","role":"assistant","tool_calls":[]}"#,
        "line 1: field `content` is missing",
    );
}

#[test]
fn mistakes_are_named_with_their_place() {
    check_line(
        r#"{"role":"user","content":"hi"}"#,
        "line 1: field `session` is missing",
    );
    check_line(
        r#"{"session":"s","content":"hi"}"#,
        "line 1: field `role` is missing",
    );
    check_line(
        r#"{"session":"s","role":"user"}"#,
        "line 1: field `content` is missing",
    );
    check_line(
        r#"{"session":"s","role":"user","content":["hi"]}"#,
        "line 1, content: expected a string, got an array",
    );
    check_line(
        r#"{"session":7,"role":"user","content":"hi"}"#,
        "line 1, session: expected a string, got 7",
    );
    check_line(
        r#"{"session":"s","role":"robot","content":"hi"}"#,
        "line 1, role: role must be user, assistant, system or tool, got `robot`",
    );
    check_line(
        r#"{"session":" ","role":"user","content":"hi"}"#,
        "line 1, session: session is empty",
    );
    check_line(
        r#"{"session":"s","role":"user","content":" "}"#,
        "line 1: content is empty",
    );
    check_line(
        "{\"session\":\"s\",\"role\":\"user\",\"content\":\"a\\u0000b\"}",
        "line 1: content holds a NUL character at byte 1",
    );
    check_line(
        r#"{"session":"s","role":"user","content":"hi","ts":"yesterday"}"#,
        "line 1, ts: ts must be an RFC 3339 time such as 2026-03-01T09:00:00+01:00 or a date such as \
         2026-03-01, got `yesterday`",
    );
    check_line(
        r#"{"session":"s","role":"user","content":"hi","mood":"good"}"#,
        "line 1: unknown field `mood`, the fields are session, role, content, ts, user, speaker, id, tool_calls, \
         tool_call_id, origin",
    );
    check_line(
        r#"["s","user","hi"]"#,
        "line 1: expected an object, got an array",
    );
}

#[test]
fn a_file_cannot_claim_that_the_user_said_it() {
    check_line(
        r#"{"session":"s","role":"tool","content":"hi","origin":"user"}"#,
        "line 1, origin: origin must be tool, web or document, got `user`",
    );
}

#[test]
fn what_stands_before_the_mistake_is_read() {
    let good = r#"{"session":"s","role":"user","content":"hi"}"#;
    let file = format!(
        "{good}\n{good}\n{}",
        r#"{"session":"s","role":"user","content":"cut o"#
    );
    let (turns, error, _) = read_all(Format::Jsonl, file);
    assert_eq!(turns.len(), 2);
    assert_eq!(
        error.unwrap().to_string(),
        "line 3: the line ends in the middle of a value (column 45)"
    );
}

#[test]
fn a_line_that_is_not_whole_is_named_wherever_it_stands() {
    let good = r#"{"session":"s","role":"user","content":"a"}"#;
    for (broken, why) in [
        (
            r#"{"session":"s","role":"user","content":"b""#,
            "the line ends in the middle of a value",
        ),
        (
            r#"{"session":"s","role":"user","content":"#,
            "the line ends in the middle of a value",
        ),
        (
            r#"{"session":"s","role":"user","content":"b"#,
            "the line ends in the middle of a value",
        ),
        (r#"{"session":"s" "role":"user"}"#, "expected `,` or `}`"),
    ] {
        for end in ["", "\n", "\r\n", "\n{}\n"] {
            let file = format!("{good}\n{broken}{end}");
            let (turns, error, _) = read_all(Format::Jsonl, file);
            assert_eq!(turns.len(), 1);
            let error = error.unwrap().to_string();
            assert!(error.starts_with(&format!("line 2: {why}")), "{error}");
        }
    }
}
