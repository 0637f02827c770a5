//! Tests of the text formats in which setters write parameters into requests. Also tests the field `meta` of responses.

use crypto_intel::api::generated::catalogue::OPERATIONS;
use crypto_intel::{
    Address, Chain, Client, ErrorKind, PartialFailure, UnixSeconds, catalogue::Operation,
    extend::Call, prelude::*, values::WholeNumber,
};
use crypto_intel_core::{Convention, ParamKind};

use crate::server::{Server, answer};

fn client() -> Client {
    Client::builder().base_url("http://127.0.0.1:9").build().unwrap()
}

/// Returns path and query of the request. If the client rejects the request, returns the error message.
fn sent(request: impl Request) -> String {
    written(&request.into_call())
}

fn written(call: &Call) -> String {
    match call.parts() {
        Ok(parts) => parts.target.trim_start_matches("/gateway/v1/").to_owned(),
        Err(error) => {
            assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 0));
            error.message().to_owned()
        }
    }
}

#[test]
fn chain_names_are_sent_in_full() {
    let client = client();
    let holders = |chain: &str| sent(client.token_holders("vitalik.eth", chain));
    assert_eq!(holders("base"), "token/holders?address=vitalik.eth&chain=base");
    assert_eq!(holders("matic"), "`chain` cannot be `matic`: did you mean `polygon`?");
    // The catalogue of this release does not contain this value. The service may know it, so the request is sent.
    assert_eq!(holders("plasma"), "token/holders?address=vitalik.eth&chain=plasma");
    let typed = client.token_holders(Address::from([0xab; 20]), Chain::Solana);
    assert_eq!(sent(typed), format!("token/holders?address=0x{}&chain=solana", "ab".repeat(20)));
    assert_eq!(
        sent(client.wallet_detail("0xnothex")),
        "`address` must be an address (`0x` and hexadecimal digits) or an ENS name, not `0xnothex`"
    );
}

/// Tests that the client rejects a token name, such as `USDC`, or a part of an address for the parameter `address`. A
/// request with a wrong address would cost credits.
#[test]
fn names_are_rejected_as_addresses() {
    let client = client();
    let holders = |text: &str| sent(client.token_holders(text, "solana"));
    assert_eq!(
        holders("USDC"),
        "`address` must be an address or an ENS name, not `USDC`; search by name to get an address"
    );
    assert_eq!(
        holders("So1111111111111111111111"),
        "`address` must be an address or an ENS name, not `So1111111111111111111111`; the value looks like a part of an address"
    );
    let whole = "So11111111111111111111111111111111111111112";
    assert_eq!(holders(whole), format!("token/holders?address={whole}&chain=solana"));
}

#[test]
fn limit_takes_any_integer_and_window_takes_text_or_number() {
    let client = client();
    let page = |limit: WholeNumber| sent(client.token_holders("a.eth", "base").limit(limit));
    let usual = "token/holders?address=a.eth&chain=base&limit=10";
    for limit in [10u8.into(), 10u32.into(), 10usize.into(), 10i64.into(), 10i128.into()] {
        assert_eq!(page(limit), usual);
    }
    assert_eq!(sent(client.token_holders("a.eth", "base").limit(10usize)), usual);
    assert_eq!(sent(client.token_holders("a.eth", "base").limit(10)), usual);

    // The error contains the value that the caller set, even if it does not fit into 64 bits.
    assert_eq!(page((-1i8).into()), "`limit` must be 1 to 100, not -1");
    assert_eq!(page(u64::MAX.into()), "`limit` must be 1 to 100, not 18446744073709551615");
    assert_eq!(
        sent(client.token_holders("a.eth", "base").offset(u128::MAX)),
        format!("`offset` must be a 64-bit integer of at least 0, not {}", u128::MAX)
    );

    let price = || client.market_price("BTC");
    assert_eq!(sent(price().time_range("30d")), "market/price?symbol=BTC&time_range=30d");
    assert_eq!(sent(price().time_range(30)), "market/price?symbol=BTC&time_range=30");
    assert_eq!(sent(price().time_range(30u64)), "market/price?symbol=BTC&time_range=30");
}

#[test]
fn only_ticker_parameters_become_uppercase() {
    let client = client();
    assert_eq!(sent(client.market_price("btc")), "market/price?symbol=BTC");
    assert_eq!(sent(client.market_price(["btc", "eth"])), "market/price?symbol=BTC%2CETH");
    assert_eq!(sent(client.market_etf("btc")), "market/etf?symbol=BTC");
    assert_eq!(sent(client.equity_profile("brk.b")), "equity/profile?symbol=BRK.B");
    let fills = client.hyperliquid_fills("0xab").symbol("xyz:gold");
    assert_eq!(sent(fills), "hyperliquid/fills?address=0xab&symbol=xyz%3Agold");
}

