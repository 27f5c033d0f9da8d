//! Measures desks: whether the evidence for a question is on the desk that answers it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::metrics::{mean, percentile, share};

/// What became of one question at one budget.
#[derive(Clone, Debug, PartialEq)]
pub struct DeskOutcome {
    /// The question's category.
    pub category: String,
    /// Tokens that the desk might have.
    pub budget_tokens: usize,
    /// Tokens that it has.
    pub total_tokens: usize,
    /// Evidence turns on the desk: the turn itself, or a memory that was found in it.
    pub found: usize,
    /// Evidence turns that there are; at least one.
    pub evidence: usize,
    /// How long laying it out took.
    pub latency_ms: f64,
}

/// The means over some questions.
#[derive(Clone, Debug, PartialEq)]
pub struct DeskRow {
    /// Tokens that each desk might have.
    pub budget_tokens: usize,
    /// The category; `None` for all together.
    pub category: Option<String>,
    /// Questions.
    pub n: usize,
    /// Mean share of a question's evidence that is on its desk.
    pub evidence: f64,
    /// Share of questions whose evidence is all there.
    pub all: f64,
    /// Mean tokens of a desk.
    pub total_tokens: f64,
}

/// What came of all questions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeskReport {
    outcomes: Vec<DeskOutcome>,
}

impl DeskReport {
    /// Adds what became of a question.
    pub fn add(&mut self, outcome: DeskOutcome) {
        self.outcomes.push(outcome);
    }

    /// By budget: all questions, then each category.
    #[must_use]
    pub fn rows(&self) -> Vec<DeskRow> {
        let mut groups: BTreeMap<(usize, Option<&str>), Vec<&DeskOutcome>> = BTreeMap::new();
        for outcome in &self.outcomes {
            for category in [None, Some(outcome.category.as_str())] {
                let group = groups.entry((outcome.budget_tokens, category));
                group.or_default().push(outcome);
            }
        }
        let groups = groups.into_iter();
        groups
            .filter_map(|((budget_tokens, category), outcomes)| {
                let over = |figure: fn(&DeskOutcome) -> f64| {
                    let figures: Vec<f64> =
                        outcomes.iter().map(|outcome| figure(outcome)).collect();
                    mean(&figures)
                };
                Some(DeskRow {
                    budget_tokens,
                    category: category.map(str::to_owned),
                    n: outcomes.len(),
                    evidence: over(|outcome| share(outcome.found, outcome.evidence))?,
                    all: over(|outcome| f64::from(u8::from(outcome.found == outcome.evidence)))?,
                    total_tokens: over(|outcome| share(outcome.total_tokens, 1))?,
                })
            })
            .collect()
    }

    /// A percentile of the time that a desk took, in milliseconds; `None` of no questions.
    #[must_use]
    pub fn latency_ms(&self, percent: u8) -> Option<f64> {
        let times: Vec<f64> = self
            .outcomes
            .iter()
            .map(|outcome| outcome.latency_ms)
            .collect();
        percentile(&times, percent)
    }

    /// Every figure.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let row = |row: &DeskRow| json!({"n": row.n, "evidence": row.evidence, "all": row.all, "total_tokens": row.total_tokens});
        let rows = self.rows();
        let budgets = rows.iter().filter(|row| row.category.is_none());
        let by_budget: Map<String, Value> = budgets
            .map(|overall| {
                let of = rows
                    .iter()
                    .filter(|row| row.budget_tokens == overall.budget_tokens);
                let by_category: Map<String, Value> = of
                    .filter_map(|of| Some((of.category.clone()?, row(of))))
                    .collect();
                let figures = json!({"overall": row(overall), "by_category": by_category});
                (overall.budget_tokens.to_string(), figures)
            })
            .collect();
        json!({
            "suite": "desk",
            "unit": "turn",
            "by_budget": by_budget,
            "latency_ms": {"p50": self.latency_ms(50), "p99": self.latency_ms(99)},
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_means_by_budget_and_category() {
        let mut report = DeskReport::default();
        for (category, budget_tokens, found) in [("1", 2_000, 1), ("2", 2_000, 2), ("1", 8_000, 2)]
        {
            report.add(DeskOutcome {
                category: category.to_owned(),
                budget_tokens,
                total_tokens: budget_tokens / 2,
                found,
                evidence: 2,
                latency_ms: 1.0,
            });
        }
        let rows = report.rows();
        let told: Vec<(usize, Option<&str>, f64, f64)> = rows
            .iter()
            .map(|row| {
                (
                    row.budget_tokens,
                    row.category.as_deref(),
                    row.evidence,
                    row.all,
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                (2_000, None, 0.75, 0.5),
                (2_000, Some("1"), 0.5, 0.0),
                (2_000, Some("2"), 1.0, 1.0),
                (8_000, None, 1.0, 1.0),
                (8_000, Some("1"), 1.0, 1.0),
            ]
        );
        let json = report.to_json();
        assert_eq!(
            json["by_budget"]["2000"]["by_category"]["2"]["evidence"],
            1.0
        );
        assert_eq!(
            json["by_budget"]["8000"]["overall"]["total_tokens"],
            4_000.0
        );
    }
}
