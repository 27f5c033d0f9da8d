//! Who comes in.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use memoriter::core::port::Clock;
use memoriter::core::time::Timestamp;
use memoriter::{Right, Rights, Scope, SystemClock, SystemEntropy};
use memoriter_server::credential::key::{Keys, NewKey};
use memoriter_server::{Server, Settings};
use serde_json::{Value, json};

use crate::client::{Served, new_key};
use crate::document::operations;

/// A server that has a key already.
fn keyed() -> (Served, String) {
    let mut key = String::new();
    let served = Served::start_with(|_, folder| {
        key = new_key(folder, "default", None, Rights::ALL);
    });
    (served, key)
}

#[test]
fn nothing_but_health_and_documents_answers_without_a_key() {
    let (served, key) = keyed();
    let nobody = served.caller();
    let mut asked = 0;
    for (method, path, _) in operations() {
        if path == "/healthz" {
            continue;
        }
        let path = path.replace("{id}", "x").replace("{checkpoint}", "x");
        // The body is promised and never sent: who waits for it does not answer.
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: 100\r\n\r\n",
            served.address
        );
        let answer = nobody.raw(head.as_bytes(), b"");
        assert_eq!(answer.status, 401, "{method} {path}: {}", answer.text);
        assert_eq!(answer.code(), "unauthenticated");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        for wrong in [
            "mk_00000000_AAAA",
            "Basic eDp5",
            "x",
            &format!("{key}x"),
            &key[..20],
        ] {
            let answer = served
                .caller_with(wrong)
                .send(&method, &path, &[], Some("{}"));
            assert_eq!(answer.status, 401, "{method} {path} {wrong}");
        }
        asked += 1;
    }
    assert!(asked >= 20, "{asked}");
    for path in ["/v1/other", "/metrics", "/mcp", "/v1"] {
        assert_eq!(nobody.get(path).status, 401, "{path}");
    }
    assert_eq!(nobody.get("/healthz").ok(), json!({"ok": true}));
    assert_eq!(nobody.get("/openapi.json").status, 200);
    assert_eq!(served.caller_with(&key).get("/v1/memories").status, 200);
}

#[test]
fn a_key_is_refused_once_it_is_revoked_replaced_or_expired() {
    let (served, first) = keyed();
    let keys = Keys::in_folder(served.folder.path());
    let now = SystemClock.now();
    let new = |expires_at: Option<Timestamp>| NewKey {
        label: Some("test".to_owned()),
        tenant: "default".to_owned(),
        within: None,
        rights: Rights::ALL,
        expires_at,
    };
    let (entry, text) = keys.create(new(None), &SystemEntropy, now).unwrap();
    let status = |key: &str| served.caller_with(key).get("/v1/memories").status;
    assert_eq!(status(&text), 200);
    let (_, replaced) = keys.rotate(&entry.id, &SystemEntropy, now).unwrap();
    assert_eq!((status(&text), status(&replaced)), (401, 200));
    keys.revoke(&entry.id).unwrap();
    assert_eq!(status(&replaced), 401);
    let soon = now.plus_micros(-1);
    let (_, expired) = keys.create(new(Some(soon)), &SystemEntropy, now).unwrap();
    assert_eq!(status(&expired), 401);
    let file = fs_err::read_to_string(served.folder.path().join("keys.json")).unwrap();
    let secret = first.rsplit('_').next().unwrap();
    assert!(!file.contains(secret), "a key is kept as its hash alone");
    assert!(keys.revoke("none").is_err());
}

#[test]
fn who_revokes_the_last_key_opens_nothing() {
    let served = Served::start();
    assert_eq!(served.caller().get("/v1/memories").status, 200);
    let key = served.key("default", None, Rights::ALL);
    assert_eq!(served.caller().get("/v1/memories").status, 401);
    assert_eq!(served.caller_with(&key).get("/v1/memories").status, 200);
    let keys = Keys::in_folder(served.folder.path());
    let id = keys.list().unwrap()[0].id.clone();
    keys.revoke(&id).unwrap();
    assert_eq!(served.caller().get("/v1/memories").status, 401);
    assert_eq!(served.caller_with(&key).get("/v1/memories").status, 401);
}

#[test]
fn other_addresses_need_keys_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let settings = || {
        let path = folder.path().join("default.db");
        Settings::new(
            move |_| Ok(memoriter::Memoriter::open(&path)?),
            folder.path(),
        )
    };
    let code = |address: &str, change: &dyn Fn(&mut Settings)| {
        let mut settings = settings();
        change(&mut settings);
        let server = Server::new(settings, address.parse().unwrap());
        server.err().map(|error| memoriter::Diagnose::code(&error))
    };
    assert_eq!(code("127.0.0.1:0", &|_| {}), None);
    assert_eq!(code("[::1]:0", &|_| {}), None);
    let proxied = |settings: &mut Settings| settings.hosts = vec!["memory.example.org".to_owned()];
    assert_eq!(code("127.0.0.1:0", &proxied), Some("keys_needed"));
    for address in [
        "0.0.0.0:0",
        "[::]:0",
        "192.0.2.7:0",
        "10.0.0.1:0",
        "[2001:db8::1]:0",
    ] {
        assert_eq!(code(address, &|_| {}), Some("keys_needed"), "{address}");
    }
    new_key(folder.path(), "default", None, Rights::ALL);
    assert_eq!(code("192.0.2.7:0", &|_| {}), None);
    assert_eq!(code("0.0.0.0:0", &|_| {}), Some("hosts_needed"));
    let named = |settings: &mut Settings| settings.hosts = vec!["memory.example.org".to_owned()];
    assert_eq!(code("0.0.0.0:0", &named), None);
    fs_err::write(folder.path().join("keys.json"), "{").unwrap();
    assert_eq!(code("127.0.0.1:0", &|_| {}), Some("malformed_key_file"));
}

