//! The first pass: every record by its own match, its neighbours, its session and its traits.

use memoriter_core::query::NamedDate;
use memoriter_core::rank::gate::Evidence;
use memoriter_core::rank::relevance::{Match, RelevanceWeights, SOON_AFTER_DAYS, WORD_CANDIDATES};
use memoriter_core::text::TermHash;
use memoriter_core::time::CalendarDay;

use super::super::ScopeIndex;
use super::super::entry::Names;
use super::super::slot::Slot;
use super::super::traits::{Flags, Traits};
use super::dense::DenseScores;
use super::lexical::{LexicalScores, holders_in};
use super::select::{Best, Candidate, Ranked};
use super::speakers::NamedSpeakers;
use super::{ScoreParts, SearchRequest};

/// Turns of a session whose matches stand for it.
const SESSION_BEST: usize = 2;

/// Everything the first pass reads.
pub(super) struct FirstPass<'a> {
    pub(super) indexes: &'a [&'a ScopeIndex],
    pub(super) request: &'a SearchRequest<'a>,
    pub(super) speakers: &'a NamedSpeakers,
    pub(super) lexical: &'a LexicalScores,
    pub(super) dense: &'a DenseScores,
}

impl FirstPass<'_> {
    /// The best candidates for the second pass, in no order, and how many records the filter admits.
    pub(super) fn candidates(&self) -> (Vec<Candidate>, usize) {
        let passes: Vec<ScopePass<'_>> = self
            .indexes
            .iter()
            .enumerate()
            .map(|(scope, index)| ScopePass::new(self, scope, index))
            .collect();
        let evidence = Evidence {
            sem: passes.iter().map(|pass| pass.nearest).fold(None, larger),
            lex: self.lexical.best_share(),
            holds_telling_word: self.lexical.any_telling_word(),
            unknown_names: self.unknown_names(),
        };
        let speaks = self.request.gate.speaks(evidence);
        let mut best = Best::new(if speaks {
            WORD_CANDIDATES.max(self.request.limit * 4)
        } else {
            0
        });
        let considered = passes.iter().map(|pass| pass.offer_all(&mut best)).sum();
        let expand = |ranked: Ranked| {
            passes
                .get(ranked.scope)
                .and_then(|pass| pass.candidate(ranked))
        };
        (
            best.into_vec().into_iter().filter_map(expand).collect(),
            considered,
        )
    }
}

impl FirstPass<'_> {
    /// How many names of the question no record knows.
    fn unknown_names(&self) -> usize {
        let is_known =
            |terms: &&Vec<TermHash>| terms.iter().any(|term| holders_in(self.indexes, *term) > 0);
        let names = &self.request.query.names;
        names.len() - names.iter().filter(is_known).count()
    }
}

/// The first pass over one index.
struct ScopePass<'a> {
    all: &'a FirstPass<'a>,
    scope: usize,
    index: &'a ScopeIndex,
    weights: &'a RelevanceWeights,
    /// The match that neighbours and sessions are judged by, by slot; 0 for slots that were not looked at.
    own: Vec<f32>,
    /// Mean of the best matches, by session.
    sessions: Vec<f32>,
    /// The speaker whom the question names.
    speaker: u32,
    /// The best cosine of a living record, in deviations above unrelated.
    nearest: Option<f32>,
}

impl<'a> ScopePass<'a> {
    fn new(all: &'a FirstPass<'a>, scope: usize, index: &'a ScopeIndex) -> Self {
        let weights = &all.request.relevance;
        let speaker = all.speakers.only(scope);
        let mut pass = Self {
            all,
            scope,
            index,
            weights,
            own: Vec::new(),
            sessions: Vec::new(),
            speaker,
            nearest: None,
        };
        (pass.own, pass.nearest) = pass.own_matches();
        pass.sessions = pass.session_matches();
        pass
    }

    /// The match of every slot, and the nearest cosine.
    fn own_matches(&self) -> (Vec<f32>, Option<f32>) {
        let reads = self.all.request.reads_question;
        let mut own = vec![0.0; self.index.slot_count()];
        let mut nearest = None;
        self.for_each_slot(|slot, _| {
            if let Some(place) = own.get_mut(slot.at()) {
                *place = self.weights.own(self.matched(slot), reads);
            }
            nearest = larger(nearest, self.nearness(slot));
        });
        (own, nearest)
    }

    fn session_matches(&self) -> Vec<f32> {
        let mut best = vec![Top::default(); self.index.session_count()];
        self.for_each_slot(|slot, traits| {
            if let Some(top) = best.get_mut(traits.session as usize) {
                top.add(self.own_of(slot));
            }
        });
        best.into_iter().map(Top::mean).collect()
    }

