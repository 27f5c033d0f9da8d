//! Forms that support nothing: questions, suppositions, jokes, reports of what others say, roles that are
//! played.

use super::form::Form;
use super::plays::{FICTION, Plays};

/// What a sentence is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Its first bytes tell something, as many as said.
    Tells(usize),
    /// It tells nothing.
    Nothing,
    /// It takes back what was said before it.
    TakesBack,
    /// It tells nothing, and what follows in the turn is no statement of the speaker's either.
    EndsStatements,
    /// It says that what was said before it in the turn is wrong.
    IsWrong,
    /// Nothing of what was said before it shall be kept: of the turn, or of the turn before where it is all that is said.
    Unsaid,
    /// Nothing of the turn shall be kept.
    Private,
}

/// Recognises such forms; hold one, its patterns are costly to make.
pub(super) struct Filter {
    joke: Form,
    plays: Plays,
    example: Form,
    negated: Form,
    tag_question: Form,
    question_part: Form,
    supposed_before: Form,
    own_report: Form,
    report_before: Form,
    report_after: Form,
    doubt_after: Form,
    doubt_before: Form,
    doubt_behind: Form,
    wrong: Form,
    /// "Scratch that": of one's own words only.
    taken_back: Form,
    private: Form,
    /// "Don't remember that", where it stands alone.
    private_alone: Form,
    /// "Forget what I just said."
    unsaid: Form,
    saying: Form,
    forget: Form,
    /// "Forget … my …": what it is, its third group tells.
    forget_own: Form,
    /// "…, please forget him": what stands before it, its first group tells.
    forget_them: Form,
    /// "Can you forget it?" asks for it to be done.
    asked_to_forget: Form,
}

