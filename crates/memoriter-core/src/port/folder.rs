//! From turns to what they came to.

use super::language_model::ModelError;
use crate::fold::SpanItem;
use crate::turn::Turn;

/// Makes the items of a span.
///
/// - `fold` MUST give items in the order of their first turns; none is a right answer.
/// - The text of an item MUST be a part of the content of every turn that it names, byte for byte, and each of them MUST
///   be among `turns`.
/// - Instructions (role `system`), results of tools and turns that somebody asked to forget MUST give no items.
/// - Only what the user or the operator says MUST become a question or a constraint: these cannot be dropped.
/// - Equal turns MUST give equal items where no language model takes part.
/// - An implementation MUST be callable from any thread.
pub trait Folder: Send + Sync {
    /// A stable name with a version, such as `cues-2`; changes whenever items change.
    fn name(&self) -> &str;

    /// Folds turns of one session, in order. `after` are the turns that come next, as far as there are any and no more
    /// than [`TURNS_AFTER`]: whether the last question was answered is in them.
    ///
    /// # Errors
    /// [`ModelError`] when a language model or its service fails.
    fn fold(&self, turns: &[Turn], after: &[Turn]) -> Result<Vec<SpanItem>, ModelError>;
}

/// Turns that are read beyond the ones to fold: an answer comes at once, or after a call of a tool and its result.
pub const TURNS_AFTER: u32 = 4;
