//! `memoriter history`: all versions of a fact.

use clap::Args;
use memoriter::core::id::MemoryId;
use memoriter::core::memory::{FactKey, Memory};
use memoriter::core::write::value_until;
use memoriter::{Fault, InvalidInput, Scope, ScopedMemory};

use crate::context::Context;
use crate::failure::Failure;
use crate::layout;
use crate::output::Answer;
use memoriter_server::wire::{MemoryWire, VersionsWire};

use super::attempt::mark;

/// See how a fact changed
///
/// All its versions, oldest first, with the time each was true. For an agent, its own come first and then its
/// user's, with their scope.
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter history user.city
          memoriter history 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11")]
pub(super) struct HistoryArgs {
    /// The id of one of the versions, or the key
    #[arg(value_name = "ID|KEY")]
    of: String,
}

pub(super) fn run(context: &Context, args: &HistoryArgs) -> Result<Answer, Failure> {
    let scope = context.own_scope(&context.open_existing()?)?;
    let versions = versions(&scope, &args.of)?;
    let told = versions
        .iter()
        .map(|version| MemoryWire::from(version).until(value_until(version, &versions)));
    let document = VersionsWire {
        versions: told.collect(),
    };
    Ok(Answer::new(&document, table(&versions, scope.scope())))
}

fn versions(scope: &ScopedMemory, of: &str) -> Result<Vec<Memory>, Failure> {
    if let Ok(id) = of.parse::<MemoryId>() {
        return Ok(scope.history(id)?);
    }
    let key: FactKey = of.parse().map_err(|error: InvalidInput| {
        Failure::usage("of", format!("expected an id or a key: {error}"))
    })?;
    let versions = scope.history_of_key(&key)?;
    if versions.is_empty() {
        return Err(no_such_key(&key));
    }
    Ok(versions)
}

/// Nothing is, or ever was, under a key.
pub(super) fn no_such_key(key: &FactKey) -> Failure {
    Failure::new(
        Fault::NotFound,
        "no_such_key",
        format!("there is no memory under {key}"),
    )
    .hint("memoriter list shows the keys there are")
}

/// Versions, one a line; with their scope where it is another than `own`.
pub(super) fn table(versions: &[Memory], own: &Scope) -> String {
    let mut head = vec!["version", "true from", "until", "state", "value", "id"];
    let shows_scope = versions.iter().any(|memory| memory.scope != *own);
    if shows_scope {
        head.push("scope");
    }
    let mut table = layout::table(&head);
    for memory in versions {
        let scope = shows_scope
            .then(|| layout::one_line(&memory.scope.to_string(), layout::LISTED_CHARS_MAX));
        let row = [
            memory.version.to_string(),
            layout::day(memory.valid_from),
            value_until(memory, versions).map_or("-".to_owned(), layout::day),
            memory.state.to_string(),
            mark(memory) + &layout::one_line(memory.value_or_statement(), layout::LISTED_CHARS_MAX),
            memory.id.to_string(),
        ];
        table.add_row(row.into_iter().chain(scope));
    }
    layout::render(&table)
}
