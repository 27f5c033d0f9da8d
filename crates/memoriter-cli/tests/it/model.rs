//! Facts found by a language model, through the command, against an endpoint that follows a script.

use memoriter_testkit::endpoint::{Endpoint, Reply};

use crate::support::{Home, Ran};

const TURNS: &str = "{\"session\":\"s1\",\"role\":\"user\",\"content\":\"I live in Munich\",\"ts\":\"2026-03-09T10:00:00Z\"}\n";

fn facts(value: &str, quote: &str) -> String {
    serde_json::json!({"facts": [{
        "turn": 0, "action": "remember", "entity": "user", "attribute": "city", "value": value,
        "statement": format!("The user lives in {value}."), "quote": quote, "kind": "semantic",
        "importance": 7, "valid_from": null, "valid_to": null,
    }]})
    .to_string()
}

fn says(text: &str) -> Reply {
    Reply::Says(text.to_owned())
}

/// A home whose settings name the model behind `endpoint`.
fn run(home: &Home, endpoint: &Endpoint, args: &[&str]) -> Ran {
    let mut command = home.command();
    command
        .env("MEMORITER_MODEL", "openai:scripted")
        .env("MEMORITER_MODEL_URL", endpoint.url())
        .env("MEMORITER_MODEL_KEY", "sk-test-key")
        .env("MEMORITER_MODEL_TIMEOUT", "2");
    Ran::of(command.args(args).output().unwrap())
}

fn ingest(home: &Home, endpoint: &Endpoint) -> Ran {
    let file = home.file("chat.jsonl", TURNS);
    run(
        home,
        endpoint,
        &[
            "ingest",
            file.to_str().unwrap(),
            "--extract",
            "model",
            "--json",
        ],
    )
}

#[test]
fn a_conversation_is_read_by_the_model_and_says_who_found_what() {
    let (home, endpoint) = (
        Home::new(),
        Endpoint::start([says(&facts("Munich", "I live in Munich"))]),
    );
    let done = ingest(&home, &endpoint).done().json();
    assert_eq!(done["decisions"]["add"], 1);
    assert!(done.get("failure").is_none());
    let listed = home.json(&["list"]);
    let id = listed["memories"][0]["id"].as_str().unwrap();
    let shown = home.run(&["show", id]).done().out;
    assert!(shown.contains("extract-1 openai:scripted"), "{shown}");
    let shown = home.json(&["show", id]);
    assert_eq!(
        shown["decisions"][0]["made_by"],
        "extract-1 openai:scripted"
    );
    ingest(&home, &endpoint).done();
    assert_eq!(
        endpoint.requests().len(),
        1,
        "what is known is not asked about again"
    );
}

#[test]
fn every_failure_leaves_the_turns_in_the_queue_and_says_why() {
    for (reply, words) in [
        (Reply::Status(429, "slow down".to_owned()), "slow down"),
        (Reply::Status(500, "broken".to_owned()), "broken"),
        (
            Reply::Status(401, "who are you, sk-test-key?".to_owned()),
            "[key]",
        ),
        (Reply::Breaks, "could not be asked"),
        (Reply::Hangs, "within 2 s"),
        (says(""), "empty"),
        (says("{\"facts\": ["), "not JSON"),
        (says("I am sorry, but I cannot."), "no JSON object"),
        (says("{\"memories\": []}"), "no array"),
        (Reply::Body("<html>gateway</html>".to_owned()), ""),
        (Reply::SaysCutOff("{\"facts\": [".to_owned()), "cut off"),
    ] {
        let (home, endpoint) = (Home::new(), Endpoint::start([reply.clone()]));
        let ran = ingest(&home, &endpoint).done();
        let failure = ran.json()["failure"].as_str().unwrap().to_owned();
        assert!(failure.contains(words), "{reply:?}: {failure}");
        assert!(
            !ran.err.contains("sk-test-key") && !failure.contains("sk-test-key"),
            "{reply:?}"
        );
        let found = home.json(&["recall", "Where do I live?"]);
        assert_eq!(
            found["results"][0]["statement"], "I live in Munich",
            "{reply:?}"
        );

        // Later the service is well again.
        let well = Endpoint::start([says(&facts("Munich", "I live in Munich"))]);
        let mut later = home.command();
        later
            .env("MEMORITER_CLOCK", "2100-01-01")
            .env("MEMORITER_MODEL", "openai:scripted")
            .env("MEMORITER_MODEL_URL", well.url());
        let worked = Ran::of(
            later
                .args(["work", "--extract", "model", "--json"])
                .output()
                .unwrap(),
        );
        assert_eq!(worked.done().json()["decisions"], 1, "{reply:?}");
    }
}

