//! What every manifest shares: version, edition, licence, lints, toolchain.

use toml::{Table, Value};

use super::arrows::package_name;
use crate::{Finding, Tree};

/// Package keys that every crate takes from the workspace.
const INHERITED: &[&str] = &["version", "edition", "rust-version", "license"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let crates = tree
        .manifests()
        .filter_map(|(path, _, text)| Some((path, text.parse::<Table>().ok()?)));
    let mut findings: Vec<Finding> = crates
        .flat_map(|(path, manifest)| check_crate(path, &manifest))
        .collect();
    findings.extend(check_toolchain(tree));
    findings
}

fn check_crate(path: &str, manifest: &Table) -> Vec<Finding> {
    let package = manifest.get("package");
    let inherits = |value: Option<&Value>| {
        value
            .and_then(|value| value.get("workspace"))
            .and_then(Value::as_bool)
            == Some(true)
    };
    let missing = INHERITED
        .iter()
        .filter(|key| !inherits(package.and_then(|package| package.get(**key))));
    let mut findings: Vec<Finding> = missing
        .map(|key| Finding::of(path, format!("write `{key}.workspace = true`")))
        .collect();
    if !inherits(manifest.get("lints")) {
        findings.push(Finding::of(path, "write `[lints] workspace = true`"));
    }
    let folder = path.rsplit('/').nth(1);
    if folder != package_name(manifest) {
        findings.push(Finding::of(
            path,
            "the folder and the crate must have one name",
        ));
    }
    findings
}

/// The toolchain that builds is of the oldest Rust that is promised, so that the promise is tested.
fn check_toolchain(tree: &Tree) -> Option<Finding> {
    let value = |path, keys: &[&str]| {
        let table = tree.text(path)?.parse::<Table>().ok()?;
        let start = Value::Table(table);
        let found = keys.iter().try_fold(&start, |value, key| value.get(key))?;
        found.as_str().map(str::to_owned)
    };
    let promised = value("Cargo.toml", &["workspace", "package", "rust-version"]);
    let used = value("rust-toolchain.toml", &["toolchain", "channel"]);
    match (promised, used) {
        (Some(promised), Some(used))
            if used == promised || used.starts_with(&format!("{promised}.")) =>
        {
            None
        }
        (promised, used) => Some(Finding::of(
            "rust-toolchain.toml",
            format!(
                "channel is {}, but rust-version in Cargo.toml is {}: they must agree",
                used.as_deref().unwrap_or("missing"),
                promised.as_deref().unwrap_or("missing")
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: (&str, &str) = ("Cargo.toml", "[workspace.package]\nrust-version = \"1.95\"");
    const TOOLCHAIN: (&str, &str) = ("rust-toolchain.toml", "[toolchain]\nchannel = \"1.95.0\"");
    const GOOD: &str = "[package]\nname = \"x\"\nversion.workspace = true\nedition.workspace = true\n\
                        rust-version.workspace = true\nlicense.workspace = true\n[lints]\nworkspace = true\n";

    #[track_caller]
    fn check_messages(files: &[(&str, &str)], expected: &[&str]) {
        let found = check(&Tree::of(files));
        let messages: Vec<&str> = found
            .iter()
            .map(|finding| finding.message.as_str())
            .collect();
        assert_eq!(messages.len(), expected.len(), "{messages:?}");
        for (message, expected) in messages.iter().zip(expected) {
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn a_crate_that_inherits_everything_passes() {
        check_messages(&[ROOT, TOOLCHAIN, ("crates/x/Cargo.toml", GOOD)], &[]);
    }

    #[test]
    fn what_is_not_inherited_is_named() {
        let own = GOOD.replace("license.workspace = true", "license = \"MIT\"");
        check_messages(
            &[ROOT, TOOLCHAIN, ("crates/x/Cargo.toml", &own)],
            &["license.workspace"],
        );
        let lax = GOOD.replace("[lints]\nworkspace = true", "");
        check_messages(
            &[ROOT, TOOLCHAIN, ("crates/x/Cargo.toml", &lax)],
            &["[lints]"],
        );
        check_messages(
            &[ROOT, TOOLCHAIN, ("crates/y/Cargo.toml", GOOD)],
            &["one name"],
        );
    }

    #[test]
    fn the_toolchain_must_be_the_promised_one() {
        check_messages(&[ROOT], &["channel is missing"]);
        let newer = ("rust-toolchain.toml", "[toolchain]\nchannel = \"1.96.0\"");
        check_messages(
            &[ROOT, newer],
            &["1.96.0, but rust-version in Cargo.toml is 1.95"],
        );
        let longer = ("rust-toolchain.toml", "[toolchain]\nchannel = \"1.950\"");
        check_messages(&[ROOT, longer], &["1.950"]);
    }
}
