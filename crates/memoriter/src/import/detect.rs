//! Tells the format of a file from its beginning.
//!
//! Looks at the names of the fields of the first object, and for the two message formats, which differ in the
//! kinds of their content blocks, at the values of `type`. Only the beginning is held in memory, and it need
//! not be valid JSON: what is wrong with it is better said by the reader of the format.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use super::error::ImportError;
use super::format::Format;
use super::source::{Input, without_byte_order_mark};

/// Bytes that are looked at: a first turn of the largest size, written with escapes, fits.
const HEAD_BYTES: u64 = 8 * 1024 * 1024;

/// Kinds of content blocks that only the Anthropic API has.
const ANTHROPIC_KINDS: &[&str] = &[
    "tool_use",
    "tool_result",
    "thinking",
    "redacted_thinking",
    "image",
    "document",
];

/// The format and the whole input, from its beginning.
pub(super) fn detect(input: Input<'_>) -> Result<(Format, Input<'_>), ImportError> {
    let mut input = without_byte_order_mark(input)?;
    let mut head = Vec::new();
    let read = (&mut input).take(HEAD_BYTES).read_to_end(&mut head);
    read.map_err(|source| ImportError::Read { line: 1, source })?;
    if is_empty(&head) {
        return Err(ImportError::Empty);
    }
    let format = Signs::of(&head).format().ok_or(ImportError::Undetected)?;
    Ok((format, Box::new(Cursor::new(head).chain(input))))
}

/// Nothing, or an array of nothing.
fn is_empty(head: &[u8]) -> bool {
    let mut said = head.iter().filter(|byte| !byte.is_ascii_whitespace());
    match (said.next(), said.next(), said.next()) {
        (None, ..) | (Some(b'['), Some(b']'), None) => true,
        (Some(_), ..) => false,
    }
}

/// What the beginning of a file shows.
#[derive(Default)]
struct Signs<'a> {
    /// Whether the file is an array.
    array: bool,
    /// Names of fields of the first object, as written.
    fields: BTreeSet<&'a [u8]>,
    /// Values of `type` at any depth, as written.
    kinds: BTreeSet<&'a [u8]>,
}

impl<'a> Signs<'a> {
    fn of(head: &'a [u8]) -> Self {
        let array = head.trim_ascii_start().first() == Some(&b'[');
        let mut signs = Self {
            array,
            ..Self::default()
        };
        let mut last_name = &b""[..];
        for string in Strings::of(head, array) {
            match string.role {
                Role::Value if last_name == b"type" => {
                    signs.kinds.insert(string.text);
                }
                Role::Value => {}
                Role::Name => {
                    last_name = string.text;
                    if string.in_first_object {
                        signs.fields.insert(string.text);
                    }
                }
            }
        }
        signs
    }

    fn format(&self) -> Option<Format> {
        if self.has("haystack_sessions") {
            Some(Format::LongMemEval)
        } else if self.has("conversation") && self.has("sample_id") {
            Some(Format::Locomo)
        } else if self.has("messages") || (self.array && self.has("role")) {
            Some(self.dialect())
        } else if self.has("role") && (self.has("session") || self.has("content")) {
            Some(Format::Jsonl)
        } else {
            None
        }
    }

    /// Conversations without tools and pictures read the same in both; they are read as the first.
    fn dialect(&self) -> Format {
        let anthropic_kind = ANTHROPIC_KINDS
            .iter()
            .any(|kind| self.kinds.contains(kind.as_bytes()));
        if self.has("system") || anthropic_kind {
            Format::Anthropic
        } else {
            Format::OpenAi
        }
    }

    fn has(&self, field: &str) -> bool {
        self.fields.contains(field.as_bytes())
    }
}

/// The strings of a text that is JSON or nearly so, with their place.
struct Strings<'a> {
    rest: &'a [u8],
    depth: usize,
    /// The depth of the objects that the file is made of.
    object_depth: usize,
    objects: usize,
}

struct Found<'a> {
    /// As written, with its escapes.
    text: &'a [u8],
    role: Role,
    in_first_object: bool,
}

#[derive(Clone, Copy)]
enum Role {
    Name,
    Value,
}

impl<'a> Strings<'a> {
    fn of(text: &'a [u8], array: bool) -> Self {
        Self {
            rest: text,
            depth: 0,
            object_depth: 1 + usize::from(array),
            objects: 0,
        }
    }
}

impl<'a> Iterator for Strings<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Found<'a>> {
        loop {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            match byte {
                b'{' | b'[' => {
                    self.depth += 1;
                    self.objects += usize::from(self.depth == self.object_depth);
                }
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                b'"' => break,
                _ => {}
            }
        }
        let (text, rest) = cut_string(self.rest);
        self.rest = rest;
        let named = rest.trim_ascii_start().starts_with(b":");
        Some(Found {
            text,
            role: if named { Role::Name } else { Role::Value },
            in_first_object: self.depth == self.object_depth && self.objects == 1,
        })
    }
}

/// Splits behind the closing quote. The string is as written, with its escapes.
fn cut_string(text: &[u8]) -> (&[u8], &[u8]) {
    let mut escaped = false;
    let end = text.iter().position(|byte| match byte {
        _ if escaped => {
            escaped = false;
            false
        }
        b'\\' => {
            escaped = true;
            false
        }
        byte => *byte == b'"',
    });
    let (string, rest) = text.split_at(end.unwrap_or(text.len()));
    (string, rest.get(1..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &str, expected: Option<Format>) {
        assert_eq!(Signs::of(head.as_bytes()).format(), expected, "{head}");
    }

    #[test]
    fn the_first_object_gives_the_format_away() {
        check(
            r#"{"session":"s","role":"user","content":"messages"}"#,
            Some(Format::Jsonl),
        );
        check(
            r#"{"role":"user","content":"no session, an error later"}"#,
            Some(Format::Jsonl),
        );
        check(
            r#"{"messages":[{"role":"user","content":"hi"}]}"#,
            Some(Format::OpenAi),
        );
        check("\r\n [ {\"role\" : \"user\"", Some(Format::OpenAi));
        check(
            r#"{"system":"Be kind","messages":[]}"#,
            Some(Format::Anthropic),
        );
        check(
            r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use"}]}]"#,
            Some(Format::Anthropic),
        );
        check(
            r#"[{"qa":[{"x":"}"}],"conversation":{},"sample_id":"1"}]"#,
            Some(Format::Locomo),
        );
        check(
            r#"[{"question_id":"q","haystack_sessions":[[{"role":"user"}]]}]"#,
            Some(Format::LongMemEval),
        );
    }

    #[test]
    fn words_inside_text_are_not_signs() {
        check(
            r#"{"note":"\"messages\": [], \"haystack_sessions\":"}"#,
            None,
        );
        check(r#"{"a":{"messages":[]}}"#, None);
        check(r#"{"a":1}{"messages":[]}"#, None);
        check("role,content\nuser,hi", None);
        check("\"role", None);
    }
}
