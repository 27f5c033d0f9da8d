//! The state of a session: fields that code reads directly.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use memoriter::core::board::{Field, FieldType, FieldWrite, Guarded, MergeRule};
use memoriter::core::id::ChangeNumber;
use memoriter::core::provenance::{Origin, SourceRef};
use memoriter::{Board, Diagnose, Memoriter, Note, Scope, SeededEntropy, Taken};
use memoriter_testkit::SeededEntropy as Chance;
use proptest::prelude::*;
use serde_json::{Value, json};

fn store() -> (tempfile::TempDir, Memoriter) {
    let folder = tempfile::tempdir().unwrap();
    let builder = Memoriter::builder().entropy(Arc::new(SeededEntropy::new(1)));
    let memory = builder.open(folder.path().join("memory.db")).unwrap();
    (folder, memory)
}

fn board(memory: &Memoriter) -> Board {
    memory.scope(Scope::user("priya")).session("s1").state()
}

#[track_caller]
fn holds(board: &Board, name: &str, value: &Value, revision: u64) {
    let field = board.get(name).unwrap().unwrap();
    assert_eq!(
        (field.value.as_ref(), field.revision),
        (Some(value), revision)
    );
}

#[test]
fn fields_are_written_read_and_removed() {
    let (_folder, memory) = store();
    let board = board(&memory);
    assert_eq!(board.get("order").unwrap(), None);
    board.set("order", json!({"id": 7})).unwrap();
    board.append("steps", json!("paid")).unwrap();
    board.append("steps", json!("packed")).unwrap();
    board.merge("best", json!(3), MergeRule::Max).unwrap();
    let same = board.merge("best", json!(2), MergeRule::Max).unwrap();
    assert_eq!((same.value, same.revision), (Some(json!(3)), 1));
    holds(&board, "steps", &json!(["paid", "packed"]), 2);
    let names: Vec<String> = board
        .list()
        .unwrap()
        .rows
        .into_iter()
        .map(|field| field.name)
        .collect();
    assert_eq!(names, ["best", "order", "steps"]);
    board.remove("order", Some(1)).unwrap();
    assert_eq!(board.get("order").unwrap(), None);
    assert_eq!(
        board.remove("order", None).unwrap_err().code(),
        "no_such_field"
    );
    holds_again(&board);
    let changed = board.changes(ChangeNumber(0), 9).unwrap().rows;
    let names: Vec<&str> = changed.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["steps", "best", "order"], "by their last change");
    let other = memory.scope(Scope::user("omar")).session("s1").state();
    assert_eq!(other.list().unwrap().rows, []);
}

#[track_caller]
fn holds_again(board: &Board) {
    board.set("order", json!("again")).unwrap();
    holds(board, "order", &json!("again"), 3);
}

#[test]
fn a_stale_write_names_both_revisions() {
    let (_folder, memory) = store();
    let board = board(&memory);
    board.set("order", json!(1)).unwrap();
    let expecting = |revision| FieldWrite {
        guarded: Guarded {
            expected_revision: Some(revision),
            ..Guarded::default()
        },
        ..FieldWrite::new("order", json!(2))
    };
    board.write(expecting(1)).unwrap();
    let error = board.write(expecting(1)).unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        ("revision_conflict", "field order has revision 2, not 1")
    );
}

#[test]
fn the_agent_of_the_scope_is_who_writes() {
    let (_folder, memory) = store();
    let scope = Scope::user("priya").within("agent", "planner").unwrap();
    let board = memory.scope(scope).session("s1").state();
    let owned = FieldWrite {
        owner: Some("planner".into()),
        ..FieldWrite::new("goal", json!("ship"))
    };
    let field = board.write(owned).unwrap();
    assert_eq!(field.actor.as_deref(), Some("planner"));
    board.set("goal", json!("ship it")).unwrap();
    let error = board
        .clone()
        .by("tutor")
        .set("goal", json!("rest"))
        .unwrap_err();
    assert_eq!(error.code(), "not_owner");
    holds(&board, "goal", &json!("ship it"), 2);
}

#[test]
fn secrets_never_reach_a_board() {
    let (folder, memory) = store();
    let board = board(&memory);
    let secret = "hunter2-Zebra-93";
    board.set("password", json!(secret)).unwrap();
    board.append("log", json!({"password": secret})).unwrap();
    for name in ["password", "log"] {
        let text = board.get(name).unwrap().unwrap().to_json().unwrap();
        assert!(
            text.contains("[secret:") && !text.contains(secret),
            "{text}"
        );
    }
    drop(board);
    drop(memory);
    let bytes = fs_err::read(folder.path().join("memory.db")).unwrap();
    assert!(
        !bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes())
    );
}

#[test]
fn a_confirmed_fact_moves_into_the_state() {
    let (_folder, memory) = store();
    let priya = memory.scope(Scope::user("priya"));
    let city = |value: &str| {
        let key = "user.city".parse().unwrap();
        Note::new(format!("I live in {value}"))
            .key(key)
            .value(value)
    };
    let id = priya.remember(city("Munich")).unwrap()[0].id.unwrap();
    let board = board(&memory);
    let key = || Taken::Key("user.city".parse().unwrap());
    let field = board.take("city", &key()).unwrap();
    assert_eq!(field.value, Some(json!("Munich")));
    assert_eq!(field.source, Some(SourceRef::Memory(id)));
    let waiting = priya.remember(city("Rome").origin(Origin::Web)).unwrap();
    let waiting = waiting[0].id.unwrap();
    let error = board.take("city", &Taken::Memory(waiting)).unwrap_err();
    assert_eq!(error.code(), "not_live", "{error}");
    let count = Note::new("I have 3 cats")
        .key("user.cats".parse().unwrap())
        .value("3");
    priya.remember(count).unwrap();
    let typed = FieldWrite {
        kind: Some(FieldType::Number),
        ..FieldWrite::new("cats", json!(0))
    };
    board.write(typed).unwrap();
    board
        .take("cats", &Taken::Key("user.cats".parse().unwrap()))
        .unwrap();
    holds(&board, "cats", &json!(3), 2);
    let error = board
        .take("x", &Taken::Key("user.dog".parse().unwrap()))
        .unwrap_err();
    assert_eq!(error.code(), "not_one_value");
    let error = board.take("cats", &key()).unwrap_err();
    assert_eq!(error.code(), "wrong_type", "a city is no number");
    holds(&board, "cats", &json!(3), 2);
    priya.retire(&[id]).unwrap();
    assert_eq!(
        board.take("city", &Taken::Memory(id)).unwrap_err().code(),
        "not_live"
    );
}

