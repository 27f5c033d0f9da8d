//! What lies on the desk.

mod fill;

pub use fill::unfolded_from;

use super::atom::{Atom, Atoms};
use super::boundary::Boundary;
use super::entry;
use super::error::DeskError;
use super::form::{Quoted, Rendering, Sheet, Shown};
use super::material::{BoardField, Material, Plan};
use super::report::{Dropped, Report, SectionReport, Why};
use super::section::Section;
use crate::fold::ItemKind;
use crate::memory::Memory;
use crate::port::TokenCounter;
use crate::provenance::Trust;

/// A desk, and why it is as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Desk {
    /// What goes to the model.
    pub rendering: Rendering,
    /// What marks its sections.
    pub boundary: Boundary,
    /// Position of the first turn that it shows word for word; `None` where it shows none.
    pub turns_from: Option<u32>,
    /// What it holds and what was left out.
    pub report: Report,
}

/// Lays out a desk inside the budget.
///
/// # Errors
/// [`DeskError::BudgetTooSmall`] when what is protected does not fit.
pub fn assemble(
    material: &Material<'_>,
    plan: &Plan,
    counter: &dyn TokenCounter,
) -> Result<Desk, DeskError> {
    let mut draft = Draft::of_protected(material, plan, counter);
    let needed_tokens = draft.sheet().render().count(counter);
    if needed_tokens > plan.budget_tokens {
        return Err(DeskError::BudgetTooSmall {
            budget_tokens: plan.budget_tokens,
            needed_tokens,
        });
    }
    draft.fill(plan.budget_tokens - needed_tokens);
    // Counts of parts need not add up to the count of the whole.
    let (rendering, total_tokens) = loop {
        let rendering = draft.sheet().render();
        let total_tokens = rendering.count(counter);
        if total_tokens <= plan.budget_tokens || !draft.give_way() {
            break (rendering, total_tokens);
        }
    };
    let boundary = draft.boundary.clone();
    let turns_from = draft.turns.first().map(|(shown, _)| shown.atom.position());
    let report = draft.report(total_tokens);
    Ok(Desk {
        rendering,
        boundary,
        turns_from,
        report,
    })
}

/// Tokens of the same call without a desk: the instructions, every given turn word for word, and the message.
#[must_use]
pub fn full_history_tokens(
    material: &Material<'_>,
    plan: &Plan,
    counter: &dyn TokenCounter,
) -> usize {
    let instructions = material.instructions.iter().map(entry::instruction);
    let turns = Atoms::of(material.turns)
        .said
        .into_iter()
        .map(|atom| Shown {
            notes: vec![None; atom.calls.len()],
            atom,
        });
    let sheet = Sheet {
        form: plan.form,
        boundary: plan.boundary.clone(),
        system: material.system,
        quoted: Quoted {
            instructions: instructions.collect(),
            ..Quoted::default()
        },
        turns: turns.collect(),
        message: material.message,
    };
    sheet.render().count(counter)
}

/// A line on its way to a section.
struct Entry {
    /// Where it stands in its section.
    place: usize,
    line: String,
    what: String,
    tokens: usize,
    is_protected: bool,
    /// Goes after everything else that may.
    is_pinned: bool,
}

/// What is on the desk so far.
struct Draft<'d> {
    material: &'d Material<'d>,
    plan: &'d Plan,
    counter: &'d dyn TokenCounter,
    boundary: Boundary,
    instructions: Vec<String>,
    procedures: Vec<Entry>,
    /// As the others: the most worth keeping first.
    profile: Vec<Entry>,
    spans: Vec<Entry>,
    board: Vec<Entry>,
    recalled: Vec<Entry>,
    atoms: Vec<Atom<'d>>,
    /// With tokens, oldest first.
    turns: Vec<(Shown<'d>, usize)>,
    dropped: Vec<Dropped>,
}

