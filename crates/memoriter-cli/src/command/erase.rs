//! `memoriter erase`: removes for good.

use clap::{ArgGroup, Args};
use memoriter::core::id::{MemoryId, TurnId};
use memoriter::core::memory::FactKey;
use memoriter::core::provenance::Origin;
use memoriter::core::time::ZonedTime;
use memoriter::core::turn::SessionName;
use memoriter::{ErasePlan, Fault, KeptReceipt, ReceiptState, Selector};
use memoriter_server::wire::{self, ErasePlanWire, HolderWire};
use serde_json::Value;

use super::receipt;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout, output};

/// Records that a dry run lists for people; a program gets all of them.
const LISTED_MAX: usize = 50;

/// Remove for good, with a receipt
///
/// What goes: the records that are named, every version of them, what rests on nothing else, vectors, queue entries,
/// summaries, board fields that came from them; for a memory or key also the sentences that say it and support nothing
/// else. The files are then searched for the bytes. It does not come back from older transcripts. --dry-run lists exactly
/// what would go, and for a memory or key the turns and memories that stay and hold the same words. Exit code 1 where bytes were found
/// that should be gone.
#[derive(Args)]
#[command(group = ArgGroup::new("what").required(true)
    .args(["id", "key", "turn", "session", "all_of_user", "origin", "matching"]))]
#[command(after_help = "\
Examples: memoriter erase --key user.city --dry-run
          memoriter erase --session work
          memoriter erase --origin web --since 2026-03-01
          memoriter erase --all-of-user --user priya > receipt.json --json")]
pub(super) struct EraseArgs {
    /// The memory, with every version in its chain
    #[arg(value_name = "ID")]
    id: Option<MemoryId>,
    /// Everything under this key
    #[arg(long, value_name = "KEY")]
    key: Option<FactKey>,
    /// A turn
    #[arg(long, value_name = "ID")]
    turn: Option<TurnId>,
    /// A session: its turns, state and checkpoints
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// Everything of the user, the user's agents among it; with --agent everything of the agent
    #[arg(long)]
    all_of_user: bool,
    /// What came from this origin since a time, and what was made from it
    #[arg(long, value_name = "ORIGIN", value_parser = Origin::parse, requires = "since")]
    origin: Option<Origin>,
    /// From when on, by when it was taken in; goes with --origin
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    since: Option<ZonedTime>,
    /// Whatever holds these words, one after another
    #[arg(long, value_name = "TEXT")]
    matching: Option<String>,
    /// Only list what would go
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(context: &Context, args: &EraseArgs) -> Result<Answer, Failure> {
    let memory = context.open_existing()?;
    let scope = context.own_scope(&memory)?;
    let erasing = scope.erase(selector(args)?);
    if args.dry_run {
        return Ok(told(&erasing.dry_run()?));
    }
    // What else holds the words is told from how it stood before.
    let still_say = match (args.id, &args.key) {
        (None, None) => Vec::new(),
        _ => wire::all(&erasing.dry_run()?.still_say),
    };
    let done = erasing.run()?;
    for line in hint(&still_say) {
        output::talk(&line);
    }
    Ok(answer(&done))
}

fn selector(args: &EraseArgs) -> Result<Selector, Failure> {
    if args.since.is_some() && args.origin.is_none() {
        // A selector of its own beside it would lift `requires`.
        let message = "since limits what came from an origin: name it with --origin";
        return Err(Failure::usage("since", message));
    }
    let learned = args.origin.zip(args.since);
    let named = args
        .id
        .map(Selector::Memory)
        .or_else(|| args.key.clone().map(Selector::Key))
        .or_else(|| args.turn.map(Selector::Turn))
        .or_else(|| {
            learned.map(|(origin, since)| Selector::Learned {
                origin,
                since: since.instant,
            })
        });
    if let Some(selector) = named {
        return Ok(selector);
    }
    if let Some(name) = &args.session {
        return Ok(Selector::Session(SessionName::new(name.as_str())?));
    }
    match &args.matching {
        Some(text) => Ok(Selector::Matching(input::text(text)?)),
        None => Ok(Selector::Everything),
    }
}

fn told(plan: &ErasePlan) -> Answer {
    let document = ErasePlanWire::from(plan);
    let would_erase = &document.would_erase;
    let mut lines = vec![format!(
        "would be erased: {}",
        layout::count(would_erase.len() as u64, "record", "records")
    )];
    for record in would_erase.iter().take(LISTED_MAX) {
        lines.push(format!(
            "  {:<10} {}",
            record.kind,
            layout::escaped(&record.id)
        ));
    }
    if would_erase.len() > LISTED_MAX {
        lines.push(format!(
            "  and {} more; --json lists all",
            would_erase.len() - LISTED_MAX
        ));
    }
    lines.extend(hint(&document.still_say));
    Answer::new(&document, lines.join("\n"))
}

/// Says what stays and holds the same words, where there is anything.
fn hint(still_say: &[HolderWire]) -> Vec<String> {
    if still_say.is_empty() {
        return Vec::new();
    }
    let count = layout::count(still_say.len() as u64, "record", "records");
    let mut lines = vec![format!(
        "the same words stay in {count}; erase takes them by ID, --turn ID or --matching TEXT:"
    )];
    let shown = still_say.iter().take(LISTED_MAX);
    lines.extend(shown.map(|held| format!("  {:<10} {}", held.kind, held.id)));
    if still_say.len() > LISTED_MAX {
        lines.push(format!("  and {} more", still_say.len() - LISTED_MAX));
    }
    lines
}

/// What was done, as its receipt says.
fn answer(done: &KeptReceipt) -> Answer {
    let document: Value = serde_json::from_str(&done.document).unwrap_or_default();
    let text = receipt::lines(&document);
    let answer = Answer::new(&document, text);
    match done.state {
        ReceiptState::Failed | ReceiptState::Interrupted => answer.with_fault(Fault::Environment),
        ReceiptState::Begun | ReceiptState::Pending | ReceiptState::Complete => answer,
    }
}
