//! Short-term memory: the log of turns.

use std::collections::HashMap;

use memoriter_core::access::Right;
use memoriter_core::error::InvalidInput;
use memoriter_core::id::TurnId;
use memoriter_core::session::Mode;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{Message, SessionName, TURN_BYTES_MAX, Turn};
use memoriter_store::{
    Appended, Committed, NewTurn, Outcome, Rows, SessionSummary, TurnQuery, Write,
};

use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::prepared::Prepared;

/// Turns that are committed together.
const BATCH_TURNS: usize = 1_000;

/// What tells a turn from others of its session, so that appending it twice adds it once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnKey {
    /// The caller's own id.
    Given(String),
    /// The place in the caller's list, together with role and text.
    At(u64),
}

/// A turn to append.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnDraft {
    /// The conversation; made when it is not there.
    pub session: SessionName,
    /// What tells the turn from others.
    pub key: TurnKey,
    /// What was said.
    pub message: Message,
}

/// A turn of the log, whether it came with this call or was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AppendedTurn {
    /// Its id.
    pub id: TurnId,
    /// Whether this call added it.
    pub is_new: bool,
    /// Whether it was erased before: it is passed over and does not come back.
    pub was_erased: bool,
}

impl ScopedMemory {
    /// Appends turns, each at the end of its session, in order. Durable when it returns. What is there
    /// already is left as it is, so that the same call twice changes nothing. Every thousand turns are one
    /// unit: committed together or not at all.
    ///
    /// # Errors
    /// When a turn breaks a limit, or one with its key is there and says something else, or the embedder or
    /// store fails; units before the failing one stay.
    pub fn append(
        &self,
        turns: impl IntoIterator<Item = TurnDraft>,
    ) -> Result<Vec<AppendedTurn>, Error> {
        self.may(Right::Write)?;
        self.append_due(turns, None)
    }

    /// Appends turns; new ones are queued to be read when `extract_at` has come, if it is given.
    pub(crate) fn append_due(
        &self,
        turns: impl IntoIterator<Item = TurnDraft>,
        extract_at: Option<Timestamp>,
    ) -> Result<Vec<AppendedTurn>, Error> {
        let turns = turns.into_iter();
        let prepared = turns.map(|turn| self.prepared(turn, TURN_BYTES_MAX));
        self.append_prepared(prepared, extract_at)
    }

    /// The same with turns that are masked.
    pub(crate) fn append_prepared(
        &self,
        turns: impl IntoIterator<Item = Result<Prepared, InvalidInput>>,
        extract_at: Option<Timestamp>,
    ) -> Result<Vec<AppendedTurn>, Error> {
        let mut appended = Vec::new();
        let mut turns = turns.into_iter().peekable();
        while turns.peek().is_some() {
            let batch: Vec<Prepared> =
                turns.by_ref().take(BATCH_TURNS).collect::<Result<_, _>>()?;
            appended.extend(self.append_batch(batch, extract_at)?);
        }
        Ok(appended)
    }

