//! Languages, instruments, skills and tools.

use crate::extract::rules::rule::{Head, Rule, Shape, When, Who};

pub(in crate::extract::rules) const RULES: &[Rule] = &[
    Rule {
        ..Rule::fact(
            "speaks",
            "language",
            Shape::Things,
            &[
                r"{_}(?:can\s+)?speaks?\s+(?:fluent\s+|native\s+|good\s+|some\s+|a little\s+|a bit of\s+|both\s+|decent\s+)?(?<v>(?:{language})\b(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)(?:a little\s+|some\s+)?(?:{language})\b)*)",
                r"{be}(?:also\s+)?(?:fluent|native|proficient)\s+(?:in|speaker of)\s+(?<v>(?:{language})\b(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:{language})\b)*)",
                r"{be}an?\s+native\s+(?<v>{language})\s+speaker\b",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        ..Rule::fact(
            "native-language",
            "language",
            Shape::Word,
            &[r"\s+(?:native language|mother tongue|first language)\s+is\s+(?<v>{language})\b"],
        )
    },
    Rule {
        ..Rule::fact(
            "plays-instrument",
            "instrument",
            Shape::Things,
            &[
                r"{_}(?:can\s+)?plays?\s+(?:the\s+|some\s+|a little\s+|a bit of\s+)?(?<v>(?:{instrument})\b(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)(?:the\s+)?(?:{instrument})\b)*)",
                r"{have}(?:been playing|played)\s+(?:the\s+)?(?<v>(?:{instrument})\b(?:\s+and\s+(?:the\s+)?(?:{instrument})\b)?)\s+(?:since|for)\b",
            ],
        )
    },
    Rule {
        ..Rule::fact(
            "plays",
            "hobby",
            Shape::Things,
            &[
                r"{_}plays?\s+(?:competitive\s+|amateur\s+)?(?<v>(?:{sport})\b(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)(?:{sport})\b)*)",
                r"{have}(?:been playing|played)\s+(?<v>(?:{sport})\b)\s+(?:since|for)\b",
            ],
        )
    },
    Rule {
        ..Rule::fact(
            "learns",
            "learning",
            Shape::Things,
            &[
                r"{be}(?:trying to learn|learning)\s+(?:how\s+)?(?:to\s+(?:play|speak)\s+)?(?:the\s+)?(?<v>(?:{language}|{instrument}|{tool})\b(?:\s+and\s+(?:{language}|{instrument}|{tool})\b)?)",
                r"{have}been\s+learning\s+(?:how\s+)?(?:to\s+(?:play|speak)\s+)?(?:the\s+)?(?<v>(?:{language}|{instrument}|{tool})\b)",
                r"{had}started\s+(?:learning|to learn)\s+(?:how\s+)?(?:to\s+(?:play|speak)\s+)?(?:the\s+)?(?<v>(?:{language}|{instrument}|{tool})\b)",
            ],
        )
    },
    Rule {
        ..Rule::fact(
            "skill",
            "skill",
            Shape::Things,
            &[
                r"{be}(?:good|great|skilled|experienced|pretty good|quite good|an expert)\s+(?:at|in)\s+(?<v>[a-z].*)",
                r"{_}knows?\s+how\s+to\s+(?<v>[a-z].*)",
                r"{_}(?:codes?|programs?)\s+(?:mainly\s+|mostly\s+)?in\s+(?<v>(?:{tool})\b(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:{tool})\b)*)",
            ],
        )
    },
    Rule {
        goes_on: true,
        who: Who::SELF,
        ..Rule::end(
            "tool-no-more",
            "tool",
            Shape::Tools,
            &[
                r"{dont}use\s+(?<v>.+)",
                r"{_}no longer\s+use\s+(?<v>.+)",
                r"{had}stopped\s+using\s+(?<v>.+)",
                r"{had}(?:switched|migrated)\s+(?:away\s+)?from\s+(?<v>.+?)(?:\s+to\s+.+|$)",
                r"{had}moved\s+(?:away\s+)?from\s+(?<v>{tool})\b",
            ],
        )
    },
    Rule {
        who: Who::US,
        ..Rule::fact(
            "switched-to",
            "tool",
            Shape::Tools,
            &[
                r"{had}(?:switched|migrated)\s+(?:over\s+)?(?:from\s+\S+(?:\s\S+)?\s+)?to\s+(?<v>.+)",
                r"{had}moved\s+from\s+(?:{tool})\s+to\s+(?<v>(?:{tool})\b)",
            ],
        )
    },
    Rule {
        who: Who::SELF,
        ..Rule::fact(
            "editor",
            "editor",
            Shape::Tools,
            &[
                r"{_}uses?\s+(?<v>\S+(?:\s\S+)?)\s+as\s+(?:my|an?|the|their)\s+(?:main\s+|primary\s+)?(?:text\s+)?(?:editor|ide)\b",
            ],
        )
    },
    Rule {
        who: Who::US,
        ..Rule::fact(
            "uses",
            "tool",
            Shape::Tools,
            &[
                r"{_}(?:mostly\s+|mainly\s+)?uses?\s+(?<v>.+)",
                r"{be}(?:using|running)\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        who: Who::SELF,
        ..Rule::fact(
            "tool-is",
            "{t}",
            Shape::Tools,
            &[
                r"\s+(?:main\s+|preferred\s+|current\s+|primary\s+)?(?<t>editor|ide|shell|terminal|browser|operating system|os|programming language|database|package manager|linter|framework)(?:\s+of choice)?\s+is\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        when: When::Ignored,
        ..Rule::fact(
            "hobby",
            "hobby",
            Shape::Things,
            &[
                r"{_}go(?:es)?\s+(?<v>hiking|swimming|running|cycling|climbing|fishing|skiing|surfing|sailing|bouldering|camping|dancing|jogging|kayaking|snowboarding|horse riding|bird ?watching)\s+(?:every|a lot|regularly|often|on weekends|twice|once|most|all the time|daily|weekly|whenever)\b",
                r"{_}(?:does|do|practi[cs]es?)\s+(?<v>yoga|karate|judo|pilates|meditation|crossfit|taekwondo|aikido|martial arts|ballet|gymnastics|boxing|kickboxing|aerial yoga|pottery|calligraphy|archery|improv)\b",
                r"{_}collects?\s+(?<v>[a-z][\p{L} -]*)",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        when: When::Ignored,
        ..Rule::fact(
            "hobbies-are",
            "hobby",
            Shape::Things,
            &[
                r"\s+(?:main\s+|biggest\s+|favou?rite\s+|new\s+|current\s+|other\s+)?(?:hobb(?:y|ies)|pastimes?)\s+(?:is|are|include|includes)\s+(?<v>.+)",
            ],
        )
    },
];