impl<'d> Draft<'d> {
    /// What must be there.
    fn of_protected(
        material: &'d Material<'d>,
        plan: &'d Plan,
        counter: &'d dyn TokenCounter,
    ) -> Self {
        let Atoms {
            said,
            unpaired,
            retired,
        } = Atoms::of(material.turns);
        let mut draft = Self {
            material,
            plan,
            counter,
            boundary: boundary(material, plan),
            instructions: Vec::new(),
            procedures: Vec::new(),
            profile: Vec::new(),
            spans: Vec::new(),
            board: Vec::new(),
            recalled: Vec::new(),
            atoms: said,
            turns: Vec::new(),
            dropped: Vec::new(),
        };
        for (turns, why) in [(unpaired, Why::Unpaired), (retired, Why::Forgotten)] {
            let what = turns.iter().map(|turn| format!("turn {}", turn.id));
            draft.dropped.extend(what.map(|what| Dropped {
                section: Section::Turns,
                what,
                why,
            }));
        }
        draft.protect();
        draft
    }

    fn protect(&mut self) {
        for turn in self.material.instructions {
            if turn.retired_at.is_some() {
                self.drop(Section::System, format!("turn {}", turn.id), Why::Forgotten);
            } else if turn.message.origin.trust() == Trust::FULL {
                self.instructions.push(entry::instruction(turn));
            } else {
                self.drop(Section::System, format!("turn {}", turn.id), Why::Untrusted);
            }
        }
        for memory in self.material.procedures {
            if memory.trust == Trust::FULL {
                let entry = self.entry(self.procedures.len(), entry::memory(memory), named(memory));
                self.procedures.push(protected(entry));
            } else {
                self.drop(Section::Procedures, named(memory), Why::Untrusted);
            }
        }
        for (place, field) in self.material.board.iter().enumerate() {
            if field.is_protected {
                let entry = self.entry(place, entry::field(field), of_field(field));
                self.board.push(protected(entry));
            }
        }
        let items = self.span_entries().into_iter();
        let kept = items.filter(|(_, kind)| kind.is_protected());
        self.spans = kept.map(|(entry, _)| protected(entry)).collect();
    }

    /// Items of all spans in order, with their kinds.
    fn span_entries(&self) -> Vec<(Entry, ItemKind)> {
        let spans = self.material.spans.iter();
        let items = spans.flat_map(|span| span.items.iter().map(move |item| (span, item)));
        items
            .enumerate()
            .map(|(place, (span, item))| {
                let entry = self.entry(place, entry::span_item(span, item), item.text.clone());
                (entry, item.kind)
            })
            .collect()
    }

    fn entry(&self, place: usize, line: String, what: String) -> Entry {
        Entry {
            place,
            tokens: self.tokens(&line),
            line,
            what,
            is_protected: false,
            is_pinned: false,
        }
    }

    fn tokens(&self, line: &str) -> usize {
        self.counter.count(&format!("{line}\n"))
    }

    fn drop(&mut self, section: Section, what: String, why: Why) {
        self.dropped.push(Dropped { section, what, why });
    }

    /// Lets go of what is least worth keeping; `false` when nothing may go.
    fn give_way(&mut self) -> bool {
        if let Some(entry) = self.recalled.pop() {
            self.drop(Section::Recalled, entry.what, Why::NoRoom);
            return true;
        }
        if self.note_results() {
            return true;
        }
        if !self.turns.is_empty() {
            let (shown, _) = self.turns.remove(0);
            self.drop_turns(&[shown.atom], Why::Older);
            return true;
        }
        // What is pinned stands first.
        let unpinned = self.profile.pop_if(|entry| !entry.is_pinned);
        let is_free = |entry: &Entry| !entry.is_protected;
        let gone = unpinned
            .map(|entry| (Section::Profile, entry, Why::NoRoom))
            .or_else(|| {
                let at = self.spans.iter().rposition(is_free)?;
                Some((Section::Spans, self.spans.remove(at), Why::NoRoom))
            })
            .or_else(|| {
                let at = self.board.iter().rposition(is_free)?;
                Some((Section::Board, self.board.remove(at), Why::NoRoom))
            })
            .or_else(|| Some((Section::Profile, self.profile.pop()?, Why::PinnedNoRoom)));
        let Some((section, entry, why)) = gone else {
            return false;
        };
        self.drop(section, entry.what, why);
        true
    }

