//! Ingest that is killed: what was acknowledged is there, and ingesting again completes without doubling.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use memoriter::core::port::SeededEntropy;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Memoriter, Note, Scope, ScopedMemory, TurnDraft, TurnKey};

const KILLS: u64 = 200;
/// Kills after which a new store is begun.
const KILLS_PER_STORE: u64 = 25;
const TURNS: u64 = 4_000;
/// Turns that are acknowledged together.
const BATCH: u64 = 20;
/// Names the store to the process that is killed.
const STORE: &str = "MEMORITER_TEST_CRASH_STORE";

fn open(path: &Path) -> (Memoriter, ScopedMemory) {
    let memory = Memoriter::open(path).unwrap();
    let scope = memory.scope(Scope::user("priya"));
    (memory, scope)
}

fn turn(number: u64) -> TurnDraft {
    let at = ZonedTime::utc(Timestamp::from_micros(1_000_000));
    TurnDraft {
        session: SessionName::new("log").unwrap(),
        key: TurnKey::At(number),
        message: Message::new(Role::User, format!("Line {number} of the log"), at),
    }
}

/// Ingests everything, batch by batch, each followed by a fact about it; tells what is acknowledged.
fn ingest(scope: &ScopedMemory, mut tell: impl FnMut(u64)) {
    for start in (0..TURNS).step_by(usize::try_from(BATCH).unwrap()) {
        scope.append((start..start + BATCH).map(turn)).unwrap();
        let progress = Note::new(format!("Read up to {start}"));
        scope
            .remember(
                progress
                    .key("log.read".parse().unwrap())
                    .value(start.to_string()),
            )
            .unwrap();
        tell(start + BATCH);
    }
}

/// Run by [`a_killed_ingest_loses_and_doubles_nothing`] as another process, which is killed.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "how one process tells another what to do"
)]
fn process_that_ingests() {
    let Ok(path) = std::env::var(STORE) else {
        return;
    };
    let (_memory, scope) = open(path.as_ref());
    ingest(&scope, |acknowledged| {
        println!("acknowledged {acknowledged}");
    });
}

#[test]
fn a_killed_ingest_loses_and_doubles_nothing() {
    let chance = SeededEntropy::new(KILLS);
    let mut acknowledged_in_all = 0;
    for _ in 0..KILLS / KILLS_PER_STORE {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let mut most = 0;
        for _ in 0..KILLS_PER_STORE {
            let pause = Duration::from_micros(20_000 + chance.below(60_000));
            let acknowledged = ingest_and_kill(&path, pause);
            most = most.max(acknowledged);
            acknowledged_in_all += acknowledged;
            check(&path, most);
        }
        let (memory, scope) = open(&path);
        ingest(&scope, |_| {});
        assert_eq!(count(&scope), TURNS);
        assert_eq!(memory.verify().unwrap().problems, []);
    }
    assert!(
        acknowledged_in_all > 0,
        "the processes were killed before they wrote"
    );
}

fn ingest_and_kill(path: &Path, pause: Duration) -> u64 {
    let this = std::env::current_exe().unwrap();
    let mut child = Command::new(this)
        .args(["--exact", "crash::process_that_ingests", "--nocapture"])
        .env(STORE, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(pause);
    // A process that is done already cannot be killed, and has acknowledged everything.
    let _ = child.kill();
    let mut told = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut told)
        .unwrap();
    child.wait().unwrap();
    let numbers = told
        .lines()
        .filter_map(|line| line.split("acknowledged ").nth(1)?.parse().ok());
    numbers.max().unwrap_or(0)
}

fn check(path: &Path, acknowledged: u64) {
    let (memory, scope) = open(path);
    let kept = if acknowledged == 0 { 0 } else { count(&scope) };
    assert!(
        kept >= acknowledged,
        "{kept} of {acknowledged} acknowledged turns are there"
    );
    let live = scope.live_under(&"log.read".parse().unwrap()).unwrap();
    assert!(live.len() <= 1, "a key holds one live value");
    assert_eq!(memory.verify().unwrap().problems, []);
}

fn count(scope: &ScopedMemory) -> u64 {
    scope
        .turns(&SessionName::new("log").unwrap(), 0, 100_000)
        .unwrap()
        .rows
        .len() as u64
}
