//! `memoriter session fold`: what older turns came to.

use clap::Args;
use memoriter::BUDGET_TOKENS_DEFAULT;
use memoriter::core::fold::Span;
use memoriter::core::turn::SessionName;
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};

/// Keep what older turns came to, as far as a desk of this budget needs it
#[derive(Args)]
#[command(after_help = "\
A span stands for a run of turns: decisions, open questions, constraints, facts and outcomes, in the words of the turns.
A desk makes what it needs by itself; kept, it need not be made again, and with the setting `fold = \"model\"` a language
model chooses.

Example: memoriter session fold work --budget 4000")]
pub(super) struct FoldArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// Tokens of the desk
    #[arg(long, default_value_t = BUDGET_TOKENS_DEFAULT, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = input::whole_number::<usize>("budget", "a whole number, 0 or more"))]
    budget: usize,
}

#[derive(Serialize)]
struct FoldedWire {
    spans: Vec<SpanWire>,
    known: usize,
    failure: Option<String>,
}

#[derive(Serialize)]
struct SpanWire {
    from: u32,
    to: u32,
    made_by: String,
    items: Vec<ItemWire>,
}

#[derive(Serialize)]
struct ItemWire {
    kind: &'static str,
    text: String,
    turns: Vec<String>,
}

impl From<&Span> for SpanWire {
    fn from(span: &Span) -> Self {
        let items = span.items.iter().map(|item| ItemWire {
            kind: item.kind.as_str(),
            text: item.text.clone(),
            turns: item.turns.iter().map(|(_, id)| id.to_string()).collect(),
        });
        Self {
            from: span.run.from,
            to: span.run.to,
            made_by: span.made_by.clone(),
            items: items.collect(),
        }
    }
}

pub(super) fn run(context: &Context, args: &FoldArgs) -> Result<Answer, Failure> {
    let memory = context.open_existing_to_extract(None)?;
    let scope = context.own_scope(&memory)?;
    // A session that is not there is an error here, though a desk takes it for an empty one.
    scope.turns(&SessionName::new(&args.session)?, 0, 1)?;
    let session = scope.session(&args.session);
    // What the next message is has no part in what is folded.
    let folded = session.assemble("?").budget_tokens(args.budget).fold()?;
    let document = FoldedWire {
        spans: folded.made.iter().map(SpanWire::from).collect(),
        known: folded.known,
        failure: folded.failure.as_ref().map(ToString::to_string),
    };
    let mut lines = Vec::new();
    for span in &folded.made {
        lines.push(format!(
            "turns {}-{} ({})",
            span.run.from, span.run.to, span.made_by
        ));
        lines.extend(span.items.iter().map(|item| {
            let text = layout::one_line(&item.text, layout::LISTED_CHARS_MAX);
            format!("      {:<10}  {text}", item.kind)
        }));
    }
    lines.push(match (folded.made.len(), folded.known) {
        (0, 0) => "All turns have room on the desk: nothing is folded.".to_owned(),
        (made, known) => format!("Spans made: {made}. There before: {known}."),
    });
    lines.extend(
        folded
            .failure
            .iter()
            .map(|failure| format!("{failure}; the built-in forms chose instead")),
    );
    Ok(Answer::new(&document, lines.join("\n")))
}
