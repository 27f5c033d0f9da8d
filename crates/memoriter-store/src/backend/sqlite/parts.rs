//! Texts one after another, as they are encrypted together: before each its length and one, as 4 bytes, little-endian, or
//! 0 for none.

use super::decode::Undecodable;

/// Writes the columns of a row, and then what is kept beside them.
pub(super) fn write_parts(columns: &[Option<&str>], beside: &[&str]) -> Vec<u8> {
    let texts = || {
        columns
            .iter()
            .copied()
            .chain(beside.iter().copied().map(Some))
    };
    let bytes = texts().map(|text| 4 + text.map_or(0, str::len)).sum();
    let mut parts = Vec::with_capacity(bytes);
    for text in texts() {
        let length = text.map_or(0, |text| text.len() + 1);
        // A text is far shorter: the longest is a message of a megabyte.
        let length = u32::try_from(length).expect("a text has less than four gigabytes");
        parts.extend(length.to_le_bytes());
        parts.extend(text.unwrap_or_default().as_bytes());
    }
    parts
}

/// Reads what [`write_parts`] wrote.
#[derive(Clone, Copy)]
pub(super) struct Parts<'b> {
    rest: &'b [u8],
    /// Nothing was encrypted: there are as many parts as anybody asks for, and no text.
    is_nothing: bool,
}

impl<'b> Parts<'b> {
    pub(super) fn of(bytes: &'b [u8]) -> Self {
        Self {
            rest: bytes,
            is_nothing: bytes.is_empty(),
        }
    }

    /// The next part.
    pub(super) fn next(&mut self) -> Result<Option<&'b str>, Undecodable> {
        if self.is_nothing {
            return Ok(None);
        }
        let misfit = || Undecodable("what is encrypted is of another form".into());
        let (length, rest) = self.rest.split_first_chunk().ok_or_else(misfit)?;
        let Some(length) = u32::from_le_bytes(*length).checked_sub(1) else {
            self.rest = rest;
            return Ok(None);
        };
        let length = usize::try_from(length).map_err(|_| misfit())?;
        let (text, rest) = rest.split_at_checked(length).ok_or_else(misfit)?;
        self.rest = rest;
        str::from_utf8(text).map(Some).map_err(|_| misfit())
    }

    /// Whether every part was read.
    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_as_they_were() {
        let bytes = write_parts(&[Some("a"), None, Some("")], &["é🦀"]);
        let mut parts = Parts::of(&bytes);
        for expected in [Some("a"), None, Some(""), Some("é🦀")] {
            assert_eq!(parts.next().unwrap(), expected);
        }
        assert!(parts.is_at_end() && parts.next().is_err());
        for cut in 1..bytes.len() {
            let mut parts = Parts::of(&bytes[..cut]);
            let is_whole = (0..4).all(|_| parts.next().is_ok());
            assert!(!is_whole, "cut at {cut}");
        }
        assert_eq!(Parts::of(&[]).next().unwrap(), None);
    }
}
