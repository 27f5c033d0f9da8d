//! How near the whole texts are, by cosine.

use memoriter_core::rank::moments::{Moments, Standard};
use memoriter_core::rank::relevance::DENSE_DEVIATION_MIN;
use memoriter_core::vector::QuantisedVector;

use super::super::ScopeIndex;
use super::super::slot::Slot;
use super::super::vectors::{Compared, Probe, Summary};
use super::EXACT_UP_TO;
use super::lexical::LexicalScores;
use super::shortlist::Shortlist;

/// Slots of a large index whose signs agree best with the question's and which are compared exactly.
const SIGN_CANDIDATES: usize = 4_000;
/// Best word matches of a large index that are compared by cosine too.
const LEXICAL_CANDIDATES: usize = 2_000;
/// Slots of a large index that the mean and spread of cosines are read from: enough for the mean to within a
/// sixtieth of a deviation.
const SAMPLE: usize = 4_096;

/// Cosines by index and number in its shortlist.
pub(super) struct DenseScores {
    pub(super) scopes: Vec<ScopeCosines>,
    standard: Option<Standard>,
}

/// The slots of one index that are ranked, and how near they are.
pub(super) struct ScopeCosines {
    pub(super) shortlist: Shortlist,
    /// By number in the shortlist; empty where the question has no vector.
    cosines: Vec<f32>,
    /// The largest cosine with a living record.
    nearest: Option<f32>,
}

impl DenseScores {
    /// Compares the question with every vector, or, beyond [`EXACT_UP_TO`] records, with those whose signs
    /// agree best and with the best word matches, which are then all that is ranked.
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
                    None => ScopeCosines {
                        shortlist: Shortlist::All(index.slot_count()),
                        cosines: Vec::new(),
                        nearest: None,
                    },
                    Some(probe) if slots <= EXACT_UP_TO => all(index, &probe, &mut moments),
                    Some(probe) => {
                        let matching = lexical.best(scope, LEXICAL_CANDIDATES);
                        some(index, &probe, matching, &mut moments)
                    }
                },
            );
        }
        let standard = moments
            .standard()
            .map(|standard| standard.at_least(DENSE_DEVIATION_MIN));
        Self { scopes, standard }
    }

    /// The cosine with a slot of a shortlist; `None` where one of the two has no vector.
    pub(super) fn cosine(&self, index: &ScopeIndex, scope: usize, slot: Slot) -> Option<f32> {
        let cosines = self.scopes.get(scope)?;
        let number = cosines.shortlist.number(slot)?;
        let cosine = cosines.cosines.get(number)?;
        index.vectors.has(slot).then_some(*cosine)
    }

    /// The largest cosine with a living record of any index.
    pub(super) fn nearest(&self) -> Option<f32> {
        let nearest = self.scopes.iter().filter_map(|scope| scope.nearest);
        nearest.max_by(f32::total_cmp)
    }

    /// Standard deviations above the mean by number in the shortlist; 0, the mean, without a vector.
    pub(super) fn standardised(&self, index: &ScopeIndex, scope: usize) -> Vec<f32> {
        let Some(cosines) = self.scopes.get(scope) else {
            return Vec::new();
        };
        let Some(standard) = self.standard else {
            return vec![0.0; cosines.shortlist.len()];
        };
        let mut standardised: Vec<f32> = cosines
            .cosines
            .iter()
            .map(|cosine| standard.of(*cosine))
            .collect();
        standardised.resize(cosines.shortlist.len(), 0.0);
        if index.vectors.any_missing() {
            for (number, slot) in cosines.shortlist.iter() {
                if !index.vectors.has(slot)
                    && let Some(place) = standardised.get_mut(number)
                {
                    *place = 0.0;
                }
            }
        }
        standardised
    }
}

fn all(index: &ScopeIndex, probe: &Probe, moments: &mut Moments) -> ScopeCosines {
    let Compared {
        cosines,
        mut summary,
    } = index.vectors.cosines(probe);
    if index.dead_count() > 0 || index.vectors.any_missing() {
        let slots = index.live_slots().filter(|slot| index.vectors.has(*slot));
        let living: Vec<f32> = slots
            .filter_map(|slot| cosines.get(slot.at()).copied())
            .collect();
        summary = Summary::default();
        summary.add(&living);
    }
    moments.merge(summary.moments);
    ScopeCosines {
        shortlist: Shortlist::All(index.slot_count()),
        cosines,
        nearest: Some(summary.largest).filter(|largest| *largest > f32::NEG_INFINITY),
    }
}

fn some(
    index: &ScopeIndex,
    probe: &Probe,
    mut slots: Vec<Slot>,
    moments: &mut Moments,
) -> ScopeCosines {
    slots.extend(index.vectors.nearest_by_sign(probe, SIGN_CANDIDATES));
    slots.sort_unstable();
    slots.dedup();
    let mut cosines = Vec::new();
    index
        .vectors
        .cosines_at(probe, &sample(index), &mut cosines);
    for cosine in &cosines {
        moments.add(*cosine);
    }
    cosines.clear();
    index.vectors.cosines_at(probe, &slots, &mut cosines);
    let living = slots
        .iter()
        .zip(&cosines)
        .filter(|(slot, _)| index.is_alive(**slot));
    let nearest = living.map(|(_, cosine)| *cosine).max_by(f32::total_cmp);
    ScopeCosines {
        shortlist: Shortlist::Some(slots),
        cosines,
        nearest,
    }
}

/// About [`SAMPLE`] living slots with a vector, evenly spread.
fn sample(index: &ScopeIndex) -> Vec<Slot> {
    let step = (index.slot_count() / SAMPLE).max(1);
    let has_vector = |slot: &Slot| index.vectors.has(*slot);
    if index.dead_count() == 0 {
        // The same slots, without a look at those between.
        let slots = (0..index.slot_count()).step_by(step).map(Slot::of);
        return slots.filter(has_vector).collect();
    }
    index
        .live_slots()
        .step_by(step)
        .filter(has_vector)
        .collect()
}
