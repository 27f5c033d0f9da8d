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
fn what_is_wrong_with_a_data_set_is_said() {
    let home = Home::new();
    home.file("data.jsonl", r#"{"conv":"c1","docs":[]}"#);
    let refused = home
        .run(&["eval", "jsonl", "data.jsonl", "--json"])
        .failed(2, "data.jsonl: line 1: field `questions` is missing");
    assert_eq!(refused.json()["error"]["field"], "questions");
    home.run(&["eval", "nonsense", "data.jsonl"])
        .failed(2, "suite must be locomo, longmemeval or jsonl");
    home.run(&["eval", "locomo", "none.json"])
        .failed(3, "none.json");
}
