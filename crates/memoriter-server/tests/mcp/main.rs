//! The service of HTTP as a server mounts it: each request with its own connection.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests stop at the first surprise, like the tests"
)]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use memoriter::{Access, Memoriter, Right, Rights, Scope};
use memoriter_server::mcp::{Connection, HttpOptions, http_service};
use serde_json::{Value, json};
use tower::ServiceExt;

/// A store, and the service mounted in front of it.
struct World {
    _folder: tempfile::TempDir,
    memory: Memoriter,
    app: Router,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
        let options = HttpOptions {
            allowed_hosts: vec!["localhost".to_owned(), "127.0.0.1:7077".to_owned()],
            allowed_origins: vec!["http://localhost:7077".to_owned()],
        };
        Self {
            _folder: folder,
            memory,
            app: Router::new().nest_service("/mcp", http_service(options)),
        }
    }

    fn connection(&self, user: &str, rights: &[Right]) -> Connection {
        let within = Scope::user(user);
        let access = Access::new(Some(within.clone()), Rights::of(rights));
        Connection::new(self.memory.granted(access).scope(within))
    }

    async fn post(
        &self,
        connection: Option<Connection>,
        headers: &[(&str, &str)],
        body: Value,
    ) -> (StatusCode, Value) {
        let mut request = Request::post("/mcp").header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        if let Some(connection) = connection {
            request.extensions_mut().insert(connection);
        }
        let answer = self.app.clone().oneshot(request).await.unwrap();
        let status = answer.status();
        let bytes = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        (status, serde_json::from_str(&text).unwrap_or(json!(text)))
    }

    async fn call(&self, user: &str, rights: &[Right], tool: &str, arguments: Value) -> Value {
        let headers = [
            ("mcp-protocol-version", "2025-06-18"),
            ("accept", "application/json"),
        ];
        let params = json!({"name": tool, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let (status, answer) = self
            .post(Some(self.connection(user, rights)), &headers, body)
            .await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["result"].clone()
    }
}

const ALL: &[Right] = &[Right::Read, Right::Write, Right::Delete];

#[tokio::test]
async fn older_revisions_are_answered_without_a_session() {
    let world = World::new();
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let opened = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
        let (status, answer) = world
            .post(Some(world.connection("priya", ALL)), &[], opened)
            .await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(answer["result"]["protocolVersion"], revision, "{answer}");
        assert_eq!(answer["result"]["serverInfo"]["name"], "memoriter");
        let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let (status, _) = world
            .post(Some(world.connection("priya", ALL)), &[], told)
            .await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }
    let saved = world
        .call("priya", ALL, "save_memory", json!({"text": "I like tea"}))
        .await;
    assert_eq!(
        saved["structuredContent"]["decisions"][0]["decision"], "ADD",
        "{saved}"
    );
}

