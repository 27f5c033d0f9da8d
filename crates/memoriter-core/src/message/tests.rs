use super::*;
use crate::id::{ChangeNumber, TurnId};
use crate::scope::Scope;
use crate::time::{Timestamp, ZonedTime};
use crate::turn::{Role, SessionName};

fn turn(message: Message) -> Turn {
    Turn {
        id: TurnId::from_bytes([1; 16]),
        scope: Scope::user("priya"),
        session: SessionName::new("s").unwrap(),
        position: 0,
        message,
        recorded_at: Timestamp::from_micros(0),
        retired_at: None,
        change: ChangeNumber(1),
    }
}

fn said(role: Role, content: &str) -> Message {
    Message::new(role, content, ZonedTime::utc(Timestamp::from_micros(0)))
}

/// A turn that came as this message.
fn written(shape: Shape, value: Value) -> Turn {
    let message = said(Role::User, "");
    turn(Message {
        written: Some(Written::of(shape, &message.clone(), value)),
        ..message
    })
}

fn conversation(turns: &[Turn], shape: Shape) -> Conversation {
    let pieces = turns
        .iter()
        .map(|turn| Piece::of(turn, shape, &mut |_| None).unwrap());
    Conversation::of(pieces, shape)
}

#[track_caller]
fn converts(from: Shape, values: &[Value], expected: &Value, left_out: &[&str]) {
    let to = match from {
        Shape::OpenAi => Shape::Anthropic,
        Shape::Anthropic => Shape::OpenAi,
    };
    let turns: Vec<Turn> = values
        .iter()
        .map(|value| written(from, value.clone()))
        .collect();
    let converted = conversation(&turns, to);
    assert_eq!(converted.to_json(), *expected);
    assert_eq!(converted.left_out, left_out);
}

#[test]
fn plain_turns_are_written_for_either_provider() {
    let mut call = said(Role::Assistant, "");
    call.tool_calls =
        Some(json!([{"type": "tool_use", "id": "c1", "name": "f", "input": {"q": 1}}]));
    let mut result = said(Role::Tool, "42");
    result.tool_call_id = Some("c1".into());
    let turns = [
        said(Role::System, "Be brief."),
        said(Role::User, "What?"),
        call,
        result,
    ];
    let turns = turns.map(turn);
    assert_eq!(
        conversation(&turns, Shape::OpenAi).to_json(),
        json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What?"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{\"q\":1}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "42"}])
    );
    assert_eq!(
        conversation(&turns, Shape::Anthropic).to_json(),
        json!({"system": "Be brief.", "messages": [
            {"role": "user", "content": "What?"},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "c1", "name": "f", "input": {"q": 1}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "42"}]}]})
    );
}

#[test]
fn what_a_tool_said_in_answer_to_no_call_is_never_the_users() {
    let turns = [
        turn(said(Role::User, "What?")),
        turn(said(Role::Tool, "42")),
    ];
    let of_anthropic = conversation(&turns, Shape::Anthropic);
    assert_eq!(
        of_anthropic.to_json(),
        json!({"messages": [{"role": "user", "content": "What?"}]})
    );
    assert_eq!(
        of_anthropic.left_out,
        ["message 1: what a tool said in answer to no call"]
    );
    assert_eq!(
        conversation(&turns, Shape::OpenAi).to_json(),
        json!([{"role": "user", "content": "What?"}, {"role": "tool", "content": "42"}])
    );
}

#[test]
fn parallel_results_of_openai_share_a_message_of_anthropic() {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}});
    converts(
        Shape::OpenAi,
        &[
            json!({"role": "developer", "content": [{"type": "text", "text": "Be brief."}]}),
            json!({"role": "user", "name": "Priya", "content": [
                {"type": "text", "text": "Look"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
                {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
                {"type": "novel", "x": 1}]}),
            json!({"role": "assistant", "content": null, "refusal": null, "tool_calls": [call("a"), call("b")]}),
            json!({"role": "tool", "tool_call_id": "a", "content": "1"}),
            json!({"role": "tool", "tool_call_id": "b", "content": [{"type": "text", "text": "2"}]}),
            json!({"role": "assistant", "content": "Done."}),
        ],
        &json!({"system": [{"type": "text", "text": "Be brief."}], "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "Look"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}},
                {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
                {"type": "text", "text": "{\"type\":\"novel\",\"x\":1}"}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "a", "name": "f", "input": {}},
                {"type": "tool_use", "id": "b", "name": "f", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "2"}]}]},
            {"role": "assistant", "content": "Done."}]}),
        &["message 0: name"],
    );
}

#[test]
fn blocks_of_anthropic_become_messages_of_openai() {
    converts(
        Shape::Anthropic,
        &[
            json!({"system": [{"type": "text", "text": "Be brief."}]}),
            json!({"role": "assistant", "id": "msg_1", "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "x"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "a", "name": "f", "input": {"q": "tea"}}]}),
            json!({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "is_error": true, "content": "no"},
                {"type": "text", "text": "So?"}]}),
            json!({"role": "assistant", "content": "Nothing."}),
        ],
        &json!([
            {"role": "system", "content": [{"type": "text", "text": "Be brief."}]},
            {"role": "assistant", "content": "I look.", "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"q\":\"tea\"}"}}]},
            {"role": "tool", "tool_call_id": "a", "content": "no"},
            {"role": "user", "content": "So?"},
            {"role": "assistant", "content": "Nothing."}]),
        &[
            "message 1: id",
            "message 1: thinking",
            "message 2: is_error",
        ],
    );
}

#[test]
fn what_stands_elsewhere_comes_back_into_its_place() {
    let attached = |at: &str, byte, encoding| Attached {
        at: at.into(),
        id: AttachmentId::from_bytes([byte; 16]),
        bytes: 3,
        encoding,
    };
    let mut turn = written(
        Shape::OpenAi,
        json!({"role": "user", "content": [{"u": ""}, {"t": "[note]"}]}),
    );
    let before = "data:x/y;base64,".to_owned();
    turn.message.written.as_mut().unwrap().attached = vec![
        attached("/content/0/u", 1, Encoding::Base64 { before }),
        attached("/content/1/t", 2, Encoding::Text),
    ];
    let mut bytes = |id: AttachmentId| match id.as_bytes()[0] {
        1 => Some(vec![0]),
        2 => Some(b"all of it".to_vec()),
        _ => None,
    };
    let piece = Piece::of(&turn, Shape::OpenAi, &mut bytes).unwrap();
    assert_eq!(
        piece.value,
        json!({"role": "user", "content": [{"u": "data:x/y;base64,AA=="}, {"t": "all of it"}]})
    );
    for (at, byte) in [("/content/0/u", 3), ("/content/7", 2)] {
        turn.message.written.as_mut().unwrap().attached = vec![attached(at, byte, Encoding::Text)];
        assert!(Piece::of(&turn, Shape::OpenAi, &mut bytes).is_err());
    }
}

#[test]
fn what_somebody_asked_to_forget_is_not_told() {
    let mut gone = written(
        Shape::OpenAi,
        json!({"role": "user", "content": [{"type": "text", "text": "The secret plan"}]}),
    );
    gone.retired_at = Some(Timestamp::from_micros(1));
    let told = conversation(&[gone], Shape::OpenAi);
    assert_eq!(
        told.to_json(),
        json!([{"role": "user", "content": FORGOTTEN}])
    );
    assert_eq!(told.left_out, ["message 0: what somebody asked to forget"]);
}
