//! Tokens of an authorization server.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer, SigningKey};
use memoriter::SystemClock;
use memoriter::core::port::Clock;
use memoriter_server::credential::token::TokenPolicy;
use serde_json::{Value, json};

use crate::client::Served;

const ISSUER: &str = "https://login.example.org";
const AUDIENCE: &str = "https://memory.example.org/mcp";

fn signing_key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

fn part(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

fn jwks() -> String {
    let public = URL_SAFE_NO_PAD.encode(signing_key(7).verifying_key().as_bytes());
    let key = json!({"kty": "OKP", "crv": "Ed25519", "x": public, "kid": "k1", "alg": "EdDSA", "use": "sig"});
    json!({ "keys": [key] }).to_string()
}

fn now_secs() -> i64 {
    SystemClock.now().as_micros() / 1_000_000
}

fn claims() -> Value {
    json!({"iss": ISSUER, "aud": AUDIENCE, "sub": "priya", "exp": now_secs() + 600,
        "scope": "openid memoriter:read memoriter:write"})
}

fn signed(header: &Value, claims: &Value, seed: u8) -> String {
    let text = format!("{}.{}", part(header), part(claims));
    let signature = signing_key(seed).sign(text.as_bytes());
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes()))
}

fn token(change: impl FnOnce(&mut Value)) -> String {
    let mut claims = claims();
    change(&mut claims);
    signed(
        &json!({"alg": "EdDSA", "typ": "JWT", "kid": "k1"}),
        &claims,
        7,
    )
}

fn served() -> Served {
    Served::start_with(|settings, _| {
        settings.tokens = Some(TokenPolicy::new(ISSUER, AUDIENCE, "default", &jwks()).unwrap());
    })
}

#[test]
fn a_token_reaches_its_subject_with_the_rights_in_its_scope() {
    let served = served();
    let priya = served.caller_with(&token(|_| {}));
    priya
        .post("/v1/memories", &json!({"text": "I live in Berlin"}))
        .ok();
    let listed = priya.get("/v1/memories").ok();
    assert_eq!(listed["memories"][0]["scope"], json!(["user", "priya"]));
    assert_eq!(priya.get("/v1/memories?user_id=emma").status, 403);
    assert_eq!(
        priya
            .post("/v1/forget", &json!({"key": "user.city"}))
            .status,
        403
    );
    let several = token(|claims| claims["aud"] = json!(["https://a.example.org", AUDIENCE]));
    assert_eq!(served.caller_with(&several).get("/v1/memories").status, 200);
    let listed = token(|claims| {
        claims["scope"] = json!(null);
        claims["scp"] = json!(["memoriter:read"]);
    });
    assert_eq!(served.caller_with(&listed).get("/v1/memories").status, 200);
    let nothing = token(|claims| claims["scope"] = json!("openid read all"));
    assert_eq!(served.caller_with(&nothing).get("/v1/memories").status, 403);
}

#[test]
fn what_is_not_meant_for_this_server_is_refused() {
    let served = served();
    let now = now_secs();
    let none = format!(
        "{}.{}.",
        part(&json!({"alg": "none", "typ": "JWT"})),
        part(&claims())
    );
    let unsigned = format!(
        "{}.{}.",
        part(&json!({"alg": "EdDSA", "kid": "k1"})),
        part(&claims())
    );
    // A public key taken for a shared secret, and other tricks with the header.
    let headers = [
        json!({"alg": "HS256", "kid": "k1"}),
        json!({"alg": "RS256", "kid": "k1"}),
        json!({"alg": "EdDSA", "kid": "k2"}),
        json!({"kid": "k1"}),
    ];
    let by_header = headers.map(|header| signed(&header, &claims(), 7));
    let by_other_key = signed(&json!({"alg": "EdDSA", "kid": "k1"}), &claims(), 8);
    let changed = {
        let good = token(|_| {});
        let mut parts: Vec<String> = good.split('.').map(str::to_owned).collect();
        let mut claims = claims();
        claims["sub"] = json!("emma");
        parts[1] = part(&claims);
        parts.join(".")
    };
    let by_claim = [
        token(|claims| claims["aud"] = json!("https://other.example.org")),
        token(|claims| claims["aud"] = json!(null)),
        token(|claims| claims["iss"] = json!("https://evil.example.org")),
        token(|claims| claims["exp"] = json!(now - 120)),
        token(|claims| claims["exp"] = json!(null)),
        token(|claims| claims["nbf"] = json!(now + 600)),
        token(|claims| claims["sub"] = json!(null)),
        token(|claims| claims["sub"] = json!("")),
    ];
    let refused = [none, unsigned, by_other_key, changed]
        .into_iter()
        .chain(by_header)
        .chain(by_claim);
    for (number, token) in refused.enumerate() {
        let answer = served.caller_with(&token).get("/v1/memories");
        assert_eq!(answer.status, 401, "{number}: {token}");
        assert_eq!(
            answer.header("www-authenticate"),
            Some(
                "Bearer resource_metadata=\"https://memory.example.org/.well-known/oauth-protected-resource\""
            )
        );
    }
    assert_eq!(served.caller().get("/v1/memories").status, 401);
    assert_eq!(
        served
            .caller_with(&token(|_| {}))
            .get("/v1/memories")
            .status,
        200
    );
}

#[test]
fn who_gives_tokens_is_told_to_everybody() {
    let served = served();
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
    ] {
        let told = served.caller().get(path).ok();
        assert_eq!(told["resource"], AUDIENCE);
        assert_eq!(told["authorization_servers"], json!([ISSUER]));
        assert_eq!(told["bearer_methods_supported"], json!(["header"]));
    }
    assert_eq!(
        Served::start()
            .caller()
            .get("/.well-known/oauth-protected-resource")
            .status,
        404
    );
}

#[test]
fn a_policy_needs_safe_addresses_and_public_keys() {
    let policy = |issuer: &str, audience: &str, jwks: &str| {
        TokenPolicy::new(issuer, audience, "default", jwks).is_ok()
    };
    assert!(policy(ISSUER, AUDIENCE, &jwks()));
    assert!(policy(ISSUER, "http://localhost:7077", &jwks()));
    assert!(!policy("http://login.example.org", AUDIENCE, &jwks()));
    assert!(!policy(ISSUER, "memory", &jwks()));
    assert!(!policy(ISSUER, AUDIENCE, "{}"));
    assert!(!policy(ISSUER, AUDIENCE, r#"{"keys":[]}"#));
    assert!(!policy(
        ISSUER,
        AUDIENCE,
        r#"{"keys":[{"kty":"oct","k":"c2VjcmV0","alg":"HS256"}]}"#
    ));
}
