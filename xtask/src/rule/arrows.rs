//! Which crate may depend on which.

use toml::{Table, Value};

use crate::{Finding, Tree};

/// A crate and the crates of this workspace that it may name.
struct Arrows {
    from: &'static str,
    /// In `[dependencies]` and `[build-dependencies]`.
    to: &'static [&'static str],
    /// In `[dev-dependencies]`, besides those.
    to_in_tests: &'static [&'static str],
}

/// The picture in ARCHITECTURE.md: `core <- store <- memoriter <- server <- cli`, `core <- provider <- memoriter`.
const ARROWS: &[Arrows] = &[
    Arrows {
        from: "memoriter-core",
        to: &[],
        to_in_tests: &[],
    },
    Arrows {
        from: "memoriter-store",
        to: &["memoriter-core"],
        to_in_tests: &["memoriter-testkit"],
    },
    Arrows {
        from: "memoriter-provider",
        to: &["memoriter-core"],
        to_in_tests: &["memoriter-testkit"],
    },
    Arrows {
        from: "memoriter",
        to: &["memoriter-core", "memoriter-store", "memoriter-provider"],
        to_in_tests: &["memoriter-testkit"],
    },
    Arrows {
        from: "memoriter-server",
        to: &["memoriter"],
        to_in_tests: &[],
    },
    Arrows {
        from: "memoriter-cli",
        to: &["memoriter", "memoriter-provider", "memoriter-server"],
        to_in_tests: &["memoriter-testkit"],
    },
    Arrows {
        from: "memoriter-testkit",
        to: &["memoriter-core", "memoriter-store"],
        to_in_tests: &[],
    },
    Arrows {
        from: "xtask",
        to: &[],
        to_in_tests: &[],
    },
];

/// Libraries that only some crates may use, and why the others do without.
const RESERVED: &[(&[&str], &[&str], &str)] = &[
    (
        &["rusqlite"],
        &["memoriter-store"],
        "only the store speaks SQL",
    ),
    (
        &["clap", "comfy-table", "indicatif", "directories"],
        &["memoriter-cli"],
        "only the command line talks to a terminal",
    ),
    (
        &["anyhow"],
        &["memoriter-cli"],
        "libraries have errors of their own with code and fault",
    ),
    (
        &["getrandom"],
        &["memoriter"],
        "randomness is an argument: take a `&dyn Entropy`",
    ),
    (
        &["fs-err", "tempfile"],
        &[
            "memoriter-store",
            "memoriter-provider",
            "memoriter-server",
            "memoriter-cli",
            "xtask",
        ],
        "the vocabulary and the engine open no files",
    ),
    (
        &["axum", "hyper", "futures", "rmcp", "tower", "tower-http"],
        &["memoriter-server"],
        "everything blocks; only the server crate waits without a thread",
    ),
    (
        &["tokio"],
        // Clients of services run on it, behind ports that block; the command starts the server on it.
        &["memoriter-provider", "memoriter-server", "memoriter-cli"],
        "everything blocks; only the server crate waits without a thread",
    ),
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let aliases = aliases(tree);
    tree.manifests()
        .flat_map(|(path, _, text)| match text.parse::<Table>() {
            Ok(manifest) => check_manifest(path, &manifest, &aliases),
            Err(error) => vec![Finding::of(path, format!("is not TOML: {error}"))],
        })
        .collect()
}

fn check_manifest(path: &str, manifest: &Table, aliases: &Table) -> Vec<Finding> {
    let Some(name) = package_name(manifest) else {
        return vec![Finding::of(path, "has no package name")];
    };
    let Some(arrows) = ARROWS.iter().find(|arrows| arrows.from == name) else {
        let message = format!(
            "crate {name} is in no row of ARROWS (xtask/src/rule/arrows.rs): add it there, and a paragraph in \
             ARCHITECTURE.md that names the dependency it forbids"
        );
        return vec![Finding::of(path, message)];
    };
    let mut findings = Vec::new();
    for dependency in dependencies(manifest, aliases) {
        if let Some(message) = forbidden(arrows, &dependency) {
            findings.push(Finding::of(path, message));
        }
    }
    findings
}

/// Why an edge may not be; `None` when it may.
fn forbidden(arrows: &Arrows, dependency: &Dependency) -> Option<String> {
    let Arrows {
        from,
        to,
        to_in_tests,
    } = arrows;
    let Dependency { name, in_tests } = dependency;
    if ARROWS.iter().any(|arrows| arrows.from == name) {
        let is_allowed =
            to.contains(&name.as_str()) || *in_tests && to_in_tests.contains(&name.as_str());
        let kind = if *in_tests { " in tests" } else { "" };
        return (!is_allowed).then(|| {
            let allowed = if to.is_empty() {
                "none".to_owned()
            } else {
                to.join(", ")
            };
            format!("forbidden edge{kind}: {from} -> {name}; {from} may depend on: {allowed}")
        });
    }
    let (_, users, why) = RESERVED
        .iter()
        .find(|(libraries, _, _)| libraries.contains(&name.as_str()))?;
    (!in_tests && !users.contains(from)).then(|| format!("forbidden edge: {from} -> {name}; {why}"))
}

