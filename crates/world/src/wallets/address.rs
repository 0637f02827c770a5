//! Wallet addresses, and the chains to which they belong.
//!
//! The input is the text of an address. The output is the family of chains that use this address format, and the random
//! seed for the wallet's data.

use crate::context::Context;
use crate::random::Seed;
use crate::refusal::Refusal;

/// Checks that an argument is a wallet address. Valid values are `0x` and 40 hexadecimal digits, a name such as
/// `someone.eth`, and an address of Solana or Tron. `param` is the name of the parameter for the error message.
///
/// # Errors
/// Returns an error of kind [`Unfit`](crate::refusal::Kind::Unfit) if the argument is not a wallet address.
pub(crate) fn check_address(param: &str, address: &str) -> Result<String, Refusal> {
    let hex = |text: &str| text.len() == 40 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let other = |text: &str| {
        (32..=44).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let is_name = address.strip_suffix(".eth").is_some_and(|name| !name.is_empty());
    let is_address = match address.strip_prefix("0x") {
        Some(digits) => hex(digits),
        None => is_name || other(address),
    };
    if is_address {
        return Ok(address.to_owned());
    }
    let message = format!(
        "`{param}` must be 0x and 40 hexadecimal digits, or a name ending in .eth, not `{address}`"
    );
    Err(Refusal::unfit(message))
}

/// Returns true if an address consists of one repeated digit, apart from `0x`.
pub(crate) fn is_repeated_digit(address: &str) -> bool {
    let digits = address.strip_prefix("0x").unwrap_or(address).as_bytes();
    digits.len() >= 32 && digits.windows(2).all(|pair| pair[0] == pair[1])
}

/// Base-58 digits of Solana and Tron addresses.
const BASE_58: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Family of chains on which an address is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Evm,
    Solana,
    Tron,
}

/// A wallet with its address. A name such as `someone.eth` is already replaced by an address.
#[derive(Debug, Clone)]
pub(crate) struct Wallet {
    pub(crate) address: String,
    pub(crate) family: Family,
}

impl Wallet {
    /// Creates the wallet of an address that the function [`check_address`] has accepted.
    pub(crate) fn from_address(address: &str) -> Self {
        let resolved = address.to_lowercase();
        if let Some(name) = resolved.strip_suffix(".eth") {
            let address = Seed::new(0).named("name").named(name).hex_number(40);
            return Wallet { address, family: Family::Evm };
        }
        if resolved.starts_with("0x") {
            return Wallet { address: resolved, family: Family::Evm };
        }
        let is_tron = address.len() == 34 && address.starts_with('T');
        let family = if is_tron { Family::Tron } else { Family::Solana };
        Wallet { address: address.to_owned(), family }
    }

    /// Returns counterparty `number` of the wallet, for the token with index `token`. The result does not depend on the
    /// random seed.
    ///
    /// The relation is symmetric: this wallet is also counterparty `number` of the returned wallet.
    pub(super) fn counterparty(&self, token: u8, number: u8) -> Self {
        let seed = Seed::new(0).named("counterparty").at(token.into()).at(number.into());
        let (digits, fixed): (&[u8], _) = match self.family {
            Family::Evm => (b"0123456789abcdef", 2),
            Family::Solana => (BASE_58, 0),
            Family::Tron => (BASE_58, 1),
        };
        // Each digit `d` becomes `m - d`, which becomes `d` again.
        let mirrored = |byte: u8, mirror: u8| match digits.iter().position(|known| *known == byte) {
            Some(digit) => {
                let mirrored = usize::from(mirror) % digits.len() + digits.len() - digit;
                char::from(digits[mirrored % digits.len()])
            }
            None => char::from(byte),
        };
        let (start, rest) = self.address.split_at(fixed);
        let mut address = start.to_owned();
        for (n, chunk) in rest.as_bytes().chunks(8).enumerate() {
            let mirrors = seed.at(n as u64).bits().to_be_bytes();
            address.extend(chunk.iter().zip(mirrors).map(|(byte, mirror)| mirrored(*byte, mirror)));
        }
        Wallet { address, family: self.family }
    }

    pub(crate) fn seed(&self, ctx: &Context) -> Seed {
        ctx.seed.named("wallet").named(&self.address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Kind;

    #[test]
    fn check_address_accepts_addresses_and_rejects_other_texts() {
        for fine in ["0x1111111111111111111111111111111111111111", "someone.eth"] {
            assert!(check_address("address", fine).is_ok(), "{fine}");
        }
        for bad in ["", "0x12", ".eth", "0xzz11111111111111111111111111111111111111"] {
            assert_eq!(check_address("address", bad).unwrap_err().kind, Kind::Unfit, "{bad}");
        }
    }

    #[test]
    fn counterparty_of_counterparty_is_the_wallet() {
        for address in [
            "0x1111111111111111111111111111111111111111".to_owned(),
            "5".repeat(44),
            "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8".to_owned(),
        ] {
            let wallet = Wallet::from_address(&address);
            let other = wallet.counterparty(3, 1);
            assert_ne!(other.address, wallet.address);
            assert_eq!(Wallet::from_address(&other.address).family, wallet.family);
            assert_eq!(other.counterparty(3, 1).address, wallet.address);
        }
    }

    #[test]
    fn wallet_of_name_or_upper_case_equals_wallet_of_address() {
        let named = Wallet::from_address("Someone.eth");
        assert_eq!(
            named.address,
            Wallet::from_address(&named.address.to_uppercase().replace("0X", "0x")).address
        );
        assert_eq!(Wallet::from_address("TJRabPrwbZy45sbavfcjinPJC18kjpRTv8").family, Family::Tron);
        assert_eq!(Wallet::from_address(&"5".repeat(44)).family, Family::Solana);
    }
}
