//! Reading a file line by line: one record at a time, checked against the vocabulary, in the scope that it goes to.

mod lines;

use std::io::Read;

use blake3::Hash;
use memoriter_core::board::Field;
use memoriter_core::error::InvalidInput;
use memoriter_core::id::TurnId;
use memoriter_core::memory::Memory;
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{SessionName, Turn};
use memoriter_store::{DecisionRecord, NewAttachment, NewCheckpoint};
use serde::Deserialize;

use self::lines::Lines;
use super::EXPORT_VERSION;
use super::error::TransferError;
use super::form::{End, GapLine, Line, Manifest, ReadingState, RecordCounts, SessionHead};

/// What a line is, in the scope that it goes to.
pub(super) enum Record {
    Scope(Scope),
    Session(SessionHead),
    /// Positions whose turns were erased.
    Gap(Gap),
    Turn(Box<TurnRecord>),
    /// And whether it was overwritten since.
    Field(Box<Field>, bool),
    Checkpoint(Box<NewCheckpoint>),
    Memory(Box<Memory>),
    Decision(Box<DecisionRecord>),
}

/// Positions of a session whose turns were erased.
pub(super) struct Gap {
    pub(super) scope: Scope,
    pub(super) session: SessionName,
    pub(super) from: u32,
    pub(super) turns: u32,
}

/// A turn with what comes with it.
pub(super) struct TurnRecord {
    pub(super) turn: Turn,
    pub(super) reading: Option<ReadingState>,
    pub(super) attachments: Vec<NewAttachment>,
}

/// Where records go.
#[derive(Clone, Debug)]
pub(super) struct Destination {
    /// The scope that is asked for.
    pub(super) scope: Scope,
    /// Whether the file may be about another.
    pub(super) is_mapped: bool,
}

/// What the first line says.
pub(super) struct Opening {
    /// Whose memory it is.
    pub(super) scope: Scope,
    /// When it was taken.
    pub(super) at: Timestamp,
}

/// What the last line says, once it was found true.
pub(super) struct Closing {
    pub(super) counts: RecordCounts,
    pub(super) checksum: Hash,
    /// The mark of the store that wrote the file, as it stands there.
    pub(super) seal: Option<Hash>,
}

/// A file under way.
pub(super) struct Records<R> {
    lines: Lines<R>,
    opening: Opening,
    destination: Destination,
    scope: Option<Scope>,
    session: Option<SessionName>,
    /// What is kept beside the turn that comes next.
    attachments: Vec<(NewAttachment, TurnId)>,
    counts: RecordCounts,
    /// The last kind of record of the scope: the sessions come first, the ledger last.
    stage: Stage,
    closing: Option<Closing>,
}

/// How far the records of a scope are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Sessions,
    Memories,
    Ledger,
}

impl<R: Read> Records<R> {
    /// Reads the manifest.
    pub(super) fn open(input: R, destination: Destination) -> Result<Self, TransferError> {
        let mut lines = Lines::new(input);
        if !lines.advance()? {
            let why = "the file is empty".to_owned();
            return Err(TransferError::NotAnExport { why });
        }
        let opening = read_manifest(lines.text(), &destination)?;
        Ok(Self {
            lines,
            opening,
            destination,
            scope: None,
            session: None,
            attachments: Vec::new(),
            counts: RecordCounts::default(),
            stage: Stage::Sessions,
            closing: None,
        })
    }

    pub(super) fn opening(&self) -> &Opening {
        &self.opening
    }

    /// The line that was read last, from 1.
    pub(super) fn line(&self) -> u64 {
        self.lines.number
    }

    /// The next record; `None` at the end, once the last line was found true.
    pub(super) fn next(&mut self) -> Result<Option<Record>, TransferError> {
        loop {
            if self.closing.is_some() {
                return Ok(None);
            }
            if let Some(record) = self.advance()? {
                return Ok(Some(record));
            }
        }
    }

