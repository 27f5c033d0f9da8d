//! Reading what may lie on a desk: enough to fill it, and not much more.

use memoriter_core::desk::{BoardField, Dropped, Material, Plan, RecalledRecord, Section, Why};
use memoriter_core::fold::Span;
use memoriter_core::memory::Memory;
use memoriter_core::query::QUERY_BYTES_MAX;
use memoriter_core::session::Mode;
use memoriter_core::turn::{Role, Turn};
use memoriter_store::index::Listing;
use memoriter_store::{Damage, Rows, Snapshot, TurnQuery};

use super::Assembly;
use crate::error::Error;
use crate::recall::{Recalled, Record, TOP_MAX};

/// Turns that are read at a time, from the end of the session on.
const TURNS_AT_ONCE: u32 = 64;
/// Procedures that may be in use; more would leave room for nothing else.
const PROCEDURES_MAX: usize = 200;
/// Tokens that a short line of a fact has, most of them for its id and where it comes from.
const FACT_TOKENS: usize = 40;
/// Tokens that a short line of what is recalled has: so many records are looked for as could fit.
const LINE_TOKENS: usize = 60;

/// What was read.
#[derive(Default)]
pub(super) struct Gathered {
    instructions: Vec<Turn>,
    procedures: Vec<Memory>,
    profile: Vec<Memory>,
    pub(super) turns: Vec<Turn>,
    board: Vec<BoardField>,
    recalled: Vec<Recalled>,
    /// What is known to be there and was not read.
    pub(super) dropped: Vec<Dropped>,
}

impl Gathered {
    /// The records of what was recalled, best first.
    pub(super) fn recalled(&self) -> Vec<RecalledRecord<'_>> {
        let records = self.recalled.iter().map(|recalled| match &recalled.record {
            Record::Memory(memory) => RecalledRecord::Memory(memory),
            Record::Turn(turn) => RecalledRecord::Turn(turn),
        });
        records.collect()
    }

    pub(super) fn material<'m>(
        &'m self,
        system: &'m str,
        spans: &'m [Span],
        recalled: &'m [RecalledRecord<'m>],
        message: &'m str,
    ) -> Material<'m> {
        Material {
            system,
            instructions: &self.instructions,
            procedures: &self.procedures,
            profile: &self.profile,
            spans,
            turns: &self.turns,
            board: &self.board,
            recalled,
            message,
        }
    }

    /// The position behind the last turn.
    pub(super) fn end(&self) -> u32 {
        self.turns.last().map_or(0, |turn| turn.position + 1)
    }

    fn note_damage(&mut self, section: Section, damaged: Vec<Damage>) {
        self.dropped
            .extend(damaged.into_iter().map(|damage| Dropped {
                section,
                what: damage.record,
                why: Why::Damaged,
            }));
    }
}

