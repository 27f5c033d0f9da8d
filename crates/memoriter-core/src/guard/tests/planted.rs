//! Secrets of many kinds, planted in sentences, code, JSON, addresses and logs.

use std::collections::BTreeMap;

use super::made::Made;
use crate::guard::Guard;

/// Tokens that say what they are: found wherever they stand.
const TOKENS: &[&str] = &[
    "AKIA{B16}",
    "ASIA{B16}",
    "ghp_{a36}",
    "gho_{a36}",
    "ghs_{a36}",
    "github_pat_{a22}_{a59}",
    "glpat-{a20}",
    "glrt-{a20}",
    "xoxb-{d12}-{d12}-{a24}",
    "xoxp-{d12}-{d12}-{d12}-{h32}",
    "xapp-1-{U11}-{d13}-{h64}",
    "https://hooks.slack.com/services/T{U10}/B{U10}/{a24}",
    "sk_live_{a24}",
    "rk_live_{a40}",
    "whsec_{a32}",
    "AIza{w35}",
    "ya29.{w60}",
    "GOCSPX-{a28}",
    "sk-{a20}T3BlbkFJ{a20}",
    "sk-proj-{a48}",
    "sk-ant-api03-{a93}AA",
    "sk-or-v1-{h64}",
    "hf_{z34}",
    "gsk_{a52}",
    "pplx-{a48}",
    "xai-{a80}",
    "r8_{a37}",
    "npm_{a36}",
    "pypi-AgEIcHlwaS5vcmc{a60}",
    "rubygems_{h48}",
    "dckr_pat_{a27}",
    "dop_v1_{h64}",
    "SG.{a22}.{a43}",
    "key-{h32}",
    "shpat_{h32}",
    "shpss_{h32}",
    "sq0atp-{a22}",
    "EZAK{a54}",
    "lin_api_{a40}",
    "ntn_{d11}{a35}",
    "figd_{a40}",
    "PMAK-{h24}-{h34}",
    "pul-{h40}",
    "dapi{h32}",
    "dp.pt.{a43}",
    "hvs.{a95}",
    "glsa_{a32}_{h8}",
    "tskey-auth-{a12}-{a24}",
    "pscale_pw_{a43}",
    "{d10}:AA{a33}",
    "A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}",
    "AGE-SECRET-KEY-1{g58}",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI{a30}.{a43}",
    "sbp_{h40}",
    "tvly-{a32}",
    "nfp_{a40}",
    "pcsk_{a60}",
    "lsv2_pt_{h32}_{h10}",
    "CLOJARS_{l60}",
    "xkeysib-{h64}-{l16}",
    "ATATT3{a186}",
    "vercel token {a24}",
];

/// Where a token may stand. `{}` is the token.
const TOKEN_PLACES: &[&str] = &[
    "Use {} for the deploy on Friday.",
    "My new key is {}, please remember it.",
    "It was ({}), I think.",
    "Is it {}?",
    "export SERVICE_TOKEN={}\nmake deploy",
    "client = Client('{}')\nclient.run()",
    "{\"name\": \"ci\", \"api_key\": \"{}\", \"retries\": 3}",
    "{\"note\":\"token {}\"}",
    "curl -s 'https://api.example.org/v1/items?access_token={}&page=2'",
    "2026-01-05T10:00:00Z WARN request failed token={} ip=10.0.0.1",
    "| prod | `{}` | since May |",
    "<apiKey>{}</apiKey>",
    "headers = {\"Authorization\": \"Bearer {}\"}",
    "key: {}\nother: 1",
];

