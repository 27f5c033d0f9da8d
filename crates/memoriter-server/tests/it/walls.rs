//! Many tenants and users with names that look alike: nobody gets what is another's.

use memoriter::core::port::{Entropy, SeededEntropy};
use memoriter::{Rights, Scope};
use serde_json::{Value, json};

use crate::client::{Answer, Caller, Served};

/// Names that are prefixes of each other, hold what is special elsewhere, or look the same.
const NAMES: [&str; 10] = ["1", "12", "a", "a_b", "a-b", "a%", "..", "A", "а", "a/b"];
/// An id of nothing.
const MISSING: &str = "0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11";
/// Calls of the test.
const CALLS: usize = 1_000;

struct Tenant {
    name: String,
    callers: Vec<(String, Caller)>,
}

fn number(entropy: &SeededEntropy, below: usize) -> usize {
    let mut bytes = [0; 8];
    entropy.fill(&mut bytes);
    usize::try_from(u64::from_be_bytes(bytes) % below as u64).unwrap()
}

/// What a user says is marked as the user's own.
fn mark(tenant: &str, user: &str) -> String {
    let hash = blake3::hash(format!("{tenant}\n{user}").as_bytes()).to_hex();
    format!("marker{}", &hash[..12])
}

fn marks_in(text: &str) -> Vec<String> {
    let starts = text.match_indices("marker").map(|(at, _)| at);
    starts
        .filter_map(|at| text.get(at..at + 18).map(str::to_owned))
        .collect()
}

#[test]
fn nobody_gets_what_is_anothers() {
    let served = Served::start_with(|settings, _| {
        settings.limits.requests_at_once = 1_000;
    });
    let tenants: Vec<Tenant> = ["t1", "t12", "t-1", "t_1", "default"]
        .iter()
        .map(|tenant| {
            let callers = NAMES.iter().map(|user| {
                let within = Some(Scope::user(user));
                let key = served.key(tenant, within, Rights::ALL);
                ((*user).to_owned(), served.caller_with(&key))
            });
            Tenant {
                name: (*tenant).to_owned(),
                callers: callers.collect(),
            }
        })
        .collect();
    let mut ids = Vec::new();
    for tenant in &tenants {
        for (user, caller) in &tenant.callers {
            let own = mark(&tenant.name, user);
            let fact = json!({"statement": format!("The code word is {own}"), "key": "user.code_word", "value": own});
            let added = caller.post("/v1/memories", &json!({"facts": [fact]})).ok();
            ids.push(added["decisions"][0]["id"].as_str().unwrap().to_owned());
        }
    }
    let entropy = SeededEntropy::new(6);
    for _ in 0..CALLS {
        let tenant = &tenants[number(&entropy, tenants.len())];
        let (user, caller) = &tenant.callers[number(&entropy, tenant.callers.len())];
        let own = mark(&tenant.name, user);
        let id = &ids[number(&entropy, ids.len())];
        let other = NAMES[number(&entropy, NAMES.len())];
        let answer = match number(&entropy, 8) {
            0 => caller.post(
                "/v1/memories/search",
                &json!({"query": "What is the code word?"}),
            ),
            1 => caller.get("/v1/memories?state=all"),
            2 => caller.get(&format!("/v1/memories/{id}")),
            3 => caller.get(&format!("/v1/memories/{id}/history")),
            4 => caller.post(
                "/v1/sessions/s/context",
                &json!({"message": "What is the code word?"}),
            ),
            5 => caller.post(
                "/v1/memories/search",
                &json!({"query": "code word", "user_id": other}),
            ),
            6 => caller.patch(
                &format!("/v1/memories/{id}"),
                &json!({"statement": format!("The code word is {own}"), "value": own}),
            ),
            _ => caller.get("/v1/export"),
        };
        assert!(answer.status < 500, "{} {}", answer.status, answer.text);
        for found in marks_in(&answer.text) {
            assert_eq!(found, own, "{} of {}", user, tenant.name);
        }
    }
}

/// Sends the id of something of another user, and one of nothing: the answers are the same.
#[track_caller]
fn same(send: &dyn Fn(&str) -> Answer, foreign: &str) {
    // The id that was sent is said again.
    let unnamed = |id: &str| {
        let mut answer = send(id);
        answer.text = answer.text.replace(id, "ID");
        answer
    };
    let (foreign, missing) = (unnamed(foreign), unnamed(MISSING));
    assert_eq!(
        (foreign.status, &foreign.text),
        (missing.status, &missing.text)
    );
    let head = |answer: &Answer| -> Vec<String> {
        let lines = answer
            .head
            .lines()
            .map(|line| line.split(':').next().unwrap().to_owned());
        lines.collect()
    };
    assert_eq!(head(&foreign), head(&missing));
    assert!(
        foreign.status == 404 || foreign.status == 409,
        "{}",
        foreign.text
    );
}

#[test]
fn what_is_anothers_is_answered_like_what_is_not_there() {
    let served = Served::start();
    let keys =
        ["priya", "emma"].map(|user| served.key("default", Some(Scope::user(user)), Rights::ALL));
    let [priya, emma] = keys.map(|key| served.caller_with(&key));
    let said =
        json!({"session_id": "s", "messages": [{"role": "user", "content": "I live in Berlin"}]});
    let added = priya.post("/v1/memories", &said).ok();
    let id = added["decisions"][0]["id"].as_str().unwrap().to_owned();
    let turn = added["turns"][0]["id"].as_str().unwrap().to_owned();
    let saved = priya.post("/v1/sessions/s/checkpoints", &json!({})).ok();
    let checkpoint = saved["id"].as_str().unwrap().to_owned();
    let statement = json!({"statement": "I live in Rome"});
    same(&|id| emma.get(&format!("/v1/memories/{id}")), &id);
    same(&|id| emma.get(&format!("/v1/memories/{id}/history")), &id);
    same(
        &|id| emma.patch(&format!("/v1/memories/{id}"), &statement),
        &id,
    );
    same(&|id| emma.delete(&format!("/v1/memories/{id}")), &id);
    same(&|id| emma.post("/v1/forget", &json!({"ids": [id]})), &id);
    same(
        &|id| emma.post(&format!("/v1/review/{id}"), &json!({"action": "approve"})),
        &id,
    );
    same(&|id| emma.get(&format!("/v1/operations/{id}")), &turn);
    same(
        &|id| emma.get(&format!("/v1/sessions/s/checkpoints/{id}")),
        &checkpoint,
    );
    same(
        &|id| {
            emma.post(
                &format!("/v1/sessions/s/checkpoints/{id}"),
                &json!({"approve": true}),
            )
        },
        &checkpoint,
    );
    let erase = |what: &'static str| {
        let emma = emma.clone();
        move |id: &str| {
            let mut body: Value = json!({});
            body[what] = json!(id);
            emma.post("/v1/erase", &body)
        }
    };
    same(&erase("id"), &id);
    same(&erase("turn"), &turn);
    let listed = priya.get("/v1/memories").ok();
    assert_eq!(listed["memories"][0]["value"], "Berlin");
}
