//! Completion script for PowerShell: a table of all commands, and a function that searches it.

use clap::{Arg, Command};

use super::{NAME, values};

/// Script for a command and its subcommands.
pub(super) fn script(root: &Command) -> String {
    let of_all: Vec<&Arg> = root.get_arguments().filter(|arg| arg.is_global_set()).collect();
    let mut commands = String::new();
    table(root, NAME, &mut commands);
    let common: String =
        of_all.iter().flat_map(|arg| entries(arg)).map(|entry| line(&entry)).collect();
    TEMPLATE.replace("{NAME}", NAME).replace("{COMMON}", &common).replace("{COMMANDS}", &commands)
}

/// Adds the possible completions behind a command, then those of its subcommands.
fn table(command: &Command, path: &str, text: &mut String) {
    let own = command.get_arguments().filter(|arg| !arg.is_global_set()).flat_map(entries);
    let below: Vec<&Command> =
        command.get_subcommands().filter(|below| below.get_name() != "help").collect();
    let commands = below.iter().map(|below| {
        let about = below.get_about().map(ToString::to_string).unwrap_or_default();
        Completion { kind: 'c', name: below.get_name().to_owned(), values: Vec::new(), help: about }
    });

    let lines: String = own.chain(commands).map(|entry| line(&entry)).collect();
    text.push_str(&format!("    {} = @(\n{lines}    )\n", quoted(path)));
    for below in below {
        table(below, &format!("{path} {}", below.get_name()), text);
    }
}

/// One possible completion: a command (`c`), a flag (`f`), an option with a value (`o`), or a
/// positional argument (`p`).
struct Completion {
    kind: char,
    name: String,
    values: Vec<String>,
    help: String,
}

/// Completions of an argument, one for each of its names.
fn entries(arg: &Arg) -> Vec<Completion> {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let values = values(arg);
    let entry = |kind, name| Completion { kind, name, values: values.clone(), help: help.clone() };
    if arg.is_positional() {
        return vec![entry('p', arg.get_id().to_string())];
    }

    let kind = if arg.get_action().takes_values() { 'o' } else { 'f' };
    let long = arg.get_long().map(|name| format!("--{name}"));
    let short = arg.get_short().map(|name| format!("-{name}"));
    long.into_iter().chain(short).map(|name| entry(kind, name)).collect()
}

fn line(entry: &Completion) -> String {
    let Completion { kind, name, values, help } = entry;
    let text = format!("{kind}|{name}|{}|{}", values.join(","), first_sentence(help));
    format!("        {}\n", quoted(&text))
}

/// Shortens a help text for a tooltip.
fn first_sentence(help: &str) -> String {
    let line = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.find(". ").or(line.find(" [")).unwrap_or(line.len());
    line[..end].to_owned()
}

/// A PowerShell literal without interpolation. PowerShell treats typographic quotes as plain
/// quotes, so they are doubled too.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("'");
    for letter in text.chars() {
        if matches!(letter, '\'' | '\u{2018}'..='\u{201b}') {
            quoted.push(letter);
        }
        quoted.push(letter);
    }
    quoted + "'"
}

/// `-split` returns at most four parts, so the help text may contain any character.
const TEMPLATE: &str = r#"# Completions of {NAME} for PowerShell. Each line: kind|name|values|help.
$global:{NAME}Common = @(
{COMMON})
$global:{NAME}Commands = @{
{COMMANDS}}

Register-ArgumentCompleter -Native -CommandName '{NAME}' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # The words before the one that is completed.
    $words = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })

    # Which command they name, which flag waits for its value, and how many places are filled.
    $command = '{NAME}'
    $entries = @($global:{NAME}Commands[$command]) + $global:{NAME}Common
    $flag = ''
    $places = 0
    foreach ($word in @($words | Select-Object -Skip 1)) {
        if ($flag) {
            $flag = ''
        } elseif ($word.StartsWith('-')) {
            if ($entries -clike "o|$word|*") { $flag = $word }
        } elseif ($global:{NAME}Commands.ContainsKey("$command $word")) {
            $command = "$command $word"
            $entries = @($global:{NAME}Commands[$command]) + $global:{NAME}Common
        } else {
            $places++
        }
    }

    # A value may be joined to its flag.
    $prefix = ''
    $wanted = "$wordToComplete"
    if (-not $flag -and $wanted -match '^(--[^=]+)=(.*)$') {
        $flag = $Matches[1]
        $prefix = "$flag="
        $wanted = $Matches[2]
    }

    $place = 0
    $found = @(foreach ($entry in $entries) {
        $kind, $name, $values, $help = $entry -split '\|', 4
        if ($flag) {
            if ($name -ceq $flag -and $values) { $values -split ',' | ForEach-Object { , @("$prefix$_", $_, $help) } }
        } elseif ($kind -eq 'p') {
            if ($place -eq $places -and $values) { $values -split ',' | ForEach-Object { , @($_, $_, $help) } }
            $place++
        } elseif ($kind -ne 'c' -or $places -eq 0) {
            , @($name, $name, $help)
        }
    })

    $found | Where-Object { $_[1] -like "$wanted*" } | ForEach-Object {
        $help = if ($_[2]) { $_[2] } else { $_[1] }
        [System.Management.Automation.CompletionResult]::new($_[0], $_[1], 'ParameterValue', $help)
    }
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_flags_values_and_places_are_in_the_table() {
        let mut root = Command::new(NAME)
            .arg(
                Arg::new("output")
                    .long("output")
                    .short('o')
                    .global(true)
                    .value_parser(["table", "json"]),
            )
            .subcommand(
                Command::new("price")
                    .about("What it's worth. More of it.")
                    .arg(Arg::new("chain").value_parser(["ethereum", "base"]).required(true))
                    .arg(Arg::new("all").long("all").action(clap::ArgAction::SetTrue)),
            );
        root.build();

        let script = script(&root);
        for line in [
            "'o|--output|table,json|'",
            "'o|-o|table,json|'",
            "'c|price||What it''s worth'",
            "'cintel price' = @(",
            "'p|chain|ethereum,base|'",
            "'f|--all||'",
        ] {
            assert!(script.lines().any(|found| found.trim() == line), "{line}:\n{script}");
        }
        assert!(!script.contains("{NAME}") && !script.contains("{COMM"));
    }

    #[test]
    fn no_quote_ends_a_literal() {
        assert_eq!(quoted("it's $x"), "'it''s $x'");
        assert_eq!(quoted("it’s"), "'it’’s'");
    }

    /// The table separates its values with these characters.
    #[test]
    fn no_value_has_a_character_that_divides() {
        let mut root = crate::commands::root();
        root.build();
        let mut commands: Vec<&Command> = vec![&root];
        while let Some(command) = commands.pop() {
            commands.extend(command.get_subcommands());
            for value in command.get_arguments().flat_map(values) {
                assert!(!value.contains([',', '|']), "{value}");
            }
        }
    }
}
