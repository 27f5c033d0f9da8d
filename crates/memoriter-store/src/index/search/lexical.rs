//! How well words match, over all records of all searched scopes.

use memoriter_core::query::{ParsedQuery, QueryTerm};
use memoriter_core::rank::bm25;
use memoriter_core::rank::moments::{Moments, Standard};
use memoriter_core::rank::relevance::LEXICAL_DEVIATION_MIN_SHARE;
use memoriter_core::text::{TermHash, TokenClass};

use super::super::ScopeIndex;
use super::super::slot::Slot;
use super::super::traits::Flags;
use super::speakers::NamedSpeakers;

/// BM25 scores by index and slot, with what is needed to compare them.
pub(super) struct LexicalScores {
    scopes: Vec<ScopeScores>,
    /// The score of a record of mean length that holds every term very often.
    possible: f32,
    standard: Option<Standard>,
    any_telling: bool,
}

/// The scores of one index.
#[derive(Default)]
struct ScopeScores {
    /// By slot; empty where nothing matches.
    scores: Vec<f32>,
    /// Slots that hold a term, in order.
    holders: Vec<Slot>,
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
        let mut scopes: Vec<ScopeScores> = indexes.iter().map(|_| ScopeScores::default()).collect();
        let mut possible = 0.0;
        let mut any_telling = false;
        for term in asked(query, speakers) {
            let holding = holders_in(indexes, term.term);
            let weight = bm25::question_idf(record_count, holding) * f32::from(term.count);
            possible += weight * (bm25::K1 + 1.0);
            any_telling |= holding > 0 && term.class != TokenClass::Single;
            for (index, scope) in indexes.iter().zip(&mut scopes) {
                scope.add_term(index, term, weight, mean_length);
            }
        }
        scopes.iter_mut().for_each(ScopeScores::collect_holders);
        let standard = standard(&scopes, record_count)
            .map(|standard| standard.at_least(LEXICAL_DEVIATION_MIN_SHARE * possible));
        Self {
            scopes,
            possible,
            standard,
            any_telling,
        }
    }

    /// Standard deviations above the mean; 0 where all records match alike.
    pub(super) fn standardised(&self, scope: usize, slot: Slot) -> f32 {
        self.standard
            .map_or(0.0, |standard| standard.of(self.raw(scope, slot)))
    }

    /// The same for a record that matches no word.
    pub(super) fn unmatched(&self) -> f32 {
        self.standard.map_or(0.0, |standard| standard.of(0.0))
    }

    /// The slots of an index that hold a term, in order.
    pub(super) fn holders(&self, scope: usize) -> &[Slot] {
        self.scopes.get(scope).map_or(&[], |scope| &scope.holders)
    }

    /// Share of the best possible score, in `0..=1`.
    pub(super) fn share(&self, scope: usize, slot: Slot) -> f32 {
        if self.possible > 0.0 {
            self.raw(scope, slot) / self.possible
        } else {
            0.0
        }
    }

    /// The largest share that any living record has.
    pub(super) fn best_share(&self) -> f32 {
        let matched = self.scopes.iter().flat_map(ScopeScores::matched);
        let best = matched.fold(0.0, f32::max);
        if self.possible > 0.0 {
            best / self.possible
        } else {
            0.0
        }
    }

    /// Whether a living record holds a word or pair of the question, not only single characters.
    pub(super) fn any_telling_word(&self) -> bool {
        self.any_telling
    }

    /// The `count` slots of an index that match best, all where there are fewer, in no order.
    pub(super) fn best(&self, scope: usize, count: usize) -> Vec<Slot> {
        let mut slots = self
            .scopes
            .get(scope)
            .map(|scope| scope.holders.clone())
            .unwrap_or_default();
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
        self.scopes
            .get(scope)
            .and_then(|scope| scope.scores.get(slot.at()))
            .copied()
            .unwrap_or(0.0)
    }
}

impl ScopeScores {
    #[expect(clippy::cast_precision_loss, reason = "words of a record")]
    fn add_term(&mut self, index: &ScopeIndex, term: &QueryTerm, weight: f32, mean_length: f32) {
        let list = index.lexicon.list(term.term);
        if !list.is_empty() && self.scores.is_empty() {
            self.scores.resize(index.slot_count(), 0.0);
        }
        for posting in list {
            let Some(traits) = index.traits.get(posting.slot.at()) else {
                continue;
            };
            if traits.flags.has(Flags::ALIVE)
                && let Some(score) = self.scores.get_mut(posting.slot.at())
            {
                let count = f32::from(posting.count);
                *score += weight * bm25::saturation(count, traits.length as f32, mean_length);
            }
        }
    }

    /// Lists the slots that hold a term. Without a branch for each: which ones do is not to be foreseen.
    fn collect_holders(&mut self) {
        self.holders.resize(self.scores.len(), Slot::NONE);
        let mut count = 0;
        for (slot, score) in (0_u32..).map(Slot).zip(&self.scores) {
            if let Some(place) = self.holders.get_mut(count) {
                *place = slot;
            }
            count += usize::from(*score > 0.0);
        }
        self.holders.truncate(count);
    }

    /// The scores of the slots that hold a term.
    fn matched(&self) -> impl Iterator<Item = f32> + '_ {
        let scores = self.holders.iter().map(|slot| self.scores.get(slot.at()));
        scores.map(|score| score.copied().unwrap_or(0.0))
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

/// How many living records of the indexes hold a term.
pub(super) fn holders_in(indexes: &[&ScopeIndex], term: TermHash) -> u64 {
    indexes
        .iter()
        .map(|index| living_holders(index, term))
        .sum()
}

fn living_holders(index: &ScopeIndex, term: TermHash) -> u64 {
    let list = index.lexicon.list(term);
    if index.dead_count() == 0 {
        return list.len() as u64;
    }
    let living = list.iter().filter(|posting| index.is_alive(posting.slot));
    living.count() as u64
}

fn standard(scopes: &[ScopeScores], record_count: u64) -> Option<Standard> {
    let mut moments = Moments::default();
    let mut held = 0;
    for scope in scopes {
        held += scope.holders.len() as u64;
        scope.matched().for_each(|score| moments.add(score));
    }
    moments.add_zeros(record_count.saturating_sub(held));
    moments.standard()
}
