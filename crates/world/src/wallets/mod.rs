//! Wallets. Every valid address has a wallet with holdings and transfers. The past transfers of a wallet never change.

pub(super) mod address;
mod flows;
mod holders;
pub(super) mod ledger;
mod lists;
mod protocols;
mod views;

use crate::args::Args;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::row::Data;

pub(super) use address::{Wallet, check_address};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    let wallet = || {
        check_address("address", args.text("address").unwrap_or_default())
            .map(|address| Wallet::from_address(&address))
    };
    Ok(Some(match args.operation.id {
        "wallet-detail" => Data::One(views::detail(ctx, args, &wallet()?)),
        "wallet-net-worth" => Data::Rows(views::net_worth(ctx, &wallet()?)),
        "wallet-transfers" => Data::Rows(views::transfers(ctx, args, &wallet()?)),
        "wallet-history" => Data::Rows(views::history(ctx, args, &wallet()?)),
        "wallet-protocols" => Data::Rows(protocols::positions(ctx, &wallet()?)),
        "token-holders" => Data::Rows(lists::holders(ctx, args)?),
        "wallet-labels-batch" => Data::Rows(lists::labels(ctx, args)?),
        "search-wallet" => Data::Rows(lists::search(ctx, args)),
        "portfolio-wallets" => Data::Rows(lists::portfolio(ctx)),
        _ => return Ok(None),
    }))
}
