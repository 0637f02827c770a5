//! Laws about dates and times, about people and their posts, and about all operations together. A law is a statement
//! that is true for the invented data of every seed at every time.

use std::collections::BTreeSet;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, Operation, ParamKind, Type};
use crypto_intel_world::{Kind, Refusal, example};
use serde_json::Value;

use crate::world_client::{Shown, World, ensure, figure, list, same, text, timestamp};
use crate::{Held, Law};

const DAY: i64 = 86_400;

pub(crate) const LAWS: &[Law] = &[
    ("The same request at the same time has the same response", same_request_has_same_response),
    (
        "The code of the world sets every field of a response; a field without a value does not get a random value",
        all_fields_are_set,
    ),
    ("Past dates do not change with the clock", past_dates_are_constant),
    ("No past event has a future date", past_events_have_no_future_date),
    ("The author of a post is the person with the handle in the post", post_author_is_person),
    ("A post is the same by its id and in the timeline", post_is_equal_by_id),
    ("A project posts under the handle in its profile", project_handle_matches_profile),
    (
        "A handle without an account is unknown, but a handle about a known topic gets an invented account",
        unknown_handles_are_rejected,
    ),
    ("An article is the same in the feed and by its id", article_is_equal_by_id),
    ("News and posts are sorted newest first", newest_is_first),
    ("A signal has the project's price", signal_has_project_price),
    ("Projects and addresses outside the world are unknown", unknown_names_are_rejected),
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

fn same_request_has_same_response(world: &World) -> Held {
    for operation in operations() {
        let ask = || {
            let rows = world.example(operation)?;
            Ok::<_, Refusal>(rows.into_iter().map(|shown| shown.value).collect::<Vec<_>>())
        };
        ensure(ask() == ask(), || operation.id.to_owned())?;
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
fn collect_differences(a: &Value, b: &Value, place: &str, found: &mut BTreeSet<String>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let names: BTreeSet<_> =
                a.keys().chain(b.keys()).filter(|name| *name != "meta").collect();
            for name in names {
                let (a, b) = (a.get(name), b.get(name));
                let place = format!("{place}.{name}");
                collect_differences(
                    a.unwrap_or(&Value::Null),
                    b.unwrap_or(&Value::Null),
                    &place,
                    found,
                );
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).for_each(|(a, b)| collect_differences(a, b, place, found));
        }
        _ if a != b => drop(found.insert(place.to_owned())),
        _ => {}
    }
}

fn all_fields_are_set(world: &World) -> Held {
    let mut found = BTreeSet::new();
    for operation in operations() {
        for params in variants(operation) {
            for (a, b) in world.completed_twice(operation, &params).unwrap_or_default() {
                collect_differences(&a, &b, operation.id, &mut found);
            }
        }
    }
    ensure(found.is_empty(), || format!("{found:#?}"))
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
fn collect_times(ty: Type, value: &Value, place: &str, found: &mut Vec<(String, i64)>) {
    match (ty, value) {
        (Type::UnixSeconds, Value::Number(number)) => {
            found.push((place.to_owned(), number.as_i64().unwrap_or(0)));
        }
        (Type::Record(name), Value::Object(members)) => {
            for field in tables::record(name).into_iter().flat_map(|record| record.fields) {
                if let Some(member) = members.get(field.name) {
                    collect_times(field.ty, member, &format!("{place}.{}", field.name), found);
                }
            }
        }
        _ => {}
    }
}

/// Returns true for time fields that may change as the current time advances: the time of the newest data, and the time
/// of an all-time high or low. `market.rs` tests all-time highs and lows.
fn may_change(place: &str) -> bool {
    let name = place.rsplit('.').next().unwrap_or_default();
    let begins =
        ["last", "latest", "as_of", "time", "calculated", "first_t", "ath_", "atl_", "all_time"];
    let ends = ["updated_at", "observed_at", "timestamp"];
    begins.iter().any(|begin| name.starts_with(begin)) || ends.iter().any(|end| name.ends_with(end))
}

fn past_dates_are_constant(world: &World) -> Held {
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
            collect_times(ty, &a.value, "", &mut of_a);
            collect_times(ty, &b.value, "", &mut of_b);

            for (place, time) in &of_a {
                let moved = of_b.iter().find(|(other, _)| other == place);
                let is_past = *time < world.now() - DAY && *time > 0;
                if let Some((_, then)) = moved.filter(|_| is_past && !may_change(place)) {
                    ensure(then == time, || {
                        format!("{}{place}: {time}, then {then}", operation.id)
                    })?;
                }
            }
        }
    }
    Ok(())
}

