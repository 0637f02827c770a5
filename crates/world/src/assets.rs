//! Table of crypto assets, with their tickers, names, supplies and token contracts. Every module of
//! `crypto-intel-world` that needs a crypto asset uses this table.

use crate::context::Context;
use crate::price::Walk;
use crate::price_path::Steps;
use crate::random::Seed;
use crate::refusal::Refusal;

/// A crypto asset. Names are real, so that examples read naturally. All numbers are invented.
#[derive(Debug, PartialEq)]
pub struct Asset {
    /// Ticker, for example `BTC`.
    pub symbol: &'static str,
    /// Full name, for example `Bitcoin`.
    pub name: &'static str,
    /// Price in USD around which the asset's random walk moves.
    pub(super) base: f64,
    /// Circulating supply, in units of the asset.
    pub supply: f64,
    /// Maximum supply, if there is one.
    pub max_supply: Option<f64>,
    /// Typical daily trading volume, as a fraction of the market capitalisation.
    turnover: f64,
    /// Categories of the asset, for example `DEFI`.
    pub categories: &'static [&'static str],
    /// Name of the chain that has the asset's token contract, for example `ethereum`.
    pub chain: &'static str,
}

const fn asset(
    symbol: &'static str,
    name: &'static str,
    base: f64,
    supply: f64,
    max_supply: Option<f64>,
    categories: &'static [&'static str],
    chain: &'static str,
) -> Asset {
    Asset { symbol, name, base, supply, max_supply, turnover: 0.03, categories, chain }
}

/// All crypto assets of the sandbox.
pub static ASSETS: &[Asset] = &[
    asset("BTC", "Bitcoin", 98_000.0, 19.9e6, Some(21e6), &["L1"], "ethereum"),
    asset("ETH", "Ethereum", 3_400.0, 120.5e6, None, &["L1", "DEFI"], "ethereum"),
    asset("XRP", "XRP", 2.3, 58e9, Some(100e9), &["L1"], "bsc"),
    asset("USDT", "Tether", 1.0, 142e9, None, &["STABLECOIN"], "ethereum"),
    asset("BNB", "BNB", 640.0, 139e6, Some(200e6), &["L1"], "bsc"),
    asset("SOL", "Solana", 170.0, 540e6, None, &["L1", "SOL_ECO"], "solana"),
    asset("USDC", "USD Coin", 1.0, 61e9, None, &["STABLECOIN"], "ethereum"),
    asset("DOGE", "Dogecoin", 0.19, 149e9, None, &["MEME"], "bsc"),
    asset("ADA", "Cardano", 0.72, 35.5e9, Some(45e9), &["L1"], "bsc"),
    asset("TRX", "TRON", 0.27, 94e9, None, &["L1"], "tron"),
    asset("HYPE", "Hyperliquid", 34.0, 334e6, Some(1e9), &["DEFI", "L1"], "arbitrum"),
    asset("LINK", "Chainlink", 15.0, 650e6, Some(1e9), &["DEFI", "RWA"], "ethereum"),
    asset("AVAX", "Avalanche", 22.0, 418e6, Some(720e6), &["L1"], "avalanche"),
    asset("SUI", "Sui", 3.1, 3.4e9, Some(10e9), &["L1"], "bsc"),
    asset("SHIB", "Shiba Inu", 0.000_013, 589e12, None, &["MEME"], "ethereum"),
    asset("PEPE", "Pepe", 0.000_012, 420e12, Some(420e12), &["MEME"], "ethereum"),
    asset("UNI", "Uniswap", 7.4, 600e6, Some(1e9), &["DEFI"], "ethereum"),
    asset("AAVE", "Aave", 230.0, 15.1e6, Some(16e6), &["DEFI"], "ethereum"),
    asset("ARB", "Arbitrum", 0.42, 4.8e9, Some(10e9), &["L2"], "arbitrum"),
    asset("OP", "Optimism", 0.75, 1.7e9, Some(4.3e9), &["L2"], "optimism"),
    asset("FET", "Fetch", 0.78, 2.5e9, Some(2.7e9), &["AI", "AI_AGENTS"], "ethereum"),
    asset("RENDER", "Render", 4.3, 517e6, Some(644e6), &["AI", "DEPIN", "SOL_ECO"], "solana"),
    asset("ONDO", "Ondo", 0.95, 3.1e9, Some(10e9), &["RWA", "DEFI"], "ethereum"),
    asset("LDO", "Lido DAO", 0.98, 897e6, Some(1e9), &["LST", "DEFI"], "ethereum"),
    asset("IMX", "Immutable", 0.6, 1.8e9, Some(2e9), &["GAMING", "L2"], "ethereum"),
    asset("AERO", "Aerodrome", 0.7, 820e6, None, &["BASE_ECO", "DEFI"], "base"),
];

