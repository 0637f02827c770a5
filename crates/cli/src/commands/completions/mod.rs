//! `cintel completions`: writes completion scripts for shells.

mod powershell;

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use crate::arguments::options::with_common_options;
use crate::failure::Failure;
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let shell = Arg::new("shell").value_name("SHELL").required(true);
    command.arg(shell.value_parser(value_parser!(Shell))).after_help(
        "bash: cintel completions bash > ~/.local/share/bash-completion/completions/cintel\n\
         zsh: cintel completions zsh > ~/.zfunc/_cintel\n\
         fish: cintel completions fish > ~/.config/fish/completions/cintel.fish\n\
         PowerShell: cintel completions powershell >> $PROFILE",
    )
}

pub(crate) async fn run(given: &ArgMatches, mut command: Command) -> Result<(), Failure> {
    let Some(shell) = given.get_one::<Shell>("shell") else { return Ok(()) };
    command.build();
    terminal::write(script(*shell, with_common_options(command, true)).as_bytes());
    Ok(())
}

/// Completion script of a shell. clap's generator completes no values in PowerShell and no
/// positional values in fish, so both are added here.
fn script(shell: Shell, mut command: Command) -> String {
    if shell == Shell::PowerShell {
        return powershell::script(&command);
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, NAME, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if shell == Shell::Fish {
        script.push_str(&places_of_fish(&command));
    }
    script
}

const NAME: &str = "cintel";

/// fish lines that complete the values of positional arguments.
fn places_of_fish(command: &Command) -> String {
    let line = |below: &Command, values: Vec<String>| {
        let name = below.get_name();
        let values = values.join(" ");
        format!(
            "complete -c {NAME} -n \"__fish_{NAME}_using_subcommand {name}\" -f -a \"{values}\"\n"
        )
    };
    let lines = command.get_subcommands().flat_map(|below| {
        let places = below.get_positionals().map(values);
        places.filter(|values| !values.is_empty()).map(move |values| line(below, values))
    });
    lines.collect()
}

/// Known values of an argument.
fn values(arg: &Arg) -> Vec<String> {
    if !arg.get_action().takes_values() {
        return Vec::new();
    }
    arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use crypto_intel::catalogue::{OPERATIONS, ParamKind};

    use super::*;
    use crate::arguments::catalogue::{is_settable, kebab};

    fn whole() -> Command {
        let mut command = crate::commands::root();
        command.build();
        with_common_options(command, true)
    }

    /// Every script completes every command, flag and known value.
    #[test]
    fn the_scripts_of_all_shells_have_the_values_of_enums() {
        for shell in Shell::value_variants() {
            let script = script(*shell, whole());
            for operation in OPERATIONS {
                assert!(script.contains(operation.id), "{shell}: {}", operation.id);
                for param in operation.params.iter().filter(|param| is_settable(param)) {
                    // fish writes flags without their dashes.
                    let flag = kebab(param.name);
                    assert!(param.required || script.contains(&flag), "{shell}: {flag}");
                    // clap's generator completes no values in elvish.
                    let ParamKind::Enum(values) = param.kind else { continue };
                    for value in values.iter().filter(|_| *shell != Shell::Elvish) {
                        assert!(script.contains(value), "{shell}: {}: {value}", operation.id);
                    }
                }
            }
        }
    }

    /// The added fish lines use a function that clap's script defines.
    #[test]
    fn places_have_values_in_fish() {
        let script = script(Shell::Fish, whole());
        assert!(script.contains("function __fish_cintel_using_subcommand"));
        let line = script.lines().find(|line| line.contains("using_subcommand token-holders\" -f"));
        assert!(line.is_some_and(|line| line.contains("ethereum") && line.contains("solana")));
    }
}
