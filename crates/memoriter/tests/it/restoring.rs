//! A backup that is put back brings nothing back that was erased or forgotten since.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use memoriter::core::forget::ErasedCounts;
use memoriter::core::id::{CheckpointId, MemoryId, TurnId};
use memoriter::core::memory::State;
use memoriter::core::turn::SessionName;
use memoriter::store::{InPlace, StoreError};
use memoriter::{
    Diagnose, Error, Memoriter, NewState, Note, ReceiptState, Restored, Scope, ScopedMemory,
    Selector,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::erasing::{hits, said, tokens, turn};

/// A folder for the store, and one for backups.
struct Home {
    folder: tempfile::TempDir,
    backups: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            backups: tempfile::tempdir().unwrap(),
        }
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("memory.db")
    }

    fn open(&self) -> Memoriter {
        Memoriter::open(self.store()).unwrap()
    }

    fn backup(&self, memory: &Memoriter, name: &str) -> PathBuf {
        let path = self.backups.path().join(name);
        memory.backup(&path, &mut |_, _| {}).unwrap();
        path
    }

    fn try_restore(&self, backup: &Path) -> Result<Restored, Error> {
        Memoriter::builder().restore(backup, self.store(), &mut |done, of| assert!(done <= of))
    }

    #[track_caller]
    fn restore(&self, backup: &Path) -> Restored {
        let restored = self.try_restore(backup).unwrap();
        assert_eq!(restored.verification.problems, []);
        assert_eq!(self.names(), ["memory.db"]);
        restored
    }

    /// What is in the folder of the store, without what keeps space.
    fn names(&self) -> Vec<String> {
        let entries = fs_err::read_dir(self.folder.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| !name.ends_with("-reserve")).collect();
        names.sort();
        names
    }
}

fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

fn fact(scope: &ScopedMemory, key: &str, value: &str) -> MemoryId {
    let note = Note::new(format!("It is {value}")).key(key.parse().unwrap());
    scope.remember(note.value(value)).unwrap()[0].id.unwrap()
}

/// What a user has, as calls return it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Content {
    memories: BTreeMap<MemoryId, (State, String)>,
    turns: BTreeMap<TurnId, bool>,
    /// By session and name.
    fields: BTreeMap<(String, String), Value>,
    checkpoints: BTreeSet<CheckpointId>,
}

impl Content {
    fn of(scope: &ScopedMemory) -> Self {
        let mut content = Self::default();
        for memory in scope.list(State::ALL, None, 200).unwrap().memories {
            content
                .memories
                .insert(memory.id, (memory.state, memory.statement));
        }
        for session in scope.sessions().unwrap() {
            let turns = scope.turns(&session.name, 0, 1_000).unwrap().rows;
            let turns = turns
                .iter()
                .map(|turn| (turn.id, turn.retired_at.is_some()));
            content.turns.extend(turns);
            let session = scope.session(session.name.as_str());
            for field in session.state().list().unwrap().rows {
                let name = (field.session.as_str().to_owned(), field.name.clone());
                content.fields.insert(name, field.value.clone().unwrap());
            }
            let checkpoints = session.checkpoints().list(100).unwrap().rows;
            content
                .checkpoints
                .extend(checkpoints.iter().map(|checkpoint| checkpoint.id));
        }
        content
    }

    /// What stays of it when what went from `before` to `after` goes.
    fn without_what_went(&mut self, before: &Self, after: &Self) {
        self.memories
            .retain(|id, _| !before.memories.contains_key(id) || after.memories.contains_key(id));
        self.turns
            .retain(|id, _| !before.turns.contains_key(id) || after.turns.contains_key(id));
        self.fields
            .retain(|name, _| !before.fields.contains_key(name) || after.fields.contains_key(name));
        self.checkpoints
            .retain(|id| !before.checkpoints.contains(id) || after.checkpoints.contains(id));
    }

    /// What is out of use in the store in the place is so here.
    fn retired_as_in(&mut self, current: &Self) {
        for (id, (state, _)) in &mut self.memories {
            let there = current.memories.get(id).map(|(state, _)| *state);
            if there == Some(State::Retracted) {
                *state = State::Retracted;
            }
        }
        for (id, is_retired) in &mut self.turns {
            *is_retired |= current.turns.get(id) == Some(&true);
        }
    }
}

/// Something that is done to a store.
#[derive(Clone, Debug)]
enum Act {
    Fact(u8, u8),
    Say(u8, u8),
    Field(u8, u8),
    Save(u8),
    Update(u8),
    Forget(u8),
    Erase(Target),
}

