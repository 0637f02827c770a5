//! Command-line flags of the sandbox program. One table defines the parsing and the help text.
//!
//! The input is the arguments of the process. The output is the settings of a sandbox, or a text to print.

use std::ffi::OsString;
use std::fmt::Write;
use std::str::FromStr;
use std::time::Duration;

use crypto_intel_sandbox::{Fault, Scenario};
use lexopt::Arg;

use crate::settings::{self, CREDITS, Settings};

pub(crate) const NAME: &str = "crypto-intel-sandbox";

/// Parsed command line.
pub(crate) enum CommandLine {
    Run(Box<Settings>),
    /// Text to print before the sandbox program exits, such as the help text.
    Text(String),
}

/// A command-line flag.
struct Flag {
    name: &'static str,
    /// Placeholder for the flag's value in the help text, such as `PORT`. Empty for a flag without a value.
    value: &'static str,
    help: &'static str,
    /// Function that applies the value of the flag to the settings. For an invalid value, the function returns a
    /// description of the valid values.
    apply: fn(&mut Settings, &str) -> Result<(), String>,
}

const fn flag(
    name: &'static str,
    value: &'static str,
    help: &'static str,
    apply: fn(&mut Settings, &str) -> Result<(), String>,
) -> Flag {
    Flag { name, value, help, apply }
}

