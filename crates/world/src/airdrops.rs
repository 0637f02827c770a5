//! Airdrop campaigns of projects. Each campaign goes through fixed stages, from a rumour to the payout.

use crypto_intel_api::generated::catalogue;

use crate::args::Args;
use crate::assets::{ASSETS, Asset};
use crate::context::Context;
use crate::funding_rounds;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::social;
use crate::time_range::choices;
use crate::timestamp::{self, DAY};
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "search-airdrop" => Data::Rows(search(ctx, args)),
        "search-airdrop-activities" => {
            let mut all = campaigns(ctx);
            all.sort_by_key(|campaign| std::cmp::Reverse(campaign.start));
            Data::Rows(all.iter().map(|campaign| activity(ctx, campaign)).collect())
        }
        _ => return Ok(None),
    }))
}

/// Stages of a campaign in order of time. Each stage has a status for responses and a phase name for search requests.
const STAGES: &[(&str, &str)] = &[
    ("POTENTIAL", "active"),
    ("CONFIRMED", "active"),
    ("SNAPSHOT", "snapshot"),
    ("VERIFICATION", "claimable"),
    ("REWARD_AVAILABLE", "claimable"),
    ("DISTRIBUTED", "ended"),
];

/// Seconds from the start of one campaign of a project to the start of the project's next campaign.
const SEASON: i64 = 300 * DAY;

/// One airdrop campaign of a project.
#[derive(Debug, Clone)]
pub(super) struct Campaign {
    pub(super) asset: &'static Asset,
    pub(super) start: i64,
    pub(super) reward: &'static str,
    seed: Seed,
}

/// Returns the three newest campaigns of each project. Leaves out campaigns that have not yet begun.
fn campaigns(ctx: &Context) -> Vec<Campaign> {
    ASSETS.iter().flat_map(|asset| asset_campaigns(ctx, asset)).collect()
}

/// Returns true if a project has airdrops. All projects except stablecoins have them.
fn has_airdrops(asset: &&Asset) -> bool {
    !asset.categories.contains(&"STABLECOIN")
}

/// Returns the three newest campaigns of one project, newest first. Leaves out campaigns that have not yet begun.
///
/// Each project starts a campaign every 300 days. The start days of different projects are spread evenly over this
/// period. So at any time, each of the six [`STAGES`] contains at least one campaign.
pub(super) fn asset_campaigns(ctx: &Context, asset: &'static Asset) -> Vec<Campaign> {
    let all = ASSETS.iter().filter(has_airdrops);
    let (count, place) = (all.clone().count(), all.clone().position(|other| other == asset));
    let (Some(place), Ok(count)) = (place, i64::try_from(count)) else { return Vec::new() };

    let world = ctx.seed.named("airdrops").range(0, SEASON - 1);
    let phase = world + SEASON / count * i64::try_from(place).unwrap_or(0);
    let season = (ctx.now - phase).div_euclid(SEASON);
    let own = asset.seed(ctx).named("airdrop");

    (season - 2..=season)
        .rev()
        .map(|season| {
            let seed = own.at_time(season);
            let reward =
                seed.named("reward").pick(choices(&catalogue::SEARCH_AIRDROP, "reward_type"));
            Campaign { asset, start: season * SEASON + phase, reward, seed }
        })
        .collect()
}

impl Campaign {
    /// Returns the start of each of the six stages in Unix seconds. A stage lasts 20 days or more.
    fn stage_starts(&self) -> [i64; 6] {
        std::array::from_fn(|n| {
            let days = match i64::try_from(n) {
                Ok(n) if n > 0 => 40 * n + self.seed.named("stage").at_time(n).range(-10, 10),
                _ => 0,
            };
            self.start + days * DAY
        })
    }

    /// Returns the index of the current stage in [`STAGES`], and the Unix time at which it began.
    fn current_stage(&self, ctx: &Context) -> (usize, i64) {
        let begins = self.stage_starts();
        let stage = begins.iter().rposition(|begin| *begin <= ctx.now).unwrap_or(0);
        (stage, begins[stage])
    }

    /// Returns the Unix time at which the rewards become available: the start of the stage `REWARD_AVAILABLE`. `stage`
    /// is the index of the current stage in [`STAGES`]. In the first stage (index 0), returns 0.
    fn reward_date(&self, stage: usize) -> i64 {
        if stage == 0 { 0 } else { self.stage_starts()[4] }
    }

