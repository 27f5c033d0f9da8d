//! Messages of the Anthropic API.
//!
//! Content is a string or blocks. Text and tool calls of a message are one turn; each tool result in it is a
//! turn of its own with role `tool`, and each document with readable text one of origin `document`, in the
//! order of the blocks. Images and documents without text leave a note such as `[image]`. A model's thinking
//! is counted and left out: it was not said.

use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::Origin;
use memoriter_core::time::ZonedTime;
use memoriter_core::turn::{Message, NAME_BYTES_MAX, Role};
use serde_json::{Map, Value};

use super::LeftOut;
use super::chat::{Dialect, Unknown};
use super::error::ImportError;
use super::node::Node;

pub(super) struct Anthropic;

impl Dialect for Anthropic {
    fn opening(
        &self,
        conversation: Node<'_>,
        at: ZonedTime,
    ) -> Result<Option<Message>, ImportError> {
        let Some(system) = conversation.get("system")? else {
            return Ok(None);
        };
        let text = text_of(system)?;
        let some = !text.trim().is_empty();
        Ok(some.then(|| Message::new(Role::System, text, at)))
    }

    fn messages(
        &self,
        message: Node<'_>,
        at: ZonedTime,
        left_out: &mut LeftOut,
    ) -> Result<Vec<Message>, ImportError> {
        let turns = split(message, at, Unknown::Refused, left_out)?.finish();
        left_out.wordless_messages += u64::from(turns.is_empty());
        Ok(turns.into_iter().map(|(turn, _)| turn).collect())
    }
}

/// The turns of a message with how many of its blocks each ends behind; each begins where the one before ends. There is
/// one at least: of a message without words it has none.
pub(crate) fn turns_with_blocks(
    message: Node<'_>,
    at: ZonedTime,
) -> Result<Vec<(Message, usize)>, ImportError> {
    let split = split(message, at, Unknown::Noted, &mut LeftOut::default())?;
    let (role, blocks) = (split.role, split.blocks);
    let mut turns = split.finish();
    match turns.last_mut() {
        // What stands behind the last words is of their turn.
        Some((_, end)) => *end = blocks,
        None => turns.push((Message::new(role, "", at), blocks)),
    }
    Ok(turns)
}

/// The words of instructions, which are a text or blocks.
pub(crate) fn instructions(system: Node<'_>) -> Result<String, ImportError> {
    text_of(system)
}

fn split(
    message: Node<'_>,
    at: ZonedTime,
    unknown: Unknown,
    left_out: &mut LeftOut,
) -> Result<Split, ImportError> {
    let mut turns = Split::new(role(message)?, at, unknown);
    let content = message.need("content")?;
    if content.value().is_string() {
        turns.lines.push(content.text()?.to_owned());
    } else if content.value().is_array() {
        for block in content.items()? {
            turns.take(block, left_out)?;
        }
    } else {
        return Err(content.unexpected("a string or an array of blocks"));
    }
    Ok(turns)
}

fn role(message: Node<'_>) -> Result<Role, ImportError> {
    let role = message.need("role")?;
    match role.text()? {
        "user" => Ok(Role::User),
        "assistant" => Ok(Role::Assistant),
        "system" => Ok(Role::System),
        _ => Err(role.unexpected("user, assistant or system")),
    }
}

/// The blocks of a message on their way to become turns.
struct Split {
    role: Role,
    at: ZonedTime,
    unknown: Unknown,
    /// Blocks that were taken.
    blocks: usize,
    /// Turns, each with the blocks that were taken when it ended.
    done: Vec<(Message, usize)>,
    lines: Vec<String>,
    calls: Vec<Value>,
}

impl Split {
    fn new(role: Role, at: ZonedTime, unknown: Unknown) -> Self {
        Self {
            role,
            at,
            unknown,
            blocks: 0,
            done: Vec::new(),
            lines: Vec::new(),
            calls: Vec::new(),
        }
    }

