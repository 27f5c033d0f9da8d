//! Spans that desks of this process have made and nobody has kept: a session that was never folded is not folded anew for
//! each of its desks.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use memoriter_core::fold::{Run, Span};
use memoriter_core::id::ChangeNumber;
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use memoriter_store::{Changed, RecordRef, Snapshot};

use crate::error::Error;

/// Sessions that are remembered; with one more all are let go. Each has the spans of one desk, some tens of kilobytes.
const SESSIONS_MAX: usize = 64;
/// Changes that are looked through for turns that are in spans; after more it is as quick to fold again.
const CHANGES_MAX: usize = 1_000;

/// Spans by session.
#[derive(Default)]
pub(crate) struct MadeSpans(Mutex<BTreeMap<(Scope, SessionName), Made>>);

/// The spans of a session, as its turns were at a change.
pub(super) struct Made {
    as_of: ChangeNumber,
    spans: BTreeMap<Run, Span>,
}

impl MadeSpans {
    /// Takes out what is known of a session and still as the snapshot has its turns.
    pub(super) fn take(
        &self,
        snapshot: &dyn Snapshot,
        place: &(Scope, SessionName),
    ) -> Result<Made, Error> {
        let known = self.lock().remove(place);
        let as_of = snapshot.head()?;
        if let Some(known) = known
            && known.is_as_in(snapshot, &place.0)?
        {
            return Ok(Made { as_of, ..known });
        }
        let spans = BTreeMap::new();
        Ok(Made { as_of, spans })
    }

    /// Remembers the spans that a desk needs of those that were taken out or made.
    pub(super) fn put(&self, place: (Scope, SessionName), made: Made) {
        let mut sessions = self.lock();
        if sessions.len() >= SESSIONS_MAX {
            sessions.clear();
        }
        sessions.insert(place, made);
    }

    /// Lets go of what was made in scopes that something is erased in.
    pub(crate) fn let_go(&self, scopes: &[Scope]) {
        self.lock().retain(|(scope, _), _| !scopes.contains(scope));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<(Scope, SessionName), Made>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Made {
    /// The span of a run, made by `fold` where it is new.
    pub(super) fn span(
        &mut self,
        run: Run,
        fold: impl FnOnce() -> Result<Span, Error>,
    ) -> Result<Span, Error> {
        if let Some(known) = self.spans.get(&run) {
            return Ok(known.clone());
        }
        let span = fold()?;
        self.spans.insert(run, span.clone());
        Ok(span)
    }

    /// Lets go of the spans of other runs.
    pub(super) fn keep_only(&mut self, runs: &[Run]) {
        self.spans.retain(|run, _| runs.contains(run));
    }

    /// Whether nothing has happened to a turn that a span names: then each of them is still said.
    fn is_as_in(&self, snapshot: &dyn Snapshot, scope: &Scope) -> Result<bool, Error> {
        let changes = snapshot.changes(scope, self.as_of, CHANGES_MAX)?;
        let is_named = |changed: &Changed| match changed {
            Changed::Record(RecordRef::Turn(id)) => {
                let items = self.spans.values().flat_map(|span| &span.items);
                items
                    .flat_map(|item| &item.turns)
                    .any(|(_, named)| named == id)
            }
            Changed::Record(RecordRef::Memory(_)) | Changed::Field { .. } | Changed::Mode(_) => {
                false
            }
            // What it was is not known any more: it may have been a turn of these.
            Changed::Erased => true,
        };
        let is_named = changes.iter().any(|change| is_named(&change.what));
        Ok(changes.len() < CHANGES_MAX && !is_named)
    }
}
