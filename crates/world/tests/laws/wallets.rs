//! Laws about wallets, tokens and transactions: statements that are true for the invented data of every seed at
//! every time.

use std::collections::HashSet;

use serde_json::Value;

use crate::world_client::{World, ensure, figure, find, list, near, same, sum, text, timestamp};
use crate::{Held, Law};

const DAY: i64 = 86_400;

pub(crate) const LAWS: &[Law] = &[
    ("Every holder of a token is listed once", holders_are_unique),
    ("The list of holders and the wallet show the same balance", holder_balances_agree),
    ("Holders are sorted by balance, and hold at most the supply", holders_are_sorted),
    ("Both the tokens and the chains of a wallet add up to its value", wallet_parts_add_up),
    ("The last point of the net worth is the current value", net_worth_ends_at_value),
    ("A token in a wallet has the market price", wallet_tokens_have_market_price),
    ("A transfer of a token moves no coin of the chain", token_transfer_moves_no_coin),
    ("The sender of a transaction is the sender of its transfer", senders_agree),
    (
        "The transaction of a coin transfer moves its amount; the transaction of a token transfer moves no coin",
        coin_transfer_moves_amount,
    ),
    ("History shows the transfers of a wallet, and its trades", history_shows_transfers),
    ("A transfer of a token is in the wallets of both parties", transfer_is_in_both_wallets),
    ("A trade is in the history of its taker", trade_is_in_history),
    (
        "The balance of a large holder changes by its transfers",
        large_holder_balance_follows_transfers,
    ),
    (
        "Both parties of a transfer show it, so money can be followed from wallet to wallet",
        transfers_can_be_followed,
    ),
    ("Statistics of transfers are sums of the listed transfers", stats_are_sums),
    ("The amounts of all counterparties add up to the transfers", counterparties_add_up),
    ("The sender of a trade's transaction is its taker", sender_of_trade_is_taker),
    ("The activity of a day counts its trades", activity_counts_trades),
    ("Later blocks have higher numbers", block_numbers_rise),
    ("An address has the same label everywhere", labels_agree),
    ("Contracts that are not in the world return not found", unknown_contracts_are_rejected),
    ("Both units of the gas price agree", gas_units_agree),
    ("An account's statistics are sums of its trades", account_stats_are_sums),
    ("The leaderboard and the statistics of an account agree", leaderboard_matches_stats),
];

const UNI: &str = "UNI";

fn contract_address(world: &World, symbol: &str) -> Result<String, String> {
    let found = world.rows("search-token", &[("q", symbol)])?;
    Ok(text(find(&found, "symbol", symbol)?, "address").to_owned())
}

fn holders(world: &World, symbol: &str) -> Result<Vec<Value>, String> {
    let address = contract_address(world, symbol)?;
    world.rows("token-holders", &[("address", &address), ("chain", "ethereum"), ("limit", "100")])
}

fn holders_are_unique(world: &World) -> Held {
    for symbol in [UNI, "USDT", "LINK"] {
        let rows = holders(world, symbol)?;
        let addresses: HashSet<_> =
            rows.iter().map(|row| text(row, "address").to_lowercase()).collect();
        ensure(addresses.len() == rows.len() && rows.len() > 100, || {
            format!("{} holders, {} rows", addresses.len(), rows.len())
        })?;
    }
    Ok(())
}

fn wallet_tokens(world: &World, address: &str) -> Result<Value, String> {
    let params = [("address", address), ("chain", "ethereum"), ("fields", "tokens,balance")];
    world.first_row("wallet-detail", &params)
}

fn holder_balances_agree(world: &World) -> Held {
    for holder in holders(world, UNI)?.iter().step_by(23) {
        let detail = wallet_tokens(world, text(holder, "address"))?;
        let token = find(list(&detail, "evm_tokens"), "symbol", UNI)?;
        same("balance", &holder["balance"], &token["balance"])?;
    }
    Ok(())
}

fn holders_are_sorted(world: &World) -> Held {
    let rows = holders(world, UNI)?;
    let sorted = rows.is_sorted_by(|a, b| figure(a, "balance") >= figure(b, "balance"));
    ensure(sorted, || "not in order".to_owned())?;
    let all = sum(&rows, "percentage");
    ensure((1.0..=100.0).contains(&all), || format!("{all} %"))
}

const WALLET: &str = "0x1111111111111111111111111111111111111111";

