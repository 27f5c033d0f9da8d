//! Records and counters to lay out.

use serde_json::{Value, json};

use crate::desk::{BoardField, Boundary, Form, Material, Plan};
use crate::id::{ChangeNumber, MemoryId, TurnId};
use crate::memory::{Cardinality, Confidence, FactKey, Importance, Kind, Memory, State, Tier};
use crate::metadata::Metadata;
use crate::port::TokenCounter;
use crate::provenance::{Origin, Status};
use crate::scope::Scope;
use crate::time::{DAY_MICROS, Timestamp, ZonedTime};
use crate::turn::{Message, Role, SessionName, Turn};

/// A token for four bytes, so that figures can be told by looking.
pub(super) struct Quarters;

impl TokenCounter for Quarters {
    fn name(&self) -> &'static str {
        "quarters"
    }

    fn count(&self, text: &str) -> usize {
        text.len().div_ceil(4)
    }
}

/// Counts that do not add up: a short whole has fewer tokens than its parts, a long one more.
pub(super) struct Uneven;

impl TokenCounter for Uneven {
    fn name(&self) -> &'static str {
        "uneven"
    }

    fn count(&self, text: &str) -> usize {
        if text.is_empty() {
            return 0;
        }
        let odd = usize::from(blake3::hash(text.as_bytes()).as_bytes()[0] % 23);
        text.len() / 3 + 1 + odd + text.len().pow(2) / 30_000
    }
}

pub(super) fn day(number: i64) -> ZonedTime {
    ZonedTime::utc(Timestamp::from_micros(number * DAY_MICROS))
}

fn bytes(kind: u8, number: usize) -> [u8; 16] {
    let mut bytes = [kind; 16];
    bytes[8..].copy_from_slice(&u64::try_from(number).unwrap().to_be_bytes());
    bytes
}

pub(super) fn memory(number: usize, statement: &str) -> Memory {
    Memory {
        id: MemoryId::from_bytes(bytes(1, number)),
        scope: Scope::user("priya"),
        kind: Kind::Semantic,
        category: None,
        key: None,
        value: None,
        statement: statement.to_owned(),
        attempt: None,
        state: State::Live,
        tier: Tier::Hot,
        importance: Importance::DEFAULT,
        confidence: Confidence::FULL,
        status: Status::Stated,
        origin: Origin::User,
        trust: Origin::User.trust(),
        actor: None,
        sources: Vec::new(),
        valid_from: day(20_000),
        valid_to: None,
        told_to: None,
        recorded_at: day(20_000).instant,
        retired_at: None,
        expires_at: None,
        last_recalled_at: None,
        recall_count: 0,
        last_confirmed_at: None,
        confirmations: 0,
        supersedes: None,
        superseded_by: None,
        version: 1,
        metadata: Metadata::default(),
        pinned_at: None,
        change: ChangeNumber(0),
    }
}

pub(super) fn fact(number: usize, attribute: &str, statement: &str) -> Memory {
    Memory {
        key: Some((
            FactKey::new("user", attribute).unwrap(),
            Cardinality::Single,
        )),
        ..memory(number, statement)
    }
}

pub(super) fn turn(position: u32, role: Role, content: &str) -> Turn {
    Turn {
        id: TurnId::from_bytes(bytes(2, position as usize)),
        scope: Scope::user("priya"),
        session: SessionName::new("s1").unwrap(),
        position,
        message: Message::new(role, content, day(20_001)),
        recorded_at: day(20_001).instant,
        retired_at: None,
        change: ChangeNumber(0),
    }
}

/// A turn that calls tools, by the ids of the calls.
pub(super) fn calling(position: u32, ids: &[&str]) -> Turn {
    let mut turn = turn(position, Role::Assistant, "");
    let call = |id: &&str| json!({"id": id, "type": "function", "function": {"name": "look", "arguments": "{}"}});
    turn.message.tool_calls = Some(Value::from(ids.iter().map(call).collect::<Vec<_>>()));
    turn
}

pub(super) fn result(position: u32, id: &str, content: &str) -> Turn {
    let mut turn = turn(position, Role::Tool, content);
    turn.message.tool_call_id = Some(id.to_owned());
    turn
}

/// A protected field.
pub(super) fn field(name: &str, value: Value) -> BoardField {
    BoardField {
        is_protected: true,
        at: Timestamp::from_micros(0),
        name: name.to_owned(),
        value,
        revision: 1,
    }
}

pub(super) fn plan(budget_tokens: usize, form: Form) -> Plan {
    Plan {
        form,
        ..Plan::new(budget_tokens, Boundary::from_seed(b"s1"))
    }
}

/// Nothing but a message.
pub(super) fn bare(message: &str) -> Material<'_> {
    Material {
        system: "",
        instructions: &[],
        procedures: &[],
        profile: &[],
        spans: &[],
        turns: &[],
        board: &[],
        recalled: &[],
        message,
    }
}