/// All flags, grouped by subject.
const GROUPS: &[(&str, &[Flag])] = &[
    (
        "The world",
        &[
            flag(
                "port",
                "PORT",
                "Port on loopback (default: 8080); 0 chooses a free port.",
                |to, text| {
                    to.port = text.parse().map_err(|_| "a number from 0 to 65535".to_owned())?;
                    Ok(())
                },
            ),
            flag(
                "seed",
                "N",
                "Seed of all data: sandboxes with equal seeds have equal data.",
                |to, text| {
                    let seed = number(text)?;
                    to.build(|builder| builder.seed(seed));
                    Ok(())
                },
            ),
            flag(
                "clock",
                "TIME",
                "Stops the clock at this time; with --speed, runs the clock from this time. Unix \
                 seconds, 2026-06-15 or 2026-06-15T13:30:00Z.",
                |to, text| {
                    to.time = Some(settings::parse_time(text)?);
                    Ok(())
                },
            ),
            flag(
                "speed",
                "N",
                "Runs the clock N times as fast as real time, from now or the time of --clock; 0 \
                 stops the clock.",
                |to, text| {
                    to.speed = Some(number(text)?);
                    Ok(())
                },
            ),
        ],
    ),
    (
        "Keys and credits",
        &[
            flag(
                "key",
                "NAME[=CREDITS]",
                "Adds the key NAME with CREDITS credits (default: 1,000,000). Repeatable; the \
                 first key replaces `sk-sandbox`.",
                key,
            ),
            flag(
                "require-key",
                "",
                "Rejects calls without a key. By default, these calls have 30 free credits per \
                 day and IP address.",
                |to, _| {
                    to.build(|builder| builder.require_key(true));
                    Ok(())
                },
            ),
            flag(
                "rate-limit",
                "N",
                "Maximum requests of each key in any 60 seconds (default: no limit). The \
                 service allows 100.",
                |to, text| {
                    let limit = number(text)?;
                    to.build(|builder| builder.rate_limit(Some(limit)));
                    Ok(())
                },
            ),
            flag(
                "free-window",
                "SECONDS",
                "Seconds in which repeats of a paid call are free (default: 180); 0 disables free \
                 repeats.",
                |to, text| {
                    let window = Duration::from_secs(number(text)?);
                    to.build(|builder| builder.free_repeats(window));
                    Ok(())
                },
            ),
            flag("free-chat", "", "Makes repeats of chat calls free.", |to, _| {
                to.build(|builder| builder.free_chat_repeats(true));
                Ok(())
            }),
        ],
    ),
    (
        "Misbehaviour",
        &[
            flag(
                "fault",
                "FAULT",
                "Injects a fault into later requests, such as 'status=503;times=2' or 'cut=100;operation=market-price'. Repeatable.",
                |to, text| {
                    let fault = text.parse::<Fault>().map_err(|error| error.to_string())?;
                    to.build(|builder| builder.fault(fault));
                    Ok(())
                },
            ),
            flag(
                "scenario",
                "NAME",
                "Starts with a scenario: market-crash, exchange-halt[=VENUE], \
                 chain-outage[=CHAIN], expired-etf-snapshot, next-release, free-window=on|off. \
                 Repeatable.",
                |to, text| {
                    let scenario = text.parse::<Scenario>().map_err(|error| error.to_string())?;
                    to.build(|builder| builder.scenario(scenario));
                    Ok(())
                },
            ),
            flag(
                "control",
                "",
                "Callers with the printed token can set faults, scenarios and overrides over HTTP.",
                |to, _| {
                    to.build(|builder| builder.control(true));
                    Ok(())
                },
            ),
            flag(
                "control-token",
                "TOKEN",
                "Like --control, but callers must use this token.",
                |to, text| {
                    let token = non_empty(text)?;
                    to.build(|builder| builder.control_token(token));
                    Ok(())
                },
            ),
            flag(
                "allow-origin",
                "ORIGIN",
                "Lets web pages of an origin on this machine, such as http://localhost:3000, read responses. Repeatable.",
                |to, text| {
                    to.build(|builder| builder.allow_origin(text));
                    Ok(())
                },
            ),
        ],
    ),
    (
        "State",
        &[
            flag(
                "load",
                "FILE",
                "Continues from a saved state: its seed, clock, keys, charges, chats and jobs. \
                 The state has only hashes of keys, so pass each key again with --key.",
                |to, text| {
                    to.load = Some(non_empty(text)?.into());
                    Ok(())
                },
            ),
            flag(
                "save",
                "FILE",
                "Saves the state when the program ends. With --control, /sandbox/saved returns \
                 it at any time.",
                |to, text| {
                    to.save = Some(non_empty(text)?.into());
                    Ok(())
                },
            ),
        ],
    ),
    (
        "Recordings",
        &[
            flag(
                "record",
                "URL",
                "Forwards every request to this service, and records the responses. Keys are not recorded. Needs a build with `--features record`.",
                |to, text| {
                    to.record = Some(non_empty(text)?);
                    Ok(())
                },
            ),
            flag("tapes", "DIR", "Folder for the recordings of --record.", |to, text| {
                to.tapes = Some(non_empty(text)?.into());
                Ok(())
            }),
            flag(
                "replay",
                "DIR",
                "Returns only responses that were recorded in this folder.",
                |to, text| {
                    to.replay = Some(non_empty(text)?.into());
                    Ok(())
                },
            ),
        ],
    ),
    (
        "Chat and SQL",
        &[
            flag(
                "strict-chat",
                "",
                "Rejects chat requests with fields that the API documentation does not describe.",
                |to, _| {
                    to.build(|builder| builder.strict_chat(true));
                    Ok(())
                },
            ),
            flag(
                "stream-pace",
                "FIRST,BETWEEN",
                "Milliseconds before the first piece of a chat stream and between pieces, such \
                 as 400,30.",
                |to, text| {
                    let (first, between) =
                        text.split_once(',').ok_or("two numbers in ms, such as 400,30")?;
                    let (first, between) = (settings::millis(first)?, settings::millis(between)?);
                    to.build(|builder| builder.stream_pace(first, between));
                    Ok(())
                },
            ),
            flag(
                "sql-window",
                "SECONDS",
                "Time limit of a synchronous query in seconds (default: 30).",
                |to, text| {
                    let window = Duration::from_secs(number(text)?);
                    to.build(|builder| builder.sql_window(window));
                    Ok(())
                },
            ),
            flag(
                "sql-jobs",
                "RUNNING,QUEUED",
                "Maximum running jobs and maximum queued jobs (default: 2,16).",
                |to, text| {
                    let (running, queued) =
                        text.split_once(',').ok_or("two numbers such as 2,16")?;
                    let (running, queued) = (number(running)?, number(queued)?);
                    to.build(|builder| builder.sql_jobs(running, queued));
                    Ok(())
                },
            ),
            flag(
                "sql-pace",
                "MS",
                "Pause in milliseconds after each day of data that an SQL job reads, for tests that watch or cancel a job.",
                |to, text| {
                    let rest = settings::millis(text)?;
                    to.build(|builder| builder.sql_pace(rest));
                    Ok(())
                },
            ),
        ],
    ),
];

fn key(to: &mut Settings, text: &str) -> Result<(), String> {
    // A key may contain `=`, so the credits follow the last `=`.
    let (name, credits) = match text.rsplit_once('=') {
        Some((name, credits)) => (
            name,
            credits
                .parse()
                .map_err(|_| format!("`{name}=CREDITS`, with a whole number of credits"))?,
        ),
        None => (text, CREDITS),
    };
    let name = non_empty(name)?;
    if name.contains(char::is_whitespace) {
        return Err("a key without spaces (keys are sent in a header)".to_owned());
    }
    to.keys.push(name.clone());
    to.build(|builder| builder.key(name, credits));
    Ok(())
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| "a whole number".to_owned())
}

