//! When to say nothing.

/// A bar for being an answer at all, separate from the order of answers and absolute: a score that only
/// ranks always has a best.
///
/// Two questions are asked. Does anything in the searched scopes bear on the question ([`Gate::speaks`])?
/// And does this record, or the turn beside it ([`Gate::admits`])? Both weigh the cosine in deviations above
/// unrelated and the share of the best possible word match. The values come from the development data, with
/// the questions of other conversations as unrelated ones: see `docs/decisions/0003-ranking.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// What the evidence for speaking must reach where [`GATE_RECORDS`] records or more are searched.
    pub evidence: f32,
    /// Deviations above unrelated that make a record an answer.
    pub sem: f32,
    /// Share of the best possible word match that makes a record an answer.
    pub lex: f32,
}

/// What the whole word match is worth in deviations.
const LEX_WORTH: f32 = 11.4;
/// What each name in the question that no record knows takes off, in deviations: a question about somebody
/// else.
const UNKNOWN_NAME_COST: f32 = 1.7;

/// Records of the scopes that [`Gate::evidence`] was chosen on.
pub const GATE_RECORDS: usize = 500;

/// The nearest of `records` unrelated texts, in deviations: about `sqrt(2 ln n)`, as the largest of n normal
/// values grows (Fisher and Tippett 1928). Fewer records bring less by chance.
#[expect(clippy::cast_precision_loss, reason = "a logarithm of a count")]
fn nearest_by_chance(records: usize) -> f32 {
    (2.0 * (records.max(1) as f32).ln()).sqrt()
}

impl Default for Gate {
    fn default() -> Self {
        Self {
            evidence: 3.6,
            sem: 1.6,
            lex: 0.06,
        }
    }
}

impl Gate {
    /// Lets everything through.
    pub const OPEN: Self = Self {
        evidence: f32::NEG_INFINITY,
        sem: f32::NEG_INFINITY,
        lex: f32::NEG_INFINITY,
    };

    /// Whether there is enough to speak at all.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a handful of names")]
    pub fn speaks(&self, evidence: Evidence) -> bool {
        let Some(sem) = evidence.sem else {
            return evidence.holds_telling_word || self.evidence == f32::NEG_INFINITY;
        };
        let unknown = UNKNOWN_NAME_COST * evidence.unknown_names as f32;
        let by_chance = nearest_by_chance(evidence.records.min(GATE_RECORDS));
        let bar = self.evidence - (nearest_by_chance(GATE_RECORDS) - by_chance);
        sem + LEX_WORTH * evidence.lex - unknown >= bar
    }

    /// Whether a record bears on the question: `sem` is its cosine in deviations above unrelated, `lex` its
    /// share of the best possible word match. Without a `sem` (the embedder does not read the question) any
    /// match of words does.
    #[must_use]
    pub fn admits(&self, sem: Option<f32>, lex: f32) -> bool {
        match sem {
            Some(sem) => sem >= self.sem || lex >= self.lex,
            None => lex > 0.0 || self.lex == f32::NEG_INFINITY,
        }
    }
}

/// The best that the searched scopes have for a question; each figure may come from another record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The nearest cosine in deviations above unrelated; `None` where the embedder does not read the question.
    pub sem: Option<f32>,
    /// The largest share of the best possible word match.
    pub lex: f32,
    /// Whether a record holds a word or pair of characters of the question.
    pub holds_telling_word: bool,
    /// Names in the question that no record knows.
    pub unknown_names: usize,
    /// Records that were searched.
    pub records: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_adds_up_and_unknown_names_count_against_it() {
        let speaks = |sem, lex, unknown_names| {
            Gate::default().speaks(Evidence {
                sem,
                lex,
                holds_telling_word: true,
                unknown_names,
                records: GATE_RECORDS,
            })
        };
        assert!(speaks(Some(3.8), 0.0, 0) && speaks(Some(2.0), 0.2, 0));
        assert!(!speaks(Some(3.0), 0.0, 0) && !speaks(Some(4.0), 0.0, 1));
        assert!(speaks(None, 0.0, 0) && !Gate::default().speaks(Evidence::default()));
    }

    #[test]
    fn fewer_records_bring_less_by_chance() {
        let speaks = |records| {
            Gate::default().speaks(Evidence {
                sem: Some(2.5),
                records,
                ..Evidence::default()
            })
        };
        assert!(speaks(8) && !speaks(500) && !speaks(100_000));
    }

    #[test]
    fn either_reason_is_enough_and_none_is_not() {
        let gate = Gate::default();
        assert!(gate.admits(Some(1.6), 0.0) && gate.admits(Some(0.0), 0.06));
        assert!(!gate.admits(Some(1.5), 0.05));
        assert!(gate.admits(None, 0.01) && !gate.admits(None, 0.0));
        assert!(Gate::OPEN.admits(None, 0.0) && Gate::OPEN.speaks(Evidence::default()));
    }
}
