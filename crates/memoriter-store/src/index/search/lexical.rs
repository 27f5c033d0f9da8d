//! How well words match, over all records of all searched scopes.

use memoriter_core::query::{ParsedQuery, QueryTerm};
use memoriter_core::rank::bm25;
use memoriter_core::rank::moments::{Moments, Standard};
use memoriter_core::rank::relevance::LEXICAL_DEVIATION_MIN_SHARE;

use super::super::ScopeIndex;
use super::super::slot::Slot;
use super::speakers::NamedSpeakers;

/// BM25 scores by index and slot, with what is needed to compare them.
pub(super) struct LexicalScores {
    /// By index: a score for each slot; empty where nothing matches.
    scores: Vec<Vec<f32>>,
    /// By index: slots that hold a term, in order.
    holders: Vec<Vec<Slot>>,
    /// The score of a record of mean length that holds every term very often.
    best: f32,
    standard: Option<Standard>,
}

impl LexicalScores {
    /// Scores every living record. Names of speakers count as words only where there is nothing else.
    #[expect(clippy::cast_precision_loss, reason = "counts of records and words")]
    pub(super) fn compute(
        indexes: &[&ScopeIndex],
        query: &ParsedQuery,
        speakers: &NamedSpeakers,
    ) -> Self {
        let record_count: u64 = indexes.iter().map(|index| index.len() as u64).sum();
        let total_length: u64 = indexes.iter().map(|index| index.total_length).sum();
        let mean_length = total_length as f32 / record_count.max(1) as f32;
        let mut scores: Vec<Vec<f32>> = vec![Vec::new(); indexes.len()];
        let mut best = 0.0;
        for term in asked(query, speakers) {
            let holding: u64 = indexes
                .iter()
                .map(|index| living_holders(index, term))
                .sum();
            let weight = bm25::question_idf(record_count, holding) * f32::from(term.count);
            best += weight * (bm25::K1 + 1.0);
            for (index, scores) in indexes.iter().zip(&mut scores) {
                add_term(index, term, weight, mean_length, scores);
            }
        }
        let holders: Vec<Vec<Slot>> = scores.iter().map(|scores| nonzero(scores)).collect();
        let standard = standard(&scores, &holders, record_count)
            .map(|standard| standard.at_least(LEXICAL_DEVIATION_MIN_SHARE * best));
        Self {
            scores,
            holders,
            best,
            standard,
        }
    }

    /// Standard deviations above the mean; 0 where all records match alike.
    pub(super) fn standardised(&self, scope: usize, slot: Slot) -> f32 {
        self.standard
            .map_or(0.0, |standard| standard.of(self.raw(scope, slot)))
    }

    /// Share of the best possible score, in `0..=1`.
    pub(super) fn share(&self, scope: usize, slot: Slot) -> f32 {
        if self.best > 0.0 {
            self.raw(scope, slot) / self.best
        } else {
            0.0
        }
    }

    /// The `count` slots of an index that match best, all where there are fewer, in no order.
    pub(super) fn best(&self, scope: usize, count: usize) -> Vec<Slot> {
        let mut slots = self.holders.get(scope).cloned().unwrap_or_default();
        if slots.len() > count {
            slots.select_nth_unstable_by(count, |a, b| {
                self.raw(scope, *b)
                    .total_cmp(&self.raw(scope, *a))
                    .then(a.cmp(b))
            });
            slots.truncate(count);
        }
        slots
    }

    fn raw(&self, scope: usize, slot: Slot) -> f32 {
        self.scores
            .get(scope)
            .and_then(|scores| scores.get(slot.at()))
            .copied()
            .unwrap_or(0.0)
    }
}

/// The terms that say what is asked; the names of speakers only where they are all there is.
fn asked<'a>(query: &'a ParsedQuery, speakers: &NamedSpeakers) -> Vec<&'a QueryTerm> {
    let without_names: Vec<&QueryTerm> = query
        .terms
        .iter()
        .filter(|term| !speakers.is_name(term.term))
        .collect();
    if without_names.is_empty() {
        query.terms.iter().collect()
    } else {
        without_names
    }
}

/// How many living records hold a term.
pub(super) fn living_holders(index: &ScopeIndex, term: &QueryTerm) -> u64 {
    let list = index.lexicon.list(term.term);
    if index.dead_count() == 0 {
        return list.len() as u64;
    }
    list.iter()
        .filter(|posting| index.is_alive(posting.slot))
        .count() as u64
}

#[expect(clippy::cast_precision_loss, reason = "words of a record")]
fn add_term(
    index: &ScopeIndex,
    term: &QueryTerm,
    weight: f32,
    mean_length: f32,
    scores: &mut Vec<f32>,
) {
    let list = index.lexicon.list(term.term);
    if !list.is_empty() && scores.is_empty() {
        scores.resize(index.slot_count(), 0.0);
    }
    for posting in list {
        let Some(traits) = index.traits.get(posting.slot.at()) else {
            continue;
        };
        if index.is_alive(posting.slot)
            && let Some(score) = scores.get_mut(posting.slot.at())
        {
            *score += weight
                * bm25::saturation(f32::from(posting.count), traits.length as f32, mean_length);
        }
    }
}

fn nonzero(scores: &[f32]) -> Vec<Slot> {
    (0_u32..)
        .map(Slot)
        .zip(scores)
        .filter(|(_, score)| **score > 0.0)
        .map(|(slot, _)| slot)
        .collect()
}

fn standard(scores: &[Vec<f32>], holders: &[Vec<Slot>], record_count: u64) -> Option<Standard> {
    let mut moments = Moments::default();
    let mut held = 0;
    for (scores, holders) in scores.iter().zip(holders) {
        held += holders.len() as u64;
        holders
            .iter()
            .filter_map(|slot| scores.get(slot.at()))
            .for_each(|score| moments.add(*score));
    }
    moments.add_zeros(record_count.saturating_sub(held));
    moments.standard()
}
