//! Tests of lists that start or end at a certain row. `resume_after` starts a list after the first row that fulfils a
//! condition. `until` ends a list before the first row that fulfils a condition.

use super::*;
use crate::api::generated::token::TokenHolderItem;

/// Creates a fake service with a list of the holders `0..rows`, the highest number first. With a larger `rows`, the
/// list has additional holders at its start.
fn newest_first(rows: u64) -> (Api, Arc<Fake>) {
    api(move |target| {
        let (offset, limit) =
            (number(target, "offset").unwrap_or(0), number(target, "limit").unwrap_or(20));
        let data: Vec<_> =
            (offset..rows.min(offset + limit)).map(|n| holder(rows - 1 - n)).collect();
        let meta = json!({"cached": false, "credits_used": 2, "limit": limit, "offset": offset,
            "total": rows});
        Ok(json!({"data": data, "meta": meta}))
    })
}

fn down_from(first: u64) -> Vec<String> {
    (0..=first).rev().map(|n| n.to_string()).collect()
}

#[tokio::test(start_paused = true)]
async fn list_resumes_after_row_despite_added_or_removed_rows() {
    for (added, stop) in [(0, 8), (0, 10), (2, 8), (2, 10), (30, 1), (30, 20), (7, 50)] {
        let (api, _) = newest_first(50);
        let list = |api: &Api| api.token_holders("vitalik.eth", "ethereum").limit(10);
        let mut items = list(&api).items();
        let mut seen = Vec::new();
        for _ in 0..stop {
            seen.push(items.try_next().await.unwrap().unwrap().address);
        }
        let Some(token) = items.resume_token() else {
            assert_eq!(stop, 50);
            continue;
        };

        // The rows that were added at the start move the other rows to higher row numbers.
        let (api, _) = newest_first(50 + added);
        let last = seen.pop().unwrap();
        let first_left = last.parse::<u64>().unwrap() - 1;
        let same = move |row: &TokenHolderItem| row.address == last;
        let mut rest = list(&api).pager().resume_from(token).items().resume_after(same.clone());
        let rest: Vec<_> =
            rest.collect_all().await.unwrap().into_iter().map(|row| row.address).collect();
        assert_eq!(rest, down_from(first_left), "{added} added, {stop} read");

        let mut rest = list(&api).items().resume_after(same);
        assert_eq!(rest.collect_all().await.unwrap().len(), rest_len(first_left));
    }
}

fn rest_len(first: u64) -> usize {
    down_from(first).len()
}

#[tokio::test(start_paused = true)]
async fn skipped_rows_are_not_returned_and_no_extra_page_is_requested() {
    for (wanted, pages) in [(0, 0), (1, 3), (5, 3), (6, 4), (100, 5)] {
        let (api, fake) = newest_first(50);
        let list = api.token_holders("vitalik.eth", "ethereum").limit(10).max_items(wanted);
        let mut items = list.items().resume_after(|row| row.address == "25");
        let rows = items.collect_all().await.unwrap();
        assert_eq!(rows.len() as u64, wanted.min(25), "{wanted}");
        assert_eq!(rows.first().map(|row| row.address.as_str()), (wanted > 0).then_some("24"));
        assert_eq!(fake.values("offset").len(), pages, "{wanted}");
    }
}

#[tokio::test(start_paused = true)]
async fn missing_start_row_is_an_error_at_the_end() {
    let (api, fake) = newest_first(25);
    let list = api.token_holders("vitalik.eth", "ethereum").limit(10);
    let mut items = list.items().resume_after(|row| row.address == "99");
    let error = items.try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(
        error.message(),
        "none of the 25 received rows matches the condition of `resume_after`"
    );
    assert_eq!(fake.values("offset").len(), 3);
    assert!(items.try_next().await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn error_during_search_for_row_is_the_only_error() {
    let (api, _) = cursors(&[("-", &["a"], Some("c1")), ("c1", &["b"], Some("gone"))]);
    let mut items = api.social_user_posts("h").items().resume_after(|post| post.tweet_id == "z");
    assert_eq!(items.try_next().await.unwrap_err().message(), "no such page");
    assert!(items.try_next().await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn until_ends_list_before_row_and_keeps_it() {
    for (end, rows, pages) in [(49, 0, 1), (45, 4, 1), (40, 9, 1), (39, 10, 2), (0, 49, 5)] {
        let (api, fake) = newest_first(50);
        let list = || api.token_holders("vitalik.eth", "ethereum").limit(10);
        let end = end.to_string();
        let stop = end.clone();
        let mut items = list().items().until(move |row| row.address == stop);
        assert_eq!(items.collect_all().await.unwrap().len(), rows, "{end}");
        assert_eq!(items.stopped_at().unwrap().address, end);
        assert_eq!(fake.values("offset").len(), pages, "no page after it is paid for");

        let token = items.resume_token().unwrap();
        let rest = list().pager().resume_from(token).collect_all().await.unwrap();
        assert_eq!((rest.len(), &rest[0].address), (50 - rows, &end));
    }
    // No row matches, so the whole list is returned.
    let (api, _) = newest_first(25);
    let mut items = api.token_holders("vitalik.eth", "ethereum").items().until(|_| false);
    assert_eq!(items.collect_all().await.unwrap().len(), 25);
    assert!(items.stopped_at().is_none() && items.resume_token().is_none());
}

#[tokio::test(start_paused = true)]
async fn condition_set_between_rows_applies_to_received_rows() {
    let (api, _) = newest_first(50);
    for is_end in [true, false] {
        let mut items = api.token_holders("vitalik.eth", "ethereum").limit(10).items();
        assert_eq!(items.try_next().await.unwrap().unwrap().address, "49");
        let is_row = |row: &TokenHolderItem| row.address == "45";
        let mut items = if is_end { items.until(is_row) } else { items.resume_after(is_row) };
        let rows: Vec<_> =
            items.collect_all().await.unwrap().into_iter().map(|row| row.address).collect();
        let first_left = if is_end { 48 } else { 44 };
        let expected = &down_from(first_left)[..if is_end { 3 } else { 45 }];
        assert_eq!(rows, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn resume_after_continues_from_cursor_tokens() {
    const PAGES: &[(&str, &[&str], Option<&str>)] =
        &[("-", &["a", "b"], Some("c1")), ("c1", &["c", "d"], Some("c2")), ("c2", &["e"], None)];
    let all = ["a", "b", "c", "d", "e"];
    for stop in 1..=4 {
        let (api, _) = cursors(PAGES);
        let mut items = api.social_user_posts("h").items();
        for _ in 0..stop {
            items.try_next().await.unwrap();
        }
        let token = items.resume_token().unwrap();
        let pager = api.social_user_posts("h").pager().resume_from(token);
        let mut rest = pager.items().resume_after(move |post| post.tweet_id == all[stop - 1]);
        let rest: Vec<_> =
            rest.collect_all().await.unwrap().into_iter().map(|post| post.tweet_id).collect();
        assert_eq!(rest, all[stop..], "{stop}");
    }

    // The service adds a row to the page of the last returned row, before that row.
    let (api, _) = cursors(PAGES);
    let mut items = api.social_user_posts("h").items();
    for _ in 0..3 {
        items.try_next().await.unwrap();
    }
    let token = items.resume_token().unwrap();
    let (api, _) = cursors(&[("c1", &["new", "c", "d"], Some("c2")), ("c2", &["e"], None)]);
    let pager = api.social_user_posts("h").pager().resume_from(token);
    let mut rest = pager.items().resume_after(|post| post.tweet_id == "c");
    assert_eq!(rest.try_next().await.unwrap().unwrap().tweet_id, "d");
}
