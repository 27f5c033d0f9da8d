//! Unit vectors and their eight-bit form.

/// A vector of length 1: finite components, never all zero.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitVector(Box<[f32]>);

impl UnitVector {
    /// Scales `components` to length 1. `None` when they have no direction: empty, all zero, or not finite.
    #[must_use]
    pub fn normalise(mut components: Vec<f32>) -> Option<Self> {
        let length = sum_of_squares(&components).sqrt();
        if !length.is_finite() || length < 1e-12 {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "components are f32 by definition"
        )]
        for component in &mut components {
            *component = (f64::from(*component) / length) as f32;
        }
        Some(Self(components.into_boxed_slice()))
    }

    /// The components.
    #[must_use]
    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }
}

/// A unit vector in eight bits a component: `component = code * scale`, codes in `-127..=127`.
///
/// The scale is chosen per vector so that its largest component is 127. At 256 dimensions the cosine of
/// two quantised vectors differs from the exact one by about 0.002.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantisedVector {
    /// What one step is worth.
    pub scale: f32,
    /// One code a component.
    pub codes: Box<[i8]>,
}

impl QuantisedVector {
    /// Quantises a unit vector.
    #[must_use]
    pub fn quantise(vector: &UnitVector) -> Self {
        let largest = largest(vector.as_slice());
        let scale = largest / 127.0;
        let mut codes = vec![0; vector.as_slice().len()].into_boxed_slice();
        for (code, x) in codes.iter_mut().zip(vector.as_slice()) {
            *code = rounded(x / scale);
        }
        Self { scale, codes }
    }

    /// The dot product of two quantised vectors: the cosine of what they stand for.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "at most 127 * 127 * dimensions, exact in f32 up to 1,040 dimensions"
    )]
    pub fn dot(&self, other: &Self) -> f32 {
        let sum: i32 = self
            .codes
            .iter()
            .zip(&other.codes)
            .map(|(a, b)| i32::from(*a) * i32::from(*b))
            .sum();
        sum as f32 * self.scale * other.scale
    }
}

/// Components that are worked on at a time: in one chain each would wait for the one before it.
const TOGETHER: usize = 8;

fn sum_of_squares(components: &[f32]) -> f64 {
    let square = |x: f32| f64::from(x) * f64::from(x);
    let (groups, rest) = components.as_chunks::<TOGETHER>();
    let mut sums = [0.0; TOGETHER];
    for group in groups {
        for (sum, x) in sums.iter_mut().zip(group) {
            *sum += square(*x);
        }
    }
    sums.into_iter()
        .chain(rest.iter().map(|x| square(*x)))
        .sum()
}

/// The largest magnitude.
fn largest(components: &[f32]) -> f32 {
    let greater = |a: f32, b: f32| if b > a { b } else { a };
    let (groups, rest) = components.as_chunks::<TOGETHER>();
    let mut most = [0.0; TOGETHER];
    for group in groups {
        for (most, x) in most.iter_mut().zip(group) {
            *most = greater(*most, x.abs());
        }
    }
    let both = most.into_iter().chain(rest.iter().map(|x| x.abs()));
    both.fold(0.0, greater)
}

/// The nearest whole number, halves away from zero; `x` is within `-127..=127`.
///
/// It is what is left of the magnitude and the largest number below a half without the fraction. Added to 2^23 a number
/// loses its fraction, and what it was rounded up by is taken back: several are worked out at a time, which neither
/// `round` nor `as` allows.
#[expect(clippy::cast_possible_truncation, reason = "within -127..=127")]
fn rounded(x: f32) -> i8 {
    const BELOW_HALF: f32 = 0.5_f32.next_down();
    const WHOLE: f32 = 8_388_608.0;
    let magnitude = x.abs() + BELOW_HALF;
    let whole = magnitude + WHOLE;
    let rounded_up = whole - WHOLE > magnitude;
    let steps = (whole.to_bits() - WHOLE.to_bits()).cast_signed() - i32::from(rounded_up);
    // All ones where `x` is negative: turns the steps to their negative.
    let negative = x.to_bits().cast_signed() >> 31;
    ((steps ^ negative) - negative) as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_without_direction_is_no_vector() {
        assert_eq!(UnitVector::normalise(vec![]), None);
        assert_eq!(UnitVector::normalise(vec![0.0; 4]), None);
        assert_eq!(UnitVector::normalise(vec![f32::NAN, 1.0]), None);
        assert_eq!(UnitVector::normalise(vec![f32::INFINITY, 1.0]), None);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "whole numbers")]
    fn codes_are_rounded_to_the_nearest() {
        let halves = (-254_i16..=254).map(|halves| f32::from(halves) / 2.0);
        for x in halves.flat_map(|x| [x.next_down(), x, x.next_up()]) {
            assert_eq!(f32::from(rounded(x)), x.round(), "{x:e}");
        }
    }

    #[test]
    fn quantising_keeps_the_cosine() {
        let a = UnitVector::normalise((0_u8..=255).map(|i| (f32::from(i) * 0.7).sin()).collect())
            .unwrap();
        let b = UnitVector::normalise((0_u8..=255).map(|i| (f32::from(i) * 0.71).sin()).collect())
            .unwrap();
        let exact: f32 = a
            .as_slice()
            .iter()
            .zip(b.as_slice())
            .map(|(x, y)| x * y)
            .sum();
        let rough = QuantisedVector::quantise(&a).dot(&QuantisedVector::quantise(&b));
        assert!(
            (exact - rough).abs() < 0.005,
            "exact {exact}, quantised {rough}"
        );
    }
}
