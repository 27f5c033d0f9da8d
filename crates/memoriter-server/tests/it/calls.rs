//! What each route does.

use serde_json::json;

use crate::client::{Answer, Served};

#[test]
fn a_fact_is_remembered_found_corrected_and_forgotten() {
    let served = Served::start();
    let me = served.caller();
    let added = me
        .post(
            "/v1/memories",
            &json!({"user_id": "priya", "text": "I live in Berlin"}),
        )
        .ok();
    assert_eq!(added["decisions"][0]["decision"], "ADD");
    assert_eq!(added["decisions"][0]["key"], "user.city");
    let id = added["decisions"][0]["id"].as_str().unwrap().to_owned();

    let found = me
        .post(
            "/v1/memories/search",
            &json!({"user_id": "priya", "query": "Which city?", "k": 3}),
        )
        .ok();
    assert_eq!(found["results"][0]["id"], id.as_str());
    let listed = me.get("/v1/memories?user_id=priya").ok();
    assert_eq!(listed["memories"].as_array().unwrap().len(), 1);
    assert_eq!(
        me.get("/v1/memories?user_id=emma").ok()["memories"],
        json!([])
    );

    let moved = me
        .patch(
            &format!("/v1/memories/{id}"),
            &json!({"user_id": "priya", "statement": "I live in Potsdam", "value": "Potsdam",
                "expected_version": 1}),
        )
        .ok();
    let new = moved["id"].as_str().unwrap().to_owned();
    let history = me
        .get(&format!("/v1/memories/{new}/history?user_id=priya"))
        .ok();
    assert_eq!(history["versions"].as_array().unwrap().len(), 2);
    let by_key = me.get("/v1/memories/user.city/history?user_id=priya").ok();
    assert_eq!(by_key, history);

    let would = json!({"user_id": "priya", "about": "the city I live in", "dry_run": true});
    let planned = me.post("/v1/forget", &would).ok();
    assert_eq!(planned["would_retire"][0]["id"], new.as_str());
    let gone = me
        .post(
            "/v1/forget",
            &json!({"user_id": "priya", "key": "user.city"}),
        )
        .ok();
    assert_eq!(gone["retired"], json!([new]));
    assert_eq!(
        me.get("/v1/memories?user_id=priya").ok()["memories"],
        json!([])
    );
}

#[test]
fn messages_are_kept_as_turns_and_read_for_facts() {
    let served = Served::start();
    let me = served.caller();
    let said = json!({"session_id": "s1", "messages": [
        {"role": "user", "content": "My sister lives in Munich."},
        {"role": "assistant", "content": "Nice."}]});
    let learned = me.post("/v1/memories", &said).ok();
    assert_eq!(learned["session_id"], "s1");
    assert_eq!(learned["turns"].as_array().unwrap().len(), 2);
    let turn = learned["turns"][0]["id"].as_str().unwrap().to_owned();
    let operation = me.get(&format!("/v1/operations/{turn}")).ok();
    assert_eq!(operation["state"], "done");

    let turns =
        json!({"turns": [{"role": "user", "content": "And I have a dog named Rex.", "id": "t3"}]});
    let appended = me.post("/v1/sessions/s1/turns", &turns).ok();
    assert_eq!(appended["turns"][0]["is_new"], true);
    let again = me.post("/v1/sessions/s1/turns", &turns).ok();
    assert_eq!(again["turns"][0]["is_new"], false);
    let shown = me.get("/v1/sessions/s1/turns?limit=2").ok();
    assert_eq!(shown["next_from"], 2);
    let sessions = me.get("/v1/sessions").ok();
    assert_eq!(sessions["sessions"][0]["name"], "s1");

    let ask = json!({"message": "What is my dog called?", "budget_tokens": 800});
    let first = me.post("/v1/sessions/s1/context", &ask).ok();
    assert!(first["text"].as_str().unwrap().contains("Rex"));
    assert_eq!(first["report"]["prefix"], json!(null));
    let second = me.post("/v1/sessions/s1/context", &ask).ok();
    assert!(
        second["report"]["prefix"]["stable_tokens"]
            .as_u64()
            .unwrap()
            > 0
    );
}

