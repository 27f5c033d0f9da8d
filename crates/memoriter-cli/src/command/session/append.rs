//! `memoriter session append`: one turn at the end of a conversation.

use clap::Args;
use memoriter::core::provenance::Origin;
use memoriter::core::time::ZonedTime;
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Mode, ScopedMemory, TurnDraft, TurnKey};
use serde::Serialize;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::wire::DecisionWire;
use crate::{input, layout};

use super::super::decided::Decided;
use super::super::ingest::Extract;

/// Add a turn to the end of a conversation, which is made when it is not there
#[derive(Args)]
#[command(after_help = "\
Example: memoriter session append work 'The build is green again' --role user

With --id the same call twice adds the turn once. Without it each call adds a turn. What is found in it is told
as remember tells it; --extract none keeps the turn as it is.")]
pub(super) struct AppendArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// What was said; - reads standard input
    #[arg(value_name = "TEXT")]
    text: String,
    /// user, assistant, system or tool
    #[arg(long, default_value = "user", value_parser = Role::parse)]
    role: Role,
    /// Who speaks, by name
    #[arg(long, value_name = "NAME")]
    speaker: Option<String>,
    /// Your own id for the turn
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Where the text comes from [default: what the role says]
    #[arg(long, value_parser = Origin::parse)]
    origin: Option<Origin>,
    /// When it was said [default: now]
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    at: Option<ZonedTime>,
    /// What the conversation has to do with what is remembered from now on: full, read-only or none
    #[arg(long, value_name = "MODE", value_parser = Mode::parse)]
    mode: Option<Mode>,
    /// How facts are found in the turn [default: as the setting extract says, else rules]
    #[arg(long, value_enum)]
    extract: Option<Extract>,
    /// Data of your own; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = input::metadata_field)]
    meta: Vec<(String, Value)>,
}

#[derive(Serialize)]
struct AppendWire {
    id: String,
    session: String,
    position: Option<u32>,
    is_new: bool,
    /// On what was found in it.
    decisions: Vec<DecisionWire>,
    /// Why it could not be read yet; it waits in the queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

pub(super) fn run(context: &Context, args: &AppendArgs) -> Result<Answer, Failure> {
    let extract = args.extract.unwrap_or(context.settings.extract.into());
    let memory = context.open_to_extract(Some(extract.by()))?;
    let scope = context.own_scope(&memory)?;
    let session = SessionName::new(&args.session)?;
    let message = Message {
        speaker: args.speaker.clone(),
        origin: args.origin.unwrap_or(args.role.origin()),
        metadata: input::metadata(&args.meta)?,
        ..Message::new(
            args.role,
            input::text(&args.text)?,
            args.at.unwrap_or(context.now_told()),
        )
    };
    let draft = TurnDraft {
        key: key(&scope, &session, args.id.as_deref())?,
        session,
        message,
    };
    if let Some(mode) = args.mode {
        scope.session(&args.session).set_mode(mode)?;
    }
    let learned = match extract {
        Extract::None | Extract::Later => extract.append(&scope, vec![draft])?,
        Extract::Rules | Extract::Model => scope.learn([draft])?,
    };
    Context::tell_judge_failure(&memory);
    let turn = learned.turns.first().expect("one draft gives one turn");
    let found = learned.decisions.into_iter();
    let found: Vec<Decided> = found
        .map(|decision| Decided::of_found(&scope, decision))
        .collect();
    let failure = learned.failure.map(|failure| failure.to_string());
    if let Some(failure) = &failure {
        output::talk(&layout::escaped(&format!("not read yet: {failure}")));
    }
    let wire = AppendWire {
        id: turn.id.to_string(),
        session: args.session.clone(),
        position: scope.turn(turn.id)?.map(|turn| turn.position),
        is_new: turn.is_new,
        decisions: found.iter().map(Decided::wire).collect(),
        failure,
    };
    let position = wire
        .position
        .map_or_else(String::new, |position| format!(" {position}"));
    let word = if wire.is_new {
        "added as"
    } else {
        "known already as"
    };
    let mut lines = vec![format!(
        "{word} turn{position} of the session\nid {}",
        wire.id
    )];
    lines.extend(found.iter().map(Decided::text));
    Ok(Answer::new(&wire, lines.join("\n")))
}

/// The caller's id, or the turn's place at the end of the session.
fn key(scope: &ScopedMemory, session: &SessionName, id: Option<&str>) -> Result<TurnKey, Failure> {
    if let Some(id) = id {
        return Ok(TurnKey::Given(id.to_owned()));
    }
    let sessions = scope.sessions()?;
    let length = sessions
        .iter()
        .find(|summary| summary.name == *session)
        .map_or(0, |summary| summary.turns);
    Ok(TurnKey::At(length))
}
