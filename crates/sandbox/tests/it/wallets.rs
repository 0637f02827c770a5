//! Tests that the balance of a wallet changes by the sum of its transfers. Also tests that totals such as
//! `total_amount` equal the sums over the listed transfers or trades.

use std::collections::BTreeSet;
use std::time::Duration;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_sandbox::example;
use serde_json::{Value, json};

use crate::support::{Bench, NOW, all, amount, at, close, rows, text};

const DAY: i64 = 86_400;

#[tokio::test]
async fn a_wallet_holds_what_was_moved_to_it() {
    balances_agree(&Bench::start().await, NOW).await;
}

/// Checks the token balances of the example wallet on the chain `ethereum`. Within 30 days, each balance must change by
/// the sum of the wallet's transfers of this token. Also checks the history and the net worth of the wallet. `now` is
/// the Unix time at which the 30 days start. The function advances the sandbox's clock by 30 days.
pub(crate) async fn balances_agree(bench: &Bench, now: i64) {
    let holdings = async || {
        let detail = bench.example("wallet-detail", &[("chain", json!("ethereum"))]).await.json;
        detail["data"]["evm_tokens"].as_array().unwrap().clone()
    };
    let before = holdings().await;
    bench.sandbox.clock().advance(Duration::from_secs(30 * 86_400));
    let after = holdings().await;
    let transfers = all(bench, "wallet-transfers", &[]).await;
    let history = all(bench, "wallet-history", &[]).await;
    let mut moved = 0;

    for (before, after) in before.iter().zip(&after) {
        let token = text(before, "token_address");
        let net: f64 = transfers
            .iter()
            .filter(|t| t["token_address"] == token && t["timestamp"].as_i64().unwrap() > now)
            .map(|t| amount(t, "amount") * if t["flow"] == "in" { 1.0 } else { -1.0 })
            .sum();
        let change = amount(after, "balance") - amount(before, "balance");
        assert!((change - net).abs() <= 1e-6 * amount(after, "balance"), "{token}: {change} {net}");
        moved += usize::from(net != 0.0);
    }

    assert!(moved > 0);
    assert_eq!(history.len(), transfers.len());

    for (entry, transfer) in history.iter().zip(&transfers) {
        for name in ["timestamp", "from_address", "to_address", "tx_hash"] {
            assert_eq!(entry[name], transfer[name]);
        }
        assert_eq!(entry["value"], transfer["amount"]);
        let own = if transfer["flow"] == "in" { "to_address" } else { "from_address" };
        assert_eq!(text(transfer, own), "0x".to_owned() + &"2".repeat(40));
    }

    let worth = bench.example("wallet-net-worth", &[]).await.json;
    let detail = bench.example("wallet-detail", &[]).await.json;
    let last = at(rows(&worth).last().unwrap(), "/usd_value");
    close(last, at(&detail, "/data/evm_balance/total_usd"), "net worth");

    let tokens = detail["data"]["evm_tokens"].as_array().unwrap();
    close(last, tokens.iter().map(|token| at(token, "/usd_value")).sum(), "tokens");

    let chains = detail["data"]["active_chains"].as_array().unwrap();
    close(last, chains.iter().map(|chain| at(chain, "/usd_value")).sum(), "chains");

    let by_value = all(bench, "wallet-history", &[("sort_by", json!("value"))]).await;
    assert!(by_value.is_sorted_by(|a, b| amount(a, "value") >= amount(b, "value")));

    let earlier = all(bench, "wallet-history", &[("before", json!(now))]).await;
    assert!(earlier.iter().all(|entry| entry["timestamp"].as_i64().unwrap() < now));
    assert!(
        history
            .iter()
            .filter(|e| e["timestamp"].as_i64().unwrap() < now)
            .all(|entry| { earlier.contains(entry) })
    );
}

#[tokio::test]
async fn a_wallet_is_the_same_by_its_name() {
    let bench = Bench::start().await;
    let named = bench.example("wallet-detail", &[("address", json!("someone.eth"))]).await.json;
    let address = named["data"]["evm_balance"]["address"].clone();
    assert!(address.as_str().unwrap().starts_with("0x"));

    let same = bench.example("wallet-detail", &[("address", address)]).await.json;
    assert_eq!(same["data"], named["data"]);

    for wallet in rows(&bench.example("portfolio-wallets", &[]).await.json) {
        let more = [("address", wallet["address"].clone()), ("chain", wallet["chain"].clone())];
        let detail = bench.example("wallet-detail", &more).await.json;
        assert_eq!(detail["data"]["evm_balance"]["total_usd"], wallet["usd_value"]);
    }

    let protocols = bench.example("wallet-protocols", &[]).await.json;
    for protocol in rows(&protocols) {
        for position in protocol["positions"].as_array().unwrap() {
            let sum = |name: &str| -> f64 {
                let tokens = position[name].as_array().unwrap();
                tokens.iter().map(|token| at(token, "/amount") * at(token, "/price")).sum()
            };
            let worth = sum("supply_tokens") + sum("lp_tokens") + sum("reward_tokens")
                - sum("borrow_tokens");
            close(worth, at(position, "/balance_usd"), "position");
        }
    }
}

