//! Dot products and distances over many vectors: two implementations, chosen once by what the processor has.
//!
//! The portable one is the definition; the AVX2 one gives the same integers, which a test checks.

/// Components are padded with zeros to a multiple of this, so that a kernel has no tail.
pub(super) const LANES: usize = 32;

/// Dot products of `query` with each row of `rows`: integer, exact.
///
/// `rows` is row-major, `[n, dimensions]`; `query` has `dimensions` codes, a multiple of [`LANES`]; codes
/// are in `-127..=127`. Calls `sink` with row number and product, in order.
pub(super) fn dots(query: &[i8], rows: &[i8], sink: impl FnMut(usize, i32)) {
    assert!(
        query.len().is_multiple_of(LANES),
        "vectors are padded to whole lanes"
    );
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        #[expect(
            unsafe_code,
            reason = "five times faster than what the baseline compiles to"
        )]
        // SAFETY: the processor has AVX2, and the length is a multiple of 32.
        unsafe {
            x86::dots_avx2(query, rows, sink);
        }
        return;
    }
    dots_portable(query, rows, sink);
}

/// The dot product of two rows of equal, padded length.
pub(super) fn dot(query: &[i8], row: &[i8]) -> i32 {
    let mut product = 0;
    dots(query, row, |_, value| product = value);
    product
}

/// How many signs differ between `query` and each row of `rows`.
///
/// `rows` is row-major, `[n, words]`, 64 signs a word. Appends one distance a row to `out`.
pub(super) fn hamming(query: &[u64], rows: &[u64], out: &mut Vec<u16>) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("popcnt") {
        #[expect(unsafe_code, reason = "the baseline counts bits in software")]
        // SAFETY: the processor has POPCNT.
        unsafe {
            x86::hamming_popcnt(query, rows, out);
        }
        return;
    }
    hamming_generic(query, rows, out);
}

/// One bit a component: its sign, 64 to a word.
pub(super) fn signs(codes: &[i8]) -> impl Iterator<Item = u64> {
    codes.chunks(64).map(|chunk| {
        chunk
            .iter()
            .enumerate()
            .fold(0, |word, (bit, code)| word | (u64::from(*code > 0) << bit))
    })
}

fn dots_portable(query: &[i8], rows: &[i8], mut sink: impl FnMut(usize, i32)) {
    for (index, row) in rows.chunks_exact(query.len().max(1)).enumerate() {
        sink(
            index,
            query
                .iter()
                .zip(row)
                .map(|(a, b)| i32::from(*a) * i32::from(*b))
                .sum(),
        );
    }
}

#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "so that it is compiled with the caller's processor features"
)]
fn hamming_generic(query: &[u64], rows: &[u64], out: &mut Vec<u16>) {
    out.extend(rows.chunks_exact(query.len().max(1)).map(|row| {
        let distance: u32 = query
            .iter()
            .zip(row)
            .map(|(a, b)| (a ^ b).count_ones())
            .sum();
        u16::try_from(distance).unwrap_or(u16::MAX)
    }));
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code, reason = "processor intrinsics")]

    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_abs_epi8,
        _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256,
        _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
        _mm256_sign_epi8,
    };

    use super::{LANES, hamming_generic};

    /// # Safety
    /// The processor must have AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn dots_avx2(query: &[i8], rows: &[i8], mut sink: impl FnMut(usize, i32)) {
        let ones = _mm256_set1_epi16(1);
        for (index, row) in rows.chunks_exact(query.len().max(1)).enumerate() {
            let mut sum = _mm256_setzero_si256();
            for (a, b) in query.chunks_exact(LANES).zip(row.chunks_exact(LANES)) {
                let (a, b) = (load(a), load(b));
                // |a| * (b with the sign of a); pairs stay below 2 * 127 * 127 < 2^15, so nothing saturates.
                let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(a), _mm256_sign_epi8(b, a));
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, ones));
            }
            sink(index, horizontal_sum(sum));
        }
    }

    /// Thirty-two codes; 0 for a chunk of another length, which there is none.
    #[target_feature(enable = "avx2")]
    #[expect(clippy::cast_ptr_alignment, reason = "the load is the unaligned one")]
    fn load(chunk: &[i8]) -> __m256i {
        debug_assert_eq!(chunk.len(), LANES);
        // SAFETY: the chunk holds 32 bytes (`chunks_exact`), and unaligned loads are allowed.
        unsafe { _mm256_loadu_si256(chunk.as_ptr().cast::<__m256i>()) }
    }

    #[target_feature(enable = "avx2")]
    fn horizontal_sum(sum: __m256i) -> i32 {
        let four = _mm_add_epi32(
            _mm256_castsi256_si128(sum),
            _mm256_extracti128_si256::<1>(sum),
        );
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b00_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
    }

    /// # Safety
    /// The processor must have POPCNT.
    #[target_feature(enable = "popcnt")]
    pub(super) unsafe fn hamming_popcnt(query: &[u64], rows: &[u64], out: &mut Vec<u16>) {
        hamming_generic(query, rows, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes that reach both ends of the range.
    fn codes(count: usize, seed: u32) -> Vec<i8> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let code = i32::try_from((state >> 16) % 255).unwrap() - 127;
            i8::try_from(code).unwrap()
        };
        (0..count)
            .map(|index| {
                if index % 17 == 0 {
                    -127
                } else if index % 13 == 0 {
                    127
                } else {
                    next()
                }
            })
            .collect()
    }

    #[test]
    fn the_fast_kernel_gives_the_same_integers() {
        for dimensions in [32, 256, 384, 1024] {
            let query = codes(dimensions, 1);
            let rows = codes(dimensions * 9, 2);
            let mut expected = Vec::new();
            dots_portable(&query, &rows, |_, product| expected.push(product));
            let mut got = Vec::new();
            dots(&query, &rows, |_, product| got.push(product));
            assert_eq!(got, expected);
            assert_eq!(dot(&query, &rows[..dimensions]), expected[0]);
        }
    }

    #[test]
    fn extremes_do_not_saturate() {
        for (a, b) in [(127, 127), (-127, -127), (-127, 127), (127, -127)] {
            assert_eq!(dot(&[a; 256], &[b; 256]), 256 * i32::from(a) * i32::from(b));
        }
    }

    #[test]
    fn distance_counts_differing_signs() {
        let query: Vec<u64> = signs(&codes(256, 3)).collect();
        let row: Vec<u64> = signs(&codes(256, 4)).collect();
        let mut got = Vec::new();
        hamming(&query, &row, &mut got);
        let expected = codes(256, 3)
            .iter()
            .zip(codes(256, 4))
            .filter(|(a, b)| (**a > 0) != (*b > 0))
            .count();
        assert_eq!(got, [u16::try_from(expected).unwrap()]);
    }
}
