//! What a model gets back.

use memoriter_core::attachment::Handle;
use memoriter_core::memory::Memory;
use memoriter_core::message::media;
use memoriter_core::turn::Turn;
use serde::Serialize;
use serde_json::Value;

use super::{FOUND_BYTES_MAX, TEXT_BYTES_MAX, begun};
use crate::attached::{Stretch, is_text};
use crate::block::BlockEdit;
use crate::recall::{Recalled, Record};

/// What stands for the words of a turn that somebody asked to forget.
const FORGOTTEN: &str = "[forgotten on request]";

/// The answer of `search`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchAnswer {
    /// Best first.
    pub results: Vec<FoundAnswer>,
    /// How many records were looked at.
    pub considered: usize,
}

/// A memory or turn that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundAnswer {
    /// The id, where it is a memory: for `pin`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// The id, where it is a turn: for `fetch_turns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// What it says, or the beginning of it.
    pub text: String,
    /// Bytes of all of the text, where only its beginning is here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_bytes: Option<usize>,
    /// What reads the rest of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// The fact key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Whether it is pinned.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// The version, for `edit_block`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// Where it comes from.
    pub origin: &'static str,
    /// The day of which it tells.
    pub date: String,
    /// 0 to 1.
    pub score: f32,
}

impl From<&Recalled> for FoundAnswer {
    fn from(recalled: &Recalled) -> Self {
        let whole = recalled.text();
        let turn = match &recalled.record {
            Record::Turn(turn) => Some(&**turn),
            Record::Memory(_) => None,
        };
        let (text, handle) = begun(whole, turn, FOUND_BYTES_MAX);
        let text_bytes = (text.len() < whole.len()).then_some(whole.len());
        let score = recalled.score;
        match &recalled.record {
            Record::Memory(memory) => Self {
                memory: Some(memory.id.to_string()),
                turn: None,
                text,
                text_bytes,
                handle,
                key: memory.fact_key().map(ToString::to_string),
                pinned: memory.pinned_at.is_some(),
                version: Some(memory.version),
                origin: memory.origin.as_str(),
                date: memory.valid_from.day().to_string(),
                score,
            },
            Record::Turn(turn) => Self {
                memory: None,
                turn: Some(turn.id.to_string()),
                text,
                text_bytes,
                handle,
                key: None,
                pinned: false,
                version: None,
                origin: turn.message.origin.as_str(),
                date: turn.message.at.day().to_string(),
                score,
            },
        }
    }
}

/// The answer of `fetch_turns`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TurnsAnswer {
    /// In the order asked for, or of the session.
    pub turns: Vec<TurnAnswer>,
    /// Where the session goes on; nothing at its end.
    pub next_from: Option<u32>,
    /// Ids under which there is no turn here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TurnAnswer {
    /// Its id.
    pub turn: String,
    /// Its session.
    pub session: String,
    /// Its place in it.
    pub position: u32,
    /// Who speaks.
    pub role: &'static str,
    /// By name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// What was said, or the beginning of it.
    pub content: String,
    /// Bytes of all of it, where only the beginning is here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_bytes: Option<usize>,
    /// What reads the rest of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// Calls of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Value>,
    /// The call that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// Where it comes from.
    pub origin: &'static str,
    /// When it was said.
    pub at: String,
}

impl From<&Turn> for TurnAnswer {
    fn from(turn: &Turn) -> Self {
        let message = &turn.message;
        let is_forgotten = turn.retired_at.is_some();
        let whole = if is_forgotten {
            FORGOTTEN
        } else {
            &message.content
        };
        let (content, handle) = begun(whole, Some(turn), TEXT_BYTES_MAX);
        Self {
            turn: turn.id.to_string(),
            session: turn.session.as_str().to_owned(),
            position: turn.position,
            role: message.role.as_str(),
            speaker: message.speaker.clone(),
            content_bytes: (content.len() < whole.len()).then_some(whole.len()),
            content,
            handle,
            tool_calls: message.tool_calls.clone().filter(|_| !is_forgotten),
            tool_call_id: message.tool_call_id.clone(),
            origin: message.origin.as_str(),
            at: message.at.to_string(),
        }
    }
}

/// The answer of `fetch_attachment`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StretchAnswer {
    /// The handle.
    pub handle: String,
    /// What kind of thing it is.
    pub media_type: String,
    /// Bytes of all of it.
    pub total_bytes: usize,
    /// Where this part begins.
    pub offset: usize,
    /// Bytes of this part.
    pub bytes: usize,
    /// The part, where it is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The part, where it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// Where to go on; nothing at the end.
    pub next_offset: Option<usize>,
}

impl StretchAnswer {
    pub(super) fn new(handle: Handle, stretch: &Stretch) -> Self {
        let text = if is_text(&stretch.media_type) {
            String::from_utf8(stretch.bytes.clone()).ok()
        } else {
            None
        };
        Self {
            handle: handle.to_string(),
            media_type: stretch.media_type.to_string(),
            total_bytes: stretch.total_bytes,
            offset: stretch.offset,
            bytes: stretch.bytes.len(),
            base64: text.is_none().then(|| media::encode(&stretch.bytes)),
            text,
            next_offset: stretch.next_offset(),
        }
    }
}

/// The answer of `pin` and `unpin`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PinAnswer {
    /// The memory.
    pub id: String,
    /// What it says.
    pub statement: String,
    /// Whether it is pinned now.
    pub pinned: bool,
}

impl From<&Memory> for PinAnswer {
    fn from(memory: &Memory) -> Self {
        Self {
            id: memory.id.to_string(),
            statement: memory.statement.clone(),
            pinned: memory.pinned_at.is_some(),
        }
    }
}

/// The answer of `edit_block`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockAnswer {
    /// The block.
    pub name: String,
    /// The decision: ADD, UPDATE, SKIP, ASK, QUARANTINE or REFUSE. Only after the first two does the block say the new
    /// text.
    pub decision: &'static str,
    /// Why, in a sentence.
    pub why: &'static str,
    /// The version that stands now; 0 where there is none.
    pub version: u32,
    /// What the block says now.
    pub text: Option<String>,
}

impl BlockAnswer {
    pub(super) fn new(name: &str, edit: &BlockEdit) -> Self {
        let block = edit.block.as_ref();
        Self {
            name: name.to_owned(),
            decision: edit.decision.kind.as_str(),
            why: edit.decision.reason.sentence(),
            version: block.map_or(0, |block| block.version),
            text: block.map(|block| block.value_or_statement().to_owned()),
        }
    }
}
