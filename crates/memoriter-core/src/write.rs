//! What becomes of a candidate.
