//! What a model should read.

use crate::support::{Home, fields, text, texts};

const CLOCK: &str = "2026-03-01T09:00:00Z";

/// A home with a fact, a note and a short conversation.
fn home() -> Home {
    let home = Home::new();
    for args in [
        &[
            "remember",
            "I live in Munich",
            "--key",
            "user.city",
            "--value",
            "Munich",
        ][..],
        &["remember", "Professor Bauer handed out a long reading list"],
        &[
            "session",
            "append",
            "work",
            "The build is red again.",
            "--role",
            "user",
        ],
        &[
            "session",
            "append",
            "work",
            "I'll have a look.",
            "--role",
            "assistant",
        ],
    ] {
        home.run_at(CLOCK, args).done();
    }
    home
}

fn context<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    let question = "What did Professor Bauer hand out?";
    [
        &["context", question, "--session", "work", "--budget", "1000"],
        rest,
    ]
    .concat()
}

#[test]
fn the_desk_is_a_text_for_people() {
    let ran = home()
        .run_at(CLOCK, &context(&["--system", "You are a tutor."]))
        .done();
    let boundary = ran.out.get(1..9).unwrap().to_owned();
    let out = ran.out.replace(&boundary, "BOUNDARY");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[..2],
        ["[BOUNDARY system] Instructions:", "You are a tutor."]
    );
    assert!(
        lines[3].starts_with(
            "key=\"user.city\" statement=\"I live in Munich\" status=stated origin=user"
        ),
        "{out}"
    );
    assert_eq!(
        lines[5],
        "role=user content=\"The build is red again.\" date=2026-03-01"
    );
    assert_eq!(
        lines.last(),
        Some(&"role=user content=\"What did Professor Bauer hand out?\"")
    );
    assert!(
        out.contains("Professor Bauer handed out a long reading list"),
        "{out}"
    );
}

#[test]
fn the_report_tells_what_each_part_has() {
    let home = home();
    let out = home.run_at(CLOCK, &context(&["--report"])).done().out;
    assert!(
        out.contains(" of 1000 tokens, counted by estimate-1; the whole conversation would be "),
        "{out}"
    );
    let document = home.json(&context(&[]));
    assert_eq!(fields(&document), "boundary form report text");
    let report = &document["report"];
    assert_eq!(
        fields(report),
        "budget_tokens counter dropped full_history_tokens pinned prefix tokens"
    );
    assert_eq!(
        fields(&report["tokens"]),
        "message profile recalled total turns"
    );
    assert!(report["tokens"]["total"].as_u64().unwrap() <= 1_000);
    assert!(report["prefix"].is_null());
}

#[test]
fn each_form_is_what_its_service_takes() {
    let home = home();
    let openai = home.json(&context(&["--form", "openai"]));
    assert_eq!(
        texts(&openai["messages"], "role"),
        ["system", "user", "assistant", "user"]
    );
    assert_eq!(
        openai["messages"][3]["content"][1]["text"],
        "What did Professor Bauer hand out?"
    );
    let anthropic = home.json(&context(&["--form", "anthropic"]));
    assert_eq!(
        texts(&anthropic["messages"], "role"),
        ["user", "assistant", "user"]
    );
    assert_eq!(anthropic["system"][0]["cache_control"]["type"], "ephemeral");
}

#[test]
fn the_difference_tells_what_changed_since() {
    let home = home();
    let first = home
        .run(&[&context(&[])[..], &["--json"]].concat())
        .done()
        .out;
    let file = home.file("first.json", first);
    let file = file.to_str().unwrap();
    let same = home.json(&context(&["--diff", file]));
    assert!(same["report"]["prefix"]["changed_at"].is_null());
    home.run_at(
        CLOCK,
        &[
            "session",
            "append",
            "work",
            "It is green.",
            "--role",
            "assistant",
        ],
    )
    .done();
    let later = home.json(&context(&["--diff", file]));
    assert_eq!(later["report"]["prefix"]["changed_at"], "turns");
    assert_eq!(texts(&later["added"], "section"), ["turns"]);
    assert!(text(&later["added"][0]["entry"]).contains("It is green."));
    let out = home.run(&context(&["--diff", file])).done().out;
    assert!(
        out.contains("+ turns: role=\"assistant\" content=\"It is green.\""),
        "{out}"
    );
}

#[test]
fn what_cannot_be_laid_out_is_said() {
    let home = home();
    let session = ["context", "Hello", "--session", "work"];
    home.run(&[&session[..], &["--budget", "4"]].concat())
        .failed(
            2,
            "a budget of 4 tokens is too small: what must be on the desk needs ",
        );
    home.run(&[&session[..], &["--form", "latex"]].concat())
        .failed(2, "text, openai or anthropic");
    home.run(&[&session[..], &["--diff", "nowhere.json"]].concat())
        .failed(3, "nowhere.json");
    let other = home.file("other.json", "{\"text\": \"hello\"}");
    home.run(&[&session[..], &["--diff", other.to_str().unwrap()]].concat())
        .failed(
            2,
            "no answer of `memoriter context --json` for this session",
        );
    home.run(&["context", " ", "--session", "work"])
        .failed(2, "message is empty");
}

#[test]
fn without_memory_there_is_the_conversation_alone() {
    let home = home();
    let out = home.run(&context(&["--no-memory"])).done().out;
    assert!(
        !out.contains("Munich") && out.contains("The build is red again."),
        "{out}"
    );
    // Nothing is made by looking.
    let fresh = Home::new();
    fresh.run(&["context", "Hello", "--session", "new"]).done();
    assert!(!fresh.path().join("data").exists());
}
