//! Modes, boards and checkpoints.

use memoriter_core::board::Field;
use memoriter_core::checkpoint::{Approval, Checkpoint};
use memoriter_core::id::{ChangeNumber, CheckpointId};
use memoriter_core::scope::Scope;
use memoriter_core::session::Mode;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::SessionName;
use rusqlite::{OptionalExtension, params};

use super::super::super::check::check_board;
use super::super::content::{cover_checkpoint, cover_field, data_binding};
use super::super::fault::{Failure, is_taken};
use super::super::fetch::fetch;
use super::super::keys::Cover;
use super::super::locate::by_id;
use super::super::seal;
use super::super::sessions::KeptCheckpoint;
use super::memory::source_columns;
use super::{FeedEntry, RecordKind, Transaction, find_session, signed};
use crate::error::StoreError;
use crate::store::{Damage, NewAnswer, NewCheckpoint, NewFork, Outcome};

const PUT: &str = "INSERT INTO field (session, name, change, revision, type, rule, owner, protected, source_kind, source,
    actor, at, checksum, value, cipher) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
    ON CONFLICT (session, name) DO UPDATE SET change = excluded.change, revision = excluded.revision,
    type = excluded.type, rule = excluded.rule, owner = excluded.owner, protected = excluded.protected,
    source_kind = excluded.source_kind, source = excluded.source, actor = excluded.actor, at = excluded.at,
    checksum = excluded.checksum, value = excluded.value, cipher = excluded.cipher RETURNING row";

const KEEP_PAST: &str = "INSERT INTO field_past (field, until, change, revision, type, rule, owner, protected, source_kind,
    source, actor, at, checksum, value, cipher) SELECT row, ?2, change, revision, type, rule, owner, protected, source_kind,
    source, actor, at, ?3, value, cipher FROM field WHERE row = ?1";

const SAVE: &str = "INSERT INTO checkpoint (session, as_of, turns, kind, data, parent, label, question, asked_for, at, id,
    checksum, cipher) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";

/// Bytes that are there already are the same, unless they are damaged.
const KEEP_DATA: &str = "INSERT INTO checkpoint_data (scope, hash, bytes) VALUES (?1, ?2, ?3)
    ON CONFLICT (scope, hash) DO UPDATE SET bytes = excluded.bytes WHERE checkpoint_data.bytes IS NOT excluded.bytes";

/// What no checkpoint of the session needs any more.
const LET_PAST_GO: &str = "DELETE FROM field_past WHERE field IN (SELECT row FROM field WHERE session = ?1)
    AND NOT EXISTS (SELECT 1 FROM checkpoint WHERE checkpoint.session = ?1 AND as_of >= field_past.change
    AND as_of < field_past.until)";

