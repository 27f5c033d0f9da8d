//! The bytes of what was erased, to look for in files afterwards.

use std::collections::HashMap;
use std::fmt;

/// Bytes of a piece. A record that a page is too small for is cut into parts of a page, so a long text is looked for in
/// pieces, of which one at least lies whole in a part.
pub(crate) const PIECE_BYTES: usize = 16;
/// Bytes that a text must have to be looked for: shorter ones stand in any file by chance.
pub(crate) const NEEDLE_BYTES_MIN: usize = 8;
/// Pieces of one text: a kibibyte of it, spread over the whole.
const PIECES_MAX: usize = 64;

/// Pieces of texts and vectors that were erased, in the forms in which files might hold them. Kept in memory alone and
/// never shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Needles {
    pieces: Vec<Piece>,
    texts: u64,
    short: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    bytes: [u8; PIECE_BYTES],
    length: u8,
}

impl Piece {
    fn of(bytes: &[u8]) -> Option<Self> {
        let first = bytes.first()?;
        // A run of one byte is padding, or an empty page.
        if bytes.len() < NEEDLE_BYTES_MIN || bytes.iter().all(|byte| byte == first) {
            return None;
        }
        let mut piece = Self {
            bytes: [0; PIECE_BYTES],
            length: u8::try_from(bytes.len()).ok()?,
        };
        piece.bytes.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(piece)
    }

    fn as_bytes(&self) -> &[u8] {
        self.bytes
            .get(..usize::from(self.length))
            .unwrap_or_default()
    }
}

impl Needles {
    /// Adds a text: as it is, in UTF-16, and in Base64 wherever a group of that may begin.
    pub fn add_text(&mut self, text: &str) {
        if text.len() < NEEDLE_BYTES_MIN {
            self.short += u64::from(!text.is_empty());
            return;
        }
        self.texts += 1;
        self.add_pieces(text.as_bytes());
        let units = || text.encode_utf16().take(PIECE_BYTES / 2);
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        let groups = (0..3).filter_map(|start| base64(text.as_bytes().get(start..)?));
        let forms: Vec<Vec<u8>> = [little, big].into_iter().chain(groups).collect();
        self.pieces
            .extend(forms.iter().filter_map(|form| Piece::of(form)));
    }

    /// Adds bytes as they are.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        if bytes.len() >= NEEDLE_BYTES_MIN {
            self.texts += 1;
            self.add_pieces(bytes);
        }
    }

    /// Adds those of another erasure.
    pub fn add(&mut self, more: Self) {
        self.pieces.extend(more.pieces);
        self.texts += more.texts;
        self.short += more.short;
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Texts that are too short to be looked for.
    #[must_use]
    pub fn short(&self) -> u64 {
        self.short
    }

    fn add_pieces(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.len().checked_sub(PIECE_BYTES) else {
            self.pieces.extend(Piece::of(bytes));
            return;
        };
        let step = (bytes.len() / PIECES_MAX).max(PIECE_BYTES);
        let starts = (0..last).step_by(step).chain([last]);
        let pieces = starts.filter_map(|start| Piece::of(bytes.get(start..start + PIECE_BYTES)?));
        self.pieces.extend(pieces);
    }
}

impl fmt::Debug for Needles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Needles({} pieces)", self.pieces.len())
    }
}

/// The first characters of whole groups.
fn base64(bytes: &[u8]) -> Option<Vec<u8>> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut form = Vec::with_capacity(PIECE_BYTES);
    for group in bytes.chunks_exact(3).take(PIECE_BYTES / 4) {
        let bits = group
            .iter()
            .fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        for shift in [18, 12, 6, 0] {
            form.push(*ALPHABET.get(bits >> shift & 63)?);
        }
    }
    Some(form)
}

/// Bits of the filter that most places of a file fall through: 2^22, half a mebibyte, in the cache.
const FILTER_BITS: u32 = 22;

/// Looks for pieces in bytes that come in parts.
pub(crate) struct Finder {
    pieces: Vec<Piece>,
    by_start: HashMap<[u8; NEEDLE_BYTES_MIN], Vec<usize>>,
    filter: Vec<u64>,
    state: Vec<Seen>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nowhere,
    InRecord,
    InFile,
}

impl Finder {
    pub(crate) fn new(needles: &Needles) -> Self {
        let mut pieces = needles.pieces.clone();
        pieces.sort_unstable();
        pieces.dedup();
        let mut by_start: HashMap<[u8; NEEDLE_BYTES_MIN], Vec<usize>> = HashMap::new();
        let mut filter = vec![0_u64; 1 << (FILTER_BITS - 6)];
        for (at, piece) in pieces.iter().enumerate() {
            if let Some(start) = piece.as_bytes().first_chunk() {
                by_start.entry(*start).or_default().push(at);
                let (word, bit) = place(*start);
                if let Some(word) = filter.get_mut(word) {
                    *word |= bit;
                }
            }
        }
        Self {
            state: vec![Seen::Nowhere; pieces.len()],
            pieces,
            by_start,
            filter,
        }
    }

