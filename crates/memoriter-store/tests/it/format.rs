//! Files of released formats open and say what they said.

use std::path::{Path, PathBuf};
use std::time::Duration;

use memoriter_core::attachment::{AttachmentId, MediaType};
use memoriter_core::board::{Field, FieldType, MergeRule, Terms};
use memoriter_core::checkpoint::{Answer, Answered, Approval, Checkpoint};
use memoriter_core::forget::{ReceiptState, turn_mark};
use memoriter_core::id::{ChangeNumber, CheckpointId, MemoryId};
use memoriter_core::memory::{Cardinality, Memory, Outcome, State};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::{Source, SourceRef};
use memoriter_core::scope::Scope;
use memoriter_core::session::{ForkPoint, Mode};
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Attached, Encoding, Message, SessionName, Shape, Written};
use memoriter_core::write::{Decision, DecisionKind, Reason};
use memoriter_store::{
    AttachmentQuery, CheckpointQuery, DecisionRecord, Erasure, ExtractionQuery, ExtractionState,
    ExtractionUpdate, FieldQuery, NewAnswer, NewAttachment, NewCheckpoint, NewFork, NewReceipt,
    NewTurn, SqliteStore, Standing, Store, UsageRow, Write,
};
use memoriter_testkit::SeededEntropy;
use memoriter_testkit::sample::Samples;

use serde_json::json;

use crate::support::{
    Content, add, assert_sound, keys_of, open, process, read, setting, try_open_encrypted, update,
};

/// The newest format.
const FORMAT: u32 = 5;

fn scopes() -> [Scope; 2] {
    [
        Scope::user("priya"),
        Scope::user("priya").within("agent", "tutor/é").unwrap(),
    ]
}

