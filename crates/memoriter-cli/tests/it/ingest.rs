//! Keeping conversations.

use serde_json::json;

use crate::support::{Home, Ran, texts};

const TWO_SESSIONS: &str = r#"{"session":"a","role":"user","content":"Good morning","ts":"2026-03-01T09:00:00+01:00"}
{"session":"a","role":"assistant","content":"Good morning to you","ts":"2026-03-01T09:00:10+01:00"}
{"session":"b","role":"user","content":"The boiler leaks","ts":"2026-03-02T09:00:00+01:00"}
"#;

#[test]
fn ingest_again_adds_nothing() {
    let home = Home::new();
    home.file("chat.jsonl", TWO_SESSIONS);
    let first = home.json(&["ingest", "chat.jsonl"]);
    assert_eq!(
        first,
        json!({"sessions": 2, "turns": 3, "skipped_turns": 0, "memories": 0, "decisions": {},
               "wordless_messages": 0, "thinking_blocks": 0})
    );
    let again = home.json(&["ingest", "chat.jsonl"]);
    assert_eq!(
        (&again["turns"], &again["skipped_turns"]),
        (&json!(0), &json!(3))
    );
    insta::assert_snapshot!(home.run(&["ingest", "chat.jsonl"]).done().out, @"0 new turns in 2 sessions, 3 known already");
    assert_eq!(home.json(&["stats"])["turns"], 3);
}

