//! Largest holders of each token. The holders depend on the random seed, but do not change over time. A cache contains
//! the ranks of all holders for at most 8 random seeds.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::assets::Asset;
use crate::context::Context;
use crate::random::Seed;
use crate::tokens;

/// Number of holders in the list of a token.
const HOLDERS: u64 = 200;

/// Rank of a wallet among the largest holders of one token on one chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HolderRank {
    /// Index of the pair (token, chain) in the list that `tokens::asset_chains` returns.
    pub(crate) n: u8,
    /// Rank of the wallet. The largest holder has rank 0.
    pub(crate) rank: u64,
}

/// Map from a wallet address in lower case to the ranks of the wallet: one rank for each token and chain where the
/// wallet is among the largest holders.
type RankBook = HashMap<String, Vec<HolderRank>>;

/// Cache of the holder ranks for each random seed.
static BOOKS: LazyLock<Mutex<HashMap<Seed, Arc<RankBook>>>> = LazyLock::new(Mutex::default);
const REMEMBERED: usize = 8;

/// Sum of 1/n for n from 1 to the number of holders.
#[expect(clippy::cast_precision_loss, reason = "at most 200")]
static HARMONIC: LazyLock<f64> = LazyLock::new(|| (1..=HOLDERS).map(|n| 1.0 / n as f64).sum());

/// Returns the approximate holding of the holder with this rank, as a fraction of the token's supply. The fraction is
/// proportional to 1/(rank + 1). The fractions of all holders add up to one half.
pub(super) fn supply_share(rank: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 200")]
    let divisor = (rank + 1) as f64;
    0.5 / *HARMONIC / divisor
}

/// Returns the addresses of the largest holders of a token on a chain, by rank. The rank of a holder is also its index
/// in the list of wallets that use the token.
pub(super) fn token_holders(ctx: &Context, asset: &Asset, chain: &str) -> Vec<String> {
    let contract = asset.address(ctx);
    (0..HOLDERS).map(|n| tokens::party_address(ctx, &contract, chain, n)).collect()
}

/// Returns the ranks of a wallet: one rank for each token and chain where the wallet is among the largest holders.
pub(super) fn wallet_ranks(ctx: &Context, address: &str) -> Vec<HolderRank> {
    rank_book(ctx).get(&address.to_lowercase()).cloned().unwrap_or_default()
}

/// Returns the rank of a wallet among the largest holders of the token with index `n`. Returns `None` if the wallet is
/// not among them.
pub(super) fn rank(ctx: &Context, address: &str, n: u8) -> Option<u64> {
    let book = rank_book(ctx);
    let ranks = book.get(&address.to_lowercase())?;
    ranks.iter().find(|entry| entry.n == n).map(|entry| entry.rank)
}

/// Returns the ranks of all large holders for the random seed of the context. The ranks are computed once and cached.
fn rank_book(ctx: &Context) -> Arc<RankBook> {
    let cached = {
        let books = BOOKS.lock().unwrap_or_else(PoisonError::into_inner);
        books.get(&ctx.seed).map(Arc::clone)
    };
    cached.unwrap_or_else(|| {
        let book = Arc::new(compute_book(ctx));
        let mut books = BOOKS.lock().unwrap_or_else(PoisonError::into_inner);
        if books.len() >= REMEMBERED {
            books.clear();
        }
        books.insert(ctx.seed, Arc::clone(&book));
        book
    })
}

fn compute_book(ctx: &Context) -> RankBook {
    let mut book = RankBook::new();
    for ((asset, chain), n) in tokens::asset_chains().zip(0_u8..) {
        for (address, rank) in token_holders(ctx, asset, chain).into_iter().zip(0_u64..) {
            book.entry(address.to_lowercase()).or_default().push(HolderRank { n, rank });
        }
    }
    book
}
