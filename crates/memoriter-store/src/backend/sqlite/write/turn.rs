//! Appending turns, and taking them out of use.

use memoriter_core::forget::turn_mark;
use memoriter_core::id::TurnId;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{SessionName, Turn};
use rusqlite::{OptionalExtension, Row, params};

use super::super::content::{TurnContent, TurnTexts, turn_binding, turn_content};
use super::super::decode::{Columns, Undecodable};
use super::super::fault::Failure;
use super::super::fetch::fetch;
use super::super::keys::{Cover, Keys};
use super::super::locate::by_id;
use super::super::seal;
use super::vector::Entry;
use super::{FeedEntry, RecordKind, Transaction, find_scope, signed};
use crate::error::StoreError;
use crate::store::{Appended, NewTurn, Outcome};

impl Transaction<'_> {
    pub(super) fn append_turn(&mut self, new: &NewTurn) -> Result<Appended, Failure> {
        if let Some(known) = self.find_turn(new.id)? {
            let appended = known.compare(new).map_err(Failure::Refused)?;
            return if self.has_attachments(known.row, &new.attachments)? {
                Ok(appended)
            } else {
                Err(Failure::Refused(conflict(new)))
            };
        }
        let (scope, cover) = (self.scope_row(&new.scope)?, self.cover(&new.scope));
        if self.is_erased(scope, new.id)? {
            return Ok(Appended::Erased);
        }
        let session = self.session_row(scope, &new.session)?;
        let position = self.next_position(session)?;
        let change = self.next_change();
        let turn = Turn {
            id: new.id,
            scope: new.scope.clone(),
            session: new.session.clone(),
            position,
            message: new.message.clone(),
            recorded_at: new.recorded_at,
            retired_at: None,
            change,
        };
        let row = self.insert_turn(session, &turn, &cover)?;
        let entry = Entry {
            scope,
            kind: RecordKind::Turn,
            row,
            id: turn.id.as_bytes(),
            cover: &cover,
        };
        self.add_embedding(entry, new.vector.as_ref())?;
        if !new.attachments.is_empty() {
            self.add_attachments((row, &turn, &cover), &new.attachments)?;
        }
        self.add_to_feed(FeedEntry {
            scope,
            change,
            kind: RecordKind::Turn,
            row,
        })?;
        if let Some(due_at) = new.extract_at {
            self.queue_extraction(&[new.id], due_at)?;
        }
        Ok(Appended::New { position, change })
    }

    pub(super) fn retire_turns(
        &mut self,
        scope: &Scope,
        ids: &[TurnId],
        at: Timestamp,
    ) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Noted;
        let Some(scope_row) = find_scope(self.connection, &scope.to_json())? else {
            return Ok(outcome);
        };
        let cover = self.keys.of(&scope.to_json());
        for id in ids {
            let Some(row) = by_id::<Turn>(self.connection, id.as_bytes())? else {
                continue;
            };
            // Its new checksum must not hide that it is damaged.
            let turn = fetch(self.view(), row, |turn: &Turn| turn.id == *id).map_err(|damage| {
                StoreError::Damaged {
                    place: damage.record,
                    why: damage.why,
                }
            })?;
            if turn.scope != *scope || turn.retired_at.is_some() {
                continue;
            }
            let (from, change) = (signed(turn.change), self.next_change());
            let (retired_at, position) = (Some(at), turn.position);
            let seal = cover.fingerprint(seal::of_turn(&Turn { retired_at, ..turn }));
            let session = self
                .connection
                .prepare_cached(
                    "UPDATE turn SET change = ?1, retired_at = ?2, checksum = ?3 WHERE row = ?4 RETURNING session",
                )?
                .query_row(params![signed(change), at.as_micros(), seal, row], |row| {
                    row.get(0)
                })?;
            self.drop_spans(session, position)?;
            let entry = FeedEntry {
                scope: scope_row,
                change,
                kind: RecordKind::Turn,
                row,
            };
            self.move_in_feed(entry, from)?;
            outcome = Outcome::Changed(change);
        }
        Ok(outcome)
    }

    fn find_turn(&self, id: TurnId) -> Result<Option<KnownTurn>, Failure> {
        let sql = concat!(
            "SELECT scope.path, ",
            turn_content!(),
            ", session.name, turn.role, turn.row FROM turn
            JOIN session ON session.row = turn.session JOIN scope ON scope.row = session.scope WHERE turn.id = ?1"
        );
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([id.as_bytes()])?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        let known = KnownTurn::read(self.keys, id, row);
        known.map(Some).map_err(|why| {
            Failure::Refused(StoreError::Damaged {
                place: format!("turn {id}"),
                why: why.0,
            })
        })
    }

    /// Whether the turn was erased before.
    fn is_erased(&self, scope: i64, id: TurnId) -> rusqlite::Result<bool> {
        let mark = seal::of_mark(self.keys.secret(), &turn_mark(id));
        self.connection
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM tombstone WHERE scope = ?1 AND mark = ?2)",
            )?
            .query_row(params![scope, mark], |row| row.get(0))
    }

    pub(super) fn session_row(&self, scope: i64, name: &SessionName) -> rusqlite::Result<i64> {
        let found = self
            .connection
            .prepare_cached("SELECT row FROM session WHERE scope = ?1 AND name = ?2")?
            .query_row(params![scope, name.as_str()], |row| row.get(0))
            .optional()?;
        match found {
            Some(row) => Ok(row),
            None => self
                .connection
                .prepare_cached("INSERT INTO session (scope, name) VALUES (?1, ?2)")?
                .insert(params![scope, name.as_str()]),
        }
    }

    /// The position of the next turn: how many there were, with those that the session goes on from.
    pub(super) fn next_position(&self, session: i64) -> rusqlite::Result<u32> {
        self.connection
            .prepare_cached(
                "SELECT max(coalesce((SELECT max(position) + 1 FROM turn WHERE session = ?1), 0),
                coalesce(next_position, 0), coalesce(forked_turns, 0)) FROM session WHERE row = ?1",
            )?
            .query_row([session], |row| row.get(0))
    }

    fn insert_turn(&self, session: i64, turn: &Turn, cover: &Cover) -> rusqlite::Result<i64> {
        let message = &turn.message;
        let texts = TurnTexts::of(message);
        let covered = texts.cover(cover, turn);
        let [
            speaker,
            content,
            tool_calls,
            tool_call_id,
            metadata,
            written,
        ] = covered.shown;
        self.connection.prepare_cached(INSERT)?.insert(params![
            signed(turn.change),
            session,
            turn.position,
            message.role.as_str(),
            speaker,
            content,
            tool_calls,
            tool_call_id,
            message.origin.as_str(),
            message.at.instant.as_micros(),
            message.at.offset_seconds,
            metadata,
            turn.recorded_at.as_micros(),
            turn.id.as_bytes(),
            cover.fingerprint(seal::of_turn(turn)),
            written,
            covered.cipher,
        ])
    }
}

