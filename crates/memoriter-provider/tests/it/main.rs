//! The embedders as their callers see them.

#[cfg(feature = "minilm")]
mod minilm;
mod static_table;
#[cfg(feature = "minilm")]
mod tiny_bert;
