//! Vectors as they are kept: scale and codes in their columns, or both encrypted in that of the codes.

use memoriter_core::vector::QuantisedVector;

use super::content::vector_binding;
use super::decode::{Columns, Undecodable};
use super::keys::Cover;
use super::seal;
use super::write::RecordKind;

/// The columns of a vector.
pub(super) struct KeptVector<'r> {
    scale: f32,
    codes: &'r [u8],
}

/// What is written into the columns.
pub(super) struct CoveredVector {
    pub(super) scale: f64,
    pub(super) codes: Vec<u8>,
    pub(super) checksum: [u8; 8],
}

impl<'r> KeptVector<'r> {
    /// The next two columns.
    pub(super) fn read(next: &mut Columns<'r>) -> Result<Self, Undecodable> {
        Ok(Self {
            scale: next.get()?,
            codes: next
                .value()?
                .as_blob()
                .map_err(|error| Undecodable(error.to_string()))?,
        })
    }

    /// Fills `codes` and returns the scale.
    pub(super) fn open(
        &self,
        cover: &Cover,
        (kind, id): (RecordKind, &[u8; 16]),
        codes: &mut Vec<i8>,
    ) -> Result<f32, Undecodable> {
        codes.clear();
        let mut fill = |bytes: &[u8]| codes.extend(bytes.iter().map(|byte| byte.cast_signed()));
        if let Cover::None = cover {
            fill(self.codes);
            return Ok(self.scale);
        }
        let opened = cover.open_bytes(&vector_binding(kind.code(), id), self.codes.to_vec())?;
        let (scale, bytes) = opened
            .split_first_chunk()
            .ok_or_else(|| Undecodable("the vector has no scale".into()))?;
        fill(bytes);
        Ok(f32::from_le_bytes(*scale))
    }
}

/// Covers a vector.
pub(super) fn cover_vector(
    cover: &Cover,
    (kind, id): (RecordKind, &[u8; 16]),
    vector: &QuantisedVector,
) -> CoveredVector {
    let codes = vector.codes.iter().map(|code| code.cast_unsigned());
    let codes: Vec<u8> = codes.collect();
    let checksum = cover.fingerprint(seal::of_vector(vector.scale, &codes));
    if let Cover::None = cover {
        return CoveredVector {
            scale: f64::from(vector.scale),
            codes,
            checksum,
        };
    }
    let content = [vector.scale.to_le_bytes().as_slice(), &codes].concat();
    CoveredVector {
        scale: 0.0,
        codes: cover
            .cover_bytes(&vector_binding(kind.code(), id), &content)
            .into_owned(),
        checksum,
    }
}
