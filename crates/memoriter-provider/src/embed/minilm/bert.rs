//! The encoder of BERT: token embeddings, layers of attention and feed-forward, the mean over a text's tokens.
//!
//! Devlin et al. 2019, arXiv:1810.04805; the mean is that of Reimers and Gurevych 2019, arXiv:1908.10084.

use std::ops::Range;

use memoriter_core::port::embedder::EmbedError;
use ndarray::{Array1, Array2, Axis, s};

use super::folder::Config;
use super::layer::{Attention, LayerNorm, Linear, gelu};
use super::weights::Weights;
use crate::embed::wordpiece::TokenId;

/// The network with its weights.
pub(super) struct Bert {
    /// `[vocabulary, size]`.
    words: Array2<f32>,
    /// `[positions, size]`, the embedding of a first text's tokens included.
    positions: Array2<f32>,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

struct Layer {
    attention: Attention,
    attention_norm: LayerNorm,
    widen: Linear,
    narrow: Linear,
    output_norm: LayerNorm,
}

impl Bert {
    /// Reads the weights of a model of this shape.
    ///
    /// # Errors
    /// [`EmbedError::Model`] naming the tensor that is missing or has another shape.
    pub(super) fn read(config: &Config, weights: &mut Weights) -> Result<Self, EmbedError> {
        let size = config.hidden_size;
        let mut embedding =
            |part: &str, count| weights.matrix(&format!("embeddings.{part}.weight"), [count, size]);
        let words = embedding("word_embeddings", config.vocab_size)?;
        let positions = embedding("position_embeddings", config.max_position_embeddings)?;
        let types = embedding("token_type_embeddings", config.type_vocab_size)?;
        let norm = LayerNorm::read(weights, "embeddings.LayerNorm", size, config.layer_norm_eps)?;
        let layers = (0..config.num_hidden_layers).map(|index| Layer::read(config, weights, index));
        // A text of its own is always the first of a pair.
        Ok(Self {
            words,
            positions: positions + types.row(0),
            norm,
            layers: layers.collect::<Result<_, _>>()?,
        })
    }

    /// Components of a vector.
    pub(super) fn dimensions(&self) -> usize {
        self.words.ncols()
    }

    /// The mean of the last layer over the tokens of each text. A text has at least one token, at most as many
    /// as there are positions, and every token is of the model's vocabulary.
    pub(super) fn mean_states(&self, texts: &[&[TokenId]]) -> Vec<Vec<f32>> {
        let ranges = ranges_end_to_end(texts);
        let mut states = self.norm.apply(self.embed_tokens(texts));
        for layer in &self.layers {
            states = layer.apply(states, &ranges);
        }
        ranges
            .into_iter()
            .map(|rows| mean_row(&states, rows))
            .collect()
    }

    /// The embeddings of all tokens, `[tokens, size]`.
    fn embed_tokens(&self, texts: &[&[TokenId]]) -> Array2<f32> {
        let words: Vec<usize> = texts
            .iter()
            .flat_map(|text| text.iter().map(|token| token.index()))
            .collect();
        let positions: Vec<usize> = texts.iter().flat_map(|text| 0..text.len()).collect();
        self.words.select(Axis(0), &words) + self.positions.select(Axis(0), &positions)
    }
}

impl Layer {
    fn read(config: &Config, weights: &mut Weights, index: usize) -> Result<Self, EmbedError> {
        let (size, wide) = (config.hidden_size, config.intermediate_size);
        let name = |part: &str| format!("encoder.layer.{index}.{part}");
        let epsilon = config.layer_norm_eps;
        Ok(Self {
            attention: Attention::read(
                weights,
                &name("attention"),
                size,
                config.num_attention_heads,
            )?,
            attention_norm: LayerNorm::read(
                weights,
                &name("attention.output.LayerNorm"),
                size,
                epsilon,
            )?,
            widen: Linear::read(weights, &name("intermediate.dense"), [wide, size])?,
            narrow: Linear::read(weights, &name("output.dense"), [size, wide])?,
            output_norm: LayerNorm::read(weights, &name("output.LayerNorm"), size, epsilon)?,
        })
    }

    fn apply(&self, states: Array2<f32>, texts: &[Range<usize>]) -> Array2<f32> {
        let attended = self.attention.apply(&states, texts);
        let states = self.attention_norm.apply(states + attended);
        let mut wide = self.widen.apply(&states);
        wide.mapv_inplace(gelu);
        let narrow = self.narrow.apply(&wide);
        self.output_norm.apply(states + narrow)
    }
}

/// The rows of each text when all tokens are laid end to end.
fn ranges_end_to_end(texts: &[&[TokenId]]) -> Vec<Range<usize>> {
    let ranges = texts.iter().scan(0, |end, text| {
        let start = *end;
        *end += text.len();
        Some(start..*end)
    });
    ranges.collect()
}

fn mean_row(states: &Array2<f32>, rows: Range<usize>) -> Vec<f32> {
    let mean: Option<Array1<f32>> = states.slice(s![rows, ..]).mean_axis(Axis(0));
    mean.map(|mean| mean.to_vec()).unwrap_or_default()
}
