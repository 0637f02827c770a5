//! Several requests at once.

use std::future::IntoFuture;

use futures_util::future;

/// Sends requests side by side and awaits them all: the outcomes in the order of the requests.
///
/// The functions of this name in other crates want futures, and a request is none before it is
/// awaited; here requests go in as they are. Nothing bounds how many are sent at once but
/// [`ClientBuilder::rate_limit`](crate::ClientBuilder::rate_limit); a
/// [`budget`](crate::ClientBuilder::budget) holds for all of them together.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// let symbols = ["BTC", "ETH", "no such token"];
/// let prices = crypto_intel::join_all(symbols.map(|symbol| client.market_price(symbol))).await;
///
/// let (found, failed): (Vec<_>, Vec<_>) = prices.into_iter().partition(Result::is_ok);
/// assert_eq!((found.len(), failed.len()), (2, 1));
/// # Ok(())
/// # }
/// ```
///
/// Requests of different kinds have different types: `tokio::join!` takes their `into_future()`.
pub async fn join_all<R: IntoFuture>(requests: impl IntoIterator<Item = R>) -> Vec<R::Output> {
    future::join_all(requests.into_iter().map(IntoFuture::into_future)).await
}

/// Sends requests side by side and returns all replies in the order of the requests. When one
/// fails, returns its error and drops the others. Requests that were already sent may be charged.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// let symbols = ["BTC", "ETH"];
/// let prices = crypto_intel::try_join_all(symbols.map(|symbol| client.market_price(symbol))).await?;
/// assert_eq!(prices.len(), symbols.len());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The first error that comes, not that of the first request.
pub async fn try_join_all<R, T, E>(requests: impl IntoIterator<Item = R>) -> Result<Vec<T>, E>
where
    R: IntoFuture<Output = Result<T, E>>,
{
    future::try_join_all(requests.into_iter().map(IntoFuture::into_future)).await
}
