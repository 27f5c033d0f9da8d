//! Forgetting for good: what is selected, what goes with it, and what is left to know it by.
//!
//! To take something out of use and keep it as history is the write path's part ([`mod@crate::write`]).

mod cascade;
mod counts;
mod phrase;
mod receipt;
mod remains;
mod selector;

use crate::board::Field;
use crate::id::{CheckpointId, MemoryId, TurnId};
use crate::turn::SessionName;

pub use cascade::{Cascade, falls};
pub use counts::ErasedCounts;
pub use phrase::Phrase;
pub use receipt::{
    KeysGone, Progress, RECEIPT_BYTES_MAX, Receipt, ReceiptState, Search, SignedReceipt, continued,
    public_key, restored,
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

/// What the tombstone of an erased memory matches: its id, so that an older copy of it does not come back.
#[must_use]
pub fn memory_mark(id: MemoryId) -> Vec<u8> {
    [b"memory\0".as_slice(), id.as_bytes()].concat()
}

/// What the tombstone of an erased checkpoint matches: its id.
#[must_use]
pub fn checkpoint_mark(id: CheckpointId) -> Vec<u8> {
    [b"checkpoint\0".as_slice(), id.as_bytes()].concat()
}

/// What the tombstone of an erased board field matches, with all that it ever held: its session and name.
#[must_use]
pub fn field_mark(field: &Field) -> Vec<u8> {
    let mut mark = b"field\0".to_vec();
    for part in [field.session.as_str(), &field.name] {
        mark.extend_from_slice(&(part.len() as u64).to_le_bytes());
        mark.extend_from_slice(part.as_bytes());
    }
    mark
}

/// What the tombstone of an erased version of a board field matches, which others stay of: its value besides. As with
/// [`field_mark`], what was written before the request is not to come back; who writes it later means it.
#[must_use]
pub fn version_mark(field: &Field) -> Vec<u8> {
    let mut mark = field_mark(field);
    mark.extend_from_slice(field.to_json().as_deref().unwrap_or("removed").as_bytes());
    mark
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
