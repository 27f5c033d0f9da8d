//! From candidates to results.

use std::cmp::Ordering;
use std::collections::HashSet;

use memoriter_core::rank::{decay, recency, relevance};

use super::super::ScopeIndex;
use super::super::entry::Entry;
use super::super::slot::Slot;
use super::{Hit, ScoreParts, SearchRequest};
use crate::store::RecordRef;

/// One in so many results may be of external origin: it was read, not told.
const ONE_EXTERNAL_IN: usize = 5;

/// A record on its way to the results.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) scope: usize,
    pub(super) slot: Slot,
    pub(super) record: RecordRef,
    /// The sum of weighted signals so far; higher is better.
    pub(super) sum: f32,
    /// Word match in standard deviations.
    pub(super) lexical: f32,
    pub(super) parts: ScoreParts,
}

/// The best few of many, without order among equals but the records'.
pub(super) struct Best<'a> {
    indexes: &'a [&'a ScopeIndex],
    count: usize,
    /// The best so far are among these; up to twice as many as are wanted, so that they are sorted out seldom.
    kept: Vec<Ranked>,
    /// Records below this sum are not among the best.
    bar: f32,
}

/// What is kept of a record while the best are being found.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    pub(super) sum: f32,
    pub(super) scope: usize,
    pub(super) slot: Slot,
}

impl<'a> Best<'a> {
    pub(super) fn new(indexes: &'a [&'a ScopeIndex], count: usize) -> Self {
        Self {
            indexes,
            count,
            kept: Vec::with_capacity(2 * count),
            bar: if count == 0 {
                f32::INFINITY
            } else {
                f32::NEG_INFINITY
            },
        }
    }

    /// The sum that a record must reach to be among the best so far.
    pub(super) fn bar(&self) -> f32 {
        self.bar
    }

    /// How many are wanted.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn take(&mut self, ranked: Ranked) {
        self.kept.push(ranked);
        if self.kept.len() >= 2 * self.count {
            self.sort_out();
        }
    }

    /// The best, best first.
    pub(super) fn into_sorted_vec(mut self) -> Vec<Ranked> {
        self.sort_out();
        let order = order_of(self.indexes);
        self.kept.sort_unstable_by(order);
        self.kept
    }

    /// Lets go of all but the best, and raises the bar to the worst of them.
    pub(super) fn sort_out(&mut self) {
        if self.count > 0 && self.kept.len() >= self.count {
            let order = order_of(self.indexes);
            let (_, worst, _) = self.kept.select_nth_unstable_by(self.count - 1, order);
            self.bar = worst.sum;
        }
        self.kept.truncate(self.count);
    }
}

/// Highest sum first, then lowest record.
fn order_of<'a>(indexes: &'a [&'a ScopeIndex]) -> impl Fn(&Ranked, &Ranked) -> Ordering + 'a {
    move |a, b| {
        let by_record = || record_of(indexes, a).cmp(&record_of(indexes, b));
        b.sum.total_cmp(&a.sum).then_with(by_record)
    }
}

/// Looked up where sums are equal, which is seldom: it is far from what is ranked by.
fn record_of(indexes: &[&ScopeIndex], ranked: &Ranked) -> Option<RecordRef> {
    let entries = &indexes.get(ranked.scope)?.entries;
    Some(entries.get(ranked.slot.at())?.record)
}

/// Scores the candidates with recency and importance, orders them, and takes the best: each text once, not
/// too many of external origin.
pub(super) fn choose(
    indexes: &[&ScopeIndex],
    request: &SearchRequest<'_>,
    candidates: Vec<Candidate>,
) -> Vec<Hit> {
    let scored = candidates.into_iter().filter_map(|candidate| {
        let index = indexes.get(candidate.scope)?;
        let entry = index.entries.get(candidate.slot.at())?;
        let mut hit = score(request, entry, &candidate);
        hit.score *= decay::share(request.tier(index, candidate.slot));
        Some((hit, entry))
    });
    let mut scored: Vec<(Hit, &Entry)> = scored
        .filter(|(hit, _)| hit.parts.relevance >= request.relevance_min)
        .collect();
    scored.sort_unstable_by(|(a, _), (b, _)| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.record.cmp(&b.record))
    });
    let mut texts = HashSet::new();
    let mut external_left = external_max(request);
    let chosen = scored.into_iter().filter(|(_, entry)| {
        if !texts.insert(entry.text_hash) {
            return false;
        }
        if !entry.origin.is_external() {
            return true;
        }
        let is_room = external_left > 0;
        external_left = external_left.saturating_sub(1);
        is_room
    });
    chosen.take(request.limit).map(|(hit, _)| hit).collect()
}

/// How many results may be of external origin: a fifth, at least one; all where the filter asks for origins.
fn external_max(request: &SearchRequest<'_>) -> usize {
    if request.filter.origins.is_empty() {
        (request.limit / ONE_EXTERNAL_IN).max(1)
    } else {
        usize::MAX
    }
}

fn score(request: &SearchRequest<'_>, entry: &Entry, candidate: &Candidate) -> Hit {
    let parts = ScoreParts {
        relevance: relevance::squash(candidate.sum),
        recency: recency::recency(
            entry.fresh_at(),
            request.now,
            recency::half_life_days(entry.kind),
        ),
        importance: recency::importance(entry.importance),
        ..candidate.parts
    };
    let score = request
        .score
        .score(parts.relevance, parts.recency, parts.importance);
    Hit {
        record: candidate.record,
        scope: candidate.scope,
        score,
        parts,
    }
}
