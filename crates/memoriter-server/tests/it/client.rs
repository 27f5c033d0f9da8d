//! A running server and a caller of it.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use memoriter::core::port::Clock;
use memoriter::{Memoriter, Rights, Scope, SystemClock, SystemEntropy};
use memoriter_server::credential::key::{Keys, NewKey};
use memoriter_server::{Server, Settings, run};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A server on a free port, over stores in a folder of its own. Ends when it is dropped.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) folder: Arc<TempDir>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn start() -> Self {
        Self::start_with(|_, _| {})
    }

    /// With other settings, which may make keys in the folder first.
    pub(crate) fn start_with(change: impl FnOnce(&mut Settings, &Path)) -> Self {
        Self::start_in(Arc::new(tempfile::tempdir().unwrap()), change)
    }

    pub(crate) fn start_in(
        folder: Arc<TempDir>,
        change: impl FnOnce(&mut Settings, &Path),
    ) -> Self {
        let path = folder.path().to_owned();
        let stores = path.clone();
        let open = move |tenant: &str| Ok(Memoriter::open(stores.join(format!("{tenant}.db")))?);
        let mut settings = Settings::new(open, &path);
        change(&mut settings, &path);
        let (stop, stopped) = oneshot::channel::<()>();
        let (told, address) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                let address = listener.local_addr().unwrap();
                let server = Server::new(settings, address).unwrap();
                told.send(address).unwrap();
                let ended = async move {
                    let _ = stopped.await;
                };
                run(listener, server, ended).await.unwrap();
            });
        });
        Self {
            address: address.recv().unwrap(),
            folder,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// A caller without a key.
    pub(crate) fn caller(&self) -> Caller {
        Caller {
            address: self.address,
            key: None,
        }
    }

    /// A caller with a key.
    pub(crate) fn caller_with(&self, key: &str) -> Caller {
        Caller {
            address: self.address,
            key: Some(key.to_owned()),
        }
    }

    /// A new key.
    pub(crate) fn key(&self, tenant: &str, within: Option<Scope>, rights: Rights) -> String {
        new_key(self.folder.path(), tenant, within, rights)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(
                ended.is_ok() || std::thread::panicking(),
                "the server failed"
            );
        }
    }
}

pub(crate) fn new_key(
    folder: &Path,
    tenant: &str,
    within: Option<Scope>,
    rights: Rights,
) -> String {
    let key = NewKey {
        label: None,
        tenant: tenant.to_owned(),
        within,
        rights,
        expires_at: None,
    };
    let keys = Keys::in_folder(folder);
    keys.create(key, &SystemEntropy, SystemClock.now())
        .unwrap()
        .1
}

/// Sends requests, one a connection.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) address: SocketAddr,
    pub(crate) key: Option<String>,
}

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) text: String,
}

impl Answer {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value)
    }

    /// The document of a success.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()
    }

    /// The code of a problem.
    #[track_caller]
    pub(crate) fn code(&self) -> String {
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{} {}",
            self.status,
            self.text
        );
        let problem = self.json();
        assert_eq!(problem["status"], self.status);
        problem["code"].as_str().unwrap().to_owned()
    }
}

impl Caller {
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &[], Some(&body.to_string()))
    }

    pub(crate) fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send("PATCH", path, &[], Some(&body.to_string()))
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, &[], None)
    }

    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        let has = |name: &str| {
            headers
                .iter()
                .any(|(given, _)| given.eq_ignore_ascii_case(name))
        };
        if !has("host") {
            let _ = write!(head, "Host: {}\r\n", self.address);
        }
        if let Some(key) = self.key.as_ref().filter(|_| !has("authorization")) {
            let _ = write!(head, "Authorization: Bearer {key}\r\n");
        }
        for (name, value) in headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if let Some(body) = body {
            if !has("content-type") {
                head.push_str("Content-Type: application/json\r\n");
            }
            let _ = write!(head, "Content-Length: {}\r\n", body.len());
        }
        head.push_str("\r\n");
        self.raw(head.as_bytes(), body.unwrap_or_default().as_bytes())
    }

    /// Sends bytes and reads until the server closes.
    pub(crate) fn raw(&self, head: &[u8], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_mins(1)))
            .unwrap();
        stream.write_all(head).unwrap();
        // A server that has answered already may have closed.
        let _ = stream.write_all(body);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        read_answer(&bytes)
    }
}

fn read_answer(bytes: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let is_chunked = head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked");
    Answer {
        status: status.unwrap_or(0),
        head: head.to_owned(),
        text: if is_chunked {
            unchunked(body)
        } else {
            body.to_owned()
        },
    }
}

fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap_or(0);
        if length == 0 || rest.len() < length {
            break;
        }
        text.push_str(&rest[..length]);
        body = rest[length..].trim_start_matches("\r\n");
    }
    text
}
