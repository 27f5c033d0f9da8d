//! Messages of providers come back as they came in.

use memoriter::core::turn::{Role, SessionName, Shape};
use memoriter::{Diagnose, Memoriter, Mode, Scope, ScopedMemory, Session};
use memoriter_testkit::arbitrary;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

fn store() -> (tempfile::TempDir, Memoriter) {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
    (folder, memory)
}

fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

fn session(memory: &Memoriter) -> Session {
    priya(memory).session("s")
}

fn append(session: &Session, shape: Shape, given: &Value) {
    session.incoming(shape, given).run().unwrap();
}

/// What a session gives back, as JSON of the shape.
fn given_back(session: &Session, shape: Shape) -> Value {
    let conversation = session.messages(shape).unwrap();
    assert_eq!(conversation.left_out, [""; 0]);
    conversation.to_json()
}

/// Appends and expects the same back, also from a file that was opened anew.
#[track_caller]
fn comes_back(shape: Shape, given: &Value) {
    let (folder, memory) = store();
    append(&session(&memory), shape, given);
    assert_eq!(given_back(&session(&memory), shape), *given);
    drop(memory);
    let again = Memoriter::builder()
        .open_existing(folder.path().join("memory.db"))
        .unwrap();
    assert_eq!(given_back(&session(&again), shape), *given);
    assert_eq!(again.verify().unwrap().problems, []);
}

#[test]
fn an_agent_loop_of_openai_comes_back() {
    comes_back(
        Shape::OpenAi,
        &json!([
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "name": "priya-s", "content": [
                {"type": "text", "text": "What is on it?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"}},
                {"type": "novel_part", "weight": 1.5, "deep": {"x": [null, true]}}]},
            {"role": "assistant", "content": null, "refusal": null, "annotations": [], "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{\"at\": {\"x\": [1, {\"y\": \"é\"}]}}"}},
                {"id": "b", "type": "function", "function": {"name": "look", "arguments": "not json"}}]},
            {"role": "tool", "tool_call_id": "b", "content": ""},
            {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "A cat"}, {"type": "text", "text": ""}]},
            {"role": "assistant", "content": ""},
            {"role": "assistant", "content": "A cat.", "audio": {"id": "x", "data": "AAAA", "transcript": "A cat."}},
            {"role": "user", "content": "Thanks"}]),
    );
}

#[test]
fn an_agent_loop_of_anthropic_comes_back() {
    comes_back(
        Shape::Anthropic,
        &json!({
            "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
            "messages": [
                {"role": "user", "content": "What is on it?"},
                {"role": "user", "content": [
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
                    {"type": "document", "title": "Notes", "source": {"type": "text", "media_type": "text/plain", "data": "A page"}},
                    {"type": "novel_block", "x": {"y": 1}}]},
                {"role": "assistant", "id": "msg_1", "model": "some", "usage": {"input_tokens": 3}, "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": "EqoBCkgIARABGAIiQL"},
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": "a", "name": "look", "input": {"deep": [{"x": null}]}},
                    {"type": "tool_use", "id": "b", "name": "look", "input": {}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "b", "content": [
                        {"type": "text", "text": "one"},
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}]},
                    {"type": "tool_result", "tool_use_id": "a", "is_error": true},
                    {"type": "text", "text": "And?"},
                    {"type": "text", "text": ""}]},
                {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": "x"}]},
                {"role": "assistant", "content": [{"type": "text", "text": "A cat."}]},
                {"role": "user", "content": []}]}),
    );
}

/// Text that is often odd and sometimes empty.
fn words() -> impl Strategy<Value = String> + Clone {
    prop_oneof![1 => Just(String::new()), 6 => arbitrary::text(40)]
}

fn object() -> impl Strategy<Value = Value> {
    let fields = vec((arbitrary::text(8), arbitrary::json()), 0..3);
    fields.prop_map(|fields| Value::Object(Map::from_iter(fields)))
}

/// A part or block of a kind that nobody knows; its fields may have any name but those that the shapes read.
fn novel() -> impl Strategy<Value = Value> {
    (arbitrary::text(6), arbitrary::json())
        .prop_map(|(name, value)| json!({"type": format!("novel_{name}"), "its": value}))
}