#[test]
fn hosts_and_origins_are_looked_at_before_anything() {
    let served = Served::start_with(|settings, _| {
        settings.origins = vec!["https://app.example.org".to_owned()];
    });
    let me = served.caller();
    let own = format!("http://{}", served.address);
    let status = |headers: &[(&str, &str)]| me.send("GET", "/v1/memories", headers, None).status;
    assert_eq!(status(&[]), 200);
    assert_eq!(status(&[("Origin", &own)]), 200);
    assert_eq!(status(&[("Origin", "https://app.example.org")]), 200);
    let asked = [
        ("Origin", "https://app.example.org"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "authorization"),
    ];
    let told = me.send("OPTIONS", "/v1/memories", &asked, None);
    assert_eq!(
        told.header("access-control-allow-origin"),
        Some("https://app.example.org")
    );
    assert!(
        told.header("access-control-allow-headers")
            .is_some_and(|names| names.contains("authorization"))
    );
    let own_page = me.send("GET", "/v1/memories", &[("Origin", &own)], None);
    assert_eq!(own_page.header("access-control-allow-origin"), None);
    assert_eq!(status(&[("Origin", "https://evil.com")]), 403);
    assert_eq!(status(&[("Origin", "null")]), 403);
    assert_eq!(status(&[("Host", "evil.com")]), 403);
    assert_eq!(status(&[("Host", "localhost")]), 200);
    assert_eq!(
        me.send("GET", "/healthz", &[("Host", "evil.com")], None)
            .code(),
        "host_not_allowed"
    );
}

#[test]
fn a_credential_without_a_right_gets_no_further() {
    let (served, _) = keyed();
    let reader = served.key(
        "default",
        Some(Scope::user("priya")),
        Rights::of(&[Right::Read]),
    );
    let reader = served.caller_with(&reader);
    assert_eq!(
        reader.get("/v1/memories").status,
        200,
        "its own path needs no name"
    );
    assert_eq!(reader.get("/v1/memories?user_id=priya").status, 200);
    let refused = reader.get("/v1/memories?user_id=emma");
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (403, "scope_denied")
    );
    let refused = reader.post("/v1/memories", &json!({"text": "I like tea"}));
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (403, "right_denied")
    );
    assert_eq!(reader.get("/v1/export").status, 403);
    assert_eq!(reader.get("/metrics").status, 403);
    assert_eq!(
        reader.send("POST", "/v1/import", &[], Some("{}")).status,
        403
    );
    let agent = Scope::user("priya").within("agent", "tutor").unwrap();
    let tutor = served.key("default", Some(agent), Rights::ALL);
    let tutor = served.caller_with(&tutor);
    assert_eq!(tutor.get("/v1/memories").status, 200);
    assert_eq!(tutor.get("/v1/memories?agent_id=tutor").status, 200);
    assert_eq!(
        tutor
            .get("/v1/memories?user_id=priya&agent_id=tutor")
            .status,
        200
    );
    assert_eq!(tutor.get("/v1/memories?user_id=priya").status, 403);
    assert_eq!(tutor.get("/v1/memories?agent_id=other").status, 403);
}

#[test]
fn metrics_are_numbers_of_the_own_tenant_and_no_content() {
    let (served, key) = keyed();
    let me = served.caller_with(&key);
    me.post(
        "/v1/memories",
        &json!({"user_id": "priya", "text": "My locker is zebra42"}),
    )
    .ok();
    let other = served.key("other", None, Rights::ALL);
    let other = served.caller_with(&other);
    other.get("/v1/memories");
    assert!(other.get("/metrics").text.contains("tenant=\"other\""));
    let told = me.get("/metrics");
    assert_eq!(told.status, 200);
    for name in [
        "memoriter_http_request_duration_seconds_bucket",
        "memoriter_decisions_total{decision=\"ADD\"} 1",
        "memoriter_index_size_bytes{tenant=\"default\"}",
        "route=\"/v1/memories\"",
    ] {
        assert!(told.text.contains(name), "{name}\n{}", told.text);
    }
    for word in ["zebra42", "priya", "tenant=\"other\""] {
        assert!(!told.text.contains(word), "{word}");
    }
}

#[test]
fn a_request_that_trickles_is_given_up() {
    let served = Served::start_with(|settings, _| {
        settings.limits.read_time = Duration::from_millis(300);
    });
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: 127")
        .unwrap();
    let mut told = Vec::new();
    // It ends: with an answer or without.
    stream.read_to_end(&mut told).unwrap();
    let head = format!(
        "POST /v1/memories HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\
         Connection: close\r\n\r\n{{",
        served.address
    );
    let slow = served.caller().raw(head.as_bytes(), b"");
    assert_eq!(slow.status, 408, "{}", slow.text);
    let _: Value = slow.json();
}
