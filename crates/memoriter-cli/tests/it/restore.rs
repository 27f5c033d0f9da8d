//! `restore`.

use serde_json::json;

use crate::support::{Home, fields, text};

const CITY: [&str; 5] = [
    "I live in Munich",
    "--key",
    "user.city",
    "--value",
    "Munich",
];
const ERASE: [&str; 3] = ["erase", "--key", "user.city"];

#[test]
fn what_was_erased_since_stays_away_and_its_receipt_says_so() {
    let home = Home::new();
    let city = home.remember(&CITY);
    let pet = home.remember(&["I have a dog", "--key", "user.pet", "--value", "dog"]);
    home.run(&["backup", "monday.db"]).done();
    let printed = home.run(&[&ERASE[..], &["--json"]].concat()).done().out;
    home.run(&["forget", &pet]).done();
    let later = home.remember(&["I like tea"]);
    let restored = home.json(&["restore", "monday.db"]);
    assert_eq!(
        fields(&restored),
        "attachments checkpoints erased erased_known fields file kept memories residue retired turns"
    );
    assert_eq!(restored["erased_known"], true);
    assert_eq!(restored["erased"]["memories"], 1);
    assert_eq!(restored["retired"], json!({"memories": 1, "turns": 0}));
    home.run(&["show", &city]).failed(3, "there is no memory");
    home.run(&["show", &later]).failed(3, "there is no memory");
    assert_eq!(home.json(&["show", &pet])["state"], "retracted");
    let receipt = home.file("receipt.json", &printed);
    let checked = home.json(&["receipt", "verify", receipt.to_str().unwrap()]);
    assert_eq!(checked["valid"], true);
    assert_eq!(checked["receipt"]["levels"], json!(["V1", "V2", "V3"]));
    assert_eq!(checked["levels_now"], json!(["V1", "V2", "V3", "V5"]));
    let said = home.run(&["restore", "monday.db"]).done().out;
    assert!(
        said.contains("erased since, and away: 1 record; forgotten since: 1 record"),
        "{said}"
    );
    home.run(&["verify"]).done();
}

#[test]
fn where_the_store_is_gone_it_is_said_what_cannot_be_known() {
    let home = Home::new();
    let city = home.remember(&CITY);
    home.run(&["backup", "monday.db"]).done();
    home.run(&ERASE).done();
    fs_err::remove_dir_all(home.path().join("data")).unwrap();
    let restored = home.run(&["restore", "monday.db", "--json"]).done().json();
    assert_eq!(restored["erased_known"], false);
    assert_eq!(
        text(&restored["unknown_because"]),
        "there was no store in the place"
    );
    home.run(&["show", &city]).done();
    let store = home.path().join("data/default.db");
    fs_err::write(&store, &fs_err::read(&store).unwrap()[..9_000]).unwrap();
    let said = home.run(&["restore", "monday.db"]);
    assert_eq!(said.code, 1);
    assert!(
        said.out.contains("is not known, and may be back")
            && said.out.contains("default.db-damaged"),
        "{}",
        said.out
    );
}

#[test]
fn a_store_that_somebody_uses_is_not_replaced() {
    let home = Home::new();
    home.remember(&CITY);
    home.run(&["backup", "monday.db"]).done();
    let store = memoriter::Memoriter::open(home.path().join("data/default.db")).unwrap();
    home.run(&["restore", "monday.db"])
        .failed(4, "is open in another program");
    drop(store);
    home.run(&["restore", "monday.db"]).done();
    home.run(&["restore", "missing.db"])
        .failed(3, "there is no store at");
    home.file("notes.txt", "my notes");
    home.run(&["restore", "notes.txt"])
        .failed(2, "is not a memoriter store");
    let other = Home::new();
    other.remember(&["I like tea"]);
    let backup = home.path().join("monday.db");
    other
        .run(&["restore", backup.to_str().unwrap()])
        .failed(4, "is of another store than");
}
