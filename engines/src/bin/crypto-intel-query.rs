//! `crypto-intel-query "SELECT …"`: runs an SQL statement over the service and over exports, from a terminal.

use std::error::Error;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arrow::compute::kernels::cast_utils::string_to_timestamp_nanos;
use clap::Parser;
use crypto_intel::Client;
use crypto_intel::credits::Budget;
use crypto_intel_engines::{Engine, Format, Query, write};
use crypto_intel_sandbox::Sandbox;
use datafusion::common::DataFusionError;
use tempfile::NamedTempFile;

/// Maximum number of bytes of a statement on standard input.
const STATEMENT: u64 = 1 << 20;

/// SQL over the operations of the service, and over exports of them.
///
/// Each operation is a table (`market_price`); its parameters are columns. EXPLAIN shows the calls
/// and their maximum list price; SHOW TABLES lists the tables, DESCRIBE the columns of a table.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    /// The statement; `-` reads it from standard input
    statement: String,

    /// Format of the rows
    #[arg(long, short, value_enum, default_value = "table")]
    format: Format,

    /// File for the rows, instead of standard output; required for Parquet
    #[arg(long, short, value_name = "FILE")]
    output: Option<std::path::PathBuf>,

    /// Maximum list price of the statement in credits
    #[arg(long, value_name = "CREDITS")]
    max_credits: Option<u64>,

    /// A Parquet file, or a folder of them, as a table; can be repeated. Object stores (`s3://bucket/fills/`) need the
    /// feature `aws`, `azure` or `gcp` of this program
    #[arg(long, value_name = "NAME=LOCATION", value_parser = table)]
    register: Vec<(String, String)>,

    /// Reads the tables of --register as they were at this time, such as 2026-05-28, 2026-05-28T20:26:40Z or Unix
    /// seconds. The exports must be local folders that were written with provenance
    #[arg(long, value_name = "TIME", value_parser = time, requires = "register")]
    as_of: Option<SystemTime>,

    /// Address of a scheduler of `crypto-intel-cluster` whose executors run the statement. Only this program calls the
    /// service
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "HOST:PORT")]
    on: Option<String>,

    /// Shared folder for the rows that the service returns. The folder must have the same path on all executors
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "FOLDER", requires = "on")]
    stage: Option<std::path::PathBuf>,

    /// Does not print the cost of the query and messages about the cluster
    #[arg(long, short)]
    quiet: bool,
}

fn table(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, location)) if !name.is_empty() && !location.is_empty() => {
            Ok((name.to_owned(), location.to_owned()))
        }
        _ => Err("write NAME=LOCATION, for example trades=exports/trades".to_owned()),
    }
}

fn time(text: &str) -> Result<SystemTime, String> {
    let seconds = text.parse::<u64>().ok().map(Duration::from_secs);
    let nanos = || u64::try_from(string_to_timestamp_nanos(text).ok()?).ok();
    let after_1970 = seconds.or_else(|| nanos().map(Duration::from_nanos));
    let time = after_1970.and_then(|after_1970| UNIX_EPOCH.checked_add(after_1970));
    time.ok_or_else(|| "write 2026-05-28, 2026-05-28T20:26:40Z or Unix seconds".to_owned())
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Prints the original error, without the context that the engine adds.
            match error.downcast_ref::<DataFusionError>() {
                Some(error) => eprintln!("error: {}", error.find_root()),
                None => eprintln!("error: {error}"),
            }
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.format == Format::Parquet && arguments.output.is_none() {
        return Err("Parquet output needs a file: set --output".into());
    }
    let statement = match arguments.statement.as_str() {
        "-" => std::io::read_to_string(std::io::stdin().lock().take(STATEMENT + 1))?,
        given => given.to_owned(),
    };
    if statement.len() as u64 > STATEMENT {
        return Err(format!("the statement is longer than {STATEMENT} bytes").into());
    }
    let (client, _sandbox) = client().await?;
    let engine = arguments
        .register
        .iter()
        .fold(Engine::new(client), |engine, (name, location)| engine.register(name, location));
    let engine = match arguments.as_of {
        Some(time) => engine.as_of(time),
        None => engine,
    };
    let budget = arguments.max_credits.map_or_else(Budget::unlimited, Budget::credits);
    let query = engine.query().budget(budget).start().await?;

    let outcome = answer(&arguments, &query, &statement).await;
    // The cost is printed after errors too.
    if !arguments.quiet && query.spending().calls > 0 {
        writeln!(std::io::stderr(), "{}", query.spending())?;
    }
    outcome
}

/// Runs the statement and writes its rows. An output file appears only when it is complete.
async fn answer(
    arguments: &Arguments,
    query: &Query,
    statement: &str,
) -> Result<(), Box<dyn Error>> {
    #[cfg(feature = "cluster")]
    let cluster = match &arguments.on {
        Some(on) => {
            let stage = arguments.stage.clone().unwrap_or_else(std::env::temp_dir);
            let cluster = crypto_intel_engines::Cluster::new(on, &stage)?;
            Some(match arguments.quiet {
                true => cluster,
                false => cluster.on_report(|line| eprintln!("{line}")),
            })
        }
        None => None,
    };
    #[cfg(feature = "cluster")]
    let rows = match &cluster {
        Some(cluster) => cluster.sql(query, statement).await?,
        None => query.sql(statement).await?.execute_stream().await?,
    };
    #[cfg(not(feature = "cluster"))]
    let rows = query.sql(statement).await?.execute_stream().await?;

    let Some(file) = &arguments.output else {
        let mut output = BufWriter::new(std::io::stdout());
        return Ok(write(rows, arguments.format, &mut output).await?);
    };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut whole = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))
        .map_err(|error| format!("{}: {error}", file.display()))?;
    write(rows, arguments.format, &mut BufWriter::new(whole.as_file_mut())).await?;
    whole.persist(file)?;
    Ok(())
}

/// Creates a client with the API key from the environment. Without a key, starts an embedded sandbox and creates a
/// client for it.
async fn client() -> Result<(crypto_intel::ClientBuilder, Option<Sandbox>), Box<dyn Error>> {
    let builder = Client::builder().from_env();
    if std::env::var_os(crypto_intel::KEY_VARIABLE).is_some() {
        return Ok((builder, None));
    }
    eprintln!("{} is not set, so the sandbox generates the rows", crypto_intel::KEY_VARIABLE);
    let sandbox = Sandbox::start().await?;
    Ok((builder.base_url(sandbox.url()).api_key(sandbox.key()), Some(sandbox)))
}
