//! Social analytics of projects. They are the number of mentions in each hour, sums of these numbers, sentiment, and
//! followers.

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::random::Seed;
use crate::record::{member, record};
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::social::people;
use crate::time_range::{HISTORY, span};
use crate::timestamp::{self, DAY, HOUR};
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "social-mindshare" => {
            let asset = assets::find_project(args.text("id"), args.text("q"))?;
            Data::One(mindshare(ctx, args, asset))
        }
        "social-ranking" => Data::Rows(ranking(ctx, args)),
        "social-sentiment" => {
            let asset = assets::find_project(args.text("id"), args.text("q"))?;
            let given = record!(SocialSentimentItem {
                project_id: asset.id(),
                project_name: asset.name,
                symbol: asset.symbol,
                sentiment_score: sentiment(ctx, asset, WEEK),
                insufficient_social_data: false,
            });
            Data::One(Row::new(asset.seed(ctx), ctx.now, given))
        }
        "social-detail" => Data::One(detail(ctx, args, find_project(args)?)),
        "social-smart-followers-history" => Data::Rows(history(ctx, args, find_project(args)?)),
        _ => return Ok(None),
    }))
}

const WEEK: i64 = 7 * DAY;

/// Finds a project by the account id in the `x_id` argument, or else by the words in the `q` argument.
fn find_project(args: &Args) -> Result<&'static Asset, Refusal> {
    match args.text("x_id") {
        Some(id) => ASSETS
            .iter()
            .find(|asset| asset.x_id() == id)
            .ok_or_else(|| Refusal::not_found(format!("no project has the X account `{id}`"))),
        None => assets::find_project(None, args.text("q")),
    }
}

/// Returns the number of posts about a project in one hour. `usual` is roughly the mean number, and `hour` is in hours
/// since 1970-01-01.
fn mentions_in_hour(seed: Seed, usual: f64, hour: i64) -> i64 {
    let day = seed.named("day").at_time(hour.div_euclid(24)).between(0.6, 1.6);
    (usual * day * seed.at_time(hour).between(0.5, 1.5)) as i64
}

/// Returns the number of posts about a project with Unix times in `start..end`. Both times must be multiples of five
/// minutes. The counts of adjacent time ranges add up to the count of the whole range.
fn count_mentions(ctx: &Context, asset: &Asset, source: &str, start: i64, end: i64) -> i64 {
    let seed = asset.seed(ctx).named("mentions").named(source);
    let usual = seed.magnitude(40.0, 2_000.0);
    let (mut sum, mut at) = (0, start);
    while at < end {
        let hour = at.div_euclid(HOUR);
        let until = ((hour + 1) * HOUR).min(end);
        let in_hour = mentions_in_hour(seed, usual, hour);
        let before = |time: i64| in_hour * (time - hour * HOUR) / HOUR;
        sum += before(until) - before(at);
        at = until;
    }
    sum
}

/// Maximum length of a time series, in intervals.
const MOST: i64 = 400;

fn mindshare(ctx: &Context, args: &Args, asset: &Asset) -> Row {
    let source = args.text("source").unwrap_or("x");
    let step = match args.text("interval") {
        Some("5m") => 300,
        Some("1h") => HOUR,
        Some("7d") => WEEK,
        _ => DAY,
    };
    let (from, to) = span(ctx, args, 60 * step);
    let from = from.max(to - MOST * step).max(ctx.now - HISTORY);
    let first = from + (-from).rem_euclid(step);

    // The numbers of posts are known for complete five-minute intervals only.
    let known = ctx.now - ctx.now.rem_euclid(300);
    let points: Vec<_> = (0..)
        .map(|n| first + n * step)
        .take_while(|start| *start <= to && *start < known)
        .map(|start| {
            let value = count_mentions(ctx, asset, source, start, (start + step).min(known));
            record!(SocialMindsharePoint { timestamp: start, value })
        })
        .collect();

    let tags: Value = if args.flag("include_tag_percents") {
        let series = |tag| tag_series(ctx, source, asset, tag, &points, step);
        tags(asset).into_iter().map(series).collect()
    } else {
        Value::Null
    };
    let mut row = Row::new(asset.seed(ctx), ctx.now, record!(SocialMindshareBody { data: points }))
        .complete();
    if !tags.is_null() {
        row.given.insert(member!(SocialMindshareBody.tag_percents), tags);
    }

    row
}

