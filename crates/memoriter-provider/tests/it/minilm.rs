//! The transformer answers as an independent computation does, keeps its contract, and says what is wrong with
//! a folder.

use memoriter_core::port::embedder::{EmbedError, Embedder as _, TextRole};
use memoriter_provider::embed::MiniLm;
use memoriter_testkit::conformance;

use crate::tiny_bert::TinyBert;

/// Texts with the first components of their vectors, as printed by `tiny_bert.py`. The last one is longer than
/// the window.
const EXPECTED: [(&str, [f32; 8]); 3] = [
    (
        "abc de",
        [
            -0.174_951, -0.175_667, 0.043_152, 0.003_209, -0.018_558, 0.096_957, -0.044_665,
            -0.057_52,
        ],
    ),
    (
        "Hello, world 7!",
        [
            -0.186_064, -0.215_174, 0.045_334, -0.016_391, -0.014_292, 0.085_683, -0.034_905,
            -0.048_655,
        ],
    ),
    (
        "a far longer text than this model's window of sixteen tokens",
        [
            -0.189_954, -0.195_758, 0.037_568, -0.027_107, -0.010_249, 0.111_229, -0.024_015,
            -0.055_673,
        ],
    ),
];

#[test]
fn answers_as_an_independent_computation() {
    let folder = TinyBert::new().write();
    let model = MiniLm::open(folder.path()).unwrap();
    let texts = EXPECTED.map(|(text, _)| text);
    let vectors = model.embed(&texts, TextRole::Record).unwrap();
    for ((text, first), vector) in EXPECTED.iter().zip(vectors) {
        let vector = vector.unwrap();
        for (got, expected) in vector.as_slice().iter().zip(first) {
            assert!(
                (got - expected).abs() < 2e-6,
                "{text}: {got} for {expected}"
            );
        }
    }
}

#[test]
fn keeps_the_contract() {
    let folder = TinyBert::new().write();
    conformance::embedder::check(&MiniLm::open(folder.path()).unwrap());
}

#[test]
fn a_text_of_unknown_words_has_no_vector() {
    let folder = TinyBert::new().write();
    let model = MiniLm::open(folder.path()).unwrap();
    let vectors = model.embed(&["東京", "a 東京"], TextRole::Query).unwrap();
    assert!(vectors[0].is_none() && vectors[1].is_some());
}

#[test]
fn the_name_changes_with_the_weights_and_the_vocabulary() {
    let name = |bert: &TinyBert| MiniLm::open(bert.write().path()).unwrap().model().clone();
    let mut bert = TinyBert::new();
    let original = name(&bert);
    assert_eq!(name(&TinyBert::new()), original);

    bert.tensors
        .get_mut("encoder.layer.1.output.dense.bias")
        .unwrap()
        .numbers[3] += 0.001;
    let other_weights = name(&bert);
    bert.vocabulary.swap(40, 41);
    let other_vocabulary = name(&bert);
    assert!(original != other_weights && other_weights != other_vocabulary);
}

#[test]
fn damaged_weights_are_an_error_rather_than_a_vector() {
    let mut bert = TinyBert::new();
    bert.tensors
        .get_mut("encoder.layer.0.output.dense.bias")
        .unwrap()
        .numbers[0] = f32::NAN;
    let model = MiniLm::open(bert.write().path()).unwrap();
    assert!(matches!(
        model.embed(&["abc"], TextRole::Query),
        Err(EmbedError::Run { .. })
    ));
}

/// Expects a folder damaged by `damage` to be refused for a reason that holds each of `parts`.
#[track_caller]
fn check_refused(damage: impl FnOnce(&mut TinyBert), parts: &[&str]) {
    let mut bert = TinyBert::new();
    damage(&mut bert);
    let folder = bert.write();
    check_folder_refused(folder.path(), parts);
}

