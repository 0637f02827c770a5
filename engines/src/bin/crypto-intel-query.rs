//! `crypto-intel-query "SELECT …"`: SQL over the service and over exports, from a terminal.

use std::error::Error;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use crypto_intel::Client;
use crypto_intel::credits::Budget;
use crypto_intel_engines::{Engine, Format, Query, write};
use crypto_intel_sandbox::Sandbox;
use tempfile::NamedTempFile;

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

    /// Address of a Ballista scheduler whose executors run the statement. Only this program calls the service
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "HOST:PORT")]
    on: Option<String>,

    /// A folder that all executors see at the same path, for rows of the service
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "FOLDER", requires = "on")]
    stage: Option<std::path::PathBuf>,

    /// Omits the line with the cost
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

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.format == Format::Parquet && arguments.output.is_none() {
        return Err("Parquet is not text: name a file with --output".into());
    }
    let statement = match arguments.statement.as_str() {
        "-" => std::io::read_to_string(std::io::stdin().lock().take(1 << 20))?,
        given => given.to_owned(),
    };
    let (client, _sandbox) = client().await?;
    let engine = arguments
        .register
        .iter()
        .fold(Engine::new(client), |engine, (name, location)| engine.register(name, location));
    let budget = arguments.max_credits.map_or_else(Budget::unlimited, Budget::credits);
    let query = engine.query().budget(budget).start().await?;

    let outcome = answer(&arguments, &query, &statement).await;
    // The spending is shown after errors too.
    if !arguments.quiet && query.spending().calls > 0 {
        writeln!(std::io::stderr(), "{}", query.spending())?;
    }
    outcome
}

/// Writes the rows. A file appears only when it is complete.
async fn answer(
    arguments: &Arguments,
    query: &Query,
    statement: &str,
) -> Result<(), Box<dyn Error>> {
    #[cfg(feature = "cluster")]
    let cluster = match &arguments.on {
        Some(on) => {
            let stage = arguments.stage.clone().unwrap_or_else(std::env::temp_dir);
            Some(crypto_intel_engines::Cluster::new(on, &stage)?)
        }
        None => None,
    };
    #[cfg(feature = "cluster")]
    let rows = match &cluster {
        Some(cluster) => cluster.sql(query, statement).await?,
        None => query.sql(statement).await?,
    };
    #[cfg(not(feature = "cluster"))]
    let rows = query.sql(statement).await?;

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

/// Creates a client with the key of the environment, or a client of the embedded sandbox if there is no key.
async fn client() -> Result<(crypto_intel::ClientBuilder, Option<Sandbox>), Box<dyn Error>> {
    let builder = Client::builder().from_env();
    if std::env::var_os(crypto_intel::KEY_VARIABLE).is_some() {
        return Ok((builder, None));
    }
    eprintln!("no key in {}: the rows are those of the sandbox", crypto_intel::KEY_VARIABLE);
    let sandbox = Sandbox::start().await?;
    Ok((builder.base_url(sandbox.url()).api_key(sandbox.key()), Some(sandbox)))
}
