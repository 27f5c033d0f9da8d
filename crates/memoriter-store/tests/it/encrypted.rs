//! Stores whose content is encrypted.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use memoriter_core::board::{Field, FieldType, MergeRule, Terms};
use memoriter_core::error::Diagnose;
use memoriter_core::fold::{ItemKind, Run, Span, SpanItem};
use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::{Attempt, Memory, Outcome as Went};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::{Source, SourceRef};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::SessionName;
use memoriter_store::{
    Appended, ErasedSession, Erasure, KeysOf, Outcome, SqliteOptions, SqliteStore, Store,
    StoreError, Write,
};
use memoriter_testkit::SeededEntropy;
use memoriter_testkit::sample::Samples;
use serde_json::json;

use crate::format::fill_all;
use crate::support::{
    add, assert_sound, encryption, keys_of, killed_after, lines_after, open, process, read, role,
    try_open, try_open_encrypted,
};

/// Bytes of a head and of a slot, from the description of the file.
const HEAD_BYTES: usize = 512;
const SLOT_BYTES: usize = 128;

fn priya() -> Scope {
    Scope::user("priya")
}

fn mei() -> Scope {
    Scope::user("mei")
}

fn open_with(path: &Path, key: u8) -> SqliteStore {
    try_open_encrypted(path, key).unwrap()
}

/// Opens with a key that is not meant for new stores.
fn open_if_encrypted(path: &Path, key: u8) -> Result<SqliteStore, StoreError> {
    let (entropy, mut encryption) = (SeededEntropy::new(1), encryption(key));
    encryption.is_wanted = false;
    let options = SqliteOptions {
        encryption: Some(&encryption),
        ..SqliteOptions::new(&entropy, Timestamp::from_micros(0))
    };
    SqliteStore::open(path, &options)
}

fn raw(path: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(path).unwrap()
}

/// A turn, a memory with a vector that rests on it, and a field.
fn fill(store: &SqliteStore, scope: &Scope, seed: u64) -> Memory {
    let samples = Samples::new(seed);
    let turn = samples.turn(
        store.secret(),
        (scope, "s1"),
        &seed.to_string(),
        "I moved to Oslo.",
    );
    let memory = Memory {
        sources: vec![Source {
            of: SourceRef::Turn(turn.id),
            quote: "moved to Oslo".into(),
        }],
        ..samples.memory(scope, &format!("They live in Oslo, {seed}."))
    };
    let field = Field {
        scope: scope.clone(),
        session: SessionName::new("s1").unwrap(),
        name: "city".into(),
        change: ChangeNumber(0),
        revision: 1,
        terms: Terms {
            kind: FieldType::String,
            rule: MergeRule::Replace,
            owner: None,
            is_protected: false,
        },
        source: None,
        actor: None,
        at: Timestamp::from_micros(1),
        value: Some(json!("Oslo")),
    };
    let unit = vec![
        Write::AppendTurn(Box::new(turn)),
        Write::InsertMemory {
            memory: Box::new(memory.clone()),
            vector: Some(samples.vector("m")),
        },
        Write::PutField {
            field: Box::new(field),
            read_at: None,
        },
    ];
    // The board has one field.
    let unit = unit.into_iter().take(if seed == 2 { 2 } else { 3 });
    store.commit(unit.collect()).unwrap();
    memory
}

/// Removes everything of a scope.
fn erase(store: &SqliteStore, scope: &Scope) {
    let content = read(store, scope).unwrap();
    let mut erasure = Erasure::of(scope.clone(), store.head().unwrap());
    erasure.memories = content.memories.iter().map(|memory| memory.id).collect();
    erasure.sessions = vec![ErasedSession {
        name: SessionName::new("s1").unwrap(),
        renamed: SessionName::new("gone").unwrap(),
    }];
    store.commit(vec![Write::Erase(Box::new(erasure))]).unwrap();
}