#[test]
fn ingest_reads_standard_input_and_several_files() {
    let home = Home::new();
    let done = home
        .run_with(&["ingest", "-", "--json"], TWO_SESSIONS)
        .done();
    assert_eq!(done.json()["turns"], 3);
    home.file("a.json", r#"[{"role":"user","content":"Hi"}]"#);
    home.file("b.json", r#"[{"role":"user","content":"Ho"}]"#);
    let done = home.json(&["ingest", "a.json", "b.json"]);
    assert_eq!((&done["sessions"], &done["turns"]), (&json!(2), &json!(2)));
    let again = home.json(&[
        "ingest",
        "a.json",
        "--session",
        "mine",
        "--format",
        "openai",
    ]);
    assert_eq!(again["turns"], 1);
    let names = texts(&home.json(&["session", "list"])["sessions"], "name");
    assert_eq!(names, ["a", "b", "a~2", "b~2", "mine"]);
}

#[test]
fn a_line_that_cannot_be_read_stops_and_what_was_before_stays() {
    let home = Home::new();
    let broken = format!(
        "{TWO_SESSIONS}{{\"session\":\"b\",\"role\":\"user\",\"contents\":\"x\"}}\n{TWO_SESSIONS}"
    );
    home.file("chat.jsonl", broken);
    let stopped = home
        .run(&["ingest", "chat.jsonl", "--json"])
        .failed(2, "chat.jsonl: line 4: unknown field `contents`");
    assert!(
        stopped
            .err
            .contains("kept before that: 3 new turns in 2 sessions"),
        "{}",
        stopped.err
    );
    let document = stopped.json();
    assert_eq!(document["error"]["code"], "unknown_field");
    assert_eq!(document["error"]["field"], "contents");
    assert_eq!(document["kept"]["turns"], 3);
    assert_eq!(home.json(&["stats"])["turns"], 3);
}

#[test]
fn a_line_may_name_its_user_unless_one_is_asked_for() {
    let home = Home::new();
    home.file(
        "chat.jsonl",
        r#"{"session":"s","role":"user","content":"My boat is blue","user":"me"}
{"session":"s","role":"user","content":"My boat is red","user":"priya"}
{"session":"s","role":"user","content":"My boat is green"}
"#,
    );
    let refused = home
        .run(&["ingest", "chat.jsonl", "--user", "me"])
        .failed(2, "line 2: the turn is of user priya, not of me");
    assert!(
        refused.err.contains("kept before that: 1 new turn"),
        "{}",
        refused.err
    );
    let done = home.json(&["ingest", "chat.jsonl"]);
    assert_eq!(
        (&done["sessions"], &done["turns"], &done["skipped_turns"]),
        (&json!(2), &json!(2), &json!(1))
    );
    let boats = |user: &str| {
        texts(
            &home.json(&["recall", "boat", "--user", user])["results"],
            "statement",
        )
    };
    assert_eq!(boats("priya"), ["My boat is red"]);
    assert_eq!(boats("me").len(), 2);
}

#[test]
fn a_user_or_agent_that_was_set_anywhere_is_not_overruled() {
    let home = Home::new();
    let file = r#"{"session":"s","role":"user","content":"My boat is red","user":"priya"}"#;
    home.file("chat.jsonl", file);
    home.file("user.toml", "user = \"tom\"\n");
    home.file("agent.toml", "agent = \"tutor\"\n");
    let ingest = |variable: (&str, &str), args: &[&str]| {
        let mut command = home.command();
        command
            .env(variable.0, variable.1)
            .args(["ingest", "chat.jsonl"]);
        Ran::of(command.args(args).output().unwrap())
    };
    let none = ("MEMORITER_USER", "");
    let tom = "the turn is of user priya, not of tom";
    let me = "the turn is of user priya, not of me";
    for (variable, args, refused, place) in [
        (none, &["--user", "tom"][..], tom, "--user"),
        (("MEMORITER_USER", "tom"), &[], tom, "MEMORITER_USER"),
        (none, &["--config", "user.toml"], tom, "user in user.toml"),
        (none, &["--agent", "tutor"], me, "--agent"),
        (("MEMORITER_AGENT", "tutor"), &[], me, "MEMORITER_AGENT"),
        (none, &["--config", "agent.toml"], me, "agent in agent.toml"),
    ] {
        let ran = ingest(variable, args).failed(2, refused);
        let hint = format!("without {place} each turn is kept with the user its line names");
        assert!(ran.err.contains(&hint), "{}", ran.err);
        assert_eq!(home.json(&["stats"])["turns"], 0, "{place}");
    }
    ingest(("MEMORITER_USER", "priya"), &["--agent", "tutor"]).done();
    ingest(none, &[]).done();
    assert_eq!(home.json(&["stats"])["turns"], 2);
}

#[test]
fn what_a_memory_has_no_use_for_is_counted() {
    let home = Home::new();
    home.file(
        "claude.json",
        r#"{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":"Hello"}]}]}"#,
    );
    let done = home
        .run(&["ingest", "claude.json", "--format", "anthropic"])
        .done();
    assert!(
        done.err
            .contains("left out: 1 blocks of a model's private reasoning"),
        "{}",
        done.err
    );
}

#[test]
fn what_is_not_there_is_said() {
    let home = Home::new();
    let missing = home
        .run(&["ingest", "none.jsonl", "--json"])
        .failed(3, "none.jsonl");
    assert_eq!(missing.json()["error"]["code"], "no_such_file");
    home.run(&["ingest", "."]).failed(2, "is a folder");
    home.run(&["ingest", "x", "--extract", "magic"])
        .failed(2, "possible values: none, rules, model, later");
    home.run(&["ingest", "x", "--extract", "model"])
        .failed(2, "no model is named");
    home.run(&["ingest", "x", "--format", "chatgpt"])
        .failed(2, "format must be auto, jsonl");
    home.file("list.txt", "a shopping list");
    let untold = home.run(&["ingest", "list.txt"]).failed(
        2,
        "it may be jsonl, openai, anthropic, locomo or longmemeval",
    );
    assert!(
        untold
            .err
            .contains("hint: say which one it is with --format NAME")
    );
    assert!(!untold.err.contains("auto"), "{}", untold.err);
    home.run(&["ingest"]).failed(2, "<FILE>");
}

/// A line of the plain format.
fn line(user: &str, id: &str, content: &str) -> String {
    format!(r#"{{"session":"s","role":"user","content":"{content}","user":"{user}","id":"{id}"}}"#)
}

#[test]
fn a_turn_that_contradicts_a_kept_one_is_named_and_what_was_before_stays() {
    let home = Home::new();
    home.file("first.jsonl", line("priya", "m7", "I take the bus"));
    home.run(&["ingest", "first.jsonl"]).done();
    let mut lines: Vec<String> = (0..20)
        .map(|number| {
            let user = if number % 2 == 0 { "tom" } else { "priya" };
            line(user, &format!("m{number}"), &format!("Note {number}"))
        })
        .collect();
    home.file("chat.jsonl", lines.join("\n"));
    let refused = home
        .run(&["ingest", "chat.jsonl", "--json"])
        .failed(4, "chat.jsonl: line 8: turn m7 is in session s already");
    assert!(
        refused.err.contains("kept before that: 7 new turns"),
        "{}",
        refused.err
    );
    let document = refused.json();
    assert_eq!(document["error"]["code"], "turn_conflict");
    assert_eq!(document["error"]["field"], "id");
    assert_eq!(document["kept"]["turns"], 7);
    let turns = |user: &str| {
        texts(
            &home.json(&["session", "show", "s", "--user", user])["turns"],
            "content",
        )
    };
    assert_eq!(turns("tom"), ["Note 0", "Note 2", "Note 4", "Note 6"]);
    assert_eq!(
        turns("priya"),
        ["I take the bus", "Note 1", "Note 3", "Note 5"]
    );
    lines[7] = line("priya", "m7", "I take the bus");
    home.file("chat.jsonl", lines.join("\n"));
    let done = home.json(&["ingest", "chat.jsonl"]);
    assert_eq!(
        (&done["turns"], &done["skipped_turns"]),
        (&json!(12), &json!(8))
    );
}

#[test]
fn a_file_that_contradicts_itself_is_named_too() {
    let home = Home::new();
    let lines = [
        line("me", "a", "Yes"),
        line("me", "a", "Yes"),
        line("me", "b", "Well"),
        line("me", "a", "No"),
    ];
    home.run_with(&["ingest", "-"], lines.join("\n"))
        .failed(4, "standard input: line 4: turn a is in session s already");
    assert_eq!(home.json(&["stats"])["turns"], 2);
}

/// A file of bare messages: a prompt and a greeting that all conversations share, and these words.
fn messages(words: &[&str]) -> String {
    let shared = [("system", "Be brief"), ("user", "Hi")];
    let own = words.iter().map(|words| ("user", *words));
    let messages = shared.into_iter().chain(own);
    json!(
        messages
            .map(|(role, content)| json!({"role": role, "content": content}))
            .collect::<Vec<_>>()
    )
    .to_string()
}

/// Session names with the words of their last turns.
fn last_words(home: &Home) -> Vec<String> {
    let sessions = home.json(&["session", "list"]);
    let told = |name: &String| {
        let turns = texts(&home.json(&["session", "show", name])["turns"], "content");
        format!("{name}: {}", turns.last().unwrap())
    };
    texts(&sessions["sessions"], "name")
        .iter()
        .map(told)
        .collect()
}

#[test]
fn files_of_one_name_are_conversations_of_their_own() {
    let home = Home::new();
    for folder in ["a", "b", "c"] {
        std::fs::create_dir(home.path().join(folder)).unwrap();
    }
    home.file("a/chat.json", messages(&["I have a cat"]));
    home.file("b/chat.json", messages(&["I have a dog"]));
    let read = || {
        home.run(&["ingest", "a/chat.json", "b/chat.json", "--json"])
            .done()
    };
    let first = read();
    assert_eq!(first.json()["sessions"], 2);
    assert_eq!(
        last_words(&home),
        ["chat: I have a cat", "chat~2: I have a dog"]
    );
    assert!(
        first.err.contains(
            "b/chat.json: session chat holds another conversation, so this one is kept as chat~2"
        ),
        "{}",
        first.err
    );
    assert_eq!(read().json()["turns"], 0, "read again");
    home.file(
        "b/chat.json",
        messages(&["I have a dog", "It is called Rex"]),
    );
    home.file(
        "a/chat.json",
        messages(&["I have a cat", "It is called Tom"]),
    );
    assert_eq!(read().json()["turns"], 2, "both have grown");
    assert_eq!(
        last_words(&home),
        ["chat: It is called Tom", "chat~2: It is called Rex"]
    );
    home.file("c/chat.json", messages(&["I have a cat"]));
    let copy = home.json(&["ingest", "c/chat.json"]);
    assert_eq!(copy["turns"], 0, "an older copy of what is kept");
    let asked = home.json(&["ingest", "b/chat.json", "--session", "chat"]);
    assert_eq!(asked["turns"], 2, "the name that is asked for is taken");
}

#[test]
fn each_conversation_of_a_file_has_a_name_of_its_own() {
    let home = Home::new();
    let file = |words: [&str; 2]| {
        let conversation = |words: &&str| format!("{{\"messages\":{}}}", messages(&[words]));
        words
            .iter()
            .map(conversation)
            .collect::<Vec<_>>()
            .join("\n")
    };
    home.run_with(&["ingest", "-"], file(["One", "Two"])).done();
    home.run_with(&["ingest", "-"], file(["Three", "Four"]))
        .done();
    home.run_with(&["ingest", "-"], file(["Three", "Four"]))
        .done();
    assert_eq!(
        last_words(&home),
        [
            "stdin: One",
            "stdin/2: Two",
            "stdin~2: Three",
            "stdin/2~2: Four"
        ]
    );
}

#[test]
fn lines_without_a_session_are_of_the_one_that_is_asked_for() {
    let home = Home::new();
    let lines = [
        r#"{"role":"user","content":"Hello"}"#,
        r#"{"session":"own","role":"user","content":"Elsewhere"}"#,
        r#"{"role":"assistant","content":"Good morning"}"#,
    ];
    home.file("chat.jsonl", lines.join("\n"));
    let refused = home
        .run(&["ingest", "chat.jsonl"])
        .failed(2, "line 1: field `session` is missing");
    assert!(
        refused.err.contains("hint: --session NAME"),
        "{}",
        refused.err
    );
    for new in [3, 0] {
        let done = home.json(&["ingest", "chat.jsonl", "--session", "monday"]);
        assert_eq!(
            (&done["turns"], &done["sessions"]),
            (&json!(new), &json!(2))
        );
    }
    assert_eq!(
        last_words(&home),
        ["monday: Good morning", "own: Elsewhere"]
    );
}

#[test]
fn a_file_without_a_turn_is_read_and_told() {
    let home = Home::new();
    for content in [
        "",
        " \n\n",
        "[]",
        "{\"messages\":[]}",
        "[{\"messages\":[]}]",
    ] {
        home.file("empty.json", content);
        home.file("chat.json", messages(&["I have a cat"]));
        let ran = home
            .run(&["ingest", "empty.json", "chat.json", "--json"])
            .done();
        assert_eq!(ran.json()["sessions"], 1, "what comes behind it is read");
        assert_eq!(ran.err, "empty.json: nothing in it\n", "{content:?}");
    }
    home.run_with(&["ingest", "-", "--format", "jsonl"], "")
        .done();
}

#[test]
fn a_long_result_of_a_tool_is_an_attachment_and_a_long_message_an_error() {
    let home = Home::new();
    let long = "line of a log\n".repeat(100_000);
    let result = json!({"session": "s", "role": "tool", "tool_call_id": "c", "content": long});
    home.file("long.jsonl", format!("{result}\n"));
    assert_eq!(home.json(&["ingest", "long.jsonl"])["turns"], 1);
    assert_eq!(home.json(&["ingest", "long.jsonl"])["skipped_turns"], 1);
    assert_eq!(home.json(&["stats"])["attachments"], 1);
    let said = json!({"session": "s", "role": "user", "content": long});
    home.file("said.jsonl", format!("{said}\n"));
    let refused = home.run(&["ingest", "said.jsonl"]);
    assert!(
        refused
            .err
            .contains("content is 1400000 bytes, over the limit of 1048576 bytes"),
        "{}",
        refused.err
    );
}
