//! Tokens of an OAuth 2.1 authorization server: this server is a resource server, and nothing else.
//!
//! A token is a JWT, signed by a key of the set that the configuration names, for this audience (RFC 8707), by this
//! issuer, not expired. Its subject is the user whose memory it reaches; what may be done there stands in `scope` as
//! `memoriter:read memoriter:write` and so on. Algorithms are pinned to those of public keys: `none` and shared secrets
//! are refused whatever the header says.

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use memoriter::core::time::Timestamp;
use memoriter::{Access, Right, Rights, Scope};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Granted, TOKEN_PREFIX};

/// Seconds by which clocks may differ.
const LEEWAY_SECS: i64 = 30;
/// What stands before a right in the claim `scope`.
const SCOPE_PREFIX: &str = "memoriter:";
/// Bytes a token may have.
const TOKEN_BYTES_MAX: usize = 16 * 1024;
const MICROS_PER_SEC: i64 = 1_000_000;

/// Which tokens are taken.
pub struct TokenPolicy {
    issuer: String,
    audience: String,
    tenant: String,
    keys: Vec<(Option<String>, Algorithm, DecodingKey)>,
}

/// Why a policy cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenPolicyError {
    /// The key set is none.
    #[error("the key set is no JWKS document: {why}")]
    Malformed {
        /// What is wrong.
        why: String,
    },
    /// No key can check a signature here.
    #[error(
        "the key set has no public key for RS256, PS256, ES256, ES384 or EdDSA; shared secrets are not taken"
    )]
    NoKey,
    /// The audience is no address of this server.
    #[error("{field} must be an https:// address, or http:// on a loopback address, got `{got}`")]
    NotAnAddress {
        /// The setting.
        field: &'static str,
        /// What was given.
        got: String,
    },
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    exp: i64,
    nbf: Option<i64>,
    scope: Option<String>,
    scp: Option<Vec<String>>,
}

impl TokenPolicy {
    /// Tokens of `issuer` for `audience`, this server's own address, signed by a key of the JWKS document `jwks`; they reach
    /// the store of `tenant`.
    ///
    /// # Errors
    /// When an address is none, or no key of the set can be used.
    pub fn new(
        issuer: &str,
        audience: &str,
        tenant: &str,
        jwks: &str,
    ) -> Result<Self, TokenPolicyError> {
        for (field, got) in [("issuer", issuer), ("audience", audience)] {
            if !is_safe_address(got) {
                let got = got.to_owned();
                return Err(TokenPolicyError::NotAnAddress { field, got });
            }
        }
        let set: JwkSet = serde_json::from_str(jwks).map_err(|error| {
            let why = error.to_string();
            TokenPolicyError::Malformed { why }
        })?;
        let keys: Vec<_> = set.keys.iter().filter_map(usable).collect();
        if keys.is_empty() {
            return Err(TokenPolicyError::NoKey);
        }
        Ok(Self {
            issuer: issuer.to_owned(),
            audience: audience.to_owned(),
            tenant: tenant.to_owned(),
            keys,
        })
    }

    /// What a token allows at `now`; `None` for one that is not taken, whatever is wrong with it.
    #[must_use]
    pub fn check(&self, token: &str, now: Timestamp) -> Option<Granted> {
        if token.len() > TOKEN_BYTES_MAX {
            return None;
        }
        let header = decode_header(token).ok()?;
        let fits = |(id, ..): &&(Option<String>, Algorithm, DecodingKey)| {
            header.kid.is_none() || *id == header.kid
        };
        let claims = self
            .keys
            .iter()
            .filter(fits)
            .find_map(|(_, algorithm, key)| {
                decode::<Claims>(token, key, &self.validation(*algorithm)).ok()
            });
        let claims = claims?.claims;
        // The present is an argument here, as everywhere.
        let now_secs = now.as_micros().div_euclid(MICROS_PER_SEC);
        let is_in_time = now_secs < claims.exp.saturating_add(LEEWAY_SECS)
            && claims
                .nbf
                .is_none_or(|start| start.saturating_sub(LEEWAY_SECS) <= now_secs);
        if !is_in_time {
            return None;
        }
        let within = Scope::from_segments(["user", claims.sub.as_str()]).ok()?;
        let name = format!("{TOKEN_PREFIX}{}", short_hash(&claims.sub));
        Some(Granted {
            tenant: self.tenant.clone(),
            access: Access::new(Some(within), claims.rights()),
            name,
        })
    }

