//! Places on one machine, which mean nothing on another.

use crate::rust::outside_tests;
use crate::{Finding, Tree};

/// Folders of somebody's machine. Written apart, so that this file may be checked too.
const FOLDERS: &[&[&str]] = &[
    &["", "work", ""],
    &["", "root", ""],
    &["", "tmp", ""],
    &["", "home", ""],
    &["", "Users", ""],
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.texts()
        .flat_map(|(path, text)| check_text(path, text))
        .collect()
}

fn check_text(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in outside_tests(path, text) {
        for folder in FOLDERS.iter().map(|parts| parts.join("/")) {
            if begins_a_path(line, &folder) {
                let message = format!("{folder} is a place on one machine");
                findings.push(Finding::at(path, number, message));
            }
        }
    }
    findings
}

/// Whether `folder` stands in the line as the beginning of a path, not inside another one or an address.
fn begins_a_path(line: &str, folder: &str) -> bool {
    let is_inside = |before: &str| {
        before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '~'))
    };
    line.match_indices(folder)
        .any(|(at, _)| line.get(..at).is_some_and(|before| !is_inside(before)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn places_are_found_outside_tests() {
        assert_eq!(found("README.md", "see /work/x\nor /tmp/x"), 2);
        assert_eq!(
            found("crates/x/src/a.rs", "const A: &str = \"/root/x\";"),
            1
        );
        assert_eq!(found(".ci/run", "cd \"/home/me\""), 1);
    }

    #[test]
    fn tests_and_addresses_may_have_them() {
        assert_eq!(
            found("crates/x/tests/it/a.rs", "const A: &str = \"/tmp/x\";"),
            0
        );
        assert_eq!(
            found(
                "crates/x/src/a.rs",
                "#[cfg(test)]\nmod tests {\n const A: &str = \"/tmp/x\";\n}"
            ),
            0
        );
        assert_eq!(
            found(
                "README.md",
                "https://example.org/work/x, a~/tmp/, docs/root/a, frame-work/work/b"
            ),
            0
        );
    }
}