#[test]
fn state_and_checkpoints_come_back_as_they_were() {
    let served = Served::start();
    let me = served.caller();
    let write = json!({"fields": [{"name": "step", "value": 3}, {"name": "log", "value": "paid", "rule": "append"}]});
    let board = me.patch("/v1/sessions/run/state", &write).ok();
    assert_eq!(board["fields"][0]["value"], json!(["paid"]));
    let late = json!({"fields": [{"name": "step", "value": 4, "expected_revision": 7}]});
    let refused = me.patch("/v1/sessions/run/state", &late);
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (409, "revision_conflict")
    );

    let save = json!({"type": "json", "data": "eyJhIjoxfQ==", "label": "before",
        "question": "Deploy?", "asked_for": {"tool": "deploy"}});
    let saved = me.post("/v1/sessions/run/checkpoints", &save).ok();
    let id = saved["id"].as_str().unwrap().to_owned();
    me.patch(
        "/v1/sessions/run/state",
        &json!({"fields": [{"name": "step", "value": 4}]}),
    )
    .ok();
    let resumed = me.get("/v1/sessions/run/checkpoints/latest").ok();
    assert_eq!(resumed["data"], "eyJhIjoxfQ==");
    assert_eq!(resumed["board"][1]["value"], 3);
    let answered = me
        .post(
            &format!("/v1/sessions/run/checkpoints/{id}"),
            &json!({"approve": true, "by": "priya"}),
        )
        .ok();
    assert_eq!(answered["approval"]["answer"], "approved");
    let listed = me.get("/v1/sessions/run/checkpoints").ok();
    assert_eq!(listed["checkpoints"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_erased_is_gone_with_a_receipt() {
    let served = Served::start();
    let me = served.caller();
    me.post(
        "/v1/memories",
        &json!({"user_id": "priya", "text": "I am allergic to walnuts"}),
    )
    .ok();
    let plan = json!({"user_id": "priya", "all_of_user": true, "dry_run": true});
    assert!(
        !me.post("/v1/erase", &plan).ok()["would_erase"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let receipt = me
        .post(
            "/v1/erase",
            &json!({"user_id": "priya", "all_of_user": true}),
        )
        .ok();
    let id = receipt["receipt"]["id"]
        .as_str()
        .or(receipt["id"].as_str())
        .unwrap();
    let shown = me.get(&format!("/v1/receipts/{id}?user_id=priya")).ok();
    assert_eq!(shown, receipt);
    let other = me.get(&format!("/v1/receipts/{id}?user_id=emma"));
    let missing = me.get("/v1/receipts/00000000000000000000000000000000?user_id=priya");
    assert_eq!((other.status, &other.text), (404, &missing.text));
    let found = me
        .post(
            "/v1/memories/search",
            &json!({"user_id": "priya", "query": "walnuts"}),
        )
        .ok();
    assert_eq!(found["results"], json!([]));
}

#[test]
fn an_export_is_imported_elsewhere() {
    let served = Served::start();
    let me = served.caller();
    me.post(
        "/v1/memories",
        &json!({"user_id": "priya", "text": "I live in Berlin"}),
    )
    .ok();
    let exported = me.get("/v1/export?user_id=priya");
    assert_eq!(exported.status, 200);
    assert!(exported.text.lines().count() > 2, "{}", exported.text);
    let elsewhere = Served::start();
    let lines = [("Content-Type", "application/x-ndjson")];
    let taken = elsewhere
        .caller()
        .send(
            "POST",
            "/v1/import?user_id=priya&trust=true",
            &lines,
            Some(&exported.text),
        )
        .ok();
    assert_eq!(taken["added"]["memories"], 1, "{taken}");
    let listed = elsewhere.caller().get("/v1/memories?user_id=priya").ok();
    assert_eq!(listed["memories"][0]["value"], "Berlin");
    let broken = elsewhere
        .caller()
        .send("POST", "/v1/import", &lines, Some("{\"no\":1}\n"));
    assert_eq!(broken.status, 400, "{}", broken.text);
}

#[test]
fn what_waits_for_a_person_is_listed_and_decided() {
    let served = Served::start();
    let me = served.caller();
    let told = json!({"text": "The user's city is Rome.", "origin": "web"});
    me.post("/v1/memories", &told).ok();
    let pending = me.get("/v1/review").ok();
    let waiting = pending["pending"].as_array().unwrap();
    assert!(!waiting.is_empty());
    let id = waiting[0]["id"].as_str().unwrap();
    let decided = me
        .post(&format!("/v1/review/{id}"), &json!({"action": "reject"}))
        .ok();
    assert_eq!(decided["id"], id);
    let again = me.post(&format!("/v1/review/{id}"), &json!({"action": "approve"}));
    assert_eq!(again.status, 409, "{}", again.text);
}

#[test]
fn lists_go_on_from_their_cursor() {
    let served = Served::start();
    let me = served.caller();
    let facts: Vec<_> = (0..7)
        .map(|n| json!({"statement": format!("Locker {n} is mine"), "key": format!("locker{n}.owner"), "value": "me"}))
        .collect();
    me.post("/v1/memories", &json!({"facts": facts})).ok();
    let (mut ids, mut path) = (Vec::new(), "/v1/memories?limit=3".to_owned());
    loop {
        let page = me.get(&path).ok();
        let memories = page["memories"].as_array().unwrap().clone();
        ids.extend(
            memories
                .iter()
                .map(|memory| memory["id"].as_str().unwrap().to_owned()),
        );
        match page["next_cursor"].as_str() {
            Some(cursor) => path = format!("/v1/memories?limit=3&cursor={cursor}"),
            None => break,
        }
    }
    let mut distinct = ids.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!((ids.len(), distinct.len()), (7, 7));
    assert_eq!(me.get("/v1/memories?cursor=x").code(), "malformed");
}

#[track_caller]
fn check(answer: &Answer, status: u16, code: &str, field: Option<&str>) {
    assert_eq!(answer.status, status, "{}", answer.text);
    assert_eq!(answer.code(), code);
    assert_eq!(answer.json()["field"].as_str(), field, "{}", answer.text);
}

#[test]
fn what_is_wrong_is_named() {
    let served = Served::start();
    let me = served.caller();
    check(
        &me.post("/v1/memories", &json!({"txt": "a"})),
        400,
        "malformed",
        Some("txt"),
    );
    check(
        &me.post("/v1/memories", &json!({})),
        400,
        "malformed",
        Some("text"),
    );
    check(
        &me.post("/v1/memories/search", &json!({"query": "a", "k": 1_000})),
        400,
        "malformed",
        Some("k"),
    );
    check(
        &me.post("/v1/memories", &json!({"text": "a", "at": "yesterday"})),
        400,
        "malformed",
        Some("at"),
    );
    check(
        &me.get("/v1/memories?limit=0"),
        400,
        "malformed",
        Some("limit"),
    );
    check(
        &me.get("/v1/memories?limt=1"),
        400,
        "malformed",
        Some("limt"),
    );
    check(
        &me.get("/v1/memories?kind=odd"),
        400,
        "malformed",
        Some("kind"),
    );
}

#[test]
fn what_does_not_fit_is_named() {
    let served = Served::start();
    let me = served.caller();
    check(
        &me.post(
            "/v1/memories",
            &json!({"text": "I like tea", "session_id": "s"}),
        ),
        400,
        "malformed",
        Some("session_id"),
    );
    check(
        &me.post(
            "/v1/memories/search",
            &json!({"query": "a", "neighbours": u64::MAX}),
        ),
        400,
        "malformed",
        Some("neighbours"),
    );
    let budget = json!({"message": "a", "budget_tokens": (1_u64 << 53) + 1});
    check(
        &me.post("/v1/sessions/s/context", &budget),
        400,
        "over_limit",
        Some("budget_tokens"),
    );
}

#[test]
fn what_is_not_there_is_named() {
    let served = Served::start();
    let me = served.caller();
    check(
        &me.get("/v1/memories/nothing"),
        404,
        "no_such_memory",
        Some("id"),
    );
    check(&me.get("/v1/nothing"), 404, "no_such_route", None);
    check(&me.delete("/v1/memories"), 405, "method_not_allowed", None);
    check(
        &me.send(
            "POST",
            "/v1/memories",
            &[("Content-Type", "text/plain")],
            Some("{}"),
        ),
        415,
        "media_type",
        Some("Content-Type"),
    );
    check(
        &me.send("POST", "/v1/memories", &[], Some("{\"text\":\"\\ud800\"}")),
        400,
        "not_json",
        None,
    );
}
