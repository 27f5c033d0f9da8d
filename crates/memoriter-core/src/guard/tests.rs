//! The guard against texts that are made: secrets in many places, and what only looks like one.

mod any;
mod instructions;
mod lookalike;
mod made;
mod odd;
mod planted;
mod policy;
mod written;