fn non_empty(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("a value that is not empty".to_owned()) } else { Ok(text.to_owned()) }
}

fn all_flags() -> impl Iterator<Item = &'static Flag> {
    GROUPS.iter().flat_map(|(_, flags)| *flags)
}

/// Parses the command-line arguments.
///
/// # Errors
/// Returns a message that names the first invalid argument and suggests a fix.
pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<CommandLine, String> {
    let mut settings = Settings::default();
    let mut parser = lexopt::Parser::from_args(arguments);

    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        let name = match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(CommandLine::Text(help())),
            Arg::Short('V') | Arg::Long("version") => {
                return Ok(CommandLine::Text(format!("{NAME} {}\n", env!("CARGO_PKG_VERSION"))));
            }
            Arg::Long(name) => name.to_owned(),
            Arg::Short(letter) => {
                return Err(format!(
                    "`-{letter}` is not a flag: flags have full names, such as `--port`"
                ));
            }
            Arg::Value(value) => {
                let value = value.to_string_lossy();
                return Err(format!(
                    "the argument `{value}` has no flag: write `--port 8080` for a port, and \
                     `--key NAME` for a key"
                ));
            }
        };
        let Some(flag) = all_flags().find(|flag| flag.name == name) else {
            return Err(unknown(&name));
        };

        let value = if flag.value.is_empty() {
            String::new()
        } else {
            let value = parser
                .value()
                .map_err(|_| format!("`--{name}` needs a value: --{name} {}", flag.value))?;
            value.into_string().map_err(|_| format!("the value of `--{name}` is not UTF-8"))?
        };
        settings.flags.push(flag.name);
        (flag.apply)(&mut settings, &value)
            .map_err(|wanted| format!("`--{name}` needs {wanted}, not `{value}`"))?;
    }

    settings.check()?;
    Ok(CommandLine::Run(Box::new(settings)))
}

fn unknown(name: &str) -> String {
    let scored = all_flags().map(|flag| (strsim::jaro_winkler(flag.name, name), flag.name));
    let closest = scored.max_by(|(one, _), (other, _)| one.total_cmp(other));
    match closest {
        Some((similarity, closest)) if similarity >= 0.8 => {
            format!("`--{name}` is not a flag: did you mean `--{closest}`?")
        }
        _ => format!("`--{name}` is not a flag"),
    }
}

/// Width of the help text in columns.
const WIDTH: usize = 100;
/// Column of the help text at which the descriptions of the flags begin.
const INDENT: usize = 28;

fn help() -> String {
    let mut text = format!(
        "{NAME} {}\nSimulates the service on loopback, with invented but coherent data.\n\n\
         Usage: {NAME} [FLAGS]\n       cargo run -p {NAME} -- [FLAGS]\n",
        env!("CARGO_PKG_VERSION")
    );
    for (title, flags) in GROUPS {
        let _ = writeln!(text, "\n{title}:");
        for flag in *flags {
            entry(&mut text, &format!("--{} {}", flag.name, flag.value), flag.help);
        }
    }

    text.push_str("\nOther:\n");
    entry(&mut text, "-h, --help", "Prints this help.");
    entry(&mut text, "-V, --version", "Prints the version.");
    text.push_str(EXAMPLES);
    text
}

const EXAMPLES: &str = "
Examples:
  A sandbox to look at in a browser, at http://127.0.0.1:8080
      crypto-intel-sandbox
  For a test that compares responses: a free port and a stopped clock
      crypto-intel-sandbox --port 0 --clock 2026-06-15
  A key with 10 credits, and an error for each of the first two requests
      crypto-intel-sandbox --key sk-poor=10 --fault 'status=503;retry-after=1;times=2'
  Save a state once, and begin each test with this state
      crypto-intel-sandbox --key sk-test --save state.json
      crypto-intel-sandbox --key sk-test --load state.json
  Record responses of the service, and replay them without a network
      crypto-intel-sandbox --record https://service.example --tapes tests/tapes
      crypto-intel-sandbox --replay tests/tapes
";

/// Writes a flag and its description to the help text. The description is wrapped in its own column.
fn entry(to: &mut String, flag: &str, help: &str) {
    let flag = flag.trim_end();
    let mut line = format!("  {flag:<width$}", width = INDENT - 2);
    if flag.len() + 3 > INDENT {
        let _ = writeln!(to, "{line}");
        line = " ".repeat(INDENT);
    }
    for word in help.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(to, "{}", line.trim_end());
            line = " ".repeat(INDENT);
        }
        line.push_str(word);
        line.push(' ');
    }
    let _ = writeln!(to, "{}", line.trim_end());
}
