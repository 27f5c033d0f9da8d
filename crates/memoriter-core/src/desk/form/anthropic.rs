//! System blocks and messages of Anthropic's API.
//!
//! Messages take turns between `user` and `assistant` and begin with `user`, so turns of one side in a row share a
//! message. The cache is marked after the profile, after the spans and after the turns.

use serde_json::{Value, json};

use super::{HEAD, MESSAGE_TOKENS, Piece, Reader, Rendering, Sheet, Shown, TAIL};
use crate::desk::call::ToolCall;
use crate::desk::section::Section;
use crate::port::TokenCounter;
use crate::turn::Role;

/// What stands where the first turn is of the assistant.
const EARLIER: &str = "earlier";

pub(super) fn render(sheet: &Sheet<'_>) -> Rendering {
    let mut system = Vec::new();
    if !sheet.system.is_empty() {
        system.push(text_block(sheet.system));
    }
    let [instructions, procedures, profile, spans] = HEAD.map(|section| sheet.section(section));
    for text in [[instructions, procedures, profile].concat(), spans] {
        if !text.is_empty() {
            system.push(text_block(&text));
        }
        mark_cache(system.last_mut());
    }
    let mut messages: Vec<Value> = Vec::new();
    if sheet
        .turns
        .first()
        .is_some_and(|first| first.atom.turn.message.role == Role::Assistant)
    {
        let mark = sheet.boundary.mark(EARLIER, "Earlier turns are left out.");
        push(&mut messages, "user", [text_block(&mark)]);
    }
    for (role, blocks) in sheet.turns.iter().flat_map(sides) {
        push(&mut messages, role, blocks);
    }
    let last_turn = messages
        .last_mut()
        .and_then(|message| message.get_mut("content"));
    mark_cache(
        last_turn
            .and_then(Value::as_array_mut)
            .and_then(|blocks| blocks.last_mut()),
    );
    let tail: String = TAIL.map(|section| sheet.section(section)).concat();
    let tail = (!tail.is_empty()).then(|| text_block(&tail));
    push(
        &mut messages,
        "user",
        tail.into_iter().chain([text_block(sheet.message)]),
    );
    Rendering::Anthropic { system, messages }
}

/// A turn and the results of its calls as messages, for counting.
pub(super) fn messages(shown: &Shown<'_>) -> Vec<Value> {
    let sides = sides(shown).into_iter();
    sides
        .map(|(role, blocks)| json!({"role": role, "content": blocks}))
        .collect()
}

fn sides(shown: &Shown<'_>) -> Vec<(&'static str, Vec<Value>)> {
    let message = &shown.atom.turn.message;
    let role = match message.role {
        Role::Assistant => "assistant",
        Role::User | Role::System | Role::Tool => "user",
    };
    let mut blocks = Vec::new();
    // The service takes no empty texts.
    if !message.content.trim().is_empty() {
        blocks.push(text_block(&message.content));
    }
    blocks.extend(shown.atom.calls.iter().map(|(call, _)| call.to_anthropic()));
    let results: Vec<Value> = shown
        .results()
        .map(|(id, content)| json!({"type": "tool_result", "tool_use_id": id, "content": content}))
        .collect();
    let mut sides = vec![(role, blocks)];
    if !results.is_empty() {
        sides.push(("user", results));
    }
    sides
}