/// A step of a writer: what it does to which of three fields.
#[derive(Clone, Copy, Debug)]
enum Step {
    Append,
    AddToSet(u8),
    Raise(u8),
    Replace,
    ReplaceSeen,
}

fn steps() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let step = prop_oneof![
        Just(Step::Append),
        (0_u8..6).prop_map(Step::AddToSet),
        any::<u8>().prop_map(Step::Raise),
        Just(Step::Replace),
        Just(Step::ReplaceSeen),
    ];
    prop::collection::vec(prop::collection::vec(step, 1..8), 2..4)
}

/// Takes a step; what was acknowledged, if it was.
fn take(board: &Board, step: Step, name: &str) -> Option<Field> {
    let seen = || {
        let revision = board.get("free").unwrap().map_or(0, |field| field.revision);
        Guarded {
            expected_revision: Some(revision),
            ..Guarded::default()
        }
    };
    let done = match step {
        Step::Append => board.append("list", json!(name)),
        Step::AddToSet(item) => board.merge("set", json!([item]), MergeRule::Union),
        Step::Raise(to) => board.merge("most", json!(to), MergeRule::Max),
        Step::Replace => board.set("free", json!(name)),
        Step::ReplaceSeen => board.write(FieldWrite {
            guarded: seen(),
            ..FieldWrite::new("free", json!(name))
        }),
    };
    match done {
        Ok(field) => Some(field),
        Err(error) => {
            assert_eq!(error.code(), "revision_conflict", "{error}");
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nothing_that_was_acknowledged_is_lost(scripts in steps()) {
        let (_folder, memory) = store();
        let board = board(&memory);
        let acknowledged: Vec<(Step, String, Field)> = std::thread::scope(|threads| {
            let writers: Vec<_> = scripts.iter().enumerate().map(|(writer, script)| {
                let board = board.clone();
                threads.spawn(move || {
                    let named = script.iter().enumerate().map(|(number, step)| (*step, format!("{writer}-{number}")));
                    named.filter_map(|(step, name)| take(&board, step, &name).map(|field| (step, name, field))).collect::<Vec<_>>()
                })
            }).collect();
            writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
        });
        let value = |name: &str| board.get(name).unwrap().and_then(|field| field.value);
        let mut appended: Vec<String> = Vec::new();
        let (mut items, mut most) = (BTreeSet::new(), None);
        let mut replaced: BTreeMap<u64, String> = BTreeMap::new();
        for (step, name, field) in &acknowledged {
            match step {
                Step::Append => appended.push(name.clone()),
                Step::AddToSet(item) => drop(items.insert(u64::from(*item))),
                Step::Raise(to) => most = most.max(Some(u64::from(*to))),
                Step::Replace | Step::ReplaceSeen => {
                    let double = replaced.insert(field.revision, name.clone());
                    prop_assert_eq!(double, None, "each write has a revision of its own");
                }
            }
        }
        let mut list: Vec<String> = value("list").map_or_else(Vec::new, |list| serde_json::from_value(list).unwrap());
        list.sort_unstable();
        appended.sort_unstable();
        prop_assert_eq!(list, appended, "each append is in the list once");
        let set: Vec<u64> = value("set").map_or_else(Vec::new, |set| serde_json::from_value(set).unwrap());
        prop_assert_eq!(set.len(), items.len());
        prop_assert_eq!(set.into_iter().collect::<BTreeSet<_>>(), items);
        prop_assert_eq!(value("most").and_then(|most| most.as_u64()), most);
        let last = replaced.last_key_value();
        prop_assert_eq!(value("free"), last.map(|(_, name)| json!(name)));
        prop_assert!(replaced.keys().copied().eq(1..=replaced.len() as u64), "revisions rise without gaps");
        prop_assert_eq!(memory.verify().unwrap().problems, []);
    }
}

/// Writes of each of two processes.
const WRITES: usize = 60;

#[test]
fn another_process_of_writers_loses_nothing() {
    // Two handles on one file stand for two processes: they share no lock.
    let (folder, memory) = store();
    let path = folder.path().join("memory.db");
    let chance = Chance::new(3);
    let other = Memoriter::open(&path).unwrap();
    std::thread::scope(|threads| {
        for (writer, memory) in [&memory, &other].into_iter().enumerate() {
            let board = board(memory);
            let pause = std::time::Duration::from_micros(chance.below(500));
            threads.spawn(move || {
                for number in 0..WRITES {
                    board
                        .append("list", json!(format!("{writer}-{number}")))
                        .unwrap();
                    std::thread::sleep(pause);
                }
            });
        }
    });
    let list = board(&memory).get("list").unwrap().unwrap();
    let items: BTreeSet<String> = serde_json::from_value(list.value.unwrap()).unwrap();
    assert_eq!(
        (items.len(), list.revision),
        (2 * WRITES, 2 * WRITES as u64)
    );
}
