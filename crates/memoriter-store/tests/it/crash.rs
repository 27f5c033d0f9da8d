//! What was acknowledged is there after the process was killed.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use memoriter_core::scope::Scope;
use memoriter_store::{ExtractionQuery, ExtractionState, NewTurn, Store, Write};
use memoriter_testkit::SeededEntropy;
use memoriter_testkit::sample::Samples;

use crate::format::fixture;
use crate::support::{assert_sound, killed_after, lines_after, open, process, read, role, setting};

/// Kills in a run: `MEMORITER_TEST_KILLS` asks for more.
const KILLS: u64 = 200;
/// Kills after which a new file is begun, so that the making of one is hit as well.
const KILLS_PER_FILE: u64 = 20;
/// Threads that write in the process that is killed.
const WRITERS: u64 = 3;

fn scope() -> Scope {
    // Not one of those in the fixtures.
    Scope::user("other")
}

/// Run by [`nothing_acknowledged_is_lost_by_a_kill`] as another process, which is killed.
#[test]
fn process_that_writes() {
    let Some(role) = role() else { return };
    let store = open(&role.store);
    std::thread::scope(|threads| {
        for writer in 0..WRITERS {
            let store = &store;
            threads.spawn(move || write_for_ever(store, role.seed * WRITERS + writer));
        }
    });
}

/// Each unit is a turn, its entry in the queue and a memory; their ids are told when the unit is committed.
fn write_for_ever(store: &dyn Store, seed: u64) {
    let (samples, scope) = (Samples::new(seed), scope());
    for number in 0.. {
        let turn = samples.turn(
            store.secret(),
            (&scope, &seed.to_string()),
            &number.to_string(),
            "Hello.",
        );
        let turn = NewTurn {
            extract_at: Some(turn.recorded_at),
            ..turn
        };
        let memory = samples.memory(&scope, &format!("{seed} says {number}."));
        let told = format!("committed {} {}", memory.id, turn.id);
        let vector = Some(samples.vector("m"));
        let unit = vec![
            Write::AppendTurn(Box::new(turn)),
            Write::InsertMemory {
                memory: Box::new(memory),
                vector,
            },
        ];
        store.commit(unit).unwrap();
        println!("{told}");
    }
}

#[test]
fn nothing_acknowledged_is_lost_by_a_kill() {
    let kills = setting("MEMORITER_TEST_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let chance = SeededEntropy::new(kills);
    let mut acknowledged_in_all = 0;
    for file in 0..kills.div_ceil(KILLS_PER_FILE) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        if file % 2 == 1 {
            // One that has to be migrated first.
            fs_err::copy(fixture(1), &path).unwrap();
        }
        let mut acknowledged = BTreeSet::new();
        for kill in 0..KILLS_PER_FILE {
            let pause = Duration::from_micros(2_000 + chance.below(58_000));
            let output = write_and_kill(&path, file * KILLS_PER_FILE + kill, pause);
            acknowledged.extend(lines_after(&output, "committed").map(str::to_owned));
            check(&path, &acknowledged);
        }
        acknowledged_in_all += acknowledged.len() as u64;
    }
    println!("{kills} kills, {acknowledged_in_all} units acknowledged");
    assert!(
        acknowledged_in_all > kills,
        "the processes were killed before they wrote"
    );
}

fn write_and_kill(path: &Path, seed: u64, pause: Duration) -> String {
    killed_after(
        &mut process("crash::process_that_writes", path, seed),
        pause,
    )
}

#[track_caller]
fn check(path: &Path, acknowledged: &BTreeSet<String>) {
    let store = open(path);
    assert_sound(&store);
    let content = read(&store, &scope()).unwrap();
    let memories: BTreeSet<_> = content
        .memories
        .iter()
        .map(|memory| memory.id.to_string())
        .collect();
    let turns: BTreeSet<_> = content
        .turns
        .iter()
        .map(|turn| turn.id.to_string())
        .collect();
    assert_eq!(memories.len(), turns.len(), "a unit is whole");
    let query = ExtractionQuery::InState {
        scope: &scope(),
        state: ExtractionState::Queued,
        limit: usize::MAX,
    };
    let queued = store.snapshot().unwrap().extractions(query).unwrap();
    let queued: BTreeSet<_> = queued
        .rows
        .iter()
        .map(|entry| entry.turn.to_string())
        .collect();
    assert_eq!(queued, turns, "a turn is queued with it");
    for pair in acknowledged {
        let (memory, turn) = pair.split_once(' ').unwrap();
        assert!(
            memories.contains(memory) && turns.contains(turn),
            "{pair} is lost"
        );
    }
}
