//! Finds the end of a JSON object without understanding it: brackets outside strings, quotes, escapes.

/// How far a [`Scan`] has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The object goes on.
    Open,
    /// The last bracket is closed.
    Complete,
    /// A line ends inside a string, which JSON does not allow: the closing quote is missing.
    BrokenString,
}

/// A scan of one object, chunk by chunk, from its first bracket.
#[derive(Default)]
pub(super) struct Scan {
    depth: usize,
    newlines: u64,
    within: Within,
}

#[derive(Clone, Copy, Default)]
enum Within {
    #[default]
    Structure,
    String,
    Escape,
}

impl Scan {
    /// Reads on; returns how many bytes of the chunk belong to the object.
    pub(super) fn advance(&mut self, chunk: &[u8]) -> (usize, Extent) {
        let mut used = 0;
        for &byte in chunk {
            used += 1;
            let extent = self.feed(byte);
            if extent != Extent::Open {
                return (used, extent);
            }
        }
        (used, Extent::Open)
    }

    /// Line ends so far.
    pub(super) fn newlines(&self) -> u64 {
        self.newlines
    }

    fn feed(&mut self, byte: u8) -> Extent {
        match self.within {
            Within::Structure => return self.feed_structure(byte),
            Within::String | Within::Escape if byte == b'\n' => return Extent::BrokenString,
            Within::Escape => self.within = Within::String,
            Within::String if byte == b'\\' => self.within = Within::Escape,
            Within::String if byte == b'"' => self.within = Within::Structure,
            Within::String => {}
        }
        Extent::Open
    }

    fn feed_structure(&mut self, byte: u8) -> Extent {
        match byte {
            b'"' => self.within = Within::String,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth <= 1 => return Extent::Complete,
            b'}' | b']' => self.depth -= 1,
            b'\n' => self.newlines += 1,
            _ => {}
        }
        Extent::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: (usize, Extent)) {
        assert_eq!(Scan::default().advance(text.as_bytes()), expected);
        let mut scan = Scan::default();
        let mut bytes = text.bytes();
        let mut byte_by_byte = bytes.by_ref().map(|byte| scan.advance(&[byte]).1);
        let end = byte_by_byte.find(|extent| *extent != Extent::Open);
        assert_eq!(end.unwrap_or(Extent::Open), expected.1, "byte by byte");
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        check(r#"{"a":"}\"}","b":[{}]} {}"#, (21, Extent::Complete));
        check(r#"{"a":"\\"}"#, (10, Extent::Complete));
        check(r#"{"a":"\\\"}"#, (11, Extent::Open));
        check("{\"a\":\"x\n\"}", (8, Extent::BrokenString));
    }
}
