//! Venture funds and their investments. The funding rounds of projects and the portfolios of funds show the same
//! investments.

use crate::args::Args;
use crate::assets::{ASSETS, Asset};
use crate::context::Context;
use crate::funding_rounds;
use crate::random::Seed;
use crate::record::{member, record};
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::timestamp::DAY;
use crate::value::Value;

/// Names of all venture funds of the sandbox.
pub const FUNDS: &[&str] = &[
    "Cobalt Ventures",
    "Meridian Capital",
    "Fjord Partners",
    "Granite Digital",
    "Lumen Labs Fund",
    "Quartz Crypto",
    "Harbour Growth",
    "Juniper Block",
    "Kestrel Seed",
    "Nimbus Chain Capital",
    "Onyx Research Fund",
    "Prairie Ventures",
    "Ridge Multicoin",
    "Basalt Angels",
    "Aurora Treasury",
];

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "fund-detail" => Data::One(detail(ctx, find_fund(args)?)),
        "fund-portfolio" => Data::Rows(
            portfolio(ctx, find_fund(args)?).into_iter().filter(|r| is_wanted(args, r)).collect(),
        ),
        "fund-ranking" => {
            let mut funds: Vec<_> = FUNDS.to_vec();
            match args.text("metric") {
                Some("tier") => funds.sort_by_key(|fund| tier(ctx, fund)),
                _ => funds.sort_by_cached_key(|fund| std::cmp::Reverse(stakes(ctx, fund).len())),
            }
            Data::Rows(funds.into_iter().map(|fund| fund_row(ctx, fund)).collect())
        }
        "search-fund" => {
            let q = args.text("q").unwrap_or_default().to_lowercase();
            let matching = FUNDS.iter().filter(|fund| fund.to_lowercase().contains(&q));
            Data::Rows(matching.map(|fund| fund_row(ctx, fund)).collect())
        }
        _ => return Ok(None),
    }))
}

fn seed(ctx: &Context, fund: &str) -> Seed {
    ctx.seed.named("fund").named(fund)
}

/// Returns the UUID of a fund. The UUID does not depend on the random seed.
pub(crate) fn id(fund: &str) -> String {
    Seed::new(0).named("fund").named(fund).uuid()
}

fn slug(fund: &str) -> String {
    fund.to_lowercase().replace(' ', "-")
}

fn tier(ctx: &Context, fund: &str) -> i64 {
    seed(ctx, fund).named("tier").range(1, 4)
}

/// Finds the fund with the UUID in the `id` argument. Without `id`, finds the first fund whose name contains the `q`
/// argument.
fn find_fund(args: &Args) -> Result<&'static str, Refusal> {
    let (wanted_id, q) = (args.text("id"), args.text("q").unwrap_or_default().to_lowercase());
    let is_match = |fund: &&&'static str| match wanted_id {
        Some(wanted) => id(fund) == wanted,
        None => fund.to_lowercase().contains(&q),
    };
    FUNDS.iter().find(is_match).copied().ok_or_else(|| {
        Refusal::not_found(match wanted_id {
            Some(wanted) => format!("no fund has the id `{wanted}`"),
            None => format!("no fund matches `{q}`"),
        })
    })
}

fn logo(fund: &str) -> String {
    format!("https://img.example/fund/{}.png", slug(fund))
}

/// Returns the investors of a funding round as a JSON list. The first is the lead investor.
pub(super) fn investors(ctx: &Context, asset: &Asset, round: &str) -> Value {
    backers(ctx, asset, round)
        .into_iter()
        .enumerate()
        .map(|(n, fund)| record!(ProjectFundingInvestor {id: id(fund), name: fund, is_lead: n == 0, type: "venture", logo: logo(fund)}))
        .collect()
}

/// Returns the names of the funds that invested in a funding round. The first is the lead investor.
pub(super) fn backers(ctx: &Context, asset: &Asset, round: &str) -> Vec<&'static str> {
    let seed = asset.seed(ctx).named("backers").named(round);
    let first = seed.below(FUNDS.len() as u64);
    let step = [1, 2, 4, 7][usize::try_from(seed.named("step").below(4)).unwrap_or(0)];
    (0..2 + seed.named("count").below(3))
        .map(|n| FUNDS[usize::try_from((first + n * step) % FUNDS.len() as u64).unwrap_or(0)])
        .collect()
}

/// Investments of one fund in one project.
struct Stake {
    asset: &'static Asset,
    /// True if the fund was the lead investor of a funding round of the project.
    led: bool,
    /// Unix time of the fund's last investment in the project.
    time: i64,
    /// Size in USD of the last funding round that the fund invested in: the sum that all investors paid.
    amount: f64,
    /// Amount in USD that all investors together paid in all funding rounds of the project.
    total: f64,
}

/// Returns the investments of a fund, one entry for each project.
fn stakes(ctx: &Context, fund: &str) -> Vec<Stake> {
    ASSETS
        .iter()
        .filter_map(|asset| {
            let rounds = funding_rounds::past_rounds(ctx, asset);
            let mine: Vec<_> = rounds
                .iter()
                .filter_map(|round| {
                    let place =
                        backers(ctx, asset, round.0).iter().position(|name| *name == fund)?;
                    Some((round, place == 0))
                })
                .collect();

            let ((_, amount, time), _) = *mine.last()?;
            let led = mine.iter().any(|(_, led)| *led);
            let total = rounds.iter().map(|(_, amount, _)| amount).sum();
            Some(Stake { asset, led, time: *time, amount: *amount, total })
        })
        .collect()
}

