//! Turns and sessions.

use memoriter::core::attachment::Attachment;
use memoriter::core::turn::Turn;
use memoriter::store::SessionSummary;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::DamageWire;

/// A turn of a conversation.
#[derive(Serialize, ToSchema)]
pub struct TurnWire {
    id: String,
    session: String,
    position: u32,
    role: &'static str,
    speaker: Option<String>,
    content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
    origin: &'static str,
    at: String,
    recorded_at: String,
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    metadata: Map<String, Value>,
}

/// Sessions, oldest first.
#[derive(Serialize, ToSchema)]
pub struct SessionsWire {
    /// Oldest first.
    pub sessions: Vec<SessionSummaryWire>,
}

/// A session and how much is in it.
#[derive(Serialize, ToSchema)]
pub struct SessionSummaryWire {
    name: String,
    turns: u64,
    first_at: Option<String>,
    last_at: Option<String>,
    mode: &'static str,
    fields: u64,
    checkpoints: u64,
}

/// A run of a session's turns.
#[derive(Serialize, ToSchema)]
pub struct SessionWire {
    /// Its name.
    pub session: String,
    /// In order.
    pub turns: Vec<TurnWire>,
    /// Those of these turns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<AttachmentWire>,
    /// The position to go on from; nothing at the end.
    pub next_from: Option<u32>,
    /// Turns that are there and cannot be served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<DamageWire>,
}

/// An attachment without its bytes.
#[derive(Serialize, ToSchema)]
pub struct AttachmentWire {
    handle: String,
    session: String,
    turn: String,
    media_type: String,
    name: Option<String>,
    bytes: usize,
    recorded_at: String,
}

impl From<&Attachment> for AttachmentWire {
    fn from(attachment: &Attachment) -> Self {
        Self {
            handle: attachment.handle().to_string(),
            session: attachment.session.as_str().to_owned(),
            turn: attachment.turn.to_string(),
            media_type: attachment.media_type.to_string(),
            name: attachment.name.clone(),
            bytes: attachment.bytes,
            recorded_at: attachment.recorded_at.to_string(),
        }
    }
}

impl From<&Turn> for TurnWire {
    fn from(turn: &Turn) -> Self {
        let message = &turn.message;
        Self {
            id: turn.id.to_string(),
            session: turn.session.as_str().to_owned(),
            position: turn.position,
            role: message.role.as_str(),
            speaker: message.speaker.clone(),
            content: message.content.clone(),
            tool_calls: message.tool_calls.clone(),
            tool_call_id: message.tool_call_id.clone(),
            origin: message.origin.as_str(),
            at: message.at.instant.to_string(),
            recorded_at: turn.recorded_at.to_string(),
            metadata: message.metadata.as_object().clone(),
        }
    }
}

impl From<&SessionSummary> for SessionSummaryWire {
    fn from(summary: &SessionSummary) -> Self {
        Self {
            name: summary.name.as_str().to_owned(),
            turns: summary.turns,
            first_at: summary.first_at.map(|at| at.instant.to_string()),
            last_at: summary.last_at.map(|at| at.instant.to_string()),
            mode: summary.mode.as_str(),
            fields: summary.fields,
            checkpoints: summary.checkpoints,
        }
    }
}
