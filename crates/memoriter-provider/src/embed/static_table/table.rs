//! The file of a static token table, read in place.
//!
//! Little-endian: `STE1`; four `u32`: tokens, dimensions, bits, bytes of the vocabulary; the vocabulary, one
//! token a line; one half-precision scale a token; one row a token, two 4-bit components a byte, the low half
//! first, in two's complement. A component is its 4-bit value times the row's scale.

use crate::embed::wordpiece::{TokenId, Vocabulary};

/// Components of a vector.
pub(super) const DIMENSIONS: usize = 256;
const ROW_BYTES: usize = DIMENSIONS / 2;

/// The rows of a table, without its vocabulary.
#[derive(Debug)]
pub(super) struct Rows {
    scales: &'static [[u8; 2]],
    packed: &'static [[u8; ROW_BYTES]],
}

/// Reads a file. `None` when it is not a whole table of four bits and [`DIMENSIONS`] dimensions.
pub(super) fn parse(file: &'static [u8]) -> Option<(Vocabulary, Rows)> {
    let rest = file.strip_prefix(b"STE1")?;
    let (count, rest) = split_length(rest)?;
    let (dimensions, rest) = split_length(rest)?;
    let (bits, rest) = split_length(rest)?;
    let (vocabulary_bytes, rest) = split_length(rest)?;
    let (vocabulary, rest) = rest.split_at_checked(vocabulary_bytes)?;
    let (scales, rows) = rest.split_at_checked(count.checked_mul(2)?)?;
    let (scales, _) = scales.as_chunks();
    let (packed, excess) = rows.as_chunks();

    let vocabulary = Vocabulary::parse(std::str::from_utf8(vocabulary).ok()?)?;
    let whole = vocabulary.len() == count && packed.len() == count && excess.is_empty();
    (dimensions == DIMENSIONS && bits == 4 && whole)
        .then_some((vocabulary, Rows { scales, packed }))
}

fn split_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    Some((usize::try_from(u32::from_le_bytes(*length)).ok()?, rest))
}

impl Rows {
    /// The row of a token; all zero for a number that is not in the table.
    pub(super) fn row(&self, token: TokenId) -> [f32; DIMENSIONS] {
        let mut sum = RowSum::default();
        self.add(token, &mut sum);
        sum.components()
    }

    /// Adds the row of a token to a sum.
    pub(super) fn add(&self, token: TokenId, sum: &mut RowSum) {
        let index = token.index();
        let (Some(scale), Some(row)) = (self.scales.get(index), self.packed.get(index)) else {
            return;
        };
        sum.add(row, half_to_single(*scale));
    }
}

/// A sum of rows. Even and odd components are kept apart, as they come from low and high halves of bytes, so
/// that the additions run over whole vector registers.
pub(super) struct RowSum {
    even: [f32; ROW_BYTES],
    odd: [f32; ROW_BYTES],
}

impl Default for RowSum {
    fn default() -> Self {
        Self {
            even: [0.0; ROW_BYTES],
            odd: [0.0; ROW_BYTES],
        }
    }
}

impl RowSum {
    fn add(&mut self, row: &[u8; ROW_BYTES], scale: f32) {
        for ((even, odd), byte) in self.even.iter_mut().zip(&mut self.odd).zip(row) {
            // Shifting up and arithmetically down again extends the sign of four bits.
            let bits = i32::from(*byte);
            *even += as_f32((bits << 28) >> 28) * scale;
            *odd += as_f32((bits << 24) >> 28) * scale;
        }
    }

    /// The components in order.
    pub(super) fn components(&self) -> [f32; DIMENSIONS] {
        let mut components = [0.0; DIMENSIONS];
        let (pairs, _) = components.as_chunks_mut();
        for ((pair, even), odd) in pairs.iter_mut().zip(self.even).zip(self.odd) {
            *pair = [even, odd];
        }
        components
    }
}

#[expect(clippy::cast_precision_loss, reason = "four bits are exact")]
fn as_f32(four_bits: i32) -> f32 {
    four_bits as f32
}

/// A finite half-precision number, subnormal ones included: its bits, read with the wider exponent, are too
/// small by the difference of the two exponent biases.
fn half_to_single(half: [u8; 2]) -> f32 {
    /// 2^112.
    const BIAS_DIFFERENCE: f32 = f32::from_bits((127 + 112) << 23);
    let bits = u32::from(u16::from_le_bytes(half));
    let magnitude = f32::from_bits((bits & 0x7fff) << 13) * BIAS_DIFFERENCE;
    if bits & 0x8000 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "the conversion is exact")]
    fn converts_half_precision() {
        let convert = |bits: u16| half_to_single(bits.to_le_bytes());
        assert_eq!(convert(0x3c00), 1.0);
        assert_eq!(convert(0xc000), -2.0);
        assert_eq!(convert(0x3555), 0.333_251_95);
        assert_eq!(convert(0x0001), 2.0_f32.powi(-24));
        assert_eq!(convert(0x7bff), 65_504.0);
        assert_eq!(convert(0), 0.0);
    }

    fn file(dimensions: u32, bits: u32, rows: &[u8]) -> &'static [u8] {
        let lengths = [2, dimensions, bits, 7].map(u32::to_le_bytes).concat();
        let scales = [0x00, 0x3c, 0x00, 0x38]; // 1 and 0.5
        [b"STE1", lengths.as_slice(), b"[UNK]\na", &scales, rows]
            .concat()
            .leak()
    }

    #[test]
    fn unpacks_the_low_half_first_with_its_sign() {
        let mut rows = [0; 2 * ROW_BYTES];
        rows[ROW_BYTES..ROW_BYTES + 2].copy_from_slice(&[0x81, 0x7f]);
        let (vocabulary, table) = parse(file(256, 4, &rows)).unwrap();
        let row = table.row(vocabulary.token("a").unwrap());
        assert_eq!(row[..4], [0.5, -4.0, -0.5, 3.5]);
        assert!(row[4..].iter().all(|component| *component == 0.0));
    }

    #[test]
    fn refuses_what_is_not_a_whole_table() {
        let whole = file(256, 4, &[0; 2 * ROW_BYTES]);
        assert!(parse(whole).is_some());
        for length in 0..whole.len() {
            assert!(parse(&whole[..length]).is_none(), "cut to {length} bytes");
        }
        assert!(
            parse(file(256, 4, &[0; 2 * ROW_BYTES + 1])).is_none(),
            "excess"
        );
        assert!(
            parse(file(256, 8, &[0; 2 * ROW_BYTES])).is_none(),
            "eight bits"
        );
        assert!(
            parse(file(128, 4, &[0; 2 * ROW_BYTES])).is_none(),
            "other dimensions"
        );
    }
}
