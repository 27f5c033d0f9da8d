//! API keys: a file beside the stores that holds what each key allows, and of the key itself a hash.
//!
//! A key is `mk_ID_SECRET`: 8 hexadecimal digits that name it, and 256 random bits in base64url. The file keeps the
//! BLAKE3 hash of the whole; with that many random bits nothing slower is needed. It is replaced as a whole, so that a
//! reader sees the old one or the new one, and read again as soon as it is another file: who is revoked is out with the
//! next request.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use memoriter::core::port::Entropy;
use memoriter::core::time::Timestamp;
use memoriter::{Access, Rights, Scope};
use serde::{Deserialize, Serialize};

use super::Granted;
use crate::tenant::is_tenant_name;

/// The name of the file in the folder of the stores.
pub const KEY_FILE_NAME: &str = "keys.json";
/// The form of the file.
const VERSION: u32 = 1;
/// Keys that one file may hold.
pub const KEYS_MAX: usize = 10_000;
/// Random bytes of a key.
const SECRET_BYTES: usize = 32;
/// Random bytes of a key's name.
const ID_BYTES: usize = 4;

/// Why keys cannot be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The file cannot be read or written.
    #[error("the key file cannot be used")]
    File(#[from] io::Error),
    /// The file is not one of keys, or of a newer program.
    #[error("{path} is no key file of this version: {why}", path = path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// There is no key of this name.
    #[error("there is no key {id}")]
    NoSuchKey {
        /// The name.
        id: String,
    },
    /// The tenant cannot be one.
    #[error("tenant must be 1 to 64 of a-z, 0-9, `_` and `-`, got `{name}`")]
    Tenant {
        /// What was given.
        name: String,
    },
    /// There are as many keys as there may be.
    #[error("the file holds {KEYS_MAX} keys, and no more may be in it")]
    TooMany,
}

impl memoriter::Diagnose for KeyError {
    fn code(&self) -> &'static str {
        match self {
            Self::File(_) => "file",
            Self::Malformed { .. } => "malformed_key_file",
            Self::NoSuchKey { .. } => "no_such_key",
            Self::Tenant { .. } => "malformed",
            Self::TooMany => "over_limit",
        }
    }

    fn fault(&self) -> memoriter::Fault {
        match self {
            Self::File(_) | Self::Malformed { .. } => memoriter::Fault::Environment,
            Self::NoSuchKey { .. } => memoriter::Fault::NotFound,
            Self::Tenant { .. } | Self::TooMany => memoriter::Fault::Caller,
        }
    }

    fn field(&self) -> Option<&str> {
        match self {
            Self::Tenant { .. } => Some("tenant"),
            Self::NoSuchKey { .. } => Some("id"),
            Self::File(_) | Self::Malformed { .. } | Self::TooMany => None,
        }
    }
}

/// What a new key shall allow.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// What people call it.
    pub label: Option<String>,
    /// Whose store.
    pub tenant: String,
    /// Where in the store: this scope and those inside it; `None` for all of it.
    pub within: Option<Scope>,
    /// What may be done there.
    pub rights: Rights,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
}

/// What a key allows. The key itself is in no file.
#[derive(Clone, Debug)]
pub struct KeyEntry {
    /// Its name.
    pub id: String,
    /// What it allows.
    pub key: NewKey,
    /// When it was made.
    pub created_at: Timestamp,
    hash: blake3::Hash,
}

/// The file of keys, read again when it is another.
pub struct Keys {
    path: PathBuf,
    read: Mutex<Read>,
}

#[derive(Default)]
struct Read {
    seen: Option<Seen>,
    entries: HashMap<String, KeyEntry>,
}

