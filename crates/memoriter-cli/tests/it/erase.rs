use serde_json::json;

use crate::support::{Home, text, texts};

#[test]
fn erase_tells_what_would_go_and_proves_that_it_went() {
    let home = Home::new();
    let id = home.remember(&[
        "I live in Berlin",
        "--key",
        "user.city",
        "--value",
        "Berlin",
    ]);
    home.remember(&["I have a dog", "--key", "user.pet", "--value", "dog"]);
    let dry = home.json(&["erase", "--key", "user.city", "--dry-run"]);
    assert_eq!(texts(&dry["would_erase"], "id"), std::slice::from_ref(&id));
    assert_eq!(dry["counts"], json!({"memories": 1}));
    let done = home.run(&["erase", "--key", "user.city", "--json"]).done();
    let receipt = done.json();
    assert_eq!(receipt["receipt"]["erased"]["memories"], 1);
    assert_eq!(receipt["receipt"]["levels"], json!(["V1", "V2", "V3"]));
    let file = home.file("receipt.json", &done.out);
    let file = file.to_str().unwrap();
    let checked = home.json(&["receipt", "verify", file]);
    assert_eq!(
        (&checked["valid"], &checked["store"]),
        (&json!(true), &json!(true))
    );
    // The next receipt names the lines of this one.
    home.run(&["erase", "--key", "user.pet"]).done();
    let receipts = home.json(&["receipt", "list"])["receipts"].clone();
    let second = home.file("second.json", receipts[1].to_string());
    let checked = home.json(&["receipt", "verify", second.to_str().unwrap()]);
    assert_eq!(
        (&checked["valid"], &checked["log"]),
        (&json!(true), &json!(true))
    );
    let forged = home.file(
        "forged.json",
        done.out
            .replace("\"memories\": 1", "\"memories\": 2")
            .replace("\"memories\":1", "\"memories\":2"),
    );
    let refused = home.run(&["receipt", "verify", forged.to_str().unwrap(), "--json"]);
    assert_eq!(
        (refused.code, refused.json()["valid"].clone()),
        (1, json!(false))
    );
    let other = Home::new();
    other.remember(&["I have a cat"]);
    let foreign = other.run(&["receipt", "verify", file, "--json"]);
    assert_eq!(
        (foreign.code, foreign.json()["store"].clone()),
        (1, json!(false))
    );
    let listed = home.json(&["receipt", "list"]);
    assert_eq!(
        text(&listed["receipts"][0]["receipt"]["id"]),
        text(&receipt["receipt"]["id"])
    );
    home.run(&["erase", "--key", "user.city"])
        .failed(3, "there is no memory under user.city to erase");
    home.run(&["erase", &id]).failed(3, "there is no memory");
    home.run(&["erase", "--origin", "web"]).failed(2, "--since");
    home.run(&["erase", "--matching", "..."])
        .failed(2, "matching must be a text with a word in it");
    home.run(&["verify"]).done();
}

#[test]
fn an_erased_conversation_is_not_read_again() {
    let home = Home::new();
    let line = r#"{"session":"s1","role":"user","content":"I live in Berlin","ts":"2026-03-01T09:00:00Z"}"#;
    let chat = home.file("chat.jsonl", line);
    let chat = chat.to_str().unwrap();
    home.run(&["ingest", chat]).done();
    home.run(&["erase", "--session", "s1"]).done();
    let again = home.run(&["ingest", chat]).done();
    assert!(
        again.out.contains("1 erased before and left out"),
        "{}",
        again.out
    );
    let json = home.json(&["ingest", chat]);
    assert_eq!(
        (&json["turns"], &json["erased_turns"], &json["memories"]),
        (&json!(0), &json!(1), &json!(0))
    );
    assert_eq!(home.json(&["list"])["memories"], json!([]));
}

#[test]
fn what_a_source_brought_is_undone() {
    let home = Home::new();
    let page = home.remember(&["The page says banks close", "--origin", "web"]);
    let tea = home.remember(&["I like tea"]);
    let from = ["erase", "--origin", "web", "--since", "2026-01-01"];
    let dry = home.json(&[&from[..], &["--dry-run"]].concat());
    assert_eq!(
        texts(&dry["would_erase"], "id"),
        std::slice::from_ref(&page)
    );
    home.run(&from).done();
    home.run(&["show", &page]).failed(3, "there is no memory");
    home.run(&["show", &tea]).done();
}

