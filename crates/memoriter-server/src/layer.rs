//! What every request goes through, outermost first: it is noted ([`observe`]), its host and origin are looked at
//! ([`host`]), then its credential and how much that may take ([`authenticate`]). Nothing of a body is read before.

pub(crate) mod authenticate;
pub(crate) mod cors;
pub(crate) mod host;
pub(crate) mod observe;
