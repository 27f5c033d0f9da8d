//! `forget_memory`: takes memories out of use. Only what is named exactly: a model finds ids by searching, and a guess at
//! what somebody means would cost a memory.

use std::str::FromStr;

use memoriter::core::id::{MemoryId, TurnId};
use memoriter::core::memory::{FactKey, Memory};
use memoriter::store::StoreError;
use memoriter::tools::ITEMS_MAX;
use memoriter::{Decision, DecisionKind, Error, Right, ScopedMemory};
use serde_json::{Value, json};

use crate::mcp::arguments::{Arguments, missing};
use crate::mcp::failure::Failure;

pub(super) fn call(memory: &ScopedMemory, mut arguments: Arguments) -> Result<Value, Failure> {
    let ids = arguments.words("id", MemoryId::from_str)?;
    let key = arguments.word("key", FactKey::from_str)?;
    arguments.finish()?;
    let decisions = match key {
        Some(_) if !ids.is_empty() => {
            let message = "give id or key, not both";
            return Err(Failure::caller("malformed", message).field("key"));
        }
        Some(key) => by_key(memory, &key)?,
        None if ids.is_empty() => {
            return Err(missing("id").hint("give id or key; search_memory gives ids"));
        }
        None => by_id(memory, ids)?,
    };
    let gone = decisions.iter().filter(|decision| is_gone(decision));
    let gone: Vec<String> = gone
        .filter_map(|decision| decision.id)
        .map(|id| id.to_string())
        .collect();
    Ok(json!({ "retired": gone }))
}

fn is_gone(decision: &Decision) -> bool {
    decision.kind == DecisionKind::Delete
}

/// Whether the connection may read: one that may only write or delete is told less of what is there.
pub(super) fn may_look(memory: &ScopedMemory) -> bool {
    memory.access().rights().has(Right::Read)
}

fn by_key(memory: &ScopedMemory, key: &FactKey) -> Result<Vec<Decision>, Failure> {
    let is_there = !may_look(memory) || !memory.live_under(key)?.is_empty();
    let decisions = if is_there {
        memory.forget_key(key, memory.now())?
    } else {
        Vec::new()
    };
    if !decisions.iter().any(is_gone) {
        let message = format!("nothing is known under {key} here");
        return Err(Failure::caller("no_such_key", message).field("key").hint(
            "search_memory shows keys; what it finds elsewhere cannot be forgotten from here",
        ));
    }
    Ok(decisions)
}

fn by_id(memory: &ScopedMemory, mut ids: Vec<MemoryId>) -> Result<Vec<Decision>, Failure> {
    ids.sort_unstable();
    ids.dedup();
    if ids.len() > ITEMS_MAX {
        let message = format!("id has {} ids, over the limit of {ITEMS_MAX}", ids.len());
        return Err(Failure::caller("over_limit", message).field("id"));
    }
    if may_look(memory) {
        for id in &ids {
            own(memory, *id)?;
        }
    }
    Ok(memory.retire(&ids)?)
}

/// A memory that this connection may change: one of its own scope. The others can be read from here.
pub(super) fn own(memory: &ScopedMemory, id: MemoryId) -> Result<Memory, Failure> {
    match memory.get(id) {
        Ok(found) if found.scope == *memory.scope() => Ok(found),
        Ok(found) => {
            let message = format!(
                "{id} is a memory of {}, not of {}",
                found.scope,
                memory.scope()
            );
            Err(Failure::caller("no_such_memory", message)
                .field("id")
                .hint("it can be read from here, and changed only where it belongs: tell the user"))
        }
        Err(error @ Error::Store(StoreError::NoSuchMemory { .. })) => {
            let turn = memory.turn(TurnId::from_bytes(*id.as_bytes()))?;
            if turn.is_none() {
                return Err(Failure::from(error).field("id"));
            }
            let message =
                format!("{id} is a turn of a conversation, and only memories can be changed");
            Err(Failure::caller("is_a_turn", message).field("id"))
        }
        Err(error) => Err(error.into()),
    }
}
