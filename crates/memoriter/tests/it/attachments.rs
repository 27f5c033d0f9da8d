//! What is too long for a turn stands beside it, whole.

use memoriter::core::attachment::{ATTACHMENT_BYTES_MAX, Attachment, Handle, MediaType};
use memoriter::core::desk::Section;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName, Shape, TURN_BYTES_MAX, Turn};
use memoriter::{Diagnose, Form, Memoriter, Mode, NewState, Scope, ScopedMemory, Session, TurnKey};
use serde_json::json;

fn store() -> (tempfile::TempDir, Memoriter) {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
    (folder, memory)
}

fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

fn log(lines: usize) -> String {
    let lines: Vec<String> = (0..lines)
        .map(|line| format!("build step {line} é"))
        .collect();
    lines.join("\n")
}

fn result(content: &str) -> Message {
    let at = ZonedTime::utc(Timestamp::from_micros(1_780_000_000_000_000));
    Message {
        tool_call_id: Some("c".into()),
        ..Message::new(Role::Tool, content, at)
    }
}

fn append(session: &Session, key: &str, message: Message) {
    let key = TurnKey::Given(key.into());
    session.append([(key, message)]).unwrap();
}

fn turns(memory: &Memoriter) -> Vec<Turn> {
    let name = SessionName::new("s").unwrap();
    priya(memory).turns(&name, 0, 100).unwrap().rows
}

fn only(session: &Session) -> Attachment {
    let [one] = <[Attachment; 1]>::try_from(session.attachments().unwrap()).unwrap();
    one
}

#[test]
fn a_result_over_the_limit_of_a_turn_is_an_attachment() {
    let (_folder, memory) = store();
    let session = priya(&memory).session("s");
    let long = log(60_000);
    assert!(long.len() > TURN_BYTES_MAX);
    append(&session, "r", result(&long));
    append(&session, "r", result(&long));
    let kept = only(&session);
    assert_eq!(
        (kept.bytes, kept.media_type.clone()),
        (long.len(), MediaType::text())
    );
    let turn = &turns(&memory)[0];
    assert_eq!(turn.id, kept.turn);
    let note = &turn.message.content;
    assert!(note.contains(&kept.handle().to_string()), "{note}");
    assert!(
        note.contains("text/plain") && note.contains("build step 3 é"),
        "{note}"
    );
    assert!(note.len() < 1_000);
    let back = session.messages(Shape::OpenAi).unwrap();
    assert_eq!(
        back.to_json(),
        json!([{"role": "tool", "tool_call_id": "c", "content": long}])
    );
    // Its beginning can be recalled, the rest cannot.
    let hits = priya(&memory).recall("build step 3").run().unwrap();
    assert_eq!(hits[0].turn_id(), Some(turn.id));
    // A person who says so much is told the limit.
    let said = Message::new(Role::User, long, turn.message.at);
    let error = session.append([(TurnKey::At(9), said)]).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("over the limit of 1048576 bytes"),
        "{error}"
    );
}

#[test]
fn a_caller_sets_from_when_on_results_are_attached() {
    let (_folder, memory) = store();
    let session = priya(&memory).session("s").attach_over(2_048).unwrap();
    append(&session, "short", result(&"x".repeat(2_048)));
    assert!(session.attachments().unwrap().is_empty());
    append(
        &session,
        "long",
        result(&format!("{{\"x\": \"{}\"}}", "x".repeat(2_048))),
    );
    assert_eq!(only(&session).media_type.as_str(), "application/json");
    for wrong in [0, 2_047, TURN_BYTES_MAX + 1] {
        let error = priya(&memory)
            .session("s")
            .attach_over(wrong)
            .err()
            .unwrap();
        assert_eq!(error.field(), Some("attach_over"));
    }
}

#[test]
fn an_attachment_is_paged_through() {
    let (_folder, memory) = store();
    let priya = priya(&memory);
    let session = priya.session("s");
    let text = log(20_000);
    let kept = session
        .attach(text.clone().into_bytes(), None, Some("build.log"))
        .unwrap();
    assert_eq!(kept.name.as_deref(), Some("build.log"));
    assert_eq!(
        session
            .attach(text.clone().into_bytes(), None, Some("build.log"))
            .unwrap(),
        kept
    );
    let (mut read, mut offset, mut pages) = (Vec::new(), Some(0), 0);
    while let Some(at) = offset {
        let stretch = priya.read_handle(kept.handle(), at, 10_001).unwrap();
        assert_eq!((stretch.offset, stretch.total_bytes), (at, text.len()));
        assert!(std::str::from_utf8(&stretch.bytes).is_ok());
        read.extend(&stretch.bytes);
        offset = stretch.next_offset();
        pages += 1;
    }
    assert_eq!(String::from_utf8(read).unwrap(), text);
    assert!(pages >= 35, "{pages}");
    // In the middle of a character it begins with the character.
    let at = text.find('é').unwrap();
    let stretch = priya.read_handle(kept.handle(), at + 1, 3).unwrap();
    assert_eq!((stretch.offset, &*stretch.bytes), (at, "é\nb".as_bytes()));
    let end = priya
        .read_handle(kept.handle(), text.len() + 5, 10)
        .unwrap();
    assert_eq!(
        (end.bytes.len(), end.offset, end.next_offset()),
        (0, text.len(), None)
    );
    // The words of a turn are read in the same way.
    let turn = turns(&memory).remove(0);
    let words = priya.read_handle(Handle::Turn(turn.id), 1, 9).unwrap();
    assert_eq!(words.bytes, b"build.log");
}