/// Names and bytes of everything in a folder.
fn listing(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs_err::read_dir(folder).unwrap().map(Result::unwrap);
    let mut files: Vec<_> = entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs_err::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn what_is_written_is_there_for_who_has_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open_with(&path, 1);
    let memory = fill(&store, &priya(), 1);
    drop(store);
    for store in [open_with(&path, 1), open_if_encrypted(&path, 1).unwrap()] {
        assert!(store.is_encrypted());
        let content = read(&store, &priya()).unwrap();
        assert_eq!(content.memories[0].statement, memory.statement);
        assert_eq!(content.memories[0].sources, memory.sources);
        assert_sound(&store);
    }
}

#[track_caller]
fn check(opened: Result<SqliteStore, StoreError>, code: &str) -> String {
    let error = opened.err().unwrap();
    assert_eq!(error.code(), code);
    error.to_string()
}

#[test]
fn without_the_right_key_nothing_opens_and_nothing_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open_with(&path, 1);
    fill(&store, &priya(), 1);
    drop(store);
    let before = listing(folder.path());
    let told = check(try_open(&path), "key_needed");
    for way in ["a file", "the environment", "keyring"] {
        assert!(told.contains(way), "{told}");
    }
    check(try_open_encrypted(&path, 2), "wrong_key");
    assert_eq!(listing(folder.path()), before);

    // Nor where somebody was killed and has left a log.
    let left = folder.path().join("left");
    fs_err::create_dir(&left).unwrap();
    let open = open_with(&path, 1);
    fill(&open, &mei(), 3);
    for name in ["store.db", "store.db-keys", "store.db-wal"] {
        // Reading it by other means takes the locks off; nobody else has it.
        fs_err::copy(folder.path().join(name), left.join(name)).unwrap();
    }
    drop(open);
    let of_left = || -> Vec<_> {
        let files = listing(&left).into_iter();
        files.filter(|(name, _)| !name.ends_with("-shm")).collect()
    };
    let before = of_left();
    assert_eq!(before.len(), 3);
    check(try_open_encrypted(&left.join("store.db"), 2), "wrong_key");
    assert_eq!(of_left(), before);
    let open = open_with(&left.join("store.db"), 1);
    assert_eq!(read(&open, &mei()).unwrap().memories.len(), 1);
    drop(open);

    let keys = fs_err::read(keys_of(&path)).unwrap();
    fs_err::remove_file(keys_of(&path)).unwrap();
    let told = check(try_open_encrypted(&path, 1), "no_keys");
    assert!(told.contains("store.db-keys"), "{told}");
    assert!(!keys_of(&path).exists(), "no other keys are made");

    let other = folder.path().join("other.db");
    drop(open_with(&other, 1));
    fs_err::copy(keys_of(&other), keys_of(&path)).unwrap();
    check(try_open_encrypted(&path, 1), "other_keys");

    fs_err::write(keys_of(&path), &keys[..300]).unwrap();
    check(try_open_encrypted(&path, 1), "damaged");
    fs_err::write(keys_of(&path), &keys).unwrap();
    assert_sound(&open_with(&path, 1));
}

#[test]
fn a_store_that_is_not_encrypted_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    fill(&store, &priya(), 1);
    drop(store);
    let before = listing(folder.path());
    let error = try_open_encrypted(&path, 1).err().unwrap();
    assert_eq!(error.code(), "not_encrypted");
    assert!(error.to_string().contains("export"), "{error}");
    assert_eq!(listing(folder.path()), before);
    // A key that is there for other stores does no harm.
    let store = open_if_encrypted(&path, 1).unwrap();
    assert!(!store.is_encrypted());
    assert_sound(&store);
}

#[cfg(unix)]
#[test]
fn the_keys_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    drop(open_with(&path, 1));
    let mode = |path: &Path| fs_err::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&keys_of(&path)), 0o600);
    let loose = std::fs::Permissions::from_mode(0o644);
    fs_err::set_permissions(keys_of(&path), loose).unwrap();
    drop(open_with(&path, 1));
    assert_eq!(mode(&keys_of(&path)), 0o600);
    let names: Vec<String> = listing(folder.path())
        .into_iter()
        .map(|file| file.0)
        .collect();
    assert_eq!(names, ["store.db", "store.db-keys"], "no file is left over");
}

