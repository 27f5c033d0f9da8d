//! Files that hold the key of a store, and nothing else.

use std::io::Write as _;
use std::path::Path;

use memoriter_core::port::Entropy;
use zeroize::Zeroizing;

use crate::backend::sqlite::{KEY_TEXT_FORMS, MasterKey};
use crate::error::StoreError;

/// Bytes that a file with a key may have: many times what one has.
const KEY_FILE_BYTES_MAX: u64 = 4_096;

/// Reads the key in a file that its owner alone may read.
///
/// # Errors
/// [`StoreError::KeyFile`] when there is none, others may read it, or it holds something else; what it holds is not repeated.
pub fn read_key_file(path: &Path) -> Result<MasterKey, StoreError> {
    let failed = |why: String| StoreError::KeyFile {
        path: path.to_owned(),
        why,
    };
    let metadata = fs_err::metadata(path).map_err(|error| failed(words(&error)))?;
    if !metadata.is_file() {
        return Err(failed("it is no file".into()));
    }
    if let Some(mode) = open_to_others(&metadata) {
        let why = format!("others may use it (its mode is {mode:o}, and must be 600)");
        return Err(failed(why));
    }
    if metadata.len() > KEY_FILE_BYTES_MAX {
        let why = format!(
            "it has {} bytes, over the {KEY_FILE_BYTES_MAX} that a file with a key may have",
            metadata.len()
        );
        return Err(failed(why));
    }
    let text = fs_err::read_to_string(path).map_err(|error| failed(words(&error)))?;
    let text = Zeroizing::new(text);
    MasterKey::parse(&text).map_err(|_| failed(format!("it does not hold {KEY_TEXT_FORMS}")))
}

/// Makes a file with a new key that its owner alone may read. `entropy` must be that of the system.
///
/// # Errors
/// [`StoreError::KeyFile`] when it is there already or cannot be made.
pub fn make_key_file(path: &Path, entropy: &dyn Entropy) -> Result<MasterKey, StoreError> {
    let mut bytes = Zeroizing::new([0; 32]);
    entropy.fill(bytes.as_mut());
    let key = MasterKey::new(*bytes);
    let mut options = fs_err::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    fs_err::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| {
        writeln!(file, "{}", key.to_text().as_str())?;
        file.sync_all()
    });
    written.map_err(|error| StoreError::KeyFile {
        path: path.to_owned(),
        why: words(&error),
    })?;
    Ok(key)
}

/// The system's own words: the path is told beside them.
fn words(error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::NotFound {
        return "there is no such file".to_owned();
    }
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

#[cfg(unix)]
fn open_to_others(metadata: &std::fs::Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    let mode = metadata.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}

#[cfg(not(unix))]
fn open_to_others(_metadata: &std::fs::Metadata) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use memoriter_core::port::SeededEntropy;

    use super::*;

    #[test]
    fn a_file_that_was_made_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let key = make_key_file(&path, &SeededEntropy::new(1)).unwrap();
        assert_eq!(read_key_file(&path).unwrap().to_text(), key.to_text());
        let again = make_key_file(&path, &SeededEntropy::new(1))
            .unwrap_err()
            .to_string();
        assert!(again.contains("exists"), "{again}");
        assert_ne!(
            make_key_file(&folder.path().join("other"), &SeededEntropy::new(2))
                .unwrap()
                .to_text(),
            key.to_text()
        );
    }

    #[test]
    fn what_is_no_file_with_a_key_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let told = || read_key_file(&path).unwrap_err().to_string();
        let missing = format!(
            "the key file {} cannot be used: there is no such file",
            path.display()
        );
        assert_eq!(told(), missing);
        make_key_file(&path, &SeededEntropy::new(1)).unwrap();
        for (text, expected) in [
            ("hunter2".to_owned(), "64 hexadecimal digits"),
            ("x".repeat(5_000), "it has 5000 bytes, over the 4096"),
        ] {
            fs_err::write(&path, &text).unwrap();
            assert!(told().contains(expected), "{}", told());
            assert!(!told().contains(&text));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let loose = std::fs::Permissions::from_mode(0o640);
            fs_err::set_permissions(&path, loose).unwrap();
            assert!(
                told().contains("its mode is 640, and must be 600"),
                "{}",
                told()
            );
        }
    }
}
