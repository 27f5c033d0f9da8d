//! The board of a session as lines that can be replayed: what it was at each checkpoint, and what it is.
//!
//! Fields come in the order in which they were written, between the checkpoints that hold them. Of what was overwritten
//! only that is left which a checkpoint needs, and of a removal in between only that it happened: such a field stands
//! here as removed with the revision that follows its last one.

use std::collections::BTreeMap;

use memoriter_core::board::{BOARD_NAMES_MAX, Field};
use memoriter_core::checkpoint::Checkpoint;
use memoriter_core::id::ChangeNumber;
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use memoriter_store::{FieldQuery, Rows, Snapshot, StoreError};

/// What was written so far.
pub(super) struct BoardReplay<'s> {
    snapshot: &'s dyn Snapshot,
    scope: &'s Scope,
    session: &'s SessionName,
    /// The change of what every field is now.
    current: BTreeMap<String, ChangeNumber>,
    /// The fields as the lines so far leave them.
    told: BTreeMap<String, Field>,
}

/// A field and whether it was overwritten since.
pub(super) struct Told {
    pub(super) field: Field,
    pub(super) is_past: bool,
}

impl<'s> BoardReplay<'s> {
    pub(super) fn new(
        snapshot: &'s dyn Snapshot,
        scope: &'s Scope,
        session: &'s SessionName,
    ) -> Result<Self, StoreError> {
        let mut replay = Self {
            snapshot,
            scope,
            session,
            current: BTreeMap::new(),
            told: BTreeMap::new(),
        };
        let current = replay.everything()?.rows.into_iter();
        replay.current = current.map(|field| (field.name, field.change)).collect();
        Ok(replay)
    }

    /// What has to be written for the board to be as the checkpoint knows it.
    pub(super) fn up_to(&mut self, checkpoint: &Checkpoint) -> Result<Rows<Told>, StoreError> {
        let board = self.snapshot.fields(FieldQuery::AsOf {
            scope: self.scope,
            session: self.session,
            change: checkpoint.as_of,
        })?;
        let removed: Vec<Field> = self
            .told
            .values()
            .filter(|told| told.value.is_some())
            .filter(|told| !board.rows.iter().any(|field| field.name == told.name))
            .map(removed)
            .collect();
        Ok(Rows {
            rows: self.tell(removed, board.rows),
            damaged: board.damaged,
        })
    }

    /// What has to be written after the last checkpoint.
    pub(super) fn rest(&mut self) -> Result<Rows<Told>, StoreError> {
        let everything = self.everything()?;
        Ok(Rows {
            rows: self.tell(Vec::new(), everything.rows),
            damaged: everything.damaged,
        })
    }

    /// Also removed fields, in the order of their last change.
    fn everything(&self) -> Result<Rows<Field>, StoreError> {
        self.snapshot.fields(FieldQuery::Changed {
            scope: self.scope,
            session: self.session,
            after: ChangeNumber::default(),
            limit: BOARD_NAMES_MAX,
        })
    }

    fn tell(&mut self, removed: Vec<Field>, mut fields: Vec<Field>) -> Vec<Told> {
        fields.sort_by_key(|field| field.change);
        let mut told = Vec::new();
        for field in removed.into_iter().chain(fields) {
            if self
                .told
                .get(&field.name)
                .is_some_and(|known| *known == field)
            {
                continue;
            }
            self.told.insert(field.name.clone(), field.clone());
            let is_past = self.current.get(&field.name) != Some(&field.change);
            told.push(Told { field, is_past });
        }
        told
    }
}

/// The field once somebody removed it.
fn removed(field: &Field) -> Field {
    Field {
        value: None,
        revision: field.revision.saturating_add(1),
        change: ChangeNumber::default(),
        ..field.clone()
    }
}
