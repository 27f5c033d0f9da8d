//! Writing down the tier that memories have sunk to or come back to.
//!
//! Readers tell the tier by themselves (see [`DecayPolicy`](memoriter_core::rank::decay::DecayPolicy)), as they tell what has
//! expired, so nothing is recalled otherwise after a sweep. It is for whoever reads rows: counts, exports, other programs.

use memoriter_core::access::Right;
use memoriter_core::memory::{Memory, State};
use memoriter_core::scope::Scope;
use memoriter_store::{StoreError, Write};

use crate::engine::Engine;
use crate::error::Error;
use crate::memories::{PAGE_MAX, RowPages};
use crate::open::Memoriter;

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Memories that were looked at.
    pub memories: u64,
    /// Those that are in another tier now.
    pub moved: u64,
}

impl Memoriter {
    /// Writes the tier of every memory that has another one than its row says. What is damaged, or is written to
    /// meanwhile, is passed over: the next sweep comes to it.
    ///
    /// A [`Worker`](crate::Worker) does it when it starts and every hour.
    ///
    /// ```
    /// # use memoriter::{Memoriter, Scope};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memoriter::open(folder.path().join("memory.db"))?;
    /// memory.scope(Scope::user("priya")).remember("I like green tea")?;
    /// assert_eq!(memory.sweep()?.moved, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub fn sweep(&self) -> Result<Swept, Error> {
        self.may(Right::Admin)?;
        let engine = &self.engine;
        engine.flush_marks();
        let mut swept = Swept::default();
        for summary in engine.store.snapshot()?.scopes()? {
            sweep_scope(engine, &summary.scope, &mut swept)?;
        }
        Ok(swept)
    }
}

fn sweep_scope(engine: &Engine, scope: &Scope, swept: &mut Swept) -> Result<(), Error> {
    let mut after = None;
    loop {
        // A snapshot a page: a sweep of a large scope does not keep the log from being written back.
        let snapshot = engine.store.snapshot()?;
        let mut pages = RowPages::new(snapshot.as_ref(), scope, State::STORED, after);
        let Some(page) = pages.next(PAGE_MAX)? else {
            return Ok(());
        };
        drop(snapshot);
        let is_last = page.rows.len() < PAGE_MAX;
        after = page.rows.last().map(|memory| memory.id);
        swept.memories += page.rows.len() as u64;
        let moved: Vec<Write> = page
            .rows
            .into_iter()
            .filter_map(|memory| moved(engine, memory))
            .collect();
        swept.moved += write(engine, moved)?;
        if is_last {
            return Ok(());
        }
    }
}

fn moved(engine: &Engine, memory: Memory) -> Option<Write> {
    let told = memory.tier;
    let memory = engine.in_tier(memory, engine.clock.now());
    (memory.tier != told).then(|| Write::UpdateMemory {
        read_at: memory.change,
        memory: Box::new(memory),
    })
}

/// Writes what can be written; how many that were.
fn write(engine: &Engine, writes: Vec<Write>) -> Result<u64, Error> {
    let count = writes.len() as u64;
    if writes.is_empty() {
        return Ok(0);
    }
    match engine.store.commit(writes.clone()) {
        Ok(_) => return Ok(count),
        Err(StoreError::Conflict { .. } | StoreError::NoSuchMemory { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let mut written = 0;
    for write in writes {
        match engine.store.commit(vec![write]) {
            Ok(_) => written += 1,
            Err(StoreError::Conflict { .. } | StoreError::NoSuchMemory { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(written)
}
