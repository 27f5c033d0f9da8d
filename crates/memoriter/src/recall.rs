//! Asking what is remembered.

use memoriter_core::access::Right;
use memoriter_core::error::InvalidInput;
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::{Kind, Memory};
use memoriter_core::port::TextRole;
use memoriter_core::provenance::Origin;
use memoriter_core::query::{Filter, ParsedQuery, Records};
use memoriter_core::rank::gate::Gate;
use memoriter_core::rank::relevance::{RelevanceWeights, ScoreWeights};
use memoriter_core::text::Analyser;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::Turn;
use memoriter_core::vector::QuantisedVector;
use memoriter_store::Damage;
use memoriter_store::index::{Found, ScopeIndex, ScoreParts, SearchRequest, search};

use crate::error::Error;
use crate::handle::ScopedMemory;

/// Turns on either side of a turn that a recall may ask for.
pub const NEIGHBOURS_MAX: usize = 1_000;
/// Results that a recall may ask for.
pub const TOP_MAX: usize = 200;
/// Results of a recall that does not say how many.
const TOP_DEFAULT: usize = 10;

/// A recall being put together; [`Recall::run`] carries it out.
#[must_use]
pub struct Recall<'a> {
    pub(crate) memory: &'a ScopedMemory,
    pub(crate) query: &'a str,
    pub(crate) vector: Option<QuantisedVector>,
    pub(crate) top: usize,
    pub(crate) filter: Filter,
    pub(crate) as_of: Option<Timestamp>,
    pub(crate) known_at: Option<Timestamp>,
    pub(crate) relevance_min: f32,
    pub(crate) gate: Gate,
    pub(crate) neighbours: usize,
    pub(crate) marks_use: bool,
    pub(crate) with_archive: bool,
}

/// What a recall found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recollection {
    /// Best first; equal scores by id.
    pub results: Vec<Recalled>,
    /// How many records were looked at: all in the visible scopes that the filter admits.
    pub considered: usize,
    /// Records that matched and cannot be served because they are damaged.
    pub damaged: Vec<Damage>,
}

/// One result.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    /// The memory or turn.
    pub record: Record,
    /// Higher is better, in `0..=1`.
    pub score: f32,
    /// What the score is made of.
    pub parts: ScoreParts,
    /// For a turn: the turns around it, in order, as many as were asked for.
    pub neighbours: Vec<Turn>,
}

/// A memory or a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A long-term memory.
    Memory(Box<Memory>),
    /// A turn of a conversation.
    Turn(Box<Turn>),
}

impl Recalled {
    /// The statement or what was said.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.record {
            Record::Memory(memory) => &memory.statement,
            Record::Turn(turn) => &turn.message.content,
        }
    }

    /// The memory, if it is one.
    #[must_use]
    pub fn memory_id(&self) -> Option<MemoryId> {
        match &self.record {
            Record::Memory(memory) => Some(memory.id),
            Record::Turn(_) => None,
        }
    }

    /// The turn, if it is one.
    #[must_use]
    pub fn turn_id(&self) -> Option<TurnId> {
        match &self.record {
            Record::Memory(_) => None,
            Record::Turn(turn) => Some(turn.id),
        }
    }
}

impl ScopedMemory {
    /// Starts a recall: what of this scope and the ones around it bears on `query`.
    pub fn recall<'a>(&'a self, query: &'a str) -> Recall<'a> {
        Recall {
            memory: self,
            query,
            vector: None,
            top: TOP_DEFAULT,
            filter: Filter::default(),
            as_of: None,
            known_at: None,
            relevance_min: 0.0,
            gate: Gate::default(),
            neighbours: 0,
            marks_use: true,
            with_archive: false,
        }
    }
}

/// Options.
impl Recall<'_> {
    /// At most so many results, `1..=`[`TOP_MAX`].
    pub fn top(mut self, top: usize) -> Self {
        self.top = top;
        self
    }

    /// The query's vector, if the caller has it; else the text is embedded.
    pub fn vector(mut self, vector: QuantisedVector) -> Self {
        self.vector = Some(vector);
        self
    }

    /// Only this kind; may be called for several.
    pub fn kind(mut self, kind: Kind) -> Self {
        self.filter.kinds.push(kind);
        self
    }

    /// Only this origin; may be called for several. Lifts the cap on external origins.
    pub fn origin(mut self, origin: Origin) -> Self {
        self.filter.origins.push(origin);
        self
    }

    /// Only this category.
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.filter.category = Some(category.into());
        self
    }

    /// Only what happened or began to be true at this instant or later.
    pub fn since(mut self, since: Timestamp) -> Self {
        self.filter.since = Some(since);
        self
    }

    /// Only what happened or began to be true before this instant.
    pub fn until(mut self, until: Timestamp) -> Self {
        self.filter.until = Some(until);
        self
    }

    /// Only records whose metadata has this field with exactly this value; may be called for several.
    pub fn metadata(mut self, name: impl Into<String>, value: serde_json::Value) -> Self {
        self.filter.metadata.push((name.into(), value));
        self
    }

    /// These conditions instead of the ones so far.
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// Turns, memories or both.
    pub fn records(mut self, records: Records) -> Self {
        self.filter.records = records;
        self
    }

    /// What was true at this instant, instead of now.
    pub fn as_of(mut self, as_of: Timestamp) -> Self {
        self.as_of = Some(as_of);
        self
    }

    /// By what was recorded up to this instant, instead of everything.
    pub fn known_at(mut self, known_at: Timestamp) -> Self {
        self.known_at = Some(known_at);
        self
    }

    /// Leaves out results of less relevance, in `0..=1`; comes on top of the gate.
    pub fn min_relevance(mut self, relevance: f32) -> Self {
        self.relevance_min = relevance;
        self
    }

    /// Another bar than the usual one for having to do with the question at all.
    pub fn gate(mut self, gate: Gate) -> Self {
        self.gate = gate;
        self
    }

    /// With each turn, so many turns before and after it.
    pub fn neighbours(mut self, neighbours: usize) -> Self {
        self.neighbours = neighbours;
        self
    }

    /// Also what was not used for so long that it lies in the archive. What is found there is at hand again.
    pub fn archived(mut self) -> Self {
        self.with_archive = true;
        self
    }

    /// Leaves no trace: results are not marked as used.
    pub fn without_marking(mut self) -> Self {
        self.marks_use = false;
        self
    }
}

