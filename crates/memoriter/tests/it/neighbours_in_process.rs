//! Two open stores on one file: what one writes, the other finds with its next recall.

use memoriter::{Memoriter, Scope};

#[test]
fn a_second_handle_on_the_file_is_seen_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let (first, second) = (
        Memoriter::open(&path).unwrap(),
        Memoriter::open(&path).unwrap(),
    );
    let (here, there) = (
        first.scope(Scope::user("priya")),
        second.scope(Scope::user("priya")),
    );
    assert!(here.recall("violin").run().unwrap().is_empty());
    for number in 0..20 {
        let text = format!("I tuned violin number {number}");
        let id = there.remember(text.as_str()).unwrap()[0].id.unwrap();
        let hits = here
            .recall(&format!("violin {number}"))
            .top(1)
            .run()
            .unwrap();
        assert_eq!(hits[0].memory_id(), Some(id));
    }
    let gone = here.recall("violin 7").top(1).run().unwrap()[0]
        .memory_id()
        .unwrap();
    there.retire(&[gone]).unwrap();
    let hits = here.recall("violin 7").top(20).run().unwrap();
    assert!(hits.iter().all(|hit| hit.memory_id() != Some(gone)));
}
