//! Reading that is killed: no acknowledged turn is lost, every turn is read once in the end, nothing is doubled.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use memoriter::core::extract::{Action, Candidate, Heard};
use memoriter::core::memory::{Confidence, Importance, Kind, State};
use memoriter::core::port::{Clock, Extractor, ModelError, SeededEntropy};
use memoriter::core::provenance::{SourceRef, Status};
use memoriter::core::time::{DAY_MICROS, Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::store::{DecisionRecord, ExtractionState};
use memoriter::{Memoriter, Reason, Scope, SystemClock, TurnDraft, TurnKey};
use memoriter_testkit::FixedClock;

use crate::ledger;

/// Kills in a run: `MEMORITER_TEST_KILLS` asks for more.
const KILLS: u64 = 40;
/// Kills after which a new store is begun.
const KILLS_PER_STORE: u64 = 20;
const TURNS: u64 = 300;
/// Turns that are acknowledged together.
const BATCH: u64 = 7;
/// Every so many turns say the same.
const REPEATED: u64 = 3;
/// Names the store to the process that is killed.
const STORE: &str = "MEMORITER_TEST_KILLED_STORE";

/// Reads turns that say `attribute value`.
struct Words;

impl Extractor for Words {
    fn name(&self) -> &'static str {
        "words-1"
    }

    fn extract(&self, turns: &[Heard<'_>]) -> Result<Vec<Candidate>, ModelError> {
        let found = turns.iter().enumerate().filter_map(|(turn, heard)| {
            let (attribute, value) = heard.text.split_once(' ')?;
            Some(Candidate {
                turn,
                action: Action::Remember,
                key: Some(format!("user.{attribute}").parse().unwrap()),
                value: Some(value.to_owned()),
                statement: heard.text.to_owned(),
                quote: heard.text.to_owned(),
                kind: Kind::Semantic,
                status: Status::Stated,
                confidence: Confidence::FULL,
                importance: Importance::DEFAULT,
                valid_from: None,
                valid_to: None,
                attempt: None,
                made_by: "words-1".to_owned(),
            })
        });
        Ok(found.collect())
    }
}

fn turn(number: u64) -> TurnDraft {
    let at = Timestamp::from_micros(i64::try_from(number).unwrap() * 1_000_000);
    let text = if number.is_multiple_of(REPEATED) {
        "city Berlin".to_owned()
    } else {
        format!("pet dog{number}")
    };
    TurnDraft {
        session: SessionName::new("log").unwrap(),
        key: TurnKey::At(number),
        message: Message::new(Role::User, text, ZonedTime::utc(at)),
    }
}

fn open(path: &Path, clock: Arc<dyn Clock>) -> Memoriter {
    let builder = Memoriter::builder().extractor(Arc::new(Words)).clock(clock);
    builder.open(path).unwrap()
}

/// Hears everything from the beginning, by and by; tells what is acknowledged. Some of it is read at once, some waits.
fn hear(memory: &Memoriter, mut tell: impl FnMut(u64)) {
    let scope = memory.scope(Scope::user("priya"));
    for start in (0..TURNS).step_by(usize::try_from(BATCH).unwrap()) {
        let end = TURNS.min(start + BATCH);
        if start.is_multiple_of(2) {
            scope.learn((start..end).map(turn)).unwrap();
        } else {
            scope.append_to_learn((start..end).map(turn)).unwrap();
        }
        tell(end);
        if start % 5 == 0 {
            memory.work(10).unwrap();
        }
    }
}

/// Run by [`killed_reading_loses_and_doubles_nothing`] as another process, which is killed.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "how one process tells another what to do"
)]
fn process_that_hears() {
    let Ok(path) = std::env::var(STORE) else {
        return;
    };
    let memory = open(path.as_ref(), Arc::new(SystemClock));
    hear(&memory, |acknowledged| {
        println!("acknowledged {acknowledged}");
    });
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a setting of the test run")]
fn killed_reading_loses_and_doubles_nothing() {
    let asked = std::env::var("MEMORITER_TEST_KILLS");
    let kills = asked.map_or(KILLS, |kills| kills.parse().unwrap());
    let chance = SeededEntropy::new(kills);
    let mut most_in_all = 0;
    for _ in 0..kills.div_ceil(KILLS_PER_STORE) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let mut most = 0;
        for _ in 0..KILLS_PER_STORE {
            let pause = Duration::from_micros(20_000 + chance.below(80_000));
            most = most.max(hear_and_kill(&path, pause));
        }
        check_kept(&path, most);
        most_in_all += most;
        finish(&path);
    }
    assert!(
        most_in_all > 0,
        "the processes were killed before they wrote"
    );
}

