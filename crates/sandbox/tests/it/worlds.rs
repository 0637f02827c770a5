//! Property test of wallets and token transfers, for random seeds and times. For example, the balance of a wallet must
//! change by the sum of its transfers.

use crypto_intel_sandbox::{Clock, UnixSeconds};
use proptest::prelude::*;

use crate::support::{Bench, builder};
use crate::wallets;

/// Range of the random Unix times in the test: three years from 2026-01-01.
const MOMENTS: std::ops::Range<i64> = 1_767_225_600..1_861_920_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, max_shrink_iters: 6, ..ProptestConfig::default() })]
    #[test]
    fn every_ledger_adds_up(seed: u64, now in MOMENTS) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let clock = Clock::stopped_at(UnixSeconds(now));
            let bench = Bench::from_builder(builder().seed(seed).clock(clock)).await;
            wallets::transfers_agree(&bench, now).await;
            wallets::hashes_lead_back(&bench).await;
            wallets::balances_agree(&bench, now).await;
        });
    }
}
