//! States of a run: saved, resumed, forked, pruned.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use memoriter::core::checkpoint::{Answer, CHECKPOINT_BYTES_MAX, Pruning};
use memoriter::core::port::Clock;
use memoriter::core::time::{DAY_MICROS, Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Diagnose, Memoriter, NewState, Scope, SeededEntropy, Session, TurnKey};
use memoriter_testkit::{FixedClock, SeededEntropy as Chance};
use proptest::prelude::*;
use serde_json::json;

fn store() -> (tempfile::TempDir, Memoriter) {
    let folder = tempfile::tempdir().unwrap();
    let memory = open(&folder.path().join("memory.db"), 0);
    (folder, memory)
}

fn open(path: &Path, day: i64) -> Memoriter {
    let now = Timestamp::from_micros(1_772_323_200_000_000 + day * DAY_MICROS);
    let builder = Memoriter::builder().clock(Arc::new(FixedClock(now)));
    let entropy = SeededEntropy::new(u64::try_from(day).unwrap());
    builder.entropy(Arc::new(entropy)).open(path).unwrap()
}

fn run(memory: &Memoriter) -> Session {
    memory.scope(Scope::user("priya")).session("run")
}

fn say(session: &Session, number: u64, text: &str) {
    let at = ZonedTime::utc(Timestamp::from_micros(1_772_323_200_000_000));
    let message = Message::new(Role::User, text, at);
    session.append([(TurnKey::At(number), message)]).unwrap();
}

fn turns(memory: &Memoriter, session: &str) -> Vec<String> {
    let name = SessionName::new(session).unwrap();
    let turns = memory
        .scope(Scope::user("priya"))
        .turns(&name, 0, 99)
        .unwrap();
    turns
        .rows
        .into_iter()
        .map(|turn| turn.message.content)
        .collect()
}

#[test]
fn a_run_goes_on_from_where_it_was() {
    let (_folder, memory) = store();
    let run = run(&memory);
    assert_eq!(
        run.checkpoints().resume(None).unwrap_err().code(),
        "no_checkpoint"
    );
    say(&run, 0, "Deploy the shop.");
    run.state().set("step", json!(1)).unwrap();
    run.state().set("goal", json!("ship")).unwrap();
    let asking = NewState::new("langgraph", [0, 255, 7])
        .label("before the deploy")
        .asks("Deploy to production?")
        .asked_for(json!({"tool": "deploy"}));
    let first = run.checkpoints().save(asking).unwrap();
    run.state().set("step", json!(2)).unwrap();
    say(&run, 1, "Later.");
    let second = run
        .checkpoints()
        .save(NewState::new("json", *b"{}"))
        .unwrap();
    assert_eq!(second.parent, Some(first.id));
    assert_eq!((first.turns, second.turns), (1, 2));

    let resumed = run.checkpoints().resume(Some(first.id)).unwrap();
    assert_eq!(
        (resumed.data.as_slice(), resumed.checkpoint.kind.as_str()),
        ([0, 255, 7].as_slice(), "langgraph")
    );
    let board: Vec<_> = resumed
        .board
        .rows
        .iter()
        .map(|field| (field.name.as_str(), field.value.clone().unwrap()))
        .collect();
    assert_eq!(board, [("goal", json!("ship")), ("step", json!(1))]);
    assert!(resumed.checkpoint.is_pending());
    assert_eq!(run.checkpoints().resume(None).unwrap().checkpoint, second);

    let answered = run
        .checkpoints()
        .answer(first.id, Answer::Rejected, Some("priya"))
        .unwrap();
    assert!(!answered.is_pending());
    let again = run
        .checkpoints()
        .answer(first.id, Answer::Approved, None)
        .unwrap_err();
    assert_eq!(again.code(), "not_asked");
    let others = memory.scope(Scope::user("priya")).session("other");
    assert_eq!(
        others.checkpoints().get(first.id).unwrap_err().code(),
        "no_such_checkpoint"
    );
    assert_eq!(memory.verify().unwrap().problems, []);
}

