//! One plain text: a mark for each section, quoted lines under it.

use serde_json::Value;

use super::{HEAD, Sheet, Shown, TAIL};
use crate::desk::line::Line;
use crate::desk::section::Section;

pub(super) fn render(sheet: &Sheet<'_>) -> String {
    let mut text = String::new();
    if !sheet.system.is_empty() {
        text.push_str(
            &sheet
                .boundary
                .mark(Section::System.as_str(), "Instructions:"),
        );
        text.push('\n');
        text.push_str(sheet.system);
        text.push('\n');
    }
    for section in HEAD {
        text.push_str(&sheet.section(section));
    }
    let turns: Vec<String> = sheet.turns.iter().flat_map(turn_lines).collect();
    if !turns.is_empty() {
        let title = "The latest turns of this session, word for word:";
        let mark = sheet.boundary.mark(Section::Turns.as_str(), title);
        for line in std::iter::once(&mark).chain(&turns) {
            text.push_str(line);
            text.push('\n');
        }
    }
    for section in TAIL {
        text.push_str(&sheet.section(section));
    }
    let message = Line::default()
        .word("role", "user")
        .text("content", sheet.message);
    let mark = sheet
        .boundary
        .mark(Section::Message.as_str(), "What the user says now:");
    text.push_str(&mark);
    text.push('\n');
    text.push_str(&message.finish());
    text.push('\n');
    text
}

/// A turn and the results of its calls, a line each.
pub(super) fn turn_lines(shown: &Shown<'_>) -> Vec<String> {
    let message = &shown.atom.turn.message;
    let mut line = Line::default()
        .word("role", message.role)
        .text("content", &message.content);
    let calls: Vec<Value> = shown
        .atom
        .calls
        .iter()
        .map(|(call, _)| call.to_openai())
        .collect();
    if !calls.is_empty() {
        line = line.text("calls", &Value::from(calls).to_string());
    }
    line = line.optional_text("by", message.speaker.as_deref());
    let mut lines = vec![line.word("date", message.at.day()).finish()];
    lines.extend(shown.results().map(|(id, content)| {
        let line = Line::default()
            .word("role", "tool")
            .text("content", content);
        line.text("answers", id).finish()
    }));
    lines
}
