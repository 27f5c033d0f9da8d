//! The demonstration.

use crate::support::{Home, fields, texts};

#[test]
fn demo_tells_the_whole_idea() {
    let told = Home::new().run(&["demo"]).done();
    insta::assert_snapshot!(told.out);
    assert_eq!(told.err, "");
}

#[test]
fn demo_is_the_same_each_time_and_leaves_nothing() {
    let home = Home::new();
    let first = home.run(&["demo", "--json"]).done();
    assert_eq!(first.out, home.run(&["demo", "--json"]).done().out);
    assert!(!home.path().join("data").exists());
    let steps = &first.json()["steps"];
    assert_eq!(steps.as_array().unwrap().len(), 11);
    assert_eq!(fields(&steps[0]), "command result title");
}

#[test]
fn demo_shows_each_decision() {
    let steps = Home::new().json(&["demo"]);
    let decisions = |step: usize| texts(&steps["steps"][step]["result"]["decisions"], "decision");
    assert_eq!(decisions(1), ["ADD", "ADD"]);
    assert_eq!(decisions(2), ["UPDATE", "SKIP", "BACKFILL", "ASK"]);
}
