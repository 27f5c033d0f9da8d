//! What becomes of each record of a batch.

mod board;
mod writes;

use std::collections::BTreeMap;
use std::sync::Arc;

use memoriter_core::extract::Action;
use memoriter_core::forget::{memory_mark, turn_mark};
use memoriter_core::id::{ChangeNumber, MemoryId, TurnId};
use memoriter_core::memory::{Memory, State};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{Role, Turn};
use memoriter_core::write::{is_for_review, mark_of_everything, marks, marks_of_rejected};
use memoriter_store::{MemoryQuery, Snapshot, StoreError, TurnQuery};

use super::is_of_session;
use super::session::SessionProgress;
use crate::engine::Engine;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::transfer::form::without_use;
use crate::transfer::source::Record;

/// How closely it is looked at what may be in the way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// At the ids of the scope; the store refuses the rest.
    Hopeful,
    /// At ids of other scopes and places too.
    Careful,
}

/// What becomes of a record.
pub(super) enum Fate {
    /// It is written.
    New,
    /// It is written, out of use since this time: somebody asked to forget what it says.
    NewRetired(Timestamp),
    /// It is there and equal.
    Known,
    /// Somebody asked to forget it.
    Forgotten,
    /// Something else is in its place, in words.
    Clash(String),
}

/// Looks at the store for a batch.
pub(super) struct Planner<'s> {
    engine: &'s Arc<Engine>,
    snapshot: &'s dyn Snapshot,
    care: Care,
    memories: BTreeMap<MemoryId, Memory>,
    turns: BTreeMap<TurnId, Turn>,
    /// Change numbers of fields that are written over.
    read_at: BTreeMap<String, ChangeNumber>,
    /// Whether somebody asked to forget something, by scope.
    has_forgotten: BTreeMap<Scope, bool>,
}

impl<'s> Planner<'s> {
    pub(super) fn new(engine: &'s Arc<Engine>, snapshot: &'s dyn Snapshot, care: Care) -> Self {
        Self {
            engine,
            snapshot,
            care,
            memories: BTreeMap::new(),
            turns: BTreeMap::new(),
            read_at: BTreeMap::new(),
            has_forgotten: BTreeMap::new(),
        }
    }

    /// Decides about every record of a batch, in order.
    pub(super) fn plan(
        &mut self,
        batch: &[(u64, Record)],
        session: &mut SessionProgress,
    ) -> Result<Vec<Fate>, Error> {
        self.look_up(batch)?;
        let mut fates = Vec::with_capacity(batch.len());
        for (_, record) in batch {
            let fate = match record {
                record if session.is_left_out && is_of_session(record) => {
                    clash("its session was left out")
                }
                Record::Scope(_) => Fate::Known,
                Record::Session(head) => self.session(head, session)?,
                Record::Gap(gap) => skip(gap.from, gap.turns, session),
                Record::Turn(record) => self.turn(&record.turn, session)?,
                Record::Field(field, is_past) => self.field(field, *is_past, session)?,
                Record::Checkpoint(new) => self.checkpoint(new, session)?,
                Record::Memory(memory) => self.memory(memory)?,
                Record::Decision(_) => Fate::New,
            };
            fates.push(fate);
        }
        leave_out_empty(batch, &mut fates, session);
        Ok(fates)
    }
}

/// A session of which nothing can be taken in is not made: it would be an empty one by that name. What of it is in later
/// batches stays away with it.
fn leave_out_empty(batch: &[(u64, Record)], fates: &mut [Fate], session: &mut SessionProgress) {
    let mut is_left_out = session.is_left_out;
    let mut records = batch.iter().zip(fates).rev();
    // From the end: what is in a session comes after it.
    let (mut has_clash, mut has_other) = (false, false);
    let mut is_last = true;
    for ((_, record), fate) in records.by_ref() {
        if is_of_session(record) {
            match fate {
                Fate::Clash(_) => has_clash = true,
                Fate::Forgotten => {}
                Fate::New | Fate::NewRetired(_) | Fate::Known => has_other = true,
            }
            continue;
        }
        if matches!((record, &fate), (Record::Session(_), Fate::New)) && has_clash && !has_other {
            *fate = clash("nothing that is in it can be taken in");
            is_left_out |= is_last;
        }
        (has_clash, has_other, is_last) = (false, false, false);
    }
    session.is_left_out = is_left_out;
}

