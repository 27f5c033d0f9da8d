//! The forms by which sentences are sorted, in English.

use super::binding::constraint;
use super::span::ItemKind;
use crate::extract::rules::Form;

/// The forms of one kind of item.
pub(super) struct Cue {
    pub(super) kind: ItemKind,
    form: Form,
    /// What such a sentence is not.
    except: Form,
}

impl Cue {
    pub(super) fn new(kind: ItemKind, forms: &[String], except: &str) -> Self {
        let forms = forms.join("|");
        Self {
            kind,
            form: Form::new(&format!("(?i)(?:{forms})")),
            except: Form::new(&format!("(?i)(?:{except})")),
        }
    }

    pub(super) fn fits(&self, sentence: &str) -> bool {
        self.form.is_match(sentence) && !self.except.is_match(sentence)
    }
}

/// The cues in the order in which they are tried: of a sentence that fits two, the first decides.
pub(super) fn cues() -> [Cue; 4] {
    [question(), constraint(), decision(), outcome()]
}

/// What is open, said in so many words.
fn question() -> Cue {
    let forms = [
        r"\b(?:open|unresolved|outstanding|unanswered) (?:question|issue|point|item)s?\b",
        r"\b(?:(?:still|yet) (?:have|has|need|needs) to|still (?:must|should)|need to) (?:decide|figure out|find out|settle|clarify|agree on|work out|choose|pick|confirm|hear back)\b",
        r"\b(?:remains?|is|are|still|left) (?:undecided|unclear|to be (?:decided|confirmed|clarified|settled|seen)|open)\b",
        r"\b(?:have|has|had)(?:n['’]t| not)(?: yet)? (?:decided|settled|agreed|figured out|chosen|heard back)\b",
        r"\b(?:tbd|tbc)\b",
        r"\blet['’]?s (?:park|postpone|leave) (?:the (?:question|decision|choice)|that|this) ",
        r"\bremind me to (?:decide|ask|check|choose|find out)\b",
        r"\b(?:we|i) still (?:don['’]t|do not) know\b",
        r"\bto be (?:decided|confirmed|determined)\b",
    ];
    Cue::new(
        ItemKind::Question,
        &forms.map(str::to_owned),
        r"\bopen(?:s|ed)? (?:to|from|for|until|till|on|at|daily|the|a|it)\b|\bopen[- ](?:source|ended|air)\b",
    )
}

/// What was settled.
fn decision() -> Cue {
    let forms = [
        r"\blet['’]?s (?:go with|use|take|pick|choose|make it|keep|stick with|book|do (?:it|that|this)|go for|settle on|start with|meet)\b",
        r"\b(?:we|i)(?:['’]ve| have)?(?: just| finally| now)? (?:decided|agreed|settled on|chosen|chose|picked|opted)\b",
        r"\b(?:we|i)(?:['’]ll| will| are going to| am going to|['’]m going to) (?:go with|use|take|choose|stick with|go for)\b",
        r"\b(?:decision|decided|agreed|settled)\s*:",
        r"\b(?:going with|go ahead with|signed off on|green light|(?:is|are|was) (?:approved|confirmed|final|decided|settled|agreed))\b",
        r"\b(?:my|our|the) (?:final )?(?:choice|decision) (?:is|was)\b",
    ];
    Cue::new(
        ItemKind::Decision,
        &forms.map(str::to_owned),
        r"\b(?:if|should|could|maybe|perhaps|whether)\b",
    )
}

