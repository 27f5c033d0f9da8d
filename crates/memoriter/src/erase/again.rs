//! What a backup still has of what was erased since it was made.
//!
//! Every record that is erased leaves a tombstone, so the tombstones of the store say of each record of an older copy
//! whether it may come back. A session or scope that was erased as a whole since goes as a whole: what stood in it at the time
//! of the backup may have been overwritten before the erasure, and has no tombstone of its own.

use std::collections::BTreeMap;

use memoriter_core::forget::{
    ErasedCounts, checkpoint_mark, field_mark, memory_mark, scope_mark, session_mark, turn_mark,
    version_mark,
};
use memoriter_core::id::{ChangeNumber, TurnId};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::SessionName;
use memoriter_store::{
    CheckpointQuery, FieldQuery, Needles, Outcome, Snapshot, StoreError, TurnQuery,
};

use super::Request;
use super::find::planned_field;
use super::plan::{ErasePlan, Planned, PlannedRecord};
use crate::draft::sound;
use crate::engine::Engine;
use crate::error::Error;
use crate::memories::{PAGE_MAX, RowPages};

/// When scopes, and sessions by their name, were last erased as a whole.
pub(crate) struct ErasedWhole(BTreeMap<(Scope, Option<SessionName>), Timestamp>);

impl ErasedWhole {
    /// As the tombstones of a store say.
    pub(crate) fn read(snapshot: &dyn Snapshot, scopes: &[Scope]) -> Result<Self, StoreError> {
        let mut erased = BTreeMap::new();
        for scope in scopes {
            let at = snapshot.forgotten_at(scope, &[scope_mark()])?;
            erased.extend(at.map(|at| ((scope.clone(), None), at)));
            for session in snapshot.sessions(scope)? {
                let at = snapshot.forgotten_at(scope, &[session_mark(&session.name)])?;
                erased.extend(at.map(|at| ((scope.clone(), Some(session.name)), at)));
            }
        }
        Ok(Self(erased))
    }

    fn is_later(&self, than: &Self, scope: &Scope, session: Option<&SessionName>) -> bool {
        let key = (scope.clone(), session.cloned());
        self.0.get(&key) > than.0.get(&key)
    }
}

/// What goes again.
struct Finding<'s> {
    engine: &'s Engine,
    snapshot: &'s dyn Snapshot,
    before: &'s ErasedWhole,
    now: ErasedWhole,
    plan: ErasePlan,
}

impl Engine {
    /// Removes from a copy of the store what its tombstones name. `before` is what they said when the copy was made. Nobody
    /// else may use the store.
    pub(crate) fn erase_again(
        &self,
        scopes: &[Scope],
        before: &ErasedWhole,
    ) -> Result<(ErasedCounts, Needles), Error> {
        let snapshot = self.store.snapshot()?;
        let mut finding = Finding {
            engine: self,
            snapshot: snapshot.as_ref(),
            before,
            now: ErasedWhole::read(snapshot.as_ref(), scopes)?,
            plan: ErasePlan {
                // Nobody else changes what stays.
                read_at: ChangeNumber(u64::MAX),
                ..ErasePlan::default()
            },
        };
        for scope in scopes {
            finding.look_into(scope)?;
        }
        let mut plan = finding.plan;
        drop(snapshot);
        plan.records = plan.found.keys().cloned().collect();
        self.take(&plan)
    }

    fn take(&self, plan: &ErasePlan) -> Result<(ErasedCounts, Needles), Error> {
        let (mut counts, mut needles) = (ErasedCounts::default(), Needles::default());
        // No receipt has this id: those of the erasures have counted what went.
        let request = Request {
            id: [0; 16],
            now: self.clock.now(),
        };
        for unit in plan.units(&request) {
            for outcome in self.store.commit(unit.writes)?.outcomes {
                if let Outcome::Erased(erased) = outcome {
                    counts.add(&erased.counts);
                    needles.add(erased.needles);
                }
            }
        }
        Ok((counts, needles))
    }
}

impl Finding<'_> {
    fn look_into(&mut self, scope: &Scope) -> Result<(), Error> {
        if !self.snapshot.has_forgotten(scope)? {
            return Ok(());
        }
        let is_whole = self.now.is_later(self.before, scope, None);
        if is_whole {
            self.plan.whole.insert(scope.clone());
        }
        let mut pages = RowPages::new(self.snapshot, scope, &[], None);
        while let Some(page) = pages.next(PAGE_MAX)? {
            for memory in sound(page)? {
                if is_whole || self.is_marked(scope, &[memory_mark(memory.id)], None)? {
                    self.add(scope, Planned::Memory(memory.id));
                }
            }
        }
        for session in self.snapshot.sessions(scope)? {
            let name = &session.name;
            if is_whole || self.now.is_later(self.before, scope, Some(name)) {
                self.take_session(scope, name)?;
            } else {
                self.look_into_session(scope, name)?;
            }
        }
        Ok(())
    }

    fn take_session(&mut self, scope: &Scope, name: &SessionName) -> Result<(), Error> {
        for turn in self.turns_of(scope, name)? {
            self.add(scope, Planned::Turn(turn));
        }
        let renamed = self.engine.erased_name()?;
        self.plan.names.insert(name.clone(), renamed);
        self.add(scope, Planned::Session(name.clone()));
        Ok(())
    }

    fn look_into_session(&mut self, scope: &Scope, name: &SessionName) -> Result<(), Error> {
        for turn in self.turns_of(scope, name)? {
            if self.is_marked(scope, &[turn_mark(turn)], None)? {
                self.add(scope, Planned::Turn(turn));
            }
        }
        let versions = FieldQuery::Versions {
            scope,
            session: name,
        };
        for field in sound(self.snapshot.fields(versions)?)? {
            if self.is_marked(
                scope,
                &[field_mark(&field), version_mark(&field)],
                Some(field.at),
            )? {
                self.add(scope, planned_field(&field));
            }
        }
        let checkpoints = CheckpointQuery::Newest {
            scope,
            session: name,
            limit: usize::MAX,
        };
        for checkpoint in sound(self.snapshot.checkpoints(checkpoints)?)? {
            if self.is_marked(scope, &[checkpoint_mark(checkpoint.id)], None)? {
                self.add(scope, Planned::Checkpoint(checkpoint.id));
            }
        }
        Ok(())
    }

    /// The turns of a session itself, not of the one that it goes on from.
    fn turns_of(&self, scope: &Scope, session: &SessionName) -> Result<Vec<TurnId>, Error> {
        let query = TurnQuery::Session {
            scope,
            session,
            from: 0,
            limit: usize::MAX,
        };
        let turns = sound(self.snapshot.turns(query)?)?.into_iter();
        let own = turns.filter(|turn| turn.session == *session);
        Ok(own.map(|turn| turn.id).collect())
    }

    /// Whether a tombstone names a record; one of what a record says, only where it was said before.
    fn is_marked(
        &self,
        scope: &Scope,
        marks: &[Vec<u8>],
        said_at: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        let at = self.snapshot.forgotten_at(scope, marks)?;
        Ok(at.is_some_and(|at| said_at.is_none_or(|said_at| said_at <= at)))
    }

    fn add(&mut self, scope: &Scope, record: Planned) {
        let place = self.plan.found.len();
        let planned = PlannedRecord {
            scope: scope.clone(),
            record,
        };
        self.plan.found.entry(planned).or_insert(place);
    }
}
