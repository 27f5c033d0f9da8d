//! Tensors from a safetensors file, read one at a time so that memory holds each only once.
//!
//! The file: eight bytes, the length of the header; the header, a JSON object from each tensor's name to its
//! type, shape and place; the tensors' numbers, little-endian, row-major.

use std::io::{Read as _, Seek as _, SeekFrom};

use memoriter_core::port::embedder::EmbedError;
use ndarray::{Array1, Array2};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::folder::ModelFolder;

/// The name under which models of this family are published.
const FILE: &str = "model.safetensors";

/// A header names a hundred tensors in some 10 kB. The limit keeps a file of another kind from being taken for
/// a request for memory.
const HEADER_BYTES_MAX: u64 = 1 << 20;

/// An open weights file.
pub(super) struct Weights {
    folder: ModelFolder,
    file: fs_err::File,
    header: Map<String, Value>,
    /// Where the header ends; the places of tensors count from here.
    data_start: u64,
    hasher: blake3::Hasher,
}

/// What the header says of a tensor.
#[derive(Debug, Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [u64; 2],
}

impl Weights {
    /// Opens the folder's weights. What is read goes into `hasher` too.
    ///
    /// # Errors
    /// [`EmbedError::Model`] when the file is missing or not of the format.
    pub(super) fn open(folder: &ModelFolder, hasher: blake3::Hasher) -> Result<Self, EmbedError> {
        let mut file = folder.open(FILE)?;
        let (header, data_start) = read_header(&mut file)
            .map_err(|error| folder.unusable(format!("{FILE}: no header: {error}")))?;
        Ok(Self {
            folder: folder.clone(),
            file,
            header,
            data_start,
            hasher,
        })
    }

    /// Reads a matrix of that many rows and columns.
    ///
    /// # Errors
    /// [`EmbedError::Model`] when the tensor is missing, or of another type or shape.
    pub(super) fn matrix(
        &mut self,
        name: &str,
        [rows, columns]: [usize; 2],
    ) -> Result<Array2<f32>, EmbedError> {
        let numbers = self.read(name, &[rows, columns])?;
        Array2::from_shape_vec((rows, columns), numbers)
            .map_err(|error| self.unusable(name, error.to_string()))
    }

    /// Reads a vector of that many components.
    ///
    /// # Errors
    /// As [`Self::matrix`].
    pub(super) fn vector(&mut self, name: &str, length: usize) -> Result<Array1<f32>, EmbedError> {
        Ok(self.read(name, &[length])?.into())
    }

    /// Twelve hexadecimal digits that stand for everything read so far.
    pub(super) fn fingerprint(&self) -> String {
        self.hasher.finalize().to_hex().chars().take(12).collect()
    }

    fn read(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EmbedError> {
        let entry = self
            .header
            .get(name)
            .ok_or_else(|| self.unusable(name, "missing"))?;
        let tensor =
            Tensor::deserialize(entry).map_err(|error| self.unusable(name, error.to_string()))?;
        if tensor.dtype != "F32" {
            return Err(self.unusable(name, format!("its numbers are {}, not F32", tensor.dtype)));
        }
        if tensor.shape != shape {
            return Err(self.unusable(
                name,
                format!("its shape is {:?}, not {shape:?}", tensor.shape),
            ));
        }
        let [start, end] = tensor.data_offsets;
        let byte_count = 4 * shape.iter().product::<usize>();
        if end.checked_sub(start) != Some(byte_count as u64) {
            return Err(self.unusable(
                name,
                format!("it has no place of {byte_count} bytes in the file"),
            ));
        }
        let bytes = self
            .read_at(start, byte_count)
            .map_err(|error| self.unusable(name, error.to_string()))?;
        self.hasher.update(&bytes);
        let (numbers, _) = bytes.as_chunks();
        Ok(numbers
            .iter()
            .map(|number| f32::from_le_bytes(*number))
            .collect())
    }

    fn read_at(&mut self, start: u64, byte_count: usize) -> std::io::Result<Vec<u8>> {
        self.file
            .seek(SeekFrom::Start(self.data_start.saturating_add(start)))?;
        let mut bytes = vec![0; byte_count];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn unusable(&self, name: &str, why: impl std::fmt::Display) -> EmbedError {
        self.folder
            .unusable(format!("{FILE}: the tensor `{name}`: {why}"))
    }
}

/// The header, and where it ends.
fn read_header(file: &mut fs_err::File) -> std::io::Result<(Map<String, Value>, u64)> {
    let mut length = [0; 8];
    file.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > HEADER_BYTES_MAX {
        let why = format!("its length is {length} bytes, over the limit of {HEADER_BYTES_MAX}");
        return Err(std::io::Error::other(why));
    }
    let header = serde_json::from_reader(file.take(length))?;
    Ok((header, 8 + length))
}
