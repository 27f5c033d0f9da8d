//! What looks like a secret and is none.

use super::made::Made;
use crate::guard::Guard;

/// Texts that must stay. `{h40}` and the like are filled as in `made`.
const TEXTS: &[&str] = &[
    // Documentation and placeholders.
    "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "Set OPENAI_API_KEY=sk-test-1234567890 in your shell",
    "api_key: YOUR_API_KEY",
    "Authorization: Bearer <token>",
    "curl -H 'Authorization: Bearer YOUR_TOKEN_HERE' https://api.example.org",
    "token=xxxxxxxxxxxxxxxxxxxx",
    "password: ********",
    "Your key is sk-xxxxxxxxxxxxxxxxxxxxxxxx",
    "postgres://user:password@localhost:5432/db",
    "postgres://${DB_USER}:${DB_PASS}@localhost/db",
    "export TOKEN=<your-token>",
    "{\"password\": \"<password>\"}",
    "secret: {{ vault.secret }}",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "Replace abc with your API key.",
    // Code that names a key.
    "key = os.environ[\"API_KEY\"]",
    "const token = process.env.TOKEN;",
    "password = get_password()",
    "password = getpass.getpass('Password: ')",
    "let secret = config.client_secret;",
    "def login(user: str, password: str) -> Token:",
    "if password != confirm_password:",
    "self.api_key = api_key",
    "token: Optional[str] = None",
    "password VARCHAR(255) NOT NULL",
    "<input type=\"password\" name=\"password\" placeholder=\"Password\">",
    "fn sign(secret_key: &SecretKey, message: &[u8]) -> Signature",
    "export const getAccessToken = async () => client.fetchToken();",
    "max_tokens=4096, temperature=0.7",
    "{\"password\": {\"type\": \"string\", \"minLength\": 12}}",
    "request.headers['Authorization'] = f'Bearer {token}'",
    "SELECT token, secret FROM accounts WHERE key = ?",
    "keyboard.onKeyPress(key => handle(key.code))",
    "password: ENC[vault]",
    "secretKeyRef:\n  name: db-credentials\n  key: password",
    "API_KEY=$(vault read -field=key secret/app)",
    "\"password\": \"Enter your password\"",
    "assert response.token is not None",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "Token count: 1024 of 8192",
    "token_type: bearer, expires_in: 3600",
    // Digests, identifiers, encodings.
    "fixed in commit {h40}",
    "HEAD is now at {h8} tidy up",
    "sha256: {h64}",
    "MD5 (file.iso) = {h32}",
    "sha512-{b86}==",
    "request id {h8}-{h4}-4{h3}-a{h3}-{h12}",
    "The trace is {h32} and the span {h16}.",
    "cache key: {h64}",
    "idempotency-key: {h8}-{h4}-4{h3}-b{h3}-{h12}",
    "docker pull app@sha256:{h64}",
    "<img src=\"data:image/png;base64,iVBORw0KGgo{b400}==\">",
    "![x](data:image/jpeg;base64,/9j/4AAQ{b400})",
    "https://cdn.example.org/assets/app.{h20}.js",
    "https://www.youtube.com/watch?v={w11}",
    "https://docs.google.com/document/d/{w44}/edit",
    "uuid={h8}-{h4}-4{h3}-9{h3}-{h12}",
    "etag: \"{h32}\"",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{b44} bob@host",
    "public key: ed25519:{s44}",
    "SHA256:{b43} bob@host (ED25519)",
    "tx 0x{h64} was confirmed",
    "-----BEGIN CERTIFICATE-----\n{b64}\n{b64}\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\n{b64}\n{b64}\n-----END PUBLIC KEY-----",
    "\"integrity\": \"sha512-{b86}==\"",
    "version 2.14.0-beta.3+build.{d5}",
    // Numbers.
    "My order number is {d10}.",
    "order 4{d15} has shipped",
    "tracking number 1Z{U16}",
    "Call me at +1 415 555 0{d3}",
    "My phone number is 0151 2{d7}",
    "ISBN 978-3-16-148410-0",
    "The meeting is on 2026-03-14 at 10:30.",
    "timestamp 17{d11}",
    "It costs 1.299.000 euros, 4711 of them in cash.",
    "The message id is 11{d16}.",
    "flight LH{d4}, seat 14C",
    "zip code is 90210",
    "the error code is 404",
    "exit code 137 means it was killed",
    "Use the discount code SAVE20",
    "the area code is 415",
    "country code: +49",
    "Pin 13 drives the LED",
    "version code 20{d6}",
    "room 4711, second floor",
    "10.0.0.{d2}:8080",
    "The combination of red and blue is purple",
    // Sentences about secrets.
    "I forgot my password",
    "I forgot my password again, can you help me reset it?",
    "password must have 12 characters",
    "The password is too short.",
    "My password is wrong.",
    "The password is required.",
    "my password is not working",
    "Your password was changed on 2026-01-05.",
    "the password is case-sensitive",
    "The password has been reset.",
    "Passwords should be at least 12 characters long and contain 1 digit",
    "password is 12 characters long",
    "Please change your password every 90 days",
    "my password manager is 1Password",
    "I use Bitwarden as my password manager",
    "The password reset link expires in 24 hours",
    "What is my password?",
    "the secret is to keep it simple",
    "The secret to good bread is time.",
    "The key is under the mat.",
    "The key is to listen first.",
    "a key takeaway: start early",
    "my PIN is in the safe",
    "I need a new PIN for my card",
    "PIN codes have 4 digits",
    "he never told me the code",
    "Write clean code: tests first",
    "the login page is broken",
    "My login is bob.",
    "log in with Google",
    "Token prices went up 12% in 2025",
    "The access token expires after 3600 seconds.",
    "the api key is stored in 1Password",
    "The API key is invalid.",
    "Pass the salt, please. Pass: yes",
    "He passed: 98 points",
    "Author: Smith, key: C major",
    "The keys are A4 and B5",
    "Session 12 of 20, room B204",
    "my favourite combination is 50/50",
    "We are looking for a token of appreciation: flowers",
    "sk and cs are codes of languages",
    "The secret ingredient is cinnamon and 2 eggs",
    "password: string;",
    "password: required, 8-64 characters",
    "Enter the PIN that you got by mail",
    "The verification code expires in 10 minutes",
    "The confirmation code was sent to +49 151 23456789",
    "mot de passe oublié",
    "Das Passwort ist falsch.",
    "la contraseña es incorrecta",
    "密码是必填项",
    "the password policy is strict: no reuse of the last 5",
    "Our passing rate: 87.5%",
    "compass: north",
    "The Wi-Fi password is on the fridge.",
    "The password is the name of my first dog.",
    "See chapter 12: access control and authentication 2024",
    "I have a key meeting at 10:30, access: room 2B",
];

