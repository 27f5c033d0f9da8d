//! Forgetting never goes further than asked.

use serde_json::json;

use crate::support::{Home, fields, text, texts};

fn live(home: &Home) -> Vec<String> {
    texts(&home.json(&["list"])["memories"], "statement")
}

#[test]
fn forget_by_id_retires_and_keeps_history() {
    let home = Home::new();
    let args = ["remember", "My exam is on 14 March", "--json"];
    let done = home.run_at("2026-01-01", &args).done().json();
    let id = text(&done["decisions"][0]["id"]);
    insta::assert_snapshot!(home.run_at("2026-01-02", &["forget", &id]).done().out, @r"
    retired  My exam is on 14 March
             id 019b76da-a800-7f47-9c66-2d5af4c49deb
    ");
    assert!(live(&home).is_empty());
    let shown = home.json(&["show", &id]);
    assert_eq!(
        (&shown["state"], &shown["retired_at"]),
        (&json!("retracted"), &json!("2026-01-02T00:00:00Z"))
    );
    assert_eq!(home.json(&["recall", "exam"])["results"], json!([]));
    home.run(&["forget", &id]).failed(4, "is retracted");
}

#[test]
fn forget_by_several_ids_is_all_or_nothing() {
    let home = Home::new();
    let (first, second) = (home.remember(&["One"]), home.remember(&["Two"]));
    let nobody = "0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11";
    home.run(&["forget", &first, nobody])
        .failed(3, "there is no memory");
    assert_eq!(live(&home).len(), 2);
    let done = home.json(&["forget", &first, &second]);
    assert_eq!(done, json!({"retired": [first, second]}));
}

#[test]
fn forget_by_key_retires_what_is_live_under_it() {
    let home = Home::new();
    home.remember(&["Peanuts", "--key", "user.allergy"]);
    home.remember(&["Shrimps", "--key", "user.allergy"]);
    home.remember(&["Berlin", "--key", "user.city"]);
    let done = home.json(&["forget", "--key", "user.allergy"]);
    assert_eq!(done["retired"].as_array().unwrap().len(), 2);
    assert_eq!(live(&home), ["Berlin"]);
    home.run(&["forget", "--key", "user.allergy"])
        .failed(3, "no memory under user.allergy");
}

#[test]
fn a_dry_run_shows_and_changes_nothing() {
    let home = Home::new();
    home.remember(&["Berlin", "--key", "user.city"]);
    let shown = home.json(&["forget", "--key", "user.city", "--dry-run"]);
    assert_eq!(fields(&shown), "retired would_retire");
    assert_eq!(shown["retired"], json!([]));
    assert_eq!(texts(&shown["would_retire"], "statement"), ["Berlin"]);
    assert!(
        home.run(&["forget", "--key", "user.city", "--dry-run"])
            .done()
            .out
            .starts_with("would be retired")
    );
    assert_eq!(live(&home), ["Berlin"]);
}

#[test]
fn forget_about_takes_the_one_clear_match() {
    let home = Home::new();
    home.remember(&["My piano lesson is on Tuesday"]);
    home.remember(&["I am allergic to peanuts"]);
    home.remember(&["I live in Berlin"]);
    home.run(&["forget", "--about", "the piano lesson"]).done();
    assert_eq!(
        live(&home),
        ["I am allergic to peanuts", "I live in Berlin"]
    );
    let none = home
        .run(&["forget", "--about", "quantum chromodynamics", "--json"])
        .failed(3, "no memory is clearly about this");
    assert_eq!(none.json()["error"]["code"], "no_match");
    home.run(&["forget", "--about", "the of and"])
        .failed(3, "no memory is clearly");
    home.run(&["forget", "--about", "?!"])
        .failed(3, "no memory is clearly");
    home.run(&["forget", "--about", " "]).failed(2, "is empty");
    assert_eq!(live(&home).len(), 2);
}

#[test]
fn forget_about_leaves_a_choice_to_the_user() {
    let home = Home::new();
    home.remember(&["My piano lesson is on Tuesday"]);
    home.remember(&["The piano lesson costs 40 euros"]);
    home.remember(&["I live in Berlin"]);
    let listed = home
        .run(&["forget", "--about", "piano lesson", "--json"])
        .failed(4, "2 memories match, and none was retired");
    assert_eq!(listed.json()["error"]["code"], "several_matches");
    assert_eq!(listed.json()["matches"].as_array().unwrap().len(), 2);
    assert_eq!(live(&home).len(), 3);
    home.run(&["forget", "--about", "piano lesson", "--yes"])
        .done();
    assert_eq!(live(&home), ["I live in Berlin"]);
}

#[test]
fn forget_about_never_takes_everything() {
    let home = Home::new();
    for number in 0..25 {
        home.remember(&[&format!("The piano lesson number {number} was fine")]);
    }
    home.run(&["forget", "--about", "piano lesson", "--yes"])
        .failed(4, "more than 20 memories match");
    assert_eq!(live(&home).len(), 25);
}

#[test]
fn forget_takes_the_time_it_was_asked_at() {
    let home = Home::new();
    let id = home.remember(&["Berlin", "--key", "user.city", "--at", "2026-01-01"]);
    home.run_at("2026-05-01", &["forget", &id, "--at", "2026-06-01"])
        .failed(2, "not in the future");
    home.run_at("2026-05-01", &["forget", &id, "--at", "2026-04-01"])
        .done();
    assert_eq!(
        home.json(&["show", &id])["retired_at"],
        "2026-04-01T00:00:00Z"
    );
}

#[test]
fn forget_needs_to_know_what_and_leaves_turns_alone() {
    let home = Home::new();
    home.run(&["forget"]).failed(2, "--about");
    home.run(&["forget", "--yes"]).failed(2, "--about");
    home.run(&["forget", "--key", "a.b", "--about", "c"])
        .failed(2, "cannot be used with");
    let turn = text(&home.json(&["session", "append", "s", "Hello"])["id"]);
    home.run(&["forget", &turn])
        .failed(4, "is a turn of a conversation");
    home.run(&["forget", "--about", "Hello"])
        .failed(3, "no memory is clearly");
}

#[test]
fn forget_by_key_stays_in_its_scope_and_says_where_the_key_is() {
    let home = Home::new();
    home.remember(&["Berlin", "--key", "user.city"]);
    let forget = ["forget", "--key", "user.city", "--agent", "tutor"];
    let missing = home.run(&[&forget[..], &["--json"]].concat()).failed(
        3,
        "there is no memory under user.city in user/me/agent/tutor; user/me has one",
    );
    assert_eq!(missing.json()["error"]["code"], "no_such_key");
    assert!(
        missing
            .err
            .contains("hint: to forget it there, leave --agent out"),
        "{}",
        missing.err
    );
    assert_eq!(live(&home), ["Berlin"]);
    home.remember(&["Bonn", "--key", "user.city", "--agent", "tutor"]);
    home.run(&forget).done();
    assert_eq!(live(&home), ["Berlin"], "the agent's own is forgotten");
    home.run(&["forget", "--key", "user.city"]).done();
    home.run(&forget)
        .failed(3, "there is no memory under user.city\n");
}

#[test]
fn forget_by_id_or_description_stays_in_its_scope_too() {
    let home = Home::new();
    let id = home.remember(&["My piano lesson is on Tuesday"]);
    let agent = ["--agent", "tutor"];
    for args in [
        &["forget", &id][..],
        &["forget", &id, "--dry-run"],
        &["forget", "--about", "the piano lesson"],
        &["forget", "--about", "the piano lesson", "--dry-run"],
    ] {
        let refused = home.run(&[args, &agent].concat()).failed(3, "user/me");
        assert!(refused.err.contains("leave --agent out"), "{}", refused.err);
    }
    assert_eq!(live(&home).len(), 1);
    home.remember(&["The piano lesson costs 40 euros", "--agent", "tutor"]);
    let args = ["forget", "--about", "the piano lesson", "--agent", "tutor"];
    let done = home.json(&args);
    assert_eq!(
        done["retired"].as_array().unwrap().len(),
        1,
        "its own alone"
    );
    assert_eq!(live(&home), ["My piano lesson is on Tuesday"]);
}

#[test]
fn forget_about_somebody_takes_what_is_known_of_him() {
    let home = Home::new();
    home.remember(&[
        "It is the bakery",
        "--key",
        "brother:tom.employer",
        "--value",
        "bakery",
    ]);
    home.remember(&[
        "It is the mill",
        "--key",
        "sister:ana.employer",
        "--value",
        "mill",
    ]);
    for words in ["brother", "my brother", "Tom", "brother Tom"] {
        let dry = home.json(&["forget", "--about", words, "--dry-run"]);
        let keys = crate::support::texts(&dry["would_retire"], "key");
        assert_eq!(keys, ["brother:tom.employer"], "{words}");
    }
    home.run(&["forget", "--about", "brother"]).done();
    home.run(&["forget", "--about", "brother"])
        .failed(3, "no memory is clearly about this");
}
