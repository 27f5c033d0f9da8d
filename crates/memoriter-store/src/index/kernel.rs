//! Dot products and distances over many vectors, in the widest way that the processor has.
//!
//! The portable way is the definition; the others give the same integers, which a test checks.

#[cfg(target_arch = "x86_64")]
mod x86;

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
    #[expect(
        unsafe_code,
        reason = "five times faster than what the baseline compiles to"
    )]
    {
        if x86::has_vnni() && query.len().is_multiple_of(x86::WIDE_LANES) {
            // SAFETY: the processor has AVX-512 with VNNI, and the length is a multiple of 64.
            unsafe { x86::dots_vnni(query, rows, sink) };
            return;
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, and the length is a multiple of 32.
            unsafe { x86::dots_avx2(query, rows, sink) };
            return;
        }
    }
    dots_portable(query, rows, sink);
}

/// The dot product of two rows of equal, padded length.
pub(super) fn dot(query: &[i8], row: &[i8]) -> i32 {
    let mut product = 0;
    dots(query, row, |value| product = value);
    product
}

/// The largest of some numbers, several at a time; below all numbers of none.
pub(super) fn largest(numbers: &[f32]) -> f32 {
    const TOGETHER: usize = 8;
    let greater = |a: f32, b: f32| if b > a { b } else { a };
    let (groups, rest) = numbers.as_chunks::<TOGETHER>();
    let mut lanes = [f32::NEG_INFINITY; TOGETHER];
    for group in groups {
        for (lane, number) in lanes.iter_mut().zip(group) {
            *lane = greater(*lane, *number);
        }
    }
    let all = lanes.iter().chain(rest).copied();
    all.fold(f32::NEG_INFINITY, greater)
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
    fn every_kernel_gives_the_same_integers() {
        for dimensions in [32, 64, 96, 256, 384, 1024] {
            let query = codes(dimensions, 1);
            let rows = codes(dimensions * 9, 2);
            let mut expected = Vec::new();
            dots_portable(&query, &rows, |product| expected.push(product));
            let mut got = Vec::new();
            dots(&query, &rows, |product| got.push(product));
            assert_eq!(got, expected);
            assert_eq!(dot(&query, &rows[..dimensions]), expected[0]);
            assert_eq!(narrower(&query, &rows), expected);
        }
    }

    /// By the kernel that a processor without the widest instructions takes.
    fn narrower(query: &[i8], rows: &[i8]) -> Vec<i32> {
        let mut products = Vec::new();
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the call that `dots` makes there")]
            // SAFETY: the processor has AVX2, and the length is a multiple of 32.
            unsafe {
                x86::dots_avx2(query, rows, |product| products.push(product));
            }
            return products;
        }
        dots_portable(query, rows, |product| products.push(product));
        products
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