#[test]
fn moments_are_validated_and_date_times_are_sent_to_hyperliquid() {
    let client = client();
    let from = |from: &str| sent(client.market_price("BTC").from(from));
    assert_eq!(from("2026-01-31"), "market/price?symbol=BTC&from=2026-01-31");
    assert_eq!(
        from("2026-02-30"),
        "`from` must be Unix seconds or a date as YYYY-MM-DD; the date \
         `2026-02-30` does not exist"
    );
    assert!(from("2026-01-31T00:00:00Z").starts_with("`from` must be Unix seconds or a date"));
    let fills = client.hyperliquid_fills("0xab").from("2026-01-31T00:00:00Z").to(UnixSeconds(5));
    assert_eq!(sent(fills), "hyperliquid/fills?address=0xab&from=2026-01-31T00%3A00%3A00Z&to=5");
    let holdings = client.equity_etf_holdings("spy").as_of(0);
    assert_eq!(sent(holdings), "`as_of` must be a date as YYYY-MM-DD, not `0`");
}

#[test]
fn extra_parameter_is_sent_once_and_unknown_index_is_rejected() {
    let client = client();
    let extra = client.market_price("BTC").extra_param("new", "a b").extra_param("new", "c");
    assert_eq!(sent(extra), "market/price?symbol=BTC&new=c");
    // If the catalogue contains the parameter, `extra_param` works like the setter.
    let known = client.market_price("BTC").time_range("7d").extra_param("time_range", "30d");
    assert_eq!(sent(known), "market/price?symbol=BTC&time_range=30d");
    let known = client.market_price("BTC").extra_param("from", "yesterday");
    assert!(sent(known).starts_with("`from` must be Unix seconds or a date"));
    let call = client.market_price("BTC").into_call().with(99, "x");
    assert_eq!(written(&call), "the operation has no parameter with the index 99");
}

#[test]
fn numeric_times_take_record_values() {
    let client = client();
    let context = |open: i64, close: UnixSeconds| {
        sent(client.hyperliquid_trades_context("0xab", "BTC", "long", open, close))
    };
    assert_eq!(
        context(1_767_225_600, UnixSeconds(1_767_225_601)),
        "hyperliquid/trades/context?address=0xab&symbol=BTC&direction=long\
         &open_time=1767225600&close_time=1767225601"
    );
    assert_eq!(
        context(1_767_225_600_000, UnixSeconds(1)),
        "`open_time` must be in seconds, not milliseconds: did you mean `1767225600`?"
    );
    let fills = client.hyperliquid_fills("0xab").to_ms(UnixSeconds(1_767_225_600));
    assert_eq!(sent(fills), "hyperliquid/fills?address=0xab&to_ms=1767225600000");
}

#[test]
fn conventions_hold_for_the_whole_catalogue() {
    let api = client();
    let params = OPERATIONS.iter().flat_map(|op| op.params.iter().map(move |param| (*op, param)));
    let mut chains = 0;

    for (operation, param) in params {
        let place = format!("{} {}", operation.id, param.name);
        let on_hyperliquid = operation.tag == "Hyperliquid";
        match param.kind {
            ParamKind::Moment if param.convention != Some(Convention::Day) => {
                let date_time = param.convention == Some(Convention::DateTime);
                assert_eq!(date_time, on_hyperliquid, "{place}");
            }
            ParamKind::Enum(values) if param.name == "chain" && values.contains(&"ethereum") => {
                chains += 1;
                assert!(refuses(&api, operation, "chain", "eth"), "{place}");
            }
            _ => {}
        }

        if param.name == "address" {
            assert_eq!(param.convention, Some(Convention::Address), "{place}");
        }

        if param.name == "symbol" {
            let ticker = param.convention == Some(Convention::Ticker);
            assert_eq!(ticker, !on_hyperliquid, "{place}");
        }

        if let (ParamKind::Enum(values), None) = (param.kind, param.convention) {
            for value in values {
                assert!(!refuses(&api, operation, param.name, value), "{place} {value}");
            }
        }
    }

    assert!(chains > 5, "{chains}");
}

/// Returns true if the client rejects a call with this parameter value.
fn refuses(client: &Client, operation: &'static Operation, name: &str, value: &str) -> bool {
    let mut call = client.request(operation.id).unwrap().call().clone();
    call.set_text(name, value).unwrap();
    written(&call).starts_with(&format!("`{name}` cannot be"))
}

#[tokio::test]
async fn reply_lists_missing_parts_of_response() {
    let body = r#"{"data": {"errors": [{"field": "nft", "message": "timed out"}]},
        "meta": {"credits_used": 2, "cached": false}}"#;
    let server = Server::start(answer(200, &[], body)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let reply = client.wallet_detail("vitalik.eth").await.unwrap();
    assert_eq!(reply.partial_failures(), [PartialFailure { part: "nft", reason: "timed out" }]);
    assert!(!reply.is_whole());

    let body = r#"{"data": {"address": "0x1", "as_of": 1, "unpriced_token_count": 0,
        "errors": [{"section": "spot", "reason": "timed out"}]}, "meta": {}}"#;
    let server = Server::start(answer(200, &[], body)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let reply = client.hyperliquid_account("vitalik.eth").await.unwrap();
    assert_eq!(reply.partial_failures(), [PartialFailure { part: "spot", reason: "timed out" }]);
}
