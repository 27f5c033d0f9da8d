//! `memoriter session`: the log of conversations, their state, the states of their runs.

mod append;
mod attach;
mod checkpoint;
mod fold;
mod form;
mod mode;
mod state;

use clap::{Args, Subcommand};
use memoriter::core::attachment::Attachment;
use memoriter::core::turn::{SessionName, Shape, Turn};
use memoriter::store::Rows;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};
use memoriter_server::wire::{self, SessionWire, SessionsWire};

use super::recall::speaker;
use form::ShownForm;

/// Turns that one call shows at most.
const TURNS_MAX: usize = 1_000;

/// Turns that are shown as text where nobody says how many.
const TURNS_SHOWN: usize = 100;

/// See the conversations that are kept, their state and checkpoints, or add to one
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter session list
          memoriter session append work 'The build is green again' --role user
          memoriter session show work
          memoriter session state set work order_id '\"A-17\"'
          memoriter session mode work read-only")]
pub(super) struct SessionArgs {
    #[command(subcommand)]
    command: SessionCommand,
}

#[derive(Subcommand)]
enum SessionCommand {
    /// See which conversations there are, oldest first
    #[command(after_help = "Example: memoriter session list")]
    List,
    Show(ShowArgs),
    Append(append::AppendArgs),
    Attach(attach::AttachArgs),
    Attachment(attach::AttachmentArgs),
    Fold(fold::FoldArgs),
    State(state::StateArgs),
    Checkpoint(checkpoint::SaveArgs),
    Checkpoints(checkpoint::ListArgs),
    Resume(checkpoint::ResumeArgs),
    Fork(checkpoint::ForkArgs),
    Prune(checkpoint::PruneArgs),
    Mode(mode::ModeArgs),
}

/// See what was said in a conversation, word for word
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter session show work --from 20 --limit 10
          memoriter session show work --form openai")]
struct ShowArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// Start at this position, from 0
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = input::whole_number::<u32>("from", "a whole number, 0 or more"))]
    from: Option<u32>,
    /// At most so many turns, 1 to 1000 [default: 100 as text, else all]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = input::whole_number::<usize>("limit", "a whole number from 1 to 1000"))]
    limit: Option<usize>,
    /// text, openai, anthropic or jsonl; openai and anthropic give the whole conversation
    #[arg(long, default_value = "text", value_parser = ShownForm::parse)]
    form: ShownForm,
}

pub(super) fn run(context: &Context, args: &SessionArgs) -> Result<Answer, Failure> {
    match &args.command {
        SessionCommand::List => list(context),
        SessionCommand::Show(args) => show(context, args),
        SessionCommand::Append(args) => append::run(context, args),
        SessionCommand::Attach(args) => attach::attach(context, args),
        SessionCommand::Attachment(args) => attach::read(context, args),
        SessionCommand::Fold(args) => fold::run(context, args),
        SessionCommand::State(args) => state::run(context, args),
        SessionCommand::Checkpoint(args) => checkpoint::save(context, args),
        SessionCommand::Checkpoints(args) => checkpoint::list(context, args),
        SessionCommand::Resume(args) => checkpoint::resume(context, args),
        SessionCommand::Fork(args) => checkpoint::fork(context, args),
        SessionCommand::Prune(args) => checkpoint::prune(context, args),
        SessionCommand::Mode(args) => mode::run(context, args),
    }
}

fn list(context: &Context) -> Result<Answer, Failure> {
    let memory = context.open_or_empty()?;
    let mut sessions = context.own_scope(&memory)?.sessions()?;
    for summary in &mut sessions {
        // The first turn need not be the earliest: one without a time counts as said when it was read.
        if summary.last_at < summary.first_at {
            std::mem::swap(&mut summary.first_at, &mut summary.last_at);
        }
    }
    let document = SessionsWire {
        sessions: wire::all(&sessions),
    };
    if sessions.is_empty() {
        return Ok(Answer::new(
            &document,
            "No conversation is kept here. Start with: memoriter ingest FILE",
        ));
    }
    let mut table = layout::table(&["session", "turns", "first", "last"]);
    for summary in &sessions {
        table.add_row([
            layout::one_line(summary.name.as_str(), layout::LISTED_CHARS_MAX),
            summary.turns.to_string(),
            summary.first_at.map_or_else(String::new, layout::minute),
            summary.last_at.map_or_else(String::new, layout::minute),
        ]);
    }
    Ok(Answer::new(&document, layout::render(&table)))
}

