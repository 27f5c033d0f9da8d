//! Everything about somebody into a file, and from the file into an empty store.

use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;

use memoriter::{Memoriter, Scope};

use crate::corpus::notes;
use crate::meter::{cost, resident_mib};

const MEMORIES: usize = 100_000;

pub(crate) fn run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let open = |name: &str| {
        Memoriter::builder()
            .without_extractor()
            .open(folder.path().join(name))
            .expect("a new store opens")
    };
    let source = open("source.db");
    let priya = source.scope(Scope::user("priya"));
    priya
        .remember_all(notes(MEMORIES))
        .expect("the sentences are within every limit");
    let path = folder.path().join("priya.jsonl");
    let before = resident_mib();
    let (exported, wall, cpu) = cost(|| {
        let file = fs_err::File::create(&path).expect("the file can be made");
        let mut to = BufWriter::new(file);
        let exported = priya.export(&mut to, &mut |_, _| {});
        to.flush().expect("the file can be written");
        exported.expect("the store can be read")
    });
    tell("export", exported.counts.total(), (wall, cpu));
    println!(
        "        file {:.1} MB, memory {:+.1} MiB",
        megabytes(&path),
        resident_mib() - before
    );
    let target = open("target.db");
    let before = resident_mib();
    let (imported, wall, cpu) = cost(|| {
        let file = fs_err::File::open(&path).expect("the file is there");
        let scope = target.scope(Scope::user("priya"));
        scope
            .import()
            .trusting()
            .read(&mut BufReader::new(file))
            .expect("the file is in order")
    });
    assert_eq!(imported.added.memories, MEMORIES as u64);
    tell("import", imported.added.total(), (wall, cpu));
    println!("        memory {:+.1} MiB", resident_mib() - before);
}

fn tell(what: &str, records: u64, (wall, cpu): (f64, f64)) {
    println!(
        "{what}: {MEMORIES} memories, {records} records in {wall:.2} s (CPU {cpu:.2} s): {:.0} memories/s, {:.0} records/s",
        MEMORIES as f64 / wall,
        records as f64 / wall,
    );
}

fn megabytes(path: &Path) -> f64 {
    let bytes = fs_err::metadata(path).map_or(0, |metadata| metadata.len());
    bytes as f64 / 1e6
}
