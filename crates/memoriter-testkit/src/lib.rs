//! For tests only: what an implementation of a port must pass, and stand-ins for the present and for chance.
//!
//! | module | holds |
//! |---|---|
//! | [`conformance`] | one suite per port: a back end or a model is ported by passing it |
//! | [`clock`] | time that repeats |
//! | [`endpoint`] | a service of a language model that follows a script |
//! | [`sample`] | records to write |
//! | [`arbitrary`] | any record that the vocabulary allows, for property tests |

pub mod arbitrary;
pub mod clock;
pub mod conformance;
pub mod endpoint;
pub mod sample;

pub use clock::{FixedClock, StepClock};
pub use memoriter_core::port::SeededEntropy;