    /// Reads a line; `None` where it is no record by itself.
    fn advance(&mut self) -> Result<Option<Record>, TransferError> {
        if !self.lines.advance()? {
            let line = self.lines.number;
            return Err(TransferError::CutOff { line });
        }
        let number = self.lines.number;
        let line: Line<'_> = serde_json::from_str(self.lines.text()).map_err(|error| {
            let why = told_without_line(&error);
            TransferError::Malformed { line: number, why }
        })?;
        let place = Place {
            line: number,
            opening: &self.opening,
            destination: &self.destination,
        };
        if !self.attachments.is_empty() && !matches!(line, Line::Turn(_) | Line::Attachment(_)) {
            return Err(place.misplaced(line.what(), BESIDE));
        }
        if let Line::End(end) = &line {
            let closing = place.close(end, self.counts, self.lines.checksum())?;
            self.closing = Some(closing);
            return self.nothing_more();
        }
        line.count_in(&mut self.counts);
        let at = (self.scope.as_ref(), self.session.as_ref());
        if let Some(expected) = expected_before(&line, self.stage, at) {
            return Err(place.misplaced(line.what(), expected));
        }
        if let Line::Attachment(line) = line {
            let attachment = line
                .into_attachment()
                .map_err(|error| place.invalid(error))?;
            self.attachments.push(attachment);
            return Ok(None);
        }
        let beside = std::mem::take(&mut self.attachments);
        let record = place.read(line, at, beside)?;
        self.follow(&record);
        Ok(Some(record))
    }

    fn nothing_more(&mut self) -> Result<Option<Record>, TransferError> {
        if !self.lines.advance()? {
            return Ok(None);
        }
        Err(TransferError::Malformed {
            line: self.lines.number,
            why: "nothing may follow the end".to_owned(),
        })
    }

    /// What the last line says, after the end.
    pub(super) fn into_closing(self) -> Option<Closing> {
        self.closing
    }

    fn follow(&mut self, record: &Record) {
        match record {
            Record::Scope(scope) => {
                self.scope = Some(scope.clone());
                self.session = None;
                self.stage = Stage::Sessions;
            }
            Record::Session(head) => self.session = Some(head.name.clone()),
            Record::Gap(_) | Record::Turn(_) | Record::Field(..) | Record::Checkpoint(_) => {}
            Record::Memory(_) => self.stage = Stage::Memories,
            Record::Decision(_) => self.stage = Stage::Ledger,
        }
    }
}

/// Reads the first line and says whose memory the file holds.
fn read_manifest(line: &str, destination: &Destination) -> Result<Opening, TransferError> {
    /// The part that every version has.
    #[derive(Deserialize)]
    struct Any {
        memoriter_export: AnyManifest,
    }
    #[derive(Deserialize)]
    struct AnyManifest {
        version: u32,
    }
    let not_ours = |error: serde_json::Error| TransferError::NotAnExport {
        why: told_without_line(&error),
    };
    let Any {
        memoriter_export: AnyManifest { version },
    } = serde_json::from_str(line).map_err(not_ours)?;
    if version > EXPORT_VERSION {
        return Err(TransferError::NewerVersion {
            found: version,
            supported: EXPORT_VERSION,
        });
    }
    let manifest: Line<'_> = serde_json::from_str(line).map_err(not_ours)?;
    let Line::MemoriterExport(Manifest { scope, at, .. }) = manifest else {
        let why = format!("{} stands there", manifest.what());
        return Err(TransferError::NotAnExport { why });
    };
    let invalid = |invalid| TransferError::Invalid { line: 1, invalid };
    let at = ZonedTime::parse("at", &at).map_err(invalid)?.instant;
    let scope = Scope::from_segments(&scope).map_err(invalid)?;
    if scope != destination.scope && !destination.is_mapped {
        return Err(TransferError::OtherScope {
            line: 1,
            found: scope.to_string(),
            wanted: destination.scope.to_string(),
        });
    }
    Ok(Opening { scope, at })
}

/// Where attachments stand.
const BESIDE: &str = "the turn of an attachment comes right after it";

/// What must come before a line that stands too early or too late.
fn expected_before(
    line: &Line<'_>,
    stage: Stage,
    (scope, session): (Option<&Scope>, Option<&SessionName>),
) -> Option<&'static str> {
    const ORDER: &str = "sessions come before memories, and these before decisions";
    let late = |from| (stage > from).then_some(ORDER);
    match line {
        Line::MemoriterExport(_) => Some("a manifest is the first line"),
        Line::Session(_) | Line::Memory(_) | Line::Decision(_) if scope.is_none() => {
            Some("its scope comes before it")
        }
        Line::Attachment(_)
        | Line::Gap(_)
        | Line::Turn(_)
        | Line::Field(_)
        | Line::Checkpoint(_)
            if session.is_none() =>
        {
            Some("its session comes before it")
        }
        Line::Session(_)
        | Line::Attachment(_)
        | Line::Gap(_)
        | Line::Turn(_)
        | Line::Field(_)
        | Line::Checkpoint(_) => late(Stage::Sessions),
        Line::Memory(_) => late(Stage::Memories),
        Line::Scope(_) | Line::Decision(_) | Line::End(_) => None,
    }
}

