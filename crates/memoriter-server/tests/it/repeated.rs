//! Requests that come again.

use serde_json::{Value, json};

use crate::client::{Answer, Served};

fn append(served: &Served, key: &str, body: &Value) -> Answer {
    let headers = [("Idempotency-Key", key)];
    let path = "/v1/sessions/s/turns";
    served
        .caller()
        .send("POST", path, &headers, Some(&body.to_string()))
}

#[test]
fn a_repeated_request_is_answered_and_not_carried_out() {
    let served = Served::start();
    let body = json!({"turns": [{"role": "user", "content": "I have a dog named Rex"}]});
    let first = append(&served, "k1", &body);
    assert_eq!(first.status, 200);
    let again = append(&served, "k1", &body);
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    append(&served, "k2", &body).ok();
    let turns = served.caller().get("/v1/sessions/s/turns").ok();
    assert_eq!(turns["turns"].as_array().unwrap().len(), 2);
    let other = append(&served, "k1", &json!({"turns": []}));
    assert_eq!((other.status, other.code().as_str()), (422, "key_reused"));
    assert_eq!(append(&served, "", &body).status, 400);
}

#[test]
fn a_repeated_request_adds_nothing_after_a_restart() {
    let served = Served::start();
    let body = json!({"turns": [{"role": "user", "content": "I have a dog named Rex", "ts": "2026-03-01T09:00:00Z"}]});
    append(&served, "k1", &body).ok();
    let folder = std::sync::Arc::clone(&served.folder);
    drop(served);
    let served = Served::start_in(folder, |_, _| {});
    append(&served, "k1", &body).ok();
    let turns = served.caller().get("/v1/sessions/s/turns").ok();
    assert_eq!(turns["turns"].as_array().unwrap().len(), 1);
}

#[test]
fn an_answer_that_says_what_was_erased_is_not_given_again() {
    let served = Served::start();
    let body = json!({"turns": [{"role": "user", "content": "I live in Zanzibar"}]});
    assert!(append(&served, "k1", &body).text.contains("Zanzibar"));
    served
        .caller()
        .post("/v1/erase", &json!({"all_of_user": true}))
        .ok();
    let again = append(&served, "k1", &body);
    assert!(again.header("idempotent-replayed").is_none());
}
