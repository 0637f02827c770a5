//! Checks that a program can recognise the states of `docs/states.md` with the typed client. This file contains the
//! checks for states that occur after one call.

use std::pin::Pin;

use crypto_intel::equity::EquityListingFinancialServingReason;
use crypto_intel::hyperliquid::FundingStatus;
use crypto_intel::search::{AirdropSearchItem, AirdropTaskItemStatus};
use crypto_intel::values::{AirdropStage, Funding, TotalValue};
use crypto_intel::{
    Client, Error, ErrorKind, UnixSeconds,
    prelude::*,
    values::{Figure, MetricValue},
};

use super::{HOUR, NOW};

/// Future with the result of a check: true if the state occurred.
pub(super) type Met = Pin<Box<dyn Future<Output = Result<bool, Error>>>>;

/// State of the table in `docs/states.md`, with the check by which a program recognises the state.
pub(super) struct State {
    pub(super) says: &'static str,
    /// Sandbox scenario that causes the state. Empty if the state also occurs without a scenario.
    pub(super) scenario: &'static str,
    pub(super) meet: fn(Client) -> Met,
}

macro_rules! states {
    ($($says:literal $(in $scenario:literal)? : |$client:ident| $met:expr;)*) => {
        &[$(State {
            says: $says,
            scenario: concat!($($scenario)?),
            meet: |$client| Box::pin(async move { Ok::<bool, Error>($met) }),
        }),*]
    };
}

/// Returns the address of an account. The last digit of the address determines which data of the account the sandbox
/// omits.
fn holder(digit: char) -> String {
    format!("0x52908400098527886e0f7030069857d2e4169ee{digit}")
}

fn lacks(answer: &impl PartialAnswer, part: &str) -> bool {
    let failures = answer.partial_failures();
    !answer.is_whole()
        && failures.iter().any(|failed| failed.part == part && !failed.reason.is_empty())
}

/// Returns true if the function `is` returns true for the funding payments of at least one trade. Reads up to 100
/// trades of one account.
async fn funded(client: Client, is: fn(Funding) -> bool) -> Result<bool, Error> {
    let trades = client.hyperliquid_trades(holder('0')).limit(100).await?;
    Ok(trades.data.iter().any(|trade| is(trade.funding())))
}

/// Returns true if the request for an income statement of `symbol` fails with the reason `reason`. For example, the
/// reason is `publication_missing` if the service has no statements of the company.
async fn without_statements(client: Client, symbol: &str, reason: &str) -> Result<bool, Error> {
    let Err(error) = client.equity_income_statement(symbol).await else { return Ok(false) };
    Ok(error.kind() == ErrorKind::NotFound && error.financial_serving_reason() == Some(reason))
}

fn is_of_quality(figure: &MetricValue, code: &str) -> bool {
    figure.value().is_some() && figure.quality_reason_codes.iter().any(|known| known == code)
}

