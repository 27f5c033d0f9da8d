//! Turns in the queue that cannot be read, or in which something is found that no memory can hold.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use memoriter::core::extract::{Action, Candidate, Heard};
use memoriter::core::id::ChangeNumber;
use memoriter::core::memory::{Confidence, Importance, Kind};
use memoriter::core::port::{Clock, Extractor, ModelError};
use memoriter::core::provenance::Status;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::store::{
    Committed, ExtractionState, MemoryStore, Snapshot, Store, StoreError, Write,
};
use memoriter::{DecisionKind, Memoriter, Reason, Scope, ScopedMemory, TurnDraft, TurnKey};
use memoriter_testkit::clock::StepClock;

fn turn(number: u64, text: &str) -> TurnDraft {
    let at = ZonedTime::utc(Timestamp::from_micros(1_700_000_000_000_000));
    TurnDraft {
        session: SessionName::new("chat").unwrap(),
        key: TurnKey::At(number),
        message: Message::new(Role::User, text, at),
    }
}

fn open(path: &Path) -> (Memoriter, ScopedMemory) {
    let memory = Memoriter::open(path).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    (memory, priya)
}

/// Overwrites words in a file that nobody has open.
fn overwrite(path: &Path, old: &str, new: &str) {
    assert_eq!(old.len(), new.len());
    let mut bytes = fs_err::read(path).unwrap();
    let places: Vec<usize> = (0..bytes.len() - old.len())
        .filter(|at| bytes[*at..].starts_with(old.as_bytes()))
        .collect();
    assert!(!places.is_empty(), "{old} is in the file");
    for at in places {
        bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
    }
    fs_err::write(path, bytes).unwrap();
}

#[test]
fn a_damaged_turn_is_given_up_and_the_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let (memory, priya) = open(&path);
    let told = ["I live in Berlin", "I have a zebra", "I'm vegetarian"];
    let drafts = (0..).zip(told).map(|(number, text)| turn(number, text));
    let turns = priya.append_to_learn(drafts).unwrap();
    drop((memory, priya));
    overwrite(&path, "zebra", "horse");
    let (memory, priya) = open(&path);
    let worked = memory.work(100).unwrap();
    assert_eq!((worked.turns, worked.decisions.len()), (3, 2));
    let dead = priya.dead_letters(10).unwrap();
    assert_eq!(dead.len(), 1);
    assert_eq!(dead[0].turn, turns[1].id);
    let error = dead[0].error.as_deref().unwrap();
    assert!(error.contains("damaged"), "{error}");
    assert_eq!(memory.work(100).unwrap().turns, 0);
}

#[test]
fn a_damaged_memory_holds_up_the_turn_that_is_about_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let (memory, priya) = open(&path);
    priya.remember("I live in Samarkand").unwrap();
    let told = ["I moved to Munich", "I'm vegetarian"];
    let drafts = (0..).zip(told).map(|(number, text)| turn(number, text));
    let turns = priya.append_to_learn(drafts).unwrap();
    drop((memory, priya));
    overwrite(&path, "I live in Samarkand", "I live in SamarKand");
    let (memory, priya) = open(&path);
    let worked = memory.work(100).unwrap();
    assert_eq!((worked.turns, worked.decisions.len()), (2, 1));
    let entry = |index: usize| priya.extraction_of(turns[index].id).unwrap().unwrap();
    assert_eq!(entry(0).state, ExtractionState::Queued);
    assert!(entry(0).error.is_some());
    assert_eq!(entry(1).state, ExtractionState::Done);
}

/// Finds whatever it is told to find, in every turn.
struct Finds(Vec<Candidate>);

impl Extractor for Finds {
    fn name(&self) -> &'static str {
        "finds-1"
    }

    fn extract(&self, turns: &[Heard<'_>]) -> Result<Vec<Candidate>, ModelError> {
        let found = (0..turns.len()).flat_map(|turn| {
            let of_turn = move |candidate: &Candidate| Candidate {
                turn,
                ..candidate.clone()
            };
            self.0.iter().map(of_turn)
        });
        Ok(found.collect())
    }
}

fn candidate(value: &str) -> Candidate {
    Candidate {
        turn: 0,
        action: Action::Remember,
        key: Some("user.city".parse().unwrap()),
        value: Some(value.to_owned()),
        statement: "I live there".to_owned(),
        quote: "there".to_owned(),
        kind: Kind::Semantic,
        status: Status::Stated,
        confidence: Confidence::FULL,
        importance: Importance::DEFAULT,
        valid_from: None,
        valid_to: None,
        attempt: None,
        made_by: "finds-1".to_owned(),
    }
}

