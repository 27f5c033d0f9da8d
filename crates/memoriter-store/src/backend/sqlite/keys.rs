//! The keys that a store works with, and what they make of the content of a scope.
//!
//! An encrypted store has a keys file beside it, see [`file`]. It is read anew when another process has changed it; keys
//! are made and destroyed by whoever holds the write lock of the store, so that a scope has one key at most.

mod file;
mod master;

use std::borrow::Cow;
use std::sync::Arc;

use memoriter_core::memory::FactKey;
use memoriter_core::port::Entropy;
use zeroize::Zeroizing;

pub(super) use self::file::{KeysFile, StoreId};
pub use self::master::{KEY_TEXT_FORMS, MasterKey};
use super::cipher::{Binding, ContentKey, EXTRA_BYTES, KEY_BYTES};
use super::decode::Undecodable;
use super::parts::{Parts, write_parts};
use crate::error::StoreError;
use crate::store::KeyId;

/// The keys of an open store.
pub(super) struct Keys {
    secret: Zeroizing<[u8; KEY_BYTES]>,
    /// `None` where the store is not encrypted.
    file: Option<KeysFile>,
    /// Where new keys come from.
    entropy: Option<Arc<dyn Entropy>>,
}

impl Keys {
    /// Of a store that is not encrypted: there is but the secret.
    pub(super) fn none(secret: [u8; KEY_BYTES]) -> Self {
        Self {
            secret: Zeroizing::new(secret),
            file: None,
            entropy: None,
        }
    }

    /// Of an encrypted store. The secret that ids and hashes are made with cannot be found out from the store alone.
    pub(super) fn of_file(
        file: KeysFile,
        secret: &[u8; KEY_BYTES],
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        Self {
            secret: Zeroizing::new(file.mix(secret)),
            file: Some(file),
            entropy: Some(entropy),
        }
    }

    pub(super) fn secret(&self) -> &[u8; KEY_BYTES] {
        &self.secret
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.file.is_some()
    }

    /// Takes in what others have made or destroyed since.
    pub(super) fn refresh(&self) -> Result<(), StoreError> {
        self.file.as_ref().map_or(Ok(()), KeysFile::refresh)
    }

    /// How content of the scope with this canonical text lies in the store.
    pub(super) fn of(&self, scope: &str) -> Cover {
        match &self.file {
            None => Cover::None,
            Some(file) => file.key_of(scope).map_or(Cover::Lost, Cover::Key),
        }
    }

    /// Whether a scope has no key in an encrypted store.
    pub(super) fn is_without(&self, scope: &str) -> bool {
        matches!(self.of(scope), Cover::Lost)
    }

    /// The same to write it; where the scope has no key one is made, which is there from now on and durable with
    /// [`Keys::keep`].
    pub(super) fn of_or_new(&self, scope: &str) -> Cover {
        match (self.of(scope), &self.file, &self.entropy) {
            (Cover::Lost, Some(file), Some(entropy)) => {
                Cover::Key(file.make_key(scope, entropy.as_ref()))
            }
            (cover, _, _) => cover,
        }
    }

    /// Begins to write: what others have made or destroyed is taken in, and keys of a transaction that came to nothing
    /// are let go of.
    pub(super) fn begin(&self) -> Result<(), StoreError> {
        self.file.as_ref().map_or(Ok(()), |file| {
            file.let_go();
            file.refresh()
        })
    }

    /// Makes new keys durable, before the first row that one of them encrypts.
    pub(super) fn keep(&self) -> Result<(), StoreError> {
        self.file.as_ref().map_or(Ok(()), KeysFile::keep)
    }

    /// Destroys the keys of these scopes. Which there were is returned.
    pub(super) fn destroy(&self, scopes: &[String]) -> Result<Vec<KeyId>, StoreError> {
        let Some(file) = &self.file else {
            return Ok(Vec::new());
        };
        let marks: Vec<_> = scopes.iter().map(|scope| file.mark_of(scope)).collect();
        file.destroy(|mark| marks.contains(mark))
    }

    /// Destroys every key but those of these scopes.
    pub(super) fn destroy_others(&self, scopes: &[String]) -> Result<Vec<KeyId>, StoreError> {
        let Some(file) = &self.file else {
            return Ok(Vec::new());
        };
        let mut marks: Vec<_> = scopes.iter().map(|scope| file.mark_of(scope)).collect();
        marks.sort_unstable();
        file.destroy(|mark| marks.binary_search(mark).is_err())
    }
}

/// How the content of a scope lies in the store.
#[derive(Clone)]
pub(super) enum Cover {
    /// As it is.
    None,
    /// Encrypted with this key.
    Key(Arc<ContentKey>),
    /// It was encrypted with a key that is not there any more, or there is none of it.
    Lost,
}

