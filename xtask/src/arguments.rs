//! Parses the command line of `cargo xtask` into a command. For an invalid command line, returns an error with a
//! suggestion.

use std::path::PathBuf;

use crate::adopt::{Options, Words};
use crate::bench::NAMES as SUITES;
use crate::closest::guess;
use crate::diff::{Class, Format, View};
use crate::fault::{Fault, Result};

pub const USAGE: &str = "\
cargo xtask COMMAND

  regen                         writes the generated client from the OpenAPI documents in spec/
  regen --check                 compares instead of writing; exit 1 if something differs
  regen --spec FILE --out DIR   writes a crate from another OpenAPI document into DIR
        --spec FILE             can be repeated; if two documents define an element
                                differently, the first definition is used
        --overlay FILE          uses this overlay instead of the repository's; `none` for no overlay
  diff [OLD NEW]                shows the changes for users of the Rust API between two documents
                                (files, or git revisions of spec/); without OLD and NEW, compares
                                the last commit with the working tree
       --format text            for people; `markdown` for a pull request, `json` for tools
       --docs                   lists the changed documentation texts (default: only their number)
       --fail-on CLASS          exit 1 if a change has CLASS or a higher class. The classes are docs,
                                additive, behaviour and breaking. `none` (the default): never exit 1
  adopt FILE                    adopts a new version of an OpenAPI document: shows the difference, lists
                                the open decisions of the overlay, and writes documents, generated code
                                and snapshots. If an error occurs, no file is written. Operations that
                                the new version lacks move to spec/unpublished.openapi.json
        --dry-run               shows the changes without writing
        --docs                  lists each documentation text that changed or needs to be rewritten
        --no-check              does not compile the workspace before writing
        --texts theirs          uses the publisher's texts; `ours` (the default) keeps our texts
  corpus FOLDER                 prints a line of hashes and counts for each OpenAPI document in FOLDER
        --check FILE            compares the lines with FILE; exit 1 if a line differs
        --facts DIR             writes the API of each generated crate as text into DIR
        --since DIR             compares the APIs with the files that `--facts DIR` wrote earlier
  bench [SUITE...]              measures the speed of this client and of comparison programs, and writes
                                the tables of docs/book/src/measurements.md. Suites: cost, generator,
                                call, lists, decoder, chat, tables, python, sandbox; all of them
                                together take half an hour
  release --dry-run             checks versions, links and workflows, lists missing values of
                                release.toml, and builds all packages
          --check               checks like --dry-run, but builds no packages
          --notes VERSION       prints the section of CHANGELOG.md for a version
          --fill                writes the values of release.toml into the manifests

Exit status:
  0  success
  1  `regen --check` or `corpus --check`: a difference was found
     `diff --fail-on CLASS`: a change of CLASS or a higher class was found
     `release`: a version or link is wrong, or a CHANGELOG has no section for the version
  2  an error in the input; nothing was written";

/// A parsed `cargo xtask` command with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Help,
    Write,
    Check,
    Elsewhere { specs: Vec<PathBuf>, out: PathBuf, overlay: Overlay },
    Diff { versions: Option<(String, String)>, view: View, fail_on: Option<Class> },
    Adopt { file: PathBuf, dry: bool, docs: bool, options: Options },
    Corpus { folder: PathBuf, task: CorpusTask },
    Bench(Vec<String>),
    Release(Release),
}

/// Task of `cargo xtask corpus`. `Print` prints the manifest: one line of hashes and counts per OpenAPI document.
/// `Check` compares the manifest with a file. `Facts` stores the API properties of each generated client in a folder.
/// `Since` compares the current API properties with this folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CorpusTask {
    Print,
    Check(PathBuf),
    Facts(PathBuf),
    Since(PathBuf),
}

/// Task of `cargo xtask release`: check the release, run its builds, print the release notes of a version, or copy the
/// data of `release.toml` into other files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Release {
    Check,
    DryRun,
    Notes(String),
    Fill,
}

