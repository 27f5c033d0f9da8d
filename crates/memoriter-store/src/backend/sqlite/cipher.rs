//! Encrypting content, and opening it again: the one place where that is done.
//!
//! A ciphertext is XChaCha20-Poly1305 over the content, bound to the table and the record that it stands in: at another
//! place, or under the key of another scope, it does not open. The nonce is a keyed hash of the binding and the content
//! (a synthetic nonce, after Rogaway and Shrimpton, EUROCRYPT 2006), so that writing needs no randomness, and equal bytes
//! in one place are equal in the file.

use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{Key, Tag, XChaCha20Poly1305, XNonce};
use zeroize::Zeroizing;

/// Bytes of a key.
pub(super) const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
const TAG_BYTES: usize = 16;
/// Bytes by which a ciphertext is longer than what it holds.
pub(super) const EXTRA_BYTES: usize = NONCE_BYTES + TAG_BYTES;

/// Where a ciphertext stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding<'b> {
    /// The table.
    pub(super) table: &'static str,
    /// The record, by what never changes of it.
    pub(super) record: &'b [u8],
    /// Which part of the record.
    pub(super) part: u64,
}

impl<'b> Binding<'b> {
    /// The content of a record.
    pub(super) fn to(table: &'static str, record: &'b [u8]) -> Self {
        Self {
            table,
            record,
            part: 0,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.table.len() + 9 + self.record.len());
        bytes.extend(self.table.as_bytes());
        // No name of a table has a zero, and a number has eight bytes: no two bindings are the same bytes.
        bytes.push(0);
        bytes.extend(self.part.to_le_bytes());
        bytes.extend(self.record);
        bytes
    }
}

/// A key for content, with what is derived from it.
pub(super) struct ContentKey {
    cipher: XChaCha20Poly1305,
    nonces: Zeroizing<[u8; KEY_BYTES]>,
    hashes: Zeroizing<[u8; KEY_BYTES]>,
}

impl ContentKey {
    pub(super) fn new(key: &[u8; KEY_BYTES]) -> Self {
        let derive = |purpose| Zeroizing::new(blake3::derive_key(purpose, key));
        let content = derive("memoriter 2026 content of rows");
        Self {
            cipher: XChaCha20Poly1305::new(&Key::from(*content)),
            nonces: derive("memoriter 2026 nonces of content"),
            hashes: derive("memoriter 2026 hashes in rows"),
        }
    }

    /// The key for hashes of content, which must not be guessed from what is in the file.
    pub(super) fn hashes(&self) -> &[u8; KEY_BYTES] {
        &self.hashes
    }

    pub(super) fn encrypt(&self, binding: &Binding<'_>, content: &[u8]) -> Vec<u8> {
        let bound = binding.bytes();
        let nonce = self.nonce(&bound, content);
        seal(&self.cipher, &nonce, &bound, content)
    }

    /// What was encrypted here, and `None` where anything is not as it was.
    pub(super) fn decrypt(&self, binding: &Binding<'_>, bytes: &[u8]) -> Option<Vec<u8>> {
        unseal(&self.cipher, &binding.bytes(), bytes)
    }

    fn nonce(&self, bound: &[u8], content: &[u8]) -> [u8; NONCE_BYTES] {
        let mut hasher = blake3::Hasher::new_keyed(&self.nonces);
        hasher.update(&(bound.len() as u64).to_le_bytes());
        hasher.update(bound);
        hasher.update(content);
        let mut nonce = [0; NONCE_BYTES];
        hasher.finalize_xof().fill(&mut nonce);
        nonce
    }
}

/// Wraps keys with the master key. What is wrapped is random, and so are its nonces.
pub(super) struct Wrapping(XChaCha20Poly1305);

/// Bytes of a wrapped key.
pub(super) const WRAPPED_BYTES: usize = KEY_BYTES + EXTRA_BYTES;

impl Wrapping {
    pub(super) fn new(master: &[u8; KEY_BYTES]) -> Self {
        Self(XChaCha20Poly1305::new(&Key::from(*master)))
    }

