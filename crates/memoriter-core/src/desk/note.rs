//! A tool result that is too long for the desk.

use super::line::Line;
use crate::attachment::Handle;
use crate::turn::Turn;

/// Characters of the beginning and of the end that a note shows: enough for a header and for the error that a long
/// output ends with.
const BEGINS_CHARS: usize = 200;
const ENDS_CHARS: usize = 100;

/// What stands for a tool result: how long it is, how it begins and ends, and what has all of it: attachments, or the
/// turn.
pub(super) fn note(turn: &Turn) -> String {
    let content = &turn.message.content;
    let begins: String = content.chars().take(BEGINS_CHARS).collect();
    let rest = content.get(begins.len()..).unwrap_or_default();
    let ends_at = rest.char_indices().rev().nth(ENDS_CHARS - 1);
    let ends = ends_at.map_or(rest, |(at, _)| rest.get(at..).unwrap_or_default());
    let attached = turn.message.written.iter().flat_map(|kept| &kept.attached);
    let elsewhere: usize = attached.clone().map(|part| part.bytes).sum();
    let mut handles: Vec<Handle> = attached.map(|part| Handle::Attachment(part.id)).collect();
    if handles.is_empty() {
        handles.push(Handle::Turn(turn.id));
    }
    let line = Line::default()
        .text("note", "a tool result that is too long to show here")
        .word("bytes", content.len().max(elsewhere))
        .text("begins", &begins)
        .text("ends", ends);
    let with_handle = |line: Line, handle: &Handle| line.word("handle", handle);
    handles.iter().fold(line, with_handle).finish()
}
