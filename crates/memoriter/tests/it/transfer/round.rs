//! What comes in is what went out, byte for byte.

use memoriter::core::attachment::{AttachmentId, MediaType};
use memoriter::core::board::{Field, FieldType, MergeRule, Terms};
use memoriter::core::checkpoint::{Answer, Answered, Approval, Checkpoint};
use memoriter::core::id::{ChangeNumber, CheckpointId, TurnId};
use memoriter::core::memory::Memory;
use memoriter::core::session::{ForkPoint, Mode};
use memoriter::core::time::Timestamp;
use memoriter::core::turn::{Message, SessionName};
use memoriter::store::{
    CheckpointQuery, Erasure, FieldQuery, NewAnswer, NewAttachment, NewCheckpoint, NewFork,
    NewTurn, SqliteOptions, SqliteStore, Store, Write,
};
use memoriter::{Note, Scope, ScopedMemory};
use memoriter_testkit::{SeededEntropy, arbitrary};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use super::{export, import, priya, store, trust};

const SESSIONS: usize = 3;
const NAMES: [&str; 4] = ["goal", "steps", "order", "东京 ☂"];

/// One thing that may happen to a store.
#[derive(Clone, Debug)]
enum Step {
    /// Any memory, as no engine would write it.
    Memory(Box<Memory>),
    /// A fact, decided on: chains of versions and the ledger.
    Say(usize, String),
    /// What is under a key is taken out of use.
    Forget(usize),
    /// With what is kept beside it.
    Turn(usize, Box<Message>, bool, Vec<Vec<u8>>),
    /// The newest turn is erased, if the newest thing is one: it leaves a gap.
    EraseTurn,
    /// The newest turn, if the newest thing is one.
    RetireTurn,
    Field(usize, usize, Option<Value>),
    Checkpoint(usize, Vec<u8>, Option<String>),
    Answer(usize),
    Fork(usize),
    Mode(usize, Mode),
}

fn step(scope: Scope) -> BoxedStrategy<Step> {
    let sessions = 0..SESSIONS;
    let beside = vec(vec(any::<u8>(), 1..40), 0..3);
    let turn = (
        sessions.clone(),
        arbitrary::message(),
        any::<bool>(),
        beside,
    );
    let field = (
        sessions.clone(),
        0..NAMES.len(),
        option::weighted(0.8, arbitrary::json().boxed()),
    );
    let checkpoint = (
        sessions.clone(),
        vec(any::<u8>(), 0..40),
        option::of(arbitrary::text(20)),
    );
    // Boxed, since what `prop_oneof` would nest otherwise takes more stack than a test has.
    let memory = arbitrary::memory(scope).boxed();
    let memory = memory.prop_map(|memory| Step::Memory(Box::new(memory)));
    let said = (0..3_usize, arbitrary::text(30)).prop_map(|(key, text)| Step::Say(key, text));
    let turn = turn.prop_map(|(at, message, queued, beside)| {
        Step::Turn(at, Box::new(message), queued, beside)
    });
    let field = field.prop_map(|(at, name, value)| Step::Field(at, name, value));
    let checkpoint =
        checkpoint.prop_map(|(at, data, question)| Step::Checkpoint(at, data, question));
    let mode = (sessions.clone(), select(Mode::ALL.to_vec()));
    prop_oneof![
        4 => memory.boxed(),
        3 => said.boxed(),
        1 => (0..3_usize).prop_map(Step::Forget).boxed(),
        4 => turn.boxed(),
        1 => Just(Step::RetireTurn).boxed(),
        1 => Just(Step::EraseTurn).boxed(),
        4 => field.boxed(),
        2 => checkpoint.boxed(),
        1 => sessions.clone().prop_map(Step::Answer).boxed(),
        1 => sessions.prop_map(Step::Fork).boxed(),
        1 => mode.prop_map(|(at, mode)| Step::Mode(at, mode)).boxed(),
    ]
    .boxed()
}

fn name(session: usize) -> SessionName {
    SessionName::new(format!("s{session} é")).unwrap()
}

/// Carries steps out in one scope. What the store refuses, such as a second memory in a place, does not happen.
struct World<'w> {
    rows: &'w SqliteStore,
    memory: ScopedMemory,
    scope: Scope,
    number: u8,
}