#[test]
fn lookalikes_stay() {
    let guard = Guard::default();
    let mut altered = Vec::new();
    let mut all = 0;
    for seed in 0..5 {
        let mut made = Made::new(seed);
        for form in TEXTS {
            all += 1;
            let text = fill(&mut made, form);
            let guarded = guard.check(&text);
            if guarded.text != text {
                altered.push(format!("{text} -> {}", guarded.text));
            }
        }
    }
    println!("{all} look-alikes, {} altered", altered.len());
    for text in &altered {
        println!("{text}");
    }
    assert!(altered.len() * 50 <= all, "{} altered", altered.len());
}

/// Fills only what has the form of a class and a count: code has braces of its own.
fn fill(made: &mut Made, form: &str) -> String {
    let mut filled = String::new();
    let mut rest = form;
    while let Some(at) = rest.find('{') {
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
        let part = &rest[at..end];
        let inner = part.trim_matches(['{', '}']);
        let is_class = inner.len() > 1
            && inner[1..].bytes().all(|byte| byte.is_ascii_digit())
            && inner.is_ascii();
        filled.push_str(&rest[..at]);
        if is_class && part.len() == inner.len() + 2 {
            filled.push_str(&made.fill(part));
            rest = &rest[end..];
        } else {
            filled.push('{');
            rest = &rest[at + 1..];
        }
    }
    filled + rest
}
