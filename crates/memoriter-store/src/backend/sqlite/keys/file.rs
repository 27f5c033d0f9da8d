//! The file with the wrapped keys, `NAME-keys`.
//!
//! A head of 512 bytes, then one slot of 128 bytes a key, so that no slot lies across two sectors of a disk:
//!
//! | at | bytes | head |
//! |---|---|---|
//! | 0 | 16 | `memoriter keys 1` |
//! | 16 | 16 | the id of the store that it belongs to |
//! | 32 | 72 | the store's own key, wrapped |
//! | 104 | 8 | how often keys were made or destroyed, little-endian: others look at it to know that they must read anew |
//!
//! | at | bytes | slot |
//! |---|---|---|
//! | 0 | 16 | mark: a hash of the scope, keyed with the store's own key; zeros in an empty slot |
//! | 16 | 16 | id of the key, as receipts name it |
//! | 32 | 72 | the key, wrapped with the master key and bound to mark and id |
//!
//! A key is made by writing at the end, and destroyed by writing zeros over its slot: no copy of the file is ever made that
//! would have to be scrubbed too. Both are on the disk before anybody relies on them. A cut-off slot at the end was
//! never relied on. Whoever writes holds the write lock of the store.

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use memoriter_core::port::Entropy;
use zeroize::Zeroizing;

use super::super::cipher::{ContentKey, KEY_BYTES, WRAPPED_BYTES, Wrapping};
use super::super::file;
use super::master::MasterKey;
use crate::error::StoreError;
use crate::store::KeyId;

const MAGIC: &[u8; 16] = b"memoriter keys 1";
const HEAD_BYTES: usize = 512;
const SLOT_BYTES: usize = 128;
const COUNT_AT: u64 = 104;

/// Which store a keys file belongs to; the store has the same.
pub(in super::super) type StoreId = [u8; 16];
type Mark = [u8; 16];

/// An open keys file.
pub(in super::super) struct KeysFile {
    path: PathBuf,
    handle: Mutex<fs_err::File>,
    wrapping: Wrapping,
    id: StoreId,
    /// The key that the store's secret is mixed with.
    secrets: Zeroizing<[u8; KEY_BYTES]>,
    /// The key that marks are made with.
    marks: Zeroizing<[u8; KEY_BYTES]>,
    read: RwLock<Slots>,
    /// What the transaction that is being written has made.
    fresh: Mutex<Vec<NewKey>>,
}

/// The keys as they were last read.
#[derive(Default)]
struct Slots {
    count: u64,
    by_mark: BTreeMap<Mark, Slot>,
}

struct Slot {
    at: u64,
    id: KeyId,
    wrapped: [u8; WRAPPED_BYTES],
    /// The key, unwrapped when it is first asked for; `None` where it cannot be.
    key: OnceLock<Option<Arc<ContentKey>>>,
}

/// A key that is not in the file yet.
struct NewKey {
    mark: Mark,
    slot: [u8; SLOT_BYTES],
    content: Arc<ContentKey>,
}

impl KeysFile {
    /// Makes the keys file of a new store, or takes one that was made for it before the store was.
    pub(in super::super) fn make(
        store: &Path,
        master: &MasterKey,
        entropy: &dyn Entropy,
    ) -> Result<Self, StoreError> {
        let path = file::keys(store);
        if path.exists() {
            return Self::open(store, master);
        }
        let (mut id, mut own, mut nonce) = ([0; 16], Zeroizing::new([0; KEY_BYTES]), [0; 24]);
        entropy.fill(&mut id);
        entropy.fill(own.as_mut());
        entropy.fill(&mut nonce);
        let wrapped = Wrapping::new(master.bytes()).wrap(&bound(b"store", &id, &[]), &nonce, &own);
        let mut head = [MAGIC.as_slice(), &id, &wrapped].concat();
        head.resize(HEAD_BYTES, 0);
        file::make_whole(&path, &head).map_err(|error| failed("making", &path, &error))?;
        // Another process may have been faster: then this is its file.
        Self::open(store, master)
    }

