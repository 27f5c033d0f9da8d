//! The workspace as it is.

use std::path::Path;

use xtask::Tree;

#[test]
fn the_workspace_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("this crate lies in the root of the workspace");
    let tree = Tree::read(root).expect("the workspace can be read");
    let findings: Vec<String> = xtask::check(&tree)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(
        findings.is_empty(),
        "{} findings:\n{}",
        findings.len(),
        findings.join("\n")
    );
}