impl Assembly<'_> {
    /// Reads what the desk may need.
    pub(super) fn gather(&self, plan: &Plan) -> Result<Gathered, Error> {
        let mut gathered = Gathered::default();
        let share = |percent: u8| plan.budget_tokens.saturating_mul(percent.into()) / 100;
        gathered.instructions = self.instructions(&mut gathered)?;
        let tokens = self.gather_turns(&mut gathered, plan)?;
        self.board(&mut gathered)?;
        match self.session.mode_now()? {
            Mode::Full | Mode::ReadOnly => {
                let facts = share(plan.shares.profile.max) / FACT_TOKENS + 1;
                gathered.profile = self.listed(&mut gathered, Section::Profile, facts)?;
                gathered.procedures =
                    self.listed(&mut gathered, Section::Procedures, PROCEDURES_MAX)?;
                // Right after their beginning has moved, turns have a quarter of their share.
                let least = share(plan.shares.turns.max) / 4;
                let room = plan.budget_tokens - tokens.min(least).min(plan.budget_tokens);
                let top = (room / LINE_TOKENS).clamp(1, TOP_MAX);
                let query = beginning(self.message, QUERY_BYTES_MAX);
                let recall = self.session.memory.recall(query).top(top);
                let recollection = recall.without_marking().recollect()?;
                gathered.note_damage(Section::Recalled, recollection.damaged);
                gathered.recalled = recollection.results;
            }
            Mode::NoMemory => {}
        }
        Ok(gathered)
    }

    /// Reads the turns that a desk may show; tells their tokens.
    pub(super) fn gather_turns(
        &self,
        gathered: &mut Gathered,
        plan: &Plan,
    ) -> Result<usize, Error> {
        let most = plan
            .budget_tokens
            .saturating_mul(plan.shares.turns.max.into())
            / 100;
        let (turns, tokens) = self.latest_turns(most, plan.tool_result_tokens_max)?;
        gathered.turns = turns.rows;
        gathered.note_damage(Section::Turns, turns.damaged);
        Ok(tokens)
    }

    /// The state of the session, by name.
    fn board(&self, gathered: &mut Gathered) -> Result<(), Error> {
        let rows = self.session.state().list()?;
        gathered.note_damage(Section::Board, rows.damaged);
        let fields = rows.rows.into_iter().filter_map(|field| {
            Some(BoardField {
                value: field.value?,
                name: field.name,
                revision: field.revision,
                is_protected: field.terms.is_protected,
                at: field.at,
            })
        });
        gathered.board = fields.collect();
        Ok(())
    }

    /// Reads the whole session and nothing else.
    pub(super) fn gather_history(&self) -> Result<Gathered, Error> {
        let session = self.session.name()?;
        let snapshot = self.session.memory.engine.store.snapshot()?;
        let rows = snapshot.turns(TurnQuery::Session {
            scope: &self.session.memory.scope,
            session: &session,
            from: 0,
            limit: usize::MAX,
        })?;
        let mut gathered = Gathered::default();
        gathered.instructions = self.instructions(&mut gathered)?;
        gathered.turns = rows.rows;
        Ok(gathered)
    }

    fn instructions(&self, gathered: &mut Gathered) -> Result<Vec<Turn>, Error> {
        let query = TurnQuery::InRole {
            scope: &self.session.memory.scope,
            session: &self.session.name()?,
            role: Role::System,
        };
        let snapshot = self.session.memory.engine.store.snapshot()?;
        let rows = snapshot.turns(query)?;
        gathered.note_damage(Section::System, rows.damaged);
        Ok(rows.rows)
    }

    /// The most important memories of a section that stands by itself; of equals the latest.
    fn listed(
        &self,
        gathered: &mut Gathered,
        section: Section,
        limit: usize,
    ) -> Result<Vec<Memory>, Error> {
        let listing = if section == Section::Procedures {
            Listing::Procedures
        } else {
            Listing::Profile
        };
        let listed = self.session.memory.listed(listing, limit)?;
        if listed.left_out > 0 {
            gathered.dropped.push(Dropped {
                section,
                what: format!("{} memories", listed.left_out),
                why: Why::NoRoom,
            });
        }
        gathered.note_damage(section, listed.damaged);
        Ok(listed.memories)
    }

    /// The end of the session: so many turns that they have more than `most` tokens, or all there are; with their
    /// tokens.
    fn latest_turns(
        &self,
        most: usize,
        result_tokens_max: usize,
    ) -> Result<(Rows<Turn>, usize), Error> {
        let session = self.session.name()?;
        let scope = &self.session.memory.scope;
        let engine = &self.session.memory.engine;
        let snapshot = engine.store.snapshot()?;
        let limit = TURNS_AT_ONCE as usize;
        let mut read = snapshot.turns(TurnQuery::Last {
            scope,
            session: &session,
            limit,
        })?;
        let tokens = |turns: &[Turn]| -> usize {
            let tokens = turns.iter().map(|turn| {
                let tokens = self.counter.count(&turn.message.content);
                match turn.message.role {
                    Role::Tool => tokens.min(result_tokens_max),
                    // Instructions stand elsewhere.
                    Role::System => 0,
                    Role::User | Role::Assistant => tokens,
                }
            });
            tokens.sum()
        };
        let mut sum = tokens(&read.rows);
        let mut from = read.rows.first().map_or(0, |turn| turn.position);
        while from > 0 && sum <= most {
            let to = from;
            from = from.saturating_sub(TURNS_AT_ONCE);
            let query = TurnQuery::Session {
                scope,
                session: &session,
                from,
                limit: (to - from) as usize,
            };
            let earlier = earlier_than(to, snapshot.as_ref(), query)?;
            sum += tokens(&earlier.rows);
            read.rows.splice(0..0, earlier.rows);
            read.damaged.extend(earlier.damaged);
        }
        Ok((read, sum))
    }
}

/// A run of turns that ends before a position, also where one that is damaged has made room for another.
fn earlier_than(
    position: u32,
    snapshot: &dyn Snapshot,
    query: TurnQuery<'_>,
) -> Result<Rows<Turn>, Error> {
    let mut rows = snapshot.turns(query)?;
    rows.rows.retain(|turn| turn.position < position);
    Ok(rows)
}

/// The beginning of a text, at most so many bytes of it: what a long message is recalled by.
fn beginning(text: &str, bytes: usize) -> &str {
    let end = text.floor_char_boundary(bytes);
    text.get(..end).unwrap_or_default()
}
