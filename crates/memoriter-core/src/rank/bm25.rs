//! How well words match.

/// Saturation of repeated terms; the usual value (Robertson and Zaragoza 2009, section 3.4).
pub const K1: f32 = 1.2;
/// How far length counts against a record. See `docs/decisions/0003-ranking.md`.
pub const B: f32 = 0.75;

/// How telling a term is: `ln(1 + (n - df + 0.5) / (df + 0.5))`, above 0 for every `df <= n`.
///
/// Robertson and Spärck Jones 1976, with the 1 that Lucene adds to keep it positive. `record_count` is the
/// number of records searched, `holding` how many of them hold the term.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of records; seven digits are enough"
)]
pub fn idf(record_count: u64, holding: u64) -> f32 {
    let (n, df) = (record_count as f32, holding.min(record_count) as f32);
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}

/// [`idf`] of a word of a question that no record holds, as a share of the most telling one: it may be a
/// slip of the pen.
pub const UNSEEN_SHARE: f32 = 0.7;

/// [`idf`], lowered for a word that no record holds.
#[must_use]
pub fn question_idf(record_count: u64, holding: u64) -> f32 {
    let share = if holding == 0 { UNSEEN_SHARE } else { 1.0 };
    share * idf(record_count, holding)
}

/// What `count` occurrences in a record of `length` words bring for a term of weight 1, in `0..K1 + 1`.
///
/// BM25 (Robertson and Zaragoza 2009): `count (k1 + 1) / (count + k1 (1 - b + b length / mean_length))`.
#[must_use]
pub fn saturation(count: f32, length: f32, mean_length: f32) -> f32 {
    count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / mean_length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_terms_tell_more_and_none_tells_nothing() {
        assert!(idf(100, 1) > idf(100, 50));
        assert!(idf(100, 100) > 0.0);
        assert!(idf(0, 0) > 0.0);
    }

    #[test]
    fn repetition_saturates_and_length_counts_against() {
        assert!(saturation(2.0, 10.0, 10.0) > saturation(1.0, 10.0, 10.0));
        assert!(saturation(1_000.0, 10.0, 10.0) < K1 + 1.0);
        assert!(saturation(1.0, 5.0, 10.0) > saturation(1.0, 50.0, 10.0));
        assert!((saturation(1.0, 10.0, 10.0) - 1.0).abs() < 1e-6);
    }
}
