//! Mean and spread of scores, exactly.

/// Collects scores in fixed point, so that the result does not depend on their order: an index that grew and
/// one that was built at once rank alike to the last digit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum: i128,
    sum_of_squares: i128,
}

/// Steps per unit: finer than the scores' own precision of 24 bits for scores up to 16.
const STEPS: f32 = 1_048_576.0;

impl Moments {
    /// Adds one score. Scores beyond 2,048 either way count as that, so that nothing overflows; NaN as 0.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`as` saturates, and NaN counts as 0"
    )]
    pub fn add(&mut self, score: f32) {
        let steps = i64::from((score * STEPS) as i32);
        self.count += 1;
        self.sum += i128::from(steps);
        self.sum_of_squares += i128::from(steps * steps);
    }

    /// Adds many scores at once, faster than one by one. Scores beyond 7 either way count as that, NaN as 0.
    pub fn add_all(&mut self, scores: &[f32]) {
        // So many sums of 7 * 2^20 steps stay below 2^31, so many squares of them below 2^63.
        const TOGETHER: usize = 64;
        for chunk in scores.chunks(TOGETHER) {
            let (mut steps, mut sum) = ([0_u32; TOGETHER], 0_i32);
            for (steps, score) in steps.iter_mut().zip(chunk) {
                *steps = whole_steps(score.abs());
                // All ones where the score is negative: turns steps to their negative without a product.
                let negative = score.to_bits().cast_signed() >> 31;
                sum += (steps.cast_signed() ^ negative) - negative;
            }
            // In a sweep of their own: squares are twice as wide, which would halve how many of the others are
            // worked out at a time.
            let squares = steps.map(|steps| u64::from(steps) * u64::from(steps));
            self.count += chunk.len() as u64;
            self.sum += i128::from(sum);
            self.sum_of_squares += i128::from(squares.into_iter().sum::<u64>());
        }
    }

    /// Adds `count` scores of 0.
    pub fn add_zeros(&mut self, count: u64) {
        self.count += count;
    }

    /// Joins two collections.
    pub fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
    }

    /// The mean, and the standard deviation of the population; `None` where all scores are equal.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "rounded once, at the end"
    )]
    pub fn standard(self) -> Option<Standard> {
        if self.count == 0 {
            return None;
        }
        let (count, sum) = (self.count as f64, self.sum as f64);
        let steps = f64::from(STEPS);
        let spread = self.sum_of_squares * i128::from(self.count) - self.sum * self.sum;
        let deviation = (spread as f64).max(0.0).sqrt() / count / steps;
        (deviation > 1e-6).then_some(Standard {
            mean: (sum / count / steps) as f32,
            deviation: deviation as f32,
        })
    }
}

/// The whole steps in a score from 0 to 7, as `as` counts them, but several scores at a time: added to 2^23,
/// a number loses its fraction, and what it was rounded up by is taken back.
fn whole_steps(score: f32) -> u32 {
    const LARGEST: f32 = 7.0;
    const WHOLE: f32 = 8_388_608.0;
    let number = if score >= 0.0 { score } else { 0.0 };
    let steps = STEPS * if number < LARGEST { number } else { LARGEST };
    let rounded = steps + WHOLE;
    let rounded_up = rounded - WHOLE > steps;
    (rounded.to_bits() - WHOLE.to_bits()) - u32::from(rounded_up)
}

/// Turns a score into standard deviations above the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standard {
    /// The mean.
    pub mean: f32,
    /// The standard deviation, above 0.
    pub deviation: f32,
}

impl Standard {
    /// The same mean with a deviation of at least `least`.
    #[must_use]
    pub fn at_least(self, least: f32) -> Self {
        Self {
            deviation: self.deviation.max(least),
            ..self
        }
    }

    /// `(score - mean) / deviation`.
    #[must_use]
    pub fn of(self, score: f32) -> f32 {
        (score - self.mean) / self.deviation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_does_not_matter() {
        let scores: Vec<f32> = (0_u16..1_000)
            .map(|i| (f32::from(i) * 0.37).sin() * 3.0)
            .collect();
        let collect = |scores: &mut dyn Iterator<Item = &f32>| {
            let mut moments = Moments::default();
            scores.for_each(|score| moments.add(*score));
            moments
        };
        assert_eq!(
            collect(&mut scores.iter()),
            collect(&mut scores.iter().rev())
        );
        let (mut left, right) = (
            collect(&mut scores[..300].iter()),
            collect(&mut scores[300..].iter()),
        );
        left.merge(right);
        assert_eq!(left, collect(&mut scores.iter()));
    }

    #[test]
    fn many_at_once_are_the_same_as_one_by_one() {
        let mut scores: Vec<f32> = (0_u16..10_000)
            .map(|i| (f32::from(i) * 0.37).sin())
            .collect();
        let steps = [0.0, 0.5, 1.0, 1.5, 524_288.5, 1_048_576.5, 7_340_032.0].map(|x| x / STEPS);
        scores.extend(steps.into_iter().chain(steps.map(|x| -x)));
        scores.extend([f32::NAN, f32::MIN_POSITIVE]);
        let (mut one_by_one, mut at_once) = (Moments::default(), Moments::default());
        for score in &scores {
            one_by_one.add(*score);
        }
        at_once.add_all(&scores);
        assert_eq!(one_by_one, at_once);
    }

    #[test]
    fn mean_and_deviation_are_those_of_the_population() {
        let mut moments = Moments::default();
        for score in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            moments.add(score);
        }
        let standard = moments.standard().unwrap();
        assert!((standard.mean - 5.0).abs() < 1e-5 && (standard.deviation - 2.0).abs() < 1e-5);
        moments.add_zeros(8);
        assert!((moments.standard().unwrap().mean - 2.5).abs() < 1e-5);
    }

    #[test]
    fn equal_scores_have_no_spread() {
        let mut moments = Moments::default();
        assert_eq!(moments.standard(), None);
        moments.add(3.0);
        moments.add(3.0);
        assert_eq!(moments.standard(), None);
        moments.add(f32::NAN);
        moments.add(f32::INFINITY);
        assert!(
            moments
                .standard()
                .is_some_and(|standard| standard.mean.is_finite())
        );
    }
}