    /// Offers every record that the filter and the gate admit; returns how many the filter does.
    fn offer_all(&self, best: &mut Best) -> usize {
        let filter = self.all.request.filter;
        let admits_all = filter.is_empty() && !self.index.has_temporary();
        let mut considered = 0;
        self.for_each_slot(|slot, traits| {
            if !admits_all && !self.admits(slot) {
                return;
            }
            considered += 1;
            let sum = self.sum(slot, traits);
            if best.may_take(sum)
                && self.passes_gate(slot, traits)
                && let Some(entry) = self.index.entries.get(slot.at())
            {
                best.take(Ranked {
                    sum,
                    record: entry.record,
                    scope: self.scope,
                    slot,
                });
            }
        });
        considered
    }

    fn sum(&self, slot: Slot, traits: &Traits) -> f32 {
        let first = self
            .weights
            .first_pass(self.matched(slot), self.all.request.reads_question);
        first + self.context(slot, traits) + self.traits(slot, traits)
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
        let cosine = self.all.dense.cosine(self.index, self.scope, slot)?;
        self.all
            .request
            .reads_question
            .then(|| self.all.request.calibration.standardise(cosine))
    }

    fn candidate(&self, ranked: Ranked) -> Option<Candidate> {
        let Ranked {
            sum,
            record,
            scope,
            slot,
        } = ranked;
        let traits = self.index.traits.get(slot.at())?;
        let parts = ScoreParts {
            lex: self.all.lexical.share(scope, slot),
            sem: self.nearness(slot).unwrap_or(0.0),
            context: self.context(slot, traits),
            traits: self.traits(slot, traits),
            ..ScoreParts::default()
        };
        Some(Candidate {
            scope,
            slot,
            record,
            sum,
            lexical: self.all.lexical.standardised(scope, slot),
            parts,
        })
    }

    fn matched(&self, slot: Slot) -> Match {
        Match {
            lexical: self.all.lexical.standardised(self.scope, slot),
            dense: self.all.dense.standardised(self.index, self.scope, slot),
        }
    }

    /// What the turns around a record bring. A memory stands alone: it is its own session.
    fn context(&self, slot: Slot, traits: &Traits) -> f32 {
        let session = self
            .sessions
            .get(traits.session as usize)
            .copied()
            .unwrap_or_else(|| self.own_of(slot));
        self.weights.before * self.as_neighbour(traits.before)
            + self.weights.after * self.as_neighbour(traits.after)
            + self.weights.session * session
    }

    /// What a slot is worth to the one beside it; assistants talk much and are asked little.
    fn as_neighbour(&self, slot: Slot) -> f32 {
        let by_assistant = self
            .index
            .traits
            .get(slot.at())
            .is_some_and(|traits| traits.flags.has(Flags::BY_ASSISTANT));
        let share = if by_assistant {
            self.weights.assistant_neighbour
        } else {
            1.0
        };
        share * self.own_of(slot)
    }

    /// The match of a slot; 0 for none and for a dead one.
    fn own_of(&self, slot: Slot) -> f32 {
        if self.index.is_alive(slot) {
            self.own.get(slot.at()).copied().unwrap_or(0.0)
        } else {
            0.0
        }
    }

    /// What speaker, time, form and length bring.
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
        if !query.dates.is_empty()
            && let Some(entry) = self.index.entries.get(slot.at())
        {
            sum += query
                .dates
                .iter()
                .map(|date| self.date(*date, entry.event_day))
                .fold(0.0, f32::max);
        }
        sum
    }

    fn date(&self, date: NamedDate, day: CalendarDay) -> f32 {
        match date.days_until(day) {
            Some(0) => self.weights.day,
            Some(days) if (1..=SOON_AFTER_DAYS).contains(&days) => self.weights.soon_after,
            Some(_) => 0.0,
            None if date.contains(day) => self.weights.month,
            None => 0.0,
        }
    }

    fn admits(&self, slot: Slot) -> bool {
        let Some(entry) = self.index.entries.get(slot.at()) else {
            return false;
        };
        let filter = self.all.request.filter;
        if entry
            .usable_until
            .is_some_and(|end| end <= self.all.request.now)
            || !filter.admits(entry.kind, entry.origin, entry.event_at)
        {
            return false;
        }
        entry.is_among(filter.records)
            && (!filter.asks_for_labels() || self.index.admits_labels(filter, slot))
    }

    /// Every living slot worth ranking, in order.
    fn for_each_slot(&self, mut visit: impl FnMut(Slot, &Traits)) {
        let mut visit_living = |slot: Slot, traits: &Traits| {
            if traits.flags.has(Flags::ALIVE) {
                visit(slot, traits);
            }
        };
        match self.all.dense.shortlist(self.scope) {
            None => (0_u32..)
                .map(Slot)
                .zip(&self.index.traits)
                .for_each(|(slot, traits)| visit_living(slot, traits)),
            Some(slots) => {
                let known = slots
                    .iter()
                    .filter_map(|slot| Some((*slot, self.index.traits.get(slot.at())?)));
                known.for_each(|(slot, traits)| visit_living(slot, traits));
            }
        }
    }
}

fn larger(a: Option<f32>, b: Option<f32>) -> Option<f32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
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
    fn add(&mut self, value: f32) {
        self.count += 1;
        let mut value = value;
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
            0.0
        } else {
            self.best.iter().take(count).sum::<f32>() / count as f32
        }
    }
}
