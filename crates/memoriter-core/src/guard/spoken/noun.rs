//! The nouns that name a secret.

use std::ops::Range;

/// What a value behind a noun looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::guard) enum Class {
    /// Almost any word.
    Password,
    /// Several words.
    Phrase,
    /// Digits, or a few signs with a digit.
    Pin,
    /// The three or four digits on a card.
    CardCode,
    /// Digits, or a few capitals with a digit, sent to prove who somebody is.
    Code,
    /// Only "code", which says too little on its own.
    BareCode,
    /// Something random.
    Key,
}

impl Class {
    /// The kind in the mask.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Phrase => "passphrase",
            Self::Pin => "pin",
            Self::Code | Self::BareCode => "one-time-code",
            Self::CardCode => "card-code",
            Self::Key => "token",
        }
    }
}

/// A noun and what its value looks like.
pub(in crate::guard) struct Noun {
    pub(in crate::guard) word: &'static str,
    pub(in crate::guard) class: Class,
}

const fn noun(word: &'static str, class: Class) -> Noun {
    Noun { word, class }
}

impl Noun {
    /// Whether the noun stands as a word of its own, not as a part of one or of a name in a program. Scripts without
    /// spaces have no such ends.
    pub(super) fn stands(&self, text: &str, span: &Range<usize>) -> bool {
        let before = text
            .get(..span.start)
            .and_then(|text| text.chars().next_back());
        let after = text.get(span.end..).and_then(|text| text.chars().next());
        let is_spaced = self.word.chars().all(|c| c < '\u{3000}');
        let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        // "spin" and "pins" are caught above; a pin on a board and a pin code of a post office are not PINs.
        !is_spaced || !(joins(before) || joins(after) || after == Some('-'))
    }
}

/// Every noun. English has the most; the others are those of passwords in the languages with most speakers online.
pub(in crate::guard) static NOUNS: &[Noun] = &[
    noun("password", Class::Password),
    noun("passwd", Class::Password),
    noun("passphrase", Class::Phrase),
    noun("pass phrase", Class::Phrase),
    noun("pwd", Class::Password),
    noun("pw", Class::Password),
    noun("pass", Class::Password),
    noun("passwort", Class::Password),
    noun("kennwort", Class::Password),
    noun("contraseña", Class::Password),
    noun("clave", Class::Password),
    noun("mot de passe", Class::Password),
    noun("parola d'ordine", Class::Password),
    noun("senha", Class::Password),
    noun("mdp", Class::Password),
    noun("wachtwoord", Class::Password),
    noun("hasło", Class::Password),
    noun("пароль", Class::Password),
    noun("Пароль", Class::Password),
    noun("密码", Class::Password),
    noun("密碼", Class::Password),
    noun("口令", Class::Password),
    noun("パスワード", Class::Password),
    noun("비밀번호", Class::Password),
    noun("password hint answer", Class::Password),
    noun("seed phrase", Class::Phrase),
    noun("recovery phrase", Class::Phrase),
    noun("mnemonic phrase", Class::Phrase),
    noun("mnemonic", Class::Phrase),
    noun("seed words", Class::Phrase),
    noun("pin", Class::Pin),
    noun("pin code", Class::Pin),
    noun("pin number", Class::Pin),
    noun("puk", Class::Pin),
    noun("passcode", Class::Pin),
    noun("pass code", Class::Pin),
    noun("access code", Class::Pin),
    noun("entry code", Class::Pin),
    noun("door code", Class::Pin),
    noun("gate code", Class::Pin),
    noun("garage code", Class::Pin),
    noun("alarm code", Class::Pin),
    noun("safe code", Class::Pin),
    noun("lockbox code", Class::Pin),
    noun("keypad code", Class::Pin),
    noun("unlock code", Class::Pin),
    noun("lock combination", Class::Pin),
    noun("safe combination", Class::Pin),
    noun("combination", Class::Pin),
    noun("cvv", Class::CardCode),
    noun("cvc", Class::CardCode),
    noun("cvv2", Class::CardCode),
    noun("card security code", Class::CardCode),
    noun("geheimzahl", Class::Pin),
    noun("türcode", Class::Pin),
    noun("code secret", Class::Pin),
    noun("code pin", Class::Pin),
    noun("código pin", Class::Pin),
    noun("verification code", Class::Code),
    noun("security code", Class::Code),
    noun("login code", Class::Code),
    noun("log-in code", Class::Code),
    noun("sign-in code", Class::Code),
    noun("signin code", Class::Code),
    noun("authentication code", Class::Code),
    noun("auth code", Class::Code),
    noun("authorization code", Class::Code),
    noun("confirmation code", Class::Code),
    noun("activation code", Class::Code),
    noun("reset code", Class::Code),
    noun("2fa code", Class::Code),
    noun("mfa code", Class::Code),
    noun("two-factor code", Class::Code),
    noun("sms code", Class::Code),
    noun("one-time code", Class::Code),
    noun("one time code", Class::Code),
    noun("one-time password", Class::Code),
    noun("one time password", Class::Code),
    noun("one-time passcode", Class::Code),
    noun("one-time pin", Class::Code),
    noun("otp", Class::Code),
    noun("otp code", Class::Code),
    noun("totp", Class::Code),
    noun("recovery code", Class::Code),
    noun("backup code", Class::Code),
    noun("recovery codes", Class::Code),
    noun("backup codes", Class::Code),
    noun("bestätigungscode", Class::Code),
    noun("código de verificación", Class::Code),
    noun("code de vérification", Class::Code),
    noun("验证码", Class::Code),
    noun("код подтверждения", Class::Code),
    noun("code", Class::BareCode),
    noun("código", Class::BareCode),
    noun("codice", Class::BareCode),
    noun("api key", Class::Key),
    noun("api-key", Class::Key),
    noun("apikey", Class::Key),
    noun("api token", Class::Key),
    noun("access key", Class::Key),
    noun("access token", Class::Key),
    noun("refresh token", Class::Key),
    noun("auth token", Class::Key),
    noun("bearer token", Class::Key),
    noun("session token", Class::Key),
    noun("secret key", Class::Key),
    noun("secret access key", Class::Key),
    noun("client secret", Class::Key),
    noun("webhook secret", Class::Key),
    noun("signing secret", Class::Key),
    noun("shared secret", Class::Key),
    noun("private key", Class::Key),
    noun("encryption key", Class::Key),
    noun("license key", Class::Key),
    noun("licence key", Class::Key),
    noun("product key", Class::Key),
    noun("recovery key", Class::Key),
    noun("deploy key", Class::Key),
    noun("wallet key", Class::Key),
    noun("totp secret", Class::Key),
    noun("token", Class::Key),
    noun("secret", Class::Key),
    noun("key", Class::Key),
];