#[tokio::test]
async fn the_current_revision_is_answered_by_what_each_request_says() {
    let world = World::new();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let version = ("mcp-protocol-version", "2026-07-28");
    let discover =
        json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}});
    let headers = [version, ("mcp-method", "server/discover")];
    let (status, found) = world
        .post(Some(world.connection("priya", ALL)), &headers, discover)
        .await;
    assert_eq!(status, StatusCode::OK, "{found}");
    assert!(
        found["result"]["supportedVersions"]
            .to_string()
            .contains("2026-07-28"),
        "{found}"
    );
    let params = json!({"_meta": meta, "name": "save_memory", "arguments": {"text": "I like tea"}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let headers = [
        version,
        ("mcp-method", "tools/call"),
        ("mcp-name", "save_memory"),
    ];
    let (status, saved) = world
        .post(Some(world.connection("priya", ALL)), &headers, call)
        .await;
    assert_eq!(status, StatusCode::OK, "{saved}");
    assert_eq!(saved["result"]["resultType"], "complete");
    let opened =
        json!({"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": {"_meta": meta}});
    let headers = [version, ("mcp-method", "initialize")];
    let (status, gone) = world
        .post(Some(world.connection("priya", ALL)), &headers, opened)
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{gone}");
    assert_eq!(gone["error"]["code"], -32601, "{gone}");
    let params = json!({"_meta": meta, "uri": "memory://session/nobody"});
    let read = json!({"jsonrpc": "2.0", "id": 4, "method": "resources/read", "params": params});
    let headers = [
        version,
        ("mcp-method", "resources/read"),
        ("mcp-name", "memory://session/nobody"),
    ];
    let (_, missing) = world
        .post(Some(world.connection("priya", ALL)), &headers, read)
        .await;
    assert_eq!(missing["error"]["code"], -32602, "{missing}");
    assert_eq!(missing["error"]["data"]["uri"], "memory://session/nobody");
}

/// Every tool, by every set of rights: what a handle may do is what a tool does, and who asks is known by each request.
#[tokio::test]
async fn a_tool_does_what_the_credential_of_its_request_allows() {
    let world = World::new();
    let saved = world
        .call(
            "priya",
            ALL,
            "save_memory",
            json!({"text": "My exam is on 14 March"}),
        )
        .await;
    let id = saved["structuredContent"]["decisions"][0]["id"].clone();
    let cases = [
        ("search_memory", Right::Read, json!({"query": "exam"})),
        ("get_memory", Right::Read, json!({"id": id})),
        (
            "get_context",
            Right::Read,
            json!({"session": "s", "message": "exam?"}),
        ),
        (
            "save_memory",
            Right::Write,
            json!({"text": "I like green tea"}),
        ),
        (
            "update_memory",
            Right::Write,
            json!({"id": id, "statement": "My exam is on 15 March"}),
        ),
        ("forget_memory", Right::Delete, json!({"key": "user.pet"})),
    ];
    for (tool, needed, arguments) in cases {
        for right in Right::ALL {
            let result = world.call("priya", &[right], tool, arguments.clone()).await;
            let is_denied = result.to_string().contains("right_denied");
            assert_eq!(
                is_denied,
                right != needed,
                "{tool} with {right:?}: {result}"
            );
        }
    }
    let emma = world
        .call("emma", ALL, "search_memory", json!({"query": "exam"}))
        .await;
    assert_eq!(emma["structuredContent"]["results"], json!([]));
    let stolen = world
        .call("emma", ALL, "get_memory", json!({"id": id}))
        .await;
    assert!(
        stolen["isError"] == true && !stolen.to_string().contains("14 March"),
        "{stolen}"
    );
}

#[tokio::test]
async fn a_request_without_credential_does_nothing() {
    let world = World::new();
    for method in ["tools/list", "resources/read", "tools/call"] {
        let params = json!({"uri": "memory://profile", "name": "search_memory", "arguments": {"query": "a"}});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let (_, answer) = world.post(None, &[], body).await;
        assert_eq!(answer["error"]["code"], -32603, "{method}: {answer}");
    }
}

#[tokio::test]
async fn other_hosts_origins_and_methods_are_refused() {
    let world = World::new();
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (name, value, expected) in [
        ("origin", "http://localhost:7077", StatusCode::OK),
        ("origin", "http://evil.example", StatusCode::FORBIDDEN),
        ("origin", "http://localhost:7078", StatusCode::FORBIDDEN),
        ("origin", "https://localhost:7077", StatusCode::FORBIDDEN),
        ("origin", "null", StatusCode::FORBIDDEN),
        ("accept", "text/html", StatusCode::NOT_ACCEPTABLE),
        ("accept", "*/*", StatusCode::OK),
        (
            "mcp-protocol-version",
            "1999-01-01",
            StatusCode::BAD_REQUEST,
        ),
    ] {
        let connection = Some(world.connection("priya", ALL));
        let (status, answer) = world.post(connection, &[(name, value)], ping.clone()).await;
        assert_eq!(status, expected, "{name}: {value}: {answer}");
    }
    for (host, expected) in [
        ("127.0.0.1:7077", StatusCode::OK),
        ("127.0.0.1:7078", StatusCode::FORBIDDEN),
        ("evil.example", StatusCode::FORBIDDEN),
        ("localhost.evil.example", StatusCode::FORBIDDEN),
    ] {
        let mut request = Request::post("/mcp")
            .header("host", host)
            .header("content-type", "application/json")
            .body(Body::from(ping.to_string()))
            .unwrap();
        request
            .extensions_mut()
            .insert(world.connection("priya", ALL));
        let answer = world.app.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), expected, "{host}");
    }
    for method in ["GET", "DELETE", "PUT"] {
        let request = Request::builder()
            .method(method)
            .uri("/mcp")
            .header("host", "localhost");
        let answer = world
            .app
            .clone()
            .oneshot(request.body(Body::empty()).unwrap())
            .await;
        assert_eq!(
            answer.unwrap().status(),
            StatusCode::METHOD_NOT_ALLOWED,
            "{method}"
        );
    }
}

#[tokio::test]
async fn sloppy_and_oversized_bodies() {
    let world = World::new();
    let connection = || Some(world.connection("priya", ALL));
    let sloppy = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "save_memory", "arguments": "{\"text\": \"I like tea\"}", "_meta": null}});
    let (status, saved) = world.post(connection(), &[], sloppy).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        saved["result"]["structuredContent"]["decisions"][0]["decision"], "ADD",
        "{saved}"
    );
    let listed = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": null});
    assert_eq!(
        world.post(connection(), &[], listed).await.0,
        StatusCode::OK
    );
    let nameless = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}});
    let (_, answer) = world.post(connection(), &[], nameless).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let (status, _) = world
        .post(connection(), &[], json!("a".repeat(5 << 20)))
        .await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
}
