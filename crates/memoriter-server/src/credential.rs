//! Who calls: keys of our own, and tokens of an authorization server.

pub mod key;
pub mod token;

use memoriter::Access;

/// What a credential stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granted {
    /// Whose store.
    pub tenant: String,
    /// Where in it, and what may be done there.
    pub access: Access,
    /// A name for logs and limits: the id of a key, or what a token's subject comes to. Never a secret.
    pub name: String,
}

/// What the names of tokens begin with; keys have hexadecimal digits.
const TOKEN_PREFIX: &str = "token:";

impl Granted {
    /// Whether it comes of a token.
    pub(crate) fn is_token(&self) -> bool {
        self.name.starts_with(TOKEN_PREFIX)
    }
}
