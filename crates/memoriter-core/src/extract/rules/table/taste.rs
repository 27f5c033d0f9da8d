//! Likes, dislikes, favourites and preferences.

use crate::extract::rules::rule::{Head, Rule, Shape, When, Who};

pub(in crate::extract::rules) const RULES: &[Rule] = &[
    Rule {
        head: Head::Owner,
        when: When::Ignored,
        ..Rule::fact(
            "favourite",
            "favourite_{t}",
            Shape::Thing,
            &[
                r"\s+{favourite}\s+(?<t>[\p{L}-]+(?:\s[\p{L}-]+){0,2}?)(?:'s|\s+(?:is|are|has to be|would have to be|has always been))\s+(?:definitely\s+|probably\s+|now\s+|currently\s+|still\s+|actually\s+|always\s+)*(?<v>.+)",
            ],
        )
    },
    Rule {
        head: Head::Bare,
        who: Who::I,
        when: When::Ignored,
        ..Rule::fact(
            "is-favourite",
            "favourite_{t}",
            Shape::Thing,
            &[
                r"(?<v>(?:the\s+)?[\p{L}\d'&-]+(?:\s[\p{L}\d'&-]+){0,4}?)\s+(?:is|are)\s+(?:still\s+|definitely\s+|by far\s+|probably\s+)*my\s+{favourite}\s+(?<t>[\p{L}-]+(?:\s[\p{L}-]+)?)(?:\s*[.,;!)]|\s*$|\s+(?:of all time|ever|and|because|by far)\b)",
            ],
        )
    },
    Rule {
        when: When::Ignored,
        ..Rule::end(
            "likes-no-more",
            "like",
            Shape::Things,
            &[
                r"{dont}(?:like|love|enjoy)\s+(?<v>.+?)\s+any ?more\b",
                r"{_}no longer\s+(?:likes?|loves?|enjoys?)\s+(?<v>.+)",
                r"{_}used to\s+(?:like|love|enjoy)\s+(?<v>.+?),?\s+(?:but not any ?more|but no longer)\b",
            ],
        )
    },
    Rule {
        when: When::Ignored,
        importance: 5,
        ..Rule::fact(
            "dislikes",
            "dislike",
            Shape::Things,
            &[
                r"{dont}(?:really\s+|particularly\s+|much\s+)?(?:like|enjoy|care for)\s+(?<v>.+)",
                r"{_}(?:hates?|dislikes?|detests?|despises?|loathes?)\s+(?<v>.+)",
                r"{_}(?:cannot|can't|can not)\s+stand\s+(?<v>.+)",
                r"{be}not\s+(?:really\s+|much\s+)?(?:a\s+(?:big\s+|huge\s+)?fan of|into|fond of)\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        when: When::Ignored,
        importance: 5,
        ..Rule::fact(
            "prefers-style",
            "answer_style",
            Shape::Thing,
            &[
                r"{_}(?:prefer|like|want|need)\s+(?:your\s+)?(?<v>(?:short|brief|concise|long|detailed|direct|simple|plain|formal|informal|casual|honest|step-by-step|thorough)(?:,?\s+(?:and\s+)?[a-z-]+)?)\s+(?:answers?|repl(?:y|ies)|responses?|explanations?)\b",
            ],
        )
    },
    Rule {
        when: When::Ignored,
        importance: 5,
        ..Rule::fact(
            "prefers",
            "preference",
            Shape::Thing,
            &[
                r"{_}(?:much\s+)?prefers?\s+(?<v>.+)",
                r"'d\s+(?:much\s+)?rather\s+have\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        when: When::Ignored,
        importance: 5,
        ..Rule::fact(
            "passion",
            "interest",
            Shape::Things,
            &[
                r"{be}(?:very\s+|super\s+|deeply\s+|so\s+)?(?:passionate|crazy|enthusiastic)\s+about\s+(?<v>.+)",
                r"{be}(?:really\s+|very\s+|super\s+|big\s+|so\s+)*(?:into|keen on|interested in|fascinated by|obsessed with)\s+(?<v>.+)",
                r"{have}(?:always\s+)?been\s+(?:really\s+|very\s+)*(?:into|interested in|passionate about|fascinated by|obsessed with)\s+(?<v>.+)",
                r"{be}an?\s+(?:big|huge|massive|avid|lifelong|die-hard)\s+(?:fan of)\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        when: When::Ignored,
        importance: 5,
        ..Rule::fact(
            "likes",
            "like",
            Shape::Things,
            &[
                r"{_}(?:likes?|loves?)\s+to\s+(?:just\s+)?(?<v>.+)",
                r"{_}(?:likes?|loves?|enjoys?|adores?)\s+(?<v>.+)",
                r"{have}(?:always\s+)?(?:loved|liked|enjoyed)\s+(?<v>.+)",
                r"{be}(?:very\s+)?(?:fond of|a fan of)\s+(?<v>.+)",
            ],
        )
    },
];