/// What tells one state of a file from another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    modified_nanos: i128,
    length: u64,
    inode: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileWire {
    version: u32,
    keys: Vec<EntryWire>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryWire {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    tenant: String,
    within: Option<Vec<String>>,
    rights: String,
    created_at: i64,
    expires_at: Option<i64>,
    hash: String,
}

impl Keys {
    /// The keys in a folder of stores. The file need not be there.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            path: folder.join(KEY_FILE_NAME),
            read: Mutex::default(),
        }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// Whether there is any key, also one that has expired: then nobody comes in without one.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn is_empty(&self) -> Result<bool, KeyError> {
        self.with_current(std::collections::HashMap::is_empty)
    }

    /// Every key, oldest first.
    ///
    /// # Errors
    /// As [`Keys::is_empty`].
    pub fn list(&self) -> Result<Vec<KeyEntry>, KeyError> {
        let mut entries: Vec<KeyEntry> =
            self.with_current(|entries| entries.values().cloned().collect())?;
        entries.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(entries)
    }

    /// What a key allows at `now`; `None` for one that is unknown, revoked or expired.
    ///
    /// # Errors
    /// As [`Keys::is_empty`].
    pub fn check(&self, key: &str, now: Timestamp) -> Result<Option<Granted>, KeyError> {
        let Some(id) = id_of(key) else {
            return Ok(None);
        };
        let hash = blake3::hash(key.as_bytes());
        self.with_current(|entries| {
            let entry = entries.get(id)?;
            // Hashes are compared in constant time.
            entry.granted(now).filter(|_| entry.hash == hash)
        })
    }

    /// Whether there still is a key that allows this.
    ///
    /// # Errors
    /// As [`Keys::is_empty`].
    pub fn has(&self, granted: &Granted, now: Timestamp) -> Result<bool, KeyError> {
        self.with_current(|entries| {
            let entry = entries.get(&granted.name);
            entry.and_then(|entry| entry.granted(now)).as_ref() == Some(granted)
        })
    }

    /// Makes a key. The text that comes back is the only place that has it.
    ///
    /// # Errors
    /// When the tenant cannot be one, there are too many keys, or the file cannot be read or written.
    pub fn create(
        &self,
        key: NewKey,
        entropy: &dyn Entropy,
        now: Timestamp,
    ) -> Result<(KeyEntry, String), KeyError> {
        if !is_tenant_name(&key.tenant) {
            return Err(KeyError::Tenant { name: key.tenant });
        }
        self.change(|entries| {
            if entries.len() >= KEYS_MAX {
                return Err(KeyError::TooMany);
            }
            let id = unused_id(entries, entropy);
            let (entry, text) = made(id, key, entropy, now);
            entries.push(entry.clone());
            Ok((entry, text))
        })
    }

    /// Gives a key another secret: what it allows stays, and the old text is refused from now on.
    ///
    /// # Errors
    /// When there is no such key, or the file cannot be read or written.
    pub fn rotate(
        &self,
        id: &str,
        entropy: &dyn Entropy,
        now: Timestamp,
    ) -> Result<(KeyEntry, String), KeyError> {
        self.change(|entries| {
            let old = entries.iter_mut().find(|entry| entry.id == id);
            let old = old.ok_or_else(|| KeyError::NoSuchKey { id: id.to_owned() })?;
            let (entry, text) = made(id.to_owned(), old.key.clone(), entropy, now);
            *old = entry.clone();
            Ok((entry, text))
        })
    }

    /// Takes a key back.
    ///
    /// # Errors
    /// As [`Keys::rotate`].
    pub fn revoke(&self, id: &str) -> Result<KeyEntry, KeyError> {
        self.change(|entries| {
            let at = entries.iter().position(|entry| entry.id == id);
            let at = at.ok_or_else(|| KeyError::NoSuchKey { id: id.to_owned() })?;
            Ok(entries.remove(at))
        })
    }

    fn with_current<T>(
        &self,
        look: impl FnOnce(&HashMap<String, KeyEntry>) -> T,
    ) -> Result<T, KeyError> {
        let seen = seen(&self.path)?;
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.seen != seen {
            let entries = match seen {
                Some(_) => read_file(&self.path)?,
                None => Vec::new(),
            };
            read.entries = entries
                .into_iter()
                .map(|entry| (entry.id.clone(), entry))
                .collect();
            read.seen = seen;
        }
        Ok(look(&read.entries))
    }

    /// Reads, changes and replaces the file, one caller of all processes at a time.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Vec<KeyEntry>) -> Result<T, KeyError>,
    ) -> Result<T, KeyError> {
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.path.with_extension("lock"))?;
        lock.lock()?;
        let mut entries = match seen(&self.path)? {
            Some(_) => read_file(&self.path)?,
            None => Vec::new(),
        };
        let changed = change(&mut entries)?;
        // A new file of this kind is readable by its owner alone.
        let mut file = tempfile::NamedTempFile::new_in(self.folder())?;
        serde_json::to_writer_pretty(&mut file, &wire(&entries)).map_err(io::Error::from)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(changed)
    }
}

