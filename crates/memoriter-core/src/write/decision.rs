//! The outcome of reconciling, for callers and logs.

use crate::id::MemoryId;
use crate::memory::{Memory, State};
use crate::provenance::words;

words! {
    /// What was decided about a candidate.
    DecisionKind, "decision", "ADD, UPDATE, SKIP, DELETE, REFUSE, ASK, QUARANTINE or BACKFILL" {
        /// Stored as new.
        Add = "ADD",
        /// Stored, and takes the place of another.
        Update = "UPDATE",
        /// Known already.
        Skip = "SKIP",
        /// The user asked for it to go.
        Delete = "DELETE",
        /// Must never be stored.
        Refuse = "REFUSE",
        /// Waits for confirmation.
        Ask = "ASK",
        /// Held back as untrusted.
        Quarantine = "QUARANTINE",
        /// True earlier, not now: stored as history.
        Backfill = "BACKFILL",
    }
}

words! {
    /// Why; a stable code for programs.
    Reason, "reason", "a reason code" {
        /// Nothing is known under the key.
        NewKey = "new_key",
        /// The set does not hold this value.
        NewValue = "new_value",
        /// Nobody said this before.
        NewText = "new_text",
        /// The last value under the key is past its time.
        LastExpired = "last_expired",
        /// Another value, true from the same time or later.
        NewerValue = "newer_value",
        /// Another value, true for a bounded time: what it covers comes back afterwards.
        ForATime = "for_a_time",
        /// True at a later time than now.
        TrueLater = "true_later",
        /// The same is live, and an end, an expiry, metadata, an outcome or the like came with it.
        NewDetails = "new_details",
        /// The same value is live.
        KnownValue = "known_value",
        /// The same statement is live.
        KnownText = "known_text",
        /// Another value, true from an earlier time than one that is known.
        EarlierValue = "earlier_value",
        /// Another value, and that it was true then is known.
        KnownThen = "known_then",
        /// The same waits for a person.
        KnownPending = "known_pending",
        /// Its time is over.
        Over = "over",
        /// The live value has more trust.
        LowerTrust = "lower_trust",
        /// A conclusion against something that was said.
        InferredAgainstStated = "inferred_against_stated",
        /// A conclusion that whoever drew it is not sure of.
        LowConfidence = "low_confidence",
        /// It may mean the same as a value that is true since the same time.
        Unclear = "unclear",
        /// A language model says that it means what is known.
        JudgedSame = "judged_same",
        /// A language model says that it is true instead of what is known.
        JudgedUpdate = "judged_update",
        /// A language model says that it and what is known cannot both be true.
        JudgedContradiction = "judged_contradiction",
        /// The speaker asked for it to be forgotten after it was said.
        Forgotten = "forgotten",
        /// Nothing is known of what shall be forgotten; it will not be taken from older texts.
        NothingToForget = "nothing_to_forget",
        /// Nothing that is live is meant.
        NothingToEnd = "nothing_to_end",
        /// What it says is true no longer.
        Ended = "ended",
        /// A part of it is longer than a memory may hold.
        OverLimit = "over_limit",
        /// It has no text, or ends before it begins.
        Malformed = "malformed",
        /// It needs something that must not be stored: a secret, or what the operator blocks.
        Secret = "secret",
        /// It was read, not told, and reads like an instruction.
        InstructionLike = "instruction_like",
        /// A person approved it.
        Approved = "approved",
        /// A person rejected it.
        Rejected = "rejected",
        /// A person rejected the same before.
        RejectedBefore = "rejected_before",
        /// It was read, not told.
        UntrustedOrigin = "untrusted_origin",
        /// A correction by the caller.
        Correction = "correction",
        /// It is not clear what somebody wants forgotten.
        UnclearRequest = "unclear_request",
        /// The caller asked for it to go.
        Requested = "requested",
        /// It was told in one sentence with something that is forgotten.
        Reworded = "reworded",
    }
}

