//! Projects: profiles, DeFi metrics and token launches.
//!
//! The input is the arguments of a request. The output is the rows of the response, or an error.

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::context::Context;
use crate::funding_rounds;
use crate::market;
use crate::missing_fields::number::round;
use crate::price::Width;
use crate::price_records;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::social;
use crate::time_range::span;
use crate::timestamp::DAY;
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    let project = || assets::find_project(args.text("id"), args.text("q"));
    Ok(Some(match args.operation.id {
        "search-project" => {
            let q = args.text("q").unwrap_or_default();
            let found = ASSETS.iter().filter(|a| a.is_about(q));
            Data::Rows(found.map(|a| search_row(ctx, a)).collect())
        }
        "project-detail" => Data::One(detail(ctx, args)?),
        "project-defi-ranking" => Data::Rows(defi_ranking(ctx, args)),
        "project-defi-metrics" => {
            let asset = project()?;
            let metrics = if is_defi(&asset) { defi_metrics(ctx, args, asset) } else { Vec::new() };
            Data::Rows(metrics)
        }
        "market-tge" => Data::One(tge(ctx, project()?)),
        _ => return Ok(None),
    }))
}

fn search_row(ctx: &Context, asset: &Asset) -> Row {
    Row::new(
        asset.seed(ctx),
        ctx.now,
        record!(ProjectSearchItem {
            id: asset.id(),
            name: asset.name,
            slug: asset.slug(),
            symbol: asset.symbol,
            logo_url: asset.logo(),
            chains: [asset.chain],
            tags: asset.categories,
            description: format!("{} is a project with invented data.", asset.name),
            tokens: [record!(TokenSearchItem {
                id: asset.id(),
                name: asset.name,
                symbol: asset.symbol,
                image: asset.logo()
            })],
        }),
    )
}

/// Finds the project of the `id`, `handle`, `x_id` or `q` argument.
fn requested_asset(args: &Args) -> Result<&'static Asset, Refusal> {
    let by_account = args.text("handle").map(str::to_lowercase);
    match (args.text("id"), &by_account, args.text("x_id")) {
        (None, Some(name), _) => ASSETS
            .iter()
            .find(|asset| asset.handle() == *name)
            .ok_or_else(|| Refusal::not_found(format!("no project has the handle `{name}`"))),
        (None, None, Some(id)) => ASSETS
            .iter()
            .find(|asset| asset.x_id() == id)
            .ok_or_else(|| Refusal::not_found(format!("no project has the X account `{id}`"))),
        (id, _, _) => assets::find_project(id, args.text("q")),
    }
}

fn detail(ctx: &Context, args: &Args) -> Result<Row, Refusal> {
    let asset = requested_asset(args)?;
    let quote = market::quote(ctx, asset);
    // Accounts on other networks have at most a fifth of these followers.
    let members =
        |network: &str| social::followers(ctx, asset) / asset.seed(ctx).named(network).range(5, 40);
    let (venues, last_event) = crate::pair_listings::listing_venues(ctx, asset);

    let mut sections = record!(ProjectDetail {
        overview: record!(ProjectOverviewItem {
            id: asset.id(),
            name: asset.name,
            slug: asset.slug(),
            token_symbol: asset.symbol,
            logo_url: asset.logo(),
            chains: [asset.chain],
            tags: asset.categories,
            x_handle: asset.handle(),
            x_id: asset.x_id(),
            x_followers: social::followers(ctx, asset),
            description: format!("{} is a project with invented data.", asset.name),
            website: asset.website(),
            exchanges: venues.clone(),
            tge_status: "post",
        }),
        token_info: token_info(ctx, asset, &quote),

        social: record!(ProjectSocialItem {
            twitter: account(asset, "x", social::followers(ctx, asset)),
            discord: account(asset, "discord", members("discord")),
            github: account(asset, "github", members("github")),
            telegram: account(asset, "telegram", members("telegram")),
        }),
        tokenomics: record!(ProjectTokenomicsItem {
            circulating_supply: asset.supply,
            total_supply: asset.max_supply.unwrap_or(asset.supply),
            fdv: quote.fdv,
            market_cap_usd: quote.market_cap,
        }),

        tge_status: record!(ProjectTgeStatusItem {
            current_status: "post",
            exchanges: venues,
            last_event_time: last_event,
        }),
        contracts: record!(ProjectContractsItem {
            contracts: [record!(ProjectContractAddress {
                address: asset.address(ctx),
                chain: asset.chain,
                label: asset.symbol,
            })]
        }),
        funding: funding(ctx, asset),
    });

    // Only the requested sections are set. The row is marked as complete, so that the other sections are not generated.
    let wanted = args.list("fields");
    let mut row = Row::new(asset.seed(ctx), ctx.now, Value::Null);

    if let Some(sections) = sections.as_object_mut() {
        sections.retain(|name, _| wanted.is_empty() || wanted.contains(&name));
        row.given = std::mem::take(sections);
    }

    if !wanted.is_empty() {
        row = row.complete();
    }

    Ok(row)
}

