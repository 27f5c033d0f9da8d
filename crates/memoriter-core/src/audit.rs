//! The audit log: who did what, when, to which records, and never what they said.
//!
//! Each line is bound to the one before by a hash, so that a line that is changed, taken out, put in or moved shows. Who
//! is concerned is named by a pseudonym.

use serde_json::{Value, json};

use crate::scope::Scope;
use crate::time::Timestamp;

/// Ids that a line names at most; of more it says how many.
pub const NAMED_MAX: usize = 64;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditKind {
    /// Records were removed for good.
    Erase,
    /// The files were searched after an erasure.
    Scrub,
    /// Memories were taken out of use.
    Retire,
    /// A person decided on a memory that waited.
    Review,
    /// Records were written out.
    Export,
    /// Records were read in.
    Import,
    /// The store was put back as a backup has it.
    Restore,
}

impl AuditKind {
    /// The word in the log.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Erase => "erase",
            Self::Scrub => "scrub",
            Self::Retire => "retire",
            Self::Review => "review",
            Self::Export => "export",
            Self::Import => "import",
            Self::Restore => "restore",
        }
    }
}

/// What a line of the log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// Who did it, by name where one was given.
    pub actor: Option<String>,
    /// What was done.
    pub kind: AuditKind,
    /// What was decided or selected: a word such as `approve` or `session`.
    pub decision: String,
    /// Ids of records and requests; the log keeps [`NAMED_MAX`] of them.
    pub records: Vec<String>,
    /// How many records it was about.
    pub count: u64,
}

impl AuditEntry {
    /// The line: canonical JSON. `secret` is the store's.
    #[must_use]
    pub fn line(&self, secret: &[u8; 32], scope: &Scope) -> String {
        self.line_about(&pseudonym(secret, scope))
    }

    /// The line about somebody of whom only the pseudonym is known.
    #[must_use]
    pub fn line_about(&self, subject: &str) -> String {
        let named: Vec<&String> = self.records.iter().take(NAMED_MAX).collect();
        json!({
            "at": self.at.to_string(),
            "actor": self.actor.as_deref().unwrap_or("user"),
            "kind": self.kind.as_str(),
            "decision": self.decision,
            "subject": subject,
            "records": named,
            "count": self.count,
        })
        .to_string()
    }
}

/// What a store keeps for good beside the log: neither is ever removed, so that there are never fewer than a line says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Tombstones.
    pub tombstones: u64,
    /// Receipts.
    pub receipts: u64,
}

impl Kept {
    /// A line with what is kept when it is written. A line that is no JSON object stays as it is.
    #[must_use]
    pub fn told_in(self, line: &str) -> String {
        let Ok(Value::Object(mut fields)) = serde_json::from_str(line) else {
            return line.to_owned();
        };
        let kept = json!({"tombstones": self.tombstones, "receipts": self.receipts});
        fields.insert("kept".to_owned(), kept);
        Value::Object(fields).to_string()
    }

    /// What a line says was kept when it was written; `None` where it does not say.
    #[must_use]
    pub fn said_in(line: &str) -> Option<Self> {
        let line: Value = serde_json::from_str(line).ok()?;
        let count = |name: &str| line.get("kept")?.get(name)?.as_u64();
        Some(Self {
            tombstones: count("tombstones")?,
            receipts: count("receipts")?,
        })
    }

    /// What is missing where so much is there and `said` was kept before, in words.
    #[must_use]
    pub fn missing(self, said: Self) -> Vec<(&'static str, String)> {
        let kinds = [
            ("tombstone", self.tombstones, said.tombstones),
            ("receipt", self.receipts, said.receipts),
        ];
        let fewer = kinds.into_iter().filter(|(_, there, said)| there < said);
        fewer
            .map(|(kind, there, said)| {
                let why =
                    format!("there are {there}, and the audit log says that there were {said}");
                (kind, why)
            })
            .collect()
    }
}

/// The hash that binds a line to what was before it: BLAKE3 over the hash before and the line. The first line follows a
/// hash of zeros.
///
/// ```
/// use memoriter_core::audit::link;
///
/// let first = link(&[0; 32], "one");
/// assert_ne!(link(&first, "two"), link(&link(&[0; 32], "two"), "one"));
/// ```
#[must_use]
pub fn link(before: &[u8; 32], line: &str) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before);
    hasher.update(line.as_bytes());
    *hasher.finalize().as_bytes()
}

