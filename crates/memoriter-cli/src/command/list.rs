//! `memoriter list`: everything that is remembered.

use clap::Args;
use memoriter::core::id::MemoryId;
use memoriter::core::memory::{Memory, State};
use memoriter::core::query::{Filter, Records};
use memoriter::{PAGE_MAX, ScopedMemory};

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};
use memoriter_server::wire::{self, MemoriesWire};

use super::attempt::mark;
use super::filter::FilterArgs;

/// See everything that is remembered, in the order it was written down
///
/// Turns of conversations are under `memoriter session`.
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter list
          memoriter list --state live --state superseded --limit 100

Where there is more, the end of the list names the cursor to go on from.")]
pub(super) struct ListArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// live, dormant (its time is to come, or another value covers it), pending, quarantined (both wait for
    /// `memoriter review`), superseded, retracted or expired; may be given several times [default: live]
    #[arg(long, value_parser = State::parse)]
    state: Vec<State>,
    /// In every state
    #[arg(long, conflicts_with = "state")]
    all: bool,
    /// At most so many, 1 to 1000
    #[arg(
        long,
        default_value = "50",
        value_name = "N",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = input::whole_number::<usize>("limit", "a whole number from 1 to 1000"))]
    limit: usize,
    /// Go on behind the end of an earlier list
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
}

pub(super) fn run(context: &Context, args: &ListArgs) -> Result<Answer, Failure> {
    let states: &[State] = match (args.all, args.state.as_slice()) {
        (true, _) => &[],
        (false, []) => &[State::Live],
        (false, states) => states,
    };
    let after = args.cursor.as_deref().map(read_cursor).transpose()?;
    let memory = context.own_scope(&context.open_or_empty()?)?;
    let filter = args.filter.filter(Records::All)?;
    let page = memory.list_matching(&filter, states, after, args.limit)?;
    let hidden = if args.state.is_empty() && !args.all && page.next.is_none() {
        hidden(&memory, &filter)?
    } else {
        None
    };
    let mut lines = Vec::new();
    if !page.memories.is_empty() {
        lines.push(table(&page.memories));
    } else if hidden.is_none() {
        lines.push("No memory is here. Turns of conversations: memoriter session list".to_owned());
    }
    lines.extend(page.damaged.iter().map(layout::damage));
    lines.extend(hidden);
    if let Some(next) = page.next {
        lines.push(format!("\nmore: memoriter list --cursor {}", cursor(next)));
    }
    let document = MemoriesWire {
        memories: wire::all(&page.memories),
        next_cursor: page.next.map(cursor),
        damaged: wire::all(&page.damaged),
    };
    Ok(Answer::new(&document, lines.join("\n")))
}

/// States that a list leaves out and that are no history.
const HIDDEN: &[State] = &[State::Dormant, State::Pending, State::Quarantined];

/// What is there and left out because it does not answer now.
fn hidden(scope: &ScopedMemory, filter: &Filter) -> Result<Option<String>, Failure> {
    let mut told = Vec::new();
    for state in HIDDEN {
        let memories = count(scope, filter, &[*state])?;
        if memories > 0 {
            told.push(format!("{memories} {state}"));
        }
    }
    let told = (!told.is_empty()).then(|| told.join(", "));
    Ok(told.map(|told| format!("not shown: {told}; memoriter list --all shows them")))
}

/// How many memories of a scope pass a filter in one of some states (none given: all).
pub(super) fn count(
    scope: &ScopedMemory,
    filter: &Filter,
    states: &[State],
) -> Result<u64, Failure> {
    let (mut counted, mut after) = (0, None);
    loop {
        let page = scope.list_matching(filter, states, after, PAGE_MAX)?;
        counted += page.memories.len() as u64;
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(counted),
        }
    }
}

/// Memories, one a line.
pub(super) fn table(memories: &[Memory]) -> String {
    let mut table = layout::table(&["id", "since", "state", "what"]);
    for memory in memories {
        table.add_row([
            memory.id.to_string(),
            layout::day(memory.valid_from),
            memory.state.to_string(),
            what(memory),
        ]);
    }
    layout::render(&table)
}

fn what(memory: &Memory) -> String {
    let statement = layout::one_line(&memory.statement, layout::LISTED_CHARS_MAX);
    match memory.fact_key() {
        Some(key) => format!(
            "[{}] {}{statement}",
            layout::one_line(&key.to_string(), layout::LISTED_CHARS_MAX),
            mark(memory)
        ),
        None => format!("{}{statement}", mark(memory)),
    }
}

/// The last id, marked as a cursor: what it holds may change.
pub(super) fn cursor(last: MemoryId) -> String {
    format!("m-{last}")
}

pub(super) fn read_cursor(text: &str) -> Result<MemoryId, Failure> {
    let id = text.strip_prefix("m-").and_then(|id| id.parse().ok());
    id.ok_or_else(|| {
        Failure::usage(
            "cursor",
            "cursor must be one that an earlier list ended with",
        )
    })
}
