//! Random values without mutable state. Each value is a hash of its position in a tree of seeds.
//!
//! A [`Seed`] is a node of this tree. A node returns the same values in any order of calls and in any process.

/// A random seed: a node in a tree of seeds. Methods derive child seeds and random values from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(u64);

/// Mixes bits like the finaliser of `SplitMix64`: every bit of the input affects every bit of the result.
const fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Converts the index of a child seed to a hash. The hash is mixed with the parent seed to make the child seed.
const fn child_hash(n: u64) -> u64 {
    mix(n ^ 0x5851_f42d_4c95_7f2d)
}

impl Seed {
    /// Creates the root of a tree of seeds. Equal numbers `seed` create equal trees.
    pub const fn new(seed: u64) -> Self {
        Seed(seed)
    }

    /// Derives the child seed with this name.
    pub fn named(self, name: &str) -> Self {
        // The FNV-1a hash of the name is mixed, because similar names have similar hashes.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| {
            (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
        });
        Seed(mix(self.0 ^ mix(hash)))
    }

    /// Derives the child seed with index `n`.
    pub fn at(self, n: u64) -> Self {
        Seed(mix(self.0 ^ child_hash(n)))
    }

    /// Derives the child seed with index `n`. The index may be negative, for example a Unix time before 1970.
    pub fn at_time(self, n: i64) -> Self {
        self.at(n.cast_unsigned())
    }

    /// Returns 64 random bits.
    pub fn bits(self) -> u64 {
        mix(self.0)
    }

    /// Returns a random number, at least 0 and below 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double exactly")]
    pub fn unit(self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a random number, at least `low` and below `high`.
    pub fn between(self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Returns a random number, at least `low` and below `high`. The logarithm of the number is uniformly distributed.
    // Inlining lets the compiler compute the logarithms of constant bounds.
    #[inline]
    pub fn magnitude(self, low: f64, high: f64) -> f64 {
        (self.between(low.ln(), high.ln())).exp()
    }

    /// Returns a random number with an approximately normal distribution: mean 0, standard deviation 1, and between
    /// -3.5 and 3.5.
    pub fn bell(self) -> f64 {
        // Most random values use these keys, so the keys of the four child seeds are computed at compile time.
        const CHILDREN: [u64; 4] = [child_hash(0), child_hash(1), child_hash(2), child_hash(3)];
        let sum: f64 = CHILDREN.iter().map(|child| Seed(mix(self.0 ^ child)).unit()).sum();
        (sum - 2.0) * 3.0_f64.sqrt()
    }

    /// Returns a random integer below `n`, or 0 if `n` is 0.
    pub fn below(self, n: u64) -> u64 {
        if n == 0 { 0 } else { self.bits() % n }
    }

    /// Returns a random integer from `low` to `high`, both included.
    pub fn range(self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).unsigned_abs()).cast_signed()
    }

    /// Returns true with the given probability, which is a number from 0 to 1.
    pub fn chance(self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Returns a random item of a list. Panics if the list is empty.
    pub fn pick<T: Copy>(self, items: &[T]) -> T {
        items[usize::try_from(self.below(items.len() as u64)).unwrap_or(0)]
    }

    /// Returns a string of `digits` random hexadecimal digits in lower case.
    pub fn hex(self, digits: usize) -> String {
        let mut text = String::with_capacity(digits);
        self.push_hex(digits, &mut text);
        text
    }

    /// Returns `0x` and random hexadecimal digits, as in EVM addresses.
    pub(crate) fn hex_number(self, digits: usize) -> String {
        let mut text = String::with_capacity(2 + digits);
        text.push_str("0x");
        self.push_hex(digits, &mut text);
        text
    }

    fn push_hex(self, digits: usize, text: &mut String) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        for n in 0..digits.div_ceil(16) {
            let bits = self.at(n as u64).bits();
            let count = (digits - 16 * n).min(16);
            let digit = |place: usize| DIGITS[(bits >> (60 - 4 * place)) as usize & 15];
            text.extend((0..count).map(|place| char::from(digit(place))));
        }
    }

    /// Returns a random UUID of version 4.
    pub fn uuid(self) -> String {
        let hex = self.hex(32);
        let variant = ["8", "9", "a", "b"][usize::from(hex.as_bytes()[16] & 3)];
        let mut text = String::with_capacity(36);
        for part in [
            &hex[..8],
            "-",
            &hex[8..12],
            "-4",
            &hex[13..16],
            "-",
            variant,
            &hex[17..20],
            "-",
            &hex[20..],
        ] {
            text.push_str(part);
        }
        text
    }

    /// Returns a string of `count` random decimal digits. The first digit is not 0.
    pub fn digits(self, count: usize) -> String {
        let digit = |n: u64| if n == 0 { 1 + self.at(n).below(9) } else { self.at(n).below(10) };
        let mut text = String::with_capacity(count);
        text.extend((0..count as u64).map(|n| char::from(b'0' + digit(n) as u8)));
        text
    }

    /// Returns a string of `count` random base-58 digits, as in Solana addresses.
    pub fn base58(self, count: usize) -> String {
        const ALPHABET: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
        let mut text = String::with_capacity(count);
        text.extend((0..count as u64).map(|n| char::from(self.at(n).pick(ALPHABET))));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_with_equal_paths_are_equal_and_others_differ() {
        let root = Seed::new(7);
        assert_eq!(root.named("a").at(3), root.named("a").at(3));
        assert_ne!(root.named("a").bits(), root.named("b").bits());
        assert_ne!(root.at(0).bits(), root.at(1).bits());
    }

    #[test]
    fn values_stay_in_their_range() {
        for n in 0..1_000 {
            let seed = Seed::new(1).at(n);
            assert!((0.0..1.0).contains(&seed.unit()));
            assert!((5..=7).contains(&seed.range(5, 7)));
            assert!((10.0..1000.1).contains(&seed.magnitude(10.0, 1000.0)));
            assert!(seed.bell().abs() <= 3.5);
        }
        let mean: f64 = (0..10_000).map(|n| Seed::new(2).at(n).unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }

    #[test]
    fn random_texts_have_required_length_and_format() {
        let seed = Seed::new(3);
        assert_eq!(seed.hex(40).len(), 40);
        assert_eq!(seed.uuid().len(), 36);
        assert_eq!(seed.uuid().as_bytes()[14], b'4');
        assert_eq!(seed.digits(19).len(), 19);
        assert!(!seed.digits(19).starts_with('0'));
    }
}