impl Filter {
    pub(super) fn new() -> Self {
        let say = "said|says|saying|say|tells?|told|claim(?:s|ed)?|wrote|writes|texted|replied|answered|asked|asks|thinks?|believes?|heard|quotes?|quoted|sang|sings?|reads|goes";
        let fiction = FICTION;
        Self {
            plays: Plays::new(),
            joke: Form::new(
                r"(?i)\b(?:(?:just|only|was|totally) (?:kidding|joking|messing)|i['’]?m (?:kidding|joking)|kidding|jk|j/k|april fools?|not really|not!|psych)(?:$|[\s!.,)*;:😂🤣😜😅-])",
            ),
            negated: Form::new(
                r"(?i)\bneither\b|\b(?:allergic|intolerant) to (?:no|nothing|none)\b",
            ),
            example: Form::new(r"(?i)(?:\be\.g\.|\bfor (?:example|instance)\b|♪|♫)"),
            tag_question: Form::new(
                r"(?i),?\s*(?:right|correct|is(?:n['’]t| not) it|are(?:n['’]t| not) (?:i|we|they)|do(?:n['’]t| not) (?:i|we|they)|does(?:n['’]t| not) (?:he|she|it)|yes|no|eh|huh|remember|true|ok(?:ay)?)\s*[?!？]+\W*$",
            ),
            question_part: Form::new(
                r"(?i)(?:[,;:–—]|\s-+\s|\s(?:and|but|so)\s)\s*(?:(?:and|but|so|then)\s+)*(?:what|how|where|when|who|why|which|do|does|did|are|is|was|were|have|has|had|can|could|will|would|should|any|anything|got|wanna|want|you|ever|may|shall)\b",
            ),
            supposed_before: Form::new(&format!(
                r"(?i)\b(?:if|unless|imagine|suppose|supposing|pretend|in case|whether|let['’]?s say|hypothetically|as though|assuming|for (?:the sake of (?:the )?argument|argument['’]s sake)|in (?:my|our|the|this|a) (?:[\p{{L}}-]+ )?(?:{fiction})|dream(?:ed|t) (?:that|about)|lie|fake)\b"
            )),
            own_report: Form::new(&format!(
                r"(?i)\b(?:i|we)(?:['’]ve| have)?(?: already| just)? (?:{say}|mentioned)\b|\blike i said\b|\b(?:thanks for|glad you|you) ask(?:ed|ing)?\b|\b(?:to tell you|tell you|don['’]t tell|say no|let['’]?s say|i must say|have to say|gotta say)\b"
            )),
            report_before: Form::new(&format!(
                r"(?i)\b(?:{say}|according to|thought (?:that )?i)\b"
            )),
            report_after: Form::new(&format!(
                r"(?i)[\s,.…–—-]*[\u{{22}}”’']?,?\s+(?:(?:as )?(?:he|she|they|(?:my|our|the|a|his|her|their) (?:[\p{{L}}-]+ ){{0,2}}?[\p{{L}}-]+|(?-i:\p{{Lu}}\w+))\s+(?:always |once |often |used to |just )?(?:{say}|joked|whispered|shouted)(?:\s+(?:me|us|him|her|them|always|once|yesterday|today))?\s*[.!:]?$|(?:said|says|claimed|joked|thought|told us|wrote)\s+(?:no[ -]?one|nobody|absolutely|literally|he|she|they|(?:my|our|the|a|an|some|every|his|her|their)\s+\w+|(?-i:\p{{Lu}}\w+))\b)"
            )),
            doubt_before: Form::new(
                r"(?i)\b(?:maybe|perhaps|probably|possibly|(?:i|we) (?:think|guess|suppose|believe|assume))[\s,]*(?:that\s*)?$",
            ),
            doubt_behind: Form::new(
                r"(?i)(?:,|\s[–—-])\s*(?:(?:but|or so)\s+)?(?:maybe|perhaps|probably|possibly|i (?:think|guess|suppose|believe|assume)|i['’]?m not sure|not sure)\W*$",
            ),
            wrong: Form::new(
                r"(?i)^\W*(?:(?:no+|nope|wait|actually|sorry|oops|hmm+|hold on|hang on|oh|ah|well|but|my bad|ok(?:ay)?)[\s,.!…–—-]+)*(?:(?:that|it|this)(?:['’]?s| is| was) (?:wrong|incorrect|false|a lie|a mistake|not (?:right|true|correct))|(?:scratch|strike|ignore|disregard) that|i take (?:that|it) back|i made (?:that|it) up|i lied|said (?:no[ -]?one|nobody)\b[\w\s]*)\W*$",
            ),
            taken_back: Form::new(
                r"(?i)^\W*(?:(?:no+|nope|wait|actually|sorry|oops|hmm+|hold on|hang on|oh|ah|well|but|my bad|ok(?:ay)?)[\s,.!…–—-]+)*(?:(?:scratch|strike) that|i take (?:that|it) back|i made (?:that|it) up|i lied|that was a lie)\W*$",
            ),
            private: Form::new(
                r"(?i)(?:^|[,;:–—]\s*|\b(?:and|but|so|please|pls|just|you should|you can)\s+)\W*(?:(?:don['’]?t|do not|never)\s+(?:save|store|remember|record|note|keep|memori[sz]e|log|write down)\s+(?:this|that|it|any of (?:this|that|it)|the following|what i(?:['’]m| am)? (?:say|tell|saying|telling)[^,.;:]*)(?:\s*(?:[,.;:!–—-]|$)|\s+(?:but|anywhere|(?:in|to) (?:your )?memory)\b)|off the record\b)",
            ),
            private_alone: Form::new(
                r"(?i)^\W*(?:(?:please|pls|oh|actually|no|wait|and|but|you (?:can|should)|just)[\s,]+)*(?:don['’]?t|do not)\s+(?:save|store|remember|record|note|keep|memori[sz]e|log|write down)\s+(?:that|any of (?:that|it)|what i(?:['’]ve| have)? (?:just )?(?:said|told you|wrote))(?:\s+(?:down|please|bit|part|one))*\W*$",
            ),
            unsaid: Form::new(
                r"(?i)^\W*(?:(?:please|pls|oh|actually|no|wait|and|but|can you|could you|you can|just)[\s,]+)*(?:forget|delete|erase|disregard)\s+(?:what i(?:['’]ve| have)?\s+(?:just\s+|last\s+)?(?:said|told you|wrote)|(?:the|my) last (?:thing|message|bit|sentence|remark|statement)(?:\s+(?:that\s+)?i\s+(?:said|told you|wrote|sent))?|that|(?:that\s+)?i\s+(?:ever\s+|just\s+)?(?:said|mentioned|told you)\s+(?:that|it|anything))(?:\s+please)?\W*$",
            ),
            saying: Form::new(
                r"(?i)^\W*(?:(?:well|but|and|ok(?:ay)?|remember|as they say|like they say)[\s,:]+)*(?:never (?:say (?:never|die)|put off (?:un)?till? tomorrow|change a (?:winning|running)|test the waters)|always (?:be closing|start with why))\b",
            ),
            forget: Form::new(
                r"(?i)^\W*(?:(?:please|pls|also|and|so|now|ok(?:ay)?|hey|can you|could you|would you|will you|i want you to|i['’]d like you to|you can|you should|just|kindly)[\s,]+)*(?:forget|delete|erase|remove|stop (?:remembering|storing|keeping)|unlearn|strike|drop|wipe)\b",
            ),
            forget_own: Form::new(
                r"(?i)^\W*(?:(?:please|pls|also|and|so|now|ok(?:ay)?|can you|could you|would you|i want you to|i['’]d like you to|you can|just|kindly)[\s,]+)*(?:forget|unlearn|stop remembering|don['’]?t remember|do not remember)\s+(?P<first>[\p{L}]+)(?:\s+(?P<next>[\p{L}]+))?[^,;:!?]*\b(?:i|my|mine|our)\b",
            ),
            // Without a word of asking it is advice: "she isn't worth it, forget her".
            forget_them: Form::new(
                r"(?i)^(?P<before>|.+?(?:[,;:–—-]\s*|\s+(?:and|so)\s+))\W*(?:(?:and|so|but|now|then|also)\s+)*(?:please|pls|kindly|can you|could you|would you|i want you to|i['’]d like you to)[\s,]+(?:(?:please|just|also)\s+)*(?:forget|unlearn|stop remembering|delete|erase|remove)\s+(?:(?:all|everything)\s+)?(?:about\s+)?(?:him|her|them)(?:\s+(?:again|now|please|completely|for good|from (?:your )?(?:memory|notes)))*\W*$",
            ),
            asked_to_forget: Form::new(
                r"(?i)^\W*(?:please[\s,]+)?(?:can|could|would|will) you (?:please |kindly |just |also )*(?:forget|delete|erase|remove)\b",
            ),
            doubt_after: Form::new(
                r"(?i)\b(?:if|unless|maybe|perhaps|probably|possibly|hypothetically|supposedly|allegedly|i guess|i suppose|in (?:my|a|an|the|this|that|another) (?:video |computer |new |current |last |next |parallel |other |past |previous )?(?:dreams?|story|novel|game|sim|head|mind|imagination|life|universe|fantasy|avatar|profile picture|exercise|example|scenario|sleep)|(?:when|while|whenever) (?:i|we) (?:dream|sleep|play|pretend)|for (?:the sake of|example)|at heart|in spirit|by nature)\b",
            ),
        }
    }

