//! Hashes of invented transactions. A hash looks random, but it encodes the values that identify the transaction: kind,
//! chain, address, time slot and index. A lookup decodes these values and generates the transaction again, so the
//! sandbox stores no hashes.

use crate::chains::CHAINS;
use crate::random::Seed;

/// Kind of an invented transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransactionKind {
    /// A transfer between a wallet and one of its counterparties (module `wallets`). The hash encodes one of the two
    /// addresses, the first in alphabetical order.
    Wallet,
    /// A transfer from the list of a token's transfers (module `transfers`). The hash encodes the address of the token
    /// contract.
    Token,
    /// A trade of a token on a decentralised exchange. The hash encodes the address of the token contract.
    Trade,
    /// A trade in a prediction market. The hash encodes the number of the market instead of an address.
    Prediction,
}

const KINDS: [TransactionKind; 4] = [
    TransactionKind::Wallet,
    TransactionKind::Token,
    TransactionKind::Trade,
    TransactionKind::Prediction,
];

/// Values that identify an invented transaction: kind, chain, address, time slot and index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TransactionPlace {
    pub(super) kind: TransactionKind,
    pub(super) chain: &'static str,
    pub(super) address: [u8; 20],
    /// Time slot of the transaction. For the kind `Wallet`, this is the number of days since 1970-01-01. For all other
    /// kinds, this is the number of hours since then.
    pub(super) slot: i64,
    /// Number that distinguishes the transactions with the same kind, chain, address and time slot. For the kind
    /// `Wallet`, the number encodes the token and the counterparty. For all other kinds, the number is an index that
    /// starts at 0.
    pub(super) n: u8,
}

const PLAIN: usize = 27;
const CHECK: usize = 5;

impl TransactionPlace {
    /// Creates the data from which the hash of a transaction is computed. Returns `None` for a chain whose transaction
    /// hashes have another format, and for an address that is not `0x` and 40 hexadecimal digits.
    pub(super) fn new(
        kind: TransactionKind,
        chain: &str,
        address: &str,
        slot: i64,
        n: u8,
    ) -> Option<Self> {
        let chain = CHAINS.iter().find(|known| known.name == chain)?.name;
        Some(TransactionPlace { kind, chain, address: parse_bytes(address)?, slot, n })
    }

    /// Returns the field `address` as a string: `0x` and 40 hexadecimal digits in lower case.
    pub(super) fn address(&self) -> String {
        let digits: String = self.address.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("0x{digits}")
    }

    pub(super) fn hash(&self) -> String {
        let mut plain = [0; PLAIN];
        plain[0] = KINDS.iter().position(|kind| *kind == self.kind).unwrap_or(0) as u8;
        plain[1] = CHAINS.iter().position(|chain| chain.name == self.chain).unwrap_or(0) as u8;
        plain[2] = self.n;
        plain[3..7].copy_from_slice(&(self.slot as u32).to_be_bytes());
        plain[7..].copy_from_slice(&self.address);
        let checksum = checksum(&plain);
        mask(&mut plain, checksum);
        let mut text = String::with_capacity(66);
        text.push_str("0x");
        for byte in checksum.to_be_bytes()[8 - CHECK..].iter().chain(&plain) {
            for digit in [byte >> 4, byte & 15] {
                text.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
            }
        }
        text
    }

    /// Decodes the hash of an invented transaction to the values that identify the transaction. Returns `None` for any
    /// other text, for example if the checksum in the hash is wrong.
    pub(super) fn from_hash(hash: &str) -> Option<Self> {
        let all: [u8; CHECK + PLAIN] = parse_bytes(hash)?;
        let mut wide = [0; 8];
        wide[8 - CHECK..].copy_from_slice(&all[..CHECK]);
        let expected = u64::from_be_bytes(wide);
        let mut plain = [0; PLAIN];
        plain.copy_from_slice(&all[CHECK..]);
        mask(&mut plain, expected);
        if checksum(&plain) != expected {
            return None;
        }

        let mut address = [0; 20];
        address.copy_from_slice(&plain[7..]);
        Some(TransactionPlace {
            kind: *KINDS.get(usize::from(plain[0]))?,
            chain: CHAINS.get(usize::from(plain[1]))?.name,
            n: plain[2],
            slot: i64::from(u32::from_be_bytes([plain[3], plain[4], plain[5], plain[6]])),
            address,
        })
    }
}

/// Parses a string of `0x` and hexadecimal digits into bytes.
fn parse_bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.strip_prefix("0x")?.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        let value = |digit: u8| char::from(digit).to_digit(16);
        *byte = (value(pair[0])? * 16 + value(pair[1])?) as u8;
    }
    Some(bytes)
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_be_bytes(word)
    })
}

/// Returns the checksum of `plain`: the encoded kind, chain, address, time slot and index of a transaction. The
/// checksum does not depend on the random seed of the sandbox. So a hash in the documentation can be decoded in a
/// sandbox with any seed.
fn checksum(plain: &[u8; PLAIN]) -> u64 {
    let seed = words(plain).fold(Seed::new(0).named("transaction"), |seed, word| seed.at(word));
    seed.bits() >> (64 - 8 * CHECK)
}

/// Masks the bytes in `plain`, so that they look random. These bytes encode the kind, chain, address, time slot and
/// index of a transaction. A second call with the same `checksum` restores the bytes.
fn mask(plain: &mut [u8; PLAIN], checksum: u64) {
    let seed = Seed::new(0).named("mask").at(checksum);
    for (n, chunk) in plain.chunks_mut(8).enumerate() {
        let stream = seed.at(n as u64).bits().to_be_bytes();
        for (byte, mask) in chunk.iter_mut().zip(stream) {
            *byte ^= mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_round_trips_and_other_texts_are_rejected() {
        let address = format!("0x{}", "2a".repeat(20));
        let place =
            TransactionPlace::new(TransactionKind::Token, "base", &address, 490_899, 1).unwrap();
        let hash = place.hash();
        assert_eq!(hash.len(), 66);
        assert_eq!(TransactionPlace::from_hash(&hash), Some(place.clone()));
        assert_eq!(
            TransactionPlace::from_hash(&hash.to_uppercase().replace("0X", "0x")),
            Some(place.clone())
        );
        assert_eq!(place.address(), address);
        let other = TransactionPlace { n: 0, ..place };
        assert_ne!(other.hash()[..20], hash[..20]);
        for n in 0..1_000 {
            assert_eq!(TransactionPlace::from_hash(&Seed::new(n).hex_number(64)), None);
        }
        for bad in ["", "0x12", &"0".repeat(66), &format!("0x{}", "g".repeat(64))] {
            assert_eq!(TransactionPlace::from_hash(bad), None);
        }
    }
}
