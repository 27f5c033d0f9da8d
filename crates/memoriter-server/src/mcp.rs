//! Memory as tools of the Model Context Protocol, over standard input and output or streamable HTTP.
//!
//! | module | holds |
//! |---|---|
//! | `frame` | messages as clients send them, mended where they are sloppy |
//! | `stdio`, `http` | the two transports |
//! | `handler` | what the protocol asks for, and who answers it |
//! | `tool` | the six tools: arguments in, JSON out |
//! | `arguments`, `failure` | reading what a model sends; telling it what is wrong |
//! | `resource`, `prompt` | what a person can attach or start from |
//!
//! Whose memory it is, what may be done to it and how far it is believed come with the [`Connection`], never from an
//! argument. Nothing here decides about memories; every call goes to the engine on a thread that may block.

mod arguments;
mod failure;
mod frame;
mod handler;
mod http;
mod prompt;
mod resource;
mod stdio;
mod tool;

use memoriter::ScopedMemory;
use memoriter::core::provenance::Origin;

pub use http::{HttpOptions, http_service};
pub use stdio::{ServeError, serve_stdio};

/// Who is connected: the memory it reaches, with the rights it has there, and on whose word it writes.
///
/// A server of HTTP puts one into the extensions of each request, after it has looked at the credential.
#[derive(Clone)]
pub struct Connection {
    pub(crate) memory: ScopedMemory,
    pub(crate) origin: Origin,
}

impl Connection {
    /// A connection that writes as an agent: what it saves is what a model says that the user said.
    #[must_use]
    pub fn new(memory: ScopedMemory) -> Self {
        Self {
            memory,
            origin: Origin::Agent,
        }
    }

    /// The same on the word of somebody else: of the user, where whoever runs the client vouches that it saves only what
    /// the user says; of a tool or document, where it reads for others.
    #[must_use]
    pub fn on_word_of(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }
}
