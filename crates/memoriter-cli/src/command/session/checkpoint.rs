//! `memoriter session checkpoint`, `checkpoints`, `resume`, `fork` and `prune`: states of a run.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use memoriter::core::checkpoint::{Answer as Said, CHECKPOINT_BYTES_MAX, Checkpoint, Pruning};
use memoriter::core::id::CheckpointId;
use memoriter::core::time::{DAY_MICROS, ZonedTime};
use memoriter::{Checkpoints, Memoriter, NewState, Resumed};
use serde::Serialize;

use super::state::json;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};
use memoriter_server::wire::{self, CheckpointWire, DamageWire, FieldWire};

/// Save the state of a run: bytes of your own, the fields and the turns that there are
#[derive(Args)]
#[command(after_help = "\
The bytes are kept as they are, secrets included, and no recall finds them. With --json: {\"id\", \"session\", \"type\",
\"bytes\", \"turns\", \"as_of\", \"parent\", \"label\", \"approval\", \"at\"}.

Examples: memoriter session checkpoint run --in state.json --label 'before the deploy'
          memoriter session checkpoint run --ask 'Deploy to production?' --ask-for '{\"tool\":\"deploy\"}'")]
pub(super) struct SaveArgs {
    /// The name of the conversation or run
    #[arg(value_name = "SESSION")]
    session: String,
    /// The bytes to keep; - reads standard input [default: none]
    #[arg(long = "in", value_name = "FILE")]
    input: Option<PathBuf>,
    /// Your word for the form of the bytes
    #[arg(long = "type", default_value = "json", value_name = "TYPE")]
    kind: String,
    /// A name for people
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// The checkpoint before it [default: the newest]
    #[arg(long, value_name = "ID")]
    parent: Option<CheckpointId>,
    /// A question to a person, on which the run waits
    #[arg(long, value_name = "QUESTION")]
    ask: Option<String>,
    /// What would be done if the answer is yes, as JSON
    #[arg(long, value_name = "JSON", requires = "ask")]
    ask_for: Option<String>,
}

/// See the states of a run that are kept, the newest last
#[derive(Args)]
#[command(after_help = "Example: memoriter session checkpoints run")]
pub(super) struct ListArgs {
    /// The name of the conversation or run
    #[arg(value_name = "SESSION")]
    session: String,
    /// At most so many of the newest
    #[arg(
        long,
        default_value = "20",
        value_name = "N",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = input::whole_number::<usize>("limit", "a whole number, 0 or more"))]
    limit: usize,
}

/// See what a run goes on from, and answer what it waits for
#[derive(Args)]
#[command(after_help = "\
With --json: {\"checkpoint\", \"board\": [field...], \"data\"}; data is null where the bytes are no text: --out writes them.

Examples: memoriter session resume run --out state.json
          memoriter session resume run 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11 --approve --by priya")]
pub(super) struct ResumeArgs {
    /// The name of the conversation or run
    #[arg(value_name = "SESSION")]
    session: String,
    /// The checkpoint [default: the newest]
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: Option<CheckpointId>,
    /// Record that a person said yes
    #[arg(long, conflicts_with = "reject")]
    approve: bool,
    /// Record that a person said no
    #[arg(long)]
    reject: bool,
    /// Who answered
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Write the bytes to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Begin a new conversation that goes on from a checkpoint
#[derive(Args)]
#[command(after_help = "\
It has the turns up to there and the fields as they were. The turns stay where they are: nothing is recalled twice.

Example: memoriter session fork run 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11 second-try")]
pub(super) struct ForkArgs {
    /// The name of the conversation or run
    #[arg(value_name = "SESSION")]
    session: String,
    /// The checkpoint
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: CheckpointId,
    /// The name of the new one
    #[arg(value_name = "NEW")]
    name: String,
}

/// Remove old states of a run for good
#[derive(Args)]
#[command(after_help = "\
What --keep or --older-than keeps stays; with both, only what neither keeps goes. The newest always stays, and so does one
that waits for a person.

Example: memoriter session prune run --keep 10 --older-than 30")]
pub(super) struct PruneArgs {
    /// The name of the conversation or run
    #[arg(value_name = "SESSION")]
    session: String,
    /// Keep so many of the newest
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        required_unless_present = "older_than"
    )]
    #[arg(value_parser = input::whole_number::<usize>("keep", "a whole number, 0 or more"))]
    keep: Option<usize>,
    /// Keep what is not older than so many days
    #[arg(long, value_name = "DAYS", allow_negative_numbers = true)]
    #[arg(value_parser = input::whole_number::<u32>("older-than", "a whole number of days, 0 or more"))]
    older_than: Option<u32>,
    /// Also those that wait for a person
    #[arg(long)]
    with_pending: bool,
}

