//! The word that marks where sections begin.

use crate::error::InvalidInput;

/// Characters of a boundary.
const LENGTH: usize = 8;

/// A word in every mark of a desk, which no stored text begins a line with: stored texts are quoted and hold no line
/// ends. It is random besides, so that a text cannot even look like a mark, and the same for all calls of a session,
/// so that the beginning of the desk stays as it is.
///
/// ```
/// use memoriter_core::desk::Boundary;
///
/// let boundary = Boundary::from_seed(b"session 1");
/// assert_eq!(boundary, Boundary::from_seed(b"session 1"));
/// assert_eq!(boundary.as_str().len(), 8);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundary(String);

impl Boundary {
    /// From bytes that nobody outside can know, such as a keyed hash of the session.
    #[must_use]
    pub fn from_seed(seed: &[u8]) -> Self {
        let hex = blake3::hash(seed).to_hex();
        Self(hex.as_str().chars().take(LENGTH).collect())
    }

    /// One that was made before.
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] when it is not eight hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, InvalidInput> {
        let is_hex = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == LENGTH && text.as_bytes().iter().all(is_hex) {
            return Ok(Self(text.to_owned()));
        }
        let expected = "eight hexadecimal digits";
        Err(InvalidInput::malformed("boundary", expected, text))
    }

    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// This one, or the first of a fixed row of others that `text` does not hold: for text that is not quoted.
    pub(super) fn not_in(&self, text: &str) -> Self {
        let mut boundary = self.clone();
        while text.contains(boundary.as_str()) {
            boundary = Self::from_seed(boundary.0.as_bytes());
        }
        boundary
    }

    /// The line that begins a section.
    pub(super) fn mark(&self, name: &str, title: &str) -> String {
        format!("[{} {name}] {title}", self.0)
    }

    /// The name of the section that a line begins.
    pub(super) fn name_in<'l>(&self, line: &'l str) -> Option<&'l str> {
        let rest = line.strip_prefix('[')?.strip_prefix(self.as_str())?;
        let (name, _) = rest.strip_prefix(' ')?.split_once(']')?;
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_holds_the_boundary_gets_another() {
        let boundary = Boundary::from_seed(b"s");
        assert_eq!(boundary.not_in("nothing"), boundary);
        let other = boundary.not_in(&format!("[{} profile]", boundary.as_str()));
        assert_ne!(other, boundary);
    }

    #[test]
    fn only_a_mark_is_read_as_one() {
        let boundary = Boundary::parse("0123abcd").unwrap();
        let mark = boundary.mark("profile", "What is known:");
        assert_eq!(mark, "[0123abcd profile] What is known:");
        assert_eq!(boundary.name_in(&mark), Some("profile"));
        for line in ["[0123abce profile]", " [0123abcd profile]", "[0123abcd"] {
            assert_eq!(boundary.name_in(line), None, "{line}");
        }
        assert!(Boundary::parse("0123ABCD").is_err() && Boundary::parse("").is_err());
    }
}
