//! How far a session was taken in.

use std::collections::BTreeMap;

/// What is known of the session that the file is at.
#[derive(Clone, Default)]
pub(super) struct SessionProgress {
    /// How many turns it has.
    pub(super) turns: u32,
    /// The fields as the file wrote them last, by a fingerprint.
    pub(super) told: BTreeMap<String, [u8; 16]>,
    /// Whether the store's board is not the one that the file has come to.
    pub(super) has_gone_on: bool,
    /// Whether it is not made, since nothing that comes first in it can be taken in.
    pub(super) is_left_out: bool,
}