impl KeyEntry {
    /// What it allows at `now`.
    fn granted(&self, now: Timestamp) -> Option<Granted> {
        let is_in_time = self.key.expires_at.is_none_or(|end| now < end);
        is_in_time.then(|| Granted {
            tenant: self.key.tenant.clone(),
            access: Access::new(self.key.within.clone(), self.key.rights),
            name: self.id.clone(),
        })
    }
}

/// The name in a key's text.
fn id_of(key: &str) -> Option<&str> {
    let (id, secret) = key.strip_prefix("mk_")?.split_once('_')?;
    (!secret.is_empty()).then_some(id)
}

fn unused_id(entries: &[KeyEntry], entropy: &dyn Entropy) -> String {
    loop {
        let mut bytes = [0; ID_BYTES];
        entropy.fill(&mut bytes);
        let id = format!("{:08x}", u32::from_be_bytes(bytes));
        if entries.iter().all(|entry| entry.id != id) {
            return id;
        }
    }
}

fn made(id: String, key: NewKey, entropy: &dyn Entropy, now: Timestamp) -> (KeyEntry, String) {
    let mut secret = [0; SECRET_BYTES];
    entropy.fill(&mut secret);
    let text = format!("mk_{id}_{}", URL_SAFE_NO_PAD.encode(secret));
    let entry = KeyEntry {
        id,
        key,
        created_at: now,
        hash: blake3::hash(text.as_bytes()),
    };
    (entry, text)
}

fn seen(path: &Path) -> io::Result<Option<Seen>> {
    match fs_err::metadata(path) {
        Ok(metadata) => Ok(Some(Seen::of(&metadata))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Seen {
    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            modified_nanos: i128::from(metadata.mtime()) * 1_000_000_000
                + i128::from(metadata.mtime_nsec()),
            length: metadata.len(),
            inode: metadata.ino(),
        }
    }

    #[cfg(not(unix))]
    fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        Self {
            modified_nanos: since.map_or(0, |since| since.as_nanos() as i128),
            length: metadata.len(),
            inode: 0,
        }
    }
}

fn read_file(path: &Path) -> Result<Vec<KeyEntry>, KeyError> {
    let malformed = |why: String| KeyError::Malformed {
        path: path.to_owned(),
        why,
    };
    let text = fs_err::read_to_string(path)?;
    let file: FileWire =
        serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
    if file.version != VERSION {
        return Err(malformed(format!("its version is {}", file.version)));
    }
    let entries = file.keys.into_iter().map(KeyEntry::try_from);
    entries.collect::<Result<_, _>>().map_err(malformed)
}

fn wire(entries: &[KeyEntry]) -> FileWire {
    let keys = entries.iter().map(|entry| EntryWire {
        id: entry.id.clone(),
        label: entry.key.label.clone(),
        tenant: entry.key.tenant.clone(),
        within: entry
            .key
            .within
            .as_ref()
            .map(|scope| scope.segments().map(str::to_owned).collect()),
        rights: entry.key.rights.to_string(),
        created_at: entry.created_at.as_micros(),
        expires_at: entry.key.expires_at.map(Timestamp::as_micros),
        hash: entry.hash.to_hex().to_string(),
    });
    FileWire {
        version: VERSION,
        keys: keys.collect(),
    }
}

impl TryFrom<EntryWire> for KeyEntry {
    type Error = String;

    fn try_from(wire: EntryWire) -> Result<Self, String> {
        let within = wire.within.map(Scope::from_segments).transpose();
        Ok(Self {
            key: NewKey {
                label: wire.label,
                tenant: wire.tenant,
                within: within.map_err(|error| error.to_string())?,
                rights: Rights::parse(&wire.rights).map_err(|error| error.to_string())?,
                expires_at: wire.expires_at.map(Timestamp::from_micros),
            },
            created_at: Timestamp::from_micros(wire.created_at),
            hash: blake3::Hash::from_hex(&wire.hash).map_err(|error| error.to_string())?,
            id: wire.id,
        })
    }
}