/// What stands in the columns of content, and what they hold encrypted.
pub(super) struct Covered<'t, const N: usize> {
    /// The text, or an empty one for a text that is encrypted.
    pub(super) shown: [Option<&'t str>; N],
    /// The ciphertext; `None` where nothing is encrypted.
    pub(super) cipher: Option<Vec<u8>>,
}

impl Cover {
    /// Covers columns of content, and texts beside them that are kept in the same ciphertext.
    pub(super) fn cover<'t, const N: usize>(
        &self,
        binding: &Binding<'_>,
        columns: [Option<&'t str>; N],
        beside: &[&str],
    ) -> Covered<'t, N> {
        let Self::Key(key) = self else {
            return Covered {
                shown: columns,
                cipher: None,
            };
        };
        let is_empty = columns.iter().all(Option::is_none) && beside.is_empty();
        Covered {
            cipher: (!is_empty).then(|| key.encrypt(binding, &write_parts(&columns, beside))),
            shown: columns.map(|text| text.map(|_| "")),
        }
    }

    /// Opens what [`Cover::cover`] has encrypted.
    pub(super) fn open(
        &self,
        binding: &Binding<'_>,
        cipher: Option<&[u8]>,
    ) -> Result<Opened, Undecodable> {
        match (self, cipher) {
            (Self::None, None) => Ok(Opened(None)),
            (Self::Key(_) | Self::Lost, None) => Ok(Opened(Some(Vec::new()))),
            (Self::Key(key), Some(bytes)) => match key.decrypt(binding, bytes) {
                Some(content) => Ok(Opened(Some(content))),
                None => Err(Undecodable(
                    "it does not open with the key of its scope".into(),
                )),
            },
            (Self::Lost, Some(_)) => Err(lost()),
            (Self::None, Some(_)) => {
                Err(Undecodable("it is encrypted and the store is not".into()))
            }
        }
    }

    /// Bytes as they are kept.
    pub(super) fn cover_bytes<'b>(&self, binding: &Binding<'_>, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        match self {
            Self::Key(key) => key.encrypt(binding, bytes).into(),
            Self::None | Self::Lost => bytes.into(),
        }
    }

    /// Opens what [`Cover::cover_bytes`] has encrypted.
    pub(super) fn open_bytes(
        &self,
        binding: &Binding<'_>,
        bytes: Vec<u8>,
    ) -> Result<Vec<u8>, Undecodable> {
        match self {
            Self::None => Ok(bytes),
            Self::Key(key) => key.decrypt(binding, &bytes).ok_or_else(|| {
                Undecodable("its bytes do not open with the key of its scope".into())
            }),
            Self::Lost => Err(lost()),
        }
    }

    /// How many bytes there are in so many as they are kept.
    pub(super) fn open_length(&self, bytes: u64) -> u64 {
        match self {
            Self::None => bytes,
            Self::Key(_) | Self::Lost => bytes.saturating_sub(EXTRA_BYTES as u64),
        }
    }

    /// A fingerprint of content, as it is kept: from that of an encrypted row no guess can be checked.
    pub(super) fn fingerprint<const N: usize>(&self, seal: [u8; N]) -> [u8; N] {
        let Self::Key(key) = self else { return seal };
        let mut hasher = blake3::Hasher::new_keyed(key.hashes());
        hasher.update(b"fingerprint");
        hasher.update(&seal);
        let mut covered = [0; N];
        hasher.finalize_xof().fill(&mut covered);
        covered
    }

    /// The key of hashes that rows are found by.
    pub(super) fn hashes<'k>(&'k self, secret: &'k [u8; KEY_BYTES]) -> &'k [u8; KEY_BYTES] {
        match self {
            Self::Key(key) => key.hashes(),
            Self::None | Self::Lost => secret,
        }
    }

    /// What stands for a key in the columns that memories are found by: entity and attribute, or a hash of both.
    pub(super) fn key_columns(&self, key: &FactKey) -> (String, String) {
        let Self::Key(content) = self else {
            return (key.entity().to_owned(), key.attribute().to_owned());
        };
        let mut hasher = blake3::Hasher::new_keyed(content.hashes());
        hasher.update(b"key");
        hasher.update(&(key.entity().len() as u64).to_le_bytes());
        hasher.update(key.entity().as_bytes());
        hasher.update(key.attribute().as_bytes());
        let digits = hasher.finalize().to_hex();
        (digits.as_str().chars().take(32).collect(), String::new())
    }
}

fn lost() -> Undecodable {
    Undecodable("the key of its scope is not there".into())
}

/// The content of a row: in its columns, or opened.
pub(super) struct Opened(Option<Vec<u8>>);

impl Opened {
    /// What was encrypted, part by part; `None` where the columns hold it.
    pub(super) fn parts(&self) -> Option<Parts<'_>> {
        self.0.as_deref().map(Parts::of)
    }
}
