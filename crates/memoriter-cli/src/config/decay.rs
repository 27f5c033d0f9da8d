//! The settings of decay: how each kind of memory sinks.

use memoriter::core::memory::Kind;
use memoriter::core::rank::decay::{DecayPolicy, KindDecay};

use super::Key;
use crate::failure::Failure;

/// Reads and checks the settings; `text` gives each as it was written.
pub(super) fn read(text: impl Fn(Key) -> Option<String>) -> Result<DecayPolicy, Failure> {
    let usual = DecayPolicy::default();
    let of = |key, usual| text(key).map_or(Ok(usual), |text| kind(key, &text));
    Ok(DecayPolicy {
        semantic: of(Key::DecaySemantic, usual.semantic)?,
        episodic: of(Key::DecayEpisodic, usual.episodic)?,
        procedural: of(Key::DecayProcedural, usual.procedural)?,
    })
}

/// How a kind sinks by default, as the setting is written.
pub(super) fn usual(of: Kind) -> String {
    let policy = DecayPolicy::default();
    let decay = policy.of(of);
    format!(
        "{} {} {}",
        decay.half_life_days, decay.cold_below, decay.archive_below
    )
}

/// Half-life in days, and the strengths below which it is cold and in the archive.
fn kind(key: Key, text: &str) -> Result<KindDecay, Failure> {
    let wrong = |why: String| {
        Failure::usage(key.name(), format!("{}: {why}", key.name())).hint(
            "half-life in days, cold below, archive below: \"90 0.25 0.02\"; 0 and 0 for never",
        )
    };
    let numbers: Option<Vec<f32>> = text
        .split_whitespace()
        .map(|word| word.parse().ok())
        .collect();
    let Some([half_life_days, cold_below, archive_below]) =
        numbers.and_then(|numbers| <[f32; 3]>::try_from(numbers).ok())
    else {
        return Err(wrong(format!("must be three numbers, got `{text}`")));
    };
    let decay = KindDecay {
        half_life_days,
        cold_below,
        archive_below,
    };
    match decay.check() {
        Ok(()) => Ok(decay),
        Err(invalid) => Err(wrong(invalid.to_string())),
    }
}
