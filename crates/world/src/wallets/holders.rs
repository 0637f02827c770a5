//! Largest holders of each token. The holders depend on the random seed, but do not change over time. So the ranks of
//! all holders for one random seed are cached in a map from wallet address to ranks. The cache contains the maps of at
//! most 8 random seeds.

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
pub(crate) struct Great {
    /// Index of the pair (token, chain) in the list that `tokens::held` returns.
    pub(crate) n: u8,
    /// Rank of the wallet. The largest holder has rank 0.
    pub(crate) rank: u64,
}

/// Map from a wallet address in lower case to the ranks of the wallet: one rank for each token and chain where the
/// wallet is among the largest holders.
type Book = HashMap<String, Vec<Great>>;

/// Cache of the holder ranks for each random seed.
static BOOKS: LazyLock<Mutex<HashMap<Seed, Arc<Book>>>> = LazyLock::new(Mutex::default);
const REMEMBERED: usize = 8;

/// Sum of 1/n for n from 1 to the number of holders.
#[expect(clippy::cast_precision_loss, reason = "at most 200")]
static HARMONIC: LazyLock<f64> = LazyLock::new(|| (1..=HOLDERS).map(|n| 1.0 / n as f64).sum());

/// Returns the approximate holding of the holder with this rank, as a fraction of the token's supply. The fraction is
/// proportional to 1/(rank + 1). The fractions of all holders add up to one half.
pub(super) fn share(rank: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 200")]
    let place = (rank + 1) as f64;
    0.5 / *HARMONIC / place
}

/// Returns the addresses of the largest holders of a token on a chain, by rank. The rank of a holder is also its index
/// in the list of wallets that use the token.
pub(super) fn of_token(ctx: &Context, asset: &Asset, chain: &str) -> Vec<String> {
    let contract = asset.address(ctx);
    (0..HOLDERS).map(|n| tokens::party(ctx, &contract, chain, n)).collect()
}

/// Returns the ranks of a wallet: one rank for each token and chain where the wallet is among the largest holders.
pub(super) fn of_wallet(ctx: &Context, address: &str) -> Vec<Great> {
    book(ctx).get(&address.to_lowercase()).cloned().unwrap_or_default()
}

/// Returns the rank of a wallet among the largest holders of the token with index `n`. Returns `None` if the wallet is
/// not among them.
pub(super) fn rank(ctx: &Context, address: &str, n: u8) -> Option<u64> {
    let book = book(ctx);
    let ranks = book.get(&address.to_lowercase())?;
    ranks.iter().find(|held| held.n == n).map(|held| held.rank)
}

/// Returns the ranks of all large holders for the random seed of the context. The ranks are computed once and cached.
fn book(ctx: &Context) -> Arc<Book> {
    let known = {
        let books = BOOKS.lock().unwrap_or_else(PoisonError::into_inner);
        books.get(&ctx.seed).map(Arc::clone)
    };
    known.unwrap_or_else(|| {
        let book = Arc::new(computed(ctx));
        let mut books = BOOKS.lock().unwrap_or_else(PoisonError::into_inner);
        if books.len() >= REMEMBERED {
            books.clear();
        }
        books.insert(ctx.seed, Arc::clone(&book));
        book
    })
}

fn computed(ctx: &Context) -> Book {
    let mut book = Book::new();
    for ((asset, chain), n) in tokens::held().zip(0_u8..) {
        for (address, rank) in of_token(ctx, asset, chain).into_iter().zip(0_u64..) {
            book.entry(address.to_lowercase()).or_default().push(Great { n, rank });
        }
    }
    book
}