#[test]
fn no_recall_finds_a_checkpoint() {
    let (_folder, memory) = store();
    let run = run(&memory);
    run.checkpoints()
        .save(NewState::new("text", *b"The exam is in March").label("exam"))
        .unwrap();
    run.state()
        .set("exam", json!("The exam is in March"))
        .unwrap();
    let priya = memory.scope(Scope::user("priya"));
    assert_eq!(priya.recall("When is the exam?").run().unwrap(), []);
}

#[test]
fn a_fork_has_the_turns_and_the_board_up_to_there() {
    let (_folder, memory) = store();
    let run = run(&memory);
    say(&run, 0, "The violin is in the attic.");
    run.state().append("steps", json!("a")).unwrap();
    let first = run
        .checkpoints()
        .save(NewState::new("json", *b"1"))
        .unwrap();
    say(&run, 1, "Later.");
    run.state().append("steps", json!("b")).unwrap();
    let fork = run.checkpoints().fork(first.id, "fork").unwrap();
    say(&fork, 0, "Another way.");
    assert_eq!(
        turns(&memory, "fork"),
        ["The violin is in the attic.", "Another way."]
    );
    assert_eq!(
        turns(&memory, "run"),
        ["The violin is in the attic.", "Later."]
    );
    let steps = fork.state().append("steps", json!("c")).unwrap();
    assert_eq!((steps.value, steps.revision), (Some(json!(["a", "c"])), 2));
    assert_eq!(
        run.state().get("steps").unwrap().unwrap().value,
        Some(json!(["a", "b"]))
    );
    let desk = fork
        .assemble("And now?")
        .run()
        .unwrap()
        .rendering
        .to_json()
        .to_string();
    assert!(
        desk.contains("violin") && desk.contains("Another way") && !desk.contains("Later."),
        "{desk}"
    );
    let recalled = memory
        .scope(Scope::user("priya"))
        .recall("Where is the violin?")
        .run()
        .unwrap();
    let found = recalled
        .iter()
        .filter(|hit| hit.text().contains("violin"))
        .count();
    assert_eq!(found, 1, "nothing is recalled twice");
    let deeper = fork
        .checkpoints()
        .save(NewState::new("json", *b"2"))
        .unwrap();
    let second = fork.checkpoints().fork(deeper.id, "fork of fork").unwrap();
    say(&second, 0, "Third.");
    assert_eq!(
        turns(&memory, "fork of fork"),
        ["The violin is in the attic.", "Another way.", "Third."]
    );
    assert_eq!(
        run.checkpoints()
            .fork(first.id, "fork")
            .err()
            .unwrap()
            .code(),
        "session_exists"
    );
    assert_eq!(memory.verify().unwrap().problems, []);
}

#[test]
fn old_checkpoints_are_pruned_and_what_waits_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let mut ids = Vec::new();
    for day in 0..5 {
        let run = run(&open(&path, day));
        run.state().set("day", json!(day)).unwrap();
        let state = NewState::new("json", day.to_string());
        let state = if day == 1 {
            state.asks("Go on?")
        } else {
            state
        };
        ids.push(run.checkpoints().save(state).unwrap().id);
    }
    let memory = open(&path, 5);
    let checkpoints = run(&memory).checkpoints();
    let now = FixedClock(Timestamp::from_micros(
        1_772_323_200_000_000 + 2 * DAY_MICROS,
    ))
    .now();
    let old = Pruning {
        older_than: Some(now),
        ..Pruning::default()
    };
    assert_eq!(checkpoints.prune(old).unwrap(), ids[..1]);
    let keep_one = Pruning {
        keep: Some(1),
        ..Pruning::default()
    };
    assert_eq!(checkpoints.prune(keep_one).unwrap(), ids[2..4]);
    let left: Vec<_> = checkpoints
        .list(9)
        .unwrap()
        .rows
        .into_iter()
        .map(|kept| kept.id)
        .collect();
    assert_eq!(left, [ids[1], ids[4]]);
    let held = checkpoints.resume(Some(ids[1])).unwrap();
    assert_eq!(
        held.board.rows[0].value,
        Some(json!(1)),
        "it keeps its board"
    );
    assert_eq!(memory.verify().unwrap().problems, []);
}

