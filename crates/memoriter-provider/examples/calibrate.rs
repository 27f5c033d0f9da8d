//! Measures an embedder's [`Calibration`](memoriter_core::port::embedder::Calibration): how the cosines of
//! unrelated texts are spread.
//!
//! `cargo run --release -p memoriter-provider --example calibrate -- FILE [EMBEDDER]`
//!
//! `FILE` holds one conversation a line, as JSON: `docs` with `speaker` and `text`, and `questions` with `q`. A
//! question and a doc of another conversation are an unrelated pair. A doc is embedded as the engine does it,
//! `speaker: text`. `EMBEDDER` is written as for [`EmbedderChoice`]; without it, the built-in one is measured.

use std::io::BufRead as _;

use anyhow::Context as _;
use memoriter_core::port::embedder::{Embedder, TextRole};
use memoriter_core::vector::UnitVector;
use memoriter_provider::embed::EmbedderChoice;
use serde::Deserialize;

#[derive(Deserialize)]
struct Conversation {
    docs: Vec<Doc>,
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Doc {
    speaker: String,
    text: String,
}

#[derive(Deserialize)]
struct Question {
    q: String,
}

/// The vectors of a conversation.
struct Vectors {
    docs: Vec<Option<UnitVector>>,
    questions: Vec<Option<UnitVector>>,
}

#[expect(
    clippy::print_stdout,
    reason = "the figures are what this program is for"
)]
fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments
        .next()
        .context("usage: calibrate FILE [EMBEDDER]")?;
    let choice: EmbedderChoice = arguments.next().as_deref().unwrap_or("built-in").parse()?;
    let embedder = choice.build()?;

    let mut conversations = Vec::new();
    for line in std::io::BufReader::new(fs_err::File::open(file)?).lines() {
        conversations.push(embed_conversation(
            &serde_json::from_str(&line?)?,
            embedder.as_ref(),
        )?);
    }
    let mut cosines = unrelated_cosines(&conversations);
    cosines.sort_unstable_by(f64::total_cmp);
    let high = cosines
        .get(cosines.len() / 100 * 99)
        .context("two conversations are needed")?;
    let (mean, deviation) = mean_and_deviation(&cosines);
    println!("{}: {} pairs", embedder.model().as_str(), cosines.len());
    println!("mean {mean:.4}, deviation {deviation:.4}, 99th percentile {high:.4}");
    Ok(())
}

fn embed_conversation(
    conversation: &Conversation,
    embedder: &dyn Embedder,
) -> anyhow::Result<Vectors> {
    let docs = conversation
        .docs
        .iter()
        .map(|doc| format!("{}: {}", doc.speaker, doc.text));
    let questions = conversation
        .questions
        .iter()
        .map(|question| question.q.clone());
    Ok(Vectors {
        docs: embed(embedder, &docs.collect::<Vec<_>>(), TextRole::Record)?,
        questions: embed(embedder, &questions.collect::<Vec<_>>(), TextRole::Query)?,
    })
}

fn unrelated_cosines(conversations: &[Vectors]) -> Vec<f64> {
    let mut cosines = Vec::new();
    let pairs = conversations
        .iter()
        .flat_map(|asked| conversations.iter().map(move |told| (asked, told)));
    for (asked, told) in pairs.filter(|(asked, told)| !std::ptr::eq(*asked, *told)) {
        for question in asked.questions.iter().flatten() {
            cosines.extend(told.docs.iter().flatten().map(|doc| cosine(question, doc)));
        }
    }
    cosines
}

fn embed(
    embedder: &dyn Embedder,
    texts: &[String],
    role: TextRole,
) -> anyhow::Result<Vec<Option<UnitVector>>> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(embedder.embed(&texts, role)?)
}

fn cosine(a: &UnitVector, b: &UnitVector) -> f64 {
    a.as_slice()
        .iter()
        .zip(b.as_slice())
        .map(|(x, y)| f64::from(*x) * f64::from(*y))
        .sum()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the pairs are far fewer than 2^52"
)]
fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers
        .iter()
        .map(|number| (number - mean).powi(2))
        .sum::<f64>()
        / count;
    (mean, variance.sqrt())
}
