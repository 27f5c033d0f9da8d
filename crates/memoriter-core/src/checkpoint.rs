//! Checkpoints: the state of a run, to go on from after a crash or when a person has answered.
//!
//! A checkpoint continues the same run; long-term memory informs a different one. No recall finds a checkpoint. It holds
//! the caller's bytes, and says which board and which turns belong to them: both are kept once, whatever refers to them.

use serde_json::Value;

use crate::error::{InvalidInput, check_some_text};
use crate::id::{ChangeNumber, CheckpointId};
use crate::metadata::holds_nul;
use crate::provenance::words;
use crate::scope::Scope;
use crate::time::Timestamp;
use crate::turn::{NAME_BYTES_MAX, SessionName};

/// Bytes that a checkpoint may hold: they go through memory as a whole, and through one transaction.
pub const CHECKPOINT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes of a question to a person: as a question to recall.
pub const CHECKPOINT_QUESTION_BYTES_MAX: usize = 8 * 1024;
/// Bytes of JSON that say what is asked for, such as the arguments of a tool call: as a field of a board.
pub const ASKED_FOR_BYTES_MAX: usize = 64 * 1024;

words! {
    /// What a person said to a question.
    Answer, "answer", "approved or rejected" {
        /// Yes.
        Approved = "approved",
        /// No.
        Rejected = "rejected",
    }
}

/// An answer and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// What was said.
    pub answer: Answer,
    /// By whom, if that was told.
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// A question on which a run waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// What a person is asked.
    pub question: String,
    /// What would be done.
    pub asked_for: Option<Value>,
    /// What was said to it; `None` while nobody has.
    pub answered: Option<Answered>,
}

/// A state of a run, without its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Its id.
    pub id: CheckpointId,
    /// Who it belongs to.
    pub scope: Scope,
    /// The session whose run it is.
    pub session: SessionName,
    /// The newest change that it knows of: which board it means.
    pub as_of: ChangeNumber,
    /// How many turns the session had.
    pub turns: u32,
    /// The caller's word for the form of the bytes, such as `json`.
    pub kind: String,
    /// How many bytes it holds.
    pub data_bytes: u64,
    /// The checkpoint before it; it may be gone.
    pub parent: Option<CheckpointId>,
    /// The caller's name for it.
    pub label: Option<String>,
    /// What it waits for.
    pub approval: Option<Approval>,
    /// When it was saved.
    pub at: Timestamp,
}

impl Checkpoint {
    /// Whether it waits for a person.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.approval
            .as_ref()
            .is_some_and(|approval| approval.answered.is_none())
    }

    /// Checks every limit.
    ///
    /// # Errors
    /// [`InvalidInput`] naming the field and the limit.
    pub fn check(&self) -> Result<(), InvalidInput> {
        check_some_text("type", &self.kind, NAME_BYTES_MAX)?;
        if let Some(label) = &self.label {
            check_some_text("label", label, NAME_BYTES_MAX)?;
        }
        let bytes = usize::try_from(self.data_bytes).unwrap_or(usize::MAX);
        check_size("data", bytes, CHECKPOINT_BYTES_MAX)?;
        let Some(approval) = &self.approval else {
            return Ok(());
        };
        check_some_text(
            "question",
            &approval.question,
            CHECKPOINT_QUESTION_BYTES_MAX,
        )?;
        if let Some(asked_for) = &approval.asked_for {
            check_size(
                "asked_for",
                asked_for.to_string().len(),
                ASKED_FOR_BYTES_MAX,
            )?;
            if holds_nul(asked_for) {
                return Err(InvalidInput::Nul {
                    field: "asked_for",
                    at: 0,
                });
            }
        }
        approval.answered.iter().try_for_each(Answered::check)
    }
}

impl Answered {
    /// Checks every limit.
    ///
    /// # Errors
    /// [`InvalidInput`] naming the field and the limit.
    pub fn check(&self) -> Result<(), InvalidInput> {
        match &self.by {
            Some(by) => check_some_text("answered_by", by, NAME_BYTES_MAX),
            None => Ok(()),
        }
    }
}

