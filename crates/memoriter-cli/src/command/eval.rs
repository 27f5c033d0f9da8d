//! `memoriter eval`: how well recall finds the evidence for questions.

mod cri;
mod desk;
mod subject;

use std::path::PathBuf;

use clap::Args;
use comfy_table::CellAlignment;
use memoriter::InvalidInput;
use memoriter::eval::{self, RECALL_DEPTH, Report, Suite};
use serde_json::{Map, Value, json};

use crate::config::ExtractBy;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};

use subject::EngineSubject;

/// Measure recall on questions whose evidence is known
///
/// Nothing is kept: each conversation is loaded into a temporary store.
#[derive(Args)]
#[command(after_help = "\
Example: memoriter eval locomo locomo10.json

recall@k is the mean share of a question's evidence among the first k; recall_any@k and recall_all@k are the
shares of questions with any or all of it there; ndcg@10 also counts how high it stands. Questions whose right
answer is none are left out, but for the rows that say so.

desk measures how much of a question's evidence is on the desk that it is answered from, in a fresh session, at budgets
of 2,000 and 8,000 tokens; it reads what jsonl reads.

cri measures what is remembered instead: the final profile, the changes on the way, and texts of which something or
nothing is to be stored. Its folder has conversations.jsonl and ground_truth.json.")]
pub(super) struct EvalArgs {
    /// locomo, longmemeval, jsonl, desk or cri
    #[arg(value_parser = Set::parse)]
    suite: Set,
    /// The data set; - is standard input. For cri the folder of a persona
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Store the facts that the rules find beside the turns; a fact that is recalled counts as its turn
    #[arg(long)]
    facts: bool,
    /// What finds facts, for cri [default: as the setting extract says, else rules]
    #[arg(long, value_enum)]
    extract: Option<ExtractBy>,
    /// For cri: read only the turns that the truth names, some seventy of them; for models that take their time
    #[arg(long)]
    named: bool,
}

/// Ids do not matter here and shall be the same each time.
const SEED: u64 = 1;

/// What is measured: recall on one of the suites, desks, or extraction.
#[derive(Clone, Copy)]
enum Set {
    Recall(Suite),
    Desk,
    Cri,
}

impl Set {
    fn parse(text: &str) -> Result<Self, InvalidInput> {
        if text == "cri" {
            return Ok(Self::Cri);
        }
        if text == "desk" {
            return Ok(Self::Desk);
        }
        let known = Suite::parse(text).map(Self::Recall);
        known.map_err(|_| {
            InvalidInput::malformed("suite", "locomo, longmemeval, jsonl, desk or cri", text)
        })
    }
}

pub(super) fn run(context: &Context, args: &EvalArgs) -> Result<Answer, Failure> {
    let suite = match args.suite {
        Set::Recall(suite) => suite,
        Set::Desk => return desk::run(args, context.settings.build_embedder()?),
        Set::Cri => return cri::run(context, args),
    };
    let embedder = context.settings.build_embedder()?;
    let model = embedder.model().as_str().to_owned();
    let mut subject = EngineSubject::new(embedder, args.facts)?;
    let dataset = eval::open(suite, input::open(&args.file)?)?;
    let report = eval::run(suite, dataset, &mut subject, &mut |_| {})
        .map_err(|error| Failure::from(error).within(&args.file.display().to_string()))?
        .with_config(config(&model, args.facts));
    Ok(Answer::new(&report.to_json(), text(&report, suite)))
}

fn config(model: &str, facts: bool) -> Map<String, Value> {
    let config = json!({
        "k": RECALL_DEPTH,
        "embedder": model,
        "gate": "default",
        "facts": facts,
        "version": env!("CARGO_PKG_VERSION"),
    });
    match config {
        Value::Object(config) => config,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}

/// The figures that say most about a suite, in the width of a terminal. JSON has all of them.
fn columns(suite: Suite) -> &'static [&'static str] {
    match suite {
        Suite::Locomo | Suite::Jsonl => &["recall@5", "recall@10", "recall@20", "ndcg@10"],
        Suite::LongMemEval => &[
            "recall_any@5",
            "recall_any@10",
            "recall_all@5",
            "recall_all@10",
            "ndcg@10",
        ],
    }
}

fn text(report: &Report, suite: Suite) -> String {
    let columns = columns(suite);
    let mut table = layout::table(&["", "n"]);
    table.set_header(["", "n"].iter().chain(columns));
    for row in report.rows() {
        let figure = |name: &&str| {
            let index = Report::columns().position(|column| column == *name)?;
            row.figures.get(index).copied().flatten()
        };
        let shown = columns
            .iter()
            .map(|name| figure(name).map_or("-".to_owned(), |value| format!("{value:.3}")));
        table.add_row(
            [row.label.clone(), row.n.to_string()]
                .into_iter()
                .chain(shown),
        );
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{}\n\n{}", layout::render(&table), notes(report).join("\n"))
}

fn notes(report: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    if let (Some(median), Some(slowest)) = (report.latency_ms(50), report.latency_ms(99)) {
        notes.push(format!(
            "recall took {median:.2} ms in the median, {slowest:.2} ms at the 99th percentile"
        ));
    }
    if let Some(refused) = report.refused() {
        let percent = refused * 100.0;
        notes.push(format!(
            "{percent:.0} % of the questions without an answer were answered with nothing"
        ));
    }
    if report.without_evidence() > 0 {
        notes.push(format!(
            "{} questions name no evidence and are in no figure",
            report.without_evidence()
        ));
    }
    notes
}