const INSERT: &str =
    "INSERT INTO turn (change, session, position, role, speaker, content, tool_calls,
    tool_call_id, origin, at, at_offset, metadata, recorded_at, id, checksum, written, cipher)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";

/// The part of a stored turn by which a repeated append is known.
struct KnownTurn {
    scope: String,
    session: String,
    role: String,
    content: String,
    row: i64,
}

impl KnownTurn {
    fn read(keys: &Keys, id: TurnId, row: &Row<'_>) -> Result<Self, Undecodable> {
        let mut next = Columns::new(row);
        let scope = next.text()?;
        let opened = next.open(&keys.of(scope), &turn_binding(id.as_bytes()))?;
        let mut next = next.with(&opened);
        let content = TurnContent::read(&mut next)?;
        Ok(Self {
            scope: scope.to_owned(),
            content: content.content.to_owned(),
            session: next.get()?,
            role: next.get()?,
            row: next.get()?,
        })
    }

    fn compare(&self, new: &NewTurn) -> Result<Appended, StoreError> {
        let same_place = self.scope == new.scope.to_json() && self.session == new.session.as_str();
        let same_words =
            self.role == new.message.role.as_str() && self.content == new.message.content;
        if same_place && same_words {
            return Ok(Appended::Known);
        }
        Err(conflict(new))
    }
}

fn conflict(new: &NewTurn) -> StoreError {
    StoreError::TurnConflict {
        id: new.id,
        session: new.session.as_str().to_owned(),
    }
}
