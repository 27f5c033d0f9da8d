//! A line of the file.
//!
//! Every line is an object with one field, which says what it is. The types are closed: what they do not know is an
//! error. They borrow from records on the way out and from the line on the way in.

mod attachment;
mod decision;
mod memory;
mod session;
mod value;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub(super) use self::attachment::AttachmentLine;
pub(super) use self::decision::DecisionLine;
pub(super) use self::memory::{MemoryLine, without_use};
pub(super) use self::session::{
    CheckpointLine, FieldLine, GapLine, ReadingState, SessionHead, SessionLine, TurnLine,
};

/// One line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line<'a> {
    /// The first: what the file is.
    #[serde(borrow)]
    MemoriterExport(Manifest<'a>),
    /// Whose everything is that comes, up to the next of these.
    #[serde(borrow)]
    Scope(Vec<Cow<'a, str>>),
    /// A session; its turns, fields and checkpoints follow.
    #[serde(borrow)]
    Session(Box<SessionLine<'a>>),
    /// What is kept beside the next turn.
    #[serde(borrow)]
    Attachment(Box<AttachmentLine<'a>>),
    /// Turns that are not there any more.
    Gap(GapLine),
    /// A turn.
    #[serde(borrow)]
    Turn(Box<TurnLine<'a>>),
    /// A field of a board, or what it was when a checkpoint was saved.
    #[serde(borrow)]
    Field(Box<FieldLine<'a>>),
    /// A checkpoint.
    #[serde(borrow)]
    Checkpoint(Box<CheckpointLine<'a>>),
    /// A memory.
    #[serde(borrow)]
    Memory(Box<MemoryLine<'a>>),
    /// A line of the ledger.
    #[serde(borrow)]
    Decision(Box<DecisionLine<'a>>),
    /// The last: what there was.
    #[serde(borrow)]
    End(End<'a>),
}

/// What a file is.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest<'a> {
    /// The version of this form.
    pub(super) version: u32,
    /// The format of the store that it was taken from.
    pub(super) store_format: u32,
    /// Whose memory it holds, with that of the scopes inside.
    #[serde(borrow)]
    pub(super) scope: Vec<Cow<'a, str>>,
    /// When it was taken.
    pub(super) at: Cow<'a, str>,
    /// How many records there are.
    pub(super) counts: RecordCounts,
    /// What the store holds besides, and why it is not here.
    pub(super) left_out: Vec<Cow<'a, str>>,
}

/// What there was.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End<'a> {
    /// How many records stand before this line.
    pub(super) counts: RecordCounts,
    /// Records that are there and could not be read, hence not here.
    pub(super) damaged: u64,
    /// BLAKE3 over every byte before this line, in hexadecimal.
    pub(super) blake3: Cow<'a, str>,
    /// The mark by which the store knows a file of its own, in hexadecimal.
    pub(super) seal: Cow<'a, str>,
}

/// How many records of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordCounts {
    /// Scopes: the one that was asked for and those inside it.
    pub scopes: u64,
    /// Sessions.
    pub sessions: u64,
    /// Turns.
    pub turns: u64,
    /// Attachments.
    pub attachments: u64,
    /// Fields of boards, with what checkpoints hold of them.
    pub fields: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// Memories in every state.
    pub memories: u64,
    /// Lines of the ledger.
    pub decisions: u64,
}

impl RecordCounts {
    /// Every count with its name.
    #[must_use]
    pub fn named(&self) -> [(&'static str, u64); 8] {
        [
            ("scopes", self.scopes),
            ("sessions", self.sessions),
            ("turns", self.turns),
            ("attachments", self.attachments),
            ("fields", self.fields),
            ("checkpoints", self.checkpoints),
            ("memories", self.memories),
            ("decisions", self.decisions),
        ]
    }

    /// All together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.named().iter().map(|(_, count)| count).sum()
    }
}

impl Line<'_> {
    /// What the line is, in words.
    pub(super) fn what(&self) -> &'static str {
        match self {
            Self::MemoriterExport(_) => "a manifest",
            Self::Scope(_) => "a scope",
            Self::Session(_) => "a session",
            Self::Attachment(_) => "an attachment",
            Self::Gap(_) => "a gap",
            Self::Turn(_) => "a turn",
            Self::Field(_) => "a field",
            Self::Checkpoint(_) => "a checkpoint",
            Self::Memory(_) => "a memory",
            Self::Decision(_) => "a decision",
            Self::End(_) => "the end",
        }
    }

    /// Counts the line.
    pub(super) fn count_in(&self, counts: &mut RecordCounts) {
        let count = match self {
            Self::MemoriterExport(_) | Self::Gap(_) | Self::End(_) => return,
            Self::Scope(_) => &mut counts.scopes,
            Self::Session(_) => &mut counts.sessions,
            Self::Attachment(_) => &mut counts.attachments,
            Self::Turn(_) => &mut counts.turns,
            Self::Field(_) => &mut counts.fields,
            Self::Checkpoint(_) => &mut counts.checkpoints,
            Self::Memory(_) => &mut counts.memories,
            Self::Decision(_) => &mut counts.decisions,
        };
        *count += 1;
    }
}