impl Transaction<'_> {
    pub(super) fn put_field(
        &mut self,
        field: &Field,
        read_at: Option<ChangeNumber>,
    ) -> Result<Outcome, Failure> {
        let (scope, cover) = (self.scope_row(&field.scope)?, self.cover(&field.scope));
        let session = self.session_row(scope, &field.session)?;
        let known: Option<(i64, i64, bool)> = self
            .connection
            .prepare_cached(
                "SELECT row, change, value IS NOT NULL FROM field WHERE session = ?1 AND name = ?2",
            )?
            .query_row(params![session, field.name], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .optional()?;
        let known_at = known.map(|(_, change, _)| change);
        if known_at != read_at.map(signed) {
            return Err(Failure::Refused(StoreError::FieldConflict {
                session: field.session.as_str().to_owned(),
                field: field.name.clone(),
            }));
        }
        let is_live = known.is_some_and(|(_, _, is_live)| is_live);
        if field.value.is_some() && !is_live {
            self.check_room(session, known.is_some())?;
        }
        let change = self.next_change();
        if let Some((row, from, true)) = known {
            self.keep_past((session, &cover), (row, from), change)?;
        }
        let changed = Field {
            change,
            ..field.clone()
        };
        let row = self.insert_field(session, &changed, &cover)?;
        let entry = FeedEntry {
            scope,
            change,
            kind: RecordKind::Field,
            row,
        };
        match known_at {
            Some(from) => self.move_in_feed(entry, from)?,
            None => self.add_to_feed(entry)?,
        }
        Ok(Outcome::Changed(change))
    }

    fn insert_field(&self, session: i64, field: &Field, cover: &Cover) -> rusqlite::Result<i64> {
        let value = field.to_json();
        let covered = cover_field(cover, field, value.as_deref());
        let [owner, actor, value] = covered.shown;
        let source = field.source.as_ref().map(source_columns);
        self.connection.prepare_cached(PUT)?.query_row(
            params![
                session,
                field.name,
                signed(field.change),
                field.revision,
                field.terms.kind.as_str(),
                field.terms.rule.as_str(),
                owner,
                field.terms.is_protected,
                source.map(|(kind, _)| kind.code()),
                source.map(|(_, id)| id),
                actor,
                field.at.as_micros(),
                cover.fingerprint(seal::of_field(field, None)),
                value,
                covered.cipher,
            ],
            |row| row.get(0),
        )
    }

    fn check_room(&self, session: i64, is_known: bool) -> Result<(), Failure> {
        let (names, live) = self
            .connection
            .prepare_cached("SELECT count(*), count(value) FROM field WHERE session = ?1")?
            .query_row([session], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(check_board(live, names, is_known)?)
    }

    /// Keeps what a field was, if a checkpoint needs it.
    fn keep_past(
        &self,
        (session, cover): (i64, &Cover),
        (row, from): (i64, i64),
        until: ChangeNumber,
    ) -> Result<(), Failure> {
        let newest: Option<i64> = self
            .connection
            .prepare_cached("SELECT max(as_of) FROM checkpoint WHERE session = ?1")?
            .query_row([session], |row| row.get(0))?;
        if newest.is_none_or(|as_of| as_of < from) {
            return Ok(());
        }
        // Its new checksum must not hide that it is damaged.
        let field = fetch(self.view(), row, |_: &Field| true).map_err(damaged)?;
        self.connection.prepare_cached(KEEP_PAST)?.execute(params![
            row,
            signed(until),
            cover.fingerprint(seal::of_field(&field, Some(until)))
        ])?;
        Ok(())
    }

    pub(super) fn set_mode(
        &mut self,
        scope: &Scope,
        name: &SessionName,
        mode: Mode,
    ) -> rusqlite::Result<Outcome> {
        let scope = self.scope_row(scope)?;
        let row = self.session_row(scope, name)?;
        let from: Option<i64> = self
            .connection
            .prepare_cached("SELECT change FROM session WHERE row = ?1")?
            .query_row([row], |row| row.get(0))?;
        let change = self.next_change();
        self.connection
            .prepare_cached("UPDATE session SET mode = ?2, change = ?3 WHERE row = ?1")?
            .execute(params![row, mode.as_str(), signed(change)])?;
        let entry = FeedEntry {
            scope,
            change,
            kind: RecordKind::Session,
            row,
        };
        match from {
            Some(from) => self.move_in_feed(entry, from)?,
            None => self.add_to_feed(entry)?,
        }
        Ok(Outcome::Changed(change))
    }

    pub(super) fn fork(&self, new: &NewFork) -> Result<Outcome, Failure> {
        let scope = self.scope_row(&new.scope)?;
        let from = self.session_row(scope, &new.from.session)?;
        if find_session(self.connection, &new.scope, &new.session)?.is_some() {
            return Err(Failure::Refused(StoreError::SessionExists {
                name: new.session.as_str().to_owned(),
            }));
        }
        self.connection
            .prepare_cached(
                "INSERT INTO session (scope, name, mode, forked_from, forked_turns, forked_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                scope,
                new.session.as_str(),
                new.mode.as_str(),
                from,
                new.from.turns,
                new.from.checkpoint.as_bytes(),
            ])?;
        Ok(Outcome::Noted)
    }

    pub(super) fn skip_positions(
        &self,
        (scope, name): (&Scope, &SessionName),
        turns: u32,
    ) -> rusqlite::Result<Outcome> {
        let scope = self.scope_row(scope)?;
        let session = self.session_row(scope, name)?;
        let next = self.next_position(session)?.saturating_add(turns);
        self.connection
            .prepare_cached(
                "UPDATE session SET erased_turns = coalesce(erased_turns, 0) + ?2, next_position = ?3
                WHERE row = ?1",
            )?
            .execute(params![session, turns, next])?;
        Ok(Outcome::Noted)
    }

    pub(super) fn save(&self, new: &NewCheckpoint) -> Result<Outcome, Failure> {
        let cover = self.cover(&new.checkpoint.scope);
        let scope = self.scope_row(&new.checkpoint.scope)?;
        let session = self.session_row(scope, &new.checkpoint.session)?;
        let checkpoint = new.kept(self.head, self.next_position(session)?);
        let hash = seal::of_data(cover.hashes(self.keys.secret()), &new.data);
        let kept = cover.cover_bytes(&data_binding(&hash), &new.data);
        let data = self.keep_data(scope, &hash, &kept)?;
        let asked_for = asked_for(&checkpoint);
        let covered = cover_checkpoint(&cover, &checkpoint, asked_for.as_deref());
        let [kind, label, question, asked_for, _] = covered.shown;
        let saved = self.connection.prepare_cached(SAVE)?.execute(params![
            session,
            signed(checkpoint.as_of),
            checkpoint.turns,
            kind,
            data,
            checkpoint.parent.as_ref().map(CheckpointId::as_bytes),
            label,
            question,
            asked_for,
            checkpoint.at.as_micros(),
            checkpoint.id.as_bytes(),
            cover.fingerprint(seal::of_checkpoint(&checkpoint, &hash)),
            covered.cipher,
        ]);
        match saved {
            Ok(_) => Ok(Outcome::Saved(Box::new(checkpoint))),
            Err(error) if is_taken(&error) => Err(Failure::Refused(StoreError::CheckpointExists {
                id: checkpoint.id,
            })),
            Err(error) => Err(error.into()),
        }
    }

    fn keep_data(&self, scope: i64, hash: &[u8; 16], bytes: &[u8]) -> rusqlite::Result<i64> {
        self.connection
            .prepare_cached(KEEP_DATA)?
            .execute(params![scope, hash, bytes])?;
        self.connection
            .prepare_cached("SELECT row FROM checkpoint_data WHERE scope = ?1 AND hash = ?2")?
            .query_row(params![scope, hash], |row| row.get(0))
    }

    pub(super) fn answer(&self, new: &NewAnswer) -> Result<Outcome, Failure> {
        let id = new.checkpoint;
        let missing = || StoreError::NoSuchCheckpoint { id };
        let row = by_id::<KeptCheckpoint>(self.connection, id.as_bytes())?.ok_or_else(missing)?;
        let KeptCheckpoint {
            mut checkpoint,
            hash,
        } = fetch(self.view(), row, |kept: &KeptCheckpoint| {
            kept.checkpoint.id == id
        })
        .map_err(damaged)?;
        if checkpoint.scope != new.scope {
            return Err(missing().into());
        }
        let Some(Approval {
            answered: answered @ None,
            ..
        }) = &mut checkpoint.approval
        else {
            return Err(StoreError::NotAsked { id }.into());
        };
        *answered = Some(new.answered.clone());
        let cover = self.keys.of(&new.scope.to_json());
        let asked_for = asked_for(&checkpoint);
        let covered = cover_checkpoint(&cover, &checkpoint, asked_for.as_deref());
        let [_, _, _, _, by] = covered.shown;
        self.connection
            .prepare_cached(
                "UPDATE checkpoint SET answer = ?2, answered_by = ?3, answered_at = ?4, checksum = ?5, cipher = ?6
                WHERE row = ?1",
            )?
            .execute(params![
                row,
                new.answered.answer.as_str(),
                by,
                Timestamp::as_micros(new.answered.at),
                cover.fingerprint(seal::of_checkpoint(&checkpoint, &hash)),
                covered.cipher,
            ])?;
        Ok(Outcome::Noted)
    }

    pub(super) fn remove_checkpoints(
        &self,
        (scope, session): (&Scope, &SessionName),
        ids: &[CheckpointId],
    ) -> rusqlite::Result<Outcome> {
        let Some(session) = find_session(self.connection, scope, session)? else {
            return Ok(Outcome::Noted);
        };
        for id in ids {
            let data: Option<i64> = self
                .connection
                .prepare_cached(
                    "DELETE FROM checkpoint WHERE id = ?1 AND session = ?2 RETURNING data",
                )?
                .query_row(params![id.as_bytes(), session], |row| row.get(0))
                .optional()?;
            if let Some(data) = data {
                self.connection
                    .prepare_cached(
                        "DELETE FROM checkpoint_data WHERE row = ?1
                        AND NOT EXISTS (SELECT 1 FROM checkpoint WHERE data = ?1)",
                    )?
                    .execute([data])?;
            }
        }
        self.connection
            .prepare_cached(LET_PAST_GO)?
            .execute([session])?;
        Ok(Outcome::Noted)
    }
}

/// What a person is asked for, as it is kept.
fn asked_for(checkpoint: &Checkpoint) -> Option<String> {
    let asked_for = checkpoint.approval.as_ref()?.asked_for.as_ref()?;
    Some(asked_for.to_string())
}

fn damaged(damage: Damage) -> StoreError {
    StoreError::Damaged {
        place: damage.record,
        why: damage.why,
    }
}
