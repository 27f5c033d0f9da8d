//! Cuts a file into JSON objects, holding one at a time.
//!
//! Whatever the size of the file, memory is that of its largest object. A byte order mark, Windows line ends
//! and blank lines are passed over; everything else that is not an object is an error with its line.

use std::io::{self, BufRead, Cursor, Read};

use serde_json::Value;

use super::error::{ImportError, Place};
use super::node::Node;
use super::scan::{Extent, Scan};
use super::strict;

/// Bytes a line of one message may have: 1 MiB of text and as much of tool calls, every character escaped.
const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes an object with a whole conversation may have; it takes about five times that in memory.
const OBJECT_BYTES_MAX: usize = 128 * 1024 * 1024;

/// Bytes of a file, read once from front to back.
pub(crate) type Input<'a> = Box<dyn BufRead + 'a>;

/// How the objects of a file follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One object a line.
    Lines,
    /// One array of objects, or objects one after the other with any white space.
    Values,
}

/// One object of a file.
pub(crate) struct Item {
    value: Value,
    line: u64,
    index: Option<usize>,
}

impl Item {
    pub(crate) fn node(&self) -> Node<'_> {
        Node::root(&self.value, self.line, self.index)
    }
}

/// The objects of a file, in order: at least one.
pub(crate) struct Items<'a> {
    input: Input<'a>,
    /// The line that is being read, from 1.
    line: u64,
    state: State,
    nothing_read: bool,
}

#[derive(Clone, Copy)]
enum State {
    Lines,
    Start,
    Array { next: usize },
    Sequence,
    End,
}

impl<'a> Items<'a> {
    pub(crate) fn new(input: Input<'a>, layout: Layout) -> Result<Self, ImportError> {
        let state = match layout {
            Layout::Lines => State::Lines,
            Layout::Values => State::Start,
        };
        Ok(Self {
            input: without_byte_order_mark(input)?,
            line: 1,
            state,
            nothing_read: true,
        })
    }

    /// The next object, or `None` at the end of the file.
    pub(crate) fn next(&mut self) -> Result<Option<Item>, ImportError> {
        match self.advance()? {
            None if self.nothing_read => Err(ImportError::Empty),
            None => Ok(None),
            Some(item) => {
                self.nothing_read = false;
                Ok(Some(item))
            }
        }
    }

    fn advance(&mut self) -> Result<Option<Item>, ImportError> {
        match self.state {
            State::Lines => self.next_line(),
            State::Start => self.first_value(),
            State::Array { next } => self.next_element(next),
            State::Sequence => self.next_in_sequence(),
            State::End => Ok(None),
        }
    }

    fn next_line(&mut self) -> Result<Option<Item>, ImportError> {
        loop {
            let mut bytes = Vec::new();
            let limit = LINE_BYTES_MAX as u64 + 1;
            let read = (&mut self.input).take(limit).read_until(b'\n', &mut bytes);
            read.map_err(|source| failed(source, self.line))?;
            if bytes.len() > LINE_BYTES_MAX {
                return Err(too_long(self.line, LINE_BYTES_MAX));
            }
            if bytes.is_empty() {
                return Ok(None);
            }
            let line = self.line;
            self.line += 1;
            // A parser counts what comes behind a line end as the next line.
            while bytes
                .last()
                .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
            {
                bytes.pop();
            }
            if !bytes.trim_ascii().is_empty() {
                return parse(&bytes, line, None).map(Some);
            }
        }
    }

    fn first_value(&mut self) -> Result<Option<Item>, ImportError> {
        if self.skip_blank()? == Some(b'[') {
            self.input.consume(1);
            self.state = State::Array { next: 0 };
        } else {
            self.state = State::Sequence;
        }
        self.advance()
    }

    fn next_in_sequence(&mut self) -> Result<Option<Item>, ImportError> {
        match self.skip_blank()? {
            None => Ok(None),
            Some(byte) => self.object(byte, None).map(Some),
        }
    }

    fn next_element(&mut self, index: usize) -> Result<Option<Item>, ImportError> {
        let mut byte = self.skip_blank()?.ok_or_else(|| self.cut_off())?;
        if byte == b']' {
            return self.end_of_array();
        }
        if index > 0 {
            if byte != b',' {
                return Err(self.wanted("`,` or `]` between the elements of the array", byte));
            }
            self.input.consume(1);
            byte = self.skip_blank()?.ok_or_else(|| self.cut_off())?;
        }
        self.state = State::Array { next: index + 1 };
        self.object(byte, Some(index)).map(Some)
    }

