//! A desk and its report.

use memoriter::Desk;
use memoriter::core::desk::{Difference, Dropped, Prefix, Rendering, Section, Side};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A desk: `text` for plain text, else the fields of a request.
#[derive(Serialize, ToSchema)]
pub struct DeskWire {
    form: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<Vec<Value>>,
    /// The word in its marks, which `--diff` reads it by.
    boundary: String,
    report: ReportWire,
}

#[derive(Serialize, ToSchema)]
struct ReportWire {
    counter: String,
    budget_tokens: usize,
    /// By section, with `total` for all of it.
    #[schema(value_type = Object)]
    tokens: Map<String, Value>,
    /// Pinned memories that are on it.
    pinned: usize,
    dropped: Vec<DroppedWire>,
    /// Against the desk before; `null` where none was given.
    prefix: Option<PrefixWire>,
    full_history_tokens: usize,
}

#[derive(Serialize, ToSchema)]
struct DroppedWire {
    section: &'static str,
    what: String,
    why: &'static str,
}

#[derive(Serialize, ToSchema)]
struct PrefixWire {
    stable_tokens: usize,
    /// The section of the first entry that is another; `null` where nothing changed.
    changed_at: Option<&'static str>,
}

/// What one desk has and the one before has not, and the other way round.
#[derive(Serialize, ToSchema)]
pub struct DifferenceWire {
    #[serde(flatten)]
    desk: DeskWire,
    added: Vec<EntryWire>,
    removed: Vec<EntryWire>,
}

#[derive(Serialize, ToSchema)]
struct EntryWire {
    section: &'static str,
    entry: String,
}

impl From<&Dropped> for DroppedWire {
    fn from(dropped: &Dropped) -> Self {
        Self {
            section: dropped.section.as_str(),
            what: dropped.what.clone(),
            why: dropped.why.as_str(),
        }
    }
}

impl DeskWire {
    /// A desk, and the tokens of the same call if every turn were sent again.
    #[must_use]
    pub fn new(desk: &Desk, full_history_tokens: usize) -> Self {
        let report = &desk.report;
        let sections = report.sections.iter();
        let mut tokens: Map<String, Value> = sections
            .map(|section| (section.section.to_string(), section.tokens.into()))
            .collect();
        tokens.insert("total".to_owned(), report.total_tokens.into());
        let (text, system, messages) = match &desk.rendering {
            Rendering::Text(text) => (Some(text.clone()), None, None),
            Rendering::OpenAi(messages) => (None, None, Some(messages.clone())),
            Rendering::Anthropic { system, messages } => {
                (None, Some(system.clone()), Some(messages.clone()))
            }
        };
        Self {
            form: report.form.as_str(),
            text,
            system,
            messages,
            boundary: desk.boundary.as_str().to_owned(),
            report: ReportWire {
                counter: report.counter.clone(),
                budget_tokens: report.budget_tokens,
                tokens,
                pinned: report.pinned,
                dropped: super::all(&report.dropped),
                prefix: None,
                full_history_tokens,
            },
        }
    }

    /// With how much of its beginning is that of the desk before.
    #[must_use]
    pub fn with_prefix(mut self, prefix: &Prefix) -> Self {
        self.report.prefix = Some(PrefixWire {
            stable_tokens: prefix.stable_tokens,
            changed_at: prefix.changed_at.map(Section::as_str),
        });
        self
    }

    /// With what changed since the desk before.
    #[must_use]
    pub fn compared(self, difference: &Difference) -> DifferenceWire {
        let of = |wanted: Side| -> Vec<EntryWire> {
            let changes = difference
                .changes
                .iter()
                .filter(|(side, _, _)| *side == wanted);
            let entry = |(_, section, entry): &(Side, Section, String)| EntryWire {
                section: section.as_str(),
                entry: entry.clone(),
            };
            changes.map(entry).collect()
        };
        DifferenceWire {
            added: of(Side::Now),
            removed: of(Side::Before),
            desk: self.with_prefix(&difference.prefix),
        }
    }
}
