//! The description of the interface.

use serde_json::Value;

use crate::client::Served;

/// Method, path and description of each operation.
pub(crate) fn operations() -> Vec<(String, String, Value)> {
    let document = document();
    let paths = document["paths"].as_object().unwrap().clone();
    let mut all = Vec::new();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            all.push((method.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    all
}

fn document() -> Value {
    let served = Served::start();
    served.caller().get("/openapi.json").ok()
}

#[test]
fn every_route_of_the_interface_is_described() {
    let all = operations();
    for expected in [
        "POST /v1/memories",
        "GET /v1/memories",
        "GET /v1/memories/{id}",
        "PATCH /v1/memories/{id}",
        "DELETE /v1/memories/{id}",
        "GET /v1/memories/{id}/history",
        "POST /v1/memories/search",
        "POST /v1/forget",
        "POST /v1/erase",
        "GET /v1/receipts/{id}",
        "GET /v1/review",
        "POST /v1/review/{id}",
        "POST /v1/sessions/{id}/turns",
        "GET /v1/sessions/{id}/turns",
        "POST /v1/sessions/{id}/context",
        "GET /v1/sessions/{id}/state",
        "PATCH /v1/sessions/{id}/state",
        "GET /v1/sessions/{id}/state/watch",
        "POST /v1/sessions/{id}/checkpoints",
        "GET /v1/sessions/{id}/checkpoints",
        "GET /v1/operations/{id}",
        "GET /v1/export",
        "POST /v1/import",
        "GET /healthz",
        "GET /metrics",
    ] {
        let is_there =
            |(method, path, _): &(String, String, Value)| format!("{method} {path}") == expected;
        assert!(all.iter().any(is_there), "{expected}");
    }
    for (method, path, operation) in &all {
        assert!(
            operation["summary"].is_string(),
            "{method} {path} has no summary"
        );
    }
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let served = Served::start();
    let page = served.caller().get("/docs");
    assert_eq!(page.status, 200);
    assert!(!page.text.contains("http"), "an address of elsewhere");
    assert!(page.header("content-security-policy").is_some());
    assert_eq!(served.caller().get("/docs.js").status, 200);
}
