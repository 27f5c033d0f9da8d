//! The folder that asks a language model.
//!
//! The model chooses and sorts; the words are those of the turns: an item whose quote is not in its turn is left out.
//! What [`Cues`] finds of constraints and open questions is there besides, whatever the model thinks of it.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use super::extract::{Cues, TEXT_BYTES_MAX, keep_free_items, may_give};
use super::span::{ItemKind, SpanItem};
use crate::ask::{Question, ask};
use crate::extract::model::quoted;
use crate::port::folder::Folder;
use crate::port::language_model::{AnswerForm, LanguageModel, ModelError};
use crate::provenance::Trust;
use crate::turn::Turn;

/// The prompt, by name and version. Grows with every change of the prompt, its form or what is checked.
pub const PROMPT: &str = "fold-1";
/// What calls are counted under.
pub const PURPOSE: &str = "fold";

/// Bytes of turns that one call reads: some 12,000 tokens, which models of today read as a whole.
const PART_BYTES_MAX: usize = 48 * 1024;
/// Tokens that an answer may have: its items are short.
const OUTPUT_TOKENS_MAX: u32 = 4_096;
/// Items that one answer may have.
const ITEMS_MAX: usize = 64;

static SYSTEM: &str = include_str!("../../data/prompts/fold-1.md");

static FORM: LazyLock<AnswerForm> = LazyLock::new(|| AnswerForm {
    name: "items",
    schema: serde_json::from_str(include_str!("../../data/prompts/fold-1.schema.json"))
        .expect("a test reads the file"),
});

/// Folds by asking a language model.
pub struct ModelFolder {
    model: Arc<dyn LanguageModel>,
    cues: Cues,
    /// Prompt and model.
    name: String,
}

impl ModelFolder {
    /// Over a model.
    #[must_use]
    pub fn new(model: Arc<dyn LanguageModel>) -> Self {
        let name = format!("{PROMPT} {}", model.name());
        let cues = Cues::new();
        Self { model, cues, name }
    }
}

impl std::fmt::Debug for ModelFolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelFolder")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Folder for ModelFolder {
    fn name(&self) -> &str {
        &self.name
    }

    fn fold(&self, turns: &[Turn], after: &[Turn]) -> Result<Vec<SpanItem>, ModelError> {
        let given: Vec<&Turn> = turns.iter().filter(|turn| may_give(turn)).collect();
        let mut items = self.cues.items(turns, after);
        items.retain(|item| item.kind.is_protected());
        for part in parts(&given) {
            let question = Question {
                purpose: PURPOSE,
                system: SYSTEM,
                material: lines(part),
                form: &FORM,
                output_tokens_max: OUTPUT_TOKENS_MAX,
            };
            let answered = ask(self.model.as_ref(), question, |answer| read(answer, part))?;
            for item in answered {
                add(&mut items, item);
            }
        }
        items.sort_by_key(|item| item.turns.first().map(|(position, _)| *position));
        keep_free_items(&mut items);
        Ok(items)
    }
}

/// Turns that one call reads, as many as fit it; one that is too long is read alone.
fn parts<'t, 's>(turns: &'s [&'t Turn]) -> impl Iterator<Item = &'s [&'t Turn]> {
    let mut rest = turns;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = rest.iter().take_while(|turn| {
            bytes += turn.message.content.len();
            bytes <= PART_BYTES_MAX
        });
        let (part, later) = rest.split_at(fits.count().max(1).min(rest.len()));
        rest = later;
        (!part.is_empty()).then_some(part)
    })
}

/// One JSON object a turn and line: no text can pass for another turn or end the material.
fn lines(turns: &[&Turn]) -> String {
    let line = |(number, turn): (usize, &&Turn)| {
        let at = turn.message.at;
        let line = json!({
            "turn": number,
            "role": turn.message.role.as_str(),
            "by": turn.message.speaker,
            "day": format!("{} {}", at.civil().strftime("%A"), at.day()),
            "text": turn.message.content,
        });
        format!("{line}\n")
    };
    turns.iter().enumerate().map(line).collect()
}

/// The items of an answer that their turns support. The error says what is out of form, in a sentence that goes back to
/// the model.
fn read(answer: &Value, turns: &[&Turn]) -> Result<Vec<SpanItem>, String> {
    let items = answer
        .get("items")
        .and_then(Value::as_array)
        .ok_or("there is no array \"items\"")?;
    if items.len() > ITEMS_MAX {
        let count = items.len();
        return Err(format!("{count} items are too many: at most {ITEMS_MAX}"));
    }
    let mut all = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let read = read_item(item, turns).map_err(|wrong| format!("items[{place}].{wrong}"))?;
        all.extend(read);
    }
    Ok(all)
}

