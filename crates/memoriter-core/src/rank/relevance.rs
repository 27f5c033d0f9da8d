//! How the signals of one record become its relevance.

/// What each signal is worth, in standard deviations of the match scores it is added to. Chosen on the
/// development halves of the data sets only; `docs/decisions/0003-ranking.md` has what each brings and how
/// flat the optimum is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelevanceWeights {
    /// Cosine of the whole texts.
    pub dense: f32,
    /// Matching words in the first pass, where the embedder reads the question; the second pass puts `words`
    /// in their place.
    pub lexical: f32,
    /// Matching words where the embedder does not read the question.
    pub lexical_alone: f32,
    /// Nearness word by word, of the best candidates.
    pub words: f32,
    /// Share of `dense` in the match that neighbours and sessions are judged by; the rest is words.
    pub dense_share: f32,
    /// What an assistant's turn counts as a neighbour, as a share.
    pub assistant_neighbour: f32,
    /// Match of the turn before.
    pub before: f32,
    /// Match of the turn after.
    pub after: f32,
    /// Mean match of the best two turns of the session.
    pub session: f32,
    /// The question names this speaker and no other.
    pub speaker: f32,
    /// The question asks when and the record says when.
    pub when: f32,
    /// The question names this month or year.
    pub month: f32,
    /// The question names this day.
    pub day: f32,
    /// The question names a day up to ten days earlier: things are told after they happen.
    pub soon_after: f32,
    /// Taken off a fact about somebody whom the question does not name, where the speaker asks about himself.
    pub other: f32,
    /// Taken off for each e-fold of length beyond [`LONG_WORDS`].
    pub long: f32,
    /// Taken off a turn among people that only asks.
    pub asks: f32,
    /// Taken off what an assistant said.
    pub assistant: f32,
}

/// Words that say something from which on length counts against a record.
pub const LONG_WORDS: f32 = 40.0;
/// Days after a named day in which it is still talked about.
pub const SOON_AFTER_DAYS: i64 = 10;
/// Candidates that are compared word by word.
pub const WORD_CANDIDATES: usize = 100;
/// Word-by-word nearness of unrelated texts.
pub const WORDS_MEAN: f32 = 0.25;
/// Least deviation that word-by-word nearness is measured by: candidates may all be alike.
pub const WORDS_DEVIATION_MIN: f32 = 0.04;
/// Least deviation that cosines are measured by.
pub const DENSE_DEVIATION_MIN: f32 = 0.07;
/// Least deviation that word matches are measured by, as a share of the best possible one: in a large scope
/// one rare word would be thirty deviations.
pub const LEXICAL_DEVIATION_MIN_SHARE: f32 = 0.035;

impl Default for RelevanceWeights {
    fn default() -> Self {
        Self {
            dense: 0.55,
            lexical: 0.4,
            lexical_alone: 1.2,
            words: 0.6,
            dense_share: 0.6,
            assistant_neighbour: 0.5,
            before: 0.35,
            after: 0.2,
            session: 0.75,
            speaker: 2.4,
            when: 1.5,
            month: 1.9,
            day: 3.2,
            soon_after: 1.7,
            other: 2.0,
            long: 0.7,
            asks: 1.4,
            assistant: 1.9,
        }
    }
}

/// What the two ways in which a record matches by itself are worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchWeights {
    /// Of matching words.
    pub lexical: f32,
    /// Of the cosine.
    pub dense: f32,
}

impl MatchWeights {
    /// The weighted sum, both in standard deviations above the mean of the scope.
    #[must_use]
    pub fn sum(self, lexical: f32, dense: f32) -> f32 {
        self.lexical * lexical + self.dense * dense
    }
}

impl RelevanceWeights {
    /// What makes the match that neighbours and sessions are judged by. A question that the embedder cannot read
    /// is judged by words alone.
    #[must_use]
    pub fn own(&self, reads_question: bool) -> MatchWeights {
        let share = if reads_question {
            self.dense_share
        } else {
            0.0
        };
        MatchWeights {
            lexical: 1.0 - share,
            dense: share,
        }
    }

    /// What makes of the record's own match what it brings before words are compared one by one.
    #[must_use]
    pub fn first_pass(&self, reads_question: bool) -> MatchWeights {
        if reads_question {
            MatchWeights {
                lexical: self.lexical,
                dense: self.dense,
            }
        } else {
            MatchWeights {
                lexical: self.lexical_alone,
                dense: 0.0,
            }
        }
    }

    /// What a long text loses.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    pub fn length_loss(&self, words: u32) -> f32 {
        self.long * (words as f32 / LONG_WORDS).ln().max(0.0)
    }
}

/// Relevance in `0..1` from the sum of weighted signals: half at 0, three quarters at 8.
///
/// It keeps the order and brings relevance to the scale of recency and importance. A softsign, whose ends
/// are reached slowly: what is far better stays visibly better.
#[must_use]
pub fn squash(sum: f32) -> f32 {
    const HALF_WAY: f32 = 8.0;
    f32::midpoint(1.0, sum / (HALF_WAY + sum.abs()))
}

/// How much relevance, recency and importance count in the final score (Park et al. 2023,
/// arXiv:2304.03442, with weights of 1 each; here recency and importance order what is about equally
/// relevant).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreWeights {
    /// Of relevance.
    pub relevance: f32,
    /// Of recency.
    pub recency: f32,
    /// Of importance.
    pub importance: f32,
}

impl Default for ScoreWeights {
    fn default() -> Self {
        Self {
            relevance: 1.0,
            recency: 0.003,
            importance: 0.003,
        }
    }
}

impl ScoreWeights {
    /// The weighted mean, in `0..=1`.
    #[must_use]
    pub fn score(&self, relevance: f32, recency: f32, importance: f32) -> f32 {
        let total = self.relevance + self.recency + self.importance;
        (self.relevance * relevance + self.recency * recency + self.importance * importance) / total
    }
}