    /// What a sentence is good for, whatever is in it.
    pub(super) fn judge(&self, sentence: &str) -> Verdict {
        if let Some(joke) = self.joke.find(sentence) {
            let rest = sentence.len() - joke.len();
            return if rest < 25 {
                Verdict::TakesBack
            } else {
                Verdict::Nothing
            };
        }
        if self.taken_back.is_match(sentence) {
            return Verdict::TakesBack;
        }
        if self.wrong.is_match(sentence) {
            return Verdict::IsWrong;
        }
        if self.private_alone.is_match(sentence) || self.unsaid.is_match(sentence) {
            return Verdict::Unsaid;
        }
        if self.private.is_match(sentence) {
            return Verdict::Private;
        }
        if self.saying.is_match(sentence) {
            return Verdict::Nothing;
        }
        if self.plays.end_statements(sentence) {
            return Verdict::EndsStatements;
        }
        let is_void = self.example.is_match(sentence) || self.negated.is_match(sentence);
        if is_void || self.plays.are_in(sentence) {
            return Verdict::Nothing;
        }
        if !asks(sentence) {
            return Verdict::Tells(sentence.len());
        }
        if self.tag_question.is_match(sentence) {
            return Verdict::Nothing;
        }
        if self.asked_to_forget.is_match(sentence) {
            return Verdict::Tells(sentence.len());
        }
        match self.question_part.find(sentence) {
            Some(part) => Verdict::Tells(part.start()),
            None => Verdict::Nothing,
        }
    }

    /// Whether what stands before a clause makes it a supposition or somebody else's words.
    pub(super) fn spoils_what_follows(&self, before: &str) -> bool {
        if before.is_empty() {
            return false;
        }
        if self.supposed_before.is_match(before) || self.doubt_before.is_match(before) {
            return true;
        }
        self.report_before.is_match(before) && {
            let others = self.own_report.regex().replace_all(before, " ");
            self.report_before.is_match(&others)
        }
    }

