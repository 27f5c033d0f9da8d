//! `get_context`: what a model should read to answer a message.

use memoriter::{BUDGET_TOKENS_DEFAULT, BUDGET_TOKENS_MAX, Mode, ScopedMemory};
use serde_json::Value;

use super::json_of;
use crate::mcp::arguments::Arguments;
use crate::mcp::failure::Failure;
use crate::wire::DeskWire;

pub(super) fn call(memory: &ScopedMemory, mut arguments: Arguments) -> Result<Value, Failure> {
    let session = arguments.needed_text("session")?;
    let message = arguments.needed_text("message")?;
    let bounds = (0, BUDGET_TOKENS_MAX as u64);
    let budget = arguments.whole("budget", bounds, "a whole number from 0 to 10000000")?;
    arguments.finish()?;

    let budget = budget.map(|tokens| usize::try_from(tokens).expect("it is at most 10,000,000"));
    let session = memory.session(session).mode(Mode::ReadOnly);
    let assembly = session
        .assemble(&message)
        .budget_tokens(budget.unwrap_or(BUDGET_TOKENS_DEFAULT));
    let desk = assembly.run()?;
    Ok(json_of(&DeskWire::new(
        &desk,
        assembly.full_history_tokens()?,
    )))
}
