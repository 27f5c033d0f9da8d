//! Files that no `mod` reaches: the compiler never sees them.

use std::collections::BTreeSet;

use syn::{Attribute, Expr, Item, ItemMod, Lit, Meta};

use crate::{Finding, Tree};

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut reached = BTreeSet::new();
    for root in tree
        .rust()
        .map(|(path, _)| path)
        .filter(|path| is_root(tree, path))
    {
        reach(tree, root, &folder_of(root), &mut reached);
    }
    let dead = tree.rust().filter(|(path, _)| !reached.contains(*path));
    dead.map(|(path, _)| Finding::of(path, "no `mod` reaches this file: declare it or delete it"))
        .collect()
}

/// Whether cargo starts compiling at this file.
fn is_root(tree: &Tree, path: &str) -> bool {
    let is_crate = |folder: &str| tree.text(&format!("{folder}/Cargo.toml")).is_some();
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        [folder @ .., "src", "lib.rs" | "main.rs"]
        | [folder @ .., "src", "bin", _]
        | [folder @ .., "src", "bin", _, "main.rs"]
        | [folder @ .., "tests" | "benches" | "examples", _]
        | [folder @ .., "tests" | "benches" | "examples", _, "main.rs"]
        | [folder @ .., "build.rs"] => is_crate(&folder.join("/")),
        _ => false,
    }
}

/// Notes a file and what its modules lead to; `inside` is the folder of its child modules.
fn reach(tree: &Tree, path: &str, inside: &str, reached: &mut BTreeSet<String>) {
    if !reached.insert(path.to_owned()) {
        return;
    }
    // What cannot be read is another rule's finding.
    if let Some(file) = tree.text(path).and_then(|text| syn::parse_file(text).ok()) {
        reach_items(
            tree,
            &Inside {
                file: path,
                folder: inside,
            },
            &file.items,
            reached,
        );
    }
}

/// Where modules are declared.
struct Inside<'a> {
    file: &'a str,
    folder: &'a str,
}

fn reach_items(tree: &Tree, inside: &Inside<'_>, items: &[Item], reached: &mut BTreeSet<String>) {
    for item in items {
        let Item::Mod(module) = item else { continue };
        let folder = format!("{}/{}", inside.folder, module_name(module));
        if let Some((_, inner)) = &module.content {
            let inside = Inside {
                folder: &folder,
                ..*inside
            };
            reach_items(tree, &inside, inner, reached);
            continue;
        }
        let given =
            path_attribute(&module.attrs).map(|path| format!("{}/{path}", folder_of(inside.file)));
        let candidates = given.map_or_else(
            || vec![format!("{folder}.rs"), format!("{folder}/mod.rs")],
            |path| vec![path],
        );
        for path in candidates.iter().filter(|path| tree.text(path).is_some()) {
            reach(tree, path, &folder, reached);
        }
    }
}

fn module_name(module: &ItemMod) -> String {
    let name = module.ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

/// The file in `#[path = "..."]`.
fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("path")
            && let Expr::Lit(literal) = &pair.value
            && let Lit::Str(text) = &literal.lit
        {
            Some(text.value())
        } else {
            None
        }
    })
}

fn folder_of(path: &str) -> String {
    path.rsplit_once('/')
        .map_or_else(String::new, |(folder, _)| folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_dead(files: &[(&str, &str)], expected: &[&str]) {
        let mut files = files.to_vec();
        files.push(("x/Cargo.toml", ""));
        let dead: Vec<String> = check(&Tree::of(&files))
            .into_iter()
            .map(|finding| finding.path)
            .collect();
        assert_eq!(dead, expected);
    }

    #[test]
    fn declared_files_are_alive_at_any_depth() {
        check_dead(
            &[
                (
                    "x/src/lib.rs",
                    "mod a; mod inline { mod c; } #[path = \"odd/name.rs\"] mod d;",
                ),
                ("x/src/a.rs", "#[cfg(test)] mod tests;"),
                ("x/src/a/tests.rs", ""),
                ("x/src/inline/c.rs", ""),
                ("x/src/odd/name.rs", ""),
                ("x/tests/it/main.rs", "mod e;"),
                ("x/tests/it/e.rs", ""),
                ("x/benches/f.rs", ""),
                ("x/build.rs", ""),
            ],
            &[],
        );
    }

    #[test]
    fn forgotten_files_are_found() {
        check_dead(
            &[
                ("x/src/lib.rs", "mod a; // mod b;"),
                ("x/src/a.rs", ""),
                ("x/src/b.rs", ""),
                ("x/src/a/c.rs", ""),
                ("x/tests/it/main.rs", ""),
                ("x/tests/it/d.rs", ""),
            ],
            &["x/src/a/c.rs", "x/src/b.rs", "x/tests/it/d.rs"],
        );
    }

    #[test]
    fn a_file_that_only_a_dead_one_declares_is_dead() {
        check_dead(
            &[
                ("x/src/lib.rs", ""),
                ("x/src/a.rs", "mod b;"),
                ("x/src/a/b.rs", ""),
            ],
            &["x/src/a.rs", "x/src/a/b.rs"],
        );
    }
}
