use memoriter_core::audit::link;
use memoriter_core::time::Timestamp;
use memoriter_store::{AuditEnd, ReceiptQuery, ReceiptRow, Store, Write};

use super::{commit, snapshot};

fn receipt(number: u8, is_pending: bool) -> ReceiptRow {
    ReceiptRow {
        id: [number; 16],
        at: Timestamp::from_micros(number.into()),
        is_pending,
        body: format!("{{\"receipt\":{number},\"pending\":{is_pending}}}"),
    }
}

fn put(receipt: &ReceiptRow) -> Write {
    Write::PutReceipt(Box::new(receipt.clone()))
}

pub(super) fn receipts_are_kept_and_replaced(store: &dyn Store) {
    let told = |query| {
        snapshot(store)
            .receipts(query)
            .expect("receipts can be read")
    };
    let (first, second) = (receipt(1, true), receipt(2, true));
    commit(store, vec![put(&first), put(&second)]);
    assert_eq!(told(ReceiptQuery::All), [first.clone(), second.clone()]);
    let done = receipt(1, false);
    commit(store, vec![put(&done)]);
    assert_eq!(told(ReceiptQuery::All), [done, second.clone()]);
    assert_eq!(told(ReceiptQuery::Pending), [second]);
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
}
