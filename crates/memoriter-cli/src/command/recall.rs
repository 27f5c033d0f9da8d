//! `memoriter recall`: what bears on a question.

mod explain;
mod tell;

use clap::Args;
use memoriter::core::query::{Filter, Records};
use memoriter::core::time::ZonedTime;
use memoriter::{Memoriter, Recollection, ScopedMemory};

use crate::context::Context;
use crate::failure::Failure;
use crate::input;
use crate::output::Answer;
use memoriter_server::wire::RecollectionWire;

use super::filter::FilterArgs;
use super::list;

pub(super) use tell::{Detail, results_text, speaker};

/// Turns shown around a recalled turn in text.
const NEIGHBOURS_IN_TEXT: usize = 1;

/// Ask what is remembered
///
/// Facts and turns of conversations that bear on the question, best first; nothing when nothing does.
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter recall 'when is the exam?'
          memoriter recall 'which city?' --as-of 2026-03-01 --explain

A question that starts with a dash goes behind two: memoriter recall -- '--quoted'
A time is RFC 3339 (2026-03-01T09:00:00+01:00) or a date (2026-03-01, its first moment in UTC).")]
pub(super) struct RecallArgs {
    /// A question or some words; - reads standard input
    #[arg(value_name = "QUERY")]
    query: String,
    /// At most so many results, 1 to 200
    #[arg(
        short = 'k',
        long = "top",
        default_value = "10",
        value_name = "N",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = input::whole_number::<usize>("top", "a whole number from 1 to 200"))]
    top: usize,
    #[command(flatten)]
    filter: FilterArgs,
    /// What was true at this time, instead of now
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    as_of: Option<ZonedTime>,
    /// By what had been written down up to this time
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    known_at: Option<ZonedTime>,
    /// Only results of at least this relevance, 0 to 1
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[arg(value_parser = input::share("min_relevance"))]
    min_relevance: Option<f32>,
    /// Also memories that were not used for so long that they lie in the archive
    #[arg(long)]
    archived: bool,
    #[command(flatten)]
    only: OnlyArgs,
    /// Show so many turns before and after each turn [default: 1 in text, 0 in JSON]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = input::whole_number::<usize>("neighbours", "a whole number, 0 or more"))]
    neighbours: Option<usize>,
    /// Say how each score came about
    #[arg(long)]
    explain: bool,
}

/// One kind of record alone.
#[derive(Args)]
struct OnlyArgs {
    /// Only memories, no turns of conversations
    #[arg(long, conflicts_with = "turns_only")]
    memories_only: bool,
    /// Only turns of conversations, no memories
    #[arg(long)]
    turns_only: bool,
}

pub(super) fn run(context: &Context, args: &RecallArgs) -> Result<Answer, Failure> {
    let store = context.open_or_empty()?;
    let memory = context.own_scope(&store)?;
    context.tell_waiting(&memory)?;
    let query = input::text(&args.query)?;
    let recollection = recollect(&memory, args, &query, context)?;
    let detail = if args.explain {
        Detail::Explained
    } else {
        Detail::Plain
    };
    let mut text = results_text(&recollection, detail);
    if recollection.results.is_empty() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&why_nothing(
            (&store, &memory),
            &recollection,
            args,
            &query,
        )?);
    }
    Ok(Answer::new(&RecollectionWire::from(&recollection), text))
}

fn recollect(
    memory: &ScopedMemory,
    args: &RecallArgs,
    query: &str,
    context: &Context,
) -> Result<Recollection, Failure> {
    let usual = if context.is_json {
        0
    } else {
        NEIGHBOURS_IN_TEXT
    };
    let mut recall = memory
        .recall(query)
        .top(args.top)
        .filter(args.filter.filter(args.records())?)
        .neighbours(args.neighbours.unwrap_or(usual));
    if let Some(time) = args.as_of {
        recall = recall.as_of(time.instant);
    }
    if let Some(time) = args.known_at {
        recall = recall.known_at(time.instant);
    }
    if let Some(relevance) = args.min_relevance {
        recall = recall.min_relevance(relevance);
    }
    if args.archived {
        recall = recall.archived();
    }
    Ok(recall.recollect()?)
}

fn why_nothing(
    (store, memory): (&Memoriter, &ScopedMemory),
    recollection: &Recollection,
    args: &RecallArgs,
    query: &str,
) -> Result<String, Failure> {
    if recollection.considered > 0 {
        return Ok(tell::nothing_bears(recollection.considered));
    }
    if !args.filter.filter(args.records())?.is_empty() {
        return Ok(tell::nothing_passes());
    }
    if args.as_of.is_some() || args.known_at.is_some() {
        let now = memory.recall(query).without_marking().recollect()?;
        if now.considered > 0 {
            return Ok(tell::nothing_then(args.as_of, args.known_at));
        }
    }
    match resting(store, memory)? {
        0 => Ok(tell::nothing_is_remembered(memory)),
        memories => Ok(tell::nothing_is_live(memories)),
    }
}

/// Memories that the scope sees and a recall does not look at.
fn resting(store: &Memoriter, memory: &ScopedMemory) -> Result<u64, Failure> {
    let mut memories = 0;
    for scope in memory.visible() {
        memories += list::count(&store.scope(scope.clone()), &Filter::default(), &[])?;
    }
    Ok(memories)
}

impl RecallArgs {
    fn records(&self) -> Records {
        match (self.only.memories_only, self.only.turns_only) {
            (true, _) => Records::Memories,
            (false, true) => Records::Turns,
            (false, false) => Records::All,
        }
    }
}
