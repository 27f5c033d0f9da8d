//! Questions and texts from hell: a right answer or a clear error, never a panic, never everything.

use memoriter::core::id::TurnId;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Memoriter, Scope, ScopedMemory, TurnDraft, TurnKey};

fn store() -> (tempfile::TempDir, ScopedMemory) {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
    let scope = memory.scope(Scope::user("priya"));
    for text in FILLER {
        scope.remember(*text).unwrap();
    }
    (folder, scope)
}

const FILLER: &[&str] = &[
    "The invoice was paid on Tuesday",
    "We planted tomatoes in the garden",
    "Lena's flight leaves at noon",
    "The committee meets twice a year",
    "Our kitchen has a new window",
];

/// `text` is found first by `question`.
#[track_caller]
fn check_finds(text: &str, questions: &[&str]) {
    let (_folder, scope) = store();
    scope.remember(text).unwrap();
    for question in questions {
        let hits = scope.recall(question).run().unwrap();
        assert_eq!(
            hits.first().map(memoriter::Recalled::text),
            Some(text),
            "{question}"
        );
        assert!(hits.len() < FILLER.len(), "{question} brings everything");
    }
}

#[track_caller]
fn check_error(question: &str, expected: &str) {
    let (_folder, scope) = store();
    let error = scope.recall(question).run().unwrap_err();
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn each_part_of_glued_scripts_finds_the_whole() {
    check_finds(
        "会議は東京tower2024年に行います",
        &["東京", "tower", "2024", "会議", "tower2024"],
    );
}

#[test]
fn odd_words_are_found_as_they_stand() {
    check_finds(
        "I don't like mornings",
        &["don't like mornings", "mornings"],
    );
    check_finds("The disk reads 3 GB/s", &["GB/s"]);
    check_finds("It is a multi-agent system", &["multi-agent", "agent"]);
    check_finds(
        "Pass \"--quoted\" to the tool",
        &["\"--quoted\"", "--quoted"],
    );
    check_finds("Family photo 👨‍👩‍👧‍👦 at the sea", &["👨‍👩‍👧‍👦"]);
    check_finds("Zoe\u{308} plays the harp", &["Zoë", "zoe", "harp"]);
    check_finds("a% or b_c; DROP TABLE memory; --", &["DROP TABLE memory"]);
}

#[test]
fn what_is_no_question_is_an_error_or_finds_nothing() {
    check_error("", "query is empty");
    check_error(" \t\n\u{3000}", "query is empty");
    check_error("a\0b", "NUL");
    check_error(
        &"x".repeat(10 * 1024 * 1024),
        "over the limit of 8192 bytes",
    );
    let (_folder, scope) = store();
    for question in [
        "?!",
        "%",
        "_",
        "''",
        "\"",
        "*",
        "\u{301}\u{301}",
        "\u{202E}",
        "\u{E0041}\u{E0042}",
        "NOT AND OR",
        "() -- ;",
    ] {
        assert!(
            scope.recall(question).run().unwrap().is_empty(),
            "{question:?} finds something"
        );
    }
}

#[test]
fn texts_from_hell_are_kept_byte_for_byte_or_refused() {
    let (_folder, scope) = store();
    let zalgo = format!("x{}", "\u{301}".repeat(3_000));
    for text in [
        "\u{FEFF}bom",
        "\u{202E}right to left",
        "e\u{301}",
        "\u{1F468}\u{200D}\u{1F469}",
        zalgo.as_str(),
        "  spaces  ",
    ] {
        let id = scope.remember(text).unwrap()[0].id.unwrap();
        assert_eq!(scope.get(id).unwrap().statement, text);
    }
    for text in ["", "   ", "a\0b"] {
        assert!(scope.remember(text).is_err(), "{text:?}");
    }
    let error = scope.remember("x".repeat(10 * 1024 * 1024)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "statement is 10485760 bytes, over the limit of 8192 bytes"
    );
}

#[test]
fn a_turn_of_ten_megabytes_is_refused_and_one_of_the_limit_is_kept() {
    let (_folder, scope) = store();
    let turn = |content: String| TurnDraft {
        session: SessionName::new("s").unwrap(),
        key: TurnKey::At(0),
        message: Message::new(
            Role::User,
            content,
            ZonedTime::utc(Timestamp::from_micros(0)),
        ),
    };
    let error = scope
        .append([turn("x".repeat(10 * 1024 * 1024))])
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "content is 10485760 bytes, over the limit of 1048576 bytes"
    );
    let content = "word ".repeat(1024 * 1024 / 5);
    let id: TurnId = scope.append([turn(content.clone())]).unwrap()[0].id;
    assert_eq!(scope.turn(id).unwrap().unwrap().message.content, content);
    assert_eq!(
        scope.recall("word").top(1).run().unwrap()[0].turn_id(),
        Some(id)
    );
}

#[test]
fn a_question_about_something_else_is_answered_with_nothing() {
    let (_folder, scope) = store();
    for question in [
        "quantum chromodynamics lattice",
        "Wie heißt der Hund?",
        "你叫什么名字",
    ] {
        assert!(
            scope.recall(question).run().unwrap().is_empty(),
            "{question}"
        );
    }
}
