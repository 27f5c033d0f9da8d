//! Asking.

use serde_json::{Value, json};

use crate::support::{Home, fields, text, texts};

const CHAT: &str = r#"{"session":"trip","role":"user","content":"We are flying to Lisbon in May.","ts":"2026-03-01T09:00:00+01:00"}
{"session":"trip","role":"assistant","content":"Nice! Where will you stay?","ts":"2026-03-01T09:01:00+01:00"}
{"session":"trip","role":"user","content":"In a houseboat on the Tagus river.","ts":"2026-03-01T09:02:00+01:00"}
"#;

fn home_with_chat() -> Home {
    let home = Home::new();
    let file = home.file("chat.jsonl", CHAT);
    home.run_at(
        "2026-03-02",
        &["ingest", file.to_str().unwrap(), "--extract", "none"],
    )
    .done();
    home
}

fn statements(found: &Value) -> Vec<String> {
    texts(&found["results"], "statement")
}

#[test]
fn recall_tells_facts_and_turns_to_people() {
    let home = home_with_chat();
    home.run_at(
        "2026-03-02",
        &[
            "remember",
            "I am allergic to peanuts",
            "--key",
            "user.allergy",
            "--value",
            "peanuts",
        ],
    );
    insta::assert_snapshot!(
        home.run_at("2026-03-03", &["recall", "what am I allergic to?"])
            .done()
            .out
    );
    insta::assert_snapshot!(
        home.run_at(
            "2026-03-03",
            &["recall", "houseboat", "-k", "1", "--explain"]
        )
        .done()
        .out
    );
}

#[test]
fn recall_has_the_shape_that_programs_rely_on() {
    let home = home_with_chat();
    home.remember(&[
        "I am allergic to peanuts",
        "--key",
        "user.allergy",
        "--value",
        "peanuts",
    ]);
    let fact = home.json(&["recall", "what am I allergic to?"]);
    assert_eq!(fields(&fact), "considered results");
    assert_eq!(
        fields(&fact["results"][0]),
        "category id importance key kind metadata origin parts recorded_at score sources state statement status \
         valid_from valid_to value version"
    );
    assert_eq!(
        fields(&fact["results"][0]["parts"]),
        "context importance lex recency relevance sem traits words"
    );
    assert_eq!(fact["results"][0]["value"], "peanuts");
    let turn = home.json(&["recall", "houseboat", "--neighbours", "1"])["results"][0].clone();
    assert_eq!(turn["kind"], "episodic");
    assert_eq!(turn["valid_from"], "2026-03-01T08:02:00Z");
    assert_eq!(
        fields(&turn["turn"]),
        "after at before position role session speaker"
    );
    assert_eq!(turn["turn"]["position"], 2);
    assert_eq!(
        texts(&turn["turn"]["before"], "content"),
        ["Nice! Where will you stay?"]
    );
    assert_eq!(turn["turn"]["after"], json!([]));
}