/// Changes an encrypted store by a statement and returns what `verify` says and what is still read of Priya.
fn after(sql: &str) -> (Vec<String>, usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open_with(&path, 1);
    fill(&store, &priya(), 1);
    fill(&store, &priya(), 2);
    fill(&store, &mei(), 3);
    drop(store);
    assert!(raw(&path).execute(sql, []).unwrap() > 0, "{sql}");
    let store = open_with(&path, 1);
    let report = store.snapshot().unwrap().verify().unwrap();
    let problems = report.problems.iter();
    let told = problems.map(|damage| format!("{} {}", damage.record, damage.why));
    let content = read(&store, &priya()).unwrap();
    (told.collect(), content.memories.len() + content.turns.len())
}

#[test]
fn content_that_was_moved_or_changed_is_damage() {
    const WHOLE: usize = 4;
    for (sql, expected, sound) in [
        (
            "UPDATE memory SET cipher = (SELECT cipher FROM memory AS other WHERE other.row = 2) WHERE row = 1",
            "memory in row 1 it does not open with the key of its scope",
            WHOLE - 1,
        ),
        (
            "UPDATE memory SET cipher = (SELECT cipher FROM memory AS other WHERE other.row = 3) WHERE row = 1",
            "memory in row 1 it does not open with the key of its scope",
            WHOLE - 1,
        ),
        (
            "UPDATE turn SET cipher = (SELECT cipher FROM memory WHERE row = 1) WHERE row = 1",
            "turn in row 1 it does not open",
            WHOLE - 1,
        ),
        (
            "UPDATE memory SET cipher = NULL, statement = 'planted' WHERE row = 1",
            "memory in row 1 column 7 is not what is encrypted",
            WHOLE - 1,
        ),
        (
            "UPDATE memory SET cipher = NULL WHERE row = 1",
            "is not what is encrypted",
            WHOLE - 1,
        ),
        (
            "UPDATE memory SET state = 'retracted' WHERE row = 1",
            "memory in row 1 the checksum does not fit",
            WHOLE - 1,
        ),
        (
            "UPDATE embedding SET codes = (SELECT codes FROM embedding AS other WHERE other.record = 2 AND kind = 0)
            WHERE record = 1 AND kind = 0",
            "embedding in row 1 the checksum does not fit",
            WHOLE,
        ),
        (
            "UPDATE field SET value = NULL WHERE row = 1",
            "field in row 1 column 7 is not what is encrypted",
            WHOLE,
        ),
        (
            "DELETE FROM source WHERE memory = 1",
            "memory in row 1 a source is gone",
            WHOLE - 1,
        ),
    ] {
        let (told, left) = after(sql);
        assert!(
            told.iter().any(|line| line.contains(expected)),
            "{sql}: {told:?}"
        );
        assert_eq!(left, sound, "{sql}");
    }
}

