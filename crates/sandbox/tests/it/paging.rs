//! Tests of paging by offset and by cursor. Each test reads a list to its end.

use std::collections::BTreeSet;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::Paging;
use serde_json::{Value, json};

use crate::support::Bench;

const MOST_PAGES: usize = 400;

#[tokio::test]
async fn offset_pages_add_up_to_the_total() {
    let bench = Bench::start().await;
    let mut walked = 0;
    for op in OPERATIONS {
        let Paging::Offset { limit, offset } = op.paging else { continue };
        let whole = bench.example(op.id, &[(limit, json!(50))]).await.json;
        let total = whole["meta"]["total"].as_u64().unwrap_or_else(|| panic!("{}", op.id));
        let mut rows = Vec::new();

        while (rows.len() as u64) < total {
            let place = [(limit, json!(50)), (offset, json!(rows.len()))];
            let page = bench.example(op.id, &place).await.json;
            let data = page["data"].as_array().unwrap();
            assert!(!data.is_empty(), "{}: page at {} of {total}", op.id, rows.len());
            assert_eq!(page["meta"]["offset"], rows.len(), "{}", op.id);
            rows.extend(data.iter().cloned());
            assert_eq!(page["meta"]["has_more"], (rows.len() as u64) < total, "{}", op.id);
        }

        assert_eq!(rows.len() as u64, total, "{}", op.id);

        let beyond = [(offset, json!(total + 10))];
        assert_eq!(bench.example(op.id, &beyond).await.json["data"], json!([]), "{}", op.id);

        walked += 1;
    }

    assert!(walked > 40, "{walked}");
}

/// Reads all pages of a list by following its cursors. Returns the rows of each page. `member` is the response
/// field that contains the rows.
async fn walk(bench: &Bench, id: &str, size: u64, member: &str) -> Vec<Vec<Value>> {
    let mut pages = Vec::new();
    let mut token: Option<String> = None;
    let mut seen = BTreeSet::new();

    loop {
        let mut place = vec![("limit", json!(size))];
        let name = if member == "data" { "cursor" } else { "pagination_key" };
        if let Some(token) = &token {
            place.push((name, json!(token)));
        }

        let page = bench.example(id, &place).await.json;
        pages.push(page[member].as_array().unwrap_or_else(|| panic!("{id}: {page}")).clone());
        let meta = if member == "data" { &page["meta"] } else { &page["pagination"] };
        let next = if member == "data" { &meta["next_cursor"] } else { &meta["pagination_key"] };
        let next = next.as_str().unwrap_or_default().to_owned();

        assert_eq!(meta["has_more"], !next.is_empty(), "{id}");

        if next.is_empty() {
            return pages;
        }

        assert!(seen.insert(next.clone()), "{id}: a token came twice");
        assert!(pages.len() < MOST_PAGES, "{id}: no end");

        token = Some(next);
    }
}

#[tokio::test]
async fn cursor_pages_hold_the_same_rows_whatever_their_size() {
    let bench = Bench::start().await;
    let mut gaps = 0;
    for op in OPERATIONS {
        let member = match op.paging {
            Paging::Cursor { .. } | Paging::Keyset { .. } => "data",
            Paging::PaginationKey { .. } => "snapshots",
            _ => continue,
        };
        let small = walk(&bench, op.id, 10, member).await;
        let large = walk(&bench, op.id, 100, member).await;
        gaps += small[..small.len() - 1].iter().filter(|rows| rows.is_empty()).count();
        assert_eq!(small.concat(), large.concat(), "{}", op.id);
        assert!(small.concat().len() > 10, "{}", op.id);
    }
    assert!(gaps > 0, "no empty page in the middle of anything");
}

#[tokio::test]
async fn a_cursor_of_another_query_is_refused() {
    let bench = Bench::start().await;
    let first = bench.example("social-user-posts", &[]).await.json;
    let token = first["meta"]["next_cursor"].clone();
    let same = bench.example("social-user-posts", &[("cursor", token.clone())]).await;
    assert_eq!(same.status, 200);
    for more in [
        vec![("cursor", token.clone()), ("handle", json!("ethereum"))],
        vec![("cursor", json!("invented"))],
    ] {
        let refused = bench.example("social-user-posts", &more).await;
        assert_eq!(refused.status, 400);
        assert!(refused.text.contains("`cursor`"), "{}", refused.text);
    }
    let other = bench.example("search-social-posts", &[("cursor", token)]).await;
    assert_eq!(other.status, 400);
}
