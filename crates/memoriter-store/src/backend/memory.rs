//! A store that is gone with the process, for tests: plain lists and maps behind a lock.
//!
//! A commit works on a copy of the lists and puts it in place when every write went through, so a unit is
//! atomic and a snapshot is the lists of its moment. Records are shared between copies.

mod apply;
mod attachment;
mod books;
mod erase;
mod sessions;
mod spans;
mod view;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use memoriter_core::fold::{Run, Span};
use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::Memory;
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::turn::{SessionName, Turn};

use super::check::check_unit;
use crate::error::StoreError;
use crate::store::{Committed, Needles, Patience, Scrubbed, Snapshot, Store, StoredVector, Write};

/// A store without a file.
pub struct MemoryStore {
    secret: [u8; 32],
    content: Mutex<Arc<Content>>,
}

impl MemoryStore {
    /// An empty store with this secret.
    #[must_use]
    pub fn new(secret: [u8; 32]) -> Self {
        Self {
            secret,
            content: Mutex::default(),
        }
    }

    fn content(&self) -> Arc<Content> {
        Arc::clone(&self.content.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Store for MemoryStore {
    fn commit(&self, unit: Vec<Write>) -> Result<Committed, StoreError> {
        check_unit(&unit)?;
        let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = Content::clone(&content);
        let outcomes = unit
            .iter()
            .map(|write| next.apply(write))
            .collect::<Result<_, _>>()?;
        let committed = Committed {
            outcomes,
            head: next.head,
        };
        *content = Arc::new(next);
        Ok(committed)
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StoreError> {
        Ok(Box::new(view::View(self.content())))
    }

    fn head(&self) -> Result<ChangeNumber, StoreError> {
        Ok(self.content().head)
    }

    /// There is no file that could hold anything.
    fn scrub(&self, _needles: &Needles, _patience: Patience) -> Result<Scrubbed, StoreError> {
        Ok(Scrubbed {
            is_done: true,
            ..Scrubbed::default()
        })
    }

    fn secret(&self) -> &[u8; 32] {
        &self.secret
    }
}

/// Everything that is stored, in order of arrival.
#[derive(Clone, Default)]
struct Content {
    head: ChangeNumber,
    memories: Vec<Held<Memory>>,
    turns: Vec<Held<Turn>>,
    dimensions: BTreeMap<ModelName, usize>,
    attachments: Vec<attachment::HeldAttachment>,
    books: books::BookEntries,
    spans: BTreeMap<(Scope, SessionName, Run), Span>,
    kept: sessions::SessionEntries,
    /// When something of a scope was last removed for good.
    erased: BTreeMap<Scope, ChangeNumber>,
}

/// A record and its vector.
#[derive(Clone)]
struct Held<T> {
    record: Arc<T>,
    vector: Option<Arc<StoredVector>>,
}
