//! The embedders and language models as their callers see them.

#[cfg(feature = "llm")]
mod llm;
#[cfg(feature = "minilm")]
mod minilm;
mod static_table;
#[cfg(feature = "minilm")]
mod tiny_bert;
