//! Several servers on one file.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Client;
use crate::support::{Home, text, texts};

/// Longest that a call may wait for another process.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// Two servers write and search at once; one is killed in the middle and another takes its place. Nothing that was
/// acknowledged is lost, and nobody is told that the store is busy.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the wait for another process is what is measured"
)]
fn two_servers_share_a_file_and_one_is_killed() {
    const ROUNDS: usize = 3;
    const EACH: usize = 25;
    let home = Home::new();
    let client = |home: &Home| Client::open(home, &[], "2025-11-25");
    let work = |client: &mut Client, name: &str, count: usize| -> Vec<String> {
        let saved = (0..count).map(|number| {
            let start = Instant::now();
            let note = json!({"text": format!("Locker {name}-{number} holds a blue folder"), "kind": "episodic"});
            let saved = client.done("save_memory", &note);
            assert_eq!(saved["decisions"][0]["decision"], "ADD", "{saved}");
            client.done("save_memory", &json!({"key": "team.locker", "value": format!("{name}-{number}")}));
            client.done("search_memory", &json!({"query": format!("Locker {name}-{number}"), "k": 3}));
            assert!(start.elapsed() < WAIT_MAX, "{:?}", start.elapsed());
            text(&saved["decisions"][0]["id"])
        });
        saved.collect()
    };
    let mut kept = Vec::new();
    for round in 0..ROUNDS {
        let (mut stays, mut dies) = (client(&home), client(&home));
        let acknowledged = std::thread::scope(|threads| {
            let steady = threads.spawn(|| work(&mut stays, &format!("a{round}"), EACH));
            let doomed = threads.spawn(|| {
                let done = work(&mut dies, &format!("b{round}"), EACH / 2);
                // In the middle of a call.
                dies.send(&json!({"jsonrpc": "2.0", "id": 9_999, "method": "tools/call",
                    "params": {"name": "save_memory", "arguments": {"text": "The last words of a server"}}}));
                dies.kill();
                let mut next = client(&home);
                let more = work(&mut next, &format!("c{round}"), EACH / 2);
                [done, more].concat()
            });
            [steady.join().unwrap(), doomed.join().unwrap()].concat()
        });
        kept.extend(acknowledged);
        assert_eq!(stays.end().1, 0);
    }
    let listed = home.json(&["list", "--limit", "1000"]);
    let there = texts(&listed["memories"], "id");
    for id in &kept {
        assert!(there.contains(id), "{id} was acknowledged and is gone");
    }
    let live = home.json(&["history", "team.locker"]);
    let live = texts(&live["versions"], "state")
        .iter()
        .filter(|state| *state == "live")
        .count();
    assert_eq!(live, 1);
    assert_eq!(home.json(&["verify"])["ok"], true);
}
