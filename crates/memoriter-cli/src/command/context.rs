//! `memoriter context`: what a model should read to answer a message.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use memoriter::core::desk::{Boundary, Difference, Rendering, Section, Side};
use memoriter::core::port::TokenCounter;
use memoriter::{BUDGET_TOKENS_DEFAULT, Desk, Form, InvalidInput, Mode};
use memoriter_provider::tokens::TokenizerChoice;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};
use memoriter_server::wire::DeskWire;

/// How a build gets the tokenizers that this one is without.
const WITH_TIKTOKEN: &str =
    "build with them: cargo install --path crates/memoriter-cli --features tiktoken";

/// See what a model should read to answer a message
#[derive(Args)]
#[command(after_help = "\
Everything that was stored is quoted, one entry a line. What must be there is there, or the call fails and names the
smallest budget that works; of the rest, what fits. Nothing is stored by looking.

Examples: memoriter context 'What should I study?' --session work --budget 2000
          memoriter context 'What should I study?' --session work --form openai --report
          memoriter context 'And then?' --session work --json > second.json
          memoriter context 'And now?' --session work --diff second.json")]
pub(super) struct ContextArgs {
    /// What the user says now; - reads it from standard input
    #[arg(value_name = "MESSAGE")]
    message: String,
    /// The conversation it is part of; one that is not there yet is empty
    #[arg(long, value_name = "NAME")]
    session: String,
    /// Tokens that all of it may have
    #[arg(long, default_value_t = BUDGET_TOKENS_DEFAULT, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = input::whole_number::<usize>("budget", "a whole number, 0 or more"))]
    budget: usize,
    /// What it is written for: text, openai or anthropic
    #[arg(long, default_value = "text", value_name = "FORM", value_parser = Form::parse)]
    form: Form,
    /// Instructions of the application, which come first
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "TEXT"
    )]
    system: String,
    /// What counts tokens: estimate, o200k or cl100k; the last two in builds with the feature tiktoken
    #[arg(long, default_value = "estimate", value_name = "NAME", value_parser = tokenizer)]
    tokenizer: TokenizerChoice,
    /// Only the conversation itself, without what is remembered
    #[arg(long)]
    no_memory: bool,
    /// Say below what each section has and what was left out
    #[arg(long)]
    report: bool,
    /// Say below what is another than in FILE, an earlier answer with --json
    #[arg(long, value_name = "FILE")]
    diff: Option<PathBuf>,
}

fn tokenizer(name: &str) -> Result<TokenizerChoice, InvalidInput> {
    name.parse()
}

pub(super) fn run(context: &Context, args: &ContextArgs) -> Result<Answer, Failure> {
    let counter = args
        .tokenizer
        .build()
        .map_err(|error| Failure::usage("tokenizer", error.to_string()).hint(WITH_TIKTOKEN))?;
    let message = input::text(&args.message)?;
    let memory = context.open_or_empty()?;
    let mode = if args.no_memory {
        Mode::NoMemory
    } else {
        Mode::ReadOnly
    };
    let session = context
        .own_scope(&memory)?
        .session(&args.session)
        .mode(mode);
    let assembly = session
        .assemble(&message)
        .budget_tokens(args.budget)
        .form(args.form)
        .system(&args.system)
        .token_counter(Arc::clone(&counter));
    let desk = assembly.run()?;
    let full_history_tokens = assembly.full_history_tokens()?;
    let mut text = match &desk.rendering {
        Rendering::Text(text) => text.clone(),
        Rendering::OpenAi(_) | Rendering::Anthropic { .. } => {
            format!("{}\n", layout::json(&desk.rendering.to_json()))
        }
    };
    if args.report {
        text.push_str(&report(&desk, full_history_tokens));
    }
    let wire = DeskWire::new(&desk, full_history_tokens);
    let Some(file) = &args.diff else {
        return Ok(Answer::new(&wire, text.trim_end()));
    };
    let difference = compare(&desk, file, counter.as_ref())?;
    text.push_str(&changes(&difference));
    Ok(Answer::new(&wire.compared(&difference), text.trim_end()))
}

/// What each section has, what was left out, and what sending everything would cost.
fn report(desk: &Desk, full_history_tokens: usize) -> String {
    let report = &desk.report;
    let mut table = layout::table(&["section", "entries", "tokens"]);
    for section in &report.sections {
        table.add_row([
            section.section.to_string(),
            section.entries.to_string(),
            section.tokens.to_string(),
        ]);
    }
    let of_sections: usize = report.sections.iter().map(|section| section.tokens).sum();
    table.add_row([
        "marks".to_owned(),
        String::new(),
        report.total_tokens.saturating_sub(of_sections).to_string(),
    ]);
    let mut lines = vec![
        String::new(),
        layout::render(&table),
        format!(
            "{} of {} tokens, counted by {}; the whole conversation would be {full_history_tokens}",
            report.total_tokens, report.budget_tokens, report.counter
        ),
    ];
    for dropped in &report.dropped {
        let what = layout::one_line(&dropped.what, layout::LISTED_CHARS_MAX);
        lines.push(format!(
            "left out: {what} ({}, {})",
            dropped.section, dropped.why
        ));
    }
    lines.join("\n") + "\n"
}

/// Compares with an earlier answer.
fn compare(desk: &Desk, file: &Path, counter: &dyn TokenCounter) -> Result<Difference, Failure> {
    let wrong = || {
        let message = format!(
            "{} is no answer of `memoriter context --json` for this session",
            file.display()
        );
        Failure::usage("diff", message)
    };
    let text = fs_err::read_to_string(file).map_err(|error| Failure::file(&error))?;
    let earlier: Value = serde_json::from_str(&text).map_err(|_| wrong())?;
    let rendering = earlier
        .get("text")
        .or(earlier.get("system").map(|_| &earlier))
        .or(earlier.get("messages"));
    let rendering = rendering.and_then(Rendering::from_json).ok_or_else(wrong)?;
    let boundary = earlier
        .get("boundary")
        .and_then(Value::as_str)
        .ok_or_else(wrong)?;
    let is_same =
        Boundary::parse(boundary)? == desk.boundary && rendering.form() == desk.rendering.form();
    let difference = desk.rendering.compare(&rendering, &desk.boundary, counter);
    difference.filter(|_| is_same).ok_or_else(wrong)
}

/// What changed, an entry a line.
fn changes(difference: &Difference) -> String {
    let prefix = &difference.prefix;
    let changed = prefix
        .changed_at
        .map_or("nothing changed".to_owned(), |section| {
            format!("the first change is in {section}")
        });
    let mut lines = vec![
        String::new(),
        format!(
            "{} tokens at the beginning are the same; {changed}",
            prefix.stable_tokens
        ),
    ];
    let line = |(side, section, entry): &(Side, Section, String)| {
        let sign = match side {
            Side::Now => '+',
            Side::Before => '-',
        };
        format!(
            "{sign} {section}: {}",
            layout::one_line(entry, layout::LISTED_CHARS_MAX)
        )
    };
    lines.extend(difference.changes.iter().map(line));
    lines.join("\n") + "\n"
}