impl Asset {
    fn is_stable(&self) -> bool {
        self.categories.contains(&"STABLECOIN")
    }

    /// Returns the website URL of the asset's project.
    pub(crate) fn website(&self) -> String {
        format!("https://{}.example", self.slug())
    }

    /// Returns the social media handle of the asset's project, without `@`.
    pub(crate) fn handle(&self) -> String {
        self.slug().replace('-', "")
    }

    /// Returns the numeric id of the project's social media account. The id does not depend on the random seed.
    pub(crate) fn x_id(&self) -> String {
        Seed::new(0).named("account").named(self.symbol).digits(19)
    }

    /// Returns the random seed of the asset. The asset's invented data are derived from this seed.
    pub fn seed(&self, ctx: &Context) -> Seed {
        ctx.seed.named("asset").named(self.symbol)
    }

    /// Returns the standard deviation of the asset's daily returns, for example 0.024. Stablecoins have the lowest
    /// value, then Bitcoin. Meme coins have the highest.
    fn volatility(&self) -> f64 {
        let usual = match self.symbol {
            _ if self.is_stable() => return 0.000_15,
            "BTC" => 0.024,
            "ETH" => 0.032,
            _ if self.categories.contains(&"MEME") => 0.052,
            _ => 0.04,
        };
        usual * Seed::new(0).named("volatility").named(self.symbol).between(0.9, 1.15)
    }

    /// Returns the correlation of the asset's returns with the returns of the whole market.
    fn correlation(&self) -> f64 {
        match self.symbol {
            _ if self.is_stable() => 0.0,
            "BTC" => 0.86,
            _ => Seed::new(0).named("correlation").named(self.symbol).between(0.62, 0.82),
        }
    }

    /// Returns the price history of the asset in USD.
    pub fn walk(&self, ctx: &Context) -> Walk {
        Walk {
            steps: Steps {
                own: self.seed(ctx).named("walk"),
                market: ctx.seed.named("coin market"),
                correlation: self.correlation(),
            },
            base: self.base,
            volatility: self.volatility(),
            daily_usd: self.base * self.supply * self.turnover,
            // A crash does not change the prices of stablecoins.
            crash: ctx.scenario.crash.filter(|_| !self.is_stable()),
        }
    }

    /// Returns the asset's price in USD at the start of the current minute.
    pub fn price(&self, ctx: &Context) -> f64 {
        self.walk(ctx).at(ctx.minute())
    }

    /// Returns the UUID of the asset's project. The UUID does not depend on the random seed.
    pub fn id(&self) -> String {
        Seed::new(0).named("project").named(self.symbol).uuid()
    }

    /// Returns the asset's name in lower case, with hyphens between words. For example `usd-coin`.
    pub fn slug(&self) -> String {
        self.name.to_lowercase().replace(' ', "-")
    }

    /// Returns the address of the asset's token contract, in the format of its chain.
    pub fn address(&self, ctx: &Context) -> String {
        let seed = self.seed(ctx).named("contract");
        match self.chain {
            "solana" => seed.base58(44),
            "tron" => format!("T{}", seed.base58(33)),
            _ => seed.hex_number(40),
        }
    }

    pub(crate) fn logo(&self) -> String {
        format!("https://img.example/{}.png", self.symbol.to_lowercase())
    }

    /// Returns true if `words` contain the asset's ticker or name, or if the name contains `words`. Ignores case.
    pub(crate) fn is_about(&self, words: &str) -> bool {
        // A slug has hyphens where the name has spaces.
        let words = words.to_lowercase().replace('-', " ");
        let (symbol, name) = (self.symbol.to_lowercase(), self.name.to_lowercase());
        words == symbol
            || name.contains(&words)
            || words.contains(&name)
            || words.split(|c: char| !c.is_alphanumeric()).any(|word| word == symbol)
    }
}

/// Finds an asset by ticker, ignoring case.
///
/// # Errors
/// Returns an error of kind `NotFound` if no asset has the ticker.
pub(crate) fn find_by_symbol(symbol: &str) -> Result<&'static Asset, Refusal> {
    ASSETS
        .iter()
        .find(|asset| asset.symbol.eq_ignore_ascii_case(symbol))
        .ok_or_else(|| Refusal::not_found(format!("no asset has the symbol `{symbol}`")))
}

