//! How near the whole texts are, by cosine.

use memoriter_core::rank::moments::{Moments, Standard};
use memoriter_core::rank::relevance::DENSE_DEVIATION_MIN;
use memoriter_core::vector::QuantisedVector;

use super::super::ScopeIndex;
use super::super::slot::Slot;
use super::super::vectors::Probe;
use super::EXACT_UP_TO;
use super::lexical::LexicalScores;

/// Slots per large index whose signs agree best with the question's and which are compared exactly.
const SIGN_CANDIDATES: usize = 4_000;
/// Slots of a large index that the mean and spread of cosines are read from.
const SAMPLE: usize = 16_384;
/// Best word matches of a large index that are compared by cosine too.
const LEXICAL_CANDIDATES: usize = 4_000;

/// Cosines by index and slot.
pub(super) struct DenseScores {
    scopes: Vec<ScopeCosines>,
    standard: Option<Standard>,
}

enum ScopeCosines {
    /// The question has no vector.
    Absent,
    /// One for each slot.
    All(Vec<f32>),
    /// Worked out when asked for, for the slots worth asking.
    Some { probe: Probe, slots: Vec<Slot> },
}

impl DenseScores {
    /// Compares the question with every vector, or, beyond [`EXACT_UP_TO`] records, gets ready to compare it
    /// with those whose signs agree best and with the best word matches.
    pub(super) fn compute(
        indexes: &[&ScopeIndex],
        vector: Option<&QuantisedVector>,
        lexical: &LexicalScores,
    ) -> Self {
        let slots: usize = indexes.iter().map(|index| index.slot_count()).sum();
        let mut moments = Moments::default();
        let mut scopes = Vec::with_capacity(indexes.len());
        for (scope, index) in indexes.iter().enumerate() {
            scopes.push(
                match vector.and_then(|vector| index.vectors.probe(vector)) {
                    None => ScopeCosines::Absent,
                    Some(probe) if slots <= EXACT_UP_TO => all(index, &probe, &mut moments),
                    Some(probe) => some(
                        index,
                        probe,
                        lexical.best(scope, LEXICAL_CANDIDATES),
                        &mut moments,
                    ),
                },
            );
        }
        Self {
            scopes,
            standard: moments
                .standard()
                .map(|standard| standard.at_least(DENSE_DEVIATION_MIN)),
        }
    }

    /// The cosine with a slot; `None` where one of the two has no vector.
    pub(super) fn cosine(&self, index: &ScopeIndex, scope: usize, slot: Slot) -> Option<f32> {
        if !index.vectors.has(slot) {
            return None;
        }
        match self.scopes.get(scope)? {
            ScopeCosines::Absent => None,
            ScopeCosines::All(cosines) => cosines.get(slot.at()).copied(),
            ScopeCosines::Some { probe, .. } => Some(index.vectors.cosine(probe, slot)),
        }
    }

    /// Standard deviations above the mean; 0, the mean, without a vector.
    pub(super) fn standardised(&self, index: &ScopeIndex, scope: usize, slot: Slot) -> f32 {
        let cosine = self.cosine(index, scope, slot);
        self.standard
            .zip(cosine)
            .map_or(0.0, |(standard, cosine)| standard.of(cosine))
    }

    /// The slots worth ranking in an index, in order; `None` for all of them.
    pub(super) fn shortlist(&self, scope: usize) -> Option<&[Slot]> {
        match self.scopes.get(scope)? {
            ScopeCosines::Absent | ScopeCosines::All(_) => None,
            ScopeCosines::Some { slots, .. } => Some(slots),
        }
    }
}

fn all(index: &ScopeIndex, probe: &Probe, moments: &mut Moments) -> ScopeCosines {
    let mut cosines = Vec::new();
    index.vectors.cosines(probe, &mut cosines);
    for slot in index.live_slots().filter(|slot| index.vectors.has(*slot)) {
        moments.add(cosines.get(slot.at()).copied().unwrap_or(0.0));
    }
    ScopeCosines::All(cosines)
}

fn some(
    index: &ScopeIndex,
    probe: Probe,
    mut slots: Vec<Slot>,
    moments: &mut Moments,
) -> ScopeCosines {
    slots.extend(index.vectors.nearest_by_sign(&probe, SIGN_CANDIDATES));
    slots.sort_unstable();
    slots.dedup();
    let step = (index.slot_count() / SAMPLE).max(1);
    for slot in index
        .live_slots()
        .step_by(step)
        .filter(|slot| index.vectors.has(*slot))
    {
        moments.add(index.vectors.cosine(&probe, slot));
    }
    ScopeCosines::Some { probe, slots }
}
