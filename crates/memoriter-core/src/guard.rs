//! What every text passes before it reaches disk, log or queue.
//!
//! [`Guard::check`] masks secrets in place and counts characters that are not seen; [`Guard::blocked`] names a
//! category that the operator does not want; [`Guard::looks_like_instruction`] labels text that speaks to a model
//! instead of about the world. All three are pure functions of text and [`GuardPolicy`]. What follows from their
//! answers (refusing, quarantining) is the caller's part.
//!
//! Four kinds of rules find secrets: the forms of some 250 keys and tokens (`rules`, from data), places where one stands
//! such as headers and assignments (`place`), sentences that say one (`spoken`), and card numbers (`card`). One pass
//! over the text with all keywords decides which of them are tried, and expressions compile when first tried, so that
//! ordinary text costs that pass and no more.
//!
//! A detector finds what it was written for. Nothing here makes a text safe: it makes a leak rarer.

mod card;
mod instruction;
mod marks;
mod personal;
mod place;
mod placeholder;
mod policy;
mod rules;
mod scan;
mod span;
mod spoken;
#[rustfmt::skip] // Lists are read as paragraphs.
mod table;
#[cfg(test)]
mod tests;
mod words;

use std::borrow::Cow;
use std::ops::Range;

pub use instruction::{Evidence, EvidenceKind};
pub use marks::Marks;
pub use policy::{Category, GuardPolicy, PolicyError};

use span::Found;

/// Passes over a text. A pass may find what an earlier find hid; real texts need two, and the limit keeps a text that
/// was made to need more from costing more.
const PASSES_MAX: usize = 8;

/// The rules, with what an operator added.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    policy: GuardPolicy,
}

/// A text as it may be kept, and what was done to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Guarded<'a> {
    /// The text with `[secret:KIND]` in the place of each secret; borrowed if there was none.
    pub text: Cow<'a, str>,
    /// What was masked, in the order of the original.
    pub masked: Vec<Masked>,
    /// Characters that hide or reorder others; the text still has them.
    pub marks: Marks,
}

/// A secret that was masked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Masked {
    /// What it is, as in the mask: lower-case letters, digits and hyphens.
    pub kind: Cow<'static, str>,
    /// Where it is in the original, in bytes, at characters.
    pub span: Range<usize>,
}

/// Whether an attribute is one whose value is a secret, whatever it looks like: `client_secret`, `password`.
///
/// ```
/// use memoriter_core::guard::names_secret;
///
/// assert!(names_secret("client_secret") && names_secret("token"));
/// assert!(!names_secret("secret_santa") && !names_secret("favourite_token"));
/// ```
#[must_use]
pub fn names_secret(attribute: &str) -> bool {
    const ALWAYS: &[&str] = &[
        "password",
        "passwords",
        "passwort",
        "passwd",
        "passcode",
        "passphrase",
        "pin",
        "pin_code",
        "puk",
        "cvv",
        "cvc",
        "otp",
        "secret",
        "secrets",
        "credential",
        "credentials",
        "token",
        "tokens",
        "api_key",
        "apikey",
    ];
    const ENDS: &[&str] = &[
        "_password",
        "_passcode",
        "_passphrase",
        "card_pin",
        "sim_pin",
        "bank_pin",
        "_secret",
        "_credentials",
        "api_token",
        "access_token",
        "auth_token",
        "bearer_token",
        "refresh_token",
        "session_token",
        "bot_token",
        "personal_token",
        "_api_key",
        "access_key",
        "private_key",
        "secret_key",
        "encryption_key",
        "signing_key",
        "ssh_key",
    ];
    let name = attribute.to_lowercase().replace([' ', '-', '.'], "_");
    ALWAYS.contains(&name.as_str()) || ENDS.iter().any(|end| name.ends_with(end))
}

impl Guard {
    /// A guard that follows a policy. Costs nothing: built-in rules are read at the first check, once for the process.
    #[must_use]
    pub fn new(policy: GuardPolicy) -> Self {
        Self { policy }
    }

    /// Masks secrets, and what belongs to a blocked category.
    ///
    /// A mask covers the secret and not the sentence around it. Checking the result again changes nothing.
    ///
    /// ```
    /// use memoriter_core::guard::Guard;
    ///
    /// let guarded = Guard::default().check("My password is tulip42, remember it.");
    /// assert_eq!(guarded.text, "My password is [secret:password], remember it.");
    /// assert_eq!(guarded.masked[0].span, 15..22);
    /// ```
    #[must_use]
    pub fn check<'a>(&self, text: &'a str) -> Guarded<'a> {
        let mut found: Vec<Found> = Vec::new();
        let mut masked = Cow::Borrowed(text);
        for _ in 0..PASSES_MAX {
            let more = scan::scan(&masked, &self.policy);
            if more.is_empty() {
                break;
            }
            found = span::merge(&found, more);
            masked = Cow::Owned(span::render(text, &found));
        }
        let as_masked = |find: Found| Masked {
            kind: find.kind,
            span: find.span,
        };
        Guarded {
            text: masked,
            masked: found.into_iter().map(as_masked).collect(),
            marks: Marks::of(text),
        }
    }

    /// The first blocked category that a text has something of. Ask about the original: in a checked text it is masked.
    #[must_use]
    pub fn blocked(&self, text: &str) -> Option<Category> {
        let built_in = self.policy.blocked.iter();
        let mut built_in = built_in.filter(|category| !personal::find(category, text).is_empty());
        let mut patterns = self
            .policy
            .patterns
            .iter()
            .filter(|pattern| pattern.is_blocked);
        let mut named = || patterns.find(|pattern| pattern.regex.is_match(text));
        built_in
            .next()
            .cloned()
            .or_else(|| named().map(|pattern| Category::Named(pattern.name.clone().into_owned())))
    }

    /// What in a text speaks to a model: orders to forget its orders, forged turns, marks of a chat template, hidden text.
    ///
    /// A label for a text of untrusted origin, and not a wall: filters of this kind miss attacks, so what a record may do
    /// must not depend on it alone.
    #[must_use]
    pub fn looks_like_instruction(&self, text: &str) -> Option<Evidence> {
        instruction::find(text)
    }
}
