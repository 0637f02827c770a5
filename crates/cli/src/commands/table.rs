//! `cintel table`: prints the rows of an export. With `--as-of TIME`, prints the rows that the export contained at this
//! earlier time, such as seven days ago.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Arg, ArgMatches, Command};
use crypto_intel_frames::export::{json_rows, read_as_of};

use super::export::failure;
use crate::arguments::options;
use crate::failure::{Exit, Failure};
use crate::output::{Options, Rows};
use crate::settings::{Settings, moment};

pub(crate) fn arguments(command: Command) -> Command {
    let folder = Arg::new("folder").value_name("FOLDER").required(true);
    let as_of = Arg::new("as-of")
        .long("as-of")
        .value_name("TIME")
        .allow_hyphen_values(true)
        .help("Print the rows that the export had at this time, such as 2026-05-28, -7d or Unix seconds [default: now]");
    command
        .arg(folder.help("Folder of an export that was written with `--update` and `--provenance`"))
        .arg(as_of)
        .args(options::choosing())
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let folder = given.get_one::<String>("folder").map(PathBuf::from).unwrap_or_default();
    let time = match given.get_one::<String>("as-of") {
        // Adds one second to the present time, so that rows of the current second are included.
        None => SystemTime::now() + Duration::from_secs(1),
        Some(text) => {
            let seconds = moment(text, settings.now())?;
            let after_1970 = u64::try_from(seconds).unwrap_or_default();
            UNIX_EPOCH + Duration::from_secs(after_1970)
        }
    };

    let mut rows = Rows::start(Options::read(given, settings)?, None);
    for batch in read_as_of(folder, time).map_err(failure)? {
        let mut text = Vec::new();
        json_rows(&batch, &mut text);
        let text = String::from_utf8(text)
            .map_err(|error| Failure::new(Exit::Local, error.to_string()))?;
        for row in text.lines() {
            rows.push(row)?;
        }
    }
    rows.finish()
}
