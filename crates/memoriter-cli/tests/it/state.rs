//! State, checkpoints and modes of conversations.

use serde_json::json;

use crate::support::{Home, fields, text};

fn state(home: &Home, args: &[&str]) -> serde_json::Value {
    let args = [&["session", "state"], args, &["--json"]].concat();
    home.run_at("2026-01-01", &args).done().json()
}

#[test]
fn fields_are_set_shown_and_removed() {
    let home = Home::new();
    let set = state(&home, &["set", "work", "order", r#"{"b":1,"a":"é"}"#]);
    assert_eq!(
        fields(&set),
        "actor at name owner protected revision rule source type value"
    );
    state(&home, &["append", "work", "steps", r#""paid""#]);
    state(&home, &["set", "work", "steps", r#""packed""#]);
    state(&home, &["set", "work", "best", "-3", "--rule", "max"]);
    insta::assert_snapshot!(home.run(&["session", "state", "get", "work"]).done().out);
    let steps = home.json(&["session", "state", "get", "work", "steps"]);
    assert_eq!(
        (&steps["value"], &steps["revision"]),
        (&json!(["paid", "packed"]), &json!(2))
    );
    insta::assert_snapshot!(
        home.run(&["session", "state", "get", "work", "order"]).done().out,
        @r#"{"a":"é","b":1}"#
    );
    home.run(&[
        "session",
        "state",
        "set",
        "work",
        "order",
        "1",
        "--expect-revision",
        "7",
    ])
    .failed(4, "field order has revision 1, not 7");
    home.run(&["session", "state", "set", "work", "order", "A-17"])
        .failed(2, "value is no JSON");
    home.run(&[
        "session", "state", "set", "work", "order", "1", "--type", "text",
    ])
    .failed(2, "type must be any, string");
    home.run(&["session", "state", "remove", "work", "order"])
        .done();
    home.run(&["session", "state", "get", "work", "order"])
        .failed(3, "there is no field order");
    let listed = home.json(&["session", "list"]);
    assert_eq!(
        (
            &listed["sessions"][0]["fields"],
            &listed["sessions"][0]["turns"]
        ),
        (&json!(2), &json!(0))
    );
    assert_eq!(home.json(&["session", "show", "work"])["turns"], json!([]));
}

#[test]
fn an_owner_and_what_is_remembered() {
    let home = Home::new();
    state(
        &home,
        &[
            "set",
            "work",
            "goal",
            r#""ship""#,
            "--owner",
            "planner",
            "--as",
            "planner",
            "--protected",
        ],
    );
    home.run(&[
        "session", "state", "set", "work", "goal", "1", "--as", "tutor",
    ])
    .failed(
        4,
        "field goal is owned by planner, and tutor may not write it",
    );
    let city = home.remember(&["I live in Oslo", "--key", "user.city", "--value", "Oslo"]);
    let taken = home.json(&["session", "state", "take", "work", "city", "user.city"]);
    assert_eq!(
        (&taken["value"], &taken["source"]["memory"]),
        (&json!("Oslo"), &json!(city))
    );
    let said = [
        "I live in Rome",
        "--key",
        "user.city",
        "--value",
        "Rome",
        "--origin",
        "web",
    ];
    let waiting = home.remember(&said);
    home.run(&["session", "state", "take", "work", "city", &waiting])
        .failed(4, "only a live one moves into a field");
    let desk = home
        .run(&["context", "What now?", "--session", "work"])
        .done()
        .out;
    assert!(desk.contains(r#"field="goal" text="ship""#), "{desk}");
}

/// Saves a checkpoint of the run and returns its id.
fn save(home: &Home, more: &[&str]) -> String {
    let saved = home.json(&[&["session", "checkpoint", "run"], more].concat());
    assert_eq!(
        fields(&saved),
        "approval as_of at bytes id label parent session turns type"
    );
    text(&saved["id"])
}

const DEPLOY: [&str; 4] = ["--ask", "Deploy?", "--ask-for", r#"{"to":"prod"}"#];

#[test]
fn a_run_is_saved_and_resumed() {
    let home = Home::new();
    state(&home, &["set", "run", "step", "1"]);
    home.file("state.bin", [0_u8, 255, 10]);
    let data = ["--in", "state.bin", "--type", "bytes"];
    let first = save(&home, &[&data[..], &DEPLOY[..]].concat());
    state(&home, &["set", "run", "step", "2"]);
    save(&home, &["--label", "after"]);
    let listed = home.json(&["session", "checkpoints", "run"]);
    assert_eq!(
        (
            &listed["checkpoints"][0]["id"],
            &listed["checkpoints"][1]["parent"]
        ),
        (&json!(first), &json!(first))
    );
    let told = home.run(&["session", "checkpoints", "run"]).done().out;
    assert!(told.contains("waits: Deploy?"), "{told}");
    let approve = ["--out", "back.bin", "--approve", "--by", "priya"];
    let resumed = home.json(&[&["session", "resume", "run", &first], &approve[..]].concat());
    assert_eq!(fields(&resumed), "board checkpoint data");
    assert_eq!(resumed["board"][0]["value"], json!(1));
    assert_eq!(resumed["checkpoint"]["approval"]["answer"], "approved");
    let back = fs_err::read(home.path().join("back.bin")).unwrap();
    assert_eq!(back, [0, 255, 10]);
    home.run(&["session", "resume", "run", &first, "--reject"])
        .failed(4, "waits for no answer");
    assert_eq!(home.json(&["verify"])["ok"], true);
}

#[test]
fn a_run_is_forked_and_pruned() {
    let home = Home::new();
    home.run(&["session", "append", "run", "Deploy the shop"])
        .done();
    let first = save(&home, &[]);
    let second = save(&home, &["--label", "after"]);
    home.run(&["session", "fork", "run", &first, "again"])
        .done();
    let forked = home.json(&["session", "show", "again"]);
    assert_eq!(forked["turns"][0]["content"], "Deploy the shop");
    home.run(&["session", "fork", "run", &first, "run"])
        .failed(4, "there is a session run already");
    home.run(&["session", "prune", "run"]).failed(2, "--keep");
    let pruned = home.json(&["session", "prune", "run", "--keep", "1"]);
    assert_eq!(pruned, json!({ "removed": [first] }));
    home.run(&["session", "resume", "run", &first])
        .failed(3, "there is no checkpoint");
    let piped = ["session", "checkpoint", "run", "--in", "-", "--json"];
    let newest = home.run_with(&piped, "{}").done().json();
    assert_eq!(
        (&newest["parent"], &newest["bytes"]),
        (&json!(second), &json!(2))
    );
    assert_eq!(home.json(&["verify"])["ok"], true);
}

#[test]
fn modes_are_set_and_held_to() {
    let home = Home::new();
    assert_eq!(home.json(&["session", "mode", "quiet"])["mode"], "full");
    home.run(&[
        "session",
        "append",
        "quiet",
        "The party is on Sunday",
        "--mode",
        "none",
    ])
    .done();
    assert_eq!(
        home.json(&["session", "mode", "quiet"]),
        json!({"session": "quiet", "mode": "none"})
    );
    assert_eq!(
        home.json(&["recall", "When is the party?"])["results"],
        json!([])
    );
    home.run(&["session", "mode", "quiet", "loud"])
        .failed(2, "mode must be full, read-only or none");
    home.run(&["session", "mode", "quiet", "read-only"]).done();
    assert_eq!(
        home.json(&["recall", "When is the party?"])["results"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    home.file(
        "chat.jsonl",
        r#"{"session":"quiet","role":"user","content":"I live in Oslo"}"#,
    );
    let read = home.run(&["ingest", "chat.jsonl", "--json"]).done();
    assert!(read.err.contains("kept and not read"), "{}", read.err);
    assert_eq!(read.json()["memories"], 0);
}

#[test]
fn a_number_is_kept_with_all_its_digits_or_refused() {
    let home = Home::new();
    for number in [
        "18446744073709551615",
        "-9223372036854775808",
        "0.30000000000000004",
        "1.7976931348623157e308",
        "5e-324",
        "\"18446744073709551616\"",
    ] {
        state(&home, &["set", "work", "n", number]);
        let kept = home.run(&["session", "state", "get", "work", "n"]).done();
        let is_same = kept.out.trim().parse::<f64>() == number.parse::<f64>();
        assert!(
            kept.out.trim() == number || is_same,
            "{number}: {}",
            kept.out
        );
    }
    for number in ["18446744073709551616", "[0.1234567890123456789]"] {
        let refused = home.run(&["session", "state", "set", "work", "n", number]);
        let refused = refused.failed(2, "cannot be kept exactly");
        assert!(
            refused.err.contains("18446744073709551615"),
            "{}",
            refused.err
        );
    }
}

#[test]
fn what_is_not_there_or_not_built_in_has_its_exit_code() {
    let home = Home::new();
    state(&home, &["set", "work", "goal", "1"]);
    home.run(&["session", "state", "get", "nosuch"])
        .failed(3, "there is no session nosuch");
    home.run(&["session", "state", "get", "work"]).done();
    if cfg!(not(feature = "tiktoken")) {
        let context = [
            "context",
            "Hello",
            "--session",
            "work",
            "--tokenizer",
            "o200k",
        ];
        home.run(&context)
            .failed(2, "the tokenizer o200k cannot be used");
    }
}

#[test]
fn stats_and_the_list_count_the_same_sessions() {
    let home = Home::new();
    state(&home, &["set", "work", "goal", "1"]);
    home.run(&["session", "append", "chat", "Hello"]).done();
    home.run(&["session", "append", "chat", "Hello again"])
        .done();
    let listed = home.json(&["session", "list"]);
    let stats = home.json(&["stats"]);
    assert_eq!(stats["sessions"], json!(2));
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(stats["turns"], json!(2));
}

#[test]
fn a_secret_in_a_name_is_refused_and_lies_in_no_file() {
    let home = Home::new();
    let token = ["ghp", "_zQ8xK2mVw4TnR7yLsD1fGhJ5kP9bC3aE6uXo"].concat();
    home.run(&["session", "append", "chat", "Hello"]).done();
    let lines = format!(
        "{{\"session\":\"chat\",\"role\":\"user\",\"content\":\"Hi\",\"speaker\":\"{token}\"}}\n"
    );
    let file = home.file("talk.jsonl", lines);
    for args in [
        &["session", "append", &token, "Hello"][..],
        &["session", "state", "set", &token, "goal", "1"],
        &["session", "state", "set", "chat", &token, "1"],
        &["remember", "I live in Bremen", "--user", &token],
        &["ingest", file.to_str().unwrap()],
    ] {
        let refused = home.run(args).failed(4, "holds a secret");
        assert!(!refused.err.contains(&token), "{}", refused.err);
    }
    for args in [
        &["remember", "Tulips", "--category", &token][..],
        &["remember", "Roses", "--meta", &format!("{token}=1")],
        &["remember", "Lilies", "--meta", &format!("a={token}")],
        &[
            "session",
            "state",
            "set",
            "chat",
            "note",
            &format!("\"{token}\""),
        ],
    ] {
        home.run(args).done();
    }
    fs_err::remove_file(&file).unwrap();
    for entry in walk(home.path()) {
        let bytes = fs_err::read(&entry).unwrap();
        let held = bytes
            .windows(token.len())
            .any(|part| part == token.as_bytes());
        assert!(!held, "{}", entry.display());
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(walk(&path));
        } else {
            files.push(path);
        }
    }
    files
}