#[tokio::test]
async fn labels_belong_to_addresses() {
    let bench = Bench::start().await;
    let found = bench.example("search-wallet", &[("q", json!("harbour"))]).await.json;
    let entity = &rows(&found)[0];
    assert_eq!(
        entity["addresses"].as_array().unwrap().len(),
        at(entity, "/num_addresses") as usize
    );

    for known in entity["addresses"].as_array().unwrap() {
        let labels =
            bench.example("wallet-labels-batch", &[("addresses", known["address"].clone())]).await;
        assert_eq!(labels.json["data"][0]["entity_name"], entity["entity_name"]);
        let by_address = bench.example("search-wallet", &[("q", known["address"].clone())]).await;
        assert_eq!(by_address.json["data"][0]["entity_name"], entity["entity_name"]);
    }

    let labelled = [("include", json!("labels")), ("limit", json!(100))];
    let transfers = bench.example("token-transfers", &labelled).await.json;
    let mut named = 0;

    for transfer in rows(&transfers) {
        let (address, label) = (&transfer["from_address"], &transfer["from_label"]);
        assert_eq!(&label["address"], address);
        let same = bench.example("wallet-labels-batch", &[("addresses", address.clone())]).await;
        assert_eq!(&same.json["data"][0], label);
        named += usize::from(!label["entity_name"].is_null());
        if named > 3 {
            return;
        }
    }

    panic!("nobody is known");
}

#[tokio::test]
async fn transfers_add_up_to_their_sums_and_parties() {
    transfers_agree(&Bench::start().await, NOW).await;
}

/// Checks that the transfers of the example token in the week before `now` add up to the token's transfer statistics.
pub(crate) async fn transfers_agree(bench: &Bench, now: i64) {
    let week = [("from", json!((now - 7 * DAY).to_string())), ("to", json!(now.to_string()))];
    let transfers = all(bench, "token-transfers", &week).await;
    assert!(transfers.len() > 300);
    assert!(transfers.is_sorted_by(|a, b| at(a, "/timestamp") >= at(b, "/timestamp")));

    let stats = bench.example("token-transfer-stats", &[("include", json!("series"))]).await.json;
    let stats = &stats["data"];
    assert_eq!(at(stats, "/total_transfers") as usize, transfers.len());

    let sum = |of: &dyn Fn(&Value) -> f64| transfers.iter().map(of).sum::<f64>();
    close(amount(stats, "total_amount"), sum(&|t| amount(t, "amount")), "amount");
    close(at(stats, "/total_amount_usd"), sum(&|t| at(t, "/amount_usd")), "usd");

    let distinct = |name: &str| transfers.iter().map(|t| text(t, name)).collect::<BTreeSet<_>>();
    assert_eq!(at(stats, "/unique_senders") as usize, distinct("from_address").len());
    assert_eq!(at(stats, "/unique_receivers") as usize, distinct("to_address").len());

    let series = stats["series"].as_array().unwrap();
    let counted: f64 = series.iter().map(|day| at(day, "/transfer_count")).sum();
    assert_eq!(counted as usize, transfers.len());

    for (direction, side) in [("to", "to_address"), ("from", "from_address")] {
        let more = [("direction", json!(direction)), ("metric", json!("amount_usd"))];
        let parties = all(bench, "token-transfer-counterparties", &more).await;
        assert!(parties.is_sorted_by(|a, b| at(a, "/amount_usd") >= at(b, "/amount_usd")));
        assert_eq!(parties.len(), distinct(side).len());
        for party in &parties {
            let address = text(party, "counterparty_address");
            let own: Vec<_> = transfers.iter().filter(|t| t[side] == address).collect();
            assert_eq!(at(party, "/transfer_count") as usize, own.len());
            close(amount(party, "amount"), own.iter().map(|t| amount(t, "amount")).sum(), address);
            assert_eq!(party["last_transfer_at"], own[0]["timestamp"]);
        }
    }

    let quiet = [("direction", json!("to")), ("exclude_labels", json!("exchange,fund"))];
    let parties = all(bench, "token-transfer-counterparties", &quiet).await;
    assert!(parties.len() < distinct("to_address").len() && !parties.is_empty());
}

