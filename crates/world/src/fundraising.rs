//! Reports of funding rounds, and public token sales. The operations about projects and about funds return the same
//! funding rounds.

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::context::Context;
use crate::funding_rounds;
use crate::funds;
use crate::missing_fields::number::round;
use crate::price_records;
use crate::random::Seed;
use crate::record::{member, record};
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::timestamp::{DAY, HOUR};
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "search-fundraising" => Data::Rows(reports(ctx, args)),
        "market-public-sale" => {
            let asset = assets::find_project(args.text("id"), args.text("q"))?;
            Data::Rows(sale_row(ctx, asset).into_iter().collect())
        }
        _ => return Ok(None),
    }))
}

/// Returns the title and the summary of a report on a funding round, in the language `lang`.
fn texts(lang: &str, name: &str, round: &str, millions: f64, backers: &[&str]) -> (String, String) {
    let (lead, others) = backers.split_first().map_or(("", Vec::new()), |(l, o)| (*l, o.to_vec()));
    let others = others.join(", ");
    match lang {
        "zh" => (
            format!("{name} 完成 {millions} 百万美元 {round} 融资"),
            format!("{name} 的 {round} 融资由 {lead} 领投，{others} 参投。"),
        ),
        "ja" => (
            format!("{name} が {round} で {millions} 百万ドルを調達"),
            format!("{name} の {round} は {lead} が主導し、{others} が参加した。"),
        ),
        "kr" | "ko" => (
            format!("{name}, {round} 라운드에서 {millions}백만 달러 유치"),
            format!("{name}의 {round} 라운드는 {lead}가 주도하고 {others}가 참여했다."),
        ),
        _ => (
            format!("{name} raises ${millions}M in its {round}"),
            format!("The {round} of {name} was led by {lead}, with {others}."),
        ),
    }
}

fn reports(ctx: &Context, args: &Args) -> Vec<Row> {
    let (lang, source) = (args.text("lang").unwrap_or("en"), args.text("source"));
    let words: Vec<_> = args
        .text("q")
        .unwrap_or_default()
        .to_lowercase()
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let mut rows = Vec::new();

    for asset in ASSETS {
        for (name, amount, time) in funding_rounds::past_rounds(ctx, asset) {
            let seed = asset.seed(ctx).named("report").named(name);
            let backers = funds::backers(ctx, asset, name);
            let kind = seed.named("source").pick(&["social", "news"]);
            let known = format!("{} {} {} {}", asset.name, asset.symbol, name, backers.join(" "))
                .to_lowercase();
            let hits = words.iter().filter(|word| known.contains(word.as_str())).count();
            let is_meant = words.is_empty() || hits > 0;
            if !is_meant || source.is_some_and(|source| source != kind) {
                continue;
            }

            let (title, summary) = texts(lang, asset.name, name, amount / 1e6, &backers);
            let importance = (amount / 1e6).log2().round().clamp(1.0, 5.0) as i64;
            let published = time + seed.named("delay").range(60, 5 * HOUR);
            let row = Row::new(
                seed,
                published.min(ctx.now),
                record!(FundraisingSearchItem {
                    id: seed.uuid(),
                    title,
                    summary,
                    event_at: time,
                    published_at: published,
                    importance,
                    source: source_record(asset, kind, seed),
                    source_count: seed.named("sources").range(1, 9),
                }),
            );
            rows.push((hits, importance, row));
        }
    }

    rows.retain(|(.., row)| {
        row.given[member!(FundraisingSearchItem.published_at)]
            .as_i64()
            .is_some_and(|at| at <= ctx.now)
    });
    // All other values of `sort_by` are field names. The caller sorts by them.
    if args.text("sort_by") == Some("relevance") {
        rows.sort_by_key(|(hits, importance, row)| {
            std::cmp::Reverse((*hits, *importance, row.time))
        });
        if args.text("order") == Some("asc") {
            rows.reverse();
        }
    }

    rows.into_iter().map(|(.., row)| row).collect()
}

fn source_record(asset: &Asset, kind: &str, seed: Seed) -> Value {
    let handle = asset.handle();
    match kind {
        "social" => record!(FundraisingSearchSource {
            type: kind, name: format!("@{handle}"), url: format!("https://x.example/{handle}"),
        }),
        _ => {
            let name = seed.named("paper").pick(&["coindesk", "theblock", "decrypt", "dlnews"]);
            let url = format!("https://news.example/{name}/{}", asset.slug());
            record!(FundraisingSearchSource {type: kind, name, url})
        }
    }
}

/// Returns the row of an asset's public token sale. The sale starts after the first funding round. Returns `None` if
/// the sale has not started.
fn sale_row(ctx: &Context, asset: &Asset) -> Option<Row> {
    let total = asset.max_supply.unwrap_or(asset.supply);
    let seed = asset.seed(ctx).named("sale");
    let (_, _, first) = *funding_rounds::past_rounds(ctx, asset).first()?;
    let start = first + seed.named("after").range(60, 240) * DAY;
    if start > ctx.now {
        return None;
    }

    let end = start + seed.named("days").range(1, 10) * DAY;
    let raised = (seed.named("raised").magnitude(1.0, 60.0) * 10.0).round() * 1e5;
    let price = round(asset.walk(ctx).base * seed.named("discount").between(0.02, 0.3));
    let (high, _) = price_records::find_extremes(ctx, asset);
    let given = record!(PublicSaleItem {
        project_id: asset.id(),
        name: asset.name,
        symbol: asset.symbol,
        crowdsale_price: price,
        crowdsale_raise: raised,
        allocation_of_supply: round(raised / price / total * 100.0),
        crowdsale_start_date: start,
        crowdsale_end_date: end,
        crowdsale_status: if end > ctx.now { "active" } else { "ended" },
        crowdsale_type: seed.named("type").pick(&["IDO", "ICO", "IEO"]),
        launchpad_name: seed.named("pad").pick(&["Slipway", "Springboard", "Runway"]),
        ath_roi: round(high.price / price),
    });

    Some(Row::new(seed, start, given))
}
