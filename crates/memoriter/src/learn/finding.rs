//! What is found in turns: candidates of an extractor, secrets, and echoes of what was forgotten.

use memoriter_core::error::InvalidInput;
use memoriter_core::extract::{Action, Candidate, Heard};
use memoriter_core::id::TurnId;
use memoriter_core::memory::Memory;
use memoriter_core::port::{Extractor, ModelError};
use memoriter_core::provenance::SourceRef;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{Role, Turn};
use memoriter_core::write::{Decision, Reason, Teller, Trace, refuse};
use memoriter_store::{Snapshot, TurnQuery};

use crate::draft::Draft;
use crate::error::Error;
use crate::guarded::{holds_mask, lead_to_mask};
use crate::handle::ScopedMemory;
use crate::proposal::Proposal;

/// What refused a secret that no extractor found anything in.
const GUARD: &str = "guard";

/// What an extractor found in a turn.
pub(super) enum Finding {
    Proposal(Box<Proposal>),
    /// What an assistant says of the user.
    Echo(Box<Memory>, TurnId),
    /// A turn and what of it may say again what is forgotten.
    Traces(Box<Turn>, Vec<Trace>),
    /// Something that no memory can hold.
    Broken {
        reason: Reason,
        turn: TurnId,
        made_by: String,
    },
}

impl Finding {
    pub(super) fn memory(&self) -> Option<&Memory> {
        match self {
            Self::Proposal(proposal) => Some(&proposal.memory),
            Self::Echo(..) | Self::Traces(..) | Self::Broken { .. } => None,
        }
    }

    fn is_to_forget(&self) -> bool {
        matches!(self, Self::Proposal(proposal) if proposal.action.is_to_forget())
    }
}

impl ScopedMemory {
    /// What is found in new turns, which may correct or take back what was said in the turns before them.
    pub(super) fn extract_with_context(
        &self,
        extractor: &dyn Extractor,
        turns: &[Turn],
    ) -> Result<Vec<Candidate>, Error> {
        let context = self.turns_before(turns, extractor.context_turns())?;
        let count = context.len();
        let together = [context.as_slice(), turns].concat();
        let names: Vec<String> = together.iter().map(|turn| me(&together, turn)).collect();
        let found = extract(extractor, &together, &names)?;
        if context.is_empty() {
            return Ok(found);
        }
        // Whom "I" stands for must not depend on where the new turns begin.
        let said_before = extract(extractor, &context, &names)?;
        let (still, mut new): (Vec<Candidate>, Vec<Candidate>) = found
            .into_iter()
            .partition(|candidate| candidate.turn < count);
        for candidate in &mut new {
            candidate.turn -= count;
        }
        let is_said = |said: &Candidate| said.action == Action::Remember && !still.contains(said);
        let taken_back = said_before.into_iter().filter(is_said);
        let by = turns
            .iter()
            .position(|turn| turn.message.role == Role::User);
        if let Some(by) = by {
            new.extend(taken_back.map(|said| Candidate {
                turn: by,
                action: Action::Forget,
                valid_from: None,
                valid_to: None,
                // Without a key it is known by its words.
                value: match said.key {
                    Some(_) => said.value,
                    None => Some(said.statement.clone()),
                },
                ..said
            }));
        }
        Ok(new)
    }

    /// The turns in use right before these, at most `limit`.
    fn turns_before(&self, turns: &[Turn], limit: usize) -> Result<Vec<Turn>, Error> {
        let Some(first) = turns
            .first()
            .filter(|first| limit > 0 && first.position > 0)
        else {
            return Ok(Vec::new());
        };
        let limit = limit.min(first.position as usize);
        let from = first.position - u32::try_from(limit).unwrap_or(first.position);
        let query = TurnQuery::Session {
            scope: &self.scope,
            session: &first.session,
            from,
            limit,
        };
        let mut before = self.engine.store.snapshot()?.turns(query)?.rows;
        before.retain(|turn| turn.retired_at.is_none());
        Ok(before)
    }

