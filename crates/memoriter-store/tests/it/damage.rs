//! A damaged file is noticed and never served as truth.

use std::fmt::Debug;
use std::path::Path;
use std::sync::LazyLock;

use memoriter_core::attachment::{Attachment, AttachmentId, MediaType};
use memoriter_core::board::{Field, FieldType, MergeRule, Terms};
use memoriter_core::checkpoint::{Approval, Checkpoint};
use memoriter_core::fold::{ItemKind, Run, Span, SpanItem};
use memoriter_core::id::{ChangeNumber, CheckpointId, TurnId};
use memoriter_core::memory::{Cardinality, Memory};
use memoriter_core::port::ModelName;
use memoriter_core::provenance::{Source, SourceRef};
use memoriter_core::scope::Scope;
use memoriter_core::session::Mode;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{Message, SessionName, Shape, Written};
use memoriter_core::write::{Decision, DecisionKind, Reason};
use memoriter_store::{
    AttachmentQuery, CheckpointQuery, DecisionRecord, FieldQuery, MemoryQuery, NewAttachment,
    NewCheckpoint, NewTurn, SessionRow, SqliteStore, Standing, Store, StoreError, TurnQuery,
    UsageRow, Write,
};
use memoriter_testkit::SeededEntropy;
use memoriter_testkit::sample::Samples;
use serde_json::json;

use crate::support::{Content, assert_sound, open, read, setting, try_open};

/// Flips in a run: `MEMORITER_TEST_FLIPS` asks for more.
const FLIPS: u64 = 400;

fn scope() -> Scope {
    Scope::user("priya")
}

fn usage(day: i64) -> UsageRow {
    UsageRow {
        day,
        purpose: "extract".into(),
        calls: 1,
        input_tokens: 2,
        output_tokens: 3,
    }
}

fn fill(store: &SqliteStore) -> Content {
    let samples = Samples::new(1);
    for number in 0..60 {
        let value = format!("value {number}");
        let fact = samples.fact(
            &scope(),
            &format!("user.key{number}"),
            Cardinality::Single,
            &value,
        );
        let turn = samples.turn(
            store.secret(),
            (&scope(), "monday"),
            &value,
            &format!("I say {value}."),
        );
        let source = Source {
            of: SourceRef::Turn(turn.id),
            quote: value,
        };
        let books = books(number, &fact, &source, turn.recorded_at);
        let memory = Memory {
            statement: format!("Statement number {number} about something that was said."),
            category: Some("facts".into()),
            actor: Some("tutor".into()),
            sources: vec![source],
            ..fact
        };
        let turn = NewTurn {
            extract_at: Some(turn.recorded_at),
            attachments: vec![result(store, number)],
            message: Message {
                written: Some(Written::plain(Shape::OpenAi)),
                ..turn.message.clone()
            },
            ..turn
        };
        let vector = Some(samples.vector("m"));
        let beside = beside(number, turn.id);
        let records = [
            Write::AppendTurn(Box::new(turn)),
            Write::InsertMemory {
                memory: Box::new(memory),
                vector,
            },
        ];
        store
            .commit(records.into_iter().chain(books).chain(beside).collect())
            .unwrap();
    }
    let mode = Write::SetMode {
        scope: scope(),
        session: monday(),
        mode: Mode::ReadOnly,
    };
    store.commit(vec![mode]).unwrap();
    read(store, &scope()).unwrap()
}

fn result(store: &SqliteStore, number: i64) -> NewAttachment {
    NewAttachment {
        id: AttachmentId::derive(store.secret(), &[&number.to_le_bytes()]),
        media_type: MediaType::text(),
        name: None,
        bytes: format!("A long result, number {number}.")
            .into_bytes()
            .into(),
    }
}

fn monday() -> SessionName {
    SessionName::new("monday").unwrap()
}

/// A line of the ledger, a tombstone and what was counted.
fn books(number: i64, fact: &Memory, source: &Source, at: Timestamp) -> [Write; 3] {
    let decision = DecisionRecord {
        scope: scope(),
        at,
        decision: Decision {
            kind: DecisionKind::Add,
            reason: Reason::NewKey,
            id: Some(fact.id),
            supersedes: None,
        },
        source: Some(source.of),
        made_by: Some("rules-1".into()),
        changes: vec![Standing::from(fact)],
    };
    [
        Write::LogDecision(Box::new(decision)),
        Write::Forget {
            scope: scope(),
            marks: vec![source.quote.clone().into_bytes()],
            at,
        },
        Write::CountUsage(usage(number)),
    ]
}

