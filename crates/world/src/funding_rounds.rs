//! Funding rounds of crypto projects.

use crate::assets::Asset;
use crate::context::Context;
use crate::timestamp::DAY;

/// Returns the past funding rounds of a project, oldest first. Each entry is the name of the round, the amount in USD,
/// and the Unix time.
pub(super) fn past_rounds(ctx: &Context, asset: &Asset) -> Vec<(&'static str, f64, i64)> {
    let seed = asset.seed(ctx).named("rounds");
    ["Seed", "Series A", "Series B"]
        .into_iter()
        .enumerate()
        .take(1 + usize::try_from(seed.below(3)).unwrap_or(0))
        .map(|(n, name)| {
            let seed = seed.at(n as u64);
            let amount = (seed.magnitude(1.0, 8.0) * 4_f64.powi(i32::try_from(n).unwrap_or(0)))
                .round()
                * 1e6;
            // The first round is in 2021 or 2022. It does not depend on the current time.
            let begin = 1_622_505_600 + i64::try_from(n).unwrap_or(0) * 560 * DAY;
            (name, amount, begin + seed.range(0, 500) * DAY)
        })
        .filter(|(_, _, time)| *time <= ctx.now)
        .collect()
}
