//! Links and names of sources in Markdown, and names of documents anywhere.

use crate::rust::outside_tests;
use crate::tree::has_extension;
use crate::{Finding, Tree};

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<Finding> = tree
        .markdown()
        .flat_map(|(path, text)| check_links(tree, path, text))
        .collect();
    findings.extend(
        tree.texts()
            .flat_map(|(path, text)| check_documents(tree, path, text)),
    );
    findings.extend(
        tree.markdown()
            .flat_map(|(path, text)| check_sources(tree, path, text)),
    );
    findings.extend(check_decisions(tree));
    findings
}

/// `](target)` must lead to a file or folder, unless it leads out of the repository or within the page.
fn check_links(tree: &Tree, path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        for part in line.split("](").skip(1) {
            let target = part.split([')', '#', ' ']).next().unwrap_or_default();
            let leads_out = target.contains(':') || target.is_empty();
            if !leads_out && !tree.holds(&resolve(path, target)) {
                findings.push(Finding::at(
                    path,
                    number,
                    format!("the link to {target} leads nowhere"),
                ));
            }
        }
    }
    findings
}

/// `target` as seen from the folder of `path`.
fn resolve(path: &str, target: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// A source that a page names between backticks, whole or by its last parts, must be there.
fn check_sources(tree: &Tree, path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        for name in line.split('`').skip(1).step_by(2) {
            let is_name = has_extension(name, "rs") && !name.contains([' ', '<', '*']);
            let end = format!("/{name}");
            let is_there = || {
                tree.rust()
                    .any(|(found, _)| found == name || found.ends_with(&end))
            };
            if is_name && !is_there() {
                findings.push(Finding::at(
                    path,
                    number,
                    format!("there is no source {name}"),
                ));
            }
        }
    }
    findings
}

/// `docs/….md` in a comment or text must be there.
fn check_documents(tree: &Tree, path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in outside_tests(path, text) {
        for name in document_names(line).filter(|name| !tree.holds(name)) {
            findings.push(Finding::at(path, number, format!("there is no {name}")));
        }
    }
    findings
}

/// The whole paths in a line that begin with `docs/` and end with `.md`.
fn document_names(line: &str) -> impl Iterator<Item = &str> {
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
    line.match_indices("docs/").filter_map(move |(at, _)| {
        let (before, rest) = line.split_at_checked(at)?;
        let end = rest.find(|c| !is_of_path(c)).unwrap_or(rest.len());
        let name = rest.get(..end)?.trim_end_matches('.');
        (has_extension(name, "md") && !before.ends_with(is_of_path)).then_some(name)
    })
}

/// Decisions are numbered without gaps and listed in ARCHITECTURE.md.
fn check_decisions(tree: &Tree) -> Vec<Finding> {
    const FOLDER: &str = "docs/decisions/";
    let overview = tree.text("ARCHITECTURE.md").unwrap_or_default();
    let decisions = tree.texts().filter(|(path, _)| path.starts_with(FOLDER));
    let mut findings = Vec::new();
    for ((path, _), number) in decisions.zip(1_u32..) {
        if !path.starts_with(&format!("{FOLDER}{number:04}-")) || !has_extension(path, "md") {
            let message = format!(
                "decisions are named NNNN-title.md, numbered without gaps; here {number:04} is due"
            );
            findings.push(Finding::of(path, message));
        }
        if !overview.contains(&format!("({path})")) {
            findings.push(Finding::of(path, "is not linked from ARCHITECTURE.md"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_findings(files: &[(&str, &str)], expected: &[&str]) {
        let found = check(&Tree::of(files));
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (finding, expected) in found.iter().zip(expected) {
            assert!(finding.to_string().contains(expected), "{finding}");
        }
    }

    #[test]
    fn links_that_lead_somewhere_pass() {
        let text = "[a](b.md) [c](../src/d.rs#L1) [e](https://example.org/x) [f](#g) [h](..)";
        check_findings(
            &[("docs/a.md", text), ("docs/b.md", ""), ("src/d.rs", "")],
            &[],
        );
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        check_findings(
            &[("docs/a.md", "x\n[b](c.md)")],
            &["docs/a.md:2: the link to c.md leads nowhere"],
        );
    }

    #[test]
    fn documents_that_comments_name_must_be_there() {
        let source = "//! See `docs/a.md` and docs/b.md.\n// https://example.org/docs/c.md";
        check_findings(
            &[("docs/a.md", ""), ("src/lib.rs", source)],
            &["src/lib.rs:1: there is no docs/b.md"],
        );
    }

    #[test]
    fn sources_that_pages_name_must_be_there() {
        let text = "`src/a.rs` and `b/a.rs`, `x/<name>.rs`, `a b.rs`, b.rs\n`c/a.rs` `cargo`";
        check_findings(
            &[
                ("x.md", text),
                ("crates/b/src/a.rs", ""),
                ("crates/d/b/a.rs", ""),
            ],
            &["x.md:2: there is no source c/a.rs"],
        );
    }

    #[test]
    fn decisions_are_numbered_and_linked() {
        let overview = ("ARCHITECTURE.md", "[one](docs/decisions/0001-one.md)");
        check_findings(&[overview, ("docs/decisions/0001-one.md", "")], &[]);
        check_findings(
            &[
                overview,
                ("docs/decisions/0001-one.md", ""),
                ("docs/decisions/0003-x.md", ""),
            ],
            &["here 0002 is due", "is not linked"],
        );
    }
}
