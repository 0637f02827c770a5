//! Operations that cover both prediction venues: search, matched pairs, daily comparison and categories.

use crate::args::Args;
use crate::context::Context;
use crate::prediction::market::{
    Market, day_of, find_by_condition, find_by_ticker, markets, percent_points,
};
use crate::prediction::volumes::Venue;
use crate::record::{member, record};
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::span;
use crate::timestamp::DAY;
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "search-prediction-market" => Data::Rows(discover(ctx, args)),
        "matching-market-pairs" => Data::Rows(pairs(ctx, args)?),
        "matching-market-daily" => Data::Rows(daily(ctx, args)?),
        "prediction-market-category-metrics" => {
            let mut rows = category_days(ctx, args);
            rows.reverse();
            Data::Rows(rows)
        }
        "prediction-market-analytics" => Data::One(analytics(ctx, args)),
        _ => return Ok(None),
    }))
}

fn discover(ctx: &Context, args: &Args) -> Vec<Row> {
    let (q, status) = (args.text("q"), args.text("status").unwrap_or("active"));
    let (condition, ticker) = (args.text("condition_id"), args.text("market_ticker"));
    let smart = args.text("smart_money");
    let mut rows = Vec::new();

    for market in markets(ctx) {
        if q.is_some_and(|q| !market.matches(q)) || market.is_active() != (status == "active") {
            continue;
        }
        let is_named = condition.is_some() || ticker.is_some();
        if !is_named
            || condition.is_some_and(|id| market.condition_id.as_str().eq_ignore_ascii_case(id))
        {
            rows.push(market_row(ctx, &market, Venue::Polymarket));
        }
        if !is_named || ticker.is_some_and(|id| market.ticker.as_str().eq_ignore_ascii_case(id)) {
            rows.push(market_row(ctx, &market, Venue::Kalshi));
        }
    }

    rows.retain(|row| {
        smart.is_none_or(|wish| {
            row.given[member!(DiscoverMarketItem.smart_money_direction)]
                .as_str()
                .is_some_and(|d| d.eq_ignore_ascii_case(wish))
        })
    });

    rows
}

fn market_row(ctx: &Context, market: &Market, venue: Venue) -> Row {
    let volume = |days: i64| market.volume(venue, ctx.now - days * DAY, ctx.now + 1);
    let is_first = venue == Venue::Polymarket;
    let platform = if is_first { "polymarket" } else { "kalshi" };
    let page = if is_first { market.slug.as_str() } else { market.ticker.as_str() };
    let counterpart = if is_first { market.ticker.as_str() } else { market.condition_id.as_str() };
    let direction = || crate::prediction::smart_money::weekly_flow(ctx, market).direction();
    let of_first = |value: Value| if is_first { value } else { Value::Null };
    let of_second = |value: Value| if is_first { Value::Null } else { value };

    Row::new(
        market.seed.named(platform),
        ctx.now,
        record!(DiscoverMarketItem {
            platform,
            question: market.text.as_str(),
            category: market.category,
            subcategory: market.category,
            status: market.status(venue),
            event_title: market.event_title.as_str(),
            market_link: format!("https://markets.example/{page}"),

            volume_1d: volume(1),
            volume_7d: volume(7),
            volume_30d: volume(30),
            trade_count_7d: market.trade_count(venue, ctx.now - 7 * DAY, ctx.now + 1),
            open_interest_usd: market.open_interest(day_of(ctx.now)),
            days_to_resolution: ((market.end - ctx.now) / DAY).max(0),

            condition_id: of_first(market.condition_id.as_str().into()),
            market_slug: of_first(market.slug.as_str().into()),
            event_slug: of_first(market.event_slug.as_str().into()),
            event_group_slug: Value::Null,
            token_id: of_first(market.token_id(true).into()),
            outcome_label: of_first("Yes".into()),
            // This is the price of an outcome token. Kalshi has no outcome tokens.
            latest_price: is_first.then(|| market.price(venue, ctx.now)),
            smart_money_direction: is_first.then(direction),

            market_ticker: of_second(market.ticker.as_str().into()),
            event_ticker: of_second(market.event_ticker.as_str().into()),
            matched_counterpart: counterpart,
        }),
    )
}

/// Returns one row for each question, with the two markets of the question. Polymarket and Kalshi trade each question
/// at slightly different prices.
fn pairs(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (condition, ticker) =
        (args.text("polymarket_condition_id"), args.text("kalshi_market_ticker"));
    if let Some(id) = condition {
        find_by_condition(ctx, id)?;
    }
    if let Some(ticker) = ticker {
        find_by_ticker(ctx, ticker)?;
    }

    Ok(markets(ctx)
        .iter()
        .filter(|market| {
            condition.is_none_or(|id| market.condition_id.as_str().eq_ignore_ascii_case(id))
        })
        .filter(|market| ticker.is_none_or(|id| market.ticker.as_str().eq_ignore_ascii_case(id)))
        .filter(|market| !args.flag("active_only") || market.is_active())
        .map(|market| pair(ctx, market))
        .collect())
}

