//! Writes to fields, one after another.

use serde_json::{Value, json};

use super::*;
use crate::error::Diagnose;
use crate::scope::Scope;
use crate::time::Timestamp;
use crate::turn::SessionName;

/// A field that is written again and again.
#[derive(Default)]
struct Written(Option<Field>);

impl Written {
    fn write(
        &mut self,
        change: impl FnOnce(&mut FieldWrite),
        value: Value,
    ) -> Result<(), BoardError> {
        let mut request = FieldWrite::new("steps", value);
        change(&mut request);
        let place = (&Scope::user("priya"), &SessionName::new("s1").unwrap());
        if let Some(field) = write(place, self.0.as_ref(), request, Timestamp::from_micros(1))? {
            self.0 = Some(field);
        }
        Ok(())
    }

    fn by(&mut self, rule: MergeRule, value: Value) -> Result<(), BoardError> {
        self.write(|request| request.rule = Some(rule), value)
    }

    #[track_caller]
    fn holds(&self, value: &Value, revision: u64) {
        let field = self.0.as_ref().unwrap();
        assert_eq!(
            (field.value.as_ref(), field.revision),
            (Some(value), revision)
        );
    }
}

#[test]
fn each_rule_merges_in_its_way() {
    let mut list = Written::default();
    list.by(MergeRule::Append, json!("a")).unwrap();
    list.write(|_| {}, json!(["b"])).unwrap();
    list.holds(&json!(["a", ["b"]]), 2);

    let mut set = Written::default();
    set.by(MergeRule::Union, json!(["b", "a", "b"])).unwrap();
    set.by(MergeRule::Union, json!(["c", "a", {"y": 1, "x": 2}]))
        .unwrap();
    set.by(MergeRule::Union, json!([{"x": 2, "y": 1}, "c"]))
        .unwrap();
    set.holds(&json!(["b", "a", "c", {"x": 2, "y": 1}]), 2);

    let mut most = Written::default();
    for number in [
        json!(3),
        json!(2),
        json!(u64::MAX),
        json!(u64::MAX - 1),
        json!(-0.5),
    ] {
        most.by(MergeRule::Max, number).unwrap();
    }
    most.holds(&json!(u64::MAX), 2);
}

#[test]
fn a_stale_revision_names_both() {
    let mut field = Written::default();
    let expecting = |revision| {
        move |request: &mut FieldWrite| request.guarded.expected_revision = Some(revision)
    };
    field.write(expecting(0), json!(1)).unwrap();
    field.write(expecting(1), json!(2)).unwrap();
    let error = field.write(expecting(1), json!(3)).unwrap_err();
    assert_eq!(error.to_string(), "field steps has revision 2, not 1");
    assert_eq!(error.code(), "revision_conflict");
    assert!(field.write(expecting(0), json!(3)).is_err());
    field.holds(&json!(2), 2);
}

#[test]
fn what_merges_is_replaced_only_by_who_has_seen_it() {
    let mut field = Written::default();
    field.by(MergeRule::Append, json!(1)).unwrap();
    let error = field.by(MergeRule::Replace, json!([])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field steps is declared as append, not replace"
    );
    assert!(field.by(MergeRule::Union, json!([2])).is_err());
    let seen = |request: &mut FieldWrite| {
        request.rule = Some(MergeRule::Replace);
        request.guarded.expected_revision = Some(1);
    };
    field.write(seen, json!([])).unwrap();
    field.write(|_| {}, json!(7)).unwrap();
    field.holds(&json!([7]), 3);
}

#[test]
fn types_are_kept() {
    let mut field = Written::default();
    field
        .write(|request| request.kind = Some(FieldType::Number), json!(1))
        .unwrap();
    let error = field.write(|_| {}, json!("one")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field steps takes a number, got a string"
    );
    assert!(
        field.by(MergeRule::Append, json!(1)).is_err(),
        "a number is no list"
    );
    let other = |request: &mut FieldWrite| request.kind = Some(FieldType::String);
    let error = field.write(other, json!("one")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field steps is declared as number, not string"
    );
    field.holds(&json!(1), 1);
    for (kind, value) in [
        (FieldType::String, json!("a")),
        (FieldType::Bool, json!(true)),
        (FieldType::List, json!([])),
        (FieldType::Object, json!({})),
    ] {
        assert!(
            kind.accepts(&value) && !kind.accepts(&Value::Null) && FieldType::Any.accepts(&value)
        );
    }
}

#[test]
fn only_the_owner_writes() {
    let mut field = Written::default();
    let by = |actor: &'static str| {
        move |request: &mut FieldWrite| request.guarded.actor = Some(actor.to_owned())
    };
    field
        .write(
            |request| {
                request.owner = Some("planner".into());
                request.guarded.actor = Some("planner".into());
            },
            json!(1),
        )
        .unwrap();
    let error = field.write(by("tutor"), json!(2)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field steps is owned by planner, and tutor may not write it"
    );
    assert!(field.write(|_| {}, json!(2)).is_err());
    let hand_over = |request: &mut FieldWrite| {
        request.owner = Some("tutor".into());
        request.guarded.actor = Some("planner".into());
    };
    field.write(hand_over, json!(2)).unwrap();
    field.write(by("tutor"), json!(3)).unwrap();
    let by_planner = Guarded {
        actor: Some("planner".into()),
        ..Guarded::default()
    };
    assert!(
        remove(
            "steps",
            field.0.as_ref(),
            by_planner,
            Timestamp::from_micros(2)
        )
        .is_err()
    );
    field.holds(&json!(3), 3);
}

#[test]
fn a_removed_field_goes_on_counting() {
    let mut field = Written::default();
    field.by(MergeRule::Append, json!(1)).unwrap();
    let none = Guarded::default;
    let removed = remove("steps", field.0.as_ref(), none(), Timestamp::from_micros(2)).unwrap();
    assert_eq!((removed.revision, &removed.value), (2, &None));
    assert!(remove("steps", Some(&removed), none(), Timestamp::from_micros(3)).is_err());
    let mut again = Written(Some(removed));
    again
        .write(
            |request| request.guarded.expected_revision = Some(0),
            json!("text"),
        )
        .unwrap();
    again.holds(&json!("text"), 3);
}

#[test]
fn limits_are_named() {
    let mut field = Written::default();
    let deep = (0..9).fold(json!(1), |inner, _| json!([inner]));
    let error = field.write(|_| {}, deep).unwrap_err();
    assert_eq!(
        error.to_string(),
        "value is 9 levels, over the limit of 8 levels"
    );
    let half = json!("x".repeat(FIELD_VALUE_BYTES_MAX / 2));
    field.by(MergeRule::Append, half.clone()).unwrap();
    let error = field.by(MergeRule::Append, half).unwrap_err();
    assert!(
        error.to_string().ends_with("over the limit of 65536 bytes"),
        "{error}"
    );
    assert!(
        field
            .write(|request| request.name = "n".repeat(257), json!(1))
            .is_err()
    );
    assert!(
        field
            .write(|request| request.name = " ".into(), json!(1))
            .is_err()
    );
    assert!(field.write(|_| {}, json!("a\0")).is_err());
    assert!(
        field
            .write(
                |request| request.guarded.actor = Some(String::new()),
                json!(1)
            )
            .is_err()
    );
    assert_eq!(field.0.unwrap().revision, 1);
}
