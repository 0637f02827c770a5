//! Social media: accounts, posts, news and analytics. A handle belongs to the same account in all responses.

mod analytics;
mod news;
mod people;
mod posts;

use crate::args::Args;
use crate::assets::Asset;
use crate::context::Context;
use crate::record::member;
use crate::refusal::Refusal;
use crate::row::{Data, Row};

pub(super) use analytics::smart_followers;
pub(crate) use news::article_page;
pub(super) use people::{followers, person};
pub(super) use posts::post_before;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    let handle = || people::parse_handle(args.text("handle").unwrap_or_default());
    let q = args.text("q").unwrap_or_default();

    Ok(Some(match args.operation.id {
        "social-user" => Data::One(people::person(ctx, &handle()?)),
        "social-user-posts" => {
            let is_meant = |post: &Row| {
                args.text("filter") != Some("original")
                    || post.given[member!(XTweet.type)] != "repost"
            };
            let handle = handle()?;
            let posts = posts::timeline(ctx, &handle, posts::PostKind::Post);
            Data::Rows(posts.filter(is_meant).collect())
        }
        "social-user-replies" => {
            Data::Rows(posts::timeline(ctx, &handle()?, posts::PostKind::Reply).collect())
        }
        "social-user-followers" => Data::Rows(people::connections(ctx, &handle()?, "followers")),
        "social-user-following" => Data::Rows(people::connections(ctx, &handle()?, "following")),

        "social-tweets" | "x-tweets" => Data::Rows(posts::find_by_ids(ctx, &args.list("ids"))?),
        "social-tweet-replies" => {
            Data::Rows(posts::replies(ctx, args.text("tweet_id").unwrap_or_default())?)
        }
        "search-social-posts" => Data::Rows(posts::search(ctx, q)),
        "search-social-people" => Data::Rows(people::search(ctx, q)),
        "news-feed" | "search-news" => Data::Rows(news::list(ctx, args)?),
        "news-detail" => Data::One(news::detail(ctx, args.text("id").unwrap_or_default())?),
        _ => return analytics::data(ctx, args),
    }))
}

/// Returns the news articles about an asset in the last 60 days, and the 20 newest posts of the asset's project. Each
/// element of the list contains the event type (`news` or `twitter`) and the row.
pub(super) fn news_and_posts(ctx: &Context, asset: &Asset) -> Vec<(&'static str, Row)> {
    let handle = asset.handle();
    let own = posts::timeline(ctx, &handle, posts::PostKind::Post).take(20);
    news::asset_articles(ctx, asset)
        .map(|row| ("news", row))
        .chain(own.map(|row| ("twitter", row.whole())))
        .collect()
}