/// Returns a record with a time series of percentages for a project and one of its tags. Each percentage is the number
/// of posts about the project, divided by the number of posts about all projects with this tag. `points` contains one
/// object per time interval. The series has a percentage for each of the last 30 intervals. The record also contains
/// the project's rank and share in these intervals.
fn tag_series(
    ctx: &Context,
    source: &str,
    asset: &Asset,
    tag: &str,
    points: &[Value],
    step: i64,
) -> Value {
    let known = ctx.now - ctx.now.rem_euclid(300);
    let peers: Vec<_> = ASSETS.iter().filter(|peer| tags(peer).contains(&tag)).collect();
    let percent = |own: i64, all: i64| round(own as f64 / (all as f64).max(1.0) * 100.0);

    // Only the last 30 points are computed, because each point needs the numbers of all projects with the tag.
    let last = &points[points.len().saturating_sub(30)..];
    let count = |peer: &Asset, start: i64| {
        count_mentions(ctx, peer, source, start, (start + step).min(known))
    };
    let mut totals = vec![0; peers.len()];
    let percents: Vec<_> = last
        .iter()
        .map(|point| {
            let start = point["timestamp"].as_i64().unwrap_or(0);
            let counts: Vec<i64> = peers.iter().map(|peer| count(peer, start)).collect();
            for (total, count) in totals.iter_mut().zip(&counts) {
                *total += count;
            }
            let own = point["value"].as_i64().unwrap_or(0);
            record!(MindshareTagPercentPoint {
                timestamp: start,
                percent: percent(own, counts.iter().sum())
            })
        })
        .collect();
    let own = peers.iter().position(|peer| *peer == asset).map_or(0, |place| totals[place]);
    let rank = 1 + totals.iter().filter(|total| **total > own).count();
    let share = own as f64 / (totals.iter().sum::<i64>() as f64).max(1.0);

    record!(ProjectTagMindshareSeries { tag, rank, share_ratio: round(share), points: percents })
}

/// Returns the tags of a project, such as `meme` or `dex`. A request for a ranking can select one tag.
fn tags(asset: &Asset) -> Vec<&'static str> {
    let by_category = asset.categories.iter().filter_map(|category| {
        Some(match *category {
            "L1" => "l1",
            "L2" => "l2",
            "MEME" => "meme",
            "RWA" => "rwa",
            "GAMING" => "gamefi",
            "AI" => "data",
            "LST" => "yield",
            _ => return None,
        })
    });

    let own: &[&str] = match asset.symbol {
        "UNI" | "AERO" => &["dex"],
        "HYPE" => &["derivatives", "dex"],
        "AAVE" => &["yield"],
        "BNB" => &["cex"],
        "LINK" => &["oracle", "data"],
        "IMX" => &["nft"],
        "RENDER" => &["devtool"],
        "FET" => &["prediction"],
        "ONDO" => &["compliance", "yield"],
        _ => &[],
    };

    by_category.chain(own.iter().copied()).collect()
}

/// Returns the sentiment of posts about a project, from -1 to 1. The sentiment depends on a small random number, and on
/// the price change of the project's token in the `window` seconds before the start of today. A `window` shorter than
/// one day counts as one day.
fn sentiment(ctx: &Context, asset: &Asset, window: i64) -> f64 {
    let walk = asset.walk(ctx);
    let today = ctx.now - ctx.now.rem_euclid(DAY);
    let change = walk.at(today) / walk.at(today - window.max(DAY)) - 1.0;
    let mood = asset.seed(ctx).named("mood").at_time(today).bell() * 0.1;
    round((change * 4.0 + mood).tanh())
}

fn ranking(ctx: &Context, args: &Args) -> Vec<Row> {
    let window = args.text("time_range").and_then(timestamp::window).unwrap_or(WEEK);
    let source = args.text("source").unwrap_or("x");
    let (tag, wanted) = (args.text("tag"), args.text("sentiment"));
    let end = ctx.now - ctx.now.rem_euclid(HOUR);

    let mut ranked: Vec<_> = ASSETS
        .iter()
        .filter(|asset| tag.is_none_or(|tag| tags(asset).contains(&tag)))
        .map(|asset| {
            let score = sentiment(ctx, asset, window);
            let mood = if score >= 0.0 { "positive" } else { "negative" };
            (asset, score, mood)
        })
        .filter(|(_, _, mood)| wanted.is_none_or(|wanted| wanted == *mood))
        .map(|(asset, score, mood)| {
            (count_mentions(ctx, asset, source, end - window, end), asset, score, mood)
        })
        .collect();
    ranked.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));

    ranked
        .into_iter()
        .enumerate()
        .map(|(index, (count, asset, score, mood))| {
            let handle = asset.handle();
            let reason = format!("{count} posts about {}", asset.name);
            Row::new(
                asset.seed(ctx),
                ctx.now,
                record!(MindshareTopProject {
                    rank: index + 1,
                    sentiment: mood,
                    sentiment_score: score,
                    tags: tags(asset),
                    trending_short_reason: reason.clone(),
                    trending_summary: format!("{reason} in the time range; most posts are {mood}."),

                    project: record!(MindshareTopProjectInfo {
                        id: asset.id(),
                        name: asset.name,
                        slug: asset.slug()
                    }),
                    token: record!(MindshareTopTokenInfo {
                        id: asset.id(),
                        name: asset.name,
                        symbol: asset.symbol,
                        image: asset.logo(),
                    }),
                    twitter: record!(MindshareTopTwitterInfo {
                        twitter_id: asset.x_id(),
                        x_handle: handle.clone(),
                        display_name: asset.name,
                        avatar_url: people::author(&handle)["avatar"].clone(),
                    }),
                }),
            )
        })
        .collect()
}