    fn end_of_array(&mut self) -> Result<Option<Item>, ImportError> {
        self.input.consume(1);
        self.state = State::End;
        match self.skip_blank()? {
            None => Ok(None),
            Some(byte) => Err(self.wanted("nothing after the end of the array", byte)),
        }
    }

    /// The object that begins with `first`, the byte at hand.
    fn object(&mut self, first: u8, index: Option<usize>) -> Result<Item, ImportError> {
        if first != b'{' {
            return Err(self.wanted("a JSON object", first));
        }
        let start = self.line;
        let mut scan = Scan::default();
        let mut bytes = Vec::new();
        loop {
            let chunk = fill(&mut self.input).map_err(|source| failed(source, self.line))?;
            if chunk.is_empty() {
                return Err(self.cut_off());
            }
            let (used, extent) = scan.advance(chunk);
            bytes.extend(chunk.iter().take(used));
            self.input.consume(used);
            self.line = start + scan.newlines();
            match extent {
                Extent::Complete => return parse(&bytes, start, index),
                Extent::BrokenString => return Err(self.syntax("the line ends inside a string")),
                Extent::Open if bytes.len() > OBJECT_BYTES_MAX => {
                    return Err(too_long(start, OBJECT_BYTES_MAX));
                }
                Extent::Open => {}
            }
        }
    }

    /// The next byte that is not white space, left in the input.
    fn skip_blank(&mut self) -> Result<Option<u8>, ImportError> {
        loop {
            let chunk = fill(&mut self.input).map_err(|source| failed(source, self.line))?;
            let Some(&byte) = chunk.first() else {
                return Ok(None);
            };
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.line += u64::from(byte == b'\n');
            self.input.consume(1);
        }
    }

    fn cut_off(&self) -> ImportError {
        self.syntax("the file ends in the middle of a value")
    }

    fn wanted(&self, what: &str, got: u8) -> ImportError {
        self.syntax(&format!(
            "expected {what}, got `{}`",
            char::from(got).escape_default()
        ))
    }

    fn syntax(&self, why: &str) -> ImportError {
        ImportError::Syntax {
            place: at(self.line),
            why: why.to_owned(),
        }
    }
}

/// The input without its mark, if it has one. UTF-16 is refused by its mark.
pub(super) fn without_byte_order_mark(mut input: Input<'_>) -> Result<Input<'_>, ImportError> {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    let mut head = Vec::new();
    let read = (&mut input).take(MARK.len() as u64).read_to_end(&mut head);
    read.map_err(|source| failed(source, 1))?;
    if head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") {
        let why = "the file is UTF-16, expected UTF-8".to_owned();
        return Err(ImportError::Syntax { place: at(1), why });
    }
    if head == MARK {
        return Ok(input);
    }
    Ok(Box::new(Cursor::new(head).chain(input)))
}

/// [`BufRead::fill_buf`] that is not disturbed by signals.
fn fill<'b>(input: &'b mut Input<'_>) -> io::Result<&'b [u8]> {
    while let Err(error) = input.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    input.fill_buf()
}

fn parse(bytes: &[u8], line: u64, index: Option<usize>) -> Result<Item, ImportError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.iter().take(error.valid_up_to());
        ImportError::Syntax {
            place: at(line + before.filter(|byte| **byte == b'\n').count() as u64),
            why: format!("byte {} of the value is not UTF-8", error.valid_up_to() + 1),
        }
    })?;
    let value = strict::parse(text).map_err(|error| explain(&error, line))?;
    Ok(Item { value, line, index })
}

/// A parser's complaint, for people.
fn explain(error: &serde_json::Error, line: u64) -> ImportError {
    let position = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    let message = match message.strip_suffix(&position).unwrap_or(&message) {
        "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "half of a surrogate pair"
        }
        _ if error.is_eof() => "the line ends in the middle of a value",
        other => other,
    };
    ImportError::Syntax {
        place: at(line + (error.line() as u64).saturating_sub(1)),
        why: format!("{message} (column {})", error.column()),
    }
}

fn failed(source: io::Error, line: u64) -> ImportError {
    ImportError::Read { line, source }
}

fn too_long(line: u64, limit: usize) -> ImportError {
    ImportError::TooLong {
        place: at(line),
        limit,
    }
}

fn at(line: u64) -> Place {
    Place {
        line,
        path: String::new(),
    }
}
