//! From turns to candidates.

use super::language_model::ModelError;
use crate::extract::{Candidate, Heard};

/// Turns that are read together where nothing costs a call.
const BATCH_TURNS: usize = 256;

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
    /// A stable name with a version, such as `rules-1`; changes whenever candidates change.
    fn name(&self) -> &str;

    /// How many turns are read together at most.
    fn batch_turns(&self) -> usize {
        BATCH_TURNS
    }

    /// Reads a batch of turns of one session, in order.
    ///
    /// # Errors
    /// [`ModelError`] when a language model or its service fails; the caller keeps the turns and tries again.
    fn extract(&self, turns: &[Heard<'_>]) -> Result<Vec<Candidate>, ModelError>;
}
