//! Options that several commands share.
//!
//! Each function returns the clap arguments of one group of options. Commands add the groups that they support.

use clap::{Arg, ArgAction, Command};
use crypto_intel::catalogue::{Operation, Paging};

use super::catalogue::{LIMIT, kebab};
use crate::format::Format;

const OUTPUT: &str = "Output";
const PAGES: &str = "Pages";
const CALL: &str = "Call";
/// Heading of the export options in help texts.
pub(crate) const EXPORT: &str = "Export";

/// Returns the name and help text of each common option, as `cintel --help` prints them.
pub(crate) fn listed() -> Vec<(String, String)> {
    let one = |arg: &Arg| {
        let short = arg.get_short().map_or(String::from("    "), |short| format!("-{short}, "));
        let value = arg.get_value_names().and_then(|names| names.first());
        let value = value.map_or(String::new(), |name| format!(" <{name}>"));
        let name = format!("{short}--{}{value}", arg.get_long().unwrap_or_default());
        (name, arg.get_help().map(ToString::to_string).unwrap_or_default())
    };
    let own = [("-h, --help", "Print help"), ("-V, --version", "Print the version")];
    let own = own.map(|(name, help)| (name.to_owned(), help.to_owned()));
    global().iter().map(one).chain(own).collect()
}

/// Returns a value parser for whole numbers that are at least `least`.
fn integer_from(
    least: u64,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| match text.parse::<u64>() {
        Ok(number) if number >= least => Ok(number),
        _ => Err(format!("expected a whole number of at least {least}")),
    }
}

/// Returns the common options, which every command accepts. A test checks that no operation has a parameter with one of
/// these names.
pub(crate) fn global() -> Vec<Arg> {
    service_options().into_iter().chain(limit_options()).chain(print_options()).collect()
}

/// Creates a common option, which every command accepts. `cintel --help`, shell completions and the manual page of
/// `cintel` list the option. The help texts and manual pages of single commands do not list it.
fn common(name: &'static str) -> Arg {
    Arg::new(name).long(name).global(true).hide(true)
}

/// Returns the common options that select the service or the embedded sandbox, the profile, and the configuration file.
fn service_options() -> Vec<Arg> {
    vec![
        common("base-url")
            .value_name("URL")
            .help("Base URL of the service [default: CRYPTO_INTEL_BASE_URL, then the profile]"),
        common("sandbox")
            .action(ArgAction::SetTrue)
            .help("Use the embedded sandbox with invented data, even if a key is set"),
        common("seed")
            .allow_negative_numbers(true)
            .value_name("N")
            .value_parser(integer_from(0))
            .help("Random seed of the embedded sandbox [default: 0]"),
        common("sandbox-clock").allow_negative_numbers(true).value_name("TIME").help(
            "Time of the embedded sandbox (its clock is stopped), as Unix seconds or YYYY-MM-DD",
        ),
        common("profile")
            .value_name("NAME")
            .help("Profile of the configuration file [default: CINTEL_PROFILE, then the file's setting `default`]"),
        common("config").value_name("FILE").help(
            "Configuration file [default: CINTEL_CONFIG, then the platform's configuration folder]",
        ),
    ]
}

/// Returns the common options that limit time and cost.
fn limit_options() -> Vec<Arg> {
    vec![
        common("max-age")
            .value_name("TIME")
            .help("Use cached responses up to this age, such as 5m"),
        common("deadline")
            .value_name("TIME")
            .help("Time limit of a call including its retries, such as 30s"),
        common("max-credits")
            .allow_negative_numbers(true)
            .value_name("N")
            .value_parser(integer_from(0))
            .help("Maximum credits of this command, by list price"),
        common("max-credits-per-day")
            .allow_negative_numbers(true)
            .value_name("N")
            .value_parser(integer_from(0))
            .help("Maximum credits per UTC day by list price, for all processes with this profile"),
    ]
}

/// Returns the common options for output formats, colours and notes on standard error, and `--fail-incomplete`. With
/// `--fail-incomplete`, a command fails if rows are missing for another reason than `--limit`.
fn print_options() -> Vec<Arg> {
    vec![
        common("verbose")
            .short('v')
            .action(ArgAction::SetTrue)
            .help("Print each request with its attempts, duration and credits to standard error"),
        common("quiet")
            .short('q')
            .action(ArgAction::SetTrue)
            .help("Print errors but no notes on standard error [default: CINTEL_QUIET]"),
        common("fail-incomplete")
            .action(ArgAction::SetTrue)
            .help("Exit with code 10 if rows are missing for a reason other than `--limit`"),
        common("color")
            .value_name("WHEN")
            .value_parser(["auto", "always", "never"])
            .default_value("auto")
            .help("Colours: auto, always or never; NO_COLOR also turns them off"),
        common("output")
            .short('o')
            .value_name("FORMAT")
            .value_parser(clap::builder::PossibleValuesParser::new(Format::NAMES))
            .help("table, json, ndjson, csv or compact [default: a table on a terminal, JSON in a pipe]"),
    ]
}

