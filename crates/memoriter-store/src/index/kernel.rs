//! Dot products and distances over many vectors: two implementations, chosen once by what the processor has.
//!
//! The portable one is the definition; the AVX2 one gives the same integers, which a test checks.

/// Components are padded with zeros to a multiple of this, so that a kernel has no tail.
pub(super) const LANES: usize = 32;

/// Dot products of `query` with each row of `rows`: integer, exact.
///
/// `rows` is row-major, `[n, dimensions]`; `query` has `dimensions` codes, a multiple of [`LANES`]; codes
/// are in `-127..=127`. Calls `sink` with the product of each row, in order.
pub(super) fn dots(query: &[i8], rows: &[i8], sink: impl FnMut(i32)) {
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
    dots(query, row, |value| product = value);
    product
}

/// Asks for values that will be read soon.
pub(super) fn prefetch<T>(values: &[T]) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(values.as_ptr().cast(), size_of_val(values));
    #[cfg(not(target_arch = "x86_64"))]
    let _ = values;
}

/// How many signs differ between `query` and each row of `rows`.
///
/// `rows` is row-major, `[n, words]`, 64 signs a word; there is a place for the distance of each.
pub(super) fn hamming(query: &[u64], rows: &[u64], distances: &mut [u16]) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("popcnt") {
        #[expect(unsafe_code, reason = "the baseline counts bits in software")]
        // SAFETY: the processor has POPCNT.
        unsafe {
            x86::hamming_popcnt(query, rows, distances);
        }
        return;
    }
    hamming_generic(query, rows, distances);
}

/// One bit a component, 64 to a word: whether it is above 0.
pub(super) fn signs(codes: &[i8]) -> impl Iterator<Item = u64> {
    codes.chunks(64).map(|chunk| {
        let (groups, rest) = chunk.as_chunks::<8>();
        debug_assert!(rest.is_empty(), "vectors are padded to whole lanes");
        let signs = groups.iter().map(|codes| eight_signs(*codes));
        (0..)
            .step_by(8)
            .zip(signs)
            .fold(0, |word, (at, signs)| word | (signs << at))
    })
}

/// One bit a component, in the low eight bits; the components are worked on together, as bytes of a word.
fn eight_signs(codes: [i8; 8]) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    /// Brings bit 8 i to bit 56 + i.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let word = u64::from_le_bytes(codes.map(i8::cast_unsigned));
    let not_zero = (word & !HIGH) + !HIGH;
    let positive = not_zero & !word & HIGH;
    (positive >> 7).wrapping_mul(GATHER) >> 56
}

fn dots_portable(query: &[i8], rows: &[i8], mut sink: impl FnMut(i32)) {
    for row in rows.chunks_exact(query.len().max(1)) {
        let pairs = query.iter().zip(row);
        sink(pairs.map(|(a, b)| i32::from(*a) * i32::from(*b)).sum());
    }
}

