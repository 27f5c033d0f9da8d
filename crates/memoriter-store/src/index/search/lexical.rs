//! How well words match, over all records of all searched scopes.

use memoriter_core::query::{ParsedQuery, QueryTerm};
use memoriter_core::rank::bm25;
use memoriter_core::rank::moments::{Moments, Standard};
use memoriter_core::rank::relevance::LEXICAL_DEVIATION_MIN_SHARE;
use memoriter_core::text::{TermHash, TokenClass};

use super::super::ScopeIndex;
use super::super::lexicon::Posting;
use super::super::slot::Slot;
use super::shortlist::Shortlist;
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
    /// Slots that hold a term, in no order, without repeats.
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
        self.standardise(self.raw(scope, slot))
    }

    /// The same by number in a shortlist.
    pub(super) fn standardised_all(&self, scope: usize, shortlist: &Shortlist) -> Vec<f32> {
        match (shortlist, self.scopes.get(scope)) {
            (Shortlist::All(_), Some(scope)) if !scope.scores.is_empty() => {
                let scores = scope.scores.iter();
                scores.map(|score| self.standardise(*score)).collect()
            }
            (Shortlist::All(count), _) => vec![self.standardise(0.0); *count],
            (Shortlist::Some(slots), _) => {
                let slots = slots.iter();
                slots.map(|slot| self.standardised(scope, *slot)).collect()
            }
        }
    }

    fn standardise(&self, score: f32) -> f32 {
        self.standard.map_or(0.0, |standard| standard.of(score))
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
        let Some(scope) = self.scopes.get(scope) else {
            return Vec::new();
        };
        let better = |a: &(f32, Slot), b: &(f32, Slot)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        let mut best = Vec::with_capacity(2 * count);
        let mut bar = f32::NEG_INFINITY;
        for scored in scope.matched().zip(scope.holders.iter().copied()) {
            if scored.0 < bar {
                continue;
            }
            best.push(scored);
            if best.len() == 2 * count {
                let (_, worst, _) = best.select_nth_unstable_by(count - 1, better);
                bar = worst.0;
                best.truncate(count);
            }
        }
        if best.len() > count {
            best.select_nth_unstable_by(count - 1, better);
            best.truncate(count);
        }
        best.into_iter().map(|(_, slot)| slot).collect()
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
    fn add_term(&mut self, index: &ScopeIndex, term: &QueryTerm, weight: f32, mean_length: f32) {
        let list = index.lexicon.list(term.term);
        if !list.is_empty() && self.scores.is_empty() {
            self.scores.resize(index.slot_count(), 0.0);
        }
        self.holders.reserve(list.len());
        let all_live = index.dead_count() == 0;
        let living = list
            .iter()
            .filter(|posting| all_live || index.is_alive(posting.slot));
        for posting in living {
            if let Some(score) = self.scores.get_mut(posting.slot.at()) {
                let count = f32::from(posting.count);
                let length = length_of(index, *posting);
                if *score <= 0.0 {
                    self.holders.push(posting.slot);
                }
                *score += weight * bm25::saturation(count, length, mean_length);
            }
        }
    }

    /// The scores of the slots that hold a term.
    fn matched(&self) -> impl Iterator<Item = f32> + '_ {
        let scores = self.holders.iter().map(|slot| self.scores.get(slot.at()));
        scores.map(|score| score.copied().unwrap_or(0.0))
    }
}

/// How many words the record of a posting has.
#[expect(clippy::cast_precision_loss, reason = "words of a record")]
fn length_of(index: &ScopeIndex, posting: Posting) -> f32 {
    if posting.length < Posting::LONG {
        return f32::from(posting.length);
    }
    let traits = index.traits.get(posting.slot.at());
    traits.map_or(1.0, |traits| traits.length as f32)
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