const COMMANDS: &[&str] = &["regen", "diff", "adopt", "corpus", "bench", "release", "help"];

/// Overlay file that `cargo xtask regen` applies to the OpenAPI documents named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    /// The overlay file of this repository.
    Own,
    None,
    File(PathBuf),
}

/// Parses the words after `cargo xtask`.
pub fn read(words: &[String]) -> Result<Command> {
    let wants_help = |word: &String| ["help", "--help", "-h"].contains(&word.as_str());
    if words.iter().any(wants_help) {
        return Ok(Command::Help);
    }
    match words.split_first() {
        None => {
            Err(Fault::usage("", "no command was passed", "`cargo xtask help` lists the commands"))
        }
        Some((first, rest)) => match first.as_str() {
            "regen" => regen(rest),
            "diff" => diff(rest),
            "adopt" => adopt(rest),
            "corpus" => corpus(rest),
            "bench" => bench(rest),
            "release" => release(rest),
            other => Err(Fault::usage(
                other,
                "this command does not exist",
                guess(other, COMMANDS).unwrap_or_else(|| format!("use {}", listed(COMMANDS))),
            )),
        },
    }
}

fn bench(words: &[String]) -> Result<Command> {
    match words.iter().find(|word| !SUITES.contains(&word.as_str())) {
        None => Ok(Command::Bench(words.to_vec())),
        Some(other) => Err(Fault::usage(
            other,
            "this suite does not exist",
            guess(other, SUITES).unwrap_or_else(|| format!("the suites are {}", listed(SUITES))),
        )),
    }
}

fn regen(words: &[String]) -> Result<Command> {
    let (mut check, mut specs, mut out, mut overlay) = (false, Vec::new(), None, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (flag, joined) = parts(word);
        let mut value = |what: &str| {
            joined
                .clone()
                .or_else(|| words.next().cloned())
                .filter(|value| !value.is_empty())
                .ok_or_else(|| {
                    Fault::usage(
                        flag,
                        format!("`{flag}` needs {what}"),
                        format!("write `{flag} {what}`"),
                    )
                })
        };

        match flag {
            "--check" => check = is_set(flag, joined.as_deref())?,
            "--spec" => specs.push(file(flag, value("FILE")?)?),
            "--out" if out.is_some() => return Err(twice(flag)),
            "--out" => out = Some(PathBuf::from(value("DIR")?)),
            "--overlay" if overlay.is_some() => return Err(twice(flag)),
            "--overlay" => overlay = Some(file(flag, value("FILE")?)?),
            _ => return Err(unknown(word)),
        }
    }

    match (check, specs.is_empty(), out) {
        (false, true, None) if overlay.is_none() => Ok(Command::Write),
        (true, true, None) if overlay.is_none() => Ok(Command::Check),
        (false, false, Some(out)) => {
            let overlay = match overlay {
                None => Overlay::Own,
                Some(file) if file.as_os_str() == "none" => Overlay::None,
                Some(file) => Overlay::File(file),
            };
            Ok(Command::Elsewhere { specs, out, overlay })
        }

        (true, ..) => Err(Fault::usage(
            "--check",
            "`--check` checks the client of this repository and cannot be combined with other \
             flags",
            "write `cargo xtask regen --check`",
        )),
        (false, false, None) => {
            Err(Fault::usage("--spec", "`--spec` needs an output folder", "add `--out DIR`"))
        }
        (false, true, _) => Err(Fault::usage(
            "--out",
            "`--out` and `--overlay` need an OpenAPI document",
            "add `--spec FILE`",
        )),
    }
}

/// Splits an argument such as `--spec=FILE` into the flag and its value. The argument `--spec` has no value, because
/// the value is the next argument.
fn parts(word: &str) -> (&str, Option<String>) {
    match word.split_once('=') {
        Some((flag, value)) if flag.starts_with("--") => (flag, Some(value.to_owned())),
        _ => (word, None),
    }
}

