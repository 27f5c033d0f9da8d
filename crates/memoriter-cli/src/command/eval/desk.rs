//! `memoriter eval desk`: whether the evidence is on the desk that a question is answered from.

use std::sync::Arc;

use comfy_table::CellAlignment;
use memoriter::core::port::Embedder;
use memoriter::eval::{self, DeskOutcome, DeskReport, EvalConversation, EvalSubject as _, Suite};
use serde_json::Value;

use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};

use super::EvalArgs;
use super::subject::EngineSubject;

/// Tokens of the desks: a short one, and what is usual.
const BUDGETS: [usize; 2] = [2_000, 8_000];

pub(super) fn run(args: &EvalArgs, embedder: Arc<dyn Embedder>) -> Result<Answer, Failure> {
    let within = |error: Failure| error.within(&args.file.display().to_string());
    let model = embedder.model().as_str().to_owned();
    let mut subject = EngineSubject::new(embedder, args.facts)?;
    let mut report = DeskReport::default();
    let conversations = eval::open(Suite::Jsonl, input::open(&args.file)?);
    for conversation in conversations.map_err(|error| within(error.into()))? {
        let conversation = conversation.map_err(|error| within(error.into()))?;
        judge(&mut subject, &conversation, &mut report)?;
    }
    let mut document = report.to_json();
    if let Some(document) = document.as_object_mut() {
        let config = super::config(&model, args.facts);
        document.insert("config".to_owned(), Value::Object(config));
    }
    Ok(Answer::new(&document, text(&report)))
}

/// Every question that has an answer, at each budget.
fn judge(
    subject: &mut EngineSubject,
    conversation: &EvalConversation,
    report: &mut DeskReport,
) -> Result<(), Failure> {
    let loaded = subject.load(conversation);
    loaded.map_err(|error| Failure::usage("file", format!("{}: {error}", conversation.id)))?;
    let answered = conversation.questions.iter();
    for question in answered.filter(|question| !question.abstain && !question.evidence.is_empty()) {
        for budget_tokens in BUDGETS {
            let desk = subject.desk(question, budget_tokens)?;
            report.add(DeskOutcome {
                category: question.category.clone(),
                budget_tokens,
                total_tokens: desk.total_tokens,
                found: question.evidence.intersection(&desk.turns).count(),
                evidence: question.evidence.len(),
                latency_ms: desk.latency_ms,
            });
        }
    }
    Ok(())
}

fn text(report: &DeskReport) -> String {
    let mut table = layout::table(&["budget", "category", "n", "evidence", "all of it", "tokens"]);
    for row in report.rows() {
        table.add_row([
            row.budget_tokens.to_string(),
            row.category.unwrap_or_else(|| "all".to_owned()),
            row.n.to_string(),
            format!("{:.3}", row.evidence),
            format!("{:.3}", row.all),
            format!("{:.0}", row.total_tokens),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let times = report.latency_ms(50).zip(report.latency_ms(99));
    let times = times.map(|(median, slowest)| {
        format!(
            "\n\na desk took {median:.2} ms in the median, {slowest:.2} ms at the 99th percentile"
        )
    });
    format!("{}{}", layout::render(&table), times.unwrap_or_default())
}
