//! Compares the speed of `crypto-intel-frames` with hand-written code that has the same result. Also tests that an
//! export survives repeated kills of its process. `docs/frames-measurements.md` contains the results and the commands.
//!
//! - `decode ROWS`: converts response bodies to Parquet in memory, with hand-written structs and with
//!   `crypto-intel-frames`.
//! - `export ROWS`: requests the rows and writes Parquet files, with hand-written code and with `crypto-intel-frames`.
//! - `kill ROWS TIMES FOLDER`: runs one export that is killed `TIMES` times, and one that is never killed. Compares the
//!   files of both exports.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crypto_intel::http_service::{Body, service_fn};
use crypto_intel::hyperliquid::{HyperliquidFill, HyperliquidFillsRequest};
use crypto_intel::{
    Client, PageExt, Request, bytes::Bytes, catalogue::Operation, extend::Envelope, http,
};
use crypto_intel_frames::arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray,
    TimestampMillisecondArray,
};
use crypto_intel_frames::export::ExportExt;
use crypto_intel_frames::{Options, Times, read_answer};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

type Fault = Box<dyn std::error::Error>;

/// Number of rows per record batch of the hand-written code. `GROUP` is its number of rows per Parquet row group. Both
/// numbers are the defaults of `crypto-intel-frames`, so the comparison is fair.
const BATCH: usize = 8_192;
const GROUP: usize = 100_000;

#[tokio::main]
async fn main() -> Result<(), Fault> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["decode", rows] => decode(rows.parse()?).await,
        ["export", rows] => export(rows.parse()?).await,
        ["kill", rows, times, folder] => {
            kill(rows.parse()?, times.parse()?, Path::new(folder)).await
        }
        ["one", rows, folder] => one(rows.parse()?, folder).await,
        _ => Err("measure decode ROWS | export ROWS | kill ROWS TIMES FOLDER".into()),
    }
}

/// Creates a client for a test service that returns `rows` fills. The test service runs in this process, so the
/// measured time includes no network. The sandbox is not used, because each of its wallets has only about 200 fills.
fn client(rows: usize) -> Result<Client, Fault> {
    let service = service_fn(move |request: http::Request<Body>| {
        let query = request.uri().query().unwrap_or_default();
        let cursor = query.split('&').find_map(|pair| pair.strip_prefix("cursor=")?.parse().ok());
        let page = page(cursor.unwrap_or(0), rows);
        async move { Ok::<_, std::convert::Infallible>(http::Response::new(Body::from(page))) }
    });
    Ok(Client::builder().base_url("http://service.example").http_service(service).build()?)
}

/// Number of rows per page.
const PAGE: usize = 100;

