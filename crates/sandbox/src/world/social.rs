//! People and what they say: one author behind each handle, and news of the same assets.

use serde_json::{Value, json};

use crate::args::Args;
use crate::context::Context;
use crate::moment::{DAY, HOUR};
use crate::random::Seed;
use crate::refusal::Refusal;

use super::assets::{ASSETS, Asset};
use super::{Data, Row, projects};

pub(super) fn data(ctx: &Context<'_>, args: &Args) -> Result<Option<Data>, Refusal> {
    let handle = || handle(args.text("handle").unwrap_or_default());
    let q = args.text("q").unwrap_or_default();
    Ok(Some(match args.operation.id {
        "social-user" => Data::One(person(ctx, &handle()?)),
        "social-user-posts" => {
            let mut posts = posts(ctx, &handle()?, "post");
            if args.text("filter") == Some("original") {
                posts.retain(|post| post.given["type"] != "repost");
            }
            Data::Rows(posts)
        }
        "social-user-replies" => Data::Rows(posts(ctx, &handle()?, "reply")),
        "social-user-followers" => Data::Rows(people(ctx, &handle()?, "followers")),
        "social-user-following" => Data::Rows(people(ctx, &handle()?, "following")),
        "search-social-posts" => {
            let about = ASSETS.iter().find(|asset| asset.is_about(q));
            let author = about.map_or_else(|| "market.watch".to_owned(), projects::handle);
            let mut posts = posts(ctx, &author, "post");
            for post in &mut posts {
                let text = format!("{q}: {}", post.given["text"].as_str().unwrap_or_default());
                post.given.insert("text".to_owned(), text.into());
            }
            Data::Rows(posts)
        }
        "news-feed" | "search-news" => Data::Rows(news(ctx, args)),
        "news-detail" => {
            let id = args.text("id").unwrap_or_default();
            let mut found = by_id(ctx, id)
                .ok_or_else(|| Refusal::not_found(format!("no article has the id `{id}`")))?;
            let summary = found.given["summary"].as_str().unwrap_or_default().repeat(4);
            found.given.insert("content".to_owned(), summary.into());
            Data::One(found)
        }
        _ => return Ok(None),
    }))
}

/// A handle without the @ that people write before it.
fn handle(text: &str) -> Result<String, Refusal> {
    let name = text.trim_start_matches('@').to_lowercase();
    let is_handle = !name.is_empty()
        && name.len() <= 30
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
    if is_handle {
        return Ok(name);
    }
    Err(Refusal::unfit(format!("`handle` must be letters, digits and underscores, not `{text}`")))
}

fn seed(ctx: &Context<'_>, handle: &str) -> Seed {
    ctx.seed.named("person").named(handle)
}

/// The id of an account; that of a project is the one its profile shows.
fn user_id(handle: &str) -> String {
    match ASSETS.iter().find(|asset| projects::handle(asset) == handle) {
        Some(asset) => projects::x_id(asset),
        None => Seed::new(0).named("account").named(handle).digits(19),
    }
}

fn display_name(handle: &str) -> String {
    match ASSETS.iter().find(|asset| projects::handle(asset) == handle) {
        Some(asset) => asset.name.to_owned(),
        None => handle.to_owned(),
    }
}

fn person(ctx: &Context<'_>, handle: &str) -> Row {
    let seed = seed(ctx, handle);
    let asset = ASSETS.iter().find(|asset| projects::handle(asset) == handle);
    // A project's account has the followers its profile tells of.
    let followers = match asset {
        Some(asset) => asset.seed(ctx).named("followers").range(20_000, 5_000_000),
        None => seed.named("followers").range(40, 90_000),
    };
    Row::new(
        seed,
        ctx.now,
        json!({
            "handle": handle, "name": display_name(handle), "user_id": user_id(handle),
            "followers_count": followers, "following_count": seed.named("following").range(10, 2_000),
            "avatar": format!("https://img.example/x/{handle}.png"),
        }),
    )
}

fn people(ctx: &Context<'_>, handle: &str, kind: &str) -> Vec<Row> {
    let seed = seed(ctx, handle).named(kind);
    (0..120 + seed.below(120))
        .map(|n| {
            person(
                ctx,
                &format!(
                    "{}{}",
                    seed.at(n).pick(&["trader", "anon", "degen", "builder"]),
                    seed.at(n).range(1, 9_999)
                ),
            )
        })
        .collect()
}

fn author(ctx: &Context<'_>, handle: &str) -> Value {
    json!({
        "handle": handle, "name": display_name(handle), "user_id": user_id(handle),
        "avatar": person(ctx, handle).given["avatar"],
    })
}

