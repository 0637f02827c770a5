//! Laws about dates and times, about people and their posts, and about all operations together. A law is a statement
//! that is true for the invented data of every seed at every time.

use std::collections::BTreeSet;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, Operation, ParamKind, Type};
use crypto_intel_world::{Kind, Refusal, example};
use serde_json::Value;

use crate::world_client::{Shown, World, figure, list, same, text, that, timestamp};
use crate::{Held, Law};

const DAY: i64 = 86_400;

pub(crate) const LAWS: &[Law] = &[
    ("The same request at the same time has the same response", repeats),
    (
        "The code of the world sets every field of a response; a field without a value does not get a random value",
        decided,
    ),
    ("Past dates do not change with the clock", past),
    ("No past event has a future date", ahead),
    ("The author of a post is the person with the handle in the post", author),
    ("A post is the same by its id and in the timeline", post),
    ("A project posts under the handle in its profile", handle),
    (
        "A handle without an account is unknown, but a handle about a known topic gets an invented account",
        unknown,
    ),
    ("An article is the same in the feed and by its id", article),
    ("News and posts are sorted newest first", newest),
    ("A signal has the project's price", signal),
    ("Projects and addresses outside the world are unknown", nobody),
];

/// Returns the operations that the crate `world` implements. SQL, chat and account operations are implemented
/// elsewhere.
pub(crate) fn operations() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().copied().filter(|operation| {
        let path = operation.path.strip_prefix("/gateway/v1/onchain/").unwrap_or_default();
        let is_sql = matches!(path.split('/').next(), Some("sql" | "query" | "schema"));
        let elsewhere = operation.id == "credit-balance"
            || operation.param("messages").is_some()
            || operation.id.starts_with("responses");
        !is_sql && !elsewhere && !matches!(operation.answer, Answer::Stream | Answer::Empty)
    })
}

fn repeats(world: &World) -> Held {
    for operation in operations() {
        let ask = || {
            let rows = world.example(operation)?;
            Ok::<_, Refusal>(rows.into_iter().map(|shown| shown.value).collect::<Vec<_>>())
        };
        that(ask() == ask(), || operation.id.to_owned())?;
    }
    Ok(())
}

/// Returns the example arguments of an operation, and variants of them. In each variant, one parameter has another
/// of its allowed values.
fn variants(operation: &'static Operation) -> Vec<Vec<(&'static str, Value)>> {
    let usual = example::parameters(operation);
    let mut all = vec![usual.clone()];
    for param in operation.params {
        let ParamKind::Enum(choices) = param.kind else { continue };
        for choice in choices {
            let mut changed = usual.clone();
            changed.retain(|(name, _)| *name != param.name);
            changed.push((param.name, Value::from(*choice)));
            all.push(changed);
        }
    }
    all
}

/// Collects the paths of fields whose values differ in two JSON values. Ignores the field `meta`, because other code of
/// the sandbox adds this field to finished rows.
fn differences(a: &Value, b: &Value, place: &str, found: &mut BTreeSet<String>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let names: BTreeSet<_> =
                a.keys().chain(b.keys()).filter(|name| *name != "meta").collect();
            for name in names {
                let (a, b) = (a.get(name), b.get(name));
                let place = format!("{place}.{name}");
                differences(a.unwrap_or(&Value::Null), b.unwrap_or(&Value::Null), &place, found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).for_each(|(a, b)| differences(a, b, place, found));
        }
        _ if a != b => drop(found.insert(place.to_owned())),
        _ => {}
    }
}

fn decided(world: &World) -> Held {
    let mut found = BTreeSet::new();
    for operation in operations() {
        for params in variants(operation) {
            for (a, b) in world.completed_twice(operation, &params).unwrap_or_default() {
                differences(&a, &b, operation.id, &mut found);
            }
        }
    }
    that(found.is_empty(), || format!("{found:#?}"))
}

/// Returns the type of an operation's rows or of its single value. Returns `None` for other responses.
fn row_type(operation: &Operation) -> Option<Type> {
    match operation.answer {
        Answer::Rows { row, .. } => Some(row),
        Answer::One { data, .. } => Some(data),
        _ => None,
    }
}

/// Collects the path and the value of each Unix timestamp (in seconds) in `value`, a JSON value of type `ty`. Does not
/// search lists and maps.
fn moments(ty: Type, value: &Value, place: &str, found: &mut Vec<(String, i64)>) {
    match (ty, value) {
        (Type::UnixSeconds, Value::Number(number)) => {
            found.push((place.to_owned(), number.as_i64().unwrap_or(0)));
        }
        (Type::Record(name), Value::Object(members)) => {
            for field in tables::record(name).into_iter().flat_map(|record| record.fields) {
                if let Some(member) = members.get(field.name) {
                    moments(field.ty, member, &format!("{place}.{}", field.name), found);
                }
            }
        }
        _ => {}
    }
}

/// Returns true for time fields that may change as the current time advances. Such a field contains the time of the
/// newest data, or the time of an all-time high or low. Another law covers all-time highs and lows.
fn moves_along(place: &str) -> bool {
    let name = place.rsplit('.').next().unwrap_or_default();
    let begins =
        ["last", "latest", "as_of", "time", "calculated", "first_t", "ath_", "atl_", "all_time"];
    let ends = ["updated_at", "observed_at", "timestamp"];
    begins.iter().any(|begin| name.starts_with(begin)) || ends.iter().any(|end| name.ends_with(end))
}