fn show(context: &Context, args: &ShowArgs) -> Result<Answer, Failure> {
    if let Some(limit) = args.limit.filter(|limit| !(1..=TURNS_MAX).contains(limit)) {
        let message = format!("limit must be a whole number from 1 to {TURNS_MAX}, got `{limit}`");
        return Err(Failure::usage("limit", message));
    }
    let session = SessionName::new(&args.session)?;
    let from = args.from.unwrap_or(0);
    let shape = match args.form {
        ShownForm::Text | ShownForm::Jsonl => None,
        ShownForm::OpenAi => Some(Shape::OpenAi),
        ShownForm::Anthropic => Some(Shape::Anthropic),
    };
    if let Some(shape) = shape {
        check_whole(args, shape)?;
    }
    let scope = context.own_scope(&context.open_existing()?)?;
    if let Some(shape) = shape {
        return form::messages(&scope, &session, shape);
    }
    if args.form == ShownForm::Jsonl {
        return form::jsonl(&scope, &session, from, args.limit);
    }
    let limit = args.limit.unwrap_or(TURNS_SHOWN);
    let rows = scope.turns(&session, from, limit + 1)?;
    let attachments = scope.attachments(&session)?;
    Ok(show_answer(&session, rows, limit, &attachments))
}

/// A message may be several turns: a stretch of turns could end inside one.
fn check_whole(args: &ShowArgs, shape: Shape) -> Result<(), Failure> {
    let from = args.from.map(|_| "from");
    let Some(field) = from.or(args.limit.map(|_| "limit")) else {
        return Ok(());
    };
    let message =
        format!("--{field} has no place beside --form {shape}, which gives the whole conversation");
    Err(Failure::usage(field, message))
}

fn show_answer(
    session: &SessionName,
    rows: Rows<Turn>,
    limit: usize,
    attachments: &[Attachment],
) -> Answer {
    let next_from = rows.rows.get(limit).map(|turn| turn.position);
    let turns: Vec<Turn> = rows.rows.into_iter().take(limit).collect();
    let of = |turn: &Turn| -> Vec<&Attachment> {
        let of_turn = attachments.iter().filter(|kept| kept.turn == turn.id);
        of_turn.collect()
    };
    let shown = turns.iter().map(|turn| turn_text(turn, &of(turn)));
    let mut lines: Vec<String> = shown.collect();
    lines.extend(rows.damaged.iter().map(layout::damage));
    if let Some(next) = next_from {
        lines.push(format!("more: --from {next}"));
    }
    let document = SessionWire {
        session: session.as_str().to_owned(),
        attachments: wire::all(turns.iter().flat_map(of)),
        turns: wire::all(&turns),
        next_from,
        damaged: wire::all(&rows.damaged),
    };
    Answer::new(&document, lines.join("\n"))
}

/// A turn with its place, time, words and attachments.
fn turn_text(turn: &Turn, attachments: &[&Attachment]) -> String {
    let head = format!(
        "{:>4}  {}  {}",
        turn.position,
        layout::minute(turn.message.at),
        speaker(turn)
    );
    let words = layout::printable(&turn.message.content);
    let words = words.lines().map(|line| format!("      {line}"));
    let calls = turn.message.tool_calls.iter().map(|calls| {
        format!(
            "      calls {}",
            layout::one_line(&calls.to_string(), layout::LISTED_CHARS_MAX)
        )
    });
    let attached = attachments.iter().map(|kept| {
        let told = attach::told(kept);
        format!(
            "      attached {}",
            layout::one_line(&told, layout::LISTED_CHARS_MAX * 2)
        )
    });
    [head]
        .into_iter()
        .chain(words)
        .chain(calls)
        .chain(attached)
        .collect::<Vec<_>>()
        .join("\n")
}