    /// Whether a clause doubts itself, or turns out to be somebody else's.
    pub(super) fn spoils_itself(&self, clause: &str, rest: &str) -> bool {
        self.doubt_after.is_match(clause)
            || self.doubt_behind.is_match(rest)
            || self.report_after.is_match(rest)
    }

    /// Whether a sentence asks to forget something of the speaker's: not "forget it, I'll do it myself".
    pub(super) fn asks_to_forget_own(&self, sentence: &str) -> bool {
        const FIGURES: [&str; 8] = [
            "it", "them", "him", "her", "this", "trying", "getting", "to",
        ];
        let Some(found) = self.forget_own.captures(sentence) else {
            return false;
        };
        let word = |name| found.name(name).map_or("", |word| word.as_str());
        let (first, next) = (word("first").to_lowercase(), word("next").to_lowercase());
        let what = if first == "about" { &next } else { &first };
        !FIGURES.contains(&what.as_str())
    }

    /// What a sentence says before it asks to forget him, her or them; `None` where it does not ask that.
    pub(super) fn asks_to_forget_them<'t>(&self, sentence: &'t str) -> Option<&'t str> {
        let found = self.forget_them.captures(sentence)?;
        found.name("before").map(|before| before.as_str())
    }

    /// Whether it turns out to be somebody else's: "…, said the teacher".
    pub(super) fn is_report(&self, rest: &str) -> bool {
        self.report_after.is_match(rest)
    }

    /// Whether a sentence asks for something to be forgotten or taken away.
    pub(super) fn asks_to_forget(&self, sentence: &str) -> bool {
        self.forget.is_match(sentence)
    }
}

/// Whether a sentence is a question.
pub(crate) fn asks(sentence: &str) -> bool {
    let end =
        sentence.trim_end_matches(|c: char| !matches!(c, '?' | '？' | '؟') && !c.is_alphanumeric());
    end.ends_with(['?', '？', '؟'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expected: Verdict) {
        assert_eq!(Filter::new().judge(sentence), expected, "{sentence}");
    }

    #[test]
    fn sentences_are_judged_by_their_form() {
        check("I live in Munich.", Verdict::Tells(17));
        check("I live in Munich, what about you?", Verdict::Tells(16));
        check("I live in Munich, right?", Verdict::Nothing);
        check("Do I live in Munich?!", Verdict::Nothing);
        check("Don't remember that.", Verdict::Unsaid);
        check("Please don't save what I just said", Verdict::Unsaid);
        check("Forget what I just said.", Verdict::Unsaid);
        check("forget I said that", Verdict::Unsaid);
        check("Don't save this: I moved.", Verdict::Private);
        check("I don't remember that.", Verdict::Tells(22));
        check("Forget it, never mind.", Verdict::Tells(22));
        check("lol jk", Verdict::TakesBack);
        check("Just kidding!", Verdict::TakesBack);
        check(
            "I live on the moon and eat nothing but cheese, just kidding.",
            Verdict::Nothing,
        );
        check("Pretend you are a pirate.", Verdict::EndsStatements);
        check(
            "Can you translate this: I live in Rome",
            Verdict::EndsStatements,
        );
        check("I can't imagine that.", Verdict::Tells(21));
        check("I like neither tea nor coffee.", Verdict::Nothing);
        check("I am allergic to no food at all", Verdict::Nothing);
        check("Can you forget where I live?", Verdict::Tells(28));
        check("People say things, e.g. I live in Rome.", Verdict::Nothing);
    }

    #[test]
    fn reports_and_suppositions_are_told_from_statements() {
        let filter = Filter::new();
        for before in [
            "She said: ",
            "If we go, ",
            "My friend told me that ",
            "Suppose, ",
        ] {
            assert!(filter.spoils_what_follows(before), "{before}");
        }
        for before in [
            "",
            "Well, ",
            "I told you that ",
            "As I said, ",
            "Thanks for asking, ",
        ] {
            assert!(!filter.spoils_what_follows(before), "{before}");
        }
        assert!(filter.spoils_itself(" live in Rome", " live in Rome, she said."));
        assert!(filter.spoils_itself(" live in Rome maybe", ""));
        assert!(!filter.spoils_itself(" live in Rome", " live in Rome"));
    }
}