#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "so that it is compiled with the caller's processor features"
)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "vectors are shorter than 65,536"
)]
fn hamming_generic(query: &[u64], rows: &[u64], distances: &mut [u16]) {
    // Loops and no closures: those are not compiled with the caller's features.
    for (row, distance) in rows.chunks_exact(query.len().max(1)).zip(distances) {
        let mut differing = 0;
        for (a, b) in query.iter().zip(row) {
            differing += (a ^ b).count_ones();
        }
        *distance = differing as u16;
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code, reason = "processor intrinsics")]

    use std::arch::x86_64::{
        __m128i, __m256i, _MM_HINT_T0, _mm_add_epi32, _mm_extract_epi32, _mm_prefetch,
        _mm256_abs_epi8, _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256,
        _mm256_hadd_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
        _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sign_epi8,
    };

    use super::{LANES, hamming_generic};

    /// Rows that are worked on together: their chunks of the query are loaded once, and their sums are added
    /// up in one go.
    const TOGETHER: usize = 4;
    /// How far ahead rows are asked for from memory: about the way that a row takes to come, at ten bytes a
    /// nanosecond.
    const AHEAD_BYTES: usize = 2_048;
    const CACHE_LINE: usize = 64;

    /// # Safety
    /// The processor must have AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn dots_avx2(query: &[i8], rows: &[i8], mut sink: impl FnMut(i32)) {
        let width = query.len().max(1);
        let groups = rows.chunks_exact(width * TOGETHER);
        let rest = groups.remainder();
        for group in groups {
            prefetch(group.as_ptr().wrapping_add(AHEAD_BYTES), group.len());
            let (first, second) = group.split_at(2 * width);
            let ((a, b), (c, d)) = (first.split_at(width), second.split_at(width));
            let chunks = |row| <[i8]>::chunks_exact(row, LANES);
            let rows = (chunks(a).zip(chunks(b))).zip(chunks(c).zip(chunks(d)));
            let [mut a, mut b, mut c, mut d] = [_mm256_setzero_si256(); TOGETHER];
            for (query, ((row_a, row_b), (row_c, row_d))) in chunks(query).zip(rows) {
                let query = load(query);
                a = _mm256_add_epi32(a, products(query, load(row_a)));
                b = _mm256_add_epi32(b, products(query, load(row_b)));
                c = _mm256_add_epi32(c, products(query, load(row_c)));
                d = _mm256_add_epi32(d, products(query, load(row_d)));
            }
            let sums = horizontal_sums([a, b, c, d]);
            sink(_mm_extract_epi32::<0>(sums));
            sink(_mm_extract_epi32::<1>(sums));
            sink(_mm_extract_epi32::<2>(sums));
            sink(_mm_extract_epi32::<3>(sums));
        }
        for row in rest.chunks_exact(width) {
            let mut sum = _mm256_setzero_si256();
            for (a, b) in query.chunks_exact(LANES).zip(row.chunks_exact(LANES)) {
                sum = _mm256_add_epi32(sum, products(load(a), load(b)));
            }
            sink(_mm_extract_epi32::<0>(horizontal_sums([sum; TOGETHER])));
        }
    }

    /// Products of 32 pairs of codes in eight partial sums: |a| * (b with the sign of a). Pairs stay below
    /// 2 * 127 * 127 < 2^15, so nothing saturates.
    #[target_feature(enable = "avx2")]
    fn products(a: __m256i, b: __m256i) -> __m256i {
        let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(a), _mm256_sign_epi8(b, a));
        _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
    }

    /// Asks for the cache lines from `start` on. Asking for what is not there does no harm.
    pub(super) fn prefetch(start: *const i8, length: usize) {
        for offset in (0..length).step_by(CACHE_LINE) {
            // SAFETY: a hint, allowed for any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(offset)) };
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

    /// The sum of each of four registers.
    #[target_feature(enable = "avx2")]
    fn horizontal_sums([a, b, c, d]: [__m256i; TOGETHER]) -> __m128i {
        let halves = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        _mm_add_epi32(
            _mm256_castsi256_si128(halves),
            _mm256_extracti128_si256::<1>(halves),
        )
    }

    /// # Safety
    /// The processor must have POPCNT.
    #[target_feature(enable = "popcnt")]
    pub(super) unsafe fn hamming_popcnt(query: &[u64], rows: &[u64], distances: &mut [u16]) {
        const ROWS: usize = 64;
        let groups = rows.chunks(query.len().max(1) * ROWS);
        for (group, distances) in groups.zip(distances.chunks_mut(ROWS)) {
            let ahead = group.as_ptr().cast::<i8>().wrapping_add(AHEAD_BYTES);
            prefetch(ahead, size_of_val(group));
            hamming_generic(query, group, distances);
        }
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
            dots_portable(&query, &rows, |product| expected.push(product));
            let mut got = Vec::new();
            dots(&query, &rows, |product| got.push(product));
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
    fn a_sign_is_set_for_what_is_above_zero() {
        for code in i8::MIN..=i8::MAX {
            let codes = [code, 0, 1, -1, code, 127, -128, code];
            let expected = (0..).zip(codes).map(|(at, code)| u64::from(code > 0) << at);
            assert_eq!(eight_signs(codes), expected.sum::<u64>(), "{code}");
        }
    }

    #[test]
    fn distance_counts_differing_signs() {
        let query: Vec<u64> = signs(&codes(256, 3)).collect();
        let row: Vec<u64> = signs(&codes(256, 4)).collect();
        let mut got = [0];
        hamming(&query, &row, &mut got);
        let expected = codes(256, 3)
            .iter()
            .zip(codes(256, 4))
            .filter(|(a, b)| (**a > 0) != (*b > 0))
            .count();
        assert_eq!(got, [u16::try_from(expected).unwrap()]);
    }
}
