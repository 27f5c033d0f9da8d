//! What every [`Store`] must do.
//!
//! Call [`check`] from a test of the back end, with a function that opens an empty store; it panics at the
//! first rule that is broken. Each case states its rule in its name and gets a store of its own.

mod attachments;
mod boards;
mod checkpoints;
mod erased_ledger;
mod erasing;
mod extraction;
mod feed;
mod ledger;
mod limits;
mod modes;
mod pages;
mod places;
mod proofs;
mod retired;
mod scopes;
mod snapshots;
mod spans;
mod text;
mod turns;
mod units;
mod updates;

use memoriter_core::id::{ChangeNumber, MemoryId};
use memoriter_core::memory::Memory;
use memoriter_core::scope::Scope;
use memoriter_core::turn::Turn;
use memoriter_store::{
    Appended, Committed, MemoryQuery, Outcome, Page, Rows, Snapshot, Store, StoreError, Write,
};

/// A rule: its name and the test of it.
pub type Case = (&'static str, fn(&dyn Store));

macro_rules! cases {
    ($($module:ident: $($case:ident),+;)+) => {
        &[$($((stringify!($case), $module::$case as fn(&dyn Store))),+),+]
    };
}

/// Every rule.
pub const CASES: &[Case] = cases! {
    units: a_unit_is_whole_or_not_at_all, a_unit_sees_its_own_writes, an_empty_unit_changes_nothing,
        change_numbers_only_grow, an_id_is_taken_once, writers_on_many_threads_lose_nothing;
    turns: appending_again_finds_the_first, another_text_under_the_same_id_is_a_conflict,
        positions_count_up_within_a_session, turns_come_as_asked_for, turns_are_read_back_whole,
        the_end_of_a_session_is_read_in_order;
    places: a_single_valued_key_has_one_live_memory, a_set_has_each_value_once, a_statement_has_one_live_memory,
        an_attempt_has_one_live_memory_an_outcome,
        retiring_frees_the_place, a_place_is_taken_over_within_one_unit, an_update_into_a_taken_place_is_a_conflict,
        only_live_memories_hold_a_place;
    updates: an_update_replaces_all_but_id_scope_and_recorded_time, a_stale_update_is_a_conflict,
        what_is_not_there_cannot_be_updated, the_losers_of_a_race_are_told, another_statement_drops_the_vector,
        another_attempt_drops_the_vector,
        marks_of_recall_get_no_change_number, vectors_of_what_is_gone_are_passed_over;
    snapshots: a_snapshot_stands_still, what_was_committed_is_read;
    scopes: scopes_with_odd_names_stay_apart, ids_are_read_only_in_allowed_scopes, scopes_are_counted,
        scopes_inside_are_found_and_counted,
        sessions_are_counted;
    pages: pages_give_each_memory_once, pages_keep_to_the_states, a_page_after_nothing_known_is_an_error,
        history_under_a_key_is_in_order;
    feed: the_feed_lists_each_record_at_its_last_change, an_index_fed_in_steps_equals_one_fed_at_once,
        vectors_of_other_models_are_left_out, rows_of_the_feed_say_what_the_records_say,
        rows_of_the_feed_say_what_was_tried;
    text: any_memory_is_read_back_whole, any_message_is_read_back_whole, odd_text_is_kept_byte_for_byte;
    limits: what_is_over_a_limit_is_refused_whole, attempts_are_within_limits, vectors_without_direction_are_refused,
        a_model_has_one_length, what_the_books_keep_is_bounded;
    spans: spans_are_kept_by_run, a_span_goes_with_its_turns, a_span_of_a_fork_goes_with_turns_before_it, a_session_that_is_not_there_keeps_no_span;
    retired: retired_turns_stay_in_their_session, retired_turns_leave_the_index,
        turns_are_retired_once_and_in_their_scope, retired_turns_are_not_queued;
    attachments: attachments_are_read_in_stretches, attachments_come_with_their_turn_once,
        attachments_are_read_only_in_allowed_scopes, attachments_are_within_limits,
        a_fork_has_the_attachments_of_the_turns_it_goes_on_from;
    extraction: a_new_turn_is_queued_with_it, due_extractions_come_in_order, a_lease_is_exclusive,
        a_lost_lease_comes_back, what_is_done_never_comes_back, what_is_dead_can_be_queued_again,
        a_lost_step_undoes_its_unit, old_turns_can_be_queued, the_queue_keeps_scopes_apart;
    ledger: decisions_are_read_back_in_order, tombstones_keep_the_latest_request, marks_are_whole_bytes,
        usage_adds_up, the_books_make_no_scope_and_no_change;
    boards: fields_are_read_back_whole, a_stale_field_is_a_conflict, the_losers_of_a_race_for_a_field_are_told,
        every_change_of_a_field_is_in_the_feed, boards_are_apart_by_scope_and_session, a_board_is_bounded;
    checkpoints: checkpoints_are_read_back_whole, a_checkpoint_keeps_the_board_it_means,
        a_removed_checkpoint_takes_what_only_it_held, an_answer_is_recorded_once, a_checkpoint_is_of_one_scope,
        checkpoints_come_newest_last;
    modes: a_mode_is_kept_with_its_session, turns_of_a_session_without_memory_leave_the_index,
        a_fork_goes_on_from_where_it_is_told, a_fork_takes_no_name_that_is_there;
    erasing: what_is_erased_is_counted_and_gone, a_memory_that_stays_loses_the_edge, an_erased_turn_leaves_a_gap,
        an_erased_turn_does_not_come_back, positions_can_be_passed_over, an_index_begins_anew_after_an_erasure,
        versions_of_fields_and_checkpoints_are_erased, a_session_goes_as_a_whole,
        a_session_that_another_goes_on_from_loses_its_name;
    erased_ledger: lines_of_the_ledger_lose_what_is_gone;
    proofs: receipts_are_kept_and_replaced, a_receipt_that_somebody_went_on_with_is_not_replaced,
        what_goes_is_counted_where_it_is_asked_for, lines_of_the_audit_log_follow_each_other;
};

/// Checks every rule, each on a store that `open` makes and that is empty.
///
/// # Panics
/// When a rule is broken, naming it.
pub fn check(open: &dyn Fn() -> Box<dyn Store>) {
    for (name, case) in CASES {
        let store = open();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case(&*store)));
        if let Err(panic) = outcome {
            let said = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref().copied());
            panic!(
                "the store breaks the rule `{name}`: {}",
                said.unwrap_or("see above")
            );
        }
        let report = snapshot(&*store).verify().expect("a store can be verified");
        assert_eq!(report.problems, [], "after `{name}` the store is not sound");
    }
}