fn image() -> impl Strategy<Value = String> {
    vec(any::<u8>(), 1..40).prop_map(|bytes| memoriter::core::message::media::encode(&bytes))
}

fn openai_message() -> impl Strategy<Value = Value> {
    let text = || words().prop_map(|text| json!({"type": "text", "text": text}));
    let picture = image().prop_map(
        |data| json!({"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{data}")}}),
    );
    let parts = vec(prop_oneof![3 => text(), 1 => picture, 1 => novel()], 0..4);
    let content = prop_oneof![words().prop_map(Value::from), parts.prop_map(Value::from)];
    let call = (
        arbitrary::text(8),
        arbitrary::text(8),
        prop_oneof![
            object().prop_map(|object| object.to_string()),
            arbitrary::text(20)
        ],
    )
        .prop_map(|(id, name, arguments)| {
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
        });
    let said = (content.clone(), option::of(arbitrary::text(8))).prop_map(|(content, name)| {
        let mut message = json!({"role": "user", "content": content});
        if let Some(name) = name {
            message["name"] = name.into();
        }
        message
    });
    let called = (
        prop_oneof![Just(Value::Null), words().prop_map(Value::from)],
        vec(call, 1..4),
    )
        .prop_map(|(content, calls)| {
            json!({"role": "assistant", "content": content, "tool_calls": calls})
        });
    let answered = (
        vec(text(), 0..3),
        words(),
        arbitrary::text(8),
        any::<bool>(),
    )
        .prop_map(|(parts, text, id, in_parts)| {
            let content = if in_parts {
                Value::from(parts)
            } else {
                Value::from(text)
            };
            json!({"role": "tool", "tool_call_id": id, "content": content})
        });
    let other = (words(), arbitrary::json())
        .prop_map(|(text, more)| json!({"role": "assistant", "content": text, "more": more}));
    let system = words().prop_map(|text| json!({"role": "system", "content": text}));
    prop_oneof![said, called, answered, other, system]
}

fn anthropic_message() -> impl Strategy<Value = Value> {
    let text = || words().prop_map(|text| json!({"type": "text", "text": text}));
    let picture = || {
        image().prop_map(|data| json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}))
    };
    let result = (
        arbitrary::text(8),
        prop_oneof![
            words().prop_map(Value::from),
            vec(prop_oneof![text(), picture()], 0..3).prop_map(Value::from)
        ],
        option::of(any::<bool>()),
    )
        .prop_map(|(id, content, failed)| {
            let mut block = json!({"type": "tool_result", "tool_use_id": id, "content": content});
            if let Some(failed) = failed {
                block["is_error"] = failed.into();
            }
            block
        });
    let document = (words(), words()).prop_map(|(title, data)| {
        json!({"type": "document", "title": title, "source": {"type": "text", "data": data}})
    });
    let thinking =
        words().prop_map(|text| json!({"type": "thinking", "thinking": text, "signature": "x"}));
    let call = (arbitrary::text(8), arbitrary::text(8), object()).prop_map(
        |(id, name, input)| json!({"type": "tool_use", "id": id, "name": name, "input": input}),
    );
    let from_user =
        prop_oneof![3 => text(), 1 => picture(), 3 => result, 1 => document, 1 => novel()];
    let from_model = prop_oneof![3 => text(), 3 => call, 1 => thinking, 1 => novel()];
    let user = prop_oneof![
        words().prop_map(Value::from),
        vec(from_user, 0..5).prop_map(Value::from)
    ]
    .prop_map(|content| json!({"role": "user", "content": content}));
    let model =
        (vec(from_model, 0..5), option::of(arbitrary::json())).prop_map(|(content, usage)| {
            let mut message = json!({"role": "assistant", "content": content});
            if let Some(usage) = usage {
                message["usage"] = usage;
            }
            message
        });
    prop_oneof![user, model]
}

