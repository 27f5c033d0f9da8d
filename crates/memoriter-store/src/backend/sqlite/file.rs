//! The file as the system sees it: what is there, who may read it, under which names.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempPath;

use crate::error::StoreError;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing, or an empty file.
    Nothing,
    /// A file with something in it.
    Something,
}

/// Looks at the path without opening it. Opening and closing a file by other means than SQLite's would drop
/// the locks that this process holds on it.
pub(super) fn inspect(path: &Path) -> Result<Standing, StoreError> {
    let metadata = match path.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return nothing(path, "missing");
        }
        Err(error) => return Err(system("looking at", path, &error)),
    };
    if metadata.is_symlink() {
        return Err(StoreError::LinkedFile {
            path: path.to_owned(),
            how: "symbolic link",
        });
    }
    if !metadata.is_file() {
        return Err(StoreError::NotAStore {
            path: path.to_owned(),
        });
    }
    if has_other_names(&metadata) {
        return Err(StoreError::LinkedFile {
            path: path.to_owned(),
            how: "hard link",
        });
    }
    if metadata.len() == 0 {
        return nothing(path, "empty");
    }
    Ok(Standing::Something)
}

/// Nothing is there, unless a log says that there was: SQLite would throw it away.
fn nothing(path: &Path, how: &str) -> Result<Standing, StoreError> {
    if log(path).metadata().is_ok_and(|log| log.len() > 0) {
        let name = log_name(path);
        return Err(StoreError::Damaged {
            place: path.display().to_string(),
            why: format!("the file is {how} beside its log {name}"),
        });
    }
    Ok(Standing::Nothing)
}

/// Bytes of the file.
pub(super) fn length(path: &Path) -> Result<u64, StoreError> {
    let metadata = path.metadata();
    Ok(metadata
        .map_err(|error| system("looking at", path, &error))?
        .len())
}

/// Makes an empty file that only its owner may use, and the folders that lead to it.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    make_folder_of(path)?;
    let mut options = fs_err::OpenOptions::new();
    options.write(true).create_new(true);
    restrict_new(&mut options);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(system("making", path, &error)),
    }
}

/// Takes the rights of others away from the file and its companions. What cannot be changed because it
/// belongs to somebody else is theirs to guard.
pub(super) fn restrict(path: &Path) {
    for suffix in ["", "-wal", "-shm", "-keys"] {
        restrict_existing(&companion(path, suffix));
    }
}

/// Where the file's write-ahead log is, if there is one.
pub(super) fn log(path: &Path) -> PathBuf {
    companion(path, "-wal")
}

/// Files that SQLite may leave beside the store and holds no locks on: its log, and the journal of a mode that is not
/// used. The index of the log (`-shm`) has locks; it holds numbers of pages and no content.
pub(super) fn searched_beside(path: &Path) -> [PathBuf; 2] {
    ["-wal", "-journal"].map(|suffix| companion(path, suffix))
}

/// Where a backup is made ready before it goes into the place of the store.
pub(super) fn staged(path: &Path) -> PathBuf {
    companion(path, "-restoring")
}

/// What becomes the store where there is none, until it has its name.
pub(super) fn whole(path: &Path) -> PathBuf {
    companion(path, "-restored")
}

/// Where a store that cannot be read is put when a backup takes its place.
pub(super) fn aside(path: &Path) -> PathBuf {
    companion(path, "-damaged")
}

/// Removes what a restore that was killed has left beside a store.
pub(super) fn clear_staged(path: &Path) {
    remove_store(&staged(path));
    remove_store(&whole(path));
}

/// Removes a store that nobody uses, with what is beside it.
pub(super) fn remove_store(path: &Path) {
    for suffix in ["", "-wal", "-shm", "-journal", "-reserve"] {
        // Most of it is not there.
        let _ = fs_err::remove_file(companion(path, suffix));
    }
}