#[test]
fn what_no_memory_can_hold_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let yesterday = ZonedTime::utc(Timestamp::from_micros(1_600_000_000_000_000));
    let over_before_it_begins = Candidate {
        valid_to: Some(yesterday),
        ..candidate("Rome")
    };
    let found = vec![
        candidate(&"x".repeat(8 * 1024 + 1)),
        over_before_it_begins,
        candidate("Oslo"),
    ];
    let builder = Memoriter::builder().extractor(Arc::new(Finds(found)));
    let memory = builder.open(folder.path().join("memory.db")).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    let learned = priya.learn([turn(0, "I live there")]).unwrap();
    let decided: Vec<_> = learned
        .decisions
        .iter()
        .map(|decision| (decision.kind, decision.reason))
        .collect();
    assert_eq!(
        decided,
        [
            (DecisionKind::Refuse, Reason::OverLimit),
            (DecisionKind::Refuse, Reason::Malformed),
            (DecisionKind::Add, Reason::NewKey),
        ]
    );
    assert!(Reason::OverLimit.sentence().contains("8 KiB"));
    let read = priya.extraction_of(learned.turns[0].id).unwrap().unwrap();
    assert_eq!(read.state, ExtractionState::Done);
}

/// Waits for something that another thread does.
fn wait_until(is_so: impl Fn() -> bool) {
    const TRIES: usize = 4_000;
    let is_done = (0..TRIES).any(|_| {
        std::thread::sleep(Duration::from_millis(5));
        is_so()
    });
    assert!(is_done, "it does not happen");
}

#[test]
fn a_worker_reads_what_waits_until_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (memory, priya) = open(&folder.path().join("memory.db"));
    let state = |id| priya.extraction_of(id).unwrap().unwrap().state;
    let first = priya
        .append_to_learn([turn(0, "I live in Berlin")])
        .unwrap()[0]
        .id;
    let worker = memory.start_worker().unwrap();
    wait_until(|| state(first) == ExtractionState::Done);
    let second = priya.append_to_learn([turn(1, "I'm vegetarian")]).unwrap()[0].id;
    wait_until(|| state(second) == ExtractionState::Done);
    assert_eq!(worker.failure(), None);
    worker.stop();
    let third = priya.append_to_learn([turn(2, "I have a dog")]).unwrap()[0].id;
    assert_eq!(state(third), ExtractionState::Queued);
}

struct Unreachable;

impl Extractor for Unreachable {
    fn name(&self) -> &'static str {
        "unreachable"
    }

    fn extract(&self, _: &[Heard<'_>]) -> Result<Vec<Candidate>, ModelError> {
        Err(ModelError::Unavailable {
            why: "gone".to_owned(),
        })
    }
}

#[test]
fn a_worker_tells_why_it_cannot_read() {
    let folder = tempfile::tempdir().unwrap();
    let builder = Memoriter::builder().extractor(Arc::new(Unreachable));
    let memory = builder.open(folder.path().join("memory.db")).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    priya
        .append_to_learn([turn(0, "I live in Berlin")])
        .unwrap();
    let worker = memory.start_worker().unwrap();
    wait_until(|| {
        worker
            .failure()
            .is_some_and(|failure| failure.contains("gone"))
    });
}

#[test]
fn what_was_forgotten_is_not_recalled_from_an_older_transcript() {
    let folder = tempfile::tempdir().unwrap();
    let (_memory, priya) = open(&folder.path().join("memory.db"));
    let at = |day: i64| Timestamp::from_micros(1_700_000_000_000_000 + day * 86_400_000_000);
    let said = |session: &str, day: i64, text: &str| {
        let draft = turn(0, text);
        TurnDraft {
            session: SessionName::new(session).unwrap(),
            message: Message::new(Role::User, text, ZonedTime::utc(at(day))),
            ..draft
        }
    };
    priya.learn([said("one", 1, "I live in Berlin.")]).unwrap();
    priya
        .learn([said("two", 2, "Please forget where I live.")])
        .unwrap();
    let again = priya
        .learn([said("an old export", 1, "I live in Berlin.")])
        .unwrap();
    assert_eq!(again.decisions[0].reason, Reason::Forgotten);
    assert!(
        priya
            .recall("Where do I live? Berlin?")
            .run()
            .unwrap()
            .is_empty()
    );
    priya
        .learn([said("three", 3, "I live in Berlin.")])
        .unwrap();
    assert!(
        !priya.recall("Where do I live?").run().unwrap().is_empty(),
        "said again, it is new"
    );
}