/// Places with a value of their own kind: what stands there is a secret because of the place.
const PLACES: &[(&str, &str, &str)] = &[
    ("aws-secret", "aws_secret_access_key = {}", "{a40}"),
    ("heroku", "HEROKU_API_KEY={}", "{h8}-{h4}-{h4}-{h4}-{h12}"),
    ("datadog", "datadog_api_key: \"{}\"", "{l40}"),
    ("cloudflare", "cloudflare_api_key = '{}'", "{w40}"),
    ("twilio", "twilio auth token is {}", "{h32}"),
    ("okta", "okta_api_token = \"{}\"", "00{w40}"),
    (
        "azure",
        "DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};EndpointSuffix=core",
        "{b86}==",
    ),
    (
        "sas",
        "https://x.blob.example.org/c/f?sv=2024&sig={}",
        "{a43}%3D",
    ),
    (
        "postgres",
        "DATABASE_URL=postgres://app:{}@db.internal:5432/app",
        "{a16}",
    ),
    ("mysql", "mysql://root:{}@10.0.0.5/shop", "{a12}"),
    (
        "mongo",
        "mongodb+srv://admin:{}@cluster0.example.net/?retryWrites=true",
        "{a14}",
    ),
    ("redis", "redis://:{}@cache:6379/0", "{a20}"),
    ("amqp", "the broker is at amqp://svc:{}@mq:5672", "{a10}"),
    (
        "https",
        "git clone https://bob:{}@git.example.org/x.git",
        "{a20}",
    ),
    (
        "ado",
        "Server=db;User Id=sa;Password={};Encrypt=true",
        "{a6}!{d3}",
    ),
    ("env", "DB_PASSWORD={}", "{z6}{d3}"),
    (
        "yaml",
        "database:\n  user: app\n  password: {}\n  port: 5432",
        "{a14}",
    ),
    (
        "json",
        "{\"user\": \"bob\", \"password\": \"{}\"}",
        "{z7}{d2}",
    ),
    (
        "escaped",
        "{\\\"user\\\": \\\"bob\\\", \\\"password\\\": \\\"{}\\\"}",
        "{z7}{d2}",
    ),
    ("code", "const password = \"{}\";", "{a10}"),
    ("typed", "let password: &str = \"{}\";", "{z5}{d4}"),
    ("python", "login(user='bob', password='{}')", "{z5}{d4}"),
    ("basic", "Authorization: Basic {}", "{a22}=="),
    (
        "bearer",
        "curl -H \"Authorization: Bearer {}\" https://x.example.org",
        "{a40}",
    ),
    ("header", "X-Api-Key: {}", "{a32}"),
    (
        "cookie",
        "Cookie: theme=dark; sessionid={}; lang=en",
        "{l32}",
    ),
    ("curl-user", "curl -u bob:{} https://x.example.org", "{a12}"),
    ("option", "tool --user bob --password={} sync", "{a12}"),
    ("sshpass", "sshpass -p '{}' ssh bob@host", "{a12}"),
    ("pgpass", "PGPASSWORD={} psql -h db", "{a12}"),
    ("sql", "CREATE USER bob IDENTIFIED BY '{}';", "{a12}"),
    ("xml", "<password>{}</password>", "{a12}"),
    ("netrc", "machine host login bob password {}", "{a12}"),
    ("npmrc", "//registry.npmjs.org/:_authToken={}", "{a36}"),
    (
        "kubernetes",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  pass: {}\n",
        "{a12}",
    ),
    (
        "client-secret",
        "client_secret={}&grant_type=client_credentials",
        "{a32}",
    ),
    (
        "otpauth",
        "otpauth://totp/x:bob?secret={}&issuer=x",
        "{B16}23",
    ),
    ("jwt-secret", "JWT_SECRET: '{}'", "{a24}"),
    (
        "private-key",
        "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
        "{b64}\n{b64}\n{b30}==",
    ),
    (
        "openssh",
        "key:\n-----BEGIN OPENSSH PRIVATE KEY-----\n{}\n-----END OPENSSH PRIVATE KEY-----\nend",
        "{b70}\n{b70}",
    ),
    (
        "cut-key",
        "-----BEGIN PRIVATE KEY-----\n{}\n",
        "{b64}\n{b64}",
    ),
    ("visa", "my card is {}, exp 12/29", "card 4 16 4"),
    ("mastercard", "Pay with {} please", "card 55 16 4"),
    ("amex", "AmEx {}.", "card 37 15 0"),
    ("card-json", "{\"card\":\"{}\"}", "card 4 16 0"),
    ("card-hyphens", "the number is {}", "card 52 16 -"),
    ("ethereum", "the private key of my wallet is {}", "0x{h64}"),
    ("bitcoin", "my wallet backup: {}", "K{s51}"),
    ("licence", "the license key is {}", "{U5}-{U5}-{U5}-{U5}"),
];

