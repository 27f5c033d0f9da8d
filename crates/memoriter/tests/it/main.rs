//! The library as its users see it.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "helpers of tests stop at the first surprise, like the tests"
)]

mod again;
mod agents;
mod at_once;
mod attachments;
mod attempts;
mod backups;
mod brute_force;
mod canaries;
mod checkpoints;
mod clocks;
mod crash;
mod decay;
mod desk;
mod determinism;
mod echoes;
mod encrypted;
mod erasing;
mod erasing_damage;
mod erasing_full;
mod erasing_killed;
mod erasing_limited;
mod erasing_parts;
mod folding;
mod forgetting;
mod hostile;
mod killed;
mod learning;
mod ledger;
mod messages;
mod model;
mod modes;
mod neighbours_in_process;
mod orders;
mod queue;
mod recall;
mod requests;
mod restoring;
mod restoring_killed;
mod secrets;
mod state;
mod statements;
mod talk;
mod times;
mod tools;
mod transfer;
mod writing;
