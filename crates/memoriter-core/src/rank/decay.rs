//! How what is not used sinks: hot, cold, archive.

use super::recency::importance;
use crate::error::InvalidInput;
use crate::memory::{Importance, Kind, Memory, State, Tier};
use crate::time::{DAY_MICROS, Timestamp};

/// How a kind of memory sinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindDecay {
    /// After how many days without use the strength is half; above 0.
    pub half_life_days: f32,
    /// Below this strength a memory is cold, in `0..=1`.
    pub cold_below: f32,
    /// Below this strength it is in the archive; at most `cold_below`. 0: nothing of the kind ever is.
    pub archive_below: f32,
}

/// How every kind sinks: the one place where that is said.
///
/// | kind | half-life | cold | archive | at importance 5: cold, archive after |
/// |---|---|---|---|---|
/// | semantic | 365 days | 0.25 | 0.05 | 18 months, 3.9 years |
/// | episodic | 90 days | 0.25 | 0.02 | 4.6 months, 15 months |
/// | procedural | 365 days | 0.25 | 0.05 | 18 months, 3.9 years |
///
/// What happened is asked for within a year ("last summer"), and then hardly ever; what is so and how things are done
/// hold for as long as nobody says otherwise. The half-lives are longer than those of
/// [`recency`](super::recency::half_life_days), which only orders what bears on a question: this decides whether it is
/// asked at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecayPolicy {
    /// Facts and preferences.
    pub semantic: KindDecay,
    /// What happened.
    pub episodic: KindDecay,
    /// How to do things.
    pub procedural: KindDecay,
}

impl Default for DecayPolicy {
    fn default() -> Self {
        let lasting = KindDecay {
            half_life_days: 365.0,
            cold_below: 0.25,
            archive_below: 0.05,
        };
        Self {
            semantic: lasting,
            episodic: KindDecay {
                half_life_days: 90.0,
                cold_below: 0.25,
                archive_below: 0.02,
            },
            procedural: lasting,
        }
    }
}

/// `2^(-idle / half-life) * (0.5 + 0.5 imp)`, in `0..=1`: what has just been used and matters most has 1, what does not
/// matter begins with half.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "days; a second in a century is not missed"
)]
pub fn strength(idle_micros: i64, matters: Importance, half_life_days: f32) -> f32 {
    let idle_days = idle_micros.max(0) as f32 / DAY_MICROS as f32;
    (-idle_days / half_life_days).exp2() * weight(matters)
}

/// `0.5 + 0.5 imp`.
fn weight(of: Importance) -> f32 {
    0.5 + 0.5 * importance(of)
}

impl KindDecay {
    /// Checks that the numbers make sense together.
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] naming the number.
    pub fn check(&self) -> Result<(), InvalidInput> {
        let Self {
            half_life_days,
            cold_below,
            archive_below,
        } = *self;
        if !(half_life_days.is_finite() && half_life_days > 0.0) {
            return Err(InvalidInput::malformed(
                "half_life_days",
                "a number above 0",
                &half_life_days.to_string(),
            ));
        }
        if !(0.0..=1.0).contains(&cold_below) {
            return Err(InvalidInput::malformed(
                "cold_below",
                "a number from 0 to 1",
                &cold_below.to_string(),
            ));
        }
        if !(0.0..=cold_below).contains(&archive_below) {
            return Err(InvalidInput::malformed(
                "archive_below",
                "a number from 0 to cold_below",
                &archive_below.to_string(),
            ));
        }
        Ok(())
    }

    /// Where a memory is that was not used for so long.
    #[must_use]
    pub fn tier(&self, idle_micros: i64, importance: Importance) -> Tier {
        let strength = strength(idle_micros, importance, self.half_life_days);
        if strength < self.archive_below {
            Tier::Archive
        } else if strength < self.cold_below {
            Tier::Cold
        } else {
            Tier::Hot
        }
    }
}

impl DecayPolicy {
    /// How a kind sinks.
    #[must_use]
    pub fn of(&self, kind: Kind) -> &KindDecay {
        match kind {
            Kind::Semantic => &self.semantic,
            Kind::Episodic => &self.episodic,
            Kind::Procedural => &self.procedural,
        }
    }

