//! The command line: what was typed, and what is wrong with it.

use std::path::PathBuf;

use crate::fault::{Fault, Result};

pub const USAGE: &str = "\
cargo xtask COMMAND

  regen                         write the raw client from the descriptions in spec/
  regen --check                 compare instead of writing; exit 1 when something differs
  regen --spec FILE --out DIR   write a crate from another description into DIR
        --spec FILE             several times for a description in several files; where two of them
                                describe the same thing differently, the first counts
        --overlay FILE          an overlay for it, instead of the repository's; `none` for none
  measure                       lines and seconds of the generated client beside the external
                                generator's own; writes docs/measurements.md (takes minutes)

Exit status: 0 done, 1 the check found a difference, 2 something is wrong with the input.";

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Help,
    Write,
    Check,
    Elsewhere { specs: Vec<PathBuf>, out: PathBuf, overlay: Overlay },
    Measure,
}

/// Which overlay is applied to another description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    /// The repository's.
    Own,
    None,
    File(PathBuf),
}

/// Reads the words after `cargo xtask`.
pub fn read(words: &[String]) -> Result<Command> {
    let wants_help = |word: &String| ["help", "--help", "-h"].contains(&word.as_str());
    if words.iter().any(wants_help) {
        return Ok(Command::Help);
    }
    match words.split_first() {
        None => Err(Fault::usage("", "there is no command", "`cargo xtask help` lists them")),
        Some((first, rest)) => match first.as_str() {
            "regen" => regen(rest),
            "measure" if rest.is_empty() => Ok(Command::Measure),
            "measure" => {
                Err(Fault::usage(&rest[0], "`measure` takes no arguments", "leave it out"))
            }
            other => Err(Fault::usage(other, "there is no such command", "use regen or measure")),
        },
    }
}

fn regen(words: &[String]) -> Result<Command> {
    let (mut check, mut specs, mut out, mut overlay) = (false, Vec::new(), None, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        // Both `--spec FILE` and `--spec=FILE`.
        let (flag, joined) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag, Some(value.to_owned())),
            _ => (word.as_str(), None),
        };
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
            "--check" => check = true,
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
            "`--check` compares the repository's own client and goes with no other flag",
            "write `cargo xtask regen --check`",
        )),
        (false, false, None) => Err(Fault::usage(
            "--spec",
            "another description needs a folder to write a crate into",
            "add `--out DIR`",
        )),
        (false, true, _) => Err(Fault::usage(
            "--out",
            "a folder or an overlay needs a description",
            "add `--spec FILE`",
        )),
    }
}

fn file(flag: &str, value: String) -> Result<PathBuf> {
    if value.contains("://") {
        return Err(Fault::usage(
            flag,
            format!("`{value}` is an address, and this command reads files"),
            "download the description and name the file",
        ));
    }
    Ok(PathBuf::from(value))
}

fn twice(flag: &str) -> Fault {
    Fault::usage(flag, format!("`{flag}` stands there twice"), "keep one of them")
}

fn unknown(word: &str) -> Fault {
    let near = ["--check", "--spec", "--out", "--overlay"]
        .into_iter()
        .find(|flag| flag.trim_start_matches('-').starts_with(word.trim_start_matches('-')));
    let hint = match near {
        Some(flag) => format!("did you mean `{flag}`?"),
        None if word.starts_with('-') => "use --check, --spec, --out or --overlay".to_owned(),
        None => format!("a description is named by a flag: `--spec {word}`"),
    };
    Fault::usage(word, "`regen` does not know this", hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
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
        let lines = [
            "",
            "help",
            "regen --help",
            "regen",
            "regen --check",
            "measure",
            "measure now",
            "gen",
            "regen --spec a.json --out b",
            "regen --spec=a.json --out=b --overlay none",
            "regen --spec a --spec b --out c --overlay d.yaml",
            "regen --spec a.json",
            "regen --out b",
            "regen --spec",
            "regen --spec= --out b",
            "regen --overlay o",
            "regen --check --spec a --out b",
            "regen a.json",
            "regen --specs a",
            "regen -o b",
            "regen --chek",
            "regen --out a --out b --spec c",
            "regen --spec https://a.example/b.json --out c",
        ];
        let told: Vec<String> =
            lines.iter().map(|line| format!("{line} -> {}", told(line))).collect();
        insta::assert_snapshot!(told.join("\n"));
    }
}