/// What else is kept of a session.
fn beside(number: i64, turn: TurnId) -> [Write; 3] {
    [
        Write::PutField {
            field: Box::new(field(number)),
            read_at: None,
        },
        Write::SaveCheckpoint(Box::new(checkpoint(number))),
        Write::PutSpan {
            scope: scope(),
            session: monday(),
            span: Box::new(span(number, turn)),
            read_at: ChangeNumber(u64::MAX >> 1),
        },
    ]
}

fn field(number: i64) -> Field {
    Field {
        scope: scope(),
        session: monday(),
        name: format!("field {number}"),
        terms: Terms {
            kind: FieldType::Any,
            rule: MergeRule::Replace,
            owner: Some("tutor".into()),
            is_protected: false,
        },
        value: Some(json!({"step": number, "of": "a plan that is long enough to lie somewhere"})),
        revision: 1,
        source: None,
        actor: Some("tutor".into()),
        at: Timestamp::from_micros(number),
        change: ChangeNumber(0),
    }
}

fn checkpoint(number: i64) -> NewCheckpoint {
    let mut id = [7; 16];
    id[..8].copy_from_slice(&number.to_le_bytes());
    let checkpoint = Checkpoint {
        id: CheckpointId::from_bytes(id),
        scope: scope(),
        session: monday(),
        as_of: ChangeNumber(0),
        turns: 0,
        kind: "bytes".into(),
        data_bytes: 0,
        parent: None,
        label: Some(format!("before step {number}")),
        approval: Some(Approval {
            question: format!("Shall step {number} be done?"),
            asked_for: None,
            answered: None,
        }),
        at: Timestamp::from_micros(number),
    };
    let data = format!("what an agent holds at step {number}").into_bytes();
    NewCheckpoint { checkpoint, data }
}

fn span(number: i64, turn: TurnId) -> Span {
    let position = u32::try_from(number).unwrap();
    Span {
        run: Run {
            from: position,
            to: position,
        },
        items: vec![SpanItem {
            kind: ItemKind::Constraint,
            text: format!("I say value {number}."),
            turns: vec![(position, turn)],
        }],
        made_by: "cues-1".into(),
    }
}

/// What lies beside turns and memories, as far as it is read.
#[derive(Debug, Default, PartialEq)]
struct Beside {
    session: Option<SessionRow>,
    fields: Vec<Field>,
    checkpoints: Vec<(Checkpoint, Vec<u8>)>,
    spans: Vec<Span>,
    attachments: Vec<(Attachment, Vec<u8>)>,
    is_damaged: bool,
}

fn read_beside(store: &dyn Store) -> Result<Beside, StoreError> {
    let view = store.snapshot()?;
    let (scope, session) = (&scope(), &monday());
    let mut beside = Beside {
        session: view.session(scope, session)?,
        ..Beside::default()
    };
    let fields = view.fields(FieldQuery::Board { scope, session })?;
    let checkpoints = view.checkpoints(CheckpointQuery::Newest {
        scope,
        session,
        limit: 1_000,
    })?;
    let runs: Vec<Run> = (0..60).map(|at| Run { from: at, to: at }).collect();
    let spans = view.spans(scope, session, &runs)?;
    let attachments = view.attachments(AttachmentQuery::Session { scope, session })?;
    beside.is_damaged = !(fields.damaged.is_empty()
        && checkpoints.damaged.is_empty()
        && spans.damaged.is_empty()
        && attachments.damaged.is_empty());
    for checkpoint in checkpoints.rows {
        let data = view.checkpoint_data(scope, checkpoint.id)?;
        beside.is_damaged |= !data.damaged.is_empty();
        let data = data.rows.into_iter().map(|data| (checkpoint.clone(), data));
        beside.checkpoints.extend(data);
    }
    for attachment in attachments.rows {
        let scopes = std::slice::from_ref(scope);
        let bytes = view.attachment_bytes(scopes, attachment.id, 0, attachment.bytes)?;
        beside
            .attachments
            .extend(bytes.map(|bytes| (attachment, bytes)));
    }
    (beside.fields, beside.spans) = (fields.rows, spans.rows);
    Ok(beside)
}

