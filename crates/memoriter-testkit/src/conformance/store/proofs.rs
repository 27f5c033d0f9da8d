use memoriter_core::audit::{Kept, link};
use memoriter_core::forget::{ErasedCounts, ReceiptState};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{AuditEnd, NewReceipt, ReceiptQuery, ReceiptRow, Store, StoreError, Write};

use super::erasing::{erase, say};
use super::{commit, snapshot};

fn receipt(number: u8, state: ReceiptState) -> NewReceipt {
    NewReceipt {
        id: [number; 16],
        at: Timestamp::from_micros(number.into()),
        state,
        touched_at: Timestamp::from_micros(9),
        body: format!("{{\"receipt\":{number},\"state\":\"{}\"}}", state.as_str()),
    }
}

fn put(receipt: &NewReceipt, over: Option<(ReceiptState, Timestamp)>) -> Write {
    Write::PutReceipt {
        receipt: Box::new(receipt.clone()),
        over,
    }
}

fn told(store: &dyn Store, query: ReceiptQuery) -> Vec<ReceiptRow> {
    snapshot(store)
        .receipts(query)
        .expect("receipts can be read")
}

fn uncounted<const N: usize>(receipts: [&NewReceipt; N]) -> [ReceiptRow; N] {
    receipts.map(|receipt| ReceiptRow {
        receipt: receipt.clone(),
        counts: ErasedCounts::default(),
    })
}

pub(super) fn receipts_are_kept_and_replaced(store: &dyn Store) {
    let (first, second) = (
        receipt(1, ReceiptState::Begun),
        receipt(2, ReceiptState::Pending),
    );
    commit(store, vec![put(&first, None), put(&second, None)]);
    assert_eq!(told(store, ReceiptQuery::All), uncounted([&first, &second]));
    assert_eq!(
        told(store, ReceiptQuery::Open),
        uncounted([&first, &second])
    );
    assert_eq!(told(store, ReceiptQuery::Id([2; 16])), uncounted([&second]));
    let done = receipt(1, ReceiptState::Complete);
    commit(store, vec![put(&done, None)]);
    assert_eq!(told(store, ReceiptQuery::All), uncounted([&done, &second]));
    let failed = receipt(2, ReceiptState::Failed);
    commit(store, vec![put(&failed, None)]);
    assert_eq!(told(store, ReceiptQuery::Open), uncounted([&failed]));
    commit(
        store,
        vec![put(&receipt(2, ReceiptState::Interrupted), None)],
    );
    assert_eq!(told(store, ReceiptQuery::Open), []);
}

pub(super) fn a_receipt_that_somebody_went_on_with_is_not_replaced(store: &dyn Store) {
    let pending = receipt(1, ReceiptState::Pending);
    commit(store, vec![put(&pending, None)]);
    let done = receipt(1, ReceiptState::Complete);
    let at = pending.touched_at;
    let earlier = Timestamp::from_micros(8);
    for over in [(ReceiptState::Begun, at), (ReceiptState::Pending, earlier)] {
        let unit = vec![put(&done, Some(over)), Write::Audit("one".into())];
        let error = store.commit(unit).expect_err("somebody went on with it");
        assert!(matches!(error, StoreError::ReceiptChanged), "{error}");
    }
    let new = put(
        &receipt(3, ReceiptState::Begun),
        Some((ReceiptState::Begun, at)),
    );
    assert!(store.commit(vec![new]).is_err(), "there is none");
    let end = snapshot(store).audit_end().expect("the log can be read");
    assert_eq!(end.lines, 0, "the unit is refused as a whole");
    commit(store, vec![put(&done, Some((ReceiptState::Pending, at)))]);
    assert_eq!(told(store, ReceiptQuery::All), uncounted([&done]));
}

pub(super) fn what_goes_is_counted_where_it_is_asked_for(store: &dyn Store) {
    let ids = say(store, "s1", ["one", "two", "three"]);
    let begun = receipt(1, ReceiptState::Begun);
    commit(store, vec![put(&begun, None)]);
    let mut sum = ErasedCounts::default();
    for (number, id) in (10..).zip(ids) {
        let at = Timestamp::from_micros(number);
        let erased = erase(store, |erasure| {
            erasure.turns = vec![id];
            erasure.request = Some((begun.id, at));
        });
        sum.add(&erased.counts);
        let row = told(store, ReceiptQuery::Id(begun.id)).pop();
        let row = row.expect("it is there");
        assert_eq!((row.counts, row.receipt.touched_at), (sum, at));
    }
    assert_eq!(sum.turns, 3);
    // What is put over it leaves what was counted.
    let pending = receipt(1, ReceiptState::Pending);
    commit(store, vec![put(&pending, None)]);
    let row = ReceiptRow {
        receipt: pending,
        counts: sum,
    };
    assert_eq!(told(store, ReceiptQuery::All), [row]);
    // Without a receipt nothing is counted, and everything goes.
    let id = say(store, "s2", ["four"]);
    let erased = erase(store, |erasure| {
        erasure.turns = id.to_vec();
        erasure.request = Some(([9; 16], Timestamp::MIN));
    });
    assert_eq!(erased.counts.turns, 1);
}

pub(super) fn lines_of_the_audit_log_follow_each_other(store: &dyn Store) {
    let end = || snapshot(store).audit_end().expect("the log can be read");
    assert_eq!(end(), AuditEnd::default());
    commit(
        store,
        vec![Write::Audit("one".into()), Write::Audit("two".into())],
    );
    commit(store, vec![Write::Audit("three".into())]);
    let view = snapshot(store);
    let lines = view.audit_lines(0, 9).expect("the log can be read");
    let mut before = [0; 32];
    for (number, line) in (1..).zip(&lines) {
        before = link(&before, &line.line);
        assert_eq!((line.number, line.hash), (number, before));
    }
    let said: Vec<&str> = lines.iter().map(|line| line.line.as_str()).collect();
    assert_eq!(said, ["one", "two", "three"]);
    let end = end();
    assert_eq!((end.lines, end.hash), (3, before));
    let second = view.audit_lines(1, 1).expect("the log can be read");
    assert_eq!(second.first(), lines.get(1));
    assert_eq!(second.len(), 1);
    drop(view);
    // One that is a JSON object says what is kept by then.
    let forget = Write::Forget {
        scope: Scope::user("priya"),
        marks: vec![b"one".to_vec(), b"two".to_vec(), b"one".to_vec()],
        at: Timestamp::MIN,
    };
    let done = receipt(1, ReceiptState::Complete);
    let line = Write::Audit(r#"{"kind":"erase"}"#.into());
    commit(store, vec![forget, put(&done, None), line]);
    let lines = snapshot(store).audit_lines(3, 9);
    let said = lines.expect("the log can be read").pop();
    let kept = said.and_then(|said| Kept::said_in(&said.line));
    let (tombstones, receipts) = (2, 1);
    assert_eq!(
        kept,
        Some(Kept {
            tombstones,
            receipts
        })
    );
}
