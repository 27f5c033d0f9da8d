//! A model folder small enough to be made in a test: two layers, 32 dimensions, single characters as tokens.
//!
//! The weights follow from a formula, so that `tiny_bert.py` can make the same ones and say independently what
//! the model must answer.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tempfile::TempDir;

const SIZE: usize = 32;
const WIDE: usize = 64;
const LAYERS: usize = 2;
const POSITIONS: usize = 16;

/// A model folder before it is written; tests damage it.
pub(crate) struct TinyBert {
    pub(crate) config: Value,
    pub(crate) vocabulary: Vec<String>,
    pub(crate) tensors: BTreeMap<String, Tensor>,
}

/// A tensor of 32-bit floats.
pub(crate) struct Tensor {
    pub(crate) shape: Vec<usize>,
    pub(crate) numbers: Vec<f32>,
}

impl TinyBert {
    pub(crate) fn new() -> Self {
        let vocabulary = vocabulary();
        let config = json!({
            "hidden_size": SIZE,
            "intermediate_size": WIDE,
            "num_hidden_layers": LAYERS,
            "num_attention_heads": 4,
            "max_position_embeddings": POSITIONS,
            "type_vocab_size": 2,
            "vocab_size": vocabulary.len(),
            "layer_norm_eps": 1e-12,
            "hidden_act": "gelu",
        });
        let shapes = shapes(vocabulary.len());
        let tensors = shapes.into_iter().zip(0..).map(|((name, shape), number)| {
            let tensor = Tensor::noise(shape, number, name.ends_with("LayerNorm.weight"));
            (name, tensor)
        });
        Self {
            config,
            vocabulary,
            tensors: tensors.collect(),
        }
    }

    /// Writes the folder as such models are published.
    pub(crate) fn write(&self) -> TempDir {
        let folder = tempfile::tempdir().expect("there is room for a small folder");
        let write = |file: &str, bytes: &[u8]| {
            fs_err::write(folder.path().join(file), bytes).expect("there is room for a small file");
        };
        write("config.json", self.config.to_string().as_bytes());
        write("vocab.txt", (self.vocabulary.join("\n") + "\n").as_bytes());
        write("model.safetensors", &self.safetensors());
        folder
    }

    fn safetensors(&self) -> Vec<u8> {
        let mut header = serde_json::Map::new();
        header.insert("__metadata__".to_owned(), json!({"format": "pt"}));
        let mut data = Vec::new();
        for (name, tensor) in &self.tensors {
            let start = data.len();
            data.extend(
                tensor
                    .numbers
                    .iter()
                    .flat_map(|number| number.to_le_bytes()),
            );
            let entry =
                json!({"dtype": "F32", "shape": tensor.shape, "data_offsets": [start, data.len()]});
            header.insert(name.clone(), entry);
        }
        let header = Value::from(header).to_string();
        [
            &(header.len() as u64).to_le_bytes(),
            header.as_bytes(),
            &data,
        ]
        .concat()
    }
}

impl Tensor {
    /// Numbers within half of 0, or of 1, that look random and differ for each `number` of a tensor.
    fn noise(shape: Vec<usize>, number: u32, around_one: bool) -> Self {
        let count = shape.iter().product::<usize>();
        #[expect(clippy::cast_precision_loss, reason = "24 bits are exact")]
        let noise = (0_u32..).take(count).map(|index| {
            let mixed = (index + 1000 * number + 1).wrapping_mul(2_654_435_761);
            (mixed >> 8) as f32 / 16_777_216.0 - 0.5
        });
        let numbers = noise
            .map(|number| if around_one { number + 1.0 } else { number })
            .collect();
        Self { shape, numbers }
    }
}

fn vocabulary() -> Vec<String> {
    let characters = || ('a'..='z').chain('0'..='9');
    let control = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(str::to_owned);
    let initial = characters().map(|c| c.to_string());
    let continuing = characters().map(|c| format!("##{c}"));
    let punctuation = ".,;:!?()/'-".chars().map(|c| c.to_string());
    control
        .into_iter()
        .chain(initial)
        .chain(continuing)
        .chain(punctuation)
        .collect()
}

fn shapes(vocabulary: usize) -> BTreeMap<String, Vec<usize>> {
    let mut shapes = BTreeMap::from([
        (
            "embeddings.word_embeddings.weight".to_owned(),
            vec![vocabulary, SIZE],
        ),
        (
            "embeddings.position_embeddings.weight".to_owned(),
            vec![POSITIONS, SIZE],
        ),
        (
            "embeddings.token_type_embeddings.weight".to_owned(),
            vec![2, SIZE],
        ),
    ]);
    let mut add = |name: String, weight: &[usize], bias: usize| {
        shapes.insert(format!("{name}.bias"), vec![bias]);
        shapes.insert(format!("{name}.weight"), weight.to_vec());
    };
    add("embeddings.LayerNorm".to_owned(), &[SIZE], SIZE);
    for layer in 0..LAYERS {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        for part in [
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ] {
            add(name(part), &[SIZE, SIZE], SIZE);
        }
        add(name("intermediate.dense"), &[WIDE, SIZE], WIDE);
        add(name("output.dense"), &[SIZE, WIDE], SIZE);
        add(name("attention.output.LayerNorm"), &[SIZE], SIZE);
        add(name("output.LayerNorm"), &[SIZE], SIZE);
    }
    shapes
}
