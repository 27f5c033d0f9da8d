//! From hits of the index to verified records.

use std::collections::HashMap;

use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::Memory;
use memoriter_core::turn::Turn;
use memoriter_store::index::Found;
use memoriter_store::{MemoryQuery, RecordRef, Snapshot, TurnQuery};

use crate::error::Error;
use crate::recall::{Recall, Recalled, Recollection, Record};

impl Recall<'_> {
    /// Fetches what was found, in its order. A record that went away since the index looked is left out; a
    /// damaged one is reported.
    pub(crate) fn serve(&self, found: &Found) -> Result<Recollection, Error> {
        let mut recollection = Recollection {
            considered: found.considered,
            ..Recollection::default()
        };
        if found.hits.is_empty() {
            return Ok(recollection);
        }
        let snapshot = self.memory.engine.store.snapshot()?;
        let mut memories = self.memories(snapshot.as_ref(), found, &mut recollection)?;
        let mut turns = self.turns(snapshot.as_ref(), found, &mut recollection)?;
        for hit in &found.hits {
            let record = match hit.record {
                RecordRef::Memory(id) => memories
                    .remove(&id)
                    .map(|memory| Record::Memory(Box::new(memory))),
                RecordRef::Turn(id) => turns.remove(&id).map(|turn| Record::Turn(Box::new(turn))),
            };
            if let Some(record) = record {
                let neighbours = self.neighbours_of(snapshot.as_ref(), &record)?;
                recollection.results.push(Recalled {
                    record,
                    score: hit.score,
                    parts: hit.parts,
                    neighbours,
                });
            }
        }
        Ok(recollection)
    }

    fn memories(
        &self,
        snapshot: &dyn Snapshot,
        found: &Found,
        into: &mut Recollection,
    ) -> Result<HashMap<MemoryId, Memory>, Error> {
        let ids: Vec<MemoryId> = found
            .hits
            .iter()
            .filter_map(|hit| match hit.record {
                RecordRef::Memory(id) => Some(id),
                RecordRef::Turn(_) => None,
            })
            .collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = snapshot.memories(MemoryQuery::Ids {
            scopes: &self.memory.visible,
            ids: &ids,
        })?;
        into.damaged.extend(rows.damaged);
        let now = self.memory.engine.clock.now();
        let as_asked = |memory: Memory| match self.known_at {
            Some(known_at) => memory.as_known_at(known_at),
            None => self.memory.engine.in_tier(memory, now),
        };
        Ok(rows
            .rows
            .into_iter()
            .map(|memory| (memory.id, as_asked(memory)))
            .collect())
    }

    fn turns(
        &self,
        snapshot: &dyn Snapshot,
        found: &Found,
        into: &mut Recollection,
    ) -> Result<HashMap<TurnId, Turn>, Error> {
        let ids: Vec<TurnId> = found
            .hits
            .iter()
            .filter_map(|hit| match hit.record {
                RecordRef::Turn(id) => Some(id),
                RecordRef::Memory(_) => None,
            })
            .collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = snapshot.turns(TurnQuery::Ids {
            scopes: &self.memory.visible,
            ids: &ids,
        })?;
        into.damaged.extend(rows.damaged);
        Ok(rows.rows.into_iter().map(|turn| (turn.id, turn)).collect())
    }

    /// The turns around a turn, itself left out.
    fn neighbours_of(&self, snapshot: &dyn Snapshot, record: &Record) -> Result<Vec<Turn>, Error> {
        let Record::Turn(turn) = record else {
            return Ok(Vec::new());
        };
        if self.neighbours == 0 {
            return Ok(Vec::new());
        }
        let reach = u32::try_from(self.neighbours).unwrap_or(u32::MAX);
        let from = turn.position.saturating_sub(reach);
        let limit = (turn.position - from) as usize + 1 + self.neighbours;
        let query = TurnQuery::Session {
            scope: &turn.scope,
            session: &turn.session,
            from,
            limit,
        };
        let mut around = snapshot.turns(query)?.rows;
        around.retain(|other| other.id != turn.id && other.retired_at.is_none());
        Ok(around)
    }
}
