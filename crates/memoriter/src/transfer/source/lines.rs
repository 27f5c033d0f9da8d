//! Lines of text within limits, with a checksum.

use std::io::{BufRead as _, BufReader, Read};

use blake3::{Hash, Hasher};

use super::super::error::TransferError;
use super::super::{DEPTH_MAX, LINE_BYTES_MAX};
use crate::import::json_depth;

/// The lines of a file, one at a time, with the checksum over those before the one that was read last.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    /// The line that was read last, from 1.
    pub(super) number: u64,
    line: String,
    hasher: Hasher,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        /// What a disk gives at once.
        const BUFFER_BYTES: usize = 256 * 1024;
        Self {
            input: BufReader::with_capacity(BUFFER_BYTES, input),
            number: 0,
            line: String::new(),
            hasher: Hasher::new(),
        }
    }

    /// Reads the next line, if there is one.
    pub(super) fn advance(&mut self) -> Result<bool, TransferError> {
        self.hasher.update(self.line.as_bytes());
        let mut bytes = std::mem::take(&mut self.line).into_bytes();
        bytes.clear();
        let most = LINE_BYTES_MAX as u64 + 1;
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut bytes);
        if read.map_err(TransferError::io("reading the file"))? == 0 {
            return Ok(false);
        }
        self.number += 1;
        let line = self.number;
        if bytes.len() > LINE_BYTES_MAX {
            let limit = LINE_BYTES_MAX;
            return Err(TransferError::TooLong { line, limit });
        }
        if json_depth(&bytes) > DEPTH_MAX {
            let limit = DEPTH_MAX;
            return Err(TransferError::TooDeep { line, limit });
        }
        self.line = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            let why = format!("byte {at} is not UTF-8");
            TransferError::Malformed { line, why }
        })?;
        Ok(true)
    }

    pub(super) fn text(&self) -> &str {
        &self.line
    }

    pub(super) fn checksum(&self) -> Hash {
        self.hasher.finalize()
    }
}
