//! Tests of lists with offset paging. The lists have parallel pages, filtered pages, or totals that change.

use crypto_intel_core::Request;

use super::*;
use crate::paging::position::{At, call_at};
use crate::paging::token::fingerprint;

#[tokio::test(start_paused = true)]
async fn list_resumed_with_another_page_size_has_every_row() {
    let all: Vec<_> = (0..30).map(|n| n.to_string()).collect();
    for (before, after, stop) in [(10, 3, 5), (3, 10, 5), (10, 2, 9), (7, 7, 0), (7, 7, 14)] {
        let (api, _) = holders(30, 100, true);
        let list = |limit| api.token_holders("vitalik.eth", "ethereum").limit(limit);
        let mut items = list(before).items();
        let mut seen = Vec::new();
        for _ in 0..stop {
            seen.push(items.try_next().await.unwrap().unwrap().address);
        }
        let token = items.resume_token().unwrap();
        let pager = list(after).pager();
        assert_eq!(pager.rows_to_skip(), 0);
        let pager = pager.resume_from(token);
        assert_eq!(pager.rows_to_skip(), stop % before, "{before} {stop}");
        let rest = pager.collect_all().await.unwrap();
        seen.extend(rest.into_iter().map(|row| row.address));
        assert_eq!(seen, all, "{before} {after} {stop}");
    }
}

