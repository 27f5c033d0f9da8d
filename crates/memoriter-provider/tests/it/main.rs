//! The embedders, language models and tokenizers as their callers see them.

#[cfg(feature = "llm")]
#[expect(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise, like the tests"
)]
mod llm;
#[cfg(feature = "minilm")]
mod minilm;
mod static_table;
#[cfg(feature = "minilm")]
mod tiny_bert;
mod tokens;