/// Returns the row of a question with its markets on Polymarket and Kalshi.
fn pair(ctx: &Context, market: &Market) -> Row {
    let [first, second] =
        [Venue::Polymarket, Venue::Kalshi].map(|venue| market.price(venue, ctx.now));
    let confidence = market.seed.named("confidence").range(60, 100);
    let volume = |venue| market.volume(venue, market.start, ctx.now + 1);

    Row::new(
        market.seed.named("pair"),
        ctx.now,
        record!(MatchedMarketPair {
            category: market.category,
            confidence,
            match_type: if confidence > 75 { "exact" } else { "related" },
            polymarket_price: first,
            kalshi_price: second,
            spread_pct: percent_points(first, second).abs(),

            polymarket: record!(MatchedMarketPolymarket {
                condition_id: market.condition_id.as_str(),
                event_slug: market.event_slug.as_str(),
                is_active: market.is_active(),
                question: market.text.as_str(),
                outcome_label: "Yes",
                token_id: market.token_id(true),
                volume_usd: volume(Venue::Polymarket),
            }),
            kalshi: record!(MatchedMarketKalshi {
                event_ticker: market.event_ticker.as_str(),
                market_ticker: market.ticker.as_str(),
                open_interest: market.open_interest(day_of(ctx.now)),
                status: market.status(Venue::Kalshi),
                title: market.text.as_str(),
                volume_contracts: volume(Venue::Kalshi),
            }),
        }),
    )
}

fn daily(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let first = find_by_condition(ctx, args.text("polymarket_condition_id").unwrap_or_default())?;
    let second = find_by_ticker(ctx, args.text("kalshi_market_ticker").unwrap_or_default())?;
    if first.number != second.number {
        return Err(Refusal::not_found("the two markets are about different questions"));
    }

    let (from, to) = span(ctx, args, 30 * DAY);
    Ok((day_of(from - 1) + 1..=day_of(to))
        .rev()
        .map(|day| {
            let volume = |venue| first.volume(venue, day * DAY, ((day + 1) * DAY).min(ctx.now + 1));
            let interest = first.open_interest(day);
            Row::new(
                first.seed,
                day * DAY,
                record!(MatchedMarketDailyItem {
                    timestamp: day * DAY,
                    polymarket_volume_usd: volume(Venue::Polymarket),
                    kalshi_volume_contracts: volume(Venue::Kalshi),
                    polymarket_oi_usd: interest,
                    kalshi_oi_contracts: interest,
                }),
            )
        })
        .collect())
}

/// Returns the daily volume and open interest of each venue, oldest first. The sums include the markets of the
/// requested category, or of all categories.
fn category_days(ctx: &Context, args: &Args) -> Vec<Row> {
    let (category, platform) = (args.text("category"), args.text("platform"));
    let markets: Vec<_> =
        markets(ctx).into_iter().filter(|m| category.is_none_or(|c| c == m.category)).collect();
    let (from, to) = span(ctx, args, 30 * DAY);
    let mut rows = Vec::new();

    for day in day_of(from - 1) + 1..=day_of(to) {
        let end = ((day + 1) * DAY).min(ctx.now + 1);
        let interest: f64 = markets.iter().map(|m| m.open_interest(day)).sum();
        let active = markets.iter().filter(|m| m.start < end && day * DAY < m.end).count();
        for (source, venue) in [("Polymarket", Venue::Polymarket), ("Kalshi", Venue::Kalshi)] {
            if platform.is_some_and(|platform| !platform.eq_ignore_ascii_case(source)) {
                continue;
            }
            let volume: f64 = markets.iter().map(|m| m.volume(venue, day * DAY, end)).sum();
            rows.push(Row::new(
                ctx.seed.named(source).at_time(day),
                day * DAY,
                record!(CategoryMetricsPoint {
                    timestamp: day * DAY,
                    source,
                    category,
                    market_count: active,
                    volume_usd: volume,
                    open_interest_usd: interest,
                }),
            ));
        }
    }

    rows
}

fn analytics(ctx: &Context, args: &Args) -> Row {
    let (category, platform) = (args.text("category"), args.text("platform"));
    let trends: Vec<_> = category_days(ctx, args)
        .into_iter()
        .map(|mut row| {
            row.given.remove(member!(CategoryMetricsPoint.category));
            Value::Object(row.given)
        })
        .collect();
    let venue = match platform {
        Some(platform) if platform.eq_ignore_ascii_case("kalshi") => Venue::Kalshi,
        _ => Venue::Polymarket,
    };
    let all = markets(ctx);
    let mut top: Vec<_> = all
        .iter()
        .filter(|market| market.is_active() && category.is_none_or(|c| c == market.category))
        .map(|market| (market.open_interest(day_of(ctx.now)), market))
        .collect();
    top.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    top.truncate(usize::try_from(args.integer("top_n").unwrap_or(10)).unwrap_or(10));
    let top: Vec<_> =
        top.into_iter().map(|(_, market)| market_row(ctx, market, venue).given).collect();
    let (markets, summary) = crate::prediction::smart_money::momentum(ctx, args);

    Row::new(
        ctx.seed.named("analytics"),
        ctx.now,
        record!(AnalyticsBody {
            category_trends: trends,
            top_markets: top,
            momentum_markets: markets,
            momentum_summary: summary,
        }),
    )
}
