//! `memoriter forget`: takes memories out of use.
//!
//! An id or a key says exactly what goes. `--about` is a guess, and a guess takes nothing out of use by
//! itself when there is a choice: one clear match goes, several are listed and left alone until `--yes` or
//! their ids are given, and more than [`memoriter::ABOUT_MAX`] are too vague to be meant.

use clap::{ArgGroup, Args};
use memoriter::core::id::MemoryId;
use memoriter::core::memory::{FactKey, Memory, State};
use memoriter::core::time::ZonedTime;
use memoriter::store::StoreError;
use memoriter::{DecisionKind, Error, Fault, Scope, ScopedMemory};
use serde::Serialize;
use serde_json::json;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};
use memoriter_server::wire::{self, MemoryWire};

use super::history::no_such_key;
use super::list;
use super::show::turn_of;

/// What to do about a memory of the user that the agent recalls.
const FORGET_THERE: &str = "to forget it there, leave --agent out";

/// Take memories out of use
///
/// They are no longer recalled and stay as history. --about retires a memory only where it is the one clear
/// match. Several matches are listed and nothing happens (exit code 4): name the ids you mean, or say --yes
/// for all of them. Turns that say what is forgotten are no longer recalled and stay in their session.
#[derive(Args)]
#[command(group = ArgGroup::new("what").required(true).args(["ids", "key", "about"]))]
#[command(after_help = "\
Examples: memoriter forget 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11
          memoriter forget --key user.city
          memoriter forget --about 'my exam' --dry-run")]
pub(super) struct ForgetArgs {
    /// The memories, as recall and list print them
    #[arg(value_name = "ID")]
    ids: Vec<MemoryId>,
    /// Every value under this key; with --agent the agent's own, not the user's
    #[arg(long, value_name = "KEY")]
    key: Option<FactKey>,
    /// The memory that this describes
    #[arg(long, value_name = "TEXT")]
    about: Option<String>,
    /// Only show what would be retired
    #[arg(long)]
    dry_run: bool,
    /// Retire all that --about matches
    #[arg(long, requires = "about")]
    yes: bool,
    /// When it was asked for [default: now]
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    at: Option<ZonedTime>,
}

#[derive(Serialize)]
struct ForgetWire {
    retired: Vec<String>,
    /// With `--dry-run`: what would be retired.
    #[serde(skip_serializing_if = "Option::is_none")]
    would_retire: Option<Vec<MemoryWire>>,
}

pub(super) fn run(context: &Context, args: &ForgetArgs) -> Result<Answer, Failure> {
    let scope = context.own_scope(&context.open_existing()?)?;
    let chosen = chosen(&scope, args)?;
    if args.dry_run {
        let document = ForgetWire {
            retired: Vec::new(),
            would_retire: Some(wire::all(&chosen)),
        };
        return Ok(Answer::new(
            &document,
            format!("would be retired:\n{}", list::table(&chosen)),
        ));
    }
    if args.about.is_some() && chosen.len() > 1 && !args.yes {
        return Err(several(&chosen));
    }
    let told_at = args.at.unwrap_or(context.now_told());
    let decisions = if let Some(key) = &args.key {
        scope.forget_key(key, told_at)?
    } else {
        let ids: Vec<MemoryId> = chosen.iter().map(|memory| memory.id).collect();
        scope.retire_told(&ids, told_at)?
    };
    let gone = decisions
        .iter()
        .filter(|decision| decision.kind == DecisionKind::Delete);
    let ids: Vec<MemoryId> = gone.filter_map(|decision| decision.id).collect();
    let retired = ids.iter().map(|id| scope.get(*id));
    let retired: Vec<Memory> = retired.collect::<Result<_, _>>()?;
    if let (true, Some(key)) = (retired.is_empty(), &args.key) {
        return Err(said_later(key, told_at));
    }
    let document = ForgetWire {
        retired: ids.iter().map(ToString::to_string).collect(),
        would_retire: None,
    };
    let lines = retired.iter().map(retired_line);
    Ok(Answer::new(&document, lines.collect::<Vec<_>>().join("\n")))
}

