//! News articles. Every three hours there is one article about the price change of an asset.
//!
//! The input is the arguments of a request or the id of an article. The output is rows, or an error.

use crate::args::Args;
use crate::assets::{ASSETS, Asset};
use crate::context::Context;
use crate::random::Seed;
use crate::record::{member, record};
use crate::refusal::Refusal;
use crate::row::Row;
use crate::time_range::page_window;
use crate::timestamp::{DAY, HOUR};
use crate::value::json;

const SOURCES: &[&str] =
    &["coindesk", "cointelegraph", "theblock", "decrypt", "dlnews", "blockbeats", "panews"];
const STEP: i64 = 3 * HOUR;

/// Returns the articles of the last 60 days about an asset, newest first.
pub(super) fn asset_articles(ctx: &Context, asset: &Asset) -> impl Iterator<Item = Row> {
    let last = ctx.now.div_euclid(STEP);
    outlines(ctx, last - 60 * DAY / STEP, last)
        .filter(move |outline| outline.asset == asset)
        .map(|outline| article(ctx, &outline))
}

/// Subject, time and source of a news article. The text of the article is computed later.
#[derive(Debug, Clone, Copy)]
struct ArticleOutline {
    seed: Seed,
    start: i64,
    time: i64,
    asset: &'static Asset,
    source: &'static str,
}

impl ArticleOutline {
    fn new(ctx: &Context, start: i64) -> Self {
        let seed = ctx.seed.named("article").at_time(start);
        let asset = seed.named("asset").below(ASSETS.len() as u64) as usize;
        ArticleOutline {
            seed,
            start,
            time: start + seed.named("at").range(0, STEP - 1),
            asset: &ASSETS[asset],
            source: seed.named("source").pick(SOURCES),
        }
    }
}

fn outlines(ctx: &Context, first: i64, last: i64) -> impl Iterator<Item = ArticleOutline> {
    (first..=last)
        .rev()
        .map(move |slot| ArticleOutline::new(ctx, slot * STEP))
        .filter(|outline| outline.time <= ctx.now)
}

/// Returns the id of the article of a three-hour interval. The interval begins at the Unix time `start`. The id
/// contains this time, so that old articles can be found. The id does not depend on the random seed.
fn article_id(start: i64) -> String {
    format!("{start:012}-{}", Seed::new(0).named("article").at_time(start).hex(8))
}

fn find_article(ctx: &Context, id: &str) -> Option<Row> {
    let start: i64 = id.split('-').next()?.parse().ok()?;
    let exists = start >= 0 && start.rem_euclid(STEP) == 0 && article_id(start) == id;
    let outline = exists
        .then(|| ArticleOutline::new(ctx, start))
        .filter(|outline| outline.time <= ctx.now)?;
    Some(article(ctx, &outline))
}

fn content(row: &Row) -> String {
    row.given[member!(NewsArticleItem.summary)].as_str().unwrap_or_default().repeat(4)
}

pub(super) fn detail(ctx: &Context, id: &str) -> Result<Row, Refusal> {
    let mut row = find_article(ctx, id)
        .ok_or_else(|| Refusal::not_found(format!("no article has the id `{id}`")))?;
    let content = content(&row);
    row.given.insert(member!(NewsArticleDetailItem.content), content);
    row.given.remove(member!(NewsArticleItem.highlights));
    Ok(row)
}

/// Returns the title and the text of the web page of an article. `id` is the id of the article.
pub(crate) fn article_page(ctx: &Context, id: &str) -> Option<(String, String)> {
    let row = find_article(ctx, id)?;
    Some((row.given[member!(NewsArticleItem.title)].as_str()?.to_owned(), content(&row)))
}

/// Returns the price change of the article's asset on the day before the article, as a fraction.
fn price_change(ctx: &Context, outline: &ArticleOutline) -> f64 {
    let (walk, day) = (outline.asset.walk(ctx), outline.time - outline.time.rem_euclid(DAY));
    walk.at(day) / walk.at(day - DAY) - 1.0
}

fn article(ctx: &Context, outline: &ArticleOutline) -> Row {
    let ArticleOutline { seed, start, time, asset, source } = *outline;
    let change = price_change(ctx, outline);
    let verb = if change > 0.0 { "rises" } else { "falls" };
    let id = article_id(start);
    let title = format!("{} {verb} {:.1}% in a day", asset.name, change.abs() * 100.0);
    let summary = format!("{} {verb} in the invented data of the sandbox. ", asset.name);
    Row::new(
        seed,
        time,
        record!(NewsArticleItem {
            id: id.clone(),
            highlights: json!({"title": [title], "summary": [summary.trim_end()]}),
            title,
            summary,
            source,
            published_at: time,
            project_id: asset.id(),
            project_name: asset.name,
            url: format!("https://news.example/{id}"),
        }),
    )
}

/// Maximum time range of a list of articles, in seconds.
const MOST: i64 = 400 * DAY;

pub(super) fn list(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (q, project) = (args.text("q"), args.text("project"));
    let wanted = q.or(project);
    let asset = wanted
        .and_then(|text| ASSETS.iter().find(|asset| asset.is_about(text) || asset.id() == text));
    if let (Some(project), None) = (project, asset) {
        return Err(Refusal::not_found(format!("no project is called `{project}`")));
    }

    let to = args.timestamp("to").unwrap_or(ctx.now).min(ctx.now);
    let from = args.timestamp("from").unwrap_or(to - 60 * DAY).max(to - MOST);
    let source = args.text("source");
    let outlines: Vec<_> = outlines(ctx, from.div_euclid(STEP), to.div_euclid(STEP))
        .filter(|outline| (from..=to).contains(&outline.time))
        .filter(|outline| source.is_none_or(|source| source == outline.source))
        .filter(|outline| asset.is_none_or(|asset| asset == outline.asset))
        .collect();

    // `trending` sorts articles by the size of the price change, not by age.
    if args.text("sort_by") == Some("trending") {
        let mut by_change: Vec<_> =
            outlines.iter().map(|outline| (price_change(ctx, outline).abs(), outline)).collect();
        by_change.sort_by(|a, b| b.0.total_cmp(&a.0));
        return Ok(by_change.into_iter().map(|(_, outline)| article(ctx, outline)).collect());
    }

    if let (Some(text), None) = (wanted, asset) {
        let text = text.to_lowercase();
        let is_meant = |row: &Row| {
            row.given[member!(NewsArticleItem.title)]
                .as_str()
                .is_some_and(|title| title.to_lowercase().contains(&text))
        };
        return Ok(outlines.iter().map(|outline| article(ctx, outline)).filter(is_meant).collect());
    }

    // Titles and texts are computed only for articles on the requested page.
    let window = page_window(args);
    let row = |(index, outline): (usize, &ArticleOutline)| {
        if window.contains(&index) {
            return article(ctx, outline);
        }
        let given = record!(NewsArticleItem { published_at: outline.time, source: outline.source });
        Row::new(outline.seed, outline.time, given)
    };

    Ok(outlines.iter().enumerate().map(row).collect())
}
