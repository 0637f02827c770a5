//! Defines and runs the benchmark suites. A suite contains a function or a command, which compares our programs with
//! other programs. Each comparison gives a ratio: the value of our program divided by the value of the other program. A
//! suite also contains bounds for these ratios.

use std::path::Path;
use std::process::Command;

use super::build;
use super::rows::{self, Row};
use super::{cost, generator};
use crate::fault::{Fault, Result};

/// Names of all benchmark suites, in the order of their sections on the documentation page.
pub const NAMES: &[&str] =
    &["cost", "generator", "call", "lists", "decoder", "chat", "tables", "python", "sandbox"];

/// Results of a benchmark suite, and the command that reproduces them.
pub(super) struct Measured {
    pub(super) about: &'static str,
    /// Command that repeats the measurements of this suite.
    pub(super) command: String,
    pub(super) rows: Vec<(Row, Option<Bound>)>,
}

/// Maximum or minimum of a benchmark ratio. The table marks a ratio outside this bound, but the run does not fail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

struct Suite {
    about: &'static str,
    work: Work,
    /// Pairs of a name prefix and a bound. The bound applies to the ratio of each comparison whose name begins with the
    /// prefix, such as `decoding`.
    bounds: &'static [(&'static str, Bound)],
}

enum Work {
    /// A function of the crate `xtask` that runs the benchmark and returns the measured values. Its arguments are the
    /// root of the repository and a folder for temporary files.
    Function(fn(&Path, &Path) -> Result<Vec<rows::Reading>>),
    /// A benchmark program that prints the measured values. `folder` is the folder in which the program runs, relative
    /// to the root of the repository. `words` is the command line, and `rounds` is the number of runs.
    Command { folder: &'static str, words: &'static [&'static str], rounds: usize },
}

pub(super) fn run(name: &str, root: &Path) -> Result<Measured> {
    let suite = suite(name).ok_or_else(|| {
        let known = NAMES.join(", ");
        Fault::usage(name, "this suite does not exist", format!("the suites are {known}"))
    })?;

    let (readings, command) = match suite.work {
        Work::Function(measure) => {
            let target = std::env::var_os("CARGO_TARGET_DIR");
            let work = target.map_or(root.join("target"), Into::into).join("bench").join(name);
            (measure(root, &work)?, format!("cargo xtask bench {name}"))
        }
        Work::Command { folder, words, rounds } => {
            let dir = root.join(folder);
            let mut readings = Vec::new();
            for _ in 0..rounds {
                let mut command = Command::new(words[0]);
                let printed = build::run(command.args(&words[1..]).current_dir(&dir), &dir)?;
                readings.extend(rows::parse(&printed));
            }
            let place = if folder.is_empty() { String::new() } else { format!("cd {folder}; ") };
            (readings, place + &words.join(" "))
        }
    };
    if readings.is_empty() {
        let remedy = format!("run `{command}` by hand");
        return Err(Fault::usage(name, "the benchmark program printed no ratio", remedy));
    }

    let bound = |row: &Row| {
        let found = suite.bounds.iter().find(|(what, _)| row.median.what.starts_with(what));
        found.map(|(_, bound)| *bound)
    };
    let rows = rows::rows(&readings).into_iter().map(|row| (bound(&row), row));
    let rows = rows.map(|(bound, row)| (row, bound)).collect();
    Ok(Measured { about: suite.about, command, rows })
}

fn suite(name: &str) -> Option<Suite> {
    use Bound::{AtLeast, AtMost};
    let command = |folder, words, rounds| Work::Command { folder, words, rounds };

    Some(match name {
        "cost" => Suite {
            about: "Build times and binary sizes of programs that use the client. They call one \
                    operation, ten operations (one per domain), or all operations. They are \
                    compared with a program that makes one hand-written request.",
            work: Work::Function(cost::measure),
            bounds: &[
                ("first build: one operation", AtMost(1.1)),
                ("first build: ten operations", AtMost(1.2)),
                ("first build: all operations", AtMost(1.35)),
                ("build after an edit: one operation", AtMost(1.5)),
                ("build after an edit: ten operations", AtMost(1.5)),
                ("build after an edit: all operations", AtMost(1.5)),
            ],
        },

        "generator" => Suite {
            about: "This table compares the generated client with the client that an external \
                    generator writes from the same OpenAPI document.",
            work: Work::Function(generator::measure),
            bounds: &[
                ("lines of the client", AtMost(0.5)),
                ("checking the client", AtMost(0.5)),
                ("checking one domain", AtMost(0.2)),
            ],
        },

        "call" => Suite {
            about: "A call through the client, and decoding 10,000 rows, compared with \
                    hand-written code that uses `reqwest` and `serde_json`. The unit is \
                    instructions instead of time (needs valgrind).",
            work: command("", &["crates/client/benches/overhead.sh"], 1),
            bounds: &[("a call", AtMost(1.05)), ("decoding", AtMost(1.10))],
        },

        "lists" => Suite {
            about: "Reading 50 pages from a server that needs 50 ms per page, with 40 ms of work \
                    per page in the caller.",
            work: command(
                "",
                &["cargo", "bench", "--locked", "-p", "crypto-intel", "--bench", "paging"],
                3,
            ),
            bounds: &[("cursor", AtMost(1.10)), ("offset, eight", AtMost(0.20))],
        },

        "decoder" => Suite {
            about: "Decoding 50,000 server-sent events, each with one delta, from chunks of \
                    16 KiB.",
            work: command(
                "benches",
                &["cargo", "run", "--locked", "--release", "--bin", "decoder"],
                3,
            ),
            bounds: &[("decoding events", AtMost(1.0))],
        },

        "chat" => Suite {
            about: "Receiving a chat response of 50,000 deltas over loopback and decoding the deltas \
                    to Rust values.",
            work: command(
                "benches",
                &["cargo", "run", "--locked", "--release", "--bin", "end_to_end"],
                3,
            ),
            bounds: &[],
        },

        "tables" => Suite {
            about: "Converting a response body of 200,000 rows to Parquet in memory, compared with \
                    hand-written structs and column builders.",
            work: command(
                "",
                &[
                    "cargo",
                    "run",
                    "--locked",
                    "--release",
                    "-p",
                    "crypto-intel-frames",
                    "--example",
                    "measure",
                    "--",
                    "decode",
                    "200000",
                ],
                1,
            ),
            bounds: &[("frames", AtMost(1.0))],
        },

        "python" => Suite {
            about: "Reading 21,610 rows into a table in Python, compared with `httpx` and `pandas` (needs a release wheel, \
                    `httpx`, `pandas` and `pyarrow`).",
            work: command("", &["python3", "python/measure.py"], 1),
            bounds: &[("arrow()", AtMost(0.25))],
        },

        "sandbox" => Suite {
            about: "Requests per second that the sandbox answers, for all data operations in turn, \
                    compared with a bare `axum` server that sends 2 KiB.",
            work: command(
                "",
                &[
                    "cargo",
                    "run",
                    "--locked",
                    "--release",
                    "-p",
                    "crypto-intel-sandbox",
                    "--example",
                    "load",
                    "--",
                    "5",
                    "16",
                    "mix",
                ],
                3,
            ),
            bounds: &[("answers a second", AtLeast(0.3))],
        },

        _ => return None,
    })
}