/// Returns true for a flag without a value, and an error for `--check=false`.
fn is_set(flag: &str, value: Option<&str>) -> Result<bool> {
    match value {
        None => Ok(true),
        Some(value) => Err(Fault::usage(
            flag,
            format!("`{flag}` takes no value, but the value `{value}` was passed"),
            format!("write `{flag}`, or leave it out"),
        )),
    }
}

fn file(flag: &str, value: String) -> Result<PathBuf> {
    if value.contains("://") {
        return Err(Fault::usage(
            flag,
            format!("`{value}` is a URL, but this command reads only files"),
            "download the OpenAPI document, and pass the path of the file",
        ));
    }
    Ok(PathBuf::from(value))
}

fn twice(flag: &str) -> Fault {
    Fault::usage(flag, format!("`{flag}` was passed twice"), "pass the flag once")
}

fn unknown(word: &str) -> Fault {
    const FLAGS: &[&str] = &["--check", "--spec", "--out", "--overlay"];
    let hint = match guess(word, FLAGS) {
        Some(hint) => hint,
        None if word.starts_with('-') => format!("use {}", listed(FLAGS)),
        None => format!("pass an OpenAPI document with the flag `--spec`: `--spec {word}`"),
    };
    Fault::usage(word, "`regen` does not accept this argument", hint)
}

fn corpus(words: &[String]) -> Result<Command> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (folder, task) = match words.as_slice() {
        [folder] => (folder, CorpusTask::Print),
        [folder, "--check", file] => (folder, CorpusTask::Check(PathBuf::from(file))),
        [folder, "--facts", dir] => (folder, CorpusTask::Facts(PathBuf::from(dir))),
        [folder, "--since", dir] => (folder, CorpusTask::Since(PathBuf::from(dir))),
        _ => {
            return Err(Fault::usage(
                &words.join(" "),
                "`corpus` needs a folder, optionally followed by one flag and its value",
                "write `cargo xtask corpus FOLDER --check FILE`, `--facts DIR` or `--since DIR`",
            ));
        }
    };
    Ok(Command::Corpus { folder: PathBuf::from(folder), task })
}

fn diff(words: &[String]) -> Result<Command> {
    const FLAGS: &[&str] = &["--format", "--docs", "--fail-on"];

    let (mut versions, mut fail_on) = (Vec::new(), None);
    let mut view = View::from(Format::Text);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (flag, joined) = parts(word);
        let mut value = || joined.clone().or_else(|| words.next().cloned()).unwrap_or_default();

        match flag {
            "--format" => view.format = format(&value())?,
            "--docs" => view.docs = is_set(flag, joined.as_deref())?,
            "--fail-on" => {
                let word = value();
                fail_on = Class::ALL.into_iter().find(|class| class.word() == word);
                if fail_on.is_none() && word != "none" {
                    let words = ["docs", "additive", "behaviour", "breaking", "none"];
                    return Err(not_one(flag, &word, &words));
                }
            }
            flag if flag.starts_with('-') => {
                let hint = guess(flag, FLAGS).unwrap_or_else(|| format!("use {}", listed(FLAGS)));
                return Err(Fault::usage(word, "`diff` does not accept this argument", hint));
            }
            _ => versions.push(word.clone()),
        }
    }

    let versions = match versions.as_slice() {
        [] => None,
        [old, new] => Some((old.clone(), new.clone())),
        _ => {
            return Err(Fault::usage(
                &versions.join(" "),
                "`diff` needs two versions, or none",
                "write `cargo xtask diff OLD NEW`, or pass no version to compare the last commit \
                 with the working tree",
            ));
        }
    };

    Ok(Command::Diff { versions, view, fail_on })
}

fn format(word: &str) -> Result<Format> {
    match word {
        "text" => Ok(Format::Text),
        "markdown" | "md" => Ok(Format::Markdown),
        "json" => Ok(Format::Json),
        other => Err(not_one("--format", other, &["text", "markdown", "json"])),
    }
}

