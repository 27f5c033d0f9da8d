//! Games, roles, exercises and texts: what is said in one is so there and nowhere else.

use super::form::Form;
use super::words::STORIES;

/// What somebody makes up, as patterns.
pub(super) const FICTION: &str = "story|novel|book|fiction|fanfic|game|script|screenplay|film|movie|play|poem|song|campaign|scenario|dream";

/// Recognises them; hold one, its patterns are costly to make.
pub(super) struct Plays {
    role_play: Form,
    /// "For this exercise, my name is Alice."
    exercise: Form,
    /// "Here is my essay: my name is Paul."
    document: Form,
    fiction: Form,
    /// "In The Sims", where other things are so.
    in_story: Form,
    /// "Ha ha, I'm a vegan vampire."
    laughing: Form,
}

impl Plays {
    pub(super) fn new() -> Self {
        let ask = "(?:(?:please|now|ok(?:ay)?|hey|so|well|let['’]?s|let us|can you|could you|would you|will you|i want you to|i['’]d like you to|you (?:should|will|must)|we|let me)[,\\s]+)*";
        let fiction = FICTION;
        let of_whom = "(?:my|the|a|an|this|some|our|his|her|their|your|one)";
        let document = "essay|letter|poem|story|draft|article|speech|dialogue|sentences?|sample|paragraph|passage|excerpt|lyrics|blog post|script|monologue|bio|biography|obituary|resume|cv|caption|prompt|persona|text";
        let stories = STORIES.join("|");
        Self {
            role_play: Form::new(&format!(
                r"(?i)^\W*{ask}(?:pretend|act (?:as|like)|imagine|suppose|picture this|role-?play|say (?:that )?i\b|you are (?:now )?(?:an?|the)\b.*\b(?:character|wizard|pirate|hero|npc|dungeon master)|translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|correct (?:this|the|my)|fix (?:this|the|my) (?:sentence|grammar|text)|hypothetical(?:ly)?)\b"
            )),
            exercise: Form::new(
                r"(?i)^\W*(?:(?:so|ok(?:ay)?|now|and|alright|well)[\s,]+)*(?:just )?(?:for|in|as part of|during|within) (?:the (?:sake|purposes?) of )?(?:(?:this|the|our|today['’]?s|that|the following)(?: [\p{L}-]+)? (?:exercise|role-?play|scenario|drill|demo|thought experiment|simulation|worksheet|riddle|puzzle|quiz)|this(?: [\p{L}-]+)? (?:task|test|example|prompt|experiment|conversation|chat))\b[\s,:]",
            ),
            document: Form::new(&format!(
                r"(?i)^\W*(?:(?:so|ok(?:ay)?|now|and|well)[\s,]+)*(?:(?:here(?:['’]?s| is| are| comes)|this is|below(?: is)?|read|look at|review|consider|see) {of_whom} (?:[\p{{L}}'’-]+ ){{0,3}}?(?:{document})\b[^.!?:]{{0,60}}(?:[:.!]|$)|{of_whom} (?:[\p{{L}}'’-]+ ){{0,2}}?(?:{document})\b[^.!?:,]{{0,30}}:)",
            )),
            fiction: Form::new(&format!(
                r"(?i)\b(?:in (?:my|the|this|our|a) (?:new |next |current |latest )?(?:{fiction})\b[^.]*\b(?:hero|heroine|character|protagonist|narrator|lives?|i am|i['’]m)|(?:hero|heroine|protagonist|main character|narrator|my character)\b|lyrics?\b|(?:write|compose|draft) (?:me )?(?:an?|the|some) (?:short )?(?:{fiction}|dialogue|letter|email|monologue|bio)\b|the following (?:text|sentence|passage|story|email)|what if\b|^\W*(?:to-?do(?: list)?|tasks?|agenda|checklist|shopping list)\s*:|^\W*dear (?:sir|madam|hiring|team|mr|mrs|ms|dr|professor|recruiter|customer|all)\b|to whom it may concern\b)"
            )),
            in_story: Form::new(&format!(
                r"(?i)\b(?:in|on|from|at)\s+(?:the\s+|a\s+|my\s+)?(?:{stories})(?:$|[^\w])"
            )),
            laughing: Form::new(
                r"(?i)^\W*(?:(?:ha\b[\s,!]*){2,}|(?:ha){2,}h?\b|he(?:he)+\b|l+o+l\b|lmf?ao\b|rofl\b)[\s,.!…*_~-]*(?:i|we|my|our)\b",
            ),
        }
    }

    /// Whether a sentence opens one, so that what follows in the turn is no statement of the speaker's either.
    pub(super) fn end_statements(&self, sentence: &str) -> bool {
        let openings = [
            &self.role_play,
            &self.exercise,
            &self.document,
            &self.fiction,
        ];
        openings.iter().any(|form| form.is_match(sentence))
    }

    /// Whether a sentence speaks of one, or in jest.
    pub(super) fn are_in(&self, sentence: &str) -> bool {
        self.in_story.is_match(sentence) || self.laughing.is_match(sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_played_is_told_from_what_is_so() {
        let plays = Plays::new();
        for sentence in [
            "Pretend you are a pirate.",
            "For this exercise, my name is Alice.",
            "In this scenario I run a bakery.",
            "For the purposes of this test, I'm a nurse.",
            "Here is my essay: My name is Paul.",
            "Here's a sample sentence.",
            "My cover letter: I am a nurse.",
            "Read this poem: I live in Rome.",
        ] {
            assert!(plays.end_statements(sentence), "{sentence}");
        }
        for sentence in [
            "In the test I got 90 points.",
            "My letter from the bank came.",
            "For this I need a nurse.",
            "I read a story about Rome.",
            "I write poems and I live in Rome.",
            "My bio teacher lives in Rome.",
        ] {
            assert!(!plays.end_statements(sentence), "{sentence}");
        }
        assert!(plays.are_in("I have a dog named Rex in The Sims"));
        assert!(plays.are_in("Ha ha, I live on the moon"));
        assert!(!plays.are_in("Haha yes, I live in Rome"));
        assert!(!plays.are_in("I play The Sims"));
    }
}