#[test]
fn workers_of_one_queue_do_not_stop_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let (memory, priya) = open(&path);
    let told = [
        "I live in Berlin",
        "I like tea",
        "I'm vegetarian",
        "I have a dog named Rex",
    ];
    let drafts = (0..600).map(|number| turn(number, told[usize::try_from(number).unwrap() % 4]));
    priya.append_to_learn(drafts).unwrap();
    std::thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(|| {
                let (memory, _) = open(&path);
                while memory.work(1_000).unwrap().turns > 0 {}
            });
        }
    });
    drop(memory);
    let waiting = priya.waiting_turns(1_000).unwrap();
    assert!(
        waiting.iter().all(|one| one.error.is_some()),
        "put off and no more: {}",
        waiting.len()
    );
    assert!(priya.dead_letters(10).unwrap().is_empty());
}

/// A store in which another writer is faster at every memory, until it lets go.
struct Raced {
    store: MemoryStore,
    is_raced: AtomicBool,
}

impl Store for Raced {
    fn commit(&self, unit: Vec<Write>) -> Result<Committed, StoreError> {
        let new = unit.iter().find_map(|write| {
            if let Write::InsertMemory { memory, .. } = write {
                Some(memory.id)
            } else {
                None
            }
        });
        match new {
            Some(id) if self.is_raced.load(Ordering::SeqCst) => Err(StoreError::Conflict { id }),
            Some(_) | None => self.store.commit(unit),
        }
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StoreError> {
        self.store.snapshot()
    }

    fn head(&self) -> Result<ChangeNumber, StoreError> {
        self.store.head()
    }

    fn scrub(
        &self,
        needles: &memoriter::store::Needles,
        patience: memoriter::store::Patience,
    ) -> Result<memoriter::store::Scrubbed, memoriter::store::StoreError> {
        self.store.scrub(needles, patience)
    }

    fn secret(&self) -> &[u8; 32] {
        self.store.secret()
    }
}

#[test]
fn a_race_that_is_lost_is_no_failure_of_a_worker_or_a_turn() {
    let store = Arc::new(Raced {
        store: MemoryStore::new([7; 32]),
        is_raced: AtomicBool::new(true),
    });
    let clock = Arc::new(StepClock::new(
        Timestamp::from_micros(1_800_000_000_000_000),
        1,
    ));
    let memory = Memoriter::builder()
        .clock(Arc::clone(&clock) as _)
        .over(Arc::clone(&store) as _);
    let priya = memory.scope(Scope::user("priya"));
    let told = ["I live in Berlin", "I'm vegetarian"];
    let drafts = (0..).zip(told).map(|(number, text)| turn(number, text));
    priya.append_to_learn(drafts).unwrap();
    for _ in 0..40 {
        assert_eq!(memory.work(10).unwrap().decisions, []);
        assert!(priya.dead_letters(10).unwrap().is_empty());
        clock.leap(2 * 3_600 * 1_000_000);
    }
    store.is_raced.store(false, Ordering::SeqCst);
    assert_eq!(memory.work(10).unwrap().decisions.len(), 2);
    assert!(priya.waiting_turns(10).unwrap().is_empty());
}

/// An extractor in which the process dies.
struct Deadly;

impl Extractor for Deadly {
    fn name(&self) -> &'static str {
        "deadly-1"
    }

    fn extract(&self, _turns: &[Heard<'_>]) -> Result<Vec<Candidate>, ModelError> {
        panic!("the process dies here");
    }
}

#[test]
fn who_dies_while_reading_is_waited_for_a_minute() {
    let store = Arc::new(MemoryStore::new([7; 32]));
    let clock = Arc::new(StepClock::new(
        Timestamp::from_micros(1_800_000_000_000_000),
        1,
    ));
    let builder = || Memoriter::builder().clock(Arc::clone(&clock) as _);
    let dies = builder()
        .extractor(Arc::new(Deadly))
        .over(Arc::clone(&store) as _);
    let told = turn(0, "I live in Bremen");
    let read = std::panic::AssertUnwindSafe(|| dies.scope(Scope::user("priya")).learn([told]));
    assert!(std::panic::catch_unwind(read).is_err());
    let memory = builder().over(store as _);
    assert_eq!(memory.work(10).unwrap().turns, 0, "somebody may be at it");
    let priya = memory.scope(Scope::user("priya"));
    let waiting = priya.waiting_turns(10).unwrap();
    assert!(waiting[0].due_at > clock.now(), "until when is told");
    clock.leap(61 * 1_000_000);
    assert_eq!(memory.work(10).unwrap().turns, 1);
    assert!(priya.waiting_turns(10).unwrap().is_empty());
}