fn page(begin: usize, rows: usize) -> String {
    let end = rows.min(begin + PAGE);
    let list: Vec<String> = (begin..end).map(fill).collect();
    let next = if end < rows { format!(r#","next_cursor":"{end}""#) } else { String::new() };
    let more = end < rows;
    let list = list.join(",");
    format!(
        r#"{{"data":[{list}],"meta":{{"cached":false,"credits_used":4,"has_more":{more}{next}}}}}"#
    )
}

/// Returns the fill (executed trade) with the index `n`, as a JSON object in the format of the service.
fn fill(n: usize) -> String {
    // Deterministic pseudorandom numbers, so every run has the same fills.
    let chance = |salt: u64| {
        let mixed = (n as u64 ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11
    };
    let symbol = ["BTC", "ETH", "SOL", "HYPE", "DOGE"][(chance(1) % 5) as usize];
    let (side, direction) =
        [("buy", "Open Long"), ("sell", "Close Long")][(chance(2) % 2) as usize];
    let (price, size) = (chance(3) % 10_000_000, chance(4) % 100_000);
    let (pnl, fee) = (chance(5) % 1_000_000, chance(6) % 100_000);
    let (id, crossed, index) = (chance(7), chance(8) % 2 == 0, chance(9) % 4_000);
    let (first, second) = (chance(10), chance(11));
    let millis = 1_780_000_000_000 - n * 977;
    format!(
        r#"{{"closed_pnl":{}.{:02},"crossed":{crossed},"direction":"{direction}","fee":0.{fee:05},"fee_token":"USDC","fill_id":"{id}","hash":"0x{first:032x}{second:032x}","is_internal":false,"price":{}.{:02},"side":"{side}","size":{}.{:03},"start_position":0,"symbol":"{symbol}","time":{},"time_ms":{millis},"tx_index":{index}}}"#,
        pnl / 100,
        pnl % 100,
        price / 100,
        price % 100,
        size / 1_000,
        size % 1_000,
        millis / 1_000,
    )
}

fn fills(client: &Client) -> HyperliquidFillsRequest {
    client.hyperliquid_fills("0x1111111111111111111111111111111111111111").limit(100)
}

/// Number of different pages. `decode` reads them repeatedly. A single page would stay in the processor's cache, so the
/// measured speed would be too high.
const PAGES: usize = 200;

async fn decode(rows: usize) -> Result<(), Fault> {
    let client = client(PAGES * PAGE)?;
    let mut pages = fills(&client).max_pages(PAGES as u64).pages();
    let mut bodies: Vec<Bytes> = Vec::new();
    while let Some(page) = pages.try_next().await? {
        bodies.push(serde_json::to_vec(&*page.reply)?.into());
    }

    let operation = HyperliquidFillsRequest::OPERATION;
    let bytes: usize = bodies.iter().map(Bytes::len).sum();
    println!("{} bodies of {} bytes on average", bodies.len(), bytes / bodies.len());
    for round in 1..=3 {
        let (by_hand, size) = timed(|| by_structs(&bodies, rows))?;
        println!("{round} structs by hand: {:.0} rows/s, {size} bytes", rows as f64 / by_hand);
        let (by_frames, size) = timed(|| by_frames(operation, &bodies, rows))?;
        println!("{round} frames:          {:.0} rows/s, {size} bytes", rows as f64 / by_frames);
        let (structs, _) = timed(|| only_structs(&bodies, rows))?;
        println!("{round} structs alone:   {:.0} rows/s", rows as f64 / structs);
        let (frames, _) = timed(|| only_frames(operation, &bodies, rows))?;
        println!("{round} frames alone:    {:.0} rows/s", rows as f64 / frames);
        // `cargo xtask bench` parses these two lines.
        println!("ratio\tframes to Parquet\t{by_frames}\tstructs by hand\t{by_hand}\ts");
        println!("ratio\tframes to columns\t{frames}\tinto structs alone\t{structs}\ts");
    }
    Ok(())
}

fn timed(work: impl FnOnce() -> Result<usize, Fault>) -> Result<(f64, usize), Fault> {
    let since = Instant::now();
    let size = work()?;
    Ok((since.elapsed().as_secs_f64(), size))
}

fn again(bodies: &[Bytes], rows: usize) -> impl Iterator<Item = &Bytes> {
    bodies.iter().cycle().take(rows / PAGE)
}

type Answer = Envelope<Vec<HyperliquidFill>, crypto_intel::shared::CursorMeta>;

fn by_structs(bodies: &[Bytes], rows: usize) -> Result<usize, Fault> {
    let mut writer = Hand::new()?;
    for body in again(bodies, rows) {
        let answer: Answer = serde_json::from_slice(body)?;
        for fill in answer.data {
            writer.push(fill)?;
        }
    }
    writer.finish()
}

fn only_structs(bodies: &[Bytes], rows: usize) -> Result<usize, Fault> {
    let read = |body| -> Result<usize, Fault> {
        let answer: Answer = serde_json::from_slice(body)?;
        Ok(answer.data.len())
    };
    again(bodies, rows).map(|body| read(body)).sum()
}

fn by_frames(operation: &'static Operation, bodies: &[Bytes], rows: usize) -> Result<usize, Fault> {
    let options = Options::default().times(Times::Millis);
    let schema = crypto_intel_frames::schema_of(operation, &options)?;
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties()?))?;
    for body in again(bodies, rows) {
        for batch in read_answer(operation, &options, body)? {
            writer.write(&batch)?;
        }
    }
    Ok(writer.into_inner()?.len())
}

fn only_frames(
    operation: &'static Operation,
    bodies: &[Bytes],
    rows: usize,
) -> Result<usize, Fault> {
    let options = Options::default();
    let read = |body| -> Result<usize, Fault> {
        Ok(read_answer(operation, &options, body)?.iter().map(RecordBatch::num_rows).sum())
    };
    again(bodies, rows).map(|body| read(body)).sum()
}

fn properties() -> Result<WriterProperties, Fault> {
    Ok(WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_max_row_group_row_count(Some(GROUP))
        .build())
}

async fn export(rows: usize) -> Result<(), Fault> {
    let client = client(rows)?;
    let since = Instant::now();
    let mut writer = Hand::new()?;
    let mut items = fills(&client).max_items(rows as u64).items();
    while let Some(fill) = items.try_next().await? {
        writer.push(fill)?;
    }
    let folder = tempfile::tempdir()?;
    writer.save(&folder.path().join("by-hand.parquet"))?;
    let seconds = since.elapsed().as_secs_f64();
    println!("by hand: {:.0} rows/s ({seconds:.1} s)", rows as f64 / seconds);

    let folder = tempfile::tempdir()?;
    let since = Instant::now();
    let report = fills(&client).export().max_rows(rows as u64).to_folder(folder.path()).await?;
    let seconds = since.elapsed().as_secs_f64();
    println!("export:  {:.0} rows/s ({seconds:.1} s) {report:?}", rows as f64 / seconds);
    Ok(())
}

/// Runs one export to the end. The command `kill` runs this function in a child process and may kill that process.
async fn one(rows: usize, folder: &str) -> Result<(), Fault> {
    let report = fills(&client(rows)?).export().to_folder(folder).await?;
    println!("{report:?}");
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("{line}"));
    }
    Ok(())
}

