//! The built-in table keeps the contract of its port and the figures it states.

use memoriter_core::port::embedder::{Embedder as _, TextRole};
use memoriter_provider::embed::{StaticTable, built_in};
use memoriter_testkit::conformance;

#[test]
fn keeps_the_contract() {
    conformance::embedder::check(built_in().as_ref());
}

#[test]
fn question_and_record_are_embedded_alike() {
    let table = StaticTable::new();
    let texts = ["Where does Priya live?"];
    assert_eq!(
        table.embed(&texts, TextRole::Query).unwrap(),
        table.embed(&texts, TextRole::Record).unwrap()
    );
}

#[test]
fn token_rows_leave_unknown_words_out() {
    let table = StaticTable::new();
    let known = table.token_rows("the exam");
    assert_eq!(known.len(), 2);
    assert!(known.iter().all(|row| row.components.len() == 256));
    assert_eq!(table.token_rows("the 𒀀𒀀 exam"), known);
    assert!(table.token_rows("").is_empty());
}
