//! Generates strings by the name of their field.

use crate::missing_fields::number;
use crate::random::Seed;
use crate::timestamp;

/// Tickers for generated strings; all are in the table of assets.
pub(crate) const SYMBOLS: &[&str] = &["BTC", "ETH", "SOL", "XRP", "BNB", "DOGE", "ADA", "AVAX"];
const NAMES: &[&str] = &[
    "Aurora", "Basalt", "Cobalt", "Delta", "Ember", "Fjord", "Granite", "Harbour", "Indigo",
    "Juniper", "Kestrel", "Lumen", "Meridian", "Nimbus", "Onyx", "Prairie", "Quartz", "Ridge",
];
const KINDS: &[&str] = &["Protocol", "Labs", "Network", "Finance", "Swap", "Capital", "Chain"];
const CHAINS: &[&str] = &["ethereum", "base", "arbitrum", "bsc", "solana", "polygon"];
const VERBS: &[&str] = &["rises", "falls", "holds steady", "draws new buyers", "tests support"];

/// Generates a string for the field `name` of `record`.
pub(super) fn text_for(name: &str, record: &str, seed: Seed, time: i64) -> String {
    let first = || seed.pick(NAMES);
    let ticker = || seed.named("ticker").pick(SYMBOLS);
    match name {
        "chain" | "blockchains" | "chains" => seed.pick(CHAINS).to_owned(),
        "symbol"
        | "token"
        | "base"
        | "base_asset"
        | "coin_symbol"
        | "token_symbol"
        | "base_symbol"
        | "token_bought_symbol" => ticker().to_owned(),
        "token_sold_symbol" | "quote_symbol" | "quote" | "fee_token" => "USDC".to_owned(),
        "pair" | "trading_pair" => format!("{}/USDT", ticker()),
        "token_pair" => format!("{}-USDC", ticker()),
        "currency" | "listing_currency" => "USD".to_owned(),
        "ticker" => ticker().to_owned(),
        "exchange" | "exchange_name" | "exchanges" => {
            seed.pick(&["binance", "okx", "bybit", "coinbase", "kraken"]).to_owned()
        }
        "platform" | "source" => seed.pick(&["polymarket", "kalshi"]).to_owned(),
        "side" => seed.pick(&["buy", "sell"]).to_owned(),
        "direction" => seed.pick(&["long", "short"]).to_owned(),
        "taker_side" => seed.pick(&["yes", "no"]).to_owned(),
        "outcome_label" | "label" if record.contains("olymarket") => {
            seed.pick(&["Yes", "No"]).to_owned()
        }
        "leverage_type" | "reported_leverage_type" => seed.pick(&["cross", "isolated"]).to_owned(),
        "leverage_semantics" => "completed_trade_reported".to_owned(),
        "status" | "current_status" => "active".to_owned(),
        "category" => seed.pick(&["crypto", "politics", "economics", "sports"]).to_owned(),
        "interval" => "1h".to_owned(),
        "region" => seed.pick(&["KR", "JP", "HK"]).to_owned(),
        "version" => seed.pick(&["v2", "v3"]).to_owned(),
        "lang" => "en".to_owned(),
        "product" => "spot".to_owned(),
        "type" => seed.pick(&["spot", "swap"]).to_owned(),
        "classification" => seed.pick(&["Fear", "Neutral", "Greed"]).to_owned(),
        "sentiment" => seed.pick(&["positive", "negative"]).to_owned(),
        "form_type" => seed.pick(&["10-K", "10-Q", "8-K"]).to_owned(),
        "fiscal_period" => seed.pick(&["Q1", "Q2", "Q3", "FY"]).to_owned(),
        "report_period" | "filed_on" | "as_of" | "date" | "reward_date" | "filing_date"
        | "report_periods" | "valid_from" | "start_date" => timestamp::day_text(time),
        "period_start" => timestamp::day_text(time - 91 * timestamp::DAY),
        "end_date" | "valid_to" => timestamp::day_text(time + 91 * timestamp::DAY),
        "period_end" | "next_funding" => timestamp::iso_text(time),
        "accession" => format!("{}-26-{}", seed.digits(10), seed.named("n").digits(6)),
        "cik" | "issuer_cik" | "sic_code" => seed.digits(if name == "sic_code" { 4 } else { 10 }),
        "isin" => format!("US{}", seed.digits(10)),
        "cusip" => seed.digits(9),
        "hash"
        | "tx_hash"
        | "blockHash"
        | "r"
        | "s"
        | "condition_id"
        | "storageKeys"
        | "market_a_condition_id"
        | "market_b_condition_id"
        | "matched_counterpart"
        | "negative_risk_id"
        | "market" => seed.hex_number(64),
        "from" | "to" | "taker" => seed.hex_number(40),
        "input" => "0x".to_owned(),
        "gas"
        | "gasPrice"
        | "nonce"
        | "v"
        | "value"
        | "yParity"
        | "blockNumber"
        | "chainId"
        | "transactionIndex"
        | "maxFeePerGas"
        | "maxPriorityFeePerGas"
        | "maxFeePerBlobGas"
            if record == "OnchainTxItem" =>
        {
            format!("0x{:x}", seed.below(1 << 24))
        }
        "amount" | "balance" | "total_amount" | "value" | "sol_balance" => {
            format!("{}", number::round(seed.magnitude(0.01, 1e6)))
        }
        "gas_price" => seed.range(100_000_000, 40_000_000_000).to_string(),
        "followers_count" | "xscore" | "amount_raw" => seed.range(1, 90_000).to_string(),
        "tickSize" => "0.01".to_owned(),
        "token_id" | "tweet_id" | "twitter_id" | "user_id" | "x_id" | "outcome_token_id"
        | "assetId" => seed.digits(19),
        "handle" | "x_handle" | "twitter" => first().to_lowercase(),
        "event_ticker" => format!("KX{}-26", first().to_uppercase()),
        "market_ticker" => format!("KX{}-26-T{}", first().to_uppercase(), seed.range(1, 99)),
        "question" | "market_a_question" | "market_b_question" => {
            format!("Will {} close above {} this year?", ticker(), seed.range(1, 90) * 1000)
        }
        "chain_id" => "1".to_owned(),
        "database" => "agent".to_owned(),
        "table" => "ethereum_transfers".to_owned(),
        "engine" => "MergeTree".to_owned(),
        _ if name.ends_with("_address") || name == "address" || name == "account" => {
            seed.hex_number(40)
        }
        _ if name == "id" || name.ends_with("_id") || name.ends_with("_ids") => seed.uuid(),
        _ if name.ends_with("url") || name.ends_with("link") || name == "website" => {
            format!("https://{}.example/{}", first().to_lowercase(), seed.hex(8))
        }
        _ if name.contains("logo") || name.contains("image") || name.contains("avatar") => {
            format!("https://img.example/{}.png", seed.hex(12))
        }
        _ if name.ends_with("slug") => format!("{}-{}", first().to_lowercase(), seed.hex(4)),
        _ if name == "name" || name.ends_with("_name") || name == "project" => {
            format!("{} {}", first(), seed.named("kind").pick(KINDS))
        }
        "text" | "content" | "description" | "summary" | "subtitle" | "tldr" | "bio" | "reason"
        | "message" | "comment" | "ai_summary" | "highlights" => {
            format!(
                "{} {}: {} {}.",
                first(),
                seed.named("kind").pick(KINDS),
                ticker(),
                seed.named("v").pick(VERBS)
            )
        }
        _ if name.contains("title") => format!("{} {}", ticker(), seed.named("v").pick(VERBS)),
        _ => first().to_lowercase(),
    }
}
