//! A consistent view of sessions besides their turns: modes, boards and checkpoints.

use memoriter_core::board::{Field, FieldType, MergeRule, Terms};
use memoriter_core::checkpoint::{Answer, Answered, Approval, Checkpoint};
use memoriter_core::id::{ChangeNumber, CheckpointId};
use memoriter_core::scope::Scope;
use memoriter_core::session::{ForkPoint, Mode};
use memoriter_core::turn::SessionName;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::cipher::Binding;
use super::content::{data_binding, field_id};
use super::decode::{Columns, Undecodable, json, source_ref};
use super::fault::words;
use super::fetch::{Key, Record, Sealed, fetch, sort_in};
use super::keys::Keys;
use super::locate::{self, Identified};
use super::seal;
use super::snapshot::SqliteSnapshot;
use super::view::View;
use super::write::find_session;
use crate::error::StoreError;
use crate::store::{CheckpointQuery, Damage, FieldQuery, Rows, SessionRow, Sessions};

/// What a field was, and the change number that ended it.
pub(super) struct PastField {
    pub(super) field: Field,
    pub(super) until: ChangeNumber,
}

/// A checkpoint and the hash of its bytes.
pub(super) struct KeptCheckpoint {
    pub(super) checkpoint: Checkpoint,
    pub(super) hash: [u8; 16],
}

/// A row of a field or of its past, read by its number.
macro_rules! field_of {
    ($from:literal, $until:literal) => {
        concat!(
            "SELECT scope.path, session.name, field.name, kept.change, kept.cipher, kept.owner, kept.actor, kept.value,
    kept.revision, kept.type, kept.rule, kept.protected, kept.source_kind, kept.source, kept.at, kept.checksum, ",
            $until,
            " FROM ",
            $from,
            " JOIN session ON session.row = field.session JOIN scope ON scope.row = session.scope
    WHERE kept.row = ?1"
        )
    };
}

const FIELD: &str = field_of!("field AS kept JOIN field ON field.row = kept.row", "0");
const PAST_FIELD: &str = field_of!(
    "field_past AS kept JOIN field ON field.row = kept.field",
    "kept.until"
);

/// A field and the number after it, made into a record.
fn read_field<T: Record>(
    view: View<'_>,
    (sql, key): (&str, Key<'_>),
    make: impl FnOnce(Field, ChangeNumber) -> T,
) -> Result<Sealed<T>, Undecodable> {
    let mut statement = view.prepare_cached(sql)?;
    let mut rows = statement.query([key])?;
    let row = rows
        .next()?
        .ok_or_else(|| Undecodable("the row, its session or its scope is gone".into()))?;
    let mut next = Columns::new(row);
    let path = next.text()?;
    let (scope, cover) = (Scope::from_json(path)?, view.keys.of(path));
    let session = SessionName::new(next.text()?)?;
    let (name, change): (String, _) = (next.get()?, next.change()?);
    let id = field_id(&session, &name, change);
    let opened = next.open(&cover, &Binding::to("field", &id))?;
    let mut next = next.with(&opened);
    let (owner, actor) = (next.own_content()?, next.own_content()?);
    let field = Field {
        scope,
        session,
        name,
        change,
        actor,
        value: json(next.content()?)?,
        revision: next.get()?,
        terms: Terms {
            kind: next.word(FieldType::parse)?,
            rule: next.word(MergeRule::parse)?,
            owner,
            is_protected: next.get()?,
        },
        source: match (next.get()?, next.get()?) {
            (Some(kind), Some(id)) => Some(source_ref(kind, id)?),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                return Err(Undecodable("the source is not whole".into()));
            }
        },
        at: next.time()?,
    };
    let seal = next.get()?;
    Ok(Sealed::new(make(field, next.change()?), seal, cover))
}

impl Record for Field {
    const TABLE: &'static str = "field";
    const NEXT: &'static str = "SELECT row FROM field WHERE row > ?1 ORDER BY row LIMIT 1";

    fn read(view: View<'_>, key: Key<'_>) -> Result<Sealed<Self>, Undecodable> {
        read_field(view, (FIELD, key), |field, _| field)
    }

    fn seal(&self) -> [u8; 16] {
        seal::of_field(self, None)
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }
}

impl Record for PastField {
    const TABLE: &'static str = "field_past";
    const NEXT: &'static str = "SELECT row FROM field_past WHERE row > ?1 ORDER BY row LIMIT 1";

