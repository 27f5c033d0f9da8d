//! `memoriter remember`: one write.

use clap::Args;
use memoriter::core::error::InvalidInput;
use memoriter::core::memory::{Confidence, FactKey, Importance, Kind};
use memoriter::core::provenance::{Origin, Status};
use memoriter::core::time::ZonedTime;
use memoriter::{Decision, DecisionKind, Error, Fault, Note};
use serde_json::Value;

use crate::config::ExtractBy;
use crate::context::Context;
use crate::failure::Failure;
use crate::input;
use crate::output::Answer;
use memoriter_server::wire::DecisionsWire;

use super::attempt::AttemptArgs;
use super::decided;
use memoriter_server::wire::Decided;

/// Write something down
///
/// With a key it is a fact: a newer value takes the place of the old one, which stays as history.
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter remember 'My exam is on 14 March'
          memoriter remember 'I moved to Munich' --key user.city --value Munich
          memoriter remember 'We put the shop online' --outcome failure --lesson 'Warm the cache first'

The answer says what was decided and why: ADD (new), UPDATE (takes the place of another), SKIP (known
already), BACKFILL (true earlier, kept as history), DELETE (a request to forget), ASK (waits for a person),
QUARANTINE (read, and speaks to a model), REFUSE (needs a secret; only sentences without it are kept).
Where all that was decided is REFUSE, the exit code is 4.")]
pub(super) struct RememberArgs {
    /// One sentence; - reads standard input
    #[arg(value_name = "TEXT")]
    text: String,
    /// What the fact is about, as entity.attribute: user.city
    #[arg(long, value_name = "KEY")]
    key: Option<FactKey>,
    /// The value under the key [default: the whole text]
    #[arg(
        long,
        requires = "key",
        value_name = "TEXT",
        allow_negative_numbers = true
    )]
    value: Option<String>,
    /// semantic, episodic or procedural [default: semantic; with an outcome episodic]
    #[arg(long, value_parser = Kind::parse)]
    kind: Option<Kind>,
    /// How much it matters, 1 to 10
    #[arg(long, default_value = "5", value_name = "N", value_parser = importance, allow_negative_numbers = true)]
    importance: Importance,
    /// How sure you are, 0 to 1
    #[arg(long, default_value = "1", value_name = "X", value_parser = confidence, allow_negative_numbers = true)]
    confidence: Confidence,
    /// Where it comes from: user, operator, agent, tool, document, web or import
    #[arg(long, default_value = "user", value_parser = Origin::parse)]
    origin: Origin,
    /// stated, inferred or confirmed
    #[arg(long, default_value = "stated", value_parser = Status::parse)]
    status: Status,
    /// A grouping of your own
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Who writes
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,
    /// Since when it is true [default: since it was said]
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    valid_from: Option<ZonedTime>,
    /// Until when it is true
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    valid_to: Option<ZonedTime>,
    /// When to stop using it
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    expires: Option<ZonedTime>,
    /// When it was said [default: now]
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    at: Option<ZonedTime>,
    /// Data of your own; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = input::metadata_field)]
    meta: Vec<(String, Value)>,
    /// What finds facts in a text without key [default: as the setting extract says, else rules]
    #[arg(long, value_enum)]
    extract: Option<ExtractBy>,
    #[command(flatten)]
    attempt: AttemptArgs,
}

pub(super) fn run(context: &Context, args: &RememberArgs) -> Result<Answer, Failure> {
    let note = note(args)?;
    let memory = context.open_to_extract(args.extract)?;
    let scope = context.own_scope(&memory)?;
    let decisions = scope.remember(note).map_err(not_remembered)?;
    Context::tell_judge_failure(&memory);
    let is_told = args.key.is_some() || args.attempt.told("").is_some();
    let tell = if is_told {
        Decided::of
    } else {
        Decided::of_found
    };
    let are_refused = all_refused(&decisions);
    let told = decisions.into_iter().map(|decision| tell(&scope, decision));
    let told: Vec<Decided> = told.collect();
    let text: Vec<String> = told.iter().map(decided::text).collect();
    let document = DecisionsWire {
        decisions: told.iter().map(Decided::wire).collect(),
    };
    let answer = Answer::new(&document, text.join("\n"));
    Ok(if are_refused {
        answer.with_fault(Fault::Refused)
    } else {
        answer
    })
}

/// Whether nothing was decided but that it must not be stored.
fn all_refused(decisions: &[Decision]) -> bool {
    let is_refused = |decision: &Decision| decision.kind == DecisionKind::Refuse;
    !decisions.is_empty() && decisions.iter().all(is_refused)
}

/// Says what to do where no model answers.
fn not_remembered(error: Error) -> Failure {
    let is_unread = matches!(&error, Error::Extract(_));
    let failure = Failure::from(error);
    if is_unread {
        failure.hint("nothing was kept; --extract rules reads the text without a model")
    } else {
        failure
    }
}

fn note(args: &RememberArgs) -> Result<Note, Failure> {
    let text = input::text(&args.text)?;
    let attempt = args.attempt.told(&text);
    let mut note = Note::new(text)
        .importance(args.importance)
        .confidence(args.confidence)
        .origin(args.origin)
        .status(args.status)
        .metadata(input::metadata(&args.meta)?);
    if let Some(attempt) = attempt {
        note = note.attempt(attempt);
    }
    if let Some(kind) = args.kind {
        note = note.kind(kind);
    }
    if let Some(key) = &args.key {
        note = note.key(key.clone());
    }
    for (text, with) in [
        (&args.value, Note::value as fn(Note, String) -> Note),
        (&args.category, Note::category),
        (&args.actor, Note::actor),
    ] {
        if let Some(text) = text {
            note = with(note, text.clone());
        }
    }
    for (time, with) in [
        (args.at, Note::told_at as fn(Note, ZonedTime) -> Note),
        (args.valid_from, Note::valid_from),
        (args.valid_to, Note::valid_to),
        (args.expires, |note, time| note.expires_at(time.instant)),
    ] {
        if let Some(time) = time {
            note = with(note, time);
        }
    }
    Ok(note)
}

fn importance(text: &str) -> Result<Importance, InvalidInput> {
    let malformed = || InvalidInput::malformed("importance", "a whole number from 1 to 10", text);
    Importance::new(text.parse().map_err(|_| malformed())?)
}

fn confidence(text: &str) -> Result<Confidence, InvalidInput> {
    Confidence::new(input::share("confidence")(text)?)
}
