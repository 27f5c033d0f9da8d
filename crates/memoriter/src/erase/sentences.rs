//! The sentences that say what is erased.

use memoriter_core::id::TurnId;
use memoriter_core::memory::{Kind, Memory};
use memoriter_core::provenance::{SourceRef, Status};
use memoriter_store::{MemoryQuery, StoreError, TurnQuery};

use super::find::{Finding, bytes_of};
use crate::echo::Gone;
use crate::error::Error;

impl Finding<'_> {
    /// The sentences that a stated fact came from, and those that say it again, as far as nothing that stays rests on
    /// them. A conclusion is not what its evidence says.
    pub(super) fn take_what_says_it(&mut self) -> Result<(), Error> {
        let now = self.memory.engine.clock.now();
        let stated: Vec<Memory> = self
            .memories
            .iter()
            .filter(|memory| memory.status != Status::Inferred)
            .cloned()
            .collect();
        let said: Vec<SourceRef> = stated
            .iter()
            .flat_map(|memory| memory.sources.iter().map(|source| source.of))
            .collect();
        let gone: Vec<Gone> = stated
            .iter()
            .map(|memory| Gone::for_good(memory, now))
            .collect();
        let echoes = self.memory.echoes(&gone)?;
        let retired = self.retired_echoes(&gone)?;
        let turns = echoes.turns.into_iter().chain(retired).map(SourceRef::Turn);
        // A fact that says it in the sentence that both came from keeps its sentence.
        let texts = echoes.memories.into_values();
        let texts = texts.filter(|(memory, _)| memory.key.is_none());
        let texts = texts.map(|(memory, _)| SourceRef::Memory(memory.id));
        for source in said.into_iter().chain(turns).chain(texts) {
            if !self.gone.contains(&source) && !self.supports_what_stays(source)? {
                self.take_source(source)?;
            }
        }
        for gone in &gone {
            let holding = self.memory.with_traces_of(gone)?;
            let others = holding
                .into_iter()
                .filter(|source| !self.gone.contains(source));
            self.plan.still_say.extend(others);
        }
        Ok(())
    }

    /// Turns out of use that say it: a request to forget retired them, and they are in no index.
    fn retired_echoes(&mut self, gone: &[Gone]) -> Result<Vec<TurnId>, Error> {
        let scope = self.memory.scope.clone();
        let mut echoes = Vec::new();
        for session in self.snapshot.sessions(&scope)? {
            let turns = self.turns_in(&scope, &session.name)?;
            for turn in turns.iter().filter(|turn| turn.retired_at.is_some()) {
                if self.memory.is_echo(turn, gone)? {
                    echoes.push(turn.id);
                }
            }
        }
        Ok(echoes)
    }

    fn supports_what_stays(&self, source: SourceRef) -> Result<bool, StoreError> {
        let query = MemoryQuery::From {
            scopes: &self.scopes,
            sources: &[source],
        };
        let resting = self.snapshot.memories(query)?.rows;
        Ok(resting
            .iter()
            .any(|memory| !self.gone.contains(&SourceRef::Memory(memory.id))))
    }

    fn take_source(&mut self, source: SourceRef) -> Result<(), Error> {
        let scopes = std::slice::from_ref(&self.memory.scope);
        self.lost.insert(bytes_of(&source));
        match source {
            SourceRef::Turn(id) => {
                let turns = self.snapshot.turns(TurnQuery::Ids { scopes, ids: &[id] })?;
                let turns = self.sound(turns);
                for turn in &turns {
                    self.add_turn(turn);
                }
            }
            SourceRef::Memory(id) => {
                let found = self
                    .snapshot
                    .memories(MemoryQuery::Ids { scopes, ids: &[id] })?;
                let found = self.sound(found);
                let is_sentence =
                    |memory: &Memory| memory.kind == Kind::Episodic && memory.key.is_none();
                let sentences = found.into_iter().filter(is_sentence);
                sentences.for_each(|memory| self.add_memory(memory));
            }
        }
        Ok(())
    }
}
