//! Reads the configuration file, which contains profiles in TOML.
//!
//! The input is the path of the file. The output is the profiles, or an error with the number of the invalid line.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::failure::Failure;

/// Version of the file format. A file without `version` has version 1.
const VERSION: u32 = 1;

/// Contents of the configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// Version of the file's format, at most [`VERSION`]; see [`newer_version`].
    #[serde(default, rename = "version")]
    _version: Option<u32>,
    /// Name of the profile that is used if the user selects none.
    default: Option<String>,
    #[serde(default)]
    profile: BTreeMap<String, Profile>,
}

/// Settings of one profile.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Profile {
    pub(crate) base_url: Option<String>,
    /// Name of the environment variable that contains the API key.
    pub(crate) key_env: Option<String>,
    /// Path of the file that contains the API key.
    pub(crate) key_file: Option<String>,
    /// Maximum sum of the list prices of all calls in one run, in credits.
    pub(crate) max_credits: Option<u64>,
    /// Maximum sum of the list prices of all calls in one UTC day, in credits. The limit applies to all processes with
    /// this profile together. This setting also turns the cost ledger on.
    pub(crate) max_credits_per_day: Option<u64>,
    /// True if calls and their cost are recorded in the cost ledger of this machine.
    #[serde(default)]
    pub(crate) ledger: bool,
    /// Output format: `table`, `json`, `ndjson`, `csv`, or `compact` (which needs the Cargo feature `agents`).
    pub(crate) output: Option<String>,
    /// True if requests go to the embedded sandbox instead of the service.
    #[serde(default)]
    pub(crate) sandbox: bool,
}

/// Type of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SettingKind {
    Text,
    /// Whole number of at least 0.
    Whole,
    Boolean,
    /// Name of an output format.
    Output,
}

/// Names and types of all settings of a profile.
pub(crate) const SETTINGS: [(&str, SettingKind); 8] = [
    ("base_url", SettingKind::Text),
    ("key_env", SettingKind::Text),
    ("key_file", SettingKind::Text),
    ("ledger", SettingKind::Boolean),
    ("max_credits", SettingKind::Whole),
    ("max_credits_per_day", SettingKind::Whole),
    ("output", SettingKind::Output),
    ("sandbox", SettingKind::Boolean),
];

/// Reads and parses the configuration file. Returns an empty configuration if the file does not exist.
pub(crate) fn read(path: &Path) -> Result<Config, Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(error) => {
            let message =
                format!("the configuration file {} cannot be read: {error}", path.display());
            return Err(
                Failure::usage(message).next("correct it, or name another file with `--config`")
            );
        }
    };
    parse(&text, path)
}

/// Parses the text of a configuration file. `path` appears only in error messages.
pub(crate) fn parse(text: &str, path: &Path) -> Result<Config, Failure> {
    if let Some(version) = newer_version(text) {
        let place = path.display();
        let message = format!(
            "the configuration file {place} has version {version}; this release reads version {VERSION}"
        );
        return Err(Failure::usage(message)
            .next("install a newer release, or name another file with `--config`"));
    }
    toml::from_str(text).map_err(|error| {
        Failure::usage(format!("the configuration {}: {}", path.display(), mistake(text, &error)))
            .next(format!(
                "the settings of a profile are {}",
                SETTINGS.map(|(name, _)| name).join(", ")
            ))
    })
}

/// Returns the version of a configuration file if only a newer release of `cintel` can read the file. This function
/// parses only the version, because such a file may contain unknown settings.
fn newer_version(text: &str) -> Option<u32> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let file: Versioned = toml::from_str(text).ok()?;
    Some(file.version).filter(|version| *version > VERSION)
}

/// Describes a TOML error by its line number and kind. The parser's own message would repeat the line, which may
/// contain an API key.
fn mistake(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map(|span| text[..span.start].lines().count().max(1));
    let line = line.map_or(String::new(), |line| format!("line {line}: "));
    let kind = error.message();
    // Only these kinds of messages contain the name of the setting without its value.
    let names_setting = ["unknown field", "missing field", "duplicate"];
    match names_setting.iter().any(|start| kind.starts_with(start)) {
        true => format!("{line}{kind}"),
        false => format!("{line}invalid value or invalid TOML"),
    }
}

impl Config {
    /// Returns a profile and its name: the profile called `wanted`, or the default profile of the file if `wanted` is
    /// `None`. Returns an error if the file does not contain this profile. If `wanted` is `None` and the file sets no
    /// default profile, returns empty settings and no name.
    pub(crate) fn profile(
        &self,
        wanted: Option<&str>,
        path: &Path,
    ) -> Result<(Option<String>, Profile), Failure> {
        let Some(name) = wanted.or(self.default.as_deref()) else {
            return Ok((None, Profile::default()));
        };
        let Some(profile) = self.profile.get(name) else {
            let known: Vec<_> = self.profile.keys().map(String::as_str).collect();
            let failure = Failure::usage(format!("there is no profile `{name}`"));
            return Err(failure.next(match known.is_empty() {
                true => format!("add [profile.{name}] to {}", path.display()),
                false => format!("the profiles are {}", known.join(", ")),
            }));
        };
        Ok((Some(name.to_owned()), profile.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_found_and_mistakes_are_named() {
        let config: Config = toml::from_str(
            "default = \"work\"\n[profile.work]\nmax_credits = 30\n[profile.play]\nsandbox = true\n",
        )
        .expect("a configuration");
        let path = Path::new("config.toml");

        let (name, profile) = config.profile(None, path).expect("the default");
        assert_eq!((name.as_deref(), profile.max_credits), (Some("work"), Some(30)));
        assert!(config.profile(Some("play"), path).expect("named").1.sandbox);
        assert!(
            config.profile(Some("home"), path).expect_err("unknown").message().contains("`home`")
        );
        assert!(toml::from_str::<Config>("[profile.a]\nkey = \"sk-1\"\n").is_err());
    }

    #[test]
    fn every_setting_can_be_read() {
        for (name, kind) in SETTINGS {
            let value = match kind {
                SettingKind::Text | SettingKind::Output => "\"json\"",
                SettingKind::Whole => "1",
                SettingKind::Boolean => "true",
            };
            let text = format!("[profile.a]\n{name} = {value}\n");
            assert!(parse(&text, Path::new("config.toml")).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_file_of_a_newer_release_is_refused_by_its_version() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("config.toml");
        for (text, is_read) in [
            ("[profile.a]\nsandbox = true\n", true),
            ("version = 1\n[profile.a]\nsandbox = true\n", true),
            ("version = 2\nnew = \"setting\"\n", false),
        ] {
            std::fs::write(&path, text).expect("a file");
            let read = read(&path);
            assert_eq!(read.is_ok(), is_read, "{text}");
            if let Err(failure) = read {
                assert!(failure.message().contains("has version 2"), "{}", failure.message());
            }
        }
    }
}
