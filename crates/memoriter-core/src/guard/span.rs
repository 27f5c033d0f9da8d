//! Finds in a text: which win, where they end, and the text with masks in their place.

use std::borrow::Cow;
use std::ops::Range;

/// How a mask begins; the kind and `]` follow.
pub(super) const MASK_START: &str = "[secret:";
/// The longest name of a kind in a mask.
pub(super) const KIND_BYTES_MAX: usize = 64;

/// How sure the kind of a find is. The name in the mask is that of the surest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// The form of one service, number or block.
    Service,
    /// A place where a secret stands: a header, an address, an assignment, a sentence.
    Place,
    /// What looks random beside a word such as `key`.
    Guess,
}

/// A find, in bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) span: Range<usize>,
    pub(super) kind: Cow<'static, str>,
    pub(super) rank: Rank,
}

impl Found {
    pub(super) fn new(span: Range<usize>, kind: impl Into<Cow<'static, str>>, rank: Rank) -> Self {
        Self {
            span,
            kind: kind.into(),
            rank,
        }
    }
}

/// The masks that the text already has, in order. `is_kind` tells a mask from a text that only looks like one.
pub(super) fn masks(text: &str, is_kind: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let starts = text.match_indices(MASK_START).map(|(at, _)| at);
    starts
        .filter_map(|start| {
            let rest = text.get(start + MASK_START.len()..)?;
            let length = rest
                .bytes()
                .take(KIND_BYTES_MAX + 1)
                .position(|byte| byte == b']')?;
            let kind = rest.get(..length)?;
            is_kind(kind).then(|| start..start + MASK_START.len() + length + 1)
        })
        .collect()
}

/// The finds that shall be masked: at characters, outside `masks`, in order and apart. Finds that overlap become one
/// that covers them all, with the kind of the surest.
pub(super) fn settle(text: &str, found: Vec<Found>, masks: &[Range<usize>]) -> Vec<Found> {
    let mut pieces: Vec<Found> = found
        .into_iter()
        .map(|find| widen(text, find))
        .flat_map(|find| outside(find, masks))
        .map(|find| trim(text, find))
        .filter(|find| {
            let inside = text.get(find.span.clone());
            inside.is_some_and(|inside| inside.chars().any(char::is_alphanumeric))
        })
        .collect();
    pieces.sort_by_key(|piece| (piece.span.start, piece.rank));
    let mut settled: Vec<Found> = Vec::new();
    for piece in pieces {
        match settled.last_mut() {
            Some(last) if piece.span.start < last.span.end => {
                last.span.end = last.span.end.max(piece.span.end);
                if piece.rank < last.rank {
                    last.kind = piece.kind;
                    last.rank = piece.rank;
                }
            }
            Some(_) | None => settled.push(piece),
        }
    }
    settled
}

/// Moves the ends of a find outwards to characters.
fn widen(text: &str, mut find: Found) -> Found {
    find.span = text.floor_char_boundary(find.span.start)..text.ceil_char_boundary(find.span.end);
    find
}

/// Moves the ends of a find inwards over white space.
fn trim(text: &str, mut find: Found) -> Found {
    if let Some(inside) = text.get(find.span.clone()) {
        find.span.start += inside.len() - inside.trim_start().len();
        find.span.end = find.span.start + inside.trim().len();
    }
    find
}

/// The text with signs that mean nothing in the place of masks, of the same length: a mask neither is a value nor
/// names one.
pub(super) fn blank<'a>(text: &'a str, masks: &[Range<usize>]) -> Cow<'a, str> {
    if masks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut blanked = String::with_capacity(text.len());
    let mut from = 0;
    for mask in masks {
        blanked.push_str(text.get(from..mask.start).unwrap_or_default());
        blanked.extend(std::iter::repeat_n('\0', mask.len()));
        from = mask.end;
    }
    blanked.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(blanked)
}

/// What of a find is outside the masks.
fn outside(find: Found, masks: &[Range<usize>]) -> Vec<Found> {
    let mut pieces = Vec::new();
    let mut start = find.span.start;
    let crossed = masks
        .iter()
        .filter(|mask| mask.start < find.span.end && find.span.start < mask.end);
    for mask in crossed {
        if start < mask.start {
            pieces.push(Found::new(start..mask.start, find.kind.clone(), find.rank));
        }
        start = mask.end;
    }
    if start < find.span.end {
        pieces.push(Found::new(start..find.span.end, find.kind, find.rank));
    }
    pieces
}

/// The text with a mask for each find. The finds are in order and apart.
pub(super) fn render(text: &str, found: &[Found]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for find in found {
        masked.push_str(text.get(from..find.span.start).unwrap_or_default());
        masked.push_str(MASK_START);
        masked.push_str(&find.kind);
        masked.push(']');
        from = find.span.end;
    }
    masked.push_str(text.get(from..).unwrap_or_default());
    masked
}

/// Adds finds in the rendered text to those it was rendered with, in bytes of the original.
pub(super) fn merge(earlier: &[Found], later: Vec<Found>) -> Vec<Found> {
    let original = |at: usize| {
        // Where the rendered text and the original part, mask by mask.
        let (mut rendered_from, mut original_from) = (0, 0);
        for find in earlier {
            let start = rendered_from + (find.span.start - original_from);
            if at <= start {
                break;
            }
            rendered_from = start + MASK_START.len() + find.kind.len() + 1;
            original_from = find.span.end;
        }
        original_from + at.saturating_sub(rendered_from)
    };
    let later = later.into_iter().map(|find| {
        // An end is taken from the last byte: behind it a mask may begin.
        let end = original(find.span.end.saturating_sub(1)) + 1;
        Found::new(original(find.span.start)..end, find.kind, find.rank)
    });
    let mut all: Vec<Found> = earlier.iter().cloned().chain(later).collect();
    all.sort_by_key(|find| find.span.start);
    all
}
