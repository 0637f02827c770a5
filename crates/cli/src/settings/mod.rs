//! Resolves the settings of a run. Flags override environment variables, and environment variables override the
//! profile.
//!
//! The input is the parsed arguments, environment variables and the configuration file. The output is [`Settings`].

mod config;
mod key;
mod keyring;
mod time_values;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ArgMatches;
use crypto_intel::credits::{Credits, MachineLedger};
use etcetera::BaseStrategy;

pub(crate) use config::{Profile, SETTINGS, SettingKind};
pub(crate) use key::{Key, KeyStore};
pub(crate) use time_values::{duration, moment, relative};

use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::terminal::{self, Color};

/// Environment variable with the path of the cost ledger's folder. Setting the variable turns the ledger on.
const LEDGER: &str = "CINTEL_LEDGER";
/// Environment variable that turns agent mode on or off; see [`is_agent`].
const AGENT: &str = "CINTEL_AGENT";
/// Environment variable that AI agents set for the programs that they start.
const AGENT_MARK: &str = "AI_AGENT";

/// Resolved settings of a run, which all commands share.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) base_url: Option<String>,
    pub(crate) key: Option<Key>,
    /// True if the user selected the embedded sandbox.
    pub(crate) sandbox: bool,
    pub(crate) seed: u64,
    /// Time that the stopped clock of the embedded sandbox shows, in Unix seconds. `None` if the clock runs.
    pub(crate) sandbox_clock: Option<i64>,
    pub(crate) max_age: Option<Duration>,
    pub(crate) deadline: Option<Duration>,
    pub(crate) max_credits: Option<u64>,
    /// Maximum number of credits per UTC day, counted by list price. The limit applies to all processes with the same
    /// profile together.
    pub(crate) max_credits_per_day: Option<u64>,
    /// True if calls and their cost are recorded in the cost ledger of this machine.
    has_ledger: bool,
    pub(crate) verbose: bool,
    pub(crate) fail_incomplete: bool,
    is_agent: bool,
    output: Option<Format>,
    pub(crate) profile: Option<String>,
    pub(crate) config_file: PathBuf,
}

impl Settings {
    pub(crate) fn load(matches: &ArgMatches) -> Result<Self, Failure> {
        check_variables()?;
        // Common flags may follow the name of the subcommand. clap stores them in the matches of the innermost
        // subcommand.
        let mut last = matches;
        while let Some((_, inner)) = last.subcommand() {
            last = inner;
        }
        let text = |name: &str| last.get_one::<String>(name).cloned();
        terminal::set_color(match text("color").as_deref() {
            Some("always") => Color::Always,
            Some("never") => Color::Never,
            _ => Color::Auto,
        });
        let is_agent = is_agent()?;
        terminal::set_plain(is_agent);
        let verbose = last.get_flag("verbose");
        let quiet = last.get_flag("quiet") || boolean("CINTEL_QUIET")?.unwrap_or_default();
        terminal::set_quiet(quiet && !verbose);

        // `config set` creates files and profiles, and repairs settings that other commands could not use.
        let is_config = matches.subcommand_name() == Some("config");
        let config_file = match text("config").or_else(|| variable("CINTEL_CONFIG")) {
            Some(path) if is_config => PathBuf::from(path),
            Some(path) => existing(path)?,
            None => folder()?.join("config.toml"),
        };
        let wanted = text("profile").or_else(|| variable("CINTEL_PROFILE"));
        let config = config::read(&config_file)?;
        let (name, profile) = match config.profile(wanted.as_deref(), &config_file) {
            Err(_) if is_config => (wanted, Profile::default()),
            found => found?,
        };

        // Flags override environment variables, and environment variables override the profile.
        let (flag_url, flag_sandbox) = (text("base-url"), last.get_flag("sandbox"));
        if flag_url.is_some() && flag_sandbox {
            return Err(Failure::usage("`--base-url` and `--sandbox` name two different services")
                .next("omit one of the two options"));
        }
        let sandbox = match (flag_sandbox, flag_url.is_some()) {
            (true, _) => true,
            (false, true) => false,
            (false, false) => boolean("CINTEL_SANDBOX")?.unwrap_or(profile.sandbox),
        };
        let base_url = flag_url
            .or_else(|| variable(crypto_intel::BASE_URL_VARIABLE))
            .or_else(|| profile.base_url.clone());

        let told = text("output").or_else(|| profile.output.clone());
        let output = told.map(|name| Format::named(&name)).transpose()?;
        let time = |name| text(name).map(|time| duration(&time)).transpose();
        let key = match key::find(&profile, name.as_deref(), &config_file) {
            // An unreadable key is accepted here: `auth login` replaces it, `config` can repair it, and the embedded
            // sandbox needs no key.
            Err(_) if replaces_key(matches) || is_config || sandbox => None,
            found => found?,
        };

        let max_credits_per_day =
            last.get_one::<u64>("max-credits-per-day").copied().or(profile.max_credits_per_day);

        Ok(Settings {
            base_url,
            key,
            sandbox,
            seed: last.get_one::<u64>("seed").copied().unwrap_or_default(),
            sandbox_clock: text("sandbox-clock")
                .or_else(|| variable("CINTEL_SANDBOX_CLOCK"))
                .map(|time| moment(&time, system_time()))
                .transpose()?,
            max_age: time("max-age")?,
            deadline: time("deadline")?,
            max_credits: last.get_one::<u64>("max-credits").copied().or(profile.max_credits),
            max_credits_per_day,
            has_ledger: max_credits_per_day.is_some()
                || profile.ledger
                || variable(LEDGER).is_some(),
            verbose,
            fail_incomplete: last.get_flag("fail-incomplete"),
            is_agent,
            output,
            profile: name,
            config_file,
        })
    }

