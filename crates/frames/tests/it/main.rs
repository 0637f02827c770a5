//! Integration tests of `crypto-intel-frames`. The sandbox answers the requests of the tests.

mod equal;
mod export;
mod formats;
mod json;
mod kept;
mod kill;
mod large;
mod options;
mod refresh;
mod sql;
mod store;
mod stream;
mod sync;
mod update;

use crypto_intel::catalogue::{OPERATIONS, ParamKind};
use crypto_intel::exchange::ExchangeCandlesRequest;
use crypto_intel::{Client, DynamicRequest, catalogue::Operation};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use crypto_intel_world::example;

/// Starts a sandbox with a stopped clock, so that equal requests have equal responses.
async fn stopped() -> (Sandbox, Client) {
    stopped_at(1_780_000_000).await
}

/// Starts a sandbox with a clock that is stopped at `time`, in Unix seconds.
async fn stopped_at(time: i64) -> (Sandbox, Client) {
    let clock = Clock::stopped_at(UnixSeconds(time));
    let sandbox = Sandbox::builder().clock(clock).start().await.expect("a free port");
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = builder.build().expect("a client");
    (sandbox, client)
}

fn operation(id: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.id == id).expect("an operation")
}

/// Creates a request for a list of 5,000 rows, in pages of 100.
fn list(client: &Client) -> ExchangeCandlesRequest {
    client.exchange_candles("upbit", "BTC-KRW").from("2026-01-01").limit(100)
}

/// Creates a request of the operation with example arguments. The sandbox has data for these arguments.
fn request(client: &Client, operation: &Operation) -> DynamicRequest {
    let request = client.request(operation.id).expect("an operation of the catalogue");
    let values = example::parameters(operation).into_iter().filter(|(name, _)| {
        let param = operation.param(name).map(|(_, param)| param.kind);
        !matches!(param, Some(ParamKind::Constant(_)))
    });
    values.fold(request, |request, (name, value)| {
        let text = match operation.param(name).map(|(_, param)| param.kind) {
            Some(ParamKind::Json(_)) => value.to_string(),
            _ => example::written(&value),
        };
        request.with_text(name, &text).expect("an example's value")
    })
}