struct Dependency {
    name: String,
    in_tests: bool,
}

/// The dependencies of a manifest under their packages' names, those for single platforms included.
fn dependencies(manifest: &Table, aliases: &Table) -> Vec<Dependency> {
    let platforms = manifest.get("target").and_then(Value::as_table);
    let tables = platforms
        .into_iter()
        .flat_map(|platforms| platforms.values().filter_map(Value::as_table))
        .chain([manifest]);
    let mut found = Vec::new();
    for table in tables {
        for (kind, in_tests) in [
            ("dependencies", false),
            ("build-dependencies", false),
            ("dev-dependencies", true),
        ] {
            let listed = table.get(kind).and_then(Value::as_table);
            found.extend(listed.into_iter().flatten().map(|(key, value)| Dependency {
                name: package_of(key, value, aliases),
                in_tests,
            }));
        }
    }
    found
}

/// The package that a dependency means: its key, unless it or the workspace says another.
fn package_of(key: &str, value: &Value, aliases: &Table) -> String {
    let own = |value: &Value| Some(value.get("package")?.as_str()?.to_owned());
    let shared = || {
        let inherits = value.get("workspace").and_then(Value::as_bool) == Some(true);
        aliases.get(key).filter(|_| inherits).and_then(own)
    };
    own(value).or_else(shared).unwrap_or_else(|| key.to_owned())
}

/// The dependencies that the workspace declares for all.
fn aliases(tree: &Tree) -> Table {
    let root = tree
        .text("Cargo.toml")
        .and_then(|text| text.parse::<Table>().ok());
    root.and_then(|root| {
        root.get("workspace")?
            .get("dependencies")?
            .as_table()
            .cloned()
    })
    .unwrap_or_default()
}

pub(crate) fn package_name(manifest: &Table) -> Option<&str> {
    manifest.get("package")?.get("name")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages for one crate with these lines in its manifest.
    #[track_caller]
    fn check_crate(name: &str, lines: &str, expected: &[&str]) {
        let manifest = format!("[package]\nname = \"{name}\"\n{lines}");
        let root =
            "[workspace.dependencies]\ninner = { path = \"x\", package = \"memoriter-store\" }\n";
        let tree = Tree::of(&[("crates/x/Cargo.toml", &manifest), ("Cargo.toml", root)]);
        let messages: Vec<String> = check(&tree)
            .into_iter()
            .map(|finding| finding.message)
            .collect();
        assert_eq!(messages.len(), expected.len(), "{messages:?}");
        for (message, expected) in messages.iter().zip(expected) {
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn arrows_of_the_picture_are_allowed() {
        check_crate(
            "memoriter-core",
            "[dependencies]\nserde_json.workspace = true",
            &[],
        );
        check_crate(
            "memoriter-store",
            "[dependencies]\nmemoriter-core.workspace = true\nrusqlite = \"1\"",
            &[],
        );
        check_crate(
            "memoriter-store",
            "[dev-dependencies]\nmemoriter-testkit.workspace = true",
            &[],
        );
        check_crate(
            "memoriter-cli",
            "[dependencies]\nmemoriter.workspace = true\nclap = \"4\"",
            &[],
        );
    }

    #[test]
    fn arrows_against_the_picture_are_named() {
        check_crate(
            "memoriter-core",
            "[dependencies]\nmemoriter-store.workspace = true",
            &["forbidden edge: memoriter-core -> memoriter-store"],
        );
        check_crate(
            "memoriter-store",
            "[build-dependencies]\nmemoriter = \"0\"",
            &["memoriter-store -> memoriter;"],
        );
        check_crate(
            "memoriter-store",
            "[dependencies]\nmemoriter-testkit.workspace = true",
            &["memoriter-store -> memoriter-testkit"],
        );
        check_crate(
            "memoriter-core",
            "[dev-dependencies]\nmemoriter-testkit.workspace = true",
            &["edge in tests"],
        );
        check_crate(
            "memoriter-core",
            "[target.'cfg(unix)'.dependencies]\nmemoriter = \"0\"",
            &["-> memoriter;"],
        );
    }

    #[test]
    fn another_name_for_a_crate_does_not_hide_it() {
        check_crate(
            "memoriter-core",
            "[dependencies]\ns = { package = \"memoriter-store\" }",
            &["-> memoriter-store"],
        );
        check_crate(
            "memoriter-core",
            "[dependencies]\ninner.workspace = true",
            &["-> memoriter-store"],
        );
    }

    #[test]
    fn libraries_stay_where_they_belong() {
        check_crate(
            "memoriter",
            "[dependencies]\nrusqlite.workspace = true",
            &["only the store speaks SQL"],
        );
        check_crate(
            "memoriter-core",
            "[dependencies]\ngetrandom = \"0.4\"",
            &["randomness is an argument"],
        );
        check_crate(
            "memoriter-provider",
            "[dev-dependencies]\nanyhow = \"1\"",
            &[],
        );
    }

    #[test]
    fn a_crate_without_a_row_is_named() {
        check_crate(
            "memoriter-python",
            "",
            &["memoriter-python is in no row of ARROWS"],
        );
    }
}
