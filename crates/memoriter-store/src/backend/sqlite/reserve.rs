//! Space on the disk that is kept for erasing: what somebody wants gone must go where the disk is full, too.
//!
//! A file beside the store holds as much as writing back the log adds to it, and a little more. Before a commit it grows
//! with what the commit adds; where it cannot, the disk is full and the commit is refused. An erasure that finds the disk
//! full lets go of it: then the log can be written back and cut to nothing, which gives back what that held.

use std::io::Write as _;
use std::path::Path;

use super::file;
use crate::error::StoreError;

/// Bytes beside what the log needs: the pages that an erasure writes while a reader keeps the log as it is.
const RESERVE_BYTES: u64 = 1024 * 1024;
/// Bytes by which it grows: each step is a system call or two.
const STEP_BYTES: u64 = 1024 * 1024;
/// Bytes over what is needed from which it is cut: after the log was written back.
const SLACK_BYTES: u64 = 8 * 1024 * 1024;

/// Keeps enough for a store that has so many bytes once its log is written back.
pub(super) fn keep(store: &Path, bytes: u64) -> Result<(), StoreError> {
    let path = file::reserve(store);
    let held = path.metadata().map_or(0, |metadata| metadata.len());
    let wanted = bytes.saturating_sub(file::length(store)?) + RESERVE_BYTES;
    if held >= wanted && held <= wanted + SLACK_BYTES {
        return Ok(());
    }
    let failed = |error: &std::io::Error| file::system("keeping space in", &path, error);
    if held > wanted {
        let open = fs_err::OpenOptions::new().write(true).open(&path);
        let cut = open.and_then(|reserve| reserve.set_len(wanted));
        return cut.map_err(|error| failed(&error));
    }
    let mut reserve = file::open_beside(&path).map_err(|error| failed(&error))?;
    // Bytes that are written: a hole in a file is no space on the disk.
    let step = vec![0; usize::try_from(STEP_BYTES).unwrap_or(0)];
    let steps = (wanted - held).div_ceil(STEP_BYTES);
    for _ in 0..steps {
        if let Err(error) = reserve.write_all(&step) {
            // What was written of the last step is of no use to anybody.
            let _ = reserve.set_len(held);
            return Err(failed(&error));
        }
    }
    Ok(())
}

/// Lets go of it; the next commit that erases nothing makes it again.
pub(super) fn let_go(store: &Path) {
    // Where it is not there, there is nothing to let go of.
    let _ = fs_err::remove_file(file::reserve(store));
}