#[derive(Clone, Debug)]
enum Target {
    Key(u8),
    Turn(u8),
    Session(u8),
    Word(u8),
    All,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        4 => (0..4_u8, 0..5_u8).prop_map(|(key, value)| Act::Fact(key, value)),
        4 => (0..3_u8, 0..5_u8).prop_map(|(session, word)| Act::Say(session, word)),
        3 => (0..3_u8, 0..5_u8).prop_map(|(session, word)| Act::Field(session, word)),
        1 => (0..3_u8).prop_map(Act::Save),
        1 => (0..4_u8).prop_map(Act::Update),
        2 => (0..4_u8).prop_map(Act::Forget),
        1 => (0..4_u8).prop_map(|key| Act::Erase(Target::Key(key))),
        1 => (0..9_u8).prop_map(|number| Act::Erase(Target::Turn(number))),
        1 => (0..3_u8).prop_map(|session| Act::Erase(Target::Session(session))),
        1 => (0..5_u8).prop_map(|word| Act::Erase(Target::Word(word))),
        1 => Just(Act::Erase(Target::All)),
    ];
    prop::collection::vec(act, 4..14)
}

const WORDS: [&str; 5] = [
    "amberwood",
    "birchfield",
    "cedargrove",
    "dogwoodlane",
    "elmhurst",
];

fn key(number: u8) -> String {
    format!("user.thing{number}")
}

/// What was done, and what it took for good. `number` makes turns differ.
fn act(scope: &ScopedMemory, act: &Act, number: usize) {
    let word = |word: u8| WORDS[usize::from(word)];
    let session = |number: u8| format!("s{number}");
    match act {
        Act::Fact(number, value) => {
            fact(scope, &key(*number), word(*value));
        }
        Act::Say(at, value) => {
            let text = format!("Number {number} is {}", word(*value));
            scope.append([turn(&session(*at), number, &text)]).unwrap();
        }
        Act::Field(at, value) => {
            let board = scope.session(session(*at)).state();
            board.set("field", json!({"is": word(*value)})).unwrap();
        }
        Act::Save(at) => {
            let checkpoints = scope.session(session(*at)).checkpoints();
            checkpoints.save(NewState::new("json", "{}")).unwrap();
        }
        Act::Update(at) => {
            let live = scope.live_under(&key(*at).parse().unwrap()).unwrap();
            if let Some(memory) = live.first() {
                let correction = memoriter::Correction {
                    statement: format!("It is number {number}"),
                    value: Some(format!("number {number}")),
                    ..memoriter::Correction::default()
                };
                scope.update(memory.id, &correction).unwrap();
            }
        }
        Act::Forget(at) => {
            let now = memoriter::core::time::ZonedTime::utc(memoriter::core::port::Clock::now(
                &memoriter::SystemClock,
            ));
            scope.forget_key(&key(*at).parse().unwrap(), now).unwrap();
        }
        Act::Erase(target) => erase(scope, target),
    }
}

fn erase(scope: &ScopedMemory, target: &Target) {
    let selector = match target {
        Target::Key(number) => Selector::Key(key(*number).parse().unwrap()),
        Target::Turn(number) => {
            let turns: Vec<TurnId> = Content::of(scope).turns.into_keys().collect();
            let Some(id) = turns.get(usize::from(*number)) else {
                return;
            };
            Selector::Turn(*id)
        }
        Target::Session(number) => {
            Selector::Session(SessionName::new(format!("s{number}")).unwrap())
        }
        Target::Word(word) => Selector::Matching(WORDS[usize::from(*word)].to_owned()),
        Target::All => Selector::Everything,
    };
    match scope.erase(selector).run() {
        Ok(receipt) => assert_eq!(receipt.state, ReceiptState::Complete),
        Err(Error::NothingToErase { .. } | Error::NoSuchSession { .. }) => {}
        Err(error) => panic!("{error}"),
    }
}

/// Where each session goes on.
fn ends(scope: &ScopedMemory) -> BTreeMap<SessionName, u32> {
    let sessions = scope.sessions().unwrap().into_iter();
    let end = |name: &SessionName| {
        let last = scope.turns(name, 0, 1_000).unwrap().rows;
        last.last().map_or(0, |turn| turn.position + 1)
    };
    sessions
        .map(|row| (row.name.clone(), end(&row.name)))
        .collect()
}

