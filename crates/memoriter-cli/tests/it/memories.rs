//! Seeing and correcting.

use serde_json::json;

use crate::support::{Home, fields, text, texts};

const NOBODY: &str = "0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11";

#[test]
fn list_shows_what_is_live_in_order() {
    let home = Home::new();
    home.run_at(
        "2026-01-01",
        &[
            "remember",
            "I like tea",
            "--key",
            "user.drink",
            "--value",
            "tea",
        ],
    );
    home.run_at("2026-01-02", &["remember", "My exam is on 14 March"]);
    home.run_at(
        "2026-01-03",
        &[
            "remember",
            "I like coffee",
            "--key",
            "user.drink",
            "--value",
            "coffee",
        ],
    );
    insta::assert_snapshot!(home.run(&["list"]).done().out);
    insta::assert_snapshot!(home.run(&["list", "--all"]).done().out);
    insta::assert_snapshot!(Home::new().run(&["list"]).done().out, @"No memory is here. Turns of conversations: memoriter session list");
}

#[test]
fn list_pages_by_cursor_and_filters() {
    let home = Home::new();
    for number in 0..7 {
        let (statement, part) = (
            format!("Note number {number}"),
            format!("half={}", number % 2),
        );
        home.remember(&[&statement, "--meta", &part]);
    }
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let more: &[&str] = if cursor.is_empty() {
            &[]
        } else {
            &["--cursor", &cursor]
        };
        let page = home.json(&[&["list", "--limit", "3"], more].concat());
        assert_eq!(fields(&page), "memories next_cursor");
        seen.extend(texts(&page["memories"], "statement"));
        match page["next_cursor"].as_str() {
            Some(next) => next.clone_into(&mut cursor),
            None => break,
        }
    }
    let expected: Vec<String> = (0..7)
        .map(|number| format!("Note number {number}"))
        .collect();
    assert_eq!(seen, expected);
    let odd = home.json(&["list", "--meta", "half=1", "--limit", "2"]);
    assert_eq!(
        texts(&odd["memories"], "statement"),
        ["Note number 1", "Note number 3"]
    );
    let next = text(&odd["next_cursor"]);
    let rest = home.json(&[
        "list", "--meta", "half=1", "--limit", "2", "--cursor", &next,
    ]);
    assert_eq!(texts(&rest["memories"], "statement"), ["Note number 5"]);
    assert_eq!(rest["next_cursor"], json!(null));
    home.run(&["list", "--cursor", "nonsense"])
        .failed(2, "cursor must be one");
    home.run(&["list", "--limit", "0"])
        .failed(2, "from 1 to 1000");
    home.run(&["list", "--state", "sleepy"])
        .failed(2, "state must be live");
}

#[test]
fn show_tells_everything_and_knows_turns_too() {
    let home = Home::new();
    let args = [
        "remember",
        "I like tea",
        "--key",
        "user.drink",
        "--value",
        "tea",
        "--meta",
        "cup=1",
        "--json",
    ];
    let done = home.run_at("2026-01-01", &args).done().json();
    let id = text(&done["decisions"][0]["id"]);
    insta::assert_snapshot!(home.run(&["show", &id]).done().out);
    let args = [
        "session",
        "append",
        "tea",
        "Green or black?",
        "--role",
        "assistant",
        "--json",
    ];
    let turn = text(&home.run_at("2026-01-02", &args).done().json()["id"]);
    insta::assert_snapshot!(home.run(&["show", &turn]).done().out);
    assert_eq!(home.json(&["show", &turn])["content"], "Green or black?");
    let missing = home
        .run(&["show", NOBODY, "--json"])
        .failed(3, "there is no memory");
    assert_eq!(missing.json()["error"]["code"], "no_such_memory");
    home.run(&["show", &id, "--user", "other"])
        .failed(3, "there is no memory");
    home.run(&["show", "12"]).failed(2, "must be an id");
}

#[test]
fn history_is_by_key_or_by_any_version() {
    let home = Home::new();
    let city = |value: &str, at: &str| {
        home.run_at(at, &["remember", value, "--key", "user.city", "--json"])
            .done()
            .json()
    };
    let first = text(&city("Berlin", "2026-01-01")["decisions"][0]["id"]);
    city("Munich", "2026-03-01");
    let by_key = home.run(&["history", "user.city"]).done().out;
    insta::assert_snapshot!(by_key);
    assert_eq!(by_key, home.run(&["history", &first]).done().out);
    assert_eq!(fields(&home.json(&["history", "user.city"])), "versions");
    home.run(&["history", "user.shoe"])
        .failed(3, "no memory under user.shoe");
    home.run(&["history", NOBODY])
        .failed(3, "there is no memory");
    home.run(&["history", "nonsense"])
        .failed(2, "an id or a key");
}