#[derive(Serialize)]
struct ListWire {
    session: String,
    checkpoints: Vec<CheckpointWire>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<DamageWire>,
}

#[derive(Serialize)]
struct ResumedWire {
    checkpoint: CheckpointWire,
    board: Vec<FieldWire>,
    /// The bytes where they are text.
    data: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<DamageWire>,
}

#[derive(Serialize)]
struct ForkWire {
    session: String,
    forked_from: String,
    checkpoint: String,
    turns: u32,
}

#[derive(Serialize)]
struct PruneWire {
    removed: Vec<String>,
}

pub(super) fn save(context: &Context, args: &SaveArgs) -> Result<Answer, Failure> {
    let data = match &args.input {
        Some(path) => read(path)?,
        None => Vec::new(),
    };
    let mut state = NewState::new(&args.kind, data);
    if let Some(label) = &args.label {
        state = state.label(label);
    }
    if let Some(parent) = args.parent {
        state = state.parent(parent);
    }
    if let Some(question) = &args.ask {
        state = state.asks(question);
    }
    if let Some(what) = &args.ask_for {
        state = state.asked_for(json(what)?);
    }
    let saved = of(context, &context.open()?, &args.session)?.save(state)?;
    Ok(Answer::new(
        &CheckpointWire::from(&saved),
        format!("saved as {}", saved.id),
    ))
}

pub(super) fn list(context: &Context, args: &ListArgs) -> Result<Answer, Failure> {
    let rows = of(context, &context.open_or_empty()?, &args.session)?.list(args.limit)?;
    let wire = ListWire {
        session: args.session.clone(),
        checkpoints: wire::all(&rows.rows),
        damaged: wire::all(&rows.damaged),
    };
    let mut lines = Vec::new();
    if rows.rows.is_empty() {
        lines.push("No checkpoint is kept here.".to_owned());
    } else {
        let mut table = layout::table(&["checkpoint", "saved", "turns", "bytes", "label", "waits"]);
        for checkpoint in &rows.rows {
            let label = checkpoint.label.as_deref().unwrap_or_default();
            table.add_row([
                checkpoint.id.to_string(),
                layout::minute(ZonedTime::utc(checkpoint.at)),
                checkpoint.turns.to_string(),
                checkpoint.data_bytes.to_string(),
                layout::one_line(label, layout::LISTED_CHARS_MAX),
                asks(checkpoint),
            ]);
        }
        lines.push(layout::render(&table));
    }
    lines.extend(rows.damaged.iter().map(layout::damage));
    Ok(Answer::new(&wire, lines.join("\n")))
}

pub(super) fn resume(context: &Context, args: &ResumeArgs) -> Result<Answer, Failure> {
    let said = match (args.approve, args.reject) {
        (true, _) => Some(Said::Approved),
        (false, true) => Some(Said::Rejected),
        (false, false) => None,
    };
    let memory = match said {
        Some(_) => context.open()?,
        None => context.open_existing()?,
    };
    let checkpoints = of(context, &memory, &args.session)?;
    let mut resumed = checkpoints.resume(args.checkpoint)?;
    if let Some(said) = said {
        let id = resumed.checkpoint.id;
        resumed.checkpoint = checkpoints.answer(id, said, args.by.as_deref())?;
    }
    if let Some(path) = &args.out {
        fs_err::write(path, &resumed.data).map_err(|error| Failure::file(&error))?;
    }
    let text = resumed_text(&resumed, args.out.as_deref());
    let Resumed {
        checkpoint,
        data,
        board,
    } = &resumed;
    let wire = ResumedWire {
        checkpoint: CheckpointWire::from(checkpoint),
        board: wire::all(&board.rows),
        data: std::str::from_utf8(data).ok().map(str::to_owned),
        damaged: wire::all(&board.damaged),
    };
    Ok(Answer::new(&wire, text))
}