/// Returns the JSON record of the price and the supply of a project's token.
fn token_info(ctx: &Context, asset: &Asset, quote: &market::Quote) -> Value {
    let walk = asset.walk(ctx);
    let change = |days: i64| {
        round((walk.at(ctx.minute()) / walk.at(ctx.minute() - days * DAY) - 1.0) * 100.0)
    };
    let (high, low) = price_records::find_extremes(ctx, asset);

    record!(ProjectTokenInfoItem {
        name: asset.name,
        symbol: asset.symbol,
        image: asset.logo(),

        price_usd: quote.price,
        market_cap_usd: quote.market_cap,
        fdv: quote.fdv,
        volume_24h: quote.volume_24h,
        high_24h: quote.high_24h,
        low_24h: quote.low_24h,
        price_change_24h: quote.change_24h,
        price_change_7d: change(7),
        price_change_30d: change(30),
        circulating_supply: asset.supply,
        total_supply: asset.max_supply.unwrap_or(asset.supply),
        all_time_high: round(high.price),
        all_time_high_date: high.date,
        all_time_low: round(low.price),
        all_time_low_date: low.date,
    })
}

/// Returns the JSON record of a project's account on a social network. The project has the same handle on each network.
fn account(asset: &Asset, network: &str, followers: i64) -> Value {
    let handle = asset.handle();
    record!(ProjectSocialAccount {
        url: format!("https://{network}.example/{handle}"),
        handle,
        followers_count: followers,
    })
}

fn funding(ctx: &Context, asset: &Asset) -> Value {
    let rounds = funding_rounds::past_rounds(ctx, asset);
    let records: Vec<_> = rounds
        .iter()
        .map(|(name, amount, time)| {
            record!(ProjectFundingRound {
                round_name: name,
                amount,
                date: crate::timestamp::day_text(*time),
                valuation: amount * 6.0,
                investors: crate::funds::investors(ctx, asset, name),
            })
        })
        .collect();
    record!(ProjectFundingItem {
        total_raise: rounds.iter().map(|(_, amount, _)| amount).sum::<f64>(),
        rounds: records
    })
}

/// Returns the value of a project's DeFi metric on a day. The metric `users` is a number of users, and all other
/// metrics are in USD.
fn defi_figure(ctx: &Context, asset: &Asset, metric: &str, day: &super::price::Candle) -> f64 {
    let seed = asset.seed(ctx).named("defi");
    let metric = if metric == "fee" { "fees" } else { metric };
    let share = seed.named(metric).between(0.8, 1.2);
    let value = match metric {
        "tvl" => day.open * asset.supply * 0.3,
        "volume" => day.quote,
        "fees" => day.quote * 0.003,
        // The revenue of a project is a part of its fees.
        "revenue" => return (defi_figure(ctx, asset, "fees", day) * 0.4).floor(),
        _ => day.quote / 90_000.0,
    };
    (value * share).floor()
}