impl Planner<'_> {
    /// Reads what is there under the ids of the batch.
    fn look_up(&mut self, batch: &[(u64, Record)]) -> Result<(), StoreError> {
        let (mut memories, mut turns, mut scopes) = (Vec::new(), Vec::new(), Vec::new());
        for (_, record) in batch {
            match record {
                Record::Memory(memory) => {
                    memories.push(memory.id);
                    scopes.push(memory.scope.clone());
                }
                Record::Turn(record) => {
                    turns.push(record.turn.id);
                    scopes.push(record.turn.scope.clone());
                }
                Record::Scope(_)
                | Record::Session(_)
                | Record::Gap(_)
                | Record::Field(..)
                | Record::Checkpoint(_)
                | Record::Decision(_) => {}
            }
        }
        scopes.dedup();
        if self.care == Care::Careful {
            let all = self.snapshot.scopes()?;
            scopes = all.into_iter().map(|summary| summary.scope).collect();
        }
        let memories = self.snapshot.memories(MemoryQuery::Ids {
            scopes: &scopes,
            ids: &memories,
        })?;
        let turns = self.snapshot.turns(TurnQuery::Ids {
            scopes: &scopes,
            ids: &turns,
        })?;
        let (memories, turns) = (memories.rows.into_iter(), turns.rows.into_iter());
        self.memories = memories.map(|memory| (memory.id, memory)).collect();
        self.turns = turns.map(|turn| (turn.id, turn)).collect();
        Ok(())
    }

    fn memory(&mut self, memory: &Memory) -> Result<Fate, Error> {
        let known = self.memories.get(&memory.id);
        let is_equal = known.is_some_and(|known| without_use(known) == without_use(memory));
        if is_equal {
            return Ok(Fate::Known);
        }
        let is_elsewhere = known.map(|known| known.scope != memory.scope);
        if self.forgotten(memory)? {
            return Ok(Fate::Forgotten);
        }
        match is_elsewhere {
            Some(true) => return Ok(clash("the id belongs to another scope")),
            Some(false) => return Ok(clash("it is there, and says or stands otherwise")),
            None => {}
        }
        if self.care == Care::Careful && memory.state == State::Live {
            let holder = self.snapshot.memories(MemoryQuery::SamePlace(memory))?;
            if let Some(holder) = holder.rows.first() {
                let why = format!("memory {} has its key, or says the same", holder.id);
                return Ok(Fate::Clash(why));
            }
        }
        Ok(Fate::New)
    }

    /// Whether somebody asked to forget a memory after it was last said.
    fn forgotten(&mut self, memory: &Memory) -> Result<bool, Error> {
        if !self.has_forgotten(&memory.scope)? {
            return Ok(false);
        }
        let mut sought = marks(memory);
        if is_for_review(memory) {
            sought.extend(marks_of_rejected(memory));
        }
        let erased = [memory_mark(memory.id)];
        if self
            .snapshot
            .forgotten_at(&memory.scope, &erased)?
            .is_some()
        {
            return Ok(true);
        }
        let asked_at = self.snapshot.forgotten_at(&memory.scope, &sought)?;
        let said_at = memory.last_confirmed_at.max(Some(memory.recorded_at));
        Ok(asked_at > said_at)
    }

    fn has_forgotten(&mut self, scope: &Scope) -> Result<bool, StoreError> {
        if let Some(known) = self.has_forgotten.get(scope) {
            return Ok(*known);
        }
        let has = self.snapshot.has_forgotten(scope)?;
        self.has_forgotten.insert(scope.clone(), has);
        Ok(has)
    }

    fn turn(&mut self, turn: &Turn, session: &mut SessionProgress) -> Result<Fate, Error> {
        if let Some(known) = self.turns.get(&turn.id) {
            let as_in_file = Turn {
                change: ChangeNumber::default(),
                ..known.clone()
            };
            let came_out_of_use = known.retired_at.is_some() && turn.retired_at.is_none();
            return Ok(if as_in_file == *turn {
                Fate::Known
            } else if known.scope != turn.scope {
                clash("the id belongs to another scope")
            } else if came_out_of_use {
                Fate::Forgotten
            } else {
                clash("it is there, and says or stands otherwise")
            });
        }
        let mark = turn_mark(turn.id);
        if self.has_forgotten(&turn.scope)?
            && self.snapshot.forgotten_at(&turn.scope, &[mark])?.is_some()
        {
            return Ok(Fate::Forgotten);
        }
        if session.turns != turn.position {
            let why = format!(
                "the session has {} turns here, and this would be number {}",
                session.turns,
                u64::from(turn.position) + 1
            );
            return Ok(Fate::Clash(why));
        }
        session.turns = session.turns.saturating_add(1);
        Ok(match self.turn_forgotten_at(turn)? {
            Some(asked_at) if turn.retired_at.is_none() => Fate::NewRetired(asked_at),
            Some(_) | None => Fate::New,
        })
    }

    /// When somebody asked to forget what a turn says, if that was after it was said: everything, its text, or a fact
    /// that the rules read in it.
    fn turn_forgotten_at(&mut self, turn: &Turn) -> Result<Option<Timestamp>, Error> {
        if !self.has_forgotten(&turn.scope)? {
            return Ok(None);
        }
        let mut sought = vec![mark_of_everything()];
        let memory = ScopedMemory::new(Arc::clone(self.engine), turn.scope.clone());
        let candidates = match turn.message.role {
            Role::User => memory.said_by_the_user(turn),
            Role::Assistant => memory.said_of_the_user(turn),
            Role::System | Role::Tool => Vec::new(),
        };
        let now = self.engine.clock.now();
        for candidate in candidates {
            if candidate.action == Action::Remember {
                let proposal = memory.proposal_of_turn(turn, candidate, now)?;
                sought.extend(marks(&proposal.memory));
            }
        }
        let asked_at = self.snapshot.forgotten_at(&turn.scope, &sought)?;
        Ok(asked_at.filter(|asked_at| *asked_at > turn.message.at.instant))
    }
}

/// Positions that are passed over, unless the session has come so far.
fn skip(from: u32, turns: u32, session: &mut SessionProgress) -> Fate {
    let end = from.saturating_add(turns);
    if session.turns >= end {
        return Fate::Known;
    }
    if session.turns != from {
        return clash("the session has another number of turns here");
    }
    session.turns = end;
    Fate::New
}

fn clash(why: &str) -> Fate {
    Fate::Clash(why.to_owned())
}