#[test]
fn update_corrects_and_keeps_the_old_version() {
    let home = Home::new();
    let id = home.remember(&[
        "My exam is on 14 March",
        "--key",
        "user.exam",
        "--value",
        "14 March",
    ]);
    let done = home.json(&[
        "update",
        &id,
        "--statement",
        "My exam is on 15 March",
        "--value",
        "15 March",
        "--expect-version",
        "1",
        "--at",
        "2026-02-01",
    ]);
    assert_eq!(fields(&done), "decision explanation id reason supersedes");
    assert_eq!(
        (&done["decision"], &done["supersedes"]),
        (&json!("UPDATE"), &json!(id))
    );
    let new = text(&done["id"]);
    let shown = home.json(&["show", &new]);
    assert_eq!(
        (&shown["version"], &shown["value"]),
        (&json!(2), &json!("15 March"))
    );
    assert_eq!(shown["last_confirmed_at"], "2026-02-01T00:00:00Z");
    let versions = &home.json(&["history", "user.exam"])["versions"];
    assert_eq!(texts(versions, "value"), ["14 March", "15 March"]);
    let found = home.json(&["recall", "when is the exam?"]);
    assert_eq!(
        texts(&found["results"], "statement"),
        ["My exam is on 15 March"]
    );
}

#[test]
fn update_refuses_what_has_changed_or_gone() {
    let home = Home::new();
    let id = home.remember(&["Rehearsals are loud"]);
    let conflict = home.run(&[
        "update",
        &id,
        "--statement",
        "x",
        "--expect-version",
        "2",
        "--json",
    ]);
    assert_eq!(
        conflict.failed(4, "has version 1, not 2").json()["error"]["code"],
        "version_conflict"
    );
    let other = home.remember(&["Rehearsals are quiet"]);
    home.run(&["update", &id, "--statement", "rehearsals are quiet"])
        .failed(4, "says this already");
    home.run(&["forget", &other]).done();
    home.run(&["update", &other, "--statement", "x"])
        .failed(4, "is retracted");
    home.run(&["update", NOBODY, "--statement", "x"])
        .failed(3, "there is no memory");
    home.run(&["update", &id, "--statement", ""])
        .failed(2, "statement is empty");
    home.run(&["update", &id]).failed(2, "--statement");
}

#[test]
fn history_shows_the_versions_of_every_visible_scope() {
    let home = Home::new();
    let city = |value: &str, at: &str, more: &[&str]| {
        let args = [&["remember", value, "--key", "user.city"], more].concat();
        home.run_at(at, &args).done();
    };
    let agent = ["--agent", "tutor"];
    city("Berlin", "2026-01-01", &[]);
    city("Munich", "2026-03-01", &[]);
    let of_agent = |of: &str| {
        home.run(&[&["history", of][..], &agent].concat())
            .done()
            .out
    };
    let scopes = |table: &str| -> Vec<String> {
        let last = |line: &str| line.split_whitespace().last().unwrap().to_owned();
        table.lines().map(last).collect()
    };
    assert_eq!(
        scopes(&of_agent("user.city")),
        ["scope", "user/me", "user/me"]
    );
    city("Bonn", "2026-02-01", &agent);
    assert_eq!(
        scopes(&of_agent("user.city")),
        ["scope", "user/me/agent/tutor", "user/me", "user/me"]
    );
    let document = home.json(&[&["history", "user.city"][..], &agent].concat());
    assert_eq!(
        texts(&document["versions"], "value"),
        ["Bonn", "Berlin", "Munich"]
    );
    assert_eq!(
        document["versions"][0]["scope"],
        json!(["user", "me", "agent", "tutor"])
    );
    assert_eq!(document["versions"][1]["scope"], json!(["user", "me"]));
    let id = text(&document["versions"][2]["id"]);
    assert_eq!(of_agent(&id).lines().count(), 3, "the user's versions");
    let own = home.run(&["history", "user.city"]).done().out;
    assert!(!own.contains("scope") && !own.contains("Bonn"), "{own}");
}

