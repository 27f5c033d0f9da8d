//! `memoriter update`: a correction.

use clap::Args;
use memoriter::Correction;
use memoriter::core::id::MemoryId;
use memoriter::core::time::ZonedTime;

use crate::context::Context;
use crate::failure::Failure;
use crate::input;
use crate::output::Answer;

use super::attempt::AttemptArgs;
use super::decided;
use super::forget::is_own;
use memoriter_server::wire::Decided;

/// What to do about a memory of the user that the agent recalls.
const CORRECT_THERE: &str = "to correct it there, leave --agent out";

/// Correct a memory that was never right
///
/// The new version takes its place, the old one stays as history. When the world changed instead, use
/// `memoriter remember` with the same key.
#[derive(Args)]
#[command(after_help = "\
Example: memoriter update 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11 --statement 'My exam is on 15 March'")]
pub(super) struct UpdateArgs {
    /// The memory to correct
    #[arg(value_name = "ID")]
    id: MemoryId,
    /// What it shall say; - reads standard input
    #[arg(long, value_name = "TEXT")]
    statement: String,
    /// The value under its key [default: the old one, or the statement where that was the value]
    #[arg(long, value_name = "TEXT", allow_negative_numbers = true)]
    value: Option<String>,
    /// Refuse if the memory is not at this version
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = input::whole_number::<u32>("expect_version", "a whole number, 1 or more"))]
    expect_version: Option<u32>,
    /// When the correction was said [default: now]
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    at: Option<ZonedTime>,
    #[command(flatten)]
    attempt: AttemptArgs,
}

pub(super) fn run(context: &Context, args: &UpdateArgs) -> Result<Answer, Failure> {
    let statement = input::text(&args.statement)?;
    let scope = context.own_scope(&context.open_existing()?)?;
    let old = scope.get(args.id)?;
    is_own(&scope, &old, CORRECT_THERE)?;
    let correction = Correction {
        attempt: args.attempt.corrected(&statement, &old),
        statement,
        value: args.value.clone(),
        expected_version: args.expect_version,
        told_at: args.at,
    };
    let decision = scope.update(args.id, &correction)?;
    let told = Decided::of(&scope, decision);
    Ok(Answer::new(&told.wire(), decided::text(&told)))
}