impl Beside {
    /// What is read otherwise than it was written.
    fn untrue(&self, truth: &Self) -> String {
        fn other<T: PartialEq + Debug>(read: &[T], written: &[T]) -> String {
            let other = read.iter().filter(|one| !written.contains(one));
            let told: Vec<String> = other.map(|one| format!("{one:?}")).collect();
            told.join("\n")
        }
        // How many turns there are is counted: rows that are gone are told by `verify`.
        let said = |row: &SessionRow| (row.mode, row.forked_from.clone());
        let written = truth.session.as_ref().map(said);
        let session = self
            .session
            .as_ref()
            .filter(|row| Some(said(row)) != written);
        session.map_or_else(String::new, |row| format!("{row:?}\n"))
            + &other(&self.fields, &truth.fields)
            + &other(&self.checkpoints, &truth.checkpoints)
            + &other(&self.spans, &truth.spans)
            + &other(&self.attachments, &truth.attachments)
    }
}

/// What the checksum leaves out: see `docs/format.md`.
fn without_marks(mut content: Content) -> Content {
    for memory in &mut content.memories {
        memory.change = ChangeNumber(0);
        memory.last_recalled_at = None;
        memory.recall_count = 0;
    }
    for turn in &mut content.turns {
        turn.change = ChangeNumber(0);
    }
    content
}

#[derive(Default, Debug)]
struct Tally {
    harmless: u64,
    noticed_on_opening: u64,
    noticed_on_reading: u64,
    noticed_by_verify: u64,
}

#[test]
fn a_flipped_bit_is_noticed_and_never_served() {
    let flips = setting("MEMORITER_TEST_FLIPS").map_or(FLIPS, |flips| flips.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    let truth = without_marks(fill(&store));
    let beside = read_beside(&store).unwrap();
    assert_eq!((beside.fields.len(), beside.spans.len()), (60, 60));
    assert_eq!(
        (beside.checkpoints.len(), beside.attachments.len()),
        (60, 60)
    );
    drop(store);
    let sound = fs_err::read(&path).unwrap();
    let chance = SeededEntropy::new(flips);
    let mut tally = Tally::default();
    for _ in 0..flips {
        let bit = chance.below(sound.len() as u64 * 8);
        let mut damaged = sound.clone();
        damaged[usize::try_from(bit / 8).unwrap()] ^= 1 << (bit % 8);
        fs_err::write(&path, damaged).unwrap();
        look(&path, (&truth, &beside), bit, &mut tally);
        for suffix in ["store.db-wal", "store.db-shm"] {
            let _ = fs_err::remove_file(folder.path().join(suffix));
        }
    }
    println!("{flips} flips: {tally:?}");
    assert!(
        tally.noticed_on_reading > 0 && tally.noticed_by_verify > 0,
        "{tally:?}"
    );
}

fn look(path: &Path, (truth, beside): (&Content, &Beside), bit: u64, tally: &mut Tally) {
    let Ok(store) = try_open(path) else {
        tally.noticed_on_opening += 1;
        return;
    };
    let served = read(&store, &scope());
    let by_id = read_by_id(&store, truth);
    let feed = store.snapshot().and_then(|view| {
        view.index_changes(&scope(), &ModelName::new("m"), ChangeNumber(0), &mut |_| {})
    });
    let read_beside = read_beside(&store);
    if let Ok(read) = &read_beside {
        let untrue = read.untrue(beside);
        assert!(untrue.is_empty(), "bit {bit}: untrue: {untrue}");
    }
    let (Ok(served), Ok(by_id), Ok(()), Ok(read)) = (served, by_id, feed, read_beside) else {
        tally.noticed_on_reading += 1;
        return;
    };
    let (served, by_id) = (without_marks(served), without_marks(by_id));
    for content in [&served, &by_id] {
        assert!(
            content
                .memories
                .iter()
                .all(|memory| truth.memories.contains(memory)),
            "bit {bit}: an untrue memory"
        );
        assert!(
            content.turns.iter().all(|turn| truth.turns.contains(turn)),
            "bit {bit}: an untrue turn"
        );
    }
    if read.is_damaged || !served.damaged.is_empty() || !by_id.damaged.is_empty() {
        tally.noticed_on_reading += 1;
    } else if !store
        .snapshot()
        .unwrap()
        .verify()
        .unwrap()
        .problems
        .is_empty()
    {
        tally.noticed_by_verify += 1;
    } else {
        assert_eq!(
            (&served, &by_id, &read),
            (truth, truth, beside),
            "bit {bit}: something is missing unnoticed"
        );
        tally.harmless += 1;
    }
}

fn read_by_id(store: &dyn Store, truth: &Content) -> Result<Content, memoriter_store::StoreError> {
    let view = store.snapshot()?;
    let ids: Vec<_> = truth.memories.iter().map(|memory| memory.id).collect();
    let memories = view.memories(MemoryQuery::Ids {
        scopes: &[scope()],
        ids: &ids,
    })?;
    let ids: Vec<_> = truth.turns.iter().map(|turn| turn.id).collect();
    let turns = view.turns(TurnQuery::Ids {
        scopes: &[scope()],
        ids: &ids,
    })?;
    let damaged = memories.damaged.into_iter().chain(turns.damaged).collect();
    Ok(Content {
        memories: memories.rows,
        turns: turns.rows,
        damaged,
    })
}

/// A sound file.
static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    fill(&store);
    assert_sound(&store);
    drop(store);
    fs_err::read(&path).unwrap()
});

