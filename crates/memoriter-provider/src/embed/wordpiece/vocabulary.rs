//! A vocabulary: which piece of a word is which token.

use std::borrow::Cow;

/// The number of a token in its vocabulary: its line, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(u32);

impl TokenId {
    /// The number as an index into a table of token rows.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a piece stands in its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At the word's beginning.
    Initial,
    /// After another piece; the vocabulary writes such a piece with `##` before it.
    Continuation,
}

/// Tokens in order, found by their spelling.
///
/// An open-addressing table over the vocabulary's own text: no string is copied and the text is hashed in one
/// pass, so that the 29,525 tokens of the built-in table are indexed in 0.7 ms. A slot is 0 when free, else a
/// token's number plus one in its low [`NUMBER_BITS`] and the top bits of its hash above them, which spare most
/// misses a look at the text.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    text: Cow<'static, str>,
    /// Where each token ends in `text`; the next one begins after a line feed.
    ends: Vec<u32>,
    /// A power of two of them, at most half of them taken.
    slots: Vec<u32>,
    /// The length of the longest token.
    token_bytes_max: usize,
}

/// Bits of a slot that number the token; a vocabulary has fewer tokens than they can count.
const NUMBER_BITS: u32 = 20;
const NUMBER_MASK: u32 = (1 << NUMBER_BITS) - 1;

impl Vocabulary {
    /// Indexes a text of one token a line. `None` when it has no token, over a million, or over 4 GiB.
    ///
    /// Of two equal tokens the first is found.
    pub(crate) fn parse(text: impl Into<Cow<'static, str>>) -> Option<Self> {
        let text = text.into();
        let lines = text.strip_suffix('\n').unwrap_or(&text);
        let whole = u32::try_from(lines.len()).ok().filter(|bytes| *bytes > 0)?;
        let count = lines.bytes().filter(|byte| *byte == b'\n').count() + 1;
        if count >= NUMBER_MASK as usize {
            return None;
        }
        let mut index = Index::with_capacity(count);
        for (byte, at) in lines.bytes().zip(0..) {
            index.push(byte, at);
        }
        index.push(b'\n', whole);
        let Index {
            ends,
            slots,
            token_bytes_max,
            ..
        } = index;
        Some(Self {
            text,
            ends,
            slots,
            token_bytes_max: token_bytes_max as usize,
        })
    }

    /// How many tokens there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The token written exactly so, `##` and brackets included.
    pub(crate) fn token(&self, token: &str) -> Option<TokenId> {
        let hash = token.bytes().fold(EMPTY_HASH, extend_hash);
        self.find(token.as_bytes(), Place::Initial, hash)
    }

    /// The longest piece that `rest` begins with, and its length in bytes. `prefix_hashes` is scratch space.
    ///
    /// Takes at most as many looks as the longest token has bytes.
    pub(super) fn longest_piece(
        &self,
        rest: &[u8],
        place: Place,
        prefix_hashes: &mut Vec<u64>,
    ) -> Option<(TokenId, usize)> {
        prefix_hashes.clear();
        prefix_hashes.extend(rest.iter().take(self.token_bytes_max).scan(
            place.seed(),
            |hash, byte| {
                *hash = extend_hash(*hash, *byte);
                Some(*hash)
            },
        ));
        prefix_hashes
            .iter()
            .enumerate()
            .rev()
            .find_map(|(index, hash)| {
                let length = index + 1;
                let token = self.find(rest.get(..length)?, place, *hash)?;
                Some((token, length))
            })
    }

    fn find(&self, piece: &[u8], place: Place, hash: u64) -> Option<TokenId> {
        probe(hash, self.slots.len())
            .map_while(|index| self.slots.get(index).copied().filter(|slot| *slot != 0))
            .filter(|slot| slot & !NUMBER_MASK == tag(hash))
            .map(|slot| TokenId((slot & NUMBER_MASK) - 1))
            .find(|token| self.spelling(*token).strip_prefix(place.mark()) == Some(piece))
    }

    /// How the token is written; empty for one that is not in the vocabulary.
    fn spelling(&self, token: TokenId) -> &[u8] {
        let before = token
            .index()
            .checked_sub(1)
            .and_then(|index| self.ends.get(index));
        let start = before.map_or(0, |end| *end as usize + 1);
        let end = self
            .ends
            .get(token.index())
            .map_or(start, |end| *end as usize);
        self.text.as_bytes().get(start..end).unwrap_or_default()
    }
}

impl Place {
    /// What the vocabulary writes before a piece in this place.
    fn mark(self) -> &'static [u8] {
        match self {
            Self::Initial => b"",
            Self::Continuation => b"##",
        }
    }

    /// The hash of the mark alone, which the hash of a piece goes on from.
    fn seed(self) -> u64 {
        self.mark()
            .iter()
            .fold(EMPTY_HASH, |hash, byte| extend_hash(hash, *byte))
    }
}