fn check_size(field: &'static str, got: usize, limit: usize) -> Result<(), InvalidInput> {
    if got > limit {
        return Err(InvalidInput::OverLimit {
            field,
            got,
            limit,
            unit: "bytes",
        });
    }
    Ok(())
}

/// Which checkpoints may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruning {
    /// So many of the newest stay; `None` names no number.
    pub keep: Option<usize>,
    /// Those saved at this time or later stay; `None` names no time.
    pub older_than: Option<Timestamp>,
    /// Whether one that waits for a person may go.
    pub with_pending: bool,
}

/// The checkpoints of a session that go: those that no condition of `pruning` keeps. The newest always stays, and so
/// does what waits for a person unless `pruning` says otherwise. `checkpoints` are oldest first, and so is the answer.
#[must_use]
pub fn prunable(checkpoints: &[Checkpoint], pruning: Pruning) -> Vec<CheckpointId> {
    let newest = pruning.keep.unwrap_or(0).max(1);
    let older = checkpoints.len().saturating_sub(newest);
    let goes = |checkpoint: &&Checkpoint| {
        let is_old = pruning.older_than.is_none_or(|time| checkpoint.at < time);
        is_old && (pruning.with_pending || !checkpoint.is_pending())
    };
    let old = checkpoints.iter().take(older).filter(goes);
    old.map(|checkpoint| checkpoint.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint(number: u8) -> Checkpoint {
        Checkpoint {
            id: CheckpointId::from_bytes([number; 16]),
            scope: Scope::user("priya"),
            session: SessionName::new("s1").unwrap(),
            as_of: ChangeNumber(1),
            turns: 0,
            kind: "json".into(),
            data_bytes: 2,
            parent: None,
            label: None,
            approval: None,
            at: Timestamp::from_micros(i64::from(number) * 10),
        }
    }

    #[test]
    fn pruning_keeps_what_any_condition_keeps() {
        let mut all: Vec<Checkpoint> = (1..=6).map(checkpoint).collect();
        all[1].approval = Some(Approval {
            question: "Deploy?".into(),
            asked_for: None,
            answered: None,
        });
        let check = |pruning, expected: &[u8]| {
            let gone: Vec<u8> = prunable(&all, pruning)
                .iter()
                .map(|id| id.as_bytes()[0])
                .collect();
            assert_eq!(gone, expected, "{pruning:?}");
        };
        let keep = |keep| Pruning {
            keep: Some(keep),
            ..Pruning::default()
        };
        check(keep(3), &[1, 3]);
        check(keep(0), &[1, 3, 4, 5]);
        check(
            Pruning {
                with_pending: true,
                ..keep(3)
            },
            &[1, 2, 3],
        );
        let older_than = Some(Timestamp::from_micros(40));
        check(
            Pruning {
                older_than,
                ..Pruning::default()
            },
            &[1, 3],
        );
        check(
            Pruning {
                older_than,
                ..keep(5)
            },
            &[1],
        );
        check(keep(usize::MAX), &[]);
        let late = Some(Timestamp::from_micros(1_000));
        check(
            Pruning {
                older_than: late,
                ..Pruning::default()
            },
            &[1, 3, 4, 5],
        );
    }

    #[test]
    fn limits_are_named() {
        let over = Checkpoint {
            data_bytes: 16_777_217,
            ..checkpoint(1)
        };
        let error = over.check().unwrap_err();
        assert_eq!(
            error.to_string(),
            "data is 16777217 bytes, over the limit of 16777216 bytes"
        );
        assert!(
            Checkpoint {
                kind: " ".into(),
                ..checkpoint(1)
            }
            .check()
            .is_err()
        );
        assert!(
            Checkpoint {
                label: Some("l".repeat(257)),
                ..checkpoint(1)
            }
            .check()
            .is_err()
        );
        let approval = |question: &str, asked_for| Checkpoint {
            approval: Some(Approval {
                question: question.into(),
                asked_for,
                answered: None,
            }),
            ..checkpoint(1)
        };
        assert!(
            approval("Deploy?", Some(serde_json::json!({"to": "prod"})))
                .check()
                .is_ok()
        );
        assert!(approval("", None).check().is_err());
        assert!(
            approval("Deploy?", Some(serde_json::json!("a\0")))
                .check()
                .is_err()
        );
    }
}