#[test]
fn a_destroyed_key_takes_what_copies_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open_with(&path, 1);
    fill(&store, &priya(), 1);
    fill(&store, &mei(), 3);
    drop(store);
    let copy = fs_err::read(&path).unwrap();
    let slots = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let slots = bytes[HEAD_BYTES..].chunks_exact(SLOT_BYTES);
        slots.map(<[u8]>::to_vec).collect()
    };
    let before = slots(&fs_err::read(keys_of(&path)).unwrap());
    assert_eq!(before.len(), 2);

    let (store, reader) = (open_with(&path, 1), open_with(&path, 1));
    assert_eq!(read(&reader, &priya()).unwrap().memories.len(), 1);
    let both = KeysOf::Scopes(vec![priya(), mei()]);
    let kept = store.destroy_keys(both.clone()).unwrap();
    assert_eq!((kept.ids.len(), kept.kept), (0, 2), "they hold something");
    erase(&store, &priya());
    let destroyed = store.destroy_keys(both).unwrap();
    assert_eq!((destroyed.ids.len(), destroyed.kept), (1, 1));
    let after = slots(&fs_err::read(keys_of(&path)).unwrap());
    assert_eq!(after[0], [0; SLOT_BYTES]);
    assert_eq!(after[1], before[1]);
    assert!(
        listing(folder.path())
            .iter()
            .all(|(_, bytes)| { !bytes.windows(32).any(|part| part == &before[0][32..64]) })
    );
    assert_sound(&store);
    assert_eq!(read(&reader, &mei()).unwrap().memories.len(), 1);

    // She comes back: with another key, in both processes.
    let memory = fill(&reader, &priya(), 4);
    let content = read(&store, &priya()).unwrap();
    assert_eq!(content.memories[0].id, memory.id);
    drop((store, reader));

    // The copy from before, with the keys of today.
    fs_err::write(&path, copy).unwrap();
    let store = open_with(&path, 1);
    let content = read(&store, &priya()).unwrap();
    assert_eq!((content.memories.len(), content.turns.len()), (0, 0));
    assert_eq!(content.damaged.len(), 2);
    assert_eq!(read(&store, &mei()).unwrap().memories.len(), 1);
    let report = store.snapshot().unwrap().verify().unwrap();
    assert!(!report.problems.is_empty());
}

#[test]
fn keys_of_what_holds_nothing_go_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open_with(&path, 1);
    fill(&store, &priya(), 1);
    fill(&store, &mei(), 3);
    erase(&store, &priya());
    let destroyed = store.destroy_keys(KeysOf::Unused).unwrap();
    assert_eq!((destroyed.ids.len(), destroyed.kept), (1, 1));
    assert_eq!(read(&store, &mei()).unwrap().memories.len(), 1);
    assert_eq!(store.destroy_keys(KeysOf::Unused).unwrap().ids, []);
}

/// The key of the scope is made in the same transaction, and not in the file yet.
#[test]
fn a_transaction_reads_what_it_has_written_itself() {
    let folder = tempfile::tempdir().unwrap();
    let store = open_with(&folder.path().join("store.db"), 1);
    let samples = Samples::new(1);
    let turn = samples.turn(store.secret(), (&priya(), "s1"), "1", "Hello.");
    let memory = Memory {
        sources: vec![Source {
            of: SourceRef::Turn(turn.id),
            quote: "Hello".into(),
        }],
        ..samples.memory(&priya(), "They say hello.")
    };
    let append = || Write::AppendTurn(Box::new(turn.clone()));
    let mut erasure = Erasure::of(priya(), ChangeNumber(9));
    erasure.turns = vec![turn.id];
    let unit = vec![
        append(),
        append(),
        Write::InsertMemory {
            memory: Box::new(memory.clone()),
            vector: None,
        },
        Write::RetireTurns {
            scope: priya(),
            ids: vec![turn.id],
            at: Timestamp::from_micros(2),
        },
        Write::Erase(Box::new(erasure)),
    ];
    let done = store.commit(unit).unwrap();
    assert!(matches!(done.outcomes[1], Outcome::Turn(Appended::Known)));
    assert!(matches!(done.outcomes[3], Outcome::Changed(_)));
    let content = read(&store, &priya()).unwrap();
    assert_eq!(content.memories[0].sources, []);
    assert_eq!(content.turns, []);
    assert_sound(&store);
}

#[test]
fn a_unit_that_is_refused_leaves_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open_with(&path, 1);
    let before = fs_err::read(keys_of(&path)).unwrap();
    let samples = Samples::new(1);
    let unit = vec![
        Write::AppendTurn(Box::new(samples.turn(
            store.secret(),
            (&priya(), "s1"),
            "1",
            "Hello.",
        ))),
        Write::UpdateMemory {
            memory: Box::new(samples.memory(&priya(), "It is not there.")),
            read_at: ChangeNumber(1),
        },
    ];
    assert_eq!(store.commit(unit).unwrap_err().code(), "no_such_memory");
    assert_eq!(fs_err::read(keys_of(&path)).unwrap(), before);
}