fn hear_and_kill(path: &Path, pause: Duration) -> u64 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::process_that_hears", "--nocapture"])
        .env(STORE, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(pause);
    // A process that is done already cannot be killed, and has acknowledged everything.
    let _ = child.kill();
    let mut told = String::new();
    let mut out = child.stdout.take().unwrap();
    out.read_to_string(&mut told).unwrap();
    child.wait().unwrap();
    let numbers = told
        .lines()
        .filter_map(|line| line.split("acknowledged ").nth(1)?.parse().ok());
    numbers.max().unwrap_or(0)
}

#[track_caller]
fn check_kept(path: &Path, acknowledged: u64) {
    let memory = open(path, Arc::new(SystemClock));
    let scope = memory.scope(Scope::user("priya"));
    let kept = scope.turns(&SessionName::new("log").unwrap(), 0, 100_000);
    let count = kept.map_or(0, |turns| turns.rows.len() as u64);
    assert!(count >= acknowledged, "{count} of {acknowledged} are there");
    assert_eq!(memory.verify().unwrap().problems, []);
}

/// Hears the rest, waits until no lease of the dead is left, reads what waits, and counts.
#[track_caller]
fn finish(path: &Path) {
    let later = SystemClock.now().plus_micros(DAY_MICROS);
    let memory = open(path, Arc::new(FixedClock(later)));
    let scope = memory.scope(Scope::user("priya"));
    hear(&memory, |_| {});
    memory.work(100_000).unwrap();
    let turns = scope.turns(&SessionName::new("log").unwrap(), 0, 100_000);
    let turns = turns.unwrap().rows;
    assert_eq!(turns.len() as u64, TURNS);
    for turn in &turns {
        let read = scope.extraction_of(turn.id).unwrap().unwrap();
        assert_eq!(read.state, ExtractionState::Done, "{read:?}");
    }
    assert_eq!(memory.verify().unwrap().problems, []);
    drop(memory);
    ledger::check(path, &Scope::user("priya"));
    let books = ledger::read(path, &Scope::user("priya"));
    let mut decided: BTreeMap<SourceRef, u64> = BTreeMap::new();
    for line in &books.lines {
        *decided.entry(line.source.unwrap()).or_default() += 1;
    }
    assert_eq!(decided.len() as u64, TURNS, "each turn is decided on");
    assert!(decided.values().all(|count| *count == 1), "and once");
    let repeated = TURNS.div_ceil(REPEATED);
    let of = |attribute: &str| {
        let rows = books.rows.values();
        rows.filter(|row| row.fact_key().unwrap().attribute() == attribute)
            .collect::<Vec<_>>()
    };
    assert_eq!(of("pet").len() as u64, TURNS - repeated);
    let city = of("city");
    let live = city.iter().filter(|row| row.state == State::Live);
    assert_eq!(live.count(), 1, "one city is live");
    // A turn that is read late, after later ones, may tell of an earlier time, or of one that is known.
    let believed = city
        .iter()
        .filter(|row| row.valid_to != Some(row.valid_from));
    let counted: u64 = believed.map(|row| u64::from(row.confirmations) + 1).sum();
    let known_then = |line: &&DecisionRecord| {
        line.decision.reason == Reason::KnownThen && line.changes.is_empty()
    };
    let passed_over = books.lines.iter().filter(known_then).count() as u64;
    assert_eq!(counted + passed_over, repeated, "each turn counts once");
}
