//! Opening stores, reading everything, starting this binary again as another process.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::Memory;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::Turn;
use memoriter_store::{
    Damage, Encryption, MasterKey, MemoryQuery, Page, SqliteOptions, SqliteStore, Store,
    StoreError, TurnQuery, Write,
};
use memoriter_testkit::SeededEntropy;

/// Opens or makes the store.
pub(crate) fn try_open(path: &Path) -> Result<SqliteStore, StoreError> {
    let entropy = SeededEntropy::new(1);
    SqliteStore::open(
        path,
        &SqliteOptions::new(&entropy, Timestamp::from_micros(0)),
    )
}

/// A key, for a store that is to be encrypted with it. No two have the same source of keys.
pub(crate) fn encryption(key: u8) -> Encryption {
    static SEEDS: AtomicU64 = AtomicU64::new(0);
    let seed = SEEDS.fetch_add(1, Ordering::Relaxed) + (u64::from(std::process::id()) << 32);
    Encryption {
        master: MasterKey::new([key; 32]),
        entropy: Arc::new(SeededEntropy::new(seed)),
        is_wanted: true,
    }
}

/// Where the keys of a store are.
pub(crate) fn keys_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-keys");
    name.into()
}

/// Opens or makes an encrypted store.
pub(crate) fn try_open_encrypted(path: &Path, key: u8) -> Result<SqliteStore, StoreError> {
    let (entropy, encryption) = (SeededEntropy::new(1), encryption(key));
    let options = SqliteOptions {
        encryption: Some(&encryption),
        ..SqliteOptions::new(&entropy, Timestamp::from_micros(0))
    };
    SqliteStore::open(path, &options)
}

/// Opens or makes the store.
#[track_caller]
pub(crate) fn open(path: &Path) -> SqliteStore {
    try_open(path).unwrap()
}

/// Adds one memory and returns it as it is stored.
#[track_caller]
pub(crate) fn add(store: &dyn Store, memory: &Memory) -> Memory {
    let write = Write::InsertMemory {
        memory: Box::new(memory.clone()),
        vector: None,
    };
    let change = store.commit(vec![write]).unwrap().head;
    Memory {
        change,
        ..memory.clone()
    }
}

/// Replaces a memory if nobody did since it was read.
pub(crate) fn update(
    store: &dyn Store,
    memory: &Memory,
    read_at: ChangeNumber,
) -> Result<(), StoreError> {
    let write = Write::UpdateMemory {
        memory: Box::new(memory.clone()),
        read_at,
    };
    store.commit(vec![write]).map(drop)
}

/// Everything in a scope, and what is damaged of it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Content {
    pub(crate) memories: Vec<Memory>,
    pub(crate) turns: Vec<Turn>,
    pub(crate) damaged: Vec<Damage>,
}

/// Memories on a page of [`read`]: few, so that many pages begin in the middle of the file.
const PAGE: usize = 7;

/// Reads everything in a scope, page by page.
pub(crate) fn read(store: &dyn Store, scope: &Scope) -> Result<Content, StoreError> {
    let view = store.snapshot()?;
    let mut content = Content::default();
    loop {
        let page = Page {
            after: content.memories.last().map(|memory| memory.id),
            limit: PAGE,
        };
        let query = MemoryQuery::Scope {
            scope,
            states: &[],
            page,
        };
        let memories = view.memories(query)?;
        let is_last = memories.rows.is_empty();
        content.memories.extend(memories.rows);
        content.damaged.extend(memories.damaged);
        assert!(content.memories.len() < 1_000_000, "the pages do not end");
        if is_last {
            break;
        }
    }
    for session in view.sessions(scope)? {
        let query = TurnQuery::Session {
            scope,
            session: &session.name,
            from: 0,
            limit: usize::MAX,
        };
        let turns = view.turns(query)?;
        content.turns.extend(turns.rows);
        content.damaged.extend(turns.damaged);
    }
    Ok(content)
}

/// The store is sound as a whole.
#[track_caller]
pub(crate) fn assert_sound(store: &dyn Store) {
    let report = store.snapshot().unwrap().verify().unwrap();
    assert_eq!(report.problems, []);
}

/// What a test that is run in another process finds there.
pub(crate) struct Role {
    /// The store.
    pub(crate) store: std::path::PathBuf,
    /// A number of its own.
    pub(crate) seed: u64,
}

const STORE: &str = "MEMORITER_TEST_STORE";
const SEED: &str = "MEMORITER_TEST_SEED";

/// A command that runs one test of this binary as another process; it finds its [`Role`].
pub(crate) fn process(test: &str, store: &Path, seed: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", test, "--nocapture"])
        .env(STORE, store)
        .env(SEED, seed.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

/// Starts another process, kills it after a while, and returns what it said.
pub(crate) fn killed_after(command: &mut Command, pause: Duration) -> String {
    let mut child = command.spawn().unwrap();
    std::thread::sleep(pause);
    child.kill().unwrap();
    let mut output = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut output)
        .unwrap();
    assert_eq!(
        child.wait().unwrap().code(),
        None,
        "the process ended by itself"
    );
    output
}

/// The role of this process; `None` in the test run itself.
pub(crate) fn role() -> Option<Role> {
    Some(Role {
        store: setting(STORE)?.into(),
        seed: setting(SEED)?.parse().ok()?,
    })
}

/// A setting of the test run.
#[expect(
    clippy::disallowed_methods,
    reason = "tests are told by the environment"
)]
pub(crate) fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The rest of each line that begins with `word`. Lines may be cut off: only whole ones count.
pub(crate) fn lines_after<'a>(output: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    output
        .split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'))
        .filter_map(move |line| line.strip_prefix(word)?.strip_prefix(' '))
}
