//! Subjects of a question: the assets, companies and people that it names.

use crate::context::Context;
use crypto_intel_world::assets::{self, ASSETS, Asset};
use crypto_intel_world::equity::{COMPANIES, Company};
use crypto_intel_world::funds::FUNDS;

use super::words::Words;

/// Something a question can name.
#[derive(Debug, Clone)]
pub(super) enum Subject {
    Asset(&'static Asset),
    Company(&'static Company),
    Fund(&'static str),
    /// An address or a name ending in `.eth`.
    Wallet(String),
}

/// Subjects that one answer is about.
const MOST: usize = 6;

/// Tickers and names that are words of every day: they count as written in the list of assets
/// only, not in small letters.
const EVERYDAY: &[&str] = &[
    "aero",
    "arb",
    "avalanche",
    "coin",
    "fetch",
    "hype",
    "immutable",
    "link",
    "op",
    "optimism",
    "render",
    "spy",
    "strategy",
];

/// Further names, and the ticker they mean.
const ALIASES: &[(&str, &str)] =
    &[("ether", "ETH"), ("google", "GOOGL"), ("microstrategy", "MSTR"), ("facebook", "META")];

/// The subjects of a text in the order in which it names them.
pub(super) fn named_in(ctx: &Context<'_>, words: &Words<'_>) -> Vec<Subject> {
    let assets = ASSETS.iter().filter_map(|asset| {
        let place = ticker(words, asset.symbol).or_else(|| asset_name(words, asset))?;
        Some((place, Subject::Asset(asset)))
    });
    let companies = COMPANIES.iter().filter_map(|company| {
        let place = ticker(words, company.symbol).or_else(|| company_name(words, company))?;
        Some((place, Subject::Company(company)))
    });

    let funds = FUNDS.iter().filter_map(|fund| {
        let whole = fund.to_lowercase();
        // The first word of a fund's name is a name of its own.
        let short = whole.split(' ').next().filter(|_| words.has_any(&["fund", "vc", "investor"]));
        let place = words.place_of(&whole).or_else(|| words.place_of(short?))?;
        Some((place, Subject::Fund(fund)))
    });
    let wallets = words.addresses.iter().filter_map(|found| address(ctx, words, found));
    let mut found: Vec<_> = assets.chain(companies).chain(funds).chain(wallets).collect();
    found.sort_by_key(|(place, _)| *place);
    let mut subjects: Vec<Subject> = Vec::new();

    for (_, subject) in found {
        if !subjects.contains(&subject) && subjects.len() < MOST {
            subjects.push(subject);
        }
    }

    subjects
}

/// Where a ticker stands: in capitals, after a `$`, or in small letters where it is no word.
fn ticker(words: &Words<'_>, symbol: &str) -> Option<usize> {
    let small = symbol.to_lowercase();
    let is_written = |word: &&str| match word.strip_prefix('$') {
        Some(marked) => marked.eq_ignore_ascii_case(symbol),
        None => *word == symbol,
    };
    let counts = words.written.iter().any(is_written)
        || small.len() >= 3 && !EVERYDAY.contains(&small.as_str());
    let alias =
        || ALIASES.iter().find_map(|(name, of)| words.place_of(name).filter(|_| *of == symbol));
    words.place_of(&small).filter(|_| counts).or_else(alias)
}

fn asset_name(words: &Words<'_>, asset: &Asset) -> Option<usize> {
    let small = asset.name.to_lowercase();
    if EVERYDAY.contains(&small.as_str()) && !words.written.contains(&asset.name) {
        return None;
    }
    // The place where people trade is meant more often than its token.
    if small == "hyperliquid" && !words.has_any(&["token", "coin", "price"]) {
        return None;
    }
    words.place_of(&small)
}

fn company_name(words: &Words<'_>, company: &Company) -> Option<usize> {
    let plain: Vec<_> = Words::of(company.name).small().map(str::to_owned).collect();
    if let Some((_, name)) = plain.split_last().filter(|(last, _)| *last == "trust") {
        return words.place_of(&name.join(" "));
    }
    let first = plain.first()?;
    let counts = !EVERYDAY.contains(&first.as_str());
    words.place_of(first).filter(|_| counts)
}

/// A contract's address means its asset, any other a wallet.
fn address(ctx: &Context<'_>, words: &Words<'_>, address: &str) -> Option<(usize, Subject)> {
    let place = words.place_of(&address.to_lowercase())?;
    let subject = match assets::by_address(ctx, address) {
        Some(asset) => Subject::Asset(asset),
        None => Subject::Wallet(address.to_owned()),
    };
    Some((place, subject))
}

impl PartialEq for Subject {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Subject::Asset(one), Subject::Asset(other)) => one.symbol == other.symbol,
            (Subject::Company(one), Subject::Company(other)) => one.symbol == other.symbol,
            (Subject::Fund(one), Subject::Fund(other)) => one == other,
            (Subject::Wallet(one), Subject::Wallet(other)) => one.eq_ignore_ascii_case(other),
            _ => false,
        }
    }
}

impl Subject {
    /// How an answer calls it.
    pub(super) fn title(&self) -> String {
        match self {
            Subject::Asset(asset) => format!("{} ({})", asset.name, asset.symbol),
            Subject::Company(company) => format!("{} ({})", company.name, company.symbol),
            Subject::Fund(fund) => (*fund).to_owned(),
            Subject::Wallet(address) => address.clone(),
        }
    }

    /// Its ticker.
    pub(super) fn symbol(&self) -> Option<&'static str> {
        match self {
            Subject::Asset(asset) => Some(asset.symbol),
            Subject::Company(company) => Some(company.symbol),
            Subject::Fund(_) | Subject::Wallet(_) => None,
        }
    }
}
