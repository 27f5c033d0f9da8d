//! `memoriter session append`: one turn, or messages of a provider, at the end of a conversation.

use clap::Args;
use memoriter::core::provenance::Origin;
use memoriter::core::time::ZonedTime;
use memoriter::core::turn::{Message, Role, SessionName, Shape};
use memoriter::{Learned, Memoriter, Mode, ScopedMemory, TurnDraft, TurnKey};
use serde::Serialize;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::{input, layout};
use memoriter_server::wire::DecisionWire;

use super::super::decided;
use super::super::ingest::Extract;
use memoriter_server::wire::Decided;

/// Add a turn to the end of a conversation, which is made when it is not there
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter session append work 'The build is green again' --role user
          memoriter session append work messages.json --format openai
          memoriter session append work - --format anthropic --from 0

With --id the same call twice adds the turn once. Without it each call adds a turn. With --format the text is a file
with messages, or - for standard input: one message, an array, or an object with messages (and system). What is found
is told as remember tells it; --extract none keeps turns as they are.")]
pub(super) struct AppendArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// What was said, or with --format a file; - reads standard input
    #[arg(value_name = "TEXT")]
    text: String,
    /// Messages of a provider: openai or anthropic
    #[arg(long, value_name = "FORMAT", value_parser = Shape::parse)]
    #[arg(conflicts_with_all = ["role", "speaker", "id", "origin", "meta"])]
    format: Option<Shape>,
    /// So many messages of the conversation stand before these; the same call again adds nothing
    #[arg(
        long,
        value_name = "N",
        requires = "format",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = input::whole_number::<u64>("from", "a whole number, 0 or more"))]
    from: Option<u64>,
    /// Keep results of tools over so many bytes as attachments, 2048 to 1048576 [default: what a turn may have]
    #[arg(
        long,
        value_name = "BYTES",
        requires = "format",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = input::whole_number::<usize>("attach_over", "a number of bytes from 2048 to 1048576"))]
    attach_over: Option<usize>,
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
    /// How facts are found in what is added [default: as the setting extract says, else rules]
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

/// What came of messages.
#[derive(Serialize)]
struct MessagesWire {
    session: String,
    turns: Vec<AddedWire>,
    new_turns: usize,
    attachments: usize,
    /// On what was found in them.
    decisions: Vec<DecisionWire>,
    /// Why they could not all be read yet; they wait in the queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

#[derive(Serialize)]
struct AddedWire {
    id: String,
    is_new: bool,
}

pub(super) fn run(context: &Context, args: &AppendArgs) -> Result<Answer, Failure> {
    let extract = args.extract.unwrap_or(context.settings.extract.into());
    let memory = context.open_to_extract(Some(extract.by()))?;
    if let Some(shape) = args.format {
        return messages(context, args, &memory, (extract, shape));
    }
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
    let turn = learned.turns.first().copied();
    let turn = turn.expect("one draft gives one turn");
    let found = Found::of(&scope, learned);
    let wire = AppendWire {
        id: turn.id.to_string(),
        session: args.session.clone(),
        position: scope.turn(turn.id)?.map(|turn| turn.position),
        is_new: turn.is_new,
        decisions: found.wires(),
        failure: found.failure.clone(),
    };
    let position = wire
        .position
        .map_or_else(String::new, |position| format!(" {position}"));
    let word = if wire.is_new {
        "added as"
    } else if turn.was_erased {
        "erased before, and left out: no"
    } else {
        "known already as"
    };
    let mut lines = vec![format!(
        "{word} turn{position} of the session\nid {}",
        wire.id
    )];
    lines.extend(found.lines());
    Ok(Answer::new(&wire, lines.join("\n")))
}

/// Appends messages of a provider.
fn messages(
    context: &Context,
    args: &AppendArgs,
    memory: &Memoriter,
    (extract, shape): (Extract, Shape),
) -> Result<Answer, Failure> {
    let given = input::json_file(&args.text)?;
    let scope = &context.own_scope(memory)?;
    let mut session = scope.session(args.session.as_str());
    if let Some(bytes) = args.attach_over {
        session = session.attach_over(bytes)?;
    }
    let mut incoming = session.incoming(shape, &given);
    incoming = match extract {
        Extract::None => incoming.unread(),
        Extract::Later => incoming.read_later(),
        Extract::Rules | Extract::Model => incoming,
    };
    if let Some(from) = args.from {
        incoming = incoming.from(from);
    }
    if let Some(mode) = args.mode {
        session.set_mode(mode)?;
    }
    let learned = incoming.at(args.at.unwrap_or(context.now_told())).run()?;
    Context::tell_judge_failure(memory);
    let turns: Vec<AddedWire> = learned
        .turns
        .iter()
        .map(|turn| AddedWire {
            id: turn.id.to_string(),
            is_new: turn.is_new,
        })
        .collect();
    let attachments = session.attachments()?.len();
    let found = Found::of(scope, learned);
    let wire = MessagesWire {
        session: args.session.clone(),
        new_turns: turns.iter().filter(|turn| turn.is_new).count(),
        turns,
        attachments,
        decisions: found.wires(),
        failure: found.failure.clone(),
    };
    let told = layout::count(wire.new_turns as u64, "new turn", "new turns");
    let mut lines = vec![format!("{told} in session {}", args.session)];
    lines.extend(found.lines());
    Ok(Answer::new(&wire, lines.join("\n")))
}

/// What was found in turns.
struct Found {
    decided: Vec<Decided>,
    failure: Option<String>,
}

impl Found {
    /// Says on the side why something was not read.
    fn of(scope: &ScopedMemory, learned: Learned) -> Self {
        let failure = learned.failure.map(|failure| failure.to_string());
        if let Some(failure) = &failure {
            output::talk(&layout::escaped(&format!("not read yet: {failure}")));
        }
        let decisions = learned.decisions.into_iter();
        Self {
            decided: decisions
                .map(|decision| Decided::of_found(scope, decision))
                .collect(),
            failure,
        }
    }

    fn wires(&self) -> Vec<DecisionWire> {
        self.decided.iter().map(Decided::wire).collect()
    }

    fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.decided.iter().map(decided::text)
    }
}

/// The caller's id; without one each call adds a turn. Its number is part of the key, since a set seed makes every
/// process draw the same.
fn key(scope: &ScopedMemory, session: &SessionName, id: Option<&str>) -> Result<TurnKey, Failure> {
    if let Some(id) = id {
        return Ok(TurnKey::Given(id.to_owned()));
    }
    let sessions = scope.sessions()?;
    let of_it = sessions.iter().find(|summary| summary.name == *session);
    let length = of_it.map_or(0, |summary| summary.turns);
    Ok(TurnKey::Given(format!("{length}-{}", scope.new_id())))
}
