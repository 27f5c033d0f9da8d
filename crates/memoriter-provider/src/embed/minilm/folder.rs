//! A model folder: its small files, and what is said when one of them cannot be used.

use std::path::{Path, PathBuf};

use memoriter_core::port::embedder::EmbedError;
use serde::Deserialize;

/// The folder a model is read from.
#[derive(Clone, Debug)]
pub(super) struct ModelFolder(PathBuf);

impl ModelFolder {
    pub(super) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Opens one of its files.
    ///
    /// # Errors
    /// [`EmbedError::Model`] naming the file.
    pub(super) fn open(&self, file: &str) -> Result<fs_err::File, EmbedError> {
        fs_err::File::open(self.0.join(file)).map_err(|error| self.unusable(error.to_string()))
    }

    /// Reads one of its files as text.
    ///
    /// # Errors
    /// [`EmbedError::Model`] naming the file.
    pub(super) fn read_text(&self, file: &str) -> Result<String, EmbedError> {
        fs_err::read_to_string(self.0.join(file)).map_err(|error| self.unusable(error.to_string()))
    }

    /// The error for a folder that cannot be used. `why` names the file.
    pub(super) fn unusable(&self, why: impl Into<String>) -> EmbedError {
        EmbedError::Model {
            place: self.0.display().to_string(),
            why: why.into(),
        }
    }
}

/// The shape of a model, as `config.json` has it.
#[derive(Debug, Deserialize)]
pub(super) struct Config {
    pub(super) hidden_size: usize,
    pub(super) intermediate_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) max_position_embeddings: usize,
    pub(super) type_vocab_size: usize,
    pub(super) vocab_size: usize,
    pub(super) layer_norm_eps: f32,
    hidden_act: String,
}

impl Config {
    /// Reads `config.json` and checks that the network here can be such a model.
    ///
    /// # Errors
    /// [`EmbedError::Model`] when the file is missing, lacks a field, or describes another kind of network.
    pub(super) fn read(folder: &ModelFolder) -> Result<Self, EmbedError> {
        let text = folder.read_text("config.json")?;
        let config: Self = serde_json::from_str(&text)
            .map_err(|error| folder.unusable(format!("config.json: {error}")))?;
        match config.fault() {
            Some(fault) => Err(folder.unusable(format!("config.json: {fault}"))),
            None => Ok(config),
        }
    }

    fn fault(&self) -> Option<String> {
        let (size, heads) = (self.hidden_size, self.num_attention_heads);
        if self.hidden_act != "gelu" {
            return Some(format!(
                "hidden_act is `{}`, and only `gelu` is known",
                self.hidden_act
            ));
        }
        if size == 0 || heads == 0 || !size.is_multiple_of(heads) {
            return Some(format!(
                "hidden_size {size} cannot be shared by num_attention_heads {heads}"
            ));
        }
        if self.max_position_embeddings < 3 {
            return Some("max_position_embeddings leaves no room for a text".to_owned());
        }
        None
    }
}