/// Returns the number of smart followers (influential followers) of a project on a day. `day` is in days since
/// 1970-01-01.
fn smart_followers_on_day(ctx: &Context, asset: &Asset, day: i64) -> i64 {
    let seed = asset.seed(ctx).named("smart");
    let (base, pace) = (seed.range(60, 900), seed.named("pace").between(0.02, 0.3));
    // The number grows steadily from the start of 2020, with small random daily changes.
    let grown = (day - 18_262).max(0) as f64 * pace;
    base + grown as i64 + seed.at_time(day).range(0, 4)
}

fn history(ctx: &Context, args: &Args, asset: &Asset) -> Vec<Row> {
    let today = ctx.now.div_euclid(DAY);
    let days = args.integer("limit").unwrap_or(36);
    (today - days + 1..=today)
        .map(|day| {
            let given = record!(SmartFollowerHistoryPoint {
                date: timestamp::day_text(day * DAY),
                count: smart_followers_on_day(ctx, asset, day)
            });
            Row::new(asset.seed(ctx), day * DAY, given)
        })
        .collect()
}

const PLACES: &[&str] = &[
    "United States",
    "Germany",
    "South Korea",
    "Japan",
    "Brazil",
    "Nigeria",
    "India",
    "Turkey",
    "United Kingdom",
    "Vietnam",
    "France",
    "Indonesia",
    "Argentina",
    "Canada",
    "Switzerland",
];

fn detail(ctx: &Context, args: &Args, asset: &Asset) -> Row {
    let wanted = args.list("fields");
    let range = args.text("time_range").unwrap_or("7d");
    let window = timestamp::window(range).unwrap_or(WEEK);
    let section =
        |name: &str, value: Value| if wanted.contains(&name) { value } else { Value::Null };
    let count = smart_followers(ctx, asset, ctx.now);

    let given = record!(SocialDetailBody {
        twitter_id: asset.x_id(),
        project_id: asset.id(),
        project_name: asset.name,
        sentiment: section(
            "sentiment",
            record!(SentimentData {
                score: sentiment(ctx, asset, window),
                time_range: range,
                insufficient_social_data: false,
            })
        ),
        follower_geo: section("follower_geo", geography(ctx, args, asset)),
        smart_followers: section(
            "smart_followers",
            record!(SmartFollowersData { count, followers: top_smart_followers(ctx, asset) })
        ),
    });

    Row::new(asset.seed(ctx), ctx.now, given).complete()
}

/// Returns the number of followers of a project in each country, the largest number first.
fn geography(ctx: &Context, args: &Args, asset: &Asset) -> Value {
    let total = people::followers(ctx, asset);
    let seed = asset.seed(ctx).named("places");
    let weights: Vec<f64> =
        PLACES.iter().map(|place| seed.named(place).magnitude(1.0, 9.0)).collect();
    let sum: f64 = weights.iter().sum();
    let mut places: Vec<_> = PLACES
        .iter()
        .zip(&weights)
        .map(|(place, weight)| (place, (total as f64 * weight / sum) as i64))
        .collect();

    // The rounding remainder is added to the first country, so that the sum is exact.
    let rest = total - places.iter().map(|(_, count)| count).sum::<i64>();
    places[0].1 += rest;
    places.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    places.truncate(usize::try_from(args.integer("geo_limit").unwrap_or(20)).unwrap_or(20));
    let locations: Vec<_> = places
        .into_iter()
        .map(|(place, count)| {
            let percentage = round(count as f64 / total as f64 * 100.0);
            record!(FollowerGeoItem { location: place, follower_count: count, percentage })
        })
        .collect();

    record!(FollowerGeoData { locations, total_follower_count: total })
}

/// Returns the number of smart followers (influential followers) of a project at a Unix time.
pub(crate) fn smart_followers(ctx: &Context, asset: &Asset, time: i64) -> i64 {
    smart_followers_on_day(ctx, asset, time.div_euclid(DAY))
}

/// Returns the 20 smart followers (influential followers) with the highest scores among all smart followers of a
/// project. The follower with the highest score is first.
fn top_smart_followers(ctx: &Context, asset: &Asset) -> Vec<Value> {
    let seed = asset.seed(ctx).named("smart followers");
    let mut people: Vec<_> = (0..20)
        .map(|n| (round(seed.at(n).named("score").between(50.0, 99.9)), seed.at(n)))
        .collect();
    people.sort_by(|a, b| b.0.total_cmp(&a.0));

    people
        .into_iter()
        .enumerate()
        .map(|(index, (score, seed))| {
            let person = people::person(ctx, &people::random_handle(seed)).given;
            record!(SmartFollowerItem {
                rank: index + 1,
                score,
                handle: person["handle"].clone(),
                name: person["name"].clone(),
                avatar: person["avatar"].clone(),
                twitter_id: person["user_id"].clone(),
                description: person["bio"].clone(),
                followers_count: person["followers_count"].clone(),
                tag: seed.named("tag").pick(&["Founder", "Investor", "Researcher", "Media"]),
            })
        })
        .collect()
}
