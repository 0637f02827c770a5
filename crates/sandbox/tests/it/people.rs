//! Tests that different endpoints return equal data about people, social accounts and their posts.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::{Bench, at, most, rows, text};

#[tokio::test]
async fn a_post_is_the_same_by_its_id() {
    let bench = Bench::start().await;
    let mut posts = Vec::new();
    for (id, more) in [
        ("social-user-posts", ("handle", json!("zk_daily"))),
        ("social-user-replies", ("handle", json!("cobaltventures"))),
        ("search-social-posts", ("q", json!("ethereum"))),
        ("search-social-posts", ("q", json!("rollups"))),
        ("social-tweet-replies", ("limit", json!(5))),
    ] {
        let found = bench.example(id, &[more]).await.json;
        assert!(!rows(&found).is_empty(), "{id}");
        posts.extend(rows(&found).iter().take(5).cloned());
    }

    let ids: Vec<_> = posts.iter().map(|post| text(post, "tweet_id").to_owned()).collect();
    for id in ["social-tweets", "x-tweets"] {
        let found = bench.example(id, &[("ids", json!(ids))]).await.json;
        assert_eq!(rows(&found), &posts, "{id}");
    }

    for post in &posts {
        let author =
            bench.example("social-user", &[("handle", post["author"]["handle"].clone())]).await;
        for name in ["user_id", "name", "avatar"] {
            assert_eq!(author.json["data"][name], post["author"][name]);
        }
        let more = [("tweet_id", post["tweet_id"].clone()), most()];
        let replies = bench.example("social-tweet-replies", &more).await.json;
        assert!(rows(&replies).len() as f64 <= at(post, "/stats/replies"));
    }

    let unknown = json!("1234567890123456789");
    assert_eq!(bench.example("social-tweets", &[("ids", unknown.clone())]).await.status, 404);
    assert_eq!(bench.example("social-tweet-replies", &[("tweet_id", unknown)]).await.status, 404);
}

#[tokio::test]
async fn a_post_has_as_many_replies_as_it_says() {
    let bench = Bench::start().await;
    let posts = bench.example("social-user-posts", &[most()]).await.json;
    for post in [&rows(&posts)[0], rows(&posts).last().unwrap()] {
        let mut seen = BTreeSet::new();
        let mut cursor = String::new();
        loop {
            let more = [("tweet_id", post["tweet_id"].clone()), ("cursor", json!(cursor)), most()];
            let page = bench.example("social-tweet-replies", &more).await.json;
            seen.extend(rows(&page).iter().map(|reply| text(reply, "tweet_id").to_owned()));
            cursor = page["meta"]["next_cursor"].as_str().unwrap_or_default().to_owned();
            if cursor.is_empty() {
                break;
            }
        }
        assert_eq!(seen.len() as f64, at(post, "/stats/replies"));
    }
}

#[tokio::test]
async fn people_found_are_the_people_there_are() {
    let bench = Bench::start().await;
    for q in ["bitcoin", "cobalt", "zk rollups"] {
        let found = bench.example("search-social-people", &[("q", json!(q))]).await.json;
        for person in rows(&found) {
            let same = bench.example("social-user", &[("handle", person["handle"].clone())]).await;
            assert_eq!(&same.json["data"], person);
        }
    }
    let fund = bench.example("fund-detail", &[]).await.json;
    let account = &fund["data"]["x_accounts"][0];
    let person = bench.example("social-user", &[("handle", account["handle"].clone())]).await.json;
    assert_eq!(person["data"]["user_id"], account["id"]);
    assert_eq!(person["data"]["followers_count"], account["followers_count"]);
    let none = bench.example("search-social-people", &[("q", json!("?!"))]).await.json;
    assert_eq!(none["data"], json!([]));
}

#[tokio::test]
async fn posts_are_counted_once() {
    let bench = Bench::start().await;
    let day = 1_781_395_200; // 2026-06-14 00:00 UTC
    let ask = async |interval: &str, days: i64| -> f64 {
        let more = [
            ("interval", json!(interval)),
            ("from", json!(day.to_string())),
            ("to", json!((day + days * 86_400 - 1).to_string())),
        ];
        let answer = bench.example("social-mindshare", &more).await.json;
        rows(&answer).iter().map(|point| at(point, "/value")).sum()
    };
    let whole = ask("1d", 1).await;

    assert!(whole > 500.0);
    assert_eq!(ask("1h", 1).await, whole);
    assert_eq!(ask("5m", 1).await, whole);

    let more = [("interval", json!("1d")), ("include_tag_percents", json!(true))];
    let mut shares = 0.0;
    for q in [
        "bitcoin",
        "ethereum",
        "solana",
        "xrp",
        "tron",
        "sui",
        "bnb",
        "cardano",
        "avalanche",
        "hyperliquid",
    ] {
        let mut more = more.to_vec();
        more.push(("q", json!(q)));
        let answer = bench.example("social-mindshare", &more).await.json;
        let tags = answer["tag_percents"].as_array().unwrap();
        shares += at(tags.iter().find(|tag| tag["tag"] == "l1").unwrap(), "/share_ratio");
    }

    assert!((shares - 1.0).abs() < 1e-5, "{shares}");
}

