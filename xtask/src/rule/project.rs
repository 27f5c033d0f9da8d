//! The files that every clone must have, and what they must say.

use crate::{Finding, Tree};

/// Files at the root and a text that each must hold.
const NEEDED: &[(&str, &str)] = &[
    ("README.md", TEST_COMMAND),
    ("README.md", "cargo run --release -- demo"),
    (".ci/run", TEST_COMMAND),
    ("CONTRIBUTING.md", TEST_COMMAND),
    ("ARCHITECTURE.md", "## Glossary"),
    ("CHANGELOG.md", "## Unreleased"),
    ("LICENSE-MIT", "Permission is hereby granted"),
    ("LICENSE-APACHE", "Apache License"),
    ("deny.toml", "[licenses]"),
    ("docs/format.md", "application_id"),
];

/// The one command that README.md promises and CI runs.
const TEST_COMMAND: &str = "cargo test --workspace";

/// Lines that ARCHITECTURE.md may have, so that it is read.
const ARCHITECTURE_LINES_MAX: usize = 300;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in NEEDED {
        match tree.text(path) {
            None => findings.push(Finding::of(path, "is missing")),
            Some(found) if !found.contains(text) => {
                findings.push(Finding::of(path, format!("does not say `{text}`")));
            }
            Some(_) => {}
        }
    }
    let lines = tree
        .text("ARCHITECTURE.md")
        .map_or(0, |text| text.lines().count());
    if lines >= ARCHITECTURE_LINES_MAX {
        let message = format!(
            "has {lines} lines; under {ARCHITECTURE_LINES_MAX} it is read: move detail to docs/"
        );
        findings.push(Finding::of("ARCHITECTURE.md", message));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Vec<(&'static str, String)> {
        let mut files: Vec<(&str, String)> = Vec::new();
        for (path, text) in NEEDED {
            match files.iter_mut().find(|(known, _)| known == path) {
                Some((_, all)) => all.push_str(text),
                None => files.push((path, (*text).to_owned())),
            }
        }
        files
    }

    fn findings(files: &[(&str, String)]) -> Vec<String> {
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (*path, text.as_str()))
            .collect();
        check(&Tree::of(&files))
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn a_whole_project_passes() {
        assert_eq!(findings(&good()), Vec::<String>::new());
    }

    #[test]
    fn each_missing_file_is_named() {
        for (path, _) in NEEDED {
            let files: Vec<_> = good()
                .into_iter()
                .filter(|(kept, _)| kept != path)
                .collect();
            assert!(
                findings(&files).contains(&format!("{path}: is missing")),
                "{path}"
            );
        }
    }

    #[test]
    fn each_missing_text_is_named() {
        for (path, text) in NEEDED {
            let mut files = good();
            for (_, all) in files.iter_mut().filter(|(kept, _)| kept == path) {
                *all = all.replace(text, "");
            }
            assert!(
                findings(&files).contains(&format!("{path}: does not say `{text}`")),
                "{path}"
            );
        }
    }

    #[test]
    fn an_overview_that_grew_too_long_is_found() {
        let mut files = good();
        for (_, text) in &mut files {
            text.push_str(&"\nline".repeat(ARCHITECTURE_LINES_MAX));
        }
        assert_eq!(findings(&files).len(), 1);
    }
}