/// Appends random conversations to sessions of one store, all of it or message by message, and reads them from the file
/// opened anew. What they say in odd text the guard takes for a secret in no case that was drawn.
fn any_conversation_comes_back(shape: Shape, messages: &impl Strategy<Value = Vec<Value>>) {
    const CASES: usize = 150;
    let (folder, memory) = store();
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        proptest::test_runner::TestRng::from_seed(
            proptest::test_runner::RngAlgorithm::ChaCha,
            &[11; 32],
        ),
    );
    let mut all = Vec::new();
    for number in 0..CASES {
        let messages =
            proptest::strategy::ValueTree::current(&messages.new_tree(&mut runner).unwrap());
        let session = priya(&memory)
            .session(number.to_string())
            .mode(Mode::ReadOnly);
        if number % 2 == 0 {
            append(&session, shape, &Value::from(messages.clone()));
        } else {
            for message in &messages {
                append(&session, shape, message);
            }
        }
        all.push(messages);
    }
    drop(memory);
    let memory = Memoriter::builder()
        .open_existing(folder.path().join("memory.db"))
        .unwrap();
    for (number, messages) in all.iter().enumerate() {
        let session = priya(&memory).session(number.to_string());
        let back = session.messages(shape).unwrap();
        assert_eq!(back.messages, *messages, "conversation {number}");
        assert_eq!(back.system, None);
        // The other shape takes it, whatever it is.
        let other = match shape {
            Shape::OpenAi => Shape::Anthropic,
            Shape::Anthropic => Shape::OpenAi,
        };
        session.messages(other).unwrap();
    }
    assert_eq!(memory.verify().unwrap().problems, []);
}

#[test]
fn any_conversation_of_openai_comes_back() {
    any_conversation_comes_back(Shape::OpenAi, &vec(openai_message(), 1..6));
}

#[test]
fn any_conversation_of_anthropic_comes_back() {
    any_conversation_comes_back(Shape::Anthropic, &vec(anthropic_message(), 1..6));
}

#[test]
fn a_call_of_one_provider_is_written_for_the_other() {
    let (_folder, memory) = store();
    let session = session(&memory);
    let call = json!({"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{\"q\":\"tea\"}"}});
    append(
        &session,
        Shape::OpenAi,
        &json!([
            {"role": "user", "content": "Find tea"},
            {"role": "assistant", "content": null, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "Assam"}]),
    );
    append(
        &session,
        Shape::Anthropic,
        &json!({"role": "assistant", "content": [{"type": "tool_use", "id": "c2", "name": "buy", "input": {"n": 1}}]}),
    );
    assert_eq!(
        given_back(&session, Shape::Anthropic)["messages"],
        json!([
            {"role": "user", "content": "Find tea"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "search", "input": {"q": "tea"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "Assam"}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c2", "name": "buy", "input": {"n": 1}}]}])
    );
    assert_eq!(
        given_back(&session, Shape::OpenAi)[3]["tool_calls"][0]["function"],
        json!({"name": "buy", "arguments": "{\"n\":1}"})
    );
}

#[test]
fn secrets_are_masked_in_every_part() {
    let (folder, memory) = store();
    let session = session(&memory);
    let key = |last: &str| format!("AKIAQ3EGRIVUVTXY7{last}");
    let given = json!([
        {"role": "user", "content": [{"type": "text", "text": format!("use {}", key("A2Q"))}, {"type": "novel", "x": key("B2Q")}]},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": "f", "arguments": format!("{{\"k\": \"{}\"}}", key("C2Q"))}}]},
        {"role": "tool", "tool_call_id": "c", "content": format!("{}\n{}", key("D2Q"), "x ".repeat(2_000))},
        {"role": "user", "content": [{"type": "text", "text": "my password is"}, {"type": "text", "text": "hunter2butlonger"}]}]);
    let session = session.attach_over(2_048).unwrap();
    append(&session, Shape::OpenAi, &given);
    session
        .attach(key("E2Q").into_bytes(), None, Some("keys.txt"))
        .unwrap();
    let back = session
        .messages(Shape::OpenAi)
        .unwrap()
        .to_json()
        .to_string();
    assert_eq!(back.matches("[secret:").count(), 6, "{back}");
    drop((session, memory));
    for file in fs_err::read_dir(folder.path()).unwrap() {
        let bytes = fs_err::read(file.unwrap().path()).unwrap();
        let found = |needle: &[u8]| bytes.windows(needle.len()).any(|found| found == needle);
        assert!(!found(b"AKIAQ3EGRIVUVTXY7"));
        assert!(!found(b"hunter2butlonger"));
    }
}

