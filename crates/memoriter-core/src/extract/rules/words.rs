//! Lists of words that rules name.

/// Relatives and friends, as patterns.
pub(super) const RELATIONS: &[&str] = &[
    "step-?(?:mother|father|mom|mum|dad|sister|brother|son|daughter)",
    "grand(?:mother|father|ma|pa|mom|dad|son|daughter|parents?|kids?|child(?:ren)?)",
    "(?:mother|father|sister|brother|son|daughter)-in-law", "mother", "mom", "mum", "mommy", "father",
    "dad", "parents?", "sisters?", "brothers?", "siblings?", "sons?", "daughters?", "child(?:ren)?",
    "kids?", "baby", "twins?", "wife", "husband", "spouse", "partner", "girlfriend", "boyfriend",
    "fianc[eé]e?", "ex", "aunt", "uncle", "cousins?", "nieces?", "nephews?", "grannys?", "granny", "nana",
    "best friend", "friends?", "roommates?", "flatmates?", "housemates?", "neighbou?rs?", "colleagues?",
    "co-?workers?", "boss", "manager", "teacher", "mentor", "therapist", "doctor", "dentist", "landlord",
    "landlady",
];

/// Animals that people keep, as patterns.
pub(super) const PETS: &[&str] = &[
    "dogs?", "pupp(?:y|ies)", "pups?", "cats?", "kittens?", "kitt(?:y|ies)", "hamsters?", "rabbits?",
    "bunn(?:y|ies)", "parrots?", "budgies?", "birds?", "fish(?:es)?", "goldfish", "turtles?", "tortoises?",
    "snakes?", "lizards?", "geckos?", "guinea pigs?", "horses?", "pon(?:y|ies)", "ferrets?", "rats?",
    "mice", "mouse", "chickens?", "hens?", "goats?", "canar(?:y|ies)", "iguanas?", "hedgehogs?",
    "chinchillas?", "retrievers?", "labradors?", "poodles?", "beagles?", "corgis?", "husk(?:y|ies)",
    "terriers?", "spaniels?", "shepherds?", "dachshunds?", "tabb(?:y|ies)",
];

/// What people are by trade, as patterns for the last word.
pub(super) const TRADES: &[&str] = &[
    "accountant", "actor", "actress", "analyst", "animator", "architect", "artist", "attorney", "author",
    "baker", "banker", "barber", "barista", "bartender", "biologist", "bookkeeper", "builder", "butcher",
    "carpenter", "caretaker", "cashier", "chef", "chemist", "cleaner", "clerk", "coach", "coder",
    "composer", "consultant", "contractor", "cook", "counsel(?:l)?or", "dentist", "designer", "detective",
    "developer", "dietitian", "director", "doctor", "driver", "economist", "editor", "electrician",
    "engineer", "entrepreneur", "farmer", "firefighter", "fisherman", "florist", "freelancer", "gardener",
    "geologist", "gp", "guard", "guide", "hairdresser", "handyman", "historian", "illustrator",
    "instructor", "interpreter", "janitor", "journalist", "judge", "labou?rer", "landscaper", "lawyer",
    "lecturer", "librarian", "lifeguard", "linguist", "locksmith", "machinist", "magician", "manager",
    "marketer", "mason", "mathematician", "mechanic", "midwife", "miner", "model", "musician", "nanny",
    "novelist", "nurse", "nutritionist", "officer", "optician", "painter", "paralegal", "paramedic",
    "pastor", "pharmacist", "photographer", "physician", "physicist", "physiotherapist", "pilot", "plumber",
    "poet", "policeman", "policewoman", "postman", "priest", "producer", "professor", "programmer",
    "psychiatrist", "psychologist", "publisher", "realtor", "receptionist", "recruiter", "reporter",
    "researcher", "sailor", "salesman", "salesperson", "saleswoman", "scientist", "screenwriter",
    "sculptor", "secretary", "server", "singer", "social worker", "soldier", "songwriter", "statistician",
    "stylist", "surgeon", "surveyor", "tailor", "teacher", "technician", "tester", "therapist", "trader",
    "trainer", "translator", "tutor", "vet", "veterinarian", "videographer", "waiter", "waitress", "welder",
    "writer", "youtuber", "zookeeper", "student", "intern", "apprentice",
    "stay[- ]at[- ]home (?:mom|mum|dad|parent)", "housewife", "homemaker", "business owner",
];

