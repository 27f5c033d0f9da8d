//! What came out, as JSON and as rows for a table.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::dataset::{EvalConversation, Suite};
use super::metrics::{Judged, mean, percentile, share};

type Figure = fn(&Judged) -> f64;

/// The figures of a report, in the order of the columns of its table.
const FIGURES: &[(&str, Figure)] = &[
    ("recall@5", |judged| judged.recall(5)),
    ("recall@10", |judged| judged.recall(10)),
    ("recall@20", |judged| judged.recall(20)),
    ("recall_any@5", |judged| judged.recall_any(5)),
    ("recall_any@10", |judged| judged.recall_any(10)),
    ("recall_all@5", |judged| judged.recall_all(5)),
    ("recall_all@10", |judged| judged.recall_all(10)),
    ("ndcg@10", |judged| judged.ndcg(10)),
];

/// What became of one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its id.
    pub question: String,
    /// Its category.
    pub category: String,
    /// Whether the right answer is that there is none.
    pub abstain: bool,
    /// Whether nothing was recalled.
    pub silent: bool,
    /// The ranked turns, unless there is no evidence among the turns.
    pub turns: Option<Judged>,
    /// The ranked sessions, unless there is no evidence among the sessions.
    pub sessions: Option<Judged>,
    /// How long the recall took.
    pub latency_ms: f64,
}

/// The means of some questions that have evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    n: usize,
    figures: Vec<Option<f64>>,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the row is about.
    pub label: String,
    /// How many questions it is the mean of.
    pub n: usize,
    /// In the order of [`Report::columns`]; `None` of no questions.
    pub figures: Vec<Option<f64>>,
}

/// Everything that a run found.
#[derive(Clone, Debug)]
pub struct Report {
    suite: Suite,
    outcomes: Vec<Outcome>,
    conversations: usize,
    turns: usize,
    wordless_turns: u64,
    dropped_evidence: u64,
    config: Map<String, Value>,
}

#[derive(Clone, Copy)]
enum Unit {
    Turn,
    Session,
}

#[derive(Clone, Copy)]
enum Asked<'a> {
    Answerable,
    Everything,
    Category(&'a str),
}

impl Report {
    pub(super) fn new(suite: Suite) -> Self {
        Self {
            suite,
            outcomes: Vec::new(),
            conversations: 0,
            turns: 0,
            wordless_turns: 0,
            dropped_evidence: 0,
            config: Map::new(),
        }
    }

    pub(super) fn add_conversation(&mut self, conversation: &EvalConversation) {
        self.conversations += 1;
        self.turns += conversation.turns.len();
        self.wordless_turns += conversation.wordless_turns;
        self.dropped_evidence += conversation.dropped_evidence;
    }

    pub(super) fn add(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
    }

    /// Notes what the subject was set to.
    #[must_use]
    pub fn with_config(mut self, config: Map<String, Value>) -> Self {
        self.config = config;
        self
    }

    /// Each question in the order it was asked.
    #[must_use]
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Turn-level means over the questions that can be answered.
    #[must_use]
    pub fn overall(&self) -> Scores {
        self.scores(Unit::Turn, Asked::Answerable)
    }

