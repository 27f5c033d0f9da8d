//! Measuring.

use crate::support::{Home, fields};

const DATA: &str = r#"{"conv":"c1","lang":"en","docs":[{"id":"d1","session":"s1","speaker":"Priya","ts":"2026-01-01","text":"My cat is called Biscuit."},{"id":"d2","session":"s1","speaker":"Tom","ts":"2026-01-01","text":"I painted the fence green."},{"id":"d3","session":"s2","speaker":"Tom","ts":"2026-02-01","text":"The ferry to Malmo was late."}],"questions":[{"id":"q1","q":"What is Priya's cat called?","cat":"names","evidence":["d1"]},{"id":"q2","q":"Which colour has the fence?","cat":"colours","evidence":["d2"]},{"id":"q3","q":"Who won the world cup of curling?","cat":"none","evidence":[],"abstain":true}]}
"#;

#[test]
fn eval_reports_in_a_table_and_in_full() {
    let home = Home::new();
    home.file("data.jsonl", DATA);
    let report = home.json(&["eval", "jsonl", "data.jsonl"]);
    assert_eq!(report["suite"], "jsonl");
    assert_eq!(report["overall"]["recall@10"], 1.0);
    assert_eq!(report["overall"]["n"], 2);
    assert_eq!(fields(&report["by_category"]), "colours names none");
    assert_eq!(fields(&report["config"]), "embedder facts gate k version");
    assert!(report["recall_latency_ms"]["p50"].as_f64().unwrap() > 0.0);
    let text = home.run(&["eval", "jsonl", "data.jsonl"]).done().out;
    let table: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    insta::assert_snapshot!(table.join("\n"));
    assert!(!home.path().join("data").exists(), "nothing is kept");
}

#[test]
fn eval_desk_tells_what_is_on_the_desk() {
    let home = Home::new();
    home.file("data.jsonl", DATA);
    let report = home.json(&["eval", "desk", "data.jsonl"]);
    assert_eq!(fields(&report), "by_budget config latency_ms suite unit");
    assert_eq!(fields(&report["by_budget"]), "2000 8000");
    let small = &report["by_budget"]["2000"];
    assert_eq!(small["overall"]["evidence"], 1.0);
    assert_eq!(fields(&small["by_category"]), "colours names");
    let text = home.run(&["eval", "desk", "data.jsonl"]).done().out;
    assert!(
        text.starts_with(" budget  category  n  evidence  all of it  tokens"),
        "{text}"
    );
}

#[test]
fn what_is_wrong_with_a_data_set_is_said() {
    let home = Home::new();
    home.file("data.jsonl", r#"{"conv":"c1","docs":[]}"#);
    let refused = home
        .run(&["eval", "jsonl", "data.jsonl", "--json"])
        .failed(2, "data.jsonl: line 1: field `questions` is missing");
    assert_eq!(refused.json()["error"]["field"], "questions");
    home.run(&["eval", "nonsense", "data.jsonl"])
        .failed(2, "suite must be locomo, longmemeval, jsonl, desk or cri");
    home.run(&["eval", "locomo", "none.json"])
        .failed(3, "none.json");
}

const TALK: &str = r#"{"message_id": 1, "role": "user", "content": "My name is Priya. I live in Berlin.", "timestamp": "2026-01-01T09:00:00", "session_id": "s1", "day": 1}
{"message_id": 2, "role": "assistant", "content": "I live in the cloud.", "timestamp": "2026-01-01T09:01:00", "session_id": "s1", "day": 1}
{"message_id": 3, "role": "user", "content": "How do I clean a pan?", "timestamp": "2026-01-02T09:00:00", "session_id": "s2", "day": 2}
{"message_id": 4, "role": "user", "content": "I'm vegan.", "timestamp": "2026-02-01T09:00:00", "session_id": "s3", "day": 32}
{"message_id": 5, "role": "user", "content": "We moved to Munich.", "timestamp": "2026-03-01T09:00:00", "session_id": "s4", "day": 60}
"#;
const TRUTH: &str = r#"{"final_profile": {
  "name": {"value": "Priya Sharma"}, "city": {"value": "Munich"}, "diet": {"value": "omnivore"},
  "hobbies": {"value": ["violin", "rowing"]}, "commute": {"value": "by bicycle"}},
 "changes": [{"fact": "city", "old_value": "Berlin", "new_value": "Munich", "changed_around_msg": 5, "key_messages": [4, 5]},
  {"fact": "diet", "old_value": "vegan", "new_value": "omnivore", "changed_around_msg": 5, "key_messages": [5]}],
 "noise_examples": [{"text": "How do I clean a pan?"}, {"text": "Never said."}],
 "signal_examples": [{"text": "i'm vegan"}, {"text": "We moved to Munich."}]}"#;

#[test]
fn eval_cri_holds_what_is_remembered_against_the_truth() {
    let home = Home::new();
    home.file("conversations.jsonl", TALK);
    home.file("ground_truth.json", TRUTH);
    insta::assert_snapshot!(home.run(&["eval", "cri", "."]).done().out);
    let report = home.json(&["eval", "cri", "."]);
    assert_eq!(report["profile"][0]["attribute"], "city");
    assert_eq!(report["changes"][0]["starts_right"], true);
    assert_eq!(report["changes"][0]["until"], "2026-03-01");
    assert_eq!(report["noise"][1]["is_said"], false);
    home.file("ground_truth.json", r#"{"final_profile": {}}"#);
    let refused = home.run(&["eval", "cri", "."]);
    refused.failed(2, "field `changes` is missing");
}
