use super::*;

/// What the reference tokeniser and a separate reading of the table say: token ids and first components.
const VECTORS: [(&str, &[usize], [f32; 8]); 4] = [
    (
        "My exam is on 14 March",
        &[1029, 10363, 1006, 1009, 1406, 1236],
        [
            0.206_394, 0.231_63, -0.081_386, 0.042_691, -0.033_071, -0.028_325, 0.049_554,
            -0.021_947,
        ],
    ),
    (
        "I moved to Munich last week.",
        &[48, 1336, 1003, 6472, 1200, 1736, 15],
        [
            0.203_635, 0.006_184, 0.011_878, 0.147_112, -0.036_145, -0.009_847, 0.005_722,
            0.034_395,
        ],
    ),
    (
        "Café naïve — GB/s, don't! 東京tower",
        &[
            6671, 14746, 520, 15354, 16, 58, 13, 1126, 8, 59, 2, 882, 758, 2581,
        ],
        [
            0.126_251, -0.016_859, -0.004_374, 0.001_25, 0.033_514, -0.048_371, 0.152_162,
            0.050_393,
        ],
    ),
    (
        "What did Caroline realize after her charity race?",
        &[1057, 1109, 6984, 4385, 1047, 1017, 4955, 1682, 32],
        [
            0.196_079, 0.088_165, -0.153_471, 0.090_196, -0.111_125, -0.001_34, -0.006_246,
            -0.036_658,
        ],
    ),
];

#[test]
fn gives_the_reference_tokens_and_components() {
    let table = StaticTable::new();
    for (text, tokens, first) in VECTORS {
        let found: Vec<usize> = table
            .token_rows(text)
            .iter()
            .map(|row| row.token.index())
            .collect();
        assert_eq!(found, tokens, "{text}");
        let vector = table.embed_one(text).unwrap();
        for (got, expected) in vector.as_slice().iter().zip(first) {
            assert!(
                (got - expected).abs() < 2e-6,
                "{text}: {got} for {expected}"
            );
        }
    }
}

/// Made by `data/recipe/odd_texts.py`: a text and its known tokens in each line.
const ODD_TEXTS: &str = include_str!("odd_texts.jsonl");

#[test]
fn gives_the_reference_tokens_of_odd_texts() {
    let table = StaticTable::new();
    for line in ODD_TEXTS.lines() {
        let entry: Vec<serde_json::Value> = serde_json::from_str(line).unwrap();
        let (text, tokens) = entry.split_first().unwrap();
        let text = text.as_str().unwrap();
        let found: Vec<serde_json::Value> = table
            .known_tokens(text)
            .map(|token| token.index().into())
            .collect();
        assert_eq!(found, tokens, "{text:?}");
    }
}

#[test]
fn unknown_words_count_for_nothing() {
    let table = StaticTable::new();
    assert_eq!(table.embed_one("𒀀𒀀"), None);
    assert_eq!(table.embed_one("the exam 𒀀𒀀"), table.embed_one("the exam"));
}

#[test]
fn a_vector_is_the_sum_of_the_token_rows() {
    let table = StaticTable::new();
    let text = "Priya moved to Oslo";
    let mut sum = vec![0.0; DIMENSIONS];
    for row in table.token_rows(text) {
        sum.iter_mut()
            .zip(&row.components)
            .for_each(|(sum, component)| *sum += component);
    }
    assert_eq!(UnitVector::normalise(sum), table.embed_one(text));
}

#[test]
fn related_texts_are_nearer_than_unrelated_ones() {
    let table = StaticTable::new();
    let vectors = [
        "Where does she live?",
        "She moved to Munich",
        "The pasta needs salt",
    ]
    .map(|text| table.embed_one(text).unwrap());
    let [question, answer, other] = &vectors;
    assert!(cosine(question, answer) > cosine(question, other) + 0.1);
}

#[test]
fn only_latin_script_is_read() {
    let table = StaticTable::new();
    assert!(table.reads("Where does Priya live?"));
    assert!(!table.reads("我喜欢喝茶"));
}

fn cosine(a: &UnitVector, b: &UnitVector) -> f32 {
    a.as_slice()
        .iter()
        .zip(b.as_slice())
        .map(|(x, y)| x * y)
        .sum()
}
