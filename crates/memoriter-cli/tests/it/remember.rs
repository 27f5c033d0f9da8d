//! Writing.

use serde_json::{Value, json};

use crate::support::{Home, fields, text, texts};

#[test]
fn remember_says_what_was_decided_and_why() {
    let home = Home::new();
    let args = [
        "remember",
        "I live in Berlin",
        "--key",
        "user.city",
        "--value",
        "Berlin",
    ];
    insta::assert_snapshot!(home.run_at("2026-01-01", &args).done().out, @r"
    ADD      Nothing was known under this key.
             id 019b76da-a800-7f47-9c66-2d5af4c49deb
    ");
    let args = [
        "remember",
        "I moved to Munich",
        "--key",
        "user.city",
        "--value",
        "Munich",
    ];
    insta::assert_snapshot!(home.run_at("2026-03-01", &args).done().out, @r"
    UPDATE   It is true from the same time on as the value before it, or later.
             id 019ca6b1-dc00-7450-8697-761748e7dc03, in the place of 019b76da-a800-7f47-9c66-2d5af4c49deb
    ");
}

#[test]
fn keyed_facts_add_update_skip_and_backfill() {
    let home = Home::new();
    let city = |value: &str, at: &str| {
        let statement = format!("I live in {value}");
        let args = [
            "remember",
            &statement,
            "--key",
            "user.city",
            "--value",
            value,
            "--at",
            at,
        ];
        home.json(&args)["decisions"][0].clone()
    };
    let added = city("Berlin", "2026-01-01");
    assert_eq!(fields(&added), "decision explanation id reason supersedes");
    assert_eq!(
        (&added["decision"], &added["reason"]),
        (&json!("ADD"), &json!("new_key"))
    );
    let updated = city("Munich", "2026-03-01");
    assert_eq!(updated["decision"], "UPDATE");
    assert_eq!(updated["supersedes"], added["id"]);
    let skipped = city("munich ", "2026-04-01");
    assert_eq!(
        (&skipped["decision"], &skipped["id"]),
        (&json!("SKIP"), &updated["id"])
    );
    assert_eq!(city("Hamburg", "2020-01-01")["decision"], "BACKFILL");
    let versions = &home.json(&["history", "user.city"])["versions"];
    assert_eq!(texts(versions, "value"), ["Hamburg", "Berlin", "Munich"]);
    assert_eq!(
        texts(versions, "state"),
        ["superseded", "superseded", "live"]
    );
    // What comes late cuts off what was known of that time, in the table and in the document.
    assert_eq!(city("Rome", "2026-02-01")["decision"], "BACKFILL");
    let versions = &home.json(&["history", "user.city"])["versions"];
    assert_eq!(versions[1]["valid_to"], "2026-02-01T00:00:00Z");
    let table = home.run(&["history", "user.city"]).done().out;
    let berlin = table.lines().find(|line| line.contains("Berlin"));
    assert!(berlin.unwrap().contains("2026-02-01"), "{table}");
}

#[test]
fn everything_that_is_said_about_a_memory_is_kept() {
    let home = Home::new();
    let id = home.remember(&[
        "The boiler is serviced each autumn",
        "--kind",
        "procedural",
        "--importance",
        "8",
        "--confidence",
        "0.75",
        "--origin",
        "agent",
        "--status",
        "inferred",
        "--category",
        "house",
        "--actor",
        "assistant",
        "--valid-from",
        "2026-01-01T08:00:00+01:00",
        "--valid-to",
        "2036-01-01",
        "--expires",
        "2099-01-01",
        "--meta",
        "floor=2",
        "--meta",
        "room=cellar",
    ]);
    let shown = home.json(&["show", &id]);
    let expected = json!({
        "kind": "procedural", "importance": 8, "confidence": 0.75, "origin": "agent", "trust": 2,
        "status": "inferred", "category": "house", "actor": "assistant",
        "valid_from": "2026-01-01T07:00:00Z", "valid_to": "2036-01-01T00:00:00Z",
        "expires_at": "2099-01-01T00:00:00Z", "metadata": {"floor": 2, "room": "cellar"},
        "scope": ["user", "me"], "state": "live", "version": 1,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(shown[name], *value, "{name}");
    }
}

#[test]
fn a_dash_reads_standard_input_without_the_last_line_end() {
    let home = Home::new();
    let done = home
        .run_with(&["remember", "-", "--json"], "two\nlines\r\n")
        .done();
    let id = text(&done.json()["decisions"][0]["id"]);
    assert_eq!(home.json(&["show", &id])["statement"], "two\nlines");
}

#[test]
fn the_same_input_clock_and_seed_give_the_same_ids() {
    let run = || {
        let args = ["remember", "The key is under the mat", "--json"];
        Home::new().run_at("2026-01-01", &args).done().out
    };
    assert_eq!(run(), run());
}

#[test]
fn what_breaks_a_rule_names_the_field() {
    let home = Home::new();
    let refused = home
        .run(&["remember", " \n", "--json"])
        .failed(2, "statement is empty");
    assert_eq!(
        refused.json(),
        json!({"error": {"code": "empty", "field": "statement", "message": "statement is empty"}})
    );
    home.run(&["remember", "x", "--value", "y"])
        .failed(2, "--key");
    home.run(&["remember", "x", "--key", "city"])
        .failed(2, "entity.attribute");
    home.run(&["remember", "x", "--importance", "11"])
        .failed(2, "from 1 to 10");
    home.run(&["remember", "x", "--at", "yesterday"])
        .failed(2, "RFC 3339");
    home.run(&["remember", "x", "--meta", "novalue"])
        .failed(2, "name=value");
    let refused = home
        .run(&["remember", "x", "--origin", "martian", "--json"])
        .failed(2, "user, operator");
    assert_eq!(refused.json()["error"]["code"], "usage");
    assert_eq!(refused.json()["error"]["field"], "origin");
    let none = home.json(&["list", "--all"]);
    assert_eq!(none["memories"], json!([]), "nothing was written");
}

#[test]
fn remember_says_what_it_found() {
    let home = Home::new();
    let text = ["remember", "I live in Berlin"];
    let told = home.run_at("2026-01-02", &text).done().out;
    assert!(told.contains("user.city = Berlin, id "), "{told}");
    let moved = ["remember", "I moved to Munich last week", "--json"];
    let found = home.run_at("2026-02-09", &moved).done().json();
    let decision = &found["decisions"][0];
    assert_eq!(
        (&decision["decision"], &decision["key"], &decision["value"]),
        (&json!("UPDATE"), &json!("user.city"), &json!("Munich"))
    );
    let secret = ["remember", "My password is tulip42, remember it.", "--json"];
    let refused = home.run_at("2026-02-10", &secret);
    assert_eq!(refused.code, 4, "nothing else was decided");
    assert_eq!(refused.json()["decisions"][0]["decision"], "REFUSE");
    assert_eq!(refused.json()["decisions"][0]["id"], Value::Null);
    let both = "My password is tulip42. I'm vegetarian.";
    let both = home.run_at("2026-02-11", &["remember", both]).done().out;
    assert!(both.starts_with("ADD "), "{both}");
}
