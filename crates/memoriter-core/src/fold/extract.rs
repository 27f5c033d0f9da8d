//! The folder without a model: it takes sentences as they stand, sorted by their form.

use std::collections::{BTreeMap, BTreeSet};

use super::cues::{Cue, cues};
use super::open::{Asked, Openness};
use super::span::{ItemKind, SpanItem};
use crate::extract::rules::{Reader, asks};
use crate::port::folder::{Folder, TURNS_AFTER};
use crate::port::language_model::ModelError;
use crate::provenance::Trust;
use crate::text::content_terms;
use crate::text::cues::is_time_word;
use crate::turn::{Role, Turn};

/// Bytes of an item. A sentence that is longer is shown up to a word's end before; its turn has all of it.
pub(super) const TEXT_BYTES_MAX: usize = 240;
/// Letters of a sentence that may be an item.
const LETTERS_MIN: usize = 8;
/// Items of a span that may be dropped: as many as have room on a large desk.
const FREE_ITEMS_MAX: usize = 32;
/// How much a sentence must tell to be a fact.
const TELLING_MIN: usize = 3;

/// Folds by the forms of sentences, in English. Sentences in other languages, as far as they hold figures, names or dates,
/// become facts.
pub struct Cues {
    reader: Reader,
    kinds: [Cue; 4],
    openness: Openness,
}

impl Default for Cues {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Cues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cues").finish_non_exhaustive()
    }
}

impl Folder for Cues {
    fn name(&self) -> &'static str {
        "cues-2"
    }

    fn fold(&self, turns: &[Turn], after: &[Turn]) -> Result<Vec<SpanItem>, ModelError> {
        Ok(self.items(turns, after))
    }
}

/// A sentence that may become an item.
struct Found<'t> {
    turn: &'t Turn,
    text: &'t str,
    /// `None` for what tells nothing: it may settle a question.
    kind: Option<ItemKind>,
    /// How much it tells: among facts, the more telling ones stay.
    telling: usize,
}

impl Cues {
    /// Makes the folder; takes well under a millisecond.
    #[must_use]
    pub fn new() -> Self {
        Self {
            reader: Reader::new(),
            kinds: cues(),
            openness: Openness::new(),
        }
    }

    /// [`Folder::fold`], which cannot fail here.
    #[must_use]
    pub fn items(&self, turns: &[Turn], after: &[Turn]) -> Vec<SpanItem> {
        let mut found: Vec<Found<'_>> = Vec::new();
        for (number, turn) in turns.iter().enumerate().filter(|(_, turn)| may_give(turn)) {
            let behind = turns.get(number + 1..).unwrap_or_default();
            let next: Vec<&Turn> = behind
                .iter()
                .chain(after)
                .take(TURNS_AFTER as usize)
                .collect();
            self.read(turn, &next, &mut found);
        }
        let mut kept = without_settled(found);
        keep_the_most_telling(&mut kept);
        together(kept)
    }

    fn read<'t>(&self, turn: &'t Turn, next: &[&Turn], found: &mut Vec<Found<'t>>) {
        let content = &turn.message.content;
        for sentence in self.reader.sentences(content) {
            let text = content.get(sentence.range.clone()).unwrap_or_default();
            let text = text.trim();
            if text.chars().filter(|c| c.is_alphanumeric()).count() < LETTERS_MIN {
                continue;
            }
            let rest = content.get(sentence.range.end..).unwrap_or_default();
            let telling = telling(text);
            let kind = self.kind(text, rest, turn, next);
            found.push(Found {
                turn,
                text: beginning(text),
                kind: kind.or((telling >= TELLING_MIN && !asks(text)).then_some(ItemKind::Fact)),
                telling,
            });
        }
    }

    /// Only what a person says settles or binds, and only a person's question waits for an answer: an assistant says
    /// "let's use" of every step.
    fn kind(&self, text: &str, rest: &str, turn: &Turn, next: &[&Turn]) -> Option<ItemKind> {
        let is_person = turn.message.origin.trust() == Trust::FULL;
        if asks(text) {
            let is_open = is_person && self.openness.is_open(text, rest, turn, next);
            return is_open.then_some(ItemKind::Question);
        }
        let cue = self.kinds.iter().find(|cue| cue.fits(text))?;
        (is_person || cue.kind == ItemKind::Outcome).then_some(cue.kind)
    }
}

/// Whether a turn may give items: somebody who talks here said it, and nobody asked to forget it.
pub(super) fn may_give(turn: &Turn) -> bool {
    let is_talk = match turn.message.role {
        Role::User | Role::Assistant => !turn.message.origin.is_external(),
        Role::System | Role::Tool => false,
    };
    is_talk && turn.retired_at.is_none()
}

