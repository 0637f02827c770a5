//! Sender, receiver and value of a blockchain transaction.

use crate::assets::Asset;
use crate::chains;
use crate::context::Context;

/// Sender, receiver, value and call data of a blockchain transaction.
#[derive(Debug)]
pub(super) struct Payment {
    pub(super) from: String,
    pub(super) to: String,
    /// Amount of the chain's native coin, in its smallest unit.
    pub(super) value: u128,
    /// Call data as hexadecimal digits with the prefix `0x`.
    pub(super) input: String,
    pub(super) time: i64,
}

impl Payment {
    /// Creates a transfer between two wallets. A transfer of the native coin has no contract call. A token transfer
    /// calls the contract of the token, and sends no native coin.
    pub(super) fn new(
        ctx: &Context,
        asset: &Asset,
        chain: &str,
        (from, to): (String, String),
        amount: u128,
        time: i64,
    ) -> Self {
        if chains::by_name(chain).is_some_and(|chain| chain.coin == asset.symbol) {
            return Payment { from, to, value: amount, input: "0x".to_owned(), time };
        }
        // The call data encode the contract function `transfer(address,uint256)`.
        let receiver = to.trim_start_matches("0x");
        let input = format!("0xa9059cbb{receiver:0>64}{amount:064x}");
        Payment { from, to: asset.address(ctx), value: 0, input, time }
    }

    /// Creates a transaction that calls the contract `to` without call data and without value.
    pub(super) fn contract_call(from: String, to: String, time: i64) -> Self {
        Payment { from, to, value: 0, input: "0x".to_owned(), time }
    }
}
