//! What becomes of a field when it is written.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::error::BoardError;
use super::field::{Field, FieldType, MergeRule, Terms, canonical, check_name, check_value};
use crate::provenance::SourceRef;
use crate::scope::Scope;
use crate::time::Timestamp;
use crate::turn::SessionName;

/// Under which conditions a field may be written or removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guarded {
    /// Who writes.
    pub actor: Option<String>,
    /// The revision that the caller has seen, 0 for a field that is not there; another one is an error.
    pub expected_revision: Option<u64>,
}

/// A write to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldWrite {
    /// The field.
    pub name: String,
    /// What is written: for [`MergeRule::Append`] an item, for the others a whole value.
    pub value: Value,
    /// How it meets what is there; the field's own rule where it is `None`.
    pub rule: Option<MergeRule>,
    /// What the field may hold; declared with its first write.
    pub kind: Option<FieldType>,
    /// Who alone may write from now on; `None` leaves that as it is.
    pub owner: Option<String>,
    /// Whether a desk always shows it; `None` leaves that as it is.
    pub is_protected: Option<bool>,
    /// What the value was taken from.
    pub source: Option<SourceRef>,
    /// Under which conditions.
    pub guarded: Guarded,
}

impl FieldWrite {
    /// A write without conditions, by the field's own rule.
    #[must_use]
    pub fn new(name: impl Into<String>, value: Value) -> Self {
        Self {
            name: name.into(),
            value,
            rule: None,
            kind: None,
            owner: None,
            is_protected: None,
            source: None,
            guarded: Guarded::default(),
        }
    }
}

/// The field after a write to it; `None` where that changes nothing, as with a union that brings no item. `known` is
/// the row there is, also of a removed field.
///
/// A field that was declared to merge is replaced only by somebody who names its revision: else one write could undo
/// what others were told is in.
///
/// # Errors
/// [`BoardError`]; the field stays as it was.
pub fn write(
    (scope, session): (&Scope, &SessionName),
    known: Option<&Field>,
    request: FieldWrite,
    at: Timestamp,
) -> Result<Option<Field>, BoardError> {
    check_name(&request.name)?;
    check_value(&request.value)?;
    let live = known.filter(|field| field.value.is_some());
    check_conditions(&request.name, live, &request.guarded)?;
    let rule = rule_of(live, &request)?;
    let terms = terms_of(live, &request, rule)?;
    let old = live.and_then(|field| field.value.as_ref());
    let value = merged(&request.name, rule, old, canonical(request.value))?;
    if !terms.kind.accepts(&value) {
        return Err(wrong_type(&request.name, terms.kind.in_words(), &value));
    }
    check_value(&value)?;
    let is_same = live.is_some_and(|field| field.terms == terms) && old == Some(&value);
    if is_same && matches!(rule, MergeRule::Max | MergeRule::Union) {
        return Ok(None);
    }
    let field = Field {
        scope: scope.clone(),
        session: session.clone(),
        name: request.name,
        terms,
        value: Some(value),
        revision: revision_after(known),
        source: request.source,
        actor: request.guarded.actor,
        at,
        change: known.map_or_else(Default::default, |field| field.change),
    };
    field.check()?;
    Ok(Some(field))
}

/// The field once it is removed: without value and terms, and with its revision.
///
/// # Errors
/// [`BoardError::NoSuchField`], or as [`write()`].
pub fn remove(
    name: &str,
    known: Option<&Field>,
    guarded: Guarded,
    at: Timestamp,
) -> Result<Field, BoardError> {
    let live = known.filter(|field| field.value.is_some());
    check_conditions(name, live, &guarded)?;
    let Some(field) = live else {
        return Err(BoardError::NoSuchField {
            field: name.to_owned(),
        });
    };
    Ok(Field {
        terms: Terms::default(),
        value: None,
        revision: revision_after(known),
        source: None,
        actor: guarded.actor,
        at,
        ..field.clone()
    })
}

fn revision_after(known: Option<&Field>) -> u64 {
    known.map_or(0, |field| field.revision).saturating_add(1)
}