impl World<'_> {
    fn id(&mut self) -> [u8; 16] {
        self.number += 1;
        self.last_id()
    }

    fn last_id(&self) -> [u8; 16] {
        let mut id = [self.number; 16];
        id[0] = u8::try_from(self.scope.segments().count()).unwrap();
        id
    }

    fn commit(&self, write: Write) {
        let _ = self.rows.commit(vec![write]);
    }

    fn newest(&self, session: usize) -> Option<Checkpoint> {
        let snapshot = self.rows.snapshot().unwrap();
        let query = CheckpointQuery::Newest {
            scope: &self.scope,
            session: &name(session),
            limit: 1,
        };
        snapshot.checkpoints(query).unwrap().rows.pop()
    }

    fn carry_out(&mut self, step: Step) {
        let at = Timestamp::from_micros(1_770_000_000_000_000 + i64::from(self.number));
        match step {
            Step::Memory(memory) => self.commit(Write::InsertMemory {
                memory,
                vector: None,
            }),
            Step::Say(key, text) => {
                let key = ["user.city", "user.pet", "user.allergy"][key]
                    .parse()
                    .unwrap();
                let _ = self
                    .memory
                    .remember(Note::new(text.clone()).key(key).value(text));
            }
            Step::Forget(key) => {
                let key = ["user.city", "user.pet", "user.allergy"][key]
                    .parse()
                    .unwrap();
                let live = self.memory.live_under(&key).unwrap();
                let ids: Vec<_> = live.iter().map(|memory| memory.id).collect();
                let _ = self.memory.retire(&ids);
            }
            Step::Turn(session, message, is_queued, beside) => {
                let id = TurnId::from_bytes(self.id());
                let attachments = (0..).zip(beside).map(|(number, bytes)| {
                    let mut id = *id.as_bytes();
                    id[1] = number;
                    NewAttachment {
                        id: AttachmentId::from_bytes(id),
                        media_type: MediaType::bytes(),
                        name: (number == 0).then(|| "a \"b\" é".to_owned()),
                        bytes: bytes.into(),
                    }
                });
                self.commit(Write::AppendTurn(Box::new(NewTurn {
                    id,
                    scope: self.scope.clone(),
                    session: name(session),
                    message: *message,
                    recorded_at: at,
                    vector: None,
                    extract_at: is_queued.then_some(at),
                    attachments: attachments.collect(),
                })));
            }
            Step::EraseTurn => {
                let mut erasure = Erasure::of(self.scope.clone(), ChangeNumber(u64::MAX));
                erasure.turns = vec![TurnId::from_bytes(self.last_id())];
                self.commit(Write::Erase(Box::new(erasure)));
            }
            Step::RetireTurn => self.commit(Write::RetireTurns {
                scope: self.scope.clone(),
                ids: vec![TurnId::from_bytes(self.last_id())],
                at,
            }),
            Step::Field(session, name, value) => self.put(session, NAMES[name], value, at),
            Step::Checkpoint(session, data, question) => self.save(session, data, question, at),
            Step::Answer(session) => self.answer(session, at),
            Step::Fork(session) => self.fork(session),
            Step::Mode(session, mode) => self.commit(Write::SetMode {
                scope: self.scope.clone(),
                session: name(session),
                mode,
            }),
        }
    }

    fn save(&mut self, session: usize, data: Vec<u8>, question: Option<String>, at: Timestamp) {
        let parent = self.newest(session).map(|parent| parent.id);
        let checkpoint = Checkpoint {
            id: CheckpointId::from_bytes(self.id()),
            scope: self.scope.clone(),
            session: name(session),
            as_of: ChangeNumber(0),
            turns: 0,
            kind: "bytes".into(),
            data_bytes: 0,
            parent,
            label: question.clone(),
            approval: question.map(|question| Approval {
                question,
                asked_for: Some(Value::Null),
                answered: None,
            }),
            at,
        };
        let new = NewCheckpoint { checkpoint, data };
        self.commit(Write::SaveCheckpoint(Box::new(new)));
    }

    fn answer(&self, session: usize, at: Timestamp) {
        let Some(checkpoint) = self.newest(session) else {
            return;
        };
        self.commit(Write::Answer(NewAnswer {
            scope: self.scope.clone(),
            checkpoint: checkpoint.id,
            answered: Answered {
                answer: Answer::Rejected,
                by: Some("omar".into()),
                at,
            },
        }));
    }

    fn put(&self, session: usize, field: &str, value: Option<Value>, at: Timestamp) {
        let session = name(session);
        let query = FieldQuery::Named {
            scope: &self.scope,
            session: &session,
            name: field,
        };
        let known = self
            .rows
            .snapshot()
            .unwrap()
            .fields(query)
            .unwrap()
            .rows
            .pop();
        let field = Field {
            scope: self.scope.clone(),
            session: session.clone(),
            name: field.to_owned(),
            terms: Terms {
                kind: FieldType::Any,
                rule: MergeRule::Replace,
                owner: None,
                is_protected: field == "goal",
            },
            value: value.map(|mut value| {
                value.sort_all_objects();
                value
            }),
            revision: known.as_ref().map_or(1, |known| known.revision + 1),
            source: None,
            actor: Some("tutor".into()),
            at,
            change: ChangeNumber(0),
        };
        self.commit(Write::PutField {
            field: Box::new(field),
            read_at: known.map(|known| known.change),
        });
    }

    fn fork(&mut self, session: usize) {
        let Some(checkpoint) = self.newest(session) else {
            return;
        };
        self.number += 1;
        let fork = SessionName::new(format!("fork {}", self.number)).unwrap();
        self.commit(Write::ForkSession(Box::new(NewFork {
            scope: self.scope.clone(),
            session: fork,
            from: ForkPoint {
                session: name(session),
                turns: checkpoint.turns,
                checkpoint: checkpoint.id,
            },
            mode: Mode::ReadOnly,
        })));
    }
}

