//! The first pass: every record by its own match, its neighbours, its session and its traits.

use std::ops::Range;

use memoriter_core::memory::Tier;
use memoriter_core::query::NamedDate;
use memoriter_core::rank::gate::Evidence;
use memoriter_core::rank::relevance::{RelevanceWeights, SOON_AFTER_DAYS, WORD_CANDIDATES};
use memoriter_core::text::TermHash;
use memoriter_core::time::CalendarDay;

use super::super::ScopeIndex;
use super::super::entry::Names;
use super::super::kernel::largest;
use super::super::slot::Slot;
use super::super::traits::{Flags, Traits};
use super::dense::DenseScores;
use super::lexical::{LexicalScores, holders_in};
use super::matches::Matches;
use super::select::{Best, Candidate, Ranked};
use super::shortlist::Shortlist;
use super::speakers::NamedSpeakers;
use super::{ScoreParts, SearchRequest};

/// Everything the first pass reads.
pub(super) struct FirstPass<'a> {
    pub(super) indexes: &'a [&'a ScopeIndex],
    pub(super) request: &'a SearchRequest<'a>,
    pub(super) speakers: &'a NamedSpeakers,
    pub(super) lexical: &'a LexicalScores,
    pub(super) dense: &'a DenseScores,
}

impl FirstPass<'_> {
    /// The best candidates for the second pass, best first, and how many records the filter admits.
    pub(super) fn candidates(&self) -> (Vec<Candidate>, usize) {
        let scopes = self.indexes.iter().zip(&self.dense.scopes).enumerate();
        let passes: Vec<ScopePass<'_>> = scopes
            .map(|(scope, (index, cosines))| ScopePass::new(self, scope, index, &cosines.shortlist))
            .collect();
        let room = WORD_CANDIDATES.max(self.request.limit * 4);
        let mut best = Best::new(self.indexes, if self.speaks() { room } else { 0 });
        let considered = passes.iter().map(|pass| pass.offer_all(&mut best)).sum();
        let expand = |ranked: Ranked| {
            passes
                .get(ranked.scope)
                .and_then(|pass| pass.candidate(ranked))
        };
        let best = best.into_sorted_vec();
        for ranked in &best {
            if let Some(index) = self.indexes.get(ranked.scope) {
                index.prefetch(ranked.slot);
            }
        }
        let candidates = best.into_iter().filter_map(expand).collect();
        (candidates, considered)
    }

    /// Whether anything in the scopes bears on the question.
    fn speaks(&self) -> bool {
        let nearest = self.dense.nearest().filter(|_| self.request.reads_question);
        self.request.gate.speaks(Evidence {
            sem: nearest.map(|cosine| self.request.calibration.standardise(cosine)),
            records: self.indexes.iter().map(|index| index.len()).sum(),
            lex: self.lexical.best_share(),
            holds_telling_word: self.lexical.any_telling_word(),
            unknown_names: self.unknown_names(),
        })
    }

    /// How many names of the question no record knows.
    fn unknown_names(&self) -> usize {
        let is_known =
            |terms: &&Vec<TermHash>| terms.iter().any(|term| holders_in(self.indexes, *term) > 0);
        let names = &self.request.query.names;
        names.len() - names.iter().filter(is_known).count()
    }
}

/// What a record that fits the question in every way gets for speaker, time and date.
fn boost_max(all: &FirstPass<'_>, scope: usize) -> f32 {
    let (weights, query) = (&all.request.relevance, all.request.query);
    let boosts = [
        (weights.speaker, all.speakers.only(scope) != Names::NONE),
        (weights.when, query.asks_when),
        (
            weights.day.max(weights.month).max(weights.soon_after),
            !query.dates.is_empty(),
        ),
    ];
    boosts
        .iter()
        .filter(|(_, applies)| *applies)
        .map(|(boost, _)| boost)
        .sum()
}

/// Records that are passed over together where none of them can be among the best.
const TOGETHER: usize = 16;

/// The number that `count` of the numbers reach; lower than all where there are no more than that.
fn nth_largest(numbers: &[f32], count: usize) -> f32 {
    let mut numbers = numbers.to_vec();
    match count.checked_sub(1) {
        Some(before) if before < numbers.len() => {
            let (_, nth, _) = numbers.select_nth_unstable_by(before, |a, b| b.total_cmp(a));
            *nth
        }
        Some(_) | None => f32::NEG_INFINITY,
    }
}

