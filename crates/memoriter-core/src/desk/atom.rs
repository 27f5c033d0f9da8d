//! Turns that stay together.

use std::collections::{HashMap, HashSet};

use super::call::ToolCall;
use crate::turn::{Role, Turn};

/// Turns that are on the desk together or not at all: one turn, or a turn with tool calls and the results of all
/// of them, in the order of the calls.
#[derive(Clone, Debug)]
pub(super) struct Atom<'m> {
    pub(super) turn: &'m Turn,
    /// Its calls with their results.
    pub(super) calls: Vec<(ToolCall, &'m Turn)>,
}

/// The turns of a session, sorted.
#[derive(Debug, Default)]
pub(super) struct Atoms<'m> {
    /// In the order of their first turns.
    pub(super) said: Vec<Atom<'m>>,
    /// Calls without result and results without call.
    pub(super) unpaired: Vec<&'m Turn>,
    /// Turns that somebody asked to forget.
    pub(super) retired: Vec<&'m Turn>,
}

impl Atom<'_> {
    pub(super) fn position(&self) -> u32 {
        self.turn.position
    }

    /// The turn with the results of its calls.
    pub(super) fn turns(&self) -> impl Iterator<Item = &Turn> {
        std::iter::once(self.turn).chain(self.calls.iter().map(|(_, result)| *result))
    }
}

impl<'m> Atoms<'m> {
    /// Sorts turns. A result answers the latest call of its id before it that has none. A call that has no result is
    /// left out; its turn stays where it says something besides.
    pub(super) fn of(turns: &'m [Turn]) -> Self {
        let mut atoms = Self::default();
        let results = results(turns);
        let answers: HashSet<u32> = results.values().map(|result| result.position).collect();
        for (place, turn) in turns.iter().enumerate() {
            let calls = turn.message.tool_calls.as_ref().map(ToolCall::of);
            let calls: Vec<ToolCall> = calls.unwrap_or_default();
            let count = calls.len();
            let answered: Vec<(ToolCall, &Turn)> = calls
                .into_iter()
                .enumerate()
                .filter_map(|(number, call)| Some((call, *results.get(&(place, number))?)))
                .collect();
            if answered.len() < count {
                atoms.unpaired.push(turn);
            }
            atoms.sort_in(turn, answered, answers.contains(&turn.position));
        }
        atoms
    }

    fn sort_in(&mut self, turn: &'m Turn, calls: Vec<(ToolCall, &'m Turn)>, is_answer: bool) {
        match turn.message.role {
            // Instructions are another section's.
            Role::System => {}
            // A result is with its call.
            Role::Tool if is_answer => {}
            Role::Tool => self.unpaired.push(turn),
            Role::User | Role::Assistant if turn.retired_at.is_some() => self.retired.push(turn),
            Role::User | Role::Assistant => {
                let said_nothing = turn.message.content.trim().is_empty();
                if calls.iter().any(|(_, result)| result.retired_at.is_some()) {
                    self.retired.push(turn);
                } else if !(calls.is_empty() && said_nothing) {
                    self.said.push(Atom { turn, calls });
                }
            }
        }
    }
}

/// The result of each call, by the place of its turn and its number in it.
fn results(turns: &[Turn]) -> HashMap<(usize, usize), &Turn> {
    let mut open: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    let mut results = HashMap::new();
    for (place, turn) in turns.iter().enumerate() {
        if turn.message.role == Role::Tool {
            let id = turn.message.tool_call_id.as_deref().unwrap_or_default();
            if let Some(call) = open.get_mut(id).and_then(Vec::pop) {
                results.insert(call, turn);
            }
        } else if let Some(calls) = &turn.message.tool_calls {
            for (number, call) in ToolCall::of(calls).into_iter().enumerate() {
                open.entry(call.id).or_default().push((place, number));
            }
        }
    }
    results
}
