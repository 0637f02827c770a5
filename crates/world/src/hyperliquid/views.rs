//! Response rows of a perpetual-futures account at the current time. They contain its positions, balances, orders and
//! performance.

use crate::args::Args;
use crate::assets;
use crate::context::Context;
use crate::hyperliquid::account::{Account, Gap, Sums};
use crate::hyperliquid::ledger::Episode;
use crate::record::record;
use crate::row::Row;
use crate::timestamp::DAY;
use crate::value::Value;

/// Returns the current mark price of a symbol in USD.
fn mark_price(ctx: &Context, symbol: &str) -> f64 {
    assets::find_by_symbol(symbol).map_or(0.0, |asset| asset.price(ctx))
}

fn unrealized_pnl(ctx: &Context, episode: &Episode) -> f64 {
    (mark_price(ctx, episode.symbol) - episode.entry_price()) * episode.position()
}

fn margin(ctx: &Context, episode: &Episode) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 50")]
    let leverage = episode.leverage as f64;
    episode.position().abs() * mark_price(ctx, episode.symbol) / leverage
}

/// Returns the account value in USD: deposit plus realised profit, funding payments and unrealised profit. The result
/// is at least 0.
fn account_value(ctx: &Context, account: &Account) -> f64 {
    let sums = Sums::add_up(account.episodes());
    let open: f64 = account.open_episodes().map(|episode| unrealized_pnl(ctx, episode)).sum();
    (account.deposit + sums.net + sums.funding + open).max(0.0)
}

fn open_positions(ctx: &Context, account: &Account) -> Vec<Value> {
    let total: f64 =
        account.open_episodes().map(|e| e.position().abs() * mark_price(ctx, e.symbol)).sum();
    // A long position has no liquidation price if the account value covers the value of all positions.
    let is_covered = account_value(ctx, account) >= total;

    let mut positions: Vec<_> = account
        .open_episodes()
        .map(|episode| {
            let (size, mark) = (episode.position(), mark_price(ctx, episode.symbol));
            let (margin, pnl) = (margin(ctx, episode), unrealized_pnl(ctx, episode));
            let away = 0.9 * margin / size.abs();
            let liquidation = if size > 0.0 { mark - away } else { mark + away };
            let has_liquidation = size < 0.0 || !is_covered;
            let worth = size.abs() * mark;

            (
                worth,
                record!(HyperliquidPosition {
                    symbol: episode.symbol,
                    size,
                    side: episode.direction(),
                    entry_price: episode.entry_price(),
                    mark_price: mark,
                    position_value: worth,
                    unrealized_pnl: pnl,
                    return_on_equity: pnl / margin,

                    margin_used: margin,
                    leverage_type: "cross",
                    leverage_value: episode.leverage,
                    max_leverage: 40,
                    liquidation_price: has_liquidation.then_some(liquidation),
                    distance_to_liquidation: has_liquidation
                        .then_some((liquidation / mark - 1.0).abs()),
                    cum_funding: record!(HyperliquidCumFunding {
                        all_time: episode.funding,
                        since_open: episode.funding,
                        since_change: episode.funding,
                    }),
                }),
            )
        })
        .collect();
    positions.sort_by(|a, b| b.0.total_cmp(&a.0));

    positions.into_iter().map(|(_, position)| position).collect()
}

fn margin_used(ctx: &Context, account: &Account) -> f64 {
    account.open_episodes().map(|episode| margin(ctx, episode)).sum()
}

pub(super) fn positions(ctx: &Context, account: &Account) -> Row {
    let (value, margin) = (account_value(ctx, account), margin_used(ctx, account));
    let positions = open_positions(ctx, account);
    let notional: f64 = positions.iter().filter_map(|p| p["position_value"].as_f64()).sum();
    let exposure: f64 = positions
        .iter()
        .filter_map(|p| Some(p["size"].as_f64()? * p["mark_price"].as_f64()?))
        .sum();
    let maintenance = notional * 0.0125;

    Row::new(
        account.seed,
        ctx.now,
        record!(HyperliquidPositions {
            address: account.address.as_str(),
            account_value: value,
            positions,
            total_notional_pos: notional,
            total_raw_usd: value - exposure,
            total_margin_used: margin,
            cross_maintenance_margin_used: maintenance,
            margin_ratio: (maintenance / value.max(1.0)).min(1.0),
            withdrawable: (value - margin).max(0.0),
            timestamp: ctx.now,
        }),
    )
}

