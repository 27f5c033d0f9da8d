//! What every [`Embedder`] must do, whatever its model.
//!
//! Call [`check`] from a test of the embedder; it panics at the first rule that is broken, naming it and the
//! text.

use memoriter_core::port::embedder::{Embedder, TextRole};
use memoriter_core::vector::UnitVector;

/// Plain sentences, which every model must be able to place.
const SENTENCES: [&str; 5] = [
    "My exam is on 14 March.",
    "Where does Priya live?",
    "She moved to Oslo last June, with two cats and a cello.",
    "no",
    "The invoice of ACME Ltd. (no. 2024/117) is due in 30 days; please pay by wire transfer.",
];

/// Texts that have been somebody's undoing. A model may or may not be able to place them.
const ODD_TEXTS: [&str; 16] = [
    "NUL \0 within",
    "\0",
    "e\u{301}\u{327}\u{323} marks \u{301}\u{301}",
    "\u{301}",
    "👩‍🚀🏳️‍🌈 emoji 🙂",
    "🙂",
    "東京に住んでいます",
    "我喜欢喝茶",
    "한국어 텍스트",
    "النص العربي",
    "\u{202e}reversed\u{202c} and \u{200b}zero\u{200d}width",
    "[CLS] [SEP] [UNK] [MASK] [PAD]",
    "##ing ## # ###",
    "\u{fffd}\u{feff}\u{ffff}\u{10ffff}",
    "İSTANBUL ẞ ﬁ ½ Ω",
    "a\r\nb\tc\u{2028}d\u{a0}e",
];

/// Texts without content.
const EMPTY_TEXTS: [&str; 4] = ["", " ", "\n\t ", "\u{3000}"];

/// How much a component may differ between batches.
const COMPONENT_TOLERANCE: f32 = 1e-4;
/// How much a vector's length may differ from 1.
const LENGTH_TOLERANCE: f32 = 1e-3;

/// Checks the whole contract of the port.
///
/// # Panics
/// When the embedder breaks a rule.
pub fn check(embedder: &dyn Embedder) {
    describes_itself(embedder);
    gives_one_entry_per_text(embedder);
    keeps_the_order(embedder);
    gives_unit_vectors(embedder);
    places_no_empty_text(embedder);
    is_independent_of_the_batch(embedder);
    takes_huge_texts(embedder);
    works_from_any_thread(embedder);
}

fn describes_itself(embedder: &dyn Embedder) {
    assert!(
        !embedder.model().as_str().trim().is_empty(),
        "the model has a name"
    );
    assert!(embedder.dimensions() > 0, "a vector has components");
    let calibration = embedder.calibration();
    assert!(
        calibration.mean > -1.0 && calibration.mean < 1.0,
        "the mean cosine {} is within -1..1",
        calibration.mean
    );
    let deviation = calibration.deviation;
    assert!(
        deviation.is_finite() && deviation > 0.0,
        "the deviation {deviation} is above 0"
    );
}

fn gives_one_entry_per_text(embedder: &dyn Embedder) {
    assert!(embed(embedder, &[]).is_empty(), "no text, no entry");
    let texts = [SENTENCES.as_slice(), &EMPTY_TEXTS, &ODD_TEXTS].concat();
    for role in [TextRole::Query, TextRole::Record] {
        let count = embedder
            .embed(&texts, role)
            .expect("the batch is embedded")
            .len();
        assert_eq!(count, texts.len(), "one entry per text as {role:?}");
    }
}

fn keeps_the_order(embedder: &dyn Embedder) {
    let forward = embed(embedder, &SENTENCES);
    let mut reversed_texts = SENTENCES;
    reversed_texts.reverse();
    let mut backward = embed(embedder, &reversed_texts);
    backward.reverse();
    for (index, (text, (a, b))) in SENTENCES
        .iter()
        .zip(forward.iter().zip(&backward))
        .enumerate()
    {
        assert_same(text, a.as_ref(), b.as_ref(), "in order");
        assert!(a.is_some(), "a plain sentence has a vector: {text}");
        let repeated = forward.iter().take(index).any(|other| other == a);
        assert!(
            !repeated,
            "different sentences have different vectors: {text}"
        );
    }
}

