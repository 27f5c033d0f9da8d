//! Requests to forget: what of them is read, and what they take back.

use super::{heard, told};
use crate::extract::rules::Rules;
use crate::port::Extractor;

#[test]
fn requests_to_forget_are_read_whole() {
    let rules = Rules::new();
    for (text, expected) in [
        (
            "Forget where I live and where I work.",
            "FORGET user.city ; FORGET user.employer",
        ),
        (
            "Please forget my birthday and my address.",
            "FORGET user.birthday ; FORGET user.address",
        ),
        (
            "Forget that I like jazz, and that I live in Berlin.",
            "FORGET user.like = jazz ; FORGET user.city = Berlin",
        ),
        ("Forget I like jazz.", "FORGET user.like = jazz"),
        (
            "I don't want you to remember that I live in Berlin.",
            "FORGET user.city = Berlin",
        ),
        (
            "Please don't keep that I like jazz",
            "FORGET user.like = jazz",
        ),
        ("You should forget where I live", "FORGET user.city"),
        ("I don't remember that I live in Berlin", ""),
        (
            "I'd like you to forget that I'm allergic to nuts.",
            "FORGET user.allergy = nuts",
        ),
        (
            "Forget how I looked on Monday",
            "FORGET \"Forget how I looked on Monday\"",
        ),
        (
            "Don't remember the song my uncle sang.",
            "FORGET \"Don't remember the song my uncle sang\"",
        ),
        ("Forget about it, I'll do it myself", ""),
        ("Forget trying to fix my bike", ""),
        ("Forget the sauce", ""),
        ("Forget it.", ""),
        (
            "Please forget my dog's friend Rex",
            "FORGET \"Please forget my dog's friend Rex\"",
        ),
    ] {
        let candidates = rules.extract(&[heard(text, "")]).unwrap();
        let told: Vec<String> = candidates.iter().map(told).collect();
        assert_eq!(told.join(" ; "), expected, "{text}");
    }
}

#[test]
fn a_turn_is_taken_back_by_what_it_says_or_by_its_words() {
    let rules = Rules::new();
    for (said, request, expected) in [
        ("I live in Rome.", "Forget what I just said", ""),
        ("I live in Rome.", "Forget that.", ""),
        (
            "My therapist is a Dr. Kranz.",
            "Please forget my last message.",
            "FORGET \"Please forget my last message.\"",
        ),
        ("Hello there", "Forget that", ""),
    ] {
        let told: Vec<String> = rules
            .extract(&[heard(said, ""), heard(request, "")])
            .unwrap()
            .iter()
            .map(told)
            .collect();
        assert_eq!(told.join(" ; "), expected, "{said} {request}");
    }
}