/// A log as it is followed from its first line on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// How many lines were followed.
    pub lines: u64,
    /// The hash of the last; zeros before the first.
    pub hash: [u8; 32],
}

impl Chain {
    /// Follows the next line that the log has; where it does not fit, says in words why, and goes on from it all the same, so
    /// that one fault is told once.
    ///
    /// # Errors
    /// When a line before it is missing, or it is not bound to the one before.
    pub fn follow(&mut self, number: u64, line: &str, hash: [u8; 32]) -> Result<(), &'static str> {
        let before = std::mem::replace(
            self,
            Self {
                lines: number,
                hash,
            },
        );
        if number != before.lines + 1 {
            return Err("the line before it is missing");
        }
        if link(&before.hash, line) != hash {
            return Err("it does not follow the line before it");
        }
        Ok(())
    }
}

/// What stands for a scope where its name must not: a keyed hash in 32 hexadecimal digits. Who has the store's secret can
/// tell whether it is that of a name; nobody can read a name from it.
#[must_use]
pub fn pseudonym(secret: &[u8; 32], scope: &Scope) -> String {
    let key = blake3::derive_key("memoriter 2026 pseudonym of a scope", secret);
    let hash = blake3::keyed_hash(&key, scope.to_json().as_bytes());
    let half: String = hash.to_hex().chars().take(32).collect();
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_followed_from_its_first_line() {
        let one = link(&[0; 32], "one");
        let two = link(&one, "two");
        let three = link(&two, "three");
        let followed = |lines: &[(u64, &str, [u8; 32])]| {
            let mut chain = Chain::default();
            let told = lines.iter();
            told.map(|(number, line, hash)| chain.follow(*number, line, *hash).err())
                .collect::<Vec<_>>()
        };
        let (missing, other) = (
            Some("the line before it is missing"),
            Some("it does not follow the line before it"),
        );
        let whole = [(1, "one", one), (2, "two", two), (3, "three", three)];
        assert_eq!(followed(&whole), [None; 3]);
        assert_eq!(followed(&whole[1..]), [missing, None]);
        let changed = [(1, "won", one), (2, "two", two)];
        assert_eq!(followed(&changed), [other, None]);
        let moved = [(1, "two", two), (2, "one", one), (3, "three", three)];
        assert_eq!(followed(&moved), [other; 3]);
        let cut = [(1, "one", one), (3, "three", three)];
        assert_eq!(followed(&cut), [None, missing]);
    }

    #[test]
    fn a_line_says_what_is_kept() {
        let kept = |tombstones, receipts| Kept {
            tombstones,
            receipts,
        };
        let line = kept(7, 2).told_in(r#"{"kind":"erase"}"#);
        assert_eq!(
            line,
            r#"{"kept":{"receipts":2,"tombstones":7},"kind":"erase"}"#
        );
        assert_eq!(Kept::said_in(&line), Some(kept(7, 2)));
        assert_eq!(Kept::said_in(r#"{"kept":{"receipts":2}}"#), None);
        assert_eq!(kept(7, 2).told_in("[1]"), "[1]");
        assert_eq!(kept(8, 2).missing(kept(7, 2)), []);
        let missing = kept(6, 1).missing(kept(7, 2));
        let kinds: Vec<&str> = missing.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, ["tombstone", "receipt"]);
    }

    #[test]
    fn a_line_names_nobody() {
        let entry = AuditEntry {
            at: Timestamp::from_micros(0),
            actor: None,
            kind: AuditKind::Retire,
            decision: "requested".into(),
            records: (0..100).map(|number| number.to_string()).collect(),
            count: 100,
        };
        let line = entry.line(&[1; 32], &Scope::user("priya"));
        assert!(
            !line.contains("priya") && line.contains(r#""count":100"#),
            "{line}"
        );
        assert!(
            line.contains(r#""63""#) && !line.contains(r#""64""#),
            "{line}"
        );
        assert_ne!(line, entry.line(&[2; 32], &Scope::user("priya")));
    }
}
