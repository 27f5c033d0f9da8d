//! Counts of lines that were counted before.
//!
//! Most of a desk stands on the desk before it, too, and counting is most of what a desk costs.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Bytes of lines that are known; when there are more all are let go. Some sixty thousand lines.
const BYTES_MAX: usize = 8 * 1024 * 1024;

/// Counts by line.
#[derive(Default)]
pub(super) struct Memo(Mutex<Known>);

#[derive(Default)]
struct Known {
    counts: HashMap<Box<str>, usize>,
    bytes: usize,
}

impl Memo {
    /// The tokens of a text by its lines, each counted by `count` where it is new.
    pub(super) fn count(&self, text: &str, count: impl Fn(&str) -> usize) -> usize {
        lines(text).map(|line| self.of_line(line, &count)).sum()
    }

    fn of_line(&self, line: &str, count: impl Fn(&str) -> usize) -> usize {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().counts.get(line) {
            return *known;
        }
        // Others need not wait for it.
        let tokens = count(line);
        let mut known = lock();
        if known.bytes + line.len() > BYTES_MAX {
            *known = Known::default();
        }
        if known.counts.insert(line.into(), tokens).is_none() {
            known.bytes += line.len();
        }
        tokens
    }
}

/// A text in parts whose tokens add up to its own: it is parted behind a line's end where neither white space nor a
/// slash follows. Both tables take apart such places before they look for tokens: no pattern of theirs goes on from a line
/// end to anything else (`openai_public.py` of tiktoken, `cl100k_base` and `o200k_base`).
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut ends = rest.match_indices('\n').map(|(at, _)| at + 1);
        let end = ends.find(|end| {
            let next = rest.get(*end..).and_then(|behind| behind.chars().next());
            next.is_some_and(|next| !next.is_whitespace() && next != '/')
        });
        let (line, more) = rest.split_at(end.unwrap_or(rest.len()));
        rest = more;
        (!line.is_empty()).then_some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parted_where_a_line_begins() {
        let parts: Vec<&str> = lines("a\nb\n\n c\n/d\ne\n").collect();
        assert_eq!(parts, ["a\n", "b\n\n c\n/d\n", "e\n"]);
        assert_eq!(lines("").count(), 0);
    }

    #[test]
    fn a_line_is_counted_once_while_there_is_room() {
        let memo = Memo::default();
        let calls = std::cell::Cell::new(0);
        let count = |line: &str| {
            calls.set(calls.get() + 1);
            line.len()
        };
        assert_eq!(memo.count("one\ntwo\none\n", count), 12);
        assert_eq!(memo.count("two\n", count), 4);
        assert_eq!(calls.get(), 2);
        let long = "x".repeat(BYTES_MAX);
        assert_eq!(memo.count(&long, count), BYTES_MAX);
        memo.count("two\n", count);
        assert_eq!(calls.get(), 4);
    }
}
