//! `memoriter ingest`: conversations from files into the log.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use memoriter::core::turn::SessionName;
use memoriter::import::{self, Defaults, Format, ImportError, ImportedTurn, LeftOut};
use memoriter::{Fault, Memoriter, TurnDraft, TurnKey};
use serde::Serialize;
use serde_json::json;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::{input, layout};

/// Turns that are committed together.
const BATCH_TURNS: usize = 1_000;

/// Keep conversations from files, so that every turn can be recalled
///
/// Reading a file again adds nothing. A line that cannot be understood, or has the id of a kept turn and says
/// something else, stops the reading with its number; what came before it is kept, and reading the mended file
/// adds only the rest.
#[derive(Args)]
#[command(after_help = "\
Example: memoriter ingest chat.jsonl
         cat chat.jsonl | memoriter ingest -

The plain format is one turn a line:
  {\"session\":\"s1\",\"role\":\"user\",\"content\":\"Hello\",\"ts\":\"2026-03-01T09:00:00+01:00\"}
A line may also have user, speaker, id, tool_calls, tool_call_id and origin.")]
pub(super) struct IngestArgs {
    /// Files to read; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// auto, jsonl, openai, anthropic, locomo or longmemeval
    #[arg(long, default_value = "auto", value_parser = Format::parse)]
    format: Format,
    /// What to make of the turns besides keeping them; rules and model are not in this version
    #[arg(long, value_enum, default_value_t = Extract::None)]
    extract: Extract,
    /// Name for conversations that have none [default: the file's name without its ending]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

/// How memories are made of turns.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Extract {
    None,
    Rules,
    Model,
}

/// What was read.
#[derive(Default)]
struct Tally {
    /// User and session.
    sessions: BTreeSet<(String, String)>,
    turns: u64,
    skipped_turns: u64,
    left_out: LeftOut,
}

#[derive(Serialize)]
struct IngestWire {
    sessions: usize,
    turns: u64,
    skipped_turns: u64,
    memories: u64,
    decisions: BTreeMap<String, u64>,
    wordless_messages: u64,
    thinking_blocks: u64,
}

pub(super) fn run(context: &Context, args: &IngestArgs) -> Result<Answer, Failure> {
    if args.extract != Extract::None {
        let message = "extraction from conversations is not in this version";
        return Err(Failure::usage("extract", message)
            .hint("leave --extract out; turns are recalled as they are"));
    }
    let mut ingest = Ingest {
        context,
        memory: context.open()?,
        tally: Tally::default(),
    };
    for file in &args.files {
        if let Err(failure) = ingest.file(file, args) {
            return Err(ingest.tally.beside(failure));
        }
    }
    let tally = ingest.tally;
    tally.talk();
    Ok(Answer::new(&tally.wire(), tally.text()))
}

struct Ingest<'a> {
    context: &'a Context,
    memory: Memoriter,
    tally: Tally,
}