fn retired_line(memory: &Memory) -> String {
    let statement = layout::one_line(&memory.statement, layout::LISTED_CHARS_MAX);
    format!("retired  {statement}\n{:9}id {}", "", memory.id)
}

fn said_later(key: &FactKey, told_at: ZonedTime) -> Failure {
    let message = format!("what is known under {key} was said after {told_at}");
    Failure::new(Fault::NotFound, "said_later", message)
        .hint("leave --at out to forget what is known now")
}

fn several(matches: &[Memory]) -> Failure {
    let message = format!("{} memories match, and none was retired", matches.len());
    Failure::new(Fault::Refused, "several_matches", message)
        .below(list::table(matches))
        .hint("name the ids you mean, or say --yes to retire all of these")
        .beside("matches", json!(wire::all::<_, MemoryWire>(matches)))
}

fn chosen(scope: &ScopedMemory, args: &ForgetArgs) -> Result<Vec<Memory>, Failure> {
    if let Some(key) = &args.key {
        let live = scope.live_under(key)?;
        return if live.is_empty() {
            Err(not_here(scope, key)?)
        } else {
            Ok(live)
        };
    }
    if let Some(about) = &args.about {
        return about_text(scope, &input::text(about)?);
    }
    let mut ids = args.ids.clone();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().map(|id| named(scope, id)).collect()
}

/// Nothing is live under the key here. Where it is in a scope around this one, a recall finds it, so it is said
/// why this does not.
fn not_here(scope: &ScopedMemory, key: &FactKey) -> Result<Failure, Failure> {
    let is_live = |memory: &Memory| matches!(memory.state, State::Live | State::Dormant);
    let versions = scope.history_of_key(key)?;
    let Some(around) = versions.into_iter().find(is_live) else {
        return Ok(no_such_key(key));
    };
    let (own, other) = (scope.scope(), around.scope);
    let message = format!("there is no memory under {key} in {own}; {other} has one");
    Ok(Failure::new(Fault::NotFound, "no_such_key", message).hint(FORGET_THERE))
}

/// What lies in a scope around this one is recalled and not changed here; `there` says how it is changed.
pub(super) fn is_own(scope: &ScopedMemory, memory: &Memory, there: &str) -> Result<(), Failure> {
    if memory.scope == *scope.scope() {
        return Ok(());
    }
    Err(elsewhere(scope, memory.id, &memory.scope, there))
}

fn elsewhere(scope: &ScopedMemory, id: MemoryId, other: &Scope, there: &str) -> Failure {
    let own = scope.scope();
    let message = format!("{id} is a memory of {other}, not of {own}");
    Failure::new(Fault::NotFound, "no_such_memory", message).hint(there)
}

fn named(scope: &ScopedMemory, id: MemoryId) -> Result<Memory, Failure> {
    match scope.get(id) {
        Err(memoriter::Error::Store(StoreError::NoSuchMemory { .. }))
            if turn_of(scope, id)?.is_some() =>
        {
            let message =
                format!("{id} is a turn of a conversation, and only memories can be retired");
            Err(Failure::new(Fault::Refused, "is_a_turn", message))
        }
        found => {
            let memory = found?;
            is_own(scope, &memory, FORGET_THERE)?;
            Ok(memory)
        }
    }
}

/// The memories of this scope that are clearly about the text.
fn about_text(scope: &ScopedMemory, about: &str) -> Result<Vec<Memory>, Failure> {
    scope.about(about).map_err(|error| not_about(scope, error))
}

fn not_about(scope: &ScopedMemory, error: Error) -> Failure {
    if let Error::NoMatch {
        around: Some((id, other)),
    } = &error
    {
        return elsewhere(scope, *id, other, FORGET_THERE);
    }
    if matches!(error, Error::TooManyMatches { .. }) {
        let message = format!("{error}, and none was retired");
        return Failure::new(Fault::Refused, "too_many_matches", message)
            .hint("describe it more closely");
    }
    let is_unclear = matches!(error, Error::NoMatch { .. });
    let failure = Failure::from(error);
    if is_unclear {
        failure
            .hint("memoriter recall finds more loosely and prints ids; memoriter list prints all")
    } else {
        failure
    }
}