/// Returns the options for the output of an operation's rows.
pub(crate) fn output(operation: &Operation) -> Vec<Arg> {
    let args = rendering().into_iter().chain([raw()]);
    let mut args: Vec<Arg> = args.map(|arg| with_free_name(operation, arg)).collect();
    let takes_limit = operation.params.iter().any(|param| param.name == LIMIT);
    if !takes_limit && operation.paging == Paging::None {
        args.push(limit().help("Print at most this many rows"));
    }
    args
}

/// Returns the command-line option `--limit`, for operations without a request parameter `limit` and for `cintel api`.
pub(crate) fn limit() -> Arg {
    Arg::new("rows")
        .long(LIMIT)
        .value_name("ROWS")
        .value_parser(integer_from(1))
        .allow_negative_numbers(true)
        .help_heading(OUTPUT)
}

/// Adds the prefix `out-` to the name of an option if the operation has a parameter of this name. For example, the
/// option `--fields` becomes `--out-fields` for an operation with the parameter `fields`.
fn with_free_name(operation: &Operation, arg: Arg) -> Arg {
    let name = arg.get_long().unwrap_or_default().to_owned();
    let is_taken = operation.params.iter().any(|param| kebab(param.name) == name);
    if is_taken { arg.long(format!("out-{name}")) } else { arg }
}

/// Creates an output option. Its clap identifier begins with `out-`, so the identifier differs from all parameter
/// names.
fn drawn(name: &'static str) -> Arg {
    Arg::new(format!("out-{name}")).long(name).help_heading(OUTPUT)
}

/// Returns the options that select fields, and filter and sort rows: `--fields`, `--where`, `--sort` and `--jq`.
pub(crate) fn choosing() -> Vec<Arg> {
    vec![
        drawn("fields")
            .value_name("A,B.C")
            .help("Print only these fields of each row, in this order"),
        drawn("where")
            .value_name("CONDITION")
            .action(ArgAction::Append)
            .help("Print only rows that meet this condition, such as 'price_usd>100'; repeatable"),
        drawn("sort")
            .value_name("A,-B")
            .allow_hyphen_values(true)
            .help("Sort the rows by these fields; -B sorts by B in descending order"),
        drawn("jq").value_name("FILTER").help("Filter the rows with a jq program"),
    ]
}

/// Returns the option `--raw`, with which a command prints the unchanged response of the service.
pub(crate) fn raw() -> Arg {
    drawn("raw")
        .action(ArgAction::SetTrue)
        .conflicts_with_all([
            "out-fields",
            "out-where",
            "out-sort",
            "out-jq",
            "output",
            "out-chart",
            "out-plot",
        ])
        .help("Print the unchanged response")
}

/// Returns the options for the output of rows: `--fields`, `--where`, `--sort`, `--jq`, `--chart`, `--plot`, `--y` and
/// `--theme`.
pub(crate) fn rendering() -> Vec<Arg> {
    let chart = drawn("chart")
        .value_name("KIND")
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("auto")
        .value_parser(["auto", "line", "candles", "bars"])
        .hide_possible_values(true)
        .conflicts_with_all(["out-jq", "output"])
        .help("Draw a chart; --chart=KIND sets its kind: line, candles or bars");
    let plot = drawn("plot")
        .value_name("FILE")
        .conflicts_with_all(["out-jq", "output"])
        .help("Write the chart to FILE.svg or FILE.png");
    let y = drawn("y").value_name("FIELD,..").help("Draw these fields as separate series");
    let theme = drawn("theme")
        .value_name("THEME")
        .value_parser(["light", "dark"])
        .default_value("light")
        .hide_default_value(true)
        .hide_possible_values(true)
        .help("Colours of the image: light or dark");

    let mut args = choosing();
    args.extend([chart, plot, y, theme]);
    args
}

fn calling(name: &'static str) -> Arg {
    Arg::new(name).long(name).help_heading(CALL)
}