/// Finds an asset by its slug, for example `usd-coin`.
pub(crate) fn find_by_slug(slug: &str) -> Result<&'static Asset, Refusal> {
    let found = ASSETS.iter().find(|asset| asset.slug() == slug);
    found.ok_or_else(|| Refusal::not_found(format!("no project has the slug `{slug}`")))
}

/// Finds an asset by its UUID `id`. If `id` is `None`, finds the first asset that matches the words `q`.
pub(crate) fn find_project(id: Option<&str>, q: Option<&str>) -> Result<&'static Asset, Refusal> {
    if let Some(id) = id {
        return ASSETS
            .iter()
            .find(|asset| asset.id() == id)
            .ok_or_else(|| Refusal::not_found(format!("no project has the id `{id}`")));
    }
    let q = q.unwrap_or_default();
    ASSETS
        .iter()
        .find(|asset| asset.is_about(q))
        .ok_or_else(|| Refusal::not_found(format!("no project matches `{q}`")))
}

/// Parses a trading pair into its base asset and quote currency. Accepts forms such as `BTC/USDT`, `BTC-USD`,
/// `btcusdt`, `BTC/USDT:USDT` and `KRW-BTC`.
///
/// # Errors
/// Returns an error of kind `NotFound` if the base asset or the quote currency is unknown.
pub(crate) fn parse_pair(text: &str) -> Result<(&'static Asset, &'static str), Refusal> {
    let spot = text.split(':').next().unwrap_or_default().to_uppercase();
    let found = match spot.split_once(['/', '-', '_']) {
        // Korean venues write the quote first, for example `KRW-BTC`.
        Some((left, right)) => find_quote(right)
            .and_then(|quote| Some((find_by_symbol(left).ok()?, quote)))
            .or_else(|| Some((find_by_symbol(right).ok()?, find_quote(left)?))),
        None => QUOTES
            .iter()
            .find_map(|quote| Some((find_by_symbol(spot.strip_suffix(quote)?).ok()?, *quote))),
    };
    found.ok_or_else(|| Refusal::not_found(format!("no market trades the pair `{text}`")))
}

/// Currencies in which pairs are quoted, such as `USDT` in `BTC/USDT`.
pub(crate) const QUOTES: &[&str] =
    &["USDT", "USDC", "USD", "EUR", "KRW", "JPY", "HKD", "BTC", "ETH"];

fn find_quote(text: &str) -> Option<&'static str> {
    QUOTES.iter().find(|quote| **quote == text).copied()
}

/// USD value of one unit of a currency. The value is either a constant, as for `EUR`, or the price of a crypto asset,
/// as for `BTC`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Worth {
    /// Constant value in USD, for currencies such as `EUR`.
    Fixed(f64),
    /// Price of a crypto asset at the requested time.
    Coin(&'static Asset),
}

impl Worth {
    /// Returns the USD value of one unit of a currency. `currency` is a currency code, such as `EUR` or `BTC`.
    ///
    /// # Errors
    /// Returns an error of kind `Unfit` if the sandbox has no exchange rate for the currency.
    pub(crate) fn from_currency(currency: &str) -> Result<Self, Refusal> {
        let upper = currency.to_uppercase();
        Ok(Worth::Fixed(match upper.as_str() {
            "USD" | "USDT" | "USDC" => 1.0,
            "EUR" => 1.09,
            "GBP" => 1.27,
            "KRW" => 1.0 / 1_380.0,
            "JPY" => 1.0 / 150.0,
            "CNY" => 1.0 / 7.2,
            "HKD" => 1.0 / 7.8,
            _ => {
                let unknown = |_| {
                    Refusal::unfit(format!(
                        "`currency` must be a known currency or coin, not `{currency}`"
                    ))
                };
                return find_by_symbol(&upper).map(Worth::Coin).map_err(unknown);
            }
        }))
    }

    /// Returns the value of one unit of the currency in USD, at a Unix time.
    pub(crate) fn usd_at(self, ctx: &Context, time: i64) -> f64 {
        match self {
            Worth::Fixed(usd) => usd,
            Worth::Coin(coin) => coin.walk(ctx).at(time),
        }
    }
}

/// Returns the value of one unit of a currency in USD, at a Unix time.
///
/// # Errors
/// Returns an error of kind `Unfit` if the sandbox has no exchange rate for the currency.
pub(crate) fn usd_per(ctx: &Context, currency: &str, time: i64) -> Result<f64, Refusal> {
    Ok(Worth::from_currency(currency)?.usd_at(ctx, time))
}
