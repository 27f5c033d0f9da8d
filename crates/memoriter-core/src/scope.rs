//! Who a record belongs to inside a tenant.

use std::fmt;

use crate::error::{InvalidInput, check_some_text};

/// Bytes a segment may have.
pub const SEGMENT_BYTES_MAX: usize = 256;
/// Segments a path may have: four nested owners.
pub const SEGMENTS_MAX: usize = 8;

/// A path of segments in pairs of kind and name, such as `user/priya` or `user/priya/agent/tutor`.
///
/// Scopes are compared segment by segment. A name may hold any character, `/` among them: it never splits
/// and never matches as a prefix or pattern.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope(Box<[Box<str>]>);

impl Scope {
    /// The scope of a user.
    ///
    /// # Panics
    /// When `name` is empty, over [`SEGMENT_BYTES_MAX`] or holds NUL; [`Scope::from_segments`] returns the
    /// error instead.
    #[must_use]
    pub fn user(name: &str) -> Self {
        Self::from_segments(["user", name]).expect("the name of a user scope is a valid segment")
    }

    /// A scope from its segments, outermost first.
    ///
    /// # Errors
    /// [`InvalidInput`] when there is no segment, an odd number of them or more than [`SEGMENTS_MAX`], or one
    /// is empty, over [`SEGMENT_BYTES_MAX`] or holds NUL.
    pub fn from_segments<S: AsRef<str>>(
        segments: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidInput> {
        let segments: Vec<Box<str>> = segments
            .into_iter()
            .map(|segment| segment.as_ref().into())
            .collect();
        if segments.len() > SEGMENTS_MAX {
            return Err(InvalidInput::OverLimit {
                field: "scope",
                got: segments.len(),
                limit: SEGMENTS_MAX,
                unit: "segments",
            });
        }
        if segments.is_empty() || !segments.len().is_multiple_of(2) {
            return Err(InvalidInput::malformed(
                "scope",
                "pairs of kind and name such as user, priya",
                &segments.join("/"),
            ));
        }
        for segment in &segments {
            check_some_text("scope", segment, SEGMENT_BYTES_MAX)?;
        }
        Ok(Self(segments.into_boxed_slice()))
    }

    /// This scope with one more owner inside it: `user/priya` with `agent`, `tutor`.
    ///
    /// # Errors
    /// As [`Scope::from_segments`].
    pub fn within(&self, kind: &str, name: &str) -> Result<Self, InvalidInput> {
        Self::from_segments(self.segments().chain([kind, name]))
    }

    /// The segments, outermost first.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// This scope and the ones around it, innermost first: what a caller in this scope may read.
    #[must_use]
    pub fn with_enclosing(&self) -> Vec<Self> {
        (1..=self.0.len() / 2)
            .rev()
            .filter_map(|pairs| self.0.get(..pairs * 2).map(|path| Self(path.into())))
            .collect()
    }

    /// Whether this is `outer` or lies inside it.
    #[must_use]
    pub fn is_within(&self, outer: &Self) -> bool {
        self.0.starts_with(&outer.0)
    }

    /// This scope with `to` in the place of `from`, which it lies within; `None` where it does not.
    ///
    /// # Errors
    /// [`InvalidInput`] when the path would be too long.
    pub fn moved(&self, from: &Self, to: &Self) -> Result<Option<Self>, InvalidInput> {
        let Some(rest) = self.0.strip_prefix(&*from.0) else {
            return Ok(None);
        };
        let segments = to.0.iter().chain(rest);
        Self::from_segments(segments).map(Some)
    }

    /// The canonical text that stores keep: a JSON array of the segments.
    ///
    /// # Panics
    /// Never: every text can be written as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let segments: Vec<&str> = self.segments().collect();
        serde_json::to_string(&segments).expect("every text can be written as JSON")
    }

    /// Reads [`Scope::to_json`] back.
    ///
    /// # Errors
    /// [`InvalidInput`] when the text is not a JSON array of valid segments.
    pub fn from_json(text: &str) -> Result<Self, InvalidInput> {
        let segments: Vec<String> = serde_json::from_str(text)
            .map_err(|_| InvalidInput::malformed("scope", "a JSON array of strings", text))?;
        Self::from_segments(segments)
    }
}

impl fmt::Display for Scope {
    /// The segments joined by `/`, with `%` and `/` inside a segment percent-encoded: for people, and still
    /// unambiguous.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.segments().enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            f.write_str(&segment.replace('%', "%25").replace('/', "%2F"))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_stay_apart() {
        let names = [
            "1", "12", "a_b", "a-b", "a%", "a/b", "a", "'", "\"", "🦀", "東京", " x",
        ];
        for left in names {
            for right in names {
                let (a, b) = (Scope::user(left), Scope::user(right));
                assert_eq!(a == b, left == right);
                assert_eq!(a.to_string() == b.to_string(), left == right, "{a} {b}");
            }
            assert_eq!(
                Scope::from_json(&Scope::user(left).to_json()),
                Ok(Scope::user(left))
            );
        }
    }

    #[test]
    fn enclosing_scopes_are_whole_pairs() {
        let tutor = Scope::user("priya").within("agent", "tutor").unwrap();
        let seen: Vec<String> = tutor
            .with_enclosing()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(seen, ["user/priya/agent/tutor", "user/priya"]);
    }

    #[test]
    fn broken_paths_are_refused() {
        assert!(Scope::from_segments(["user"]).is_err());
        assert!(Scope::from_segments::<&str>([]).is_err());
        assert!(Scope::from_segments(["user", ""]).is_err());
        assert!(Scope::from_segments(["user", "a\0b"]).is_err());
        assert!(Scope::from_segments(["user", &"x".repeat(257)]).is_err());
        assert!(Scope::from_segments(["a"; 10]).is_err());
    }

    #[test]
    fn a_scope_moves_with_what_is_inside_it() {
        let (priya, omar) = (Scope::user("priya"), Scope::user("omar"));
        let tutor = priya.within("agent", "tutor").unwrap();
        assert!(tutor.is_within(&priya) && priya.is_within(&priya));
        assert!(!priya.is_within(&tutor) && !Scope::user("priya2").is_within(&priya));
        let moved = tutor.moved(&priya, &omar).unwrap();
        assert_eq!(moved, Some(omar.within("agent", "tutor").unwrap()));
        assert_eq!(tutor.moved(&omar, &priya), Ok(None));
        let deep = ["a", "b", "c"]
            .iter()
            .fold(omar, |scope, kind| scope.within(kind, "x").unwrap());
        assert!(tutor.moved(&priya, &deep).is_err(), "ten segments");
    }
}
