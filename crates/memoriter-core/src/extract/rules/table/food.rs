//! Diet, allergies and health.

use crate::extract::rules::rule::{Head, Rule, Shape, When, Who};

pub(in crate::extract::rules) const RULES: &[Rule] = &[
    Rule {
        who: Who::ONE,
        importance: 9,
        ..Rule::end(
            "diet-no-more",
            "diet",
            Shape::Word,
            &[
                r"{isnt}(?:an?\s+)?(?:strict\s+)?(?<v>{diet})\b",
                r"{dont}(?:follow|keep|eat|do)\s+(?:an?\s+|the\s+)?(?<v>{diet})(?:\s+diet|\s+food)?\s+any ?more\b",
                r"{had}(?:stopped|quit)\s+being\s+(?:an?\s+)?(?<v>{diet})\b",
                r"{_}used to be\s+(?:an?\s+)?(?:strict\s+)?(?<v>{diet})\b",
            ],
        )
    },
    Rule {
        importance: 9,
        value: "",
        ..Rule::end(
            "eats-meat-again",
            "diet",
            Shape::Fixed,
            &[
                r"{_}(?:started eating|eats?|started to eat)\s+meat\s+again\b",
                r"{be}eating\s+meat\s+again\b",
            ],
        )
    },
    Rule {
        who: Who::ALL,
        importance: 9,
        ..Rule::fact(
            "diet",
            "diet",
            Shape::Word,
            &[
                r"{be}(?:an?\s+)?(?:fully\s+|strict(?:ly)?\s+|mostly\s+|lifelong\s+|committed\s+|100%\s+)*(?<v>{diet})(?:\s*[.,;!)–]|\s+-|\s*$|\s+(?:and|so|but|since|now|for|by the way|these|btw|as|because|diet)\b)",
                r"{have}(?:been|gone|become|turned)\s+(?:an?\s+)?(?:fully\s+|strict(?:ly)?\s+|mostly\s+)?(?<v>{diet})(?:[^\w-]|$)",
                r"{_}(?:went|turned|became|decided to go|decided to become|decided to be)\s+(?:an?\s+)?(?:fully\s+|strict(?:ly)?\s+|mostly\s+)?(?<v>{diet})(?:[^\w-]|$)",
                r"{have}decided to (?:go|become|be)\s+(?:an?\s+)?(?:fully\s+|strict(?:ly)?\s+|mostly\s+)?(?<v>{diet})(?:[^\w-]|$)",
                r"{_}(?:follows?|keeps?|eats?)\s+(?:an?\s+|the\s+)?(?:strict(?:ly)?\s+|mostly\s+)?(?<v>{diet})(?:\s+diet|\s+food)?(?:\s*[.,;!)]|\s*$|\s+(?:and|but|since|now|as|because)\b)",
                r"{be}on\s+(?:an?\s+|the\s+)?(?:strict\s+)?(?<v>{diet})(?:\s+diet)?(?:[^\w-]|$)",
            ],
        )
    },
    Rule {
        who: Who::ALL,
        importance: 9,
        value: "vegan",
        ..Rule::fact(
            "no-animal-products",
            "diet",
            Shape::Fixed,
            &[
                r"{dont}eat\s+(?:any\s+)?animal products\b",
                r"{dont}eat\s+(?:any\s+)?meat,?\s+(?:fish,?\s+)?(?:eggs,?\s+(?:or\s+)?dairy|dairy,?\s+(?:or\s+)?eggs|(?:or\s+)?dairy)\b",
            ],
        )
    },
    Rule {
        who: Who::ALL,
        importance: 9,
        value: "pescatarian",
        ..Rule::fact(
            "fish-but-no-meat",
            "diet",
            Shape::Fixed,
            &[
                r"{dont}eat\s+(?:any\s+)?meat\b[^.;]*\b(?:but|only|just)\b[^.;]*\b(?:fish|seafood)\b",
            ],
        )
    },
    Rule {
        who: Who::ALL,
        importance: 9,
        value: "vegetarian",
        ..Rule::fact(
            "no-meat",
            "diet",
            Shape::Fixed,
            &[
                r"{dont}eat\s+(?:any\s+)?(?:meat or fish|fish or meat|meat|animals)(?:\s*[.,;!)–-]|\s*$|\s+(?:and|so|as|because|any ?more|or fish|at all|since|either|but|now|by the way)\b)",
                r"{have}(?:stopped|quit|given up)\s+(?:eating\s+)?meat\b(?:\s*[.,;!)]|\s*$|\s+(?:and|so|as|because|completely|last|in|two|a|since)\b)",
                r"{_}(?:stopped|quit|gave up)\s+(?:eating\s+)?meat\b(?:\s*[.,;!)]|\s*$|\s+(?:and|so|as|because|completely|last|in|two|a|since)\b)",
            ],
        )
    },
    Rule {
        importance: 8,
        ..Rule::fact(
            "avoids",
            "avoids",
            Shape::Things,
            &[
                r"{dont}(?:eat|drink)\s+(?:any\s+)?(?<v>[a-z][a-z -]*(?:(?:,\s*[a-z][a-z -]*)*,?\s+or\s+[a-z][a-z -]*)?)",
                r"{_}(?:cannot|can't|can not)\s+(?:eat|drink|have|tolerate)\s+(?:any\s+)?(?<v>(?:gluten|dairy|lactose|nuts|peanuts|eggs|shellfish|soy|wheat|milk|fish|seafood|pork|beef|caffeine|alcohol|sugar|spicy food)\b(?:(?:,\s*[a-z]+)*,?\s+or\s+[a-z]+)?)",
            ],
        )
    },
    Rule {
        who: Who::ONE,
        importance: 10,
        ..Rule::end(
            "allergy-no-more",
            "allergy",
            Shape::Substances,
            &[
                r"{isnt}allergic\s+to\s+(?<v>.+)",
                r"{dont}have\s+(?:an?|any|my|the)\s+(?<v>[\p{L} -]{2,30}?)\s+allergy\b",
                r"{have}no\s+(?<v>[\p{L}-]+(?:\s[\p{L}-]+)?)\s+allergy\b",
                r"{have}no\s+allerg(?:y|ies)\s+to\s+(?<v>.+)",
                r"{had}(?:outgrew|outgrown|overcame)\s+(?:my|his|her|the)\s+(?<v>[\p{L} -]{2,30}?)\s+allergy\b",
            ],
        )
    },
    Rule {
        who: Who::ONE,
        importance: 10,
        value: "",
        ..Rule::end(
            "no-allergies",
            "allergy",
            Shape::Fixed,
            &[
                r"{have}no\s+(?:known\s+|more\s+)?allergies(?:\s*[.,;!)]|\s*$|\s+(?:and|but|at all|any ?more|whatsoever|so|now|that i know)\b)",
                r"{dont}have\s+any\s+(?:known\s+)?allergies(?:\s*[.,;!)]|\s*$|\s+(?:and|but|at all|any ?more|whatsoever|so|now|that i know)\b)",
                r"{_}no longer\s+have\s+any\s+allergies\b",
            ],
        )
    },
    Rule {
        who: Who::ONE_OR_PET,
        importance: 10,
        ..Rule::fact(
            "allergic",
            "allergy",
            Shape::Substances,
            &[
                r"{be}(?:severely\s+|highly\s+|deathly\s+|mildly\s+|slightly\s+|badly\s+|super\s+|terribly\s+|extremely\s+|a bit\s+|a little\s+|pretty\s+)?allergic\s+to\s+(?<v>.+)",
                r"{have}(?:got\s+)?(?:an?\s+)?(?:severe\s+|bad\s+|mild\s+|serious\s+|strong\s+|slight\s+)?allerg(?:y|ies)\s+to\s+(?<v>.+)",
                r"{have}(?:got\s+)?(?:an?\s+)(?:severe\s+|bad\s+|mild\s+|serious\s+|strong\s+|slight\s+)?(?<v>[\p{L}-]+(?:\s[\p{L}-]+)?)\s+allergy\b",
                r"{_}suffers?\s+from\s+(?:an?\s+)?(?:severe\s+)?(?<v>[\p{L}-]+)\s+allergy\b",
                r"{have}(?:developed an allergy|become allergic|always been allergic|been allergic)\s+to\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        importance: 10,
        ..Rule::fact(
            "allergies-are",
            "allergy",
            Shape::Substances,
            &[r"\s+(?:food\s+)?allerg(?:ies|y)\s+(?:are|is|include)\s+(?:to\s+)?(?<v>.+)"],
        )
    },
    Rule {
        importance: 9,
        ..Rule::fact(
            "intolerant",
            "intolerance",
            Shape::Word,
            &[
                r"{be}(?:severely\s+|slightly\s+|mildly\s+)?(?<v>lactose|gluten|histamine|fructose|dairy|egg|wheat)[- ]intolerant\b",
                r"{be}intolerant\s+(?:to|of)\s+(?<v>lactose|gluten|histamine|fructose|dairy|eggs?|wheat)\b",
                r"{have}(?:an?\s+)?(?<v>lactose|gluten|histamine|fructose|dairy|egg|wheat)\s+intolerance\b",
            ],
        )
    },
    Rule {
        importance: 9,
        ..Rule::fact(
            "condition",
            "condition",
            Shape::Word,
            &[
                r"{have}(?:got\s+)?(?:been diagnosed with\s+)?(?:severe\s+|mild\s+|chronic\s+)?(?<v>(?:type (?:1|2|one|two)\s+)?diabetes|asthma|celiac disease|coeliac disease|migraines?|epilepsy|adhd|arthritis|high blood pressure|hypertension|crohn's disease|ibs|eczema|psoriasis|insomnia|dyslexia|autism|anxiety disorder)\b",
                r"{_}(?:was|got)\s+diagnosed\s+with\s+(?<v>(?:type (?:1|2|one|two)\s+)?[\p{L}' -]{3,40}?)(?:\s*[.,;!)]|\s*$|\s+(?:last|in|two|three|a|and|when|at)\b)",
                r"{be}(?:an?\s+)?(?<v>diabetic|asthmatic|dyslexic|colou?r-?blind|epileptic|celiac|coeliac|deaf)\b",
            ],
        )
    },
    Rule {
        when: When::Since,
        importance: 8,
        ..Rule::fact(
            "medication",
            "medication",
            Shape::Thing,
            &[
                r"{_}takes?\s+(?<v>[\p{L}\d-]+(?:\s[\p{L}\d-]+)?)\s+for\s+(?:my|his|her|their)\s+(?:[\p{L}-]+\s+)?(?:asthma|diabetes|blood pressure|migraines?|allergies|thyroid|heart|anxiety|depression|adhd|cholesterol|pain)(?:\s*[.,;!)]|\s*$|\s+(?:and|every|daily|now|since|problems?|issues?|condition|disease|attacks?)\b)",
            ],
        )
    },
    Rule {
        importance: 6,
        ..Rule::end(
            "gave-up",
            "like",
            Shape::Thing,
            &[r"{had}(?:quit|stopped|given up|gave up)\s+(?<v>smoking|drinking|vaping|gambling)\b"],
        )
    },
];
