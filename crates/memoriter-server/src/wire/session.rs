//! Boards and checkpoints.

use memoriter::core::board::Field;
use memoriter::core::checkpoint::Checkpoint;
use memoriter::core::provenance::SourceRef;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{DamageWire, text_of};

/// A field of a board.
#[derive(Serialize, ToSchema)]
pub struct FieldWire {
    name: String,
    value: Option<Value>,
    revision: u64,
    #[serde(rename = "type")]
    kind: &'static str,
    rule: &'static str,
    owner: Option<String>,
    protected: bool,
    /// The memory or turn that the value was taken from.
    source: Option<FieldSourceWire>,
    actor: Option<String>,
    at: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FieldSourceWire {
    Memory(String),
    Turn(String),
}

/// Every field of a board, by name.
#[derive(Serialize, ToSchema)]
pub struct BoardWire {
    /// Its name.
    pub session: String,
    /// By name.
    pub fields: Vec<FieldWire>,
    /// Fields that are there and cannot be served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<DamageWire>,
}

/// A state of a run, without its bytes.
#[derive(Serialize, ToSchema)]
pub struct CheckpointWire {
    id: String,
    session: String,
    #[serde(rename = "type")]
    kind: String,
    bytes: u64,
    turns: u32,
    as_of: u64,
    parent: Option<String>,
    label: Option<String>,
    approval: Option<ApprovalWire>,
    at: String,
}

#[derive(Serialize, ToSchema)]
struct ApprovalWire {
    question: String,
    asked_for: Option<Value>,
    answer: Option<&'static str>,
    answered_by: Option<String>,
    answered_at: Option<String>,
}

impl From<&Field> for FieldWire {
    fn from(field: &Field) -> Self {
        Self {
            name: field.name.clone(),
            value: field.value.clone(),
            revision: field.revision,
            kind: field.terms.kind.as_str(),
            rule: field.terms.rule.as_str(),
            owner: field.terms.owner.clone(),
            protected: field.terms.is_protected,
            source: field.source.map(|source| match source {
                SourceRef::Memory(id) => FieldSourceWire::Memory(id.to_string()),
                SourceRef::Turn(id) => FieldSourceWire::Turn(id.to_string()),
            }),
            actor: field.actor.clone(),
            at: field.at.to_string(),
        }
    }
}

impl From<&Checkpoint> for CheckpointWire {
    fn from(checkpoint: &Checkpoint) -> Self {
        let approval = checkpoint.approval.as_ref().map(|approval| {
            let answered = approval.answered.as_ref();
            ApprovalWire {
                question: approval.question.clone(),
                asked_for: approval.asked_for.clone(),
                answer: answered.map(|answered| answered.answer.as_str()),
                answered_by: answered.and_then(|answered| answered.by.clone()),
                answered_at: answered.map(|answered| answered.at.to_string()),
            }
        });
        Self {
            id: checkpoint.id.to_string(),
            session: checkpoint.session.as_str().to_owned(),
            kind: checkpoint.kind.clone(),
            bytes: checkpoint.data_bytes,
            turns: checkpoint.turns,
            as_of: checkpoint.as_of.0,
            parent: text_of(checkpoint.parent.as_ref()),
            label: checkpoint.label.clone(),
            approval,
            at: checkpoint.at.to_string(),
        }
    }
}
