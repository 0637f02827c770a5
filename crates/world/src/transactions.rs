//! Lookup of single transactions by their hashes. The hashes come from lists of transfers and trades.

use crate::args::Args;
use crate::chains::{self, block};
use crate::context::Context;
use crate::dex;
use crate::labels::label_if;
use crate::payment::Payment;
use crate::prediction;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::tokens;
use crate::transaction_hash::{TransactionKind, TransactionPlace};
use crate::transfers;
use crate::value::Value;
use crate::wallets::ledger::{self, Movement};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(match args.operation.id {
        "onchain-tx" => Some(Data::Rows(vec![transaction(ctx, args)?])),
        _ => None,
    })
}

/// Returns the sender, receiver and amount of a transaction. The receiver of the native coin is a wallet. The receiver
/// of a token transfer is the token's contract. The receiver of a trade is a contract of the exchange. Returns `None`
/// if the transaction does not exist.
fn payment(ctx: &Context, place: &TransactionPlace) -> Option<Payment> {
    match place.kind {
        TransactionKind::Token => transfers::payment(ctx, place),
        TransactionKind::Trade => dex::payment(ctx, place),
        TransactionKind::Prediction => prediction::payment(ctx, place),
        TransactionKind::Wallet => {
            let Movement { asset, from, to, time, amount, .. } = ledger::find_movement(ctx, place)?;
            let amount = amount.raw(tokens::decimals(asset));
            Some(Payment::new(ctx, asset, place.chain, (from, to), amount, time))
        }
    }
}

fn transaction(ctx: &Context, args: &Args) -> Result<Row, Refusal> {
    let hash = args.text("hash").unwrap_or_default();
    let is_hash = hash
        .strip_prefix("0x")
        .is_some_and(|digits| digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_hexdigit()));

    if !is_hash {
        let message = format!("`hash` must be 0x and 64 hexadecimal digits, not `{hash}`");
        return Err(Refusal::unfit(message));
    }

    let name = args.text("chain").unwrap_or_default();
    let unknown = || Refusal::not_found(format!("`{name}` has no transaction `{hash}`"));
    let place = TransactionPlace::from_hash(hash)
        .filter(|place| place.chain == name)
        .ok_or_else(unknown)?;
    let paid = payment(ctx, &place).ok_or_else(unknown)?;
    let chain = chains::by_name(place.chain).ok_or_else(unknown)?;
    let labelled = args.list("include").contains(&"labels");
    let hex = |number: u128| format!("0x{number:x}");
    let number = block(chain.name, paid.time);
    let seed = Seed::new(0).named(hash);
    let gas_price = u128::from(chain.gas_price(ctx, paid.time));
    let parity = u128::from(seed.named("parity").below(2));

    let given = record!(OnchainTxItem {
        hash: hash.to_lowercase(), from: paid.from.clone(), to: paid.to.clone(), value: hex(paid.value),
        blockNumber: hex(number.unsigned_abs().into()),
        blockHash: ctx.seed.named(chain.name).named("block").at_time(number).hex_number(64),
        transactionIndex: hex(seed.named("index").below(200).into()),
        chainId: hex(chain.id.into()), type: "0x2", input: paid.input.clone(),
        gas: hex(if paid.input == "0x" && paid.value > 0 { 21_000 } else { 180_000 }),
        gasPrice: hex(gas_price), maxFeePerGas: hex(gas_price * 2),
        maxPriorityFeePerGas: hex(gas_price / 20),
        maxFeePerBlobGas: Value::Null, blobVersionedHashes: Value::Null,
        accessList: Value::Array(Vec::new()), nonce: hex(seed.named("nonce").below(5_000).into()),
        r: seed.named("r").hex_number(64), s: seed.named("s").hex_number(64),
        v: hex(parity), yParity: hex(parity),
        from_label: label_if(labelled, ctx, &paid.from),
        to_label: label_if(labelled, ctx, &paid.to),
    });

    Ok(Row::new(seed, paid.time, given))
}