    fn read(view: View<'_>, key: Key<'_>) -> Result<Sealed<Self>, Undecodable> {
        read_field(view, (PAST_FIELD, key), |field, until| Self {
            field,
            until,
        })
    }

    fn seal(&self) -> [u8; 16] {
        seal::of_field(&self.field, Some(self.until))
    }

    fn scope(&self) -> &Scope {
        &self.field.scope
    }
}

macro_rules! checkpoint_by {
    ($key:literal) => {
        concat!(
            "SELECT scope.path, session.name, checkpoint.id, cipher, kind, label, question, asked_for, answered_by, as_of,
    turns, length(bytes), hash, parent, answer, answered_at, at, checksum
    FROM checkpoint JOIN checkpoint_data ON checkpoint_data.row = checkpoint.data
    JOIN session ON session.row = checkpoint.session JOIN scope ON scope.row = session.scope WHERE checkpoint.",
            $key,
            " = ?1"
        )
    };
}

impl Record for KeptCheckpoint {
    const TABLE: &'static str = "checkpoint";
    const NEXT: &'static str = "SELECT row FROM checkpoint WHERE row > ?1 ORDER BY row LIMIT 1";

    fn read(view: View<'_>, key: Key<'_>) -> Result<Sealed<Self>, Undecodable> {
        let mut statement = view.prepare_cached(match key {
            Key::Row(_) => checkpoint_by!("row"),
            Key::Id(_) => checkpoint_by!("id"),
        })?;
        let mut rows = statement.query([key])?;
        let found = rows
            .next()?
            .ok_or_else(|| Undecodable("the row, its bytes or its session is gone".into()))?;
        decode_checkpoint(view.keys, found)
    }

    fn seal(&self) -> [u8; 16] {
        seal::of_checkpoint(&self.checkpoint, &self.hash)
    }

    fn scope(&self) -> &Scope {
        &self.checkpoint.scope
    }
}

impl Identified for KeptCheckpoint {
    const BY_ID: &'static str = "SELECT row FROM checkpoint WHERE id = ?1";
}

fn decode_checkpoint(keys: &Keys, row: &Row<'_>) -> Result<Sealed<KeptCheckpoint>, Undecodable> {
    let mut next = Columns::new(row);
    let path = next.text()?;
    let (scope, cover) = (Scope::from_json(path)?, keys.of(path));
    let session = SessionName::new(next.text()?)?;
    let id: [u8; 16] = next.get()?;
    let opened = next.open(&cover, &Binding::to("checkpoint", &id))?;
    let mut next = next.with(&opened);
    let (kind, label) = (next.some_content()?.to_owned(), next.own_content()?);
    let (question, asked_for) = (next.own_content()?, json(next.content()?)?);
    let by = next.own_content()?;
    let (as_of, turns) = (next.change()?, next.get()?);
    let (data_bytes, hash) = (cover.open_length(next.get()?), next.get()?);
    let parent: Option<[u8; 16]> = next.get()?;
    let answer = next.optional_text()?.map(Answer::parse).transpose()?;
    let answered = match (answer, next.optional_time()?) {
        (Some(answer), Some(at)) => Some(Answered { answer, by, at }),
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => {
            return Err(Undecodable("the answer is not whole".into()));
        }
    };
    let approval = question.map(|question| Approval {
        question,
        asked_for,
        answered,
    });
    let checkpoint = Checkpoint {
        id: CheckpointId::from_bytes(id),
        scope,
        session,
        as_of,
        turns,
        kind,
        data_bytes,
        parent: parent.map(CheckpointId::from_bytes),
        label,
        approval,
        at: next.time()?,
    };
    let kept = KeptCheckpoint { checkpoint, hash };
    Ok(Sealed::new(kept, next.get()?, cover))
}

impl Sessions for SqliteSnapshot<'_> {
    fn session(&self, scope: &Scope, name: &SessionName) -> Result<Option<SessionRow>, StoreError> {
        self.told(session(self.connection(), scope, name))?
            .transpose()
            .map_err(|why| StoreError::Damaged {
                place: format!("session {}", name.as_str()),
                why: why.0,
            })
    }

    fn fields(&self, query: FieldQuery<'_>) -> Result<Rows<Field>, StoreError> {
        self.told(fields(self.view(), query))
    }

    fn checkpoints(&self, query: CheckpointQuery<'_>) -> Result<Rows<Checkpoint>, StoreError> {
        self.told(checkpoints(self.view(), query))
    }

    fn checkpoint_data(
        &self,
        scope: &Scope,
        id: CheckpointId,
    ) -> Result<Rows<Vec<u8>>, StoreError> {
        self.told(checkpoint_data(self.view(), (scope, id)))
    }
}

