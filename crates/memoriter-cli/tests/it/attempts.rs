//! How attempts went: told, shown, found, corrected.

use serde_json::{Value, json};

use crate::support::{Home, fields, text, texts};

const TRIED: [&str; 8] = [
    "remember",
    "We put the shop online",
    "--outcome",
    "failure",
    "--goal",
    "deploy version 2",
    "--lesson",
    "Warm the cache first",
];

fn parts(memory: &Value) -> [Value; 4] {
    ["kind", "outcome", "goal", "lesson"].map(|name| memory[name].clone())
}

#[test]
fn an_attempt_is_shown_with_how_it_went() {
    let home = Home::new();
    home.run_at("2026-03-02", &TRIED).done();
    insta::assert_snapshot!(home.run_at("2026-03-03", &["list"]).done().out);
    let question = ["recall", "how did the deploy go?"];
    insta::assert_snapshot!(home.run_at("2026-03-03", &question).done().out);
    let listed = home.json(&["list"]);
    let id = text(&listed["memories"][0]["id"]);
    insta::assert_snapshot!(home.run_at("2026-03-03", &["show", &id]).done().out);
    insta::assert_snapshot!(home.run_at("2026-03-03", &["history", &id]).done().out);
    let expected = [
        json!("episodic"),
        json!("failure"),
        json!("deploy version 2"),
        json!("Warm the cache first"),
    ];
    assert_eq!(parts(&listed["memories"][0]), expected);
    let recalled = home.json(&["recall", "deploy version 2"]);
    assert_eq!(parts(&recalled["results"][0]), expected);
}

#[test]
fn what_is_not_said_has_a_default_and_other_memories_have_no_such_fields() {
    let home = Home::new();
    let goal = |args: &[&str]| {
        let id = home.remember(args);
        parts(&home.json(&["show", &id]))
    };
    let whole = goal(&["We tried tea", "--outcome", "success"]);
    let expected = [
        json!("episodic"),
        json!("success"),
        json!("We tried tea"),
        Value::Null,
    ];
    assert_eq!(whole, expected);
    let open = goal(&["We began", "--goal", "a garden"]);
    assert_eq!(open[1..3], [json!("unknown"), json!("a garden")]);
    let learnt = goal(&["We went on", "--lesson", "Take water along"]);
    assert_eq!(learnt[1..3], [json!("unknown"), json!("We went on")]);
    let plain = home.remember(&["The door is green"]);
    let shown = fields(&home.json(&["show", &plain]));
    for name in ["outcome", "goal", "lesson"] {
        assert!(!shown.split(' ').any(|field| field == name), "{name}");
    }
}

#[test]
fn what_cannot_be_an_attempt_is_refused() {
    let home = Home::new();
    home.run(&["remember", "x", "--outcome", "good"])
        .failed(2, "success, failure or unknown");
    for kind in ["semantic", "procedural"] {
        let args = [
            "remember",
            "x",
            "--outcome",
            "success",
            "--kind",
            kind,
            "--json",
        ];
        let refused = home.run(&args).failed(2, "kind must be episodic").json();
        assert_eq!(refused["error"]["field"], "kind");
    }
    home.run(&["remember", "x", "--lesson", " "])
        .failed(2, "lesson is empty");
    assert_eq!(home.json(&["list", "--all"])["memories"], json!([]));
}

#[test]
fn lists_and_recalls_are_narrowed_to_an_outcome() {
    let home = Home::new();
    for outcome in ["failure", "success", "unknown"] {
        home.remember(&["We put the shop online", "--outcome", outcome]);
    }
    home.remember(&["The shop is online"]);
    let listed = |args: &[&str]| {
        let document = home.json(&[&["list"], args].concat());
        texts(&document["memories"], "outcome")
    };
    assert_eq!(listed(&["--outcome", "failure"]), ["failure"]);
    let both = ["--outcome", "failure", "--outcome", "success"];
    assert_eq!(listed(&both), ["failure", "success"]);
    let found = home.json(&["recall", "shop online", "--outcome", "success"]);
    assert_eq!(texts(&found["results"], "outcome"), ["success"]);
}

#[test]
fn a_correction_changes_what_it_names() {
    let home = Home::new();
    let id = home.remember(&TRIED[1..]);
    let update = |id: &str, args: &[&str]| {
        let all = [&["update", id, "--statement", "We put it online"], args].concat();
        text(&home.json(&all)["id"])
    };
    let id = update(&id, &["--outcome", "success"]);
    let kept = home.json(&["show", &id]);
    assert_eq!(
        parts(&kept)[1..],
        [
            json!("success"),
            json!("deploy version 2"),
            json!("Warm the cache first")
        ]
    );
    let id = update(&id, &["--goal", "deploy", "--lesson", "Stay calm"]);
    let kept = home.json(&["show", &id]);
    assert_eq!(
        parts(&kept)[1..],
        [json!("success"), json!("deploy"), json!("Stay calm")]
    );
    let read = home.remember(&["It went online", "--outcome", "failure", "--origin", "web"]);
    let edit = [
        "review",
        "edit",
        &read,
        "--statement",
        "It is online",
        "--outcome",
        "success",
    ];
    home.run(&edit).done();
    let kept = parts(&home.json(&["show", &read]));
    assert_eq!(kept[1..3], [json!("success"), json!("It is online")]);
}

#[test]
fn remember_says_how_the_attempt_went_that_it_found() {
    let home = Home::new();
    let said = "We deployed the shop and it broke. Next time, warm the cache first.";
    let found = home.json(&["remember", said])["decisions"][0].clone();
    assert_eq!(
        (&found["outcome"], &found["goal"]),
        (&json!("failure"), &json!("deployed the shop"))
    );
    let kept = home.json(&["show", &text(&found["id"])]);
    assert_eq!(kept["lesson"], "warm the cache first");
    let again = home.run(&["remember", "The fix worked"]).done().out;
    assert!(again.contains("success: fix, id "), "{again}");
}