/// Instruments, as patterns.
pub(super) const INSTRUMENTS: &[&str] = &[
    "(?:acoustic |electric |bass |classical )?guitar", "piano", "violin", "viola", "cello", "double bass",
    "bass", "drums?", "flute", "clarinet", "saxophone", "sax", "trumpet", "trombone", "harp", "ukulele",
    "banjo", "mandolin", "harmonica", "accordion", "keyboards?", "organ", "oboe", "bassoon", "recorder",
    "tuba", "french horn",
];

/// Games and sports that one plays, as patterns.
pub(super) const SPORTS: &[&str] = &[
    "tennis", "football", "soccer", "basketball", "volleyball", "baseball", "softball", "golf", "chess",
    "badminton", "squash", "hockey", "ice hockey", "rugby", "cricket", "poker", "table tennis",
    "ping[- ]pong", "handball", "lacrosse", "darts", "snooker", "billiards", "bridge", "paintball",
    "pickleball", "(?:video|board|card|computer) games", "d&d", "dungeons (?:and|&) dragons",
];

/// Languages that people speak.
pub(super) const LANGUAGES: &[&str] = &[
    "English", "German", "French", "Spanish", "Italian", "Portuguese", "Dutch", "Swedish", "Norwegian",
    "Danish", "Finnish", "Polish", "Czech", "Slovak", "Hungarian", "Romanian", "Bulgarian", "Greek",
    "Turkish", "Russian", "Ukrainian", "Serbian", "Croatian", "Arabic", "Hebrew", "Persian", "Farsi",
    "Urdu", "Hindi", "Bengali", "Punjabi", "Tamil", "Telugu", "Chinese", "Mandarin", "Cantonese",
    "Japanese", "Korean", "Vietnamese", "Thai", "Indonesian", "Malay", "Tagalog", "Swahili", "Amharic",
    "Yoruba", "Zulu", "Afrikaans", "Catalan", "Basque", "Welsh", "Irish", "Gaelic", "Latin", "Esperanto",
    "Sign Language", "American Sign Language", "ASL",
];

/// Who people are by country, where the word is no language above.
pub(super) const NATIONALITIES: &[&str] = &[
    "American", "British", "Scottish", "Canadian", "Australian", "Mexican", "Brazilian", "Argentinian",
    "Chilean", "Colombian", "Peruvian", "Austrian", "Swiss", "Belgian", "Indian", "Pakistani", "Egyptian",
    "Moroccan", "Nigerian", "Kenyan", "Ethiopian", "South African", "Israeli", "Iranian", "Iraqi", "Syrian",
    "Lebanese", "Filipino", "Filipina", "Puerto Rican", "Cuban", "Jamaican", "Estonian", "Latvian",
    "Lithuanian", "Icelandic", "New Zealander", "Taiwanese", "Singaporean",
];

/// Software known by a name that needs no capital.
pub(super) const TOOLS: [&str; 55] = [
    "vim", "neovim", "emacs", "vs code", "vscode", "git", "docker", "linux", "ubuntu", "debian", "fedora",
    "macos", "windows", "python", "rust", "typescript", "javascript", "java", "kotlin", "golang", "c++",
    "c#", "ruby", "postgres", "postgresql", "sqlite", "redis", "kubernetes", "notion", "obsidian", "excel",
    "figma", "slack", "latex", "zsh", "fish", "tmux", "nix", "pnpm", "npm", "yarn", "bun", "uv", "poetry",
    "conda", "react", "vue", "svelte", "django", "fastapi", "flask", "rails", "pytorch", "tensorflow",
    "jupyter",
];

/// Words that name nothing by themselves.
pub(super) const VAGUE: &[&str] = &[
    "it", "this", "that", "these", "those", "them", "they", "there", "here", "something", "anything",
    "nothing", "everything", "someone", "somebody", "anyone", "anybody", "everyone", "everybody", "nobody",
    "one", "ones", "some", "any", "all", "both", "none", "many", "much", "more", "most", "lot", "lots",
    "bit", "few", "several", "other", "others", "another", "same", "such", "thing", "things", "stuff",
    "place", "places", "somewhere", "anywhere", "nowhere", "way", "ways", "kind", "sort", "type", "what",
    "who", "whom", "which", "how", "when", "where", "why", "you", "me", "us", "him", "her", "myself",
    "yourself", "himself", "herself", "ourselves", "part", "case", "fact", "time", "times", "idea",
    "person", "people", "guy", "really", "very", "so", "too", "well", "not", "no", "yes", "yet", "now",
    "then", "today", "tomorrow", "yesterday", "back", "again", "home", "work", "good", "great", "fun",
    "nice", "cool", "sure", "true", "right", "fine", "ok", "okay", "done", "ready", "help", "team",
    "company", "project", "alone", "often", "anymore", "series", "color", "colour", "texture", "thought",
    "energy", "meat", "new", "old", "big", "small", "different", "important", "amazing", "awesome", "job",
    "answer", "question", "problem",
];