const SESSION: &str =
    "SELECT session.mode, from_session.name, session.forked_turns, session.forked_at,
    max((SELECT coalesce(max(position) + 1, 0) FROM turn WHERE turn.session = session.row),
    coalesce(session.next_position, 0), coalesce(session.forked_turns, 0))
    FROM session LEFT JOIN session AS from_session ON from_session.row = session.forked_from
    WHERE session.row = ?1";

type Decoded<T> = Option<Result<T, Undecodable>>;

fn session(
    connection: &Connection,
    scope: &Scope,
    name: &SessionName,
) -> rusqlite::Result<Decoded<SessionRow>> {
    let Some(row) = find_session(connection, scope, name)? else {
        return Ok(None);
    };
    connection
        .prepare_cached(SESSION)?
        .query_row([row], |row| Ok(read_session(row)))
        .optional()
}

fn read_session(row: &Row<'_>) -> Result<SessionRow, Undecodable> {
    let mut next = Columns::new(row);
    let mode = next.optional_text()?.map(Mode::parse).transpose()?;
    let from = next.optional_text()?.map(SessionName::new).transpose()?;
    let (turns, checkpoint): (Option<u32>, Option<[u8; 16]>) = (next.get()?, next.get()?);
    let forked_from = match (from, turns, checkpoint) {
        (Some(session), Some(turns), Some(checkpoint)) => Some(ForkPoint {
            session,
            turns,
            checkpoint: CheckpointId::from_bytes(checkpoint),
        }),
        (None, None, None) => None,
        _ => return Err(Undecodable("where it goes on from is not whole".into())),
    };
    Ok(SessionRow {
        mode: mode.unwrap_or_default(),
        forked_from,
        turns: next.get()?,
    })
}

fn fields(view: View<'_>, query: FieldQuery<'_>) -> rusqlite::Result<Rows<Field>> {
    let mut found = Rows::default();
    let (FieldQuery::Board { scope, session }
    | FieldQuery::Named { scope, session, .. }
    | FieldQuery::AsOf { scope, session, .. }
    | FieldQuery::Versions { scope, session }
    | FieldQuery::Changed { scope, session, .. }) = query;
    let Some(board) = find_session(view.connection, scope, session)? else {
        return Ok(found);
    };
    let is_of_board = |field: &Field| field.scope == *scope && field.session == *session;
    let live = match query {
        FieldQuery::Board { .. } => locate::fields_of_board(view.connection, board)?,
        FieldQuery::Named { name, .. } => locate::field_by_name(view.connection, board, name)?
            .into_iter()
            .collect(),
        FieldQuery::AsOf { change, .. } => {
            for row in locate::past_fields_as_of(view.connection, board, change)? {
                let past = fetch(view, row, |past: &PastField| is_of_board(&past.field));
                sort_in(&mut found, past.map(|past| past.field));
            }
            locate::fields_as_of(view.connection, board, change)?
        }
        FieldQuery::Versions { .. } => {
            for row in locate::past_fields(view.connection, board)? {
                let past = fetch(view, row, |past: &PastField| is_of_board(&past.field));
                sort_in(&mut found, past.map(|past| past.field));
            }
            locate::fields(view.connection, board)?
        }
        FieldQuery::Changed { after, limit, .. } => {
            locate::changed_fields(view.connection, board, after, limit)?
        }
    };
    for row in live {
        sort_in(&mut found, fetch(view, row, is_of_board));
    }
    if !matches!(query, FieldQuery::Changed { .. }) {
        found
            .rows
            .sort_by(|a, b| (&a.name, a.change).cmp(&(&b.name, b.change)));
    }
    Ok(found)
}

fn checkpoints(view: View<'_>, query: CheckpointQuery<'_>) -> rusqlite::Result<Rows<Checkpoint>> {
    let mut found = Rows::default();
    match query {
        CheckpointQuery::Id { scope, id } => {
            if let Some(kept) = kept_checkpoint(view, scope, id)? {
                sort_in(&mut found, kept.map(|kept| kept.checkpoint));
            }
        }
        CheckpointQuery::Newest {
            scope,
            session,
            limit,
        } => {
            let Some(row) = find_session(view.connection, scope, session)? else {
                return Ok(found);
            };
            for row in locate::newest_checkpoints(view.connection, row, limit)? {
                let kept = fetch(view, row, |kept: &KeptCheckpoint| {
                    kept.checkpoint.scope == *scope && kept.checkpoint.session == *session
                });
                sort_in(&mut found, kept.map(|kept| kept.checkpoint));
            }
        }
    }
    Ok(found)
}