    /// The place of the first of these turns that [`ScopedMemory::append`] refuses, because one with its key is
    /// there, or stands before it in the list, and says something else.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn first_conflict<'a>(
        &self,
        turns: impl IntoIterator<Item = &'a TurnDraft>,
    ) -> Result<Option<usize>, Error> {
        self.may(Right::Read)?;
        // The id of a turn without a key of its own stands for its words.
        let guarded = turns
            .into_iter()
            .enumerate()
            .filter(|(_, turn)| matches!(turn.key, TurnKey::Given(_)))
            .map(|(place, turn)| Ok((place, self.prepared(turn.clone(), TURN_BYTES_MAX)?.turn)));
        let guarded: Vec<(usize, TurnDraft)> = guarded.collect::<Result<_, InvalidInput>>()?;
        let given: Vec<(usize, TurnId, &Message)> = guarded
            .iter()
            .map(|(place, turn)| (*place, self.turn_id(turn), &turn.message))
            .collect();
        let ids: Vec<TurnId> = given.iter().map(|(_, id, _)| *id).collect();
        let query = TurnQuery::Ids {
            scopes: std::slice::from_ref(&self.scope),
            ids: &ids,
        };
        let kept = self.engine.store.snapshot()?.turns(query)?.rows;
        let mut said: HashMap<TurnId, &Message> =
            kept.iter().map(|turn| (turn.id, &turn.message)).collect();
        for (place, id, message) in given {
            let first = said.entry(id).or_insert(message);
            if (first.role, &first.content) != (message.role, &message.content) {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    fn append_batch(
        &self,
        batch: Vec<Prepared>,
        extract_at: Option<Timestamp>,
    ) -> Result<Vec<AppendedTurn>, Error> {
        let now = self.engine.clock.now();
        let checked = |prepared: &Prepared| prepared.turn.message.check();
        batch.iter().try_for_each(checked)?;
        // Only what is to be read is asked about.
        let to_read = batch.iter().filter(|_| extract_at.is_some());
        let modes = self.modes_of(to_read.map(|new| &new.turn.session))?;
        let messages: Vec<&Message> = batch.iter().map(|new| &new.turn.message).collect();
        let vectors = self.engine.embed_messages(&messages)?;
        let ids: Vec<TurnId> = batch.iter().map(|new| self.turn_id(&new.turn)).collect();
        let writes = batch
            .into_iter()
            .zip(vectors)
            .zip(&ids)
            .map(|((prepared, vector), id)| {
                let Prepared { turn, attachments } = prepared;
                let TurnDraft {
                    session, message, ..
                } = turn;
                let is_read = modes.get(&session) == Some(&Mode::Full);
                Write::AppendTurn(Box::new(NewTurn {
                    id: *id,
                    scope: self.scope.clone(),
                    session,
                    message,
                    recorded_at: now,
                    vector,
                    extract_at: extract_at.filter(|_| is_read),
                    attachments,
                }))
            });
        let Committed { outcomes, .. } = self.engine.commit(writes.collect())?;
        self.engine.complete_in_passing();
        let is_new = |outcome: &Outcome| matches!(outcome, Outcome::Turn(Appended::New { .. }));
        Ok(ids
            .into_iter()
            .zip(&outcomes)
            .map(|(id, outcome)| AppendedTurn {
                id,
                is_new: is_new(outcome),
                was_erased: *outcome == Outcome::Turn(Appended::Erased),
            })
            .collect())
    }

    /// An id that no other turn has, also none that was erased: the key of what is said now and comes once.
    #[must_use]
    pub fn new_id(&self) -> String {
        self.engine.new_id()
    }

    pub(crate) fn turn_id(&self, turn: &TurnDraft) -> TurnId {
        let scope = self.scope.to_json();
        let session = turn.session.as_str().as_bytes();
        let secret = self.engine.store.secret();
        match &turn.key {
            TurnKey::Given(key) => TurnId::derive(
                secret,
                &[b"given", scope.as_bytes(), session, key.as_bytes()],
            ),
            TurnKey::At(position) => {
                let role = turn.message.role.as_str().as_bytes();
                let content = turn.message.content.as_bytes();
                TurnId::derive(
                    secret,
                    &[
                        b"at",
                        scope.as_bytes(),
                        session,
                        &position.to_le_bytes(),
                        role,
                        content,
                    ],
                )
            }
        }
    }

    /// The sessions of this scope, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionSummary>, Error> {
        self.may(Right::Read)?;
        Ok(self.engine.store.snapshot()?.sessions(&self.scope)?)
    }

    /// A run of a session's turns in order, from a position on.
    ///
    /// # Errors
    /// [`Error::NoSuchSession`], or when the store cannot be read.
    pub fn turns(
        &self,
        session: &SessionName,
        from: u32,
        limit: usize,
    ) -> Result<Rows<Turn>, Error> {
        self.may(Right::Read)?;
        let snapshot = self.engine.store.snapshot()?;
        let rows = snapshot.turns(TurnQuery::Session {
            scope: &self.scope,
            session,
            from,
            limit,
        })?;
        let is_empty = |rows: &Rows<Turn>| rows.rows.is_empty() && rows.damaged.is_empty();
        if is_empty(&rows) && snapshot.session(&self.scope, session)?.is_none() {
            return Err(Error::NoSuchSession {
                name: session.as_str().to_owned(),
            });
        }
        Ok(rows)
    }

    /// The latest `limit` turns of a session before a position (`u32::MAX`: of all of it), in order.
    ///
    /// # Errors
    /// As [`ScopedMemory::turns`].
    pub fn turns_up_to(
        &self,
        session: &SessionName,
        position: u32,
        limit: usize,
    ) -> Result<Rows<Turn>, Error> {
        self.may(Right::Read)?;
        let snapshot = self.engine.store.snapshot()?;
        let scope = &self.scope;
        let last = snapshot.turns(TurnQuery::Last {
            scope,
            session,
            limit: 1,
        })?;
        let Some(last) = last.rows.first() else {
            return self.turns(session, 0, limit);
        };
        let mut to = position.min(last.position.saturating_add(1));
        let step = u32::try_from(limit).unwrap_or(u32::MAX).max(1);
        loop {
            let from = to.saturating_sub(step);
            let mut rows = snapshot.turns(TurnQuery::Session {
                scope,
                session,
                from,
                limit: (to - from) as usize,
            })?;
            rows.rows.retain(|turn| turn.position < to);
            // Where all of them were erased, there may be earlier ones.
            if from == 0 || !rows.rows.is_empty() || !rows.damaged.is_empty() {
                return Ok(rows);
            }
            to = from;
        }
    }

    /// One turn of this scope or one around it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn turn(&self, id: TurnId) -> Result<Option<Turn>, Error> {
        self.may(Right::Read)?;
        let query = TurnQuery::Ids {
            scopes: &self.visible,
            ids: &[id],
        };
        let found = crate::draft::sound(self.engine.store.snapshot()?.turns(query)?)?;
        Ok(found.into_iter().next())
    }
}