#[test]
fn recall_says_nothing_when_nothing_bears_on_the_question() {
    let home = Home::new();
    insta::assert_snapshot!(home.run(&["recall", "quantum chromodynamics"]).done().out, @r"
    Nothing is remembered for user/me.
    Start with: memoriter remember TEXT, or: memoriter ingest FILE
    ");
    home.remember(&["My exam is on 14 March"]);
    insta::assert_snapshot!(home.run(&["recall", "quantum chromodynamics"]).done().out, @r"
    Nothing that is remembered bears on this question.
    1 record was looked at. Ask with words that were used, or see all: memoriter list
    ");
    insta::assert_snapshot!(home.run(&["recall", "exam", "--category", "none"]).done().out, @r"
    Nothing that is remembered bears on this question.
    No record passes the filters. Leave some of them out.
    ");
    let nothing = home.json(&["recall", "quantum chromodynamics"]);
    assert_eq!(nothing, json!({"results": [], "considered": 1}));
}

#[test]
fn recall_looks_into_the_past() {
    let home = Home::new();
    let city = |value: &str, from: &str, clock: &str| {
        let statement = format!("My city is {value}");
        let args = [
            "remember",
            &statement,
            "--key",
            "user.city",
            "--value",
            value,
            "--valid-from",
            from,
        ];
        home.run_at(clock, &args).done();
    };
    city("Berlin", "2026-01-01", "2026-01-10");
    city("Munich", "2026-03-01", "2026-03-10");
    let ask = |more: &[&str]| {
        let args = [&["recall", "which city?", "--json"], more].concat();
        statements(&home.run_at("2026-06-01", &args).done().json())
    };
    assert_eq!(ask(&[]), ["My city is Munich"]);
    assert_eq!(ask(&["--as-of", "2026-02-01"]), ["My city is Berlin"]);
    assert_eq!(ask(&["--known-at", "2026-03-05"]), ["My city is Berlin"]);
    assert!(ask(&["--as-of", "2025-01-01"]).is_empty());
}

#[test]
fn filters_narrow_a_recall() {
    let home = home_with_chat();
    home.remember(&[
        "Lisbon has trams",
        "--meta",
        "score=3",
        "--category",
        "city",
        "--at",
        "2026-02-01",
    ]);
    home.remember(&[
        "Lisbon has hills",
        "--kind",
        "episodic",
        "--origin",
        "agent",
        "--at",
        "2026-02-02",
    ]);
    let ask = |more: &[&str]| statements(&home.json(&[&["recall", "Lisbon"], more].concat()));
    assert_eq!(ask(&["--meta", "score=3"]), ["Lisbon has trams"]);
    assert!(
        ask(&["--meta", "score=\"3\""]).is_empty(),
        "a text is no number"
    );
    assert_eq!(ask(&["--category", "city"]), ["Lisbon has trams"]);
    assert_eq!(ask(&["--kind", "semantic"]), ["Lisbon has trams"]);
    assert_eq!(
        ask(&["--origin", "agent", "--memories-only"]),
        ["Lisbon has hills"]
    );
    assert_eq!(
        ask(&["--turns-only", "-k", "1"]),
        ["We are flying to Lisbon in May."]
    );
    assert_eq!(
        ask(&["--since", "2026-02-01", "--until", "2026-02-02"]),
        ["Lisbon has trams"]
    );
    let since = ["--since", "2026-02-02", "--memories-only"];
    assert_eq!(ask(&since), ["Lisbon has hills"]);
    assert_eq!(ask(&["--memories-only"]).len(), 2);
    assert_eq!(ask(&["-k", "1"]).len(), 1);
    assert!(ask(&["--min-relevance", "1"]).is_empty());
}

#[test]
fn options_out_of_range_are_named() {
    let home = Home::new();
    for k in ["0", "201"] {
        home.run(&["recall", "x", "-k", k])
            .failed(2, "top must be a whole number from 1 to 200");
    }
    home.run(&["recall", "x", "--min-relevance", "2"])
        .failed(2, "min_relevance must be a number from 0 to 1");
    home.run(&["recall", "x", "--memories-only", "--turns-only"])
        .failed(2, "cannot be used with");
}

#[test]
fn users_are_kept_apart_and_agents_see_their_user() {
    let home = Home::new();
    home.remember(&["The safe is behind the painting", "--user", "priya"]);
    home.remember(&["The safe needs oil", "--user", "priya", "--agent", "tutor"]);
    let ask =
        |more: &[&str]| statements(&home.json(&[&["recall", "the safe"], more].concat())).len();
    assert_eq!(ask(&["--user", "priya"]), 1);
    assert_eq!(ask(&["--user", "priya", "--agent", "tutor"]), 2);
    assert_eq!(ask(&["--user", "pri"]), 0);
    assert_eq!(ask(&["--user", "priya", "--tenant", "other"]), 0);
    let turned = home.json(&["recall", "the safe", "--user", "pri%"]);
    assert_eq!(turned["considered"], 0);
}

#[test]
fn a_second_process_sees_what_the_first_wrote() {
    let home = Home::new();
    let id = home.remember(&["The spare key is under the mat"]);
    let found = home.json(&["recall", "where is the spare key?"]);
    assert_eq!(text(&found["results"][0]["id"]), id);
}

#[test]
fn a_past_in_which_nothing_was_true_is_no_empty_memory() {
    let home = Home::new();
    home.run_at("2026-03-01", &["remember", "My exam is on 14 March"]);
    let ask = |more: &[&str]| {
        let args = [&["recall", "when is my exam?"], more].concat();
        home.run_at("2026-06-01", &args).done().out
    };
    insta::assert_snapshot!(ask(&["--as-of", "2025-01-01"]), @r"
    Nothing that is remembered was true or said by 2025-01-01 00:00.
    Leave --as-of out to ask about now.
    ");
    insta::assert_snapshot!(ask(&["--known-at", "2025-01-01T09:00:00+01:00"]), @r"
    Nothing had been written down by 2025-01-01 09:00 +01:00.
    Leave --known-at out to ask by what is known now.
    ");
    insta::assert_snapshot!(ask(&["--as-of", "2026-01-01", "--known-at", "2026-02-01"]), @r"
    Nothing that was true or said by 2026-01-01 00:00 had been written down by 2026-02-01 00:00.
    Leave --known-at out to ask by what is known now.
    ");
    assert!(ask(&["--as-of", "2026-04-01"]).contains("14 March"));
}

#[test]
fn a_turn_that_is_not_the_speakers_own_says_where_it_comes_from() {
    let home = Home::new();
    for (origin, text) in [
        ("web", "The museum opens at ten"),
        ("user", "I like the museum shop"),
    ] {
        let args = ["session", "append", "s", text, "--origin", origin];
        home.run(&args).done();
    }
    let told = home.run(&["recall", "when does the museum open?", "-k", "1"]);
    let told = told.done().out;
    assert!(
        told.contains("  user (from web): The museum opens"),
        "{told}"
    );
    assert!(told.contains("after  user: I like the museum"), "{told}");
    let found = home.json(&["recall", "when does the museum open?"]);
    assert_eq!(found["results"][0]["origin"], "web");
    let shown = home.run(&["session", "show", "s"]).done().out;
    assert!(shown.contains("user (from web)\n"), "{shown}");
}

#[test]
fn what_is_there_and_not_live_is_told() {
    let home = Home::new();
    let ask = |more: &[&str]| home.run(&[&["recall", "city"], more].concat()).done().out;
    assert!(ask(&[]).starts_with("Nothing is remembered for user/me."));
    home.remember(&["Rome", "--key", "user.city", "--origin", "web"]);
    let told = ask(&[]);
    assert!(
        told.ends_with("1 memory is here, it is not live: memoriter list --all\n"),
        "{told}"
    );
    let gone = home.remember(&["Oslo", "--key", "user.town"]);
    home.run(&["forget", &gone]).done();
    home.remember(&["Paris", "--key", "user.city", "--valid-from", "2999-01-01"]);
    for more in [&[][..], &["--agent", "tutor"]] {
        let told = ask(more);
        assert!(
            told.ends_with("3 memories are here, none of them is live: memoriter list --all\n"),
            "{told}"
        );
    }
    assert!(ask(&["--user", "tom"]).starts_with("Nothing is remembered for user/tom."));
}
