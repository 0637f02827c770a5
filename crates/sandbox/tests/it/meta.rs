//! Tests that the paging metadata of each list (`limit`, `offset`, `total`, `has_more`, `next_cursor`) matches the rows
//! of the list.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Answer, Operation, Paging, ParamKind};
use crypto_intel_sandbox::example;
use serde_json::{Value, json};

use crate::sql_laws::{WORLDS, world};
use crate::support::{Bench, rows};

/// Returns the maximum page size of an operation, but at most 100 rows.
fn size_of(operation: &Operation, limit: &str) -> usize {
    match operation.param(limit).map(|(_, param)| param.kind) {
        Some(ParamKind::Integer { max: Some(max), .. }) => usize::try_from(max).unwrap().min(100),
        _ => 100,
    }
}

fn has_total(operation: &Operation) -> bool {
    matches!(operation.answer, Answer::Rows { meta: "OffsetMeta", .. })
}

#[track_caller]
fn check(what: &str, page: &Value, place: (usize, usize), shown: usize, total: usize) {
    let meta = &page["meta"];
    let said = ["limit", "offset", "total", "has_more"].map(|name| meta[name].clone());
    let (limit, offset) = place;
    let more = offset.min(total) + shown < total;
    assert_eq!(said, [json!(limit), json!(offset), json!(total), json!(more)], "{what}");
    assert_eq!(meta["empty_reason"].is_null(), shown > 0, "{what}");
    assert!(page["$schema"].as_str().is_some_and(|uri| uri.starts_with("https://")), "{what}");
}

/// Checks the metadata of a list whose pages are requested by offset. Reads all pages of the list. Then reads pages
/// with other sizes and offsets, including a page after the end of the list.
async fn by_offset(bench: &Bench, operation: &'static Operation, limit: &str, offset: &str) {
    let size = size_of(operation, limit);
    let page = async |size: usize, from: usize| {
        let place = [(limit, json!(size)), (offset, json!(from))];
        bench.example(operation.id, &place).await.json
    };

    let mut pages = Vec::new();
    let mut from = 0;
    loop {
        let seen = page(size, from).await;
        let (shown, more) = (rows(&seen).len(), seen["meta"]["has_more"] == true);
        pages.push((from, seen));
        from += shown;
        if !more {
            break;
        }
        assert!(shown > 0, "{}: no row of a page that is not the last", operation.id);
    }

    let total = from;
    for (from, seen) in &pages {
        check(operation.id, seen, (size, *from), rows(seen).len(), total);
    }
    for (size, from) in [(1, 0), (size.min(7), total.saturating_sub(3)), (size, total + 5)] {
        let seen = page(size, from).await;
        let expected = size.min(total.saturating_sub(from));
        assert_eq!(rows(&seen).len(), expected, "{} at {from}", operation.id);
        check(operation.id, &seen, (size, from), expected, total);
    }
}

async fn by_cursor(bench: &Bench, operation: &'static Operation, limit: &str, cursor: &str) {
    let mut place = vec![(limit.to_owned(), json!(size_of(operation, limit)))];
    for _ in 0..400 {
        let asked: Vec<_> =
            place.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let seen = bench.example(operation.id, &asked).await.json;
        let next = seen["meta"]["next_cursor"].as_str().unwrap_or_default().to_owned();

        assert_eq!(seen["meta"]["has_more"], !next.is_empty(), "{}", operation.id);
        assert_eq!(seen["meta"]["limit"], size_of(operation, limit), "{}", operation.id);
        let is_empty = rows(&seen).is_empty();
        assert_eq!(seen["meta"]["empty_reason"].is_null(), !is_empty, "{}", operation.id);

        if next.is_empty() {
            return;
        }
        place.truncate(1);
        place.push((cursor.to_owned(), json!(next)));
    }
    panic!("{}: no end", operation.id);
}

/// Checks the list of an operation that does not support paging. The list must have at least one row. If the operation
/// has no parameter `limit`, the metadata must match the list, for example `total` must equal the number of rows.
async fn whole(bench: &Bench, operation: &'static Operation) {
    let seen = bench.example(operation.id, &[]).await.json;
    let total = rows(&seen).len();
    assert!(total > 0, "{}", operation.id);
    if operation.param("limit").is_none() {
        let limit = seen["meta"]["limit"].as_u64().unwrap() as usize;
        assert!(limit >= total, "{}: {limit}", operation.id);
        check(operation.id, &seen, (limit, 0), total, total);
    }
}

#[tokio::test]
async fn what_answers_say_of_their_lists_is_true_of_the_data() {
    let mut walked = [0; 3];
    for place in WORLDS {
        let bench = world(place).await;
        for operation in OPERATIONS {
            // The event of some examples has not happened yet at the earliest times.
            if bench.example(operation.id, &[]).await.status == 404 {
                continue;
            }

            match operation.paging {
                Paging::Offset { limit, offset } => {
                    walked[0] += 1;
                    by_offset(&bench, operation, limit, offset).await;
                }
                Paging::Cursor { limit, cursor, .. } | Paging::Keyset { limit, cursor, .. } => {
                    walked[1] += 1;
                    by_cursor(&bench, operation, limit, cursor).await;
                }
                Paging::None if has_total(operation) => {
                    walked[2] += 1;
                    whole(&bench, operation).await;
                }
                _ => {}
            }
        }
    }

    assert!(walked.iter().zip([150, 20, 50]).all(|(n, least)| *n >= least), "{walked:?}");
}

#[tokio::test]
async fn enriched_ratio_in_meta_equals_the_ratio_in_data() {
    let bench = Bench::start().await;
    let mut compared = 0;
    for operation in OPERATIONS {
        let json = bench.call(operation, &example::parameters(operation)).await.json;
        let (data, meta) = (&json["data"]["enriched_ratio"], &json["meta"]["enriched_ratio"]);
        if data.is_number() && meta.is_number() {
            assert_eq!(data, meta, "{}", operation.id);
            compared += 1;
        }
    }
    assert!(compared > 0);
}

#[tokio::test]
async fn total_of_an_answer_without_pages_counts_its_rows() {
    let bench = Bench::start().await;
    let mut compared = 0;
    for operation in OPERATIONS {
        if !matches!(operation.answer, Answer::Bare(_)) {
            continue;
        }
        let json = bench.call(operation, &example::parameters(operation)).await.json;
        if let (Some(rows), Some(total)) = (json["data"].as_array(), json["meta"]["total"].as_u64())
            && json["meta"]["has_more"] == false
        {
            assert_eq!(rows.len() as u64, total, "{}", operation.id);
            compared += 1;
        }
    }
    assert!(compared > 0);
}