    pub(super) fn wrap(
        &self,
        bound: &[u8],
        nonce: &[u8; NONCE_BYTES],
        key: &[u8; KEY_BYTES],
    ) -> Vec<u8> {
        seal(&self.0, nonce, bound, key)
    }

    pub(super) fn unwrap(&self, bound: &[u8], bytes: &[u8]) -> Option<Zeroizing<[u8; KEY_BYTES]>> {
        let key = Zeroizing::new(unseal(&self.0, bound, bytes)?);
        <[u8; KEY_BYTES]>::try_from(key.as_slice())
            .ok()
            .map(Zeroizing::new)
    }
}

/// Nonce, ciphertext and tag, one after another.
fn seal(
    cipher: &XChaCha20Poly1305,
    nonce: &[u8; NONCE_BYTES],
    bound: &[u8],
    content: &[u8],
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(content.len() + EXTRA_BYTES);
    bytes.extend(nonce);
    bytes.extend(content);
    let inner = bytes.get_mut(NONCE_BYTES..).unwrap_or_default();
    let tag = cipher
        .encrypt_inout_detached(&XNonce::from(*nonce), bound, inner.into())
        .expect("content is far shorter than the 256 GiB that a nonce is good for");
    bytes.extend(tag);
    bytes
}

fn unseal(cipher: &XChaCha20Poly1305, bound: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    let (nonce, rest) = bytes.split_first_chunk::<NONCE_BYTES>()?;
    let (inner, tag) = rest.split_last_chunk::<TAG_BYTES>()?;
    let mut content = inner.to_vec();
    cipher
        .decrypt_inout_detached(
            &XNonce::from(*nonce),
            bound,
            content.as_mut_slice().into(),
            &Tag::from(*tag),
        )
        .ok()?;
    Some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: [u8; 16] = [3; 16];

    #[test]
    fn what_is_encrypted_opens_in_its_place_alone() {
        let (key, other) = (ContentKey::new(&[1; 32]), ContentKey::new(&[2; 32]));
        let here = Binding::to("memory", &ID);
        let bytes = key.encrypt(&here, b"I live in Munich");
        assert_eq!(bytes.len(), 16 + EXTRA_BYTES);
        assert_eq!(
            key.decrypt(&here, &bytes).as_deref(),
            Some(b"I live in Munich".as_slice())
        );
        assert_eq!(other.decrypt(&here, &bytes), None);
        for elsewhere in [
            Binding::to("turn", &ID),
            Binding::to("memory", &[4; 16]),
            Binding { part: 1, ..here },
        ] {
            assert_eq!(key.decrypt(&elsewhere, &bytes), None, "{elsewhere:?}");
        }
    }

    #[test]
    fn a_changed_byte_anywhere_is_noticed() {
        let key = ContentKey::new(&[1; 32]);
        let here = Binding::to("turn", &ID);
        let bytes = key.encrypt(&here, b"hello");
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(key.decrypt(&here, &changed), None, "byte {at}");
            assert_eq!(key.decrypt(&here, &bytes[..at]), None, "cut at {at}");
        }
    }

    #[test]
    fn equal_content_is_equal_in_one_place_and_differs_elsewhere() {
        let key = ContentKey::new(&[1; 32]);
        let first = key.encrypt(&Binding::to("memory", &ID), b"hello");
        assert_eq!(first, key.encrypt(&Binding::to("memory", &ID), b"hello"));
        let moved = key.encrypt(&Binding::to("memory", &[4; 16]), b"hello");
        assert_ne!(first[..NONCE_BYTES], moved[..NONCE_BYTES]);
    }

    #[test]
    fn a_wrapped_key_opens_with_its_master_key_and_its_binding() {
        let wrapping = Wrapping::new(&[1; 32]);
        let wrapped = wrapping.wrap(b"a", &[5; NONCE_BYTES], &[6; 32]);
        assert_eq!(wrapped.len(), WRAPPED_BYTES);
        assert_eq!(wrapping.unwrap(b"a", &wrapped).as_deref(), Some(&[6; 32]));
        assert!(wrapping.unwrap(b"b", &wrapped).is_none());
        assert!(Wrapping::new(&[2; 32]).unwrap(b"a", &wrapped).is_none());
    }
}
