//! Prediction markets. Two venues trade the same list of questions, at nearly the same prices.

mod discover;
pub mod kalshi;
mod ledger;
mod market;
pub mod polymarket;
mod positions;
mod price_curve;
mod question;
mod smart_money;
pub mod trades;
mod volumes;

use crate::args::Args;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::row::Data;

pub use market::MARKETS;
pub(super) use smart_money::payment;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    for domain in [polymarket::data, kalshi::data, discover::data, smart_money::data] {
        if let Some(data) = domain(ctx, args)? {
            return Ok(Some(data));
        }
    }
    Ok(None)
}
