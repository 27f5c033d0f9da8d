//! Who somebody is: name, age, birthday, nationality, how to reach them.

use crate::extract::rules::rule::{Head, Rule, Shape, When, Who};

pub(in crate::extract::rules) const RULES: &[Rule] = &[
    Rule {
        head: Head::Owner,
        who: Who::SELF,
        importance: 9,
        when: When::Ignored,
        ..Rule::fact(
            "name",
            "name",
            Shape::Name,
            &[
                r"\s+(?:full |first |real )?name(?:'s|\s+is|'s)\s+(?:actually\s+|really\s+)?(?<v>.+)",
            ],
        )
    },
    Rule {
        who: Who::SELF,
        importance: 9,
        when: When::Ignored,
        ..Rule::fact(
            "called",
            "name",
            Shape::Name,
            &[
                r"{be}(?:called|named)\s+(?<v>.+)",
                r"{had}(?:legally\s+)?changed\s+my\s+(?:first |full |legal )?name\s+to\s+(?<v>.+)",
                r"{be}(?<v>(?-i:\p{Lu}[\p{Ll}'-]{2,})(?:\s+(?-i:\p{Lu}[\p{Ll}'-]+))?),?\s+(?:by the way|btw|nice to meet|pleased to meet)",
            ],
        )
    },
    Rule {
        who: Who::SELF,
        when: When::Ignored,
        ..Rule::fact(
            "goes-by",
            "nickname",
            Shape::Name,
            &[
                r"{_}(?:goes|go) by\s+(?<v>.+)",
                r"{_}prefers? to be called\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        who: Who::ONE_OR_PET,
        importance: 7,
        ..Rule::fact(
            "age",
            "age",
            Shape::Word,
            &[
                r"{be}(?:now\s+)?(?<v>\d{1,3})(?:\s*(?:years?|yrs?)[ -]old|\s*y/?o)\b",
                r"{be}(?:now\s+)?(?<v>\d{1,3})\s*(?:[.,;!)]*$|,\s|\s+(?:and|but|now)\b)",
                r"{be}an?\s+(?<v>\d{1,3})[- ]years?[- ]old\b",
                r"{had}turned\s+(?<v>\d{1,3})\b",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        importance: 7,
        ..Rule::fact(
            "age-is",
            "age",
            Shape::Word,
            &[r"\s+age\s+is\s+(?<v>\d{1,3})\b"],
        )
    },
    Rule {
        head: Head::Owner,
        importance: 8,
        when: When::Ignored,
        ..Rule::fact(
            "birthday",
            "birthday",
            Shape::Birthday,
            &[
                r"\s+(?:birthday|birth\s?date|date of birth|b-?day)(?:'s|\s+(?:is|falls|was))\s+(?:on\s+)?(?<v>.+)",
            ],
        )
    },
    Rule {
        importance: 8,
        when: When::Ignored,
        ..Rule::fact(
            "born-on",
            "birthday",
            Shape::Birthday,
            &[r"{_}(?:was|were) born\s+(?:in\s+\w+\s+)?on\s+(?<v>.+)"],
        )
    },
    Rule {
        when: When::Ignored,
        ..Rule::fact(
            "nationality",
            "nationality",
            Shape::Word,
            &[
                r"{be}(?:half\s+|originally\s+)?(?<v>{nationality})(?:\s*[.,;!)]|\s*$|\s+(?:and|but|by birth|originally)\b)",
            ],
        )
    },
    Rule {
        when: When::Ignored,
        ..Rule::fact(
            "handedness",
            "handedness",
            Shape::Word,
            &[
                r"{be}(?<v>(?:left|right)[- ]handed|ambidextrous)(?:\s*[.,;!)]|\s*$|\s+(?:and|but|so|since|like|too)\b)",
            ],
        )
    },
    Rule {
        when: When::Ignored,
        ..Rule::fact(
            "religion",
            "religion",
            Shape::Word,
            &[
                r"{be}(?:an?\s+)?(?:practi[sc]ing\s+|devout\s+)?(?<v>Christian|Catholic|Protestant|Muslim|Jewish|Buddhist|Hindu|Sikh|Mormon|Quaker|atheist|agnostic)(?:\s*[.,;!)]|\s*$|\s+(?:and|but)\b)",
            ],
        )
    },
    // A new one takes the place of all that were.
    Rule {
        head: Head::Owner,
        importance: 7,
        when: When::Ignored,
        value: "",
        goes_on: true,
        ..Rule::end(
            "owned-anew",
            "{t}",
            Shape::Fixed,
            &[
                r"\s+new\s+(?<t>(?:phone|mobile) number|(?:e-?)?mail(?: address)?)(?:'s|\s+is)\s+(?:now\s+)?[\p{L}\d+(][\w.+() -]*[\d@]",
                r"\s+(?<t>(?:phone|mobile) number|(?:e-?)?mail(?: address)?)\s+(?:is\s+now|has changed to|changed to)\s+[\p{L}\d+(][\w.+() -]*[\d@]",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        importance: 7,
        when: When::Ignored,
        ..Rule::fact(
            "owned",
            "{t}",
            Shape::Clause,
            &[
                r"\s+(?:new\s+|current\s+)?(?<t>(?:phone|mobile) number|(?:e-?)?mail(?: address)?|(?:home )?address|shoe size|blood type|blood group|time ?zone|nickname|middle name|last name|surname|pronouns|star sign|zodiac sign|license plate)(?:'s|\s+(?:is|are|has changed to|changed to))\s+(?:now\s+|currently\s+|actually\s+)?(?<v>[\p{Lu}\d+(#/a-z].*)",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        who: Who::USER,
        ..Rule::fact(
            "of-the-user",
            "{t}",
            Shape::Thing,
            &[
                r"\s+(?<t>[a-z][a-z-]*(?: [a-z-]+){0,2}?)\s+(?:is|are)\s+(?:now\s+|currently\s+|in\s+|on\s+)?(?<v>.+)",
            ],
        )
    },
];
