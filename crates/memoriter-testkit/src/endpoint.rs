//! A service of a language model that follows a script: a real HTTP endpoint on loopback, for every way in which one
//! can fail.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// What the endpoint does with one request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The model says this.
    Says(String),
    /// The model says this and was cut off by its limit.
    SaysCutOff(String),
    /// The service sends this status and body.
    Status(u16, String),
    /// The service sends a body that says nothing known.
    Body(String),
    /// The connection ends in the middle of the body.
    Breaks,
    /// Nothing comes.
    Hangs,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Request {
    /// Its path.
    pub path: String,
    /// Its headers, as they came.
    pub headers: Vec<String>,
    /// Its body.
    pub body: Value,
}

/// An endpoint on loopback. It answers each request with the next reply, and the last one for ever.
pub struct Endpoint {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Endpoint {
    /// Begins to listen.
    ///
    /// # Panics
    /// When loopback gives no port.
    #[must_use]
    pub fn start(script: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback gives a port");
        let address = listener
            .local_addr()
            .expect("a bound socket has an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        let script = Arc::new(Mutex::new(script.into_iter().collect()));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, script) = (Arc::clone(&kept), Arc::clone(&script));
                thread::spawn(move || serve(stream, &kept, &script));
            }
        });
        Self { address, requests }
    }

    /// Where it is, as an OpenAI-compatible service is named.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What was asked so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        let requests = self.requests.lock();
        requests.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Serves one connection. A connection that fails is over.
fn serve(stream: TcpStream, kept: &Mutex<Vec<Request>>, script: &Mutex<VecDeque<Reply>>) {
    let Ok(clone) = stream.try_clone() else {
        return;
    };
    let (mut reader, mut stream) = (BufReader::new(clone), stream);
    while let Some(request) = read(&mut reader) {
        let is_anthropic = request.path.ends_with("/messages");
        let mut requests = kept.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(request);
        drop(requests);
        let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = match script.len() {
            0 | 1 => script.front().cloned(),
            _ => script.pop_front(),
        };
        drop(script);
        let goes_on = reply.is_some_and(|reply| answer(&mut stream, reply, is_anthropic));
        if !goes_on {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut first = String::new();
    reader.read_line(&mut first).ok().filter(|read| *read > 0)?;
    let (mut headers, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let lower = line.to_lowercase();
        if let Some(count) = lower.strip_prefix("content-length:") {
            length = count.trim().parse().ok()?;
        }
        headers.push(line.to_owned());
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request {
        path: first.split(' ').nth(1)?.to_owned(),
        headers,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    })
}

/// Whether the connection goes on.
fn answer(stream: &mut TcpStream, reply: Reply, is_anthropic: bool) -> bool {
    let said = |text: &str, is_whole: bool| {
        if is_anthropic {
            messages(text, is_whole)
        } else {
            completion(text, is_whole)
        }
    };
    match reply {
        Reply::Says(text) => send(stream, 200, &said(&text, true)),
        Reply::SaysCutOff(text) => send(stream, 200, &said(&text, false)),
        Reply::Status(status, body) => send(stream, status, &body),
        Reply::Body(body) => send(stream, 200, &body),
        Reply::Breaks => {
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n";
            let _ = stream.write_all(format!("{head}{{\"choices\":[").as_bytes());
            false
        }
        Reply::Hangs => {
            thread::sleep(Duration::from_mins(1));
            false
        }
    }
}

fn send(stream: &mut TcpStream, status: u16, body: &str) -> bool {
    let head = format!(
        "HTTP/1.1 {status} x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).is_ok()
}

/// A chat completion of the OpenAI protocol.
fn completion(text: &str, is_whole: bool) -> String {
    json!({
        "id": "1", "object": "chat.completion", "model": "scripted",
        "choices": [{
            "index": 0,
            "finish_reason": if is_whole { "stop" } else { "length" },
            "message": {"role": "assistant", "content": text},
        }],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    })
    .to_string()
}

/// A message of Anthropic's protocol.
fn messages(text: &str, is_whole: bool) -> String {
    json!({
        "id": "1", "type": "message", "role": "assistant", "model": "scripted",
        "content": [{"type": "text", "text": text}],
        "stop_reason": if is_whole { "end_turn" } else { "max_tokens" },
        "usage": {"input_tokens": 100, "output_tokens": 10},
    })
    .to_string()
}