#[tokio::test]
async fn rankings_of_attention_agree_with_projects() {
    let bench = Bench::start().await;
    let ranking = bench.example("social-ranking", &[most()]).await.json;
    for (index, row) in rows(&ranking).iter().enumerate() {
        assert_eq!(row["rank"], index + 1);

        let by_id = [("id", row["project"]["id"].clone())];
        let sentiment = bench.example("social-sentiment", &by_id).await.json;
        assert_eq!(sentiment["data"]["sentiment_score"], row["sentiment_score"]);

        let by_account = [("x_id", row["twitter"]["twitter_id"].clone())];
        let detail = bench.example("social-detail", &by_account).await.json;
        assert_eq!(detail["data"]["project_name"], row["project"]["name"]);
        assert_eq!(detail["data"]["sentiment"]["score"], row["sentiment_score"]);

        let places = detail["data"]["follower_geo"]["locations"].as_array().unwrap();
        let people: f64 = places.iter().map(|place| at(place, "/follower_count")).sum();
        assert_eq!(people, at(&detail, "/data/follower_geo/total_follower_count"));

        let history = bench.example("social-smart-followers-history", &by_account).await.json;
        assert_eq!(rows(&history).len(), 36);

        let count = &detail["data"]["smart_followers"]["count"];
        assert_eq!(&rows(&history).last().unwrap()["count"], count);
    }

    let good = bench.example("social-ranking", &[("sentiment", json!("positive"))]).await.json;
    let bad = bench.example("social-ranking", &[("sentiment", json!("negative"))]).await.json;
    assert_eq!(rows(&good).len() + rows(&bad).len(), rows(&ranking).len());

    let memes = bench.example("social-ranking", &[("tag", json!("meme"))]).await.json;
    assert_eq!(rows(&memes).len(), 3);

    let only = bench.example("social-detail", &[("fields", json!("sentiment"))]).await.json;
    assert!(only["data"]["follower_geo"].is_null() && only["data"]["sentiment"].is_object());
}

#[tokio::test]
async fn pages_found_are_there() {
    let bench = Bench::start().await;
    let more = [("q", json!("ethereum")), ("include_content", json!(true)), most()];
    let found = bench.example("search-web", &more).await.json;
    assert!(rows(&found).len() > 20);

    for result in rows(&found) {
        let page = bench.example("web-fetch", &[("url", result["url"].clone())]).await.json;
        for name in ["url", "title", "content"] {
            assert_eq!(page["data"][name], result[name]);
        }
        let host = text(result, "url").split('/').nth(2).unwrap();
        assert!(text(result, "content").contains(host), "{result}");
    }

    let article = rows(&bench.example("news-feed", &[]).await.json)[0].clone();
    let page = bench.example("web-fetch", &[("url", article["url"].clone())]).await.json;
    assert_eq!(page["data"]["title"], article["title"]);

    let more = [("url", json!("https://a.example/b")), ("target_selector", json!("h1"))];
    assert_eq!(bench.example("web-fetch", &more).await.json["data"]["content"], "# B");

    let site = [("q", json!("ethereum")), ("site", json!("docs.example"))];
    let found = bench.example("search-web", &site).await.json;
    assert!(rows(&found).iter().all(|row| text(row, "url").starts_with("https://docs.example/")));
    assert_eq!(bench.example("web-fetch", &[("url", json!("nonsense"))]).await.status, 422);

    let gone = [("url", json!("https://gone.invalid/"))];
    assert_eq!(bench.example("web-fetch", &gone).await.status, 404);
}

#[tokio::test]
async fn news_is_the_same_in_feed_search_and_detail() {
    let bench = Bench::start().await;
    let found = bench.example("search-news", &[("q", json!("solana")), most()]).await.json;
    let feed = [("project", json!("solana")), ("limit", json!(50))];
    let feed = bench.example("news-feed", &feed).await.json;
    assert!(!rows(&feed).is_empty());
    for article in rows(&feed) {
        assert!(rows(&found).contains(article));
        let full = bench.example("news-detail", &[("id", article["id"].clone())]).await.json;
        assert_eq!(full["data"]["title"], article["title"]);
    }
}

fn has_address(operation: &crypto_intel_core::Operation) -> bool {
    operation.param("address").is_some()
}

#[tokio::test]
async fn whatever_is_unknown_is_not_found() {
    let bench = Bench::start().await;
    let mut faults = Vec::new();
    for operation in crypto_intel_api::generated::catalogue::OPERATIONS {
        for param in operation.params {
            let is_entity = match param.name {
                "symbol"
                | "pair"
                | "id"
                | "x_id"
                | "project_slug"
                | "market_slug"
                | "event_slug"
                | "ticker"
                | "market_ticker"
                | "event_ticker"
                | "condition_id"
                | "token_id"
                | "polymarket_condition_id"
                | "kalshi_market_ticker"
                | "tweet_id" => true,
                "project" => operation.tag != "Search",
                _ => false,
            };
            let is_text = !matches!(param.kind, crypto_intel_core::ParamKind::Enum(_));

            // For these operations, an empty list is a valid response to an unknown name or address.
            let is_search = operation.tag == "Search" && param.name != "id"
                || operation.tag == "Hyperliquid" && has_address(operation);
            if !is_entity || !is_text || is_search {
                continue;
            }

            let operation_id = operation.id;
            let value = json!("NOSUCHTHING");
            let mut values = crypto_intel_sandbox::example::parameters(operation);

            // Without these parameters, the operation cannot find the entity by another name.
            let others = [
                "condition_id",
                "q",
                "id",
                "symbol",
                "x_id",
                "handle",
                "project_slug",
                "project",
                "address",
            ];
            let by_other = param.name != "symbol" || operation.tag == "Token";
            values.retain(|(name, _)| {
                *name != param.name && !(by_other && !param.required && others.contains(name))
            });
            values.push((param.name, value));
            let seen = bench.call(operation, &values).await;

            if seen.status != 404 {
                faults.push(format!(
                    "{operation_id} {}: {} {:.200}",
                    param.name, seen.status, seen.text
                ));
            }
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
}
