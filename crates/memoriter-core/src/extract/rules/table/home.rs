//! Where somebody lives, and comes from.

use crate::extract::rules::rule::{Head, Rule, Shape, When, Who};

pub(in crate::extract::rules) const RULES: &[Rule] = &[
    Rule {
        who: Who::ALL,
        importance: 8,
        ..Rule::fact(
            "lives",
            "city",
            Shape::Place,
            &[
                r"{_}(?:lives?|resides?)\s+(?:here\s+|over\s+)?in\s+(?<v>.+)",
                r"{_}(?:lives?|resides?)\s+(?<v>not in\s+.+)",
                r"{be}(?:living|residing|based|located|settled)\s+(?:here\s+|over\s+)?(?:out of|in)\s+(?<v>.+)",
                r"{have}(?:been\s+)?(?:lived|living|based)\s+(?:here\s+)?in\s+(?<v>\S+(?:\s\S+){0,4}?)\s+(?:since|for)\s.+",
                r"{_}settled (?:down )?in\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        importance: 8,
        ..Rule::fact(
            "home-is",
            "city",
            Shape::Place,
            &[
                r"\s+(?:(?:new |current )?(?:home|city|home city|location)|home base)\s+is\s+(?:now\s+|currently\s+)?(?:in\s+)?(?<v>.+)",
            ],
        )
    },
    Rule {
        who: Who::ALL,
        importance: 8,
        ..Rule::fact(
            "moved",
            "city",
            Shape::Place,
            &[
                r"{had}(?:moved|relocated)\s+(?:(?:back|over|out|down|up|here|away)\s+)*(?:from\s+[^,;]+?\s+)?to\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        who: Who::ALL,
        importance: 8,
        when: When::Planned,
        ..Rule::fact(
            "will-move",
            "city",
            Shape::Place,
            &[
                r"{be}(?:moving|relocating|going to move|about to move)\s+(?:(?:back|over|out|down|up|here)\s+)*to\s+(?<v>.+)",
                r"(?:'ll|\s+will)\s+(?:be\s+)?(?:move|relocate|moving|relocating)\s+(?:(?:back|over)\s+)*to\s+(?<v>.+)",
            ],
        )
    },
    // Both are cities that are known by name, for one may leave a company for another.
    Rule {
        who: Who::ALL,
        importance: 8,
        ..Rule::fact(
            "left-for",
            "city",
            Shape::Place,
            &[r"{had}(?:left|swapped|traded)\s+(?<t>{Name}(?:\s{Name})?)\s+for\s+(?<v>.+)"],
        )
    },
    Rule {
        who: Who::ALL,
        when: When::Ignored,
        importance: 8,
        ..Rule::end(
            "moves-not",
            "city",
            Shape::Place,
            &[
                r"{isnt}(?:going to move|moving|relocating)\s+(?:(?:back|over|out)\s+)*to\s+(?<v>.+)",
                r"\s+(?:won't|will not)\s+(?:be\s+)?(?:move|relocate|moving|relocating)\s+(?:(?:back|over|out)\s+)*to\s+(?<v>.+)",
                r"{had}decided\s+(?:not to|against)\s+(?:move|moving|relocate|relocating)\s+(?:(?:back|over|out)\s+)*to\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        head: Head::Bare,
        who: Who::I,
        when: When::Ignored,
        importance: 8,
        ..Rule::end(
            "move-is-off",
            "city",
            Shape::Place,
            &[
                r"(?:the|my|our)\s+(?:planned\s+)?(?:move|relocation)\s+to\s+(?<v>(?-i:\p{Lu})[^,;.!]*?)\s+(?:is|was|has been|got|is now)\s+(?:called off|cancel(?:l)?ed|off|not happening|no longer happening)(?:\s*[.,;!)]|\s*$|\s+(?:now|after|for|because|and)\b)",
            ],
        )
    },
    Rule {
        importance: 7,
        when: When::Ignored,
        ..Rule::fact(
            "from",
            "hometown",
            Shape::Place,
            &[
                r"{be}(?:originally\s+)?from\s+(?<v>.+)",
                r"{_}(?:originally\s+)?(?:comes?|hails?)\s+(?:originally\s+)?from\s+(?<v>.+)",
                r"{_}(?:was|were)\s+(?:born\s+and\s+(?:raised|bred)|raised)\s+in\s+(?<v>.+)",
                r"{_}grew up\s+(?:here\s+)?in\s+(?<v>.+)",
                r"{had}moved\s+(?:here|away)\s+from\s+(?<v>.+)",
            ],
        )
    },
    // Where somebody was born need not be where home is.
    Rule {
        importance: 7,
        when: When::Ignored,
        ..Rule::fact(
            "born-in",
            "birthplace",
            Shape::Place,
            &[r"{_}(?:was|were)\s+born\s+in\s+(?<v>.+)"],
        )
    },
    Rule {
        head: Head::Owner,
        importance: 7,
        when: When::Ignored,
        ..Rule::fact(
            "birthplace-is",
            "birthplace",
            Shape::Place,
            &[r"\s+(?:birth\s?place|place of birth)(?:'s|\s+(?:is|was))(?:\s+in)?\s+(?<v>.+)"],
        )
    },
    Rule {
        head: Head::Owner,
        importance: 7,
        when: When::Ignored,
        ..Rule::fact(
            "hometown-is",
            "hometown",
            Shape::Place,
            &[
                r"\s+(?:home\s?town|home country|country of origin|home village)(?:\s+is(?:\s+in)?|\s*,)\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        who: Who::ALL,
        ..Rule::end(
            "lives-no-more",
            "city",
            Shape::Place,
            &[
                r"{dont}(?:live|reside)\s+in\s+(?<v>.+)",
                r"{_}no longer\s+(?:lives?|resides?)\s+in\s+(?<v>.+)",
                r"{_}used to live\s+in\s+(?<v>.+)",
                r"{isnt}living\s+in\s+(?<v>.+)",
                r"{had}moved\s+(?:away from|out of)\s+(?<v>.+)",
            ],
        )
    },
];
