//! The server by the command, and keys for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Home, text};

/// A server of a home.
struct Served {
    child: Child,
    address: String,
    /// What it says after it listens.
    talk: BufReader<std::process::ChildStderr>,
}

impl Served {
    fn start(home: &Home, args: &[&str]) -> Self {
        let mut command = home.command();
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "json"]);
        Self::of(command.args(args))
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut talk = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        talk.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://");
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self {
            child,
            address,
            talk,
        }
    }

    fn ask(&self, key: Option<&str>, request: &str, body: &Value) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        let key = key.map_or_else(String::new, |key| {
            format!("Authorization: Bearer {key}\r\n")
        });
        let body = body.to_string();
        let head = format!(
            "{request} HTTP/1.1\r\nHost: {}\r\n{key}Content-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let mut told = String::new();
        stream.read_to_string(&mut told).unwrap();
        let status = told.split(' ').nth(1).unwrap().parse().unwrap();
        let body = told.split_once("\r\n\r\n").unwrap().1.to_owned();
        (status, body)
    }

    /// Asks it to end, and gives its exit code and the rest of its talk.
    #[cfg(unix)]
    fn terminate(mut self) -> (i32, String, String) {
        let id = self.child.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(killed.success());
        let (mut talk, mut out) = (String::new(), String::new());
        self.talk.read_to_string(&mut talk).unwrap();
        let stdout = self.child.stdout.as_mut().unwrap();
        stdout.read_to_string(&mut out).unwrap();
        let code = self.child.wait().unwrap().code().unwrap();
        (code, out, talk)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
#[test]
fn what_the_server_took_is_there_for_the_command_and_it_ends_when_asked() {
    let home = Home::new();
    let served = Served::start(&home, &["--json"]);
    let said = json!({"user_id": "priya", "text": "My locker code is zebra and I live in Berlin"});
    let (status, told) = served.ask(None, "POST /v1/memories", &said);
    assert_eq!(status, 200, "{told}");
    let (status, _) = served.ask(None, "GET /v1/memories?user_id=priya&limit=0", &json!({}));
    assert_eq!(status, 400);
    let address = served.address.clone();
    let (code, out, talk) = served.terminate();
    assert_eq!(code, 0, "{talk}");
    let out: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(out, json!({"listened": format!("http://{address}")}));
    // The log has a document for each request, and nothing of what was said.
    let lines = talk.lines().filter(|line| line.starts_with('{'));
    let logged: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let answered: Vec<&Value> = logged
        .iter()
        .filter(|line| line["message"] == "answered")
        .collect();
    assert_eq!(answered.len(), 2, "{talk}");
    assert_eq!(
        (&answered[0]["status"], &answered[1]["code"]),
        (&json!(200), &json!("malformed"))
    );
    assert_eq!(answered[0]["span"]["route"], "/v1/memories");
    for word in ["zebra", "Berlin", "priya", "limit=0"] {
        assert!(!talk.contains(word), "{word}: {talk}");
    }
    let listed = home.json(&["--user", "priya", "list"]);
    assert!(listed.to_string().contains("Berlin"), "{listed}");
}

#[test]
fn keys_let_in_who_has_them_until_they_are_taken_back() {
    let home = Home::new();
    home.run(&["key", "list"]).done();
    let made = home.json(&[
        "key",
        "new",
        "--user",
        "priya",
        "--rights",
        "read,write",
        "--label",
        "phone",
    ]);
    let (id, key) = (text(&made["id"]), text(&made["key"]));
    assert_eq!(made["within"], json!(["user", "priya"]));
    let served = Served::start(&home, &[]);
    let list = "GET /v1/memories";
    assert_eq!(served.ask(None, list, &json!({})).0, 401);
    assert_eq!(served.ask(Some(&key), list, &json!({})).0, 200);
    let rotated = home.json(&["key", "rotate", &id]);
    let new = text(&rotated["key"]);
    assert_eq!(served.ask(Some(&key), list, &json!({})).0, 401);
    assert_eq!(served.ask(Some(&new), list, &json!({})).0, 200);
    let listed = home.run(&["key", "list"]).done().out;
    assert!(listed.contains(&id) && listed.contains("phone") && listed.contains("read,write"));
    assert!(!listed.contains(new.rsplit('_').next().unwrap()));
    home.run(&["key", "revoke", &id]).done();
    assert_eq!(served.ask(Some(&new), list, &json!({})).0, 401);
    home.run(&["key", "revoke", &id])
        .failed(3, "there is no key");
}

#[test]
fn a_key_is_for_somebody() {
    let home = Home::new();
    home.run(&["key", "new"])
        .failed(2, "say whom the key is for");
    home.run(&["key", "new", "--everybody", "--user", "priya"])
        .failed(2, "has no place beside a user");
    home.run(&["key", "new", "--everybody", "--rights", "fly"])
        .failed(
            2,
            "rights must be one or more of read, write, delete, export, admin",
        );
    let agent = home.json(&["key", "new", "--user", "priya", "--agent", "tutor"]);
    assert_eq!(agent["within"], json!(["user", "priya", "agent", "tutor"]));
    let all = home.json(&["key", "new", "--everybody", "--rights", "all"]);
    assert_eq!(
        (&all["within"], &all["rights"]),
        (&json!(null), &json!("read,write,delete,export,admin"))
    );
}

#[test]
fn an_address_that_others_reach_needs_keys_and_a_name() {
    let home = Home::new();
    let serve = |more: &[&str]| home.run(&[&["serve", "--listen", "0.0.0.0:0"], more].concat());
    serve(&[]).failed(4, "there is no key");
    home.run(&["key", "new", "--everybody"]).done();
    serve(&[]).failed(2, "name the hosts");
    home.file("data/keys.json", "{}");
    serve(&[]).failed(1, "is no key file of this version");
}

#[test]
fn tokens_need_all_of_their_settings() {
    let home = Home::new();
    let jwks = home.file("jwks.json", r#"{"keys":[]}"#);
    let jwks = jwks.to_str().unwrap();
    let issuer = "https://login.example.org";
    home.run(&["serve", "--oauth-issuer", issuer])
        .failed(2, "--oauth-audience");
    let full = |audience: &str| {
        home.run(&[
            "serve",
            "--oauth-issuer",
            issuer,
            "--oauth-audience",
            audience,
            "--oauth-jwks",
            jwks,
        ])
    };
    full("memory").failed(2, "audience must be an https:// address");
    full("https://memory.example.org").failed(2, "no public key");
}
