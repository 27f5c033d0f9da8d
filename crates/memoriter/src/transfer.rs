//! Taking along everything that is held about somebody: out of a store into a file, and from such a file into a
//! store.
//!
//! The file is JSONL: a manifest, the records, and a last line with how many there are and a checksum over all before
//! it. [`docs/export.md`](https://docs.rs/memoriter) describes every field. Records come in an order in which they can
//! be written one after another: scope by scope, session by session, memories in order of arrival. Change numbers,
//! vectors and spans are left out; a store makes its own.
//!
//! | module | holds |
//! |---|---|
//! | `form` | a line of the file, and the way between it and the vocabulary |
//! | `export`, `board`, `sink` | from a snapshot to lines |
//! | `source` | from a file to records, checked |
//! | `import`, `take`, `belief` | from records to units of writes; what of a foreign file is believed |

mod belief;
mod board;
mod error;
mod export;
mod form;
mod import;
mod sink;
mod source;
mod take;

use blake3::Hash;
use memoriter_core::turn::JSON_DEPTH_MAX;

pub use self::error::TransferError;
pub use self::export::Exported;
pub use self::form::RecordCounts;
pub use self::import::{Clash, Import, Imported};

/// The version of the file's form that this program writes and reads.
pub const EXPORT_VERSION: u32 = 1;
/// Bytes that a line may have: the bytes of the largest attachment or checkpoint in base64, with room for what is said
/// about it.
const LINE_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Levels of nesting that a line may have: those of a message as its provider wrote it, and of the line around it.
const DEPTH_MAX: usize = JSON_DEPTH_MAX + 8;
/// Records that are read, or written, together.
const BATCH_RECORDS: usize = 1_000;

/// What only this store can say of a checksum: that the file is its own. From another key than the store's other marks,
/// so that none of them can pass for it.
fn seal(secret: &[u8; 32], checksum: &Hash) -> Hash {
    let key = blake3::derive_key("memoriter export seal, version 1", secret);
    blake3::keyed_hash(&key, checksum.as_bytes())
}
