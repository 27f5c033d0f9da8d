//! `memoriter work`: reads turns that wait in the queue.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::layout;
use crate::output::{self, Answer};

/// Turns that are read in one round.
const ROUND_TURNS: usize = 10_000;
/// How long to rest when nothing is due.
const REST: Duration = Duration::from_secs(1);

/// Read turns that wait for it, and remember what is found
///
/// `ingest --extract later` leaves turns in a queue. So does a process that dies while it reads. Several workers
/// may run at once: a turn is read by one of them.
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
}

#[derive(Serialize)]
struct WorkWire {
    turns: usize,
    decisions: usize,
    /// Turns of the user that were given up.
    dead: usize,
}

pub(super) fn run(context: &Context, args: &WorkArgs) -> Result<Answer, Failure> {
    let memory = context.open()?;
    let scope = context.own_scope(&memory)?;
    if args.again {
        let dead = scope.dead_letters(ROUND_TURNS)?;
        let turns: Vec<_> = dead.iter().map(|extraction| extraction.turn).collect();
        scope.queue(&turns)?;
    }
    let (mut turns, mut decisions) = (0, 0);
    loop {
        let worked = memory.work(ROUND_TURNS)?;
        turns += worked.turns;
        decisions += worked.decisions.len();
        if worked.turns == 0 {
            if !args.forever {
                break;
            }
            std::thread::sleep(REST);
        } else if args.forever {
            output::talk(&format!(
                "{}, {}",
                layout::count(worked.turns as u64, "turn", "turns"),
                layout::count(worked.decisions.len() as u64, "decision", "decisions")
            ));
        }
    }
    let dead = scope.dead_letters(ROUND_TURNS)?.len();
    let given_up = match dead {
        0 => String::new(),
        dead => format!(
            "\n{} given up; memoriter work --again tries once more",
            layout::count(dead as u64, "turn was", "turns were")
        ),
    };
    let text = format!(
        "{} read, {}{given_up}",
        layout::count(turns as u64, "turn", "turns"),
        layout::count(decisions as u64, "decision", "decisions")
    );
    Ok(Answer::new(
        &WorkWire {
            turns,
            decisions,
            dead,
        },
        text,
    ))
}
