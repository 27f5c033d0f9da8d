//! Reads conversations from files: our own JSONL and the formats that other programs and benchmarks write.
//!
//! [`read`] turns a file into [`ImportedTurn`]s, one after the other, in the order of the file. It holds one
//! JSON object of the file at a time, so a conversation file of any length works. Nothing is guessed and
//! nothing is dropped in silence: the first thing that cannot be understood ends the reading with an
//! [`ImportError`] that names the line, the field and what was expected. Turns before it have been handed
//! out by then; since a turn's key is the same each time, reading the mended file again adds only what is
//! missing. What a format allows and a memory has no use for is counted in [`LeftOut`].
//!
//! This module knows nothing of stores, scopes or ids. The engine makes ids of keys.
//!
//! To add a format: one file beside the others that implements `FormatReader`, a variant of [`Format`], an
//! arm in [`read`], and its signs in `detect.rs`.

pub(crate) mod anthropic;
pub(crate) mod chat;
mod detect;
mod error;
mod format;
mod jsonl;
pub(crate) mod locomo;
pub(crate) mod longmemeval;
pub(crate) mod node;
pub(crate) mod openai;
pub(crate) mod published;
mod scan;
pub(crate) mod source;
mod strict;
#[cfg(test)]
mod tests;
pub(crate) mod time;

use std::collections::VecDeque;
use std::io::BufRead;

use memoriter_core::time::ZonedTime;
use memoriter_core::turn::SessionName;

use crate::TurnDraft;

pub use error::{ImportError, Place};
pub use format::Format;
pub(crate) use strict::Unambiguous;
pub use strict::{depth as json_depth, parse as parse_json, parse_exact as parse_exact_json};

use anthropic::Anthropic;
use chat::Chat;
use jsonl::Jsonl;
use locomo::Locomo;
use longmemeval::LongMemEval;
use node::Node;
use openai::OpenAi;
use source::{Input, Items, Layout};

/// What the file leaves open.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The session of conversations that have no name. The second one in a file gets `/2` behind it, and so on.
    pub session: SessionName,
    /// The session of lines of [`Format::Jsonl`] that name none; without it they are
    /// [`ImportError::Missing`].
    pub line_session: Option<SessionName>,
    /// When a turn without time was said.
    pub now: ZonedTime,
}

/// A turn as a file tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedTurn {
    /// The user whose memory it belongs to, where the file says so: the name of a user scope.
    pub user: Option<String>,
    /// The turn, within every limit. Its key is the file's own id or the turn's position among those of its
    /// session in the file, the same each time the file is read.
    pub draft: TurnDraft,
    /// Where it stands, for messages to people.
    pub place: Place,
}

/// What was read and not handed out, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Messages with neither words nor tool calls, such as an answer that was broken off.
    pub wordless_messages: u64,
    /// Blocks of a model's private reasoning, which is not part of the conversation.
    pub thinking_blocks: u64,
}

/// The turns of a file, in order. After an error there are no more.
pub struct Turns<'a> {
    items: Items<'a>,
    reader: Box<dyn FormatReader>,
    batch: Batch,
    format: Format,
    /// What ended the reading, until it is handed out behind the turns before it.
    error: Option<ImportError>,
    ended: bool,
}

/// Opens a file for reading.
///
/// # Errors
/// [`ImportError::Undetected`] or [`ImportError::Empty`] with [`Format::Auto`]; [`ImportError::Read`] when the
/// input fails. Everything else shows while reading.
///
/// # Examples
/// ```
/// use memoriter::import::{self, Defaults, Format};
/// use memoriter::core::time::ZonedTime;
/// use memoriter::core::turn::SessionName;
///
/// let file = r#"[{"role": "user", "content": "My exam is on 14 March"}]"#;
/// let defaults = Defaults {
///     session: SessionName::new("chat")?,
///     line_session: None,
///     now: ZonedTime::parse("now", "2026-03-01T09:00:00+01:00")?,
/// };
/// for turn in import::read(Format::Auto, file.as_bytes(), &defaults)? {
///     assert_eq!(turn?.draft.message.content, "My exam is on 14 March");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read<'a>(
    format: Format,
    input: impl BufRead + 'a,
    defaults: &Defaults,
) -> Result<Turns<'a>, ImportError> {
    let input: Input<'a> = Box::new(input);
    let (layout, reader): (Layout, Box<dyn FormatReader>) = match format {
        Format::Auto => {
            let (format, input) = detect::detect(input)?;
            return read(format, input, defaults);
        }
        Format::Jsonl => (Layout::Lines, Box::new(Jsonl::new(defaults))),
        Format::OpenAi => (Layout::Values, Box::new(Chat::new(OpenAi, defaults))),
        Format::Anthropic => (Layout::Values, Box::new(Chat::new(Anthropic, defaults))),
        Format::Locomo => (Layout::Values, Box::new(Locomo)),
        Format::LongMemEval => (Layout::Values, Box::new(LongMemEval)),
    };
    Ok(Turns {
        items: Items::new(input, layout)?,
        reader,
        batch: Batch::default(),
        format,
        error: None,
        ended: false,
    })
}

impl Turns<'_> {
    /// The format that is being read: never [`Format::Auto`].
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// What has been passed over so far.
    #[must_use]
    pub fn left_out(&self) -> LeftOut {
        self.batch.left_out
    }

    /// Reads objects until one has turns or the file ends.
    fn read_on(&mut self) -> Result<(), ImportError> {
        while self.batch.turns.is_empty() && !self.ended {
            match self.items.next()? {
                Some(item) => self.reader.turns(item.node(), &mut self.batch)?,
                None => self.ended = true,
            }
        }
        Ok(())
    }
}

impl Iterator for Turns<'_> {
    type Item = Result<ImportedTurn, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(error) = self.read_on() {
            self.ended = true;
            self.error = Some(error);
        }
        match self.batch.turns.pop_front() {
            Some(turn) => Some(Ok(turn)),
            None => self.error.take().map(Err),
        }
    }
}

/// Understands one format.
trait FormatReader {
    /// Reads one object of the file into `batch`. Turns that are in there when it fails are still handed out.
    fn turns(&mut self, item: Node<'_>, batch: &mut Batch) -> Result<(), ImportError>;
}

/// Where a [`FormatReader`] puts what it has read.
#[derive(Default)]
struct Batch {
    turns: VecDeque<ImportedTurn>,
    left_out: LeftOut,
}
