//! Social media accounts: accounts of projects and funds, thousands of personal accounts, and accounts about a topic.
//! Any topic has accounts: for example, `zk_daily` is about `zk`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::assets::{ASSETS, Asset};
use crate::context::Context;
use crate::funds;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::Row;
use crate::value::Value;

/// Words with which the handles of topic accounts end. For example, `zk_daily` ends with `daily` and is an account
/// about the topic `zk`.
pub(super) const ABOUT: &[&str] = &[
    "daily", "news", "desk", "watch", "radar", "weekly", "facts", "charts", "fan", "builder",
    "trader", "labs", "club", "hub", "insider", "notes",
];

/// Checks a handle and converts it to lower case. A handle must not contain `@`, as the API description requires.
///
/// # Errors
/// Returns an error of kind `Unfit` if the text is empty, is too long, or contains an invalid character. Returns an
/// error of kind `NotFound` if no account has the handle.
pub(super) fn parse_handle(text: &str) -> Result<String, Refusal> {
    let name = text.to_lowercase();
    let is_handle = !name.is_empty()
        && name.len() <= 30
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
    if !is_handle {
        let message = format!("`handle` must be letters, digits and underscores, not `{text}`");
        return Err(Refusal::unfit(message));
    }
    if !exists(&name) {
        return Err(Refusal::not_found(format!("no account has the handle `{text}`")));
    }
    Ok(name)
}

/// Returns true if an account has this handle.
fn exists(handle: &str) -> bool {
    let is_of_the_many = KINDS.iter().any(|kind| {
        let number = handle.strip_prefix(kind).and_then(|number| number.parse::<u16>().ok());
        number.is_some_and(|n| (1..=MANY).contains(&n) && handle == format!("{kind}{n}"))
    });
    is_of_the_many
        || topic(handle).is_some()
        || find_project(handle).is_some()
        || FUNDS.contains_key(handle)
}

/// Words with which the handles of personal accounts begin. A number follows the word, for example `trader17`.
const KINDS: &[&str] = &["trader", "anon", "degen", "builder"];
const MANY: u16 = 9_999;

pub(super) fn seed(ctx: &Context, handle: &str) -> Seed {
    ctx.seed.named("person").named(handle)
}

/// Map from a social media handle to the project with this handle. The map is computed once, because each post looks up
/// its author several times.
static PROJECTS: LazyLock<HashMap<String, &Asset>> =
    LazyLock::new(|| ASSETS.iter().rev().map(|asset| (asset.handle(), asset)).collect());
/// Map from a social media handle to the name of the fund with this handle.
static FUNDS: LazyLock<HashMap<String, &str>> =
    LazyLock::new(|| funds::FUNDS.iter().rev().map(|fund| (funds::handle(fund), *fund)).collect());

/// Finds the project whose social media account has this handle.
pub(super) fn find_project(handle: &str) -> Option<&'static Asset> {
    PROJECTS.get(handle).copied()
}

/// Returns the topic in the handle of a topic account: `zk_daily` has the topic `zk`. Returns `None` for other handles.
pub(super) fn topic(handle: &str) -> Option<String> {
    let (topic, word) = handle.rsplit_once('_')?;
    (ABOUT.contains(&word) && !topic.is_empty()).then(|| topic.replace('_', " "))
}

/// Returns the number of followers of a project's social media account.
pub(crate) fn followers(ctx: &Context, asset: &Asset) -> i64 {
    asset.seed(ctx).named("followers").range(20_000, 5_000_000)
}

/// Returns the numeric id of an account. The id of a project's account is also in the project's profile. Ids do not
/// depend on the random seed.
pub(super) fn user_id(handle: &str) -> String {
    match find_project(handle) {
        Some(asset) => asset.x_id(),
        None => Seed::new(0).named("account").named(handle).digits(19),
    }
}

fn display_name(handle: &str) -> String {
    match (find_project(handle), topic(handle)) {
        (Some(asset), _) => asset.name.to_owned(),
        (None, Some(_)) => handle.split('_').map(capitalize).collect::<Vec<_>>().join(" "),
        _ => handle.to_owned(),
    }
}

