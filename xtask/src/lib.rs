//! The tidy check: what the compiler and clippy cannot see about this workspace.
//!
//! `cargo test -p xtask` reads the whole tree and fails with one line a finding. [`check`] runs every rule over a
//! [`Tree`]; each rule is a file in `rule/`, a pure function of the tree, with tests on small trees in memory
//! that show it fails where it should. This crate depends on no other crate of the workspace.
//!
//! To add a rule: a file in `rule/` with `check(&Tree) -> Vec<Finding>`, and a line in [`check`].

mod finding;
mod rule;
mod rust;
mod tree;

pub use finding::Finding;
pub use tree::Tree;

/// Everything that is not as it should be, by path and line.
#[must_use]
pub fn check(tree: &Tree) -> Vec<Finding> {
    let rules = [
        rule::arrows::check,
        rule::manifests::check,
        rule::length::check,
        rule::reach::check,
        rule::rights::check,
        rule::words::check,
        rule::links::check,
        rule::project::check,
        rule::places::check,
    ];
    let mut findings: Vec<Finding> = rules.iter().flat_map(|rule| rule(tree)).collect();
    findings.sort();
    findings
}
