//! From SQLite's errors to ours.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::error::StoreError;

/// What went wrong inside a transaction.
pub(super) enum Failure {
    /// The unit cannot be applied; the file is fine.
    Refused(StoreError),
    /// SQLite failed.
    Sql(rusqlite::Error),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Refused(error)
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

/// Says what an error of SQLite means for the caller. `doing` is the operation, such as `reading`.
pub(super) fn explain(error: &rusqlite::Error, path: &Path, doing: &str) -> StoreError {
    let damaged = || StoreError::Damaged {
        place: path.display().to_string(),
        why: words(error),
    };
    // Our SQL fits our schema, so a table, column or index is gone.
    if words(error).starts_with("no such ") {
        return damaged();
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy {
            path: path.to_owned(),
        },
        Some(ErrorCode::DiskFull) => StoreError::Full {
            path: path.to_owned(),
        },
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly {
            path: path.to_owned(),
        },
        // A file that is not ours is found out before it is used. Only a bound on a scan that does not end
        // interrupts.
        Some(
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::OperationInterrupted,
        ) => damaged(),
        _ => StoreError::System {
            doing: format!("{doing} {}", path.display()),
            why: words(error),
        },
    }
}

/// The error in words, without the SQL that met it.
pub(super) fn words(error: &rusqlite::Error) -> String {
    if let rusqlite::Error::SqlInputError { msg, .. } = error {
        return msg.clone();
    }
    error.to_string()
}

/// Whether the transaction as a whole cannot go on after this error, other units of it included.
pub(super) fn ends_transaction(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::DatabaseCorrupt
                | ErrorCode::OutOfMemory
                | ErrorCode::DatabaseBusy
                | ErrorCode::OperationInterrupted
                | ErrorCode::CannotOpen
                | ErrorCode::NotADatabase
        )
    )
}

/// Whether a commit that failed like this changed nothing, given that its transaction could be rolled back:
/// the commit record was not written, so there is nothing for a later recovery to find.
pub(super) fn leaves_nothing(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DiskFull | ErrorCode::DatabaseBusy | ErrorCode::ConstraintViolation)
    )
}

/// Whether a row was refused because another holds its id or place.
pub(super) fn is_taken(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}