    fn tasks(&self, ctx: &Context) -> Vec<Value> {
        let last = self.stage_starts()[2];
        (0..2 + self.seed.named("tasks").below(5))
            .map(|n| {
                let seed = self.seed.named("task").at(n);
                let kind = seed.pick(choices(&catalogue::SEARCH_AIRDROP, "task_type"));
                // The first task is open from the start to the snapshot. The second task opens weeks after the start.
                let open = match n {
                    0 => 0,
                    1 => seed.named("open").range(30, 45),
                    _ => seed.named("open").range(0, 20),
                };
                let length =
                    if n == 0 { i64::MAX / DAY / 2 } else { seed.named("length").range(10, 80) };
                let open = self.start + open * DAY;
                let close = open + length * DAY;
                // A task closes at the latest when the snapshot is taken.
                let close = close.min(last).max(open + DAY);
                let status = match ctx.now {
                    now if now < open => "UPCOMING",
                    now if now < close => "OPEN",
                    _ => "CLOSED",
                };

                record!(AirdropTaskItem {
                    title: format!("{} task {}: {kind}", self.asset.name, n + 1), type: kind,
                    status: status, is_exclusive: seed.named("exclusive").chance(0.1),
                    cost: seed.named("cost").pick(&[0, 0, 0, 5, 20]),
                    time_minutes: seed.named("minutes").range(2, 60),
                    open_date: open, close_date: close, blockchains: [self.asset.chain],
                    external_link: format!("{}/tasks/{}", self.asset.website(), n + 1),
                })
            })
            .collect()
    }
}

fn total_raise(ctx: &Context, asset: &Asset) -> i64 {
    funding_rounds::past_rounds(ctx, asset).iter().map(|(_, amount, _)| *amount as i64).sum()
}

fn score(ctx: &Context, asset: &Asset) -> i64 {
    asset.seed(ctx).named("xscore").range(100, 2_000)
}

fn search(ctx: &Context, args: &Args) -> Vec<Row> {
    let q = args.text("q").unwrap_or_default();
    let (phases, task_type) = (args.list("phase"), args.text("task_type"));
    let with_tasks = args.flag("include_tasks");
    let mut rows = Vec::new();

    for campaign in campaigns(ctx) {
        let asset = campaign.asset;
        let (stage, since) = campaign.current_stage(ctx);
        let (status, phase) = STAGES[stage];
        let is_meant = |wish: &&str| {
            wish.eq_ignore_ascii_case(phase) || wish.eq_ignore_ascii_case(status) || *wish == "all"
        };
        if !(q.is_empty() || asset.is_about(q)) || !phases.iter().any(is_meant) {
            continue;
        }

        let tasks = campaign.tasks(ctx);
        let open = tasks.iter().filter(|task| task["status"] == "OPEN").count();
        let mut types: Vec<_> = tasks.iter().filter_map(|task| task["type"].as_str()).collect();
        types.sort_unstable();
        types.dedup();
        let has_type = task_type.is_none_or(|kind| types.contains(&kind));
        if !has_type || (args.flag("has_open") && open == 0) {
            continue;
        }

        let given = record!(AirdropSearchItem {
            project_name: asset.name,
            project_id: asset.id(),
            coin_symbol: asset.symbol,
            logo_url: asset.logo(),
            status,
            reward_type: campaign.reward,
            last_status_update: since,
            reward_date: campaign.reward_date(stage),
            total_raise: total_raise(ctx, asset),
            xscore: score(ctx, asset),
            followers_count: social::followers(ctx, asset),
            task_summary: record!(AirdropTaskSummary { total: tasks.len(), open, types }),
            tasks: if with_tasks { tasks.into() } else { Value::Null },
        });
        let mut row = Row::new(campaign.seed, since, given).complete();

        // The response contains `tasks` only if the request asks for them. The service never sends `null` here.
        row.given.retain(|_, value| !value.is_null());
        rows.push(row);
    }

    rows
}

fn activity(ctx: &Context, campaign: &Campaign) -> Row {
    let asset = campaign.asset;
    let (stage, since) = campaign.current_stage(ctx);
    let date = campaign.reward_date(stage);
    let reward = format!("{} {} for early users", asset.symbol, campaign.reward);
    Row::new(
        campaign.seed,
        campaign.start,
        record!(AirdropActivityItem {
            id: campaign.seed.named("id").uuid(),
            coin_name: asset.name,
            coin_symbol: asset.symbol,
            reward,
            reward_type: campaign.reward,
            status: if STAGES[stage].1 == "active" { "ACTIVE" } else { "ENDED" },
            created_at: campaign.start,
            updated_at: since,
            followers_count: social::followers(ctx, asset).to_string(),
            xscore: score(ctx, asset).to_string(),
            total_raise: total_raise(ctx, asset),
            reward_date: if date == 0 { Value::Null } else { timestamp::day_text(date).into() },
        }),
    )
}
