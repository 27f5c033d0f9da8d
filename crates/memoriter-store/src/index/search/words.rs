//! The second pass: the best candidates, word by word.

use memoriter_core::query::QueryTerm;
use memoriter_core::rank::bm25;
use memoriter_core::rank::moments::Moments;
use memoriter_core::rank::relevance::{WORD_CANDIDATES, WORDS_DEVIATION_MIN, WORDS_MEAN};

use super::super::ScopeIndex;
use super::super::lexicon::{QueryWord, WordNumber, is_content};
use super::SearchRequest;
use super::lexical::holders_in;
use super::select::Candidate;
use super::speakers::NamedSpeakers;

/// Compares each content word of the question with each of every candidate and keeps the nearest: the mean
/// of the nearest, weighted by how telling the word is (the `MaxSim` of `ColBERT`, Khattab and Zaharia 2020, over
/// static word vectors). Only the best
/// [`WORD_CANDIDATES`] are compared, however many results are asked for, so that the first ten do not depend
/// on whether a hundred are wanted. Candidates of a question without content words stay as they are.
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
    candidates.sort_by(|a, b| {
        b.sum
            .total_cmp(&a.sum)
            .then_with(|| a.record.cmp(&b.record))
    });
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
    for (scope, index) in indexes.iter().enumerate() {
        let mut comparison = Comparison::new(index, request, terms);
        let of_scope = candidates
            .iter_mut()
            .filter(|candidate| candidate.scope == scope);
        for candidate in of_scope {
            candidate.parts.words = comparison.nearness(index.lexicon.content(candidate.slot));
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

/// No row yet.
const NOT_COMPARED: u32 = u32::MAX;

/// The question's words against one index. Nearness of two words is worked out once.
struct Comparison<'a> {
    index: &'a ScopeIndex,
    words: Vec<(QueryWord, f32)>,
    total_weight: f32,
    /// By the index's word: where its row of nearness starts; [`NOT_COMPARED`] where it has none yet.
    rows: Vec<u32>,
    /// Nearness of a word to each of the question's words, row after row.
    nearness: Vec<f32>,
}

impl<'a> Comparison<'a> {
    fn new(
        index: &'a ScopeIndex,
        request: &SearchRequest<'_>,
        terms: &[(&QueryTerm, f32)],
    ) -> Self {
        let words: Vec<(QueryWord, f32)> = terms
            .iter()
            .filter_map(|(term, weight)| {
                let vector = request.words.word_vector(&term.word)?;
                Some((index.lexicon.query_word(term.term, &vector)?, *weight))
            })
            .collect();
        let total_weight = words.iter().map(|(_, weight)| weight).sum();
        Self {
            index,
            words,
            total_weight,
            rows: vec![NOT_COMPARED; index.lexicon.content_count()],
            nearness: Vec::new(),
        }
    }

    /// The weighted mean over the question's words of the nearest word in `content`; 0 for no words.
    fn nearness(&mut self, content: &[WordNumber]) -> f32 {
        if content.is_empty() || self.words.is_empty() {
            return 0.0;
        }
        let mut nearest = vec![-1.0_f32; self.words.len()];
        for word in content {
            let start = self.row_of(*word);
            let row = self
                .nearness
                .get(start..start + nearest.len())
                .unwrap_or_default();
            nearest
                .iter_mut()
                .zip(row)
                .for_each(|(best, near)| *best = best.max(*near));
        }
        let sum: f32 = self
            .words
            .iter()
            .zip(&nearest)
            .map(|((_, weight), near)| weight * near)
            .sum();
        sum / self.total_weight
    }

    /// Where the row of a word starts; works it out when it is asked for first.
    fn row_of(&mut self, word: WordNumber) -> usize {
        let next = self.nearness.len();
        let Some(row) = self.rows.get_mut(word.at()) else {
            return next;
        };
        if *row == NOT_COMPARED {
            *row = u32::try_from(next).unwrap_or(NOT_COMPARED);
            let lexicon = &self.index.lexicon;
            let nearness = self
                .words
                .iter()
                .map(|(query, _)| lexicon.nearness(query, word));
            self.nearness.extend(nearness);
        }
        *row as usize
    }
}