    /// Pins the algorithm to that of the key, whatever the header says.
    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.set_audience(&[&self.audience]);
        validation.set_issuer(&[&self.issuer]);
        validation.set_required_spec_claims(&["exp", "aud", "iss", "sub"]);
        validation.validate_exp = false;
        validation.validate_nbf = false;
        validation
    }

    /// The document of RFC 9728: what this server is, and who gives tokens for it.
    pub(crate) fn metadata(&self) -> Value {
        let scopes: Vec<String> = Right::ALL
            .iter()
            .map(|right| format!("{SCOPE_PREFIX}{}", right.name()))
            .collect();
        json!({
            "resource": self.audience,
            "authorization_servers": [self.issuer],
            "scopes_supported": scopes,
            "bearer_methods_supported": ["header"],
            "resource_name": "Memoriter",
        })
    }

    /// Where that document is.
    pub(crate) fn metadata_address(&self) -> String {
        let (scheme, rest) = self.audience.split_once("://").unwrap_or_default();
        let host = rest.split('/').next().unwrap_or_default();
        format!("{scheme}://{host}/.well-known/oauth-protected-resource")
    }
}

impl Claims {
    fn rights(&self) -> Rights {
        let listed = self.scp.iter().flatten().map(String::as_str);
        let told = self.scope.iter().flat_map(|scope| scope.split(' '));
        let named: Vec<&str> = told.chain(listed).collect();
        let held = Right::ALL.into_iter().filter(|right| {
            let is_it = |name: &&str| name.strip_prefix(SCOPE_PREFIX) == Some(right.name());
            named.iter().any(is_it)
        });
        Rights::of(&held.collect::<Vec<_>>())
    }
}

/// A name for a subject that says nothing about it.
fn short_hash(subject: &str) -> String {
    let hash = blake3::hash(subject.as_bytes()).to_hex();
    hash.chars().take(8).collect()
}

fn usable(jwk: &Jwk) -> Option<(Option<String>, Algorithm, DecodingKey)> {
    let algorithm = match (&jwk.algorithm, jwk.common.key_algorithm) {
        (AlgorithmParameters::RSA(_), None | Some(KeyAlgorithm::RS256)) => Algorithm::RS256,
        (AlgorithmParameters::RSA(_), Some(KeyAlgorithm::PS256)) => Algorithm::PS256,
        (AlgorithmParameters::EllipticCurve(curve), None | Some(KeyAlgorithm::ES256))
            if curve.curve == EllipticCurve::P256 =>
        {
            Algorithm::ES256
        }
        (AlgorithmParameters::EllipticCurve(curve), None | Some(KeyAlgorithm::ES384))
            if curve.curve == EllipticCurve::P384 =>
        {
            Algorithm::ES384
        }
        (AlgorithmParameters::OctetKeyPair(_), None | Some(KeyAlgorithm::EdDSA)) => {
            Algorithm::EdDSA
        }
        _ => return None,
    };
    let key = DecodingKey::from_jwk(jwk).ok()?;
    Some((jwk.common.key_id.clone(), algorithm, key))
}

/// Whether an address keeps a token from being read on the way.
fn is_safe_address(address: &str) -> bool {
    let Some((scheme, rest)) = address.split_once("://") else {
        return false;
    };
    let host = rest.split('/').next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    match scheme {
        "https" => !host.is_empty(),
        "http" => matches!(name, "localhost" | "127.0.0.1" | "[::1]"),
        _ => false,
    }
}
