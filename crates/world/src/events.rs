//! Events of a project, collected from listings, airdrops, funding rounds, milestones and news.

use crate::airdrops;
use crate::args::Args;
use crate::assets::{self, Asset};
use crate::context::Context;
use crate::funding_rounds;
use crate::pair_listings;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::social;
use crate::timestamp::{self, DAY};
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    if args.operation.id != "search-events" {
        return Ok(None);
    }

    let asset = assets::find_project(args.text("id"), args.text("q"))?;
    let wanted = args.text("type");
    let mut rows: Vec<Row> = Vec::new();
    let mut add = |kind: &str, time: i64, title: String, description: String| {
        if time <= ctx.now && wanted.is_none_or(|wanted| wanted == kind) {
            let given = record!(ProjectEventItem {
                type: kind, title, description,
                date: timestamp::day_text(time), logo_url: asset.logo(),
            });
            rows.push(Row::new(asset.seed(ctx).named(kind).at_time(time), time, given));
        }
    };

    for event in pair_listings::asset_events(ctx, asset, 180) {
        let pair = format!("{}/{}", asset.symbol, event.quote);
        let title = format!("{} {}: {pair} ({})", event.venue, event.kind, event.product);
        add("listing", event.time, title, format!("{pair} on {}.", event.venue));
    }

    for campaign in airdrops::asset_campaigns(ctx, asset) {
        let title = format!("{} starts a campaign for {}", asset.name, campaign.reward);
        add("airdrop", campaign.start, title, format!("Rewards in {}.", asset.symbol));
    }

    for (name, amount, time) in funding_rounds::past_rounds(ctx, asset) {
        let title = format!("{} closes its {name}", asset.name);
        add("partnership", time, title, format!("{} USD were raised.", amount));
    }

    for (kind, time) in milestones(ctx, asset) {
        let title = format!("{} {kind}", asset.name);
        add(kind, time, title, format!("The data of {} in the sandbox are invented.", asset.name));
    }

    for (kind, row) in social::news_and_posts(ctx, asset) {
        let text = |name: &str| row.given.get(name).and_then(Value::as_str);
        let title = text("title").or(text("text")).unwrap_or_default().to_owned();
        let link = text("url").unwrap_or_default().to_owned();
        add(kind, row.time, title, link);
    }

    rows.sort_by_key(|row| std::cmp::Reverse(row.time));
    Ok(Some(Data::Rows(rows)))
}

/// Returns milestones of a project, each with its Unix time: the launch of the project, and six upgrades. One upgrade
/// is in the current period of 150 days, and one is in each of the five periods before. The newest upgrade may be in
/// the future.
fn milestones(ctx: &Context, asset: &Asset) -> Vec<(&'static str, i64)> {
    let seed = asset.seed(ctx).named("milestone");
    let step = 150 * DAY;
    let last = ctx.now.div_euclid(step);
    let upgrade = |n: i64| ("upgrade", n * step + seed.at_time(n).range(0, step - 1));
    let launch = ("launch", 1_577_836_800 + seed.named("launch").range(0, 500) * DAY);
    (last - 5..=last).map(upgrade).chain([launch]).collect()
}
