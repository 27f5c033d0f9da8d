//! `get_memory`: one record with everything that is known about it, or a part of what a handle leads to.

use std::str::FromStr;

use memoriter::core::id::{MemoryId, TurnId};
use memoriter::core::memory::{Memory, State};
use memoriter::store::StoreError;
use memoriter::tools::{FetchAttachment, FetchTurns, STRETCH_BYTES_MAX, StretchAnswer, TurnAnswer};
use memoriter::{Error, ScopedMemory};
use serde::Serialize;
use serde_json::Value;

use super::{NOTE, json_of};
use crate::mcp::arguments::Arguments;
use crate::mcp::failure::Failure;
use crate::wire::MemoryWire;

/// One of the three.
#[derive(Default, Serialize)]
struct GotWire {
    note: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<MemoryWire>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<TurnAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<StretchAnswer>,
}

pub(super) fn call(memory: &ScopedMemory, mut arguments: Arguments) -> Result<Value, Failure> {
    let id = arguments.needed_text("id")?;
    let most = u64::try_from(STRETCH_BYTES_MAX).expect("the limit is small");
    let offset = arguments.whole(
        "offset",
        (0, u64::from(u32::MAX)),
        "a whole number, 0 or more",
    )?;
    let length = arguments.whole("length", (4, most), "a whole number from 4 to 65536")?;
    arguments.finish()?;
    let got = if id.contains(':') {
        part(memory, id, offset, length)?
    } else if offset.is_some() || length.is_some() {
        let message = "offset and length go with a handle (attachment:ID or turn:ID)";
        return Err(Failure::caller("malformed", message).field("id"));
    } else {
        record(memory, &id)?
    };
    Ok(json_of(&GotWire { note: NOTE, ..got }))
}

fn part(
    memory: &ScopedMemory,
    handle: String,
    offset: Option<u64>,
    length: Option<u64>,
) -> Result<GotWire, Failure> {
    let number = |given: u64| usize::try_from(given).expect("it has at most 32 bits");
    let request = FetchAttachment {
        handle,
        offset: offset.map(number),
        length: length.map(number),
    };
    Ok(GotWire {
        part: Some(memory.tools().fetch_attachment(&request)?),
        ..GotWire::default()
    })
}

fn record(memory: &ScopedMemory, id: &str) -> Result<GotWire, Failure> {
    let id = MemoryId::from_str(id)?;
    match memory.get(id) {
        Ok(found) => Ok(GotWire {
            memory: Some(MemoryWire::from(&shown(found)?)),
            ..GotWire::default()
        }),
        Err(error @ Error::Store(StoreError::NoSuchMemory { .. })) => {
            let turn = TurnId::from_bytes(*id.as_bytes()).to_string();
            let request = FetchTurns {
                ids: Some(vec![turn]),
                ..FetchTurns::default()
            };
            let turn = memory
                .tools()
                .fetch_turns(&request)?
                .turns
                .into_iter()
                .next();
            let turn = turn.ok_or(error)?;
            Ok(GotWire {
                turn: Some(turn),
                ..GotWire::default()
            })
        }
        Err(error) => Err(error.into()),
    }
}

/// A memory that a model may read. The owner of a store sees the others, too; a model would use what somebody asked to
/// forget, or obey what is held because it speaks to models.
fn shown(memory: Memory) -> Result<Memory, Failure> {
    let id = memory.id;
    match memory.state {
        State::Live | State::Dormant | State::Pending | State::Superseded | State::Expired => {
            Ok(memory)
        }
        State::Retracted => {
            let message = format!("memory {id} was taken out of use, and is not shown");
            Err(Failure::caller("forgotten", message).field("id"))
        }
        State::Quarantined => {
            let message = format!(
                "memory {id} waits for a person: it reads like an instruction to a model, and is not shown"
            );
            Err(Failure::caller("quarantined", message).field("id"))
        }
    }
}
