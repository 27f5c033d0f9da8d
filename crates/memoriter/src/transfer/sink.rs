//! Writing lines, with the checksum over what was written.

use std::io::Write;

use super::error::TransferError;
use super::form::{End, Line, RecordCounts};
use super::{EXPORT_VERSION, seal};

/// Where lines go.
pub(super) struct Sink<'w> {
    to: &'w mut dyn Write,
    hasher: blake3::Hasher,
    line: Vec<u8>,
    counts: RecordCounts,
    /// Is told how many records are written, of how many.
    progress: &'w mut dyn FnMut(u64, u64),
    total: u64,
}

const _: () = assert!(EXPORT_VERSION == 1, "docs/export.md describes version 1");

impl<'w> Sink<'w> {
    pub(super) fn new(
        to: &'w mut dyn Write,
        progress: &'w mut dyn FnMut(u64, u64),
        total: u64,
    ) -> Self {
        Self {
            to,
            hasher: blake3::Hasher::new(),
            line: Vec::new(),
            counts: RecordCounts::default(),
            progress,
            total,
        }
    }

    /// Writes a line and counts it.
    pub(super) fn put(&mut self, line: &Line<'_>) -> Result<(), TransferError> {
        /// Records between two words on the progress.
        const TOLD_EVERY: u64 = 256;
        self.line.clear();
        serde_json::to_writer(&mut self.line, line)
            .map_err(|error| TransferError::io("writing a line")(error.into()))?;
        self.line.push(b'\n');
        self.hasher.update(&self.line);
        self.to
            .write_all(&self.line)
            .map_err(TransferError::io("writing the export"))?;
        line.count_in(&mut self.counts);
        let done = self.counts.total();
        if done.is_multiple_of(TOLD_EVERY) || done == self.total {
            (self.progress)(done, self.total);
        }
        Ok(())
    }

    /// Writes the last line.
    pub(super) fn finish(
        mut self,
        secret: &[u8; 32],
        damaged: u64,
    ) -> Result<RecordCounts, TransferError> {
        let checksum = self.hasher.finalize();
        let counts = self.counts;
        self.put(&Line::End(End {
            counts,
            damaged,
            blake3: checksum.to_hex().as_str().into(),
            seal: seal(secret, &checksum).to_hex().as_str().to_owned().into(),
        }))?;
        self.to
            .flush()
            .map_err(TransferError::io("writing the export"))?;
        Ok(counts)
    }
}