/// The posts of the last sixty days, newest first.
fn posts(ctx: &Context<'_>, handle: &str, kind: &str) -> Vec<Row> {
    let seed = seed(ctx, handle).named(kind);
    let step = 6 * HOUR;
    let last = ctx.now.div_euclid(step);
    (last - 239..=last)
        .rev()
        .filter_map(|slot| {
            let seed = seed.at_time(slot);
            let time = slot * step + seed.named("at").range(0, step - 1);
            if time > ctx.now {
                return None;
            }
            let id = format!("{}{}", slot, seed.digits(10));
            let asset = seed.named("asset").pick(&[&ASSETS[0], &ASSETS[1], &ASSETS[5]]);
            let is_repost = kind == "post" && seed.named("repost").chance(0.2);
            let likes = seed.named("likes").range(0, 9_000);
            Some(Row::new(seed, time, json!({
                "tweet_id": id, "url": format!("https://x.example/{handle}/{id}"),
                "author": author(ctx, handle), "created_at": time, "lang": "en",
                "type": if is_repost { "repost" } else { kind },
                "text": format!("{} {} today.", asset.name, seed.named("verb").pick(&["moves", "rests", "surprises"])),
                "stats": {
                    "likes": likes, "replies": likes / 9, "reposts": likes / 5, "views": likes * 40,
                },
            })))
        })
        .collect()
}

const SOURCES: &[&str] =
    &["coindesk", "cointelegraph", "theblock", "decrypt", "dlnews", "blockbeats", "panews"];

/// Articles, newest first: one every three hours of the last sixty days.
fn articles(ctx: &Context<'_>) -> impl Iterator<Item = Row> {
    let step = 3 * HOUR;
    let last = ctx.now.div_euclid(step);
    (last - 60 * DAY / step..=last)
        .rev()
        .map(move |slot| article(ctx, slot * step))
        .filter(|row| row.time <= ctx.now)
}

/// The id of the article of the three hours that begin at `start`, the same in every world. It
/// holds the time, so that an article can be found however old it is.
pub(crate) fn article_id(start: i64) -> String {
    format!("{start:012}-{}", Seed::new(0).named("article").at_time(start).hex(8))
}

fn by_id(ctx: &Context<'_>, id: &str) -> Option<Row> {
    let start: i64 = id.split('-').next()?.parse().ok()?;
    let known = start.rem_euclid(3 * HOUR) == 0 && article_id(start) == id;
    known.then(|| article(ctx, start)).filter(|row| row.time <= ctx.now)
}

fn article(ctx: &Context<'_>, start: i64) -> Row {
    let seed = ctx.seed.named("article").at_time(start);
    let asset: &Asset =
        &ASSETS[usize::try_from(seed.named("asset").below(ASSETS.len() as u64)).unwrap_or(0)];
    let time = start + seed.named("at").range(0, 3 * HOUR - 1);
    let (walk, hour) = (asset.walk(ctx), time - time.rem_euclid(DAY));
    let moved = walk.at(hour) / walk.at(hour - DAY) - 1.0;
    let verb = if moved > 0.0 { "rises" } else { "falls" };
    let id = article_id(start);
    Row::new(
        seed,
        time,
        json!({
            "id": id, "title": format!("{} {verb} {:.1}% in a day", asset.name, moved.abs() * 100.0),
            "summary": format!("{} {verb} as the sandbox imagines it. ", asset.name),
            "source": seed.named("source").pick(SOURCES), "published_at": time,
            "project_id": asset.id(ctx), "project_name": asset.name,
            "url": format!("https://news.example/{id}"),
        }),
    )
}

fn news(ctx: &Context<'_>, args: &Args) -> Vec<Row> {
    let wanted = args.text("q").or_else(|| args.text("project"));
    let asset = wanted
        .and_then(|text| ASSETS.iter().find(|asset| asset.is_about(text) || asset.id(ctx) == text));
    let mut rows: Vec<_> = articles(ctx)
        .filter(|row| match (wanted, asset) {
            (None, _) => true,
            (Some(_), Some(asset)) => row.given["project_name"] == asset.name,
            (Some(text), None) => {
                let title = row.given["title"].as_str().unwrap_or_default().to_lowercase();
                title.contains(&text.to_lowercase())
            }
        })
        .collect();
    // What trends is what moved most, whatever its age.
    if args.text("sort_by") == Some("trending") {
        let figure = |row: &Row| {
            row.given["title"].as_str().and_then(|title| {
                title.split(' ').find_map(|word| word.strip_suffix('%')?.parse::<f64>().ok())
            })
        };
        rows.sort_by(|a, b| figure(b).unwrap_or(0.0).total_cmp(&figure(a).unwrap_or(0.0)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_have_a_form() {
        assert_eq!(handle("@VitalikButerin").unwrap(), "vitalikbuterin");
        for bad in ["", "@", "a b", "a/b", &"x".repeat(31)] {
            assert_eq!(handle(bad).unwrap_err().status.as_u16(), 422, "{bad}");
        }
    }
}