fn steps() -> impl Strategy<Value = Vec<(bool, Step, Step)>> {
    let outer = Scope::user("priya");
    let inner = outer.within("agent", "tutor").unwrap();
    vec((any::<bool>(), step(outer), step(inner)), 0..24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_shrink_iters: 400, ..ProptestConfig::default() })]

    /// Any store, with chains of versions, ends, odd text, what waits and what is held back, attempts, boards,
    /// checkpoints and forks.
    #[test]
    fn what_comes_in_is_what_went_out(steps in steps()) {
        let folder = tempfile::tempdir().unwrap();
        let source = store(folder.path(), "source.db", 1);
        let entropy = SeededEntropy::new(9);
        let options = SqliteOptions::new(&entropy, Timestamp::from_micros(0));
        let rows = SqliteStore::open(&folder.path().join("source.db"), &options).unwrap();
        let outer = Scope::user("priya");
        let inner = outer.within("agent", "tutor").unwrap();
        let mut worlds = [&outer, &inner].map(|scope| World {
            rows: &rows,
            memory: source.scope(scope.clone()),
            scope: scope.clone(),
            number: 0,
        });
        for (is_inner, in_outer, in_inner) in steps {
            let [outer, inner] = &mut worlds;
            if is_inner {
                inner.carry_out(in_inner);
            } else {
                outer.carry_out(in_outer);
            }
        }
        let file = export(&priya(&source));

        let target = store(folder.path(), "target.db", 1);
        let imported = import(&priya(&target), &file);
        prop_assert!(imported.is_own);
        prop_assert_eq!(&imported.clashes, &[]);
        prop_assert_eq!(imported.forgotten + imported.refused + imported.left_out, 0);
        prop_assert_eq!(export(&priya(&target)), file.clone());
        let again = import(&priya(&target), &file);
        prop_assert_eq!((again.added.total(), again.conflicts), (0, 0), "{:?}", again.clashes);
        prop_assert_eq!(target.verify().unwrap().problems, []);

        let back = import(&priya(&source), &file);
        prop_assert_eq!((back.added.total(), back.conflicts), (0, 0), "{:?}", back.clashes);
    }
}

#[test]
fn a_file_goes_from_store_to_store() {
    let folder = tempfile::tempdir().unwrap();
    let [source, target] =
        [("source.db", 1), ("target.db", 2)].map(|(name, seed)| store(folder.path(), name, seed));
    for (statement, value) in [
        ("I live in Berlin", "Berlin"),
        ("I moved to Munich", "Munich"),
    ] {
        let note = Note::new(statement)
            .key("user.city".parse().unwrap())
            .value(value);
        priya(&source).remember(note).unwrap();
    }
    let file = export(&priya(&source));
    let imported = trust(&priya(&target), &file);
    assert!(!imported.is_own);
    assert_eq!(imported.added.memories, 2);
    let without_seal = |file: &str| file.rsplit_once("\"seal\"").unwrap().0.to_owned();
    assert_eq!(without_seal(&export(&priya(&target))), without_seal(&file));
    let hits = priya(&target)
        .recall("Which city do I live in?")
        .run()
        .unwrap();
    assert_eq!(hits[0].text(), "I moved to Munich");
    let history = priya(&target)
        .history_of_key(&"user.city".parse().unwrap())
        .unwrap();
    assert_eq!(history.len(), 2);
}
