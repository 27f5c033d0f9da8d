//! How well each record matches by itself, in arrays that a processor walks fast.

use super::super::ScopeIndex;
use super::super::traits::Traits;
use super::SearchRequest;
use super::dense::DenseScores;
use super::lexical::LexicalScores;
use super::shortlist::Shortlist;
use memoriter_core::rank::relevance::Match;

/// Turns of a session whose matches stand for it.
const SESSION_BEST: usize = 2;

/// Matches by number in a shortlist.
pub(super) struct Matches {
    /// The match that neighbours and sessions are judged by; 0 for a dead slot.
    own: Vec<f32>,
    /// What the record's own match brings in the first pass.
    first: Vec<f32>,
    /// The first pass of a record that stands alone, before its traits.
    alone: Vec<f32>,
    /// Mean of the best matches, by session.
    sessions: Vec<f32>,
}

impl Matches {
    /// Of the slots in `shortlist`, which belong to the index `index` of number `scope`.
    pub(super) fn compute(
        request: &SearchRequest<'_>,
        (lexical, dense): (&LexicalScores, &DenseScores),
        (scope, index): (usize, &ScopeIndex),
        shortlist: &Shortlist,
    ) -> Self {
        let weights = &request.relevance;
        let reads = request.reads_question;
        let dense = dense.standardised(index, scope);
        let unmatched = lexical.unmatched();
        let of = |lexical, dense| Match { lexical, dense };
        let mut own: Vec<f32> = dense
            .iter()
            .map(|dense| weights.own(of(unmatched, *dense), reads))
            .collect();
        let mut first: Vec<f32> = dense
            .iter()
            .map(|dense| weights.first_pass(of(unmatched, *dense), reads))
            .collect();
        for slot in lexical.holders(scope) {
            let Some(number) = shortlist.number(*slot) else {
                continue;
            };
            let matched = of(
                lexical.standardised(scope, *slot),
                dense.get(number).copied().unwrap_or_default(),
            );
            set(&mut own, number, weights.own(matched, reads));
            set(&mut first, number, weights.first_pass(matched, reads));
        }
        if index.dead_count() > 0 {
            let dead = shortlist.iter().filter(|(_, slot)| !index.is_alive(*slot));
            dead.for_each(|(number, _)| set(&mut own, number, 0.0));
        }
        let with_own = |(first, own): (&f32, &f32)| first + weights.session * own;
        let alone = first.iter().zip(&own).map(with_own).collect();
        let sessions = sessions(index, shortlist, &own);
        Self {
            own,
            first,
            alone,
            sessions,
        }
    }

    pub(super) fn own(&self, number: usize) -> f32 {
        self.own.get(number).copied().unwrap_or_default()
    }

    pub(super) fn first(&self, number: usize) -> f32 {
        self.first.get(number).copied().unwrap_or_default()
    }

    /// The sum of a record that has no session, before its traits.
    pub(super) fn alone(&self, number: usize) -> f32 {
        self.alone.get(number).copied().unwrap_or_default()
    }

    /// The match of a record's session; its own where it has none.
    pub(super) fn session(&self, number: usize, traits: &Traits) -> f32 {
        let session = self.sessions.get(traits.session as usize).copied();
        session.unwrap_or_else(|| self.own(number))
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