/// The checkpoint with this id, if it is in the scope, or what is wrong with it.
fn kept_checkpoint(
    view: View<'_>,
    scope: &Scope,
    id: CheckpointId,
) -> rusqlite::Result<Option<Result<KeptCheckpoint, Damage>>> {
    let Some(row) = locate::by_id::<KeptCheckpoint>(view.connection, id.as_bytes())? else {
        return Ok(None);
    };
    let kept = fetch(view, row, |kept: &KeptCheckpoint| kept.checkpoint.id == id);
    Ok(match kept {
        Ok(kept) if kept.checkpoint.scope != *scope => None,
        kept => Some(kept),
    })
}

fn checkpoint_data(
    view: View<'_>,
    (scope, id): (&Scope, CheckpointId),
) -> rusqlite::Result<Rows<Vec<u8>>> {
    let mut found = Rows::default();
    if let Some(kept) = kept_checkpoint(view, scope, id)? {
        let data = kept.and_then(|kept| {
            read_data(view, &kept).map_err(|why| Damage {
                record: format!("checkpoint {id}"),
                why: why.0,
            })
        });
        sort_in(&mut found, data);
    }
    Ok(found)
}

fn read_data(view: View<'_>, kept: &KeptCheckpoint) -> Result<Vec<u8>, Undecodable> {
    let sql =
        "SELECT bytes FROM checkpoint JOIN checkpoint_data ON checkpoint_data.row = checkpoint.data
        WHERE checkpoint.id = ?1";
    let bytes: Vec<u8> = view
        .prepare_cached(sql)?
        .query_row([kept.checkpoint.id.as_bytes()], |row| row.get(0))?;
    let cover = view.keys.of(&kept.checkpoint.scope.to_json());
    let bytes = cover.open_bytes(&data_binding(&kept.hash), bytes)?;
    if seal::of_data(cover.hashes(view.keys.secret()), &bytes) != kept.hash {
        return Err(Undecodable("its bytes do not fit their hash".into()));
    }
    Ok(bytes)
}

/// What is wrong with the bytes of any checkpoint.
pub(super) fn check_data(view: View<'_>) -> rusqlite::Result<Vec<Damage>> {
    let mut statement = view.prepare(
        "SELECT checkpoint_data.row, path, hash, bytes FROM checkpoint_data
        LEFT JOIN scope ON scope.row = checkpoint_data.scope",
    )?;
    let mut rows = statement.query([])?;
    let mut problems = Vec::new();
    while let Some(row) = rows.next()? {
        let mut next = Columns::new(row);
        let number: i64 = next.get().unwrap_or_default();
        if !is_sound_data(view.keys, &mut next).unwrap_or(false) {
            problems.push(Damage {
                record: format!("checkpoint_data in row {number}"),
                why: "the bytes do not fit their hash".into(),
            });
        }
    }
    Ok(problems)
}

fn is_sound_data(keys: &Keys, next: &mut Columns<'_>) -> Result<bool, Undecodable> {
    let cover = keys.of(next.text()?);
    let hash: [u8; 16] = next.get()?;
    let bytes = cover.open_bytes(&data_binding(&hash), next.get()?)?;
    Ok(seal::of_data(cover.hashes(keys.secret()), &bytes) == hash)
}

/// Whether a session can be read.
pub(super) fn is_sound(connection: &Connection, row: i64) -> bool {
    let read = connection
        .prepare_cached(SESSION)
        .and_then(|mut session| session.query_row([row], |row| Ok(read_session(row).is_ok())));
    read.unwrap_or(false)
}

/// What is wrong with any session besides its turns.
pub(super) fn check_sessions(connection: &Connection) -> rusqlite::Result<Vec<Damage>> {
    let mut statement = connection.prepare("SELECT row FROM session ORDER BY row")?;
    let rows: Vec<i64> = statement
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut problems = Vec::new();
    for row in rows {
        let read = connection
            .prepare_cached(SESSION)?
            .query_row(params![row], |found| Ok(read_session(found)));
        let why = match read {
            Ok(session) => session.err().map(|why| why.0),
            Err(error) => Some(words(&error)),
        };
        problems.extend(why.map(|why| Damage {
            record: format!("session in row {row}"),
            why,
        }));
    }
    Ok(problems)
}
