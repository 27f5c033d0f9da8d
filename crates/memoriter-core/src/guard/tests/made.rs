//! Random values with a form, from a seed.

/// The generator of Steele, Lea and Flood, OOPSLA 2014 (`splitmix64`).
pub(super) struct Made(u64);

impl Made {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % limit as u64).unwrap()
    }

    pub(super) fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    /// Fills `{a36}` with 36 signs of a class: `a` letters and digits, `h` hexadecimal, `d` digits, `U` capitals and
    /// digits, `A` capitals, `l` small letters and digits, `z` small letters, `b` base64, `w` letters, digits, `_`, `-`,
    /// `B` the base32 of AWS, `s` base58, `g` bech32.
    pub(super) fn fill(&mut self, form: &str) -> String {
        let mut filled = String::new();
        let mut rest = form;
        while let Some((before, tail)) = rest.split_once('{') {
            filled.push_str(before);
            let (class, after) = tail.split_once('}').unwrap();
            let count: usize = class[1..].parse().unwrap();
            let signs = signs(&class[..1]);
            for _ in 0..count {
                filled.push(char::from(signs.as_bytes()[self.below(signs.len())]));
            }
            rest = after;
        }
        filled + rest
    }

    /// A number with a check digit by Luhn.
    pub(super) fn card(&mut self, prefix: &str, count: usize) -> String {
        let mut digits: Vec<u8> = prefix.bytes().map(|byte| byte - b'0').collect();
        while digits.len() < count - 1 {
            digits.push(u8::try_from(self.below(10)).unwrap());
        }
        digits.push(0);
        let last = (0..10).find(|last| {
            *digits.last_mut().unwrap() = *last;
            crate::guard::card::luhn(&digits)
        });
        *digits.last_mut().unwrap() = last.unwrap();
        digits
            .iter()
            .map(|digit| char::from(b'0' + digit))
            .collect()
    }
}

fn signs(class: &str) -> &'static str {
    match class {
        "a" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "h" => "0123456789abcdef",
        "d" => "0123456789",
        "U" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "A" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "l" => "abcdefghijklmnopqrstuvwxyz0123456789",
        "z" => "abcdefghijklmnopqrstuvwxyz",
        "b" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "w" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
        "B" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "g" => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
        "s" => "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
        other => panic!("no class {other}"),
    }
}
