//! The present, as an argument.

use crate::time::Timestamp;

/// Tells the time.
///
/// An implementation MUST be callable from any thread. It MAY step backwards: nothing in the engine
/// orders records by time alone.
pub trait Clock: Send + Sync {
    /// The present instant, UTC.
    fn now(&self) -> Timestamp;
}
