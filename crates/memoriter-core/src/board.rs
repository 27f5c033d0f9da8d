//! Boards: shared structured state. A session's state is the board of its name.
//!
//! A board holds named [`Field`]s. Several writers may change it at once, and nothing that one of them was told is
//! written gets lost: each field says how writes meet ([`MergeRule`]), whoever wants to be the only one names the
//! revision that was read, and an owner keeps others out. [`write()`] and [`remove`] decide that, from the field as it is;
//! keeping it is left to others.
//!
//! | module | holds |
//! |---|---|
//! | `field` | a field, its terms and limits |
//! | `merge` | what becomes of a field when it is written |
//! | `error` | why not |

mod error;
mod field;
mod merge;
#[cfg(test)]
mod tests;

pub use error::BoardError;
pub use field::{
    BOARD_FIELDS_MAX, BOARD_NAMES_MAX, FIELD_DEPTH_MAX, FIELD_VALUE_BYTES_MAX, Field, FieldType,
    MergeRule, Terms,
};
pub use merge::{FieldWrite, Guarded, remove, write};
