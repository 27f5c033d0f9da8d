//! Several stores on one file, in this process and in others.

use std::path::Path;

use memoriter_core::memory::Memory;
use memoriter_core::scope::Scope;
use memoriter_store::{MemoryQuery, Store, StoreError, Write};
use memoriter_testkit::sample::Samples;

use crate::support::{add, assert_sound, lines_after, open, process, read, role, update};

const PROCESSES: u64 = 4;
const ROUNDS: u64 = 40;

fn scope() -> Scope {
    Scope::user("priya")
}

#[test]
fn a_second_store_in_the_process_sees_and_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (first, second) = (open(&path), open(&path));
    assert_eq!(first.secret(), second.secret());
    let samples = Samples::new(1);
    let mut newest = first.head().unwrap();
    for round in 0..20 {
        for (writer, reader) in [(&first, &second), (&second, &first)] {
            let memory = samples.memory(&scope(), &format!("{round} at {newest}."));
            let stored = add(writer, &memory);
            assert_eq!(stored.change.0, newest.0 + 1, "both count on");
            newest = stored.change;
            assert_eq!(reader.head().unwrap(), newest);
            assert!(read(reader, &scope()).unwrap().memories.contains(&stored));
        }
    }
    drop(first);
    add(
        &second,
        &samples.memory(&scope(), "After the other closed."),
    );
    assert_sound(&second);
}

/// Run by [`four_processes_share_a_file`] as another process: adds memories and counts up a shared one.
#[test]
fn process_that_shares() {
    let Some(role) = role() else { return };
    let store = open(&role.store);
    let samples = Samples::new(role.seed);
    let counter = Samples::new(0).memory(&scope(), "Counts.").id;
    let mut successes = 0;
    for round in 0..ROUNDS {
        let memory = samples.memory(&scope(), &format!("{round} of {}.", role.seed));
        let turn = samples.turn(
            store.secret(),
            (&scope(), "shared"),
            &memory.statement,
            "Hello.",
        );
        let told = format!("committed {}", memory.id);
        let insert = Write::InsertMemory {
            memory: Box::new(memory),
            vector: Some(samples.vector("m")),
        };
        store
            .commit(vec![Write::AppendTurn(Box::new(turn)), insert])
            .unwrap();
        println!("{told}");
        successes += u64::from(count_up(&store, counter));
    }
    println!("successes {successes}");
}

fn count_up(store: &dyn Store, counter: memoriter_core::id::MemoryId) -> bool {
    let query = MemoryQuery::Ids {
        scopes: &[scope()],
        ids: &[counter],
    };
    let read = store
        .snapshot()
        .unwrap()
        .memories(query)
        .unwrap()
        .rows
        .pop()
        .unwrap();
    let next = Memory {
        confirmations: read.confirmations + 1,
        ..read.clone()
    };
    match update(store, &next, read.change) {
        Ok(()) => true,
        Err(StoreError::Conflict { id }) if id == counter => false,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn four_processes_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    let counter = add(&store, &Samples::new(0).memory(&scope(), "Counts."));
    let outputs = run_all(&path);
    let committed: Vec<&str> = outputs
        .iter()
        .flat_map(|output| lines_after(output, "committed"))
        .collect();
    assert_eq!(committed.len() as u64, PROCESSES * ROUNDS);
    let content = read(&store, &scope()).unwrap();
    assert_eq!(content.memories.len() as u64, 1 + PROCESSES * ROUNDS);
    assert!(committed.iter().all(|id| {
        content
            .memories
            .iter()
            .any(|memory| memory.id.to_string() == *id)
    }));
    assert!(
        content
            .turns
            .iter()
            .map(|turn| u64::from(turn.position))
            .eq(0..PROCESSES * ROUNDS)
    );
    let successes: u64 = outputs
        .iter()
        .flat_map(|output| lines_after(output, "successes"))
        .map(|count| count.parse::<u64>().unwrap())
        .sum();
    let total = content
        .memories
        .iter()
        .find(|memory| memory.id == counter.id)
        .unwrap()
        .confirmations;
    assert_eq!(u64::from(total), successes, "no update is lost");
    assert_sound(&store);
}

fn run_all(path: &Path) -> Vec<String> {
    let children: Vec<_> = (1..=PROCESSES)
        .map(|seed| {
            process("processes::process_that_shares", path, seed)
                .spawn()
                .unwrap()
        })
        .collect();
    let finished = children
        .into_iter()
        .map(|child| child.wait_with_output().unwrap());
    finished
        .map(|output| {
            assert!(output.status.success(), "a process failed");
            String::from_utf8(output.stdout).unwrap()
        })
        .collect()
}

/// Run by [`processes_that_make_a_store_together_make_one`] as another process.
#[test]
fn process_that_opens() {
    let Some(role) = role() else { return };
    let store = open(&role.store);
    println!("secret {:?}", store.secret());
}

#[test]
fn processes_that_make_a_store_together_make_one() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let mut secrets = Vec::new();
        let children: Vec<_> = (0..PROCESSES)
            .map(|seed| {
                process("processes::process_that_opens", &path, seed)
                    .spawn()
                    .unwrap()
            })
            .collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "a process failed");
            let said = String::from_utf8(output.stdout).unwrap();
            secrets.extend(lines_after(&said, "secret").map(str::to_owned));
        }
        let store = open(&path);
        assert_sound(&store);
        assert_eq!(secrets, vec![format!("{:?}", store.secret()); 4]);
    }
}