fn resumed_text(resumed: &Resumed, out: Option<&Path>) -> String {
    let checkpoint = &resumed.checkpoint;
    let mut lines = vec![format!(
        "{} after {} turns",
        checkpoint.id, checkpoint.turns
    )];
    let waits = asks(checkpoint);
    if !waits.is_empty() {
        lines.push(waits);
    }
    lines.extend(resumed.board.rows.iter().map(|field| {
        let value = field.to_json().unwrap_or_default();
        let value = layout::one_line(&value, layout::LISTED_CHARS_MAX);
        format!("{} = {value}", layout::escaped(&field.name))
    }));
    lines.extend(resumed.board.damaged.iter().map(layout::damage));
    match (out, std::str::from_utf8(&resumed.data)) {
        (Some(path), _) => lines.push(format!("bytes written to {}", path.display())),
        (None, Ok(text)) => lines.push(layout::printable(text)),
        (None, Err(_)) => lines.push("the bytes are no text: --out FILE writes them".to_owned()),
    }
    lines.join("\n")
}

/// What a checkpoint waits for, or what was said.
fn asks(checkpoint: &Checkpoint) -> String {
    let Some(approval) = &checkpoint.approval else {
        return String::new();
    };
    let question = layout::one_line(&approval.question, layout::LISTED_CHARS_MAX);
    match &approval.answered {
        None => format!("waits: {question}"),
        Some(answered) => format!("{}: {question}", answered.answer),
    }
}

pub(super) fn fork(context: &Context, args: &ForkArgs) -> Result<Answer, Failure> {
    let checkpoints = of(context, &context.open()?, &args.session)?;
    let turns = checkpoints.get(args.checkpoint)?.turns;
    checkpoints.fork(args.checkpoint, &args.name)?;
    let wire = ForkWire {
        session: args.name.clone(),
        forked_from: args.session.clone(),
        checkpoint: args.checkpoint.to_string(),
        turns,
    };
    let text = format!(
        "{} goes on from {} after {turns} turns",
        layout::escaped(&args.name),
        layout::escaped(&args.session)
    );
    Ok(Answer::new(&wire, text))
}

pub(super) fn prune(context: &Context, args: &PruneArgs) -> Result<Answer, Failure> {
    let now = context.now_told().instant;
    let days = |days: u32| now.plus_micros(-(i64::from(days) * DAY_MICROS));
    let pruning = Pruning {
        keep: args.keep,
        older_than: args.older_than.map(days),
        with_pending: args.with_pending,
    };
    let memory = context.open()?;
    let removed = of(context, &memory, &args.session)?.prune(pruning)?;
    let wire = PruneWire {
        removed: removed.iter().map(ToString::to_string).collect(),
    };
    let count = layout::count(removed.len() as u64, "checkpoint", "checkpoints");
    Ok(Answer::new(&wire, format!("{count} removed")))
}

fn of(context: &Context, memory: &Memoriter, session: &str) -> Result<Checkpoints, Failure> {
    Ok(context.own_scope(memory)?.session(session).checkpoints())
}

/// The bytes of a file, or of standard input for `-`: one more than a checkpoint may have tells that it is too long.
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut source = input::open(path)?.take(CHECKPOINT_BYTES_MAX as u64 + 1);
    let mut bytes = Vec::new();
    let read: io::Result<usize> = source.read_to_end(&mut bytes);
    read.map_err(|error| Failure::file(&error))?;
    Ok(bytes)
}