fn read_item(item: &Value, turns: &[&Turn]) -> Result<Option<SpanItem>, String> {
    let text = |field: &str| item.get(field).and_then(Value::as_str).map(str::trim);
    let kind = text("kind").ok_or("kind is missing: it must be a text")?;
    let kind = ItemKind::parse(&kind.to_lowercase()).map_err(|error| format!("kind: {error}"))?;
    let quote = text("quote").ok_or("quote is missing: it must be a text")?;
    if quote.len() > TEXT_BYTES_MAX * 2 {
        let bytes = quote.len();
        return Err(format!(
            "quote has {bytes} bytes: a sentence or two will do"
        ));
    }
    let number = item.get("turn").and_then(Value::as_u64);
    let number = number.ok_or("turn must be a whole number")?;
    let named = usize::try_from(number)
        .ok()
        .and_then(|number| turns.get(number));
    // Models miscount lines: the quote tells.
    let says = |turn: &&&Turn| quoted(&turn.message.content, quote).is_some();
    let mut others = turns.iter().filter(says);
    let turn = named
        .filter(says)
        .or_else(|| others.next().filter(|_| others.next().is_none()));
    let Some((turn, said)) =
        turn.and_then(|turn| Some((turn, quoted(&turn.message.content, quote)?)))
    else {
        return Ok(None);
    };
    if kind.is_protected() && turn.message.origin.trust() != Trust::FULL {
        return Ok(None);
    }
    Ok(Some(SpanItem {
        kind,
        text: said.to_owned(),
        turns: vec![(turn.position, turn.id)],
    }))
}

/// Adds an item, unless the words are there: then its turn is noted with them.
fn add(items: &mut Vec<SpanItem>, item: SpanItem) {
    let says =
        |known: &&mut SpanItem| known.text.contains(&item.text) || item.text.contains(&known.text);
    let Some(known) = items.iter_mut().find(says) else {
        items.push(item);
        return;
    };
    // The longer words stand only in the turn of the longer item.
    if known.text == item.text {
        known.turns.extend(
            item.turns
                .iter()
                .filter(|turn| !known.turns.contains(turn))
                .copied()
                .collect::<Vec<_>>(),
        );
        known.turns.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::fold::tests::turn;
    use crate::port::language_model::{ModelAnswer, ModelRequest};
    use crate::turn::Role;

    /// Gives its answers one after the other.
    struct Scripted(Mutex<Vec<Value>>);

    impl LanguageModel for Scripted {
        fn name(&self) -> &'static str {
            "scripted"
        }

        fn answer(&self, _: &ModelRequest<'_>) -> Result<ModelAnswer, ModelError> {
            let text = self.0.lock().unwrap().remove(0).to_string();
            Ok(ModelAnswer {
                text,
                input_tokens: 1,
                output_tokens: 1,
            })
        }
    }

    fn fold(turns: &[Turn], answers: Vec<Value>) -> Vec<(ItemKind, String, u32)> {
        let folder = ModelFolder::new(Arc::new(Scripted(Mutex::new(answers))));
        let items = folder.fold(turns, &[]).unwrap();
        items
            .into_iter()
            .map(|item| (item.kind, item.text, item.turns[0].0))
            .collect()
    }

    fn talk() -> Vec<Turn> {
        vec![
            turn(
                0,
                Role::User,
                "Never book a flight before 9. We  like\nthe sea.",
            ),
            turn(
                1,
                Role::Assistant,
                "The sea is warm in Lisbon in May, by the way.",
            ),
            turn(2, Role::User, "Then Lisbon it is."),
        ]
    }

    #[test]
    fn items_are_words_of_the_turns() {
        let answer = json!({"items": [
            {"turn": 2, "kind": "decision", "quote": "then Lisbon it is"},
            {"turn": 2, "kind": "fact", "quote": "we like the sea"},
            {"turn": 1, "kind": "fact", "quote": "The water is cold in Lisbon"},
            {"turn": 1, "kind": "constraint", "quote": "The sea is warm in Lisbon in May"},
        ]});
        assert_eq!(
            fold(&talk(), vec![answer]),
            [
                (
                    ItemKind::Constraint,
                    "Never book a flight before 9.".to_owned(),
                    0
                ),
                (ItemKind::Fact, "We  like\nthe sea".to_owned(), 0),
                (ItemKind::Decision, "Then Lisbon it is".to_owned(), 2),
            ]
        );
    }

    #[test]
    fn what_is_out_of_form_is_asked_for_again() {
        for wrong in [
            json!({"facts": []}),
            json!({"items": [{"turn": 0, "kind": "idea", "quote": "Then Lisbon it is"}]}),
            json!({"items": [{"turn": "x", "kind": "fact", "quote": "Then Lisbon it is"}]}),
            json!({"items": [{"turn": 0, "kind": "fact"}]}),
        ] {
            let right =
                json!({"items": [{"turn": 2, "kind": "fact", "quote": "Then Lisbon it is"}]});
            assert_eq!(fold(&talk(), vec![wrong, right]).len(), 2);
        }
    }

    #[test]
    fn long_conversations_are_read_in_parts() {
        let turns: Vec<Turn> = (0..10)
            .map(|position| turn(position, Role::User, &"word ".repeat(4_000)))
            .collect();
        let answers = vec![json!({"items": []}); 5];
        assert_eq!(fold(&turns, answers), []);
        let given: Vec<&Turn> = turns.iter().collect();
        assert_eq!(
            parts(&given).map(<[&Turn]>::len).collect::<Vec<_>>(),
            [2; 5]
        );
    }
}
