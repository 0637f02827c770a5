//! Tests that different endpoints return consistent data, for random seeds and at random times.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Answer, Operation};
use crypto_intel_sandbox::example;
use crypto_intel_sandbox::{Clock, UnixSeconds};
use crypto_intel_world as world;
use crypto_intel_world::random::Seed;
use crypto_intel_world::row_filters::RowFilters;
use proptest::prelude::*;
use serde_json::Value;

use crate::support::{Bench, NOW, builder};
use crate::{coherence, equity, hyperliquid};

const DAY: i64 = 86_400;
/// Range of the random Unix times in the tests: two years from 2025-07-01.
const MOMENTS: std::ops::Range<i64> = 1_751_328_000..1_751_328_000 + 730 * DAY;

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, max_shrink_iters: 8, ..ProptestConfig::default() })]
    #[test]
    fn every_world_is_coherent(seed: u64, now in MOMENTS, n in 0_usize..4) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let clock = Clock::stopped_at(UnixSeconds(now));
            let bench = Bench::from_builder(builder().seed(seed).clock(clock)).await;
            coherence::prices_agree(&bench, 6).await;
            coherence::candles_agree(&bench, now - now.rem_euclid(DAY) - 3 * DAY).await;
            equity::statements_add_up(&bench, equity::COMPANIES[n]).await;
            let addresses = hyperliquid::addresses(&bench).await;
            hyperliquid::fills_add_up(&bench, &addresses[n]).await;
        });
    }
}

/// Returns up to ten rows of the response to an operation's example request, which the crate `world` generates without
/// HTTP. Returns `None` if the crate `world` does not implement the operation, if the response has no field `data`, or
/// if the request fails.
fn rows_of_laws(operation: &'static Operation, now: i64) -> Option<Vec<Value>> {
    let ctx = world::Context::new(Seed::new(SEED), now);
    if !world::has_domain(operation) {
        return None;
    }
    let args = example::args(operation, &example::parameters(operation)).ok()?;
    let ty = match operation.answer {
        Answer::Rows { row, .. } => row,
        Answer::One { data, .. } => data,
        _ => return None,
    };
    let mut rows = match world::data(&ctx, &args).ok()? {
        world::Data::One(row) => vec![row],
        world::Data::Rows(rows) => rows,
    };
    let filters = RowFilters::new(&ctx, &args, ty);
    filters.decide(&ctx, ty, &mut rows);
    filters.apply(&mut rows);
    Some(rows.into_iter().take(10).map(|row| row.filled(&ctx, ty)).collect())
}

/// Returns the names of the fields of `row` that are missing in `shown` or have another value in `shown`.
fn differing(row: &Value, shown: &Value) -> Vec<String> {
    let members = row.as_object().into_iter().flatten();
    members
        .filter(|(name, value)| shown[name.as_str()] != **value)
        .map(|(name, _)| name.clone())
        .collect()
}

/// Random seed of the compared data.
const SEED: u64 = 7;

#[tokio::test]
async fn answers_have_every_member_of_the_rows_that_laws_check() {
    let bench = Bench::from_builder(builder().seed(SEED)).await;
    let (mut faults, mut compared) = (Vec::new(), 0);
    for operation in OPERATIONS {
        let Some(rows) = rows_of_laws(operation, NOW) else { continue };
        let data = bench.call(operation, &example::parameters(operation)).await.json["data"].take();
        let shown = data.as_array().cloned().unwrap_or_else(|| vec![data]);
        for (row, shown) in rows.iter().zip(&shown) {
            compared += 1;
            let names = differing(row, shown);
            faults.extend((!names.is_empty()).then(|| format!("{}: {names:?}", operation.id)));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(compared > 500, "{compared} rows");
}
