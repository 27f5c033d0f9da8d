//! `memoriter review`: what waits for a person.

use clap::{Args, Subcommand};
use memoriter::core::id::MemoryId;
use memoriter::{Correction, ScopedMemory};
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};
use memoriter_server::wire::{self, MemoryWire};

use super::attempt::AttemptArgs;
use super::decided;
use super::list::{cursor, read_cursor, table};
use memoriter_server::wire::Decided;

/// See, approve, change or reject what waits for a person
///
/// What a tool, document or web page said, what was concluded, and what contradicts something better known is not
/// recalled until it is approved. What reads like an instruction is held back as quarantined.
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter review
          memoriter review approve 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11
          memoriter review edit 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11 --statement 'I live in Rome' --value Rome")]
pub(super) struct ReviewArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// What waits, oldest first
    List {
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
    },
    /// It is right: it is confirmed and takes its place
    Approve {
        /// The memory
        #[arg(value_name = "ID")]
        id: MemoryId,
    },
    /// It is wrong: it stays as history
    Reject {
        /// The memory
        #[arg(value_name = "ID")]
        id: MemoryId,
    },
    /// Nearly right: approve it in other words
    Edit {
        /// The memory
        #[arg(value_name = "ID")]
        id: MemoryId,
        /// What is right
        #[arg(long, value_name = "TEXT")]
        statement: String,
        /// The value under its key [default: as the new statement tells it]
        #[arg(long, value_name = "TEXT", allow_negative_numbers = true)]
        value: Option<String>,
        #[command(flatten)]
        attempt: AttemptArgs,
    },
}

#[derive(Serialize)]
struct PendingWire {
    pending: Vec<MemoryWire>,
    next_cursor: Option<String>,
}

pub(super) fn run(context: &Context, args: &ReviewArgs) -> Result<Answer, Failure> {
    match &args.action {
        None => list(&context.own_scope(&context.open_or_empty()?)?, 50, None),
        Some(Action::List { limit, cursor }) => list(
            &context.own_scope(&context.open_or_empty()?)?,
            *limit,
            cursor.as_deref(),
        ),
        Some(action) => decide(&context.own_scope(&context.open_existing()?)?, action),
    }
}

fn list(scope: &ScopedMemory, limit: usize, after: Option<&str>) -> Result<Answer, Failure> {
    let after = after.map(read_cursor).transpose()?;
    let page = scope.pending(after, limit)?;
    let mut lines = vec![if page.memories.is_empty() {
        "Nothing waits for you.".to_owned()
    } else {
        table(&page.memories)
    }];
    lines.extend(page.damaged.iter().map(layout::damage));
    if let Some(next) = page.next {
        lines.push(format!(
            "\nmore: memoriter review list --cursor {}",
            cursor(next)
        ));
    }
    let document = PendingWire {
        pending: wire::all(&page.memories),
        next_cursor: page.next.map(cursor),
    };
    Ok(Answer::new(&document, lines.join("\n")))
}

fn decide(scope: &ScopedMemory, action: &Action) -> Result<Answer, Failure> {
    let decision = match action {
        Action::List { .. } => return list(scope, 50, None),
        Action::Approve { id } => scope.approve(*id)?,
        Action::Reject { id } => scope.reject(*id)?,
        Action::Edit {
            id,
            statement,
            value,
            attempt,
        } => {
            let correction = Correction {
                attempt: attempt.corrected(statement, &scope.get(*id)?),
                statement: statement.clone(),
                value: value.clone(),
                ..Correction::default()
            };
            scope.approve_as(*id, &correction)?
        }
    };
    let told = Decided::of(scope, decision);
    Ok(Answer::new(&told.wire(), decided::text(&told)))
}
