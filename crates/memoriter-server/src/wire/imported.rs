//! What an import took in.

use memoriter::{Clash, Imported};
use serde::Serialize;
use utoipa::ToSchema;

use super::CountsWire;

/// Counts of an import.
#[derive(Serialize, ToSchema)]
pub struct ImportedWire {
    /// Whether this store wrote the file.
    own: bool,
    added: CountsWire,
    known: CountsWire,
    /// Forgotten on request, and so it stays.
    forgotten: u64,
    /// Would be nothing without a secret.
    refused: u64,
    /// Of the ledger of another store.
    left_out: u64,
    /// In conflict with what is here, which stays.
    conflicts: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clashes: Vec<ClashWire>,
}

/// A record that is here and says something else.
#[derive(Serialize, ToSchema)]
struct ClashWire {
    line: u64,
    record: String,
    why: String,
}

impl From<&Clash> for ClashWire {
    fn from(clash: &Clash) -> Self {
        Self {
            line: clash.line,
            record: clash.record.clone(),
            why: clash.why.clone(),
        }
    }
}

impl From<&Imported> for ImportedWire {
    fn from(imported: &Imported) -> Self {
        Self {
            own: imported.is_own,
            added: CountsWire::from(&imported.added),
            known: CountsWire::from(&imported.known),
            forgotten: imported.forgotten,
            refused: imported.refused,
            left_out: imported.left_out,
            conflicts: imported.conflicts,
            clashes: super::all(&imported.clashes),
        }
    }
}
