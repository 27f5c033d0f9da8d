//! Reading what older turns of sessions came to.

use memoriter_core::fold::{Run, Span};
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;

use super::Rows;
use crate::error::StoreError;

/// The spans of sessions. A part of every [`Snapshot`](super::Snapshot), whose rules hold here too.
///
/// Spans are derived: one that is not there can be made again from its turns.
///
/// - A span MUST NOT be there any more once one of its turns was taken out of use.
pub trait Spans {
    /// Of `runs` those that have a span in the session, in the order of the runs.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn spans(
        &self,
        scope: &Scope,
        session: &SessionName,
        runs: &[Run],
    ) -> Result<Rows<Span>, StoreError>;
}