/// Sentences that are items, without questions that a later turn settles.
fn without_settled(found: Vec<Found<'_>>) -> Vec<Found<'_>> {
    let mut open: Vec<(usize, Asked)> = Vec::new();
    let mut settled: BTreeSet<usize> = BTreeSet::new();
    for (at, said) in found.iter().enumerate() {
        if asks(said.text) {
            if said.kind.is_some() {
                open.push((at, Asked::of(said.text)));
            }
            continue;
        }
        if !open.is_empty() {
            let terms = content_terms(said.text);
            open.retain(|(question, asked)| {
                let is_later = found
                    .get(*question)
                    .is_some_and(|asker| asker.turn.id != said.turn.id);
                let is_settled = is_later && asked.is_settled_by(&terms);
                if is_settled {
                    settled.insert(*question);
                }
                !is_settled
            });
        }
        if said.kind == Some(ItemKind::Question) {
            open.push((at, Asked::of(said.text)));
        }
    }
    let items = found.into_iter().enumerate();
    items
        .filter(|(at, item)| item.kind.is_some() && !settled.contains(at))
        .map(|(_, item)| item)
        .collect()
}

/// Drops facts, the least telling first and of equals the oldest, and then decisions and outcomes, the oldest first.
fn keep_the_most_telling(found: &mut Vec<Found<'_>>) {
    let mut free: Vec<(bool, usize, usize)> = found
        .iter()
        .enumerate()
        .filter(|(_, item)| item.kind.is_some_and(|kind| !kind.is_protected()))
        .map(|(at, item)| (item.kind != Some(ItemKind::Fact), item.telling, at))
        .collect();
    free.sort_by_key(|(is_cued, telling, at)| (*is_cued, if *is_cued { 0 } else { *telling }, *at));
    let surplus = free.len().saturating_sub(FREE_ITEMS_MAX);
    let mut gone: Vec<usize> = free.iter().take(surplus).map(|(.., at)| *at).collect();
    gone.sort_unstable();
    let mut at = 0;
    found.retain(|_| {
        let stays = gone.binary_search(&at).is_err();
        at += 1;
        stays
    });
}

/// Drops what may be dropped, the oldest first, down to as many items as a span may have.
pub(super) fn keep_free_items(items: &mut Vec<SpanItem>) {
    let free = items
        .iter()
        .filter(|item| !item.kind.is_protected())
        .count();
    let mut surplus = free.saturating_sub(FREE_ITEMS_MAX);
    items.retain(|item| {
        let goes = surplus > 0 && !item.kind.is_protected();
        surplus -= usize::from(goes);
        !goes
    });
}

/// One item for each text and kind, with all turns that say it: what binds when one says it is talk when another does.
fn together(found: Vec<Found<'_>>) -> Vec<SpanItem> {
    let mut items: Vec<SpanItem> = Vec::new();
    let mut places: BTreeMap<(&str, ItemKind), usize> = BTreeMap::new();
    for Found {
        turn, text, kind, ..
    } in found
    {
        let Some(kind) = kind else { continue };
        let place = *places.entry((text, kind)).or_insert(items.len());
        let said = (turn.position, turn.id);
        match items.get_mut(place) {
            Some(item) if item.turns.contains(&said) => {}
            Some(item) => item.turns.push(said),
            None => items.push(SpanItem {
                kind,
                text: text.to_owned(),
                turns: vec![said],
            }),
        }
    }
    items
}

/// How much a sentence tells: figures two each, names and words of time one.
fn telling(text: &str) -> usize {
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')));
    let words = words.filter(|word| !word.is_empty());
    let points = words.enumerate().map(|(place, word)| {
        if word.contains(|c: char| c.is_ascii_digit()) {
            2
        } else {
            let is_name = place > 0
                && word.len() > 1
                && word.starts_with(char::is_uppercase)
                && !word.starts_with("I'")
                && !word.starts_with("I’");
            usize::from(is_name || is_time_word(&word.to_lowercase()))
        }
    });
    points.sum()
}

/// A text up to a word's end, where it is too long.
fn beginning(text: &str) -> &str {
    if text.len() <= TEXT_BYTES_MAX {
        return text;
    }
    let cut = text
        .get(..text.floor_char_boundary(TEXT_BYTES_MAX))
        .unwrap_or_default();
    let end = cut.rfind(char::is_whitespace).filter(|end| *end > 0);
    cut.get(..end.unwrap_or(cut.len()))
        .unwrap_or_default()
        .trim_end()
}