/// Returns the total value locked (TVL) of a project on the last complete day, in USD. The DeFi ranking shows the same
/// value.
pub(super) fn tvl(ctx: &Context, asset: &Asset) -> f64 {
    let today = ctx.now - ctx.now.rem_euclid(DAY);
    let days = asset.walk(ctx).candles(today - DAY, today, Width::Seconds(DAY), ctx.now);
    days.first().map_or(0.0, |day| defi_figure(ctx, asset, "tvl", day))
}

/// Returns true if a project has DeFi metrics. All projects except stablecoins have them.
pub(super) fn is_defi(asset: &&Asset) -> bool {
    !asset.categories.contains(&"STABLECOIN")
}

fn defi_ranking(ctx: &Context, args: &Args) -> Vec<Row> {
    let metric = args.text("metric").unwrap_or("tvl");
    let mut rows: Vec<_> = ASSETS
        .iter()
        .filter(is_defi)
        .filter_map(|asset| {
            let day = ctx.now - ctx.now.rem_euclid(DAY);
            let day =
                *asset.walk(ctx).candles(day - DAY, day, Width::Seconds(DAY), ctx.now).first()?;
            let figure = |metric| defi_figure(ctx, asset, metric, &day);
            #[expect(clippy::cast_possible_truncation, reason = "a number of people")]
            let users = figure("users") as i64;

            Some((
                figure(metric),
                Row::new(
                    asset.seed(ctx),
                    ctx.now,
                    record!(ProjectTopRankItem {
                        id: asset.id(),
                        name: asset.name,
                        slug: asset.slug(),
                        symbol: asset.symbol,
                        logo_url: asset.logo(),
                        tvl: figure("tvl"),
                        volume: figure("volume"),
                        fees: figure("fees"),
                        revenue: figure("revenue"),
                        users,
                    }),
                ),
            ))
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));

    rows.into_iter().map(|(_, row)| row).collect()
}

/// Chains on which every project has users, in addition to the chain of its token contract.
const OTHER_CHAINS: &[&str] = &["polygon", "optimism", "avalanche"];

/// Returns the part of a project's DeFi value that belongs to one chain. Without a chain, returns the whole value. The
/// values of all chains add up to the whole value.
fn chain_part(asset: &Asset, chain: Option<&str>, whole: f64) -> f64 {
    let part = |chain: &str| if chain == asset.chain { 0.0 } else { (whole * 0.08).floor() };
    match chain {
        None => whole,
        Some(chain) if chain == asset.chain => {
            whole - OTHER_CHAINS.iter().map(|other| part(other)).sum::<f64>()
        }
        Some(chain) if OTHER_CHAINS.contains(&chain) => part(chain),
        Some(_) => 0.0,
    }
}

fn defi_metrics(ctx: &Context, args: &Args, asset: &Asset) -> Vec<Row> {
    let metric = args.text("metric").unwrap_or("tvl");
    let (from, to) = span(ctx, args, 180 * DAY);

    // The current day has no value yet.
    let last = (to + 1).min(ctx.now - ctx.now.rem_euclid(DAY));
    let mut days = asset.walk(ctx).candles(from, last, Width::Seconds(DAY), ctx.now);
    days.reverse();
    let chain = args.text("chain");

    days.iter()
        .map(|day| {
            Row::new(
                asset.seed(ctx),
                day.start,
                record!(ProjectMetricPoint {
                    timestamp: day.start,
                    value: chain_part(asset, chain, defi_figure(ctx, asset, metric, day)),
                }),
            )
        })
        .collect()
}

fn tge(ctx: &Context, asset: &Asset) -> Row {
    let (venues, last_event) = crate::pair_listings::listing_venues(ctx, asset);
    Row::new(
        asset.seed(ctx),
        ctx.now,
        record!(TgeItem {
            project_id: asset.id(),
            project_name: asset.name,
            current_status: "post",
            exchanges: venues,
            last_event_time: last_event,
        }),
    )
}