    /// Returns the current time in Unix seconds. Relative times such as `-7d` refer to this time. If the clock of the
    /// embedded sandbox is stopped, returns the time that the clock shows.
    pub(crate) fn now(&self) -> i64 {
        self.sandbox_clock.unwrap_or_else(system_time)
    }

    /// Returns the cost ledger of this machine, or `None` if calls are not recorded. Creates the folder of the ledger.
    pub(crate) fn ledger(&self) -> Result<Option<MachineLedger>, Failure> {
        if !self.has_ledger {
            return Ok(None);
        }
        let folder = ledger_path()?;
        std::fs::create_dir_all(&folder).map_err(|error| {
            let message = format!("the ledger folder {} cannot be used: {error}", folder.display());
            Failure::new(Exit::Local, message)
                .next("name another folder in CINTEL_LEDGER, or turn the ledger off")
        })?;
        self.ledger_folder().map(Some)
    }

    /// Returns the cost ledger of this machine, even if this run does not record its calls in the ledger. Does not
    /// create the folder of the ledger.
    pub(crate) fn ledger_folder(&self) -> Result<MachineLedger, Failure> {
        let ledger = MachineLedger::new(ledger_path()?)
            .profile(self.profile.as_deref().unwrap_or("default"));
        Ok(match self.max_credits_per_day {
            Some(credits) => ledger.daily_limit(Credits(credits)),
            None => ledger,
        })
    }

    /// Returns the output format of this run. The default is compact JSON in agent mode, a table on a terminal, and
    /// JSON in a pipe.
    pub(crate) fn format(&self) -> Format {
        self.output.unwrap_or_else(|| match terminal::stdout_is_terminal() {
            _ if self.is_agent => Format::COMPACT,
            true => Format::Table,
            false => Format::Json,
        })
    }

    /// Returns the output format that a flag or the profile requests, if any.
    pub(crate) fn asked_format(&self) -> Option<Format> {
        self.output
    }
}

/// Returns the path of the folder that contains the cost ledger.
fn ledger_path() -> Result<PathBuf, Failure> {
    match variable(LEDGER) {
        Some(folder) => Ok(PathBuf::from(folder)),
        None => Ok(base_folders()?.data_dir().join("cintel").join("ledger")),
    }
}