fn wallet_parts_add_up(world: &World) -> Held {
    let detail =
        world.first_row("wallet-detail", &[("address", WALLET), ("fields", "tokens,balance")])?;
    let total = figure(&detail["evm_balance"], "total_usd");
    let of_tokens = sum(list(&detail, "evm_tokens"), "usd_value");
    let of_chains = sum(list(&detail["evm_balance"], "chain_balances"), "usd_value");
    near("tokens", total, of_tokens)?;
    near("chains", total, of_chains)
}

fn net_worth_ends_at_value(world: &World) -> Held {
    let detail = world.first_row("wallet-detail", &[("address", WALLET), ("fields", "balance")])?;
    let points = world.rows("wallet-net-worth", &[("address", WALLET)])?;
    let last = points.last().cloned().unwrap_or_default();
    same("worth", &last["usd_value"], &detail["evm_balance"]["total_usd"])
}

fn wallet_tokens_have_market_price(world: &World) -> Held {
    let ranked = world.rows("market-ranking", &[("limit", "100")])?;
    let detail = world.first_row("wallet-detail", &[("address", WALLET), ("fields", "tokens")])?;
    for token in list(&detail, "evm_tokens") {
        let row = find(&ranked, "symbol", text(token, "symbol"))?;
        same(text(token, "symbol"), &token["price"], &row["price_usd"])?;
    }
    Ok(())
}

fn transfers(world: &World) -> Result<(String, Vec<Value>), String> {
    let address = contract_address(world, UNI)?;
    let from = (world.now() - 3 * DAY).to_string();
    let params =
        [("address", address.as_str()), ("chain", "ethereum"), ("from", &from), ("limit", "100")];
    let rows = world.rows("token-transfers", &params)?;
    Ok((address, rows))
}

fn transaction(world: &World, hash: &str) -> Result<Value, String> {
    world.first_row("onchain-tx", &[("hash", hash), ("chain", "ethereum")])
}

fn token_transfer_moves_no_coin(world: &World) -> Held {
    let (contract, rows) = transfers(world)?;
    for row in rows.iter().take(9) {
        let tx = transaction(world, text(row, "tx_hash"))?;
        same("value", &tx["value"], &"0x0".into())?;
        same("contract", &tx["to"], &contract.as_str().into())?;
        // The call data of the transaction contain the address of the recipient.
        let recipient = text(row, "to_address").trim_start_matches("0x").to_owned();
        ensure(text(&tx, "input").contains(&recipient), || tx.to_string())?;
    }
    Ok(())
}

fn senders_agree(world: &World) -> Held {
    for row in transfers(world)?.1.iter().take(9) {
        let tx = transaction(world, text(row, "tx_hash"))?;
        same("from", &tx["from"], &row["from_address"])?;
        let block = i64::from_str_radix(text(&tx, "blockNumber").trim_start_matches("0x"), 16);
        ensure(row["block_number"] == block.unwrap_or(0), || tx.to_string())?;
    }
    Ok(())
}

fn coin_transfer_moves_amount(world: &World) -> Held {
    let params = [("address", WALLET), ("chain", "ethereum"), ("limit", "100")];
    for row in world.rows("wallet-transfers", &params)?.iter().take(20) {
        let tx = transaction(world, text(row, "tx_hash"))?;
        let value = u128::from_str_radix(text(&tx, "value").trim_start_matches("0x"), 16);
        let value = value.unwrap_or(0) as f64 / 1e18;
        match text(row, "token_symbol") {
            "ETH" => {
                near("coin", value, figure(row, "amount"))?;
                same("to", &tx["to"], &row["to_address"])?;
            }
            _ => {
                near("coin", value, 0.0)?;
                same("contract", &tx["to"], &row["token_address"])?;
            }
        }
    }
    Ok(())
}

fn history_shows_transfers(world: &World) -> Held {
    let trader = trades(world)?.first().map(|row| text(row, "taker").to_owned());
    for address in [WALLET, &trader.unwrap_or_default()] {
        let hashes = |id: &str| {
            let params = [("address", address), ("chain", "ethereum"), ("limit", "100")];
            let rows = world.rows(id, &params)?;
            let rows = rows.iter().filter(|row| row["tx_type"] != "swap");
            Ok::<_, String>(rows.map(|row| text(row, "tx_hash").to_owned()).collect::<HashSet<_>>())
        };
        let same = hashes("wallet-transfers")? == hashes("wallet-history")?;
        ensure(same, || "transactions differ".to_owned())?;
    }
    Ok(())
}