/// Sentences that say a secret. `%w` is a word and a number, `%m` a mixed password, `%d` four digits, `%c` six digits.
const SAID: &[&str] = &[
    "My password is %w, remember it.",
    "my password is %m",
    "My password is %z.",
    "The wifi password is %w",
    "The WiFi password at the office is \"%m\".",
    "Password: %w",
    "**Password:** `%m`",
    "password = %w",
    "pw: %w",
    "Pass: %w",
    "user: bob, pass: %m",
    "username bob password %w",
    "My login is bob with password %w.",
    "Log in as bob using the password %m please",
    "I changed my password to %w yesterday",
    "We set the admin password to '%m'.",
    "The password for the shared drive is still %w.",
    "The password I use for the bank is %m, don't tell anyone",
    "the root password on that box was %w",
    "My Netflix password's %w",
    "Remember that my email password is: %m",
    "FYI the password for staging: %w",
    "%m is my password",
    "creds: admin / %w",
    "credentials for the router are admin:%w",
    "Passwort: %w",
    "Mein Passwort ist %w.",
    "Mi contraseña es %w.",
    "Mon mot de passe est %w.",
    "A minha senha é %w.",
    "Мой пароль: %w",
    "我的密码是%w。",
    "パスワードは%wです",
    "비밀번호는 %w",
    "the PIN for my card is %d",
    "My PIN is %d.",
    "PIN: %d",
    "my card's pin code is %d, ok?",
    "PIN %d",
    "%d is my PIN",
    "The passcode for the meeting is %c",
    "Passcode: %c",
    "my phone passcode is %d",
    "the door code is %d",
    "The code for the front door is %d.",
    "the gate code: %d",
    "The alarm code at my parents' house is %d",
    "your verification code is %c",
    "Your verification code is: %c. Do not share it.",
    "%c is your Example verification code",
    "Use %c as your login code.",
    "Your one-time password is %c",
    "OTP: %c",
    "Your security code: %c",
    "enter code %c to log in",
    "G-%c is your Google verification code.",
    "CVV: 482",
    "My recovery phrase is apple brave canyon delta early fabric gentle harbor island jungle kitten lemon.",
    "the passphrase is correct horse battery staple",
    "my backup code is %l",
    "My API key is %k, save it",
    "the access token for the bot is %k",
    "Our webhook secret is \"%k\".",
    "the secret key: %k",
    "API key for staging -> %k",
];

const WORDS: &[&str] = &[
    "tulip", "dragon", "Sunshine", "hunter", "monkey", "Falcon", "coffee", "Berlin", "maple",
    "rocket",
];

/// A text and the secret in it.
pub(super) fn planted(seed: u64) -> Vec<(&'static str, String, String)> {
    let mut made = Made::new(seed);
    let mut all = Vec::new();
    for form in TOKENS {
        for place in TOKEN_PLACES {
            let token = made.fill(form);
            let secret = token
                .strip_prefix("vercel token ")
                .unwrap_or(&token)
                .to_owned();
            all.push((*form, place.replacen("{}", &token, 1), secret));
        }
    }
    for (kind, place, form) in PLACES {
        for _ in 0..6 {
            let secret = place_value(&mut made, form);
            all.push((*kind, place.replacen("{}", &secret, 1), secret));
        }
    }
    for sentence in SAID {
        for _ in 0..4 {
            let (text, secret) = said(&mut made, sentence);
            all.push((*sentence, text, secret));
        }
    }
    all
}

