//! A local transformer: all-MiniLM-L6-v2 from a folder on this machine.
//!
//! The folder holds the model as it is published: `config.json`, `vocab.txt` and `model.safetensors` in 32-bit
//! floats. The forward pass is written out here on a matrix crate without native code; nothing is downloaded.
//!
//! A batch is not padded. The tokens of its texts are laid end to end, the matrix products run over all of
//! them, and only attention looks at one text at a time, so a text costs the same in any company and there is
//! no reason to sort a batch by length.

use std::path::Path;

use memoriter_core::port::embedder::{Calibration, EmbedError, Embedder, ModelName, TextRole};
use memoriter_core::text::is_mostly_latin;
use memoriter_core::vector::UnitVector;

use self::bert::Bert;
use self::folder::{Config, ModelFolder};
use self::weights::Weights;
use super::wordpiece::{TokenId, Vocabulary, WordPiece};

mod bert;
mod folder;
mod layer;
mod weights;

/// Tokens that are read of a text, the two that frame it included: what the model was trained on.
const WINDOW_TOKENS: usize = 256;

/// Tokens that go through the network at once: enough for the matrix products to run at full speed, few enough
/// for what lies between two layers to stay in the cache.
const TOKENS_AT_ONCE: usize = 512;

/// Measured on LoCoMo as for the built-in table, with all-MiniLM-L6-v2 as published. A fine-tuned form is taken
/// to spread alike.
const CALIBRATION: Calibration = Calibration {
    mean: 0.123,
    deviation: 0.094,
};

/// all-MiniLM-L6-v2, or a fine-tuned form of it, run on this machine's processor. 384 dimensions.
///
/// Texts over 254 tokens are embedded by their beginning; the mean of the last layer over all tokens, the
/// framing ones included, is the text's vector. The model's name ends in a fingerprint of its files, so that
/// vectors of two versions are never compared.
pub struct MiniLm {
    model: ModelName,
    wordpiece: WordPiece,
    /// What a text begins and ends with.
    frame: [TokenId; 2],
    window_tokens: usize,
    bert: Bert,
}

impl MiniLm {
    /// Reads the model from its folder into memory, 90 MB.
    ///
    /// # Errors
    /// [`EmbedError::Model`] naming the folder, the file, and what is missing or wrong in it.
    pub fn open(folder: &Path) -> Result<Self, EmbedError> {
        let folder = ModelFolder::new(folder);
        let config = Config::read(&folder)?;
        let vocabulary = folder.read_text("vocab.txt")?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(vocabulary.as_bytes());
        let (wordpiece, frame) = read_tokens(vocabulary, &config)
            .map_err(|why| folder.unusable(format!("vocab.txt: {why}")))?;
        let mut weights = Weights::open(&folder, hasher)?;
        let bert = Bert::read(&config, &mut weights)?;
        let model = ModelName::new(format!("minilm-{}", weights.fingerprint()));
        let window_tokens = WINDOW_TOKENS.min(config.max_position_embeddings);
        Ok(Self {
            model,
            wordpiece,
            frame,
            window_tokens,
            bert,
        })
    }

    /// The framed tokens of a text, at most a window; `None` when it has no known word.
    fn tokenise(&self, text: &str) -> Option<Vec<TokenId>> {
        let [begin, end] = self.frame;
        let inner = self.wordpiece.tokenise(text, self.window_tokens - 2);
        let is_known = inner.iter().any(|token| *token != self.wordpiece.unknown());
        is_known.then(|| [begin].into_iter().chain(inner).chain([end]).collect())
    }
}

impl Embedder for MiniLm {
    fn model(&self) -> &ModelName {
        &self.model
    }

    fn dimensions(&self) -> usize {
        self.bert.dimensions()
    }

    fn calibration(&self) -> Calibration {
        CALIBRATION
    }

    fn reads(&self, text: &str) -> bool {
        is_mostly_latin(text)
    }

    fn embed(
        &self,
        texts: &[&str],
        _role: TextRole,
    ) -> Result<Vec<Option<UnitVector>>, EmbedError> {
        let tokens: Vec<_> = texts.iter().map(|text| self.tokenise(text)).collect();
        let known: Vec<&[TokenId]> = tokens.iter().flatten().map(Vec::as_slice).collect();
        let mut means = Batches(&known).flat_map(|batch| self.bert.mean_states(batch));
        let vectors =
            tokens
                .iter()
                .map(|tokens| match tokens.as_ref().and_then(|_| means.next()) {
                    Some(mean) => UnitVector::normalise(mean).map(Some).ok_or_else(not_finite),
                    None => Ok(None),
                });
        vectors.collect()
    }
}

fn not_finite() -> EmbedError {
    EmbedError::Run {
        why: "a vector is zero or not finite: the weights are damaged".to_owned(),
    }
}

/// The tokeniser of a vocabulary, and the tokens that frame a text; or what is wrong with the vocabulary.
fn read_tokens(vocabulary: String, config: &Config) -> Result<(WordPiece, [TokenId; 2]), String> {
    let vocabulary = Vocabulary::parse(vocabulary).ok_or("no tokens")?;
    if vocabulary.len() != config.vocab_size {
        return Err(format!(
            "{} tokens, but vocab_size is {}",
            vocabulary.len(),
            config.vocab_size
        ));
    }
    let needed = |token: &str| {
        vocabulary
            .token(token)
            .ok_or_else(|| format!("the token {token} is missing"))
    };
    let frame = [needed("[CLS]")?, needed("[SEP]")?];
    let wordpiece = WordPiece::new(vocabulary).ok_or("the token [UNK] is missing")?;
    Ok((wordpiece, frame))
}

/// Cuts texts into batches of at most [`TOKENS_AT_ONCE`] tokens, or a single longer text.
struct Batches<'t>(&'t [&'t [TokenId]]);

impl<'t> Iterator for Batches<'t> {
    type Item = &'t [&'t [TokenId]];

    fn next(&mut self) -> Option<Self::Item> {
        let mut tokens = 0;
        let fitting = self.0.iter().take_while(|text| {
            tokens += text.len();
            tokens <= TOKENS_AT_ONCE
        });
        let count = fitting.count().max(1);
        let (batch, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_what_fits_and_a_longer_text_alone() {
        let token = Vocabulary::parse("a").unwrap().token("a").unwrap();
        let texts = [300, 200, 100, 600, 1].map(|count| vec![token; count]);
        let texts: Vec<&[TokenId]> = texts.iter().map(Vec::as_slice).collect();
        let sizes: Vec<usize> = Batches(&texts).map(<[_]>::len).collect();
        assert_eq!(sizes, [2, 1, 1, 1]);
    }
}