fn transfers_can_be_followed(world: &World) -> Held {
    for (chain, start) in
        [("ethereum", WALLET), ("base", WALLET), ("solana", "5".repeat(44).as_str())]
    {
        let mut wallet = start.to_owned();
        for hop in 0..4 {
            let of = |address: &str| {
                world.rows("wallet-transfers", &[("address", address), ("chain", chain)])
            };
            let rows = of(&wallet)?;
            ensure(!rows.is_empty(), || format!("{wallet} has no transfers on {chain}"))?;

            for row in rows.iter().step_by(rows.len().div_ceil(9)) {
                let is_in = row["flow"] == "in";
                let other = text(row, if is_in { "from_address" } else { "to_address" });
                let theirs = of(other)?;
                let mirrored = find(&theirs, "tx_hash", text(row, "tx_hash"))?;
                for name in ["amount", "token_address", "timestamp", "from_address", "to_address"] {
                    same(name, &row[name], &mirrored[name])?;
                }
                ensure(mirrored["flow"] == if is_in { "out" } else { "in" }, || row.to_string())?;
            }

            let next = &rows[hop % rows.len()];
            let is_in = next["flow"] == "in";
            wallet = text(next, if is_in { "from_address" } else { "to_address" }).to_owned();
        }
    }
    Ok(())
}

fn transfer_is_in_both_wallets(world: &World) -> Held {
    for row in transfers(world)?.1.iter().take(6) {
        for (side, flow) in [("from_address", "out"), ("to_address", "in")] {
            let params = [("address", text(row, side)), ("chain", "ethereum"), ("limit", "100")];
            let theirs = world.rows("wallet-transfers", &params)?;
            let found = find(&theirs, "tx_hash", text(row, "tx_hash"))?;
            for name in ["amount", "amount_usd", "timestamp", "from_address", "to_address"] {
                same(name, &row[name], &found[name])?;
            }
            ensure(found["flow"] == flow, || found.to_string())?;
        }
    }
    Ok(())
}

fn trade_is_in_history(world: &World) -> Held {
    for row in trades(world)?.iter().take(6) {
        let params = [("address", text(row, "taker")), ("chain", "ethereum"), ("limit", "100")];
        let theirs = world.rows("wallet-history", &params)?;
        let found = find(&theirs, "tx_hash", text(row, "tx_hash"))?;
        same("time", &row["block_time"], &found["timestamp"])?;
        same("type", &found["tx_type"], &"swap".into())?;
    }
    Ok(())
}

fn large_holder_balance_follows_transfers(world: &World) -> Held {
    let (contract, rows) = transfers(world)?;
    let (later, from) = (world.later(5 * DAY + 3_333), world.now());
    for row in rows.iter().take(3) {
        let address = text(row, "from_address");
        let balance = |world: &World| {
            let detail = wallet_tokens(world, address)?;
            Ok::<_, String>(figure(find(list(&detail, "evm_tokens"), "symbol", UNI)?, "balance"))
        };
        let params = [("address", address), ("chain", "ethereum"), ("token", contract.as_str())];
        let moved: f64 = later
            .rows("wallet-transfers", &params)?
            .iter()
            .filter(|moved| timestamp(moved, "timestamp") > from)
            .map(|moved| figure(moved, "amount") * if moved["flow"] == "in" { 1.0 } else { -1.0 })
            .sum();
        let change = balance(&later)? - balance(world)?;
        ensure((change - moved).abs() < 1e-6 * balance(world)?, || {
            format!("{change} and {moved}")
        })?;
    }
    Ok(())
}

fn stats_are_sums(world: &World) -> Held {
    let (address, rows) = transfers(world)?;
    let _ = rows;
    let from = (world.now() - 7 * DAY).to_string();
    let params = [("address", address.as_str()), ("chain", "ethereum")];
    let rows = world.rows("token-transfers", &[&params[..], &[("from", &from)]].concat())?;
    let stats = world
        .first_row("token-transfer-stats", &[&params[..], &[("time_range", "7d")]].concat())?;
    ensure(stats["total_transfers"] == rows.len(), || format!("{} in {stats}", rows.len()))?;
    near("usd", figure(&stats, "total_amount_usd"), sum(&rows, "amount_usd"))
}

fn counterparties_add_up(world: &World) -> Held {
    let address = contract_address(world, UNI)?;
    let params = [("address", address.as_str()), ("chain", "ethereum"), ("time_range", "7d")];
    let stats = world.first_row("token-transfer-stats", &params)?;
    for direction in ["from", "to"] {
        let more = [("direction", direction), ("limit", "100")];
        let rows = world.rows("token-transfer-counterparties", &[&params[..], &more].concat())?;
        near(direction, sum(&rows, "transfer_count"), figure(&stats, "total_transfers"))?;
        near(direction, sum(&rows, "amount_usd"), figure(&stats, "total_amount_usd"))?;
    }
    Ok(())
}

