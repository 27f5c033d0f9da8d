//! Bytes that are not what they should be, whatever the format.

use super::*;

#[test]
fn a_file_without_anything_says_so() {
    for format in Format::ALL {
        for file in ["", "\n", "\u{FEFF}", " \r\n\t\n"] {
            check_error(*format, file, "the file holds no messages");
        }
    }
    check_error(Format::OpenAi, "[]", "the file holds no messages");
}

#[test]
fn a_format_that_cannot_be_told_is_asked_for() {
    for file in [
        "role,content\nuser,hi",
        "{\"a\":1}",
        "[1,2]",
        "\"role\"",
        "{",
    ] {
        check_error(
            Format::Auto,
            file,
            "line 1: the format cannot be told from the content: it may be jsonl, openai, anthropic, locomo or \
             longmemeval",
        );
    }
}

#[test]
fn auto_reads_the_file_from_its_beginning() {
    let file = "\u{FEFF}{\"session\":\"s\",\"role\":\"user\",\"content\":\"hi\"}\r\n";
    assert_eq!(
        read_good(Format::Auto, file),
        read_good(Format::Jsonl, file)
    );
    let turns = read(Format::Auto, file.as_bytes(), &defaults()).unwrap();
    assert_eq!(turns.format(), Format::Jsonl);
}

#[test]
fn bytes_that_are_not_text_are_named() {
    check_error(
        Format::Jsonl,
        b"{\"session\":\"\xFF\"}",
        "line 1: byte 13 of the value is not UTF-8",
    );
    check_error(
        Format::OpenAi,
        b"[{\"role\":\n\"\xC3\"}]",
        "line 2: byte 11 of the value is not UTF-8",
    );
    check_error(
        Format::Jsonl,
        b"\xFF\xFE{\0}\0",
        "line 1: the file is UTF-16, expected UTF-8",
    );
    check_error(
        Format::Jsonl,
        "{\"session\":\"\\ud800\"}",
        "line 1: half of a surrogate pair (column 19)",
    );
    check_error(
        Format::OpenAi,
        "\0",
        "line 1: expected a JSON object, got `\\u{0}`",
    );
}

#[test]
fn broken_json_is_named_with_its_line() {
    let cut_off = "the file ends in the middle of a value";
    check_error(Format::OpenAi, "[", &format!("line 1: {cut_off}"));
    check_error(
        Format::OpenAi,
        "[{\"messages\":[]}\n",
        &format!("line 2: {cut_off}"),
    );
    check_error(
        Format::OpenAi,
        "{\"messages\":\n[",
        &format!("line 2: {cut_off}"),
    );
    check_error(
        Format::OpenAi,
        "{\"messages\":\n\"x\n\"}",
        "line 2: the line ends inside a string",
    );
    check_error(
        Format::OpenAi,
        "{\"a\":\n]}",
        "line 2: expected value (column 1)",
    );
    check_error(
        Format::OpenAi,
        "7",
        "line 1: expected a JSON object, got `7`",
    );
    let element = r#"{"role":"user","content":"x"}"#;
    check_error(
        Format::OpenAi,
        format!("[{element}\n{element}]"),
        "line 2: expected `,` or `]` between the elements of the array, got `{`",
    );
    check_error(
        Format::OpenAi,
        format!("[{element},]"),
        "line 1: expected a JSON object, got `]`",
    );
    check_error(
        Format::OpenAi,
        format!("[{element}]\n{element}"),
        "line 2: expected nothing after the end of the array, got `{`",
    );
}

#[test]
fn a_field_that_stands_twice_has_no_meaning() {
    check_error(
        Format::Jsonl,
        r#"{"session":"s","role":"user","role":"system","content":"x"}"#,
        "line 1: field `role` stands here twice (column 35)",
    );
}

#[test]
fn bombs_do_not_go_off() {
    let deep = format!("{{\"messages\":{}", "[".repeat(1_000_000));
    check_error(
        Format::OpenAi,
        &deep,
        "line 1: the file ends in the middle of a value",
    );
    let closed = format!("{deep}{}}}", "]".repeat(1_000_000));
    check_error(
        Format::OpenAi,
        closed,
        "line 1: recursion limit exceeded (column 139)",
    );
    let long = format!("{{\"session\":\"{}", "x".repeat(17 << 20));
    check_error(
        Format::Jsonl,
        long,
        "line 1: over the limit of 16777216 bytes",
    );
}

#[test]
fn a_failing_disk_is_not_the_end_of_the_file() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("unplugged"))
        }
    }
    let start = std::io::Read::chain(
        &b"{\"session\":\"s\",\"role\":\"user\",\"content\":\"x\"}\n"[..],
        Failing,
    );
    let mut turns = read(Format::Jsonl, std::io::BufReader::new(start), &defaults()).unwrap();
    assert!(turns.next().unwrap().is_ok());
    assert_eq!(
        turns.next().unwrap().unwrap_err().to_string(),
        "reading failed at line 2"
    );
    assert!(turns.next().is_none());
}