fn text_block(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn mark_cache(block: Option<&mut Value>) {
    if let Some(block) = block.and_then(Value::as_object_mut) {
        block.insert("cache_control".to_owned(), json!({"type": "ephemeral"}));
    }
}

/// Adds blocks to the last message where that is of the same side, else a message.
fn push(messages: &mut Vec<Value>, role: &str, blocks: impl IntoIterator<Item = Value>) {
    let same = messages
        .last_mut()
        .filter(|last| last.get("role").is_some_and(|last| last == role));
    let content = same.and_then(|last| last.get_mut("content")?.as_array_mut());
    if let Some(content) = content {
        content.extend(blocks);
    } else {
        let blocks: Vec<Value> = blocks.into_iter().collect();
        messages.push(json!({"role": role, "content": blocks}));
    }
}

/// Tokens of a message.
pub(super) fn count(message: &Value, counter: &dyn TokenCounter) -> usize {
    let blocks = message
        .get("content")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    MESSAGE_TOKENS
        + blocks
            .map(|block| count_block(block, counter))
            .sum::<usize>()
}

/// Tokens of a block.
pub(super) fn count_block(block: &Value, counter: &dyn TokenCounter) -> usize {
    let text = |name: &str| {
        block
            .get(name)
            .and_then(Value::as_str)
            .map_or(0, |text| counter.count(text))
    };
    match block.get("type").and_then(Value::as_str) {
        Some("text") => text("text"),
        Some("tool_result") => text("tool_use_id") + text("content"),
        _ => {
            let mut call = block.clone();
            if let Some(call) = call.as_object_mut() {
                call.remove("cache_control");
            }
            counter.count(&call.to_string())
        }
    }
}

pub(super) fn read(
    system: &[Value],
    messages: &[Value],
    reader: &Reader<'_>,
) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    for (at, block) in system.iter().enumerate() {
        let text = block.get("text")?.as_str()?;
        let is_quoted = text
            .lines()
            .next()
            .is_some_and(|line| reader.boundary.name_in(line).is_some());
        if at == 0 && !is_quoted {
            pieces.push(reader.free(Section::System, text));
        } else {
            pieces.extend(reader.marked(text)?);
        }
    }
    let (last, before) = messages.split_last()?;
    for message in before {
        read_turns(message, blocks(message)?, reader, &mut pieces)?;
    }
    let (message, rest) = blocks(last)?.split_last()?;
    let quoted = rest.last().and_then(|block| block.get("text")?.as_str());
    let quoted = quoted.filter(|text| {
        let name = reader
            .boundary
            .name_in(text.lines().next().unwrap_or_default());
        name.is_some_and(|name| name != EARLIER)
    });
    let turns = rest.get(..rest.len() - usize::from(quoted.is_some()))?;
    read_turns(last, turns, reader, &mut pieces)?;
    if let Some(quoted) = quoted {
        pieces.extend(reader.marked(quoted)?);
    }
    pieces.push(reader.free(Section::Message, message.get("text")?.as_str()?));
    Some(pieces)
}

fn blocks(message: &Value) -> Option<&[Value]> {
    Some(message.get("content")?.as_array()?.as_slice())
}

/// Turns out of the blocks of a message: a text, with the calls behind it, or a result each.
fn read_turns(
    message: &Value,
    blocks: &[Value],
    reader: &Reader<'_>,
    pieces: &mut Vec<Piece>,
) -> Option<()> {
    let role = message.get("role")?.as_str()?;
    for (at, block) in blocks.iter().enumerate() {
        // What the message itself costs goes with its first block.
        let message_tokens = MESSAGE_TOKENS * usize::from(at == 0);
        let tokens = message_tokens + count_block(block, reader.counter);
        let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let fields = match block.get("type")?.as_str()? {
            "text" => {
                let text = block.get("text")?.as_str()?;
                if reader.boundary.name_in(text) == Some(EARLIER) {
                    continue;
                }
                vec![field("role", role), field("content", text)]
            }
            "tool_result" => vec![
                field("role", "tool"),
                field("content", block.get("content")?.as_str()?),
                field("answers", block.get("tool_use_id")?.as_str()?),
            ],
            _ => {
                let calls = ToolCall::of(&Value::from(vec![block.clone()]));
                let calls: Vec<Value> = calls.iter().map(ToolCall::to_openai).collect();
                vec![
                    field("role", role),
                    field("calls", &Value::from(calls).to_string()),
                ]
            }
        };
        pieces.push(Piece {
            section: Section::Turns,
            fields,
            tokens,
        });
    }
    Some(())
}