fn trades(world: &World) -> Result<Vec<Value>, String> {
    let address = contract_address(world, UNI)?;
    world
        .rows("token-dex-trades", &[("address", &address), ("chain", "ethereum"), ("limit", "100")])
}

fn sender_of_trade_is_taker(world: &World) -> Held {
    for row in trades(world)?.iter().take(9) {
        let tx = transaction(world, text(row, "tx_hash"))?;
        same("from", &tx["from"], &row["taker"])?;
        same("value", &tx["value"], &"0x0".into())?;
    }
    Ok(())
}

fn activity_counts_trades(world: &World) -> Held {
    let address = contract_address(world, UNI)?;
    let params = [
        ("chain", "ethereum"),
        ("address", address.as_str()),
        ("time_range", "7d"),
        ("group_by", "day"),
    ];
    let days = world.rows("onchain-dex-activity", &params)?;
    let shown = days.iter().map(|day| figure(day, "trades")).sum::<f64>();
    // The list of trades covers the same time range as the daily activity.
    let all = world.rows(
        "token-dex-trades",
        &[("address", &address), ("chain", "ethereum"), ("limit", "100"), ("offset", "0")],
    )?;
    near("trades", shown, all.len() as f64)
}

fn block_numbers_rise(world: &World) -> Held {
    let (_, rows) = transfers(world)?;
    let rows: Vec<_> = rows.into_iter().filter(|row| row["block_number"].is_i64()).collect();
    let sorted =
        rows.is_sorted_by(|a, b| timestamp(a, "block_number") >= timestamp(b, "block_number"));
    ensure(sorted && timestamp(&rows[0], "timestamp") <= world.now(), || "not in order".to_owned())
}

fn labels_agree(world: &World) -> Held {
    let address = contract_address(world, UNI)?;
    let params = [("address", address.as_str()), ("chain", "ethereum"), ("include", "labels")];
    for holder in world.rows("token-holders", &params)?.iter().step_by(31) {
        let listed =
            world.first_row("wallet-labels-batch", &[("addresses", text(holder, "address"))])?;
        same("labels", &holder["label"]["labels"], &listed["labels"])?;
        same("entity", &holder["label"]["entity_name"], &listed["entity_name"])?;
    }
    Ok(())
}

fn unknown_contracts_are_rejected(world: &World) -> Held {
    let stranger = format!("0x{}", world.ctx.seed.named("stranger").hex(40));
    let known = format!("0x{}", "2".repeat(40));
    for id in ["token-holders", "token-transfers", "token-transfer-stats", "dex-token-price"] {
        let ask =
            |address: &str| world.all_rows(id, &[("address", address), ("chain", "ethereum")]);
        let refused = ask(&stranger).err().map(|refusal| refusal.kind);
        ensure(refused == Some(crypto_intel_world::Kind::NotFound), || {
            format!("{id}: {refused:?}")
        })?;
        ask(&known).map_err(|refusal| format!("{id}: {refusal}"))?;
    }
    Ok(())
}

fn gas_units_agree(world: &World) -> Held {
    for chain in ["ethereum", "polygon", "base"] {
        let shown = world.first_row("onchain-gas-price", &[("chain", chain)])?;
        near(chain, figure(&shown, "gas_price") / 1e9, figure(&shown, "gas_price_gwei"))?;
    }
    Ok(())
}

fn account_stats_are_sums(world: &World) -> Held {
    let trades = world.rows("hyperliquid-trades", &[("address", WALLET)])?;
    let stats = world.first_row("hyperliquid-trader-stats", &[("address", WALLET)])?;
    ensure(stats["total_trades"] == trades.len(), || format!("{} in {stats}", trades.len()))?;
    let fees = sum(&trades, "fees");
    near("fees", fees, figure(&stats, "total_fees"))
}

fn leaderboard_matches_stats(world: &World) -> Held {
    let params = [("time_range", "all"), ("limit", "100")];
    for row in world.rows("hyperliquid-leaderboard", &params)?.iter().step_by(9) {
        let stats =
            world.first_row("hyperliquid-trader-stats", &[("address", text(row, "address"))])?;
        for name in ["total_pnl", "total_trades", "volume_traded", "account_age_days"] {
            same(name, &row[name], &stats[name])?;
        }
    }
    Ok(())
}
