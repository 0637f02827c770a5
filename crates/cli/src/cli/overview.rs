//! The list of commands in `cintel --help`: this program's own, and the operations by domain.

use crypto_intel::catalogue::OPERATIONS;

use crate::commands::COMMANDS;

/// Wide enough for most identifiers; longer ones push their line.
const NAME: usize = 24;

pub(crate) fn text() -> String {
    let mut text = String::from("Commands:\n");
    for entry in COMMANDS {
        text.push_str(&line(entry.name, entry.about));
    }

    let mut tag = "";
    for operation in OPERATIONS {
        if operation.tag != tag {
            tag = operation.tag;
            text.push_str(&format!("\n{tag}:\n"));
        }
        text.push_str(&line(operation.id, operation.summary));
    }
    text.push_str(&format!("\nOptions of every command:\n{}", super::options::listed()));
    text.push_str(
        "\n`cintel COMMAND --help` says what a command takes, costs and returns; `cintel ops WORDS` \
         searches.",
    );
    text
}

fn line(name: &str, about: &str) -> String {
    format!("  {name:<NAME$} {about}\n")
}