pub(super) fn account(ctx: &Context, account: &Account) -> Row {
    let (value, margin) = (account_value(ctx, account), margin_used(ctx, account));
    let seed = account.seed.named("spot");
    let hype = mark_price(ctx, "HYPE");
    let usdc = seed.named("usdc").range(100, 90_000);
    let units = seed.named("hype").range(1, 4_000);
    let hold = seed.named("hold").range(0, units / 2);
    let staked = seed.named("staked").range(0, 9_000);

    let vaults: Vec<_> = (0..seed.named("vaults").below(3))
        .map(|n| {
            let seed = seed.named("vault").at(n);
            record!(HyperliquidVaultPosition {
                vault_address: seed.hex_number(40),
                equity: seed.range(100, 50_000),
                locked_until: if seed.chance(0.5) {
                    (ctx.now + 2 * DAY).into()
                } else {
                    Value::Null
                },
            })
        })
        .collect();
    let vault_equity: f64 = vaults.iter().filter_map(|vault| vault["equity"].as_f64()).sum();

    #[expect(clippy::cast_precision_loss, reason = "thousands of units")]
    let priced = usdc as f64 + (units + staked) as f64 * hype;
    let balance = |symbol: &str, id: i64, total: i64, hold: i64, price: f64| {
        #[expect(clippy::cast_precision_loss, reason = "thousands of units")]
        let notional = total as f64 * price * 0.9;
        record!(HyperliquidSpotBalance {
            symbol,
            token_id: id,
            total,
            hold,
            available: total - hold,
            entry_notional: notional,
            withdrawable: total - hold,
        })
    };

    let has_no_prices = account.gap == Gap::Pricing;
    let is_unpriced = has_no_prices || account.gap == Gap::UnpricedToken;
    let mut balances =
        vec![balance("HYPE", 150, units, hold, hype), balance("USDC", 0, usdc, 0, 1.0)];
    if is_unpriced {
        balances.push(balance(UNPRICED, 407, seed.named("unpriced").range(10, 9_000), 0, 0.0));
    }
    // A failed section is absent from the response, and so is the total value.
    let failed = account.gap.sections().map(|(section, _)| section);
    let unless = |name: &str, value: Value| if failed == Some(name) { Value::Null } else { value };
    let total = value + vault_equity + priced;

    Row::new(
        account.seed,
        ctx.now,
        record!(HyperliquidAccount {
            address: account.address.as_str(),
            as_of: ctx.now,
            unpriced_token_count: if has_no_prices { 2 } else { i64::from(is_unpriced) },
            total_value_usd: failed.is_none().then_some(total),
            errors: errors(failed),

            perp: record!(HyperliquidPerpSummary {
                account_value: value,
                withdrawable: (value - margin).max(0.0),
                total_margin_used: margin,
                open_position_count: account.open_episodes().count(),
            }),
            spot: unless("spot", record!(HyperliquidSpot { balances: balances })),
            staking: unless(
                "staking",
                record!(HyperliquidStaking {
                    delegated_hype: staked,
                    undelegated_hype: 0,
                    total_pending_withdrawal_hype: 0,
                    pending_withdrawal_count: 0,
                })
            ),
            vaults: record!(HyperliquidVaults { positions: vaults, total_equity: vault_equity }),
        }),
    )
}

/// Ticker of an invented token without a price. Some accounts hold this token.
const UNPRICED: &str = "ATTIC";

/// Returns the `errors` list of a response. The list is empty if no section of the response failed.
fn errors(failed: Option<&str>) -> Value {
    match failed {
        Some(section) => Value::Array(vec![record!(HyperliquidSectionError {
            section: section,
            reason: "upstream timed out",
        })]),
        None => Value::Array(Vec::new()),
    }
}