    /// Opens the keys file of a store.
    pub(in super::super) fn open(store: &Path, master: &MasterKey) -> Result<Self, StoreError> {
        let path = file::keys(store);
        let handle = match file::open_keys(&path) {
            Ok(handle) => handle,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(StoreError::NoKeys {
                    path: store.to_owned(),
                    keys: path,
                });
            }
            Err(error) => return Err(failed("opening", &path, &error)),
        };
        let mut head = [0; HEAD_BYTES];
        let read = (&handle).take(HEAD_BYTES as u64).read_exact(&mut head);
        let part = |at: usize, bytes: usize| head.get(at..at + bytes).unwrap_or_default();
        if read.is_err() || part(0, MAGIC.len()) != MAGIC {
            return Err(StoreError::Damaged {
                place: path.display().to_string(),
                why: "it is no file of keys".into(),
            });
        }
        let wrapping = Wrapping::new(master.bytes());
        let id: StoreId = part(16, 16).try_into().unwrap_or_default();
        let own = wrapping
            .unwrap(&bound(b"store", &id, &[]), part(32, WRAPPED_BYTES))
            .ok_or_else(|| StoreError::WrongKey {
                path: store.to_owned(),
            })?;
        let derive = |purpose| Zeroizing::new(blake3::derive_key(purpose, &*own));
        let opened = Self {
            path,
            handle: Mutex::new(handle),
            wrapping,
            id,
            secrets: derive("memoriter 2026 secret of an encrypted store"),
            marks: derive("memoriter 2026 marks of scopes"),
            read: RwLock::default(),
            fresh: Mutex::default(),
        };
        opened.read_all()?;
        Ok(opened)
    }

    pub(in super::super) fn id(&self) -> StoreId {
        self.id
    }

    /// The secret of the store, from the part of it that lies in the store.
    pub(super) fn mix(&self, secret: &[u8; KEY_BYTES]) -> [u8; KEY_BYTES] {
        *blake3::keyed_hash(&self.secrets, secret).as_bytes()
    }

    pub(super) fn mark_of(&self, scope: &str) -> Mark {
        let mut mark = [0; 16];
        blake3::Hasher::new_keyed(&self.marks)
            .update(scope.as_bytes())
            .finalize_xof()
            .fill(&mut mark);
        mark
    }

    pub(super) fn key_of(&self, scope: &str) -> Option<Arc<ContentKey>> {
        let mark = self.mark_of(scope);
        let slots = self.read.read().unwrap_or_else(PoisonError::into_inner);
        let Some(slot) = slots.by_mark.get(&mark) else {
            let fresh = self.fresh();
            let found = fresh.iter().find(|key| key.mark == mark);
            return found.map(|key| Arc::clone(&key.content));
        };
        let unwrap = || {
            let key = self
                .wrapping
                .unwrap(&bound(b"scope", &mark, &slot.id.0), &slot.wrapped)?;
            Some(Arc::new(ContentKey::new(&key)))
        };
        slot.key.get_or_init(unwrap).clone()
    }

    /// Makes a key, which is not in the file yet.
    pub(super) fn make_key(&self, scope: &str, entropy: &dyn Entropy) -> Arc<ContentKey> {
        let mark = self.mark_of(scope);
        let (mut id, mut key, mut nonce) = ([0; 16], Zeroizing::new([0; KEY_BYTES]), [0; 24]);
        entropy.fill(&mut id);
        entropy.fill(key.as_mut());
        entropy.fill(&mut nonce);
        let wrapped = self
            .wrapping
            .wrap(&bound(b"scope", &mark, &id), &nonce, &key);
        let mut slot = [0; SLOT_BYTES];
        let said = [mark.as_slice(), &id, &wrapped].concat();
        for (byte, of_key) in slot.iter_mut().zip(said) {
            *byte = of_key;
        }
        let content = Arc::new(ContentKey::new(&key));
        self.fresh().push(NewKey {
            mark,
            slot,
            content: Arc::clone(&content),
        });
        content
    }

    /// Lets go of keys that were made and not kept.
    pub(super) fn let_go(&self) {
        self.fresh().clear();
    }

    fn fresh(&self) -> std::sync::MutexGuard<'_, Vec<NewKey>> {
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in what has changed since it was last read.
    pub(super) fn refresh(&self) -> Result<(), StoreError> {
        let known = self
            .read
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .count;
        let mut handle = self.handle();
        let count =
            read_count(&mut handle).map_err(|error| failed("reading", &self.path, &error))?;
        drop(handle);
        if count == known {
            return Ok(());
        }
        self.read_all()
    }

    /// Adds the new keys at the end and makes them durable.
    pub(super) fn keep(&self) -> Result<(), StoreError> {
        let slots: Vec<u8> = self.fresh().iter().flat_map(|key| key.slot).collect();
        if slots.is_empty() {
            return Ok(());
        }
        self.check_name()?;
        let write = |handle: &mut fs_err::File| {
            let end = handle.seek(SeekFrom::End(0))?;
            let known = end.saturating_sub(HEAD_BYTES as u64) / SLOT_BYTES as u64;
            // Over what a crash has left of a slot.
            handle.seek(SeekFrom::Start(
                HEAD_BYTES as u64 + known * SLOT_BYTES as u64,
            ))?;
            handle.write_all(&slots)?;
            handle.sync_data()?;
            count_up(handle)
        };
        let written = write(&mut self.handle());
        written.map_err(|error| failed("writing", &self.path, &error))?;
        self.read_all()?;
        self.let_go();
        Ok(())
    }

    /// Overwrites the keys whose marks are named, durably, and returns which they were.
    pub(super) fn destroy(
        &self,
        is_named: impl Fn(&Mark) -> bool,
    ) -> Result<Vec<KeyId>, StoreError> {
        self.check_name()?;
        self.read_all()?;
        let (ids, places): (Vec<KeyId>, Vec<u64>) = {
            let slots = self.read.read().unwrap_or_else(PoisonError::into_inner);
            let named = slots.by_mark.iter().filter(|(mark, _)| is_named(mark));
            named.map(|(_, slot)| (slot.id, slot.at)).unzip()
        };
        if ids.is_empty() {
            return Ok(ids);
        }
        let write = |handle: &mut fs_err::File| {
            for at in &places {
                handle.seek(SeekFrom::Start(*at))?;
                handle.write_all(&[0; SLOT_BYTES])?;
            }
            count_up(handle)?;
            handle.sync_data()
        };
        let written = write(&mut self.handle());
        written.map_err(|error| failed("writing", &self.path, &error))?;
        self.read_all()?;
        Ok(ids)
    }

    /// Whether the open file is still the one of its name: what is written to another is lost.
    fn check_name(&self) -> Result<(), StoreError> {
        let is_same = file::is_same(&self.handle(), &self.path);
        if is_same.map_err(|error| failed("looking at", &self.path, &error))? {
            return Ok(());
        }
        Err(StoreError::Damaged {
            place: self.path.display().to_string(),
            why: "it was removed or replaced while the store was open".into(),
        })
    }

    fn handle(&self) -> std::sync::MutexGuard<'_, fs_err::File> {
        self.handle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_all(&self) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        let count = {
            let mut handle = self.handle();
            // In this order: what is written meanwhile is read again.
            read_count(&mut handle).and_then(|count| {
                handle.seek(SeekFrom::Start(HEAD_BYTES as u64))?;
                handle.read_to_end(&mut bytes)?;
                Ok(count)
            })
        };
        let count = count.map_err(|error| failed("reading", &self.path, &error))?;
        let mut slots = self.read.write().unwrap_or_else(PoisonError::into_inner);
        let mut known = std::mem::take(&mut slots.by_mark);
        for (number, bytes) in (0_u64..).zip(bytes.chunks_exact(SLOT_BYTES)) {
            let at = HEAD_BYTES as u64 + number * SLOT_BYTES as u64;
            if let Some((mark, slot)) = read_slot(at, bytes) {
                // One that was unwrapped before stays so.
                let known = known.remove(&mark).filter(|known| known.id == slot.id);
                slots.by_mark.insert(mark, known.unwrap_or(slot));
            }
        }
        slots.count = count;
        Ok(())
    }
}

