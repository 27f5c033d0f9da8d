//! What a fact is about.

use std::fmt;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;

use super::LABEL_BYTES_MAX;
use crate::error::{InvalidInput, check_some_text};
use crate::text::is_invisible;

/// What a fact is about: an entity and one of its attributes, as `user.city`.
///
/// One spelling a key: lower case, compatibility forms unified (NFKC), one space where there were several.
/// In an attribute, spaces and hyphens count as `_`, so that `User.Home-Town` is `user.home_town`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactKey {
    entity: String,
    attribute: String,
}

impl FactKey {
    /// A key from its parts, in any spelling.
    ///
    /// # Errors
    /// [`InvalidInput`] when a part is empty, over [`LABEL_BYTES_MAX`], or holds a character that is not seen: two
    /// keys that look alike would be two.
    pub fn new(entity: &str, attribute: &str) -> Result<Self, InvalidInput> {
        for (field, part) in [("entity", entity), ("attribute", attribute)] {
            let is_hidden =
                |c: char| is_invisible(c) || c.is_control() && !c.is_whitespace() && c != '\0';
            if part.contains(is_hidden) {
                return Err(InvalidInput::malformed(
                    field,
                    "free of invisible characters",
                    part,
                ));
            }
        }
        Self::kept(entity, attribute)
    }

    /// A key that a store holds: taken also where [`FactKey::new`] has become stricter since.
    ///
    /// # Errors
    /// [`InvalidInput`] when a part is empty, over [`LABEL_BYTES_MAX`] or holds NUL.
    pub fn kept(entity: &str, attribute: &str) -> Result<Self, InvalidInput> {
        let entity = in_one_spelling(entity, char::is_whitespace, " ");
        let is_gap = |c: char| c.is_whitespace() || c == '-' || c == '_';
        let attribute = in_one_spelling(attribute, is_gap, "_");
        check_some_text("entity", &entity, LABEL_BYTES_MAX)?;
        check_some_text("attribute", &attribute, LABEL_BYTES_MAX)?;
        Ok(Self { entity, attribute })
    }

    /// The thing the fact is about.
    #[must_use]
    pub fn entity(&self) -> &str {
        &self.entity
    }

    /// Which of its properties.
    #[must_use]
    pub fn attribute(&self) -> &str {
        &self.attribute
    }
}

fn in_one_spelling(text: &str, is_gap: impl Fn(char) -> bool, gap: &str) -> String {
    let lower: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let words: Vec<&str> = lower
        .split(is_gap)
        .filter(|word| !word.is_empty())
        .collect();
    words.join(gap)
}

impl FromStr for FactKey {
    type Err = InvalidInput;

    /// Reads `entity.attribute`; the last dot parts them, and something stands around every dot.
    fn from_str(text: &str) -> Result<Self, InvalidInput> {
        let is_whole = text.split('.').all(|part| !part.trim().is_empty());
        match text.rsplit_once('.') {
            Some((entity, attribute)) if is_whole => Self::new(entity, attribute),
            Some(_) | None => Err(InvalidInput::malformed(
                "key",
                "entity.attribute such as user.city",
                text,
            )),
        }
    }
}

impl fmt::Display for FactKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.entity, self.attribute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_dot_parts_a_key() {
        let key: FactKey = "dr. smith.phone".parse().unwrap();
        assert_eq!((key.entity(), key.attribute()), ("dr. smith", "phone"));
        let broken = [
            "",
            "user",
            ".city",
            "user.",
            ".",
            " . ",
            "user.-",
            "user..city",
            "a. .b",
        ];
        for broken in broken {
            assert!(broken.parse::<FactKey>().is_err(), "{broken}");
        }
    }

    #[test]
    fn a_key_holds_nothing_that_is_not_seen() {
        for (text, field) in [
            ("us\u{200B}er.city", "entity"),
            ("user.ci\u{200D}ty", "attribute"),
            ("user.\u{202E}ytic", "attribute"),
            ("\u{FEFF}user.city", "entity"),
            ("user.city\u{E0041}", "attribute"),
            ("us\u{7}er.city", "entity"),
        ] {
            let refused = text.parse::<FactKey>().unwrap_err().to_string();
            let expected = format!("{field} must be free of invisible characters");
            assert!(refused.starts_with(&expected), "{refused}");
            let (entity, attribute) = text.split_once('.').unwrap();
            assert!(FactKey::kept(entity, attribute).is_ok(), "old stores open");
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let key: FactKey = text.parse().unwrap();
        assert_eq!(key.to_string(), expected);
        assert_eq!(
            FactKey::new(key.entity(), key.attribute()).unwrap(),
            key,
            "its own spelling is stable"
        );
    }

    #[test]
    fn one_key_has_one_spelling() {
        check("User.City", "user.city");
        check(" user . home town", "user.home_town");
        check("user.home-town", "user.home_town");
        check("Dr.  Smith.E_Mail", "dr. smith.e_mail");
        check("ＵＳＥＲ.città", "user.città");
    }
}