/// Seeds from here on belong to processes that end by themselves.
const SHARING: u64 = 1_000_000;

/// Run as another process: writes into scopes that everybody writes into at once.
#[test]
fn process_that_makes_keys() {
    let Some(role) = role() else { return };
    let store = open_with(&role.store, 1);
    let samples = Samples::new(role.seed);
    for number in 0.. {
        let scope = Scope::user(&number.to_string());
        let memory = add(
            &store,
            &samples.memory(&scope, &format!("{} says {number}.", role.seed)),
        );
        println!("committed {number} {}", memory.id);
        if number == 60 && role.seed >= SHARING {
            return;
        }
    }
}

#[test]
fn processes_that_make_a_key_at_once_have_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let test = "encrypted::process_that_makes_keys";
    let children: Vec<_> = (0..3)
        .map(|seed| process(test, &path, SHARING + seed).spawn().unwrap())
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let store = open_with(&path, 1);
    assert_sound(&store);
    for number in 0..=60 {
        let content = read(&store, &Scope::user(&number.to_string())).unwrap();
        assert_eq!((content.memories.len(), content.damaged.len()), (3, 0));
    }
    let keys = fs_err::read(keys_of(&path)).unwrap();
    assert_eq!(keys.len(), HEAD_BYTES + 61 * SLOT_BYTES);
}

/// Each memory is the first of its scope, so that every kill falls around the making of a key.
#[test]
fn no_kill_leaves_content_whose_key_is_lost() {
    const KILLS: u64 = 60;
    let chance = SeededEntropy::new(11);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut acknowledged = BTreeSet::new();
    for kill in 0..KILLS {
        let mut command = process("encrypted::process_that_makes_keys", &path, kill);
        let pause = Duration::from_micros(3_000 + chance.below(60_000));
        let output = killed_after(&mut command, pause);
        acknowledged.extend(lines_after(&output, "committed").map(str::to_owned));
        let store = open_with(&path, 1);
        assert_sound(&store);
    }
    assert!(acknowledged.len() > 100, "{} writes", acknowledged.len());
    assert_eq!(count_lost(&path, &acknowledged), 0);
}

/// How many of what was told are not there any more.
fn count_lost(path: &Path, told: &BTreeSet<String>) -> u64 {
    let Ok(store) = try_open_encrypted(path, 1) else {
        return told.len() as u64;
    };
    let is_there = |told: &&String| {
        let (number, id) = told.split_once(' ').unwrap();
        let content = read(&store, &Scope::user(number)).unwrap();
        let mut memories = content.memories.iter();
        memories.any(|memory| memory.id.to_string() == id)
    };
    told.len() as u64 - told.iter().filter(is_there).count() as u64
}

#[cfg(target_os = "linux")]
const VICTIM: crate::disk::Victim = ("encrypted::process_that_makes_keys", count_lost);

#[cfg(target_os = "linux")]
#[test]
fn no_power_cut_leaves_content_whose_key_is_lost() {
    let (acknowledged, lost) = crate::disk::cut_power(40, None, VICTIM);
    assert!(acknowledged > 10, "{acknowledged} writes");
    assert_eq!(lost, 0);
}

/// The control: where the keys are not synced, the same cuts do lose something.
#[cfg(target_os = "linux")]
#[test]
fn keys_that_are_not_synced_lose_writes() {
    let loses = |_| crate::disk::cut_power(5, Some("-keys"), VICTIM).1 > 0;
    assert!((0..10).any(loses), "no write is lost: the test is blind");
}

/// Columns that hold content, by table.
const CONTENT: &[(&str, &[&str])] = &[
    (
        "memory",
        &[
            "category",
            "entity",
            "attribute",
            "value",
            "statement",
            "goal",
            "lesson",
            "actor",
            "metadata",
        ],
    ),
    (
        "turn",
        &[
            "speaker",
            "content",
            "tool_calls",
            "tool_call_id",
            "metadata",
            "written",
        ],
    ),
    ("source", &["quote"]),
    ("embedding", &["codes"]),
    ("attachment", &["name"]),
    ("attachment_part", &["bytes"]),
    ("field", &["owner", "value", "actor"]),
    ("field_past", &["value"]),
    (
        "checkpoint",
        &["kind", "label", "question", "asked_for", "answered_by"],
    ),
    ("checkpoint_data", &["bytes"]),
    ("span", &["items"]),
    ("extraction", &["error"]),
];

