//! Wallets: any well-formed address is one, and always holds the same.

use serde_json::{Value, json};

use crate::args::Args;
use crate::context::Context;
use crate::fill::number::round;
use crate::moment::DAY;
use crate::random::Seed;
use crate::refusal::Refusal;

use super::assets::{ASSETS, Asset};
use super::tokens;
use super::{Data, Row};

pub(super) fn data(ctx: &Context<'_>, args: &Args) -> Result<Option<Data>, Refusal> {
    let asked = || read(args.text("address").unwrap_or_default());
    Ok(Some(match args.operation.id {
        "wallet-detail" => Data::One(detail(ctx, args, &asked()?)),
        "wallet-net-worth" => Data::Rows(net_worth(ctx, &asked()?)),
        "wallet-transfers" => Data::Rows(transfers(ctx, args, &asked()?)),
        "wallet-labels-batch" => Data::Rows(
            args.list("addresses")
                .into_iter()
                .map(|address| {
                    let address = read(address)?;
                    let label = tokens::label(seed(ctx, &address), address.as_str().into());
                    Ok(Row::new(seed(ctx, &address), ctx.now, label))
                })
                .collect::<Result<_, Refusal>>()?,
        ),
        _ => return Ok(None),
    }))
}

/// An address as the service takes it: `0x` and 40 digits, a name such as `someone.eth`, or the
/// address of another chain.
///
/// # Errors
/// 422 for anything else.
pub(super) fn read(address: &str) -> Result<String, Refusal> {
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
        "`address` must be 0x and 40 hexadecimal digits, or a name ending in .eth, not `{address}`"
    );
    Err(Refusal::unfit(message))
}

/// Where everything about a wallet hangs.
pub(crate) fn seed(ctx: &Context<'_>, address: &str) -> Seed {
    ctx.seed.named("wallet").named(&address.to_lowercase())
}

/// What a wallet holds of which asset, the same at all times.
fn holdings(ctx: &Context<'_>, address: &str) -> Vec<(&'static Asset, f64)> {
    let seed = seed(ctx, address).named("holds");
    ASSETS
        .iter()
        .filter(|asset| seed.named(asset.symbol).chance(0.3) || asset.symbol == "ETH")
        .map(|asset| {
            let usd = seed.named(asset.symbol).named("usd").magnitude(20.0, 400_000.0);
            // Worth that much at the start of 2026.
            (asset, round(usd / asset.walk(ctx).at(1_767_225_600)))
        })
        .collect()
}

fn worth(ctx: &Context<'_>, address: &str, time: i64) -> f64 {
    let values =
        holdings(ctx, address).into_iter().map(|(asset, units)| units * asset.walk(ctx).at(time));
    round(values.sum())
}

fn detail(ctx: &Context<'_>, args: &Args, address: &str) -> Row {
    let wanted = args.list("fields");
    let chain = args.text("chain");
    let tokens: Vec<_> = holdings(ctx, address)
        .into_iter()
        .filter(|(asset, _)| chain.is_none_or(|chain| asset.chain == chain))
        .map(|(asset, units)| {
            let price = asset.price(ctx);
            (asset, units, round(units * price), round(price))
        })
        .collect();
    let is_solana = chain == Some("solana");
    let total = round(tokens.iter().map(|(_, _, usd, _)| usd).sum());
    let mut chains: Vec<&str> = tokens.iter().map(|(asset, ..)| asset.chain).collect();
    chains.sort_unstable();
    chains.dedup();
    let by_chain: Vec<_> = chains
        .iter()
        .map(|chain| {
            let of_chain = tokens.iter().filter(|(asset, ..)| asset.chain == *chain);
            json!({"chain": chain, "usd_value": round(of_chain.map(|(_, _, usd, _)| usd).sum())})
        })
        .collect();
    let shown: Vec<_> = tokens
        .iter()
        .map(|(asset, units, usd, price)| json!({
            "symbol": asset.symbol, "name": asset.name, "token_address": asset.address(ctx),
            "chain": asset.chain, "balance": units.to_string(), "price": price, "usd_value": usd,
            "is_verified": true, "logo_url": asset.logo(),
        }))
        .collect();
    let seed = seed(ctx, address);
    let section =
        |name: &str, value: Value| if wanted.contains(&name) { value } else { Value::Null };
    let given = json!({
        "active_chains": section("balance", json!(by_chain)),
        "evm_balance": if is_solana { Value::Null } else {
            section("balance", json!({"address": address, "total_usd": total, "chain_balances": by_chain}))
        },
        "evm_tokens": if is_solana { Value::Null } else { section("tokens", json!(shown)) },
        "labels": section("labels", tokens::label(seed, address.into())),
        "nft": section("nft", json!([])),
    });
    let mut row = Row::new(seed, ctx.now, given).complete();
    // Lists may be null as well as absent; a section not asked for is absent.
    row.given.retain(|_, value| !value.is_null());
    row
}

