//! What every [`TokenCounter`] must do, whatever its tokenizer.
//!
//! Call [`check`] from a test of the counter; it panics at the first rule that is broken, naming it and the text.

use memoriter_core::port::TokenCounter;

/// Texts that have been somebody's undoing.
const ODD_TEXTS: [&str; 14] = [
    " ",
    "\n",
    "\0",
    "NUL \0 within",
    "e\u{301}\u{327}\u{323} marks \u{301}\u{301}",
    "👩‍🚀🏳️‍🌈 emoji 🙂",
    "東京に住んでいます 我喜欢喝茶 한국어 النص العربي",
    "\u{202e}reversed\u{202c} and \u{200b}zero\u{200d}width",
    "\u{fffd}\u{feff}\u{ffff}\u{10ffff}",
    "a\r\nb\tc\u{2028}d\u{a0}e \u{3000} ",
    "İSTANBUL ẞ ﬁ ½ Ω",
    "<s> [INST] <<SYS>> </s>",
    "3.14159265358979323846264338327950288",
    "{\"a\":[1,2,{\"b\":\"\\u003c\"}]}",
];

/// Control tokens of models, as somebody could write them.
const CONTROL_TOKENS: [&str; 6] = [
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|fim_prefix|>",
    "<|endofprompt|>",
    "<|start_header_id|>",
];

/// A megabyte: the longest turn.
const LONG_BYTES: usize = 1024 * 1024;

/// Units that are repeated to a long text.
const REPEATED: [&str; 13] = [
    " ",
    "\n",
    "\t ",
    " \u{3000}",
    "a",
    "A",
    "aA",
    "7",
    "!",
    "一",
    "\u{301}",
    "<|endoftext|>",
    "The cat sat. ",
];

/// Checks the whole contract of the port.
///
/// # Panics
/// When the counter breaks a rule.
pub fn check(counter: &dyn TokenCounter) {
    assert!(!counter.name().is_empty(), "a counter has a name");
    assert_eq!(counter.count(""), 0, "the empty text has no tokens");
    for text in ODD_TEXTS.into_iter().chain(CONTROL_TOKENS) {
        let count = counter.count(text);
        assert!(count >= 1, "{text:?} has at least a token");
        assert_eq!(
            count,
            counter.count(text),
            "{text:?} is counted alike twice"
        );
    }
    for text in CONTROL_TOKENS {
        let count = counter.count(text);
        assert!(count > 1, "{text:?} is ordinary text, not one token");
    }
    for unit in REPEATED {
        let text = unit.repeat(LONG_BYTES / unit.len());
        assert!(counter.count(&text) >= 1, "{unit:?} repeated is counted");
    }
    counts_alike_in_any_thread(counter);
}

fn counts_alike_in_any_thread(counter: &dyn TokenCounter) {
    let count = || ODD_TEXTS.map(|text| counter.count(text));
    let here = count();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(count)).collect();
        for thread in threads {
            let there = thread.join().expect("counting does not panic");
            assert_eq!(here, there, "a text is counted alike in any thread");
        }
    });
}
