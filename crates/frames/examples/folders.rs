//! Exports rows of the sandbox to subfolders of one folder. Trade fills are exported in each file format, and income
//! statements as Parquet. Prints the expected contents of the files as JSON. `.ci/frames-readers` reads the files with
//! public readers and compares the results with this JSON.

use std::path::PathBuf;

use crypto_intel::{Client, PageExt};
use crypto_intel_frames::export::{ExportExt, Format, Partition};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

const ROWS: u64 = 150;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("folders FOLDER")?);
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    let sandbox = Sandbox::builder().clock(clock).start().await?;
    let client = Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
    let fills = || client.hyperliquid_fills("0x1111111111111111111111111111111111111111");

    for format in [Format::Parquet, Format::ArrowIpc, Format::Csv, Format::NdJson] {
        let export = fills().export().max_rows(ROWS).rows_per_file(100).format(format);
        export.to_folder(folder.join(format!("{format:?}"))).await?;
    }
    let by_side = fills().export().max_rows(ROWS).partition_by(Partition::Column("side".into()));
    by_side.to_folder(folder.join("by-side")).await?;
    let by_day = fills().export().max_rows(ROWS).partition_by(Partition::Day("time_ms".into()));
    by_day.to_folder(folder.join("by-day")).await?;
    let statements = client.equity_income_statement("AAPL").export().max_rows(8);
    let statements = statements.to_folder(folder.join("statements")).await?;

    let rows = fills().max_items(ROWS).collect_all().await?;
    let buys = rows.iter().filter(|fill| fill.side.as_str() == "buy").count();
    let sum: f64 = rows.iter().map(|fill| fill.price).sum();
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    let expected = serde_json::json!({
        "rows": rows.len(), "buys": buys, "sum_of_prices": sum, "statements": statements.rows,
        "first": first.fill_id, "last": last.fill_id, "first_ms": first.time_ms,
    });
    println!("{expected}");
    Ok(())
}