/// What was tried, and how it went.
fn outcome() -> Cue {
    let forms = [
        r"\b(?:it|that|this|which) (?:worked|works now|failed|broke|crashed|paid off|succeeded|did(?:n['’]t| not) (?:work|help))\b",
        r"\b(?:tests?|builds?|deploy(?:ment)?|migration|run|job|check|upload|import|export|backup|payment|order|booking|request|query|script|experiment) (?:has |have |is |are |was |were )?(?:passed|passes|pass|failed|fails|fail|succeeded|succeeds|broke|crashed|timed out|completed|finished|done|green|red|went through|confirmed|rejected|declined|cancel(?:l)?ed)\b",
        r"\b(?:fixed|solved|resolved|repaired|completed|finished|shipped|deployed|merged|submitted|delivered) (?:it|the|that|this|my|our|by)\b",
        r"\bturned out (?:to be|that|well|fine|badly)\b",
        r"\b(?:i|we) (?:got (?:the|an?) (?:job|offer|refund|visa|reply|approval)|passed (?:the|my|our)|failed (?:the|my|our)|won|lost (?:the|my|our)|managed to|succeeded in|gave up on)\b",
    ];
    Cue::new(
        ItemKind::Outcome,
        &forms.map(str::to_owned),
        r"\b(?:if|would|might|hope|until|when it)\b",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expected: Option<ItemKind>) {
        let kind = cues()
            .into_iter()
            .find(|cue| cue.fits(sentence))
            .map(|cue| cue.kind);
        assert_eq!(kind, expected, "{sentence}");
    }

    #[test]
    fn constraints_are_told_from_talk() {
        for sentence in [
            "Never book flights before 9 in the morning.",
            "Please don't share my address with anybody.",
            "The budget is 2,000 euros in total.",
            "The report must be written in German.",
            "It has to be under 20 minutes.",
            "And from now on, always answer in French.",
            "Make sure nobody outside the team sees this.",
            "We can't exceed 500 dollars.",
            "The deadline is Friday.",
            "I'm allergic to peanuts.",
            "All dates must be in ISO format.",
            "You must not touch the production database.",
            "Requirement: runs offline.",
            "At most 50 euros per night, please.",
            "Whatever you do, keep the total under 900 euros.",
            "We have to be back home by Sunday evening.",
            "No seafood for the kids, please.",
            "You may only use the company card for trains.",
            "I'd rather not fly.",
            "The paper is due on 3 May.",
        ] {
            check(sentence, Some(ItemKind::Constraint));
        }
        for sentence in [
            "You must be so proud!",
            "I never thought I'd say that.",
            "Always great to hear from you!",
            "Don't worry about it.",
            "I have to go now.",
            "That must have been hard.",
            "Never mind.",
            "We have to catch up soon!",
            "The food was under the table.",
            "I always use the bus.",
        ] {
            check(sentence, None);
        }
    }

    /// Ways to bind whoever reads it.
    const BINDING: &[&str] = &[
        "By the way, for the trip never book a hotel above 120 euros a night.",
        "For the trip never book a hotel above 120 euros a night.",
        "When you plan my days, never schedule calls before nine.",
        "You must ask me before each purchase.",
        "You must check with me before you send anything.",
        "It is important that nobody is named in the text.",
        "It's essential that the total stays below 900 euros.",
        "I don't want any meetings before ten.",
        "We don't want any surprises in the contract.",
        "My mother-in-law must not find out about the party.",
        "Anna mustn't know about the trip.",
        "Nobody at work may know about this.",
        "No red-eye flights for me.",
        "No onions for my son, ever.",
        "No calls on Sundays for us.",
        "The hotel has to allow dogs.",
        "The flat needs to have a lift.",
        "The venue must seat eighty people.",
        "I need the report to stay under two pages.",
        "I want the budget to stay below 500 euros.",
        "The page limit is twelve.",
        "The word limit is 800.",
        "The maximum is forty guests.",
        "At most three slides per topic.",
        "No more than two cups of coffee a day.",
        "Max. five stops on the way.",
        "Whatever happens, keep the old database until December.",
        "No matter what, don't delete the logs.",
        "Whatever you do, do not tell Anna.",
        "Please write everything in British English from here on.",
        "From here on, use metric units.",
        "I want to fly with Swiss only.",
        "I only fly with Swiss.",
        "We only eat halal food.",
        "Only trains, please.",
        "Vegetarian restaurants only.",
        "Use only our own servers.",
        "From now on I want all prices in euros.",
        "Please don't mention the layoffs in the letter.",
        "Under no circumstances should the client see the draft.",
        "The text should not exceed 300 words.",
        "I must be home by six.",
        "The trip has to end in Rome.",
        "Everything has to be paid in cash.",
        "As a rule, never commit to main.",
        "In this project, always run the tests before you push.",
        "For legal reasons, never store phone numbers.",
        "The invoice must not go to the old address.",
        "It's crucial that all names stay out of the minutes.",
        "I don't want anybody from work at the table on Friday.",
        "We'd like the speech to be under five minutes.",
        "Before you book, you must get my approval for any flight.",
        "Please translate the labels into French going forward.",
        "No matter what, keep the backups until May.",
        "For the wedding, do not invite my uncle.",
        "I want to travel by train only.",
        "No phones for the kids.",
    ];
    /// What is said in the same words and binds nobody.
    const TALK: &[&str] = &[
        "You must be tired.",
        "You must try the cake!",
        "You must have loved it.",
        "It is important that we talk.",
        "It's important to rest.",
        "It is important that you believe in yourself.",
        "I don't want any trouble.",
        "I don't want any more cake, thanks.",
        "I don't want any of that.",
        "She must not have seen it.",
        "It must not be easy.",
        "No worries for me.",
        "No problem for us!",
        "No luck for me today.",
        "The dog has to go out.",
        "She has to work tomorrow.",
        "He has to allow himself a rest.",
        "I need to stay positive.",
        "I need the energy to stay awake.",
        "The sky is the limit.",
        "The limit is your imagination.",
        "At most I was surprised.",
        "I stayed three days at most.",
        "Whatever happens, keep smiling!",
        "Whatever happens, I love you.",
        "No matter what, we stay friends.",
        "I'm the only one.",
        "If only I knew.",
        "I only wanted to help.",
        "It was only a dream.",
        "I can only imagine.",
        "I only slept two hours.",
        "Only you can do that.",
        "Never been there, by the way.",
        "By the way, I never liked it.",
        "For the trip we never booked a hotel.",
        "When I was young we never had a car.",
        "I never use the car for that.",
        "They never let me in.",
        "My kids never eat vegetables.",
        "You must be excited about the trip.",
        "You should never give up.",
        "Nobody must have noticed.",
        "We must get together soon.",
        "I have to allow for traffic.",
        "My family has to be the best.",
        "You must have a great time there!",
        "It's important that we stay in touch.",
        "Cannot find module 'eslint'.",
        "I want the picture to be nice.",
        "The only thing I need is sleep.",
    ];

    #[test]
    fn what_binds_may_be_said_in_many_ways() {
        for sentence in BINDING {
            check(sentence, Some(ItemKind::Constraint));
        }
        for sentence in TALK {
            check(sentence, None);
        }
    }

    #[test]
    fn decisions_outcomes_and_what_is_open_are_known() {
        check("Let's go with the blue one.", Some(ItemKind::Decision));
        check(
            "We decided to postpone the launch.",
            Some(ItemKind::Decision),
        );
        check("Decision: PostgreSQL.", Some(ItemKind::Decision));
        check("Maybe we decided too early.", None);
        check(
            "The migration failed with error 7.",
            Some(ItemKind::Outcome),
        );
        check("I passed my driving test!", Some(ItemKind::Outcome));
        check("If it worked we would know.", None);
        check("Open question: who signs?", Some(ItemKind::Question));
        check(
            "We still need to decide on a venue.",
            Some(ItemKind::Question),
        );
        check("The date is TBD.", Some(ItemKind::Question));
        check(
            "Let's park the question of the venue for now.",
            Some(ItemKind::Question),
        );
        check("We still don't know who drives.", Some(ItemKind::Question));
        check("The shop is open until six.", None);
        check("We love open source.", None);
    }
}
