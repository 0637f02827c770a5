//! Social media posts, replies and comments. The id of a post contains the author and the time of the post, so that
//! each post can be found by its id.

use crate::assets::{ASSETS, Asset};
use crate::context::Context;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::Row;
use crate::social::people;
use crate::timestamp::{DAY, HOUR};
use crate::value::{Value, json};

/// Kind of a social media post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PostKind {
    /// A post that is not a reply.
    Post,
    /// A reply in the timeline of an account. The sandbox does not have the post to which it replies.
    Reply,
    /// A comment by another account under a post.
    Comment,
}

const KINDS: [PostKind; 3] = [PostKind::Post, PostKind::Reply, PostKind::Comment];

/// Author, time and kind of a post. Together, these values identify the post.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PostPlace {
    /// Handle of the post's author. For a comment, this is the author of the post to which the comment belongs.
    handle: String,
    kind: PostKind,
    /// Time slot of the post: number of six-hour intervals since 1970-01-01.
    slot: i64,
    /// Index of a comment among the comments of its post. 0 for other kinds of posts.
    n: u64,
}

const STEP: i64 = 6 * HOUR;
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789_.";
/// Maximum number of comments of a post.
const MOST_COMMENTS: u64 = 100;

impl PostPlace {
    /// Returns the id of the post, a string of decimal digits. The digits encode a checksum, the handle (two digits per
    /// character), the time slot, the kind and the comment index, in this order.
    fn id(&self) -> String {
        let letters: String = self
            .handle
            .bytes()
            .map(|byte| LETTERS.iter().position(|letter| *letter == byte).unwrap_or(0) + 10)
            .map(|number| number.to_string())
            .collect();
        let kind = KINDS.iter().position(|kind| *kind == self.kind).unwrap_or(0);
        let body = format!("{letters}{:06}{kind}{:02}", self.slot, self.n);
        format!("{}{body}", checksum(&body))
    }

    fn from_id(id: &str) -> Option<Self> {
        if !id.bytes().all(|byte| byte.is_ascii_digit()) || id.len() < 13 {
            return None;
        }
        let (expected, body) = id.split_at(2);
        let (letters, rest) = body.split_at(body.len().checked_sub(9)?);
        if checksum(body) != expected || !letters.len().is_multiple_of(2) {
            return None;
        }
        let letter = |pair: &[u8]| {
            let number = usize::from(pair[0] - b'0') * 10 + usize::from(pair[1] - b'0');
            LETTERS.get(number.checked_sub(10)?).map(|letter| char::from(*letter))
        };
        Some(PostPlace {
            handle: letters.as_bytes().chunks(2).map(letter).collect::<Option<_>>()?,
            kind: *KINDS.get(rest[6..7].parse::<usize>().ok()?)?,
            slot: rest[..6].parse().ok()?,
            n: rest[7..].parse().ok()?,
        })
    }
}

fn checksum(body: &str) -> String {
    Seed::new(0).named("post").named(body).range(10, 99).to_string()
}

/// Returns the posts of one kind that an account wrote in the last 60 days, newest first. `kind` is [`PostKind::Reply`]
/// for replies, and [`PostKind::Post`] for posts that are not replies.
pub(super) fn timeline<'a>(
    ctx: &'a Context,
    handle: &'a str,
    kind: PostKind,
) -> impl Iterator<Item = Row> + 'a {
    let last = ctx.now.div_euclid(STEP);
    (last - 239..=last).rev().filter_map(move |slot| {
        post(ctx, &PostPlace { handle: handle.to_owned(), kind, slot, n: 0 })
    })
}

/// Returns the post of an account in the last six-hour slot that ended at or before the Unix time `time`. For example,
/// for 13:00 UTC this is the slot from 06:00 to 12:00 UTC. Returns `None` if the account has no post in this slot.
pub(crate) fn post_before(ctx: &Context, handle: &str, time: i64) -> Option<Row> {
    let slot = time.div_euclid(STEP) - 1;
    post(ctx, &PostPlace { handle: handle.to_owned(), kind: PostKind::Post, slot, n: 0 })
}

fn likes(seed: Seed) -> i64 {
    seed.named("likes").range(1_100, 9_900)
}

