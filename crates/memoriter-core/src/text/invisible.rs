//! Characters that are not seen and change what is: they hide text, or turn the order of what stands around them.

/// Whether a character is not seen, or changes the order in which its surroundings are shown: bidirectional
/// controls, joiners and spaces without width, tags, and marks that only programs read.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    reorders(c) || joins(c) || is_bidi_mark(c) || hides(c)
}

/// Whether a character makes a terminal show what follows in another order than it is written.
#[must_use]
pub fn reorders(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Whether a character without width belongs to the writing of some scripts and of emoji: spaces between words
/// that are written without, joiners.
#[must_use]
pub fn joins(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200D}')
}

/// Marks of direction, which are harmless to show.
fn is_bidi_mark(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}')
}

/// Whether a character shows nothing wherever it stands: tags, which can spell out a hidden text, and the like.
#[must_use]
pub fn hides(c: char) -> bool {
    matches!(
        c,
        '\u{00AD}' | '\u{180E}' | '\u{2060}'..='\u{2064}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_known_and_letters_are_not_it() {
        for c in [
            '\u{202E}',
            '\u{2069}',
            '\u{200B}',
            '\u{200D}',
            '\u{200F}',
            '\u{FEFF}',
            '\u{E0041}',
        ] {
            assert!(is_invisible(c), "{}", c.escape_unicode());
        }
        for c in ['a', 'é', '\u{301}', '東', '👍', ' ', '\u{FE0F}', 'ا'] {
            assert!(!is_invisible(c), "{}", c.escape_unicode());
        }
    }
}
