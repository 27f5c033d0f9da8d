//! What every back end refuses before it begins.

use memoriter_core::attachment::check_bytes;
use memoriter_core::board::{BOARD_FIELDS_MAX, BOARD_NAMES_MAX};
use memoriter_core::error::{InvalidInput, check_some_text};
use memoriter_core::id::ChangeNumber;
use memoriter_core::turn::NAME_BYTES_MAX;

use crate::error::StoreError;
use crate::store::{
    ATTACHMENT_PART_BYTES, EXTRACTION_ERROR_BYTES_MAX, NewAttachment, StoredVector, Write,
};

/// Records a unit may touch: a unit is one transaction in memory, and while it is applied others wait.
pub(super) const UNIT_RECORDS_MAX: usize = 16_384;
/// Components a vector may have: twice the largest common model.
const DIMENSIONS_MAX: usize = 8_192;

/// Checks the limits of a whole unit.
pub(super) fn check_unit(unit: &[Write]) -> Result<(), StoreError> {
    let records = unit.iter().map(record_count).sum();
    if records > UNIT_RECORDS_MAX {
        return Err(StoreError::Invalid(InvalidInput::OverLimit {
            field: "unit",
            got: records,
            limit: UNIT_RECORDS_MAX,
            unit: "records",
        }));
    }
    unit.iter().try_for_each(|write| Ok(check_write(write)?))
}

fn record_count(write: &Write) -> usize {
    match write {
        // A part of an attachment is a row.
        Write::AppendTurn(turn) => {
            let parts = |new: &NewAttachment| new.bytes.len().div_ceil(ATTACHMENT_PART_BYTES);
            1 + turn.attachments.iter().map(parts).sum::<usize>()
        }
        Write::InsertMemory { .. }
        | Write::UpdateMemory { .. }
        | Write::SetExtraction(_)
        | Write::LogDecision(_)
        | Write::PutSpan { .. }
        | Write::CountUsage(_)
        | Write::PutField { .. }
        | Write::SetMode { .. }
        | Write::SkipPositions { .. }
        | Write::ForkSession(_)
        | Write::SaveCheckpoint(_)
        | Write::Answer(_)
        | Write::PutReceipt { .. }
        | Write::Audit(_) => 1,
        Write::RemoveCheckpoints { ids, .. } => ids.len(),
        Write::Erase(erasure) => erasure.len(),
        Write::PutVectors(vectors) => vectors.len(),
        Write::MarkRecalled { ids, .. } => ids.len(),
        Write::RetireTurns { ids, .. } => ids.len(),
        Write::QueueExtraction { turns, .. } => turns.len(),
        Write::Forget { marks, .. } => marks.len(),
    }
}

fn check_write(write: &Write) -> Result<(), InvalidInput> {
    match write {
        Write::AppendTurn(turn) => {
            turn.message.check()?;
            turn.attachments.iter().try_for_each(check_attachment)?;
            turn.vector.iter().try_for_each(check_vector)
        }
        Write::InsertMemory { memory, vector } => {
            memory.check()?;
            vector.iter().try_for_each(check_vector)
        }
        Write::UpdateMemory { memory, .. } => memory.check(),
        Write::PutVectors(vectors) => vectors
            .iter()
            .try_for_each(|(_, vector)| check_vector(vector)),
        Write::SetExtraction(update) => match &update.error {
            Some(error) => check_some_text("error", error, EXTRACTION_ERROR_BYTES_MAX),
            None => Ok(()),
        },
        Write::LogDecision(record) => match &record.made_by {
            Some(name) => check_some_text("made_by", name, NAME_BYTES_MAX),
            None => Ok(()),
        },
        Write::CountUsage(row) => check_some_text("purpose", &row.purpose, NAME_BYTES_MAX),
        Write::PutSpan { span, .. } => check_some_text("made_by", &span.made_by, NAME_BYTES_MAX),
        Write::PutField { field, .. } => field.check(),
        Write::SaveCheckpoint(new) => new.kept(ChangeNumber::default(), 0).check(),
        Write::Answer(new) => new.answered.check(),
        Write::MarkRecalled { .. }
        | Write::RetireTurns { .. }
        | Write::QueueExtraction { .. }
        | Write::SetMode { .. }
        | Write::SkipPositions { .. }
        | Write::ForkSession(_)
        | Write::RemoveCheckpoints { .. }
        | Write::Erase(_)
        | Write::PutReceipt { .. }
        | Write::Audit(_)
        | Write::Forget { .. } => Ok(()),
    }
}

fn check_attachment(new: &NewAttachment) -> Result<(), InvalidInput> {
    check_bytes(new.bytes.len())?;
    match &new.name {
        Some(name) => check_some_text("name", name, NAME_BYTES_MAX),
        None => Ok(()),
    }
}

fn check_vector(stored: &StoredVector) -> Result<(), InvalidInput> {
    let vector = &stored.vector;
    if vector.codes.len() > DIMENSIONS_MAX {
        return Err(InvalidInput::OverLimit {
            field: "vector",
            got: vector.codes.len(),
            limit: DIMENSIONS_MAX,
            unit: "dimensions",
        });
    }
    if vector.codes.iter().all(|code| *code == 0) {
        return Err(InvalidInput::Empty { field: "vector" });
    }
    if !(vector.scale.is_finite() && vector.scale > 0.0) {
        return Err(InvalidInput::malformed(
            "vector scale",
            "a number above 0",
            &vector.scale.to_string(),
        ));
    }
    Ok(())
}

/// The error of a vector whose length is not its model's.
pub(super) fn wrong_dimensions(expected: usize, got: usize) -> StoreError {
    StoreError::Invalid(InvalidInput::malformed(
        "vector",
        "as long as the others of its model",
        &format!("{got} dimensions instead of {expected}"),
    ))
}

/// The error of a board that would have more fields, or names, than one may.
pub(super) fn full_board(field: &'static str, got: usize, limit: usize) -> StoreError {
    StoreError::Invalid(InvalidInput::OverLimit {
        field,
        got,
        limit,
        unit: "fields",
    })
}

/// Whether a board with so many live fields and names can take a further one: `is_known` where its name is known.
pub(super) fn check_board(live: usize, names: usize, is_known: bool) -> Result<(), StoreError> {
    if live >= BOARD_FIELDS_MAX {
        return Err(full_board("board", live + 1, BOARD_FIELDS_MAX));
    }
    if !is_known && names >= BOARD_NAMES_MAX {
        return Err(full_board("names of a board", names + 1, BOARD_NAMES_MAX));
    }
    Ok(())
}
