//! The second pass: the best candidates, word by word.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use memoriter_core::query::QueryTerm;
use memoriter_core::rank::bm25;
use memoriter_core::rank::moments::Moments;
use memoriter_core::rank::relevance::{WORD_CANDIDATES, WORDS_DEVIATION_MIN, WORDS_MEAN};

use super::super::ScopeIndex;
use super::super::lexicon::{NumberHasher, WordNumber, is_content};
use super::super::slot::Slot;
use super::SearchRequest;
use super::lexical::holders_in;
use super::select::Candidate;
use super::speakers::NamedSpeakers;

/// Compares each content word of the question with each of every candidate and keeps the nearest: the mean
/// of the nearest, weighted by how telling the word is (the `MaxSim` of `ColBERT`, Khattab and Zaharia 2020, over
/// static word vectors). `candidates` come best first. Only the first [`WORD_CANDIDATES`] are compared, however
/// many results are asked for, so that the first ten do not depend on whether a hundred are wanted. Candidates of
/// a question without content words stay as they are.
pub(super) fn compare(
    indexes: &[&ScopeIndex],
    request: &SearchRequest<'_>,
    speakers: &NamedSpeakers,
    candidates: &mut [Candidate],
) {
    if !request.reads_question {
        return;
    }
    let terms = content_terms(request, speakers, indexes);
    if terms.is_empty() {
        return;
    }
    let (best, others) = candidates.split_at_mut(WORD_CANDIDATES.min(candidates.len()));
    let bar = best.last().map_or(0.0, |last| last.sum);
    compare_words(indexes, request, &terms, best);
    let lowest = best
        .iter()
        .map(|candidate| candidate.sum)
        .fold(f32::INFINITY, f32::min);
    for candidate in others {
        // What was not compared comes after what was, in its own order.
        candidate.sum += lowest.min(bar) - bar;
    }
}

/// Puts the nearness of words in the place of the share of matching words that stood in for it.
fn compare_words(
    indexes: &[&ScopeIndex],
    request: &SearchRequest<'_>,
    terms: &[(&QueryTerm, f32)],
    candidates: &mut [Candidate],
) {
    let mut moments = Moments::default();
    let mut nearest = Vec::new();
    for (scope, index) in indexes.iter().enumerate() {
        let is_here = |candidate: &&Candidate| candidate.scope == scope;
        let slots = candidates
            .iter()
            .filter(is_here)
            .map(|candidate| candidate.slot);
        let comparison = Comparison::new(index, request, terms, slots);
        let mut rows = comparison.rows.as_slice();
        let here = candidates
            .iter_mut()
            .filter(|candidate| candidate.scope == scope);
        for candidate in here {
            let content = index.lexicon.content(candidate.slot);
            let (own, others) = rows.split_at(content.len());
            rows = others;
            candidate.parts.words = comparison.nearness(own, &mut nearest);
            moments.add(candidate.parts.words);
        }
    }
    let deviation = moments
        .standard()
        .map_or(0.0, |standard| standard.deviation)
        .max(WORDS_DEVIATION_MIN);
    for candidate in candidates {
        candidate.sum += request.relevance.words * (candidate.parts.words - WORDS_MEAN) / deviation;
        candidate.sum -= request.relevance.lexical * candidate.lexical;
    }
}

/// The question's content words that are no names, with their weights.
fn content_terms<'a>(
    request: &SearchRequest<'a>,
    speakers: &NamedSpeakers,
    indexes: &[&ScopeIndex],
) -> Vec<(&'a QueryTerm, f32)> {
    let record_count: u64 = indexes.iter().map(|index| index.len() as u64).sum();
    let weight = |term: &QueryTerm| {
        let holding = holders_in(indexes, term.term);
        bm25::question_idf(record_count, holding) * f32::from(term.count)
    };
    let content = request
        .query
        .terms
        .iter()
        .filter(|term| is_content(term.class) && !speakers.is_name(term.term));
    content.map(|term| (term, weight(term))).collect()
}

/// Different words that a hundred candidates commonly have together.
const WORDS_USUAL: usize = 800;
/// Rows of word vectors that are asked for from memory before they are compared.
const AHEAD: usize = 6;

/// The nearness of a candidate's words to those of the question, in one index. Nearness of two words is
/// worked out once.
struct Comparison {
    weights: Vec<f32>,
    total_weight: f32,
    /// The words of the slots, slot by slot: the number of the row of nearness of each.
    rows: Vec<usize>,
    /// Nearness of a word to each of the question's words, row after row.
    nearness: Vec<f32>,
}

impl Comparison {
    /// Compares every word of the slots.
    fn new(
        index: &ScopeIndex,
        request: &SearchRequest<'_>,
        terms: &[(&QueryTerm, f32)],
        slots: impl Iterator<Item = Slot> + Clone,
    ) -> Self {
        let lexicon = &index.lexicon;
        slots
            .clone()
            .for_each(|slot| lexicon.prefetch_content(slot));
        let mut weights = Vec::with_capacity(terms.len());
        let mut question = lexicon.question();
        for (term, weight) in terms {
            if question.add(term, request.words) {
                weights.push(*weight);
            }
        }
        let mut known: HashMap<WordNumber, usize, BuildHasherDefault<NumberHasher>> =
            HashMap::with_capacity_and_hasher(WORDS_USUAL, BuildHasherDefault::default());
        let mut words = Vec::with_capacity(WORDS_USUAL);
        let mut rows = Vec::with_capacity(2 * WORDS_USUAL);
        for word in slots.flat_map(|slot| lexicon.content(slot)) {
            rows.push(*known.entry(*word).or_insert_with(|| {
                lexicon.prefetch_word(*word);
                words.push(*word);
                words.len() - 1
            }));
        }
        let mut nearness = Vec::with_capacity(words.len() * weights.len());
        for (number, word) in words.iter().enumerate() {
            if let Some(later) = words.get(number + AHEAD) {
                lexicon.prefetch_vector(*later);
            }
            question.nearness(*word, &mut nearness);
        }
        Self {
            total_weight: weights.iter().sum(),
            weights,
            rows,
            nearness,
        }
    }

    /// The weighted mean over the question's words of the nearest of the words in `rows`; 0 for no words.
    fn nearness(&self, rows: &[usize], nearest: &mut Vec<f32>) -> f32 {
        let count = self.weights.len();
        if rows.is_empty() || count == 0 {
            return 0.0;
        }
        nearest.clear();
        nearest.resize(count, -1.0);
        for row in rows {
            let row = self.nearness.get(row * count..(row + 1) * count);
            for (best, near) in nearest.iter_mut().zip(row.unwrap_or_default()) {
                if *near > *best {
                    *best = *near;
                }
            }
        }
        let pairs = self.weights.iter().zip(&*nearest);
        let sum: f32 = pairs.map(|(weight, near)| weight * near).sum();
        sum / self.total_weight
    }
}
