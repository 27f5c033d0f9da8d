//! Names for conversations that have none.
//!
//! They are named after their file, and files of different folders can share a name. So a name that is taken is
//! looked into. Where the kept session and the conversation say the same as far as both go, the file is read
//! again or has grown, and the conversation goes on there. Otherwise it gets `~2` behind its name, and so on.

use std::collections::HashMap;

use memoriter::core::turn::{Message, SessionName};
use memoriter::import::ImportedTurn;
use memoriter::{Error, ScopedMemory};

use crate::failure::Failure;

/// Kept turns that are compared at a time; other conversations differ early.
const COMPARED_TURNS: usize = 8;

/// The names of the conversations of one file.
#[derive(Default)]
pub(super) struct Names {
    /// By the name that comes from the file.
    given: HashMap<SessionName, SessionName>,
    /// The first conversation that could not have the file's name: that name, and the one it got.
    first_renamed: Option<(SessionName, SessionName)>,
    renamed: u64,
}

impl Names {
    /// Gives the turns' conversations their names. A conversation is compared by as much of it as is in its
    /// first batch.
    pub(super) fn give(
        &mut self,
        memory: &ScopedMemory,
        turns: &mut [ImportedTurn],
    ) -> Result<(), Failure> {
        for conversation in turns.chunk_by_mut(|one, next| one.draft.session == next.draft.session)
        {
            let Some(first) = conversation.first() else {
                continue;
            };
            let from_file = first.draft.session.clone();
            let name = match self.given.get(&from_file) {
                Some(name) => name.clone(),
                None => self.choose(memory, &from_file, conversation)?,
            };
            for turn in &mut *conversation {
                turn.draft.session = name.clone();
            }
            self.given.insert(from_file, name);
        }
        Ok(())
    }

    fn choose(
        &mut self,
        memory: &ScopedMemory,
        from_file: &SessionName,
        conversation: &[ImportedTurn],
    ) -> Result<SessionName, Failure> {
        let mut name = from_file.clone();
        let mut number = 1;
        while !fits(memory, &name, conversation)? {
            number += 1;
            name = SessionName::new(format!("{}~{number}", from_file.as_str()))?;
        }
        if name != *from_file {
            self.renamed += 1;
            self.first_renamed
                .get_or_insert_with(|| (from_file.clone(), name.clone()));
        }
        Ok(name)
    }

    /// Says which conversations did not get the name of their file.
    pub(super) fn told(&self) -> Option<String> {
        let (wanted, got) = self.first_renamed.as_ref()?;
        let (wanted, got) = (wanted.as_str(), got.as_str());
        Some(match self.renamed {
            1 => {
                format!("session {wanted} holds another conversation, so this one is kept as {got}")
            }
            renamed => format!(
                "sessions such as {wanted} hold other conversations, so {renamed} are kept under names such as {got}"
            ),
        })
    }
}

/// Whether there is no session of this name, or it and the conversation say the same as far as both go.
fn fits(
    memory: &ScopedMemory,
    name: &SessionName,
    conversation: &[ImportedTurn],
) -> Result<bool, Failure> {
    let said: Vec<&Message> = conversation
        .iter()
        .map(|turn| &turn.draft.message)
        .collect();
    for (from, part) in (0..)
        .step_by(COMPARED_TURNS)
        .zip(said.chunks(COMPARED_TURNS))
    {
        let rows = match memory.turns(name, from, part.len()) {
            Ok(rows) => rows,
            Err(Error::NoSuchSession { .. }) => return Ok(true),
            Err(error) => return Err(error.into()),
        };
        let differs = rows.rows.iter().any(|turn| {
            let other = part.get((turn.position - from) as usize);
            other.is_some_and(|other| {
                (other.role, &other.content) != (turn.message.role, &turn.message.content)
            })
        });
        if differs {
            return Ok(false);
        }
        if rows.rows.len() + rows.damaged.len() < part.len() {
            break;
        }
    }
    Ok(true)
}