fn net_worth(ctx: &Context<'_>, address: &str) -> Vec<Row> {
    let today = ctx.now.div_euclid(DAY);
    let mut rows: Vec<_> = (today - 29..=today)
        .map(|day| day * DAY)
        .chain([ctx.now])
        .map(|time| {
            Row::new(
                seed(ctx, address),
                time,
                json!({"timestamp": time, "usd_value": worth(ctx, address, time)}),
            )
        })
        .collect();
    rows.dedup_by_key(|row| row.time);
    rows
}

fn transfers(ctx: &Context<'_>, args: &Args, address: &str) -> Vec<Row> {
    let chain = args.text("chain").unwrap_or("ethereum");
    let token = args.text("token");
    let labelled = args.list("include").contains(&"labels");
    let held = holdings(ctx, address);
    let mut rows = Vec::new();
    let today = ctx.now.div_euclid(DAY);
    for day in (today - 90..=today).rev() {
        let seed = seed(ctx, address).named("transfer").named(chain).at_time(day);
        let time = day * DAY + seed.named("at").range(0, DAY - 1);
        let (asset, _) =
            held[usize::try_from(seed.named("asset").below(held.len() as u64)).unwrap_or(0)];
        let is_other = token.is_some_and(|token| {
            !asset.symbol.eq_ignore_ascii_case(token)
                && !asset.address(ctx).eq_ignore_ascii_case(token)
        });
        if time > ctx.now || is_other {
            continue;
        }
        let flow = if seed.named("in").chance(0.5) { "in" } else { "out" };
        let other = tokens::wallet(seed.named("other"), chain);
        let (from, to) =
            if flow == "in" { (other.as_str(), address) } else { (address, other.as_str()) };
        let price = asset.walk(ctx).at(day * DAY);
        let amount = round(seed.named("usd").magnitude(5.0, 50_000.0) / price);
        let label = |side: &str, address: &str| {
            if labelled { tokens::label(seed.named(side), address.into()) } else { Value::Null }
        };
        rows.push(Row::new(
            seed,
            time,
            json!({
                "timestamp": time, "flow": flow, "from_address": from, "to_address": to,
                "amount": amount.to_string(), "amount_usd": round(amount * price),
                "token_symbol": asset.symbol, "token_address": asset.address(ctx),
                "tx_hash": format!("0x{}", seed.named("hash").hex(64)),
                "activity_type": "transfer",
                "from_label": label("from", from), "to_label": label("to", to),
            }),
        ));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_form() {
        for fine in ["0x1111111111111111111111111111111111111111", "someone.eth"] {
            assert!(read(fine).is_ok(), "{fine}");
        }
        for bad in ["", "0x12", ".eth", "0xzz11111111111111111111111111111111111111"] {
            assert_eq!(read(bad).unwrap_err().status.as_u16(), 422, "{bad}");
        }
    }
}