fn system_time() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// Returns true if the command is `auth login` or `auth logout`, which do not use the stored API key.
fn replaces_key(matches: &ArgMatches) -> bool {
    let Some(("auth", given)) = matches.subcommand() else { return false };
    matches!(given.subcommand_name(), Some("login" | "logout"))
}

/// Returns the path from `--config` or `CINTEL_CONFIG`. Returns an error if no file exists at this path.
fn existing(path: String) -> Result<PathBuf, Failure> {
    match Path::new(&path).exists() {
        true => Ok(PathBuf::from(path)),
        false => Err(Failure::usage(format!("the configuration file `{path}` does not exist"))
            .next("correct the path in `--config` or CINTEL_CONFIG, or create the file")),
    }
}

/// Rejects environment variables of `cintel` that are not valid UTF-8. Without this check, `cintel` would treat such a
/// variable as not set.
fn check_variables() -> Result<(), Failure> {
    let is_own = |name: &str| name.starts_with("CINTEL_") || name.starts_with("CRYPTO_INTEL_");
    let mut variables = std::env::vars_os();
    let unreadable = variables.find_map(|(name, value)| {
        let name = name.into_string().ok().filter(|name| is_own(name))?;
        value.to_str().is_none().then_some(name)
    });
    match unreadable {
        None => Ok(()),
        Some(name) => {
            Err(Failure::usage(format!("the environment variable {name} is not valid UTF-8"))
                .next(format!("set {name} again, or unset it")))
        }
    }
}

/// Returns the value of an environment variable, or `None` if it is not set, blank, or not valid UTF-8.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Returns true if agent mode is on. In agent mode, `cintel` prints errors as JSON and shows no progress bars. The
/// default output of agent mode is compact JSON without colours.
///
/// # Errors
/// Returns an error if `CINTEL_AGENT` is neither true nor false.
pub(crate) fn is_agent() -> Result<bool, Failure> {
    Ok(boolean(AGENT)?.unwrap_or_else(|| variable(AGENT_MARK).is_some()))
}

/// Returns an error if the text of a configuration file is invalid. `path` appears only in error messages.
pub(crate) fn check_config(text: &str, path: &Path) -> Result<(), Failure> {
    config::parse(text, path).map(drop)
}

/// Parses a boolean environment variable, such as `CINTEL_AGENT`. Returns `None` if the variable is blank or not set.
fn boolean(name: &str) -> Result<Option<bool>, Failure> {
    let Some(value) = variable(name) else { return Ok(None) };
    match value.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(Some(true)),
        "0" | "false" | "no" | "off" => Ok(Some(false)),
        _ => Err(Failure::usage(format!("the value of {name} is neither true nor false")).next(
            "write 1, true, yes or on to enable the setting, or 0, false, no or off to disable it",
        )),
    }
}

/// Returns the path of the configuration folder of `cintel`.
pub(crate) fn folder() -> Result<PathBuf, Failure> {
    base_folders().map(|places| places.config_dir().join("cintel"))
}

/// Returns the path of the cache folder of `cintel`, for files that can be recreated.
pub(crate) fn cache_folder() -> Result<PathBuf, Failure> {
    base_folders().map(|places| places.cache_dir().join("cintel"))
}

fn base_folders() -> Result<impl BaseStrategy, Failure> {
    etcetera::choose_base_strategy().map_err(|_| {
        Failure::new(Exit::Local, "no home folder was found")
            .next("set HOME, or name a file with `--config`")
    })
}

/// Reads the text of a file, or of standard input if the path is `-`.
pub(crate) fn read_file(path: &str) -> Result<String, Failure> {
    let text = match path {
        "-" => std::io::read_to_string(std::io::stdin()),
        _ => std::fs::read_to_string(path),
    };
    text.map_err(|error| Failure::usage(format!("`{path}` cannot be read: {error}")))
}

/// Writes a file. On Unix, only the owner can read the file. The function writes a temporary file and renames it, so
/// readers see either the old or the new file.
pub(crate) fn write_private(path: &Path, text: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;

    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let fresh = path.with_extension(format!("new-{}", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);

    options.open(&fresh)?.write_all(text)?;
    std::fs::rename(&fresh, path)
}
