//! Blockchains: coins, block numbers, gas prices and address formats.

use crate::args::Args;
use crate::context::Context;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::timestamp::HOUR;

/// A blockchain whose transactions can be looked up by hash.
#[derive(Debug, PartialEq)]
pub struct Chain {
    pub(super) name: &'static str,
    pub(super) id: u64,
    /// Ticker of the coin that pays for gas.
    pub(super) coin: &'static str,
    /// Usual price of one unit of gas, in billionths of the coin.
    gwei: f64,
}

const fn chain(name: &'static str, id: u64, coin: &'static str, gwei: f64) -> Chain {
    Chain { name, id, coin, gwei }
}

/// Chains whose addresses are `0x` and 40 hexadecimal digits. Transaction hashes contain the index of the chain in this
/// list, so new chains must be added at the end of the list.
pub(super) static CHAINS: &[Chain] = &[
    chain("ethereum", 1, "ETH", 4.0),
    chain("polygon", 137, "POL", 32.0),
    chain("bsc", 56, "BNB", 0.9),
    chain("arbitrum", 42_161, "ETH", 0.02),
    chain("optimism", 10, "ETH", 0.004),
    chain("base", 8_453, "ETH", 0.006),
    chain("avalanche", 43_114, "AVAX", 1.6),
    chain("fantom", 250, "FTM", 9.0),
    chain("linea", 59_144, "ETH", 0.05),
    chain("cyber", 7_560, "ETH", 0.003),
];

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    if args.operation.id != "onchain-gas-price" {
        return Ok(None);
    }
    let name = args.text("chain").unwrap_or_default();
    let chain =
        by_name(name).ok_or_else(|| Refusal::not_found(format!("no chain is called `{name}`")))?;
    let wei = chain.gas_price(ctx, ctx.now);
    let given = record!(OnchainGasPriceItem {
        chain: chain.name,
        gas_price: wei.to_string(),
        gas_price_gwei: wei as f64 / 1e9,
    });
    Ok(Some(Data::One(Row::new(ctx.seed.named("gas").named(name), ctx.now, given))))
}

/// Finds a chain by its long name, for example `ethereum`.
pub fn by_name(name: &str) -> Option<&'static Chain> {
    CHAINS.iter().find(|chain| chain.name == name)
}

impl Chain {
    /// Returns the gas price at a Unix time, in the smallest unit of the chain's coin. The gas price is the usual price
    /// times two random factors. One factor is from 0.6 to 1.7 and changes every hour. The other factor is from 0.9 to
    /// 1.1 and changes with every block.
    pub fn gas_price(&self, ctx: &Context, time: i64) -> u64 {
        let seed = ctx.seed.named("gas").named(self.name);
        let hour = seed.at_time(time.div_euclid(HOUR)).between(0.6, 1.7);
        let block = seed.named("block").at_time(block(self.name, time)).between(0.9, 1.1);
        (self.gwei * hour * block * 1e9).round() as u64
    }
}

/// Returns the number of the newest block of a chain at a Unix time. The time between blocks is constant.
pub fn block(chain: &str, time: i64) -> i64 {
    let (first, seconds) = match chain {
        "ethereum" => (1_438_269_973, 14),
        "solana" => (1_584_282_000, 1),
        _ => (1_600_000_000, 2),
    };
    (time - first) / seconds
}

/// Generates a random address in the format of a chain.
pub(super) fn address(seed: Seed, chain: &str) -> String {
    match chain {
        "solana" => seed.base58(44),
        "tron" => format!("T{}", seed.base58(33)),
        _ => seed.hex_number(40),
    }
}
