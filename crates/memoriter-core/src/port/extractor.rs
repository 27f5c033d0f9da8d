//! From turns to candidates.

use super::language_model::ModelError;
use crate::extract::{Candidate, Heard};

/// Turns that are read together where nothing costs a call.
const BATCH_TURNS: usize = 256;
/// Ten times what rules need for a thousand turns with their decisions, on a busy disk.
const LEASE_MICROS: i64 = 60 * 1_000_000;

/// Proposes what to write down.
///
/// - `extract` MUST return candidates in the order of their turns; none is a right answer.
/// - A candidate's quote MUST be a part of the text of the turn that it names, byte for byte.
/// - A candidate MUST be supported by what its turn says: a question, a supposition, a quotation of somebody
///   else or a joke supports nothing.
/// - Equal turns MUST give equal candidates where no language model takes part.
/// - An implementation MUST be callable from any thread and MUST NOT hold a lock while it waits for a
///   network.
pub trait Extractor: Send + Sync {
    /// A stable name with a version, such as `rules-2`; changes whenever candidates change.
    fn name(&self) -> &str;

    /// How many turns are read together at most.
    fn batch_turns(&self) -> usize {
        BATCH_TURNS
    }

    /// How long turns that were taken to be read stay with who took them, microseconds. Who has died is waited for as
    /// long.
    fn lease_micros(&self) -> i64 {
        LEASE_MICROS
    }

    /// How many turns before those of a batch it wants to see, where reading them costs nothing: new turns may correct
    /// or take back what was said in them. What it finds in them again changes nothing.
    fn context_turns(&self) -> usize {
        0
    }

    /// Reads a batch of turns of one session, in order.
    ///
    /// # Errors
    /// [`ModelError`] when a language model or its service fails; the caller keeps the turns and tries again.
    fn extract(&self, turns: &[Heard<'_>]) -> Result<Vec<Candidate>, ModelError>;
}
