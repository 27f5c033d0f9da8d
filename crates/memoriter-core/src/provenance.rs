//! Where a record comes from and how far it is believed.

use crate::error::InvalidInput;
use crate::id::{MemoryId, TurnId};

/// Declares a closed set of words: the enum, `as_str`, `parse` and `ALL`.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $field:literal, $expected:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$vdoc])* $variant,)+
        }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word that users, files and programs see.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// Reads the word.
            ///
            /// # Errors
            /// [`InvalidInput::Malformed`](crate::error::InvalidInput::Malformed) that lists the words there are.
            pub fn parse(text: &str) -> Result<Self, $crate::error::InvalidInput> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    other => Err($crate::error::InvalidInput::malformed($field, $expected, other)),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// How a memory came to be believed. Later ones are believed more.
    Status, "status", "inferred, stated or confirmed" {
        /// Concluded from something; a hypothesis that never overrides a stated fact.
        Inferred = "inferred",
        /// Said by its origin.
        Stated = "stated",
        /// Approved by a person in review.
        Confirmed = "confirmed",
    }
}

words! {
    /// Who or what a text came from. Set by the engine from the call, never from the text.
    Origin, "origin", "user, operator, agent, tool, document, web or import" {
        /// The person whose memory this is.
        User = "user",
        /// Whoever runs the application.
        Operator = "operator",
        /// The model that talks.
        Agent = "agent",
        /// The output of a tool.
        Tool = "tool",
        /// A document that was read.
        Document = "document",
        /// A page that was fetched.
        Web = "web",
        /// A file that was imported; its own claims about origin are not believed.
        Import = "import",
    }
}

impl Origin {
    /// How much a text of this origin is trusted by itself.
    #[must_use]
    pub fn trust(self) -> Trust {
        match self {
            Self::User | Self::Operator => Trust(3),
            Self::Agent => Trust(2),
            Self::Tool => Trust(1),
            Self::Document | Self::Web | Self::Import => Trust(0),
        }
    }

    /// Whether a text of this origin may fill only a capped share of a recall: it was read, not told.
    #[must_use]
    pub fn is_external(self) -> bool {
        match self {
            Self::Tool | Self::Document | Self::Web | Self::Import => true,
            Self::User | Self::Operator | Self::Agent => false,
        }
    }

    /// Whether it may tell a model what to do: the user and who runs the application. What reads like an instruction
    /// from anyone else is kept away until a person has looked at it.
    #[must_use]
    pub fn may_instruct(self) -> bool {
        match self {
            Self::User | Self::Operator => true,
            Self::Agent | Self::Tool | Self::Document | Self::Web | Self::Import => false,
        }
    }
}

/// How far an origin is believed, `0..=3`. A derived record has the least of its sources; only review by a
/// person raises it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trust(u8);

impl Trust {
    /// What a person has reviewed.
    pub const FULL: Self = Self(3);

    /// A level.
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] above 3.
    pub fn new(level: u8) -> Result<Self, InvalidInput> {
        if level > 3 {
            return Err(InvalidInput::malformed(
                "trust",
                "0, 1, 2 or 3",
                &level.to_string(),
            ));
        }
        Ok(Self(level))
    }

    /// The level, `0..=3`.
    #[must_use]
    pub fn level(self) -> u8 {
        self.0
    }
}

/// What supports a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The turn or memory it rests on.
    pub of: SourceRef,
    /// The supporting words, as they stand in the source; empty when the whole source supports it.
    pub quote: String,
}

/// The record that a source points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceRef {
    /// A turn of a conversation.
    Turn(TurnId),
    /// Another memory.
    Memory(MemoryId),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        for origin in Origin::ALL {
            assert_eq!(Origin::parse(origin.as_str()), Ok(*origin));
        }
        assert_eq!(
            Origin::parse("martian").unwrap_err().to_string(),
            "origin must be user, operator, agent, tool, document, web or import, got `martian`"
        );
    }

    #[test]
    fn what_was_read_is_trusted_less_than_what_was_told() {
        assert!(Origin::User.trust() > Origin::Agent.trust());
        assert!(Origin::Agent.trust() > Origin::Tool.trust());
        assert!(Origin::Tool.trust() > Origin::Web.trust());
        assert!(Trust::new(4).is_err());
    }
}
