//! Forgetting for good: what is selected, what goes with it, and what is left to know it by.
//!
//! To take something out of use and keep it as history is the write path's part ([`mod@crate::write`]).

mod cascade;
mod counts;
mod phrase;
mod receipt;
mod remains;
mod selector;

use crate::id::TurnId;
use crate::turn::SessionName;

pub use cascade::{Cascade, falls};
pub use counts::ErasedCounts;
pub use phrase::Phrase;
pub use receipt::{
    Progress, RECEIPT_BYTES_MAX, Receipt, ReceiptState, Search, SignedReceipt, continued,
    public_key,
};
pub use remains::Remains;
pub use selector::{MATCHING_BYTES_MAX, Selector};

/// What the tombstone of an erased turn matches: its id, which is derived from session and text, so that the same turn
/// is known when it comes again.
///
/// ```
/// use memoriter_core::forget::turn_mark;
/// use memoriter_core::id::TurnId;
///
/// let turn = |number| TurnId::from_bytes([number; 16]);
/// assert_eq!(turn_mark(turn(1)), turn_mark(turn(1)));
/// assert_ne!(turn_mark(turn(1)), turn_mark(turn(2)));
/// ```
#[must_use]
pub fn turn_mark(id: TurnId) -> Vec<u8> {
    [b"turn\0".as_slice(), id.as_bytes()].concat()
}

/// What the tombstone of a session that was erased as a whole matches: its name. What is in an export that is older is not
/// taken in again.
#[must_use]
pub fn session_mark(name: &SessionName) -> Vec<u8> {
    [b"session\0".as_slice(), name.as_str().as_bytes()].concat()
}

/// What the tombstone of a scope matches of which everything was erased.
#[must_use]
pub fn scope_mark() -> Vec<u8> {
    b"scope\0".to_vec()
}