#[test]
fn bytes_in_base64_are_found_by_nobody() {
    let (_folder, memory) = store();
    let session = session(&memory);
    let data = memoriter::core::message::media::encode(&[0x5a; 3_000]);
    let url = format!("data:image/png;base64,{data}");
    append(
        &session,
        Shape::OpenAi,
        &json!({"role": "user", "content": [
            {"type": "text", "text": "My new bicycle"}, {"type": "image_url", "image_url": {"url": url}}]}),
    );
    let name = SessionName::new("s").unwrap();
    let turns = priya(&memory).turns(&name, 0, 10).unwrap().rows;
    assert_eq!(turns[0].message.content, "My new bicycle\n[image]");
    let kept = turns[0].message.written.as_ref().unwrap();
    assert!(kept.to_json().to_string().len() < 500);
    let attachments = session.attachments().unwrap();
    assert_eq!(attachments[0].media_type.as_str(), "image/png");
    assert_eq!(attachments[0].bytes, 3_000);
}

#[test]
fn the_same_conversation_again_adds_what_is_new() {
    let (_folder, memory) = store();
    let session = session(&memory);
    let mut given = json!({"system": "Be brief.", "messages": [
        {"role": "user", "content": "yes"},
        {"role": "assistant", "content": [{"type": "text", "text": "Which?"}, {"type": "text", "text": "One?"}]}]});
    for round in 0..3 {
        let learned = session
            .incoming(Shape::Anthropic, &given)
            .from(0)
            .run()
            .unwrap();
        let new = learned.turns.iter().filter(|turn| turn.is_new).count();
        assert_eq!(new, if round == 0 { 3 } else { 1 });
        assert_eq!(given_back(&session, Shape::Anthropic), given);
        let messages = given["messages"].as_array_mut().unwrap();
        messages.push(json!({"role": "user", "content": "yes"}));
    }
    given["messages"][0]["content"] = json!("no");
    let error = session
        .incoming(Shape::Anthropic, &given)
        .from(0)
        .run()
        .unwrap_err();
    assert_eq!(error.code(), "turn_conflict");
    // Without a place each call adds.
    let yes = json!({"role": "user", "content": "yes"});
    for _ in 0..2 {
        assert!(session.append_anthropic(&yes).unwrap().turns[0].is_new);
    }
}

#[test]
fn messages_leave_no_hole_before_them() {
    let (_folder, memory) = store();
    let session = session(&memory);
    let yes = json!([{"role": "user", "content": "yes"}]);
    let give = |shape: Shape, from: u64| session.incoming(shape, &yes).from(from).run();
    let refused = |from: u64, messages: u64| {
        let error = give(Shape::OpenAi, from).unwrap_err();
        assert_eq!(
            (error.code(), error.field()),
            ("position_gap", Some("from"))
        );
        let said = error.to_string();
        let expected = format!("has {messages} messages: from is at most {messages}");
        assert!(said.ends_with(&expected), "{said}");
    };
    refused(5, 0);
    refused(u64::MAX, 0);
    assert!(memory.scopes().unwrap().is_empty(), "nothing was written");
    give(Shape::OpenAi, 0).unwrap();
    refused(2, 1);
    give(Shape::OpenAi, 1).unwrap();
    // One that came in another way counts, and of Anthropic's one that is several turns counts once.
    session.append_openai(&yes).unwrap();
    let several = json!({"system": "Be brief.", "messages": [{"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "a", "content": "1"},
        {"type": "tool_result", "tool_use_id": "b", "content": "2"}]}]});
    session.append_anthropic(&several).unwrap();
    refused(5, 4);
    give(Shape::Anthropic, 4).unwrap();
    assert!(give(Shape::Anthropic, 5).unwrap().turns[0].is_new);
    assert!(!give(Shape::Anthropic, 5).unwrap().turns[0].is_new);
}

