//! Daily news items of projects. Each news item quotes a social media post of the project.

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::context::Context;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::social;
use crate::timestamp::DAY;
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    let project = || assets::find_project(args.text("id"), args.text("q"));
    Ok(Some(Data::Rows(match args.operation.id {
        "project-ai-news" => news_items(ctx, Some(project()?)),
        "project-pulse" if args.is_given("id") || args.is_given("q") => {
            news_items(ctx, Some(project()?))
        }
        "project-pulse" => news_items(ctx, None),
        _ => return Ok(None),
    })))
}

const DEEDS: &[(&str, &str)] = &[
    ("ships an upgrade", "product"),
    ("grows its user base", "growth"),
    ("announces a partnership", "partnership"),
    ("publishes a roadmap", "product"),
];

/// Returns one news item for each of the 60 days before today. Also returns the news item of today, if this item is
/// already published. The newest item is first. If `only` is set, all items are about this project. If `only` is
/// `None`, each item is about a random project.
fn news_items(ctx: &Context, only: Option<&'static Asset>) -> Vec<Row> {
    let today = ctx.now.div_euclid(DAY);
    (today - 60..=today)
        .rev()
        .filter_map(|day| {
            let item = ctx.seed.named("pulse").at_time(day);
            let any = &ASSETS[item.below(ASSETS.len() as u64) as usize];
            let asset = only.unwrap_or(any);
            let time = day * DAY + item.range(0, 10 * 3600);
            (time <= ctx.now).then(|| news_item(ctx, asset, time))
        })
        .collect()
}

fn news_item(ctx: &Context, asset: &'static Asset, time: i64) -> Row {
    let seed = asset.seed(ctx).named("pulse").at_time(time);
    let at = *ctx;
    let row = Row::lazy(seed, time, record!(ProjectPulseItem { timestamp: time }), move || {
        item_fields(&at, asset, seed, time)
    });
    // Two days after the news, the quoted post no longer gets comments, so the row no longer changes.
    if time + 2 * DAY < ctx.now { row.cacheable(ctx, "deed") } else { row }
}

fn item_fields(ctx: &Context, asset: &'static Asset, seed: Seed, time: i64) -> Value {
    let (deed, kind) = seed.named("verb").pick(DEEDS);
    let handle = asset.handle();
    let person = social::person(ctx, &handle).given;

    // The post of the project's account in the six-hour slot before the news.
    let post = social::post_before(ctx, &handle, time).map(|post| {
        let post = post.whole();
        let stats = &post.given["stats"];
        record!(PulseSourceTweet {
            tweet_id: post.given["tweet_id"].clone(),
            text: post.given["text"].clone(),
            post_at: post.time,
            likes: stats["likes"].clone(),
            repost: stats["reposts"].clone(),
            comment: stats["replies"].clone(),
            views: stats["views"].clone(),
        })
    });

    record!(ProjectPulseItem {
        id: seed.uuid(),
        slug: asset.slug(),
        title: format!("{} {deed}", asset.name),
        signal_type: kind,
        subtitle: format!("{} {deed}, by its own account.", asset.name),
        tldr: [format!("{} {deed}.", asset.name), format!("It said so as @{handle}.")],
        sources: [asset.website(), format!("https://x.example/{handle}")],
        source_tweet: post.unwrap_or(Value::Null),
        twitter_author: record!(PulseTweetAuthor {
            handle,
            display_name: person["name"].clone(),
            twitter_id: person["user_id"].clone(),
            avatar_url: person["avatar"].clone(),
            follower_count: person["followers_count"].clone(),
            // The number of smart followers at the time of the news.
            smart_follower_count: social::smart_followers(ctx, asset, time),
        }),
    })
}
