//! How long files and functions may be.

use crate::rust::{functions, is_test_path, test_lines};
use crate::{Finding, Tree};

/// Lines of a file outside its tests, comments included; 300 is the aim.
const FILE_LINES_MAX: usize = 500;
/// Lines of code between the braces of a function, a screen. Counted as clippy counts them: without lines that are
/// blank or a comment.
const FUNCTION_LINES_MAX: usize = 70;
/// Files over the limit with the length they may have. An entry may only go down, and goes when it can.
const RATCHET: &[(&str, usize)] = &[];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<Finding> = tree
        .rust()
        .flat_map(|(path, text)| check_file(path, text, RATCHET))
        .collect();
    let gone = RATCHET.iter().filter(|(path, _)| !tree.holds(path));
    findings.extend(gone.map(|(path, _)| {
        Finding::of(
            path,
            "is gone: take it off RATCHET (xtask/src/rule/length.rs)",
        )
    }));
    findings
}

fn check_file(path: &str, text: &str, ratchet: &[(&str, usize)]) -> Vec<Finding> {
    let file = match syn::parse_file(text) {
        Ok(file) => file,
        Err(error) => {
            return vec![Finding::at(
                path,
                error.span().start().line,
                format!("is not Rust: {error}"),
            )];
        }
    };
    let mut findings = Vec::new();
    if !is_test_path(path) {
        let tests: usize = test_lines(&file).into_iter().map(Iterator::count).sum();
        findings.extend(check_length(path, text.lines().count() - tests, ratchet));
    }
    for function in functions(&file) {
        let lines = text
            .lines()
            .zip(1..)
            .filter(|(line, number)| function.body.contains(number) && is_code(line))
            .count();
        if lines > FUNCTION_LINES_MAX {
            let message = format!(
                "function {} has {lines} lines, over the limit of {FUNCTION_LINES_MAX}: keep the branches here and \
                 move what they compute into functions",
                function.name
            );
            findings.push(Finding::at(path, function.line, message));
        }
    }
    findings
}

fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with("//")
}

fn check_length(path: &str, lines: usize, ratchet: &[(&str, usize)]) -> Option<Finding> {
    let entry = ratchet.iter().find(|(listed, _)| *listed == path);
    let message = match entry {
        Some((_, allowed)) if lines < *allowed => format!(
            "has {lines} lines, fewer than its {allowed} in RATCHET (xtask/src/rule/length.rs): lower the entry, or \
             take it off at {FILE_LINES_MAX}"
        ),
        Some((_, allowed)) if lines > *allowed => {
            format!("has {lines} lines, more than its {allowed} in RATCHET: split it")
        }
        None if lines > FILE_LINES_MAX => {
            format!(
                "has {lines} lines outside tests, over the limit of {FILE_LINES_MAX}: split it by what it tells"
            )
        }
        Some(_) | None => return None,
    };
    Some(Finding::of(path, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str, ratchet: &[(&str, usize)]) -> Vec<String> {
        let found = check_file(path, text, ratchet).into_iter();
        found.map(|finding| finding.to_string()).collect()
    }

    #[test]
    fn a_long_file_is_found_and_its_tests_do_not_count() {
        let long = "const A: u8 = 0;\n".repeat(501);
        assert!(messages("crates/x/src/a.rs", &long, &[])[0].contains("501 lines outside tests"));
        assert!(messages("crates/x/tests/it/a.rs", &long, &[]).is_empty());
        let tested = format!(
            "{}#[cfg(test)]\nmod tests {{\n{}}}\n",
            "const A: u8 = 0;\n".repeat(500),
            "const B: u8 = 0;\n".repeat(300)
        );
        assert!(messages("crates/x/src/a.rs", &tested, &[]).is_empty());
    }

    #[test]
    fn a_ratchet_only_tightens() {
        let text = "const A: u8 = 0;\n".repeat(510);
        let path = "crates/x/src/a.rs";
        assert!(messages(path, &text, &[(path, 510)]).is_empty());
        assert!(messages(path, &text, &[(path, 509)])[0].contains("split it"));
        assert!(messages(path, &text, &[(path, 511)])[0].contains("lower the entry"));
    }

    #[test]
    fn a_long_function_is_found_in_tests_too() {
        let body = "    let _ = 1;\n".repeat(71);
        let long = format!("\nfn a() {{\n{body}}}\n");
        assert!(
            messages("crates/x/tests/it/a.rs", &long, &[])[0]
                .starts_with("crates/x/tests/it/a.rs:2: function a has 71")
        );
        let fits = format!(
            "/// Doc.\n#[must_use]\nfn a() {{\n{}}}\n",
            "    let _ = 1;\n\n    // Why.\n".repeat(70)
        );
        assert!(messages("crates/x/src/a.rs", &fits, &[]).is_empty());
    }

    #[test]
    fn what_is_not_rust_is_said() {
        assert!(messages("crates/x/src/a.rs", "fn (", &[])[0].contains("is not Rust"));
    }
}
