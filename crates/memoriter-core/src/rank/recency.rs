//! How fresh and how important a record is.

use crate::memory::{Importance, Kind};
use crate::time::{DAY_MICROS, Timestamp};

/// After how many days without use or event a record counts half, by kind: what happened fades faster than
/// what is so, and how things are done fades slowest.
#[must_use]
pub fn half_life_days(kind: Kind) -> f32 {
    match kind {
        Kind::Episodic => 30.0,
        Kind::Semantic => 180.0,
        Kind::Procedural => 365.0,
    }
}

/// `2^(-age / half_life)`, in `0..=1`; what lies in the future is fresh.
///
/// Park et al. 2023 (arXiv:2304.03442) let recency fall exponentially with the hours since the last use.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "ages; a second in a century is not missed"
)]
pub fn recency(fresh_at: Timestamp, now: Timestamp, half_life_days: f32) -> f32 {
    let age_days = now.micros_since(fresh_at).max(0) as f32 / DAY_MICROS as f32;
    (-age_days / half_life_days).exp2()
}

/// `(importance - 1) / 9`, in `0..=1`.
#[must_use]
pub fn importance(importance: Importance) -> f32 {
    f32::from(importance.get() - 1) / 9.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_halves_with_its_half_life() {
        let now = Timestamp::from_micros(1_000 * DAY_MICROS);
        let aged = |days: i64| recency(now.plus_micros(-days * DAY_MICROS), now, 30.0);
        assert!(
            (aged(0) - 1.0).abs() < 1e-6
                && (aged(30) - 0.5).abs() < 1e-6
                && (aged(60) - 0.25).abs() < 1e-6
        );
        assert!((aged(-5) - 1.0).abs() < 1e-6, "the future is fresh");
    }
}