/// Writes one of everything that format 1 has.
fn fill(store: &SqliteStore) {
    let samples = Samples::new(1);
    for scope in scopes() {
        let turn = samples.turn(store.secret(), (&scope, "monday"), "1", "I moved to Oslo.");
        let old = Memory {
            category: Some("place".into()),
            actor: Some("tutor".into()),
            sources: vec![Source {
                of: SourceRef::Turn(turn.id),
                quote: "to Oslo".into(),
            }],
            metadata: Metadata::from_json(r#"{"a":[1.5,null],"b":"é"}"#).unwrap(),
            ..samples.fact(&scope, "user.city", Cardinality::Single, "Oslo")
        };
        let unit = vec![
            Write::AppendTurn(Box::new(turn)),
            Write::InsertMemory {
                memory: Box::new(old.clone()),
                vector: Some(samples.vector("static-256-v1")),
            },
        ];
        let change = store.commit(unit).unwrap().head;
        update(
            store,
            &Memory {
                state: State::Superseded,
                version: 2,
                ..old
            },
            change,
        )
        .unwrap();
        let new = add(
            store,
            &samples.fact(&scope, "user.city", Cardinality::Single, "Bergen"),
        );
        let at = Timestamp::from_micros(1_800_000_000_000_000);
        store
            .commit(vec![Write::MarkRecalled {
                ids: vec![new.id],
                at,
            }])
            .unwrap();
    }
}

/// Writes one of everything that format 2 has more.
fn fill_books(store: &SqliteStore) {
    let samples = Samples::new(3);
    let at = |micros: i64| Timestamp::from_micros(1_800_000_000_000_000 + micros);
    for scope in scopes() {
        let turns = ["2", "3", "4"].map(|key| NewTurn {
            extract_at: Some(at(5)),
            ..samples.turn(
                store.secret(),
                (&scope, "monday"),
                key,
                "I moved to Bergen.",
            )
        });
        let ids = turns.each_ref().map(|turn| turn.id);
        let step = |turn, state, error: Option<&str>| {
            Write::SetExtraction(ExtractionUpdate {
                turn,
                read_attempts: 0,
                state,
                due_at: at(7),
                attempts: 1,
                error: error.map(str::to_owned),
                finished_at: error.map(|_| at(6)),
            })
        };
        let unit = turns
            .into_iter()
            .map(|turn| Write::AppendTurn(Box::new(turn)))
            .chain([
                step(ids[0], ExtractionState::Queued, None),
                step(ids[1], ExtractionState::Dead, Some("no answer")),
                Write::LogDecision(Box::new(DecisionRecord {
                    scope: scope.clone(),
                    at: at(8),
                    decision: Decision {
                        kind: DecisionKind::Update,
                        reason: Reason::NewerValue,
                        id: Some(MemoryId::from_bytes([1; 16])),
                        supersedes: Some(MemoryId::from_bytes([2; 16])),
                    },
                    source: Some(SourceRef::Turn(ids[0])),
                    made_by: Some("rules-1".into()),
                    changes: vec![Standing {
                        valid_to: Some(ZonedTime::utc(at(4))),
                        retired_at: Some(at(8)),
                        superseded_by: Some(MemoryId::from_bytes([1; 16])),
                        ..Standing::from(&samples.memory(&scope, "I lived in Oslo."))
                    }],
                })),
                Write::Forget {
                    scope: scope.clone(),
                    marks: vec![b"mark".to_vec()],
                    at: at(9),
                },
                Write::RetireTurns {
                    scope: scope.clone(),
                    ids: vec![ids[2]],
                    at: at(10),
                },
                Write::CountUsage(UsageRow {
                    day: 20_833,
                    purpose: "extract".into(),
                    calls: 1,
                    input_tokens: 200,
                    output_tokens: 30,
                }),
            ]);
        store.commit(unit.collect()).unwrap();
    }
}

/// Writes memories of what was tried, one for each outcome.
fn fill_attempts(store: &SqliteStore) {
    let samples = Samples::new(4);
    for (scope, outcome) in scopes()
        .iter()
        .flat_map(|scope| Outcome::ALL.iter().map(move |outcome| (scope, outcome)))
    {
        add(store, &samples.attempt(scope, "deploy the shop", *outcome));
    }
}

fn steps_of(scope: &Scope) -> Field {
    Field {
        scope: scope.clone(),
        session: SessionName::new("monday").unwrap(),
        name: "steps".into(),
        terms: Terms {
            kind: FieldType::List,
            rule: MergeRule::Append,
            owner: Some("planner".into()),
            is_protected: true,
        },
        value: Some(json!(["read", {"b": 1.5, "a": "é"}])),
        revision: 1,
        source: Some(SourceRef::Memory(MemoryId::from_bytes([1; 16]))),
        actor: Some("planner".into()),
        at: Timestamp::from_micros(1_800_000_000_000_000),
        change: ChangeNumber(0),
    }
}

fn checkpoint_of(scope: &Scope, number: u8) -> NewCheckpoint {
    let checkpoint = Checkpoint {
        id: CheckpointId::from_bytes([number; 16]),
        scope: scope.clone(),
        session: SessionName::new("monday").unwrap(),
        as_of: ChangeNumber(0),
        turns: 0,
        kind: "json".into(),
        data_bytes: 0,
        parent: Some(CheckpointId::from_bytes([9; 16])),
        label: Some("before".into()),
        approval: Some(Approval {
            question: "Deploy?".into(),
            asked_for: Some(json!({"to": "prod"})),
            answered: None,
        }),
        at: Timestamp::from_micros(1_800_000_000_000_000),
    };
    NewCheckpoint {
        checkpoint,
        data: b"{\"step\":1}".to_vec(),
    }
}

/// Writes one of everything that sessions have besides turns since format 3.
pub(crate) fn fill_sessions(store: &SqliteStore) {
    let name = |name| SessionName::new(name).unwrap();
    for (scope, number) in scopes().into_iter().zip(1..) {
        let (field, new) = (steps_of(&scope), checkpoint_of(&scope, number));
        let (checkpoint, at) = (new.checkpoint.id, field.at);
        let put = |field: &Field, read_at| Write::PutField {
            field: Box::new(field.clone()),
            read_at,
        };
        let change = store.commit(vec![put(&field, None)]).unwrap().head;
        let removed = Field {
            value: None,
            revision: 2,
            ..field.clone()
        };
        let unit = vec![
            Write::SaveCheckpoint(Box::new(new)),
            Write::Answer(NewAnswer {
                scope: scope.clone(),
                checkpoint,
                answered: Answered {
                    answer: Answer::Approved,
                    by: Some("priya".into()),
                    at,
                },
            }),
            put(&removed, Some(change)),
            Write::ForkSession(Box::new(NewFork {
                scope: scope.clone(),
                session: name("tuesday"),
                from: ForkPoint {
                    session: name("monday"),
                    turns: 1,
                    checkpoint,
                },
                mode: Mode::ReadOnly,
            })),
            Write::SetMode {
                scope: scope.clone(),
                session: name("quiet"),
                mode: Mode::NoMemory,
            },
        ];
        store.commit(unit).unwrap();
    }
}

/// What sessions have besides turns, in words.
fn sessions(store: &SqliteStore) -> String {
    let view = store.snapshot().unwrap();
    let of_scopes = scopes().map(|scope| {
        let of_session = view.sessions(&scope).unwrap().into_iter().map(|summary| {
            let (scope, session) = (&scope, &summary.name);
            let changed = FieldQuery::Changed {
                scope,
                session,
                after: ChangeNumber(0),
                limit: 9,
            };
            let newest = CheckpointQuery::Newest {
                scope,
                session,
                limit: 9,
            };
            let checkpoints = view.checkpoints(newest).unwrap();
            let held = checkpoints.rows.iter().map(|checkpoint| {
                let (change, id) = (checkpoint.as_of, checkpoint.id);
                let as_of = FieldQuery::AsOf {
                    scope,
                    session,
                    change,
                };
                let board = view.fields(as_of).unwrap();
                (board, view.checkpoint_data(scope, id).unwrap())
            });
            let held: Vec<_> = held.collect();
            let row = view.session(scope, session).unwrap();
            let fields = view.fields(changed).unwrap();
            format!("{summary:?} {row:?} {fields:?} {checkpoints:?} {held:?}\n")
        });
        of_session.collect::<String>()
    });
    of_scopes.concat()
}

/// Writes a turn as its provider wrote it, with an attachment, and a pinned memory.
fn fill_messages(store: &SqliteStore) {
    let samples = Samples::new(5);
    for (scope, number) in scopes().iter().zip(1..) {
        let turn = samples.turn(store.secret(), (scope, "files"), "1", "[a log]");
        let id = AttachmentId::from_bytes([number; 16]);
        let written = Written {
            message: Some(serde_json::json!({"role": "user", "content": [1.5, null, "é"]})),
            continues: true,
            attached: vec![Attached {
                at: "/content/2".into(),
                id,
                bytes: 70_000,
                encoding: Encoding::Text,
            }],
            ..Written::plain(Shape::Anthropic)
        };
        let turn = NewTurn {
            message: Message {
                written: Some(written),
                ..turn.message.clone()
            },
            attachments: vec![NewAttachment {
                id,
                media_type: MediaType::text(),
                name: Some("é.log".into()),
                bytes: vec![b'x'; 70_000].into(),
            }],
            ..turn
        };
        store
            .commit(vec![Write::AppendTurn(Box::new(turn))])
            .unwrap();
        let pinned = Memory {
            pinned_at: Some(Timestamp::from_micros(7)),
            ..samples.memory(scope, "Answers are short.")
        };
        add(store, &pinned);
    }
}

/// Everything that is attached, in words.
fn attachments(store: &SqliteStore) -> String {
    let view = store.snapshot().unwrap();
    let session = SessionName::new("files").unwrap();
    let of_scopes = scopes().map(|scope| {
        let query = AttachmentQuery::Session {
            scope: &scope,
            session: &session,
        };
        let rows = view.attachments(query).unwrap();
        let scopes = std::slice::from_ref(&scope);
        let bytes = rows.rows.iter().map(|attachment| {
            view.attachment_bytes(scopes, attachment.id, 65_530, 10)
                .unwrap()
        });
        let bytes: Vec<_> = bytes.collect();
        format!("{rows:?} {bytes:?}\n")
    });
    of_scopes.concat()
}

fn content(store: &SqliteStore) -> [Content; 2] {
    scopes().map(|scope| read(store, &scope).unwrap())
}

/// Everything in the books, in words.
fn books(store: &SqliteStore) -> String {
    let view = store.snapshot().unwrap();
    let of_scopes = scopes().map(|scope| {
        let extractions = ExtractionState::ALL.iter().map(|state| {
            let query = ExtractionQuery::InState {
                scope: &scope,
                state: *state,
                limit: 100,
            };
            view.extractions(query).unwrap()
        });
        let extractions: Vec<_> = extractions.collect();
        let decisions = view.decisions(&scope, None, 100).unwrap();
        let forgotten = view.forgotten_at(&scope, &[b"mark".to_vec()]).unwrap();
        format!("{extractions:?}\n{decisions:?}\n{forgotten:?}\n")
    });
    format!("{}{:?}", of_scopes.concat(), view.usage(20_833).unwrap())
}

pub(crate) fn fixture(format: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/v{format:04}.db"))
}

/// Everything that a file says, in words.
fn said(store: &SqliteStore) -> ([Content; 2], [String; 3]) {
    let words = [books(store), sessions(store), attachments(store)];
    (content(store), words)
}

/// Opens a copy of a released file and expects that it says what a store says into which `fill` wrote today.
#[track_caller]
fn check(format: u32, fill: fn(&SqliteStore)) {
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("fresh.db");
    let store = open(&fresh);
    fill(&store);
    let expected = said(&store);
    drop(store);
    if format == FORMAT && setting("MEMORITER_TEST_NEW_FIXTURE").is_some() {
        fs_err::copy(&fresh, fixture(format)).unwrap();
    }
    let old = folder.path().join("old.db");
    fs_err::copy(fixture(format), &old).unwrap();
    let store = open(&old);
    assert_eq!(said(&store), expected);
    assert_sound(&store);
    add(
        &store,
        &Samples::new(2).memory(&Scope::user("priya"), "It takes writes."),
    );
    if format < 2 {
        fill_books(&store);
        fill_attempts(&store);
    }
    if format < 3 {
        fill_format_3(&store);
    }
    if format < 4 {
        fill_format_4(&store);
    }
    assert_sound(&store);
    drop(store);
    assert_eq!(format_of(&old), FORMAT);
}

fn format_of(path: &Path) -> u32 {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap()
}

#[test]
fn format_1_opens_and_says_what_it_said() {
    assert_eq!(format_of(&fixture(1)), 1);
    check(1, fill);
}

#[test]
fn format_2_opens_and_says_what_it_said() {
    assert_eq!(format_of(&fixture(2)), 2);
    check(2, fill_format_2);
}

#[test]
fn format_3_opens_and_says_what_it_said() {
    assert_eq!(format_of(&fixture(3)), 3);
    check(3, |store| {
        fill_format_2(store);
        fill_format_3(store);
    });
}

#[test]
fn format_4_opens_and_says_what_it_said() {
    assert_eq!(format_of(&fixture(4)), 4);
    check(4, fill_all);
}

/// A release with a new format adds its file once: `MEMORITER_TEST_NEW_FIXTURE=1` makes this test write it.
#[test]
fn format_5_opens_and_says_what_it_said() {
    check(5, fill_all);
    assert_eq!(format_of(&fixture(5)), 5);
}

/// The same for an encrypted one, with the keys file beside it.
#[test]
fn an_encrypted_file_opens_and_says_what_it_said() {
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("fresh.db");
    let store = try_open_encrypted(&fresh, 5).unwrap();
    fill_all(&store);
    let expected = said(&store);
    drop(store);
    let kept = fixture(FORMAT).with_file_name("v0005-encrypted.db");
    let with_keys = |path: &Path| [path.to_owned(), keys_of(path)];
    if setting("MEMORITER_TEST_NEW_FIXTURE").is_some() {
        for (from, to) in with_keys(&fresh).iter().zip(with_keys(&kept)) {
            fs_err::copy(from, to).unwrap();
        }
    }
    let old = folder.path().join("old.db");
    for (from, to) in with_keys(&kept).iter().zip(with_keys(&old)) {
        fs_err::copy(from, to).unwrap();
    }
    let store = try_open_encrypted(&old, 5).unwrap();
    assert_eq!(without_ids(said(&store)), without_ids(expected));
    assert_sound(&store);
}

/// Ids of turns are derived from the secret of the store, which every encrypted one has its own of.
fn without_ids(said: ([Content; 2], [String; 3])) -> Vec<String> {
    let (contents, _) = said;
    let words = contents.into_iter().flat_map(|content| {
        assert_eq!(content.damaged, []);
        let memories = content.memories.into_iter().map(|memory| memory.statement);
        memories.chain(content.turns.into_iter().map(|turn| turn.message.content))
    });
    words.collect()
}

pub(crate) fn fill_all(store: &SqliteStore) {
    fill_format_2(store);
    fill_format_3(store);
    fill_format_4(store);
}

/// Erases something, with a receipt and lines of the audit log.
fn fill_format_4(store: &SqliteStore) {
    let scope = Scope::user("priya");
    let samples = Samples::new(40);
    let gone = add(store, &samples.memory(&scope, "This goes for good."));
    let turns = ["erased", "left"]
        .map(|key| samples.turn(store.secret(), (&scope, "forgetting"), key, key));
    let said = turns
        .iter()
        .map(|turn| Write::AppendTurn(Box::new(turn.clone())));
    store.commit(said.collect()).unwrap();
    let mut erasure = Erasure::of(scope.clone(), store.head().unwrap());
    erasure.memories.push(gone.id);
    erasure.turns.push(turns[0].id);
    let at = Timestamp::from_micros(7);
    erasure.request = Some(([4; 16], at));
    let marks = vec![turn_mark(turns[0].id)];
    let receipt = NewReceipt {
        id: [4; 16],
        at,
        state: ReceiptState::Pending,
        touched_at: at,
        body: "{}".into(),
    };
    let unit = vec![
        Write::PutReceipt {
            receipt: Box::new(receipt),
            over: None,
        },
        Write::Erase(Box::new(erasure)),
        Write::Forget { scope, marks, at },
        Write::Audit("one".into()),
        Write::Audit("two".into()),
    ];
    store.commit(unit).unwrap();
}

fn fill_format_2(store: &SqliteStore) {
    fill(store);
    fill_books(store);
    fill_attempts(store);
}

/// What format 3 has more.
fn fill_format_3(store: &SqliteStore) {
    fill_sessions(store);
    fill_messages(store);
}

/// Each kill falls somewhere into opening a file of format 1, which has to be migrated for it.
#[test]
fn a_kill_while_migrating_leaves_a_whole_format() {
    const KILLS: u64 = 40;
    let chance = SeededEntropy::new(7);
    let folder = tempfile::tempdir().unwrap();
    let mut left = [0_u64; 2];
    let mut expected = None;
    for kill in 0..KILLS {
        let path = folder.path().join(format!("{kill}.db"));
        fs_err::copy(fixture(1), &path).unwrap();
        let mut child = process("processes::process_that_opens", &path, kill)
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(chance.below(30_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        left[usize::from(format_of(&path) == FORMAT)] += 1;
        let store = open(&path);
        assert_sound(&store);
        let said = content(&store);
        assert_eq!(&said, expected.get_or_insert_with(|| content(&store)));
    }
    println!("{left:?} files were left in format 1 and in the newest");
}

/// The migration is one transaction: a process that dies in it leaves a file that is migrated anew.
#[test]
fn a_file_without_tables_is_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let half_made = rusqlite::Connection::open(&path).unwrap();
    half_made
        .pragma_update(None, "application_id", 0x6d65_6d6f)
        .unwrap();
    drop(half_made);
    let store = open(&path);
    fill(&store);
    assert_sound(&store);
}
