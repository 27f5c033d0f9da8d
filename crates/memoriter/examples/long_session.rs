//! What a session of a thousand turns costs: tokens sent with a desk, and by sending everything again.
//!
//! `cargo run --release --example long_session -- docs/long-session.svg` prints figures and draws them. What is said is
//! made up by a rule, so every run is alike; something that binds is said at turn 2, and a question is put off at turn 10.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::sync::Arc;

use memoriter::core::desk::Section;
use memoriter::core::port::TokenCounter;
use memoriter::provider::tokens::Estimate;
use memoriter::{Desk, Memoriter, Scope};
use plotters::prelude::*;

const EXCHANGES: usize = 500;
const BUDGET_TOKENS: usize = 4_000;
const CONSTRAINT: &str = "The whole trip must not cost more than 2,000 euros.";
const QUESTION: &str = "Which museum in Lisbon is open on Mondays?";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let memory = Memoriter::open(folder.path().join("memory.db"))?;
    let session = memory.scope(Scope::user("priya")).session("trip");
    let counter = Arc::new(Estimate);
    let (mut sent, mut resent) = (Sum::default(), Sum::default());
    let (mut history_tokens, mut stable) = (0, 0);
    let mut before: Option<Desk> = None;
    for number in 0..EXCHANGES {
        let (message, answer) = exchange(number);
        let call = session.assemble(&message).budget_tokens(BUDGET_TOKENS);
        let desk = call.run()?;
        call.answered(&answer)?;
        sent.add(desk.report.total_tokens);
        resent.add(history_tokens + counter.count(&message));
        history_tokens += counter.count(&message) + counter.count(&answer);
        stable += usize::from(is_stable(before.as_ref(), &desk, counter.as_ref()));
        before = Some(desk);
    }
    let last = session
        .assemble("What shall we do tomorrow?")
        .budget_tokens(BUDGET_TOKENS)
        .run()?;
    let text = last.rendering.to_json().to_string();
    println!("calls                              {EXCHANGES}, budget {BUDGET_TOKENS} tokens");
    println!("tokens sent with a desk            {}", sent.total());
    println!("tokens sent by resending all turns {}", resent.total());
    println!("calls whose beginning stayed       {stable}");
    println!(
        "what binds is on the last desk     {}",
        text.contains(CONSTRAINT)
    );
    println!(
        "what is open is on the last desk   {}",
        text.contains(QUESTION)
    );
    if let Some(path) = std::env::args().nth(1) {
        draw(&path, &sent, &resent)?;
        println!("drawn in {path}");
    }
    Ok(())
}

/// Tokens of all calls so far, call by call.
#[derive(Default)]
struct Sum(Vec<usize>);

impl Sum {
    fn add(&mut self, tokens: usize) {
        self.0.push(self.total() + tokens);
    }

    fn total(&self) -> usize {
        self.0.last().copied().unwrap_or_default()
    }

    /// Turns so far, and millions of tokens.
    fn points(&self) -> Vec<(f64, f64)> {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let point = |(call, tokens): (usize, &usize)| ((call * 2 + 2) as f64, *tokens as f64 / 1e6);
        self.0.iter().enumerate().map(point).collect()
    }
}

/// What the user says in an exchange, and what the assistant answers.
fn exchange(number: usize) -> (String, String) {
    let message = match number {
        1 => format!("Hello! {CONSTRAINT} We are three."),
        5 => QUESTION.to_owned(),
        _ => format!("Tell me something about street {number}, the one with the green door."),
    };
    let answer = match number {
        5 => "I do not know yet, I will look it up.".to_owned(),
        _ => format!(
            "Street {number} is quiet. {}",
            "People sit outside and talk. ".repeat(1 + number % 8)
        ),
    };
    (message, answer)
}

/// Whether everything up to the turns that were there is as it was in the call before.
fn is_stable(before: Option<&Desk>, now: &Desk, counter: &dyn TokenCounter) -> bool {
    before.is_none_or(|before| {
        let difference = now
            .rendering
            .compare(&before.rendering, &now.boundary, counter);
        let changed_at = difference.and_then(|difference| difference.prefix.changed_at);
        before.turns_from == now.turns_from && changed_at > Some(Section::Spans)
    })
}

fn draw(path: &str, sent: &Sum, resent: &Sum) -> Result<(), Box<dyn Error>> {
    let (sent, resent) = (sent.points(), resent.points());
    let highest = resent.last().map_or(1.0, |(_, tokens)| *tokens);
    let turns = resent.last().map_or(1.0, |(turns, _)| *turns);
    let area = SVGBackend::new(path, (760, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Tokens sent in all calls so far", ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..turns, 0.0..highest)?;
    chart
        .configure_mesh()
        .x_desc("turns")
        .y_desc("millions of tokens")
        .light_line_style(WHITE)
        .draw()?;
    for (points, colour, label) in [
        (resent, RED, "every turn again"),
        (sent, BLUE, "a desk of 4,000 tokens"),
    ] {
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}