    pub(super) fn findings(
        &self,
        turns: &[Turn],
        candidates: Vec<Candidate>,
        now: Timestamp,
    ) -> Result<Vec<Finding>, Error> {
        let mut found = Vec::new();
        for candidate in candidates {
            let Some(turn) = turns.get(candidate.turn) else {
                continue;
            };
            if lead_to_mask(&turn.message.content, &candidate.quote) {
                continue;
            }
            let made_by = candidate.made_by.clone();
            found.push(match self.proposal_of_turn(turn, candidate, now) {
                Ok(proposal) => Finding::Proposal(Box::new(self.with_near(proposal)?)),
                // What breaks a limit is no fact; the turn itself is kept and recalled.
                Err(Error::Invalid(error)) => Finding::Broken {
                    reason: reason_of(&error),
                    turn: turn.id,
                    made_by,
                },
                Err(error) => return Err(error),
            });
        }
        let tells_secret =
            |turn: &&Turn| turn.message.role == Role::User && holds_mask(&turn.message.content);
        for turn in turns.iter().filter(tells_secret) {
            let is_refused = |finding: &Finding| {
                matches!(finding, Finding::Proposal(proposal)
                    if proposal.turn() == Some(turn.id) && proposal.screening.needs_secret)
            };
            if !found.iter().any(is_refused) {
                found.push(Finding::Broken {
                    reason: Reason::Secret,
                    turn: turn.id,
                    made_by: GUARD.to_owned(),
                });
            }
        }
        found.extend(self.echoed(turns, &found, now)?);
        Ok(found)
    }

    /// What assistants say of the user, where something was forgotten that it may say again.
    fn echoed(
        &self,
        turns: &[Turn],
        found: &[Finding],
        now: Timestamp,
    ) -> Result<Vec<Finding>, Error> {
        let mut echoed = Vec::new();
        if !found.iter().any(Finding::is_to_forget)
            && !self.engine.store.snapshot()?.has_forgotten(&self.scope)?
        {
            return Ok(echoed);
        }
        for turn in turns
            .iter()
            .filter(|turn| turn.message.tool_calls.is_none())
        {
            let teller = match turn.message.role {
                Role::User => Teller::User,
                Role::Assistant => Teller::Other,
                Role::System | Role::Tool => continue,
            };
            let traces = self.forgotten_traces(&turn.message.content, teller)?;
            if !traces.is_empty() {
                echoed.push(Finding::Traces(Box::new(turn.clone()), traces));
            }
            if teller == Teller::User {
                continue;
            }
            for candidate in self.said_of_the_user(turn) {
                // What breaks a limit cannot have been remembered.
                if let Ok(proposal) = self.proposal_of_turn(turn, candidate, now) {
                    echoed.push(Finding::Echo(Box::new(proposal.memory), turn.id));
                }
            }
        }
        Ok(echoed)
    }
}

fn reason_of(error: &InvalidInput) -> Reason {
    if matches!(error, InvalidInput::OverLimit { .. }) {
        Reason::OverLimit
    } else {
        Reason::Malformed
    }
}

pub(super) fn decide_all(
    draft: &mut Draft,
    snapshot: &dyn Snapshot,
    found: &[Finding],
) -> Result<Vec<Decision>, Error> {
    let mut decisions = Vec::new();
    for finding in found {
        match finding {
            Finding::Proposal(proposal) => decisions.extend(draft.decide(snapshot, proposal)?),
            Finding::Echo(said, turn) => draft.hide_echo(snapshot, *turn, said)?,
            Finding::Traces(turn, traces) => draft.hide_trace(snapshot, turn, traces)?,
            Finding::Broken {
                reason,
                turn,
                made_by,
            } => {
                let source = Some(SourceRef::Turn(*turn));
                decisions.push(draft.note(refuse(*reason), source, Some(made_by.clone())));
            }
        }
    }
    Ok(decisions)
}

fn extract(
    extractor: &dyn Extractor,
    turns: &[Turn],
    names: &[String],
) -> Result<Vec<Candidate>, ModelError> {
    let heard: Vec<Heard<'_>> = turns
        .iter()
        .zip(names)
        .map(|(turn, me)| Heard {
            role: turn.message.role,
            origin: turn.message.origin,
            me,
            text: &turn.message.content,
            at: turn.message.at,
        })
        .collect();
    extractor.extract(&heard)
}

/// Whom "I" stands for: the user, unless several people talk here; then each by name.
fn me(turns: &[Turn], turn: &Turn) -> String {
    let is_person = |turn: &&Turn| turn.message.role == Role::User;
    let mut speakers = turns
        .iter()
        .filter(is_person)
        .map(|turn| turn.message.speaker_or_role());
    let first = speakers.next();
    let are_several = speakers.any(|speaker| Some(speaker) != first);
    if are_several {
        turn.message.speaker_or_role().to_lowercase()
    } else {
        "user".to_owned()
    }
}
