//! The ways of processors of Intel's kind.
#![expect(unsafe_code, reason = "processor intrinsics")]

use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _MM_HINT_T0, _mm_add_epi32, _mm_extract_epi32, _mm_prefetch,
    _mm_set1_epi32, _mm_sub_epi32, _mm256_abs_epi8, _mm256_add_epi32, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_hadd_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sign_epi8,
    _mm512_castsi512_si256, _mm512_dpbusd_epi32, _mm512_extracti64x4_epi64, _mm512_loadu_si512,
    _mm512_set1_epi8, _mm512_setzero_si512, _mm512_xor_si512,
};

use super::{LANES, hamming_generic};

/// Components that [`dots_vnni`] takes in at a time.
pub(super) const WIDE_LANES: usize = 64;

/// Rows that are worked on together: their chunks of the query are loaded once, and their sums are added
/// up in one go.
const TOGETHER: usize = 4;
/// What is added to a code to make it unsigned.
const UNSIGNED: i32 = 128;
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

/// Whether [`dots_vnni`] may be called.
pub(super) fn has_vnni() -> bool {
    std::is_x86_feature_detected!("avx512vnni")
        && std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx2")
}

/// As [`dots_avx2`], with a third of its instructions: 64 codes at a time, multiplied and added up in one.
///
/// # Safety
/// The processor must have AVX-512 with VNNI, and AVX2.
#[target_feature(enable = "avx512vnni,avx512f,avx2")]
pub(super) unsafe fn dots_vnni(query: &[i8], rows: &[i8], mut sink: impl FnMut(i32)) {
    let width = query.len().max(1);
    // The products are of unsigned codes with signed ones: 128 is added to each code of a row, and what that
    // brings is taken off their sum.
    let mut surplus = 0;
    for code in query {
        surplus += UNSIGNED * i32::from(*code);
    }
    let surplus = _mm_set1_epi32(surplus);
    let groups = rows.chunks_exact(width * TOGETHER);
    let rest = groups.remainder();
    for group in groups {
        prefetch(group.as_ptr().wrapping_add(AHEAD_BYTES), group.len());
        let (first, second) = group.split_at(2 * width);
        let ((a, b), (c, d)) = (first.split_at(width), second.split_at(width));
        let chunks = |row| <[i8]>::chunks_exact(row, WIDE_LANES);
        let rows = (chunks(a).zip(chunks(b))).zip(chunks(c).zip(chunks(d)));
        let [mut a, mut b, mut c, mut d] = [_mm512_setzero_si512(); TOGETHER];
        for (query, ((row_a, row_b), (row_c, row_d))) in chunks(query).zip(rows) {
            let query = load_wide(query);
            a = add_products(a, load_wide(row_a), query);
            b = add_products(b, load_wide(row_b), query);
            c = add_products(c, load_wide(row_c), query);
            d = add_products(d, load_wide(row_d), query);
        }
        let sums = horizontal_sums([halved(a), halved(b), halved(c), halved(d)]);
        let sums = _mm_sub_epi32(sums, surplus);
        sink(_mm_extract_epi32::<0>(sums));
        sink(_mm_extract_epi32::<1>(sums));
        sink(_mm_extract_epi32::<2>(sums));
        sink(_mm_extract_epi32::<3>(sums));
    }
    for row in rest.chunks_exact(width) {
        let mut sum = _mm512_setzero_si512();
        for (query, row) in query
            .chunks_exact(WIDE_LANES)
            .zip(row.chunks_exact(WIDE_LANES))
        {
            sum = add_products(sum, load_wide(row), load_wide(query));
        }
        let sums = horizontal_sums([halved(sum); TOGETHER]);
        sink(_mm_extract_epi32::<0>(_mm_sub_epi32(sums, surplus)));
    }
}

/// Adds the products of 64 pairs of codes to sixteen sums, [`UNSIGNED`] more for each of `row`.
#[target_feature(enable = "avx512vnni,avx512f")]
fn add_products(sums: __m512i, row: __m512i, query: __m512i) -> __m512i {
    // The upper bit turned is 128 more.
    let unsigned = _mm512_xor_si512(row, _mm512_set1_epi8(i8::MIN));
    _mm512_dpbusd_epi32(sums, unsigned, query)
}

/// Sixteen sums as eight.
#[target_feature(enable = "avx512f,avx2")]
fn halved(sums: __m512i) -> __m256i {
    _mm256_add_epi32(
        _mm512_castsi512_si256(sums),
        _mm512_extracti64x4_epi64::<1>(sums),
    )
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

/// Sixty-four codes; a chunk of another length there is none.
#[target_feature(enable = "avx512f")]
#[expect(clippy::cast_ptr_alignment, reason = "the load is the unaligned one")]
fn load_wide(chunk: &[i8]) -> __m512i {
    debug_assert_eq!(chunk.len(), WIDE_LANES);
    // SAFETY: the chunk holds 64 bytes (`chunks_exact`), and unaligned loads are allowed.
    unsafe { _mm512_loadu_si512(chunk.as_ptr().cast::<__m512i>()) }
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
