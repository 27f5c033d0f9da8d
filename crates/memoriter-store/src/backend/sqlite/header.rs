//! The first bytes of a file that SQLite cannot read, or does not read as ours.
//!
//! Offsets are those of <https://sqlite.org/fileformat.html#the_database_header>, integers big-endian.

use std::io::Read;
use std::ops::Range;
use std::path::Path;

use super::file::system;
use crate::error::StoreError;
use crate::migrate::APPLICATION_ID;

const MAGIC: &[u8] = b"SQLite format 3\0";
const PAGE_BYTES_AT: Range<usize> = 16..18;
const PAGES_AT: Range<usize> = 28..32;
const APPLICATION_ID_AT: Range<usize> = 68..72;

/// Bytes in which tables of ours are looked for where the header is not ours. They are made with a store, hence near its
/// beginning; later formats add some pages further on.
const SEARCHED_BYTES: u64 = 16 * 1024 * 1024;
/// How a page of SQLite lists our tables: the kind, the name, the name of the table again, and what makes it. No other text
/// has that, and other applications have not both.
const LISTED: [&str; 2] = ["tabletombstonetombstone", "tableembeddingembedding"];

/// Whose a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// A store, of as many bytes as it says itself.
    Store {
        /// Pages times bytes of a page.
        bytes: u64,
    },
    /// A file of SQLite that ends before it says whose it is.
    Cut,
    /// A store by what else is in it, whose first bytes are another's or nobody's.
    Damaged,
    /// Something else.
    Other,
}

/// Reads the header. The file must not be one that this process has open as a store: closing it would drop the
/// locks on it.
pub(super) fn read(path: &Path) -> Result<Header, StoreError> {
    let mut bytes = Vec::new();
    fs_err::File::open(path)
        .and_then(|file| {
            file.take(APPLICATION_ID_AT.end as u64)
                .read_to_end(&mut bytes)
        })
        .map_err(|error| system("reading", path, &error))?;
    match judge(&bytes) {
        Header::Other if lists_our_tables(path)? => Ok(Header::Damaged),
        header @ (Header::Store { .. } | Header::Cut | Header::Damaged | Header::Other) => {
            Ok(header)
        }
    }
}

/// Whether tables of ours are listed in a file.
fn lists_our_tables(path: &Path) -> Result<bool, StoreError> {
    let mut bytes = Vec::new();
    fs_err::File::open(path)
        .and_then(|file| file.take(SEARCHED_BYTES).read_to_end(&mut bytes))
        .map_err(|error| system("reading", path, &error))?;
    let is_there = |listed: &&str| {
        let mut parts = bytes.windows(listed.len());
        parts.any(|part| part == listed.as_bytes())
    };
    Ok(LISTED.iter().all(is_there))
}

fn judge(bytes: &[u8]) -> Header {
    if !bytes.starts_with(MAGIC) {
        return Header::Other;
    }
    let Some(id) = number(bytes, APPLICATION_ID_AT) else {
        return Header::Cut;
    };
    if id != u64::from(APPLICATION_ID.cast_unsigned()) {
        return Header::Other;
    }
    let count = |range| number(bytes, range).unwrap_or(0);
    Header::Store {
        bytes: count(PAGE_BYTES_AT) * count(PAGES_AT),
    }
}

fn number(bytes: &[u8], range: Range<usize>) -> Option<u64> {
    let digits = bytes.get(range)?.iter();
    Some(digits.fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_says_whose_the_file_is() {
        let mut bytes = [MAGIC, &[0; 84]].concat();
        assert_eq!(judge(b""), Header::Other);
        assert_eq!(judge(&bytes[1..]), Header::Other);
        assert_eq!(judge(&bytes[..71]), Header::Cut);
        assert_eq!(judge(&bytes), Header::Other, "another application's");
        bytes[16..18].copy_from_slice(&[0x10, 0]);
        bytes[28..32].copy_from_slice(&[0, 0, 0, 7]);
        bytes[68..72].copy_from_slice(b"memo");
        assert_eq!(judge(&bytes), Header::Store { bytes: 7 * 4_096 });
    }
}