/// The first pass over one index.
struct ScopePass<'a> {
    all: &'a FirstPass<'a>,
    scope: usize,
    index: &'a ScopeIndex,
    shortlist: &'a Shortlist,
    weights: &'a RelevanceWeights,
    matches: Matches<'a>,
    /// By number in the shortlist: the sum before what the record's traits bring.
    sums: Vec<f32>,
    /// The speaker whom the question names.
    speaker: u32,
    /// The most that the traits of a record can bring for this question.
    boost_max: f32,
    /// Whether there is nothing to ask of a living record.
    admits_all: bool,
}

impl<'a> ScopePass<'a> {
    fn new(
        all: &'a FirstPass<'a>,
        scope: usize,
        index: &'a ScopeIndex,
        shortlist: &'a Shortlist,
    ) -> Self {
        let scores = (all.lexical, all.dense);
        let (matches, sums) = Matches::compute(all.request, scores, (scope, index), shortlist);
        Self {
            all,
            scope,
            index,
            shortlist,
            weights: &all.request.relevance,
            matches,
            sums,
            speaker: all.speakers.only(scope),
            boost_max: boost_max(all, scope),
            admits_all: all.request.filter.is_empty() && !index.has_temporary(),
        }
    }

    /// Offers every record that the filter and the gate admit; returns how many the filter does.
    fn offer_all(&self, best: &mut Best<'_>) -> usize {
        let tops: Vec<f32> = self.sums.chunks(TOGETHER).map(largest).collect();
        let high = nth_largest(&tops, best.count());
        // At least as many sums as are wanted are high. They go first, and raise the bar over nearly all others.
        self.offer_within(&tops, high..f32::INFINITY, best);
        best.sort_out();
        self.offer_within(&tops, f32::NEG_INFINITY..high, best);
        self.considered()
    }

    /// Offers the records whose sum is within bounds, given the largest sum of each group.
    fn offer_within(&self, tops: &[f32], bounds: Range<f32>, best: &mut Best<'_>) {
        let reaches = |sum: f32| sum >= bounds.start && sum + self.boost_max >= best.bar();
        let groups = self.sums.chunks(TOGETHER).zip(tops);
        let mut offered: Vec<(usize, f32)> = Vec::new();
        for (start, (sums, top)) in (0..).step_by(TOGETHER).zip(groups) {
            if reaches(*top) {
                let numbered = (start..).zip(sums.iter().copied());
                offered.extend(numbered.filter(|(_, sum)| reaches(*sum) && *sum < bounds.end));
            }
        }
        for (number, _) in &offered {
            self.index.prefetch_traits(self.shortlist.slot(*number));
        }
        for (number, sum) in offered {
            self.offer(number, sum, best);
        }
    }

    /// Offers the record of a number, if it can be among the best, may be found and bears on the question.
    fn offer(&self, number: usize, sum: f32, best: &mut Best<'_>) {
        if sum + self.boost_max < best.bar() {
            return;
        }
        let slot = self.shortlist.slot(number);
        let Some(traits) = self.index.traits.get(slot.at()) else {
            return;
        };
        let sum = sum + self.traits(slot, traits);
        if sum >= best.bar()
            && self.may_be_found(slot, traits)
            && self.is_searched(slot)
            && self.passes_gate(slot, traits)
        {
            best.take(Ranked {
                sum,
                scope: self.scope,
                slot,
            });
        }
    }

    /// How many records may be found.
    fn considered(&self) -> usize {
        if self.admits_all && self.index.dead_count() == 0 {
            return self.shortlist.len();
        }
        let may_be_found = |slot: Slot| {
            let traits = self.index.traits.get(slot.at());
            traits.is_some_and(|traits| self.may_be_found(slot, traits))
        };
        let slots = self.shortlist.iter().map(|(_, slot)| slot);
        slots.filter(|slot| may_be_found(*slot)).count()
    }

    fn may_be_found(&self, slot: Slot, traits: &Traits) -> bool {
        traits.flags.has(Flags::ALIVE) && (self.admits_all || self.admits(slot))
    }