async fn kill(rows: usize, times: u32, folder: &Path) -> Result<(), Fault> {
    let (whole, killed) = (folder.join("whole"), folder.join("killed"));
    let start = |folder: &Path| -> Result<Child, Fault> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["one", &rows.to_string()]).arg(folder);
        Ok(command.stdout(Stdio::inherit()).spawn()?)
    };

    let since = Instant::now();
    wait(&mut start(&whole)?).await?;
    let time = since.elapsed();
    println!("undisturbed: {time:.1?}");

    // Each wait is random: at least 50 ms, and up to twice the duration of an undisturbed run divided by the number of
    // kills.
    let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
    let mut kills = 0;
    while kills < times {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        let wait = time.mul_f64(2.0 * (chance % 1_000) as f64 / 1_000.0 / f64::from(times));
        let mut process = start(&killed)?;
        tokio::time::sleep(wait.max(Duration::from_millis(50))).await;
        if process.try_wait()?.is_some() {
            break;
        }
        process.kill()?;
        process.wait()?;
        kills += 1;
    }
    wait(&mut start(&killed)?).await?;
    println!("killed {kills} times");

    let names = |folder: &Path| -> Result<Vec<PathBuf>, Fault> {
        let names = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into()));
        let mut names = names.collect::<Result<Vec<PathBuf>, std::io::Error>>()?;
        names.retain(|name| name.extension().is_some_and(|extension| extension == "parquet"));
        names.sort();
        Ok(names)
    };
    let (of_whole, of_killed) = (names(&whole)?, names(&killed)?);
    let same = |name: &PathBuf| -> Result<bool, Fault> {
        Ok(std::fs::read(whole.join(name))? == std::fs::read(killed.join(name))?)
    };
    let equal = of_whole == of_killed
        && of_whole.iter().map(same).collect::<Result<Vec<_>, _>>()?.iter().all(|same| *same);
    println!("{} files, equal byte for byte: {equal}", of_whole.len());
    Ok(())
}

/// Waits until a child process has ended, without blocking other tasks.
async fn wait(process: &mut Child) -> Result<(), Fault> {
    while process.try_wait()?.is_none() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(())
}

/// Hand-written Parquet writer. The example compares its speed with the speed of `crypto-intel-frames`.
struct Hand {
    writer: ArrowWriter<Vec<u8>>,
    fills: Vec<HyperliquidFill>,
}

impl Hand {
    fn new() -> Result<Hand, Fault> {
        let schema = batch(&[])?.schema();
        let writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties()?))?;
        Ok(Hand { writer, fills: Vec::new() })
    }

    fn push(&mut self, fill: HyperliquidFill) -> Result<(), Fault> {
        self.fills.push(fill);
        if self.fills.len() == BATCH {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Fault> {
        self.writer.write(&batch(&self.fills)?)?;
        self.fills.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<usize, Fault> {
        self.flush()?;
        Ok(self.writer.into_inner()?.len())
    }

    fn save(mut self, file: &Path) -> Result<(), Fault> {
        self.flush()?;
        Ok(std::fs::write(file, self.writer.into_inner()?)?)
    }
}

fn batch(fills: &[HyperliquidFill]) -> Result<RecordBatch, Fault> {
    fn texts<'a>(
        fills: &'a [HyperliquidFill],
        text: impl Fn(&'a HyperliquidFill) -> &'a str,
    ) -> ArrayRef {
        Arc::new(StringArray::from_iter_values(fills.iter().map(text)))
    }
    let floats = |number: fn(&HyperliquidFill) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(fills.iter().map(number)))
    };
    let times = |time: fn(&HyperliquidFill) -> i64| -> ArrayRef {
        let times = TimestampMillisecondArray::from_iter_values(fills.iter().map(time));
        Arc::new(times.with_timezone("UTC"))
    };
    let flags = |flag: fn(&HyperliquidFill) -> bool| -> ArrayRef {
        Arc::new(BooleanArray::from_iter(fills.iter().map(|fill| Some(flag(fill)))))
    };

    let indexes = Int64Array::from_iter_values(fills.iter().map(|fill| fill.tx_index));
    Ok(RecordBatch::try_from_iter([
        ("closed_pnl", floats(|fill| fill.closed_pnl)),
        ("crossed", flags(|fill| fill.crossed)),
        ("direction", texts(fills, |fill| &fill.direction)),
        ("fee", floats(|fill| fill.fee)),
        ("fee_token", texts(fills, |fill| &fill.fee_token)),
        ("fill_id", texts(fills, |fill| &fill.fill_id)),
        ("hash", texts(fills, |fill| &fill.hash)),
        ("is_internal", flags(|fill| fill.is_internal)),
        ("price", floats(|fill| fill.price)),
        ("side", texts(fills, |fill| fill.side.as_str())),
        ("size", floats(|fill| fill.size)),
        ("start_position", floats(|fill| fill.start_position)),
        ("symbol", texts(fills, |fill| &fill.symbol)),
        ("time", times(|fill| fill.time.0 * 1_000)),
        ("time_ms", times(|fill| fill.time_ms.0)),
        ("tx_index", Arc::new(indexes)),
    ])?)
}