fn gives_unit_vectors(embedder: &dyn Embedder) {
    let texts = [SENTENCES.as_slice(), &ODD_TEXTS].concat();
    for (text, vector) in texts.iter().zip(embed(embedder, &texts)) {
        let Some(vector) = vector else { continue };
        let components = vector.as_slice();
        assert_eq!(
            components.len(),
            embedder.dimensions(),
            "components of the vector of {text:?}"
        );
        assert!(
            components.iter().all(|component| component.is_finite()),
            "all components are finite: {text:?}"
        );
        let length = components
            .iter()
            .map(|component| component * component)
            .sum::<f32>()
            .sqrt();
        assert!(
            (length - 1.0).abs() <= LENGTH_TOLERANCE,
            "the length {length} is 1: {text:?}"
        );
    }
}

fn places_no_empty_text(embedder: &dyn Embedder) {
    for (text, vector) in EMPTY_TEXTS.iter().zip(embed(embedder, &EMPTY_TEXTS)) {
        assert!(vector.is_none(), "an empty text has no vector: {text:?}");
    }
}

fn is_independent_of_the_batch(embedder: &dyn Embedder) {
    let long = SENTENCES.join(" ").repeat(20);
    let texts = [
        SENTENCES.as_slice(),
        &EMPTY_TEXTS,
        &[long.as_str()],
        &ODD_TEXTS,
        &SENTENCES,
    ]
    .concat();
    for (text, together) in texts.iter().zip(embed(embedder, &texts)) {
        let alone = embed(embedder, &[text]).pop().flatten();
        assert_same(
            text,
            alone.as_ref(),
            together.as_ref(),
            "alone and in a batch",
        );
    }
}

fn takes_huge_texts(embedder: &dyn Embedder) {
    let fill = |unit: &str, bytes: usize| unit.repeat(bytes / unit.len());
    let prose = fill("The quick brown fox jumps over the lazy dog. ", 1 << 20);
    assert!(
        embed(embedder, &[&prose]).iter().all(Option::is_some),
        "a long text has a vector"
    );
    // Each of these has a quarter of a mebibyte of what some step may be slow at: a word without end, marks
    // without end in and out of their canonical order, nothing but tokens, nothing that counts.
    for unit in [
        "a",
        "ü",
        "e\u{301}\u{327}",
        "\u{301}\u{327}",
        "\u{302e}\u{302f}",
        "##",
        "東",
        "\0",
        " ",
    ] {
        assert_eq!(
            embed(embedder, &[&fill(unit, 1 << 18)]).len(),
            1,
            "one entry for a huge text of {unit:?}"
        );
    }
}

fn works_from_any_thread(embedder: &dyn Embedder) {
    let expected = embed(embedder, &SENTENCES);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| embed(embedder, &SENTENCES)))
            .collect();
        for thread in threads {
            let found = thread
                .join()
                .expect("the embedder does not panic on a thread");
            for (text, (a, b)) in SENTENCES.iter().zip(expected.iter().zip(&found)) {
                assert_same(text, a.as_ref(), b.as_ref(), "on another thread");
            }
        }
    });
}

fn embed(embedder: &dyn Embedder, texts: &[&str]) -> Vec<Option<UnitVector>> {
    embedder
        .embed(texts, TextRole::Record)
        .expect("the batch is embedded")
}

#[track_caller]
fn assert_same(text: &str, a: Option<&UnitVector>, b: Option<&UnitVector>, circumstances: &str) {
    let start: String = text.chars().take(60).collect();
    assert_eq!(
        a.is_some(),
        b.is_some(),
        "equal texts both have a vector or neither, {circumstances}: {start:?}"
    );
    let (Some(a), Some(b)) = (a, b) else { return };
    let differences = a
        .as_slice()
        .iter()
        .zip(b.as_slice())
        .map(|(x, y)| (x - y).abs());
    let largest = differences.fold(0.0, f32::max);
    assert!(
        largest <= COMPONENT_TOLERANCE,
        "equal texts have equal vectors, {circumstances}: {start:?}, {largest}"
    );
}

#[cfg(test)]
mod tests;
