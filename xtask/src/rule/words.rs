//! Words that have a better one.

use proc_macro2::TokenStream;

use crate::rust::{attribute_words, macro_calls};
use crate::{Finding, Tree};

/// Names of modules that say nothing about what is in them.
const DRAWERS: &[&str] = &[
    "common", "helper", "helpers", "misc", "shared", "types", "util", "utils",
];

/// Macros that must not stay in the code, and what to write.
const MACROS: &[(&str, &str)] = &[
    ("dbg", "use a test, or `tracing` where it exists"),
    (
        "todo",
        "leave the item out until it works, or return an error",
    ),
    (
        "unimplemented",
        "leave the item out until it works, or return an error",
    ),
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust()
        .flat_map(|(path, text)| check_file(path, text))
        .collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(drawer) = DRAWERS.iter().find(|drawer| is_named(path, drawer)) {
        let message =
            format!("`{drawer}` is a drawer: name the module after the concept that it holds");
        findings.push(Finding::of(path, message));
    }
    // What is not Rust is another rule's finding.
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return findings;
    };
    for (name, line) in macro_calls(tokens.clone()) {
        if let Some((_, instead)) = MACROS.iter().find(|(banned, _)| *banned == name) {
            findings.push(Finding::at(
                path,
                line,
                format!("`{name}!` must not stay: {instead}"),
            ));
        }
    }
    for (words, line) in attribute_words(tokens) {
        if is_ignored_test(&words) {
            let message = "`#[ignore]` hides a test: make it quick and sure, or make it an example or a bench";
            findings.push(Finding::at(path, line, message));
        }
    }
    findings
}

fn is_named(path: &str, name: &str) -> bool {
    let mut parts = path.rsplit('/');
    parts.next() == Some(&format!("{name}.rs")) || parts.any(|part| part == name)
}

/// `#[ignore]`, `#[ignore = "..."]`, or the same under a condition.
fn is_ignored_test(words: &[String]) -> bool {
    match words {
        [first, ..] if first == "ignore" => true,
        [first, rest @ ..] if first == "cfg_attr" => rest.iter().any(|word| word == "ignore"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(text: &str, expected: &[&str]) {
        let found = check_file("crates/x/src/a.rs", text);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (finding, expected) in found.iter().zip(expected) {
            assert!(finding.to_string().contains(expected), "{finding}");
        }
    }

    #[test]
    fn drawers_are_named_wherever_they_are() {
        for path in [
            "crates/x/src/utils.rs",
            "crates/x/src/utils/a.rs",
            "crates/x/tests/utils/mod.rs",
        ] {
            assert!(
                check_file(path, "")[0]
                    .message
                    .contains("`utils` is a drawer"),
                "{path}"
            );
        }
        assert!(check_file("crates/x/src/futils.rs", "").is_empty());
    }

    #[test]
    fn leftovers_are_found_in_code_and_not_in_text() {
        check_text(
            "fn a() {\n    todo!()\n}",
            &["a.rs:2: `todo!` must not stay"],
        );
        check_text("fn a() { prop! { b in 0..1, dbg!(b) } }", &["`dbg!`"]);
        check_text(
            "// todo!()\nconst A: &str = \"dbg!\"; fn b() { c::unimplemented!(); }",
            &["`unimplemented!`"],
        );
        check_text("/// `todo!` is banned.\nfn todo() {}", &[]);
    }

    #[test]
    fn hidden_tests_are_found() {
        check_text(
            "#[test]\n#[ignore = \"slow\"]\nfn a() {}",
            &["a.rs:2: `#[ignore]`"],
        );
        check_text(
            "#[test]\n#[cfg_attr(debug_assertions, ignore)]\nfn a() {}",
            &["`#[ignore]`"],
        );
        check_text("#[expect(clippy::a, reason = \"b\")]\nfn ignore() {}", &[]);
    }
}
