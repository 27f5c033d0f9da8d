//! The formats by name.

use std::fmt;

use memoriter_core::error::InvalidInput;

/// The names that [`Format::parse`] knows, for messages.
pub(super) const FORMAT_NAMES: &str = "auto, jsonl, openai, anthropic, locomo or longmemeval";

/// The names of [`FORMAT_NAMES`] that say what a file is.
pub(super) const SAID_FORMAT_NAMES: &str = "jsonl, openai, anthropic, locomo or longmemeval";

/// How a file tells a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Find out from the content.
    Auto,
    /// Our own: one turn a line, every field named, unknown fields refused.
    Jsonl,
    /// Messages of the OpenAI API: an array of them, an object with `messages`, or such objects one a line as
    /// in files for fine-tuning.
    OpenAi,
    /// Messages of the Anthropic API, in the same three shapes, with `system` beside `messages`.
    Anthropic,
    /// The LoCoMo benchmark as published: one sample or an array of them.
    Locomo,
    /// The LongMemEval benchmark as published: an array of questions, each with its own history.
    LongMemEval,
}

impl Format {
    /// Every format, in the order of the messages that list them.
    pub const ALL: &'static [Self] = &[
        Self::Auto,
        Self::Jsonl,
        Self::OpenAi,
        Self::Anthropic,
        Self::Locomo,
        Self::LongMemEval,
    ];

    /// The name that users type.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Jsonl => "jsonl",
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Locomo => "locomo",
            Self::LongMemEval => "longmemeval",
        }
    }

    /// Whether conversations have names of their own in it. Those of other formats get theirs from
    /// [`Defaults::session`](super::Defaults::session).
    #[must_use]
    pub fn has_session_names(self) -> bool {
        match self {
            Self::Jsonl | Self::Locomo | Self::LongMemEval => true,
            Self::Auto | Self::OpenAi | Self::Anthropic => false,
        }
    }

    /// Reads the name.
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] that lists the names there are.
    pub fn parse(text: &str) -> Result<Self, InvalidInput> {
        let known = Self::ALL.iter().find(|format| format.as_str() == text);
        known
            .copied()
            .ok_or_else(|| InvalidInput::malformed("format", FORMAT_NAMES, text))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_are_listed() {
        for format in Format::ALL {
            assert_eq!(Format::parse(format.as_str()), Ok(*format));
            assert!(FORMAT_NAMES.contains(format.as_str()));
            let is_said = SAID_FORMAT_NAMES.contains(format.as_str());
            assert_eq!(is_said, *format != Format::Auto);
        }
        assert_eq!(
            Format::parse("chatgpt").unwrap_err().to_string(),
            "format must be auto, jsonl, openai, anthropic, locomo or longmemeval, got `chatgpt`"
        );
    }
}
