//! The one way in which stored text is quoted: a line of fields.
//!
//! `statement="I moved to \"Munich\"" status=stated id=0197f3a2-5c1e-7d40-9a53-0242ac120002`: a name, `=`, and a
//! JSON string or a word of ours (letters, digits, `.`, `:`, `,`, `+`, `-`). Stored text is always a JSON string, in
//! which everything is escaped besides that could be read as more than text: what ends a line anywhere, what hides or
//! reorders, and the first sign of what chat templates read as their control tokens (`<|im_start|>`, `[INST]`).

use std::fmt::Write as _;

use serde_json::Value;

use crate::text::is_invisible;

/// A line being written.
#[derive(Default)]
pub(super) struct Line(String);

impl Line {
    /// Adds a field with stored text.
    pub(super) fn text(mut self, name: &str, text: &str) -> Self {
        self.name(name);
        quote(&mut self.0, text);
        self
    }

    /// Adds a field with stored text, if there is any.
    pub(super) fn optional_text(self, name: &str, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    /// Adds a field with a word of ours: an id, a date, one of a closed set.
    pub(super) fn word(mut self, name: &str, word: impl std::fmt::Display) -> Self {
        self.name(name);
        let start = self.0.len();
        // Writing into a string cannot fail.
        let _ = write!(self.0, "{word}");
        debug_assert!(
            self.0
                .get(start..)
                .is_some_and(|word| word.chars().all(is_bare)),
            "only our own words stand without quotes"
        );
        self
    }

    pub(super) fn finish(self) -> String {
        self.0
    }

    fn name(&mut self, name: &str) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.push_str(name);
        self.0.push('=');
    }
}

/// A text as a JSON string, with more escaped than JSON asks for.
pub(super) fn quote(out: &mut String, text: &str) {
    out.push('"');
    // Most texts have long stretches in which nothing is escaped.
    let mut plain_from = 0;
    for (at, c) in text.char_indices() {
        if is_plain(c) {
            continue;
        }
        let behind = at + c.len_utf8();
        let short = match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            _ if must_escape(c, text.get(behind..).unwrap_or_default()) => "",
            _ => continue,
        };
        out.push_str(text.get(plain_from..at).unwrap_or_default());
        out.push_str(short);
        if short.is_empty() {
            escape(out, c);
        }
        plain_from = behind;
    }
    out.push_str(text.get(plain_from..).unwrap_or_default());
    out.push('"');
}

/// Whether a character stands for itself wherever it stands.
fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~') && !matches!(c, '"' | '\\' | '<' | '[')
}

fn must_escape(c: char, rest: &str) -> bool {
    match c {
        '<' => opens_tag(rest),
        '[' => opens_instruction(rest),
        '\u{2028}' | '\u{2029}' => true,
        _ => c.is_control() || is_invisible(c) && !is_joiner(c),
    }
}

/// What emoji and some scripts are written with.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Whether `<` before this begins a tag or control token, rather than comparing.
fn opens_tag(rest: &str) -> bool {
    let next = rest.chars().next();
    next.is_some_and(|next| !next.is_ascii_whitespace() && !next.is_ascii_digit() && next != '=')
}

/// Whether `[` before this begins what a template spells in capitals: `[INST]`, `[/INST]`, `[TOOL_CALLS]`.
fn opens_instruction(rest: &str) -> bool {
    let name = rest.strip_prefix('/').unwrap_or(rest);
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

fn escape(out: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// Reads a line back: names and values in order; `None` when it is not one.
///
/// ```
/// use memoriter_core::desk::line::read;
///
/// let fields = read(r#"statement="a \"b\"\n" id=0197-ff"#).unwrap();
/// assert_eq!(fields[0], ("statement".to_owned(), "a \"b\"\n".to_owned()));
/// assert_eq!(fields[1].1, "0197-ff");
/// ```
#[must_use]
pub fn read(line: &str) -> Option<Vec<(String, String)>> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (name, value) = rest.split_once('=')?;
        if name.is_empty()
            || !name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        {
            return None;
        }
        let (value, more) = read_value(value)?;
        fields.push((name.to_owned(), value));
        if more.is_empty() {
            return Some(fields);
        }
        rest = more.strip_prefix(' ')?;
    }
}

fn read_value(text: &str) -> Option<(String, &str)> {
    if text.starts_with('"') {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let Value::String(value) = values.next()?.ok()? else {
            return None;
        };
        return Some((value, text.get(values.byte_offset()..)?));
    }
    let end = text.find(|c| !is_bare(c)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (!word.is_empty()).then(|| (word.to_owned(), rest))
}

fn is_bare(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | ',' | '+' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, quoted: &str) {
        let line = Line::default()
            .text("said", text)
            .word("id", "a-1")
            .finish();
        assert_eq!(line, format!("said=\"{quoted}\" id=a-1"));
        let fields = read(&line).unwrap();
        assert_eq!(fields[0].1, text);
        assert_eq!(fields[1], ("id".to_owned(), "a-1".to_owned()));
    }

    #[test]
    fn what_is_quoted_comes_back() {
        check(
            "plain, naïve 東京 👩‍🚀 1 < 2 [see] a<=b",
            "plain, naïve 東京 👩‍🚀 1 < 2 [see] a<=b",
        );
        check("a \"b\" \\n", "a \\\"b\\\" \\\\n");
        check("a\nb\r\tc\u{b}", "a\\nb\\r\\tc\\u000b");
        check("<|im_start|>system", "\\u003c|im_start|>system");
        check(
            "</profile> <b> <｜User｜>",
            "\\u003c/profile> \\u003cb> \\u003c｜User｜>",
        );
        check("[INST] [/INST] [1]", "\\u005bINST] \\u005b/INST] [1]");
        check(
            "a\u{2028}b\u{85}c\u{202e}d\u{e0041}",
            "a\\u2028b\\u0085c\\u202ed\\udb40\\udc41",
        );
        check("", "");
    }

    #[test]
    fn what_is_no_line_is_not_read() {
        for line in [
            "",
            "a",
            "a=",
            "a=b c",
            "a=\"b",
            "A=b",
            "a=b  c=d",
            "a=b\tc=d",
            "[0123abcd x]",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
