//! The log of conversations.

use serde_json::json;

use crate::support::{Home, fields, texts};

fn append(home: &Home, clock: &str, more: &[&str]) -> serde_json::Value {
    let args = [&["session", "append"], more, &["--json"]].concat();
    home.run_at(clock, &args).done().json()
}

#[test]
fn sessions_are_listed_and_shown() {
    let home = Home::new();
    append(&home, "2026-01-01T09:00:00Z", &["work", "The build is red"]);
    append(
        &home,
        "2026-01-01T09:05:00Z",
        &[
            "work",
            "Line one\nline two",
            "--role",
            "assistant",
            "--at",
            "2026-01-01T10:01:00+01:00",
        ],
    );
    append(
        &home,
        "2026-01-02T09:00:00Z",
        &["home", "The boiler leaks", "--speaker", "Priya"],
    );
    insta::assert_snapshot!(home.run(&["session", "list"]).done().out);
    insta::assert_snapshot!(home.run(&["session", "show", "work"]).done().out);
    let listed = home.json(&["session", "list"]);
    assert_eq!(
        fields(&listed["sessions"][0]),
        "checkpoints fields first_at last_at mode name turns"
    );
    insta::assert_snapshot!(
        Home::new().run(&["session", "list"]).done().out,
        @"No conversation is kept here. Start with: memoriter ingest FILE"
    );
}

#[test]
fn each_append_adds_a_turn_unless_it_has_an_id() {
    let home = Home::new();
    for position in 0..2 {
        let added = append(&home, "2026-01-01", &["s", "yes"]);
        assert_eq!(fields(&added), "decisions id is_new position session");
        assert_eq!(
            (&added["position"], &added["is_new"]),
            (&json!(position), &json!(true))
        );
    }
    append(&home, "2026-01-01", &["s", "no", "--id", "m1"]);
    let again = append(&home, "2026-01-01", &["s", "no", "--id", "m1"]);
    assert_eq!(
        (&again["position"], &again["is_new"]),
        (&json!(2), &json!(false))
    );
    home.run(&["session", "append", "s", "maybe", "--id", "m1"])
        .failed(4, "with other content");
}

#[test]
fn long_sessions_are_shown_in_parts() {
    let home = Home::new();
    let lines: Vec<String> = (0..5)
        .map(|number| format!(r#"{{"session":"s","role":"user","content":"Turn {number}"}}"#))
        .collect();
    home.file("chat.jsonl", lines.join("\n"));
    home.run(&["ingest", "chat.jsonl"]).done();
    let first = home.json(&["session", "show", "s", "--limit", "3"]);
    assert_eq!(fields(&first), "next_from session turns");
    assert_eq!(first["next_from"], 3);
    let rest = home.json(&["session", "show", "s", "--from", "3", "--limit", "3"]);
    assert_eq!(texts(&rest["turns"], "content"), ["Turn 3", "Turn 4"]);
    assert_eq!(rest["next_from"], json!(null));
    assert!(
        home.run(&["session", "show", "s", "--limit", "2"])
            .done()
            .out
            .ends_with("more: --from 2\n")
    );
    home.run(&["session", "show", "s", "--limit", "0"])
        .failed(2, "from 1 to 1000");
}

#[test]
fn a_session_that_is_not_there_is_not_found() {
    let home = Home::new();
    append(&home, "2026-01-01", &["s", "yes"]);
    let missing = home
        .run(&["session", "show", "none", "--json"])
        .failed(3, "there is no session none");
    assert_eq!(missing.json()["error"]["code"], "no_such_session");
    home.run(&["session", "show", " "])
        .failed(2, "session is empty");
    home.run(&["session", "append", "s", ""])
        .failed(2, "content is empty");
    home.run(&["session", "append", "s", "x", "--role", "robot"])
        .failed(2, "role must be user");
}

#[test]
fn the_times_of_a_session_are_in_order() {
    let home = Home::new();
    let lines = [
        r#"{"session":"s","role":"user","content":"No time, so it is said now"}"#,
        r#"{"session":"s","role":"user","content":"In March","ts":"2026-03-01T09:00:00Z"}"#,
    ];
    home.file("chat.jsonl", lines.join("\n"));
    home.run_at("2026-05-01", &["ingest", "chat.jsonl"]).done();
    let listed = home.json(&["session", "list"]);
    let session = &listed["sessions"][0];
    assert_eq!(session["first_at"], "2026-03-01T09:00:00Z");
    assert_eq!(session["last_at"], "2026-05-01T00:00:00Z");
    let told = home.run(&["session", "list"]).done().out;
    assert!(
        told.contains("2026-03-01 09:00  2026-05-01 00:00"),
        "{told}"
    );
}

#[test]
fn an_appended_turn_is_read_for_facts() {
    let home = Home::new();
    let moved = ["chat", "I live in Berlin"];
    let found = append(&home, "2026-01-01", &moved);
    let decision = &found["decisions"][0];
    assert_eq!(
        (&decision["decision"], &decision["key"], &decision["value"]),
        (&json!("ADD"), &json!("user.city"), &json!("Berlin"))
    );
    let told = ["session", "append", "chat", "I'm vegetarian"];
    let told = home.run_at("2026-01-02", &told).done().out;
    assert!(told.contains("user.diet = vegetarian"), "{told}");
    let unread = ["chat", "My sister's name is Lena", "--extract", "none"];
    assert_eq!(append(&home, "2026-01-03", &unread)["decisions"], json!([]));
    let later = ["chat", "I have a dog named Rex", "--extract", "later"];
    assert_eq!(append(&home, "2026-01-04", &later)["decisions"], json!([]));
    let worked = home.run(&["work"]).done().out;
    assert!(worked.starts_with("1 turn taken, 1 decision"), "{worked}");
}