/// What is no message: the shape, the JSON, the code of the error and words of it.
const NO_MESSAGES: &[(Shape, &str, &str, &str)] = &[
    (
        Shape::OpenAi,
        "7",
        "unexpected_value",
        "the value: expected an object, got 7",
    ),
    (
        Shape::OpenAi,
        "{}",
        "missing_field",
        "`messages` is missing",
    ),
    (
        Shape::OpenAi,
        r#"{"messages": 1}"#,
        "unexpected_value",
        "messages: expected an array",
    ),
    (
        Shape::OpenAi,
        r#"{"messages": [], "model": "m"}"#,
        "unknown_field",
        "unknown field `model`",
    ),
    (
        Shape::Anthropic,
        r#"{"messages": [], "tools": []}"#,
        "unknown_field",
        "unknown field `tools`",
    ),
    (
        Shape::OpenAi,
        r#"[{"content": "x"}]"#,
        "missing_field",
        "[0]: field `role` is missing",
    ),
    (
        Shape::OpenAi,
        r#"[{"role": "king", "content": "x"}]"#,
        "unexpected_value",
        "[0].role: expected user",
    ),
    (
        Shape::OpenAi,
        r#"[{"role": "user", "content": 5}]"#,
        "unexpected_value",
        "[0].content: expected a string",
    ),
    (
        Shape::OpenAi,
        r#"[{"role": "user", "content": [{"text": "x"}]}]"#,
        "missing_field",
        "[0].content[0]: field `type`",
    ),
    (
        Shape::OpenAi,
        r#"[{"role": "user", "content": "a\u0000"}]"#,
        "nul_character",
        "[0]: content holds a NUL",
    ),
    (
        Shape::OpenAi,
        r#"[{"role": "user", "content": [{"type": "novel", "x": "a\u0000"}]}]"#,
        "nul_character",
        "[0]: message holds a NUL",
    ),
    (
        Shape::Anthropic,
        r#"[{"role": "user", "content": [{"type": "tool_result"}]}]"#,
        "missing_field",
        "`tool_use_id`",
    ),
];

#[track_caller]
fn refused(session: &Session, shape: Shape, given: &Value, code: &str, said: &str) {
    let error = session.incoming(shape, given).run().unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn what_is_no_message_is_named() {
    let (_folder, memory) = store();
    let session = session(&memory);
    for (shape, given, code, said) in NO_MESSAGES {
        let given = serde_json::from_str(given).unwrap();
        refused(&session, *shape, &given, code, said);
    }
    let of_user =
        |content: Value, more: Value| json!([{"role": "user", "content": content, "more": more}]);
    let long = "x".repeat(3_000_000);
    let deep = (0..150).fold(json!(1), |inner, _| json!([inner]));
    for (given, said) in [
        (
            of_user(json!(long), json!(1)),
            "content is 3000000 bytes, over the limit of 1048576 bytes",
        ),
        (
            of_user(json!([]), json!(long)),
            "over the limit of 2097152 bytes",
        ),
        (of_user(json!("x"), deep), "over the limit of 100 levels"),
    ] {
        refused(&session, Shape::OpenAi, &given, "over_limit", said);
    }
    assert!(priya(&memory).sessions().unwrap().is_empty());
    assert_eq!(
        session.messages(Shape::OpenAi).unwrap_err().code(),
        "no_such_session"
    );
}

#[test]
fn what_is_said_in_messages_is_learned_and_recalled() {
    let (_folder, memory) = store();
    let session = session(&memory);
    let learned = session
        .append_anthropic(&json!({"messages": [
            {"role": "user", "content": [{"type": "text", "text": "I moved to Oslo."}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "I moved to Rome."}]}]}))
        .unwrap();
    assert_eq!(learned.turns.len(), 2);
    let hits = priya(&memory).recall("Where do I live?").run().unwrap();
    let texts: Vec<&str> = hits.iter().map(memoriter::Recalled::text).collect();
    assert!(texts[0].starts_with("I moved to Oslo"), "{texts:?}");
    let name = SessionName::new("s").unwrap();
    let turns = priya(&memory).turns(&name, 0, 10).unwrap().rows;
    assert_eq!(turns[1].message.role, Role::Tool);
}