fn past(world: &World) -> Held {
    let later = world.later(5 * DAY);
    for operation in operations() {
        let Some(ty) = row_type(operation) else { continue };
        let (Ok(now), Ok(then)) = (world.example(operation), later.example(operation)) else {
            continue;
        };

        let is_same = |a: &Shown, b: &Shown| {
            let is_thing = a.time == world.now() && b.time == later.now();
            a.seed == b.seed && (is_thing || a.time == b.time)
        };
        for a in &now {
            let Some(b) = then.iter().find(|b| is_same(a, b)) else { continue };

            let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
            moments(ty, &a.value, "", &mut of_a);
            moments(ty, &b.value, "", &mut of_b);

            for (place, time) in &of_a {
                let moved = of_b.iter().find(|(other, _)| other == place);
                let is_past = *time < world.now() - DAY && *time > 0;
                if let Some((_, then)) = moved.filter(|_| is_past && !moves_along(place)) {
                    that(then == time, || format!("{}{place}: {time}, then {then}", operation.id))?;
                }
            }
        }
    }
    Ok(())
}

fn ahead(world: &World) -> Held {
    for operation in operations() {
        let Some(ty) = row_type(operation) else { continue };
        let Ok(rows) = world.example(operation) else { continue };
        for shown in rows {
            let mut found = Vec::new();
            moments(ty, &shown.value, "", &mut found);
            for (place, time) in found {
                let name = place.rsplit('.').next().unwrap_or_default();
                let is_past = [
                    "updated_at",
                    "created_at",
                    "published_at",
                    "event_at",
                    "block_time",
                    "accepted_at",
                ]
                .contains(&name)
                    || name.starts_with("last_") && !name.contains("reward")
                    || name.ends_with("ath_date");
                that(!is_past || time <= world.now(), || {
                    format!("{}{place}: {time} after {}", operation.id, world.now())
                })?;
            }
        }
    }
    Ok(())
}

fn timeline(world: &World) -> Result<Vec<Value>, String> {
    world.rows("social-user-posts", &[("handle", "ethereum")])
}

fn author(world: &World) -> Held {
    for post in timeline(world)?.iter().take(5) {
        let author = &post["author"];
        let person = world.one("social-user", &[("handle", text(author, "handle"))])?;
        for name in ["handle", "name", "user_id", "avatar"] {
            same(name, &author[name], &person[name])?;
        }
    }
    Ok(())
}

fn post(world: &World) -> Held {
    for post in timeline(world)?.iter().take(5) {
        let found = world.one("social-tweets", &[("ids", text(post, "tweet_id"))])?;
        for name in ["text", "created_at", "stats"] {
            same(name, &post[name], &found[name])?;
        }
    }
    Ok(())
}

fn handle(world: &World) -> Held {
    for q in ["bitcoin", "uniswap"] {
        let detail = world.one("project-detail", &[("q", q)])?;
        let overview = &detail["overview"];
        let person = world.one("social-user", &[("handle", text(overview, "x_handle"))])?;
        same("followers", &overview["x_followers"], &person["followers_count"])?;
        same("id", &overview["x_id"], &person["user_id"])?;
    }
    Ok(())
}

fn unknown(world: &World) -> Held {
    let ask = |handle: &str| world.shown("social-user", &[("handle", handle)]);
    for handle in ["nobody_at_all", "zzz", "trader0", "trader01", "anon99999", "daily"] {
        let refused = ask(handle).err().map(|refusal| refusal.kind);
        that(refused == Some(Kind::NotFound), || format!("{handle}: {refused:?}"))?;
    }
    for handle in ["zk_daily", "Bitcoin", "trader12", "cobaltventures"] {
        ask(handle).map_err(|refusal| format!("{handle}: {refusal}"))?;
    }
    Ok(())
}

fn article(world: &World) -> Held {
    let feed = world.rows("news-feed", &[])?;
    for row in feed.iter().filter(|row| row["id"].is_string()).take(5) {
        let detail = world.one("news-detail", &[("id", text(row, "id"))])?;
        for name in ["title", "published_at"] {
            same(name, &row[name], &detail[name])?;
        }
    }
    Ok(())
}

fn newest(world: &World) -> Held {
    for (rows, name) in
        [(world.rows("news-feed", &[])?, "published_at"), (timeline(world)?, "created_at")]
    {
        let times: Vec<_> =
            rows.iter().map(|row| timestamp(row, name)).filter(|t| *t > 0).collect();
        let sorted = times.is_sorted_by(|a, b| a >= b);
        that(sorted && times[0] <= world.now(), || format!("{name}: {times:?}"))?;
    }
    Ok(())
}

fn signal(world: &World) -> Held {
    let detail = world.one("project-detail", &[("q", "ethereum")])?;
    let signal = world.one("signal-detail", &[("project_slug", "ethereum")])?;
    same("price", &detail["token_info"]["price_usd"], &signal["price"])?;
    that(figure(&signal, "heat_score") > 0.0 && list(&signal, "none").is_empty(), String::new)
}

fn nobody(world: &World) -> Held {
    for (id, params) in [
        ("project-detail", vec![("q", "no such project at all")]),
        ("project-detail", vec![("id", "nobody")]),
        ("fund-detail", vec![("q", "no such fund")]),
        ("equity-price", vec![("symbol", "ZZZZ")]),
        ("exchange-price", vec![("pair", "NOSUCH/USDT")]),
        ("polymarket-markets", vec![("market_slug", "nothing")]),
        ("kalshi-markets", vec![("market_ticker", "KXNOTHING")]),
        ("market-price", vec![("symbol", "NOSUCH")]),
    ] {
        let refused = world.shown(id, &params).err().map(|refusal| refusal.kind);
        that(refused == Some(Kind::NotFound), || format!("{id} {params:?}: {refused:?}"))?;
    }
    Ok(())
}