impl Reason {
    /// The reason as a sentence for people.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NewKey => "Nothing was known under this key.",
            Self::NewValue => "The set did not hold this value.",
            Self::NewText => "Nothing like it was known word for word.",
            Self::LastExpired => "The last value under this key is past its time.",
            Self::NewerValue => {
                "It is true from the same time on as the value before it, or later."
            }
            Self::ForATime => {
                "It is true for a time; the value before it comes back when that is over."
            }
            Self::TrueLater => "It is true from a later time on; until then nothing changes.",
            Self::NewDetails => "The same is known; what came with it is new.",
            Self::KnownValue => "The same value is known; this counts as a confirmation.",
            Self::KnownText => "The same statement is known; this counts as a confirmation.",
            Self::EarlierValue => "It was true before another value, so it is history.",
            Self::KnownThen => "That it was true then is known.",
            Self::KnownPending => "The same waits for a person already.",
            Self::Over => "Its time is over, so it is history.",
            Self::LowerTrust => {
                "The current value comes from a more trusted origin, so a person has to decide."
            }
            Self::InferredAgainstStated => {
                "It is a conclusion and the current value was stated, so a person has to decide."
            }
            Self::LowConfidence => {
                "It is a conclusion that is not sure enough, so a person has to decide."
            }
            Self::Unclear => "It may mean the same as what is known, so a person has to decide.",
            Self::JudgedSame => "A language model says that it means what is known.",
            Self::JudgedUpdate => {
                "A language model says that it is true instead of what was known."
            }
            Self::JudgedContradiction => {
                "A language model says that it and what is known cannot both be true, so a person has to decide."
            }
            Self::Forgotten => "It was said before somebody asked to forget it.",
            Self::NothingToForget => {
                "Nothing like it is known; older texts will not bring it back."
            }
            Self::NothingToEnd => {
                "Nothing like it is known to be true now; older texts will not change that."
            }
            Self::Ended => "It is true no longer; it stays as history.",
            Self::OverLimit => {
                "A part of it is over a limit: statement, value and quote have 8 KiB, a label 128 bytes."
            }
            Self::Malformed => "It has no text, or ends before it begins.",
            Self::Secret => {
                "It holds a secret, which is never stored; what needs it is not remembered."
            }
            Self::InstructionLike => "It was read, not told, and reads like an instruction.",
            Self::Approved => "A person approved it.",
            Self::Rejected => "A person rejected it.",
            Self::RejectedBefore => "A person rejected the same before.",
            Self::UntrustedOrigin => "It was read, not told, so a person has to approve it.",
            Self::Correction => "It corrects the version before it.",
            Self::UnclearRequest => {
                "It is not clear what shall be forgotten, so nothing was; say it by name, key or id."
            }
            Self::Requested => "It was taken out of use on request.",
            Self::Reworded => {
                "It was told in one sentence with something that is forgotten, so it is kept in other words."
            }
        }
    }
}

/// What was decided about one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The decision.
    pub kind: DecisionKind,
    /// Why.
    pub reason: Reason,
    /// The memory that holds the content now: the new one, or the one that was known; `None` where there is
    /// none, as for what was refused.
    pub id: Option<MemoryId>,
    /// What it took the place of.
    pub supersedes: Option<MemoryId>,
}

/// A decision and the rows that carry it out.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// The decision.
    pub decision: Decision,
    /// The memory to add.
    pub insert: Option<Memory>,
    /// Memories to replace, each as it shall be, with the change number at which it was read.
    pub updates: Vec<Memory>,
}

impl Resolution {
    /// The memory that is live with it: a new one, or the known one that it confirms.
    #[must_use]
    pub fn live(&self) -> Option<&Memory> {
        let about =
            |memory: &&Memory| memory.state == State::Live && Some(memory.id) == self.decision.id;
        self.insert
            .as_ref()
            .into_iter()
            .chain(&self.updates)
            .find(about)
    }

    /// The same with what is pinned kept pinned: a memory that takes the place of a pinned one is.
    #[must_use]
    pub fn keeping_pins(mut self) -> Self {
        if let Some(new) = &mut self.insert
            && new.state == State::Live
        {
            let replaced = self
                .updates
                .iter()
                .filter(|old| old.superseded_by == Some(new.id) || new.supersedes == Some(old.id));
            let pinned = replaced.filter_map(|old| old.pinned_at).min();
            new.pinned_at = new.pinned_at.or(pinned);
        }
        self
    }
}
