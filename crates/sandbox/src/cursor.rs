//! Creates and reads cursors. A cursor is an opaque text that contains a position in the list of one query.

use crate::refusal::Refusal;
use crypto_intel_world::random::Seed;

/// Writer and reader of the cursors of a sandbox. Cursors depend on the random seed of the sandbox, so sandboxes with
/// equal seeds accept each other's cursors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursors {
    seed: Seed,
}

const LENGTH: usize = 48;

impl Cursors {
    pub(crate) fn new(seed: Seed) -> Self {
        Cursors { seed: seed.named("cursors") }
    }

    /// Creates a cursor for a position in the list that a query returns. `query` is the hash of this query. As in the
    /// service, cursors for equal positions are different texts if their nonces differ.
    pub(crate) fn write(&self, query: Seed, position: u64, nonce: u64) -> String {
        let masked = position ^ self.mask(nonce);
        format!("{nonce:016x}{masked:016x}{:016x}", self.sign(query, position, nonce))
    }

    /// Returns the position that the cursor `token` contains. `name` is the parameter that contains the cursor.
    ///
    /// # Errors
    /// Returns status 400 for a text that is not a cursor, and for a cursor of another query or of another random seed.
    pub(crate) fn read(&self, name: &str, query: Seed, token: &str) -> Result<u64, Refusal> {
        let read = || {
            if token.len() != LENGTH || !token.is_ascii() {
                return None;
            }
            let part = |n: usize| u64::from_str_radix(&token[16 * n..16 * (n + 1)], 16).ok();
            let (nonce, masked, signature) = (part(0)?, part(1)?, part(2)?);
            let position = masked ^ self.mask(nonce);
            (self.sign(query, position, nonce) == signature).then_some(position)
        };
        read().ok_or_else(|| Refusal::invalid(format!("`{name}` is not a cursor of this query")))
    }

    fn mask(&self, nonce: u64) -> u64 {
        self.seed.at(nonce).named("mask").bits()
    }

    fn sign(&self, query: Seed, position: u64, nonce: u64) -> u64 {
        self.seed.at(query.bits()).at(position).at(nonce).bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_only_for_its_query() {
        let cursors = Cursors::new(Seed::new(1));
        let query = Seed::new(2);
        let token = cursors.write(query, 40, 7);
        assert_ne!(token, cursors.write(query, 40, 8));
        assert_eq!(Cursors::new(Seed::new(1)).read("cursor", query, &token), Ok(40));
        for (query, token) in [
            (Seed::new(3), token.as_str()),
            (query, "nonsense"),
            (query, &token.replace(&token[20..21], "g")),
            (query, &"é".repeat(24)),
        ] {
            assert!(cursors.read("cursor", query, token).is_err(), "{token}");
        }
    }
}