/// Changes the file by other means and expects what `verify` says.
#[track_caller]
fn check(sql: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fs_err::write(&path, &*SOUND).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .pragma_update(None, "foreign_keys", false)
        .unwrap();
    assert!(
        connection.execute(sql, []).unwrap() > 0,
        "{sql} changes something"
    );
    drop(connection);
    let report = open(&path).snapshot().unwrap().verify().unwrap();
    let said: Vec<String> = report
        .problems
        .iter()
        .map(|damage| format!("{} {}", damage.record, damage.why))
        .collect();
    assert!(
        said.iter().any(|problem| problem.contains(expected)),
        "{sql}: {said:?}"
    );
}

/// Reading would not end if nothing watched it.
#[test]
fn a_tree_that_leads_in_circles_is_noticed() {
    const PAGE: usize = 4_096;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fs_err::write(&path, &*SOUND).unwrap();
    let store = open(&path);
    let truth = without_marks(read(&store, &scope()).unwrap());
    let beside = read_beside(&store).unwrap();
    drop(store);
    // The first byte of an inner page is 2 or 5; its last child is named in bytes 8 to 12.
    let inner = (1..SOUND.len() / PAGE).filter(|page| matches!(SOUND[page * PAGE], 2 | 5));
    let mut circles = 0;
    for page in inner {
        let mut bytes = SOUND.clone();
        let own_number = u32::try_from(page + 1).unwrap().to_be_bytes();
        bytes[page * PAGE + 8..page * PAGE + 12].copy_from_slice(&own_number);
        fs_err::write(&path, &bytes).unwrap();
        let mut tally = Tally::default();
        look(&path, (&truth, &beside), 0, &mut tally);
        assert_eq!(
            tally.harmless, 0,
            "the circle in page {page} went unnoticed"
        );
        circles += 1;
    }
    assert!(circles >= 3, "only {circles} trees have inner pages");
}

#[test]
fn an_index_entry_that_leads_to_another_record_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fs_err::write(&path, &*SOUND).unwrap();
    let memories = read(&open(&path), &scope()).unwrap().memories;
    let seventh = &memories[6];
    // An entry of the index by id is the id and, in one byte, the row.
    let entry = [seventh.id.as_bytes().as_slice(), &[7]].concat();
    let mut bytes = SOUND.clone();
    let found: Vec<usize> = (0..bytes.len() - 17)
        .filter(|at| bytes[*at..*at + 17] == entry)
        .collect();
    let [at] = found[..] else {
        panic!("{} entries", found.len())
    };
    bytes[at + 16] = 8;
    fs_err::write(&path, &bytes).unwrap();
    let store = open(&path);
    let query = MemoryQuery::Ids {
        scopes: &[scope()],
        ids: &[seventh.id],
    };
    let rows = store.snapshot().unwrap().memories(query).unwrap();
    assert_eq!(rows.rows, []);
    let said: Vec<_> = rows
        .damaged
        .iter()
        .map(|damage| damage.why.as_str())
        .collect();
    assert_eq!(said, ["an index entry leads to another record"]);
}