/// Returns the options that decide whether a call is sent. `--dry-run` sends no call. `--unchecked` sends a call even
/// if the OpenAPI document does not allow its argument values.
pub(crate) fn sending() -> Vec<Arg> {
    vec![
        calling("dry-run")
            .action(ArgAction::SetTrue)
            .help("Print the request and its price without sending it"),
        calling("unchecked")
            .action(ArgAction::SetTrue)
            .help("Send argument values that the OpenAPI document does not allow"),
    ]
}

/// Returns the option `--every`, which repeats a call, and the options that require `--every`.
pub(crate) fn repeating() -> Vec<Arg> {
    vec![
        calling("every")
            .value_name("TIME")
            .conflicts_with("out-raw")
            .help("Repeat the call at this interval, such as 30s, and print changes"),
        calling("times")
            .value_name("N")
            .value_parser(integer_from(1))
            .requires("every")
            .help("Stop `--every` after this many calls"),
        calling("until")
            .value_name("FILTER")
            .requires("every")
            .help("Stop `--every` when the first result of this jq program is neither false nor null"),
        calling("exec")
            .value_name("COMMAND")
            .requires("every")
            .help("Run this shell command with the rows on standard input after each change; with `--until`, only when `--until` stops `--every`"),
    ]
}

/// Returns the options of `cintel export`.
#[cfg(feature = "export")]
pub(crate) fn export(operation: &Operation) -> Vec<Arg> {
    let option = |name: &'static str| Arg::new(format!("export-{name}")).long(name);
    let mut args = vec![
        option("folder")
            .value_name("FOLDER")
            .required(true)
            .help("Folder for the files; the same command with the same folder continues the export"),
        option("format")
            .value_name("FORMAT")
            .value_parser(["parquet", "arrow", "csv", "ndjson"])
            .default_value("parquet")
            .help("File format"),
        option("partition-by")
            .value_name("COLUMN")
            .help("Write one folder per value of COLUMN; day:COLUMN writes one folder per day"),
        option("flat")
            .action(ArgAction::SetTrue)
            .help("Write nested fields as columns such as a.b"),
        option("rows-per-file")
            .value_name("N")
            .value_parser(integer_from(1))
            .help("Rows per file [default: 100000]"),

        option("refresh")
            .action(ArgAction::SetTrue)
            .help("Read all rows again and replace the files of an earlier export"),
        option("update")
            .value_name("OVERLAP")
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("1d")
            .conflicts_with("export-refresh")
            .help(
                "Add newer rows to an earlier export, and read its last day again to find late and changed rows (--update=7d: its last 7 days)",
            ),
        option("provenance")
            .action(ArgAction::SetTrue)
            .help("Add columns with the request of each row and the time of its response; `cintel table --as-of` needs them"),

        option("max-time")
            .value_name("TIME")
            .help("Stop after this time, such as 10m; run the same command again to continue the export"),
        option("side-by-side")
            .value_name("N")
            .value_parser(integer_from(1))
            .help("Request this many pages at the same time, if the operation's paging allows it"),
    ];

    if operation.params.iter().all(|param| param.name != LIMIT) {
        args.push(export_limit(limit()));
    }
    args.into_iter().map(|arg| with_free_name(operation, arg.help_heading(EXPORT))).collect()
}

/// Sets the help text and the heading of the option `--limit` for export commands.
#[cfg(feature = "export")]
pub(crate) fn export_limit(arg: Arg) -> Arg {
    arg.help("Export at most this many rows").help_heading(EXPORT)
}

/// Returns the options for reading the pages of a list. `--limit` is included unless the operation has a parameter of
/// this name.
pub(crate) fn paging(operation: &Operation) -> Vec<Arg> {
    let option = |name: &'static str| Arg::new(name).long(name).help_heading(PAGES);
    let mut args = vec![
        option("all")
            .action(ArgAction::SetTrue)
            .conflicts_with("every")
            .help("Read the list to its end"),
        option("max-pages")
            .value_name("N")
            .value_parser(integer_from(1))
            .conflicts_with("every")
            .help("Read at most this many pages"),
        option("resume")
            .value_name("TOKEN")
            .conflicts_with("every")
            .help("Continue a list from this token, which an earlier command printed"),
    ];
    if operation.params.iter().all(|param| param.name != LIMIT) {
        args.push(limit().help("Read at most this many rows"));
    }
    args
}

/// Shows or hides the common options in a command and all its subcommands.
pub(crate) fn with_common_options(command: Command, shown: bool) -> Command {
    let command = command.mut_args(|arg| if arg.is_global_set() { arg.hide(!shown) } else { arg });
    command.mut_subcommands(|inner| with_common_options(inner, shown))
}
