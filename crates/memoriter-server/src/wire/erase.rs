//! What an erasure would take.

use memoriter::core::provenance::SourceRef;
use memoriter::{ErasePlan, Planned, PlannedRecord};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The plan of a dry run.
#[derive(Serialize, ToSchema)]
pub struct ErasePlanWire {
    /// Every record that would go.
    pub would_erase: Vec<PlannedWire>,
    /// How many of each kind.
    #[schema(value_type = Object)]
    pub counts: Map<String, Value>,
    /// Records that stay and hold the same words.
    pub still_say: Vec<HolderWire>,
}

/// A record that would go.
#[derive(Serialize, ToSchema)]
pub struct PlannedWire {
    /// Its scope, for people.
    pub scope: String,
    /// `memory`, `turn`, `field`, `checkpoint`, `session` or `damaged`.
    pub kind: &'static str,
    /// Its id or name.
    pub id: String,
}

/// A record that holds the same words.
#[derive(Serialize, ToSchema)]
pub struct HolderWire {
    /// `memory` or `turn`.
    pub kind: &'static str,
    /// Its id.
    pub id: String,
}

impl From<&ErasePlan> for ErasePlanWire {
    fn from(plan: &ErasePlan) -> Self {
        let counts = plan.counts().listed().into_iter();
        Self {
            would_erase: super::all(&plan.records),
            counts: counts
                .filter(|(_, count)| *count > 0)
                .map(|(name, count)| (name.to_owned(), count.into()))
                .collect(),
            still_say: super::all(&plan.still_say),
        }
    }
}

impl From<&SourceRef> for HolderWire {
    fn from(source: &SourceRef) -> Self {
        let (kind, id) = match source {
            SourceRef::Turn(id) => ("turn", id.to_string()),
            SourceRef::Memory(id) => ("memory", id.to_string()),
        };
        Self { kind, id }
    }
}

impl From<&PlannedRecord> for PlannedWire {
    fn from(planned: &PlannedRecord) -> Self {
        let (kind, id) = match &planned.record {
            Planned::Memory(id) => ("memory", id.to_string()),
            Planned::Turn(id) => ("turn", id.to_string()),
            Planned::Field(version) => (
                "field",
                format!("{} of {}", version.name, version.session.as_str()),
            ),
            Planned::Checkpoint(id) => ("checkpoint", id.to_string()),
            Planned::Session(name) => ("session", name.as_str().to_owned()),
            Planned::Damaged(row) => ("damaged", row.to_string()),
        };
        Self {
            scope: planned.scope.to_string(),
            kind,
            id,
        }
    }
}