/// Gives a store that cannot be read, and its log, another name.
pub(super) fn put_aside(path: &Path) -> Result<(), StoreError> {
    let aside = aside(path);
    for suffix in ["", "-wal"] {
        let (from, to) = (companion(path, suffix), companion(&aside, suffix));
        match fs_err::rename(&from, to) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(system("putting aside", &from, &error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    // It belongs to the log, and holds numbers of pages alone.
    let _ = fs_err::remove_file(companion(path, "-shm"));
    Ok(())
}

/// Removes an empty file, which is as good as none.
pub(super) fn clear_empty(path: &Path) -> Result<(), StoreError> {
    if path.metadata().is_ok_and(|metadata| metadata.len() == 0) {
        return fs_err::remove_file(path).map_err(|error| system("naming", path, &error));
    }
    Ok(())
}

/// Makes the folders that lead to a file, for their owner alone.
pub(super) fn make_folder_of(path: &Path) -> Result<(), StoreError> {
    let Some(folder) = path.parent() else {
        return Ok(());
    };
    create_folder(folder).map_err(|error| system("making the folder", folder, &error))
}

/// Where space is kept for erasing.
pub(super) fn reserve(path: &Path) -> PathBuf {
    companion(path, "-reserve")
}

/// Where the keys of an encrypted store are.
pub(super) fn keys(path: &Path) -> PathBuf {
    companion(path, "-keys")
}

/// Opens a file of keys, to write to it where that is allowed.
pub(super) fn open_keys(path: &Path) -> std::io::Result<fs_err::File> {
    restrict_existing(path);
    let mut options = fs_err::OpenOptions::new();
    options.read(true);
    match options.write(true).open(path) {
        Err(error) if is_denied(error.kind()) => options.write(false).open(path),
        opened => opened,
    }
}

/// Whether an open file is the one that goes by this name.
#[cfg(unix)]
pub(super) fn is_same(open: &fs_err::File, path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let open = open.metadata()?;
    match fs_err::metadata(path) {
        Ok(named) => Ok((open.dev(), open.ino()) == (named.dev(), named.ino())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
pub(super) fn is_same(_open: &fs_err::File, path: &Path) -> std::io::Result<bool> {
    Ok(path.exists())
}

fn is_denied(kind: std::io::ErrorKind) -> bool {
    matches!(
        kind,
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem
    )
}

/// Makes a file with these bytes that only its owner may use, or leaves one that is there as it is. It is whole under its
/// name, or not there at all.
pub(super) fn make_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // Nobody else may have the name: no other process, and no other thread of this one.
    static MADE: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or(Path::new("."));
    create_folder(folder)?;
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let unfinished = companion(path, &format!("-{}-{number}", std::process::id()));
    let mut options = fs_err::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    restrict_new(&mut options);
    let made = options.open(&unfinished).and_then(|mut new| {
        new.write_all(bytes)?;
        new.sync_all()?;
        // Unlike a change of the name this leaves a file that is there.
        fs_err::hard_link(&unfinished, path)
    });
    let removed = fs_err::remove_file(&unfinished);
    match made {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => removed
            .and_then(|()| sync_folder(folder))
            // Under its own name as well: where another has made it, this one relies on it too.
            .and_then(|()| fs_err::File::open(path)?.sync_all()),
    }
}

/// Opens a file beside the store to write at its end; a new one is its owner's alone.
pub(super) fn open_beside(path: &Path) -> std::io::Result<fs_err::File> {
    let mut options = fs_err::OpenOptions::new();
    options.append(true).create(true);
    restrict_new(&mut options);
    options.open(path)
}

/// An empty file without a name of its own in the folder of `path`, which goes when it is dropped before it gets one. Its
/// owner's alone.
pub(super) fn unnamed_beside(path: &Path) -> Result<TempPath, StoreError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let made = tempfile::Builder::new()
        .prefix(".memoriter-")
        .tempfile_in(folder);
    let made = made.map_err(|error| system("making a file in", folder, &error))?;
    Ok(made.into_temp_path())
}

/// Gives a file its name, unless something has it.
pub(super) fn give_name(unnamed: TempPath, path: &Path) -> Result<(), StoreError> {
    if let Err(error) = unnamed.persist_noclobber(path) {
        if error.error.kind() == std::io::ErrorKind::AlreadyExists {
            return Err(StoreError::FileExists {
                path: path.to_owned(),
            });
        }
        return Err(system("naming", path, &error.error));
    }
    let synced = path.parent().map_or(Ok(()), sync_folder);
    synced.map_err(|error| system("naming", path, &error))
}

/// Makes what was written survive a power cut. This process must not have the file open as a store.
pub(super) fn sync(path: &Path) -> Result<(), StoreError> {
    let mut options = fs_err::OpenOptions::new();
    let synced = options
        .write(true)
        .open(path)
        .and_then(|file| file.sync_all());
    synced.map_err(|error| system("writing", path, &error))
}

/// The log's name without its folder.
pub(super) fn log_name(path: &Path) -> String {
    let log = log(path);
    log.file_name().unwrap_or_default().display().to_string()
}

/// Whether there is a log that says something, or one that somebody has open.
pub(super) fn has_log(path: &Path) -> bool {
    let log_bytes = log(path).metadata().map(|log| log.len());
    match log_bytes {
        Ok(0) => companion(path, "-shm").exists(),
        Ok(_) => true,
        Err(_) => false,
    }
}

fn companion(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn create_folder(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        create_folder(parent)?;
    }
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => folder.parent().map_or(Ok(()), sync_folder),
    }
}

/// Makes a new entry of a folder survive a power cut.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    fs_err::File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn has_other_names(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
fn has_other_names(_metadata: &std::fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn restrict_new(options: &mut fs_err::OpenOptions) {
    fs_err::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
}

#[cfg(not(unix))]
fn restrict_new(_options: &mut fs_err::OpenOptions) {}

#[cfg(unix)]
fn restrict_existing(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let Ok(metadata) = path.symlink_metadata() else {
        return;
    };
    if metadata.is_file() && metadata.permissions().mode() & 0o077 != 0 {
        let owner_only = std::fs::Permissions::from_mode(metadata.permissions().mode() & 0o700);
        // Fails when the file is another user's, who decides about its rights.
        let _ = fs_err::set_permissions(path, owner_only);
    }
}

#[cfg(not(unix))]
fn restrict_existing(_path: &Path) {}

pub(super) fn system(doing: &str, path: &Path, error: &std::io::Error) -> StoreError {
    if error.kind() == std::io::ErrorKind::StorageFull {
        return StoreError::Full {
            path: path.to_owned(),
        };
    }
    // fs_err puts the path before the cause; the innermost error is the system's own words.
    let cause =
        std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    StoreError::System {
        doing: format!("{doing} {}", path.display()),
        why: cause,
    }
}