fn check_conditions(name: &str, live: Option<&Field>, guarded: &Guarded) -> Result<(), BoardError> {
    let found = live.map_or(0, |field| field.revision);
    if let Some(expected) = guarded.expected_revision
        && expected != found
    {
        return Err(BoardError::Stale {
            field: name.to_owned(),
            expected,
            found,
        });
    }
    match live.and_then(|field| field.terms.owner.as_ref()) {
        Some(owner) if guarded.actor.as_ref() != Some(owner) => Err(BoardError::NotOwner {
            field: name.to_owned(),
            owner: owner.clone(),
            actor: guarded
                .actor
                .clone()
                .unwrap_or_else(|| "nobody in particular".to_owned()),
        }),
        Some(_) | None => Ok(()),
    }
}

/// How this write meets what is there.
fn rule_of(live: Option<&Field>, request: &FieldWrite) -> Result<MergeRule, BoardError> {
    let Some(declared) = live.map(|field| field.terms.rule) else {
        return Ok(request.rule.unwrap_or(MergeRule::Replace));
    };
    let asked = request.rule.unwrap_or(declared);
    let is_seen = request.guarded.expected_revision.is_some();
    // Merging loses nothing, whatever was declared; replacing does.
    let is_allowed = asked == declared
        || declared == MergeRule::Replace
        || (asked == MergeRule::Replace && is_seen);
    if is_allowed {
        Ok(asked)
    } else {
        Err(BoardError::of_rule(&request.name, declared, asked))
    }
}

fn terms_of(
    live: Option<&Field>,
    request: &FieldWrite,
    rule: MergeRule,
) -> Result<Terms, BoardError> {
    let Some(field) = live else {
        let usual = match rule {
            MergeRule::Replace => FieldType::Any,
            MergeRule::Append | MergeRule::Union => FieldType::List,
            MergeRule::Max => FieldType::Number,
        };
        return Ok(Terms {
            kind: request.kind.unwrap_or(usual),
            rule,
            owner: request.owner.clone(),
            is_protected: request.is_protected.unwrap_or(false),
        });
    };
    let declared = &field.terms;
    if let Some(asked) = request.kind.filter(|asked| *asked != declared.kind) {
        return Err(BoardError::Declared {
            field: request.name.clone(),
            declared: declared.kind.as_str(),
            asked: asked.as_str(),
        });
    }
    Ok(Terms {
        kind: declared.kind,
        rule: declared.rule,
        owner: request.owner.clone().or_else(|| declared.owner.clone()),
        is_protected: request.is_protected.unwrap_or(declared.is_protected),
    })
}

fn merged(
    name: &str,
    rule: MergeRule,
    old: Option<&Value>,
    new: Value,
) -> Result<Value, BoardError> {
    match rule {
        MergeRule::Replace => Ok(new),
        MergeRule::Append => {
            let mut items = items_of(name, old)?;
            items.push(new);
            Ok(Value::Array(items))
        }
        MergeRule::Max => {
            let new = number_of(name, &new)?.clone();
            let old = old.map(|old| number_of(name, old)).transpose()?;
            let greatest = old.filter(|old| compare(old, &new) == Ordering::Greater);
            Ok(Value::Number(greatest.cloned().unwrap_or(new)))
        }
        MergeRule::Union => {
            let mut items = items_of(name, old)?;
            for item in items_of(name, Some(&new))? {
                if !items.contains(&item) {
                    items.push(item);
                }
            }
            Ok(Value::Array(items))
        }
    }
}

fn items_of(name: &str, value: Option<&Value>) -> Result<Vec<Value>, BoardError> {
    match value {
        None => Ok(Vec::new()),
        Some(Value::Array(items)) => Ok(items.clone()),
        Some(other) => Err(wrong_type(name, FieldType::List.in_words(), other)),
    }
}

fn number_of<'v>(name: &str, value: &'v Value) -> Result<&'v Number, BoardError> {
    let Value::Number(number) = value else {
        return Err(wrong_type(name, FieldType::Number.in_words(), value));
    };
    Ok(number)
}

/// Whole numbers are compared exactly, others as floating point.
fn compare(a: &Number, b: &Number) -> Ordering {
    if let (Some(a), Some(b)) = (a.as_i128(), b.as_i128()) {
        return a.cmp(&b);
    }
    let float = |number: &Number| number.as_f64().unwrap_or(f64::NEG_INFINITY);
    float(a).total_cmp(&float(b))
}

fn wrong_type(name: &str, expected: &'static str, got: &Value) -> BoardError {
    BoardError::WrongType {
        field: name.to_owned(),
        expected,
        got: FieldType::of(got).in_words(),
    }
}