/// Words that show that a phrase hangs on something said elsewhere.
pub(super) const POINTING: &[&str] = &[
    "it", "it's", "its", "this", "that", "that's", "these", "those", "them", "they", "their", "he", "she",
    "his", "him", "her", "you", "your", "yours", "u", "ur", "we", "i", "i'm", "who", "what", "how", "why",
    "where", "when",
];

/// Whether a list holds a word, without regard to case.
pub(super) fn holds(list: &[&str], word: &str) -> bool {
    list.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Ways to eat, as patterns.
pub(super) const DIETS: &[&str] = &[
    "vegetarian", "vegan", "pescatarian", "pescetarian", "flexitarian", "carnivore", "halal", "kosher",
    "keto", "paleo", "gluten-free", "dairy-free", "plant-based",
];

/// Verbs of what happened, as patterns.
pub(super) const PAST: &[&str] = &[
    "went", "got", "had", "took", "bought", "sold", "met", "saw", "won", "lost", "ran", "made", "gave",
    "found", "left", "began", "did", "ate", "wrote", "read", "sang", "swam", "drove", "flew", "rode",
    "hung out", "caught", "built", "broke", "spent", "came back", "came", "became", "fell", "held",
    "taught", "heard", "sent", "paid", "put", "hit", "set up", "set", "quit", "led", "was diagnosed",
    "was hired", "was promoted", "was accepted", "was invited", "threw", "hosted", "hiked", "gave birth",
    "grew",
    "(?:adopt|attend|visit|start|finish|join|graduat|pass|fail|complet|launch|publish|submit|organi[sz]|celebrat|travel|mov|sign|volunteer|perform|paint|plant|cook|bak|play|hik|camp|book|apply|appli|receiv|order|retir|marri|propos|arriv|return|reach|enter|practi[cs]|watch|open|clos|present|donat|repair|fix|install|upgrad|updat|deploy|releas|finali[sz]|learn|interview|turn|crash|clean|pick(?:ed)? up|stopp|add|creat|record|post|rescu|welcom|lead|stay|enjoy|tri|explor|discover|talk|chatt|discuss|work|call|help|ask|injur|hurt|stumbl|check|land|secur|mentor|climb|compet|participat)ed",
];

/// What one tells an assistant to do, as patterns.
pub(super) const ORDERS: &[&str] = &[
    "use", "answer", "reply", "respond", "write", "format", "include", "add", "show", "explain", "ask",
    "call", "address", "cite", "keep", "avoid", "mention", "suggest", "recommend", "send", "run", "commit",
    "push", "check", "test", "translate", "return", "provide", "speak", "say", "tell", "start", "end",
    "sign", "remind", "round", "convert", "refer", "make", "list", "output", "delete", "assume",
    "summari[sz]e", "double-check", "quote", "put", "give(?: me)", "be", "prefer", "indent", "round",
    "schedule", "book", "deploy", "touch", "modify", "edit", "change", "create", "generate",
];

/// What people are allergic to and count: said in the singular, it is meant in the plural.
pub(super) const COUNTED: &[&str] = &[
    "nut", "peanut", "walnut", "hazelnut", "almond", "cashew", "pecan", "pistachio", "coconut", "chestnut", "egg", "cat",
    "dog", "horse", "rabbit", "hamster", "guinea pig", "bird", "bee", "wasp", "hornet", "ant", "mosquito", "mite",
    "strawberry", "blueberry", "raspberry", "blackberry", "cherry", "berry", "apple", "pear", "peach", "plum", "apricot",
    "nectarine", "kiwi", "banana", "mango", "pineapple", "melon", "grape", "orange", "lemon", "avocado", "tomato",
    "potato", "onion", "carrot", "pepper", "mushroom", "lentil", "chickpea", "bean", "pea", "seed", "prawn", "mussel",
    "oyster", "clam", "scallop", "feather", "sulfite", "sulphite", "antibiotic", "painkiller", "cockroach",
];

/// What people say in jest that they are allergic to, by its first word.
pub(super) const JEST_FIRST: &[&str] = &[
    "so", "very", "bad", "worse", "back", "awful", "terrible", "really", "acting", "early", "stupid", "hard",
];

/// The same by its last word, or as a whole.
pub(super) const JEST_LAST: &[&str] = &[
    "mornings", "mondays", "people", "work", "exercise", "meetings", "commitment", "drama", "nonsense",
    "bullshit", "stupidity", "code", "maths", "math", "homework", "bureaucracy", "paperwork", "questions",
    "jokes", "idiots", "fools", "lies", "fun", "chores", "deadlines", "emails", "email", "phone calls", "calls",
    "responsibility", "cleaning", "cooking", "housework", "politics", "politicians", "negativity", "change",
    "rules", "authority", "romance", "love", "relationships", "marriage", "kids", "children", "winter", "cold",
    "early", "boredom", "small talk", "ads", "spreadsheets", "bugs", "hype", "excuses", "criticism", "success",
    "money", "sports", "sport", "sundays", "alarm clocks", "buzzwords", "jargon", "cardio", "effort", "failure",
    "cliches", "clichés", "life", "everything", "reality", "school", "taxes",
];

/// Times, purposes, furniture and homes, at or for which one works and which employ nobody.
pub(super) const NO_EMPLOYERS: &[&str] = &[
    "moment", "living", "office", "offices", "desk", "table", "weekend", "weekends", "night", "nights", "day",
    "days", "home", "place", "house", "flat", "money", "pleasure", "fun", "free", "end", "best", "top",
    "bottom", "time", "times", "minute", "hour", "hours", "speed", "pace", "capacity", "limit", "peanuts",
    "kitchen", "computer", "laptop", "screen", "standing", "job", "site", "side", "cause", "challenge",
    "experience", "exposure", "future", "fame", "good", "others", "people", "clients", "customers", "family",
    "kids", "friends", "wedding", "party", "crossroads", "edge", "heart", "front", "back", "forefront",
    "interface", "risk", "rate", "level",
];

/// Makes of cars, as patterns.
pub(super) const CAR_MAKES: &[&str] = &[
    "Alfa Romeo", "Audi", "BMW", "Chevrolet", "Chevy", "Citro[eë]n", "Cupra", "Dacia", "Dodge", "Fiat", "Ford", "Honda",
    "Hyundai", "Jaguar", "Jeep", "Kia", "Land Rover", "Lexus", "Mazda", "Mercedes", "Mini", "Mitsubishi", "Nissan", "Opel",
    "Peugeot", "Polestar", "Porsche", "Renault", "Rivian", "Seat", "[SŠ]koda", "Subaru", "Suzuki", "Tesla", "Toyota",
    "VW", "Volkswagen", "Volvo",
];

/// Games, series and films that people say they live or keep animals in, as patterns.
pub(super) const STORIES: &[&str] = &[
    "sims?(?: ?\\d)?", "simpsons", "minecraft", "skyrim", "fallout(?: ?\\d)?", "cyberpunk", "bioshock", "animal crossing",
    "stardew(?: valley)?", "roblox", "fortnite", "second life", "world of warcraft", "wow", "warcraft", "zelda", "pok[eé]mon",
    "gta(?: ?\\w)?", "the witcher", "witcher", "elden ring", "hogwarts legacy", "starfield", "baldur['’]?s gate",
    "dungeons (?:and|&) dragons", "d&d", "red dead", "assassin['’]?s creed", "terraria", "simcity", "sim city",
    "cities:? skylines", "civilization", "civ ?\\d", "nintendogs", "farmville", "neopets", "tamagotchi", "harry potter",
    "star wars", "star trek", "game of thrones", "lord of the rings", "marvel", "the matrix", "metaverse", "vr",
];

/// Words with a capital, or at the place of a name, that are none.
pub(super) const NO_NAMES: &[&str] = &[
    "the", "a", "an", "and", "but", "or", "so", "he", "she", "it", "they", "we", "you", "i", "who", "what",
    "when", "where", "why", "how", "is", "was", "are", "has", "had", "have", "will", "would", "can",
    "could", "just", "also", "not", "no", "yes", "thanks", "thank", "sorry", "hi", "hey", "hello", "here",
    "there", "ready", "sure", "god", "lol", "omg", "ok", "okay", "this", "that", "these", "in", "on", "at",
    "for", "with", "to", "from", "my", "our", "your", "his", "her", "their", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "may", "june",
    "july", "august", "september", "october", "november", "december", "christmas", "thanksgiving", "easter",
    "halloween", "happy", "glad", "good", "great", "fine", "done", "back", "now", "too", "very", "really",
    "then", "after", "before", "because", "since", "if", "new", "old", "last", "next",
];
