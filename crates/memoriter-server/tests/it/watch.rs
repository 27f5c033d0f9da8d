//! Changes of a board as they come.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use memoriter::Rights;
use memoriter_server::credential::key::Keys;
use serde_json::{Value, json};

use crate::client::{Caller, Served};

/// The events of a watch, until the server ends it.
fn watch(caller: &Caller, path: &str) -> impl Iterator<Item = (u64, Value)> + use<> {
    let mut stream = TcpStream::connect(caller.address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    let key = caller.key.as_ref();
    let key = key.map_or_else(String::new, |key| {
        format!("Authorization: Bearer {key}\r\n")
    });
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{key}\r\n",
        caller.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut id = 0;
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    lines.filter_map(move |line| {
        if let Some(number) = line.strip_prefix("id: ") {
            id = number.parse().unwrap();
        }
        let data = line.strip_prefix("data: ")?;
        Some((id, serde_json::from_str(data).unwrap()))
    })
}

fn write(caller: &Caller, value: u64) {
    let body = json!({"fields": [{"name": "step", "value": value}]});
    caller.patch("/v1/sessions/run/state", &body).ok();
}

#[test]
fn who_watches_sees_each_change_and_misses_none_after_a_break() {
    let served = Served::start();
    let me = served.caller();
    write(&me, 1);
    let mut all = watch(&me, "/v1/sessions/run/state/watch?after=0");
    let (first, field) = all.next().unwrap();
    assert_eq!(field["value"], 1);
    write(&me, 2);
    let (_, field) = all.next().unwrap();
    assert_eq!(field["value"], 2);
    drop(all);
    write(&me, 3);
    let mut rest = watch(&me, &format!("/v1/sessions/run/state/watch?after={first}"));
    assert_eq!(
        rest.next().unwrap().1["value"],
        3,
        "the last value of a field"
    );
}

#[test]
fn a_watch_ends_with_its_key_and_with_the_server() {
    let served = Served::start();
    let key = served.key("default", None, Rights::ALL);
    let me = served.caller_with(&key);
    write(&me, 1);
    let mut all = watch(&me, "/v1/sessions/run/state/watch?after=0");
    assert!(all.next().is_some());
    let keys = Keys::in_folder(served.folder.path());
    keys.revoke(&keys.list().unwrap()[0].id).unwrap();
    assert!(all.next().is_none());
    let key = served.key("default", None, Rights::ALL);
    let mut all = watch(
        &served.caller_with(&key),
        "/v1/sessions/run/state/watch?after=0",
    );
    assert!(all.next().is_some());
    drop(served);
    assert!(all.next().is_none());
}
