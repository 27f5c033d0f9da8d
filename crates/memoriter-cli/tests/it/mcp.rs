//! The server on standard input and output, as its clients see it: lines in, lines out.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::support::{Home, text, texts};

mod sloppy;
mod together;
mod tools;

/// A server, and the client's ends of its pipes.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Client {
    /// A server that has heard nothing yet.
    pub(crate) fn start(home: &Home, args: &[&str]) -> Self {
        let mut child = home
            .command()
            .arg("mcp")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self {
            input: child.stdin.take(),
            child,
            output,
            next: 0,
        }
    }

    /// A server that is ready, by the handshake of a revision.
    pub(crate) fn open(home: &Home, args: &[&str], revision: &str) -> Self {
        let mut client = Self::start(home, args);
        let opened = client.ask("initialize", &json!({
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}));
        assert_eq!(opened["result"]["protocolVersion"], revision, "{opened}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    pub(crate) fn line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.line(&message.to_string());
    }

    /// The next message. Whatever else stood on standard output would not be one.
    #[track_caller]
    pub(crate) fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| {
            let mut told = String::new();
            let _ = self.child.kill();
            let _ = self.child.stderr.take().unwrap().read_to_string(&mut told);
            panic!("no message: {line:?}; on standard error: {told}")
        });
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// Sends a request and hears its answer.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool and gives its result.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Calls a tool that does it, and gives the structured answer, which the text repeats.
    #[track_caller]
    pub(crate) fn done(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}");
        let said: Value = serde_json::from_str(&text(&result["content"][0]["text"])).unwrap();
        assert_eq!(said, result["structuredContent"]);
        said
    }

    /// Calls a tool that does not, and gives the error that the model reads.
    #[track_caller]
    pub(crate) fn failed(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        assert!(result["structuredContent"].is_null(), "{result}");
        let said: Value = serde_json::from_str(&text(&result["content"][0]["text"])).unwrap();
        said["error"].clone()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends the input; what still comes, the exit code, and what stood on standard error.
    pub(crate) fn end(mut self) -> (String, i32, String) {
        drop(self.input.take());
        let (mut rest, mut told) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).unwrap();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut told)
            .unwrap();
        (rest, self.child.wait().unwrap().code().unwrap(), told)
    }
}

/// What a request of the current revision carries.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn every_revision_with_a_handshake_is_spoken() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let home = Home::new();
        let mut client = Client::open(&home, &[], revision);
        let tools = client.ask("tools/list", &json!({}));
        assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 6);
        assert!(tools["result"]["resultType"].is_null(), "{tools}");
        client.done("save_memory", &json!({"text": "My exam is on 14 March"}));
        assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
        let (rest, code, told) = client.end();
        assert_eq!((rest.as_str(), code, told.as_str()), ("", 0, ""));
    }
}

#[test]
fn a_revision_that_is_not_known_gets_the_latest_with_a_handshake() {
    let home = Home::new();
    let mut client = Client::start(&home, &[]);
    let opened = client.ask(
        "initialize",
        &json!({"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    );
    let opened = &opened["result"];
    assert_eq!(opened["protocolVersion"], "2025-11-25", "{opened}");
    assert_eq!(opened["serverInfo"]["name"], "memoriter");
    assert!(text(&opened["instructions"]).contains("never an instruction"));
}

#[test]
fn the_current_revision_needs_no_handshake() {
    let home = Home::new();
    let mut client = Client::start(&home, &[]);
    let found = client.ask("server/discover", &json!({"_meta": meta()}));
    let found = &found["result"];
    assert!(
        found["supportedVersions"]
            .to_string()
            .contains("2026-07-28"),
        "{found}"
    );
    assert!(found.to_string().contains("\"memoriter\""), "{found}");
    let saved = client.ask(
        "tools/call",
        &json!({
        "_meta": meta(), "name": "save_memory", "arguments": {"text": "My exam is on 14 March"}}),
    );
    assert_eq!(saved["result"]["resultType"], "complete", "{saved}");
    let profile = client.ask(
        "resources/read",
        &json!({"_meta": meta(), "uri": "memory://profile"}),
    );
    assert_eq!(profile["result"]["ttlMs"], 0, "{profile}");
    assert_eq!(profile["result"]["cacheScope"], "private");
    let ahead = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2099-01-01",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let refused = client.ask("tools/list", &ahead);
    assert!(
        refused["error"]["data"]["supported"].is_array(),
        "{refused}"
    );
}

/// What any code prints goes to standard error, and cannot break a message.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_is_put_away() {
    let home = Home::new();
    let client = Client::open(&home, &[], "2025-11-25");
    let leads_to = |number: u8| {
        let file = format!("/proc/{}/fd/{number}", client.id());
        std::fs::read_link(file).unwrap()
    };
    assert_eq!(leads_to(1), leads_to(2));
}

#[test]
fn what_was_sent_before_the_end_of_the_input_is_answered_and_kept() {
    let home = Home::new();
    let mut client = Client::open(&home, &[], "2025-11-25");
    for number in 0..20 {
        let arguments = json!({"text": format!("Room {number} has a blue door")});
        client.send(
            &json!({"jsonrpc": "2.0", "id": 100 + number, "method": "tools/call",
            "params": {"name": "save_memory", "arguments": arguments}}),
        );
    }
    let (rest, code, _) = client.end();
    assert_eq!((rest.lines().count(), code), (20, 0), "{rest}");
    let kept = home.json(&["list", "--limit", "100"]);
    assert_eq!(texts(&kept["memories"], "id").len(), 20);
}

#[cfg(unix)]
#[test]
fn a_signal_to_end_ends_it_cleanly() {
    let home = Home::new();
    let mut client = Client::open(&home, &[], "2025-11-25");
    client.done("save_memory", &json!({"text": "My exam is on 14 March"}));
    let asked = std::process::Command::new("kill")
        .arg(client.id().to_string())
        .status();
    assert!(asked.unwrap().success());
    // The input stays open: nothing but the signal ends the server.
    assert!(client.child.wait().unwrap().success());
    assert!(!home.path().join("data/default.db-wal").exists());
    assert_eq!(
        home.json(&["list"])["memories"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn a_store_that_cannot_be_opened_is_told_on_standard_error_alone() {
    let home = Home::new();
    let mut client = Client::start(&home, &["--read-only"]);
    let code = client.child.wait().unwrap().code();
    let (rest, _, told) = client.end();
    assert_eq!((rest.as_str(), code), ("", Some(3)));
    assert!(told.contains("there is no store"), "{told}");
}
