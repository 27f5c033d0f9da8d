//! One rule a file.

pub(crate) mod arrows;
pub(crate) mod length;
pub(crate) mod links;
pub(crate) mod manifests;
pub(crate) mod places;
pub(crate) mod project;
pub(crate) mod reach;
pub(crate) mod rights;
pub(crate) mod words;
