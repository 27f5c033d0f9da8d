//! Reading a file line by line: one record at a time, checked against the vocabulary, in the scope that it goes to.

use std::io::{BufRead as _, BufReader, Read};

use blake3::{Hash, Hasher};
use memoriter_core::board::Field;
use memoriter_core::error::InvalidInput;
use memoriter_core::memory::Memory;
use memoriter_core::scope::Scope;
use memoriter_core::turn::{SessionName, Turn};
use memoriter_store::{DecisionRecord, NewCheckpoint};
use serde::Deserialize;

use super::error::TransferError;
use super::form::{End, Line, Manifest, ReadingState, RecordCounts, SessionHead};
use super::{DEPTH_MAX, EXPORT_VERSION, LINE_BYTES_MAX};

/// What a line is, in the scope that it goes to.
pub(super) enum Record {
    Scope(Scope),
    Session(SessionHead),
    Turn(Box<Turn>, Option<ReadingState>),
    /// And whether it was overwritten since.
    Field(Box<Field>, bool),
    Checkpoint(Box<NewCheckpoint>),
    Memory(Box<Memory>),
    Decision(Box<DecisionRecord>),
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
        let opening = Opening {
            scope: read_manifest(lines.text(), &destination)?,
        };
        Ok(Self {
            lines,
            opening,
            destination,
            scope: None,
            session: None,
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
        if self.closing.is_some() {
            return Ok(None);
        }
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
        if let Line::End(end) = &line {
            let closing = place.close(end, self.counts, self.lines.checksum())?;
            self.closing = Some(closing);
            return self.nothing_more();
        }
        line.count_in(&mut self.counts);
        let at = (self.scope.as_ref(), self.session.as_ref());
        if let Some(expected) = expected_before(&line, self.stage, at) {
            return Err(TransferError::Misplaced {
                line: number,
                what: line.what(),
                expected,
            });
        }
        let record = place.read(line, at)?;
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
            Record::Turn(..) | Record::Field(..) | Record::Checkpoint(_) => {}
            Record::Memory(_) => self.stage = Stage::Memories,
            Record::Decision(_) => self.stage = Stage::Ledger,
        }
    }
}

/// Reads the first line and says whose memory the file holds.
fn read_manifest(line: &str, destination: &Destination) -> Result<Scope, TransferError> {
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
    memoriter_core::time::ZonedTime::parse("at", &at).map_err(invalid)?;
    let scope = Scope::from_segments(&scope).map_err(invalid)?;
    if scope != destination.scope && !destination.is_mapped {
        return Err(TransferError::OtherScope {
            line: 1,
            found: scope.to_string(),
            wanted: destination.scope.to_string(),
        });
    }
    Ok(scope)
}

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
        Line::Turn(_) | Line::Field(_) | Line::Checkpoint(_) if session.is_none() => {
            Some("its session comes before it")
        }
        Line::Session(_) | Line::Turn(_) | Line::Field(_) | Line::Checkpoint(_) => {
            late(Stage::Sessions)
        }
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

    /// The record of a line that stands where it may.
    fn read(
        &self,
        line: Line<'_>,
        (scope, session): (Option<&Scope>, Option<&SessionName>),
    ) -> Result<Record, TransferError> {
        let what = line.what();
        let misplaced = || TransferError::Misplaced {
            line: self.line,
            what,
            expected: "its scope and session come before it",
        };
        let scope = || scope.ok_or_else(misplaced);
        let within = || Ok::<_, TransferError>((scope()?, session.ok_or_else(misplaced)?));
        let invalid = |error| self.invalid(error);
        Ok(match line {
            Line::Scope(path) => Record::Scope(self.scope(&path)?),
            Line::Session(line) => Record::Session(line.read(scope()?).map_err(invalid)?),
            Line::Turn(line) => {
                let (turn, reading) = line.into_turn(within()?).map_err(invalid)?;
                Record::Turn(Box::new(turn), reading)
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
            Line::MemoriterExport(_) | Line::End(_) => return Err(misplaced()),
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

/// The lines of a file, one at a time, with the checksum over those before the one that was read last.
struct Lines<R> {
    input: BufReader<R>,
    number: u64,
    line: String,
    hasher: Hasher,
}

impl<R: Read> Lines<R> {
    fn new(input: R) -> Self {
        /// What a disk gives at once.
        const BUFFER_BYTES: usize = 256 * 1024;
        Self {
            input: BufReader::with_capacity(BUFFER_BYTES, input),
            number: 0,
            line: String::new(),
            hasher: Hasher::new(),
        }
    }

    /// Reads the next line, if there is one.
    fn advance(&mut self) -> Result<bool, TransferError> {
        self.hasher.update(self.line.as_bytes());
        let mut bytes = std::mem::take(&mut self.line).into_bytes();
        bytes.clear();
        let most = LINE_BYTES_MAX as u64 + 1;
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut bytes);
        if read.map_err(TransferError::io("reading the file"))? == 0 {
            return Ok(false);
        }
        self.number += 1;
        let line = self.number;
        if bytes.len() > LINE_BYTES_MAX {
            let limit = LINE_BYTES_MAX;
            return Err(TransferError::TooLong { line, limit });
        }
        if depth(&bytes) > DEPTH_MAX {
            let limit = DEPTH_MAX;
            return Err(TransferError::TooDeep { line, limit });
        }
        self.line = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            let why = format!("byte {at} is not UTF-8");
            TransferError::Malformed { line, why }
        })?;
        Ok(true)
    }

    fn text(&self) -> &str {
        &self.line
    }

    fn checksum(&self) -> Hash {
        self.hasher.finalize()
    }
}

/// The levels of nesting of a JSON text, also of one that is none.
fn depth(text: &[u8]) -> usize {
    let (mut level, mut deepest) = (0_usize, 0);
    let (mut in_string, mut is_escaped) = (false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                level += 1;
                deepest = deepest.max(level);
            }
            b'}' | b']' if !in_string => level = level.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_told_without_parsing() {
        for (text, expected) in [
            ("1", 0),
            ("[[1],{}]", 2),
            (r#"{"a[[[\"[[":[]}"#, 2),
            ("]]]][", 1),
            (r#""\\"[["#, 2),
        ] {
            assert_eq!(depth(text.as_bytes()), expected, "{text}");
        }
    }
}