    /// Puts notes in the place of the oldest tool results that are longer; `false` where there are none.
    fn note_results(&mut self) -> bool {
        for (shown, tokens) in &mut self.turns {
            let noted = shown.clone().noted();
            let noted_tokens = noted.tokens(self.plan.form, self.counter);
            if noted_tokens < *tokens {
                (*shown, *tokens) = (noted, noted_tokens);
                return true;
            }
        }
        false
    }

    fn sheet(&self) -> Sheet<'d> {
        Sheet {
            form: self.plan.form,
            boundary: self.boundary.clone(),
            system: self.material.system,
            quoted: Quoted {
                instructions: self.instructions.clone(),
                procedures: in_place(&self.procedures),
                profile: in_place(&self.profile),
                spans: in_place(&self.spans),
                board: in_place(&self.board),
                recalled: in_place(&self.recalled),
            },
            turns: self.turns.iter().map(|(shown, _)| shown.clone()).collect(),
            message: self.material.message,
        }
    }

    fn report(self, total_tokens: usize) -> Report {
        let count = |text: &str| self.counter.count(text);
        let of_lines = |lines: &[String]| (lines.len(), lines.iter().map(|line| count(line)).sum());
        let of = |entries: &[Entry]| {
            (
                entries.len(),
                entries.iter().map(|entry| entry.tokens).sum(),
            )
        };
        let (lines, tokens): (usize, usize) = of_lines(&self.instructions);
        let has_system = usize::from(!self.material.system.is_empty());
        let sections = [
            (
                Section::System,
                (lines + has_system, tokens + count(self.material.system)),
            ),
            (Section::Procedures, of(&self.procedures)),
            (Section::Profile, of(&self.profile)),
            (Section::Spans, of(&self.spans)),
            (
                Section::Turns,
                (
                    self.turns
                        .iter()
                        .map(|(shown, _)| shown.atom.turns().count())
                        .sum(),
                    self.turns.iter().map(|(_, tokens)| *tokens).sum(),
                ),
            ),
            (Section::Board, of(&self.board)),
            (Section::Recalled, of(&self.recalled)),
            (Section::Message, (1, count(self.material.message))),
        ];
        let sections = sections
            .into_iter()
            .filter(|(_, (entries, _))| *entries > 0);
        let sections = sections.map(|(section, (entries, tokens))| SectionReport {
            section,
            entries,
            tokens,
        });
        Report {
            counter: self.counter.name().to_owned(),
            form: self.plan.form,
            budget_tokens: self.plan.budget_tokens,
            total_tokens,
            sections: sections.collect(),
            pinned: self.profile.iter().filter(|entry| entry.is_pinned).count(),
            dropped: self.dropped,
        }
    }
}

/// A boundary that no text holds that stands on the desk without quotes.
fn boundary(material: &Material<'_>, plan: &Plan) -> Boundary {
    let contents = material
        .turns
        .iter()
        .map(|turn| turn.message.content.as_str());
    let texts: Vec<&str> = contents
        .chain([material.system, material.message])
        .collect();
    let mut boundary = plan.boundary.clone();
    while let Some(text) = texts.iter().find(|text| text.contains(boundary.as_str())) {
        boundary = boundary.not_in(text);
    }
    boundary
}

fn protected(entry: Entry) -> Entry {
    Entry {
        is_protected: true,
        ..entry
    }
}

fn of_field(field: &BoardField) -> String {
    format!("field {}", field.name)
}

fn named(memory: &Memory) -> String {
    format!("memory {}", memory.id)
}

fn in_place(entries: &[Entry]) -> Vec<String> {
    let mut entries: Vec<&Entry> = entries.iter().collect();
    entries.sort_by_key(|entry| entry.place);
    entries.iter().map(|entry| entry.line.clone()).collect()
}
