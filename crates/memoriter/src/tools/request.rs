//! What a model asks for. The schemas in `data/tools.json` say the same, and a test holds both together.

use serde::Deserialize;

/// The arguments of `search`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// The question.
    pub query: String,
    /// At most so many results, 1 to 50; 10 where it is left out.
    pub k: Option<usize>,
    /// `memories` or `turns`.
    pub records: Option<String>,
    /// A kind of memory.
    pub kind: Option<String>,
    /// Where it comes from.
    pub origin: Option<String>,
    /// From when on it happened or began to be true.
    pub since: Option<String>,
    /// Before when.
    pub until: Option<String>,
}

/// The arguments of `fetch_turns`: ids alone, or a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetchTurns {
    /// Ids of turns, 1 to 50.
    pub ids: Option<Vec<String>>,
    /// The name of a session.
    pub session: Option<String>,
    /// The first position; 0 where it is left out.
    pub from: Option<u32>,
    /// At most so many turns, 1 to 50; 20 where it is left out.
    pub limit: Option<usize>,
}

/// The arguments of `fetch_attachment`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetchAttachment {
    /// `attachment:ID` or `turn:ID`.
    pub handle: String,
    /// The first byte; 0 where it is left out.
    pub offset: Option<usize>,
    /// At most so many bytes, 4 to 65,536; 8,192 where it is left out.
    pub length: Option<usize>,
}

/// The arguments of `pin` and `unpin`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The id of a memory.
    pub id: String,
}

/// The arguments of `edit_block`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditBlock {
    /// The name of the block.
    pub name: String,
    /// Its new text.
    pub text: String,
    /// The version that the caller has read; 0 where there is none.
    pub expected_version: u32,
}