/// Where a line stands, and where it goes.
struct Place<'a> {
    line: u64,
    opening: &'a Opening,
    destination: &'a Destination,
}

impl Place<'_> {
    fn invalid(&self, invalid: InvalidInput) -> TransferError {
        TransferError::Invalid {
            line: self.line,
            invalid,
        }
    }

    fn misplaced(&self, what: &'static str, expected: &'static str) -> TransferError {
        TransferError::Misplaced {
            line: self.line,
            what,
            expected,
        }
    }

    /// The record of a line that stands where it may, with the attachments before it.
    fn read(
        &self,
        line: Line<'_>,
        (scope, session): (Option<&Scope>, Option<&SessionName>),
        beside: Vec<(NewAttachment, TurnId)>,
    ) -> Result<Record, TransferError> {
        let what = line.what();
        let misplaced = || self.misplaced(what, "its scope and session come before it");
        let scope = || scope.ok_or_else(misplaced);
        let within = || Ok::<_, TransferError>((scope()?, session.ok_or_else(misplaced)?));
        let invalid = |error| self.invalid(error);
        Ok(match line {
            Line::Scope(path) => Record::Scope(self.scope(&path)?),
            Line::Session(line) => Record::Session(line.read(scope()?).map_err(invalid)?),
            Line::Gap(GapLine { from, turns }) => {
                let (scope, session) = within()?;
                if from.checked_add(turns).is_none() || turns == 0 {
                    let expected = "one position or more, below 2^32";
                    let turns = turns.to_string();
                    return Err(invalid(InvalidInput::malformed("turns", expected, &turns)));
                }
                Record::Gap(Gap {
                    scope: scope.clone(),
                    session: session.clone(),
                    from,
                    turns,
                })
            }
            Line::Turn(line) => {
                let (turn, reading) = line.into_turn(within()?).map_err(invalid)?;
                let is_of_turn =
                    |(new, of): (NewAttachment, TurnId)| (of == turn.id).then_some(new);
                let attachments = beside.into_iter().map(is_of_turn).collect::<Option<_>>();
                Record::Turn(Box::new(TurnRecord {
                    attachments: attachments.ok_or_else(|| self.misplaced(what, BESIDE))?,
                    turn,
                    reading,
                }))
            }
            Line::Field(line) => {
                let (field, is_past) = line.into_field(within()?).map_err(invalid)?;
                Record::Field(Box::new(field), is_past)
            }
            Line::Checkpoint(line) => {
                let checkpoint = line.into_checkpoint(within()?).map_err(invalid)?;
                Record::Checkpoint(Box::new(checkpoint))
            }
            Line::Memory(line) => {
                let memory = line.into_memory(scope()?).map_err(invalid)?;
                Record::Memory(Box::new(memory))
            }
            Line::Decision(line) => {
                let record = line.into_record(scope()?).map_err(invalid)?;
                Record::Decision(Box::new(record))
            }
            Line::MemoriterExport(_) | Line::Attachment(_) | Line::End(_) => {
                return Err(misplaced());
            }
        })
    }

    /// The scope that a scope of the file goes to.
    fn scope(&self, path: &[std::borrow::Cow<'_, str>]) -> Result<Scope, TransferError> {
        let scope = Scope::from_segments(path).map_err(|error| self.invalid(error))?;
        let moved = scope.moved(&self.opening.scope, &self.destination.scope);
        let moved = moved.map_err(|error| self.invalid(error))?;
        moved.ok_or_else(|| TransferError::OtherScope {
            line: self.line,
            found: scope.to_string(),
            wanted: self.opening.scope.to_string(),
        })
    }

    /// Compares what the last line says with what was read.
    fn close(
        &self,
        end: &End<'_>,
        found: RecordCounts,
        checksum: Hash,
    ) -> Result<Closing, TransferError> {
        let line = self.line;
        if Hash::from_hex(end.blake3.as_bytes()).ok() != Some(checksum) {
            return Err(TransferError::WrongChecksum { line });
        }
        for ((what, expected), (_, found)) in end.counts.named().into_iter().zip(found.named()) {
            if expected != found {
                return Err(TransferError::WrongCount {
                    line,
                    what,
                    expected,
                    found,
                });
            }
        }
        Ok(Closing {
            counts: found,
            checksum,
            seal: Hash::from_hex(end.seal.as_bytes()).ok(),
        })
    }
}

/// What a parser says, with the column and without the line: that is always 1.
fn told_without_line(error: &serde_json::Error) -> String {
    let told = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match told.strip_suffix(&place) {
        Some(what) => format!("{what} at column {}", error.column()),
        None => told,
    }
}