fn read_slot(at: u64, bytes: &[u8]) -> Option<(Mark, Slot)> {
    let (mark, rest) = bytes.split_first_chunk::<16>()?;
    let (id, rest) = rest.split_first_chunk::<16>()?;
    let wrapped = rest.first_chunk::<WRAPPED_BYTES>()?;
    let slot = Slot {
        at,
        id: KeyId(*id),
        wrapped: *wrapped,
        key: OnceLock::new(),
    };
    (*mark != [0; 16]).then_some((*mark, slot))
}

fn read_count(handle: &mut fs_err::File) -> std::io::Result<u64> {
    let mut count = [0; 8];
    handle.seek(SeekFrom::Start(COUNT_AT))?;
    handle.read_exact(&mut count)?;
    Ok(u64::from_le_bytes(count))
}

fn count_up(handle: &mut fs_err::File) -> std::io::Result<()> {
    let count = read_count(handle)?.wrapping_add(1);
    handle.seek(SeekFrom::Start(COUNT_AT))?;
    handle.write_all(&count.to_le_bytes())
}

/// What a wrapped key is bound to.
fn bound(what: &[u8], mark: &[u8; 16], id: &[u8]) -> Vec<u8> {
    [MAGIC.as_slice(), what, mark, id].concat()
}

fn failed(doing: &str, path: &Path, error: &std::io::Error) -> StoreError {
    file::system(doing, path, error)
}