#[tokio::test]
async fn trades_add_up_to_activity() {
    let bench = Bench::start().await;
    let trades = all(&bench, "token-dex-trades", &[]).await;
    let address = json!("0x".to_owned() + &"2".repeat(40));
    let operation = crate::support::operation("onchain-dex-activity");
    let activity = async |more: &[(&str, Value)]| {
        let mut values = vec![("chain", json!("ethereum")), ("address", address.clone())];
        values.extend_from_slice(more);
        bench.call(operation, &values).await.json["data"].as_array().unwrap().clone()
    };
    let total = activity(&[]).await;

    assert_eq!(total.len(), 1);
    assert_eq!(at(&total[0], "/trades") as usize, trades.len());
    close(
        at(&total[0], "/volume_usd"),
        trades.iter().map(|t| at(t, "/amount_usd")).sum(),
        "volume",
    );

    let takers: BTreeSet<_> = trades.iter().map(|t| text(t, "taker")).collect();
    assert_eq!(at(&total[0], "/active_traders") as usize, takers.len());

    let days = activity(&[("group_by", json!("day"))]).await;
    assert_eq!(days.len(), 8);
    close(at(&total[0], "/volume_usd"), days.iter().map(|d| at(d, "/volume_usd")).sum(), "days");
}

#[tokio::test]
async fn every_hash_that_is_shown_can_be_looked_up() {
    hashes_lead_back(&Bench::start().await).await;
}

pub(crate) async fn hashes_lead_back(bench: &Bench) {
    let look = async |hash: &Value, chain: &str| {
        let more = [("hash", hash.clone()), ("chain", json!(chain))];
        let seen = bench.example("onchain-tx", &more).await;
        assert_eq!(seen.status, 200, "{hash} {chain}: {}", seen.text);
        seen.json["data"][0].clone()
    };
    let block = |tx: &Value| {
        i64::from_str_radix(text(tx, "blockNumber").trim_start_matches("0x"), 16).unwrap()
    };

    for chain in ["ethereum", "base", "bsc", "arbitrum"] {
        let on = [("chain", json!(chain))];
        for transfer in rows(&bench.example("token-transfers", &on).await.json) {
            let tx = look(&transfer["tx_hash"], chain).await;
            assert_eq!(tx["hash"], transfer["tx_hash"]);
            assert_eq!(tx["from"], transfer["from_address"]);
            // A native coin is sent to the recipient. For a token, its contract is called with the recipient in the
            // call data.
            if matches!(text(transfer, "symbol"), "ETH" | "BNB") {
                assert_eq!(tx["to"], transfer["to_address"]);
                assert_ne!(tx["value"], "0x0");
            } else {
                let recipient = text(transfer, "to_address").trim_start_matches("0x").to_owned();
                assert!(text(&tx, "input").contains(&recipient) && tx["value"] == "0x0", "{tx}");
            }
            assert_eq!(block(&tx), transfer["block_number"].as_i64().unwrap());
        }

        for transfer in rows(&bench.example("wallet-transfers", &on).await.json) {
            let tx = look(&transfer["tx_hash"], chain).await;
            assert_eq!(tx["from"], transfer["from_address"]);
            let is_coin = tx["value"] != "0x0";
            let called = if is_coin { "to_address" } else { "token_address" };
            assert_eq!(tx["to"], transfer[called]);
        }

        for trade in rows(&bench.example("token-dex-trades", &on).await.json) {
            assert_eq!(look(&trade["tx_hash"], chain).await["from"], trade["taker"]);
        }
    }

    for trade in rows(&bench.example("polymarket-trades", &[]).await.json) {
        let tx = look(&trade["tx_hash"], "polygon").await;
        assert_eq!(tx["from"], trade["taker_address"]);
        assert_eq!(block(&tx), trade["block_number"].as_i64().unwrap());
    }

    let known = rows(&bench.example("token-transfers", &[]).await.json)[0]["tx_hash"].clone();
    for (hash, chain, status) in [
        (known, "polygon", 404),
        (json!("0x".to_owned() + &"1".repeat(64)), "ethereum", 404),
        (json!("0x12"), "ethereum", 422),
    ] {
        let more = [("hash", hash), ("chain", json!(chain))];
        assert_eq!(bench.example("onchain-tx", &more).await.status, status);
    }
}

#[tokio::test]
async fn what_is_no_address_is_refused() {
    let bench = Bench::start().await;
    let mut faults = Vec::new();
    for operation in OPERATIONS.iter().filter(|op| op.param("address").is_some()) {
        let mut values = example::parameters(operation);
        values.retain(|(name, _)| !matches!(*name, "address" | "project"));
        for address in ["0x12", "not an address", ".eth"] {
            let mut values = values.clone();
            values.push(("address", json!(address)));
            let seen = bench.call(operation, &values).await;
            if seen.status != 422 || !seen.text.contains("`address`") {
                faults.push(format!("{} {address}: {:.200}", operation.id, seen.text));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
