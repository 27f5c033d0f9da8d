//! What a store does, seen from outside.

mod conformance;