#[track_caller]
fn check(first: &[Act], since: &[Act]) {
    let home = Home::new();
    let memory = home.open();
    let scope = priya(&memory);
    for (number, one) in first.iter().enumerate() {
        act(&scope, one, number);
    }
    let backup = home.backup(&memory, "backup.db");
    let mut expected = Content::of(&scope);
    for (number, one) in since.iter().enumerate() {
        let before = Content::of(&scope);
        act(&scope, one, 100 + number);
        expected.without_what_went(&before, &Content::of(&scope));
    }
    expected.retired_as_in(&Content::of(&scope));
    let (ends_there, head) = (ends(&scope), memory.head().unwrap());
    drop((scope, memory));
    let restored = home.restore(&backup);
    assert!(restored.knows_what_was_erased());
    let memory = home.open();
    let scope = priya(&memory);
    assert_eq!(Content::of(&scope), expected);
    assert_eq!(memory.verify().unwrap().problems, []);
    assert!(memory.head().unwrap() > head);
    // Positions go on from the higher ones.
    for (name, _) in ends(&scope) {
        let said = scope
            .append([turn(name.as_str(), 999, "And more")])
            .unwrap();
        let position = scope.turn(said[0].id).unwrap().unwrap().position;
        assert!(ends_there.get(&name).is_none_or(|end| position >= *end));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_alive_is_what_the_backup_has_without_what_went_since(first in acts(), since in acts()) {
        check(&first, &since);
    }
}

#[test]
fn none_of_500_erased_facts_comes_back() {
    const FACTS: usize = 500;
    let home = Home::new();
    let memory = home.open();
    let scope = priya(&memory);
    let words = tokens(FACTS);
    let notes = words.iter().map(|word| {
        let note = Note::new(format!("The word is {word} and nothing else."));
        note.key(format!("{word}.word").parse().unwrap())
            .value(word)
    });
    scope.remember_all(notes).unwrap();
    let turns = words.iter().enumerate();
    scope
        .append(turns.map(|(number, word)| turn("work", number, &format!("I say {word} now"))))
        .unwrap();
    let tea = fact(&scope, "user.drink", "tea");
    let backup = home.backup(&memory, "old.db");
    let mut receipts = Vec::new();
    for word in &words[..10] {
        let selector = Selector::Matching(word.clone());
        receipts.push(scope.erase(selector).run().unwrap());
    }
    let rest = Selector::Matching("and nothing else".into());
    scope.erase(rest).run().unwrap();
    scope
        .erase(Selector::Session(SessionName::new("work").unwrap()))
        .run()
        .unwrap();
    drop((scope, memory));
    let restored = home.restore(&backup);
    assert_eq!(
        (
            restored.erased.memories,
            restored.erased.turns,
            restored.residue
        ),
        (500, 500, 0)
    );
    assert_eq!(hits(home.folder.path(), &words, &[]), 0);
    let memory = home.open();
    let scope = priya(&memory);
    let content = Content::of(&scope);
    assert_eq!(content.memories.keys().collect::<Vec<_>>(), [&tea]);
    assert_eq!(content.turns, BTreeMap::new());
    // What was proved before is proved for the restored store, too.
    for receipt in memory.receipts().unwrap() {
        let told = said(&receipt);
        assert_eq!(told["levels"], json!(["V1", "V2", "V3", "V5"]), "{told}");
        assert!(told["restored_at"].is_string());
    }
    let kept = memoriter::SignedReceipt::verify(&receipts[5].document).unwrap();
    assert!(memory.has_logged(&kept).unwrap());
    drop((scope, memory));
    assert_eq!(hits(home.folder.path(), &words, &[]), 0);
}

#[test]
fn where_there_is_no_store_it_is_said_that_erasures_are_not_known() {
    let home = Home::new();
    let memory = home.open();
    let id = fact(&priya(&memory), "user.city", "Berlin");
    let backup = home.backup(&memory, "backup.db");
    priya(&memory).erase(Selector::Memory(id)).run().unwrap();
    drop(memory);
    fs_err::remove_file(home.store()).unwrap();
    let restored = home.restore(&backup);
    assert!(!restored.knows_what_was_erased());
    assert_eq!(restored.in_place, InPlace::Nothing);
    assert!(priya(&home.open()).get(id).is_ok());
}

#[test]
fn a_field_that_was_copied_from_what_is_forgotten_stays_empty() {
    let home = Home::new();
    let memory = home.open();
    let scope = priya(&memory);
    let city = fact(&scope, "user.city", "Berlin");
    let board = scope.session("work").state();
    board.take("city", &memoriter::Taken::Memory(city)).unwrap();
    board.set("seats", json!(2)).unwrap();
    let backup = home.backup(&memory, "backup.db");
    scope.retire(&[city]).unwrap();
    assert_eq!(board.list().unwrap().rows.len(), 1);
    drop((board, scope, memory));
    let restored = home.restore(&backup);
    assert_eq!(restored.retired_memories, 1);
    let fields = priya(&home.open()).session("work").state().list().unwrap();
    assert_eq!(fields.rows.len(), 1);
    assert_eq!(fields.rows[0].name, "seats");
}

#[test]
fn a_newer_backup_brings_back_what_an_older_one_took() {
    let home = Home::new();
    let memory = home.open();
    fact(&priya(&memory), "user.city", "Berlin");
    let older = home.backup(&memory, "older.db");
    let drink = fact(&priya(&memory), "user.drink", "tea");
    let gone = fact(&priya(&memory), "user.pet", "dog");
    let newer = home.backup(&memory, "newer.db");
    priya(&memory).erase(Selector::Memory(gone)).run().unwrap();
    drop(memory);
    home.restore(&older);
    assert!(priya(&home.open()).get(drink).is_err());
    let restored = home.restore(&newer);
    // It is not there because of the first restore, and not because somebody erased it.
    assert_eq!(restored.erased.memories, 1);
    let memory = home.open();
    assert!(priya(&memory).get(drink).is_ok() && priya(&memory).get(gone).is_err());
    assert_eq!(memory.verify().unwrap().problems, []);
}

#[test]
fn a_damaged_store_is_put_aside_and_what_can_be_read_of_it_counts() {
    let home = Home::new();
    let memory = home.open();
    let gone = fact(&priya(&memory), "user.city", "Berlin");
    let backup = home.backup(&memory, "backup.db");
    priya(&memory).erase(Selector::Memory(gone)).run().unwrap();
    drop(memory);
    let whole = fs_err::read(home.store()).unwrap();
    // Cut off in the middle, it cannot be opened.
    fs_err::write(home.store(), &whole[..whole.len() / 2]).unwrap();
    let restored = home.try_restore(&backup).unwrap();
    assert!(matches!(restored.in_place, InPlace::Damaged(_)));
    assert_eq!(home.names(), ["memory.db", "memory.db-damaged"]);
    assert!(!restored.knows_what_was_erased());
    assert!(priya(&home.open()).get(gone).is_ok());
    // Another damaged store is not put over the first.
    fs_err::write(home.store(), &whole[..whole.len() / 2]).unwrap();
    let error = home.try_restore(&backup).unwrap_err();
    assert_eq!(error.code(), "file_exists");
    fs_err::remove_file(home.folder.path().join("memory.db-damaged")).unwrap();
    // With a damaged page elsewhere the tombstones are read.
    let mut bytes = whole;
    let page = page_of(&bytes, "memory");
    bytes[page..page + 4_096].fill(7);
    fs_err::write(home.store(), &bytes).unwrap();
    let restored = home.try_restore(&backup).unwrap();
    assert_eq!(restored.erased.memories, 1, "{restored:?}");
    assert!(priya(&home.open()).get(gone).is_err());
}

#[test]
fn a_store_with_a_damaged_header_is_put_aside_as_any_other_damaged_one() {
    let home = Home::new();
    let memory = home.open();
    let city = fact(&priya(&memory), "user.city", "Berlin");
    let backup = home.backup(&memory, "backup.db");
    drop(memory);
    let whole = fs_err::read(home.store()).unwrap();
    for damaged in [0..100, 0..16, 16..24, 40..48, 68..72] {
        let mut bytes = whole.clone();
        bytes[damaged.clone()].fill(7);
        fs_err::write(home.store(), &bytes).unwrap();
        let restored = home.try_restore(&backup).unwrap();
        let is_damaged = matches!(restored.in_place, InPlace::Damaged(_));
        assert!(is_damaged, "{damaged:?}: {:?}", restored.in_place);
        let aside = home.folder.path().join("memory.db-damaged");
        assert_eq!(fs_err::read(&aside).unwrap(), bytes);
        fs_err::remove_file(aside).unwrap();
        assert!(priya(&home.open()).get(city).is_ok());
    }
}

#[test]
fn where_tombstones_or_receipts_were_removed_erasures_are_not_known() {
    let home = Home::new();
    let memory = home.open();
    let gone = fact(&priya(&memory), "user.city", "Berlin");
    let backup = home.backup(&memory, "backup.db");
    priya(&memory).erase(Selector::Memory(gone)).run().unwrap();
    drop(memory);
    // As a statement that deletes them would leave it: the root of the table has no cells.
    let mut bytes = fs_err::read(home.store()).unwrap();
    let page = page_of(&bytes, "tombstone");
    bytes[page + 1..page + 8].copy_from_slice(&[0, 0, 0, 0, 0x10, 0, 0]);
    bytes[page + 8..page + 4_096].fill(0);
    fs_err::write(home.store(), &bytes).unwrap();
    let memory = home.open();
    let problems = memory.verify().unwrap().problems;
    let is_told = |told: &memoriter::store::Damage| told.record == "tombstone";
    assert!(problems.iter().any(is_told), "{problems:?}");
    drop(memory);
    let restored = home.try_restore(&backup).unwrap();
    assert_eq!(restored.unread, ["tombstone"]);
    assert!(!restored.knows_what_was_erased());
    assert_eq!(home.open().verify().unwrap().problems, []);
}

/// Where the root of a table lies.
fn page_of(bytes: &[u8], table: &str) -> usize {
    // The root page stands behind the name of the table.
    let name = format!("table{table}{table}");
    let at = bytes
        .windows(name.len())
        .position(|part| part == name.as_bytes())
        .unwrap()
        + name.len();
    (usize::from(bytes[at]) - 1) * 4_096
}

#[test]
fn what_is_no_backup_of_the_store_is_refused_and_nothing_is_touched() {
    let home = Home::new();
    let memory = home.open();
    fact(&priya(&memory), "user.city", "Berlin");
    let backup = home.backup(&memory, "backup.db");
    // Somebody has it open: this process, by another handle.
    assert_eq!(home.try_restore(&backup).unwrap_err().code(), "in_use");
    drop(memory);
    let before = fs_err::read(home.store()).unwrap();
    let at = |name: &str| home.backups.path().join(name);
    let bytes = fs_err::read(&backup).unwrap();
    let damaged = {
        let mut bytes = bytes.clone();
        let word = b"It is Berlin";
        let at = bytes.windows(word.len()).position(|part| part == word);
        bytes[at.unwrap()] = b'i';
        bytes
    };
    let newer = {
        let mut bytes = bytes.clone();
        bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
        bytes
    };
    fs_err::write(at("damaged.db"), damaged).unwrap();
    fs_err::write(at("newer.db"), newer).unwrap();
    fs_err::write(at("short.db"), &bytes[..bytes.len() / 2]).unwrap();
    fs_err::write(at("notes.txt"), "my notes").unwrap();
    fs_err::write(at("empty.db"), "").unwrap();
    let other = Memoriter::open(at("other.db")).unwrap();
    fact(&priya(&other), "user.city", "Rome");
    drop(other);
    for (name, code) in [
        ("damaged.db", "damaged"),
        ("newer.db", "newer_format"),
        ("short.db", "damaged"),
        ("notes.txt", "not_a_store"),
        ("empty.db", "not_a_store"),
        (".", "not_a_store"),
        ("other.db", "other_store"),
        ("missing.db", "no_store"),
    ] {
        let error = home.try_restore(&at(name)).unwrap_err();
        assert_eq!(error.code(), code, "{name}: {error}");
        assert_eq!(home.names(), ["memory.db"]);
        assert_eq!(fs_err::read(home.store()).unwrap(), before, "{name}");
    }
    let own = home.try_restore(&home.store()).unwrap_err();
    assert_eq!(own.code(), "its_own_backup");
    // A file that is no store is not overwritten, either.
    fs_err::write(home.store(), "my notes").unwrap();
    let error = home.try_restore(&backup).unwrap_err();
    assert!(
        matches!(&error, Error::Store(StoreError::NotAStore { path }) if *path == home.store())
    );
    assert_eq!(fs_err::read(home.store()).unwrap(), b"my notes");
}

#[test]
fn a_backup_of_an_older_format_is_brought_to_the_newest() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../memoriter-store/tests/fixtures");
    for name in ["v0001.db", "v0002.db", "v0003.db", "v0004.db"] {
        let home = Home::new();
        let restored = home.restore(&fixtures.join(name));
        assert!(restored.verification.memories > 0);
        assert_eq!(restored.erased, ErasedCounts::default());
        let again = home.restore(&fixtures.join(name));
        assert_eq!(again.in_place, InPlace::Store);
        assert_eq!(home.open().verify().unwrap().problems, []);
    }
}
