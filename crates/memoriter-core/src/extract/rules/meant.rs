//! Which values the words of a request mean.

/// Which values the words of an end or a request mean: those that hold every word of it, whatever the case, the
/// article and the plural. "dog" means `dog named Rex`, "nut" means `nuts`, "Rex" means `dog named Rex`.
///
/// ```
/// use memoriter_core::extract::rules::names;
/// assert!(names("dog", "dog named Rex") && names("a dog", "two dogs") && names("nuts", "nut"));
/// assert!(!names("dog", "cat named Rex") && !names("", "dog"));
/// ```
#[must_use]
pub fn names(words: &str, value: &str) -> bool {
    let stems = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        let words = lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && !matches!(*word, "a" | "an" | "the" | "my" | "any"));
        words.map(stem).collect()
    };
    let (asked, held) = (stems(words), stems(value));
    !asked.is_empty() && asked.iter().all(|word| held.contains(word))
}

fn stem(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ => word
            .strip_suffix("es")
            .filter(|stem| stem.ends_with(['s', 'x', 'h', 'o']))
            .or_else(|| {
                word.strip_suffix('s')
                    .filter(|stem| stem.len() > 2 && !stem.ends_with('s'))
            })
            .unwrap_or(word)
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_values_by_their_head() {
        for (words, value) in [
            ("dog", "dog named Rex"),
            ("Rex", "dog named Rex"),
            ("nut", "nuts"),
            ("allergies", "allergy"),
            ("dogs", "two dogs"),
        ] {
            assert!(names(words, value), "{words} {value}");
        }
        for (words, value) in [
            ("cat", "dog named Rex"),
            ("", "dog"),
            ("the", "dog"),
            ("big dog", "dog"),
        ] {
            assert!(!names(words, value), "{words} {value}");
        }
    }
}
