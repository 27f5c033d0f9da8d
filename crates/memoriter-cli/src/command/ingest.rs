//! `memoriter ingest`: conversations from files into the log.

mod naming;
mod tally;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use memoriter::core::turn::SessionName;
use memoriter::import::{self, Defaults, Format, ImportError, ImportedTurn, LeftOut};
use memoriter::{Error, Fault, Learned, Memoriter, ScopedMemory, TurnDraft, TurnKey};

use crate::config::ExtractBy;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::{input, layout, progress};

use naming::Names;
use tally::Tally;

/// Turns that are read before the progress is told.
const ROUND_TURNS: usize = 64;
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
A line may also have user, speaker, id, tool_calls, tool_call_id and origin.

A conversation without a name is named after its file, chat.json as chat. Where a session chat holds another \
conversation, as when files of two folders have one name, it is kept as chat~2; where it holds the beginning \
of this one, the file has grown and only the rest is added.")]
pub(super) struct IngestArgs {
    /// Files to read; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// auto, jsonl, openai, anthropic, locomo or longmemeval
    #[arg(long, default_value = "auto", value_parser = Format::parse)]
    format: Format,
    /// How facts are found in new turns [default: as the setting extract says, else rules]
    #[arg(long, value_enum)]
    extract: Option<Extract>,
    /// Name for conversations that have none, and for lines of the plain format that have none, whatever it holds
    /// by now [default: the file's name without its ending; such a line is an error]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

/// How memories are made of turns.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Extract {
    /// Turns are kept and recalled as they are
    None,
    /// The built-in rules read them now
    Rules,
    /// The language model of the settings reads them now
    Model,
    /// They wait in the queue for `memoriter work`
    Later,
}

impl Extract {
    /// What reads; turns that wait are read by something else.
    pub(super) fn by(self) -> ExtractBy {
        match self {
            Self::None | Self::Later => ExtractBy::None,
            Self::Rules => ExtractBy::Rules,
            Self::Model => ExtractBy::Model,
        }
    }

    /// Appends turns and has them read: by rules now, by a model in the next round of work.
    pub(super) fn append(
        self,
        scope: &ScopedMemory,
        turns: Vec<TurnDraft>,
    ) -> Result<Learned, Error> {
        let unread = |turns| Learned {
            turns,
            ..Learned::default()
        };
        match self {
            Self::None => scope.append(turns).map(unread),
            Self::Rules => scope.learn(turns),
            Self::Model | Self::Later => scope.append_to_learn(turns).map(unread),
        }
    }
}

impl From<ExtractBy> for Extract {
    fn from(by: ExtractBy) -> Self {
        match by {
            ExtractBy::None => Self::None,
            ExtractBy::Rules => Self::Rules,
            ExtractBy::Model => Self::Model,
        }
    }
}

pub(super) fn run(context: &Context, args: &IngestArgs) -> Result<Answer, Failure> {
    let extract = args.extract.unwrap_or(context.settings.extract.into());
    let mut ingest = Ingest {
        context,
        memory: context.open_to_extract(Some(extract.by()))?,
        extract,
        tally: Tally::default(),
    };
    for file in &args.files {
        if let Err(failure) = ingest.file(file, args) {
            return Err(ingest.tally.beside(failure));
        }
    }
    ingest.catch_up()?;
    Context::tell_judge_failure(&ingest.memory);
    context.tell_waiting(&ingest.own_scope()?)?;
    let tally = ingest.tally;
    tally.talk();
    Ok(Answer::new(&tally.wire(), tally.text()))
}

struct Ingest<'a> {
    context: &'a Context,
    memory: Memoriter,
    extract: Extract,
    tally: Tally,
}

