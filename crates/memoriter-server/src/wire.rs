//! The shapes of the JSON output: what programs may rely on. Fields are added, never renamed or dropped.
//!
//! Times are RFC 3339 in UTC, ids are texts, words are those of the vocabulary.

mod counts;
mod decided;
mod decision;
mod desk;
mod erase;
mod imported;
mod learned;
mod memory;
mod recalled;
mod session;
mod turn;

use memoriter::store::Damage;
use serde::Serialize;
use utoipa::ToSchema;

pub use counts::CountsWire;
pub use decided::Decided;
pub use decision::{DecisionWire, DecisionsWire};
pub use desk::{DeskWire, DifferenceWire};
pub use erase::{ErasePlanWire, HolderWire, PlannedWire};
pub use imported::ImportedWire;
pub use learned::LearnedWire;
pub use memory::{MemoriesWire, MemoryWire, SourceWire, VersionsWire};
pub use recalled::{RecalledWire, RecollectionWire};
pub use session::{BoardWire, CheckpointWire, FieldWire};
pub use turn::{AttachmentWire, SessionSummaryWire, SessionWire, SessionsWire, TurnWire};

/// A record that is there and cannot be served.
#[derive(Serialize, ToSchema)]
pub struct DamageWire {
    record: String,
    why: String,
}

impl From<&Damage> for DamageWire {
    fn from(damage: &Damage) -> Self {
        Self {
            record: damage.record.clone(),
            why: damage.why.clone(),
        }
    }
}

/// The wire form of each.
pub fn all<'a, T: 'a, W: From<&'a T>>(items: impl IntoIterator<Item = &'a T>) -> Vec<W> {
    items.into_iter().map(W::from).collect()
}

/// The text of something that may not be there.
fn text_of<T: ToString>(value: Option<&T>) -> Option<String> {
    value.map(ToString::to_string)
}
