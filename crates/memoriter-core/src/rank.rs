//! One formula a file; `docs/decisions/0003-ranking.md` says what each brought.

pub mod bm25;
pub mod decay;
pub mod gate;
pub mod moments;
pub mod recency;
pub mod relevance;