/// They are read by one statement, which ends where a row cannot be read.
#[test]
fn a_damaged_record_costs_those_that_are_asked_for_with_it_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fs_err::write(&path, &*SOUND).unwrap();
    let mut sound = read(&open(&path), &scope()).unwrap().memories;
    sound.reverse();
    let ids: Vec<_> = sound.iter().map(|memory| memory.id).collect();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let damage = "UPDATE memory SET importance = 11 WHERE row = 7";
    assert_eq!(connection.execute(damage, []).unwrap(), 1);
    drop(connection);
    let store = open(&path);
    let scopes = [scope()];
    let query = MemoryQuery::Ids {
        scopes: &scopes,
        ids: &ids,
    };
    let rows = store.snapshot().unwrap().memories(query).unwrap();
    let seventh = sound.len() - 7;
    sound.remove(seventh);
    assert!(sound.len() > 20, "they are asked for in several steps");
    assert_eq!(rows.rows, sound);
    let named: Vec<&str> = rows.damaged.iter().map(|it| it.record.as_str()).collect();
    assert_eq!(named, ["memory in row 7"]);
}

/// Changes by other means and what `verify` says of them.
const MISFITS: &[(&str, &str)] = &[
    (
        "UPDATE memory SET statement = 'other' WHERE row = 7",
        "memory in row 7 the checksum does not fit",
    ),
    (
        "UPDATE memory SET pinned_at = 7 WHERE row = 7",
        "memory in row 7 the checksum does not fit",
    ),
    (
        "UPDATE turn SET written = '{\"shape\":\"anthropic\"}' WHERE row = 7",
        "turn in row 7 the checksum does not fit",
    ),
    (
        "UPDATE turn SET written = 'x' WHERE row = 7",
        "turn in row 7 expected value",
    ),
    (
        "UPDATE attachment SET media_type = 'text/html' WHERE row = 7",
        "attachment in row 7 the checksum does not fit",
    ),
    (
        "UPDATE attachment SET turn = 8 WHERE row = 7",
        "attachment in row 7 the checksum does not fit",
    ),
    (
        "UPDATE attachment_part SET bytes = x'00' WHERE attachment = 7",
        "attachment in row 7 the checksum of a part does not fit",
    ),
    (
        "DELETE FROM attachment_part WHERE attachment = 7",
        "attachment in row 7 has too many parts or too few",
    ),
    (
        "UPDATE attachment_part SET attachment = 99 WHERE attachment = 7",
        "leads to no attachment",
    ),
    (
        "DELETE FROM turn WHERE row = 7",
        "attachment in row 7 the row, its turn or its scope is gone",
    ),
    (
        "UPDATE memory SET actor = 'other' WHERE row = 7",
        "memory in row 7 the checksum does not fit",
    ),
    (
        "UPDATE memory SET lesson = 'other' WHERE row = 7",
        "memory in row 7 the attempt is not whole",
    ),
    (
        "UPDATE memory SET outcome = 'good', goal = 'g' WHERE row = 7",
        "memory in row 7 outcome is not success, failure or unknown",
    ),
    (
        "UPDATE memory SET outcome = 'success', goal = 'g' WHERE row = 7",
        "memory in row 7 the checksum does not fit",
    ),
    (
        "UPDATE memory SET state = 'alive' WHERE row = 7",
        "memory in row 7 state is not live",
    ),
    (
        "UPDATE memory SET metadata = '[' WHERE row = 7",
        "memory in row 7 metadata is not a JSON object",
    ),
    (
        "UPDATE memory SET statement = CAST(x'ff' AS TEXT) WHERE row = 7",
        "memory in row 7 column 7",
    ),
    (
        "UPDATE memory SET place = x'00' WHERE row = 7",
        "memory in row 7 is filed under another place",
    ),
    (
        "UPDATE memory SET change = 999 WHERE row = 7",
        "memory in row 7 is not in the feed",
    ),
    (
        "UPDATE source SET quote = 'other' WHERE memory = 7",
        "memory in row 7 the checksum does not fit",
    ),
    (
        "DELETE FROM source WHERE memory = 7",
        "memory in row 7 the checksum does not fit",
    ),
    (
        "UPDATE turn SET content = 'other' WHERE row = 7",
        "turn in row 7 the checksum does not fit",
    ),
    (
        "UPDATE turn SET at_offset = 1 WHERE row = 7",
        "turn in row 7 the checksum does not fit",
    ),
    (
        "UPDATE turn SET retired_at = 0 WHERE row = 7",
        "turn in row 7 the checksum does not fit",
    ),
    (
        "DELETE FROM turn WHERE row = 7",
        "session in row 1 has a gap",
    ),
    (
        "DELETE FROM turn WHERE row = 7",
        "extraction in row 7 its turn, session or scope is gone",
    ),
    (
        "DELETE FROM turn WHERE row = 7",
        "extraction in row 7 leads to no turn",
    ),
    (
        "UPDATE extraction SET state = 'lost' WHERE turn = 7",
        "extraction in row 7 extraction state is not queued, done or dead",
    ),
    (
        "UPDATE extraction SET attempts = -1 WHERE turn = 7",
        "extraction in row 7 column 8",
    ),
    (
        "UPDATE extraction SET session = 8 WHERE turn = 7",
        "extraction in row 7 is filed under another session than its turn",
    ),
    (
        "UPDATE extraction SET scope = 8 WHERE turn = 7",
        "extraction in row 7 is filed under another session than its turn",
    ),
    (
        "UPDATE extraction SET scope = 8 WHERE turn = 7",
        "extraction in row 7 leads to no scope",
    ),
    (
        "UPDATE decision SET kind = 'add' WHERE row = 7",
        "decision in row 7 decision is not ADD",
    ),
    (
        "UPDATE decision SET reason = 'x' WHERE row = 7",
        "decision in row 7 reason is not a reason code",
    ),
    (
        "UPDATE decision SET memory = x'00' WHERE row = 7",
        "decision in row 7 column 5",
    ),
    (
        "UPDATE decision SET source_kind = 2 WHERE row = 7",
        "decision in row 7 a source is of no known kind",
    ),
    (
        "UPDATE decision SET source = NULL WHERE row = 7",
        "decision in row 7 the source is not whole",
    ),
    (
        "UPDATE decision SET scope = 8 WHERE row = 7",
        "decision in row 7 leads to no scope",
    ),
    (
        "UPDATE decision_change SET state = 'dead' WHERE decision = 7",
        "decision in row 7 state is not live",
    ),
    (
        "UPDATE decision_change SET decision = 9999 WHERE decision = 7",
        "decision_change in row 0 leads to no decision",
    ),
    (
        "UPDATE tombstone SET scope = 8",
        "tombstone in row 0 leads to no scope",
    ),
    (
        "INSERT INTO tombstone (scope, mark, at) VALUES (1, x'00', 0)",
        "tombstone in row 1 has a mark of another length",
    ),
    (
        "UPDATE usage SET calls = -1 WHERE day = 7",
        "usage in row 7 counts below nothing",
    ),
    (
        "DELETE FROM memory WHERE row = 7",
        "embedding in row 7 leads to no record",
    ),
    (
        "DELETE FROM memory WHERE row = 7",
        "feed in row 7 leads to no record",
    ),
    (
        "DELETE FROM embedding WHERE kind = 0 AND record = 7",
        "memory in row 7 has no embedding entry",
    ),
    (
        "DELETE FROM embedding WHERE kind = 1 AND record = 7",
        "turn in row 7 has no embedding entry",
    ),
    (
        "UPDATE embedding SET codes = x'00' WHERE record = 7",
        "embedding in row 7 has another length",
    ),
    (
        "DELETE FROM feed WHERE change = 5",
        "is not in the feed at its change",
    ),
    (
        "UPDATE embedding SET codes = zeroblob(256) WHERE record = 7",
        "embedding in row 7 the checksum does not fit",
    ),
    ("UPDATE head SET change = 3", "is behind the feed"),
    (
        "UPDATE session SET name = 'other'",
        "turn in row 1 the checksum does not fit",
    ),
    (
        "UPDATE scope SET path = '[\"user\",\"other\"]'",
        "memory in row 1 the checksum does not fit",
    ),
    (
        "UPDATE scope SET path = 'x'",
        "memory in row 1 scope is not a JSON array",
    ),
    ("DELETE FROM scope", "row or its scope is gone"),
    (
        "DELETE FROM model",
        "embedding in row 1 has another length than its model",
    ),
    (
        "UPDATE store SET secret = zeroblob(32)",
        "is filed under another place",
    ),
];

#[test]
fn verify_names_what_does_not_fit() {
    for (sql, expected) in MISFITS {
        check(sql, expected);
    }
}
