//! `backup`.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::support::{Home, fields};

#[test]
fn a_backup_is_a_store_by_itself() {
    let home = Home::new();
    home.remember(&["I live in Munich"]);
    let made = home.json(&["backup", "monday.db"]);
    assert_eq!(
        fields(&made),
        "attachments bytes change checkpoints fields file left_out memories problems turns"
    );
    assert_eq!(
        (&made["memories"], &made["problems"], &made["file"]),
        (&json!(1), &json!([]), &json!("monday.db"))
    );
    let path = home.path().join("monday.db");
    let bytes = fs_err::metadata(&path).unwrap();
    assert_eq!(made["bytes"], bytes.len());
    assert_eq!(bytes.permissions().mode() & 0o777, 0o600);
    let again = home.run(&["backup", "monday.db"]);
    let there = format!("error: {} is there already\n", path.display());
    assert_eq!((again.code, again.err), (4, there));
    let said = home.run(&["backup", "tuesday.db"]).done();
    assert!(
        said.out
            .contains("ok: 1 memory and 0 turns checked\nleft out: the log"),
        "{}",
        said.out
    );
    let copy = Home::new();
    fs_err::create_dir(copy.path().join("data")).unwrap();
    fs_err::copy(&path, copy.path().join("data/default.db")).unwrap();
    assert_eq!(
        copy.json(&["list"])["memories"],
        home.json(&["list"])["memories"]
    );
    assert_eq!(copy.json(&["verify"])["ok"], true);
    Home::new()
        .run(&["backup", "x.db"])
        .failed(3, "there is no store at");
}
