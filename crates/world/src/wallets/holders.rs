//! Largest holders of each token. They are the same at all times, so a wallet's large holdings can be looked up by
//! its address.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::assets::Asset;
use crate::context::Context;
use crate::random::Seed;
use crate::tokens;

/// Number of listed holders of a token.
const HOLDERS: u64 = 200;

/// Rank of a wallet among the holders of one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Great {
    /// Index of the token and chain in the list of held tokens.
    pub(crate) n: u8,
    /// Rank, from 0 for the largest holder.
    pub(crate) rank: u64,
}

/// Ranks of each wallet, by address in lower case.
type Book = HashMap<String, Vec<Great>>;

/// Ranks of the worlds that were used last.
static BOOKS: LazyLock<Mutex<HashMap<Seed, Arc<Book>>>> = LazyLock::new(Mutex::default);
const REMEMBERED: usize = 8;

/// Sum of 1/n over all ranks.
#[expect(clippy::cast_precision_loss, reason = "at most 200")]
static HARMONIC: LazyLock<f64> = LazyLock::new(|| (1..=HOLDERS).map(|n| 1.0 / n as f64).sum());

/// Returns the approximate share of the supply that the holder of a rank has. Shares fall like 1/n, and add up to one
/// half.
pub(super) fn share(rank: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 200")]
    let place = (rank + 1) as f64;
    0.5 / *HARMONIC / place
}

/// Returns the addresses of the largest holders of a token on a chain. The rank of a holder is its number among the
/// wallets that use the token.
pub(super) fn of_token(ctx: &Context, asset: &Asset, chain: &str) -> Vec<String> {
    let contract = asset.address(ctx);
    (0..HOLDERS).map(|n| tokens::party(ctx, &contract, chain, n)).collect()
}

/// Returns the tokens of which a wallet is a large holder.
pub(super) fn of_wallet(ctx: &Context, address: &str) -> Vec<Great> {
    book(ctx).get(&address.to_lowercase()).cloned().unwrap_or_default()
}

/// Returns the rank of a wallet among the holders of the token with index `n`.
pub(super) fn rank(ctx: &Context, address: &str, n: u8) -> Option<u64> {
    let book = book(ctx);
    let ranks = book.get(&address.to_lowercase())?;
    ranks.iter().find(|held| held.n == n).map(|held| held.rank)
}

/// Returns the ranks of this world, computed once.
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