fn past_events_have_no_future_date(world: &World) -> Held {
    for operation in operations() {
        let Some(ty) = row_type(operation) else { continue };
        let Ok(rows) = world.example(operation) else { continue };
        for shown in rows {
            let mut found = Vec::new();
            collect_times(ty, &shown.value, "", &mut found);
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

                ensure(!is_past || time <= world.now(), || {
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

fn post_author_is_person(world: &World) -> Held {
    for post in timeline(world)?.iter().take(5) {
        let author = &post["author"];
        let person = world.first_row("social-user", &[("handle", text(author, "handle"))])?;
        for name in ["handle", "name", "user_id", "avatar"] {
            same(name, &author[name], &person[name])?;
        }
    }
    Ok(())
}

fn post_is_equal_by_id(world: &World) -> Held {
    for post in timeline(world)?.iter().take(5) {
        let found = world.first_row("social-tweets", &[("ids", text(post, "tweet_id"))])?;
        for name in ["text", "created_at", "stats"] {
            same(name, &post[name], &found[name])?;
        }
    }
    Ok(())
}

fn project_handle_matches_profile(world: &World) -> Held {
    for q in ["bitcoin", "uniswap"] {
        let detail = world.first_row("project-detail", &[("q", q)])?;
        let overview = &detail["overview"];
        let person = world.first_row("social-user", &[("handle", text(overview, "x_handle"))])?;
        same("followers", &overview["x_followers"], &person["followers_count"])?;
        same("id", &overview["x_id"], &person["user_id"])?;
    }
    Ok(())
}

fn unknown_handles_are_rejected(world: &World) -> Held {
    let ask = |handle: &str| world.all_rows("social-user", &[("handle", handle)]);
    for handle in ["nobody_at_all", "zzz", "trader0", "trader01", "anon99999", "daily"] {
        let refused = ask(handle).err().map(|refusal| refusal.kind);
        ensure(refused == Some(Kind::NotFound), || format!("{handle}: {refused:?}"))?;
    }
    for handle in ["zk_daily", "Bitcoin", "trader12", "cobaltventures"] {
        ask(handle).map_err(|refusal| format!("{handle}: {refusal}"))?;
    }
    Ok(())
}

fn article_is_equal_by_id(world: &World) -> Held {
    let feed = world.rows("news-feed", &[])?;
    for row in feed.iter().filter(|row| row["id"].is_string()).take(5) {
        let detail = world.first_row("news-detail", &[("id", text(row, "id"))])?;
        for name in ["title", "published_at"] {
            same(name, &row[name], &detail[name])?;
        }
    }
    Ok(())
}

fn newest_is_first(world: &World) -> Held {
    for (rows, name) in
        [(world.rows("news-feed", &[])?, "published_at"), (timeline(world)?, "created_at")]
    {
        let times: Vec<_> =
            rows.iter().map(|row| timestamp(row, name)).filter(|t| *t > 0).collect();
        let sorted = times.is_sorted_by(|a, b| a >= b);
        ensure(sorted && times[0] <= world.now(), || format!("{name}: {times:?}"))?;
    }
    Ok(())
}

fn signal_has_project_price(world: &World) -> Held {
    let detail = world.first_row("project-detail", &[("q", "ethereum")])?;
    let signal = world.first_row("signal-detail", &[("project_slug", "ethereum")])?;
    same("price", &detail["token_info"]["price_usd"], &signal["price"])?;
    ensure(figure(&signal, "heat_score") > 0.0 && list(&signal, "none").is_empty(), String::new)
}

fn unknown_names_are_rejected(world: &World) -> Held {
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
        let refused = world.all_rows(id, &params).err().map(|refusal| refusal.kind);
        ensure(refused == Some(Kind::NotFound), || format!("{id} {params:?}: {refused:?}"))?;
    }
    Ok(())
}
