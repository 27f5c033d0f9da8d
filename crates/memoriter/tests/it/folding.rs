//! Sessions that are longer than a desk.

use std::collections::BTreeMap;

use memoriter::core::desk::Section;
use memoriter::core::fold::Run;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Assembly, Desk, Form, Memoriter, Scope, ScopedMemory, Selector, Session, TurnKey};

const BUDGET_TOKENS: usize = 4_000;
const CONSTRAINT: &str = "The whole trip must not cost more than 2,000 euros.";
const QUESTION: &str = "Which museum in Lisbon is open on Mondays?";

fn store() -> (tempfile::TempDir, ScopedMemory) {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
    (folder, memory.scope(Scope::user("priya")))
}

/// What the user says in an exchange, and what the assistant answers.
fn exchange(number: usize) -> (String, String) {
    let message = match number {
        1 => format!("Hello! {CONSTRAINT} We are three."),
        5 => QUESTION.to_owned(),
        _ => format!(
            "Tell me something about street {number}, the one with the {} door.",
            ["red", "blue", "green"][number % 3]
        ),
    };
    let answer = match number {
        5 => "I do not know yet, I will look it up.".to_owned(),
        _ => format!(
            "Street {number} is quiet. {}",
            "People sit outside and talk. ".repeat(1 + number % 4)
        ),
    };
    (message, answer)
}

fn assembly<'a>(session: &'a Session, message: &'a str) -> Assembly<'a> {
    session.assemble(message).budget_tokens(BUDGET_TOKENS)
}

fn spans_of(desk: &Desk) -> String {
    let text = desk.rendering.to_json().as_str().unwrap().to_owned();
    let Some((_, spans)) = text.split_once(" spans]") else {
        return String::new();
    };
    let (spans, _) = spans.split_once(" turns]").unwrap();
    spans.to_owned()
}

/// Says so many exchanges by the loop; tells for each the tokens of its desk and whether everything before the last
/// exchange stayed as it was.
fn talk(session: &Session, exchanges: usize) -> Vec<(usize, bool)> {
    let mut before: Option<Desk> = None;
    let counter = memoriter::provider::tokens::Estimate;
    (0..exchanges)
        .map(|number| {
            let (message, answer) = exchange(number);
            let call = assembly(session, &message);
            let desk = call.run().unwrap();
            call.answered(&answer).unwrap();
            let stays = before.as_ref().is_none_or(|before| {
                let difference =
                    desk.rendering
                        .compare(&before.rendering, &desk.boundary, &counter);
                difference.unwrap().prefix.changed_at > Some(Section::Spans)
                    && desk.turns_from == before.turns_from
            });
            let tokens = desk.report.total_tokens;
            before = Some(desk);
            (tokens, stays)
        })
        .collect()
}

#[test]
fn what_binds_is_on_the_desk_after_a_thousand_turns() {
    let (_folder, priya) = store();
    let session = priya.session("trip");
    let calls = talk(&session, 500);
    let desk = assembly(&session, "What shall we do tomorrow?")
        .run()
        .unwrap();
    assert!(desk.turns_from > Some(900));
    let spans = spans_of(&desk);
    assert!(
        spans.contains(&format!("kind=constraint text=\"{CONSTRAINT}\" in=2")),
        "{spans}"
    );
    assert!(
        spans.contains(&format!("kind=question text=\"{QUESTION}\" in=10")),
        "{spans}"
    );
    let stable = calls.iter().filter(|(_, stays)| *stays).count();
    assert!(
        stable * 10 >= calls.len() * 9,
        "{stable} of {}",
        calls.len()
    );
    // The second half costs what it has calls for.
    let sum = |calls: &[(usize, bool)]| calls.iter().map(|(tokens, _)| tokens).sum::<usize>();
    let (first, second) = calls.split_at(250);
    assert!(sum(second) <= 250 * BUDGET_TOKENS && sum(second) < sum(first) * 3 / 2);
    let full = assembly(&session, "What shall we do tomorrow?")
        .full_history_tokens()
        .unwrap();
    assert!(full > 5 * desk.report.total_tokens, "{full}");
}