    /// Where a memory is at `now`. Live facts under a key are always at hand, as they are the profile; so is what is pinned.
    /// What waits for a person does not sink before they have seen it.
    #[must_use]
    pub fn tier_of(&self, memory: &Memory, now: Timestamp) -> Tier {
        let is_kept_at_hand = match memory.state {
            State::Live | State::Dormant => memory.key.is_some() || memory.pinned_at.is_some(),
            State::Pending | State::Quarantined => true,
            State::Superseded | State::Retracted | State::Expired => false,
        };
        if is_kept_at_hand {
            return Tier::Hot;
        }
        let idle = now.micros_since(last_used_at(memory));
        self.of(memory.kind).tier(idle, memory.importance)
    }
}

/// What the score of a memory is multiplied with by its tier: what is cold gives way to what is as near and in use, and to
/// little else. The archive is there for who asks for it, and then comes after what is cold.
#[must_use]
pub fn share(tier: Tier) -> f32 {
    match tier {
        Tier::Hot => 1.0,
        Tier::Cold => 0.95,
        Tier::Archive => 0.9,
    }
}

/// When a memory was last used: recalled, said again, or, where it never was, when it happened or came into the store,
/// whichever is later.
#[must_use]
pub fn last_used_at(memory: &Memory) -> Timestamp {
    [memory.last_recalled_at, memory.last_confirmed_at]
        .into_iter()
        .flatten()
        .fold(memory.valid_from.instant.max(memory.recorded_at), Ord::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = DAY_MICROS;

    fn importance_of(level: u8) -> Importance {
        Importance::new(level).unwrap()
    }

    #[test]
    fn strength_halves_with_each_half_life_and_begins_with_importance() {
        let at = |days: i64, level| strength(days * DAY, importance_of(level), 90.0);
        assert!((at(0, 10) - 1.0).abs() < 1e-6);
        assert!((at(0, 1) - 0.5).abs() < 1e-6);
        assert!((at(90, 10) - 0.5).abs() < 1e-6);
        assert!((at(180, 1) - 0.125).abs() < 1e-6);
        assert!(
            (at(-5, 10) - 1.0).abs() < 1e-6,
            "a clock that went back ends nothing"
        );
    }

    #[test]
    fn memories_sink_in_order_and_those_that_matter_later() {
        let policy = DecayPolicy::default();
        for kind in Kind::ALL {
            let decay = policy.of(*kind);
            assert_eq!(decay.check(), Ok(()));
            let tiers: Vec<Tier> = (0..5_000)
                .map(|day| decay.tier(day * DAY, Importance::DEFAULT))
                .collect();
            assert!(tiers.is_sorted(), "{kind} only sinks");
            assert_eq!((tiers[0], tiers[4_999]), (Tier::Hot, Tier::Archive));
            let first = |level| {
                (0..5_000).find(|day| decay.tier(day * DAY, importance_of(level)) == Tier::Cold)
            };
            assert!(first(10) > first(5) && first(5) > first(1), "{kind}");
        }
        let episodic = policy.of(Kind::Episodic);
        let days =
            |tier| (0..5_000).find(|day| episodic.tier(day * DAY, Importance::DEFAULT) >= tier);
        assert_eq!(
            (days(Tier::Cold), days(Tier::Archive)),
            (Some(138), Some(466))
        );
    }

    #[test]
    fn numbers_that_make_no_sense_are_named() {
        let fine = DecayPolicy::default().semantic;
        for (broken, expected) in [
            (
                KindDecay {
                    half_life_days: 0.0,
                    ..fine
                },
                "half_life_days must be a number above 0, got `0`",
            ),
            (
                KindDecay {
                    half_life_days: f32::NAN,
                    ..fine
                },
                "half_life_days must be a number above 0, got `NaN`",
            ),
            (
                KindDecay {
                    cold_below: 1.5,
                    ..fine
                },
                "cold_below must be a number from 0 to 1, got `1.5`",
            ),
            (
                KindDecay {
                    archive_below: 0.3,
                    ..fine
                },
                "archive_below must be a number from 0 to cold_below, got `0.3`",
            ),
        ] {
            assert_eq!(broken.check().unwrap_err().to_string(), expected);
        }
    }
}