#[test]
fn what_does_not_answer_now_is_told_with_its_day() {
    let home = Home::new();
    let at = |day: &str, args: &[&str]| home.run_at(day, args).done();
    let oslo = ["remember", "Oslo", "--key", "user.city"];
    let later = [&oslo[..], &["--valid-from", "2026-06-12"]].concat();
    let told = at("2026-05-01", &later).out;
    assert!(
        told.trim_end().ends_with(", dormant until 2026-06-12"),
        "{told}"
    );
    let listed = at("2026-05-01", &["list"]).out;
    assert_eq!(
        listed,
        "not shown: 1 dormant; memoriter list --all shows them\n"
    );
    let tea = ["remember", "Tea", "--key", "user.drink", "--json"];
    let now = at("2026-05-02", &tea).json();
    assert!(now["decisions"][0].get("dormant_until").is_none());
    let visit = [
        "remember",
        "A visit",
        "--valid-from",
        "2027-01-01",
        "--json",
    ];
    let visit = at("2026-05-03", &visit).json();
    let start = &visit["decisions"][0]["dormant_until"];
    assert_eq!(start, "2027-01-01T00:00:00Z");
    home.remember(&["Rome", "--key", "user.town", "--origin", "web"]);
    let listed = at("2026-05-06", &["list"]).out;
    let (table, hidden) = listed.trim_end().rsplit_once('\n').unwrap();
    assert!(table.ends_with("[user.drink] Tea"), "{listed}");
    let expected = "not shown: 2 dormant, 1 pending; memoriter list --all shows them";
    assert_eq!(hidden, expected);
}

#[test]
fn lists_and_counts_go_by_the_states_that_readers_see() {
    let home = Home::new();
    let at = |day: &str, args: &[&str]| home.run_at(day, args).done();
    at(
        "2026-05-01",
        &[
            "remember",
            "Oslo",
            "--key",
            "user.city",
            "--valid-from",
            "2026-06-12",
        ],
    );
    at(
        "2026-05-02",
        &["remember", "Rome", "--key", "user.town", "--origin", "web"],
    );
    at("2026-05-03", &["remember", "Tea", "--key", "user.drink"]);
    at(
        "2026-05-04",
        &["remember", "A guest stays", "--expires", "2026-05-05"],
    );
    let filtered = at("2026-05-06", &["list", "--origin", "user"]).out;
    assert!(filtered.contains("not shown: 1 dormant;"), "{filtered}");
    for args in [&["list", "--all"][..], &["list", "--state", "live"]] {
        assert!(!at("2026-05-06", args).out.contains("not shown"));
    }
    assert!(
        at("2026-05-06", &["list", "--help"])
            .out
            .contains("dormant")
    );
    let stats = at("2026-05-06", &["stats", "--json"]).json();
    let counted = [("live", 1), ("dormant", 1), ("pending", 1), ("expired", 1)];
    for (state, memories) in counted {
        assert_eq!(stats["memories"][state], memories, "{stats}");
    }
    let text = at("2026-05-06", &["stats"]).out;
    assert!(
        text.starts_with("memories     1 live, 1 dormant, 1 pending, 1 expired\n"),
        "{text}"
    );
}

#[test]
fn history_under_a_key_that_holds_nothing_does_not_speak_of_a_current_value() {
    let home = Home::new();
    let city = |value: &str, at: &str| {
        let args = ["remember", value, "--key", "user.city", "--at", at];
        home.run(&args).done().out
    };
    city("Berlin", "2026-02-01");
    city("Munich", "2026-03-01");
    assert!(city("Rome", "2026-01-15").contains("before another value, so it is history"));
    let list = home.json(&["list"]);
    let id = list["memories"][0]["id"].as_str().unwrap();
    home.run(&["forget", id]).done();
    let told = city("Oslo", "2026-01-01");
    assert!(
        told.starts_with("BACKFILL It was true before another value, so it is history.\n"),
        "{told}"
    );
}

#[test]
fn what_cannot_be_corrected_like_this_is_named() {
    let home = Home::new();
    let id = home.remember(&["Trams are yellow"]);
    let update = ["update", &id, "--statement", "Trams are red"];
    let more = |more: &[&str]| home.run(&[&update[..], more, &["--json"]].concat());
    let keyless = more(&["--value", "red"]).failed(2, "value must be left out");
    assert_eq!(keyless.json()["error"]["field"], "value");
    let future = more(&["--at", "2999-01-01"]).failed(2, "a time that is not in the future");
    assert_eq!(future.json()["error"]["field"], "at");
    let agent = more(&["--agent", "tutor"]).failed(3, "is a memory of user/me, not of user/me/");
    assert!(
        agent
            .err
            .contains("hint: to correct it there, leave --agent out")
    );
    assert_eq!(home.json(&["show", &id])["version"], 1);
    home.run(&update).done();
}

#[test]
fn a_span_that_runs_backwards_is_refused() {
    let home = Home::new();
    home.remember(&["Trams are yellow"]);
    let span = ["--since", "2026-03-01", "--until", "2026-02-01", "--json"];
    for command in [&["list"][..], &["recall", "trams"]] {
        let refused = home.run(&[command, &span].concat());
        let refused = refused.failed(2, "since must be no later than until");
        assert_eq!(refused.json()["error"]["field"], "since");
    }
}
