//! How well each record matches by itself, in arrays that a processor walks fast.

use super::super::ScopeIndex;
use super::super::slot::Slot;
use super::super::traits::{Flags, Traits};
use super::SearchRequest;
use super::dense::DenseScores;
use super::lexical::LexicalScores;
use super::shortlist::Shortlist;
use memoriter_core::rank::relevance::RelevanceWeights;

/// Turns of a session whose matches stand for it.
const SESSION_BEST: usize = 2;

/// Matches by number in a shortlist.
pub(super) struct Matches<'a> {
    index: &'a ScopeIndex,
    shortlist: &'a Shortlist,
    weights: &'a RelevanceWeights,
    /// The match that neighbours and sessions are judged by; 0 for a dead slot.
    own: Vec<f32>,
    /// Mean of the best matches, by session.
    sessions: Vec<f32>,
}

impl<'a> Matches<'a> {
    /// Of the slots in `shortlist`, which belong to the index `index` of number `scope`; with the first pass
    /// of each before its traits: what its own match and the turns around it bring.
    pub(super) fn compute(
        request: &'a SearchRequest<'_>,
        (lexical, dense): (&LexicalScores, &DenseScores),
        (scope, index): (usize, &'a ScopeIndex),
        shortlist: &'a Shortlist,
    ) -> (Self, Vec<f32>) {
        let weights = &request.relevance;
        let reads = request.reads_question;
        let mut own = dense.standardised(index, scope);
        let mut first = lexical.standardised_all(scope, shortlist);
        let (weights_own, weights_first) = (weights.own(reads), weights.first_pass(reads));
        for (own, first) in own.iter_mut().zip(&mut first) {
            let (dense, lexical) = (*own, *first);
            *own = weights_own.sum(lexical, dense);
            *first = weights_first.sum(lexical, dense);
        }
        if index.dead_count() > 0 {
            let dead = shortlist.iter().filter(|(_, slot)| !index.is_alive(*slot));
            dead.for_each(|(number, _)| set(&mut own, number, 0.0));
        }
        let matches = Self {
            index,
            shortlist,
            weights,
            sessions: sessions(index, shortlist, &own),
            own,
        };
        matches.add_context(&mut first);
        (matches, first)
    }

    /// What the turns around a record bring. A memory stands alone: it is its own session.
    #[inline]
    pub(super) fn context(&self, number: usize, traits: &Traits) -> f32 {
        let session = self.sessions.get(traits.session as usize).copied();
        let session = self.weights.session * session.unwrap_or_else(|| self.own(number));
        if traits.session == Traits::NO_SESSION {
            return session;
        }
        session
            + self.weights.before * self.as_neighbour(traits.before)
            + self.weights.after * self.as_neighbour(traits.after)
    }

    /// Adds to each number's sum what its context brings.
    fn add_context(&self, sums: &mut [f32]) {
        if self.sessions.is_empty() {
            // Memories only: nobody's neighbours, in one sweep.
            let pairs = sums.iter_mut().zip(&self.own);
            pairs.for_each(|(sum, own)| *sum += self.weights.session * own);
            return;
        }
        for ((number, slot), sum) in self.shortlist.iter().zip(sums) {
            if let Some(traits) = self.index.traits.get(slot.at()) {
                *sum += self.context(number, traits);
            }
        }
    }

    /// What a slot is worth to the one beside it; assistants talk much and are asked little.
    fn as_neighbour(&self, slot: Slot) -> f32 {
        let Some(traits) = self.index.traits.get(slot.at()) else {
            return 0.0;
        };
        let number = self.shortlist.number(slot);
        let own = number.map_or(0.0, |number| self.own(number));
        if traits.flags.has(Flags::BY_ASSISTANT) {
            self.weights.assistant_neighbour * own
        } else {
            own
        }
    }

    fn own(&self, number: usize) -> f32 {
        self.own.get(number).copied().unwrap_or_default()
    }
}

fn set(scores: &mut [f32], number: usize, score: f32) {
    if let Some(place) = scores.get_mut(number) {
        *place = score;
    }
}

/// Mean of the best matches of each session.
fn sessions(index: &ScopeIndex, shortlist: &Shortlist, own: &[f32]) -> Vec<f32> {
    if index.session_count() == 0 {
        return Vec::new();
    }
    let mut best = vec![Top::default(); index.session_count()];
    for (number, slot) in shortlist.iter().filter(|(_, slot)| index.is_alive(*slot)) {
        let session = index
            .traits
            .get(slot.at())
            .map_or(Traits::NO_SESSION, |traits| traits.session);
        if let Some(top) = best.get_mut(session as usize) {
            top.add(own.get(number).copied().unwrap_or_default());
        }
    }
    best.into_iter().map(Top::mean).collect()
}

/// The best few of many numbers.
#[derive(Clone, Copy)]
struct Top {
    best: [f32; SESSION_BEST],
    count: usize,
}

impl Default for Top {
    fn default() -> Self {
        Self {
            best: [f32::NEG_INFINITY; SESSION_BEST],
            count: 0,
        }
    }
}

impl Top {
    fn add(&mut self, mut value: f32) {
        self.count += 1;
        for place in &mut self.best {
            if value > *place {
                std::mem::swap(place, &mut value);
            }
        }
    }

    /// The mean of the best that there are; 0 of none.
    #[expect(clippy::cast_precision_loss, reason = "at most two")]
    fn mean(self) -> f32 {
        let count = self.count.min(SESSION_BEST);
        if count == 0 {
            return 0.0;
        }
        self.best.iter().take(count).sum::<f32>() / count as f32
    }
}
