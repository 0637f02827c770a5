//! The laws of the world hold whatever its seed and whenever it is looked at.

use crypto_intel_sandbox::{Clock, UnixSeconds};
use proptest::prelude::*;

use crate::support::{Bench, builder};
use crate::{coherence, equity, hyperliquid};

const DAY: i64 = 86_400;
/// From 2025-07-01 on, for two years.
const MOMENTS: std::ops::Range<i64> = 1_751_328_000..1_751_328_000 + 730 * DAY;

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, max_shrink_iters: 8, ..ProptestConfig::default() })]
    #[test]
    fn every_world_is_coherent(seed: u64, now in MOMENTS, n in 0_usize..4) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let clock = Clock::stopped_at(UnixSeconds(now));
            let bench = Bench::of(builder().seed(seed).clock(clock)).await;
            coherence::prices_agree(&bench, 6).await;
            coherence::candles_agree(&bench, now - now.rem_euclid(DAY) - 3 * DAY).await;
            equity::statements_add_up(&bench, equity::COMPANIES[n]).await;
            let addresses = hyperliquid::addresses(&bench).await;
            hyperliquid::fills_add_up(&bench, &addresses[n]).await;
        });
    }
}
