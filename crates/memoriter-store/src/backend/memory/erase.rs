//! Removing records for good, without a file.

use std::collections::BTreeSet;
use std::sync::Arc;

use memoriter_core::forget::ErasedCounts;
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::Memory;
use memoriter_core::provenance::SourceRef;
use memoriter_core::session::Mode;
use memoriter_core::turn::SessionName;

use super::Content;
use super::sessions::is_of;
use crate::error::StoreError;
use crate::store::{DecisionRecord, Erased, ErasedSession, Erasure, Needles, Outcome};

/// What goes.
struct Gone {
    memories: BTreeSet<MemoryId>,
    turns: BTreeSet<TurnId>,
}

impl Gone {
    fn has(&self, of: &SourceRef) -> bool {
        match of {
            SourceRef::Memory(id) => self.memories.contains(id),
            SourceRef::Turn(id) => self.turns.contains(id),
        }
    }

    fn kept(&self, id: Option<MemoryId>) -> Option<MemoryId> {
        id.filter(|id| !self.memories.contains(id))
    }
}

impl Content {
    pub(super) fn erase(&mut self, erasure: &Erasure) -> Result<Outcome, StoreError> {
        let mut counts = ErasedCounts::default();
        let gone = self.gone(erasure);
        self.let_go(&gone, erasure, &mut counts)?;
        self.clear_ledger(&gone, erasure, &mut counts);
        self.remove_memories(&gone, &mut counts);
        self.remove_turns(&gone, erasure, &mut counts);
        self.remove_fields(erasure, &mut counts);
        self.remove_held(erasure, &mut counts);
        for session in &erasure.sessions {
            self.remove_session(session, erasure, &mut counts);
        }
        if counts != ErasedCounts::default() {
            let change = self.next_change();
            self.erased.insert(erasure.scope.clone(), change);
        }
        if let Some(request) = erasure.request {
            self.count_erased(request, &counts);
        }
        // There is no file to look for anything in.
        let needles = Needles::default();
        Ok(Outcome::Erased(Box::new(Erased { counts, needles })))
    }

    fn gone(&self, erasure: &Erasure) -> Gone {
        let scope = &erasure.scope;
        let is_whole =
            |name: &SessionName| erasure.sessions.iter().any(|session| session.name == *name);
        let memories = self.memories.iter().map(|held| &held.record);
        let turns = self.turns.iter().map(|held| &held.record);
        let named: BTreeSet<MemoryId> = erasure.memories.iter().copied().collect();
        let said: BTreeSet<TurnId> = erasure.turns.iter().copied().collect();
        Gone {
            memories: memories
                .filter(|memory| memory.scope == *scope && named.contains(&memory.id))
                .map(|memory| memory.id)
                .collect(),
            turns: turns
                .filter(|turn| turn.scope == *scope)
                .filter(|turn| said.contains(&turn.id) || is_whole(&turn.session))
                .map(|turn| turn.id)
                .collect(),
        }
    }

    fn let_go(
        &mut self,
        gone: &Gone,
        erasure: &Erasure,
        counts: &mut ErasedCounts,
    ) -> Result<(), StoreError> {
        let staying = self.memories.iter().map(|held| &held.record);
        let staying = staying.filter(|memory| !gone.memories.contains(&memory.id));
        let mut pruned = Vec::new();
        for memory in staying {
            let mut left = Memory::clone(memory);
            left.sources.retain(|source| !gone.has(&source.of));
            left.supersedes = gone.kept(memory.supersedes);
            left.superseded_by = gone.kept(memory.superseded_by);
            if left == **memory {
                continue;
            }
            if memory.change > erasure.read_at {
                return Err(StoreError::Conflict { id: memory.id });
            }
            counts.sources += (memory.sources.len() - left.sources.len()) as u64;
            pruned.push(left);
        }
        for memory in pruned {
            self.update(&memory, memory.change)?;
        }
        Ok(())
    }

    fn clear_ledger(&mut self, gone: &Gone, erasure: &Erasure, counts: &mut ErasedCounts) {
        let lines = &mut self.books.decisions;
        if erasure.takes_ledger {
            let before = lines.len();
            lines.retain(|line| line.scope != erasure.scope);
            counts.ledger += (before - lines.len()) as u64;
            return;
        }
        for line in lines.iter_mut().filter(|line| line.scope == erasure.scope) {
            let mut cleared = DecisionRecord::clone(line);
            cleared.decision.id = gone.kept(line.decision.id);
            cleared.decision.supersedes = gone.kept(line.decision.supersedes);
            cleared.source = line.source.filter(|source| !gone.has(source));
            let names = |line: &DecisionRecord| (line.decision, line.source);
            counts.ledger += u64::from(names(&cleared) != names(line));
            cleared
                .changes
                .retain(|change| !gone.memories.contains(&change.memory));
            for change in &mut cleared.changes {
                change.supersedes = gone.kept(change.supersedes);
                change.superseded_by = gone.kept(change.superseded_by);
            }
            *line = Arc::new(cleared);
        }
    }