/// Returns the asset that a post by the account `handle` is about. A handle can contain a topic, such as `zk` in
/// `zk_daily`. If no asset matches the topic, returns a random well-known asset, and the topic as the second result.
/// Otherwise the second result is `None`.
fn subject(handle: &str, seed: Seed) -> (&'static Asset, Option<String>) {
    let topic = people::topic(handle);
    let named = match &topic {
        Some(topic) => ASSETS.iter().find(|asset| asset.is_about(topic)),
        None => people::find_project(handle),
    };
    let usual = seed.named("asset").pick(&[&ASSETS[0], &ASSETS[1], &ASSETS[5]]);
    (named.unwrap_or(usual), topic.filter(|_| named.is_none()))
}

/// Computes the row of a post. Returns `None` if the post is in the future or does not exist.
fn post(ctx: &Context, place: &PostPlace) -> Option<Row> {
    let PostPlace { handle, kind, slot, n } = place;
    let name = match kind {
        PostKind::Post | PostKind::Comment => "post",
        PostKind::Reply => "reply",
    };
    let seed = people::seed(ctx, handle).named(name).at_time(*slot);
    let time = slot * STEP + seed.named("at").range(0, STEP - 1);
    if *kind == PostKind::Comment {
        return comment(ctx, place, seed, time);
    }
    if time > ctx.now || *n > 0 {
        return None;
    }

    let is_repost = *kind == PostKind::Post && seed.named("repost").chance(0.2);
    let known = record!(XTweet {
        created_at: time,
        type: if is_repost { "repost" } else { name },
    });
    let (at, place) = (*ctx, place.clone());
    let row = Row::lazy(seed, time, known, move || post_fields(&at, &place, seed, time));
    // A post gets new comments for about a day. After two days its row no longer changes.
    Some(if time + 2 * DAY < ctx.now { row.cacheable(ctx, "post") } else { row })
}

/// Returns the part of a post's row that filters do not use, such as the text and the statistics of the post.
fn post_fields(ctx: &Context, place: &PostPlace, seed: Seed, time: i64) -> Value {
    let PostPlace { handle, kind, .. } = place;
    let (asset, topic) = subject(handle, seed);
    let (id, likes) = (place.id(), likes(seed));

    // Only posts have comments. Replies have none.
    let replies = if *kind == PostKind::Post { comment_count(ctx, seed, time) } else { 0 };
    let media = match seed.named("media").below(4) {
        0 => json!([{"type": "photo", "url": format!("https://img.example/post/{id}.png")}]),
        _ => json!([]),
    };
    let verb = seed.named("verb").pick(&["moves", "rests", "surprises"]);

    let text = match topic {
        Some(topic) => format!("Notes on {topic}: {} {verb} today.", asset.name),
        None => format!("{} {verb} today.", asset.name),
    };

    record!(XTweet {
        tweet_id: id.clone(),
        url: format!("https://x.example/{handle}/{id}"),
        author: people::author(handle),
        lang: "en",
        media: media,
        title: Value::Null,
        cover_image_url: Value::Null,
        text: text,
        stats: record!(XStats { likes, replies, reposts: likes / 5, views: likes * 40 }),
    })
}

/// Returns the final number of comments of a post, one day after the post. `post_seed` is the random seed of the post.
fn final_comment_count(post_seed: Seed) -> u64 {
    (likes(post_seed).unsigned_abs() / 90).min(MOST_COMMENTS)
}

/// Returns the Unix time of comment `n` of a post, at most about 20 hours after `post_time`. `post_seed` is the random
/// seed of the post, and `post_time` is its Unix time.
fn comment_time(post_seed: Seed, post_time: i64, n: u64) -> i64 {
    post_time + 60 + post_seed.named("comment").at(n).named("at").range(0, 20 * HOUR)
}

/// Returns the number of comments of a post until now. `post_seed` is the random seed of the post, and `post_time` is
/// its Unix time.
fn comment_count(ctx: &Context, post_seed: Seed, post_time: i64) -> u64 {
    let all = final_comment_count(post_seed);
    if post_time + 21 * HOUR < ctx.now {
        return all;
    }
    (0..all).filter(|n| comment_time(post_seed, post_time, *n) <= ctx.now).count() as u64
}