#[tokio::test(start_paused = true)]
async fn list_starts_at_requested_offset() {
    let (api, fake) = holders(30, 100, true);
    let list = api.token_holders("vitalik.eth", "ethereum").limit(10).offset(15);
    let seen: Vec<_> =
        list.collect_all().await.unwrap().into_iter().map(|row| row.address).collect();
    assert_eq!(seen, (15..30).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(fake.values("offset"), ["15", "25"]);
}

/// Creates a fake service with a filtered list of holders. The filter keeps every fourth holder, so 20 holders result
/// in a page of 5 rows. The total in a page is `total(offset)`, the number of holders before filtering.
fn filtered_list(total: impl Fn(u64) -> u64 + Send + Sync + 'static) -> (Api, Arc<Fake>) {
    api(move |target| {
        let offset = number(target, "offset").unwrap_or(0);
        let total = total(offset);
        let rows =
            (offset..total.min(offset + 20)).filter(|n| n % 4 == 0).map(holder).collect::<Vec<_>>();
        let meta = json!({"cached": false, "credits_used": 2, "limit": 20, "offset": offset, "total": total});
        Ok(json!({"data": rows, "meta": meta}))
    })
}

#[tokio::test(start_paused = true)]
async fn row_limit_is_reached_over_filtered_pages() {
    for limit in [1, 5, 6, 12, 50, 60] {
        let (api, _) = filtered_list(|_| 200);
        let rows =
            api.token_holders("vitalik.eth", "ethereum").max_items(limit).collect_all().await;
        assert_eq!(rows.unwrap().len() as u64, limit.min(50), "limit {limit}");
    }
}

#[tokio::test(start_paused = true)]
async fn changed_total_is_used() {
    // The total shrinks from 400 to 120 after the first page. Only requests that are already in flight read beyond the
    // new end.
    let (api, fake) = filtered_list(|offset| if offset == 0 { 400 } else { 120 });
    let rows = api.token_holders("vitalik.eth", "ethereum").collect_all().await.unwrap();
    assert_eq!(rows.len(), 30);
    assert!(fake.values("offset").len() <= 8, "{:?}", fake.values("offset"));
    // The total grows from 60 to 100.
    let (api, fake) = filtered_list(|offset| if offset < 40 { 60 } else { 100 });
    let rows = api.token_holders("vitalik.eth", "ethereum").collect_all().await.unwrap();
    assert_eq!((rows.len(), fake.values("offset").len()), (25, 5));
}

#[tokio::test(start_paused = true)]
async fn page_size_of_first_page_applies_to_later_pages() {
    // Pages have 7 rows, but only the first page reports this page size. The list grows from 14 to 21 rows.
    let (api, _) = api(|target| {
        let offset = number(target, "offset").unwrap_or(0);
        let rows: Vec<_> = (offset..21.min(offset + 7)).map(holder).collect();
        let mut meta = json!({"offset": offset, "total": if offset == 0 { 14 } else { 21 }});
        if offset == 0 {
            meta["limit"] = 7.into();
        }
        Ok(json!({"data": rows, "meta": meta}))
    });
    let rows = api.token_holders("vitalik.eth", "ethereum").collect_all().await.unwrap();
    let seen: Vec<_> = rows.into_iter().map(|row| row.address).collect();
    assert_eq!(seen, (0..21).map(|n| n.to_string()).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn growing_total_ends_list_at_first_total() {
    let (api, fake) = api(|target| {
        let offset = number(target, "offset").unwrap_or(0);
        let rows = if offset > 0 { json!([]) } else { json!([{"address": "0", "balance": "1"}]) };
        let meta = json!({"cached": false, "credits_used": 2, "limit": 20, "offset": offset,
            "total": offset + 100});
        Ok(json!({"data": rows, "meta": meta}))
    });
    let rows = api.token_holders("vitalik.eth", "ethereum").collect_all().await.unwrap();
    assert_eq!((rows.len(), fake.values("offset").len()), (1, 5));
}

#[tokio::test(start_paused = true)]
async fn total_below_row_count_is_ignored() {
    for (first, later) in [(Some(0), Some(0)), (Some(50), Some(0)), (Some(1), None)] {
        let (api, _) = api(move |target| {
            let offset = number(target, "offset").unwrap_or(0);
            let rows: Vec<_> = (offset..100.min(offset + 20)).map(holder).collect();
            let mut meta = json!({"cached": false, "credits_used": 2, "limit": 20,
                "offset": offset, "has_more": offset + 20 < 100});
            if let Some(total) = if offset == 0 { first } else { later } {
                meta["total"] = total.into();
            }

            Ok(json!({"data": rows, "meta": meta}))
        });
        let rows = api.token_holders("vitalik.eth", "ethereum").collect_all().await.unwrap();

        assert_eq!(rows.len(), 100, "{first:?} {later:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn estimate_respects_the_limits() {
    let (api, _) = holders(30, 100, true);
    // The list price of a page of 20 rows is two credits. With the free window, only the first page costs credits.
    let list = || api.token_holders("vitalik.eth", "ethereum").pager();
    for (pager, expected) in [
        (list(), None),
        (list().max_items(41), Some("2 to 6 credits")),
        (list().max_items(0), Some("0 credits")),
        (list().max_items(41).max_pages(2), Some("2 to 4 credits")),
        (list().max_credits(5), Some("2 to 4 credits")),
        (list().max_credits(1), Some("0 credits")),
        (list().max_pages(9).max_credits(7), Some("2 to 6 credits")),
    ] {
        let estimate = pager.estimate().map(|estimate| estimate.to_string());
        assert_eq!(estimate.as_deref(), expected, "{pager:?}");
    }
}

/// Creates a fake service with a list of `total` rows and at most `size` rows per page. If `has_total` is true, pages
/// report the total; otherwise they report `has_more`.
pub(super) fn holders(total: u64, size: u64, has_total: bool) -> (Api, Arc<Fake>) {
    api(move |target| {
        let offset = number(target, "offset").unwrap_or(0);
        let limit = number(target, "limit").unwrap_or(20).min(size);
        let rows = (offset..total.min(offset + limit)).map(holder).collect::<Vec<_>>();
        let mut meta =
            json!({"cached": false, "credits_used": 2, "limit": limit, "offset": offset});

        if has_total {
            meta["total"] = total.into();
        } else {
            meta["has_more"] = (offset + limit < total).into();
        }

        Ok(json!({"data": rows, "meta": meta}))
    })
}

#[tokio::test(start_paused = true)]
async fn offset_rows_are_in_order_for_every_page_size() {
    for total in [0, 1, 19, 20, 21, 95, 100] {
        for (size, has_total) in [(20, true), (20, false), (7, true), (7, false)] {
            let (api, fake) = holders(total, size, has_total);
            let rows = api.token_holders("vitalik.eth", "ethereum").collect_all().await.unwrap();
            let seen: Vec<_> = rows.into_iter().map(|row| row.address).collect();
            assert_eq!(
                seen,
                (0..total).map(|n| n.to_string()).collect::<Vec<_>>(),
                "{total} {size} {has_total}"
            );
            assert_eq!(
                fake.values("offset").len() as u64,
                total.div_ceil(size).max(1),
                "{total} {size} {has_total}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn offset_pages_of_known_total_are_requested_in_parallel() {
    let took = |side_by_side: usize| async move {
        let (api, _) = holders(1000, 20, true);
        let begin = tokio::time::Instant::now();
        let rows = api
            .token_holders("vitalik.eth", "ethereum")
            .pager()
            .side_by_side(side_by_side)
            .collect_all()
            .await;
        assert_eq!(rows.unwrap().len(), 1000);
        begin.elapsed().as_millis()
    };
    assert_eq!(took(1).await, 50);
    // The first page reports the total. The client then requests the other 49 pages, eight at a time.
    assert!(took(8).await <= 9);
}

/// Creates a fake service with a list of 100 holders on pages of 20 rows. For each request, `page` receives the offset
/// and the original page, and returns the page or the error that the service sends.
fn api_with_change(
    page: impl Fn(u64, Value) -> Result<Value, Error> + Send + Sync + 'static,
) -> (Api, Arc<Fake>) {
    api(move |target| {
        let offset = number(target, "offset").unwrap_or(0);
        let rows: Vec<_> = (offset..offset + 20).map(holder).collect();
        page(offset, json!({"data": rows, "meta": {"limit": 20, "offset": offset, "total": 100}}))
    })
}

#[tokio::test(start_paused = true)]
async fn received_pages_after_an_error_or_the_end_are_dropped() {
    let fails = |offset, page| match offset {
        40 => Err(Error::new(ErrorKind::Service, "no such page")),
        _ => Ok(page),
    };
    let ends = |offset, mut page: Value| {
        page["meta"]["has_more"] = (offset < 20).into();
        Ok(page)
    };
    for ((api, _), is_error) in [(api_with_change(fails), true), (api_with_change(ends), false)] {
        let mut items = api.token_holders("vitalik.eth", "ethereum").items();
        for row in 0..40 {
            assert_eq!(items.try_next().await.unwrap().unwrap().address, row.to_string());
            // The pages in flight arrive during this pause.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(items.try_next().await.is_err(), is_error);
        assert!(items.try_next().await.unwrap().is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn row_limit_applies_to_parallel_pages() {
    for (limit, requests) in [(10, 1), (20, 1), (21, 2), (50, 3), (100, 5), (1000, 5)] {
        let (api, fake) = holders(100, 20, true);
        let rows = api
            .token_holders("vitalik.eth", "ethereum")
            .max_items(limit)
            .collect_all()
            .await
            .unwrap();
        assert_eq!(rows.len() as u64, limit.min(100));
        assert_eq!(fake.values("offset").len(), requests, "limit {limit}");
    }
}

#[test]
fn parameter_order_does_not_change_the_list() {
    let (api, _) = cursors(&[]);
    let list = |names: [&str; 2]| {
        let mut call = api.token_holders("vitalik.eth", "ethereum").into_call();
        names.iter().for_each(|name| call.set_extra((*name).to_owned(), "1".into()));
        fingerprint(&call)
    };
    assert_eq!(list(["new", "other"]), list(["other", "new"]));
    assert_ne!(list(["new", "other"]), list(["new", "third"]));
}

#[test]
fn lists_requested_in_a_body_have_positions() {
    let (api, _) = cursors(&[]);
    let query = || api.onchain_structured_query("agent.blocks");
    let list = |request: crate::api::generated::onchain::OnchainStructuredQueryRequest| {
        fingerprint(&request.into_call())
    };
    assert_eq!(list(query()), list(query().limit(5).offset(9)));
    assert_ne!(list(query()), list(api.onchain_structured_query("agent.transfers")));
    let call = call_at(query().limit(5).into_call(), &At::Offset(10)).unwrap();
    let body: Value = serde_json::from_slice(&call.parts().unwrap().body.unwrap()).unwrap();
    assert_eq!((&body["limit"], &body["offset"]), (&json!(5), &json!(10)));
    assert!(call_at(query().into_call(), &At::Token("t".to_owned())).is_err());
    assert!(call_at(query().into_call(), &At::Offset(u64::MAX)).is_err());
}