impl Ingest<'_> {
    fn file(&mut self, file: &Path, args: &IngestArgs) -> Result<(), Failure> {
        let defaults = Defaults {
            session: session_for(file, args.session.as_deref())?,
            line_session: args.session.as_deref().map(SessionName::new).transpose()?,
            now: self.context.now_told(),
        };
        let mut turns = match import::read(args.format, input::open(file)?, &defaults) {
            Err(ImportError::Empty) => {
                say_nothing_in(file);
                return Ok(());
            }
            read => read.map_err(|error| unread(file, error))?,
        };
        let mut names = if args.session.is_some() || turns.format().has_session_names() {
            None
        } else {
            Some(Names::default())
        };
        let mut batch = Vec::with_capacity(BATCH_TURNS);
        let mut ended: Option<ImportError> = None;
        let mut is_empty = true;
        for turn in turns.by_ref() {
            is_empty = false;
            match turn {
                Ok(turn) => {
                    if is_full(&batch, &turn) {
                        self.keep(std::mem::take(&mut batch), names.as_mut())
                            .map_err(|failure| in_file(file, failure))?;
                    }
                    batch.push(turn);
                }
                Err(ImportError::Empty) => is_empty = true,
                Err(error) => ended = Some(error),
            }
        }
        self.keep(batch, names.as_mut())
            .map_err(|failure| in_file(file, failure))?;
        if let Some(renamed) = names.and_then(|names| names.told()) {
            let told = format!("{}: {renamed}", name_of(file));
            output::talk(&layout::escaped(&told));
        }
        if is_empty && turns.left_out() == LeftOut::default() {
            say_nothing_in(file);
        }
        self.tally.leave_out(turns.left_out());
        ended.map_or(Ok(()), |error| Err(unread(file, error)))
    }

    /// Reads what waits: turns of this run that a model reads, and those of an earlier run that was cut off.
    fn catch_up(&mut self) -> Result<(), Failure> {
        let bar = progress::spinner("reading what was said");
        let mut turns = 0;
        loop {
            let worked = self.memory.work(ROUND_TURNS)?;
            turns += worked.turns as u64;
            self.tally.decide(&worked.decisions);
            let told = layout::count(turns, "turn", "turns");
            bar.set_message(format!("reading what was said: {told} read"));
            if let Some(failure) = &worked.failure {
                self.tally.wait(failure);
            }
            if worked.turns == 0 || worked.is_stopped() {
                break;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Appends the batch, each user's turns to that user's log. A turn that must not be kept ends it; the ones
    /// before are kept.
    fn keep(
        &mut self,
        mut batch: Vec<ImportedTurn>,
        names: Option<&mut Names>,
    ) -> Result<(), Failure> {
        if let Some(names) = names {
            names.give(&self.own_scope()?, &mut batch)?;
        }
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

    /// Where turns go that name no user.
    fn own_scope(&self) -> Result<ScopedMemory, Failure> {
        self.context.own_scope(&self.memory)
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

    /// Whose turn it is. A user or agent that was chosen is not overruled by a file.
    fn owner(&self, turn: &ImportedTurn) -> Result<String, Failure> {
        let settings = &self.context.settings;
        let Some(user) = &turn.user else {
            return Ok(settings.user.clone());
        };
        let Some(chosen) = settings.chosen_scope().filter(|_| *user != settings.user) else {
            return Ok(user.clone());
        };
        let message = format!(
            "{}: the turn is of user {user}, not of {}",
            turn.place, settings.user
        );
        let hint = format!(
            "without {} each turn is kept with the user its line names",
            chosen.place()
        );
        Err(Failure::new(Fault::Caller, "other_user", message)
            .field("user")
            .hint(hint))
    }

    fn append(&mut self, user: &str, turns: Vec<TurnDraft>) -> Result<(), Failure> {
        for turn in &turns {
            self.tally.session(user, &turn.session);
        }
        let scope = self.memory.scope(self.context.scope_of(user)?);
        let learned = self.extract.append(&scope, turns)?;
        for turn in &learned.turns {
            self.tally.turn(*turn);
        }
        self.tally.decide(&learned.decisions);
        if learned.unread > 0 {
            let turns = layout::count(learned.unread as u64, "turn is", "turns are");
            output::talk(&format!(
                "{turns} kept and not read: the session is read-only or without memory"
            ));
        }
        Ok(())
    }
}

/// Whether the next turn begins another batch. One that goes on with a conversation may wait, so that as much
/// of a conversation as can be compared lies in one batch.
fn is_full(batch: &[ImportedTurn], next: &ImportedTurn) -> bool {
    let goes_on = batch
        .last()
        .is_some_and(|last| last.draft.session == next.draft.session);
    batch.len() >= BATCH_TURNS * if goes_on { 2 } else { 1 }
}

/// Why a file cannot be read, with the flag that says what it does not.
fn unread(file: &Path, error: ImportError) -> Failure {
    let lacks_session = matches!(&error, ImportError::Missing { field, .. } if field == "session");
    let is_undetected = matches!(&error, ImportError::Undetected);
    let failure = in_file(file, error);
    if lacks_session {
        failure.hint("--session NAME names the conversation of the lines that name none")
    } else if is_undetected {
        failure.hint("say which one it is with --format NAME")
    } else {
        failure
    }
}

/// A file without a turn is read, and worth a word.
fn say_nothing_in(file: &Path) {
    let told = format!("{}: nothing in it", name_of(file));
    output::talk(&layout::escaped(&told));
}

/// Says in which file it happened.
fn in_file(file: &Path, error: impl Into<Failure>) -> Failure {
    error.into().within(&name_of(file))
}

fn name_of(file: &Path) -> String {
    if file == Path::new("-") {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    }
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
