//! What is asked of an assistant: to remember, to forget, to answer in a way. In a talk among people none of
//! these is read.

use crate::extract::Action;
use crate::extract::rules::rule::{Rule, Shape};
use crate::memory::Kind;

pub(in crate::extract::rules) const RULES: &[Rule] = &[
    Rule {
        action: Action::ForgetAll,
        value: "",
        ..Rule::request(
            "forget-all",
            "",
            Shape::Fixed,
            &[
                r"{please}(?:forget|delete|erase|remove|wipe|clear)\s+(?:absolutely\s+)?(?:everything|all(?:\s+(?:the\s+|of\s+the\s+|your\s+)?(?:facts|memories|information|info|data|notes))?|anything|what(?:ever)?)(?:\s+(?:that\s+)?you(?:'ve|\s+have)?(?:\s+(?:ever\s+)?(?:know|remember|have|saved|stored|noted|learned|kept|collected|been told)){0,2})?\s+(?:about|on|of)\s+(?:me|myself)\s*(?:please\s*)?(?:[.!,;]|$)",
                r"{please}(?:forget|delete|erase|wipe|clear)\s+(?:absolutely\s+)?(?:everything|all)(?:\s+(?:that\s+)?you(?:'ve|\s+have)?(?:\s+(?:ever\s+)?(?:know|remember|have|saved|stored|noted|learned|kept|collected|been told)){1,2})?\s*(?:,?\s*please\s*)?(?:[.!]+\s*)?$",
                r"{please}(?:delete|erase|remove|wipe|clear)\s+(?:all\s+(?:of\s+)?)?(?:my\s+(?:data|memories|personal data)|your\s+(?:memory|memories)\s+(?:of|about)\s+me)\s*(?:please\s*)?(?:[.!,;]|$)",
            ],
        )
    },
    Rule {
        action: Action::Forget,
        ..Rule::request(
            "forget-what",
            "",
            Shape::Topic,
            &[
                r"{please}{forget}\s+(?:about\s+)?(?<v>(?:(?:,?\s*and\s+)?(?:where i (?:live|work|am from|come from|was born)|where i'm (?:originally )?from|(?:which|what|the) (?:city|town|place) (?:that )?i live in|(?:the (?:company|firm) (?:that )?i work (?:for|at))|who i work for|what i do(?: for a living| for work)?|what i work as|how old i am|when i was born|when my birthday is|what my name is))+)\b",
                r"{please}{forget}\s+(?:about\s+)?(?<v>(?:where|who|what|when|how old)\s+my\s+(?:{rel})\b[^.,;!?]{2,60})",
                r"{please}{forget}\s+(?:about\s+)?(?:where|who|what|when|how)\s+(?<v>{Name}\s+(?:lives|works|studies|is from|was born)\b[^.,;!?]{0,30})",
            ],
        )
    },
    Rule {
        action: Action::Forget,
        ..Rule::request(
            "forget-allergy",
            "allergy",
            Shape::Substances,
            &[
                r"{please}{forget}\s+(?:about\s+)?my\s+(?<v>[\p{L}-]+(?:\s[\p{L}-]+)?)\s+allergy\b",
                r"{please}{forget}\s+(?:about\s+)?my\s+allergy\s+to\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        action: Action::Forget,
        ..Rule::request(
            "forget-topic",
            "",
            Shape::Topic,
            &[
                r"{please}{forget}\s+(?:about\s+|everything about\s+)?(?:all\s+(?:of\s+)?)?my\s+(?<v>.+)",
                r"{please}(?:forget|delete|erase|remove|wipe|unlearn)\s+(?:everything|all|anything|what|whatever)\s+(?:that\s+)?(?:you\s+(?:know|have|remember|saved|stored|noted|learned)\s+)?(?:about|on)\s+(?:my\s+)?(?<v>.+)",
                r"{please}(?:forget|delete|erase|remove)\s+(?:the|your|any)\s+(?:memory|memories|notes?|facts?|information|info|entry)\s+(?:about|on|of)\s+(?:my\s+)?(?<v>.+)",
                r"{please}(?:delete|erase|remove|drop|wipe)\s+my\s+(?<v>.+?)\s+from\s+(?:your\s+)?memory\b",
                r"{please}(?:forget|delete|erase|remove)\s+(?:everything|all|anything|what|whatever)\s+(?:that\s+)?i(?:'ve|\s+have)?\s+(?:ever\s+|just\s+)?(?:said|told you|mentioned|wrote|shared)\s+(?:to you\s+)?(?:about|on)\s+(?:my\s+)?(?<v>.+)",
                r"{please}(?:delete|erase|remove|drop|wipe)\s+(?<v>(?-i:\p{Lu})[^,;]*?)\s+from\s+(?:your\s+)?(?:memory|memories|notes)\b",
                r"{please}{forget}\s+(?:about\s+|everything about\s+)?(?<v>{Name}'s\s+(?:[\p{L}-]+\s+){0,2}?(?:{noun}))\s*(?:,?\s*please\s*)?(?:[.!?]+\s*)?$",
                // A name and nothing behind it: "forget Rome, let's stay here" is a change of plans.
                r"{please}forget\s+(?:all\s+|everything\s+)?(?:about\s+)?(?<v>(?-i:\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+){0,2}))\s*(?:,?\s*please\s*)?(?:[.!?]+\s*)?$",
            ],
        )
    },
    // What shall be forgotten is not said, or only for this talk, or in part.
    Rule {
        action: Action::Forget,
        value: "",
        ..Rule::request(
            "forget-unclear",
            "",
            Shape::Fixed,
            &[
                r"{please}(?:forget|delete|erase)\s+(?:everything|all|anything)\s+(?:of\s+)?(?:that\b|this\b|(?:that\s+)?(?:i|we)(?:'ve|\s+have)?\s+(?:just\s+)?(?:said|discussed|talked about|told you)(?:\s+(?:today|yesterday|so far|in this (?:chat|conversation|session)|before|earlier))?)\s*(?:[.!]+\s*)?$",
                r"{please}(?:forget|delete|erase)\s+(?:everything|all)\b[^.;!]*?\b(?:except|but|apart from|besides)\s+(?<v>.+)",
                r"{please}forget\s+about\s+(?<v>[\p{L}-]+(?:\s[\p{L}-]+){0,3})\s*(?:[.!]+\s*)?$",
            ],
        )
    },
    Rule {
        kind: Kind::Semantic,
        ..Rule::request(
            "call-me",
            "nickname",
            Shape::Name,
            &[r"(?:from now on,?\s+)?(?:please\s+|just\s+|you can\s+)*call me\s+(?<v>.+)"],
        )
    },
    Rule {
        action: Action::End,
        kind: Kind::Semantic,
        ..Rule::request(
            "call-me-not",
            "nickname",
            Shape::Name,
            &[
                r"(?:please\s+|and\s+|so\s+)*(?:don't|do not|stop|never)\s+(?:ever\s+)?call(?:ing)? me\s+(?<v>{Name})(?:\s*[.,;!)]|\s*$|\s+(?:any ?more|again|please|and)\b)",
            ],
        )
    },
    // "Please update my city to Hamburg."
    Rule {
        kind: Kind::Semantic,
        ..Rule::request(
            "set-city",
            "city",
            Shape::Place,
            &[
                r"{please}(?:update|change|set|correct|fix)\s+my\s+(?:home\s+)?(?:city|town|location|home)\s+(?:from\s+[^,;]+?\s+)?to\s+(?:be\s+)?(?<v>(?:(?:St|Mt|Ft)\.\s+)?(?-i:\p{Lu})[^,;.!]*?)(?:\s*[.,;!)]|\s*$|\s+(?:please|now)\b)",
            ],
        )
    },
    Rule {
        kind: Kind::Semantic,
        ..Rule::request(
            "set-name",
            "name",
            Shape::Name,
            &[
                r"{please}(?:update|change|set|correct|fix)\s+my\s+(?:first\s+|full\s+)?name\s+(?:from\s+[^,;]+?\s+)?to\s+(?<v>{Name}(?:\s{Name})?)(?:\s*[.,;!)]|\s*$|\s+(?:please|now)\b)",
            ],
        )
    },
    Rule {
        kind: Kind::Semantic,
        ..Rule::request(
            "set-owned",
            "{t}",
            Shape::Clause,
            &[
                r"{please}(?:update|change|set|correct|fix)\s+my\s+(?<t>(?:home )?address|time ?zone|nickname|pronouns|shoe size|surname|last name)\s+(?:from\s+[^,;]+?\s+)?to\s+(?<v>[\p{Lu}\d+(#/a-z][^;!]*?)(?:\s*[.;!)]|\s*$|,?\s+please\b)",
            ],
        )
    },
    Rule {
        action: Action::End,
        ..Rule::request(
            "answer-language-no-more",
            "answer_language",
            Shape::Word,
            &[
                r"(?:and\s+|ok(?:ay)?,?\s+)*(?:you\s+(?:don't|do not|no longer)\s+(?:have|need)\s+to|(?:no\s+)?(?:more\s+)?need to)\s+(?:answer|reply|respond|write|speak|talk)\s+(?:to me\s+)?in\s+(?<v>{language})(?:\s+(?:any ?more|any longer|from now on))(?:\s*[.,;!)]|\s*$)",
                r"{please}stop\s+(?:answering|replying|responding|writing|speaking|talking)\s+(?:to me\s+)?in\s+(?<v>{language})\b",
                r"{please}(?:don't|do not)\s+(?:answer|reply|respond|speak|talk)\s+(?:to me\s+)?in\s+(?<v>{language})\s+any ?more\b",
            ],
        )
    },
    // What was forbidden is allowed again; what was asked for is so no longer.
    Rule {
        action: Action::End,
        is_concluded: true,
        ..Rule::request(
            "instruction-no-more",
            "instruction",
            Shape::Clause,
            &[
                r"(?:and\s+|ok(?:ay)?,?\s+)*(?:you\s+(?:can|may)|feel free to|it's\s+(?:ok|okay|fine)\s+to|it is\s+(?:ok|okay|fine)\s+to)\s+(?:now\s+)?(?<v>(?:{order})\b[^,;.!]*?)\s+(?:again|from now on|any time now)(?:\s*[.,;!)]|\s*$)",
                r"(?:and\s+|ok(?:ay)?,?\s+)*(?:you\s+(?:don't|do not|no longer)\s+(?:have|need)\s+to|(?:no\s+)?(?:more\s+)?need to)\s+(?<v>(?:{order})\b[^,;.!]*?)(?:\s+(?:any ?more|any longer|from now on))(?:\s*[.,;!)]|\s*$)",
            ],
        )
    },
    Rule {
        ..Rule::request(
            "answer-language",
            "answer_language",
            Shape::Word,
            &[
                r"{please}(?:always\s+|from now on,?\s+|only\s+)?(?:answer|reply|respond|write|speak|talk|communicate)(?:\s+(?:to )?me)?(?:\s+(?:always|only))?\s+(?:back\s+)?in\s+(?<v>{language})\b",
                r"from now on,?\s+(?:please\s+)?(?:always\s+)?(?:answer|reply|respond|write|speak|talk)(?:\s+(?:to )?me)?\s+(?:only\s+)?in\s+(?<v>{language})\b",
                r"i(?:'d| would)\s+(?:like|prefer|rather have)\s+(?:your\s+)?(?:answers|replies|responses)\s+in\s+(?<v>{language})\b",
                r"i\s+(?:prefer|want)\s+(?:your\s+)?(?:answers|replies|responses)\s+in\s+(?<v>{language})\b",
            ],
        )
    },
    Rule {
        ..Rule::request(
            "answer-format",
            "answer_format",
            Shape::Word,
            &[
                r"{please}(?:always\s+|from now on,?\s+)?(?:answer|reply|respond|format (?:your )?(?:answers|replies|responses))(?:\s+me)?\s+(?:in|with|as|using)\s+(?<v>(?:bullet points?|bullets|markdown|plain text|json|tables?|numbered lists?|lists?|yaml|html|prose|full sentences))\b",
                r"i(?:'d| would)?\s+(?:like|prefer|want)\s+(?:your\s+)?(?:answers|replies|responses)\s+(?:in|as|with)\s+(?<v>(?:bullet points?|bullets|markdown|plain text|json|tables?|numbered lists?|lists?|prose))\b",
            ],
        )
    },
    Rule {
        ..Rule::request(
            "answer-style",
            "answer_style",
            Shape::Word,
            &[
                r"{please}(?:always\s+|from now on,?\s+)?(?:keep|make)\s+(?:your\s+|the\s+|all\s+)?(?:answers?|repl(?:y|ies)|responses?|explanations?)\s+(?<v>(?:very\s+|more\s+)?(?:short|brief|concise|long|detailed|direct|simple|plain|formal|informal|casual|shorter|longer|technical|friendly)(?:\s+and\s+[a-z-]+)?)\b",
                r"{please}(?:always\s+|from now on,?\s+)be\s+(?<v>(?:very\s+|more\s+)?(?:short|brief|concise|detailed|direct|simple|formal|informal|casual|honest|technical|friendly|blunt|polite)(?:\s+and\s+[a-z-]+)?)\b",
            ],
        )
    },
    Rule {
        ..Rule::request(
            "from-now-on",
            "instruction",
            Shape::Clause,
            &[
                r"(?:from now on|going forward|in (?:the )?future|from this point on|starting (?:now|today)),?\s+(?:please\s+|always\s+|you should\s+|i want you to\s+|i'd like you to\s+)*(?<v>(?:never\s+|don't\s+|do not\s+|only\s+|always\s+)?(?:{order})\b.+)",
                r"{please}(?<v>(?:always|never)\s+(?:{order})\b.+)",
                r"you (?:should|must) (?<v>(?:always|never)\s+(?:{order})\b.+)",
                r"i (?:want|need) you to\s+(?<v>(?:always|never)\s+(?:{order})\b.+)",
                r"(?:please\s+)?remember to\s+(?:always\s+)?(?<v>(?:{order})\b.+)",
                r"{please}(?<v>(?:don't|do not|stop|avoid)\s+(?:ever\s+)?(?:us(?:e|ing)|add(?:ing)?|includ(?:e|ing)|writ(?:e|ing)|put(?:ting)?)\s+(?:any\s+|so many\s+)?(?:emojis?|comments?|exclamation (?:marks|points)|jargon|bullet points|markdown|em[- ]dashes|filler|semicolons|tabs|slang|disclaimers|tables|headings|abbreviations)\b.*)",
                r"(?<v>(?:when(?:ever)?|if|every time) i (?:ask|say|send|share|paste|want|request|give)\b[^,;]+,\s*(?:please\s+|then\s+|always\s+|you should\s+|never\s+)*(?:{order})\b.+)",
            ],
        )
    },
];