    /// Notes what stands in a value of a record that is there: it is not residue.
    pub(crate) fn look_in_record(&mut self, value: &[u8]) {
        self.look(value, Seen::InRecord);
    }

    /// Notes what stands in a part of a file. Parts have to overlap by [`PIECE_BYTES`].
    pub(crate) fn look_in_file(&mut self, part: &[u8]) {
        self.look(part, Seen::InFile);
    }

    fn look(&mut self, bytes: &[u8], place_of: Seen) {
        for (at, start) in bytes.windows(NEEDLE_BYTES_MIN).enumerate() {
            let Some(start) = start.first_chunk() else {
                continue;
            };
            let (word, bit) = place(*start);
            if self.filter.get(word).is_none_or(|word| word & bit == 0) {
                continue;
            }
            let Some(candidates) = self.by_start.get(start) else {
                continue;
            };
            for candidate in candidates {
                let piece = self
                    .pieces
                    .get(*candidate)
                    .map(Piece::as_bytes)
                    .unwrap_or_default();
                if bytes.get(at..).is_some_and(|rest| rest.starts_with(piece))
                    && let Some(seen) = self.state.get_mut(*candidate)
                    && *seen != Seen::InRecord
                {
                    *seen = place_of;
                }
            }
        }
    }

    /// How many were looked for, how many of them stand in records, how many in files alone.
    pub(crate) fn counts(&self) -> (u64, u64, u64) {
        let count = |wanted| self.state.iter().filter(|seen| **seen == wanted).count() as u64;
        (
            self.pieces.len() as u64,
            count(Seen::InRecord),
            count(Seen::InFile),
        )
    }
}

/// Where the first bytes of a piece are in the filter.
fn place(start: [u8; NEEDLE_BYTES_MIN]) -> (usize, u64) {
    // The odd number of Fibonacci hashing: 2^64 by the golden ratio.
    let hash = u64::from_le_bytes(start).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - FILTER_BITS);
    (usize::try_from(hash >> 6).unwrap_or(0), 1 << (hash & 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What of a text is found in bytes.
    #[track_caller]
    fn check(text: &str, file: &[u8], expected: u64) {
        let mut needles = Needles::default();
        needles.add_text(text);
        let mut finder = Finder::new(&needles);
        finder.look_in_file(file);
        assert_eq!(finder.counts().2, expected, "{text:?}");
    }

    #[test]
    fn a_text_is_found_in_every_form() {
        let text = "the quick brown fox";
        check(text, b"...the quick brown fox...", 2);
        check(text, b"...e quick brown fox...", 1);
        check(text, b"the quick", 0);
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        check(text, &wide, 1);
        // From its second byte on it is the other form, but for the first character.
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        check(text, &wide, 2);
        // "xthe quick brown fox" and "xxthe quick brown fox" begin a group elsewhere.
        for encoded in [
            "dGhlIHF1aWNrIGJyb3duIGZveA==",
            "eHRoZSBxdWljayBicm93biBmb3g=",
            "eHh0aGUgcXVpY2sgYnJvd24gZm94",
        ] {
            check(text, encoded.as_bytes(), 1);
        }
    }

    #[test]
    fn what_a_record_says_too_is_no_residue() {
        let mut needles = Needles::default();
        needles.add_text("I live in Berlin");
        needles.add_text("short");
        needles.add_bytes(&[0; 64]);
        assert_eq!(needles.short(), 1);
        let mut finder = Finder::new(&needles);
        finder.look_in_record(b"I live in Berlin");
        finder.look_in_file(b"I live in Berlin and I live in Berlin");
        assert_eq!(finder.counts(), (6, 1, 0));
        assert_eq!(format!("{needles:?}"), "Needles(6 pieces)");
    }

    #[test]
    fn a_long_text_is_looked_for_all_over() {
        let numbers: Vec<String> = (0..20_000).map(|number: u32| number.to_string()).collect();
        let text = numbers.join(",");
        let mut needles = Needles::default();
        needles.add_text(&text);
        assert!(
            needles.pieces.len() <= PIECES_MAX + 7,
            "{}",
            needles.pieces.len()
        );
        let mut finder = Finder::new(&needles);
        finder.look_in_file(&text.as_bytes()[text.len() / 2..]);
        assert!(finder.counts().2 >= 30, "{:?}", finder.counts());
    }
}