/// Returns true if the newest income statement of at least one company is preliminary. In the sandbox this is true for
/// one of four companies.
async fn preliminary(client: Client) -> Result<bool, Error> {
    for listing in client.equity_listings().limit(100).await?.into_inner().data {
        match client.equity_income_statement(listing.ticker).limit(1).await {
            Ok(newest) if is_of_quality(&newest.data[0].revenue, "preliminary") => return Ok(true),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(false)
}

async fn airdrops(client: Client, phase: &str) -> Result<Vec<AirdropSearchItem>, Error> {
    let request = client.search_airdrop().phase(phase).include_tasks(true).limit(100);
    Ok(request.await?.into_inner().data)
}

async fn at_stage(client: Client, stage: AirdropStage) -> Result<bool, Error> {
    let airdrops = airdrops(client, "all").await?;
    Ok(airdrops.iter().any(|airdrop| airdrop.stage() == Some(stage)))
}

async fn with_task(
    client: Client,
    phase: &str,
    status: AirdropTaskItemStatus,
) -> Result<bool, Error> {
    let airdrops = airdrops(client, phase).await?;
    Ok(airdrops.iter().flat_map(|airdrop| &airdrop.tasks).any(|task| task.status == status))
}

/// Returns the price change of a trading pair in 24 hours, in percent.
async fn change(client: Client, pair: &str) -> Result<f64, Error> {
    let price = client.exchange_price(pair).await?;
    Ok(price.data.first().and_then(|price| price.change_24h_pct).unwrap_or(f64::NAN))
}

async fn price_time(client: Client, exchange: &str) -> Result<Option<UnixSeconds>, Error> {
    let price = client.exchange_price("BTC/USDT").exchange(exchange).await?;
    Ok(price.data.first().and_then(|price| price.timestamp))
}

pub(super) const STATES: &[State] = states! {
    "Complete funding of a trade": |client|
        funded(client, |funding| matches!(funding, Funding::Complete(_))).await?;
    "Partial funding of a trade": |client|
        funded(client, |funding| matches!(funding, Funding::Partial(_))).await?;
    "A trade without funding": |client|
        funded(client, |funding| funding == Funding::Unavailable).await?;
    "A group of trades, some without funding": |client| {
        let groups = client.hyperliquid_trades_aggregate(holder('0')).group_by("direction").await?;
        groups.data.iter().any(|group| matches!(group.funding(), Funding::Partial(_)))
    };
    "A total that is a lower bound": |client| {
        let account = client.hyperliquid_account(holder('a')).await?;
        matches!(account.data.total_value(), TotalValue::AtLeast { unpriced_tokens: 1, .. })
    };
    "A section that failed inside a 200": |client| {
        let account = client.hyperliquid_account(holder('b')).await?;
        let is_left_out = account.data.staking.is_none();
        lacks(&*account, "staking") && is_left_out && account.data.total_value() == TotalValue::Unknown
    };
    "A failed section: the balances": |client| {
        let account = client.hyperliquid_account(holder('c')).await?;
        lacks(&*account, "spot") && account.data.spot.is_none()
    };
    "A failed section: the prices": |client| {
        let account = client.hyperliquid_account(holder('d')).await?;
        lacks(&*account, "pricing") && account.data.total_value() == TotalValue::Unknown
    };
    "A performance without the newest fills": |client| {
        let shown = client.hyperliquid_performance(holder('b')).await?;
        lacks(&*shown, "gap_fill") && shown.data.partial
    };
    "A performance without the snapshot": |client| {
        let shown = client.hyperliquid_performance(holder('c')).await?;
        lacks(&*shown, "snapshot") && shown.data.account_value.is_none()
    };
    "A performance without the ledger": |client| {
        let shown = client.hyperliquid_performance(holder('d')).await?;
        lacks(&*shown, "ledger") && shown.data.performance.is_none()
    };
    "A part of a wallet that failed inside a 200": |client| {
        let wallet = client.wallet_detail(holder('e')).fields(["balance", "tokens", "nft"]).await?;
        lacks(&*wallet, "nft") && wallet.data.nft.is_empty()
    };
    "No statements: a fund": |client|
        without_statements(client, "SPY", "reporting_series_missing").await?;
    "No statements: nothing published yet": |client|
        without_statements(client, "NWRB", "publication_missing").await?;
    "No statements: permanently excluded": |client|
        without_statements(client, "OLDM", "publication_terminal_excluded").await?;
    "A listing gives the reason for missing statements": |client| {
        let reason = Some(EquityListingFinancialServingReason::PublicationMissing);
        let found = client.equity_listings().q("Northwind").await?;
        found.data.iter().any(|listing| listing.financial_serving_reason == reason)
    };
    "A company that is no longer listed": |client| {
        let found = client.equity_listings().q("Old Mill").await?;
        found.data.iter().any(|listing| listing.listing_lifecycle_status == "delisted")
    };
    "Preliminary figures": |client| preliminary(client).await?;
    "Restated figures": |client| {
        let statements = client.equity_income_statement("AAPL").limit(40).await?;
        statements.data.iter().any(|row| is_of_quality(&row.revenue, "restated"))
    };
    "A missing figure": |client| {
        let sheet = client.equity_balance_sheet("AAPL").await?;
        let is_missing = |figure: &MetricValue| {
            matches!(figure.figure(), Figure::Missing(_)) && figure.require().is_err()
        };
        sheet.data.iter().any(|row| is_missing(&row.tax_assets))
    };
    "A figure that does not apply": |client| {
        let sheet = client.equity_balance_sheet("AAPL").await?;
        let applies = |figure: &MetricValue| !matches!(figure.figure(), Figure::NotApplicable(_));
        sheet.data.iter().any(|row| !applies(&row.deposit_liabilities))
    };
    "A share with a token": |client|
        !client.equity_price("AAPL").include_tokenized(true).await?.data.tokenized.is_empty();
    "A share without a token": |client|
        client.equity_price("NWRB").include_tokenized(true).await?.data.tokenized.is_empty();
    "A rumoured airdrop": |client| at_stage(client, AirdropStage::Potential).await?;
    "An announced airdrop": |client| at_stage(client, AirdropStage::Confirmed).await?;
    "An airdrop after its snapshot": |client| at_stage(client, AirdropStage::Snapshot).await?;
    "An airdrop with an open claim window": |client| at_stage(client, AirdropStage::Verification).await?;
    "An airdrop whose reward can be claimed": |client| at_stage(client, AirdropStage::RewardAvailable).await?;
    "An airdrop whose reward was sent": |client| at_stage(client, AirdropStage::Distributed).await?;
    "An open task of an airdrop": |client|
        with_task(client, "active", AirdropTaskItemStatus::Open).await?;
    "A closed task of an airdrop": |client| with_task(client, "all", AirdropTaskItemStatus::Closed).await?;
    "A future task of an airdrop": |client| with_task(client, "active", AirdropTaskItemStatus::Upcoming).await?;
    "A retired market": |client| {
        let markets = client.exchange_markets().limit(100).await?;
        markets.data.iter().any(|market| market.active == Some(false))
    };
    "A series with gaps": |client| {
        let request = client.exchange_candles("upbit", "KRW-BTC").interval("5m");
        let candles = request.include_synthetic(false).limit(100).await?;
        let times: Vec<_> = candles.data.iter().map(|candle| candle.timestamp.0).collect();
        times.windows(2).any(|pair| (pair[0] - pair[1]).abs() > 300)
    };
    "A series without points": |client| {
        let (from, to) = ("2012-01-01", "2012-02-01");
        client.market_price("BTC").from(from).to(to).await?.data.is_empty()
    };
    "An empty list with its reason": |client| {
        let history = client.wallet_history(holder('0')).before(1).await?;
        history.data.is_empty() && history.meta.empty_reason.is_some()
    };
    "An unknown model": |client|
        client.responses("svc-9", "BTC").await?.status == "completed";
    "A market crash" in "market-crash": |client| change(client, "BTC/USDT").await? < -15.0;
    "Stablecoins keep their price" in "market-crash": |client|
        change(client, "USDC/USD").await?.abs() < 1.0;
    "A halted venue: no offers" in "exchange-halt=okx": |client| {
        let book = client.exchange_depth("BTC/USDT").exchange("okx").await?;
        book.data.iter().all(|book| book.bids.is_empty() && book.asks.is_empty())
    };
    "A halted venue: no active market" in "exchange-halt=okx": |client| {
        let markets = client.exchange_markets().exchange("okx").limit(100).await?;
        markets.data.iter().all(|market| market.active == Some(false))
    };
    "A halted venue: an old price" in "exchange-halt=okx": |client|
        price_time(client, "okx").await? == Some(UnixSeconds(NOW));
    "A halted venue: the other venues continue" in "exchange-halt=okx": |client|
        price_time(client, "binance").await? == Some(UnixSeconds(NOW + HOUR));
    "An unavailable chain" in "chain-outage=ethereum": |client| {
        let transfers = client.wallet_transfers(holder('0')).chain("ethereum").await;
        transfers.is_err_and(|error| {
            let seen = (error.kind(), error.code(), error.is_retryable());
            seen == (ErrorKind::Service, Some("UPSTREAM_UNAVAILABLE"), true)
        })
    };
    "An unavailable chain inside a 200" in "chain-outage=ethereum": |client| {
        let wallet = client.wallet_detail(holder('0')).await?;
        let is_lost = |chain: &Option<String>| chain.as_deref() != Some("ethereum");
        !wallet.is_whole() && wallet.data.evm_tokens.iter().all(|token| is_lost(&token.chain))
    };
    "An unavailable chain: the other chains continue" in "chain-outage=ethereum": |client|
        client.wallet_transfers(holder('0')).chain("base").await?.http().status == 200;
    "An expired portfolio" in "expired-etf-snapshot": |client| {
        let expired = client.equity_etf_holdings("SPY").as_of("2026-03-31").await;
        expired.is_err_and(|error| {
            error.kind() == ErrorKind::NotFound && error.message().contains("no portfolio")
        })
    };
    "An expired portfolio: the newest remaining portfolio" in "expired-etf-snapshot": |client|
        client.equity_etf_holdings("SPY").await?.data.available_periods[0].as_of == "2025-09-30";
    "Unknown fields of a future release" in "next-release": |client| {
        let ranking = client.market_ranking().await?;
        ranking.data.iter().all(|row| row.extra.get("sandbox_new_member").is_some())
    };
    "Unknown enum values of a future release" in "next-release": |client| {
        let trades = client.hyperliquid_trades(holder('0')).limit(100).await?;
        let unknown = FundingStatus::Other("sandbox_new_value".into());
        let (new, known): (Vec<_>, Vec<_>) =
            trades.data.iter().partition(|trade| trade.funding_status == unknown);
        // A trade with a funding status that this release does not contain must count as partially covered, not as
        // completely covered.
        let is_careful = new.iter().all(|trade| matches!(trade.funding(), Funding::Partial(_)));
        is_careful && !new.is_empty() && known.len().abs_diff(new.len()) <= 1
    };
};