fn stake_row(ctx: &Context, fund: &str, stake: &Stake) -> Row {
    let asset = stake.asset;
    Row::new(
        asset.seed(ctx).named(fund),
        stake.time,
        record!(FundPortfolioItem {
            project_id: asset.id(),
            project_name: asset.name,
            project_slug: asset.slug(),
            project_logo: asset.logo(),
            is_lead: stake.led,
            invested_at: stake.time,
            recent_raise: stake.amount,
            total_raise: stake.total,
        }),
    )
}

/// Returns the response rows of a fund's investments, one row for each project.
fn portfolio(ctx: &Context, fund: &str) -> Vec<Row> {
    stakes(ctx, fund).iter().map(|project| stake_row(ctx, fund, project)).collect()
}

fn is_wanted(args: &Args, row: &Row) -> bool {
    let lead = args.text("is_lead").map(|text| text == "true");
    lead.is_none_or(|lead| row.given[member!(FundPortfolioItem.is_lead)] == lead)
        && args.integer("invested_after").is_none_or(|after| row.time >= after)
        && args.integer("invested_before").is_none_or(|before| row.time <= before)
}

fn fund_row(ctx: &Context, fund: &str) -> Row {
    let portfolio = stakes(ctx, fund);
    let top: Vec<_> =
        portfolio.iter().take(5).map(|project| stake_row(ctx, fund, project).given).collect();
    Row::new(
        seed(ctx, fund),
        ctx.now,
        record!(FundSearchItem {
            id: id(fund), name: fund, type: "venture", tier: tier(ctx, fund),
            image: logo(fund),
            invested_projects_count: portfolio.len(), top_projects: top,
        }),
    )
}

/// Returns the social media handle of a fund, without `@`.
pub(super) fn handle(fund: &str) -> String {
    fund.to_lowercase().replace(' ', "")
}

/// Returns the number of social media followers of a fund.
pub(super) fn followers(ctx: &Context, fund: &str) -> i64 {
    seed(ctx, fund).named("followers").range(900, 400_000)
}

const FIRST_NAMES: &[&str] = &["Ada", "Bruno", "Chen", "Dalia", "Emre", "Farah", "Goran", "Hana"];
const LAST_NAMES: &[&str] = &["Almeida", "Brandt", "Costa", "Dvorak", "Eriksen", "Fontaine"];
const ROLES: &[&str] = &["Managing Partner", "Partner", "Principal"];

/// Returns the team members of a fund as a JSON list, one member for each role.
fn members(ctx: &Context, fund: &str) -> Value {
    ROLES
        .iter()
        .map(|role| {
            let seed = seed(ctx, fund).named(role);
            let name =
                format!("{} {}", seed.pick(FIRST_NAMES), seed.named("last").pick(LAST_NAMES));
            record!(FundMemberItem {
                avatar: format!("https://img.example/person/{}.png", slug(&name)),
                name,
                roles: [*role],
            })
        })
        .collect()
}

/// Returns the research articles of a fund as a JSON list. The fund publishes an article one week after a funding
/// round. The list has the articles on the fund's three newest investments that are at least one week old.
fn research_articles(ctx: &Context, fund: &str) -> Value {
    let mut stakes = stakes(ctx, fund);
    stakes.retain(|stake| stake.time + 7 * DAY <= ctx.now);
    stakes.sort_by_key(|stake| std::cmp::Reverse(stake.time));
    stakes
        .iter()
        .take(3)
        .map(|stake| {
            let name = stake.asset.name;
            record!(FundResearchItem {
                id: stake.asset.seed(ctx).named(fund).named("research").uuid(),
                title: format!("Why we invested in {name}"),
                url: format!("https://{}.example/research/{}", handle(fund), stake.asset.slug()),
                published_at: stake.time + 7 * DAY,
            })
        })
        .collect()
}

fn detail(ctx: &Context, fund: &str) -> Row {
    let handle = handle(fund);
    Row::new(
        seed(ctx, fund),
        ctx.now,
        record!(FundDetailItem {
            id: id(fund), name: fund, type: "venture", tier: tier(ctx, fund),
            image: logo(fund),
            invested_projects_count: stakes(ctx, fund).len(),
            description: format!("{fund} is a fund with invented data."),
            jurisdiction: seed(ctx, fund).named("home").pick(&["US", "SG", "CH", "KY"]),
            x_accounts: [record!(FundXAccountItem {
                id: Seed::new(0).named("account").named(&handle).digits(19), handle: handle.clone(),
                display_name: fund, profile_image: logo(fund),
                followers_count: followers(ctx, fund),
            })],
            members: members(ctx, fund),
            recent_researches: research_articles(ctx, fund),
            links: [record!(FundLinkItem {type: "website", value: format!("https://{handle}.example")})],
        }),
    )
}