    /// Whether a record lies where is searched. Asked of the few that reach the bar.
    fn is_searched(&self, slot: Slot) -> bool {
        let request = self.all.request;
        request.with_archive || request.tier(self.index, slot) != Tier::Archive
    }

    /// Whether a record or the turn beside it bears on the question.
    fn passes_gate(&self, slot: Slot, traits: &Traits) -> bool {
        [slot, traits.before, traits.after]
            .into_iter()
            .any(|slot| self.index.is_alive(slot) && self.bears_on_question(slot))
    }

    fn bears_on_question(&self, slot: Slot) -> bool {
        let lex = self.all.lexical.share(self.scope, slot);
        self.all.request.gate.admits(self.nearness(slot), lex)
    }

    /// The cosine in deviations above unrelated; `None` where it says nothing.
    fn nearness(&self, slot: Slot) -> Option<f32> {
        if !self.all.request.reads_question {
            return None;
        }
        let cosine = self
            .all
            .dense
            .cosine(self.index, self.scope, slot)
            .unwrap_or_default();
        Some(self.all.request.calibration.standardise(cosine))
    }

    fn candidate(&self, ranked: Ranked) -> Option<Candidate> {
        let Ranked { sum, scope, slot } = ranked;
        let (traits, entry) = self.index.record(slot)?;
        let parts = ScoreParts {
            lex: self.all.lexical.share(scope, slot),
            sem: self.nearness(slot).unwrap_or(0.0),
            context: self.matches.context(self.shortlist.number(slot)?, traits),
            traits: self.traits(slot, traits),
            ..ScoreParts::default()
        };
        let lexical = self.all.lexical.standardised(scope, slot);
        Some(Candidate {
            scope,
            slot,
            record: entry.record,
            sum,
            lexical,
            parts,
        })
    }

    /// What speaker, time, form and length bring. Role, form and length mean something for turns only.
    #[inline]
    fn traits(&self, slot: Slot, traits: &Traits) -> f32 {
        let weights = self.weights;
        let query = self.all.request.query;
        let mut sum = 0.0;
        if traits.session != Traits::NO_SESSION {
            sum -= weights.length_loss(traits.words);
        }
        if self.speaker != Names::NONE && traits.speaker == self.speaker {
            sum += weights.speaker;
        }
        if query.asks_when && traits.flags.has(Flags::TELLS_TIME) {
            sum += weights.when;
        }
        if traits.flags.has(Flags::BY_ASSISTANT) {
            sum -= weights.assistant;
        }
        if traits.flags.has(Flags::ASKS) && !self.index.has_assistant(traits.session) {
            sum -= weights.asks;
        }
        if query.asks_of_self && traits.flags.has(Flags::OF_OTHER) && !self.names_entity(slot) {
            sum -= weights.other;
        }
        if !query.dates.is_empty()
            && let Some(entry) = self.index.entries.get(slot.at())
        {
            let worth = query
                .dates
                .iter()
                .map(|date| self.date(*date, entry.event_day));
            sum += worth.fold(0.0, f32::max);
        }
        sum
    }

    /// Whether the question names whom a fact is about: "Where does my sister live?"
    fn names_entity(&self, slot: Slot) -> bool {
        let asked = &self.all.request.query.terms;
        let entity = self.index.others.get(&slot);
        entity.is_some_and(|terms| {
            terms
                .iter()
                .any(|term| asked.iter().any(|asked| asked.term == *term))
        })
    }

    fn date(&self, date: NamedDate, day: CalendarDay) -> f32 {
        match date.days_until(day) {
            Some(0) => self.weights.day,
            Some(days) if (1..=SOON_AFTER_DAYS).contains(&days) => self.weights.soon_after,
            None if date.contains(day) => self.weights.month,
            Some(_) | None => 0.0,
        }
    }

    fn admits(&self, slot: Slot) -> bool {
        let Some(entry) = self.index.entries.get(slot.at()) else {
            return false;
        };
        let filter = self.all.request.filter;
        self.index.answers_at(slot, self.all.request.now)
            && filter.admits(entry.kind, entry.origin, entry.event_at)
            && entry.is_among(filter.records)
            && (!filter.asks_for_labels() || self.index.admits_labels(filter, slot))
    }
}
