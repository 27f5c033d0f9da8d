//! Ranking the records of the scopes that a caller may read.
//!
//! First pass, over all records: how well each matches by itself (words, cosine), how well its neighbours
//! and its session do, who said it and when. Second pass, over the best: words compared one by one. Then
//! the gate, recency and importance, and the choice of results.

mod dense;
mod first_pass;
mod lexical;
mod matches;
mod select;
mod shortlist;
mod speakers;
mod words;

use memoriter_core::memory::Tier;
use memoriter_core::port::{Calibration, WordVectors};
use memoriter_core::query::{Filter, ParsedQuery};
use memoriter_core::rank::decay::DecayPolicy;
use memoriter_core::rank::gate::Gate;
use memoriter_core::rank::relevance::{RelevanceWeights, ScoreWeights};
use memoriter_core::time::Timestamp;
use memoriter_core::vector::QuantisedVector;

use self::dense::DenseScores;
use self::first_pass::FirstPass;
use self::lexical::LexicalScores;
use self::speakers::NamedSpeakers;
use super::ScopeIndex;
use super::slot::Slot;
use crate::store::RecordRef;

/// Records up to which every vector is compared; with more, those whose signs agree best with the question's.
pub const EXACT_UP_TO: usize = 250_000;

/// What to search for, and how.
#[derive(Clone, Copy)]
pub struct SearchRequest<'a> {
    /// The question.
    pub query: &'a ParsedQuery,
    /// Its vector; `None` where the embedder cannot place it.
    pub vector: Option<&'a QuantisedVector>,
    /// Whether the embedder knows the question's language: else words alone decide.
    pub reads_question: bool,
    /// How cosines of unrelated texts are spread.
    pub calibration: Calibration,
    /// Gives the question's words a direction.
    pub words: &'a dyn WordVectors,
    /// What may be found at all.
    pub filter: &'a Filter,
    /// The present.
    pub now: Timestamp,
    /// How many results at most.
    pub limit: usize,
    /// When to say nothing.
    pub gate: Gate,
    /// Results of less relevance are left out, in `0..=1`.
    pub relevance_min: f32,
    /// What each signal is worth.
    pub relevance: RelevanceWeights,
    /// What relevance, recency and importance are worth.
    pub score: ScoreWeights,
    /// How memories sink that are not used; `None`: they do not.
    pub decay: Option<&'a DecayPolicy>,
    /// Whether the archive is searched too.
    pub with_archive: bool,
}

impl SearchRequest<'_> {
    /// Where a record of an index is.
    fn tier(&self, index: &ScopeIndex, slot: Slot) -> Tier {
        self.decay
            .map_or(Tier::Hot, |policy| index.tier(slot, policy, self.now))
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Best first; equal scores by record.
    pub hits: Vec<Hit>,
    /// How many records were looked at: the living ones that the filter admits.
    pub considered: usize,
}

/// One result.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The record.
    pub record: RecordRef,
    /// Which of the indexes holds it.
    pub scope: usize,
    /// Higher is better, in `0..=1`.
    pub score: f32,
    /// What it is made of.
    pub parts: ScoreParts,
}

/// What a score is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreParts {
    /// Share of the best possible word match, in `0..=1`.
    pub lex: f32,
    /// Cosine in deviations above unrelated; 0 without a vector.
    pub sem: f32,
    /// Word-by-word nearness, in `-1..=1`; 0 where it was not compared.
    pub words: f32,
    /// What neighbouring turns and the session brought.
    pub context: f32,
    /// What speaker, role, dates, form and length brought.
    pub traits: f32,
    /// Relevance, in `0..1`: the signals together.
    pub relevance: f32,
    /// Freshness, in `0..=1`.
    pub recency: f32,
    /// Importance, in `0..=1`.
    pub importance: f32,
}

/// Searches `indexes`. Statistics (how telling a word is, mean length, spread of scores) are those of these
/// indexes together.
#[must_use]
pub fn search(indexes: &[&ScopeIndex], request: &SearchRequest<'_>) -> Found {
    let speakers = NamedSpeakers::of(indexes, request.query);
    let lexical = LexicalScores::compute(indexes, request.query, &speakers);
    let dense = DenseScores::compute(indexes, request.vector, &lexical);
    let first = FirstPass {
        indexes,
        request,
        speakers: &speakers,
        lexical: &lexical,
        dense: &dense,
    };
    let (mut candidates, considered) = first.candidates();
    words::compare(indexes, request, &speakers, &mut candidates);
    let hits = select::choose(indexes, request, candidates);
    Found { hits, considered }
}
