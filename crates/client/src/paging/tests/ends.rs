//! Tests with services whose lists have no end, or that report a wrong end.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

/// Creates a fake service with an endless list of posts: each page has a cursor for the next page. `full` receives
/// the number of a page and returns true if this page contains a row.
fn endless(full: impl Fn(u64) -> bool + Send + Sync + 'static) -> (Api, Arc<Fake>) {
    api(move |target| {
        let page = number(target, "cursor").unwrap_or(0);
        let id = page.to_string();
        let ids = if full(page) { vec![id.as_str()] } else { vec![] };
        Ok(cursor_page(&ids, Some(&(page + 1).to_string())))
    })
}

#[tokio::test(start_paused = true)]
async fn many_empty_pages_are_an_error_with_resume_token() {
    let (api, fake) = endless(|page| page == 0 || page == 8);
    let list = || api.social_user_posts("h");
    let mut items = list().max_items(10).items();
    assert_eq!(items.try_next().await.unwrap().unwrap().tweet_id, "0");

    let error = items.try_next().await.unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Service, false));
    assert_eq!(error.operation(), Some("social-user-posts"));
    assert!(error.message().starts_with("5 consecutive pages were empty"), "{error}");
    assert_eq!(fake.values("cursor"), ["-", "1", "2", "3", "4", "5"]);
    assert!(items.try_next().await.unwrap().is_none());

    let token = ResumeToken::from_error(&error).unwrap().clone();
    assert_eq!(items.resume_token().as_ref(), Some(&token));
    let rest = list().max_items(1).resume_from(token).collect_all().await.unwrap();
    assert_eq!((rest[0].tweet_id.as_str(), fake.values("cursor")[6].as_str()), ("8", "6"));
}

#[tokio::test(start_paused = true)]
async fn row_resets_empty_page_count_and_limit_is_configurable() {
    // Every fifth page has a row, so there are at most four consecutive pages without a row.
    let (api, _) = endless(|page| page % 5 == 0);
    let rows = api.social_user_posts("h").max_items(4).collect_all().await.unwrap();
    assert_eq!(rows.len(), 4);

    for (most, asked) in [(0, 1), (1, 1), (2, 2), (9, 9)] {
        let (api, fake) = endless(|_| false);
        let error = api.social_user_posts("h").pager().max_empty_pages(most).collect_all().await;
        assert!(ResumeToken::from_error(&error.unwrap_err()).is_some());
        assert_eq!(fake.values("cursor").len(), asked, "{most}");
    }
    // The list reaches the limit on pages before the limit on pages without a row. The limit on pages is not an error.
    let (api, fake) = endless(|_| false);
    assert!(api.social_user_posts("h").max_pages(3).collect_all().await.unwrap().is_empty());
    assert_eq!(fake.values("cursor").len(), 3);
}

#[tokio::test(start_paused = true)]
async fn pages_in_flight_are_read_after_empty_pages() {
    // Only the last of five pages has rows. All five pages are requested before the limit on pages without a row is
    // reached.
    let (api, fake) = api(|target| {
        let offset = number(target, "offset").unwrap_or(0);
        let row = holder(offset);
        Ok(json!({"data": vec![row; if offset == 80 { 20 } else { 0 }],
            "meta": {"cached": false, "credits_used": 2, "limit": 20, "offset": offset, "total": 100}}))
    });
    let list = api.token_holders("vitalik.eth", "ethereum").pager();
    let rows = list.side_by_side(4).max_empty_pages(2).collect_all().await.unwrap();
    assert_eq!((rows.len(), fake.values("offset").len()), (20, 5));
}