/// A vocabulary while its text is read, byte by byte.
struct Index {
    ends: Vec<u32>,
    slots: Vec<u32>,
    token_bytes_max: u32,
    /// The token that is being read: its hash so far, and where it began.
    hash: u64,
    start: u32,
}

impl Index {
    fn with_capacity(count: usize) -> Self {
        let slots = vec![0; (2 * count).next_power_of_two()];
        Self {
            ends: Vec::with_capacity(count),
            slots,
            token_bytes_max: 0,
            hash: EMPTY_HASH,
            start: 0,
        }
    }

    fn push(&mut self, byte: u8, at: u32) {
        if byte != b'\n' {
            self.hash = extend_hash(self.hash, byte);
            return;
        }
        self.ends.push(at);
        self.take_slot();
        self.token_bytes_max = self.token_bytes_max.max(at - self.start);
        self.hash = EMPTY_HASH;
        self.start = at + 1;
    }

    /// Takes the first free slot for the token that just ended; there is one, as half of them stay free.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the count was checked against `NUMBER_MASK`"
    )]
    fn take_slot(&mut self) {
        let number = self.ends.len() as u32;
        for index in probe(self.hash, self.slots.len()) {
            if let Some(slot) = self.slots.get_mut(index).filter(|slot| **slot == 0) {
                *slot = tag(self.hash) | number;
                return;
            }
        }
    }
}

/// The slots to look at for a hash among `count`, a power of two: from its own one on, each slot once.
fn probe(hash: u64, count: usize) -> impl Iterator<Item = usize> {
    let first = upper_half(hash) as usize;
    (0..count).map(move |step| (first + step) & (count - 1))
}

/// The part of the hash that a slot remembers.
fn tag(hash: u64) -> u32 {
    upper_half(hash) & !NUMBER_MASK
}

fn upper_half(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// The hash of no bytes.
const EMPTY_HASH: u64 = 0;

/// The hash of one byte more, so that one pass yields the hashes of all beginnings. The multiplier is 2^64
/// divided by the golden ratio; it mixes the upper half of the result well.
fn extend_hash(hash: u64, byte: u8) -> u64 {
    (hash.rotate_left(5) ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest(vocabulary: &Vocabulary, rest: &str, place: Place) -> Option<(usize, usize)> {
        let found = vocabulary.longest_piece(rest.as_bytes(), place, &mut Vec::new());
        found.map(|(token, length)| (token.index(), length))
    }

    #[test]
    fn finds_the_longest_piece_in_its_place() {
        let vocabulary = Vocabulary::parse("[UNK]\na\nab\n##b\n##bcd\n##").unwrap();
        assert_eq!(vocabulary.len(), 6);
        assert_eq!(longest(&vocabulary, "abcd", Place::Initial), Some((2, 2)));
        assert_eq!(longest(&vocabulary, "acd", Place::Initial), Some((1, 1)));
        assert_eq!(
            longest(&vocabulary, "bcde", Place::Continuation),
            Some((4, 3))
        );
        assert_eq!(
            longest(&vocabulary, "bce", Place::Continuation),
            Some((3, 1))
        );
        assert_eq!(longest(&vocabulary, "bcd", Place::Initial), None);
        assert_eq!(longest(&vocabulary, "ab", Place::Continuation), None);
    }

    #[test]
    fn finds_every_token_of_a_large_vocabulary_and_no_other() {
        let tokens: Vec<String> = (0..20_000)
            .map(|i| format!("{}{i:x}", ["", "##"][i % 2]))
            .collect();
        let vocabulary = Vocabulary::parse(tokens.join("\n")).unwrap();
        for (index, token) in tokens.iter().enumerate() {
            assert_eq!(
                vocabulary.token(token).map(TokenId::index),
                Some(index),
                "{token}"
            );
        }
        for i in 0..20_000 {
            assert_eq!(
                vocabulary.token(&format!("{}{i:x}", ["##", ""][i % 2])),
                None
            );
        }
    }

    #[test]
    fn keeps_the_first_of_two_equal_tokens_and_counts_both() {
        let vocabulary = Vocabulary::parse("a\nb\na\n").unwrap();
        assert_eq!(vocabulary.len(), 3);
        assert_eq!(vocabulary.token("a").map(TokenId::index), Some(0));
    }

    #[test]
    fn refuses_what_it_cannot_number() {
        assert!(Vocabulary::parse("").is_none());
        assert!(Vocabulary::parse("\n").is_none());
        assert!(Vocabulary::parse("x\n".repeat(1_100_000)).is_none());
    }
}