#[test]
fn bytes_stay_as_they_are() {
    let (_folder, memory) = store();
    let priya = priya(&memory);
    let bytes: Vec<u8> = (0..=255).cycle().take(200_000).collect();
    let kept = priya
        .session("s")
        .attach(bytes.clone(), None, None)
        .unwrap();
    assert_eq!(kept.media_type, MediaType::bytes());
    let stretch = priya.read_handle(kept.handle(), 130, 100_000).unwrap();
    assert_eq!(stretch.bytes, bytes[130..100_130]);
    assert_eq!(stretch.offset, 130);
}

#[test]
fn an_attachment_has_a_limit() {
    let (_folder, memory) = store();
    let session = priya(&memory).session("s");
    for (length, code) in [(0, "empty"), (ATTACHMENT_BYTES_MAX + 1, "over_limit")] {
        let error = session.attach(vec![0xff; length], None, None).unwrap_err();
        assert_eq!(error.code(), code);
    }
    let error = session
        .append([(
            TurnKey::At(0),
            result(&"x".repeat(ATTACHMENT_BYTES_MAX + 1)),
        )])
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "attachment is 16777217 bytes, over the limit of 16777216 bytes"
    );
    session
        .attach(vec![0xff; ATTACHMENT_BYTES_MAX], None, None)
        .unwrap();
}

#[test]
fn nobody_else_reads_an_attachment() {
    let (_folder, memory) = store();
    let kept = priya(&memory)
        .session("s")
        .attach(b"mine".to_vec(), None, None)
        .unwrap();
    let turn = Handle::Turn(kept.turn);
    for other in [Scope::user("noor"), Scope::user("priy")] {
        let other = memory.scope(other);
        for handle in [kept.handle(), turn] {
            let error = other.read_handle(handle, 0, 9).unwrap_err();
            assert_eq!(error.code(), "no_such_handle");
        }
    }
    let agent = memory.scope(Scope::user("priya").within("agent", "tutor").unwrap());
    assert_eq!(
        agent.read_handle(kept.handle(), 0, 9).unwrap().bytes,
        b"mine"
    );
}

#[test]
fn a_desk_points_to_the_attachment() {
    let (_folder, memory) = store();
    let session = priya(&memory).session("s").attach_over(2_048).unwrap();
    session
        .append_openai(&json!([
            {"role": "user", "content": "Build it"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "build", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c", "content": log(5_000)}]))
        .unwrap();
    let handle = only(&session).handle().to_string();
    let desk = session.assemble("And?").form(Form::OpenAi).run().unwrap();
    assert!(desk.rendering.to_json().to_string().contains(&handle));
    // Where even the note is too long, the shorter note names the same handle.
    let desk = session
        .assemble("And?")
        .tool_result_tokens_max(20)
        .run()
        .unwrap();
    let shown = desk.rendering.to_json().to_string();
    assert!(shown.contains(&format!("handle={handle}")), "{shown}");
    assert!(
        shown.contains(&format!("bytes={}", log(5_000).len())),
        "{shown}"
    );
    assert!(
        desk.report
            .sections
            .iter()
            .any(|section| section.section == Section::Turns)
    );
}

#[test]
fn a_fork_reads_the_attachments_of_its_parent() {
    let (_folder, memory) = store();
    let run = priya(&memory).session("run").mode(Mode::NoMemory);
    let first = run.attach(b"before".to_vec(), None, Some("a")).unwrap();
    let saved = run.checkpoints().save(NewState::new("json", *b"1"));
    run.attach(b"after".to_vec(), None, Some("b")).unwrap();
    let fork = run.checkpoints().fork(saved.unwrap().id, "fork").unwrap();
    assert_eq!(fork.attachments().unwrap(), std::slice::from_ref(&first));
    assert_eq!(run.attachments().unwrap().len(), 2);
    let read = priya(&memory).read_handle(first.handle(), 0, 99).unwrap();
    assert_eq!(read.bytes, b"before");
    let given = fork.messages(Shape::OpenAi).unwrap().to_json();
    assert_eq!(given.as_array().map(Vec::len), Some(1));
    // The session began without memory and is without it.
    let sessions = priya(&memory).sessions().unwrap();
    assert!(
        sessions
            .iter()
            .all(|session| session.mode == Mode::NoMemory)
    );
}

#[test]
fn what_is_forgotten_is_not_handed_out() {
    let (_folder, memory) = store();
    let priya = priya(&memory);
    let session = priya.session("s1");
    let picture = "data:image/png;base64,iVBORw0KGgo=";
    let said = json!({"role": "user", "content": [{"type": "text", "text": "I live in Berlin."},
        {"type": "image_url", "image_url": {"url": picture}}]});
    session.append_openai(&said).unwrap();
    let kept = only(&session);
    assert!(priya.read_handle(kept.handle(), 0, 99).is_ok());
    session
        .append_openai(&json!({"role": "user", "content": "Please forget where I live."}))
        .unwrap();
    let fetch = |handle: Handle| {
        let arguments = json!({"handle": handle.to_string()});
        priya.tools().call("fetch_attachment", &arguments)
    };
    for handle in [kept.handle(), Handle::Turn(kept.turn)] {
        let error = priya.read_handle(handle, 0, 99).unwrap_err();
        assert_eq!(error.code(), "forgotten");
        let told = fetch(handle).unwrap_err().to_json().to_string();
        assert!(told.contains("forgotten"), "{told}");
    }
    let given = session.messages(Shape::OpenAi).unwrap().to_json();
    assert!(!given.to_string().contains("iVBORw0KGgo"), "{given}");
}