#[test]
fn what_is_over_a_limit_is_refused() {
    let (_folder, memory) = store();
    let checkpoints = run(&memory).checkpoints();
    let error = checkpoints
        .save(NewState::new("json", vec![0; CHECKPOINT_BYTES_MAX + 1]))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "data is 16777217 bytes, over the limit of 16777216 bytes"
    );
    assert_eq!(
        checkpoints
            .save(NewState::new("", *b""))
            .unwrap_err()
            .field(),
        Some("type")
    );
    let unasked = NewState::new("json", *b"").asked_for(json!(1));
    assert_eq!(
        checkpoints.save(unasked).unwrap_err().field(),
        Some("question")
    );
    let largest = checkpoints
        .save(NewState::new("json", vec![7; CHECKPOINT_BYTES_MAX]))
        .unwrap();
    assert_eq!(
        checkpoints.resume(Some(largest.id)).unwrap().data.len(),
        CHECKPOINT_BYTES_MAX
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn bytes_come_back_as_they_were(data in prop::collection::vec(any::<u8>(), 0..3_000), times in 1_usize..4) {
        let (_folder, memory) = store();
        let checkpoints = run(&memory).checkpoints();
        for _ in 0..times {
            let id = checkpoints.save(NewState::new("bytes", data.clone())).unwrap().id;
            prop_assert_eq!(&checkpoints.resume(Some(id)).unwrap().data, &data);
        }
    }
}

/// Names the store to the process that is killed.
const STORE: &str = "MEMORITER_TEST_SAVING_STORE";
/// Kills in a run: `MEMORITER_TEST_KILLS` asks for more.
const KILLS: u64 = 30;

/// Bytes that belong to a number: some as long as a page of the file, some much longer.
fn bytes_of(number: u64) -> Vec<u8> {
    let chance = Chance::new(number);
    let length = usize::try_from(chance.below(40_000)).unwrap();
    number
        .to_le_bytes()
        .into_iter()
        .cycle()
        .take(length)
        .collect()
}

/// Run by [`a_kill_loses_no_acknowledged_checkpoint`] as another process, which is killed.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "how one process tells another what to do"
)]
fn process_that_saves() {
    let Ok(path) = std::env::var(STORE) else {
        return;
    };
    let memory = Memoriter::open(path).unwrap();
    let run = run(&memory);
    let saved = run.checkpoints().list(usize::MAX).unwrap().rows.len() as u64;
    for number in saved.. {
        run.state().set("number", json!(number)).unwrap();
        run.checkpoints()
            .save(NewState::new("bytes", bytes_of(number)))
            .unwrap();
        println!("saved {number}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a setting of the test run")]
fn a_kill_loses_no_acknowledged_checkpoint() {
    let asked = std::env::var("MEMORITER_TEST_KILLS");
    let kills = asked.map_or(KILLS, |kills| kills.parse().unwrap());
    let chance = Chance::new(kills);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let mut acknowledged = 0;
    for _ in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "checkpoints::process_that_saves", "--nocapture"])
            .env(STORE, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut told = String::new();
        // Not before it has saved once, however slow the machine is.
        while !told.contains("saved ") && said.read_line(&mut told).unwrap() > 0 {}
        std::thread::sleep(Duration::from_micros(chance.below(60_000)));
        child.kill().unwrap();
        said.read_to_string(&mut told).unwrap();
        child.wait().unwrap();
        let numbers = told
            .lines()
            .filter_map(|line| line.split("saved ").nth(1)?.parse::<u64>().ok());
        acknowledged = acknowledged.max(numbers.max().map_or(0, |last| last + 1));
    }
    let memory = Memoriter::open(&path).unwrap();
    let checkpoints = run(&memory).checkpoints();
    let kept = checkpoints.list(usize::MAX).unwrap().rows;
    assert!(
        acknowledged > kills,
        "the processes were killed before they saved"
    );
    assert!(
        kept.len() as u64 >= acknowledged,
        "{} of {acknowledged}",
        kept.len()
    );
    for (number, checkpoint) in (0..).zip(&kept) {
        let resumed = checkpoints.resume(Some(checkpoint.id)).unwrap();
        assert_eq!(resumed.data, bytes_of(number));
        assert_eq!(resumed.board.rows[0].value, Some(json!(number)));
    }
    assert_eq!(memory.verify().unwrap().problems, []);
}