fn snapshot(store: &dyn Store) -> Box<dyn Snapshot + '_> {
    store.snapshot().expect("a snapshot can be taken")
}

#[track_caller]
fn commit(store: &dyn Store, unit: Vec<Write>) -> Committed {
    store.commit(unit).expect("the unit is in order")
}

#[track_caller]
fn refused(store: &dyn Store, unit: Vec<Write>) -> StoreError {
    let head = store.head().expect("the head can be read");
    let error = store.commit(unit).expect_err("the unit must be refused");
    assert_eq!(
        store.head().expect("the head can be read"),
        head,
        "a refused unit must leave the head"
    );
    error
}

fn insert(memory: &Memory) -> Write {
    Write::InsertMemory {
        memory: Box::new(memory.clone()),
        vector: None,
    }
}

fn update(memory: &Memory, read_at: ChangeNumber) -> Write {
    Write::UpdateMemory {
        memory: Box::new(memory.clone()),
        read_at,
    }
}

#[track_caller]
fn change_of(outcome: &Outcome) -> ChangeNumber {
    match outcome {
        Outcome::Changed(change) | Outcome::Turn(Appended::New { change, .. }) => *change,
        Outcome::Turn(Appended::Known | Appended::Erased)
        | Outcome::Noted
        | Outcome::Erased(_)
        | Outcome::Saved(_) => {
            panic!("{outcome:?} has no change number")
        }
    }
}

/// Adds one memory and returns it as it is stored.
#[track_caller]
fn add(store: &dyn Store, memory: &Memory) -> Memory {
    let committed = commit(store, vec![insert(memory)]);
    let change = committed
        .outcomes
        .first()
        .map(change_of)
        .expect("one write has one outcome");
    Memory {
        change,
        ..memory.clone()
    }
}

#[track_caller]
fn sound<T>(rows: Rows<T>) -> Vec<T> {
    assert_eq!(rows.damaged, [], "nothing is damaged");
    rows.rows
}

#[track_caller]
fn get(store: &dyn Store, scope: &Scope, id: MemoryId) -> Option<Memory> {
    let query = MemoryQuery::Ids {
        scopes: std::slice::from_ref(scope),
        ids: &[id],
    };
    sound(
        snapshot(store)
            .memories(query)
            .expect("memories can be read"),
    )
    .pop()
}

#[track_caller]
fn all(store: &dyn Store, scope: &Scope) -> Vec<Memory> {
    let page = Page {
        after: None,
        limit: usize::MAX,
    };
    sound(
        snapshot(store)
            .memories(MemoryQuery::Scope {
                scope,
                states: &[],
                page,
            })
            .expect("memories can be read"),
    )
}

#[track_caller]
fn turns(store: &dyn Store, query: memoriter_store::TurnQuery<'_>) -> Vec<Turn> {
    sound(snapshot(store).turns(query).expect("turns can be read"))
}
