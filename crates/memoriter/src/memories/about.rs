//! What somebody means who says what a memory is about: a guess, and so a careful one.

use memoriter_core::access::Right;
use memoriter_core::memory::{Memory, State};
use memoriter_core::query::Records;
use memoriter_core::rank::gate::Gate;
use memoriter_core::write::is_about;

use super::{PAGE_MAX, RowPages};
use crate::draft::sound;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::recall::Record;

/// More matches than this are too vague to be meant.
pub const ABOUT_MAX: usize = 20;
/// What a memory must reach to be meant by a text: more than for being worth recalling. A wrong answer costs a glance, a
/// wrong retirement a memory.
const ABOUT_GATE: Gate = Gate {
    evidence: 4.5,
    sem: 3.0,
    lex: 0.5,
};

impl ScopedMemory {
    /// The memories of this very scope that are clearly about a text, best first, at most [`ABOUT_MAX`], and those about
    /// somebody whom it names: see [`is_about`]. Nothing is done to them: where there are several, the caller asks which are
    /// meant.
    ///
    /// ```
    /// use memoriter::{Memoriter, Scope};
    /// # let folder = tempfile::tempdir()?;
    /// let priya = Memoriter::open(folder.path().join("memory.db"))?.scope(Scope::user("priya"));
    /// priya.remember("My exam is on 14 March")?;
    /// assert_eq!(priya.about("my exam")?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoMatch`] and [`Error::TooManyMatches`]; otherwise as a recall.
    pub fn about(&self, text: &str) -> Result<Vec<Memory>, Error> {
        self.may(Right::Read)?;
        let results = self
            .recall(text)
            .top(ABOUT_MAX + 1)
            .records(Records::Memories)
            .gate(ABOUT_GATE)
            .without_marking()
            .run()?;
        let visible = results
            .into_iter()
            .filter_map(|recalled| match recalled.record {
                Record::Memory(memory) => Some(*memory),
                Record::Turn(_) => None,
            });
        let (mut own, around): (Vec<Memory>, Vec<Memory>) =
            visible.partition(|memory| memory.scope == self.scope);
        // What is known of a brother need not say "brother".
        for memory in self.known_of(text)? {
            if !own.iter().any(|found| found.id == memory.id) {
                own.push(memory);
            }
        }
        if own.is_empty() {
            let around = around.into_iter().next();
            return Err(Error::NoMatch {
                around: around.map(|memory| (memory.id, memory.scope)),
            });
        }
        if own.len() > ABOUT_MAX {
            return Err(Error::TooManyMatches { limit: ABOUT_MAX });
        }
        Ok(own)
    }

    /// The live memories of this scope about somebody whom words name, such as "my brother Tom" or "brother".
    fn known_of(&self, words: &str) -> Result<Vec<Memory>, Error> {
        let snapshot = self.engine.store.snapshot()?;
        let mut pages = RowPages::new(snapshot.as_ref(), &self.scope, &[State::Live], None);
        let mut known = Vec::new();
        while let Some(page) = pages.next(PAGE_MAX)? {
            let of_them =
                |memory: &Memory| memory.fact_key().is_some_and(|key| is_about(key, words));
            known.extend(sound(page)?.into_iter().filter(of_them));
        }
        Ok(known)
    }
}