fn place_value(made: &mut Made, form: &str) -> String {
    let Some(card) = form.strip_prefix("card ") else {
        return made.fill(form);
    };
    let mut parts = card.split(' ');
    let (prefix, count) = (
        parts.next().unwrap(),
        parts.next().unwrap().parse().unwrap(),
    );
    let number = made.card(prefix, count);
    let separator = match parts.next() {
        Some("4") => " ",
        Some("-") => "-",
        _ => return number,
    };
    let groups: Vec<&str> = (0..count / 4)
        .map(|at| &number[at * 4..at * 4 + 4])
        .collect();
    groups.join(separator)
}

fn said(made: &mut Made, sentence: &str) -> (String, String) {
    let word = made.one(WORDS).to_owned();
    let (mark, secret) = if sentence.contains("%w") {
        ("%w", format!("{word}{}", made.fill("{d2}")))
    } else if sentence.contains("%m") {
        let sign = made.one(&["!", "#", "$", "&", "_", "-"]);
        (
            "%m",
            format!(
                "{}{sign}{word}{}",
                made.fill("{A1}{d1}"),
                made.fill("{d1}{z2}")
            ),
        )
    } else if sentence.contains("%z") {
        ("%z", made.fill("{z8}"))
    } else if sentence.contains("%d") {
        ("%d", made.fill("{d4}"))
    } else if sentence.contains("%c") {
        ("%c", made.fill("{d6}"))
    } else if sentence.contains("%l") {
        ("%l", made.fill("{d1}{l3}-{l3}{d1}"))
    } else if sentence.contains("%k") {
        ("%k", made.fill("{a31}7"))
    } else if sentence.contains("CVV") {
        ("482", "482".to_owned())
    } else {
        let secret = sentence.split(" is ").nth(1).unwrap().trim_end_matches('.');
        (secret, secret.to_owned())
    };
    (sentence.replacen(mark, &secret, 1), secret)
}

#[test]
fn planted_secrets_are_masked() {
    let guard = Guard::default();
    let mut all = 0;
    let mut missed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let kinds: std::collections::BTreeSet<&str> =
        planted(1).iter().map(|(kind, ..)| *kind).collect();
    for seed in 1..=3 {
        for (kind, text, secret) in planted(seed) {
            all += 1;
            let guarded = guard.check(&text);
            if guarded.text.contains(&secret) {
                missed.entry(kind).or_default().push(text);
            }
        }
    }
    let count: usize = missed.values().map(Vec::len).sum();
    println!("{} kinds, {all} planted, {count} missed", kinds.len());
    for (kind, texts) in &missed {
        println!("{kind}: {} missed, such as {}", texts.len(), texts[0]);
    }
    assert!(kinds.len() >= 50);
    assert!(count * 20 <= all, "{count} missed");
}

/// Blocks with a key are the exception: their first and last line go with them.
#[test]
fn a_mask_covers_the_secret_and_no_more() {
    let guard = Guard::default();
    let mut wide: BTreeMap<&str, String> = BTreeMap::new();
    let mut count = 0;
    let mut all = 0;
    for (kind, text, secret) in planted(4) {
        let guarded = guard.check(&text);
        let expected = text.replacen(&secret, "\u{0}", 1);
        let (before, after) = expected.split_once('\u{0}').unwrap();
        all += 1;
        let is_exact = guarded.masked.len() == 1
            && guarded.text.starts_with(before)
            && guarded.text.ends_with(after)
            && guarded.masked[0].span == (before.len()..before.len() + secret.len());
        if !is_exact {
            count += 1;
            wide.insert(kind, format!("{text} -> {}", guarded.text));
        }
    }
    for (kind, example) in &wide {
        println!("{kind}: {example}");
    }
    assert!(count * 50 <= all, "{count} of {all}");
}

#[test]
fn what_was_masked_stays_as_it_is() {
    let guard = Guard::default();
    for (_, text, _) in planted(5) {
        let once = guard.check(&text);
        let twice = guard.check(&once.text);
        assert_eq!(twice.text, once.text, "{text}");
        assert!(twice.masked.is_empty(), "{text}");
    }
}
