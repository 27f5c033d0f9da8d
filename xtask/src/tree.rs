//! The files of the workspace.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Folders that hold no sources; `.git` is a file where the sources are a second working tree.
const SKIPPED: &[&str] = &[".git", "target", "node_modules", ".venv"];

/// Every file by its path from the root, with `/` between segments. Files that are no UTF-8 have no text.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    /// Reads everything below `root`.
    ///
    /// # Errors
    /// When a folder or file cannot be read.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut tree = Self::default();
        tree.read_folder(root, "")?;
        Ok(tree)
    }

    /// A tree of texts.
    #[must_use]
    pub fn of(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())))
            .collect();
        Self { files }
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> io::Result<()> {
        for entry in fs_err::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            if SKIPPED.contains(&name.as_str()) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                self.read_folder(&entry.path(), &format!("{path}/"))?;
            } else {
                let text = String::from_utf8(fs_err::read(entry.path())?).ok();
                self.files.insert(path, text);
            }
        }
        Ok(())
    }

    /// Whether there is such a file or folder; the root goes by the empty path.
    pub(crate) fn holds(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        path.is_empty()
            || self.files.contains_key(path)
            || self
                .files
                .range(folder.clone()..)
                .next()
                .is_some_and(|(found, _)| found.starts_with(&folder))
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// Every file with text, in order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Every Rust file, in order.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.ending_in("rs")
    }

    /// Every Markdown file, in order.
    pub(crate) fn markdown(&self) -> impl Iterator<Item = (&str, &str)> {
        self.ending_in("md")
    }

    fn ending_in(&self, extension: &str) -> impl Iterator<Item = (&str, &str)> {
        self.texts()
            .filter(move |(path, _)| has_extension(path, extension))
    }

    /// Every manifest of a crate, in order, with the folder of the crate.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.texts()
            .filter_map(|(path, text)| Some((path, path.strip_suffix("/Cargo.toml")?, text)))
    }
}

/// Whether a path ends in a dot and this.
pub(crate) fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|found| found == extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_told_from_names_that_begin_alike() {
        let tree = Tree::of(&[("a/b.rs", ""), ("ab/c.rs", "")]);
        assert!(tree.holds("a") && tree.holds("ab/c.rs") && tree.holds("ab"));
        assert!(!tree.holds("a/b") && !tree.holds("b"));
    }
}
