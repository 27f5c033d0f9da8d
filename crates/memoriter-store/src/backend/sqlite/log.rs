//! Whether the log beside the file is one that SQLite reads.
//!
//! SQLite passes over a log whose header does not fit as if it were empty, and what was meant to be in it is missing
//! without a word. A log of another store whose header fits is taken for ours: nothing in it says whose it is, so
//! only the checksums of records tell.
//!
//! The header: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.

use std::io::Read;
use std::path::Path;

use super::file;
use crate::store::Damage;

const HEADER_BYTES: usize = 32;
/// The two magic numbers; the odd one says that checksums are big-endian.
const MAGIC: u32 = 0x377f_0682;
/// Bytes of a page, as the stores of this project have them.
const PAGE_BYTES: u32 = 4_096;

/// What is wrong with the log beside the store at `path`. None, an empty one, and one that a power cut has left
/// without its first bytes are as they should be.
pub(super) fn check(path: &Path) -> Option<Damage> {
    let header = header(path)?;
    if header == [0; HEADER_BYTES] || fits(&header) {
        return None;
    }
    Some(Damage {
        record: format!("log {}", file::log_name(path)),
        why: "it is not a log of this store, and nothing in it is read".into(),
    })
}

fn header(path: &Path) -> Option<[u8; HEADER_BYTES]> {
    let mut header = [0; HEADER_BYTES];
    let mut log = fs_err::File::open(file::log(path)).ok()?;
    log.read_exact(&mut header).ok()?;
    Some(header)
}

/// Whether magic number, page size and checksum are those of a log.
fn fits(header: &[u8; HEADER_BYTES]) -> bool {
    let field = |number: usize| header.iter().skip(number * 4).take(4);
    let big = |number: usize| field(number).fold(0, |sum, byte| sum << 8 | u32::from(*byte));
    let little = |number: usize| {
        field(number)
            .rev()
            .fold(0, |sum, byte| sum << 8 | u32::from(*byte))
    };
    let magic = big(0);
    let sums = (0..3).fold((0_u32, 0_u32), |(first, second), pair| {
        let word = |number| {
            if magic & 1 == 1 {
                big(number)
            } else {
                little(number)
            }
        };
        let first = first.wrapping_add(word(pair * 2)).wrapping_add(second);
        let second = second.wrapping_add(word(pair * 2 + 1)).wrapping_add(first);
        (first, second)
    });
    magic & !1 == MAGIC && big(2) == PAGE_BYTES && sums == (big(6), big(7))
}