fn comment(ctx: &Context, place: &PostPlace, post_seed: Seed, post_time: i64) -> Option<Row> {
    let time = comment_time(post_seed, post_time, place.n);
    if post_time > ctx.now || time > ctx.now || place.n >= final_comment_count(post_seed) {
        return None;
    }

    let seed = post_seed.named("comment").at(place.n);
    let (author, id) = (people::random_handle(seed), place.id());
    let likes = seed.named("likes").range(0, 80);
    let words = ["Agreed.", "Not so sure.", "Source?", "This is the way.", "Watching this."];

    Some(Row::new(
        seed,
        time,
        record!(XTweet {
            tweet_id: id.clone(), url: format!("https://x.example/{author}/{id}"),
            author: people::author(&author), created_at: time, lang: "en",
            media: Value::Array(Vec::new()), title: Value::Null, cover_image_url: Value::Null,
            type: "reply", text: format!("@{} {}", place.handle, seed.named("words").pick(&words)),
            stats: record!(XStats {likes, replies: 0, reposts: likes / 9, views: likes * 30}),
        }),
    ))
}

fn not_found(id: &str) -> Refusal {
    Refusal::not_found(format!("no post has the id `{id}`"))
}

/// Finds posts by their ids. Unknown ids are ignored.
///
/// # Errors
/// Returns an error of kind `NotFound` if all ids are unknown.
pub(super) fn find_by_ids(ctx: &Context, ids: &[&str]) -> Result<Vec<Row>, Refusal> {
    let rows: Vec<_> = ids
        .iter()
        .filter_map(|id| PostPlace::from_id(id).and_then(|place| post(ctx, &place)))
        .collect();
    match ids.first() {
        Some(id) if rows.is_empty() => Err(not_found(id)),
        _ => Ok(rows),
    }
}

/// Returns the rows of the comments on a post, newest first. The field `stats.replies` in the row of the post is equal
/// to the number of these comments.
pub(super) fn replies(ctx: &Context, id: &str) -> Result<Vec<Row>, Refusal> {
    let place = PostPlace::from_id(id).ok_or_else(|| not_found(id))?;
    let post_row = post(ctx, &place).ok_or_else(|| not_found(id))?;
    let count = if place.kind == PostKind::Post { final_comment_count(post_row.seed) } else { 0 };
    let comment_place = |n: u64| PostPlace { kind: PostKind::Comment, n, ..place.clone() };
    let mut rows: Vec<_> = (0..count).filter_map(|n| post(ctx, &comment_place(n))).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.time));
    Ok(rows)
}

/// Returns posts of accounts that match the words `q`, newest post first. The accounts are the account of the first
/// project that matches `q`, and at most three topic accounts, such as `zk_daily` for `zk`. The list contains at most
/// 60 posts of each account.
pub(super) fn search(ctx: &Context, q: &str) -> Vec<Row> {
    let asset = ASSETS.iter().find(|asset| asset.is_about(q));
    let own = asset.map(Asset::handle);
    let handles = people::find_handles(q).into_iter();
    let topics = handles.filter(|handle| people::topic(handle).is_some());
    let mut rows: Vec<_> = own
        .into_iter()
        .chain(topics.take(3))
        .flat_map(|handle| timeline(ctx, &handle, PostKind::Post).take(60).collect::<Vec<_>>())
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.time));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn post_id_round_trips_and_invalid_ids_are_rejected() {
        for (handle, kind, n) in [
            ("a", PostKind::Post, 0),
            ("vitalikbuterin", PostKind::Reply, 0),
            ("x_9.z", PostKind::Comment, 42),
        ] {
            let place = PostPlace { handle: handle.to_owned(), kind, slot: 82_501, n };
            assert_eq!(PostPlace::from_id(&place.id()), Some(place.clone()));
            assert!(!place.id().starts_with('0'));
        }
        for bad in ["", "1", "abc", &"1".repeat(19), &"9".repeat(400), "12é4567890123"] {
            assert_eq!(PostPlace::from_id(bad), None, "{bad}");
        }
    }
}
