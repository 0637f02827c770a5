//! Builds the clap command line: the fixed commands of `cintel`, and one command per operation of the catalogue.

use clap::Command;
use crypto_intel::catalogue::OPERATIONS;

use super::{COMMANDS, overview};
use crate::arguments::{operation, options};

/// Builds the root command with all its subcommands and common options.
pub(crate) fn root() -> Command {
    let root = Command::new("cintel")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Crypto, market and on-chain intelligence on the command line")
        .help_template("{about}\n\n{usage-heading} {usage}{after-help}\n")
        .override_usage("cintel COMMAND [VALUES] [OPTIONS]")
        .after_help(overview::text())
        .subcommand_required(true)
        .arg_required_else_help(true)
        .infer_long_args(false)
        .max_term_width(110)
        .args(options::global());

    let own = COMMANDS.iter().map(|entry| {
        let command = Command::new(entry.name).about(entry.about);
        command.defer(entry.arguments)
    });
    root.subcommands(own).subcommands(OPERATIONS.iter().map(|known| operation::command(known)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::catalogue::{self, is_settable};
    use crate::arguments::help::spelling;

    /// Runs clap's own checks of all commands, for example for duplicate names. Also checks that the help text of each
    /// operation contains all parameters that a user can set.
    #[test]
    fn the_command_line_is_sound() {
        root().debug_assert();
        for known in OPERATIONS {
            let line = ["cintel", known.id, "--help"];
            let help = root().try_get_matches_from(line).expect_err("help").render().to_string();
            for param in known.params.iter().filter(|param| is_settable(param)) {
                let shown = spelling(param);
                // Usage lines show optional arguments in square brackets.
                let optional = shown.replace('<', "[").replace('>', "]");
                assert!(
                    help.contains(&shown) || help.contains(&optional),
                    "{} lacks {shown}:\n{help}",
                    known.id
                );
            }
        }
    }

    #[test]
    fn no_command_hides_an_operation() {
        for entry in COMMANDS {
            assert!(catalogue::operation(entry.name).is_none(), "{}", entry.name);
        }
    }
}