    /// The report as one JSON document. Figures of no questions are null.
    ///
    /// `overall`, `by_category` and `turn` judge turns, `session` judges sessions. All but `by_category` and
    /// `with_abstention` leave out the questions whose right answer is none; of those, `abstention` tells the
    /// share that was answered with nothing.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let by_category: Map<String, Value> = self
            .categories()
            .into_iter()
            .map(|category| {
                let scores = self.scores(Unit::Turn, Asked::Category(category));
                (category.to_owned(), scores.to_json())
            })
            .collect();
        json!({
            "suite": self.suite.as_str(),
            "unit": "turn",
            "conversations": self.conversations,
            "turns": self.turns,
            "wordless_turns": self.wordless_turns,
            "questions": self.outcomes.len(),
            "without_evidence": self.without_evidence(),
            "dropped_evidence": self.dropped_evidence,
            "overall": self.overall().to_json(),
            "by_category": by_category,
            "turn": self.overall().to_json(),
            "session": self.scores(Unit::Session, Asked::Answerable).to_json(),
            "with_abstention": {
                "turn": self.scores(Unit::Turn, Asked::Everything).to_json(),
                "session": self.scores(Unit::Session, Asked::Everything).to_json(),
            },
            "abstention": { "n": self.abstaining().count(), "refused": self.refused() },
            "recall_latency_ms": { "p50": self.latency_ms(50), "p99": self.latency_ms(99) },
            "config": self.config,
        })
    }

    /// The heads of the columns between the number of questions and the end of a row.
    pub fn columns() -> impl Iterator<Item = &'static str> {
        FIGURES.iter().map(|(name, _)| *name)
    }

    /// The table: turns overall, each category, sessions, and both with the questions that have no answer
    /// where there are such.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = vec![self.overall().row("turns")];
        for category in self.categories() {
            let scores = self.scores(Unit::Turn, Asked::Category(category));
            rows.push(scores.row(format!("  {category}")));
        }
        rows.push(
            self.scores(Unit::Session, Asked::Answerable)
                .row("sessions"),
        );
        if self.abstaining().next().is_some() {
            rows.push(
                self.scores(Unit::Turn, Asked::Everything)
                    .row("turns, with abstention"),
            );
            rows.push(
                self.scores(Unit::Session, Asked::Everything)
                    .row("sessions, with abstention"),
            );
        }
        rows
    }

    /// Of the questions whose right answer is none, the share that was answered with nothing; `None` when
    /// there are no such questions.
    #[must_use]
    pub fn refused(&self) -> Option<f64> {
        let asked = self.abstaining().count();
        let refused = self.abstaining().filter(|outcome| outcome.silent).count();
        (asked > 0).then(|| share(refused, asked))
    }

    /// A percentile of the time that a recall took, with `percent` in `0..=100`.
    #[must_use]
    pub fn latency_ms(&self, percent: u8) -> Option<f64> {
        let latencies: Vec<f64> = self
            .outcomes
            .iter()
            .map(|outcome| outcome.latency_ms)
            .collect();
        percentile(&latencies, percent)
    }

    /// Questions that have an answer and no turn as evidence for it: they are in no turn-level figure.
    #[must_use]
    pub fn without_evidence(&self) -> usize {
        self.outcomes
            .iter()
            .filter(|outcome| !outcome.abstain && outcome.turns.is_none())
            .count()
    }

    fn abstaining(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(|outcome| outcome.abstain)
    }

    fn categories(&self) -> BTreeSet<&str> {
        self.outcomes
            .iter()
            .map(|outcome| outcome.category.as_str())
            .collect()
    }

    fn scores(&self, unit: Unit, asked: Asked<'_>) -> Scores {
        let chosen = self.outcomes.iter().filter(|outcome| match asked {
            Asked::Answerable => !outcome.abstain,
            Asked::Everything => true,
            Asked::Category(category) => outcome.category == category,
        });
        let judged = chosen.filter_map(|outcome| match unit {
            Unit::Turn => outcome.turns.as_ref(),
            Unit::Session => outcome.sessions.as_ref(),
        });
        Scores::of(&judged.collect::<Vec<_>>())
    }
}

impl Scores {
    fn of(judged: &[&Judged]) -> Self {
        let figures = FIGURES.iter().map(|(_, figure)| {
            let values: Vec<f64> = judged.iter().map(|judged| figure(judged)).collect();
            mean(&values)
        });
        Self {
            n: judged.len(),
            figures: figures.collect(),
        }
    }

    /// How many questions these are the means of.
    #[must_use]
    pub fn n(&self) -> usize {
        self.n
    }

    /// A figure by the name of its column; `None` of no questions or when there is no such column.
    #[must_use]
    pub fn figure(&self, name: &str) -> Option<f64> {
        let index = Report::columns().position(|column| column == name)?;
        self.figures.get(index).copied().flatten()
    }

    fn to_json(&self) -> Value {
        let figures = Report::columns().zip(&self.figures);
        let mut object: Map<String, Value> = figures
            .map(|(name, figure)| (name.to_owned(), json!(figure)))
            .collect();
        object.insert("n".to_owned(), json!(self.n));
        Value::Object(object)
    }

    fn row(self, label: impl Into<String>) -> Row {
        Row {
            label: label.into(),
            n: self.n,
            figures: self.figures,
        }
    }
}