/// Returns the row with the orders of an account. Each open position has an open stop order, and each fill has a
/// historical order.
pub(super) fn orders(ctx: &Context, account: &Account, args: &Args) -> Row {
    let order = |seed: crate::random::Seed, symbol: &str, side: &str, price: f64, size: f64| {
        record!(HyperliquidOpenOrder {
            symbol,
            market_type: "perp",
            order_id: seed.range(1_000_000_000, 90_000_000_000),
            side,
            limit_price: price,
            original_size: size,
        })
    };

    let with = |mut order: Value, more: Value| {
        if let (Some(order), Value::Object(more)) = (order.as_object_mut(), more) {
            order.extend(more);
        }
        order
    };

    let open: Vec<_> = account
        .open_episodes()
        .map(|episode| {
            let (mark, size) = (mark_price(ctx, episode.symbol), episode.position());
            let stop = mark * if size > 0.0 { 0.95 } else { 1.05 };
            let side = if size > 0.0 { "sell" } else { "buy" };
            with(
                order(episode.seed, episode.symbol, side, stop, size.abs()),
                record!(HyperliquidOpenOrder {
                    size: size.abs(),
                    order_type: "Stop Market",
                    is_trigger: true,
                    trigger_price: stop,
                    trigger_condition: "Price crosses the trigger",
                    is_position_tpsl: true,
                    reduce_only: true,
                    timestamp: episode.close_time(),
                }),
            )
        })
        .collect();

    let mut fills: Vec<_> = account.episodes().flat_map(|episode| &episode.fills).collect();
    fills.sort_by_key(|fill| std::cmp::Reverse(fill.time_ms));
    let limit = |name: &str| usize::try_from(args.integer(name).unwrap_or(200)).unwrap_or(0);

    let historical: Vec<_> = fills
        .iter()
        .take(limit("historical_limit"))
        .map(|fill| {
            let seed = account.seed.named("order").named(&fill.id());
            let side = if fill.is_buy { "buy" } else { "sell" };
            let time = fill.time_ms / 1000;
            with(
                order(seed, fill.symbol, side, fill.price, fill.size),
                record!(HyperliquidHistoricalOrder {
                    size: 0.0,
                    order_type: "Limit",
                    is_trigger: false,
                    trigger_price: 0.0,
                    trigger_condition: "N/A",
                    is_position_tpsl: false,
                    reduce_only: !fill.opens,
                    status: "filled",
                    status_time: time,
                    placed_time: time - seed.range(0, 600),
                }),
            )
        })
        .collect();

    let open_total = open.len();
    let open: Vec<_> = open.into_iter().take(limit("open_limit")).collect();

    Row::new(
        account.seed,
        ctx.now,
        record!(HyperliquidOrders {
            address: account.address.as_str(),
            as_of: ctx.now,
            open,
            open_total,
            historical,
            historical_total: fills.len(),
        }),
    )
}

pub(super) fn performance(ctx: &Context, account: &Account) -> Row {
    let sums = Sums::add_up(account.closed_episodes());
    let mut pairs: Vec<_> = account.episodes().map(|episode| episode.symbol).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let unrealized: f64 = account.open_episodes().map(|episode| unrealized_pnl(ctx, episode)).sum();
    let failed = account.gap.sections().map(|(_, section)| section);
    let has_snapshot = failed != Some("snapshot");
    let performance = record!(HyperliquidWalletPerf {
        trades: sums.count,
        wins: sums.wins,
        losses: sums.losses(),
        scratches: 0,
        gross_pnl: sums.gross,
        net_pnl: sums.net,
        fees: sums.fees,
        volume_usd: sums.volume,
        win_rate: sums.rate(sums.wins),
        avg_win: Sums::mean(sums.won, sums.wins),
        avg_loss: Sums::mean(sums.lost, sums.losses()),
        profit_factor: if sums.lost < 0.0 { (sums.won / -sums.lost).into() } else { Value::Null },
        first_trade: account.closed_episodes().map(Episode::open_time).min().unwrap_or(0),
        last_trade: account.closed_episodes().map(Episode::close_time).max().unwrap_or(0),
    });

    Row::new(
        account.seed,
        ctx.now,
        record!(HyperliquidPerformanceView {
            address: account.address.as_str(),
            account_value: has_snapshot.then(|| account_value(ctx, account)),
            total_unrealized_pnl: has_snapshot.then_some(unrealized),
            open_positions: if has_snapshot { open_positions(ctx, account) } else { Vec::new() },
            traded_pairs: pairs.len(),
            partial: failed.is_some(),
            errors: errors(failed),
            performance: if failed == Some("ledger") { Value::Null } else { performance },
            watermark: ctx.now - ctx.now.rem_euclid(300),
        }),
    )
}