    fn take(&mut self, block: Node<'_>, left_out: &mut LeftOut) -> Result<(), ImportError> {
        let kind = block.need("type")?;
        match kind.text()? {
            "text" => self.lines.push(block.need_text("text")?.to_owned()),
            "image" => self.lines.push("[image]".to_owned()),
            "container_upload" => self.lines.push("[file]".to_owned()),
            "document" | "search_result" => self.document(block)?,
            "thinking" | "redacted_thinking" => left_out.thinking_blocks += 1,
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                self.calls.push(block.value().clone());
            }
            result if result.ends_with("tool_result") => self.tool_result(block, result)?,
            _ if self.unknown == Unknown::Noted => self.lines.push(block_text(block)?),
            _ => {
                let known =
                    "a block of type text, image, document, thinking, tool_use or tool_result";
                return Err(kind.unexpected(known));
            }
        }
        self.blocks += 1;
        Ok(())
    }

    fn tool_result(&mut self, block: Node<'_>, kind: &str) -> Result<(), ImportError> {
        self.finish_turn();
        let text = match block.get("content")? {
            Some(content) => text_of(content)?,
            None => String::new(),
        };
        let failed = match block.get("is_error")? {
            Some(flag) => flag.flag()?,
            None => false,
        };
        let id = block.need("tool_use_id")?;
        let from_web = kind.starts_with("web_");
        let result = Message {
            tool_call_id: Some(id.name("tool_use_id", NAME_BYTES_MAX)?),
            origin: if from_web { Origin::Web } else { Origin::Tool },
            metadata: if failed {
                error_mark(block)?
            } else {
                Metadata::default()
            },
            ..Message::new(
                Role::Tool,
                or_note(text, || "[no output]".to_owned()),
                self.at,
            )
        };
        self.done.push((result, self.blocks + 1));
        Ok(())
    }

    /// What the user handed over is not what the user said.
    fn document(&mut self, block: Node<'_>) -> Result<(), ImportError> {
        let title = block.get_text("title")?;
        let text = document_text(block)?;
        if text.trim().is_empty() {
            self.lines.push(titled("document", title));
            return Ok(());
        }
        self.finish_turn();
        let text = match title {
            Some(title) => format!("{title}\n{text}"),
            None => text,
        };
        let document = Message {
            origin: Origin::Document,
            ..Message::new(self.role, text, self.at)
        };
        self.done.push((document, self.blocks + 1));
        Ok(())
    }

    fn finish_turn(&mut self) {
        let content = std::mem::take(&mut self.lines).join("\n");
        let calls = std::mem::take(&mut self.calls);
        if content.trim().is_empty() && calls.is_empty() {
            return;
        }
        let said = Message {
            tool_calls: (!calls.is_empty()).then_some(Value::Array(calls)),
            ..Message::new(self.role, content, self.at)
        };
        self.done.push((said, self.blocks));
    }

    fn finish(mut self) -> Vec<(Message, usize)> {
        self.finish_turn();
        self.done
    }
}

fn error_mark(block: Node<'_>) -> Result<Metadata, ImportError> {
    let mark = Map::from_iter([("is_error".to_owned(), Value::Bool(true))]);
    block.valid(Metadata::new(mark))
}

/// The text inside a document or search result; empty when it is a file, an address or an image.
fn document_text(block: Node<'_>) -> Result<String, ImportError> {
    if let Some(content) = block.get("content")? {
        return text_of(content);
    }
    let source = block.need("source")?;
    if source.value().is_string() {
        return Ok(String::new());
    }
    match source.need_text("type")? {
        "text" => source.need_text("data").map(str::to_owned),
        "content" => text_of(source.need("content")?),
        _ => Ok(String::new()),
    }
}

/// A string, a block or blocks as text, a line per block; blocks that are not text leave a note.
fn text_of(content: Node<'_>) -> Result<String, ImportError> {
    if content.value().is_string() {
        return content.text().map(str::to_owned);
    }
    if content.value().is_object() {
        return block_text(content);
    }
    let mut lines = Vec::new();
    for block in content.items()? {
        lines.push(block_text(block)?);
    }
    Ok(lines.join("\n"))
}

fn block_text(block: Node<'_>) -> Result<String, ImportError> {
    match block.need_text("type")? {
        "text" => block.need_text("text").map(str::to_owned),
        "document" | "search_result" => {
            let title = block.get_text("title")?;
            Ok(or_note(document_text(block)?, || titled("document", title)))
        }
        kind => {
            let details = [
                "title",
                "url",
                "stdout",
                "stderr",
                "error_code",
                "tool_name",
            ];
            let mut told = Vec::new();
            for field in details {
                told.extend(block.get(field)?.and_then(|node| node.value().as_str()));
            }
            let told = told.join(" ");
            Ok(titled(
                kind,
                Some(told.as_str()).filter(|told| !told.trim().is_empty()),
            ))
        }
    }
}

fn or_note(text: String, note: impl FnOnce() -> String) -> String {
    if text.trim().is_empty() { note() } else { text }
}

fn titled(what: &str, title: Option<&str>) -> String {
    match title {
        Some(title) => format!("[{what}: {title}]"),
        None => format!("[{what}]"),
    }
}
