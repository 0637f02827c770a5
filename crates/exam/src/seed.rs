//! Seed of an exam. It determines the data of the sandbox, the time of the exam, the credit balance, and the values in
//! the questions.

use std::io;

use crypto_intel_sandbox::UnixSeconds;

/// Earliest time of an exam, as a Unix timestamp in seconds: 1 March 2026.
const FIRST_MOMENT: i64 = 1_772_323_200;
/// Length of the time range from which the time of an exam is chosen, in minutes: 240 days.
const MINUTES: u64 = 240 * 24 * 60;
/// Constant that is mixed into the seed of the sandbox. This constant makes the data of an exam with seed 7
/// differ from the data of `cintel --sandbox --seed 7`.
const DOMAIN: u64 = 0x6578_616d_2077_6f72;

/// Seed of an exam.
///
/// The data of the sandbox depend on the lower 64 bits. The values in questions, such as the time, do not depend on
/// bits 16 to 63. So the examined program cannot compute the data of the sandbox from the questions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seed(u128);

impl Seed {
    /// Creates a seed that the caller chooses. An exam with such a seed is not official.
    #[must_use]
    pub(crate) fn new(number: u128) -> Self {
        Seed(number)
    }

    /// Returns a random seed of 128 bits.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub(crate) fn random() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Seed(u128::from_ne_bytes(bytes)))
    }

    /// Returns the seed as a number.
    #[must_use]
    pub(crate) fn number(self) -> u128 {
        self.0
    }

    /// Returns the random seed with which the sandbox generates its data.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    pub(crate) fn world(self) -> u64 {
        mix(mix(self.0 as u64 ^ DOMAIN))
    }

    /// Returns the time in the exam. The clock of the sandbox stands still at this time, so that the right answers do
    /// not change during the exam.
    pub(crate) fn exam_time(self) -> UnixSeconds {
        let minutes = i64::try_from(self.choice("time") % MINUTES).unwrap_or_default();
        UnixSeconds(FIRST_MOMENT + 60 * minutes)
    }

    /// Returns the credit balance of the account at the start. The balance is more than any task can spend, and differs
    /// between exams.
    pub(crate) fn credits(self) -> i64 {
        1_000_000 + i64::try_from(mix(self.world()) % 9_000_000).unwrap_or_default()
    }

    /// Returns a random number that depends only on the seed and `name`. For example, the number for the name `time`
    /// determines the time of the exam.
    #[expect(clippy::cast_possible_truncation, reason = "the upper half")]
    pub(crate) fn choice(self, name: &str) -> u64 {
        let start = mix((self.0 >> 64) as u64 ^ mix(self.0 as u64 & u64::from(u16::MAX)));
        name.bytes().fold(start, |hash, byte| mix(hash ^ u64::from(byte)))
    }
}

/// Writes only the name of the type, because logs must not contain the seed before the exam ends.
impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed")
    }
}

/// Mixes the bits of a number with one step of the random number generator `SplitMix64`.
pub(crate) fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn world_of_a_short_seed_is_not_that_of_a_sandbox() {
        let mut worlds: Vec<u64> = (0..1000).map(|number| Seed::new(number).world()).collect();
        assert!(worlds.iter().all(|world| *world > 1 << 32), "{worlds:?}");
        worlds.sort_unstable();
        worlds.dedup();
        assert_eq!(worlds.len(), 1000);
    }

    #[test]
    fn half_of_the_seed_decides_what_tasks_show() {
        let (one, other) = (Seed::new(5 << 64 | 7 << 16), Seed::new(5 << 64 | 9 << 16));
        assert_eq!((one.exam_time(), one.choice("x")), (other.exam_time(), other.choice("x")));
        assert_ne!(one.world(), other.world());
    }
}