#[test]
fn spans_are_alike_whether_they_are_kept_or_not() {
    let (_folder, priya) = store();
    let session = priya.session("trip");
    let name = SessionName::new("trip").unwrap();
    talk(&session, 60);
    let small = || session.assemble("And now?").budget_tokens(1_000);
    let made_now = small().run().unwrap();
    let folded = small().fold().unwrap();
    assert!(!folded.made.is_empty());
    let kept = small().run().unwrap();
    assert_eq!(kept, made_now);
    let again = small().fold().unwrap();
    assert_eq!(
        (again.made.len(), again.known),
        (0, folded.made.len() + folded.known)
    );
    let turns: BTreeMap<u32, String> = priya
        .turns(&name, 0, 1_000)
        .unwrap()
        .rows
        .into_iter()
        .map(|turn| (turn.position, turn.message.content))
        .collect();
    let items = folded.made.iter().flat_map(|span| &span.items);
    for item in items {
        assert!(
            item.turns
                .iter()
                .all(|(position, _)| turns[position].contains(&item.text))
        );
    }
    let runs: Vec<Run> = folded.made.iter().map(|span| span.run).collect();
    assert!(runs.iter().all(|run| run.turns().is_power_of_two()));
}

#[test]
fn what_was_forgotten_leaves_its_span() {
    let (_folder, priya) = store();
    let session = priya.session("trip");
    let call = session
        .assemble("My city is Lisbon. Never book a hotel in Porto.")
        .budget_tokens(600);
    call.answered("Noted.").unwrap();
    talk(&session, 40);
    let desk = || {
        session
            .assemble("And now?")
            .budget_tokens(1_000)
            .run()
            .unwrap()
    };
    session
        .assemble("And now?")
        .budget_tokens(1_000)
        .fold()
        .unwrap();
    assert!(spans_of(&desk()).contains("Porto"));
    session
        .assemble("Please forget where I live.")
        .budget_tokens(1_000)
        .answered("Done.")
        .unwrap();
    let after = desk();
    assert!(!spans_of(&after).contains("Porto"), "{}", spans_of(&after));
}

#[test]
fn what_another_process_takes_leaves_a_span_that_was_only_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let scope = || Memoriter::open(&path).unwrap().scope(Scope::user("priya"));
    let (here, there) = (scope(), scope());
    let at = ZonedTime::utc(Timestamp::from_micros(0));
    let texts = (0..60).map(|number| match number {
        4 => "I live in Porto. Never book a hotel in Porto.".to_owned(),
        6 => CONSTRAINT.to_owned(),
        _ => format!("We walked along street {number} and talked of gardens."),
    });
    let turns = (0_u64..).zip(texts);
    let turns =
        turns.map(|(number, text)| (TurnKey::At(number), Message::new(Role::User, text, at)));
    let told = here.session("trip").append(turns).unwrap();
    let spans = || {
        let session = here.session("trip");
        spans_of(
            &session
                .assemble("And now?")
                .budget_tokens(1_000)
                .run()
                .unwrap(),
        )
    };
    let before = spans();
    assert!(
        before.contains("hotel in Porto") && before.contains(CONSTRAINT),
        "{before}"
    );
    here.remember("I like tea").unwrap();
    assert_eq!(spans(), before);
    there.remember("Please forget where I live").unwrap();
    let after = spans();
    assert!(
        !after.contains("Porto") && after.contains(CONSTRAINT),
        "{after}"
    );
    there.erase(Selector::Turn(told.turns[6].id)).run().unwrap();
    let after = spans();
    assert!(!after.contains(CONSTRAINT), "{after}");
}

#[test]
fn every_form_has_the_spans() {
    let (_folder, priya) = store();
    let session = priya.session("trip");
    talk(&session, 60);
    for form in Form::ALL {
        let desk = session
            .assemble("And now?")
            .budget_tokens(2_000)
            .form(*form)
            .run()
            .unwrap();
        assert!(
            desk.rendering.to_json().to_string().contains(CONSTRAINT),
            "{form}"
        );
        assert!(desk.report.total_tokens <= 2_000);
    }
}