#[test]
fn what_was_made_of_what_a_source_brought_goes_with_it() {
    let home = Home::new();
    let city = ["--key", "user.city", "--value", "Rome", "--origin", "web"];
    let read = home.remember(&[&["The user's city is Rome"][..], &city].concat());
    home.run(&["review", "approve", &read]).done();
    home.run(&["session", "state", "take", "work", "city", "user.city"])
        .done();
    home.run(&["session", "state", "set", "work", "seats", "2"])
        .done();
    // A correction by the user is another version of what was read.
    let corrected = [
        "update",
        &read,
        "--statement",
        "My city is Ostia, near Rome",
    ];
    home.run(&[&corrected[..], &["--value", "Ostia"]].concat())
        .done();
    let tea = home.remember(&["I like tea"]);
    let from = ["erase", "--origin", "web", "--since", "2020-01-01"];
    let dry = home.json(&[&from[..], &["--dry-run"]].concat());
    assert_eq!(dry["counts"]["fields"], 1, "{dry}");
    let receipt = home.run(&[&from[..], &["--json"]].concat()).done().json();
    assert_eq!(receipt["receipt"]["erased"]["fields"], 1);
    home.run(&["show", &read]).failed(3, "there is no memory");
    home.run(&["show", &tea]).done();
    let board = home.run(&["session", "state", "get", "work"]).done().out;
    assert!(
        board.contains("seats") && !board.contains("Rome"),
        "{board}"
    );
    home.run(&["verify"]).done();
}

#[test]
fn what_stays_and_holds_the_same_words_is_named() {
    let home = Home::new();
    let lines = [
        r#"{"session":"s1","role":"user","content":"I live in Berlin","ts":"2026-03-01T09:00:00Z"}"#,
        r#"{"session":"s2","role":"assistant","content":"The film begins in Berlin.","ts":"2026-03-02T09:00:00Z"}"#,
    ];
    let chat = home.file("chat.jsonl", lines.join("\n"));
    home.run(&["ingest", chat.to_str().unwrap()]).done();
    let dry = home.json(&["erase", "--key", "user.city", "--dry-run"]);
    assert_eq!(dry["counts"], json!({"memories": 1, "turns": 1}));
    let turn = dry["still_say"][0]["id"].as_str().unwrap().to_owned();
    let said = home
        .run(&["erase", "--key", "user.city", "--dry-run"])
        .done();
    assert!(
        said.out.contains(&turn) && said.out.contains("the same words stay in 1 record"),
        "{}",
        said.out
    );
    home.run(&["erase", "--turn", &turn]).done();
}

#[test]
fn a_sentence_that_says_more_than_what_is_erased_is_named_and_goes_by_its_id() {
    let home = Home::new();
    home.run(&["remember", "I live in Porto with my dog Rex and love it"])
        .done();
    let dry = home.json(&["erase", "--key", "user.city", "--dry-run"]);
    let kinds = texts(&dry["still_say"], "kind");
    assert_eq!(kinds, ["memory", "memory"], "{dry}");
    let done = home.run(&["erase", "--key", "user.city"]).done();
    assert!(
        done.err.contains("the same words stay in 2 records"),
        "{}",
        done.err
    );
    home.run(&["erase", "--matching", "Porto"]).done();
    assert_eq!(home.json(&["list"])["memories"], json!([]));
}

#[test]
fn what_is_said_after_an_erasure_is_kept_though_it_was_said_before() {
    let home = Home::new();
    let say = || home.run(&["session", "append", "chat", "Good morning"]);
    for selector in [&["--session", "chat"][..], &["--all-of-user"]] {
        say().done();
        home.run(&[&["erase"], selector].concat()).done();
        say().done();
        say().done();
        let shown = home.json(&["session", "show", "chat"]);
        assert_eq!(shown["turns"].as_array().unwrap().len(), 2, "{selector:?}");
    }
}

#[test]
fn since_belongs_to_an_origin() {
    let home = Home::new();
    home.remember(&["I live in Rome"]);
    let erased = home.run(&["erase", "--key", "user.city", "--since", "2030-01-01"]);
    erased.failed(2, "--origin");
    assert_eq!(
        home.json(&["list"])["memories"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn a_user_that_is_not_there_is_not_erased() {
    let home = Home::new();
    home.remember(&["I have a dog"]);
    home.run(&["erase", "--all-of-user", "--user", "nobody"])
        .failed(3, "there is no scope user/nobody to erase");
    for _ in 0..2 {
        home.run(&["erase", "--all-of-user"]).done();
    }
}