/// Converts the first letter of a word to upper case.
fn capitalize(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

fn avatar(handle: &str) -> String {
    format!("https://img.example/x/{handle}.png")
}

pub(crate) fn person(ctx: &Context, handle: &str) -> Row {
    Row::new(seed(ctx, handle), ctx.now, profile(ctx, handle))
}

fn profile(ctx: &Context, handle: &str) -> Value {
    let seed = seed(ctx, handle);
    let fund = FUNDS.get(handle);

    // Accounts of projects and funds have the same number of followers as the profiles of the projects and funds.
    let count = match (find_project(handle), fund) {
        (Some(asset), _) => followers(ctx, asset),
        (None, Some(fund)) => funds::followers(ctx, fund),
        _ => seed.named("followers").range(40, 90_000),
    };

    let bio = match (find_project(handle), topic(handle)) {
        (Some(asset), _) => format!("{} and its ecosystem.", asset.name),
        (None, Some(topic)) => format!("All about {topic}."),
        _ => format!("Thoughts of {handle}."),
    };

    record!(XUser {
        handle,
        name: display_name(handle),
        user_id: user_id(handle),
        followers_count: count,
        following_count: seed.named("following").range(10, 2_000),
        avatar: avatar(handle),
        bio,
    })
}

/// Returns rows of other accounts. If `kind` is `followers`, these accounts follow the account `handle`. If `kind` is
/// `following`, the account `handle` follows them.
pub(super) fn connections(ctx: &Context, handle: &str, kind: &str) -> Vec<Row> {
    let (ctx, list) = (*ctx, seed(ctx, handle).named(kind));
    (0..120 + list.below(120))
        .map(|n| {
            let handle = random_handle(list.at(n));
            let seed = seed(&ctx, &handle);
            Row::lazy(seed, ctx.now, Value::Null, move || profile(&ctx, &handle))
        })
        .collect()
}

/// Returns the handle of a personal account that is chosen by the random seed.
pub(super) fn random_handle(seed: Seed) -> String {
    format!("{}{}", seed.pick(KINDS), seed.range(1, MANY.into()))
}

/// Returns the JSON record of the author of a post.
pub(super) fn author(handle: &str) -> Value {
    record!(XAuthor {
        handle,
        name: display_name(handle),
        user_id: user_id(handle),
        avatar: avatar(handle),
    })
}

/// Converts words to the first part of a topic account's handle: `zk rollups` becomes `zk_rollups`.
fn handle_stem(q: &str) -> String {
    let words: Vec<String> = q
        .to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.join("_")
}

/// Returns the handles of accounts that match the words `q`. The accounts of matching projects and funds are first.
/// Topic accounts follow, for example `zk_rollups_news` for the words `zk rollups`.
pub(super) fn find_handles(q: &str) -> Vec<String> {
    let stem = handle_stem(q);
    if stem.is_empty() {
        return Vec::new();
    }
    let bare = stem.replace('_', "");
    let named = ASSETS
        .iter()
        .map(|asset| (asset.is_about(q.trim()), asset.handle()))
        .chain(funds::FUNDS.iter().map(|fund| (false, funds::handle(fund))))
        .filter(|(is_named, handle)| *is_named || handle.contains(&bare))
        .map(|(_, handle)| handle);
    let topics = ABOUT.iter().map(|word| format!("{stem}_{word}"));
    named.chain(topics).filter(|handle| parse_handle(handle).is_ok()).collect()
}

pub(super) fn search(ctx: &Context, q: &str) -> Vec<Row> {
    find_handles(q).iter().map(|handle| person(ctx, handle)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Kind;

    #[test]
    fn parse_handle_lowers_case_and_rejects_other_texts() {
        assert_eq!(parse_handle("Zk_Daily").unwrap(), "zk_daily");
        for bad in ["", "@zk_daily", "a b", "a/b", &"x".repeat(31)] {
            assert_eq!(parse_handle(bad).unwrap_err().kind, Kind::Unfit, "{bad}");
        }
    }

    #[test]
    fn find_handles_lists_project_fund_and_topic_accounts() {
        assert_eq!(topic("zk_rollups_daily").as_deref(), Some("zk rollups"));
        assert_eq!(topic("zk_rollups"), None);
        assert_eq!(topic("daily"), None);
        assert_eq!(find_handles("Ethereum")[0], "ethereum");
        assert!(find_handles("zk rollups").contains(&"zk_rollups_news".to_owned()));
        assert!(find_handles("cobalt").contains(&"cobaltventures".to_owned()));
        assert!(find_handles("!?").is_empty());
    }
}