impl Ingest<'_> {
    fn file(&mut self, file: &Path, args: &IngestArgs) -> Result<(), Failure> {
        let defaults = Defaults {
            session: session_for(file, args.session.as_deref())?,
            now: self.context.now_told(),
        };
        let mut turns = import::read(args.format, input::open(file)?, &defaults)
            .map_err(|error| in_file(file, error))?;
        let mut batch = Vec::with_capacity(BATCH_TURNS);
        let mut ended: Option<ImportError> = None;
        for turn in turns.by_ref() {
            match turn {
                Ok(turn) => batch.push(turn),
                Err(error) => ended = Some(error),
            }
            if batch.len() == BATCH_TURNS {
                self.keep(std::mem::take(&mut batch))
                    .map_err(|failure| in_file(file, failure))?;
            }
        }
        self.keep(batch).map_err(|failure| in_file(file, failure))?;
        let left_out = turns.left_out();
        self.tally.left_out.wordless_messages += left_out.wordless_messages;
        self.tally.left_out.thinking_blocks += left_out.thinking_blocks;
        ended.map_or(Ok(()), |error| Err(in_file(file, error)))
    }

    /// Appends the batch, each user's turns to that user's log. A turn that must not be kept ends it; the ones
    /// before are kept.
    fn keep(&mut self, batch: Vec<ImportedTurn>) -> Result<(), Failure> {
        let (mut turns, mut ended) = self.owned(batch);
        if let Some(place) = self.first_conflict(&turns)? {
            let refused = turns.split_off(place);
            ended = refused
                .first()
                .map_or(ended, |(_, turn)| Err(conflict(turn)));
        }
        let mut logs: BTreeMap<String, Vec<TurnDraft>> = BTreeMap::new();
        for (user, turn) in turns {
            logs.entry(user).or_default().push(turn.draft);
        }
        for (user, turns) in logs {
            self.append(&user, turns)?;
        }
        ended
    }

    /// The turns with their users, up to the first that must not be kept for its user's sake.
    fn owned(
        &self,
        batch: Vec<ImportedTurn>,
    ) -> (Vec<(String, ImportedTurn)>, Result<(), Failure>) {
        let mut turns = Vec::with_capacity(batch.len());
        for turn in batch {
            match self.owner(&turn) {
                Ok(user) => turns.push((user, turn)),
                Err(failure) => return (turns, Err(failure)),
            }
        }
        (turns, Ok(()))
    }

    /// The place of the first turn that says something else than what is kept under its id. Looked for before
    /// anything is appended: a unit is kept as a whole or not at all.
    fn first_conflict(&self, turns: &[(String, ImportedTurn)]) -> Result<Option<usize>, Failure> {
        let mut logs: BTreeMap<&str, Vec<(usize, &TurnDraft)>> = BTreeMap::new();
        for (place, (user, turn)) in turns.iter().enumerate() {
            logs.entry(user).or_default().push((place, &turn.draft));
        }
        let mut first: Option<usize> = None;
        for (user, log) in logs {
            let scope = self.memory.scope(self.context.scope_of(user)?);
            let found = scope.first_conflict(log.iter().map(|(_, draft)| *draft))?;
            let place = found.and_then(|at| log.get(at)).map(|(place, _)| *place);
            first = first.into_iter().chain(place).min();
        }
        Ok(first)
    }

    /// Whose turn it is. A user that was asked for is not overruled by a file.
    fn owner(&self, turn: &ImportedTurn) -> Result<String, Failure> {
        let settings = &self.context.settings;
        let Some(user) = &turn.user else {
            return Ok(settings.user.clone());
        };
        if settings.user_is_asked_for && *user != settings.user {
            let message = format!(
                "{}: the turn is of user {user}, not of {}",
                turn.place, settings.user
            );
            let failure = Failure::new(Fault::Caller, "other_user", message);
            return Err(
                failure.hint("leave --user out to keep each turn with the user the file names")
            );
        }
        Ok(user.clone())
    }

    fn append(&mut self, user: &str, turns: Vec<TurnDraft>) -> Result<(), Failure> {
        for turn in &turns {
            let session = turn.session.as_str().to_owned();
            self.tally.sessions.insert((user.to_owned(), session));
        }
        let scope = self.memory.scope(self.context.scope_of(user)?);
        for turn in scope.append(turns)? {
            if turn.is_new {
                self.tally.turns += 1;
            } else {
                self.tally.skipped_turns += 1;
            }
        }
        Ok(())
    }
}

/// Says in which file it happened.
fn in_file(file: &Path, error: impl Into<Failure>) -> Failure {
    let name = if file == Path::new("-") {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    };
    error.into().within(&name)
}

fn conflict(turn: &ImportedTurn) -> Failure {
    let id = match &turn.draft.key {
        TurnKey::Given(id) => id.clone(),
        TurnKey::At(position) => position.to_string(),
    };
    let message = format!(
        "{}: turn {id} is in session {} already, with other content",
        turn.place,
        turn.draft.session.as_str()
    );
    Failure::new(Fault::Refused, "turn_conflict", message).field("id")
}

/// The name for conversations without one.
fn session_for(file: &Path, asked: Option<&str>) -> Result<SessionName, Failure> {
    let from_file = || {
        file.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    let name = match asked {
        Some(name) => name.to_owned(),
        None if file == Path::new("-") => "stdin".to_owned(),
        None => from_file().unwrap_or_else(|| "file".to_owned()),
    };
    Ok(SessionName::new(name)?)
}

impl Tally {
    fn wire(&self) -> IngestWire {
        IngestWire {
            sessions: self.sessions.len(),
            turns: self.turns,
            skipped_turns: self.skipped_turns,
            memories: 0,
            decisions: BTreeMap::new(),
            wordless_messages: self.left_out.wordless_messages,
            thinking_blocks: self.left_out.thinking_blocks,
        }
    }

    /// Tells beside a failure what was kept before it.
    fn beside(&self, failure: Failure) -> Failure {
        let failure = failure.beside("kept", json!(self.wire()));
        if self.turns + self.skipped_turns == 0 {
            return failure;
        }
        failure.hint(format!("kept before that: {}", self.text()))
    }

    fn text(&self) -> String {
        let new = layout::count(self.turns, "new turn", "new turns");
        let sessions = layout::count(self.sessions.len() as u64, "session", "sessions");
        match self.skipped_turns {
            0 => format!("{new} in {sessions}"),
            known => format!("{new} in {sessions}, {known} known already"),
        }
    }

    /// Reports what a format allows and a memory has no use for.
    fn talk(&self) {
        let LeftOut {
            wordless_messages,
            thinking_blocks,
        } = self.left_out;
        if wordless_messages > 0 {
            output::talk(&format!(
                "left out: {wordless_messages} messages without words"
            ));
        }
        if thinking_blocks > 0 {
            output::talk(&format!(
                "left out: {thinking_blocks} blocks of a model's private reasoning"
            ));
        }
    }
}
