//! `memoriter work`: reads turns that wait in the queue, and sweeps.

use std::time::Duration;

use clap::Args;
use memoriter::{Memoriter, Worked};
use serde::Serialize;

use crate::config::ExtractBy;
use crate::context::Context;
use crate::failure::Failure;
use crate::layout;
use crate::output::{self, Answer};

/// Turns that are read in one round.
const ROUND_TURNS: usize = 64;
/// Turns that were given up and are told of or read again at a time.
const DEAD_MAX: usize = 10_000;
/// How long to rest when nothing is due.
const REST: Duration = Duration::from_secs(1);
/// How long when nobody answers.
const LONG_REST: Duration = Duration::from_secs(30);

/// Read turns that wait for it, and remember what is found
///
/// `ingest --extract later` leaves turns in a queue. So does a process that dies while it reads. Several workers
/// may run at once: a turn is read by one of them. Before that the tiers of memories are written that have
/// sunk or come back since.
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter work               read what waits, then end
          memoriter work --forever     go on until it is stopped
          memoriter work --again       read again what was given up")]
pub(super) struct WorkArgs {
    /// Go on until stopped
    #[arg(long)]
    forever: bool,
    /// First put the user's turns that were given up into the queue again
    #[arg(long)]
    again: bool,
    /// What finds facts [default: as the setting extract says, else rules]
    #[arg(long, value_enum)]
    extract: Option<ExtractBy>,
}

#[derive(Serialize)]
struct WorkWire {
    turns: usize,
    decisions: usize,
    /// Memories of which another tier was written.
    moved: u64,
    /// Turns of the user that were given up.
    dead: usize,
    /// Turns of the user that wait.
    waiting: usize,
    /// When the first of them is due.
    #[serde(skip_serializing_if = "Option::is_none")]
    due_at: Option<String>,
    /// Why turns wait or were given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

pub(super) fn run(context: &Context, args: &WorkArgs) -> Result<Answer, Failure> {
    let memory = context.open_existing_to_extract(args.extract)?;
    let scope = context.own_scope(&memory)?;
    if args.again {
        let dead = scope.dead_letters(DEAD_MAX)?;
        let turns: Vec<_> = dead.iter().map(|extraction| extraction.turn).collect();
        scope.queue(&turns)?;
    }
    let swept = memory.sweep()?;
    let total = work(&memory, args.forever)?;
    let (turns, decisions) = (total.turns, total.decisions.len());
    let dead = scope.dead_letters(DEAD_MAX)?.len();
    let waiting = scope.waiting_turns(DEAD_MAX)?;
    let given_up = match dead {
        0 => String::new(),
        dead => format!(
            "\n{} given up; memoriter work --again tries once more",
            layout::count(dead as u64, "turn was", "turns were")
        ),
    };
    let due_at = waiting.iter().map(|extraction| extraction.due_at).min();
    let still_waiting = due_at.map_or_else(String::new, |due| {
        let count = layout::count(waiting.len() as u64, "turn waits", "turns wait");
        format!("\n{count}, the first until {due}")
    });
    let moved = match swept.moved {
        0 => String::new(),
        moved => format!(
            "\n{}",
            layout::count(
                moved,
                "memory is in another tier",
                "memories are in another tier"
            )
        ),
    };
    let text = format!(
        "{} taken, {}{moved}{still_waiting}{given_up}",
        layout::count(turns as u64, "turn", "turns"),
        layout::count(decisions as u64, "decision", "decisions")
    );
    Ok(Answer::new(
        &WorkWire {
            turns,
            decisions,
            moved: swept.moved,
            dead,
            waiting: waiting.len(),
            due_at: due_at.map(|due| due.to_string()),
            failure: total.failure.map(|failure| failure.to_string()),
        },
        text,
    ))
}

/// Works until nothing is due or nobody answers; or until it is stopped. What goes wrong is told when it does.
fn work(memory: &Memoriter, is_forever: bool) -> Result<Worked, Failure> {
    let mut total = Worked::default();
    loop {
        let worked = memory.work(ROUND_TURNS)?;
        Context::tell_judge_failure(memory);
        if worked.failure.is_some() && worked.failure != total.failure {
            let failure = worked.failure.as_ref().map(ToString::to_string);
            output::talk(&layout::escaped(&failure.unwrap_or_default()));
        }
        if is_forever && worked.turns > 0 {
            output::talk(&format!(
                "{}, {}",
                layout::count(worked.turns as u64, "turn", "turns"),
                layout::count(worked.decisions.len() as u64, "decision", "decisions")
            ));
        }
        let (is_idle, is_stopped) = (worked.turns == 0, worked.is_stopped());
        if !is_forever {
            total.turns += worked.turns;
            total.decisions.extend(worked.decisions);
        }
        total.failure = worked.failure.or(total.failure);
        match (is_forever, is_idle || is_stopped) {
            (false, true) => return Ok(total),
            (true, true) => std::thread::sleep(if is_stopped { LONG_REST } else { REST }),
            (_, false) => {}
        }
    }
}