    fn remove_memories(&mut self, gone: &Gone, counts: &mut ErasedCounts) {
        self.memories.retain(|held| {
            let goes = gone.memories.contains(&held.record.id);
            if goes {
                counts.memories += 1;
                counts.sources += held.record.sources.len() as u64;
                counts.vectors += u64::from(held.vector.is_some());
            }
            !goes
        });
    }

    fn remove_turns(&mut self, gone: &Gone, erasure: &Erasure, counts: &mut ErasedCounts) {
        let spans = self.spans.len();
        for id in &gone.turns {
            self.drop_spans(*id);
            counts.queued += u64::from(self.books.extractions.remove(id).is_some());
        }
        counts.spans += (spans - self.spans.len()) as u64;
        let sessions: BTreeSet<_> = self
            .turns
            .iter()
            .filter(|held| gone.turns.contains(&held.record.id))
            .map(|held| held.record.session.clone())
            .collect();
        for session in sessions {
            let next_position = self.turn_count(&erasure.scope, &session);
            self.session_entry(&erasure.scope, &session).next_position = next_position;
        }
        let attachments = self.attachments.len();
        self.attachments
            .retain(|held| !gone.turns.contains(&held.attachment.turn));
        counts.attachments += (attachments - self.attachments.len()) as u64;
        self.turns.retain(|held| {
            let goes = gone.turns.contains(&held.record.id);
            if goes {
                counts.turns += 1;
                counts.vectors += u64::from(held.vector.is_some());
            }
            !goes
        });
    }

    fn remove_fields(&mut self, erasure: &Erasure, counts: &mut ErasedCounts) {
        let scope = &erasure.scope;
        for version in &erasure.fields {
            let (session, name) = (&version.session, &version.name);
            let before = self.kept.field_count();
            let is_present = self.kept.fields.iter().any(|field| {
                is_of(field, scope, session)
                    && field.name == *name
                    && field.change == version.change
            });
            if is_present {
                self.kept
                    .fields
                    .retain(|field| !(is_of(field, scope, session) && field.name == *name));
            }
            self.kept.past.retain(|past| {
                let is_named = is_of(&past.field, scope, session) && past.field.name == *name;
                !(is_named && (is_present || past.field.change == version.change))
            });
            counts.fields += before - self.kept.field_count();
        }
    }

    fn remove_held(&mut self, erasure: &Erasure, counts: &mut ErasedCounts) {
        let (checkpoints, fields) = (self.kept.checkpoint_count(), self.kept.field_count());
        let sessions: BTreeSet<_> = self
            .kept
            .checkpoints
            .iter()
            .map(|held| &held.checkpoint)
            .filter(|checkpoint| checkpoint.scope == erasure.scope)
            .filter(|checkpoint| erasure.checkpoints.contains(&checkpoint.id))
            .map(|checkpoint| checkpoint.session.clone())
            .collect();
        for session in sessions {
            self.remove_checkpoints(&erasure.scope, &session, &erasure.checkpoints);
        }
        counts.checkpoints += checkpoints - self.kept.checkpoint_count();
        counts.fields += fields - self.kept.field_count();
    }

    fn remove_session(
        &mut self,
        gone: &ErasedSession,
        erasure: &Erasure,
        counts: &mut ErasedCounts,
    ) {
        let (scope, name) = (&erasure.scope, &gone.name);
        if self.find_session(scope, name).is_none() {
            return;
        }
        let (spans, fields) = (self.spans.len(), self.kept.field_count());
        let checkpoints = self.kept.checkpoint_count();
        self.spans
            .retain(|(of, session, _), _| (of, session) != (scope, name));
        let kept = &mut self.kept;
        kept.checkpoints
            .retain(|held| (&held.checkpoint.scope, &held.checkpoint.session) != (scope, name));
        kept.fields.retain(|field| !is_of(field, scope, name));
        kept.past.retain(|past| !is_of(&past.field, scope, name));
        counts.spans += (spans - self.spans.len()) as u64;
        counts.fields += fields - kept.field_count();
        counts.checkpoints += checkpoints - kept.checkpoint_count();
        counts.sessions += 1;
        let goes_on = |other: &super::sessions::SessionEntry| {
            let from = other.forked_from.as_ref();
            other.scope == *scope && from.is_some_and(|from| from.session == *name)
        };
        if !kept.sessions.iter().any(goes_on) {
            kept.sessions
                .retain(|session| (&session.scope, &session.name) != (scope, name));
            return;
        }
        for session in kept
            .sessions
            .iter_mut()
            .filter(|session| session.scope == *scope)
        {
            if session.name == *name {
                (session.mode, session.mode_set) = (Mode::Full, None);
                session.name = gone.renamed.clone();
            }
            if let Some(from) = &mut session.forked_from
                && from.session == *name
            {
                from.session = gone.renamed.clone();
            }
        }
    }
}