fn adopt(words: &[String]) -> Result<Command> {
    const FLAGS: &[&str] = &["--dry-run", "--docs", "--no-check", "--texts"];

    let (mut files, mut dry, mut docs) = (Vec::new(), false, false);
    let mut options = Options { words: Words::Ours, compile: true };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--dry-run" => dry = true,
            "--docs" => docs = true,
            "--no-check" => options.compile = false,
            "--texts" => options.words = whose(words.next())?,
            flag if flag.starts_with('-') => {
                let hint = guess(flag, FLAGS).unwrap_or_else(|| format!("use {}", listed(FLAGS)));
                return Err(Fault::usage(flag, "`adopt` does not accept this flag", hint));
            }
            _ => files.push(file("adopt", word.clone())?),
        }
    }

    match files.as_slice() {
        [file] => Ok(Command::Adopt { file: file.clone(), dry, docs, options }),
        _ => Err(Fault::usage(
            "adopt",
            "`adopt` needs exactly one OpenAPI document",
            "write `cargo xtask adopt FILE`",
        )),
    }
}

fn release(words: &[String]) -> Result<Command> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let part = match words[..] {
        ["--check"] => Release::Check,
        ["--dry-run"] => Release::DryRun,
        ["--notes", version] => Release::Notes(version.to_owned()),
        ["--fill"] => Release::Fill,
        _ => {
            return Err(Fault::usage(
                "release",
                "`release` needs exactly one flag",
                "use `--dry-run`, `--check`, `--notes VERSION`, or `--fill`",
            ));
        }
    };
    Ok(Command::Release(part))
}

fn whose(word: Option<&String>) -> Result<Words> {
    match word.map(String::as_str) {
        Some("ours") => Ok(Words::Ours),
        Some("theirs") => Ok(Words::Theirs),
        other => Err(not_one("--texts", other.unwrap_or_default(), &["ours", "theirs"])),
    }
}

fn not_one(flag: &str, word: &str, known: &[&str]) -> Fault {
    let hint = guess(word, known).unwrap_or_else(|| format!("use {}", listed(known)));
    Fault::usage(flag, format!("`{word}` is not one of {}", listed(known)), hint)
}

/// Joins words as `a, b or c`.
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_text(line: &str) -> String {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match read(&words) {
            Ok(command) => format!("{command:?}"),
            Err(fault) => {
                let told = fault.to_string();
                let lines: Vec<&str> = told.lines().map(|line| line[7..].trim()).collect();
                format!("{}; {}", lines[0], lines[2])
            }
        }
    }

    #[test]
    fn every_line_is_understood_or_told_what_is_wrong() {
        let regen = [
            "regen",
            "regen --help",
            "regen --check",
            "regen --chek",
            "regen --check=false",
            "regen --check --spec a --out b",
            "regen --spec a.json --out b",
            "regen --spec=a.json --out=b --overlay none",
            "regen --spec a --spec b --out c --overlay d.yaml",
            "regen --spec https://a.example/b.json --out c",
            "regen --spec a.json",
            "regen --spec",
            "regen --spec= --out b",
            "regen --specs a",
            "regen --out b",
            "regen --out a --out b --spec c",
            "regen --overlay o",
            "regen --overaly x",
            "regen -o b",
            "regen a.json",
        ];

        let others = [
            "",
            "help",
            "gen",
            "rgen",
            "measure",
            "measure now",
            "diff",
            "diff HEAD~1 new.json --format=json --fail-on breaking",
            "diff HEAD",
            "diff --format html",
            "diff --fromat text",
            "diff --fail-on breakin",
            "diff --docs",
            "adopt",
            "adopt a.json",
            "adopt a.json --docs --no-check",
            "adopt a.json --dry-run",
            "adopt --dry a.json",
            "adopt https://a.example/b.json",
        ];

        let lines = regen.iter().chain(&others);
        let told: Vec<String> =
            lines.map(|line| format!("{line} -> {}", error_text(line))).collect();
        insta::assert_snapshot!(told.join("\n"));
    }
}