/// What is in every one of these columns of a store that is not encrypted is in no file of one that is.
#[test]
fn no_column_of_content_is_plain() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plain.db");
    let plain = open(&path);
    fill_all(&plain);
    fill_rest(&plain);
    drop(plain);
    let place = folder.path().join("encrypted");
    let store = open_with(&place.join("store.db"), 1);
    fill_all(&store);
    fill_rest(&store);
    assert_sound(&store);
    let files: Vec<Vec<u8>> = listing(&place).into_iter().map(|file| file.1).collect();
    let plain = raw(&path);
    let empty = folder.path().join("empty.db");
    drop(open_with(&empty, 1));
    let empty = fs_err::read(&empty).unwrap();
    let mut unwritten = Vec::new();
    for (table, columns) in CONTENT {
        for column in *columns {
            let sql =
                format!("SELECT CAST({column} AS BLOB) FROM {table} WHERE {column} IS NOT NULL");
            let mut statement = plain.prepare(&sql).unwrap();
            let values = statement
                .query_map([], |row| row.get::<_, Vec<u8>>(0))
                .unwrap();
            let values: Vec<Vec<u8>> = values.map(Result::unwrap).collect();
            if values.is_empty() {
                unwritten.push(format!("{table}.{column}"));
            }
            for value in values.iter().filter(|value| value.len() >= 5) {
                let value = &value[..value.len().min(64)];
                let stands_in =
                    |file: &Vec<u8>| file.windows(value.len()).any(|part| part == value);
                // What any store says, and names, are no content.
                let is_name = NAMES.iter().any(|name| name.as_bytes() == value);
                if is_name || stands_in(&empty) {
                    continue;
                }
                let is_there = files.iter().any(stands_in);
                assert!(
                    !is_there,
                    "{table}.{column}: {}",
                    String::from_utf8_lossy(value)
                );
            }
        }
    }
    assert_eq!(unwritten, [""; 0], "nothing was written there");
}

/// Words of fixtures that stand in columns which are not encrypted too.
const NAMES: &[&str] = &["priya", "tutor"];

/// What no fixture has.
fn fill_rest(store: &SqliteStore) {
    let samples = Samples::new(77);
    let memory = Memory {
        category: Some("category-of-it".into()),
        actor: Some("actor-of-it".into()),
        ..samples.attempt(&mei(), "goal-of-it", Went::Failure)
    };
    let memory = Memory {
        attempt: memory.attempt.map(|attempt| Attempt {
            lesson: Some("lesson-of-it".into()),
            ..attempt
        }),
        ..memory
    };
    add(store, &memory);
    let mut turn = samples.turn(store.secret(), (&mei(), "s1"), "1", "content-of-it");
    turn.message.speaker = Some("speaker-of-it".into());
    turn.message.tool_calls = Some(json!([{"name": "tool-of-it"}]));
    turn.message.tool_call_id = Some("call-of-it".into());
    turn.message.metadata = Metadata::from_json(r#"{"note":"metadata-of-it"}"#).unwrap();
    let span = Span {
        run: Run { from: 0, to: 0 },
        made_by: "cues-1".into(),
        items: vec![SpanItem {
            kind: ItemKind::Decision,
            text: "decided-of-it".into(),
            turns: vec![(0, turn.id)],
        }],
    };
    let head = store
        .commit(vec![Write::AppendTurn(Box::new(turn))])
        .unwrap()
        .head;
    let put = Write::PutSpan {
        scope: mei(),
        session: SessionName::new("s1").unwrap(),
        span: Box::new(span),
        read_at: head,
    };
    store.commit(vec![put]).unwrap();
    fill(store, &mei(), 78);
}
