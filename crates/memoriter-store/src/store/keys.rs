//! What is told of the keys of an encrypted store.

use std::fmt;

use memoriter_core::scope::Scope;

/// What names a key that content is encrypted with: random, and no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyId(pub [u8; 16]);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Whose keys are to be destroyed. Only those of scopes that hold nothing are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysOf {
    /// Of these scopes.
    Scopes(Vec<Scope>),
    /// Of any scope that holds nothing.
    Unused,
}

/// Which keys were destroyed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DestroyedKeys {
    /// They.
    pub ids: Vec<KeyId>,
    /// Scopes that hold something and keep their key.
    pub kept: usize,
}
