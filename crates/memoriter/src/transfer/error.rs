//! What can be wrong with a file of an export.

use std::io;

use memoriter_core::error::{Diagnose, Fault, InvalidInput};

/// Why a file could not be written or taken in. Where it names a line, that counts from 1; nothing was written into
/// the store unless the message says so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransferError {
    /// The system failed.
    #[error("{doing} failed")]
    Io {
        /// The operation, in words.
        doing: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The file does not begin with a manifest.
    #[error("line 1: not an export of memoriter: {why}")]
    NotAnExport {
        /// What stands there.
        why: String,
    },
    /// A newer program wrote the file.
    #[error(
        "line 1: the file has version {found}, newer than the {supported} that this program can read"
    )]
    NewerVersion {
        /// Its version.
        found: u32,
        /// The newest version known here.
        supported: u32,
    },
    /// The file is about somebody else.
    #[error("line {line}: the file holds {found}, not {wanted}")]
    OtherScope {
        /// The line.
        line: u64,
        /// Whose memory it holds.
        found: String,
        /// Whose memory it was to be taken into.
        wanted: String,
    },
    /// A line is longer than any record could be.
    #[error("line {line}: over the limit of {limit} bytes")]
    TooLong {
        /// The line.
        line: u64,
        /// The largest allowed size.
        limit: usize,
    },
    /// A line is nested deeper than any record could be.
    #[error("line {line}: over the limit of {limit} levels")]
    TooDeep {
        /// The line.
        line: u64,
        /// The largest allowed depth.
        limit: usize,
    },
    /// A line is no record.
    #[error("line {line}: {why}")]
    Malformed {
        /// The line.
        line: u64,
        /// What the parser met.
        why: String,
    },
    /// A line is a record that breaks a rule of the vocabulary.
    #[error("line {line}: {invalid}")]
    Invalid {
        /// The line.
        line: u64,
        /// The broken rule.
        #[source]
        invalid: InvalidInput,
    },
    /// A line stands where it cannot.
    #[error("line {line}: {what} stands here, and {expected}")]
    Misplaced {
        /// The line.
        line: u64,
        /// What stands there.
        what: &'static str,
        /// What must come first, in words.
        expected: &'static str,
    },
    /// The file ends too soon.
    #[error("the file ends at line {line} without its last line: it is cut off")]
    CutOff {
        /// The last line.
        line: u64,
    },
    /// The file holds another number of records than it says.
    #[error("line {line}: the file says {expected} {what}, and holds {found}")]
    WrongCount {
        /// The last line.
        line: u64,
        /// What is counted.
        what: &'static str,
        /// What the last line says.
        expected: u64,
        /// What there is.
        found: u64,
    },
    /// The bytes are not those that were written.
    #[error("line {line}: the checksum does not fit: the file was changed or is damaged")]
    WrongChecksum {
        /// The last line.
        line: u64,
    },
    /// The file is no longer what was checked.
    #[error("line {line}: the file changed while it was read; what comes before is taken in")]
    Changed {
        /// The line.
        line: u64,
    },
}

impl TransferError {
    /// The system failed in the middle of something.
    pub(super) fn io(doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, source }
    }
}

impl Diagnose for TransferError {
    fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "file_failed",
            Self::NotAnExport { .. } => "not_an_export",
            Self::NewerVersion { .. } => "newer_version",
            Self::OtherScope { .. } => "other_scope",
            Self::TooLong { .. } | Self::TooDeep { .. } => "over_limit",
            Self::Malformed { .. } => "malformed_line",
            Self::Invalid { invalid, .. } => invalid.code(),
            Self::Misplaced { .. } => "misplaced_line",
            Self::CutOff { .. } => "cut_off",
            Self::WrongCount { .. } => "wrong_count",
            Self::WrongChecksum { .. } => "wrong_checksum",
            Self::Changed { .. } => "file_changed",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Io { .. } | Self::Changed { .. } => Fault::Environment,
            Self::OtherScope { .. } => Fault::Refused,
            Self::NotAnExport { .. }
            | Self::NewerVersion { .. }
            | Self::TooLong { .. }
            | Self::TooDeep { .. }
            | Self::Malformed { .. }
            | Self::Invalid { .. }
            | Self::Misplaced { .. }
            | Self::CutOff { .. }
            | Self::WrongCount { .. }
            | Self::WrongChecksum { .. } => Fault::Caller,
        }
    }

    fn field(&self) -> Option<&str> {
        match self {
            Self::Invalid { invalid, .. } => invalid.field(),
            Self::OtherScope { .. } => Some("scope"),
            Self::WrongCount { what, .. } => Some(what),
            Self::Io { .. }
            | Self::NotAnExport { .. }
            | Self::NewerVersion { .. }
            | Self::TooLong { .. }
            | Self::TooDeep { .. }
            | Self::Malformed { .. }
            | Self::Misplaced { .. }
            | Self::CutOff { .. }
            | Self::WrongChecksum { .. }
            | Self::Changed { .. } => None,
        }
    }
}
