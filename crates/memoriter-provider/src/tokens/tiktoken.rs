//! The byte-pair tokenizers of OpenAI's models.

use std::fmt;
use std::sync::LazyLock;

use memoriter_core::port::TokenCounter;
use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};

use super::memo::Memo;

/// White space in a row that is counted together. The search for words in the library gives up on a million, so that
/// more is counted in stretches, with at most a token more for each.
const BLANK_BYTES_MAX: usize = 64 * 1024;

static O200K: LazyLock<Memo> = LazyLock::new(Memo::default);
static CL100K: LazyLock<Memo> = LazyLock::new(Memo::default);

/// Exact counts by one of OpenAI's tables. Cheap to make and to clone; the first count of a process reads the
/// table. Lines that were counted before are known, up to 8 MiB of them a table and process.
#[derive(Clone, Copy)]
pub struct Tiktoken {
    name: &'static str,
    table: fn() -> &'static CoreBPE,
    memo: &'static LazyLock<Memo>,
}

impl Tiktoken {
    /// The tokenizer of GPT-4o and what came after it.
    #[must_use]
    pub fn o200k() -> Self {
        Self {
            name: "o200k",
            table: o200k_base_singleton,
            memo: &O200K,
        }
    }

    /// The tokenizer of GPT-4 and GPT-3.5.
    #[must_use]
    pub fn cl100k() -> Self {
        Self {
            name: "cl100k",
            table: cl100k_base_singleton,
            memo: &CL100K,
        }
    }
}

impl TokenCounter for Tiktoken {
    fn name(&self) -> &str {
        self.name
    }

    fn count(&self, text: &str) -> usize {
        let table = (self.table)();
        self.memo.count(text, |line| {
            stretches(line)
                .map(|stretch| table.count_ordinary(stretch))
                .sum()
        })
    }
}

/// A text in parts that end inside of overlong white space; nearly always the text itself.
fn stretches(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (stretch, more) = rest.split_at(cut(rest));
        rest = more;
        (!stretch.is_empty()).then_some(stretch)
    })
}

/// Where the first run of white space over the limit reaches it; the end of the text where there is none.
fn cut(text: &str) -> usize {
    if text.len() <= BLANK_BYTES_MAX {
        return text.len();
    }
    let mut run_start = 0;
    for (at, c) in text.char_indices() {
        if !c.is_whitespace() {
            run_start = at + c.len_utf8();
        } else if at - run_start >= BLANK_BYTES_MAX {
            return at;
        }
    }
    text.len()
}

impl fmt::Debug for Tiktoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tiktoken({})", self.name)
    }
}