/// Carrying it out.
impl Recall<'_> {
    /// The results, best first.
    ///
    /// # Errors
    /// When the query is empty or over its limit, an option is out of range, or the store or embedder fails.
    pub fn run(self) -> Result<Vec<Recalled>, Error> {
        Ok(self.recollect()?.results)
    }

    /// The results with what was looked at and what could not be served.
    ///
    /// # Errors
    /// As [`Recall::run`].
    pub fn recollect(mut self) -> Result<Recollection, Error> {
        self.memory.may(Right::Read)?;
        self.check()?;
        let query = ParsedQuery::parse(self.query, &Analyser::new())?;
        let vector = self.query_vector()?;
        let now = self.memory.engine.clock.now();
        let found = if self.as_of.is_some() || self.known_at.is_some() {
            let past = crate::past::PastView {
                as_of: self.as_of.unwrap_or(now),
                known_at: self.known_at.unwrap_or(now),
            };
            let indexes = past.indexes(self.memory)?;
            let indexes: Vec<&ScopeIndex> = indexes.iter().collect();
            self.search(&indexes, &query, vector.as_ref(), past.as_of)
        } else {
            let engine = &self.memory.engine;
            engine
                .indexes
                .with(engine.store.as_ref(), &self.memory.visible, |indexes| {
                    self.search(indexes, &query, vector.as_ref(), now)
                })?
        };
        let recollection = self.serve(&found)?;
        // A mark is a write, if a small one: a handle that may only read leaves none.
        if self.marks_use && self.memory.access().rights().has(Right::Write) {
            let recalled = recollection.results.iter().filter_map(Recalled::memory_id);
            let engine = &self.memory.engine;
            engine.mark_recalled(&self.memory.visible, recalled.collect(), now);
        }
        Ok(recollection)
    }

    fn check(&self) -> Result<(), InvalidInput> {
        self.filter.check()?;
        if self.top == 0 || self.top > TOP_MAX {
            return Err(InvalidInput::malformed(
                "top",
                "a whole number from 1 to 200",
                &self.top.to_string(),
            ));
        }
        if self.neighbours > NEIGHBOURS_MAX {
            return Err(InvalidInput::malformed(
                "neighbours",
                "a whole number from 0 to 1000",
                &self.neighbours.to_string(),
            ));
        }
        if !(0.0..=1.0).contains(&self.relevance_min) {
            return Err(InvalidInput::malformed(
                "min_relevance",
                "a number from 0 to 1",
                &self.relevance_min.to_string(),
            ));
        }
        Ok(())
    }

    fn query_vector(&mut self) -> Result<Option<QuantisedVector>, Error> {
        if let Some(vector) = self.vector.take() {
            return Ok(Some(vector));
        }
        let vectors = self
            .memory
            .engine
            .embedder
            .embed(&[self.query], TextRole::Query)?;
        Ok(vectors
            .into_iter()
            .next()
            .flatten()
            .as_ref()
            .map(QuantisedVector::quantise))
    }

    fn search(
        &self,
        indexes: &[&ScopeIndex],
        query: &ParsedQuery,
        vector: Option<&QuantisedVector>,
        now: Timestamp,
    ) -> Found {
        let engine = &self.memory.engine;
        let is_present = self.as_of.is_none() && self.known_at.is_none();
        let request = SearchRequest {
            query,
            vector,
            reads_question: vector.is_some() && engine.embedder.reads(self.query),
            calibration: engine.embedder.calibration(),
            words: engine.words.as_ref(),
            filter: &self.filter,
            now,
            limit: self.top,
            gate: self.gate,
            relevance_min: self.relevance_min,
            relevance: RelevanceWeights::default(),
            score: ScoreWeights::default(),
            // What was true at another time is asked of history, in which nothing sinks.
            decay: is_present.then_some(&engine.decay),
            with_archive: self.with_archive,
        };
        search(indexes, &request)
    }
}
