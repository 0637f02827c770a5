//! Yield pools of projects, and bridges between chains.
//!
//! The input is the arguments of a request. The output is the rows of the response, or an error.

use crate::args::Args;
use crate::assets::{ASSETS, Asset};
use crate::chains;
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::projects;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::HISTORY;
use crate::timestamp::{self, DAY};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "onchain-yield-ranking" => Data::Rows(pools(ctx, args)?),
        "onchain-bridge-ranking" => Data::Rows(bridges(ctx, args)),
        _ => return Ok(None),
    }))
}

/// Number of yield pools of a project. Together the pools hold the whole total value locked (TVL) of the project.
const POOLS: u64 = 10;

fn pools(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let wanted = args.text("project");
    let is_meant = |asset: &&Asset| {
        wanted.is_none_or(|name| {
            asset.name.eq_ignore_ascii_case(name) || asset.slug().eq_ignore_ascii_case(name)
        })
    };
    let projects: Vec<_> = ASSETS.iter().filter(is_meant).collect();
    match wanted {
        Some(name) if projects.is_empty() => {
            Err(Refusal::not_found(format!("no project is called `{name}`")))
        }
        _ => {
            let with_pools = projects.into_iter().filter(projects::is_defi);
            Ok(with_pools.flat_map(|project| project_pools(ctx, wanted, project)).collect())
        }
    }
}

fn project_pools(ctx: &Context, wanted: Option<&str>, project: &'static Asset) -> Vec<Row> {
    let tvl = projects::tvl(ctx, project);
    let day = ctx.now.div_euclid(DAY);
    let mut left = tvl;

    (0..POOLS)
        .map(|n| {
            let seed = project.seed(ctx).named("pool").at(n);
            let token = &ASSETS[seed.named("token").below(ASSETS.len() as u64) as usize];

            // The last pool gets the remaining TVL, so that all pools add up to the TVL of the project.
            let part = if n + 1 == POOLS {
                left
            } else {
                (left * seed.named("part").between(0.2, 0.5)).floor()
            };
            left -= part;

            let apy = |name: &str, low: f64, high: f64| {
                let seed = seed.named(name);
                round(seed.magnitude(low, high) * seed.at_time(day).between(0.9, 1.1))
            };
            let (base, reward) = (apy("base", 0.3, 18.0), apy("reward", 0.1, 9.0));
            let known = record!(YieldRankingItem {
                // A later filter compares project names case-sensitively, so the row repeats the name of the request.
                project: wanted.unwrap_or(project.name),
                symbol: token.symbol,
                tvl_usd: part,
                apy_base: base,
                apy_reward: reward,
                apy: round(base + reward),
            });

            let at = *ctx;
            Row::lazy(seed, ctx.now, known, move || {
                record!(YieldRankingItem {
                    token_address: token.address(&at),
                    pool_address: chains::address(seed.named("address"), project.chain),
                    version: seed.named("version").pick(&["v2", "v3"]),
                })
            })
        })
        .collect()
}

const BRIDGES: &[&str] = &[
    "Stargate",
    "Across",
    "Hop",
    "Synapse",
    "Celer",
    "Wormhole",
    "Axelar",
    "Orbiter",
    "Squid",
    "deBridge",
    "Connext",
    "Relay",
    "Saltmarsh",
];

/// Returns the rows of all bridges, sorted by their volume in the requested time range.
fn bridges(ctx: &Context, args: &Args) -> Vec<Row> {
    let window = match args.text("time_range") {
        Some("all") => HISTORY,
        range => range.and_then(timestamp::window).unwrap_or(30 * DAY),
    };
    let today = ctx.now.div_euclid(DAY);
    let mut rows: Vec<_> = BRIDGES
        .iter()
        .map(|bridge| {
            let seed = ctx.seed.named("bridge").named(bridge);
            let usual = seed.magnitude(4e5, 9e7);
            let (mut usd, mut count) = (0.0, 0);

            for day in today - window / DAY..today {
                let volume = (usual * seed.at_time(day).between(0.5, 1.5)).round();
                usd += volume;
                count += (volume / 1_800.0) as i64;
            }

            let given =
                record!(BridgeRankingItem { project: bridge, volume_usd: usd, tx_count: count });
            (usd, Row::new(seed, ctx.now, given))
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));

    rows.into_iter().map(|(_, row)| row).collect()
}