#[tokio::test(start_paused = true)]
async fn no_reported_total_makes_an_empty_list_endless() {
    for total in [i64::MIN, -1, 0, 1, 10_000, i64::MAX] {
        for has_more in [Some(true), Some(false), None] {
            for full_pages in [0, 1, 3] {
                let (api, fake) = api(move |target| {
                    let offset = number(target, "offset").unwrap_or(0);
                    let full = offset < full_pages * 20;
                    let row = holder(offset);
                    let mut meta = json!({"cached": false, "credits_used": 2, "limit": 20,
                        "offset": offset, "total": total});
                    if let Some(has_more) = has_more {
                        meta["has_more"] = (has_more || offset + 20 < full_pages * 20).into();
                    }
                    Ok(json!({"data": vec![row; if full { 20 } else { 0 }], "meta": meta}))
                });
                let mut items =
                    api.token_holders("vitalik.eth", "ethereum").max_items(100_000).items();
                let mut rows = 0;
                while let Ok(Some(_)) = items.try_next().await {
                    rows += 1;
                }

                let asked = fake.values("offset").len() as u64;
                let case = format!("total {total}, {has_more:?}, {full_pages} full: {asked}");
                // At most eight pages after the full pages are requested: five pages without a row, and three pages in
                // flight.
                assert!(asked <= full_pages + 8, "{case}");
                assert_eq!(rows, full_pages * 20, "{case}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn has_more_false_ends_list_despite_cursor() {
    let page = |target: &str| {
        let page = number(target, "cursor").unwrap_or(0);
        let mut answer = cursor_page(&[&page.to_string()], Some(&(page + 1).to_string()));
        answer["meta"]["has_more"] = false.into();
        if target.contains("followers") {
            answer["data"] = json!([{"handle": "f", "name": "n", "user_id": page.to_string(),
                "followers_count": 0, "following_count": 0}]);
        }
        Ok(answer)
    };
    let (api, fake) = api(page);
    let followers = api.social_user_followers("h").max_items(3).collect_all().await.unwrap();
    assert_eq!((followers.len(), fake.values("cursor").len()), (1, 1));

    // For this operation, the OpenAPI document states that only a missing cursor ends the list.
    let rows = api.social_user_posts("h").max_items(3).collect_all().await.unwrap();
    assert_eq!(rows.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn impossible_page_size_does_not_end_list_early() {
    for said in [i64::MAX, i64::MIN, 0, 101] {
        let (api, fake) = api(move |target| {
            let offset = number(target, "offset").unwrap_or(0);
            let rows: Vec<_> = (offset..50.min(offset + 20)).map(holder).collect();
            let meta = json!({"cached": false, "credits_used": 2, "limit": said,
                "offset": i64::MAX, "total": 50});
            Ok(json!({"data": rows, "meta": meta}))
        });
        let rows = api.token_holders("vitalik.eth", "ethereum").collect_all().await.unwrap();
        assert_eq!((rows.len(), fake.values("offset").len()), (50, 3), "{said}");
    }
}

/// Creates a fake service with four cursor pages of one row each. Until the test sets the returned flag, the second
/// page contains the wrong value `value`. If `member` is `meta`, `value` replaces the whole object `meta`. Otherwise
/// `member` is a field of `meta`, such as `next_cursor`, and `value` replaces this field.
fn api_with_wrong_field(member: &'static str, value: Value) -> (Api, Arc<Fake>, Arc<AtomicBool>) {
    let mended = Arc::new(AtomicBool::new(false));
    let is_mended = mended.clone();
    let (api, fake) = api(move |target| {
        let page = number(target, "cursor").unwrap_or(0);
        let next = (page < 3).then(|| (page + 1).to_string());
        let mut answer = cursor_page(&[&page.to_string()], next.as_deref());
        if page == 1 && !is_mended.load(Ordering::Relaxed) {
            match member {
                "meta" => answer["meta"] = value.clone(),
                _ => answer["meta"][member] = value.clone(),
            }
        }
        Ok(answer)
    });
    (api, fake, mended)
}

#[tokio::test(start_paused = true)]
async fn unreadable_cursor_is_an_error_with_resume_token() {
    for (member, value) in [
        ("next_cursor", json!(2)),
        ("next_cursor", json!({"token": "2"})),
        ("next_cursor", json!(true)),
        ("meta", json!("none")),
        ("meta", json!([])),
    ] {
        let case = format!("{member}: {value}");
        let (api, fake, mended) = api_with_wrong_field(member, value);
        let list = || api.social_user_posts("h");

        let mut items = list().items();
        let mut seen = Vec::new();
        let error = loop {
            match items.try_next().await {
                Ok(Some(post)) => seen.push(post.tweet_id),
                Ok(None) => panic!("{case}: the list ended silently"),
                Err(error) => break error,
            }
        };
        assert_eq!((seen.join(" ").as_str(), fake.values("cursor").len()), ("0 1", 2), "{case}");
        assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Service, false), "{case}");
        assert!(error.message().contains(&format!("`{member}`")), "{error}");
        assert!(items.try_next().await.unwrap().is_none(), "{case}");

        // The stream of pages also ends with an error that contains the resume token.
        let mut pages = list().pages();
        let _first = pages.try_next().await.unwrap().unwrap();
        let second = pages.try_next().await.unwrap().unwrap();
        let of_pages = pages.try_next().await.unwrap_err();
        assert_eq!(ResumeToken::from_error(&of_pages), second.resume.as_ref(), "{case}");

        // The service still sends the wrong value, so a resumed list returns the same error again. It returns no row
        // twice.
        let token = ResumeToken::from_error(&error).unwrap().clone();
        assert_eq!(items.resume_token().as_ref(), Some(&token), "{case}");
        let mut again = list().pager().resume_from(token.clone()).items();
        let error = again.try_next().await.unwrap_err();
        assert_eq!(ResumeToken::from_error(&error), Some(&token), "{case}");

        mended.store(true, Ordering::Relaxed);
        let rest = list().pager().resume_from(token).collect_all().await.unwrap();
        seen.extend(rest.into_iter().map(|post| post.tweet_id));
        assert_eq!(seen, ["0", "1", "2", "3"], "{case}");
    }
}

#[tokio::test(start_paused = true)]
async fn field_that_does_not_end_the_list_may_have_any_type() {
    let (api, fake, _) = api_with_wrong_field("has_more", json!("yes"));
    assert_eq!(api.social_user_posts("h").collect_all().await.unwrap().len(), 4);
    assert_eq!(fake.values("cursor").len(), 4);
}

#[tokio::test(start_paused = true)]
async fn offset_list_ends_at_known_end() {
    let text = || json!("12");
    for (meta, rows, ends) in [
        // No field shows whether more rows follow. The page is not full, but a filter may have removed rows from it.
        (json!({"total": text()}), 12, false),
        (json!({"has_more": "no"}), 12, false),
        (json!({"total": text(), "has_more": 0}), 12, false),
        (json!(7), 12, false),
        // One field with the right type is enough to find the end.
        (json!({"total": text(), "has_more": false}), 12, true),
        (json!({"total": 12, "has_more": "no"}), 12, true),
        (json!({"total": null, "has_more": null}), 12, true),
        // Fields that do not determine the end can have wrong types.
        (json!({"total": 12, "limit": "20", "offset": []}), 12, true),
    ] {
        let answer = meta.clone();
        let (api, _) = api(move |_| {
            Ok(json!({"data": (0..rows).map(holder).collect::<Vec<_>>(), "meta": answer}))
        });
        let mut items = api.token_holders("vitalik.eth", "ethereum").items();
        for _ in 0..rows {
            assert!(items.try_next().await.unwrap().is_some(), "{meta}");
        }

        let end = items.try_next().await;
        assert_eq!(end.is_ok(), ends, "{meta}");
        assert_eq!(items.resume_token().is_none(), ends, "{meta}");
    }
}

#[tokio::test(start_paused = true)]
async fn has_more_without_position_is_an_error_after_last_row() {
    // Without a cursor, the next page starts after the keys of the last row. An empty page has no last row.
    let (api, fake) = api(|_| {
        let meta = json!({"cached": false, "credits_used": 4, "has_more": true, "limit": 2});
        Ok(json!({"data": [], "meta": meta}))
    });
    let mut fills = api.hyperliquid_fills("vitalik.eth").limit(2).items();
    let error = fills.try_next().await.unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Service, false));
    assert!(error.message().contains("`has_more: true`"), "{error}");
    assert!(ResumeToken::from_error(&error).is_some() && fake.values("to_ms").len() == 1);
    assert!(fills.try_next().await.unwrap().is_none());
}