#[test]
fn prose_around_the_answer_and_invented_quotes_are_no_trouble() {
    let prose = format!(
        "Sure!\n```json\n{}\n```\nAnything else?",
        facts("Munich", "I live in Munich")
    );
    let (home, endpoint) = (Home::new(), Endpoint::start([says(&prose)]));
    assert_eq!(
        ingest(&home, &endpoint).done().json()["decisions"]["add"],
        1
    );

    let invented = facts("Rome", "I have always lived in Rome");
    let (home, endpoint) = (Home::new(), Endpoint::start([says(&invented)]));
    let done = ingest(&home, &endpoint).done().json();
    assert_eq!(done["memories"], 0, "{done}");
    assert!(
        home.json(&["list"])["memories"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn an_answer_out_of_form_is_mended_by_asking_again() {
    let good = facts("Munich", "I live in Munich");
    let (home, endpoint) = (
        Home::new(),
        Endpoint::start([says("{\"facts\": 1}"), says(&good)]),
    );
    assert_eq!(
        ingest(&home, &endpoint).done().json()["decisions"]["add"],
        1
    );
    let messages = endpoint.requests()[1].body["messages"].clone();
    assert!(
        messages[3]["content"]
            .as_str()
            .unwrap()
            .contains("no array"),
        "{messages}"
    );
}

#[test]
fn a_cap_of_the_settings_parks_turns_and_says_so() {
    let (home, endpoint) = (Home::new(), Endpoint::start([says("{\"facts\": []}")]));
    let settings = home.file(
        "settings.toml",
        "extract = \"model\"\nmodel_calls_a_day = 1\n",
    );
    let settings = settings.to_str().unwrap();
    run(
        &home,
        &endpoint,
        &["--config", settings, "remember", "I live in Munich"],
    )
    .done();
    run(
        &home,
        &endpoint,
        &["--config", settings, "remember", "I live in Rome"],
    )
    .failed(1, "the cap on calls of language models is reached: 1 a day");
    run(
        &home,
        &endpoint,
        &[
            "--config",
            settings,
            "remember",
            "I live in Rome",
            "--extract",
            "rules",
        ],
    )
    .done();
}

#[test]
fn settings_of_a_model_are_checked_and_its_key_is_not_shown() {
    let (home, endpoint) = (Home::new(), Endpoint::start([says("{}")]));
    let checked = run(&home, &endpoint, &["config", "check"]).done();
    assert!(
        checked.out.contains("(set)") && !checked.out.contains("sk-test-key"),
        "{}",
        checked.out
    );
    for (setting, words) in [
        ("model = \"gpt-4o\"", "openai:NAME"),
        ("model_temperature = 3", "from 0 to 2"),
        ("model_timeout = -1", "whole number"),
        ("extract = \"magic\"", "rules, model or none"),
    ] {
        let file = home.file("wrong.toml", setting);
        home.run(&["--config", file.to_str().unwrap(), "config", "check"])
            .failed(2, words);
    }
    home.run(&["remember", "I live in Munich", "--extract", "model"])
        .failed(2, "no model is named");
}

#[test]
fn what_is_stored_does_not_depend_on_what_a_build_holds() {
    use memoriter::core::checksum::Checksum;
    use memoriter::core::id::{ChangeNumber, TurnId};
    use memoriter::core::metadata::Metadata;
    use memoriter::core::time::{Timestamp, ZonedTime};
    use memoriter::core::turn::{Message, Role, SessionName, Turn};

    // The client keeps the fields of JSON objects in the order in which they came.
    let object: serde_json::Value =
        serde_json::from_str(r#"{"b": 1, "a": {"d": 1, "c": 2}}"#).unwrap();
    assert!(
        object.to_string().starts_with("{\"b\""),
        "this build has no need of the test"
    );
    let metadata = Metadata::new(object.as_object().unwrap().clone()).unwrap();
    assert_eq!(metadata.to_json(), r#"{"a":{"c":2,"d":1},"b":1}"#);

    let at = Timestamp::from_micros(0);
    let turn = |calls: &str| Turn {
        id: TurnId::from_bytes([1; 16]),
        scope: memoriter::Scope::user("priya"),
        session: SessionName::new("s").unwrap(),
        position: 0,
        message: Message {
            tool_calls: Some(serde_json::from_str(calls).unwrap()),
            ..Message::new(Role::Assistant, "", ZonedTime::utc(at))
        },
        recorded_at: at,
        retired_at: None,
        change: ChangeNumber::default(),
    };
    let one = Checksum::of_turn(&turn(r#"[{"id": "1", "function": {"name": "f"}}]"#));
    let other = Checksum::of_turn(&turn(r#"[{"function": {"name": "f"}, "id": "1"}]"#));
    assert_eq!(one, other);
}
