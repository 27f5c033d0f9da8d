//! What a caller may do: where, and which kinds of things.

use std::fmt;

use crate::error::{Diagnose, Fault, InvalidInput};
use crate::scope::Scope;

/// One kind of thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Right {
    /// Recall, list, show, lay out a desk, read sessions.
    Read,
    /// Remember, append, correct, review, write fields and checkpoints.
    Write,
    /// Retire and erase.
    Delete,
    /// Take everything of a scope out, or bring it in.
    Export,
    /// What is about the whole store: statistics, verifying, rebuilding, the queue, receipts of others.
    Admin,
}

impl Right {
    /// Every right, least powerful first.
    pub const ALL: [Self; 5] = [
        Self::Read,
        Self::Write,
        Self::Delete,
        Self::Export,
        Self::Admin,
    ];

    /// Its name in settings and keys.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Export => "export",
            Self::Admin => "admin",
        }
    }

    fn bit(self) -> u8 {
        match self {
            Self::Read => 1,
            Self::Write => 1 << 1,
            Self::Delete => 1 << 2,
            Self::Export => 1 << 3,
            Self::Admin => 1 << 4,
        }
    }
}

/// A set of rights. No right holds another: who may write may not read by that.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rights(u8);

impl Rights {
    /// None.
    pub const NONE: Self = Self(0);
    /// Every right.
    pub const ALL: Self = Self(0b1_1111);

    /// These rights.
    #[must_use]
    pub fn of(rights: &[Right]) -> Self {
        Self(rights.iter().fold(0, |bits, right| bits | right.bit()))
    }

    /// Reads names with commas between: `read,write`; `all` stands for every right.
    ///
    /// # Errors
    /// [`InvalidInput`] that names the field `rights`, when there is no name or one is unknown.
    pub fn parse(text: &str) -> Result<Self, InvalidInput> {
        let wrong = || {
            InvalidInput::malformed(
                "rights",
                "one or more of read, write, delete, export, admin with commas between, or all",
                text,
            )
        };
        if text.trim() == "all" {
            return Ok(Self::ALL);
        }
        let named = |name: &str| {
            Right::ALL
                .into_iter()
                .find(|right| right.name() == name.trim())
        };
        let rights: Option<Vec<Right>> = text.split(',').map(named).collect();
        rights.map(|rights| Self::of(&rights)).ok_or_else(wrong)
    }

    /// Whether a right is among them.
    #[must_use]
    pub fn has(self, right: Right) -> bool {
        self.0 & right.bit() != 0
    }
}

impl fmt::Display for Rights {
    /// As [`Rights::parse`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = Right::ALL.into_iter().filter(|right| self.has(*right));
        let names: Vec<&str> = held.map(Right::name).collect();
        f.write_str(&names.join(","))
    }
}

impl fmt::Debug for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// What a credential allows inside one tenant: the scopes at and inside a path, and rights there.
///
/// A caller sees nothing outside its path, not even what is around it: an agent's credential of
/// `user/priya/agent/tutor` reads what that agent wrote, one of `user/priya` what is known about Priya too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// `None` for the whole tenant.
    within: Option<Scope>,
    rights: Rights,
}

/// A call that the credential does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessDenied {
    /// The scope is outside the credential's path.
    #[error("this credential does not reach {scope}")]
    Scope {
        /// The scope that was asked for.
        scope: Scope,
    },
    /// The right is missing.
    #[error("this credential has no right to {}", right.name())]
    Right {
        /// The right.
        right: Right,
    },
    /// The call is about the whole store, and the credential has a path.
    #[error("this credential reaches {scope} alone, and not the whole store")]
    Store {
        /// The path of the credential.
        scope: Scope,
    },
}

impl Diagnose for AccessDenied {
    fn code(&self) -> &'static str {
        match self {
            Self::Scope { .. } | Self::Store { .. } => "scope_denied",
            Self::Right { .. } => "right_denied",
        }
    }

    fn fault(&self) -> Fault {
        Fault::Refused
    }
}

impl Access {
    /// Everything: what the owner of the file has.
    pub const FULL: Self = Self {
        within: None,
        rights: Rights::ALL,
    };

    /// Rights at and inside a path; `None` for the whole tenant.
    #[must_use]
    pub fn new(within: Option<Scope>, rights: Rights) -> Self {
        Self { within, rights }
    }

    /// The path; `None` for the whole tenant.
    #[must_use]
    pub fn within(&self) -> Option<&Scope> {
        self.within.as_ref()
    }

    /// The rights.
    #[must_use]
    pub fn rights(&self) -> Rights {
        self.rights
    }

    /// Whether a scope is at or inside the path.
    #[must_use]
    pub fn reaches(&self, scope: &Scope) -> bool {
        self.within
            .as_ref()
            .is_none_or(|outer| scope.is_within(outer))
    }

    /// Whether this access may do a kind of thing, wherever it may act.
    ///
    /// # Errors
    /// [`AccessDenied::Right`].
    pub fn check(&self, right: Right) -> Result<(), AccessDenied> {
        if self.rights.has(right) {
            Ok(())
        } else {
            Err(AccessDenied::Right { right })
        }
    }

    /// Whether this access may act in a scope at all.
    ///
    /// # Errors
    /// [`AccessDenied::Scope`].
    pub fn check_scope(&self, scope: &Scope) -> Result<(), AccessDenied> {
        if self.reaches(scope) {
            Ok(())
        } else {
            Err(AccessDenied::Scope {
                scope: scope.clone(),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_are_read_back_as_they_are_written() {
        for bits in 1..=Rights::ALL.0 {
            let rights = Rights(bits);
            assert_eq!(Rights::parse(&rights.to_string()), Ok(rights));
        }
        assert_eq!(Rights::parse("all"), Ok(Rights::ALL));
        assert_eq!(
            Rights::parse("read, write"),
            Ok(Rights::of(&[Right::Read, Right::Write]))
        );
        for text in ["", "reader", "read,", "read;write", "READ"] {
            assert!(Rights::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_right_holds_no_other() {
        for right in Right::ALL {
            let access = Access::new(None, Rights::of(&[right]));
            for other in Right::ALL {
                assert_eq!(access.check(other).is_ok(), other == right);
            }
        }
        let none = Access::new(None, Rights::NONE);
        assert!(Right::ALL.iter().all(|right| none.check(*right).is_err()));
    }

    #[test]
    fn a_path_reaches_what_is_at_it_and_inside_it() {
        let names = ["1", "12", "a", "a/b", "a%", "A", "å"];
        for outer in names {
            let access = Access::new(Some(Scope::user(outer)), Rights::ALL);
            for name in names {
                let scope = Scope::user(name);
                let agent = scope.within("agent", "tutor").unwrap();
                assert_eq!(access.reaches(&scope), name == outer);
                assert_eq!(access.check_scope(&agent).is_ok(), name == outer);
            }
            let team = Scope::from_segments(["team", outer]).unwrap();
            assert!(!access.reaches(&team));
        }
        let agent = Scope::user("1").within("agent", "tutor").unwrap();
        let of_agent = Access::new(Some(agent), Rights::ALL);
        assert!(!of_agent.reaches(&Scope::user("1")), "what is around it");
        assert!(Access::FULL.reaches(&Scope::user("1")));
    }
}
