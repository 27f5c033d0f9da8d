//! Many callers at once, of two engines on one file: whatever the interleaving, a key that holds one value has at most
//! one, and every turn is read once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ScopedJoinHandle;

use memoriter::core::extract::rules::Rules;
use memoriter::core::memory::State;
use memoriter::core::port::SeededEntropy;
use memoriter::core::provenance::Origin;
use memoriter::core::time::{DAY_MICROS, ZonedTime};
use memoriter::core::turn::Role;
use memoriter::store::ExtractionState;
use memoriter::{Diagnose, Error, Memoriter, Note, Scope, ScopedMemory};

use crate::learning::day;
use crate::{ledger, talk};

const WRITERS: u64 = 6;
const STEPS: usize = 40;
/// Keys that hold one value.
const SINGLE: [&str; 3] = ["user.city", "user.diet", "user.name"];
/// What may happen to a caller when another one was faster.
const RACES: [&str; 4] = ["conflict", "wrong_state", "not_waiting", "already_said"];

/// The calls of one thread, by chance.
struct Caller<'a> {
    memory: &'a Memoriter,
    priya: ScopedMemory,
    chance: SeededEntropy,
    number: u64,
}

impl Caller<'_> {
    fn pick(&self, count: usize) -> usize {
        usize::try_from(self.chance.below(count as u64)).unwrap()
    }

    fn step(&self, step: usize) -> Result<(), Error> {
        let (priya, sentence) = (&self.priya, self.pick(talk::SENTENCES.len()));
        let at = day(i64::try_from(self.pick(60)).unwrap());
        let session = format!("chat {}", self.number);
        let turn = talk::turn(&session, step, Role::User, at, sentence);
        match self.pick(8) {
            0 | 1 => drop(priya.learn([turn])?),
            2 => drop(priya.append_to_learn([turn])?),
            3 => drop(self.memory.work(4)?),
            4 => drop(priya.remember(Note::new(talk::SENTENCES[sentence]).told_at(at))?),
            5 => drop(priya.remember(self.plan(at))?),
            6 => drop(priya.remember(talk::city(self.pick(4)).origin(Origin::Web))?),
            _ => self.review()?,
        }
        Ok(())
    }

    fn plan(&self, at: ZonedTime) -> Note {
        let note = talk::city(self.pick(4)).valid_from(at);
        let days = i64::try_from(self.pick(20)).unwrap();
        let end = at.instant.plus_micros(days * DAY_MICROS);
        if days == 0 {
            note
        } else {
            note.valid_to(ZonedTime::utc(end))
        }
    }

    fn review(&self) -> Result<(), Error> {
        let waiting = self.priya.pending(None, 10)?.memories;
        if let Some(one) = waiting.first() {
            self.priya.approve(one.id)?;
        }
        Ok(())
    }
}

#[track_caller]
fn check_live(priya: &ScopedMemory) {
    for key in SINGLE {
        let versions = priya.live_under(&key.parse().unwrap()).unwrap();
        let live = versions.iter().filter(|one| one.state == State::Live);
        assert!(live.count() <= 1, "{key}: {versions:?}");
    }
}

#[test]
fn a_key_holds_one_value_whoever_writes_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let rules = Arc::new(Rules::new());
    let open = || {
        let builder = Memoriter::builder().extractor(Arc::clone(&rules) as _);
        builder.open(&path).unwrap()
    };
    let engines = [open(), open()];
    let is_over = AtomicBool::new(false);
    std::thread::scope(|threads| {
        let watch = threads.spawn(|| {
            let priya = engines[0].scope(Scope::user("priya"));
            while !is_over.load(Ordering::Relaxed) {
                check_live(&priya);
            }
        });
        let writers: Vec<_> = (0..WRITERS)
            .map(|number| {
                let memory = &engines[usize::try_from(number % 2).unwrap()];
                threads.spawn(move || {
                    let caller = Caller {
                        memory,
                        priya: memory.scope(Scope::user("priya")),
                        chance: SeededEntropy::new(number),
                        number,
                    };
                    for step in 0..STEPS {
                        if let Err(error) = caller.step(step) {
                            assert!(RACES.contains(&error.code()), "{}: {error}", error.code());
                        }
                    }
                })
            })
            .collect();
        let ended: Vec<_> = writers.into_iter().map(ScopedJoinHandle::join).collect();
        is_over.store(true, Ordering::Relaxed);
        watch.join().unwrap();
        for writer in ended {
            writer.unwrap();
        }
    });
    let priya = engines[1].scope(Scope::user("priya"));
    engines[1].work(10_000).unwrap();
    check_live(&priya);
    check_read_once(&priya);
    assert!(engines[0].verify().unwrap().problems.is_empty());
    drop(engines);
    ledger::check(&path, &Scope::user("priya"));
}

/// Every turn that was to be read is done.
#[track_caller]
fn check_read_once(priya: &ScopedMemory) {
    for session in priya.sessions().unwrap() {
        for turn in priya.turns(&session.name, 0, 10_000).unwrap().rows {
            let read = priya.extraction_of(turn.id).unwrap().unwrap();
            assert_eq!(read.state, ExtractionState::Done, "{read:?}");
        }
    }
}
