//! The audit log: who did what, when, to which records, and never what they said.
//!
//! Each line is bound to the one before by a hash, so that a line that is changed, taken out, put in or moved shows. Who
//! is concerned is named by a pseudonym.

use serde_json::json;

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
