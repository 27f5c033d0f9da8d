//! What stands between a noun and its verb and belongs to neither.

/// Behind the verb after an aside: "my PIN, by the way, is 2468", "the password here (as I said) is".
pub(super) fn behind_aside(text: &str, at: usize) -> Option<usize> {
    /// Bytes of an aside with what stands before it.
    const ASIDE_BYTES_MAX: usize = 80;
    /// Bytes between the noun and its aside.
    const OPENS_BYTES_MAX: usize = 24;
    const ENDS: &[&str] = &[
        ", is ",
        ", ist ",
        ", es ",
        ", est ",
        ", lautet ",
        ", was ",
        " - is ",
        " – is ",
        " — is ",
        ") is ",
        ") ist ",
    ];
    let end = text.floor_char_boundary((at + ASIDE_BYTES_MAX).min(text.len()));
    let rest = text.get(at..end)?;
    let rest = rest.split(['.', '!', '?', '\n']).next()?;
    let opens = rest.find([',', '(', '-', '–', '—'])?;
    let found = ENDS
        .iter()
        .filter_map(|end| Some(rest.find(end)? + end.len()));
    let behind = found.min()?;
    // The first comma opens the aside and another one closes it.
    (opens <= OPENS_BYTES_MAX && behind > opens + 6).then_some(at + behind)
}