#[track_caller]
fn check_folder_refused(folder: &std::path::Path, parts: &[&str]) {
    let Err(EmbedError::Model { place, why }) = MiniLm::open(folder) else {
        panic!("{} is not refused", folder.display());
    };
    assert_eq!(place, folder.display().to_string());
    for part in parts {
        assert!(why.contains(part), "`{part}` is not in: {why}");
    }
}

#[test]
fn names_the_file_that_is_missing() {
    for file in ["config.json", "vocab.txt", "model.safetensors"] {
        let folder = TinyBert::new().write();
        fs_err::remove_file(folder.path().join(file)).unwrap();
        check_folder_refused(folder.path(), &[file, "No such file"]);
    }
}

#[test]
fn names_what_is_wrong_with_the_configuration() {
    check_refused(
        |bert| bert.config["hidden_act"] = "relu".into(),
        &["config.json", "`relu`"],
    );
    check_refused(
        |bert| bert.config["num_attention_heads"] = 5.into(),
        &["config.json", "num_attention_heads 5"],
    );
    check_refused(
        |bert| bert.config["num_attention_heads"] = 0.into(),
        &["config.json", "num_attention_heads 0"],
    );
    check_refused(
        |bert| bert.config["max_position_embeddings"] = 2.into(),
        &["config.json", "no room"],
    );
    check_refused(
        |bert| bert.config["hidden_size"] = "x".into(),
        &["config.json", "invalid type"],
    );
    let forget = |bert: &mut TinyBert| {
        let fields = bert.config.as_object_mut().unwrap();
        fields.retain(|name, _| name != "vocab_size");
    };
    check_refused(forget, &["config.json", "vocab_size"]);
}

#[test]
fn names_what_is_wrong_with_the_vocabulary() {
    check_refused(
        |bert| bert.vocabulary.truncate(80),
        &["vocab.txt", "80 tokens", "vocab_size is 87"],
    );
    check_refused(
        |bert| bert.vocabulary[2] = "x".to_owned(),
        &["vocab.txt", "[CLS]"],
    );
    check_refused(
        |bert| bert.vocabulary[3] = "x".to_owned(),
        &["vocab.txt", "[SEP]"],
    );
    check_refused(
        |bert| bert.vocabulary[1] = "x".to_owned(),
        &["vocab.txt", "[UNK]"],
    );
    check_refused(|bert| bert.vocabulary.clear(), &["vocab.txt", "no tokens"]);
}

#[test]
fn names_the_tensor_that_is_missing_or_of_another_shape() {
    const NAME: &str = "encoder.layer.1.intermediate.dense.weight";
    check_refused(
        |bert| bert.tensors.retain(|name, _| name != NAME),
        &["model.safetensors", NAME, "missing"],
    );
    check_refused(
        |bert| bert.tensors.get_mut(NAME).unwrap().shape = vec![32, 64],
        &[NAME, "[32, 64], not [64, 32]"],
    );
    check_refused(
        |bert| bert.tensors.get_mut(NAME).unwrap().numbers.truncate(2047),
        &[NAME, "8192 bytes"],
    );
}

#[test]
fn names_what_is_wrong_with_the_weights_file() {
    let folder = TinyBert::new().write();
    let path = folder.path().join("model.safetensors");
    let whole = fs_err::read(&path).unwrap();
    let check = |bytes: &[u8], parts: &[&str]| {
        fs_err::write(&path, bytes).unwrap();
        check_folder_refused(folder.path(), parts);
    };
    check(&whole[..5], &["model.safetensors", "no header"]);
    check(&whole[..100], &["model.safetensors", "no header"]);
    check(
        &[0xff; 64],
        &["model.safetensors", "no header", "over the limit"],
    );
    check(
        &whole[..whole.len() - 4],
        &["model.safetensors", "the tensor `encoder.layer.1."],
    );
    let at = whole.windows(3).position(|bytes| bytes == b"F32").unwrap();
    let half_precision = [&whole[..at], b"F16", &whole[at + 3..]].concat();
    check(&half_precision, &["model.safetensors", "F16, not F32"]);
}
