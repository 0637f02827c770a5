//! Articles: one every three hours, each about a move of the same prices.

use serde_json::json;

use crate::args::Args;
use crate::context::Context;
use crate::moment::{DAY, HOUR};
use crate::random::Seed;
use crate::refusal::Refusal;

use super::super::Row;
use super::super::assets::{ASSETS, Asset};

const SOURCES: &[&str] =
    &["coindesk", "cointelegraph", "theblock", "decrypt", "dlnews", "blockbeats", "panews"];
const STEP: i64 = 3 * HOUR;

/// Articles of the last sixty days, newest first.
pub(super) fn articles(ctx: &Context<'_>) -> impl Iterator<Item = Row> {
    let last = ctx.now.div_euclid(STEP);
    between(ctx, last - 60 * DAY / STEP, last)
}

fn between(ctx: &Context<'_>, first: i64, last: i64) -> impl Iterator<Item = Row> {
    (first..=last)
        .rev()
        .map(move |slot| article(ctx, slot * STEP))
        .filter(|row| row.time <= ctx.now)
}

/// The id of the article of the three hours that begin at `start`, the same in every world. It
/// holds the time, so that an article can be found however old it is.
pub(crate) fn article_id(start: i64) -> String {
    format!("{start:012}-{}", Seed::new(0).named("article").at_time(start).hex(8))
}

fn by_id(ctx: &Context<'_>, id: &str) -> Option<Row> {
    let start: i64 = id.split('-').next()?.parse().ok()?;
    let known = start >= 0 && start.rem_euclid(STEP) == 0 && article_id(start) == id;
    known.then(|| article(ctx, start)).filter(|row| row.time <= ctx.now)
}

fn content(row: &Row) -> String {
    row.given["summary"].as_str().unwrap_or_default().repeat(4)
}

pub(super) fn detail(ctx: &Context<'_>, id: &str) -> Result<Row, Refusal> {
    let mut found = by_id(ctx, id)
        .ok_or_else(|| Refusal::not_found(format!("no article has the id `{id}`")))?;
    let content = content(&found);
    found.given.insert("content".to_owned(), content.into());
    Ok(found)
}

/// Title and text of the page that shows an article.
pub(crate) fn page_of_article(ctx: &Context<'_>, id: &str) -> Option<(String, String)> {
    let row = by_id(ctx, id)?;
    Some((row.given["title"].as_str()?.to_owned(), content(&row)))
}

/// What the article that begins at `start` is about.
fn subject(ctx: &Context<'_>, start: i64) -> (Seed, &'static Asset) {
    let seed = ctx.seed.named("article").at_time(start);
    (seed, &ASSETS[usize::try_from(seed.named("asset").below(ASSETS.len() as u64)).unwrap_or(0)])
}

fn article(ctx: &Context<'_>, start: i64) -> Row {
    let (seed, asset) = subject(ctx, start);
    let time = start + seed.named("at").range(0, STEP - 1);
    let (walk, day) = (asset.walk(ctx), time - time.rem_euclid(DAY));
    let moved = walk.at(day) / walk.at(day - DAY) - 1.0;
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

/// The longest stretch of a feed.
const MOST: i64 = 400 * DAY;

pub(super) fn list(ctx: &Context<'_>, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (q, project) = (args.text("q"), args.text("project"));
    let wanted = q.or(project);
    let asset = wanted
        .and_then(|text| ASSETS.iter().find(|asset| asset.is_about(text) || asset.id(ctx) == text));
    if let (Some(project), None) = (project, asset) {
        return Err(Refusal::not_found(format!("no project is called `{project}`")));
    }
    let to = args.moment("to").unwrap_or(ctx.now).min(ctx.now);
    let from = args.moment("from").unwrap_or(to - 60 * DAY).max(to - MOST);
    let mut rows: Vec<_> = between(ctx, from.div_euclid(STEP), to.div_euclid(STEP))
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
    Ok(rows)
}
