//! Settings.

use crate::support::{Home, Ran, text};

fn setting(ran: &Ran, key: &str) -> (String, String) {
    let settings = ran.json()["settings"].as_array().unwrap().clone();
    let found = settings
        .iter()
        .find(|setting| setting["key"] == key)
        .unwrap();
    (
        found["value"].as_str().unwrap_or("-").to_owned(),
        text(&found["from"]),
    )
}

fn check(home: &Home, variables: &[(&str, &str)], args: &[&str]) -> Ran {
    let mut command = home.command();
    command
        .envs(variables.iter().copied())
        .args(["config", "check", "--json"])
        .args(args);
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_flag_beats_a_variable_beats_the_file_beats_the_default() {
    let home = Home::new();
    home.file("m.toml", "user = \"file\"\n");
    let user =
        |variables: &[(&str, &str)], args: &[&str]| setting(&check(&home, variables, args), "user");
    let (variable, flag, file) = (
        ("MEMORITER_USER", "variable"),
        ["--user", "flag"],
        ["--config", "m.toml"],
    );
    assert_eq!(user(&[], &[]), ("me".into(), "default".into()));
    assert_eq!(user(&[], &file), ("file".into(), "m.toml".into()));
    assert_eq!(
        user(&[variable], &file),
        ("variable".into(), "MEMORITER_USER".into())
    );
    assert_eq!(
        user(&[variable], &[file, flag].concat()),
        ("flag".into(), "--user".into())
    );
    assert_eq!(
        user(&[("MEMORITER_CONFIG", "m.toml")], &[]),
        ("file".into(), "m.toml".into())
    );
    assert_eq!(
        user(&[("MEMORITER_USER", "")], &file),
        ("file".into(), "m.toml".into())
    );
}

#[test]
fn the_usual_file_is_read_and_its_data_folder_starts_there() {
    let home = Home::new();
    fs_err::create_dir_all(home.path().join(".config/memoriter")).unwrap();
    home.file(
        ".config/memoriter/config.toml",
        "data = \"stores\"\ntenant = \"acme\"\nset_attributes = [\"badge\", \"cup\"]\n",
    );
    let checked = check(&home, &[("MEMORITER_DATA", "")], &[]);
    let expected = home.path().join(".config/memoriter/stores/acme.db");
    assert_eq!(text(&checked.json()["store"]), expected.to_str().unwrap());
    assert_eq!(setting(&checked, "set_attributes").0, "badge,cup");
}

#[test]
fn settings_take_effect() {
    let home = Home::new();
    home.file("m.toml", "user = \"priya\"\nset_attributes = [\"badge\"]\n");
    home.remember(&["Red", "--key", "user.badge", "--config", "m.toml"]);
    home.remember(&["Blue", "--key", "user.badge", "--config", "m.toml"]);
    let listed = home.json(&["list", "--user", "priya"]);
    assert_eq!(
        listed["memories"].as_array().unwrap().len(),
        2,
        "a set holds both"
    );
}

#[test]
fn what_is_not_a_setting_is_named() {
    let home = Home::new();
    home.file("m.toml", "users = \"priya\"\n");
    let refused = check(&home, &[], &["--config", "m.toml"])
        .failed(2, "m.toml: unknown key `users`, the keys are data, tenant");
    assert_eq!(refused.json()["error"]["field"], "users");
    home.file("m.toml", "user = \"priya\"\n\nuser priya\n");
    check(&home, &[], &["--config", "m.toml"]).failed(2, "m.toml, line 3");
    home.file("m.toml", "user = true\n");
    check(&home, &[], &["--config", "m.toml"]).failed(2, "user must be a text");
    check(&home, &[("MEMORITER_USR", "x")], &[]).failed(2, "MEMORITER_USR is not a setting");
    check(&home, &[("MEMORITER_SEED", "x")], &[]).failed(2, "seed must be a whole number");
    check(&home, &[("MEMORITER_CLOCK", "soon")], &[]).failed(2, "clock must be an RFC 3339 time");
    check(&home, &[], &["--config", "none.toml"]).failed(3, "none.toml");
    check(&home, &[], &["--embedder", "word2vec"])
        .failed(2, "embedder must be `built-in` or `minilm:FOLDER`");
}

#[test]
fn a_tenant_is_a_plain_name() {
    let home = Home::new();
    for tenant in ["", "../up", "Acme", "a b", "a/b", "ä", &"x".repeat(65)] {
        home.run(&["stats", "--tenant", tenant])
            .failed(2, "tenant must be 1 to 64 of a-z");
    }
    home.run(&["list", "--tenant", &"x".repeat(64)]).done();
    home.run(&["stats", "--user", ""])
        .failed(2, "user is empty");
    home.run(&["recall", "x", "--user", &"x".repeat(257)])
        .failed(2, "over the limit of 256 bytes");
}

#[test]
fn no_home_folder_is_no_trouble_where_a_folder_is_named() {
    let home = Home::new();
    let output = home
        .command()
        .env_remove("MEMORITER_DATA")
        .env_remove("HOME")
        .args(["remember", "Berlin", "--data", "here"])
        .output()
        .unwrap();
    assert!(output.status.success());
}

#[test]
fn help_and_readme_tell_which_attributes_hold_a_set() {
    use memoriter::core::memory::Cardinality;
    use memoriter::core::write::AttributeRegistry;
    let home = Home::new();
    let readme = include_str!("../../../../README.md");
    let help = home.run(&["config", "--help"]).done().out;
    let of_check = home.run(&["config", "check", "--help"]).done().out;
    for told in [&help, &of_check, readme] {
        assert!(told.contains("set_attributes") && told.contains("single_attributes"));
        let flat = told
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace('`', "");
        let (_, after) = flat.split_once("several values at a time: ").unwrap();
        let (listed, _) = after.split_once('.').unwrap();
        let names: Vec<&str> = listed.split(", ").collect();
        assert!(names.len() > 15, "{names:?}");
        for name in names {
            let key = format!("user.{name}").parse().unwrap();
            let holds = AttributeRegistry::default().cardinality(&key);
            assert_eq!(holds, Cardinality::Set, "{name}");
        }
    }
}

#[test]
fn defaults_are_shown_as_they_take_effect() {
    let home = Home::new();
    let checked = check(&home, &[("MEMORITER_DATA", "")], &[]);
    let data = home.path().join(".local/share/memoriter");
    for (key, value) in [
        ("data", data.to_str().unwrap()),
        ("tenant", "default"),
        ("user", "me"),
        ("embedder", "built-in"),
        ("index_bytes", "1073741824"),
        ("agent", "-"),
        ("set_attributes", "-"),
        ("decay_episodic", "90 0.25 0.02"),
    ] {
        let shown = setting(&checked, key);
        assert_eq!(shown, (value.to_owned(), "default".to_owned()), "{key}");
    }
    let told = home.run(&["config", "check"]).done().out;
    let user = told
        .lines()
        .find(|line| line.trim().starts_with("user "))
        .unwrap();
    let words: Vec<&str> = user.split_whitespace().collect();
    assert_eq!(words, ["user", "me", "default"]);
}

#[test]
fn how_memories_sink_is_checked_and_taken() {
    let home = Home::new();
    for (line, expected) in [
        (
            "decay_episodic = \"90 0.25\"",
            "decay_episodic: must be three numbers, got `90 0.25`",
        ),
        (
            "decay_semantic = \"0 0.25 0.1\"",
            "decay_semantic: half_life_days must be a number above 0, got `0`",
        ),
        (
            "decay_procedural = \"90 0.1 0.25\"",
            "decay_procedural: archive_below must be a number from 0 to cold_below, got `0.25`",
        ),
    ] {
        home.file("m.toml", line);
        check(&home, &[], &["--config", "m.toml"]).failed(2, expected);
    }
    let said = ["remember", "Saw a heron at the lake", "--kind", "episodic"];
    home.run_at("2026-01-01", &said).done();
    let tier = |decay: &str| {
        home.file("m.toml", format!("decay_episodic = \"{decay}\"\n"));
        let list = ["list", "--json", "--config", "m.toml"];
        home.run_at("2026-03-01", &list).done().json()["memories"][0]["tier"].clone()
    };
    assert_eq!(tier("90 0.25 0.02"), "hot");
    assert_eq!(tier("10 0.25 0.001"), "cold");
    assert_eq!(tier("10 0.25 0.02"), "archive");
}

#[test]
fn a_setting_of_another_type_is_refused() {
    let home = Home::new();
    for (line, expected) in [
        ("user = 5", "user must be a text, got a whole number"),
        (
            "tenant = [\"a\"]",
            "tenant must be a text, got a list of texts",
        ),
        ("agent = 2026-03-01", "agent must be a text, got a time"),
        ("seed = \"1\"", "seed must be a whole number, got a text"),
        (
            "index_bytes = 1.5",
            "index_bytes must be a whole number, got a number with a fraction",
        ),
        (
            "set_attributes = \"badge\"",
            "set_attributes must be a list of texts, got a text",
        ),
        (
            "single_attributes = [1]",
            "single_attributes must be a list of texts, got a list of other things",
        ),
        ("clock = 5", "clock must be a time, got a whole number"),
    ] {
        home.file("m.toml", line);
        check(&home, &[], &["--config", "m.toml"]).failed(2, expected);
    }
    home.file(
        "m.toml",
        "clock = 2026-03-01\nseed = 1\nset_attributes = [\"of_my_own\"]\nsingle_attributes = []\n",
    );
    check(&home, &[], &["--config", "m.toml"]).done();
}

#[cfg(not(feature = "minilm"))]
#[test]
fn a_build_without_minilm_says_so_and_how_to_get_it() {
    let home = Home::new();
    let help = home.run(&["recall", "--help"]).done().out;
    let flat = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "built-in; minilm:FOLDER only in builds with the feature minilm [env:";
    assert!(flat.contains(told), "{help}");
    for args in [&["config", "check"][..], &["remember", "Berlin"]] {
        let refused = home
            .run(&[args, &["--embedder", "minilm:here"]].concat())
            .failed(1, "this build is without the feature `minilm`");
        let hint = "cargo install --path crates/memoriter-cli --features minilm";
        assert!(refused.err.contains(hint), "{}", refused.err);
    }
}

/// Whether any file of the store holds the text.
fn is_on_disk(home: &Home, text: &str) -> bool {
    let files = fs_err::read_dir(home.path().join("data")).unwrap();
    let mut contents = files.map(|file| fs_err::read(file.unwrap().path()).unwrap());
    contents.any(|bytes| {
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    })
}

#[test]
fn what_the_operator_blocks_reaches_no_disk() {
    let home = Home::new();
    home.file(
        "m.toml",
        "blocked = [\"phone\"]\nblocked_patterns = [\"staff=\\\\bS-[0-9]{4,6}\\\\b\"]\n\
         masked_patterns = ['case=\\bCASE-[0-9]+\\b']\n",
    );
    for (text, number) in [
        ("You can reach me on +49 170 1234567", "1234567"),
        ("My staff number is S-12345", "S-12345"),
        ("We talked about CASE-778 on Monday", "CASE-778"),
    ] {
        home.run(&["--config", "m.toml", "remember", text]);
        assert!(!is_on_disk(&home, number), "{text}");
        home.run(&["remember", text]).done();
        assert!(is_on_disk(&home, number), "without the settings it is kept");
        fs_err::remove_dir_all(home.path().join("data")).unwrap();
    }
}

#[test]
fn settings_of_the_guard_are_checked() {
    let home = Home::new();
    for (line, expected) in [
        (
            "blocked = [\"faith\"]",
            "blocked must be of card-number, iban",
        ),
        ("blocked_patterns = [\"staff\"]", "must be NAME=EXPRESSION"),
        (
            "masked_patterns = [\"staff=(\"]",
            "pattern `staff` does not compile",
        ),
        ("masked_patterns = [\"My Staff=x\"]", "lower-case letters"),
    ] {
        home.file("m.toml", line);
        check(&home, &[], &["--config", "m.toml"]).failed(2, expected);
    }
}
